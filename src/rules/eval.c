/*
 * Evaluation: three-valued after Kleene. An operator with an unknown operand is unknown, unless the known one decides
 * by itself (false and x, true or x).
 */
#include "rules/node.h"

#include <math.h>

struct evaluation {
    struct context *context;
    const struct str *captures;
};

/*
 * Most of a rule is numbers and truth, and most rules are asked of every set of metrics: these two kinds of value go
 * through registers, and what is asked for seldom stays out of the way. A number that is none (a division by zero) is
 * not known.
 */
#define NO_NUMBER ((double)NAN)
#define APART     __attribute__((noinline))

static struct value eval(const struct expr *node, const struct evaluation *e);
static enum truth truth(const struct expr *node, const struct evaluation *e);
static double number(const struct expr *node, const struct evaluation *e);

static struct value capture(const struct expr *node, const struct evaluation *e)
{
    return e->captures ? value_string(e->captures[node->capture]) : value_unknown(VALUE_STRING);
}

/* What is no operator. */
static APART struct value leaf(const struct expr *node, const struct evaluation *e)
{
    switch ((enum node_op)node->op) {
    case NODE_FIELD: return field_get(node->field, e->context);
    case NODE_PARAM: return node->param->value;
    case NODE_CAPTURE: return capture(node, e);
    default: return node->constant;
    }
}

/* ---- numbers ---- */

static double finite(double value)
{
    return isfinite(value) ? value : NO_NUMBER;
}

/* NO_NUMBER goes through the first four by itself. */
static double arithmetic(enum node_op op, double left, double right)
{
    switch (op) {
    case NODE_ADD: return finite(left + right);
    case NODE_SUBTRACT: return finite(left - right);
    case NODE_MULTIPLY: return finite(left * right);
    case NODE_DIVIDE: return right != 0 ? finite(left / right) : NO_NUMBER;
    case NODE_MIN: return isnan(right) || left > right ? right : left;
    default: return isnan(right) || left < right ? right : left;
    }
}

static APART double to_number(const struct expr *node, const struct evaluation *e)
{
    struct value value = eval(node->left, e);
    struct str digits = value.known ? str_trim(value.string) : (struct str){0};
    int64_t whole = 0;
    return str_int(&digits, &whole) && digits.len == 0 ? (double)whole : NO_NUMBER;
}

static APART double field_other(const struct expr *node, const struct evaluation *e)
{
    struct value value = field_get(node->field, e->context);
    return value.known ? value.number : NO_NUMBER;
}

/* number, with what stands in nearly every comparison done in place. */
static inline double operand(const struct expr *node, const struct evaluation *e)
{
    if (node->op == NODE_CONSTANT)
        return node->constant.number;
    if (node->op == NODE_FIELD && node->field->metric)
        return field_metric(node->field, e->context);
    return number(node, e);
}

static double number(const struct expr *node, const struct evaluation *e)
{
    switch ((enum node_op)node->op) {
    case NODE_CONSTANT: return node->constant.number;
    case NODE_FIELD: return field_other(node, e);
    case NODE_PARAM: return node->param->value.number;
    case NODE_NUMBER: return to_number(node, e);
    default: return arithmetic((enum node_op)node->op, operand(node->left, e), operand(node->right, e));
    }
}

/* ---- truth ---- */

static enum truth truth_of(bool yes)
{
    return yes ? TRUTH_YES : TRUTH_NO;
}

static bool ordered(enum node_op op, double left, double right)
{
    switch (op) {
    case NODE_LESS: return left < right;
    case NODE_LESS_EQUAL: return left <= right;
    case NODE_GREATER: return left > right;
    case NODE_GREATER_EQUAL: return left >= right;
    case NODE_EQUAL: return !(left < right) && !(left > right);
    default: return left < right || left > right;
    }
}

static APART enum truth compare_numbers(const struct expr *node, const struct evaluation *e)
{
    double left = operand(node->left, e);
    if (isnan(left))
        return TRUTH_UNKNOWN;
    double right = operand(node->right, e);
    return isnan(right) ? TRUTH_UNKNOWN : truth_of(ordered((enum node_op)node->op, left, right));
}

/* The value of a node, in *room where it has to be made. */
static const struct value *view(const struct expr *node, const struct evaluation *e, struct value *room)
{
    if (node->op == NODE_CONSTANT)
        return &node->constant;
    *room = node->op == NODE_FIELD ? field_get(node->field, e->context) : eval(node, e);
    return room;
}

/* sm_90 written in an expression stands for its family and equals sm_90a; sm_90a does not equal a record's sm_90. */
static bool same_arch(const struct value *left, const struct value *right)
{
    bool family = left->variant == ARCH_FAMILY || right->variant == ARCH_FAMILY;
    return left->arch == right->arch && (family || left->variant == right->variant);
}

static bool same(const struct value *left, const struct value *right)
{
    switch (left->type) {
    case VALUE_NUMBER: return ordered(NODE_EQUAL, left->number, right->number);
    case VALUE_BOOL: return left->boolean == right->boolean;
    case VALUE_STRING: return str_eq(left->string, right->string);
    default: return same_arch(left, right);
    }
}

static APART enum truth compare_others(const struct expr *node, const struct evaluation *e)
{
    enum node_op op = (enum node_op)node->op;
    struct value left_room, right_room;
    const struct value *left = view(node->left, e, &left_room);
    const struct value *right = left->known ? view(node->right, e, &right_room) : left;
    if (!left->known || !right->known)
        return TRUTH_UNKNOWN;
    if (op == NODE_EQUAL || op == NODE_UNEQUAL)
        return truth_of(same(left, right) == (op == NODE_EQUAL));
    return truth_of(ordered(op, left->arch, right->arch));
}

/* One operand may decide alone: a false one of `and`, a true one of `or`. */
static APART enum truth logical(const struct expr *node, const struct evaluation *e, enum truth decides,
                                enum truth otherwise)
{
    enum truth result = otherwise;
    for (const struct expr *operand = node->left; operand; operand = operand->next) {
        enum truth of = truth(operand, e);
        if (of == decides)
            return of;
        if (of == TRUTH_UNKNOWN)
            result = of;
    }
    return result;
}

/* Found in the list: true. Else unknown as long as one of its members is. */
static APART enum truth in_list(const struct expr *node, const struct evaluation *e)
{
    struct value left_room, room;
    const struct value *left = view(node->left, e, &left_room);
    bool all_known = left->known;
    for (const struct expr *member = node->right; left->known && member; member = member->next) {
        const struct value *value = view(member, e, &room);
        if (value->known && same(left, value))
            return TRUTH_YES;
        all_known = all_known && value->known;
    }
    return all_known ? TRUTH_NO : TRUTH_UNKNOWN;
}

static APART enum truth matches(const struct expr *node, const struct evaluation *e)
{
    struct value left = eval(node->left, e);
    if (!left.known)
        return TRUTH_UNKNOWN;
    enum regex_result result = regex_match(node->regex, left.string, NULL);
    return result == REGEX_LIMIT ? TRUTH_UNKNOWN : truth_of(result == REGEX_YES);
}

static APART bool is_known_other(const struct expr *node, const struct evaluation *e)
{
    return eval(node, e).known;
}

static APART enum truth is_known(const struct expr *node, const struct evaluation *e)
{
    bool known = node->left->type == VALUE_NUMBER ? !isnan(operand(node->left, e)) : is_known_other(node->left, e);
    return truth_of(known);
}

static APART enum truth opposite(const struct expr *node, const struct evaluation *e)
{
    enum truth of = truth(node, e);
    return of == TRUTH_UNKNOWN ? of : truth_of(of == TRUTH_NO);
}

static APART enum truth truth_of_leaf(const struct expr *node, const struct evaluation *e)
{
    struct value value = leaf(node, e);
    return value.known ? truth_of(value.boolean) : TRUTH_UNKNOWN;
}

static enum truth truth(const struct expr *node, const struct evaluation *e)
{
    switch ((enum node_op)node->op) {
    case NODE_KNOWN: return is_known(node, e);
    case NODE_MATCHES: return matches(node, e);
    case NODE_IN: return in_list(node, e);
    case NODE_AND: return logical(node, e, TRUTH_NO, TRUTH_YES);
    case NODE_OR: return logical(node, e, TRUTH_YES, TRUTH_NO);
    case NODE_NOT: return opposite(node->left, e);
    case NODE_CONSTANT:
    case NODE_FIELD:
    case NODE_PARAM: return truth_of_leaf(node, e);
    default: return node->left->type == VALUE_NUMBER ? compare_numbers(node, e) : compare_others(node, e);
    }
}

/* ---- every type ---- */

static struct value eval(const struct expr *node, const struct evaluation *e)
{
    if (node->op <= NODE_CAPTURE)
        return leaf(node, e);
    if (node->type == VALUE_NUMBER) {
        double value = number(node, e);
        return isnan(value) ? value_unknown(VALUE_NUMBER) : value_number(value);
    }
    enum truth value = truth(node, e);
    return value == TRUTH_UNKNOWN ? value_unknown(VALUE_BOOL) : value_bool(value == TRUTH_YES);
}

/* The node could be `wanted` with some values of what is unstated. */
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
    enum truth of = truth(node, e);
    if (of != TRUTH_UNKNOWN)
        return (of == TRUTH_YES) == wanted;
    context_assume(e->context, unstated);
    of = truth(node, e);
    context_forget(e->context, unstated);
    return of != TRUTH_UNKNOWN;
}

bool expr_may_hold(const struct expr *expr, struct context *context, unsigned unstated)
{
    return may_be(expr, &(struct evaluation){context, NULL}, unstated, true);
}

enum truth expr_truth(const struct expr *expr, struct context *context, const struct str *captures)
{
    return truth(expr, &(struct evaluation){context, captures});
}

struct value expr_eval(const struct expr *expr, struct context *context, const struct str *captures)
{
    return eval(expr, &(struct evaluation){context, captures});
}
