#include "lint/measure_model.h"

#include "baseline/variants.h"
#include "log/command.h"
#include "log/name.h"

#include <stdlib.h>
#include <string.h>

/* What copies are equal in. */
struct copy_key {
    struct kernel_key kernel;
    int32_t threads, dynamic_smem_bytes, carveout;
    int32_t code, values[MEASURE_COUNT];
};

struct measuring {
    struct kernel_metrics_set *set;
    struct linter *linter;
    struct checkout checkout;
    struct intern copies; /* of struct copy_key */
    uint32_t *copy_item;  /* by number of the key: into set.items */
    size_t copy_cap;
    uint32_t *ids; /* by name of the model: number in the set + 1, 0: not asked yet */
    struct buf scratch;
};

static uint32_t id_of(struct measuring *m, uint32_t name)
{
    if (!m->ids[name]) {
        buf_clear(&m->scratch);
        name_identity(intern_get(&m->linter->model->names, name), &m->scratch);
        m->ids[name] = intern_add(m->set->strings, buf_str(&m->scratch)) + 1;
    }
    return m->ids[name] - 1;
}

static uint32_t source_of(struct measuring *m, uint32_t source, uint16_t log)
{
    const struct model *model = m->linter->model;
    buf_clear(&m->scratch);
    checkout_path_of_log(model, log, model_string(model, source), m->checkout, &m->scratch);
    return m->scratch.len ? intern_add(m->set->strings, buf_str(&m->scratch))
                          : NO_INDEX; /* not known, or no file, as "." */
}

static void take_occupancy(struct context *context, struct kernel_metrics *entry)
{
    const struct launch_config *launch_config = &context->launch_config;
    if (entry->kind != KERNEL_ENTRY)
        return;
    entry->threads = launch_config->threads > 0 ? launch_config->threads : 0;
    entry->dynamic_smem_bytes = launch_config->dynamic_smem_bytes > 0 ? (int32_t)launch_config->dynamic_smem_bytes : 0;
    entry->carveout = launch_carveout(launch_config);
    entry->max_warps = context->arch ? context->arch->max_warps_per_sm : UNKNOWN;
    const struct occupancy *occupancy = context_occupancy(context);
    const struct best_step *best = entry->threads ? NULL : context_best_step(context);
    if (occupancy) {
        entry->values[MEASURE_BLOCKS] = occupancy->blocks;
        entry->values[MEASURE_WARPS] = occupancy->warps;
    } else if (best) {
        entry->values[MEASURE_WARPS] = best->warps;
    }
}

/* Removes the last entry of the set if it is a copy of another one, which counts it. Returns the item that stays. */
static uint32_t merge_copy(struct measuring *m)
{
    struct kernel_metrics_set *set = m->set;
    const struct kernel_metrics *last = &set->items[set->count - 1];
    struct copy_key key = {kernel_metrics_key(last), last->threads, last->dynamic_smem_bytes,
                           last->carveout,           last->code,    {0}};
    memcpy(key.values, last->values, sizeof key.values);
    size_t known = m->copies.count;
    uint32_t number = intern_add(&m->copies, (struct str){(const char *)&key, sizeof key});
    if (number < known) {
        kernel_metrics_join_units(set->strings, &set->items[m->copy_item[number]], last->units);
        set->count--;
        set->items[m->copy_item[number]].copies++;
        return m->copy_item[number];
    }
    return *MEM_AT(m->copy_item, m->copy_cap, number) = (uint32_t)set->count - 1;
}

/* The file that was compiled, if it is not the source of the record. */
static uint32_t unit_of(struct measuring *m, const struct kernel *kernel, uint32_t source)
{
    const struct model *model = m->linter->model;
    struct str word;
    buf_clear(&m->scratch);
    if (command_sources_of_log(model, kernel->log, &word) == 1)
        checkout_path_of_word(model, kernel->log, word, m->checkout, &m->scratch);
    const bool known = m->scratch.len && str_find(buf_str(&m->scratch), STR("\n")) == STR_NONE;
    const uint32_t unit = known ? intern_add(m->set->strings, buf_str(&m->scratch)) : NO_INDEX;
    return unit == source ? NO_INDEX : unit;
}

static enum code_state code_of(const struct context *context)
{
    const struct kernel *kernel = context->kernel;
    const bool is_certain = context->model->logs[kernel->log].compiled || kernel->producer == PRODUCER_BINARY;
    if (kernel->kind != KERNEL_ENTRY)
        return CODE_UNSTATED;
    if (context->link)
        return CODE_LINKED;
    if (kernel_is_relocatable(context->model, kernel))
        return CODE_RELOCATABLE;
    return is_certain ? CODE_WHOLE : CODE_UNSTATED;
}

static uint32_t take_record(struct measuring *m, uint32_t number)
{
    const struct model *model = m->linter->model;
    const struct kernel *kernel = &model->kernels[number];
    struct context *context = linter_record(m->linter, number);
    struct kernel_metrics *entry = kernel_metrics_add(m->set);
    entry->id = id_of(m, kernel->name);
    if (kernel->arch_inferred != NO_INDEX)
        entry->arch = intern_add(m->set->strings, model_string(model, kernel->arch_inferred));
    entry->source = source_of(m, kernel->source, kernel->log);
    entry->units = unit_of(m, kernel, entry->source);
    entry->line = context->rare->source_line;
    entry->kernel = number;
    entry->kind = kernel->kind;
    entry->code = (uint8_t)code_of(context);
    entry->debug = kernel->flags & KERNEL_DEBUG;
    entry->ambiguous = kernel->flags & KERNEL_AMBIGUOUS;
    entry->toolkit = model->logs[kernel->log].toolkit;
    for (int at = 0; at < MEASURE_COUNT; at++)
        if (measure_table[at].offset)
            memcpy(&entry->values[at], (const char *)context + measure_table[at].offset, sizeof *entry->values);
    take_occupancy(context, entry);
    return merge_copy(m);
}

/* ---- links ------------------------------------------------------------------------------------------------------ */

static bool is_recorded_link(const struct model *model, uint32_t record)
{
    const struct kernel *kernel = &model->kernels[record];
    return kernel_is_link(kernel) && model->logs[kernel->log].compiled;
}

/* The device link that gave the record its values, if it has a record of `wrap`; else NO_INDEX. */
static uint32_t recorded_link(const struct model *model, uint32_t record)
{
    const uint32_t link = kernel_rare(model, &model->kernels[record])->link;
    if (is_recorded_link(model, record))
        return record;
    return link != NO_INDEX && is_recorded_link(model, link) ? link : NO_INDEX;
}

/* The record of the kernel of a recorded link; links with equal values share one (log/rdc_join.c). Any other record is
 * returned itself. */
static uint32_t kernel_of(const struct model *model, uint32_t record)
{
    const uint32_t kernel = kernel_rare(model, &model->kernels[record])->link;
    return is_recorded_link(model, record) && kernel != NO_INDEX ? kernel : record;
}

/* Adds an entry for each program: one of them may get worse and become equal to another one. */
static void count_links(struct measuring *m, uint32_t *item_of)
{
    const struct model *model = m->linter->model;
    for (uint32_t at = 0; at < model->kernel_count; at++) {
        const uint32_t kernel = kernel_of(model, at);
        if (kernel == at || item_of[kernel] == NO_INDEX || recorded_link(model, kernel) == at)
            continue;
        item_of[at] = item_of[kernel];
        m->set->items[item_of[at]].copies++;
    }
}

/* Gives the link that set the values of a record the item of that record. */
static void give_links_their_items(const struct model *model, uint32_t *item_of)
{
    for (uint32_t at = 0; at < model->kernel_count; at++)
        if (item_of[at] == NO_INDEX)
            item_of[at] = item_of[kernel_of(model, at)];
}

/* ---- variants --------------------------------------------------------------------------------------------------- */

/* The object or program that the record's compile or link made; NO_INDEX: unknown, as in a log. */
static uint32_t object_of(struct measuring *m, uint32_t record)
{
    const struct model *model = m->linter->model;
    const uint32_t link = recorded_link(model, record);
    const uint16_t number = model->kernels[link == NO_INDEX ? record : link].log;
    const struct log_info *log = &model->logs[number];
    const struct str path = model_string(model, log->path); /* as in the command */
    const bool is_named = log->compiled && !str_starts(path, STR("<"));
    buf_clear(&m->scratch);
    if (is_named)
        checkout_path_of_word(model, number, path, m->checkout, &m->scratch);
    return m->scratch.len ? intern_add(m->set->strings, buf_str(&m->scratch)) : NO_INDEX;
}

enum { PLAIN, OF_VARIANTS, OF_BASE_VARIANTS };

/* By item: 1 if it is one of a few variants, in this set or in the base. A kernel of a header may have hundreds. */
static uint8_t *mark_variants(const struct measuring *m, const struct kernel_metrics_set *base)
{
    enum { MOST_VARIANTS = 16 };
    uint8_t *marks = mem_alloc(m->set->count + 1);
    SCOPED(intern) own = {0}, others = {0};
    variants_find(m->set, &own);
    if (base)
        variants_find(base, &others);
    for (size_t at = 0; at < m->set->count; at++) {
        const struct kernel_metrics *entry = &m->set->items[at];
        if (entry->copies <= MOST_VARIANTS)
            marks[at] = variants_have(&others, entry) ? OF_BASE_VARIANTS : variants_have(&own, entry) ? OF_VARIANTS : 0;
    }
    return marks;
}

/* Makes each record of a variant an entry of its own, with its object: one of several equal ones may have got worse. */
static void part_variants(struct measuring *m, const struct kernel_metrics_set *base, uint32_t *item_of)
{
    uint8_t *marks = mark_variants(m, base);
    for (uint32_t at = 0; at < m->linter->model->kernel_count; at++) {
        const uint32_t item = item_of[at];
        const uint32_t object = item != NO_INDEX && marks[item] ? object_of(m, at) : NO_INDEX;
        if (item == NO_INDEX || !marks[item] || (object == NO_INDEX && marks[item] != OF_BASE_VARIANTS))
            continue;
        if (m->set->items[item].kernel != at) {
            struct kernel_metrics *added = kernel_metrics_add(m->set);
            m->set->items[item].copies--;
            *added = m->set->items[item];
            added->copies = 1;
            added->kernel = kernel_of(m->linter->model, at);
            item_of[at] = (uint32_t)m->set->count - 1;
        }
        struct kernel_metrics *variant = &m->set->items[item_of[at]];
        variant->units = unit_of(m, &m->linter->model->kernels[at], variant->source);
        variant->object = object;
    }
    free(marks);
}

/* ---- the whole model -------------------------------------------------------------------------------------------- */

void measure_model(struct kernel_metrics_set *set, struct linter *linter, struct checkout checkout,
                   const struct kernel_metrics_set *base, uint32_t *item_of)
{
    const struct model *model = linter->model;
    struct measuring m = {.set = set, .linter = linter, .checkout = checkout};
    uint32_t *own_items = item_of ? NULL : mem_alloc((model->kernel_count + 1) * sizeof *own_items);
    item_of = item_of ? item_of : own_items;
    m.ids = mem_alloc((model->names.count + 1) * sizeof *m.ids);
    for (uint32_t at = 0; at < model->kernel_count; at++) {
        bool wanted = !context_is_secondary(model, &model->kernels[at]) && linter_selects(linter, at);
        item_of[at] = wanted ? take_record(&m, at) : NO_INDEX;
    }
    count_links(&m, item_of);
    part_variants(&m, base, item_of);
    give_links_their_items(model, item_of);
    free(own_items);
    intern_free(&m.copies);
    free(m.copy_item);
    free(m.ids);
    buf_free(&m.scratch);
}
