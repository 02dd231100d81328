#include "lint/judge_private.h"

#include "baseline/compare.h"
#include "baseline/family.h"
#include "config/launch_resolver.h"
#include "log/name.h"

bool judge_selects_arch(struct judge *judge, uint32_t arch)
{
    struct judge_private *own = judge->private;
    if (judge->options.arch_count == 0)
        return true;
    if (arch == NO_INDEX)
        return false;
    if (!own->arch_choice)
        own->arch_choice = mem_alloc(judge->model->strings.count);
    if (own->arch_choice[arch] == NOT_ASKED)
        own->arch_choice[arch] =
            arch_list_has(judge->options.archs, judge->options.arch_count, model_string(judge->model, arch)) ? CHOSEN
                                                                                                             : LEFT_OUT;
    return own->arch_choice[arch] == CHOSEN;
}

bool judge_selects_name(struct judge *judge, uint32_t name)
{
    struct judge_private *own = judge->private;
    if (!judge->options.kernel)
        return true;
    if (name == NO_INDEX)
        return false;
    if (!own->name_choice)
        own->name_choice = mem_alloc(judge->model->names.count);
    if (own->name_choice[name] == NOT_ASKED) {
        buf_clear(&own->scratch);
        name_demangle(intern_get(&judge->model->names, name), &own->scratch);
        bool yes = regex_match(judge->options.kernel, buf_str(&own->scratch), NULL) == REGEX_YES;
        own->name_choice[name] = yes ? CHOSEN : LEFT_OUT;
    }
    return own->name_choice[name] == CHOSEN;
}

bool judge_selects(struct judge *judge, uint32_t kernel)
{
    const struct kernel *record = &judge->model->kernels[kernel];
    return !(record->flags & KERNEL_COVERED) && judge_selects_arch(judge, record->arch_inferred) &&
           judge_selects_name(judge, record->name);
}

/* Of the family that the record is shown for: one record for each. */
static const struct succession *succession_of(const struct comparison *comparison, const struct pair *pair,
                                              uint32_t kernel)
{
    if (pair->family == NO_INDEX || comparison->head->items[pair->head].kernel != kernel)
        return NULL;
    const struct family *family = &comparison->families[pair->family];
    return family->shown_new == pair->head ? &family->shown : NULL;
}

#define OF_ENTRY(id, member, ...) .member = values[MEASURE_##id],
static void set_base(struct judge *judge, struct subject *subject, uint32_t kernel)
{
    struct base_values *base = &subject->base;
    const struct comparison *comparison = judge->comparison;
    const struct pair *pair = comparison ? compare_of_kernel(comparison, kernel) : NULL;
    if (!pair)
        return;
    subject->succession = succession_of(comparison, pair, kernel);
    if (pair->base == NO_INDEX)
        return;
    const struct kernel_metrics *entry = &comparison->base->items[pair->base];
    const int32_t *values = entry->values, lost = pair->deltas[MEASURE_WARPS];
    *base = (struct base_values){MEASURES(OF_ENTRY, NO_METRIC).warps = pair->base_warps,
                                 .max_warps = comparison->head->items[pair->head].max_warps,
                                 .warps_lost = lost == UNKNOWN ? UNKNOWN : -lost, .replaced_registers = UNKNOWN};
}

/* The configuration of the launch that is being judged or shown. */
static const struct launch_config *launch_config_of(struct judge *judge, const struct kernel *record)
{
    struct judge_private *own = judge->private;
    uint32_t number =
        own->other_launch_config != NO_INDEX ? own->other_launch_config : launch_resolver_number(own->launches, record);
    return launch_resolver_config(own->launches, number);
}

void judge_set_subject(struct judge *judge, struct subject *subject, uint32_t kernel, uint32_t event)
{
    const struct model *model = judge->model;
    const struct kernel *record = kernel == NO_INDEX ? NULL : &model->kernels[kernel];
    const struct launch_config *launch_config = &judge->options.launch_config;
    if (record)
        launch_config = launch_config_of(judge, record);
    subject_set(subject, model, record, launch_config);
    if (record)
        set_base(judge, subject, kernel);
    subject->event = event == NO_INDEX ? NULL : &model->events[event];
    subject->name_marks = judge->private->name_marks;
}
