#include "report/messages.h"

#include "baseline/family.h"
#include "log/triton_name.h"
#include "report/delta.h"
#include "report/location.h"
#include "report/markup.h"

#include <stdlib.h>

void finding_text(const struct report *report, const struct finding *finding, struct buf *out)
{
    struct linter *linter = report->linter;
    struct context *context = linter_context(linter, finding);
    struct str mangled = context_mangled(context), arch = finding_arch(report->linter, finding);
    if (mangled.len) {
        label_within(report->labels, mangled, report->width, out);
        if (arch.len)
            text_fmt(out, " (%.*s%s)", STR_ARG(arch), context->link ? ", as linked" : "");
        buf_add(out, STR(": "));
    }
    SCOPED(buf) message = {0};
    finding_message(linter, finding, &message);
    escape_text(buf_str(&message), out);
}

static void add_archs(const struct intern *archs, const char *before, struct buf *out)
{
    for (uint32_t at = 0; at < archs->count && at < SHOWN_ARCHS; at++)
        text_fmt(out, "%s%.*s", at ? " " : before, STR_ARG(intern_get(archs, at)));
    if (archs->count > SHOWN_ARCHS)
        buf_count(out, archs->count - SHOWN_ARCHS, " and # more");
}

const char *group_rank(const struct report *report, const struct groups *groups, const struct group *group)
{
    bool ordered = report->linter->rules->rules[group->rule].worst != NULL;
    for (uint32_t m = 0; m < group->count && !ordered; m++)
        ordered = groups->findings[groups->members[group->first + m]].severity != group->severity;
    return ordered ? "worst" : "one";
}

void members_text(const struct report *report, const struct groups *groups, const struct group *group, struct buf *out)
{
    if (group->count < 2)
        return;
    SCOPED(intern) archs = {0};
    size_t by_severity[SEVERITY_ERROR + 1] = {0};
    for (uint32_t m = 0; m < group->count; m++) {
        const struct finding *finding = &groups->findings[groups->members[group->first + m]];
        by_severity[finding->severity]++;
        if (finding_arch(report->linter, finding).len)
            intern_add(&archs, finding_arch(report->linter, finding));
    }
    buf_fmt(out, " (%s of %u findings", group_rank(report, groups, group), group->count);
    for (int severity = group->severity; severity >= SEVERITY_NOTE && by_severity[group->severity] < group->count;
         severity--) {
        if (!by_severity[severity])
            continue;
        buf_fmt(out, ", %zu %s%s", by_severity[severity], severity_names[severity], PLURAL(by_severity[severity]));
    }
    if (group->kernels > 1) {
        struct str name, members; /* a kernel of Triton has configurations */
        struct context *context = linter_context(report->linter, &groups->findings[group->worst]);
        const bool triton = triton_name_split(context_mangled(context), &name, &members);
        buf_fmt(out, ", %u %s", group->kernels, triton ? "configurations" : "kernels");
    }
    add_archs(&archs, ": ", out);
    buf_char(out, ')');
}

void group_text(const struct report *report, const struct groups *groups, const struct group *group, struct buf *out)
{
    finding_text(report, &groups->findings[group->worst], out);
    members_text(report, groups, group, out);
}

/* ---- what was judged ------------------------------------------------------------------------------------------ */

/* Number of records that are configurations of Triton kernels; *kernels: number of kernels in the source. */
static size_t count_configurations(const struct report *report, size_t *kernels)
{
    SCOPED(intern) names = {0};
    struct str name, members;
    size_t count = 0;
    for (uint32_t at = 0; at < report->model->kernel_count; at++) {
        if (!report_configuration(report->model, at, &name, &members) || !linter_selects(report->linter, at))
            continue;
        intern_add(&names, name);
        count++;
    }
    *kernels = names.count;
    return count;
}

bool inputs_are_records(const struct model *model)
{
    bool any = model->log_count == 0;
    for (size_t at = 0; at < model->log_count; at++) {
        if (!model->logs[at].compiled && model->logs[at].lines)
            return false;
        any |= model->logs[at].compiled;
    }
    return any;
}

/* If all kernels are configurations of Triton, these are counted; else kernels by name. */
void judged_kernels(const struct report *report, struct buf *out)
{
    const struct linter_counts *counts = &report->linter->counts;
    size_t kernels = 0, configurations = count_configurations(report, &kernels);
    SCOPED(intern) archs = {0};
    bool is_tuned = configurations > 0 && configurations == counts->entries;
    if (!is_tuned)
        kernels = counts->kernels;
    buf_fmt(out, "%zu kernel%s", kernels, PLURAL(kernels));
    for (size_t at = 0; at < report->linter->arch_count; at++)
        intern_add(&archs, model_string(report->model, report->linter->archs[at]));
    add_archs(&archs, " for ", out);
    if (is_tuned) {
        buf_count(out, configurations, ", # configuration{|s}");
    } else if (counts->entries != counts->kernels) {
        buf_fmt(out, ", %zu kernel x arch", counts->entries);
    }
    buf_count(out, counts->functions, ", # device function{|s}");
}

void verdict_judged(const struct report *report, struct buf *out)
{
    uint64_t lines = 0; /* of logs only: the number of lines of the compiler in a record of `wrap` is irrelevant */
    EACH(const struct log_info, log, report->model->logs, report->model->log_count)
        lines += log->compiled ? 0 : log->lines;
    judged_kernels(report, out);
    if (inputs_are_records(report->model) || (lines == 0 && report->linter->counts.entries > 0))
        return;
    buf_fmt(out, "; %llu line%s read", (unsigned long long)lines, PLURAL(lines));
}

void judged_text(const struct report *report, struct buf *out)
{
    buf_add(out, report->kind == REPORT_FINDINGS ? STR("judged: ") : STR("seen: "));
    verdict_judged(report, out);
    buf_char(out, '\n');
}

enum { SHOWN_LOGS = 3 };

/* With several logs: "4 logs not judged: a.log, b.log, c.log and 1 more have no output of ptxas (...)" */
static void add_silent(const struct model *model, size_t silent, struct buf *out)
{
    size_t shown = 0;
    if (silent == 0 || model->log_count == 1)
        return;
    buf_count(out, silent, "# log{|s} not judged");
    for (size_t at = 0; at < model->log_count && shown < SHOWN_LOGS; at++) {
        if (log_lacks_resource_lines(&model->logs[at]))
            text_fmt(out, "%s%.*s", shown++ ? ", " : ": ", STR_ARG(model_string(model, model->logs[at].path)));
    }
    buf_count(out, silent - shown, " and # more");
    buf_count(out, silent, " ha{s|ve} no output of ptxas (no -Xptxas=-v, or nothing was built)\n");
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
    const size_t start = out->len;
    for (size_t at = 0; at < sizeof names / sizeof *names; at++) {
        if (!(unstated & names[at].bits))
            continue;
        unstated &= ~names[at].bits;
        buf_fmt(out, "%s%s", out->len == start ? "" : unstated ? ", " : " or ", names[at].name);
    }
}

/* Appends ": the log does not state spills" for the kernel, and how to get the missing values. */
static void add_unstated(const struct linter *linter, unsigned unstated, uint32_t kernel, struct buf *out)
{
    const struct kernel *record = &linter->model->kernels[kernel];
    bool is_binary = record->producer == PRODUCER_BINARY;
    enum doubt doubt = log_doubt(&linter->model->logs[record->log]);
    buf_fmt(out, ": the %s does not state ", is_binary ? "binary" : "log");
    unstated_text(unstated, out);
    if (record->flags & KERNEL_AMBIGUOUS)
        buf_fmt(out, " that are surely theirs: %s (%s)", doubt_texts[doubt].reason, doubt_texts[doubt].fix);
    else if (is_binary)
        buf_fmt(out, " (%s: give the log of its build too, or the record NAME.o.warplint.ndjson of `wrap`)",
                record->registers == UNKNOWN || kernel_rare(linter->model, record)->local_store_bytes == UNKNOWN
                    ? "only ptxas states them"
                    : "its code accesses local memory, and only ptxas says what of that is spills");
    else if (record->producer == PRODUCER_NVLINK)
        buf_add(out, STR(" (nvlink does not print them: compile with -Xptxas=-v and give that log too)"));
    else if (record->producer != PRODUCER_PTXAS)
        buf_fmt(out, " (%s does not print them: give what ptxas -v prints for these kernels too)",
                producer_names[record->producer]);
    else
        buf_add(out, STR(" (keep all lines of the compiler: `grep` drops some, a prefix on every line hides some)"));
}

uint32_t unjudged_text(const struct linter *linter, enum unjudged unjudged, struct buf *out)
{
    SCOPED(buf) ids = {0};
    unsigned unstated = 0;
    size_t most = 0, rules = 0, records = linter->counts.entries - linter->counts.debug;
    uint32_t first = NO_INDEX;
    for (size_t at = 0; at < linter->rules->count; at++) {
        const struct not_judged *counted = &linter->not_judged[at];
        if (linter_unjudged(linter, at) != unjudged)
            continue;
        first = counted->first < first ? counted->first : first;
        most = counted->records > most ? counted->records : most;
        unstated |= counted->unstated;
        buf_fmt(&ids, "%s%.*s", rules++ ? ", " : "", STR_ARG(linter->rules->rules[at].id));
    }
    if (unjudged == UNJUDGED_ALL)
        buf_add(out, STR("no kernel was"));
    else
        buf_fmt(out, "%zu of %zu kernel x arch were not", most, records);
    buf_fmt(out, " judged by %.*s", STR_ARG(buf_str(&ids)));
    add_unstated(linter, unstated, first, out);
    buf_count(out, rules, "; --ignore leaves the rule{|s} out");
    return first;
}

/* The list of rules that could not judge something: "3 kernel x arch not judged by my-rule, 2 messages by other and 4
 * more rules". */
struct rule_list {
    size_t count, more; /* rules in the list, and rules that are only counted */
    enum rule_kind last_kind;
};
enum { SHOWN_RULES = 3 };

static void add_rule(const struct linter *linter, size_t rule, size_t times, struct rule_list *list, struct buf *out)
{
    enum rule_kind kind = (enum rule_kind)linter->rules->rules[rule].kind;
    const bool first = list->count == 0;
    if (list->count == SHOWN_RULES) {
        list->more++;
        return;
    }
    list->count++;
    buf_add(out, first ? STR("") : STR(", "));
    if (!first && kind == list->last_kind)
        buf_count(out, times, "#");
    else
        buf_count(out, times, kind == RULE_KERNEL ? "# kernel x arch" : "# message{|s}");
    buf_fmt(out, "%s by %.*s", first ? " not judged" : "", STR_ARG(linter->rules->rules[rule].id));
    list->last_kind = kind;
}

/* Appends the values that the log lacks for rules that fail the verdict. Ambiguous records have a line of their own,
 * and so may the rules that lack most. */
static void add_unjudged(const struct report *report, struct buf *out)
{
    const struct linter *linter = report->linter;
    const enum unjudged said = report->says_unjudged ? linter_most_unjudged(linter) : UNJUDGED_NONE;
    struct rule_list list = {.count = 0};
    unsigned unstated = 0;
    uint32_t first = NO_INDEX;
    for (size_t at = 0; at < linter->rules->count; at++) {
        const struct not_judged *counted = &linter->not_judged[at];
        const enum unjudged unjudged = linter_unjudged(linter, at);
        if (unjudged == UNJUDGED_NONE || unjudged == said || counted->records == counted->ambiguous)
            continue;
        unstated |= counted->unstated;
        first = counted->first < first ? counted->first : first;
        add_rule(linter, at, counted->records - counted->ambiguous, &list, out);
    }
    if (list.count == 0)
        return;
    buf_count(out, list.more, " and # more rule{|s}");
    add_unstated(linter, unstated, first, out);
    buf_char(out, '\n');
}

/* Appends the user's rules that could not judge something; the other lines are about built-in rules. */
static void add_own_rules(const struct linter *linter, struct buf *out)
{
    struct rule_list list = {.count = 0};
    bool same = true; /* all these rules lack the same field */
    uint16_t unknown = 0;
    for (size_t at = 0; at < linter->rules->count; at++) {
        const struct rule *rule = &linter->rules->rules[at];
        size_t shown_above = linter_unjudged(linter, at) == UNJUDGED_NONE ? 0 : linter->not_judged[at].records;
        size_t times = linter->not_judged[at].times - shown_above;
        if (rule->builtin || rule->asks_baseline || !times)
            continue;
        same = same && (list.count == 0 || linter->not_judged[at].unknown == unknown);
        unknown = linter->not_judged[at].unknown;
        add_rule(linter, at, times, &list, out);
    }
    buf_count(out, list.more, " and # more rule{|s}");
    if (list.count)
        buf_fmt(out, ": %s is not known\n",
                same && unknown ? field_table[unknown - 1].name : "a value that the rule needs");
}

void best_case_text(const struct report *report, struct buf *out)
{
    const struct linter_counts *counts = &report->linter->counts;
    if (counts->no_threads)
        buf_fmt(out,
                "block size unknown for %zu of %zu: occupancy is the best case (--threads N, `threads` in "
                ".warplint.yaml, or %s)\n",
                counts->no_threads, counts->entries,
                inputs_are_records(report->model) ? "__launch_bounds__ in the source" : "wrap");
    if (counts->past_bound)
        buf_fmt(out, "--threads is above the launch bounds of %zu of %zu: these are judged at their own bounds\n",
                counts->past_bound, counts->entries);
    if (counts->overruled)
        buf_fmt(out,
                "%s is not used for %zu of %zu: they require another block size (`__block_size__`, or Triton's), at "
                "which they are judged\n",
                report->linter->options.launch_config.threads > 0 ? "--threads" : "`threads` in .warplint.yaml",
                counts->overruled, counts->entries);
}

void not_judged_text(const struct report *report, struct buf *out)
{
    struct totals totals = report_totals(report);
    const struct linter_counts *counts = &report->linter->counts;
    const struct doubt_text *doubt = &doubt_texts[logs_doubt(report->model)];
    if (report->partial_reason && !report->incomplete)
        buf_fmt(out, "a part of the build was not judged: %s\n", report->partial_reason);
    add_silent(report->model, totals.silent, out);
    if (counts->ambiguous)
        buf_fmt(out, "%zu kernel x arch not judged: their numbers may be another kernel's, %s (%s)\n",
                counts->ambiguous, doubt->reason, doubt->fix);
    buf_count(out, totals.without_code, "# compile{|s} not judged: no machine code (PTX only, or -dlto)\n");
    buf_count(out, report->trials, "# compile{|s} not judged: CMake or Meson tried the compiler\n");
    buf_count(out, report->unlinked,
              "# kernel x arch judged as compiled (relocatable code): {its|their} link may take more registers, stack "
              "and shared memory\n");
    buf_count(out, totals.unread_entries, "# entr{y|ies} of the Triton cache not judged\n");
    buf_count(out, totals.unread_members, "# member{|s} of a package not judged\n");
    buf_count(out, counts->unknown_arch, "# kernel x arch not judged for occupancy: the architecture is not known\n");
    add_unjudged(report, out);
    best_case_text(report, out);
    if (counts->no_dynamic_smem)
        buf_fmt(out,
                "dynamic shared memory unknown for %zu of %zu: occupancy is an upper bound (`dynamic-smem` of "
                "the kernel in .warplint.yaml, or --dynamic-smem BYTES for all)\n",
                counts->no_dynamic_smem, counts->entries);
    buf_count(out, counts->debug, "# kernel x arch not judged: debug build (-G, -O0 or -Ofc=max)\n");
    add_own_rules(report->linter, out);
    buf_count(out, counts->no_barriers,
              "assumed: no barrier limit for # kernel x arch, whose barriers are not stated\n");
    buf_count(out, totals.unknown_lines,
              "not understood: # line{|s} of ptxas, nvlink or cicc (--unknown shows them)\n");
    if (totals.cut)
        buf_add(out, STR("incomplete: the log ends inside a kernel or a line\n"));
}

void incomplete_text(const struct report *report, struct buf *out)
{
    if (report->incomplete)
        buf_fmt(out, "%.*s\n", STR_ARG(report->why_incomplete));
}

/* Appends the line of an exception, which names the first finding that it covers. */
static void add_allowed(const struct report *report, const struct finding *finding, size_t count, struct buf *out)
{
    const struct linter *linter = report->linter;
    buf_add(out, linter->rules->rules[finding->rule].id);
    if (finding->kernel != NO_INDEX) {
        const struct kernel *kernel = &linter->model->kernels[finding->kernel];
        buf_fmt(out, " of %.*s", STR_ARG(label_of(report->labels, kernel_name(linter->model, kernel))));
    }
    buf_count(out, count - 1, " and # more");
    buf_add(out, STR(": "));
    one_line(finding_reason(linter, finding), out);
    buf_char(out, '\n');
}

void allowed_text(const struct report *report, struct buf *out)
{
    enum { MOST_LINES = 20 };
    const struct linter *linter = report->linter;
    size_t *counts = NULL, cap = 0, lines = 0;
    for (size_t at = 0; at < linter->finding_count; at++)
        if (linter->findings[at].exception != NO_INDEX)
            ++*MEM_AT(counts, cap, linter->findings[at].exception);
    for (size_t at = 0; at < linter->finding_count; at++) {
        const uint32_t exception = linter->findings[at].exception;
        if (exception == NO_INDEX || counts[exception] == 0)
            continue;
        if (lines++ < MOST_LINES)
            add_allowed(report, &linter->findings[at], counts[exception], out);
        counts[exception] = 0;
    }
    if (lines > MOST_LINES)
        buf_fmt(out, "%zu more exceptions: --format json lists what they cover\n", lines - MOST_LINES);
    free(counts);
}

void tail_text(const struct report *report, struct buf *out)
{
    incomplete_text(report, out);
    drift_text(report, out);
    not_judged_text(report, out);
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
    size_t failing[COMPARE_STATES] = {0};
    bool *fails = linter_failing_items(report->linter, true);
    for (size_t at = 0; at < report->comparison->head->count; at++)
        failing[report->comparison->pairs[at].state] += fails[at];
    free(fails);
    const struct {
        size_t count, failing;
        const char *word;
    } shown[] = {
        {counts->by_state[COMPARE_WORSE], failing[COMPARE_WORSE], "worse"},
        {counts->by_state[COMPARE_IMPROVED], failing[COMPARE_IMPROVED], "better"},
        {counts->by_state[COMPARE_CHANGED], failing[COMPARE_CHANGED], "changed"},
        {counts->by_state[COMPARE_NEW], failing[COMPARE_NEW], "new"},
        {counts->by_state[COMPARE_GONE] - counts->replaced, 0, "gone"},
        {counts->replaced, 0, "replaced"},
        {counts->by_state[COMPARE_SAME], failing[COMPARE_SAME], "the same"},
    };
    const size_t start = out->len;
    for (size_t at = 0; at < sizeof shown / sizeof *shown; at++) {
        if (shown[at].count == 0)
            continue;
        buf_fmt(out, "%s%zu %s", out->len > start ? ", " : "", shown[at].count, shown[at].word);
        buf_count(out, shown[at].failing, " (# fail{s|})");
    }
    buf_add(out, out->len > start ? STR("") : STR("nothing"));
    buf_count(out, counts->renamed, "; # of them renamed");
    const struct unanswered unanswered = compare_unanswered(report->comparison);
    if (unanswered.count)
        buf_fmt(out, "; %zu of them may be worse, %s %s", unanswered.count,
                report->kind == REPORT_DIFF ? "BASE" : "the baseline",
                unanswered.lost_link ? "states what their link took" : "does not state what they needed");
}

/* Kinds of kernels that a comparison with the baseline lists; change_text adds what to do about each. */
enum change { CHANGE_GONE, CHANGE_RENAMED, CHANGE_PARAMETERS, CHANGE_BETTER, CHANGES };
enum { SHOWN_KERNELS = 5 };

static bool is_change(const struct comparison *comparison, const struct pair *pair, enum change change)
{
    if (pair->head != NO_INDEX && comparison->head->items[pair->head].deselected)
        return false;
    switch (change) {
    case CHANGE_GONE: return pair->state == COMPARE_GONE && !family_is_sure(comparison, pair);
    case CHANGE_RENAMED: return pair->renamed && !delta_keeps_name(comparison, pair);
    case CHANGE_PARAMETERS: return pair->renamed && delta_keeps_name(comparison, pair);
    default: return pair->state == COMPARE_IMPROVED;
    }
}

/* A kernel that changed, with its pairs. */
struct changed_kernel {
    const struct pair *first;
    size_t pairs;
    struct str archs; /* " (sm_80 sm_90", in the order of the pairs; empty: none is known */
};

/* Appends the kernels that changed in this way, by number of *ids; returns how many pairs they have. */
static size_t find_changed(struct delta *delta, enum change change, struct intern *ids, struct arena *arena,
                           struct changed_kernel *kernels)
{
    SCOPED(intern) seen = {0}; /* of static kernels of one name several have one architecture */
    size_t count = 0;
    EACH(const struct pair, pair, delta->comparison->pairs, delta->comparison->count) {
        const struct delta_pair of = delta_pair(delta->comparison, pair);
        const uint32_t key[] = {of.entry->id, of.entry->arch};
        if (!is_change(delta->comparison, pair, change))
            continue;
        count++;
        struct changed_kernel *kernel = &kernels[intern_add(ids, of.id)];
        kernel->first = kernel->first ? kernel->first : pair;
        kernel->pairs++;
        const size_t known = seen.count;
        if (of.arch.len && intern_add(&seen, (struct str){(const char *)key, sizeof key}) == known)
            kernel->archs = arena_fmt(arena, "%.*s%s%.*s", STR_ARG(kernel->archs), kernel->archs.len ? " " : " (",
                                      STR_ARG(of.arch));
    }
    return count;
}

/* Appends "gone: scale (sm_80 sm_90), blur (sm_90) and 3 more"; most 0: "better: 12 kernel x arch (--all names
 * them)". */
static void add_change_names(struct delta *delta, enum change change, const char *head, size_t most, struct buf *out)
{
    SCOPED(intern) ids = {0};
    SCOPED(arena) arena = {0};
    struct changed_kernel *kernels = arena_alloc(&arena, (delta->comparison->count + 1) * sizeof *kernels);
    const size_t count = find_changed(delta, change, &ids, &arena, kernels);
    size_t listed = 0;
    for (uint32_t at = 0; at < ids.count && at < most; at++) {
        const struct delta_pair of = delta_pair(delta->comparison, kernels[at].first);
        buf_fmt(out, "%s%s%.*s", at ? ", " : head, at ? "" : ": ", STR_ARG(label_of(&delta->labels, of.id)));
        if (change == CHANGE_RENAMED)
            buf_fmt(out, " was %.*s", STR_ARG(label_of(&delta->labels, of.base_id)));
        text_fmt(out, "%.*s%s", STR_ARG(kernels[at].archs), kernels[at].archs.len ? ")" : "");
        listed += kernels[at].pairs;
    }
    if (count && most == 0)
        buf_fmt(out, "%s: %zu kernel x arch (--all names them)", head, count);
    else
        buf_count(out, count - listed, " and # more kernel x arch");
}

/* True if `baseline prune` refuses this input: parts of the baseline may not have been built. */
static bool refuses_prune(const struct report *report)
{
    return report->incomplete || report->comparison->missing.count > 0;
}

/* Appends the kernels with this change, and what to do about them. The names of gone kernels are always shown, because
 * these kernels may be missing. */
static void change_text(struct delta *delta, enum change change, struct buf *out)
{
    static const struct {
        const char *head, *hint;
    } words[CHANGES] = {
        [CHANGE_GONE] = {"gone", "`baseline prune` removes what is gone"},
        [CHANGE_RENAMED] = {"renamed", "`baseline update` writes the new names"},
        [CHANGE_PARAMETERS] = {"parameters changed, compared with the old numbers",
                               "`baseline update` writes the new names"},
        [CHANGE_BETTER] = {"better", "`baseline update` writes the new numbers"},
    };
    const size_t before = out->len, most = delta->report->all ? SIZE_MAX : change == CHANGE_GONE ? SHOWN_KERNELS : 0;
    add_change_names(delta, change, words[change].head, most, out);
    const bool refused = delta->comparison->base_measured || (change == CHANGE_GONE && refuses_prune(delta->report));
    if (out->len > before && delta->comparison->counts.seen && !refused)
        buf_fmt(out, "; %s", words[change].hint);
    if (out->len > before && change == CHANGE_GONE && delta->comparison->unsourced.gone)
        buf_fmt(out, "; no source file is stated for %zu of these: was it compiled?",
                delta->comparison->unsourced.gone);
    buf_add(out, out->len > before ? STR("\n") : STR(""));
}

static void changes_text(const struct report *report, struct buf *out)
{
    const struct comparison_counts *counts = &report->comparison->counts;
    SCOPED(delta) delta = {0};
    if (counts->by_state[COMPARE_GONE] + counts->by_state[COMPARE_IMPROVED] + counts->renamed == 0)
        return;
    delta_make_names(&delta, report);
    for (enum change change = 0; change < CHANGES; change++)
        change_text(&delta, change, out);
}

/* Appends "other name, template arguments or parameters: topk_moe_cuda (sm_86): 30 gone, 22 new; scan (sm_90): 1 gone,
 * 9 new; and 3 more". */
static void replaced_text(const struct report *report, struct buf *out)
{
    const struct comparison *comparison = report->comparison;
    for (size_t at = 0; at < comparison->family_count && at < SHOWN_KERNELS; at++) {
        const struct family *family = &comparison->families[at];
        struct str arch = intern_get(comparison->strings, comparison->head->items[family->new[0]].arch);
        text_fmt(out, "%s%.*s (%.*s): %zu gone, %zu new",
                 at ? "; " : "other name, template arguments or parameters: ", STR_ARG(family->name),
                 STR_ARG(arch.len ? arch : STR("-")), family->gone_count, family->new_count);
    }
    if (comparison->family_count > SHOWN_KERNELS)
        buf_fmt(out, "; and %zu more", comparison->family_count - SHOWN_KERNELS);
    if (comparison->family_count)
        buf_char(out, '\n');
}

void message_findings_text(const struct report *report, size_t most, struct buf *out)
{
    const struct groups *groups = report->groups;
    size_t count = 0;
    for (size_t g = 0; g < groups->shown_count; g++) {
        const struct group *group = &groups->shown[g];
        const struct finding *worst = &groups->findings[group->worst];
        const struct location place = location_of_line(report, worst);
        if (worst->kernel != NO_INDEX || !finding_fails(report->linter, worst) || count++ >= most)
            continue;
        location_line(report, &place, out);
        buf_fmt(out, ": %s: ", severity_names[worst->severity]);
        group_text(report, groups, group, out);
        buf_fmt(out, " [%.*s]\n", STR_ARG(report->linter->rules->rules[worst->rule].id));
    }
    if (count > most)
        buf_count(out, count - most, "[# more; `warplint check` on HEAD lists them]\n");
}

/* True if `baseline update --accept` can accept the finding: it is about a kernel or names one, the kernel is not a
 * debug build, and the finding is not from a profile. */
static bool is_acceptable(const struct linter *linter, const struct finding *finding)
{
    const struct model *model = linter->model;
    if (finding->kernel != NO_INDEX)
        return !(model->kernels[finding->kernel].flags & KERNEL_DEBUG) && !finding_is_of_profile(linter, finding);
    return linter->rules->rules[finding->rule].kind == RULE_EVENT && model->events[finding->event].name != NO_INDEX;
}

/* True if there is a baseline file, `baseline update --accept` can accept some failing finding, and the column of each
 * toolkit is known. */
static bool can_update(const struct report *report)
{
    const struct linter *linter = report->linter;
    const struct comparison *comparison = report->comparison;
    bool takes = false, sure = !compare_drifts(comparison) && !comparison->base_measured;
    for (size_t at = 0; at < linter->finding_count && !takes; at++)
        takes = finding_fails(linter, &linter->findings[at]) && is_acceptable(linter, &linter->findings[at]);
    for (size_t at = 0; at < comparison->column_count; at++)
        sure &= !comparison->columns[at].unsure;
    return takes && sure;
}

void accept_text(const struct report *report, struct buf *out)
{
    if (!report->comparison || !report->linter->counts.failing)
        return;
    if (can_update(report))
        buf_add(out, STR("to accept a kernel as it is: warplint baseline update --accept KERNEL --reason TEXT ..., or "
                         "`allow` in .warplint.yaml"));
    else
        buf_add(out, STR("to accept a finding: `allow` in .warplint.yaml"));
}

void moved_sources_text(const struct report *report, struct buf *out)
{
    size_t shown = 0;
    EACH(const struct missing, moved, report->comparison->moved.items, report->comparison->moved.count)
        if (moved->entries && shown++ < SHOWN_KERNELS)
            text_fmt(out, "%s%.*s: %u kernel x arch gone, the others are seen under other sources",
                     shown > 1 ? "; " : "no record of source ", STR_ARG(moved->name), moved->entries);
    if (shown > SHOWN_KERNELS)
        buf_fmt(out, "; and %zu more", shown - SHOWN_KERNELS);
    if (shown)
        buf_char(out, '\n');
}

static void add_baseline(const struct report *report, struct buf *out)
{
    const struct comparison *comparison = report->comparison;
    if (!comparison)
        return;
    const struct comparison_counts *counts = &comparison->counts;
    buf_add(out, STR("baseline: "));
    if (comparison->part)
        buf_fmt(out, "%zu %s seen; ", counts->seen, counts->seen == 1 ? "entry" : "entries");
    else
        buf_fmt(out, "%zu %s expected, %zu seen; ", counts->expected, counts->expected == 1 ? "entry" : "entries",
                counts->seen);
    comparison_text(report, out);
    buf_char(out, '\n');
    buf_count(out, report->linter->counts.unstated,
              "not compared: what made the baseline states nothing of loops: # finding{|s} of loops on kernels that "
              "are no worse count{s|} as known (`baseline write` takes them)\n");
    buf_count(out, report->linter->counts.unstored,
              "not compared: # finding{|s} of rules that ask for numbers which a baseline does not store, on kernels "
              "that are no worse, count{s|} as known\n");
    changes_text(report, out);
    replaced_text(report, out);
    moved_sources_text(report, out);
    buf_count(out, report->linter->counts.stale,
              "gone: # finding{|s} on messages; `baseline prune` removes what is gone\n");
    buf_count(out, report->linter->counts.drifted,
              "drift: # finding{ is a note|s are notes} because CUDA changed (--drift report)\n");
}

/* ---- the verdict ------------------------------------------------------------------------------------------------ */

static bool saw_something(const struct report *report)
{
    return report->linter->counts.entries || report->linter->finding_count;
}

const char *const verdict_words[VERDICTS] = {"FAILED", "passed", "none", "not asked for"};
const char *const verdict_titles[VERDICTS] = {"FAILED", "passed", "no verdict", "verdict not asked for"};

enum verdict verdict_of(const struct report *report)
{
    if (report->fail_on == SEVERITY_OFF)
        return VERDICT_NOT_ASKED;
    if (report->linter->counts.failing)
        return VERDICT_FAILED;
    return saw_something(report) && !report->incomplete ? VERDICT_PASSED : VERDICT_NONE;
}

void failing_text(const struct report *report, struct buf *out)
{
    static const char *const none[] = {"no findings", "no findings", "no errors or warnings", "no errors"};
    const struct linter_counts *counts = &report->linter->counts;
    size_t left = counts->failing;
    const size_t start = out->len;
    if (left == 0)
        buf_add(out, str_of(none[report->fail_on]));
    for (int severity = SEVERITY_ERROR; left; severity--) {
        const size_t count = counts->by_severity[severity];
        left -= count;
        if (count == 0)
            continue;
        const char *before = out->len == start ? "" : left ? ", " : " and ";
        buf_fmt(out, "%s%zu %s%s", before, count, severity_names[severity], PLURAL(count));
    }
    if (!counts->failing && report->part_not_judged)
        buf_add(out, STR(" in what was judged"));
}

/* True if some kernels were judged without a failing finding, and others were not judged. */
static bool verdict_is_incomplete(const struct report *report)
{
    const struct linter_counts *counts = &report->linter->counts;
    return report->incomplete && report->fail_on != SEVERITY_OFF && counts->failing == 0 && counts->entries > 0;
}

void verdict_reason(const struct report *report, struct buf *out)
{
    const bool fails = report->linter->counts.failing > 0;
    if (report->fail_on == SEVERITY_OFF) {
        buf_add(out, STR(" (--fail-on never)"));
    } else if (!fails && !saw_something(report)) {
        buf_add(out, STR(", there was nothing to judge"));
    } else if (!fails && report->incomplete && report->linter->counts.entries == 0) {
        buf_add(out, STR(", there was no kernel to judge"));
    } else if (verdict_is_incomplete(report)) {
        buf_add(out, STR(": a part of the build was not judged"));
    } else {
        buf_add(out, STR(", "));
        failing_text(report, out);
    }
}

void verdict_counts(const struct report *report, struct buf *out)
{
    const struct linter_counts *counts = &report->linter->counts;
    for (int severity = SEVERITY_ERROR; severity >= SEVERITY_NOTE; severity--) {
        const size_t count = counts->by_severity[severity];
        buf_fmt(out, "%s%zu %s%s", severity < SEVERITY_ERROR ? ", " : "", count, severity_names[severity],
                PLURAL(count));
    }
    if (report->groups->count < report_shown_findings(report))
        buf_count(out, report->groups->count, " in # group{|s}");
    buf_count(out, counts->suppressed, "; # suppressed by exceptions");
    buf_count(out, counts->unchanged, "; # no worse than the baseline");
}

void verdict_text(const struct report *report, struct buf *out)
{
    static const char *const colors[VERDICTS] = {[VERDICT_FAILED] = "\033[31m",
                                                 [VERDICT_PASSED] = "\033[32m",
                                                 [VERDICT_NONE] = "\033[33m",
                                                 [VERDICT_NOT_ASKED] = ""};
    const enum verdict verdict = verdict_of(report);
    buf_add(out, STR("found: "));
    verdict_counts(report, out);
    buf_char(out, '\n');
    judged_text(report, out);
    add_baseline(report, out);
    not_judged_text(report, out);
    incomplete_text(report, out);
    const char *color = report->color ? colors[verdict] : "";
    buf_fmt(out, "verdict: %s%s%s", color, verdict_words[verdict], *color ? "\033[0m" : "");
    if (verdict_is_incomplete(report))
        buf_add(out, STR(" (status 3)")); /* the line above states the reason */
    else
        verdict_reason(report, out);
    buf_char(out, '\n');
}
