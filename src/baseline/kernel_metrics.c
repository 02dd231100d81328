#include "baseline/kernel_metrics.h"

#include <stddef.h>
#include <string.h>

#define STATED_ROW(id, member, sum, noun, head, ...)                                                                   \
    {#member, noun, head, sum, offsetof(struct context, member), METRIC_##member},
#define DERIVED_ROW(id, key, sum, noun, head) {#key, noun, head, sum, 0, METRIC_COUNT},
const struct measure_row measure_table[MEASURE_COUNT] = {MEASURES(STATED_ROW, DERIVED_ROW)};

/* ---- sets ---- */

const char *const code_state_names[] = {"unstated", "relocatable", "linked"};

/* Adds the lines of a text to the sorted names; false if there are too many. */
static bool add_names(struct str *names, size_t *count, struct str text)
{
    struct str name;
    while (text.len && str_split(&text, '\n', &name)) {
        size_t at = *count;
        while (at && str_cmp(names[at - 1], name) > 0)
            at--;
        if (at && str_eq(names[at - 1], name))
            continue;
        if (*count == MOST_UNITS)
            return false;
        memmove(&names[at + 1], &names[at], (*count - at) * sizeof *names);
        names[at] = name;
        ++*count;
    }
    return true;
}

void kernel_metrics_join_units(struct intern *strings, struct kernel_metrics *entry, uint32_t units)
{
    struct str names[MOST_UNITS];
    size_t count = 0;
    if (units == entry->units)
        return;
    const bool known = units != NO_INDEX && entry->units != NO_INDEX &&
                       add_names(names, &count, intern_get(strings, entry->units)) &&
                       add_names(names, &count, intern_get(strings, units));
    struct buf text = {0};
    for (size_t at = 0; known && at < count; at++)
        buf_fmt(&text, "%s%.*s", at ? "\n" : "", STR_ARG(names[at]));
    entry->units = known ? intern_take(strings, &text) : NO_INDEX;
}

void kernel_metrics_rename_units(struct intern *strings, struct kernel_metrics *entry, const uint32_t *names,
                                 uint32_t count)
{
    struct str units = intern_get(strings, entry->units), unit;
    struct kernel_metrics renamed = {.units = NO_INDEX};
    for (bool first = true; units.len && str_split(&units, '\n', &unit); first = false) {
        const uint32_t number = intern_find(strings, unit);
        const uint32_t name = number < count ? names[number] : number;
        if (first)
            renamed.units = name;
        else
            kernel_metrics_join_units(strings, &renamed, name);
    }
    entry->units = renamed.units;
}

uint32_t kernel_metrics_unit(const struct intern *strings, const struct kernel_metrics *entry)
{
    return str_find(intern_get(strings, entry->units), STR("\n")) == STR_NONE ? entry->units : NO_INDEX;
}

enum code_state kernel_metrics_written_code(const struct kernel_metrics *entry)
{
    return entry->code == CODE_WHOLE ? CODE_UNSTATED : (enum code_state)entry->code;
}

struct kernel_metrics *kernel_metrics_add(struct kernel_metrics_set *set)
{
    struct kernel_metrics *entry = MEM_ADD(set->items, set->count, set->cap);
    *entry = (struct kernel_metrics){.id = NO_INDEX,
                                     .arch = NO_INDEX,
                                     .source = NO_INDEX,
                                     .object = NO_INDEX,
                                     .units = NO_INDEX,
                                     .reason = NO_INDEX,
                                     .kernel = NO_INDEX,
                                     .carveout = -1,
                                     .max_warps = UNKNOWN,
                                     .copies = 1};
    for (int at = 0; at < MEASURE_COUNT; at++)
        entry->values[at] = UNKNOWN;
    return entry;
}

struct kernel_key kernel_metrics_key(const struct kernel_metrics *entry)
{
    return (struct kernel_key){entry->id, entry->arch, entry->source, entry->kind, entry->toolkit};
}

int64_t kernel_metrics_spills(const struct kernel_metrics *entry)
{
    if (entry->values[MEASURE_SPILL_STORES] == UNKNOWN || entry->values[MEASURE_SPILL_LOADS] == UNKNOWN)
        return INT64_MIN;
    return (int64_t)entry->values[MEASURE_SPILL_STORES] + entry->values[MEASURE_SPILL_LOADS];
}

/* ---- order ---- */

static int by_values(const struct kernel_metrics *a, const struct kernel_metrics *b)
{
    int order = 0;
    for (int at = 0; !order && at < MEASURE_COUNT; at++)
        order = number_cmp(a->values[at], b->values[at]);
    if (!order)
        order = number_cmp(a->threads, b->threads);
    return order ? order : number_cmp(a->dynamic_smem_bytes, b->dynamic_smem_bytes);
}

int kernel_metrics_order(const struct intern *strings, const struct kernel_metrics *a, const struct kernel_metrics *b)
{
    int order = str_cmp(intern_get(strings, a->id), intern_get(strings, b->id));
    if (!order)
        order = arch_order(intern_get(strings, a->arch), intern_get(strings, b->arch));
    if (!order)
        order = number_cmp(a->kind, b->kind);
    if (!order)
        order = str_cmp(intern_get(strings, a->source), intern_get(strings, b->source));
    if (!order)
        order = toolkit_order(a->toolkit, b->toolkit);
    if (!order)
        order = by_values(a, b);
    if (!order)
        order = number_cmp(kernel_metrics_written_code(a), kernel_metrics_written_code(b));
    return order ? order : str_cmp(intern_get(strings, a->object), intern_get(strings, b->object));
}

/* ---- occupancy ---- */

int32_t kernel_metrics_warps(const struct intern *strings, const struct kernel_metrics *entry,
                             const struct kernel_metrics *like)
{
    const struct arch *arch = arch_find(intern_get(strings, entry->arch));
    const int32_t *values = entry->values;
    if (!arch || entry->kind != KERNEL_ENTRY || values[MEASURE_REGISTERS] == UNKNOWN || values[MEASURE_SMEM] == UNKNOWN)
        return UNKNOWN;
    struct launch launch = {.threads = like->threads,
                            .registers = values[MEASURE_REGISTERS],
                            .smem_bytes = values[MEASURE_SMEM],
                            .dynamic_smem_bytes = like->dynamic_smem_bytes,
                            .barriers = values[MEASURE_BARRIERS] > 0 ? values[MEASURE_BARRIERS] : 0,
                            .carveout = like->carveout};
    int warps = occupancy_warps(arch, &launch);
    return warps < 0 ? UNKNOWN : warps;
}
