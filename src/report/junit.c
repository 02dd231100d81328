/*
 * junit: one suite for each architecture, with one test case for each kernel, also for passing ones, so that a consumer
 * knows the total and can report "kernel X on sm_90 fails since". A finding that fails the verdict is a failure; other
 * findings are output of the case. A case is skipped, with the reason, if the kernel could not be judged, or if only an
 * exception or the baseline lets it pass. Messages that belong to no kernel are cases of a suite of their own.
 */
#include "report/location.h"
#include "report/markup.h"
#include "report/messages.h"

enum outcome { PASSED, FAILED, SKIPPED, OUTCOMES };

struct test {
    uint32_t kernel;             /* into model.kernels; NO_INDEX: a message */
    const struct finding *first; /* its first finding; the only one if it is a message; NULL: none */
    uint32_t suite;
    enum outcome outcome;
    const struct finding *cause;    /* if FAILED, the worst finding that fails; else the first one that would fail
                                       without an exception or the baseline; NULL: none */
    struct str path, mangled, name; /* of the kernel; the name is unique in its suite */
};

struct writer {
    const struct report *report;
    struct out *out;
    struct arena arena;
    struct intern suite_names, case_names; /* case_names: suite, then name */
    uint32_t *times;                       /* by case name: how often it was used */
    struct test *tests;
    size_t count;
    struct kernel_findings findings;
};

/* ---- test cases ------------------------------------------------------------------------------------------------- */

/* The reason why the numbers of a record were not judged; NULL if they were. */
static const char *not_judged(const struct linter *linter, uint32_t number)
{
    const struct kernel *kernel = &linter->model->kernels[number];
    bool spills = kernel->spill_store_bytes != UNKNOWN && kernel->spill_load_bytes != UNKNOWN;
    if (kernel->flags & KERNEL_AMBIGUOUS)
        return "not judged: its numbers cannot be told from another kernel's";
    if (kernel->flags & KERNEL_DEBUG)
        return "not judged: a debug build (-G, -O0 or -Ofc=max)";
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

/* The next finding of the same case; NULL if there is none. */
static const struct finding *next_finding(const struct writer *w, const struct finding *finding)
{
    return finding_at(w, w->findings.next_of[finding - w->report->linter->findings]);
}

/* Sets outcome and cause from the findings. The first finding is the cause if several fail with one severity. */
static void set_outcome(const struct writer *w, struct test *test)
{
    const enum severity fail_on = w->report->fail_on;
    for (const struct finding *at = test->first; at; at = next_finding(w, at)) {
        const bool fails = finding_fails(w->report->linter, at), failed = test->outcome == FAILED;
        const bool allowed = !finding_counts(at) && fail_on != SEVERITY_OFF && at->severity >= fail_on;
        if (fails ? !failed || at->severity > test->cause->severity : allowed && !test->cause)
            test->cause = at;
        if (fails)
            test->outcome = FAILED;
    }
    const bool unjudged = test->kernel != NO_INDEX && not_judged(w->report->linter, test->kernel);
    if (test->outcome == PASSED && (test->cause || unjudged))
        test->outcome = SKIPPED;
}

static void add_test(struct writer *w, struct test test, struct str suite)
{
    test.suite = intern_add(&w->suite_names, suite);
    set_outcome(w, &test);
    w->tests[w->count++] = test;
}

/* A test for each kernel, in the order of the log, with its findings; then one for each message. */
static void collect_tests(struct writer *w)
{
    const struct model *model = w->report->model;
    const struct linter *linter = w->report->linter;
    w->findings = report_kernel_findings(w->report, &w->arena);
    w->tests = arena_alloc(&w->arena, (model->kernel_count + linter->finding_count + 1) * sizeof *w->tests);
    for (uint32_t k = 0; k < model->kernel_count; k++) {
        const struct kernel *kernel = &model->kernels[k];
        struct test test = {.kernel = k, .first = finding_at(w, w->findings.first_of[k])};
        bool shown = !context_is_secondary(model, kernel) && linter_selects(w->report->linter, k);
        struct str arch = kernel_arch(model, kernel);
        if (shown && (kernel->kind == KERNEL_ENTRY || test.first))
            add_test(w, test, arch.len ? arch : STR("unknown architecture"));
    }
    for (size_t at = 0; at < linter->finding_count; at++)
        if (linter->findings[at].kernel == NO_INDEX)
            add_test(w, (struct test){.kernel = NO_INDEX, .first = &linter->findings[at]}, STR("messages"));
}

/* ---- names of cases --------------------------------------------------------------------------------------------- */

/* Consumers ignore the second of two cases with one name, so it gets " #2". */
static void make_unique(struct writer *w, uint32_t suite, struct buf *name)
{
    SCOPED(buf) key = {0};
    buf_fmt(&key, "%u ", suite);
    buf_add(&key, buf_str(name));
    uint32_t number = intern_add(&w->case_names, buf_str(&key));
    uint32_t times = ++w->times[number];
    if (times > 1)
        buf_fmt(name, " #%u", times);
}

static struct str rule_id(const struct writer *w, const struct finding *finding)
{
    return w->report->linter->rules->rules[finding->rule].id;
}

/* Consumers find new failures by names. So a name does not depend on the other kernels, except for overloads. */
enum { NAME_WIDTH = 160 };

static void case_name(struct writer *w, const struct test *test, struct buf *name)
{
    if (test->kernel != NO_INDEX) {
        label_stable(w->report->labels, test->mangled, NAME_WIDTH, name);
    } else {
        buf_fmt(name, "%.*s: ", STR_ARG(rule_id(w, test->first)));
        finding_text(w->report, test->first, name);
    }
    make_unique(w, test->suite, name);
}

static int by_path(const void *left, const void *right)
{
    const struct test *a = *(const struct test *const *)left, *b = *(const struct test *const *)right;
    int order = str_cmp(a->path, b->path);
    order = order ? order : str_cmp(a->mangled, b->mangled);
    return order ? order : (a > b) - (a < b);
}

/* Names the tests in the order of their sources and names, because the order of the log changes from build to build. */
static void name_tests(struct writer *w)
{
    const struct model *model = w->report->model;
    struct test **order = arena_alloc(&w->arena, (w->count + 1) * sizeof *order);
    w->times = arena_alloc(&w->arena, (w->count + 1) * sizeof *w->times);
    for (size_t at = 0; at < w->count; at++) {
        struct test *test = order[at] = &w->tests[at];
        struct buf path = {0}; /* in the repository: it is the same in every working directory */
        if (test->kernel == NO_INDEX)
            continue;
        const struct location location = location_of_kernel(w->report, &model->kernels[test->kernel]);
        if (location.path.len)
            location_repository_path(w->report, &location, &path);
        test->path = arena_take(&w->arena, &path);
        test->mangled = kernel_name(model, &model->kernels[test->kernel]);
    }
    mem_sort(order, w->count, sizeof *order, by_path);
    for (size_t at = 0; at < w->count; at++) {
        struct buf name = {0};
        case_name(w, order[at], &name);
        order[at]->name = arena_take(&w->arena, &name);
    }
}

/* ---- output ----------------------------------------------------------------------------------------------------- */

/* Appends why a finding does not count. */
static void acceptance_text(const struct writer *w, const struct finding *finding, struct buf *out)
{
    if (finding->exception == NO_INDEX) {
        buf_add(out, STR("no worse than the baseline"));
        return;
    }
    buf_add(out, STR("allowed: "));
    buf_add(out, finding_reason(w->report->linter, finding));
}

/* Appends a line for a finding, "error: spills ... [register-spill]", after its location if its line is known. */
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
        acceptance_text(w, finding, &text);
        buf_char(&text, ')');
    }
    html_fmt(out, "%.*s\n", STR_ARG(buf_str(&text)));
}

/* Appends the lines of the findings that fail, or of those that do not. */
static void finding_lines(struct writer *w, const struct test *test, bool failing, struct buf *out)
{
    for (const struct finding *at = test->first; at; at = next_finding(w, at))
        if (finding_fails(w->report->linter, at) == failing)
            finding_line(w, at, out);
}

static void add_failure(struct writer *w, const struct test *test)
{
    SCOPED(buf) message = {0};
    const struct finding *finding = test->cause;
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
    SCOPED(buf) message = {0};
    if (test->cause) {
        buf_fmt(&message, "%.*s is ", STR_ARG(rule_id(w, test->cause)));
        acceptance_text(w, test->cause, &message);
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
    SCOPED(buf) path = {0};
    const struct location location = test->kernel == NO_INDEX
                                         ? location_of(w->report, test->first)
                                         : location_of_kernel(w->report, &w->report->model->kernels[test->kernel]);
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

/* Writes the attributes with the counts of a suite. NO_INDEX: of all suites, with the error of an incomplete build. */
static void write_counts(struct writer *w, uint32_t suite)
{
    size_t counts[OUTCOMES] = {0};
    const bool error = suite == NO_INDEX && w->report->incomplete;
    EACH(const struct test, test, w->tests, w->count)
        counts[test->outcome] += suite == NO_INDEX || test->suite == suite;
    buf_fmt(&w->out->text, " tests=\"%zu\" failures=\"%zu\" errors=\"%d\" skipped=\"%zu\" time=\"0\">\n",
            counts[PASSED] + counts[FAILED] + counts[SKIPPED] + error, counts[FAILED], error, counts[SKIPPED]);
}

static void write_suites(struct writer *w)
{
    for (uint32_t suite = 0; suite < w->suite_names.count; suite++) {
        html_fmt(&w->out->text, "  <testsuite name=\"%.*s\"", STR_ARG(intern_get(&w->suite_names, suite)));
        write_counts(w, suite);
        EACH(const struct test, test, w->tests, w->count)
            if (test->suite == suite)
                write_test(w, test);
        buf_add(&w->out->text, STR("  </testsuite>\n"));
    }
}

void report_junit(const struct report *report, struct out *out)
{
    struct writer w = {.report = report, .out = out};
    collect_tests(&w);
    name_tests(&w);
    buf_add(&out->text, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"warplint\""));
    write_counts(&w, NO_INDEX);
    if (report->incomplete) /* without results, the file must not look like success */
        html_fmt(&out->text,
                 "  <testsuite name=\"warplint\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0\">\n"
                 "    <testcase classname=\"warplint\" name=\"the whole build was judged\" time=\"0\">\n"
                 "      <error message=\"%.*s\" type=\"incomplete\"/>\n    </testcase>\n  </testsuite>\n",
                 STR_ARG(report->why_incomplete));
    write_suites(&w);
    buf_add(&out->text, STR("</testsuites>\n"));
    intern_free(&w.suite_names);
    intern_free(&w.case_names);
    arena_free(&w.arena);
}
