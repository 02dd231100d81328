#include "report/messages.h"

#include "baseline/family.h"
#include "report/delta.h"

#include <stdlib.h>

void count_text(struct buf *out, uint64_t count, const char *noun)
{
    buf_fmt(out, "%llu %s%s", (unsigned long long)count, noun, count == 1 ? "" : "s");
}

void finding_text(const struct report *report, const struct finding *finding, struct buf *out)
{
    struct linter *linter = report->linter;
    struct context *context = linter_context(linter, finding);
    struct str mangled = context_mangled(context), arch = report_arch(report, finding);
    if (mangled.len) {
        label_within(report->labels, mangled, report->width, out);
        if (arch.len) {
            buf_add(out, STR(" ("));
            escape_text(arch, out);
            buf_fmt(out, "%s)", context->from_link ? ", as linked" : "");
        }
        buf_add(out, STR(": "));
    }
    struct buf message = {0};
    finding_message(linter, finding, &message);
    escape_text(buf_str(&message), out);
    buf_free(&message);
}

void next_text(const struct report *report, const struct finding *finding, struct buf *last, struct buf *out)
{
    static const struct str head = STR_INIT("    next: ");
    struct buf next = {0};
    if (finding_next(report->linter, finding, &next) && !str_eq(buf_str(&next), buf_str(last))) {
        struct buf shown = {0};
        escape_text(buf_str(&next), &shown);
        buf_add(out, head);
        buf_fold(out, buf_str(&shown), head.len, head.len, report->width);
        buf_char(out, '\n');
        buf_free(&shown);
    }
    buf_clear(last);
    buf_add(last, buf_str(&next));
    buf_free(&next);
}

void members_text(const struct report *report, const struct groups *groups, const struct group *group, struct buf *out)
{
    if (group->count < 2)
        return;
    struct intern archs = {0};
    for (uint32_t m = 0; m < group->count; m++) {
        const struct finding *finding = &groups->findings[groups->members[group->first + m]];
        if (report_arch(report, finding).len)
            intern_add(&archs, report_arch(report, finding));
    }
    buf_fmt(out, " (worst of %u", group->count);
    if (group->kernels > 1)
        buf_fmt(out, ", %u kernels", group->kernels);
    for (uint32_t a = 0; a < archs.count && a < SHOWN_ARCHS; a++) {
        buf_add(out, a ? STR(" ") : STR(": "));
        escape_text(intern_get(&archs, a), out);
    }
    if (archs.count > SHOWN_ARCHS)
        buf_fmt(out, " and %zu more", archs.count - SHOWN_ARCHS);
    buf_char(out, ')');
    intern_free(&archs);
}

void group_text(const struct report *report, const struct groups *groups, const struct group *group, struct buf *out)
{
    finding_text(report, &groups->findings[group->worst], out);
    members_text(report, groups, group, out);
}

/* ---- what was judged ------------------------------------------------------------------------------------------ */

static void add_archs(const struct report *report, struct buf *out)
{
    const struct linter *linter = report->linter;
    for (size_t at = 0; at < linter->arch_count && at < SHOWN_ARCHS; at++) {
        buf_add(out, at ? STR(" ") : STR(" for "));
        escape_text(model_string(report->model, linter->archs[at]), out);
    }
    if (linter->arch_count > SHOWN_ARCHS)
        buf_fmt(out, " and %zu more", linter->arch_count - SHOWN_ARCHS);
}

void verdict_judged(const struct report *report, struct buf *out)
{
    struct totals totals = report_totals(report);
    count_text(out, totals.kernels, "kernel");
    add_archs(report, out);
    if (totals.entries != totals.kernels)
        buf_fmt(out, ", %llu kernel x arch", (unsigned long long)totals.entries);
    if (totals.functions) {
        buf_add(out, STR(", "));
        count_text(out, totals.functions, "device function");
    }
    buf_add(out, STR("; "));
    count_text(out, totals.lines, "line");
    buf_add(out, STR(" read"));
}

void judged_text(const struct report *report, struct buf *out)
{
    buf_add(out, report->kind == REPORT_FINDINGS ? STR("judged: ") : STR("seen: "));
    verdict_judged(report, out);
    buf_char(out, '\n');
}

struct str incomplete_text(void)
{
    return STR("the build was not judged as a whole: some of it could not be read, was not seen or is not sure; the "
               "output of warplint says what");
}

/* noun NULL: a kernel on an architecture. */
static void add_reason(struct buf *out, uint64_t count, const char *noun, const char *reason)
{
    if (count == 0)
        return;
    buf_add(out, STR("not judged: "));
    if (noun)
        count_text(out, count, noun);
    else
        buf_fmt(out, "%llu kernel x arch", (unsigned long long)count);
    buf_fmt(out, " %s\n", reason);
}

static void add_ambiguous(const struct model *model, size_t ambiguous, struct buf *out)
{
    enum doubt doubt = logs_doubt(model);
    struct buf reason = {0};
    buf_fmt(&reason, "with numbers that may be another kernel's: %s (%s)", doubt_reason(doubt), doubt_cure(doubt));
    buf_char(&reason, '\0');
    add_reason(out, ambiguous, NULL, reason.ptr);
    buf_free(&reason);
}

enum { SHOWN_LOGS = 3 };

/* Of several logs: "not judged: 4 logs without output of ptxas (...): a.log, b.log, c.log and 1 more" */
static void add_silent(const struct model *model, size_t silent, struct buf *out)
{
    size_t shown = 0;
    if (silent == 0 || model->log_count == 1)
        return;
    buf_add(out, STR("not judged: "));
    count_text(out, silent, "log");
    buf_add(out, STR(" without output of ptxas (no -Xptxas=-v, or nothing was built): "));
    for (size_t at = 0; at < model->log_count && shown < SHOWN_LOGS; at++) {
        if (!log_is_silent(&model->logs[at]))
            continue;
        buf_add(out, shown++ ? STR(", ") : STR(""));
        escape_text(model_string(model, model->logs[at].path), out);
    }
    if (silent > shown)
        buf_fmt(out, " and %zu more", silent - shown);
    buf_char(out, '\n');
}

void unstated_text(unsigned unstated, struct buf *out)
{
    static const struct {
        unsigned bits;
        const char *name;
    } names[] = {{STATED_REGISTERS, "registers"},
                 {STATED_SPILL_STORES | STATED_SPILL_LOADS, "spills"},
                 {STATED_STACK, "stack frames"},
                 {STATED_SMEM, "shared memory"},
                 {STATED_ARCH, "the architecture"}};
    const char *between = "";
    for (size_t at = 0; at < sizeof names / sizeof *names; at++) {
        if (!(unstated & names[at].bits))
            continue;
        unstated &= ~names[at].bits;
        buf_fmt(out, "%s%s", between, names[at].name);
        between = ", ";
    }
}

/* How to get what is missing. */
static void add_unstated_cure(const struct linter *linter, uint32_t kernel, struct buf *out)
{
    const struct kernel *record = &linter->model->kernels[kernel];
    enum doubt doubt = log_doubt(&linter->model->logs[record->log]);
    if (record->flags & KERNEL_AMBIGUOUS)
        buf_fmt(out, "%s (%s)", doubt_reason(doubt), doubt_cure(doubt));
    else if (record->producer == PRODUCER_BINARY)
        buf_add(out,
                STR("its code accesses local memory, and only ptxas says what of that is spills: give the log of its "
                    "build too"));
    else if (record->producer == PRODUCER_NVLINK)
        buf_add(out, STR("nvlink does not print them, compile with -Xptxas=-v and give that log too"));
    else if (record->producer != PRODUCER_PTXAS)
        buf_fmt(out, "%s does not print them: give what ptxas -v prints for these kernels too",
                producer_names[record->producer]);
    else
        buf_add(out, STR("keep all lines of the compiler (`grep` drops some, a prefix on every line hides some)"));
}

uint32_t unjudged_text(const struct linter *linter, enum unjudged unjudged, struct buf *out)
{
    struct buf ids = {0};
    unsigned unstated = 0;
    size_t most = 0, records = linter->counts.entries - linter->counts.debug;
    uint32_t first = NO_INDEX;
    for (size_t at = 0; at < linter->rules->count; at++) {
        const struct not_judged *counted = &linter->not_judged[at];
        if (linter_unjudged(linter, at) != unjudged)
            continue;
        first = counted->first < first ? counted->first : first;
        most = counted->records > most ? counted->records : most;
        unstated |= counted->unstated;
        buf_fmt(&ids, "%s%.*s", ids.len ? "," : "", STR_ARG(linter->rules->rules[at].id));
    }
    if (unjudged == UNJUDGED_ALL)
        buf_add(out, STR("no kernel was"));
    else
        buf_fmt(out, "%zu of %zu kernel x arch were not", most, records);
    buf_add(out, STR(" judged by all rules: nothing that was read states "));
    unstated_text(unstated, out);
    buf_add(out, STR("; "));
    add_unstated_cure(linter, first, out);
    buf_fmt(out, ", or leave out the rules that ask for it: --ignore %.*s", STR_ARG(buf_str(&ids)));
    buf_free(&ids);
    return first;
}

/* Of an entry of "not judged: 3 kernel x arch by my-rule, 2 messages by other and 4 more rules: ..." */
static void add_rule(const struct linter *linter, size_t rule, size_t times, size_t before, struct buf *out)
{
    buf_add(out, before == 0 ? STR("not judged: ") : STR(", "));
    if (linter->rules->rules[rule].kind == RULE_KERNEL)
        buf_fmt(out, "%zu kernel x arch", times);
    else
        count_text(out, times, "message");
    buf_fmt(out, " by %.*s", STR_ARG(linter->rules->rules[rule].id));
}

enum { SHOWN_RULES = 3 };

static void add_more_rules(size_t rules, struct buf *out)
{
    if (rules <= SHOWN_RULES)
        return;
    buf_add(out, STR(" and "));
    count_text(out, rules - SHOWN_RULES, "more rule");
}

/* Of rules that fail the verdict: what the log lacks. What is ambiguous has a line of its own. */
static void add_unjudged(const struct linter *linter, struct buf *out)
{
    size_t rules = 0;
    unsigned unstated = 0;
    for (size_t at = 0; at < linter->rules->count; at++) {
        const struct not_judged *counted = &linter->not_judged[at];
        if (linter_unjudged(linter, at) == UNJUDGED_NONE || counted->records == counted->ambiguous)
            continue;
        unstated |= counted->unstated;
        if (rules++ < SHOWN_RULES)
            add_rule(linter, at, counted->records - counted->ambiguous, rules - 1, out);
    }
    add_more_rules(rules, out);
    if (rules == 0)
        return;
    buf_add(out, STR(": nothing that was read states "));
    unstated_text(unstated, out);
    buf_char(out, '\n');
}

/* Of rules that are not built in: what a built-in one needs is in the other lines. */
static void add_own_rules(const struct linter *linter, struct buf *out)
{
    size_t rules = 0;
    for (size_t at = 0; at < linter->rules->count; at++) {
        const struct rule *rule = &linter->rules->rules[at];
        size_t shown_above = linter_unjudged(linter, at) == UNJUDGED_NONE ? 0 : linter->not_judged[at].records;
        size_t times = linter->not_judged[at].times - shown_above;
        if (!rule->builtin && !rule->asks_baseline && times && rules++ < SHOWN_RULES)
            add_rule(linter, at, times, rules - 1, out);
    }
    add_more_rules(rules, out);
    if (rules)
        buf_add(out, STR(": a value that the rule needs is not known\n"));
}

void not_judged_text(const struct report *report, struct buf *out)
{
    struct totals totals = report_totals(report);
    const struct linter_counts *counts = &report->linter->counts;
    add_silent(report->model, totals.silent, out);
    add_ambiguous(report->model, totals.ambiguous, out);
    add_reason(out, totals.without_code, "compile", "without machine code (PTX only, or -dlto)");
    add_reason(out, report->trials, "compile", "by which CMake or Meson tried the compiler");
    add_reason(out, counts->unknown_arch, NULL, "for occupancy: the architecture is not known");
    add_unjudged(report->linter, out);
    if (counts->no_threads)
        buf_fmt(out,
                "block size unknown for %zu of %zu: occupancy is the best case (--threads N, `threads` in "
                ".warplint.yaml, or wrap)\n",
                counts->no_threads, counts->entries);
    add_reason(out, counts->debug, NULL, "of a debug build (-G or -O0)");
    add_own_rules(report->linter, out);
    if (counts->barriers_assumed)
        buf_fmt(out, "assumed: no barrier limit for %zu kernel x arch, this toolkit does not print barriers\n",
                counts->barriers_assumed);
    if (totals.unknown_lines)
        buf_fmt(out, "not understood: %llu line%s of ptxas, nvlink or cicc (--unknown shows them)\n",
                (unsigned long long)totals.unknown_lines, totals.unknown_lines == 1 ? "" : "s");
    if (totals.cut)
        buf_add(out, STR("incomplete: the log ends inside a kernel\n"));
}

void tail_text(const struct report *report, struct buf *out)
{
    struct buf lines = {0};
    if (report->incomplete)
        buf_fmt(&lines, "%.*s\n", STR_ARG(incomplete_text()));
    drift_text(report, &lines);
    not_judged_text(report, &lines);
    struct str rest = buf_str(&lines), line;
    while (str_split(&rest, '\n', &line)) {
        size_t known = str_starts(line, STR("not judged: ")) ? 12 : 0;
        if (line.len)
            buf_fmt(out, "%.*s\n", STR_ARG(str_from(line, known)));
    }
    buf_free(&lines);
}

/* ---- the baseline ----------------------------------------------------------------------------------------------- */

void drift_text(const struct report *report, struct buf *out)
{
    const struct comparison *comparison = report->comparison;
    for (size_t at = 0; comparison && at < comparison->column_count; at++) {
        const struct column_pair *column = &comparison->columns[at];
        if (column->drift)
            buf_fmt(out, "drift: CUDA %d.%d compared with CUDA %d.%d: changes may be the compiler's\n",
                    column->head.major, column->head.minor, column->base.major, column->base.minor);
    }
}

void comparison_text(const struct report *report, struct buf *out)
{
    const struct comparison_counts *counts = &report->comparison->counts;
    buf_fmt(out, "%zu worse, %zu new, %zu changed, %zu improved, %zu gone, %zu the same",
            counts->by_state[COMPARE_WORSE], counts->by_state[COMPARE_NEW], counts->by_state[COMPARE_CHANGED],
            counts->by_state[COMPARE_IMPROVED], counts->by_state[COMPARE_GONE], counts->by_state[COMPARE_SAME]);
    if (counts->renamed)
        buf_fmt(out, "; %zu have another name or other parameters", counts->renamed);
}

/* The kernels that a comparison with the baseline lists, and what to do about each kind. */
enum change { CHANGE_GONE, CHANGE_RENAMED, CHANGE_PARAMETERS, CHANGE_BETTER, CHANGES };
enum { SHOWN_KERNELS = 5 };

static bool is_change(const struct delta *delta, const struct pair *pair, enum change change)
{
    if (pair->head != NO_INDEX && delta_head(delta, pair)->deselected)
        return false;
    switch (change) {
    case CHANGE_GONE: return pair->state == COMPARE_GONE && pair->family == NO_INDEX;
    case CHANGE_RENAMED: return pair->renamed && !delta_keeps_name(delta, pair);
    case CHANGE_PARAMETERS: return pair->renamed && delta_keeps_name(delta, pair);
    default: return pair->state == COMPARE_IMPROVED;
    }
}

/* Appends "scale (sm_80 sm_90)", all pairs of the kernel that changed in this way; returns how many. */
static size_t kernel_text(struct delta *delta, const struct pair *first, enum change change, struct buf *out)
{
    size_t count = 0, named = 0;
    if (change == CHANGE_RENAMED)
        buf_fmt(out, "%.*s was %.*s", STR_ARG(delta_label(delta, delta_id(delta, first))),
                STR_ARG(delta_label(delta, delta_base_id(delta, first))));
    else
        buf_add(out, delta_label(delta, delta_id(delta, first)));
    for (size_t at = 0; at < delta->comparison->count; at++) {
        const struct pair *pair = &delta->comparison->pairs[at];
        if (!is_change(delta, pair, change) || !str_eq(delta_id(delta, pair), delta_id(delta, first)))
            continue;
        count++;
        if (!delta_arch(delta, pair).len)
            continue;
        buf_add(out, named++ ? STR(" ") : STR(" ("));
        escape_text(delta_arch(delta, pair), out);
    }
    buf_add(out, named ? STR(")") : STR(""));
    return count;
}

/* "gone: scale (sm_80 sm_90), blur (sm_90) and 3 more; ...", "renamed: new was old (sm_80); ..." */
static void change_text(struct delta *delta, enum change change, struct buf *out)
{
    static const struct {
        const char *head, *hint;
    } words[CHANGES] = {
        [CHANGE_GONE] = {"gone", "`baseline prune` forgets what is gone"},
        [CHANGE_RENAMED] = {"renamed", "`baseline update` keeps the new names"},
        [CHANGE_PARAMETERS] = {"other parameters", "`baseline update` keeps them"},
        [CHANGE_BETTER] = {"better", "`baseline update` keeps what is better"},
    };
    struct str shown[SHOWN_KERNELS];
    size_t kernels = 0, count = 0, listed = 0;
    for (size_t at = 0; at < delta->comparison->count; at++) {
        const struct pair *pair = &delta->comparison->pairs[at];
        if (!is_change(delta, pair, change))
            continue;
        count++;
        bool is_shown = kernels == SHOWN_KERNELS;
        for (size_t before = 0; before < kernels; before++)
            is_shown |= str_eq(shown[before], delta_id(delta, pair));
        if (is_shown)
            continue;
        buf_fmt(out, "%s%s", kernels ? ", " : words[change].head, kernels ? "" : ": ");
        shown[kernels++] = delta_id(delta, pair);
        listed += kernel_text(delta, pair, change, out);
    }
    if (count > listed)
        buf_fmt(out, " and %zu more", count - listed);
    if (count)
        buf_fmt(out, "; %s\n", words[change].hint);
}

static void changes_text(const struct report *report, struct buf *out)
{
    const struct comparison_counts *counts = &report->comparison->counts;
    struct delta delta;
    if (counts->by_state[COMPARE_GONE] + counts->by_state[COMPARE_IMPROVED] + counts->renamed == 0)
        return;
    delta_make_names(&delta, report);
    for (enum change change = 0; change < CHANGES; change++)
        change_text(&delta, change, out);
    delta_free(&delta);
}

/* "replaced: topk_moe_cuda (sm_86): 30 by 22, scan (sm_90): 1 by 9 and 3 more" */
static void replaced_text(const struct report *report, struct buf *out)
{
    const struct comparison *comparison = report->comparison;
    for (size_t at = 0; at < comparison->family_count && at < SHOWN_KERNELS; at++) {
        const struct family *family = &comparison->families[at];
        struct str arch = kernel_metrics_string(comparison->head, comparison->head->items[family->new[0]].arch);
        buf_add(out, at ? STR(", ") : STR("replaced: "));
        escape_text(family->name, out);
        buf_add(out, STR(" ("));
        escape_text(arch.len ? arch : STR("-"), out);
        buf_fmt(out, "): %zu by %zu", family->gone_count, family->new_count);
    }
    if (comparison->family_count > SHOWN_KERNELS)
        buf_fmt(out, " and %zu more", comparison->family_count - SHOWN_KERNELS);
    if (comparison->family_count)
        buf_char(out, '\n');
}

/* "no record of source src/fattn-vec-f16.cu: 20 gone, the others are seen under other sources" */
static void moved_text(const struct report *report, struct buf *out)
{
    const struct missing_list *moved = &report->comparison->moved;
    for (size_t at = 0; at < moved->count && at < SHOWN_KERNELS; at++) {
        buf_add(out, at ? STR(", ") : STR("no record of source "));
        escape_text(moved->items[at].name, out);
        buf_fmt(out, ": %u gone, the others are seen under other sources", moved->items[at].entries);
    }
    if (moved->count > SHOWN_KERNELS)
        buf_fmt(out, " and of %zu more", moved->count - SHOWN_KERNELS);
    if (moved->count)
        buf_char(out, '\n');
}

static void add_baseline(const struct report *report, struct buf *out)
{
    const struct comparison *comparison = report->comparison;
    if (!comparison)
        return;
    const struct comparison_counts *counts = &comparison->counts;
    size_t replaced = counts->replaced;
    buf_add(out, STR("baseline: "));
    size_t first = comparison->part ? counts->seen : counts->expected;
    buf_fmt(out, "%zu %s %s", first, first == 1 ? "entry" : "entries", comparison->part ? "seen" : "expected");
    if (!comparison->part)
        buf_fmt(out, ", %zu seen, %zu gone", counts->seen, counts->by_state[COMPARE_GONE] - replaced);
    if (replaced && !comparison->part)
        buf_fmt(out, ", %zu replaced", replaced);
    buf_fmt(out, "; %zu new, %zu worse, %zu better\n", counts->by_state[COMPARE_NEW], counts->by_state[COMPARE_WORSE],
            counts->by_state[COMPARE_IMPROVED]);
    size_t unstated = report->linter->counts.unstated;
    if (unstated)
        buf_fmt(
            out,
            "not compared: what made the baseline states nothing of loops: %zu finding%s of loops on kernels that are "
            "no worse count%s as known (`baseline write` takes them)\n",
            unstated, unstated == 1 ? "" : "s", unstated == 1 ? "s" : "");
    changes_text(report, out);
    replaced_text(report, out);
    moved_text(report, out);
    if (report->linter->counts.stale)
        buf_fmt(out, "gone: %zu findings on messages; `baseline prune` forgets what is gone\n",
                report->linter->counts.stale);
    if (report->linter->counts.drifted)
        buf_fmt(out, "drift: %zu findings are notes because CUDA changed (--drift report)\n",
                report->linter->counts.drifted);
}

/* ---- the verdict ------------------------------------------------------------------------------------------------ */

static bool saw_something(const struct report *report)
{
    return report->linter->counts.entries || report->linter->finding_count;
}

const char *verdict_word(const struct report *report)
{
    if (report->fail_on == SEVERITY_OFF)
        return "not asked for";
    if (report->linter->counts.failing)
        return "FAILED";
    return saw_something(report) && !report->incomplete ? "passed" : "none";
}

void verdict_reason(const struct report *report, struct buf *out)
{
    if (report->fail_on == SEVERITY_OFF)
        buf_add(out, STR(" (--fail-on never)"));
    else if (report->linter->counts.failing)
        buf_fmt(out, ", %zu at or above %s", report->linter->counts.failing, severity_names[report->fail_on]);
    else if (!saw_something(report))
        buf_add(out, STR(", there was nothing to judge"));
    else if (report->incomplete && report_totals(report).entries == 0)
        buf_add(out, STR(", there was no kernel to judge"));
    else if (report->incomplete)
        buf_fmt(out, ": %.*s", STR_ARG(incomplete_text()));
    else
        buf_fmt(out, ", nothing at or above %s", severity_names[report->fail_on]);
}

void verdict_counts(const struct report *report, struct buf *out)
{
    const struct linter_counts *counts = &report->linter->counts;
    count_text(out, counts->by_severity[SEVERITY_ERROR], "error");
    buf_add(out, STR(", "));
    count_text(out, counts->by_severity[SEVERITY_WARNING], "warning");
    buf_add(out, STR(", "));
    count_text(out, counts->by_severity[SEVERITY_NOTE], "note");
    if (report->groups->count < report_shown_findings(report))
        buf_fmt(out, " in %zu group%s", report->groups->count, report->groups->count == 1 ? "" : "s");
    if (counts->suppressed)
        buf_fmt(out, "; %zu suppressed by exceptions", counts->suppressed);
    if (counts->unchanged)
        buf_fmt(out, "; %zu known to the baseline", counts->unchanged);
}

/* Red, green, or yellow where nothing was judged. */
static void add_verdict_word(const struct report *report, struct buf *out)
{
    const char *word = verdict_word(report);
    const char *color = report->linter->counts.failing ? "\033[31m" : *word == 'p' ? "\033[32m" : "\033[33m";
    if (report->color && report->fail_on != SEVERITY_OFF)
        buf_fmt(out, "%s%s\033[0m", color, word);
    else
        buf_add(out, str_of(word));
}

void verdict_text(const struct report *report, struct buf *out)
{
    buf_add(out, STR("found: "));
    verdict_counts(report, out);
    buf_char(out, '\n');
    judged_text(report, out);
    add_baseline(report, out);
    not_judged_text(report, out);
    buf_add(out, STR("verdict: "));
    add_verdict_word(report, out);
    verdict_reason(report, out);
    buf_char(out, '\n');
}
