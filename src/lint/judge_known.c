#include "lint/judge_private.h"

#include "baseline/family.h"
#include "lint/acceptance.h"

#include <stdlib.h>

#define PUT_THEN(id, member, ...) subject->member = then->values[MEASURE_##id];
/* The record with the numbers of an entry of the baseline. The baseline does not hold array_bytes: they were at most
 * the stack frame, and all of it where nothing was spilled. As many spills as now count as inside loops, so that
 * accepted spills stay accepted: that they moved there is said by spill-moved-into-loop. */
struct subject *judge_subject_then(struct judge *judge, uint32_t kernel, const struct kernel_metrics *then)
{
    struct subject *subject = &judge->private->subject;
    judge_set_subject(judge, subject, kernel, NO_INDEX);
    const int32_t in_loops = subject->spill_bytes_in_loops, arrays = subject->array_bytes;
    MEASURES(PUT_THEN, NO_METRIC)
    subject->spill_bytes_in_loops = in_loops;
    subject->array_bytes = kernel_metrics_spills(then) == 0 ? UNKNOWN
                           : arrays > subject->stack_bytes  ? subject->stack_bytes
                                                            : arrays;
    return subject;
}

static enum baseline_state state_then(struct judge *judge, const struct finding *finding,
                                      const struct kernel_metrics *base)
{
    struct subject *subject = judge_subject_then(judge, finding->kernel, base);
    struct rule_result then = rule_evaluate(&judge->rules->rules[finding->rule], subject, NULL);
    if (then.state != RESULT_FIRES)
        return BASELINE_NEW;
    return then.worst >= finding->worst ? BASELINE_UNCHANGED : BASELINE_WORSE;
}

/* Of a kernel that took the place of others: what was said of one of them is known. */
static enum baseline_state state_of_successor(struct judge *judge, const struct finding *finding,
                                              const struct pair *pair)
{
    enum { MOST_ASKED = 1024 };
    const struct comparison *comparison = judge->comparison;
    const struct family *family = &comparison->families[pair->family];
    enum baseline_state state = BASELINE_NEW;
    size_t index = pair->member, asked = 0;
    for (size_t at = 0; at < family->gone_count && asked < MOST_ASKED && state != BASELINE_UNCHANGED; at++) {
        const struct kernel_metrics *base = &comparison->base->items[family->gone[at]];
        if (!family_replaces(family, at, index) || base->debug != comparison->head->items[pair->head].debug)
            continue;
        enum baseline_state then = state_then(judge, finding, base);
        state = then == BASELINE_NEW ? state : then;
        asked++;
    }
    return state;
}

/* A kernel that did not get worse is as it was. Of one that did, what the rule looks at may be what it was before. */
static enum baseline_state state_of_kernel(struct judge *judge, const struct finding *finding)
{
    const struct pair *pair = compare_of_kernel(judge->comparison, finding->kernel);
    const struct rule *rule = &judge->rules->rules[finding->rule];
    if (!pair)
        return BASELINE_NEW;
    if (rule->asks_baseline && (pair->base != NO_INDEX || pair->family != NO_INDEX))
        return BASELINE_WORSE;
    if (pair->base == NO_INDEX)
        return pair->family == NO_INDEX ? BASELINE_NEW : state_of_successor(judge, finding, pair);
    if (pair->state != COMPARE_WORSE && !pair->partial)
        return BASELINE_UNCHANGED;
    if (judge->comparison->head->items[pair->head].debug)
        return BASELINE_NEW;
    return state_then(judge, finding, &judge->comparison->base->items[pair->base]);
}

/* The kernel that a message names is in the baseline, or took the place of one that is, and did not get worse. */
static bool is_as_it_was(struct judge *judge, const struct finding *finding)
{
    uint32_t kernel = finding->kernel;
    bool sure = false;
    if (kernel == NO_INDEX)
        judge_find_kernel(judge, &judge->model->events[finding->event], &kernel, &sure);
    const struct pair *pair = kernel == NO_INDEX ? NULL : compare_of_kernel(judge->comparison, kernel);
    return pair && pair->state != COMPARE_WORSE && (pair->base != NO_INDEX || pair->family != NO_INDEX);
}

static enum baseline_state state_of(struct judge *judge, const struct finding *finding)
{
    if (!judge->comparison)
        return BASELINE_NONE;
    if (judge->rules->rules[finding->rule].kind == RULE_KERNEL)
        return state_of_kernel(judge, finding);
    if (finding->exception != NO_INDEX || !judge->private->acceptance)
        return BASELINE_NEW;
    if (acceptance_take(judge->private->acceptance, judge, finding))
        return BASELINE_UNCHANGED;
    bool unknown = acceptance_is_blind(judge->private->acceptance, judge, finding) && is_as_it_was(judge, finding);
    judge->counts.unstated += unknown;
    return unknown ? BASELINE_UNCHANGED : BASELINE_NEW;
}

static uint16_t log_of(const struct judge *judge, const struct finding *finding)
{
    enum rule_kind kind = (enum rule_kind)judge->rules->rules[finding->rule].kind;
    if (kind == RULE_PATTERN)
        return judge->lines[finding->event].log;
    return kind == RULE_EVENT ? judge->model->events[finding->event].log : judge->model->kernels[finding->kernel].log;
}

static bool is_of_drift(const struct judge *judge, const struct finding *finding)
{
    const struct comparison *comparison = judge->comparison;
    uint16_t log = log_of(judge, finding);
    for (size_t at = 0; comparison && log < judge->model->log_count && at < comparison->column_count; at++)
        if (toolkit_order(comparison->columns[at].head, judge->model->logs[log].toolkit) == 0)
            return comparison->columns[at].drift;
    return false;
}

bool judge_supersedes(const struct judge *judge, uint16_t other, uint16_t number)
{
    const struct rule *rule = &judge->rules->rules[number], *better = &judge->rules->rules[other];
    return rule_is_left_to(rule, better->id) && (!rule->builtin || better->builtin);
}

/* Both count, or one exception covers both, or the baseline knows both. */
static bool is_alike(const struct finding *a, const struct finding *b)
{
    return a->exception == b->exception &&
           (a->baseline_state == BASELINE_UNCHANGED) == (b->baseline_state == BASELINE_UNCHANGED);
}

static bool supersedes(const struct judge *judge, const struct finding *finding, const struct finding *other)
{
    return is_alike(finding, other) && other->severity >= finding->severity &&
           judge->rules->rules[other->rule].kind == RULE_KERNEL && judge_supersedes(judge, other->rule, finding->rule);
}

/* The finding of that rule and event counts, at this severity or above. */
static bool is_reported(const struct judge *judge, const struct cause *cause, uint8_t severity)
{
    const struct finding *all = judge->findings;
    size_t from = judge->private->first_of_messages, to = judge->finding_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (all[middle].event < cause->reported)
            from = middle + 1;
        else
            to = middle;
    }
    for (; from < judge->finding_count && all[from].event == cause->reported; from++)
        if (all[from].rule == cause->rule && finding_counts(&all[from]) && all[from].severity >= severity)
            return true;
    return false;
}

/* A message about the function of the record says it: of its architecture, or of none. What it is told for stays a
 * finding on the same function, so nothing passes that the record alone would fail. */
static bool has_cause(const struct judge *judge, const struct finding *finding)
{
    const struct judge_private *own = judge->private;
    if (!own->cause_of_name || finding->kernel == NO_INDEX)
        return false;
    const struct kernel *kernel = &judge->model->kernels[finding->kernel];
    uint32_t at = kernel->name == NO_INDEX ? NO_INDEX : own->cause_of_name[kernel->name];
    for (; at != NO_INDEX; at = own->causes[at].next) {
        const struct cause *cause = &own->causes[at];
        const struct event *event = &judge->model->events[cause->event];
        bool fits = event->log == kernel->log && (event->arch == NO_INDEX || event->arch == kernel->arch_inferred);
        if (fits && judge_supersedes(judge, cause->rule, finding->rule) && is_reported(judge, cause, finding->severity))
            return true;
    }
    return false;
}

/* The findings of a record stand side by side. */
static bool is_superseded(const struct judge *judge, size_t at)
{
    const struct finding *all = judge->findings, *finding = &all[at];
    if (judge->rules->rules[finding->rule].left_to_count == 0)
        return false;
    for (size_t before = at; before-- > 0 && all[before].kernel == finding->kernel;)
        if (supersedes(judge, finding, &all[before]))
            return true;
    for (size_t behind = at + 1; behind < judge->finding_count && all[behind].kernel == finding->kernel; behind++)
        if (supersedes(judge, finding, &all[behind]))
            return true;
    return finding_counts(finding) && has_cause(judge, finding);
}

/* Takes out what another rule says better: one cause, one finding. */
static void drop_superseded(struct judge *judge)
{
    bool *said = mem_alloc((judge->finding_count + 1) * sizeof *said);
    size_t kept = 0;
    for (size_t at = 0; at < judge->finding_count; at++)
        said[at] = is_superseded(judge, at);
    for (size_t at = 0; at < judge->finding_count; at++)
        if (!said[at])
            judge->findings[kept++] = judge->findings[at];
    judge->finding_count = kept;
    free(said);
}

static void count_finding(struct judge *judge, const struct finding *finding)
{
    struct judge_counts *counts = &judge->counts;
    counts->suppressed += finding->exception != NO_INDEX;
    counts->unchanged += finding->exception == NO_INDEX && finding->baseline_state == BASELINE_UNCHANGED;
    if (!finding_counts(finding))
        return;
    counts->by_severity[finding->severity]++;
    if (finding_fails(judge, finding))
        counts->failing++;
}

void judge_settle(struct judge *judge)
{
    for (size_t at = 0; at < judge->finding_count; at++)
        judge->findings[at].baseline_state = (uint8_t)state_of(judge, &judge->findings[at]);
    drop_superseded(judge);
    for (size_t at = 0; at < judge->finding_count; at++) {
        struct finding *finding = &judge->findings[at];
        if (judge->private->report_drift && finding->severity > SEVERITY_NOTE && finding_counts(finding) &&
            is_of_drift(judge, finding)) {
            finding->severity = SEVERITY_NOTE;
            judge->counts.drifted++;
        }
        count_finding(judge, finding);
    }
    if (judge->private->acceptance && !judge->options.part)
        judge->counts.stale = acceptance_stale(judge->private->acceptance, judge->rules);
}
