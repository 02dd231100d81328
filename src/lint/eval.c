/*
 * Evaluation: three-valued after Kleene. An operator with an unknown operand is unknown, unless the known one decides
 * by itself (false and x, true or x). That also makes it safe to ask with some fields not filled in yet: what is known
 * then stays so whatever they turn out to be (known() itself is unknown for them).
 */
#include "lint/node.h"

#include <math.h>

struct evaluation {
    struct subject *subject;
    const struct str *captures;
};

static struct value eval(const struct expr *node, const struct evaluation *e);

static struct value unknown(const struct expr *node)
{
    return value_unknown((enum value_type)node->type);
}

/* A number that is none (a division by zero) is not known. */
static struct value finite(double number)
{
    return isfinite(number) ? value_number(number) : value_unknown(VALUE_NUMBER);
}

static struct value arithmetic(enum node_op op, double left, double right)
{
    switch (op) {
    case NODE_ADD: return finite(left + right);
    case NODE_SUBTRACT: return finite(left - right);
    case NODE_MULTIPLY: return finite(left * right);
    case NODE_DIVIDE: return right != 0 ? finite(left / right) : value_unknown(VALUE_NUMBER);
    case NODE_MIN: return value_number(left < right ? left : right);
    default: return value_number(left > right ? left : right);
    }
}

static bool ordered(enum node_op op, double left, double right)
{
    switch (op) {
    case NODE_LESS: return left < right;
    case NODE_LESS_EQUAL: return left <= right;
    case NODE_GREATER: return left > right;
    default: return left >= right;
    }
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
    case VALUE_NUMBER: return !(left->number < right->number) && !(left->number > right->number);
    case VALUE_BOOL: return left->boolean == right->boolean;
    case VALUE_STRING: return str_eq(left->string, right->string);
    default: return same_arch(left, right);
    }
}

static struct value compare(enum node_op op, const struct value *left, const struct value *right)
{
    if (op == NODE_EQUAL || op == NODE_UNEQUAL)
        return value_bool(same(left, right) == (op == NODE_EQUAL));
    if (left->type == VALUE_ARCH)
        return value_bool(ordered(op, left->arch, right->arch));
    return value_bool(ordered(op, left->number, right->number));
}

static struct value binary(const struct expr *node, const struct evaluation *e)
{
    struct value left = eval(node->left, e);
    struct value right = left.known ? eval(node->right, e) : left;
    if (!left.known || !right.known)
        return unknown(node);
    enum node_op op = (enum node_op)node->op;
    return op <= NODE_MAX ? arithmetic(op, left.number, right.number) : compare(op, &left, &right);
}

/* The value that decides alone: false for and, true for or. */
static struct value logical(const struct expr *node, const struct evaluation *e, bool decides)
{
    struct value left = eval(node->left, e);
    if (left.known && left.boolean == decides)
        return left;
    struct value right = eval(node->right, e);
    if (right.known && right.boolean == decides)
        return right;
    return left.known && right.known ? value_bool(!decides) : unknown(node);
}

/* Found in the list: true. Else unknown as long as one of its members is. */
static struct value in_list(const struct expr *node, const struct evaluation *e)
{
    struct value left = eval(node->left, e);
    bool all_known = left.known;
    for (const struct expr *member = node->right; left.known && member; member = member->next) {
        struct value value = eval(member, e);
        if (value.known && same(&left, &value))
            return value_bool(true);
        all_known = all_known && value.known;
    }
    return all_known ? value_bool(false) : unknown(node);
}

static struct value matches(const struct expr *node, const struct evaluation *e)
{
    struct value left = eval(node->left, e);
    if (!left.known)
        return unknown(node);
    enum regex_result result = regex_match(node->regex, left.string, NULL);
    return result == REGEX_LIMIT ? unknown(node) : value_bool(result == REGEX_YES);
}

static struct value is_known(const struct expr *node, const struct evaluation *e)
{
    struct value value = eval(node->left, e);
    if (!value.known && e->subject->abstract && !node->key)
        return unknown(node);
    return value_bool(value.known);
}

static struct value to_number(const struct expr *node, const struct evaluation *e)
{
    struct value value = eval(node->left, e);
    struct str digits = value.known ? str_trim(value.string) : (struct str){0};
    int64_t number = 0;
    return str_int(&digits, &number) && digits.len == 0 ? value_number((double)number) : value_unknown(VALUE_NUMBER);
}

static struct value capture(const struct expr *node, const struct evaluation *e)
{
    return e->captures ? value_string(e->captures[node->capture]) : unknown(node);
}

static struct value eval(const struct expr *node, const struct evaluation *e)
{
    switch ((enum node_op)node->op) {
    case NODE_CONSTANT: return node->constant;
    case NODE_FIELD: return field_get(node->field, e->subject);
    case NODE_PARAM: return node->param->value;
    case NODE_CAPTURE: return capture(node, e);
    case NODE_KNOWN: return is_known(node, e);
    case NODE_NUMBER: return to_number(node, e);
    case NODE_MATCHES: return matches(node, e);
    case NODE_IN: return in_list(node, e);
    case NODE_AND: return logical(node, e, false);
    case NODE_OR: return logical(node, e, true);
    case NODE_NOT: {
        struct value value = eval(node->left, e);
        return value.known ? value_bool(!value.boolean) : value;
    }
    default: return binary(node, e);
    }
}

struct value expr_eval(const struct expr *expr, struct subject *subject, const struct str *captures)
{
    return eval(expr, &(struct evaluation){subject, captures});
}
