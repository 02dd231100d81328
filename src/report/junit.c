/*
 * junit: a suite an architecture, a test case a kernel in it, passing ones too, so that a consumer has denominators and
 * can say "kernel X on sm_90 fails since". What fails the verdict is a failure, what does not is output of the case;
 * what could not be judged, and what only an exception or the baseline lets pass, is skipped with the reason. Messages
 * that belong to no kernel are cases of a suite of their own.
 */
#include "report/location.h"
#include "report/markup.h"
#include "report/messages.h"
#include "report/xml.h"

#include <stdlib.h>

enum outcome { PASSED, FAILED, SKIPPED };

struct test {
    uint32_t kernel;       /* into model.kernels; NO_INDEX: a message, findings[first] */
    uint32_t first, count; /* its findings: writer.findings[first .. first + count) */
    uint32_t suite;
    enum outcome outcome;
};

struct suite {
    size_t tests, failures, skipped;
};

struct writer {
    const struct report *report;
    struct out *out;
    struct intern suite_names, case_names; /* a case's: suite, then name */
    uint32_t *times;                       /* by case name */
    size_t times_cap;
    struct suite *suites;
    size_t suite_cap;
    struct test *tests;
    size_t count;
    uint32_t *findings; /* into linter.findings, those of one kernel together; messages last */
};

/* ---- what the cases are ----------------------------------------------------------------------------------------- */

/* Why the numbers of a record were not judged; NULL: they were. */
static const char *not_judged(const struct linter *linter, uint32_t number)
{
    const struct kernel *kernel = &linter->model->kernels[number];
    bool spills = kernel->spill_store_bytes != UNKNOWN && kernel->spill_load_bytes != UNKNOWN;
    if (kernel->flags & KERNEL_AMBIGUOUS)
        return "not judged: its numbers cannot be told from another kernel's";
    if (kernel->flags & KERNEL_DEBUG)
        return "not judged: a debug build (-G or -O0)";
    if (!(kernel->flags & KERNEL_USED_LINE))
        return "not judged: the log does not state its registers";
    if (!spills && linter_most_unjudged(linter))
        return "not judged by all rules: nothing that was read states its spills";
    return NULL;
}

static const struct finding *finding_at(const struct writer *w, const struct test *test, uint32_t at)
{
    return &w->report->linter->findings[w->findings[test->first + at]];
}

/* The first finding of the case that would fail, did an exception or the baseline not pardon it; NULL: none. */
static const struct finding *allowed(const struct writer *w, const struct test *test)
{
    for (uint32_t at = 0; at < test->count; at++) {
        const struct finding *finding = finding_at(w, test, at);
        if (!finding_counts(finding) && w->report->fail_on != SEVERITY_OFF && finding->severity >= w->report->fail_on)
            return finding;
    }
    return NULL;
}

static enum outcome outcome_of(const struct writer *w, const struct test *test)
{
    for (uint32_t at = 0; at < test->count; at++)
        if (finding_fails(w->report->linter, finding_at(w, test, at)))
            return FAILED;
    if (allowed(w, test) || (test->kernel != NO_INDEX && not_judged(w->report->linter, test->kernel)))
        return SKIPPED;
    return PASSED;
}

static void add_test(struct writer *w, struct test test, struct str suite)
{
    test.suite = intern_add(&w->suite_names, suite);
    test.outcome = outcome_of(w, &test);
    size_t before = w->suite_cap;
    w->suites = mem_reserve(w->suites, &w->suite_cap, test.suite + 1, sizeof *w->suites);
    for (; before < w->suite_cap; before++)
        w->suites[before] = (struct suite){0};
    w->suites[test.suite].tests++;
    w->suites[test.suite].failures += test.outcome == FAILED;
    w->suites[test.suite].skipped += test.outcome == SKIPPED;
    w->tests[w->count++] = test;
}

/* Findings by kernel, each kernel's in the order of the linter; those of no kernel last. first[k] is where the kernel's
 * begin, and has one element more than there are kernels. */
static uint32_t *sort_findings(struct writer *w)
{
    const struct linter *linter = w->report->linter;
    size_t kernels = w->report->model->kernel_count;
    uint32_t *first = mem_alloc((kernels + 2) * sizeof *first);
    for (size_t at = 0; at < linter->finding_count; at++) {
        uint32_t kernel = linter->findings[at].kernel;
        first[(kernel == NO_INDEX ? kernels : kernel) + 1]++;
    }
    for (size_t k = 0; k <= kernels; k++)
        first[k + 1] += first[k];
    uint32_t *next = mem_alloc((kernels + 1) * sizeof *next);
    memcpy(next, first, (kernels + 1) * sizeof *next);
    for (uint32_t at = 0; at < linter->finding_count; at++) {
        uint32_t kernel = linter->findings[at].kernel;
        w->findings[next[kernel == NO_INDEX ? kernels : kernel]++] = at;
    }
    free(next);
    return first;
}

static void collect(struct writer *w)
{
    const struct model *model = w->report->model;
    w->findings = mem_alloc((w->report->linter->finding_count + 1) * sizeof *w->findings);
    w->tests = mem_alloc((model->kernel_count + w->report->linter->finding_count + 1) * sizeof *w->tests);
    uint32_t *first = sort_findings(w);
    for (uint32_t k = 0; k < model->kernel_count; k++) {
        const struct kernel *kernel = &model->kernels[k];
        uint32_t count = first[k + 1] - first[k];
        bool shown = !context_is_half(model, kernel) && linter_selects(w->report->linter, k);
        struct str arch = kernel_arch(model, kernel);
        if (shown && (kernel->kind == KERNEL_ENTRY || count))
            add_test(w, (struct test){.kernel = k, .first = first[k], .count = count},
                     arch.len ? arch : STR("unknown architecture"));
    }
    for (uint32_t at = first[model->kernel_count]; at < first[model->kernel_count + 1]; at++)
        add_test(w, (struct test){.kernel = NO_INDEX, .first = at, .count = 1}, STR("messages"));
    free(first);
}

/* ---- how they are written --------------------------------------------------------------------------------------- */

/* Consumers keep the first of two cases with one name: a second one gets " #2". */
static void make_unique(struct writer *w, uint32_t suite, struct buf *name)
{
    struct buf key = {0};
    buf_fmt(&key, "%u ", suite);
    buf_add(&key, buf_str(name));
    uint32_t number = intern_add(&w->case_names, buf_str(&key));
    size_t before = w->times_cap;
    w->times = mem_reserve(w->times, &w->times_cap, number + 1, sizeof *w->times);
    for (; before < w->times_cap; before++)
        w->times[before] = 0;
    if (++w->times[number] > 1)
        buf_fmt(name, " #%u", w->times[number]);
    buf_free(&key);
}

static struct str rule_id(const struct writer *w, const struct finding *finding)
{
    return w->report->linter->rules->rules[finding->rule].id;
}

/* Consumers tell what newly fails by names: these are the same whatever other kernels there are, overloads apart. */
enum { NAME_WIDTH = 160 };

static void case_name(struct writer *w, const struct test *test, struct buf *name)
{
    const struct model *model = w->report->model;
    if (test->kernel != NO_INDEX) {
        label_lasting(w->report->labels, kernel_name(model, &model->kernels[test->kernel]), NAME_WIDTH, name);
    } else {
        buf_fmt(name, "%.*s: ", STR_ARG(rule_id(w, finding_at(w, test, 0))));
        finding_text(w->report, finding_at(w, test, 0), name);
    }
    make_unique(w, test->suite, name);
}

/* Why a finding does not count. */
static void pardon_text(const struct writer *w, const struct finding *finding, struct buf *out)
{
    if (finding->exception == NO_INDEX) {
        buf_add(out, STR("known to the baseline"));
        return;
    }
    buf_add(out, STR("allowed: "));
    buf_add(out, finding_reason(w->report->linter, finding));
}

/* "error: spills ... [register-spill]", one line a finding; where it is not the kernel's own place, with the place. */
static void finding_line(struct writer *w, const struct finding *finding)
{
    struct buf text = {0};
    struct location location = location_worst(w->report, finding);
    if (!location.in_log && location.line) {
        location_path(w->report, location.path, &text);
        buf_fmt(&text, ":%u: ", location.line);
    }
    buf_fmt(&text, "%s: ", severity_names[finding->severity]);
    finding_text(w->report, finding, &text);
    buf_fmt(&text, " [%.*s]", STR_ARG(rule_id(w, finding)));
    if (!finding_counts(finding)) {
        buf_add(&text, STR(" ("));
        pardon_text(w, finding, &text);
        buf_char(&text, ')');
    }
    html_text(buf_str(&text), &w->out->text);
    buf_char(&w->out->text, '\n');
    buf_free(&text);
}

/* The findings that fail, or those that do not; how many there are. */
static size_t finding_lines(struct writer *w, const struct test *test, bool failing, bool write)
{
    size_t count = 0;
    for (uint32_t at = 0; at < test->count; at++) {
        const struct finding *finding = finding_at(w, test, at);
        if (finding_fails(w->report->linter, finding) != failing)
            continue;
        count++;
        if (write)
            finding_line(w, finding);
    }
    return count;
}

static void add_failure(struct writer *w, const struct test *test)
{
    struct buf message = {0};
    uint32_t at = 0;
    while (!finding_fails(w->report->linter, finding_at(w, test, at)))
        at++;
    const struct finding *finding = finding_at(w, test, at);
    finding_message(w->report->linter, finding, &message);
    buf_add(&w->out->text, STR("      <failure"));
    xml_attribute("message", buf_str(&message), &w->out->text);
    xml_attribute("type", rule_id(w, finding), &w->out->text);
    buf_add(&w->out->text, STR(">\n"));
    finding_lines(w, test, true, true);
    if (test->kernel != NO_INDEX) {
        buf_add(&w->out->text, STR("in "));
        html_text(context_name(linter_record(w->report->linter, test->kernel)), &w->out->text);
        buf_char(&w->out->text, '\n');
    }
    buf_add(&w->out->text, STR("</failure>\n"));
    buf_free(&message);
}

static void add_skipped(struct writer *w, const struct test *test)
{
    const struct finding *finding = allowed(w, test);
    struct buf message = {0};
    if (finding) {
        buf_fmt(&message, "%.*s is ", STR_ARG(rule_id(w, finding)));
        pardon_text(w, finding, &message);
    } else {
        const struct kernel *kernel = &w->report->model->kernels[test->kernel];
        buf_add(&message, str_of(not_judged(w->report->linter, test->kernel)));
        if (kernel->flags & KERNEL_AMBIGUOUS)
            buf_fmt(&message, ", %s", doubt_reason(log_doubt(&w->report->model->logs[kernel->log])));
    }
    buf_add(&w->out->text, STR("      <skipped"));
    xml_attribute("message", buf_str(&message), &w->out->text);
    buf_add(&w->out->text, STR("/>\n"));
    buf_free(&message);
}

static void add_place(struct writer *w, const struct test *test)
{
    const struct model *model = w->report->model;
    struct buf path = {0};
    struct location location = {0};
    if (test->kernel == NO_INDEX) {
        location = location_of(w->report, finding_at(w, test, 0));
    } else {
        const struct kernel *kernel = &model->kernels[test->kernel];
        location.path = model_string(model, kernel->source);
        location.line = kernel_rare(model, kernel)->source_line;
    }
    if (location.path.len) {
        location_path(w->report, location.path, &path);
        xml_attribute("file", buf_str(&path), &w->out->text);
    }
    if (location.line)
        xml_number("line", location.line, &w->out->text);
    buf_free(&path);
}

static void write_test(struct writer *w, const struct test *test)
{
    struct buf *out = &w->out->text, name = {0};
    case_name(w, test, &name);
    buf_add(out, STR("    <testcase"));
    xml_attribute("classname", intern_get(&w->suite_names, test->suite), out);
    xml_attribute("name", buf_str(&name), out);
    add_place(w, test);
    buf_add(out, STR(" time=\"0\">\n"));
    if (test->outcome == FAILED)
        add_failure(w, test);
    if (test->outcome == SKIPPED)
        add_skipped(w, test);
    if (finding_lines(w, test, false, false)) {
        buf_add(out, STR("      <system-out>\n"));
        finding_lines(w, test, false, true);
        buf_add(out, STR("</system-out>\n"));
    }
    buf_add(out, STR("    </testcase>\n"));
    out_spill(w->out);
    buf_free(&name);
}

static void write_counts(struct writer *w, struct suite counts, size_t errors)
{
    xml_number("tests", counts.tests, &w->out->text);
    xml_number("failures", counts.failures, &w->out->text);
    xml_number("errors", errors, &w->out->text);
    xml_number("skipped", counts.skipped, &w->out->text);
    buf_add(&w->out->text, STR(" time=\"0\">\n"));
}

/* Cases by suite, each suite's in the order of the log. */
static uint32_t *sort_tests(const struct writer *w)
{
    uint32_t *order = mem_alloc((w->count + 1) * sizeof *order), *next = NULL, at = 0;
    next = mem_alloc((w->suite_names.count + 1) * sizeof *next);
    for (uint32_t suite = 0; suite < w->suite_names.count; suite++) {
        next[suite] = at;
        at += (uint32_t)w->suites[suite].tests;
    }
    for (uint32_t test = 0; test < w->count; test++)
        order[next[w->tests[test].suite]++] = test;
    free(next);
    return order;
}

static void write_suites(struct writer *w)
{
    uint32_t *order = sort_tests(w);
    size_t at = 0;
    for (uint32_t suite = 0; suite < w->suite_names.count; suite++) {
        buf_add(&w->out->text, STR("  <testsuite"));
        xml_attribute("name", intern_get(&w->suite_names, suite), &w->out->text);
        write_counts(w, w->suites[suite], 0);
        for (size_t end = at + w->suites[suite].tests; at < end; at++)
            write_test(w, &w->tests[order[at]]);
        buf_add(&w->out->text, STR("  </testsuite>\n"));
    }
    free(order);
}

/* No results must not look like success. */
static void write_incomplete(struct writer *w)
{
    buf_add(&w->out->text, STR("  <testsuite name=\"warplint\""));
    write_counts(w, (struct suite){.tests = 1}, 1);
    buf_add(&w->out->text, STR("    <testcase classname=\"warplint\" name=\"the whole build was judged\" time=\"0\">\n"
                               "      <error"));
    xml_attribute("message", incomplete_text(), &w->out->text);
    xml_attribute("type", STR("incomplete"), &w->out->text);
    buf_add(&w->out->text, STR("/>\n    </testcase>\n  </testsuite>\n"));
}

void report_junit(const struct report *report, struct out *out)
{
    struct writer w = {.report = report, .out = out};
    struct suite all = {0};
    collect(&w);
    for (size_t at = 0; at < w.suite_names.count; at++) {
        all.tests += w.suites[at].tests;
        all.failures += w.suites[at].failures;
        all.skipped += w.suites[at].skipped;
    }
    xml_declaration(&out->text);
    buf_add(&out->text, STR("<testsuites name=\"warplint\""));
    all.tests += report->incomplete;
    write_counts(&w, all, report->incomplete);
    if (report->incomplete)
        write_incomplete(&w);
    write_suites(&w);
    buf_add(&out->text, STR("</testsuites>\n"));
    intern_free(&w.suite_names);
    intern_free(&w.case_names);
    free(w.times);
    free(w.suites);
    free(w.tests);
    free(w.findings);
}
