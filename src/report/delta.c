#include "report/delta.h"

#include "gpu/arch.h"
#include "log/name.h"
#include "log/spelling.h"
#include "report/messages.h"

#include <stdlib.h>

/* ---- entries ---------------------------------------------------------------------------------------------------- */

struct delta_pair delta_pair(const struct comparison *c, const struct pair *pair)
{
    const struct kernel_metrics *base = pair->base == NO_INDEX ? NULL : &c->base->items[pair->base];
    const struct kernel_metrics *head = pair->head == NO_INDEX ? NULL : &c->head->items[pair->head];
    const struct kernel_metrics *entry = head ? head : base;
    return (struct delta_pair){
        .base = base,
        .head = head,
        .entry = entry,
        .id = intern_get(c->strings, entry->id),
        .arch = intern_get(c->strings, entry->arch),
        .source = intern_get(c->strings, entry->source),
        .base_id = base ? intern_get(c->strings, base->id) : STR(""),
    };
}

static void add_readable(struct str id, struct buf *out)
{
    SCOPED(buf) readable = {0};
    name_demangle(id, &readable);
    escape_text(buf_str(&readable), out);
}

bool delta_keeps_name(const struct comparison *comparison, const struct pair *pair)
{
    const struct delta_pair of = delta_pair(comparison, pair);
    SCOPED(buf) now = {0}, before = {0};
    spell_kernel(of.id, &now);
    spell_kernel(of.base_id, &before);
    return str_eq(buf_str(&now), buf_str(&before));
}

/* Appends a name with its parameters: the label, and the parameters from `same` on, where the two names begin to
 * differ. */
static void name_parameters(struct str label, struct str readable, size_t same, struct buf *out)
{
    const size_t open = name_parameters_at(readable);
    while (same > open + 1 && readable.ptr[same - 1] != ',')
        same--;
    buf_add(out, label);
    if (same > open + 1)
        buf_fmt(out, "(...,%.*s", STR_ARG(str_from(readable, same)));
    else
        buf_add(out, str_from(readable, open));
}

void delta_names(struct delta *delta, const struct pair *pair, struct buf *now, struct buf *before)
{
    const struct delta_pair of = delta_pair(delta->comparison, pair);
    SCOPED(buf) readable = {0}, base_readable = {0};
    buf_clear(now);
    buf_clear(before);
    add_readable(of.id, &readable);
    add_readable(of.base_id, &base_readable);
    const size_t same = str_common(buf_str(&readable), buf_str(&base_readable));
    if (!delta_keeps_name(delta->comparison, pair)) {
        buf_add(now, label_of(&delta->labels, of.id));
        buf_add(before, label_of(&delta->labels, of.base_id));
    } else if (readable.len <= LABEL_WIDTH && base_readable.len <= LABEL_WIDTH) {
        buf_add(now, buf_str(&readable));
        buf_add(before, buf_str(&base_readable));
    } else {
        name_parameters(label_of(&delta->labels, of.id), buf_str(&readable), same, now);
        name_parameters(label_of(&delta->labels, of.id), buf_str(&base_readable), same, before);
    }
}

/* ---- order ------------------------------------------------------------------------------------------------------ */

/* The sort keys of a row; larger keys are shown first. */
struct weight {
    int64_t keys[1 + DELTA_COSTS]; /* the state, then delta_costs */
    const struct pair *pair;
    const struct comparison *comparison;
};

static int64_t value_or_0(int32_t value)
{
    return value == UNKNOWN ? 0 : value;
}

void delta_costs(const int32_t *grown, bool falls, int64_t *costs)
{
    const int sign = falls ? -1 : 1;
    costs[0] = sign * (value_or_0(grown[MEASURE_SPILL_STORES]) + value_or_0(grown[MEASURE_SPILL_LOADS]));
    costs[1] = sign * -value_or_0(grown[MEASURE_WARPS]);
    costs[2] = sign * value_or_0(grown[MEASURE_REGISTERS]);
    costs[3] = sign * value_or_0(grown[MEASURE_STACK]);
    costs[4] = sign * value_or_0(grown[MEASURE_SMEM]);
}

static struct weight weight_of(const struct comparison *comparison, const struct pair *pair)
{
    static const int order_of_state[] = {
        [COMPARE_WORSE] = 4, [COMPARE_NEW] = 5,      [COMPARE_CHANGED] = 3,
        [COMPARE_GONE] = 2,  [COMPARE_IMPROVED] = 1, [COMPARE_SAME] = 0,
    };
    enum { COSTS = 6 }; /* not only more registers: many kernels take a few more without loss of occupancy */
    bool both = pair->base != NO_INDEX && pair->head != NO_INDEX;
    bool costs = pair->state == COMPARE_WORSE && pair->worse != 1U << MEASURE_REGISTERS;
    const int32_t *values = both ? pair->deltas : delta_pair(comparison, pair).entry->values;
    struct weight weight = {
        .keys = {costs ? COSTS : order_of_state[pair->state]},
        .pair = pair,
        .comparison = comparison,
    };
    delta_costs(values, pair->state == COMPARE_IMPROVED, &weight.keys[1]);
    return weight;
}

static int by_weight(const void *left, const void *right)
{
    const struct weight *a = left, *b = right;
    int order = numbers_cmp(b->keys, a->keys, sizeof a->keys / sizeof *a->keys);
    const struct comparison *c = a->comparison;
    if (!order)
        order = kernel_metrics_order(c->strings, delta_pair(c, a->pair).entry, delta_pair(c, b->pair).entry);
    return order ? order : (a->pair > b->pair) - (a->pair < b->pair);
}

static void order_rows(struct delta *delta)
{
    const struct comparison *comparison = delta->comparison;
    struct weight *weights = mem_alloc((comparison->count + 1) * sizeof *weights);
    EACH(const struct pair, pair, comparison->pairs, comparison->count) {
        if (delta_pair(comparison, pair).entry->deselected || (pair->state == COMPARE_SAME && !pair->renamed))
            continue;
        weights[delta->row_count++] = weight_of(comparison, pair);
        delta->changed_count += pair->state != COMPARE_SAME;
    }
    mem_sort(weights, delta->row_count, sizeof *weights, by_weight);
    delta->rows = mem_alloc((delta->row_count + 1) * sizeof *delta->rows);
    for (size_t at = 0; at < delta->row_count; at++)
        delta->rows[at] = weights[at].pair;
    free(weights);
}

/* ---- totals ----------------------------------------------------------------------------------------------------- */

static struct delta_totals *totals_for(struct delta *delta, struct str arch)
{
    for (size_t at = 0; at < delta->arch_count; at++)
        if (str_eq(delta->archs[at].arch, arch))
            return &delta->archs[at];
    struct delta_totals *totals = MEM_ADD(delta->archs, delta->arch_count, delta->arch_cap);
    *totals = (struct delta_totals){.arch = arch};
    return totals;
}

/* An unknown value of a kernel makes the sum unknown. Device functions do not: ptxas states some values for kernels
 * only. */
static void add_values(const struct kernel_metrics *entry, struct delta_sums *sums)
{
    sums->entries += entry->copies;
    for (int at = 0; at < MEASURE_COUNT; at++) {
        if (entry->values[at] != UNKNOWN)
            sums->values[at] += sums->values[at] == SUM_UNKNOWN ? 0 : (int64_t)entry->values[at] * entry->copies;
        else if (entry->kind == KERNEL_ENTRY)
            sums->values[at] = SUM_UNKNOWN;
    }
}

static void add_pair(const struct delta *delta, const struct pair *pair, struct delta_totals *totals)
{
    totals->by_state[pair->state]++;
    totals->renamed += pair->renamed;
    if (pair->head != NO_INDEX)
        add_values(&delta->comparison->head->items[pair->head], &totals->head);
}

static int by_arch(const void *left, const void *right)
{
    return arch_order(((const struct delta_totals *)left)->arch, ((const struct delta_totals *)right)->arch);
}

static void add_totals(struct delta *delta)
{
    delta->all.arch = STR("all");
    EACH(const struct pair, pair, delta->comparison->pairs, delta->comparison->count) {
        const struct delta_pair of = delta_pair(delta->comparison, pair);
        if (of.entry->deselected)
            continue;
        add_pair(delta, pair, totals_for(delta, of.arch));
        add_pair(delta, pair, &delta->all);
    }
    for (size_t at = 0; at < delta->comparison->base->count; at++) { /* once: it may be in several pairs or none */
        const struct kernel_metrics *entry = &delta->comparison->base->items[at];
        if (!delta->comparison->in_play[at])
            continue;
        add_values(entry, &totals_for(delta, intern_get(delta->comparison->strings, entry->arch))->base);
        add_values(entry, &delta->all.base);
    }
    mem_sort(delta->archs, delta->arch_count, sizeof *delta->archs, by_arch);
}

static void add_ids(struct delta *delta, const struct kernel_metrics_set *set, const bool *left_out)
{
    for (size_t at = 0; at < set->count; at++)
        if (!left_out || !left_out[at])
            intern_add(&delta->names, intern_get(set->strings, set->items[at].id));
}

/* Labels are unique among all kernels of both sides, also those that the report does not show. A kernel with other
 * parameters than before counts as one kernel. */
static void add_names(struct delta *delta)
{
    const struct comparison *comparison = delta->comparison;
    bool *left_out = mem_alloc(comparison->base->count + 1);
    for (size_t at = 0; at < comparison->count; at++)
        if (comparison->pairs[at].renamed && delta_keeps_name(comparison, &comparison->pairs[at]))
            left_out[comparison->pairs[at].base] = true;
    add_ids(delta, comparison->base, left_out);
    add_ids(delta, comparison->head, NULL);
    labels_init(&delta->labels, &delta->names);
    free(left_out);
}

void delta_make_names(struct delta *delta, const struct report *report)
{
    *delta = (struct delta){.report = report, .comparison = report->comparison};
    add_names(delta);
}

void delta_make(struct delta *delta, const struct report *report)
{
    delta_make_names(delta, report);
    order_rows(delta);
    add_totals(delta);
}

void delta_free(struct delta *delta)
{
    labels_free(&delta->labels);
    intern_free(&delta->names);
    free(delta->rows);
    free(delta->archs);
}

/* ---- text for people -------------------------------------------------------------------------------------------- */

/* "41 +1": 41, one more than in the base; "41": as in the base; "41 ?": unknown in the base */
static void add_sum(int64_t base, int64_t head, struct table *table)
{
    if (head == SUM_UNKNOWN)
        buf_char(&table->cell, '?');
    else
        buf_fmt(&table->cell, "%lld", (long long)head);
    if (head != SUM_UNKNOWN && base == SUM_UNKNOWN)
        buf_add(&table->cell, STR(" ?"));
    else if (head != SUM_UNKNOWN && head != base)
        buf_fmt(&table->cell, " %+lld", (long long)(head - base));
    table_end(table);
}

/* True if the totals have a column for the measure: the known sum of at least one side is not 0. */
static bool is_summed(const struct delta *delta, int measure)
{
    return measure_table[measure].sum == SUM_SHOWN &&
           (delta->all.base.values[measure] > 0 || delta->all.head.values[measure] > 0);
}

bool delta_has_totals(const struct delta *delta)
{
    bool changed = false;
    EACH(const struct delta_totals, totals, delta->archs, delta->arch_count)
        for (int measure = 0; measure < MEASURE_COUNT; measure++)
            changed |= is_summed(delta, measure) && totals->base.values[measure] != totals->head.values[measure];
    return changed;
}

struct table delta_table(const struct delta *delta)
{
    struct table table = {.columns = 0};
    table_column(&table, "arch", false);
    table_column(&table, "kernels", true); /* for each architecture, and for all */
    for (int measure = 0; measure < MEASURE_COUNT; measure++)
        if (is_summed(delta, measure))
            table_column(&table, measure_table[measure].head, true);
    for (size_t at = 0; at < delta->arch_count + (delta->arch_count > 1); at++) {
        const struct delta_totals *totals = at < delta->arch_count ? &delta->archs[at] : &delta->all;
        escape_text(totals->arch.len ? totals->arch : STR("-"), &table.cell);
        table_end(&table);
        add_sum(totals->base.entries, totals->head.entries, &table);
        for (int measure = 0; measure < MEASURE_COUNT; measure++)
            if (is_summed(delta, measure))
                add_sum(totals->base.values[measure], totals->head.values[measure], &table);
    }
    return table;
}

void delta_compared(const struct report *report, struct buf *out)
{
    const size_t *by_state = report->comparison->counts.by_state;
    size_t count = 0;
    for (int state = 0; state < COMPARE_STATES; state++)
        count += by_state[state];
    buf_fmt(out, "%zu kernel x arch: ", count);
    comparison_text(report, out);
}

void delta_failing(const struct report *report, size_t width, size_t indent, struct buf *out)
{
    const struct linter *linter = report->linter;
    size_t *counts = mem_alloc((linter->rules->count + 1) * sizeof *counts), shown = 0, column = indent;
    SCOPED(buf) item = {0};
    EACH(const struct finding, finding, linter->findings, linter->finding_count)
        counts[finding->rule] += finding_fails(linter, finding);
    for (size_t rule = 0; rule < linter->rules->count; rule++) {
        if (!counts[rule])
            continue;
        buf_clear(&item);
        buf_fmt(&item, "%.*s %zu", STR_ARG(linter->rules->rules[rule].id), counts[rule]);
        bool breaks = shown && width && column + 3 + item.len > width;
        buf_add(out, !shown ? STR("") : breaks ? STR(",\n") : STR(", "));
        buf_pad(out, ' ', breaks ? indent : 0);
        column = breaks ? indent + item.len : column + 2 + item.len;
        buf_add(out, buf_str(&item));
        shown++;
    }
    free(counts);
}

void delta_verdict(const struct report *report, struct buf *out)
{
    const struct linter_counts *counts = &report->linter->counts;
    const struct comparison_counts *compared = &report->comparison->counts;
    bool nothing = report->incomplete && report->comparison->base->count && compared->seen + compared->replaced == 0;
    if (nothing) {
        buf_add(out, STR("none, no kernel of BASE is in HEAD"));
    } else if (report->fail_on == SEVERITY_OFF) {
        buf_add(out, STR("not asked for (--fail-on never)"));
    } else if (report->incomplete && !counts->failing) {
        buf_add(out, STR("none, a part was not compared"));
    } else {
        buf_add(out, counts->failing ? STR("FAILED, ") : STR("passed, "));
        failing_text(report, out);
    }
    buf_count(out, counts->suppressed, "; # suppressed by exceptions");
    buf_count(out, counts->drifted, "; # are the other compiler's (--drift report)");
}
