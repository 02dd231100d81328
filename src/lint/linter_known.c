#include "lint/linter_private.h"

#include "baseline/family.h"
#include "lint/acceptance.h"

#include <math.h>
#include <stdlib.h>

#define PUT_THEN(id, member, ...) context->member = then->values[MEASURE_##id];
/* The context of the record with the values of an entry of the baseline. The baseline does not store array_bytes: they
 * were at most the stack frame, and all of it if nothing was spilled. Spills in loops keep their present value, so that
 * accepted spills stay accepted; spill-moved-into-loop reports spills that moved into a loop. */
static struct context *context_with_values(struct linter *linter, uint32_t kernel, uint32_t launch_config,
                                           const struct kernel_metrics *then)
{
    struct context *context = &linter->private->context;
    linter_set_context(linter, context, kernel, NO_INDEX, launch_config);
    const int32_t in_loops = context->spill_bytes_in_loops, arrays = context->array_bytes;
    MEASURES(PUT_THEN, NO_METRIC)
    context->spill_bytes_in_loops = in_loops;
    context->array_bytes = kernel_metrics_spills(then) == 0 ? UNKNOWN
                           : arrays > context->stack_bytes  ? context->stack_bytes
                                                            : arrays;
    return context;
}

/* The same, with the launch of the entry if it states one. */
struct context *linter_baseline_context(struct linter *linter, uint32_t kernel, uint32_t launch_config,
                                        const struct kernel_metrics *then)
{
    struct context *context = context_with_values(linter, kernel, launch_config, then);
    struct launch_config *launch = &context->launch_config;
    if (then->threads) {
        launch->threads = then->threads;
        if (then->dynamic_smem_bytes || launch->dynamic_smem_bytes > 0) /* otherwise none, or unknown as now */
            launch->dynamic_smem_bytes = then->dynamic_smem_bytes;
    }
    return context;
}

static bool is_budget(const struct rule *rule)
{
    return rule->builtin && expr_asks(rule->when) & FIELD_BUDGET;
}

/* True for rules that a user wrote, turned on, or gave a budget: the rule itself decides what is worse. */
static bool is_own(const struct rule *rule)
{
    return !rule->builtin || rule->turned_on || is_budget(rule);
}

/* Makes all fields unknown that a baseline does not store, and the launch if this entry does not state it. */
static void forget_unstored(struct context *context, const struct kernel_metrics *then)
{
    struct launch_config *launch = &context->launch_config;
    context_forget_unstored(context);
    launch->profile_registers = 0;
    launch->achieved_occupancy = -1;
    if (!then->threads) {
        launch->threads = 0;
        launch->dynamic_smem_bytes = then->dynamic_smem_bytes ? then->dynamic_smem_bytes : -1;
    }
}

/* True if the entry states neither block size nor dynamic shared memory; the launch may have been as it is now. */
static bool lacks_launch(const struct kernel_metrics *then)
{
    return !then->threads && !then->dynamic_smem_bytes;
}

static void raise_budget(int32_t *budget, int64_t used)
{
    if (*budget >= 0 && used > *budget)
        *budget = used < INT32_MAX ? (int32_t)used : INT32_MAX;
}

/* True if a budget is exceeded by more than in the baseline, or one that was not exceeded there. */
static bool exceeds_more_budget(struct linter *linter, const struct finding *finding, const struct kernel_metrics *base)
{
    struct context *context = &linter->private->context;
    linter_set_context(linter, context, finding->kernel, NO_INDEX, finding->launch_config);
    struct launch_config *allowed = &context->launch_config;
    const int32_t *was = base->values;
    const int64_t now = allowed->dynamic_smem_bytes > 0 ? allowed->dynamic_smem_bytes : 0;
    const int64_t dynamic = lacks_launch(base) ? now : base->dynamic_smem_bytes;
    raise_budget(&allowed->budget_registers, was[MEASURE_REGISTERS]);
    raise_budget(&allowed->budget_smem_bytes, was[MEASURE_SMEM] + dynamic);
    raise_budget(&allowed->budget_spill_bytes, kernel_metrics_spills(base));
    raise_budget(&allowed->budget_stack_bytes, was[MEASURE_STACK]);
    raise_budget(&allowed->budget_barriers, was[MEASURE_BARRIERS]);
    return context_budgets_exceeded(context) > 0;
}

/* The state of a finding: its rule is evaluated for the context, the kernel with the values of the baseline.
 * BASELINE_NONE: the rule needs a value that the baseline does not store. */
static enum baseline_state evaluate_then(struct linter *linter, const struct finding *finding, struct context *context,
                                         const struct kernel_metrics *base, bool is_worse)
{
    const struct rule *rule = &linter->rules->rules[finding->rule];
    const struct rule_result then = rule_evaluate(rule, context, NULL);
    const bool is_worst_stored = then.worst > -INFINITY || !rule->worst;
    if (then.state == RESULT_FIRES && (is_worst_stored || is_worse)) {
        bool more = is_budget(rule) ? exceeds_more_budget(linter, finding, base) : then.worst < finding->worst;
        return more ? BASELINE_WORSE : BASELINE_UNCHANGED;
    }
    return then.state == RESULT_NO || is_worse ? BASELINE_NEW : BASELINE_NONE;
}

/* The state of a finding of a kernel with an entry in the baseline. If the rule needs a value that the baseline does
 * not store, the finding is new only if the kernel got worse. */
static enum baseline_state state_then(struct linter *linter, const struct finding *finding,
                                      const struct kernel_metrics *base, bool is_worse)
{
    const bool own = is_own(&linter->rules->rules[finding->rule]);
    struct context *context =
        (own ? linter_baseline_context : context_with_values)(linter, finding->kernel, NO_INDEX, base);
    if (own)
        forget_unstored(context, base);
    enum baseline_state state = evaluate_then(linter, finding, context, base, is_worse);
    if (own && lacks_launch(base) && state != BASELINE_NONE && state != BASELINE_UNCHANGED) {
        context = linter_baseline_context(linter, finding->kernel, finding->launch_config, base);
        const int64_t now = context->launch_config.dynamic_smem_bytes;
        forget_unstored(context, base);
        context->launch_config.dynamic_smem_bytes = now;
        if (evaluate_then(linter, finding, context, base, is_worse) == BASELINE_UNCHANGED)
            state = BASELINE_NONE;
    }
    if (state != BASELINE_NONE)
        return state;
    linter->counts.unstored += own && finding->exception == NO_INDEX;
    return BASELINE_UNCHANGED;
}

static bool takes_more(const struct kernel_metrics *head, const struct kernel_metrics *base)
{
    bool more = false;
    for (int at = MEASURE_REGISTERS; at <= MEASURE_SMEM; at++)
        more |= head->values[at] > base->values[at];
    return more;
}

/* The state of a finding of a kernel that replaces others: it is unchanged if it is so for one of them. */
static enum baseline_state state_of_successor(struct linter *linter, const struct finding *finding,
                                              const struct pair *pair)
{
    enum { MOST_ASKED = 1024 };
    const struct comparison *comparison = linter->comparison;
    const struct family *family = &comparison->families[pair->family];
    enum baseline_state state = BASELINE_NEW;
    const struct kernel_metrics *head = &comparison->head->items[pair->head];
    size_t index = pair->member, asked = 0;
    for (size_t at = 0; at < family->gone_count && asked < MOST_ASKED && state != BASELINE_UNCHANGED; at++) {
        const struct kernel_metrics *base = &comparison->base->items[family->gone[at]];
        if (!family_replaces(family, at, index) || base->debug != head->debug)
            continue;
        enum baseline_state then = state_then(linter, finding, base, takes_more(head, base));
        state = then == BASELINE_NEW ? state : then;
        asked++;
    }
    return state;
}

/* The state of a finding of a rule on kernels. Built-in rule: if the kernel did not get worse, the finding is
 * unchanged, unless the kernel uses more registers and the rule did not fire before (it reached the register ceiling
 * without losing a block, for example); if it got worse, the finding may still be as before. User's rule: the finding
 * is new or worse if the rule did not fire before or its `worst` grew. Findings on a profile are always new. */
static enum baseline_state state_of_kernel(struct linter *linter, const struct finding *finding)
{
    const struct pair *pair = compare_of_kernel(linter->comparison, finding->kernel);
    const struct rule *rule = &linter->rules->rules[finding->rule];
    if (!pair || finding_is_of_profile(linter, finding))
        return BASELINE_NEW;
    if (rule->asks_baseline && (pair->base != NO_INDEX || pair->family != NO_INDEX))
        return BASELINE_WORSE;
    if (pair->base == NO_INDEX)
        return family_is_sure(linter->comparison, pair) ? state_of_successor(linter, finding, pair) : BASELINE_NEW;
    const bool is_worse = pair->state == COMPARE_WORSE || pair->partial;
    const bool is_debug = linter->comparison->head->items[pair->head].debug;
    const int32_t registers = pair->deltas[MEASURE_REGISTERS];
    const bool more_registers = registers != UNKNOWN && registers > 0;
    if (!is_worse && (is_debug || (!is_own(rule) && !more_registers)))
        return BASELINE_UNCHANGED;
    if (is_debug)
        return BASELINE_NEW;
    enum baseline_state state = state_then(linter, finding, &linter->comparison->base->items[pair->base], is_worse);
    return state == BASELINE_WORSE && !is_worse && !is_own(rule) ? BASELINE_UNCHANGED : state;
}

/* True if the kernel that a message names, or one that it replaces, is in the baseline and did not get worse. */
static bool is_as_it_was(struct linter *linter, const struct finding *finding)
{
    uint32_t kernel = finding->kernel;
    bool sure = false;
    if (kernel == NO_INDEX)
        linter_find_kernel(linter, &linter->model->events[finding->event], &kernel, &sure);
    const struct pair *pair = kernel == NO_INDEX ? NULL : compare_of_kernel(linter->comparison, kernel);
    return pair && pair->state != COMPARE_WORSE && (pair->base != NO_INDEX || family_is_sure(linter->comparison, pair));
}

static enum baseline_state state_of(struct linter *linter, const struct finding *finding)
{
    if (!linter->comparison)
        return BASELINE_NONE;
    if (linter->rules->rules[finding->rule].kind == RULE_KERNEL)
        return state_of_kernel(linter, finding);
    if (finding->exception != NO_INDEX || !linter->private->acceptance)
        return BASELINE_NEW;
    if (acceptance_take(linter->private->acceptance, linter, finding))
        return BASELINE_UNCHANGED;
    bool unknown = acceptance_is_unknown(linter->private->acceptance, linter, finding) && is_as_it_was(linter, finding);
    linter->counts.unstated += unknown;
    return unknown ? BASELINE_UNCHANGED : BASELINE_NEW;
}

/* The source place of a message, and the kernel that it names. */
struct message_place {
    uint32_t rule, file, line, column;
    uint32_t name, arch; /* NO_INDEX: of any kernel */
};

static struct message_place place_of(const struct finding *finding, const struct event *event)
{
    return (struct message_place){finding->rule, event->file, event->line, event->column, event->name, event->arch};
}

static struct str place_key(const struct message_place *place)
{
    return (struct str){(const char *)place, sizeof *place};
}

/* The same place for any kernel. */
static struct message_place of_any_kernel(struct message_place place)
{
    place.name = place.arch = NO_INDEX;
    return place;
}

/* Adds the places of accepted messages, with the kernel and without it. */
static void find_accepted_places(const struct linter *linter, struct intern *places)
{
    for (size_t at = linter->private->first_of_messages; at < linter->finding_count; at++) {
        const struct finding *finding = &linter->findings[at];
        const struct event *event = finding_event(linter, finding);
        if (!event || event->file == NO_INDEX || finding->baseline_state != BASELINE_UNCHANGED)
            continue;
        const struct message_place place = place_of(finding, event), any = of_any_kernel(place);
        intern_add(places, place_key(&place));
        intern_add(places, place_key(&any));
    }
}

/* Accepts a further message of a kernel that did not get worse if a message at the same place of the same kernel is
 * accepted: one more file may compile the kernel now, and a log or a merged stream has the message once for all files.
 * A baseline before schema 5 accepts a loop for its worst kernel only; that counts for the loop's other kernels too. */
static void accept_places(struct linter *linter)
{
    SCOPED(intern) places = {0};
    find_accepted_places(linter, &places);
    for (size_t at = linter->private->first_of_messages; at < linter->finding_count && places.count; at++) {
        struct finding *finding = &linter->findings[at];
        const struct event *event = finding_event(linter, finding);
        if (!event || finding->baseline_state != BASELINE_NEW || finding->exception != NO_INDEX)
            continue;
        const struct message_place place = place_of(finding, event), any = of_any_kernel(place);
        const bool may_be_known = intern_find(&places, place_key(&place)) != INTERN_NONE ||
                                  (intern_find(&places, place_key(&any)) != INTERN_NONE &&
                                   acceptance_has_worst_only(linter->private->acceptance, linter, finding));
        if (may_be_known && is_as_it_was(linter, finding))
            finding->baseline_state = BASELINE_UNCHANGED;
    }
}

static bool is_of_drift(const struct linter *linter, const struct finding *finding)
{
    if (!linter->comparison)
        return false;
    const struct log_info *log = &linter->model->logs[finding_log(linter, finding)];
    const struct column_pair *column = compare_head_column(linter->comparison, log->toolkit);
    return column && column->drift;
}

/* True if the rule `other` supersedes the rule `number` on the same kernel. A user's rule with the id of a built-in one
 * may report less, so it does not supersede built-in rules. */
static bool is_better(const struct linter *linter, uint16_t other, uint16_t number)
{
    const struct rule *rule = &linter->rules->rules[number], *better = &linter->rules->rules[other];
    return str_list_has(&rule->superseded_by, better->id) && (!rule->builtin || better->builtin);
}

static bool supersedes(const struct linter *linter, const struct finding *finding, const struct finding *other)
{
    return finding_counts_alike(finding, other) && other->severity >= finding->severity &&
           linter->rules->rules[other->rule].kind == RULE_KERNEL && is_better(linter, other->rule, finding->rule);
}

/* The findings of messages about functions, by the function's name. */
struct by_name {
    uint32_t *first; /* by name number: in the findings; NO_INDEX: none */
    uint32_t *next;  /* by finding: the next one of the same name */
};

static struct by_name sort_by_name(const struct linter *linter)
{
    const size_t names = linter->model->names.count;
    const struct by_name found = {mem_alloc((names + 1) * sizeof *found.first),
                                  mem_alloc((linter->finding_count + 1) * sizeof *found.next)};
    memset(found.first, 0xFF, names * sizeof *found.first);
    for (size_t at = linter->private->first_of_messages; at < linter->finding_count; at++) {
        const struct event *event = finding_event(linter, &linter->findings[at]);
        if (!event || event->name == NO_INDEX)
            continue;
        found.next[at] = found.first[event->name];
        found.first[event->name] = (uint32_t)at;
    }
    return found;
}

/* True if a finding on a message about the same function, for its architecture or for none, supersedes this one. The
 * message stays a finding, so nothing passes that the record alone would fail. */
static bool has_cause(const struct linter *linter, const struct by_name *messages, const struct finding *finding)
{
    if (finding->kernel == NO_INDEX)
        return false;
    const struct kernel *kernel = &linter->model->kernels[finding->kernel];
    for (uint32_t at = messages->first[kernel->name]; at != NO_INDEX; at = messages->next[at]) {
        const struct finding *cause = &linter->findings[at];
        const struct event *event = finding_event(linter, cause);
        bool fits = event->log == kernel->log && (event->arch == NO_INDEX || event->arch == kernel->arch_inferred);
        if (fits && finding_counts(cause) && cause->severity >= finding->severity &&
            is_better(linter, cause->rule, finding->rule))
            return true;
    }
    return false;
}

/* True if another finding supersedes this one. The findings of a record are adjacent. */
static bool is_superseded(const struct linter *linter, const struct by_name *messages, size_t at)
{
    const struct finding *all = linter->findings, *finding = &all[at];
    if (linter->rules->rules[finding->rule].superseded_by.count == 0)
        return false;
    for (size_t before = at; before-- > 0 && all[before].kernel == finding->kernel;)
        if (supersedes(linter, finding, &all[before]))
            return true;
    for (size_t behind = at + 1; behind < linter->finding_count && all[behind].kernel == finding->kernel; behind++)
        if (supersedes(linter, finding, &all[behind]))
            return true;
    return finding_counts(finding) && has_cause(linter, messages, finding);
}

/* Removes superseded findings, so that one cause has one finding. */
static void drop_superseded(struct linter *linter)
{
    bool *superseded = mem_alloc((linter->finding_count + 1) * sizeof *superseded);
    const struct by_name messages = sort_by_name(linter);
    size_t kept = 0;
    for (size_t at = 0; at < linter->finding_count; at++)
        superseded[at] = is_superseded(linter, &messages, at);
    for (size_t at = 0; at < linter->finding_count; at++)
        if (!superseded[at])
            linter->findings[kept++] = linter->findings[at];
    linter->finding_count = kept;
    free(messages.first);
    free(messages.next);
    free(superseded);
}

static void count_finding(struct linter *linter, const struct finding *finding)
{
    struct linter_counts *counts = &linter->counts;
    counts->suppressed += finding->exception != NO_INDEX;
    counts->unchanged += finding->exception == NO_INDEX && finding->baseline_state == BASELINE_UNCHANGED;
    if (!finding_counts(finding))
        return;
    counts->by_severity[finding->severity]++;
    if (finding_fails(linter, finding))
        counts->failing++;
}

void linter_settle(struct linter *linter)
{
    for (size_t at = 0; at < linter->finding_count; at++)
        linter->findings[at].baseline_state = (uint8_t)state_of(linter, &linter->findings[at]);
    if (linter->private->acceptance)
        accept_places(linter);
    drop_superseded(linter);
    EACH(struct finding, finding, linter->findings, linter->finding_count) {
        if (linter->private->report_drift && finding->severity > SEVERITY_NOTE && finding_counts(finding) &&
            is_of_drift(linter, finding)) {
            finding->severity = SEVERITY_NOTE;
            linter->counts.drifted++;
        }
        count_finding(linter, finding);
    }
    if (linter->private->acceptance && !linter->options.partial_build)
        linter->counts.stale = acceptance_stale(linter->private->acceptance, linter->rules);
}
