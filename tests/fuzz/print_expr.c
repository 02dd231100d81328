#include "print_expr.h"

#include "rules/node.h"

#include <math.h>

enum { OR, AND, NOT, COMPARISON, SUM, PRODUCT, FACTOR };

static const struct {
    uint8_t level;
    const char *sign;
} ops[] = {
    [NODE_NOT] = {NOT, "not "},
    [NODE_MATCHES] = {COMPARISON, " =~ "},
    [NODE_IN] = {COMPARISON, " in "},
    [NODE_ADD] = {SUM, " + "},
    [NODE_SUBTRACT] = {SUM, " - "},
    [NODE_MULTIPLY] = {PRODUCT, " * "},
    [NODE_DIVIDE] = {PRODUCT, " / "},
    [NODE_LESS] = {COMPARISON, " < "},
    [NODE_LESS_EQUAL] = {COMPARISON, " <= "},
    [NODE_GREATER] = {COMPARISON, " > "},
    [NODE_GREATER_EQUAL] = {COMPARISON, " >= "},
    [NODE_EQUAL] = {COMPARISON, " == "},
    [NODE_UNEQUAL] = {COMPARISON, " != "},
    [NODE_AND] = {AND, " and "},
    [NODE_OR] = {OR, " or "},
};

static unsigned level_of(const struct expr *node)
{
    return node->op < sizeof ops / sizeof *ops && ops[node->op].sign ? ops[node->op].level : FACTOR;
}

static void print(const struct expr *node, unsigned least, const struct scope *scope, struct buf *out);

static void print_string(struct str text, struct buf *out)
{
    char quote = str_find_char(text, '\'') == STR_NONE ? '\'' : '"';
    buf_char(out, quote);
    buf_add(out, text);
    buf_char(out, quote);
}

/* The number, or the largest number that can be written if rounding made it larger. */
static double writable(double number)
{
    return number >= 18446744073709551615.0 ? 18446744073709549568.0 : number;
}

/* Chooses a unit that keeps the number below the largest one that can be written, with the remaining decimals. */
static void print_number(double number, enum unit unit, struct buf *out)
{
    bool large = number > writable(number);
    if (unit == UNIT_RATIO)
        buf_fmt(out, "%.15f%%", writable(number * 100));
    else if (unit == UNIT_BYTES && large)
        buf_fmt(out, "%.0fGiB", writable(number / 1073741824));
    else if (unit == UNIT_MS && large)
        buf_fmt(out, "%.0fs", writable(number / 1000));
    else
        buf_fmt(out, "%.*f%s", number >= 1e15 ? 0 : 15, writable(number),
                unit == UNIT_BYTES ? "B"
                : unit == UNIT_MS  ? "ms"
                                   : "");
}

static void print_constant(const struct expr *node, struct buf *out)
{
    const struct value *value = &node->constant;
    switch ((enum value_type)value->type) {
    case VALUE_NUMBER: print_number(value->number, (enum unit)node->unit, out); return;
    case VALUE_BOOL: buf_add(out, value->boolean ? STR("true") : STR("false")); return;
    case VALUE_STRING: print_string(value_text(value), out); return;
    default: buf_fmt(out, "sm_%d", value->arch);
    }
    if (value->variant && value->variant != ARCH_FAMILY)
        buf_char(out, value->variant);
}

static void print_list(const struct expr *node, unsigned least, const char *between, const struct scope *scope,
                       struct buf *out)
{
    for (; node; node = node->next) {
        print(node, least, scope, out);
        buf_add(out, node->next ? str_of(between) : STR(""));
    }
}

static void print_extreme(const struct expr *node, enum node_op op, const struct scope *scope, struct buf *out)
{
    if (node->left->op == op)
        print_extreme(node->left, op, scope, out);
    else
        print(node->left, OR, scope, out);
    buf_add(out, STR(", "));
    print(node->right, OR, scope, out);
}

static void print_factor(const struct expr *node, const struct scope *scope, struct buf *out)
{
    switch ((enum node_op)node->op) {
    case NODE_FIELD: buf_add(out, str_of(node->field->name)); return;
    case NODE_PARAM: buf_add(out, node->param->name); return;
    case NODE_CAPTURE: buf_add(out, scope->captures[node->capture]); return;
    case NODE_CONSTANT: print_constant(node, out); return;
    case NODE_KNOWN:
    case NODE_NUMBER:
        buf_add(out, node->op == NODE_KNOWN ? STR("known(") : STR("number("));
        print(node->left, OR, scope, out);
        break;
    default:
        buf_add(out, node->op == NODE_MIN ? STR("min(") : STR("max("));
        print_extreme(node, (enum node_op)node->op, scope, out);
    }
    buf_char(out, ')');
}

static void print_operator(const struct expr *node, const struct scope *scope, struct buf *out)
{
    unsigned level = ops[node->op].level;
    const char *sign = ops[node->op].sign;
    if (level == AND || level == OR) {
        print_list(node->left, level + 1, sign, scope, out);
        return;
    }
    if (level == NOT)
        buf_add(out, str_of(sign));
    print(node->left, level == COMPARISON ? SUM : level, scope, out);
    if (level == NOT)
        return;
    buf_add(out, str_of(sign));
    if (node->op == NODE_MATCHES)
        print_string(regex_pattern(node->regex), out);
    else if (node->op != NODE_IN)
        print(node->right, level + 1, scope, out);
    else
        buf_char(out, '['), print_list(node->right, SUM, ", ", scope, out), buf_char(out, ']');
}

static void print(const struct expr *node, unsigned least, const struct scope *scope, struct buf *out)
{
    unsigned level = level_of(node);
    buf_add(out, level < least ? STR("(") : STR(""));
    if (level == FACTOR)
        print_factor(node, scope, out);
    else
        print_operator(node, scope, out);
    buf_add(out, level < least ? STR(")") : STR(""));
}

void print_expr(const struct expr *expr, const struct scope *scope, struct buf *out)
{
    print(expr, OR, scope, out);
}

/* ---- equality --------------------------------------------------------------------------------------------------- */

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

static bool same_constant(const struct value *a, const struct value *b)
{
    switch ((enum value_type)a->type) {
    case VALUE_NUMBER: return near(a->number, b->number);
    case VALUE_BOOL: return a->boolean == b->boolean;
    case VALUE_STRING: return str_eq(value_text(a), value_text(b));
    default: return a->arch == b->arch && a->variant == b->variant;
    }
}

bool same_expr(const struct expr *a, const struct expr *b)
{
    for (; a && b; a = a->next, b = b->next) {
        if (a->op != b->op || a->type != b->type || a->unit != b->unit || a->asks != b->asks)
            return false;
        if (a->op == NODE_CONSTANT && !same_constant(&a->constant, &b->constant))
            return false;
        if ((a->op == NODE_FIELD && a->field != b->field) || (a->op == NODE_PARAM && a->param != b->param))
            return false;
        if (!same_expr(a->left, b->left) || !same_expr(a->right, b->right))
            return false;
    }
    return !a && !b;
}
