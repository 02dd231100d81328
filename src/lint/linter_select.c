#include "lint/linter_private.h"

#include "baseline/compare.h"
#include "baseline/family.h"
#include "config/launch_resolver.h"
#include "log/name.h"

bool linter_selects_arch(const struct linter *linter, uint32_t arch)
{
    return arch_list_has(&linter->options.archs, model_string(linter->model, arch));
}

bool linter_selects_name(struct linter *linter, uint32_t name)
{
    struct linter_private *own = linter->private;
    if (!linter->options.kernel)
        return true;
    if (name == NO_INDEX)
        return false;
    if (!own->name_choice)
        own->name_choice = arena_alloc(&own->arena, linter->model->names.count);
    if (own->name_choice[name] == NOT_ASKED) {
        buf_clear(&own->scratch);
        name_demangle(intern_get(&linter->model->names, name), &own->scratch);
        bool yes = name_match(linter->options.kernel, buf_str(&own->scratch), NULL) == REGEX_YES;
        own->name_choice[name] = yes ? CHOSEN : LEFT_OUT;
    }
    return own->name_choice[name] == CHOSEN;
}

bool linter_selects(struct linter *linter, uint32_t kernel)
{
    const struct kernel *record = &linter->model->kernels[kernel];
    return !(record->flags & KERNEL_COVERED) && linter_selects_arch(linter, record->arch_inferred) &&
           linter_selects_name(linter, record->name);
}

/* The succession of the record's family, if the record is the one that the family is shown with; one record for each
 * family. */
static const struct succession *succession_of(const struct comparison *comparison, const struct pair *pair,
                                              uint32_t kernel)
{
    const struct family *family = family_of(comparison, pair);
    bool is_shown = family && family->shown_new == pair->head;
    return is_shown && comparison->head->items[pair->head].kernel == kernel ? &family->shown : NULL;
}

#define OF_ENTRY(id, member, ...) .member = values[MEASURE_##id],
static void set_base(struct linter *linter, struct context *context, uint32_t kernel)
{
    const struct comparison *comparison = linter->comparison;
    const struct pair *pair = comparison ? compare_of_kernel(comparison, kernel) : NULL;
    if (!pair)
        return;
    context->succession = succession_of(comparison, pair, kernel);
    if (pair->base == NO_INDEX)
        return;
    const struct kernel_metrics *entry = &comparison->base->items[pair->base];
    const struct kernel_metrics *head = &comparison->head->items[pair->head];
    const int32_t lost = pair->deltas[MEASURE_WARPS];
    int32_t values[MEASURE_COUNT], now[MEASURE_COUNT];
    compare_values(comparison, entry, head, values, now);
    context->base = (struct base_values){MEASURES(OF_ENTRY, NO_METRIC).warps = pair->base_warps,
                                         .max_warps = head->max_warps,
                                         .warps_lost = lost == UNKNOWN ? UNKNOWN : -lost,
                                         .replaced_registers = UNKNOWN,
                                         .was_optimised = head->debug && !entry->debug && comparison->any_optimised,
                                         .other_launch = compare_is_other_launch(entry, head)};
}

void linter_set_context(struct linter *linter, struct context *context, uint32_t kernel, uint32_t event,
                        uint32_t launch_config)
{
    const struct model *model = linter->model;
    const struct kernel *record = kernel == NO_INDEX ? NULL : &model->kernels[kernel];
    struct launch_resolver *launches = linter->private->launches;
    if (record && launch_config == NO_INDEX)
        launch_config = launch_resolver_number(launches, record);
    context_set(context, model, record,
                record ? launch_resolver_config(launches, launch_config) : &linter->options.launch_config);
    if (record)
        set_base(linter, context, kernel);
    context->event = event == NO_INDEX ? NULL : &model->events[event];
    context->name_marks = linter->private->name_marks;
}
