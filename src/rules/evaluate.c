#include "rules/evaluate.h"

#include <math.h>

static struct rule_result without(enum result_state state)
{
    return (struct rule_result){.worst = -INFINITY, .state = (uint8_t)state};
}

/* The first case that is true fires; one that cannot be known is passed over. */
static struct rule_result find_case(const struct rule *rule, struct context *context, const struct str *captures)
{
    for (size_t at = 0; at < rule->case_count; at++) {
        const struct rule_case *one = &rule->cases[at];
        const struct value when = one->when ? expr_eval(one->when, context, captures) : value_bool(true);
        if (!when.known || !when.boolean)
            continue;
        struct rule_result result = without(RESULT_FIRES);
        struct value worst = rule->worst ? expr_eval(rule->worst, context, captures) : value_unknown(VALUE_NUMBER);
        result.which = (uint8_t)at;
        result.severity = (uint8_t)rule_case_severity(rule, at);
        result.worst = worst.known ? (float)worst.number : -INFINITY;
        return result;
    }
    return without(RESULT_NO);
}

/* Of a condition that is unknown of a kernel: see struct rule_result. What cannot be left out is needed. */
static uint8_t find_unstated(const struct rule *rule, struct context *context)
{
    bool is_entry = rule->kind == RULE_KERNEL && context->kernel->kind == KERNEL_ENTRY;
    unsigned all = is_entry ? context_unstated(context) : 0, needed = 0;
    if (!all || !expr_may_hold(rule->when, context, all))
        return 0;
    for (unsigned bit = 1; bit <= all; bit <<= 1)
        if (all & bit && !expr_may_hold(rule->when, context, all & ~bit))
            needed |= bit;
    return (uint8_t)(needed ? needed : all);
}

static uint16_t find_unknown(const struct rule *rule, struct context *context)
{
    const struct field *field = rule->builtin ? NULL : expr_unknown_field(rule->when, context);
    return (uint16_t)(field ? field - field_table + 1 : 0);
}

struct rule_result rule_evaluate(const struct rule *rule, struct context *context, const struct str *captures)
{
    const struct value when = rule->when ? expr_eval(rule->when, context, captures) : value_bool(true);
    if (when.known)
        return when.boolean ? find_case(rule, context, captures) : without(RESULT_NO);
    struct rule_result result = without(RESULT_UNKNOWN);
    result.unstated = find_unstated(rule, context);
    result.unknown = find_unknown(rule, context);
    return result;
}
