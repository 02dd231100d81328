/*
 * The language:
 *
 *   expr       = conjunct { "or" conjunct }
 *   conjunct   = negation { "and" negation }
 *   negation   = "not" negation | comparison
 *   comparison = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum | ["not"] "in" "[" sum {"," sum} "]" | "=~" string ]
 *   sum        = product { ("+" | "-") product }
 *   product    = factor { ("*" | "/") factor }
 *   factor     = "-" factor | number [unit] | string | "true" | "false" | architecture | name
 *              | "(" expr ")" | ("known" | "number") "(" expr ")" | ("min" | "max") "(" expr {"," expr} ")"
 *
 * Comparisons cannot be chained. Every function below returns a node, never NULL. After a type error the node is broken
 * and parsing goes on, so all type errors are found; only a syntax error ends parsing.
 */
#include "rules/expr.h"

#include "base/yml.h"
#include "rules/node.h"
#include "rules/token.h"

enum { DEEPEST = 50, MOST_NODES = 4096 };

struct parser {
    struct str text;
    struct token token; /* the present one */
    const struct scope *scope;
    struct origin origin;
    struct arena *arena;
    struct diags *diags; /* NULL after a syntax error: its consequences are not reported */
    size_t depth, nodes;
};

static struct expr *parse_or(struct parser *p);

static struct place place_of(const struct parser *p, size_t at, size_t width)
{
    if (p->origin.node)
        return yml_scalar_place(p->origin.yaml, p->origin.node, p->origin.offset + at, width);
    return (struct place){.path = STR("expression"), .line = 1, .column = at + 1, .source = p->text, .width = width};
}

static struct place place_of_token(const struct parser *p, const struct token *token)
{
    return place_of(p, token->at, token->width);
}

/* ---- tokens ---- */

static void advance(struct parser *p)
{
    p->token = token_next(p->text, p->token.at + p->token.width);
}

/* Ends parsing: every loop and every list finds the end of the text. */
static void stop(struct parser *p)
{
    p->diags = NULL;
    p->token = (struct token){.kind = TOKEN_END, .at = p->text.len, .width = 1};
}

static struct expr *new_node(struct parser *p, enum node_op op)
{
    struct expr *node = arena_alloc(p->arena, sizeof *node);
    node->op = (uint8_t)op;
    if (++p->nodes > MOST_NODES && p->diags) {
        diag_error(p->diags, place_of_token(p, &p->token), "the expression is too long");
        stop(p);
    }
    return node;
}

static struct expr *new_broken_node(struct parser *p)
{
    struct expr *node = new_node(p, NODE_CONSTANT);
    node->type = TYPE_BROKEN;
    return node;
}

/* Reports a syntax error at the present token. */
static struct expr *report_unexpected(struct parser *p, const char *expected)
{
    SCOPED(buf) found = {0};
    token_describe(&p->token, &found);
    if (p->token.kind == TOKEN_ERROR)
        diag_error(p->diags, place_of_token(p, &p->token), "%s", p->token.fault);
    else
        diag_error(p->diags, place_of_token(p, &p->token), "found %.*s, expected %s", STR_ARG(buf_str(&found)),
                   expected);
    stop(p);
    return new_broken_node(p);
}

static bool accept(struct parser *p, enum token_kind kind)
{
    if (p->token.kind != kind)
        return false;
    advance(p);
    return true;
}

static bool expect(struct parser *p, enum token_kind kind, const char *what)
{
    if (accept(p, kind))
        return true;
    report_unexpected(p, what);
    return false;
}

/* ---- types ---- */

static bool is_broken(const struct expr *node)
{
    return node->type == TYPE_BROKEN;
}

/* True if the operand has the type that the operator needs. Otherwise an error was reported, now or before. */
static bool wants(struct parser *p, const struct token *op, const struct expr *node, enum value_type type)
{
    if (is_broken(node))
        return false;
    if (node->type == type)
        return true;
    return diag_error(p->diags, place_of_token(p, op), "'%.*s' needs %s, found %s", STR_ARG(op->text),
                      value_type_name(type), value_type_name((enum value_type)node->type));
}

/* hint: appended to the message, what to write instead. */
static bool units_fit(struct parser *p, const struct token *op, const struct expr *left, const struct expr *right,
                      const char *hint)
{
    if (left->unit == right->unit || left->unit == UNIT_NONE || right->unit == UNIT_NONE)
        return true;
    return diag_error(p->diags, place_of_token(p, op), "'%.*s' mixes %s and %s%s", STR_ARG(op->text),
                      unit_name((enum unit)left->unit), unit_name((enum unit)right->unit), hint);
}

/* The unit of a product or a quotient, if it still has one. */
static uint8_t scaled_unit(enum node_op op, const struct expr *left, const struct expr *right)
{
    bool left_scales = left->unit == UNIT_NONE || left->unit == UNIT_RATIO;
    bool right_scales = right->unit == UNIT_NONE || right->unit == UNIT_RATIO;
    if (right_scales && !(op == NODE_DIVIDE && right->unit == UNIT_RATIO && left->unit == UNIT_RATIO))
        return left->unit == UNIT_NONE && op == NODE_MULTIPLY ? right->unit : left->unit;
    return left_scales && op == NODE_MULTIPLY ? right->unit : UNIT_NONE;
}

static struct expr *binary(struct parser *p, enum node_op op, struct expr *left, struct expr *right)
{
    struct expr *node = new_node(p, op);
    node->left = left;
    node->right = right;
    node->asks = left->asks | right->asks;
    return node;
}

static struct expr *arithmetic(struct parser *p, enum node_op op, const struct token *token, struct expr *left,
                               struct expr *right)
{
    struct expr *node = binary(p, op, left, right);
    node->type = VALUE_NUMBER;
    bool numbers = wants(p, token, left, VALUE_NUMBER);
    numbers = wants(p, token, right, VALUE_NUMBER) && numbers; /* both errors are reported */
    if (op == NODE_MULTIPLY || op == NODE_DIVIDE) {
        node->unit = scaled_unit(op, left, right);
    } else {
        numbers = numbers && units_fit(p, token, left, right, "");
        node->unit = left->unit != UNIT_NONE ? left->unit : right->unit;
    }
    if (!numbers)
        node->type = TYPE_BROKEN;
    return node;
}

/* Refuses a share compared with a plain number above 1: percent is meant. */
static bool shares_fit(struct parser *p, const struct token *op, const struct expr *left, const struct expr *right)
{
    const struct expr *number = right->op == NODE_CONSTANT ? right : left, *share = number == right ? left : right;
    if (share->op != NODE_FIELD || share->unit != UNIT_RATIO || number->op != NODE_CONSTANT ||
        number->unit != UNIT_NONE || number->constant.number <= 1)
        return true;
    return diag_error(p->diags, place_of_token(p, op),
                      "'%.*s' compares '%s', a share of 1, with a number above 1: write 50%% or 0.5", STR_ARG(op->text),
                      share->field->name);
}

/* Refuses a text that the field can never have: kind == 'kernel'. */
static bool word_fits(struct parser *p, const struct token *token, const struct expr *left, const struct expr *right)
{
    const struct expr *text = right->op == NODE_CONSTANT ? right : left, *field = text == right ? left : right;
    SCOPED(buf) words = {0};
    if (text->op != NODE_CONSTANT || field->op != NODE_FIELD ||
        !field_lacks_word(field->field, value_text(&text->constant), &words))
        return true;
    return diag_error(p->diags, place_of_token(p, token), "%s is never '%.*s', expected one of %.*s",
                      field->field->name, STR_ARG(value_text(&text->constant)), STR_ARG(buf_str(&words)));
}

/* True for a number in the rule or in its parameters: writing another unit corrects it. */
static bool is_written(const struct expr *node)
{
    return node->op == NODE_CONSTANT || node->op == NODE_PARAM;
}

/* True if both are numbers with compatible units. */
static bool numbers_comparable(struct parser *p, const struct token *token, const struct expr *left,
                               const struct expr *right)
{
    const char *hint = "; a quotient of the two has no unit: spill_store_bytes / registers > 4";
    bool computed = !is_written(left) && !is_written(right);
    return units_fit(p, token, left, right, computed ? hint : "") && shares_fit(p, token, left, right);
}

/* True if both have one type and compatible units. */
static bool comparable(struct parser *p, const struct token *token, const struct expr *left, const struct expr *right)
{
    if (is_broken(left) || is_broken(right))
        return false;
    if (left->type == right->type)
        return left->type != VALUE_NUMBER || numbers_comparable(p, token, left, right);
    const struct expr *group = left->op == NODE_CAPTURE ? left : right->op == NODE_CAPTURE ? right : NULL;
    SCOPED(buf) hint = {0};
    bool text = left->type == VALUE_STRING || right->type == VALUE_STRING;
    if (left->type == VALUE_ARCH || right->type == VALUE_ARCH)
        buf_fmt(&hint, ", write sm_90%s", text ? " without quotes" : "");
    else if (group && (left->type == VALUE_NUMBER || right->type == VALUE_NUMBER))
        buf_fmt(&hint, ", write number(%.*s)", STR_ARG(p->scope->captures[group->capture]));
    return diag_error(p->diags, place_of_token(p, token), "'%.*s' compares %s with %s%.*s", STR_ARG(token->text),
                      value_type_name((enum value_type)left->type), value_type_name((enum value_type)right->type),
                      STR_ARG(buf_str(&hint)));
}

static struct expr *compare(struct parser *p, enum node_op op, const struct token *token, struct expr *left,
                            struct expr *right)
{
    struct expr *node = binary(p, op, left, right);
    bool ok = comparable(p, token, left, right);
    bool ordered = op != NODE_EQUAL && op != NODE_UNEQUAL;
    if (ok && ordered && left->type != VALUE_NUMBER && left->type != VALUE_ARCH)
        ok = wants(p, token, left, VALUE_NUMBER);
    else if (ok && left->type == VALUE_STRING)
        ok = word_fits(p, token, left, right);
    node->type = ok ? VALUE_BOOL : TYPE_BROKEN;
    return node;
}

/* ---- names ---- */

static struct expr *constant(struct parser *p, struct value value, enum unit unit)
{
    struct expr *node = new_node(p, NODE_CONSTANT);
    node->constant = value;
    node->type = value.type;
    node->unit = (uint8_t)unit;
    return node;
}

static struct expr *field_node(struct parser *p, const struct token *name, const struct field *field)
{
    struct expr *node = new_node(p, NODE_FIELD);
    node->field = field;
    node->type = field->type;
    node->unit = field->unit;
    node->asks = (uint8_t)field_asks(field);
    if (p->scope->fields && (p->scope->events || field->scope != FIELD_EVENT))
        return node;
    const char *fault = "a field of kernels, a rule with 'pattern' knows only its captures and params";
    if (p->scope->groups)
        fault = "a field of kernels, a value here knows only the groups of its match: $1, $name";
    else if (p->scope->fields)
        fault = "a field of messages, only rules with 'event' know it";
    diag_error(p->diags, place_of_token(p, name), "%s", fault);
    node->type = TYPE_BROKEN;
    return node;
}

static const char *nearest_name(const struct scope *scope, struct str word)
{
    const char *near = scope->capture_count
                           ? nearest_word(word, &scope->captures->ptr, sizeof *scope->captures, scope->capture_count)
                           : NULL;
    if (!near && scope->param_count)
        near = nearest_word(word, &scope->params->name.ptr, sizeof *scope->params, scope->param_count);
    return near || !scope->fields ? near : field_nearest(word);
}

static struct expr *unknown_name(struct parser *p, const struct token *name)
{
    const char *near = arch_nearest(name->text, &p->diags->arena);
    near = near ? near : nearest_name(p->scope, name->text);
    diag_error(p->diags, place_of_token(p, name), "no %s is called '%.*s'%s%s%s",
               p->scope->groups ? "group of the match" : "field or parameter", STR_ARG(name->text),
               near ? ", did you mean '" : "", near ? near : "", near ? "'" : "");
    return new_broken_node(p);
}

static struct expr *arch_node(struct parser *p, const struct token *name)
{
    struct value arch = value_arch(name->text);
    if (arch.known && !arch.variant)
        arch.variant = ARCH_FAMILY;
    if (arch.known)
        return constant(p, arch, UNIT_NONE);
    diag_error(p->diags, place_of_token(p, name), "not an architecture, expected one like sm_80 or sm_90a");
    return new_broken_node(p);
}

static struct expr *resolve(struct parser *p, const struct token *name)
{
    const struct scope *scope = p->scope;
    EACH(const struct param, param, scope->params, scope->param_count) {
        if (!str_eq(param->name, name->text))
            continue;
        struct expr *node = new_node(p, NODE_PARAM);
        node->param = param;
        node->type = param->value.type;
        node->unit = param->unit;
        return node;
    }
    for (size_t at = 0; at < scope->capture_count; at++) {
        if (!str_eq(scope->captures[at], name->text))
            continue;
        struct expr *node = new_node(p, NODE_CAPTURE);
        node->capture = at;
        node->type = VALUE_STRING;
        node->asks = FIELD_RECORD;
        if (!scope->groups)
            return node;
        struct expr *number = new_node(p, NODE_NUMBER);
        number->left = node;
        number->type = VALUE_NUMBER;
        return number;
    }
    if (str_eq(name->text, STR("true")) || str_eq(name->text, STR("false")))
        return constant(p, value_bool(name->text.ptr[0] == 't'), UNIT_NONE);
    const struct field *field = field_find(name->text);
    if (field)
        return field_node(p, name, field);
    bool arch = str_starts(name->text, STR("sm_")) || str_starts(name->text, STR("compute_"));
    return arch ? arch_node(p, name) : unknown_name(p, name);
}

/* ---- functions ---- */

typedef struct expr *parse_function(struct parser *p);

/* Parses one level deeper; reports an error if that is too deep. */
static struct expr *parse_deeper(struct parser *p, parse_function *parse)
{
    struct expr *node = p->depth++ < DEEPEST ? parse(p) : report_unexpected(p, "fewer levels of parentheses");
    p->depth--;
    return node;
}

static struct expr *parse_call(struct parser *p, const struct token *name)
{
    struct expr *node = NULL;
    if (str_eq(name->text, STR("known")) || str_eq(name->text, STR("number"))) {
        bool known = name->text.ptr[0] == 'k';
        node = new_node(p, known ? NODE_KNOWN : NODE_NUMBER);
        node->left = parse_deeper(p, parse_or);
        node->asks = node->left->asks;
        if (known)
            node->type = is_broken(node->left) ? TYPE_BROKEN : VALUE_BOOL;
        else
            node->type = wants(p, name, node->left, VALUE_STRING) ? VALUE_NUMBER : TYPE_BROKEN;
    } else if (str_eq(name->text, STR("min")) || str_eq(name->text, STR("max"))) {
        enum node_op op = name->text.ptr[1] == 'i' ? NODE_MIN : NODE_MAX;
        node = parse_deeper(p, parse_or);
        if (p->token.kind != TOKEN_COMMA)
            wants(p, name, node, VALUE_NUMBER);
        while (accept(p, TOKEN_COMMA))
            node = arithmetic(p, op, name, node, parse_deeper(p, parse_or));
    } else {
        diag_error(p->diags, place_of_token(p, name), "no such function, there are known() number() min() and max()");
        stop(p);
        return new_broken_node(p);
    }
    expect(p, TOKEN_CLOSE, "')'");
    return node;
}

/* ---- grammar ---- */

static struct expr *parse_factor(struct parser *p)
{
    struct token token = p->token;
    if (accept(p, TOKEN_NUMBER))
        return constant(p, value_number(token.number), (enum unit)token.unit);
    if (accept(p, TOKEN_STRING))
        return constant(p, value_string(token.text), UNIT_NONE);
    if (accept(p, TOKEN_NAME))
        return accept(p, TOKEN_OPEN) ? parse_call(p, &token) : resolve(p, &token);
    if (accept(p, TOKEN_MINUS)) {
        struct expr *zero = constant(p, value_number(0), UNIT_NONE);
        return arithmetic(p, NODE_SUBTRACT, &token, zero, parse_deeper(p, parse_factor));
    }
    if (accept(p, TOKEN_OPEN)) {
        struct expr *inner = parse_deeper(p, parse_or);
        expect(p, TOKEN_CLOSE, "')'");
        return inner;
    }
    return report_unexpected(p, "a value: a number, a string, a field or '('");
}

/* The nodes of operators between two values; NODE_CONSTANT for all other tokens. */
static const uint8_t operators[TOKEN_IN + 1] = {
    [TOKEN_PLUS] = NODE_ADD,        [TOKEN_MINUS] = NODE_SUBTRACT,
    [TOKEN_TIMES] = NODE_MULTIPLY,  [TOKEN_OVER] = NODE_DIVIDE,
    [TOKEN_LESS] = NODE_LESS,       [TOKEN_LESS_EQUAL] = NODE_LESS_EQUAL,
    [TOKEN_GREATER] = NODE_GREATER, [TOKEN_GREATER_EQUAL] = NODE_GREATER_EQUAL,
    [TOKEN_EQUAL] = NODE_EQUAL,     [TOKEN_UNEQUAL] = NODE_UNEQUAL,
};

static bool is_comparison(uint8_t token)
{
    return operators[token] >= NODE_LESS;
}

/* Operands with these two signs between them, from left to right: a - b + c. */
static struct expr *parse_arithmetic(struct parser *p, enum token_kind sign, enum token_kind other,
                                     parse_function *parse_operand)
{
    struct expr *node = parse_operand(p);
    while (p->token.kind == sign || p->token.kind == other) {
        struct token op = p->token;
        advance(p);
        node = arithmetic(p, (enum node_op)operators[op.kind], &op, node, parse_operand(p));
    }
    return node;
}

static struct expr *parse_product(struct parser *p)
{
    return parse_arithmetic(p, TOKEN_TIMES, TOKEN_OVER, parse_factor);
}

static struct expr *parse_sum(struct parser *p)
{
    return parse_arithmetic(p, TOKEN_PLUS, TOKEN_MINUS, parse_product);
}

static struct expr *parse_in(struct parser *p, const struct token *op, struct expr *left)
{
    struct expr *node = new_node(p, NODE_IN);
    struct expr **end = &node->right;
    node->left = left;
    node->asks = left->asks;
    node->type = VALUE_BOOL;
    bool fits = true; /* types and units are right: one error is enough */
    if (!expect(p, TOKEN_OPEN_LIST, "'[' and a list of values"))
        return node;
    do {
        *end = parse_sum(p);
        node->asks |= (*end)->asks;
        fits = fits && comparable(p, op, left, *end);
        if (!fits || (left->type == VALUE_STRING && !word_fits(p, op, left, *end)))
            node->type = TYPE_BROKEN;
        end = &(*end)->next;
    } while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_CLOSE_LIST, "',' or ']'");
    return node;
}

static struct expr *parse_matches(struct parser *p, const struct token *op, struct expr *left)
{
    struct token pattern = p->token;
    if (!expect(p, TOKEN_STRING, "a regular expression in quotes"))
        return new_broken_node(p);
    struct expr *node = new_node(p, NODE_MATCHES);
    node->left = left;
    node->asks = left->asks;
    node->type = wants(p, op, left, VALUE_STRING) ? VALUE_BOOL : TYPE_BROKEN;
    struct regex_error error = {0};
    node->regex = regex_new(pattern.text, &error);
    if (node->regex) {
        regex_list_add(p->scope->regexes, node->regex);
    } else {
        diag_error(p->diags, place_of(p, pattern.at + 1 + error.offset, 1), "%.*s", STR_ARG(buf_str(&error.message)));
        node->type = TYPE_BROKEN;
    }
    buf_free(&error.message);
    return node;
}

static struct expr *negate(struct parser *p, const struct token *op, struct expr *operand)
{
    struct expr *node = new_node(p, NODE_NOT);
    node->left = operand;
    node->asks = operand->asks;
    node->type = wants(p, op, operand, VALUE_BOOL) ? VALUE_BOOL : TYPE_BROKEN;
    return node;
}

static struct expr *parse_comparison(struct parser *p)
{
    struct expr *node = parse_sum(p);
    struct token op = p->token;
    if (is_comparison(op.kind)) {
        advance(p);
        node = compare(p, (enum node_op)operators[op.kind], &op, node, parse_sum(p));
    } else if (accept(p, TOKEN_MATCHES)) {
        node = parse_matches(p, &op, node);
    } else if (accept(p, TOKEN_IN)) {
        node = parse_in(p, &op, node);
    } else if (accept(p, TOKEN_NOT)) {
        struct token in = p->token;
        node = expect(p, TOKEN_IN, "'in'") ? negate(p, &op, parse_in(p, &in, node)) : node;
    }
    if (!is_comparison(p->token.kind))
        return node;
    return report_unexpected(p, "'and': comparisons do not chain, write a < b and b < c");
}

static struct expr *parse_not(struct parser *p)
{
    struct token op = p->token;
    if (!accept(p, TOKEN_NOT))
        return parse_comparison(p);
    return negate(p, &op, parse_deeper(p, parse_not));
}

/* Parses `a and b and c` to one node with all operands. */
static struct expr *parse_chain(struct parser *p, enum node_op op, enum token_kind sign, parse_function *parse_operand)
{
    struct expr *first = parse_operand(p);
    if (p->token.kind != sign)
        return first;
    struct expr *node = new_node(p, op), *last = first;
    bool ok = true;
    node->left = first;
    while (p->token.kind == sign) {
        struct token token = p->token;
        advance(p);
        struct expr *operand = parse_operand(p);
        ok = (last != first || wants(p, &token, first, VALUE_BOOL)) && ok;
        ok = wants(p, &token, operand, VALUE_BOOL) && ok;
        node->asks |= first->asks | operand->asks;
        last->next = operand;
        last = operand;
    }
    node->type = ok ? VALUE_BOOL : TYPE_BROKEN;
    return node;
}

static struct expr *parse_and(struct parser *p)
{
    return parse_chain(p, NODE_AND, TOKEN_AND, parse_not);
}

static struct expr *parse_or(struct parser *p)
{
    return parse_chain(p, NODE_OR, TOKEN_OR, parse_and);
}

struct expr *expr_parse(struct str text, const struct scope *scope, struct origin origin, struct arena *arena,
                        struct diags *diags)
{
    struct parser parser = {
        .text = arena_str(arena, text), .scope = scope, .origin = origin, .arena = arena, .diags = diags};
    struct parser *p = &parser;
    size_t errors = diags->errors;
    p->token = token_next(p->text, 0);
    struct expr *root = p->token.kind == TOKEN_END ? report_unexpected(p, "an expression") : parse_or(p);
    if (p->diags && p->token.kind != TOKEN_END)
        report_unexpected(p, "an operator or the end");
    return diags->errors == errors ? root : NULL;
}

enum value_type expr_type(const struct expr *expr)
{
    return (enum value_type)expr->type;
}

enum unit expr_unit(const struct expr *expr)
{
    return (enum unit)expr->unit;
}

unsigned expr_asks(const struct expr *expr)
{
    return expr ? expr->asks : 0;
}

/* True for a condition on a name or the source, or several of them joined by `or`. */
static bool is_name_test(const struct expr *node)
{
    if (node->op == NODE_OR) {
        const struct expr *operand = node->left;
        while (operand && is_name_test(operand))
            operand = operand->next;
        return !operand;
    }
    const bool tests = node->op == NODE_MATCHES || node->op == NODE_EQUAL || node->op == NODE_IN;
    return tests && node->left->op == NODE_FIELD &&
           str_is_one_of(str_of(node->left->field->name), "kernel_id mangled name source");
}

/* True if a number is compared. A rule without that may be meant to match no kernel, for example to forbid a name. */
static bool is_limit(const struct expr *node)
{
    for (; node; node = node->next)
        if ((node->op >= NODE_LESS && node->op <= NODE_GREATER_EQUAL) || is_limit(node->left))
            return true;
    return false;
}

bool expr_is_ruled_out(const struct expr *expr, struct context *context)
{
    if (!expr)
        return false;
    if (!(expr->asks & FIELD_SCOPES)) {
        const struct value value = expr_eval(expr, context, NULL);
        return value.known && !value.boolean;
    }
    bool out = false;
    for (const struct expr *operand = expr->op == NODE_AND ? expr->left : NULL; operand && !out;
         operand = operand->next)
        out = expr_is_ruled_out(operand, context);
    return out;
}

const struct expr *expr_name_test(const struct expr *expr, const struct expr *last)
{
    const struct expr *first = expr && expr->op == NODE_AND && is_limit(expr->left) ? expr->left : NULL;
    const struct expr *test = last ? last->next : first;
    while (test && !is_name_test(test))
        test = test->next;
    return test;
}
