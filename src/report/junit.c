/*
 * junit: a suite an architecture, a test case a kernel in it, passing ones too, so that a consumer has denominators and
 * can say "kernel X on sm_90 fails since". What fails the verdict is a failure, what does not is output of the case;
 * what could not be judged, and what only an exception or the baseline lets pass, is skipped with the reason. Messages
 * that belong to no kernel are cases of a suite of their own.
 */
#include "report/location.h"
#include "report/markup.h"
#include "report/messages.h"

#include <stdlib.h>

enum outcome { PASSED, FAILED, SKIPPED };
enum { ANY_OUTCOME = 1 << PASSED | 1 << FAILED | 1 << SKIPPED };

struct test {
    uint32_t kernel;             /* into model.kernels; NO_INDEX: a message */
    const struct finding *first; /* of its findings; of a message the only one; NULL: none */
    uint32_t suite;
    enum outcome outcome;
    struct str name; /* no other test of the suite has it */
};

struct writer {
    const struct report *report;
    struct out *out;
    struct arena arena;
    struct intern suite_names, case_names; /* a case's: suite, then name */
    uint32_t *times;                       /* by case name */
    size_t times_cap;
    struct test *tests;
    size_t count;
    struct kernel_findings findings;
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
        return "not judged by all rules: the log or binary does not state its spills";
    return NULL;
}

static const struct finding *finding_at(const struct writer *w, uint32_t number)
{
    return number == NO_INDEX ? NULL : &w->report->linter->findings[number];
}

/* The next one of the same case; NULL: there is none. */
static const struct finding *next_finding(const struct writer *w, const struct finding *finding)
{
    return finding_at(w, w->findings.next_of[finding - w->report->linter->findings]);
}

/* The first finding of the case that an exception or the baseline keeps from failing; NULL: none. */
static const struct finding *allowed(const struct writer *w, const struct test *test)
{
    for (const struct finding *at = test->first; at; at = next_finding(w, at))
        if (!finding_counts(at) && w->report->fail_on != SEVERITY_OFF && at->severity >= w->report->fail_on)
            return at;
    return NULL;
}

static enum outcome outcome_of(const struct writer *w, const struct test *test)
{
    for (const struct finding *at = test->first; at; at = next_finding(w, at))
        if (finding_fails(w->report->linter, at))
            return FAILED;
    if (allowed(w, test) || (test->kernel != NO_INDEX && not_judged(w->report->linter, test->kernel)))
        return SKIPPED;
    return PASSED;
}

static void add_test(struct writer *w, struct test test, struct str suite)
{
    test.suite = intern_add(&w->suite_names, suite);
    test.outcome = outcome_of(w, &test);
    w->tests[w->count++] = test;
}

/* A test for each kernel, in the order of the log, with its findings; then one for each message. */
static void collect(struct writer *w)
{
    const struct model *model = w->report->model;
    const struct linter *linter = w->report->linter;
    w->findings = report_kernel_findings(w->report, &w->arena);
    w->tests = arena_alloc(&w->arena, (model->kernel_count + linter->finding_count + 1) * sizeof *w->tests);
    for (uint32_t k = 0; k < model->kernel_count; k++) {
        const struct kernel *kernel = &model->kernels[k];
        struct test test = {.kernel = k, .first = finding_at(w, w->findings.first_of[k])};
        bool shown = !context_is_half(model, kernel) && linter_selects(w->report->linter, k);
        struct str arch = kernel_arch(model, kernel);
        if (shown && (kernel->kind == KERNEL_ENTRY || test.first))
            add_test(w, test, arch.len ? arch : STR("unknown architecture"));
    }
    for (size_t at = 0; at < linter->finding_count; at++)
        if (linter->findings[at].kernel == NO_INDEX)
            add_test(w, (struct test){.kernel = NO_INDEX, .first = &linter->findings[at]}, STR("messages"));
}

/* ---- their names ------------------------------------------------------------------------------------------------ */

/* Consumers keep the first of two cases with one name: a second one gets " #2". */
static void make_unique(struct writer *w, uint32_t suite, struct buf *name)
{
    SCOPED(buf) key = {0};
    buf_fmt(&key, "%u ", suite);
    buf_add(&key, buf_str(name));
    uint32_t number = intern_add(&w->case_names, buf_str(&key));
    uint32_t times = ++*MEM_AT(w->times, w->times_cap, number);
    if (times > 1)
        buf_fmt(name, " #%u", times);
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
        buf_fmt(name, "%.*s: ", STR_ARG(rule_id(w, test->first)));
        finding_text(w->report, test->first, name);
    }
    make_unique(w, test->suite, name);
}

struct named_test {
    struct test *test;
    struct str path, name; /* the kernel's */
};

static int by_path(const void *left, const void *right)
{
    const struct named_test *a = left, *b = right;
    int order = str_cmp(a->path, b->path);
    order = order ? order : str_cmp(a->name, b->name);
    return order ? order : (a->test > b->test) - (a->test < b->test);
}

/* In the repository, wherever this runs. */
static struct str source_path(struct writer *w, const struct kernel *kernel)
{
    const struct model *model = w->report->model;
    const struct location location = {.path = model_string(model, kernel->source),
                                      .from_here = model->logs[kernel->log].from_here};
    struct buf path = {0};
    if (location.path.len)
        location_repository_path(w->report, &location, &path);
    return arena_take(&w->arena, &path);
}

/* In the order of their sources and names: that of the log changes from build to build. */
static void name_tests(struct writer *w)
{
    const struct model *model = w->report->model;
    struct named_test *tests = mem_alloc((w->count + 1) * sizeof *tests);
    SCOPED(buf) name = {0};
    for (size_t at = 0; at < w->count; at++) {
        tests[at] = (struct named_test){.test = &w->tests[at]};
        if (w->tests[at].kernel != NO_INDEX) {
            const struct kernel *kernel = &model->kernels[w->tests[at].kernel];
            tests[at].path = source_path(w, kernel);
            tests[at].name = kernel_name(model, kernel);
        }
    }
    mem_sort(tests, w->count, sizeof *tests, by_path);
    for (size_t at = 0; at < w->count; at++) {
        buf_clear(&name);
        case_name(w, tests[at].test, &name);
        tests[at].test->name = arena_str(&w->arena, buf_str(&name));
    }
    free(tests);
}

/* ---- how they are written --------------------------------------------------------------------------------------- */

/* Why a finding does not count. */
static void pardon_text(const struct writer *w, const struct finding *finding, struct buf *out)
{
    if (finding->exception == NO_INDEX) {
        buf_add(out, STR("no worse than the baseline"));
        return;
    }
    buf_add(out, STR("allowed: "));
    buf_add(out, finding_reason(w->report->linter, finding));
}

/* "error: spills ... [register-spill]", one line a finding; where it is not the kernel's own place, with the place. */
static void finding_line(struct writer *w, const struct finding *finding, struct buf *out)
{
    SCOPED(buf) text = {0};
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
    html_fmt(out, "%.*s\n", STR_ARG(buf_str(&text)));
}

/* The findings that fail, or those that do not. */
static void finding_lines(struct writer *w, const struct test *test, bool failing, struct buf *out)
{
    for (const struct finding *at = test->first; at; at = next_finding(w, at))
        if (finding_fails(w->report->linter, at) == failing)
            finding_line(w, at, out);
}

/* The worst of those that fail, of several the first. */
static const struct finding *worst_failing(const struct writer *w, const struct test *test)
{
    const struct finding *worst = NULL;
    for (const struct finding *at = test->first; at; at = next_finding(w, at))
        if (finding_fails(w->report->linter, at) && (!worst || at->severity > worst->severity))
            worst = at;
    return worst;
}

static void add_failure(struct writer *w, const struct test *test)
{
    SCOPED(buf) message = {0};
    const struct finding *finding = worst_failing(w, test);
    finding_message(w->report->linter, finding, &message);
    html_fmt(&w->out->text, "      <failure message=\"%.*s\" type=\"%.*s\">\n", STR_ARG(buf_str(&message)),
             STR_ARG(rule_id(w, finding)));
    finding_lines(w, test, true, &w->out->text);
    if (test->kernel != NO_INDEX) {
        const struct str name = context_name(linter_record(w->report->linter, test->kernel));
        html_fmt(&w->out->text, "in %.*s\n", STR_ARG(name));
    }
    buf_add(&w->out->text, STR("</failure>\n"));
}

static void add_skipped(struct writer *w, const struct test *test)
{
    const struct finding *finding = allowed(w, test);
    SCOPED(buf) message = {0};
    if (finding) {
        buf_fmt(&message, "%.*s is ", STR_ARG(rule_id(w, finding)));
        pardon_text(w, finding, &message);
    } else {
        const struct kernel *kernel = &w->report->model->kernels[test->kernel];
        buf_add(&message, str_of(not_judged(w->report->linter, test->kernel)));
        if (kernel->flags & KERNEL_AMBIGUOUS)
            buf_fmt(&message, ", %s", doubt_texts[log_doubt(&w->report->model->logs[kernel->log])].reason);
    }
    html_fmt(&w->out->text, "      <skipped message=\"%.*s\"/>\n", STR_ARG(buf_str(&message)));
}

static void add_place(struct writer *w, const struct test *test)
{
    const struct model *model = w->report->model;
    SCOPED(buf) path = {0};
    struct location location = {0};
    if (test->kernel == NO_INDEX) {
        location = location_of(w->report, test->first);
    } else {
        const struct kernel *kernel = &model->kernels[test->kernel];
        location.path = model_string(model, kernel->source);
        location.line = kernel_rare(model, kernel)->source_line;
    }
    if (location.path.len) {
        location_path(w->report, location.path, &path);
        html_fmt(&w->out->text, " file=\"%.*s\"", STR_ARG(buf_str(&path)));
    }
    if (location.line)
        buf_fmt(&w->out->text, " line=\"%u\"", location.line);
}

static void write_test(struct writer *w, const struct test *test)
{
    struct buf *out = &w->out->text;
    SCOPED(buf) lines = {0};
    finding_lines(w, test, false, &lines);
    html_fmt(out, "    <testcase classname=\"%.*s\" name=\"%.*s\"", STR_ARG(intern_get(&w->suite_names, test->suite)),
             STR_ARG(test->name));
    add_place(w, test);
    buf_add(out, STR(" time=\"0\">\n"));
    if (test->outcome == FAILED)
        add_failure(w, test);
    if (test->outcome == SKIPPED)
        add_skipped(w, test);
    if (lines.len)
        buf_fmt(out, "      <system-out>\n%.*s</system-out>\n", STR_ARG(buf_str(&lines)));
    buf_add(out, STR("    </testcase>\n"));
    out_spill(w->out);
}

static void write_counts(struct writer *w, size_t tests, size_t failures, size_t errors, size_t skipped)
{
    buf_fmt(&w->out->text, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"0\">\n", tests,
            failures, errors, skipped);
}

/* Tests of a suite, of all suites with NO_INDEX, that have one of these outcomes, as bits. */
static size_t count_tests(const struct writer *w, uint32_t suite, unsigned outcomes)
{
    size_t count = 0;
    for (size_t at = 0; at < w->count; at++)
        count += (suite == NO_INDEX || w->tests[at].suite == suite) && (outcomes >> w->tests[at].outcome & 1);
    return count;
}

static void write_suites(struct writer *w)
{
    for (uint32_t suite = 0; suite < w->suite_names.count; suite++) {
        html_fmt(&w->out->text, "  <testsuite name=\"%.*s\"", STR_ARG(intern_get(&w->suite_names, suite)));
        write_counts(w, count_tests(w, suite, ANY_OUTCOME), count_tests(w, suite, 1 << FAILED), 0,
                     count_tests(w, suite, 1 << SKIPPED));
        for (size_t at = 0; at < w->count; at++)
            if (w->tests[at].suite == suite)
                write_test(w, &w->tests[at]);
        buf_add(&w->out->text, STR("  </testsuite>\n"));
    }
}

/* No results must not look like success. */
static void write_incomplete(struct writer *w)
{
    buf_add(&w->out->text, STR("  <testsuite name=\"warplint\""));
    write_counts(w, 1, 0, 1, 0);
    html_fmt(&w->out->text,
             "    <testcase classname=\"warplint\" name=\"the whole build was judged\" time=\"0\">\n"
             "      <error message=\"%.*s\" type=\"incomplete\"/>\n    </testcase>\n  </testsuite>\n",
             STR_ARG(w->report->why_incomplete));
}

void report_junit(const struct report *report, struct out *out)
{
    struct writer w = {.report = report, .out = out};
    collect(&w);
    name_tests(&w);
    buf_add(&out->text, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"warplint\""));
    write_counts(&w, w.count + report->incomplete, count_tests(&w, NO_INDEX, 1 << FAILED), report->incomplete,
                 count_tests(&w, NO_INDEX, 1 << SKIPPED));
    if (report->incomplete)
        write_incomplete(&w);
    write_suites(&w);
    buf_add(&out->text, STR("</testsuites>\n"));
    intern_free(&w.suite_names);
    intern_free(&w.case_names);
    arena_free(&w.arena);
    free(w.times);
}
