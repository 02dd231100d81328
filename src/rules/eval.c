/*
 * Evaluation with Kleene's three-valued logic: an operator with an unknown operand is unknown, unless the known operand
 * decides (false and x, true or x). Arithmetic without a finite result, such as a division by zero, is unknown.
 */
#include "rules/node.h"
#include "rules/token.h"

#include <math.h>

struct evaluation {
    struct context *context;
    const struct str *captures;
};

/* Operators are not inlined into eval: it would save their registers for each constant too. */
#define APART __attribute__((noinline))

static struct value eval(const struct expr *node, const struct evaluation *e);

static APART struct value to_number(const struct expr *node, const struct evaluation *e)
{
    struct value value = eval(node->left, e);
    const struct str text = value.known ? str_trim(value_text(&value)) : (struct str){0};
    const bool negative = str_starts(text, STR("-"));
    struct str digits = str_from(text, negative);
    double number = 0;
    if (!token_digits(&digits, &number) || digits.len)
        return value_unknown(VALUE_NUMBER);
    return value_number(negative ? 0 - number : number);
}

static APART struct value arithmetic(const struct expr *node, const struct evaluation *e)
{
    const struct value left = eval(node->left, e), right = eval(node->right, e);
    if (!left.known || !right.known)
        return value_unknown(VALUE_NUMBER);
    double result = NAN;
    switch ((enum node_op)node->op) {
    case NODE_ADD: result = left.number + right.number; break;
    case NODE_SUBTRACT: result = left.number - right.number; break;
    case NODE_MULTIPLY: result = left.number * right.number; break;
    case NODE_DIVIDE: result = left.number / right.number; break;
    case NODE_MIN: return left.number > right.number ? right : left; /* may be infinite, as fields are */
    default: return left.number < right.number ? right : left;
    }
    return isfinite(result) ? value_number(result) : value_unknown(VALUE_NUMBER);
}

/* In an expression sm_90 means the family and equals the sm_90a of a record; sm_90a does not equal a record's sm_90. */
static bool same(const struct value *left, const struct value *right)
{
    switch (left->type) {
    case VALUE_NUMBER: return !(left->number < right->number) && !(left->number > right->number);
    case VALUE_BOOL: return left->boolean == right->boolean;
    case VALUE_STRING: return str_eq(value_text(left), value_text(right));
    default:
        return left->arch == right->arch &&
               (left->variant == ARCH_FAMILY || right->variant == ARCH_FAMILY || left->variant == right->variant);
    }
}

static APART struct value compare(const struct expr *node, const struct evaluation *e)
{
    const struct value left = eval(node->left, e);
    if (!left.known)
        return value_unknown(VALUE_BOOL);
    const struct value right = node->right->op == NODE_CONSTANT ? node->right->constant : eval(node->right, e);
    if (!right.known)
        return value_unknown(VALUE_BOOL);
    if (node->op == NODE_EQUAL || node->op == NODE_UNEQUAL)
        return value_bool(same(&left, &right) == (node->op == NODE_EQUAL));
    const double a = left.type == VALUE_NUMBER ? left.number : left.arch; /* nothing else has an order */
    const double b = left.type == VALUE_NUMBER ? right.number : right.arch;
    switch ((enum node_op)node->op) {
    case NODE_LESS: return value_bool(a < b);
    case NODE_LESS_EQUAL: return value_bool(a <= b);
    case NODE_GREATER: return value_bool(a > b);
    default: return value_bool(a >= b);
    }
}

/* A false operand decides `and` alone, a true one `or`. */
static APART struct value logical(const struct expr *node, const struct evaluation *e)
{
    const bool decides = node->op == NODE_OR;
    struct value result = value_bool(!decides);
    for (const struct expr *operand = node->left; operand; operand = operand->next) {
        const struct value value = eval(operand, e);
        if (value.known && value.boolean == decides)
            return value;
        if (!value.known)
            result = value;
    }
    return result;
}

/* A member that is equal decides alone. */
static APART struct value in_list(const struct expr *node, const struct evaluation *e)
{
    const struct value left = eval(node->left, e);
    struct value result = left.known ? value_bool(false) : value_unknown(VALUE_BOOL);
    for (const struct expr *member = node->right; left.known && member; member = member->next) {
        const struct value value = eval(member, e);
        if (value.known && same(&left, &value))
            return value_bool(true);
        if (!value.known)
            result = value_unknown(VALUE_BOOL);
    }
    return result;
}

static APART struct value matches(const struct expr *node, const struct evaluation *e)
{
    const struct value left = eval(node->left, e);
    enum regex_result result = left.known ? regex_match(node->regex, value_text(&left), NULL) : REGEX_LIMIT;
    return result == REGEX_LIMIT ? value_unknown(VALUE_BOOL) : value_bool(result == REGEX_YES);
}

static struct value eval(const struct expr *node, const struct evaluation *e)
{
    struct value value;
    switch ((enum node_op)node->op) {
    case NODE_CONSTANT: return node->constant;
    case NODE_FIELD: return field_get(node->field, e->context);
    case NODE_PARAM: return node->param->value;
    case NODE_CAPTURE: return e->captures ? value_string(e->captures[node->capture]) : value_unknown(VALUE_STRING);
    case NODE_KNOWN: return value_bool(eval(node->left, e).known);
    case NODE_NUMBER: return to_number(node, e);
    case NODE_MATCHES: return matches(node, e);
    case NODE_IN: return in_list(node, e);
    case NODE_NOT: value = eval(node->left, e); return value.known ? value_bool(!value.boolean) : value;
    case NODE_AND:
    case NODE_OR: return logical(node, e);
    case NODE_ADD:
    case NODE_SUBTRACT:
    case NODE_MULTIPLY:
    case NODE_DIVIDE:
    case NODE_MIN:
    case NODE_MAX: return arithmetic(node, e);
    default: return compare(node, e);
    }
}

/* True if the node could be `wanted` with some values in place of the unstated ones. */
static bool may_be(const struct expr *node, const struct evaluation *e, unsigned unstated, bool wanted)
{
    if (node->op == NODE_NOT)
        return may_be(node->left, e, unstated, !wanted);
    if (node->op == NODE_AND || node->op == NODE_OR) {
        bool all = (node->op == NODE_AND) == wanted;
        for (const struct expr *operand = node->left; operand; operand = operand->next)
            if (may_be(operand, e, unstated, wanted) != all)
                return !all;
        return all;
    }
    struct value value = eval(node, e);
    if (value.known)
        return value.boolean == wanted;
    context_assume(e->context, unstated);
    value = eval(node, e);
    context_forget(e->context, unstated);
    return value.known;
}

bool expr_may_hold(const struct expr *expr, struct context *context, unsigned unstated)
{
    return may_be(expr, &(struct evaluation){context, NULL}, unstated, true);
}

/* The first unknown field in the node and its next siblings. */
static const struct field *unknown_field(const struct expr *node, const struct evaluation *e)
{
    const struct field *found = NULL;
    for (; node && !found; node = node->next) {
        if (eval(node, e).known)
            continue;
        found = node->op == NODE_FIELD ? node->field : unknown_field(node->left, e);
        found = found ? found : unknown_field(node->right, e);
    }
    return found;
}

const struct field *expr_unknown_field(const struct expr *expr, struct context *context)
{
    return unknown_field(expr, &(struct evaluation){context, NULL});
}

struct value expr_eval(const struct expr *expr, struct context *context, const struct str *captures)
{
    return eval(expr, &(struct evaluation){context, captures});
}
