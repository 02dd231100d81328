/*
 * Compares the measures of two entries of one kernel, and decides whether the kernel got better or worse.
 */
#include "baseline/compare.h"

/* Marks a measure that both sides state. */
static void mark(struct pair *pair, int measure, int64_t growth, int64_t tolerance)
{
    if (pair->deltas[measure] == UNKNOWN)
        return;
    if (growth > tolerance)
        pair->worse |= (uint16_t)(1u << measure);
    else if (growth < 0)
        pair->better |= (uint16_t)(1u << measure);
}

static void mark_spills(struct pair *pair, int64_t growth, int32_t tolerance)
{
    for (int at = MEASURE_SPILL_STORES; at <= MEASURE_SPILL_LOADS; at++)
        if (growth > tolerance ? pair->deltas[at] > 0 : growth < 0 && pair->deltas[at] < 0)
            mark(pair, at, growth, tolerance);
}

static bool is_known(const struct pair *pair, int measure)
{
    return pair->deltas[measure] != UNKNOWN;
}

static bool states_warps(const struct kernel_metrics *base, const struct kernel_metrics *head)
{
    return (base->threads > 0) == (head->threads > 0) && base->values[MEASURE_WARPS] != UNKNOWN;
}

bool compare_is_other_launch(const struct kernel_metrics *base, const struct kernel_metrics *head)
{
    return states_warps(base, head) &&
           (base->threads != head->threads || base->dynamic_smem_bytes != head->dynamic_smem_bytes ||
            (base->kernel != NO_INDEX && base->carveout != head->carveout)); /* a file does not store it */
}

/* If the base does not state barriers (old toolkits print none), those of the head are used for it. */
int32_t compare_warps(const struct comparison *c, const struct kernel_metrics *base, const struct kernel_metrics *head)
{
    const bool states = states_warps(base, head);
    if (states && (base->values[MEASURE_BARRIERS] != UNKNOWN || head->values[MEASURE_BARRIERS] <= 0))
        return base->values[MEASURE_WARPS];
    struct kernel_metrics with_barriers = *base;
    if (with_barriers.values[MEASURE_BARRIERS] == UNKNOWN)
        with_barriers.values[MEASURE_BARRIERS] = head->values[MEASURE_BARRIERS];
    const int32_t warps = kernel_metrics_warps(c->strings, &with_barriers, states ? base : head);
    return states && (warps == UNKNOWN || warps > base->values[MEASURE_WARPS]) ? base->values[MEASURE_WARPS] : warps;
}

/* A log without commands and lines of nvlink may be of relocatable code. */
bool compare_lost_link(const struct kernel_metrics *base, const struct kernel_metrics *head)
{
    const bool may_be_relocatable = head->code == CODE_UNSTATED && head->kernel != NO_INDEX;
    return base->code == CODE_LINKED && (head->code == CODE_RELOCATABLE || may_be_relocatable);
}

/* True if one entry has the values of relocatable code and the other those of linked code. Spills are equal in both. */
static bool is_other_code(const struct kernel_metrics *base, const struct kernel_metrics *head)
{
    return compare_lost_link(base, head) || compare_lost_link(head, base);
}

/* The value of a measure. Spills in loops are 0 for an entry that spills nothing, if the other one states them. */
static int32_t value_beside(const struct kernel_metrics *entry, const struct kernel_metrics *other, int measure)
{
    if (!entry)
        return UNKNOWN;
    const bool in_loops = measure == MEASURE_SPILLS_IN_LOOPS && other && other->values[measure] != UNKNOWN;
    return in_loops && kernel_metrics_spills(entry) == 0 ? 0 : entry->values[measure];
}

void compare_values(const struct comparison *c, const struct kernel_metrics *base, const struct kernel_metrics *head,
                    int32_t *was, int32_t *is)
{
    static const enum measure of_link[] = {MEASURE_REGISTERS, MEASURE_STACK,  MEASURE_SMEM,
                                           MEASURE_BARRIERS,  MEASURE_BLOCKS, MEASURE_WARPS};
    for (int at = 0; at < MEASURE_COUNT; at++) {
        was[at] = value_beside(base, head, at);
        is[at] = value_beside(head, base, at);
    }
    if (base && head)
        was[MEASURE_WARPS] = compare_warps(c, base, head);
    for (size_t at = 0; base && head && is_other_code(base, head) && at < sizeof of_link / sizeof *of_link; at++)
        was[of_link[at]] = UNKNOWN;
}

static void take_deltas(const struct comparison *c, struct pair *pair)
{
    const struct kernel_metrics *base = &c->base->items[pair->base], *head = &c->head->items[pair->head];
    int32_t was[MEASURE_COUNT], is[MEASURE_COUNT];
    compare_values(c, base, head, was, is);
    for (int at = 0; at < MEASURE_COUNT; at++)
        pair->deltas[at] = was[at] != UNKNOWN && is[at] != UNKNOWN ? is[at] - was[at] : UNKNOWN;
    pair->base_warps = was[MEASURE_WARPS];
    if (base->threads != head->threads)
        pair->deltas[MEASURE_BLOCKS] = UNKNOWN;
}

static bool counts_registers(const struct tolerances *tolerances, const struct pair *pair)
{
    return !tolerances->registers_of_block || !is_known(pair, MEASURE_WARPS) || pair->deltas[MEASURE_WARPS] < 0;
}

/* True if the head states a measure that the base does not, or only one is a debug build or linked. */
static bool is_partial(const struct kernel_metrics *base, const struct kernel_metrics *head)
{
    bool partial = base->debug != head->debug || is_other_code(base, head);
    for (int at = MEASURE_REGISTERS; at <= MEASURE_SMEM; at++)
        partial |= base->values[at] == UNKNOWN && head->values[at] != UNKNOWN;
    return partial;
}

/* True if it is unknown whether the head got worse: it states more than 0 of a measure that the base does not state, or
 * the base is a debug build, or only one is linked. */
static bool is_unanswered(const struct kernel_metrics *base, const struct kernel_metrics *head)
{
    bool unanswered = base->debug || is_other_code(base, head);
    for (int at = MEASURE_REGISTERS; at <= MEASURE_SMEM; at++)
        unanswered |= base->values[at] == UNKNOWN && head->values[at] > 0;
    return unanswered && !head->debug && head->kind == KERNEL_ENTRY;
}

/* The growth of the stack frame, without the growth of spill stores if that is within its tolerance. */
static int64_t beyond_spills(const struct pair *pair, int64_t spills, int32_t tolerance)
{
    const int64_t stack = pair->deltas[MEASURE_STACK], stores = pair->deltas[MEASURE_SPILL_STORES];
    const bool explained = spills > 0 && spills <= tolerance && stores > 0 && stack > 0;
    return !explained ? stack : stack > stores ? stack - stores : 0;
}

void compare_classify(const struct comparison *c, struct pair *pair, uint32_t base_item)
{
    const struct tolerances *t = &c->tolerances;
    const struct kernel_metrics *base = &c->base->items[base_item], *head = &c->head->items[pair->head];
    const int64_t before = kernel_metrics_spills(base), now = kernel_metrics_spills(head);
    const int64_t spills = before == INT64_MIN || now == INT64_MIN ? 0 : now - before;
    bool differs = false;
    pair->base = base_item;
    take_deltas(c, pair);
    pair->worse = pair->better = 0;
    pair->partial = is_partial(base, head);
    pair->unanswered = is_unanswered(base, head);
    pair->renamed = base->id != head->id;
    for (int at = 0; at < MEASURE_COUNT; at++)
        differs |= is_known(pair, at) && pair->deltas[at] != 0;
    pair->state = differs ? COMPARE_CHANGED : COMPARE_SAME;
    if (base->debug != head->debug)
        return; /* a debug build and another one are not comparable */
    if (pair->deltas[MEASURE_REGISTERS] < 0 || counts_registers(t, pair))
        mark(pair, MEASURE_REGISTERS, pair->deltas[MEASURE_REGISTERS], t->registers);
    mark(pair, MEASURE_STACK, beyond_spills(pair, spills, t->spill_bytes), t->stack_bytes);
    mark(pair, MEASURE_SMEM, pair->deltas[MEASURE_SMEM], t->smem_bytes);
    mark(pair, MEASURE_WARPS, -(int64_t)pair->deltas[MEASURE_WARPS], t->warps);
    mark(pair, MEASURE_SPILLS_IN_LOOPS, pair->deltas[MEASURE_SPILLS_IN_LOOPS], t->spill_bytes_in_loops);
    mark_spills(pair, spills, t->spill_bytes);
    /* No improvement if a measure grew within its tolerance, or if only the head does not state its spills. Registers
     * that lose no block may grow: `baseline update` must store that the spills are gone. */
    bool grown = before != INT64_MIN && now == INT64_MIN;
    for (int at = MEASURE_REGISTERS; at <= MEASURE_SMEM; at++)
        grown |= is_known(pair, at) && pair->deltas[at] > 0 && (at != MEASURE_REGISTERS || counts_registers(t, pair));
    pair->state = pair->worse              ? COMPARE_WORSE
                  : pair->better && !grown ? COMPARE_IMPROVED
                  : differs                ? COMPARE_CHANGED
                                           : COMPARE_SAME;
}
