#include "lint/linter_private.h"

#include <stdlib.h>
#include <string.h>

/* ---- messages ---- */

void linter_mark_names(struct linter *linter)
{
    const struct model *model = linter->model;
    linter->private->name_marks = arena_alloc(&linter->private->arena, model->names.count);
    uint32_t unknown_stack = intern_find(&model->strings, STR("stack-unknown"));
    for (size_t at = 0; unknown_stack != INTERN_NONE && at < model->event_count; at++)
        if (model->events[at].id == unknown_stack && model->events[at].name != NO_INDEX)
            linter->private->name_marks[model->events[at].name] |= MARK_STACK_UNKNOWN;
}

static void index_names(struct linter *linter)
{
    const struct model *model = linter->model;
    struct linter_private *own = linter->private;
    own->first_of_name = arena_alloc(&own->arena, model->names.count * sizeof *own->first_of_name);
    own->next_of_name = arena_alloc(&own->arena, model->kernel_count * sizeof *own->next_of_name);
    memset(own->first_of_name, 0xFF, model->names.count * sizeof *own->first_of_name);
    for (size_t at = model->kernel_count; at-- > 0;) {
        uint32_t *first = &own->first_of_name[model->kernels[at].name];
        own->next_of_name[at] = *first;
        *first = (uint32_t)at;
    }
}

/* True if a is the worse record of one kernel: it spills more, has more stack, or uses more registers, in this order.
 */
static bool is_worse(const struct kernel *a, const struct kernel *b)
{
    int64_t spills_a = (int64_t)a->spill_store_bytes + a->spill_load_bytes;
    int64_t spills_b = (int64_t)b->spill_store_bytes + b->spill_load_bytes;
    if (spills_a != spills_b)
        return spills_a > spills_b;
    return a->stack_bytes != b->stack_bytes ? a->stack_bytes > b->stack_bytes : a->registers > b->registers;
}

bool linter_find_kernel(struct linter *linter, const struct event *event, uint32_t *record, bool *sure)
{
    const struct model *model = linter->model;
    *record = NO_INDEX;
    *sure = true;
    if (event->arch != NO_INDEX && !linter_selects_arch(linter, event->arch))
        return false;
    if (event->name == NO_INDEX)
        return true;
    if (!linter_selects_name(linter, event->name))
        return false;
    if (!linter->private->first_of_name)
        index_names(linter);
    bool left_out = false;
    for (uint32_t at = linter->private->first_of_name[event->name]; at != NO_INDEX;
         at = linter->private->next_of_name[at]) {
        const struct kernel *kernel = &model->kernels[at];
        bool other_arch = event->arch != NO_INDEX && kernel->arch_inferred != event->arch;
        if (other_arch || kernel->log != event->log || context_is_secondary(model, kernel))
            continue;
        if (!linter_selects_arch(linter, kernel->arch_inferred)) {
            left_out = true;
            continue;
        }
        *sure = *record == NO_INDEX || event->arch != NO_INDEX;
        if (*record == NO_INDEX || is_worse(kernel, &model->kernels[*record]))
            *record = at;
    }
    return *record != NO_INDEX || !left_out;
}

bool linter_selects_event(struct linter *linter, uint32_t event)
{
    uint32_t record = NO_INDEX;
    bool sure = false;
    return linter_find_kernel(linter, &linter->model->events[event], &record, &sure);
}

static void lint_event(struct linter *linter, uint32_t at)
{
    struct linter_private *own = linter->private;
    const struct event *event = &linter->model->events[at];
    const struct str name = model_string(linter->model, event->id);
    uint32_t record = NO_INDEX;
    bool set = false, sure = false;
    for (size_t number = 0; number < linter->rules->count; number++) {
        const struct rule *rule = &linter->rules->rules[number];
        if (!rule_is_on(rule) || !str_list_has(&rule->events, name))
            continue;
        if (!set && !linter_find_kernel(linter, event, &record, &sure))
            return;
        if (!set)
            linter_set_context(linter, &own->context, record, at, NO_INDEX);
        set = true;
        struct rule_result result = linter_evaluate(linter, (uint16_t)number, &own->context, NULL);
        if (result.state == RESULT_FIRES)
            linter_add_finding(linter, &result, sure ? record : NO_INDEX, at, NO_INDEX);
        else if (result.state == RESULT_UNKNOWN)
            linter_count_unknown(linter, &result);
    }
}

void linter_messages(struct linter *linter)
{
    linter->private->first_of_messages = linter->finding_count;
    for (uint32_t at = 0; at < linter->model->event_count; at++)
        lint_event(linter, at);
}

/* ---- lines ---- */

static void add_line(struct linter *linter, const struct rule_result *result, uint16_t log, size_t number)
{
    struct linter_private *own = linter->private;
    const struct rule *rule = &linter->rules->rules[result->rule];
    buf_clear(&own->scratch);
    template_render(rule->cases[result->which].message, &own->context, own->captures, &own->scratch);
    *MEM_ADD(linter->lines, linter->line_count, linter->line_cap) = (struct line_match){
        .message = arena_str(&own->arena, buf_str(&own->scratch)), .line = (uint32_t)number, .log = log};
    linter_add_finding(linter, result, NO_INDEX, (uint32_t)linter->line_count - 1, NO_INDEX);
}

void linter_line(struct linter *linter, struct str line, uint16_t log, size_t line_number)
{
    struct linter_private *own = linter->private;
    context_set(&own->context, linter->model, NULL, &linter->options.launch_config);
    for (size_t at = 0; at < linter->rules->count; at++) {
        struct rule *rule = &linter->rules->rules[at];
        if (rule->kind != RULE_PATTERN || !rule_is_on(rule) ||
            regex_match(rule->pattern, line, own->captures) != REGEX_YES)
            continue;
        struct rule_result result = linter_evaluate(linter, (uint16_t)at, &own->context, own->captures);
        if (result.state == RESULT_FIRES)
            add_line(linter, &result, log, line_number);
    }
}
