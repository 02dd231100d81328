#include "rules/evaluate.h"

#include <math.h>

static struct rule_result result_without_value(enum result_state state)
{
    return (struct rule_result){.worst = -INFINITY, .state = (uint8_t)state};
}

/* 1 + the index of the field that makes the expression unknown, or 0; see struct rule_result. */
static uint16_t find_unknown(const struct rule *rule, const struct expr *expr, struct context *context)
{
    const struct field *field = rule->builtin ? NULL : expr_unknown_field(expr, context);
    return (uint16_t)(field ? field - field_table + 1 : 0);
}

/* The first case that is true fires. Unknown cases are skipped; in a user's rule the result is RESULT_UNKNOWN then,
 * unless another case fires. */
static struct rule_result find_case(const struct rule *rule, struct context *context, const struct str *captures)
{
    struct rule_result none = result_without_value(RESULT_NO);
    for (size_t at = 0; at < rule->case_count; at++) {
        const struct rule_case *one = &rule->cases[at];
        const struct value when = one->when ? expr_eval(one->when, context, captures) : value_bool(true);
        const enum severity severity = rule_case_severity(rule, at);
        if (!when.known && !rule->builtin && none.state == RESULT_NO && severity != SEVERITY_OFF) {
            none.state = RESULT_UNKNOWN;
            none.unknown = find_unknown(rule, one->when, context);
        }
        if (!when.known || !when.boolean)
            continue;
        struct rule_result result = result_without_value(RESULT_FIRES);
        struct value worst = rule->worst ? expr_eval(rule->worst, context, captures) : value_unknown(VALUE_NUMBER);
        result.which = (uint8_t)at;
        result.severity = (uint8_t)severity;
        result.worst = worst.known ? (float)worst.number : -INFINITY;
        return result;
    }
    return none;
}

/* The unstated values that the unknown condition needs: those without which it cannot be true; see struct rule_result.
 */
static uint8_t find_unstated(const struct rule *rule, struct context *context)
{
    const unsigned of_functions = STATED_STACK | STATED_SPILL_STORES | STATED_SPILL_LOADS;
    unsigned all = rule->kind == RULE_KERNEL ? context_unstated(context) : 0, needed = 0;
    if (rule->kind == RULE_KERNEL && context->kernel->kind != KERNEL_ENTRY)
        all &= of_functions;
    if (!all || !expr_may_hold(rule->when, context, all))
        return 0;
    for (unsigned bit = 1; bit <= all; bit <<= 1)
        if (all & bit && !expr_may_hold(rule->when, context, all & ~bit))
            needed |= bit;
    return (uint8_t)(needed ? needed : all);
}

struct rule_result rule_evaluate(const struct rule *rule, struct context *context, const struct str *captures)
{
    const struct value when = rule->when ? expr_eval(rule->when, context, captures) : value_bool(true);
    if (when.known)
        return when.boolean ? find_case(rule, context, captures) : result_without_value(RESULT_NO);
    struct rule_result result = result_without_value(RESULT_UNKNOWN);
    result.unstated = find_unstated(rule, context);
    result.unknown = find_unknown(rule, rule->when, context);
    return result;
}
