#include "log/mangled.h"

enum { DEEPEST = 256 }; /* nesting; names beyond it are refused, not recursed into */

/* The name so far without the numbers of its lambdas, and these numbers. */
struct lambdas {
    struct buf *rest, *numbers;
    size_t copied; /* of the name, to rest */
};

struct walk {
    struct str name;
    size_t at;
    int depth;  /* of recursion */
    int inside; /* > 0: inside template arguments or parameter types */
    identifier_visitor *visit;
    void *context;
    struct lambdas *lambdas; /* NULL: not asked for */
};

static bool walk_type(struct walk *w);
static bool walk_name(struct walk *w);
static bool walk_encoding(struct walk *w);
static bool walk_expression(struct walk *w);

static char peek(const struct walk *w, size_t ahead)
{
    return w->at + ahead < w->name.len ? w->name.ptr[w->at + ahead] : '\0';
}

static bool take(struct walk *w, char c)
{
    if (peek(w, 0) != c)
        return false;
    w->at++;
    return true;
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* The sets are literals: unrolled, this is a few comparisons. */
static inline bool one_of(char c, const char *set)
{
    for (; *set; set++)
        if (c == *set)
            return true;
    return false;
}

static bool take_number(struct walk *w, uint64_t *number)
{
    struct str rest = str_from(w->name, w->at);
    size_t before = rest.len;
    if (!str_uint(&rest, number))
        return false;
    w->at += before - rest.len;
    return true;
}

/* 12kernel_name */
static bool walk_identifier(struct walk *w)
{
    size_t digits = w->at;
    uint64_t len = 0;
    if (!take_number(w, &len) || len > w->name.len - w->at || len == 0)
        return false;
    if (w->visit)
        w->visit(w->context, (struct identifier){digits, w->at, (size_t)len, w->inside == 0});
    w->at += (size_t)len;
    return true;
}

/* "_", "0_", "1A_": the tail of substitutions and template parameters. */
static bool take_sequence(struct walk *w)
{
    while (is_digit(peek(w, 0)) || is_upper(peek(w, 0)))
        w->at++;
    return take(w, '_');
}

static bool take_discriminator(struct walk *w)
{
    uint64_t number = 0;
    if (peek(w, 0) == '_' && is_digit(peek(w, 1)))
        w->at += 2;
    else if (peek(w, 0) == '_' && peek(w, 1) == '_' && is_digit(peek(w, 2))) {
        w->at += 2;
        return take_number(w, &number) && take(w, '_');
    }
    return true;
}

static bool walk_literal(struct walk *w)
{
    w->at++; /* L */
    if (peek(w, 0) == '_' && peek(w, 1) == 'Z') {
        w->at += 2;
        return walk_encoding(w) && take(w, 'E');
    }
    if (!walk_type(w))
        return false;
    while (peek(w, 0) && peek(w, 0) != 'E')
        w->at++;
    return take(w, 'E');
}

static bool walk_argument(struct walk *w)
{
    if (peek(w, 0) == 'L')
        return walk_literal(w);
    if (take(w, 'X'))
        return walk_expression(w) && take(w, 'E');
    if (take(w, 'J')) {
        while (!take(w, 'E'))
            if (!walk_argument(w))
                return false;
        return true;
    }
    return walk_type(w);
}

/* I ... E */
static bool walk_arguments(struct walk *w)
{
    w->at++;
    w->inside++;
    while (!take(w, 'E'))
        if (!walk_argument(w))
            return false;
    w->inside--;
    return true;
}

static bool walk_optional_arguments(struct walk *w)
{
    return peek(w, 0) != 'I' || walk_arguments(w);
}

/* The lambda's number stands from `begin` to the "_" before here: none is the first, 0 the second. */
static void note_lambda(struct walk *w, size_t begin)
{
    struct lambdas *lambdas = w->lambdas;
    struct str digits = str_sub(w->name, begin, w->at - 1);
    uint64_t number = 0;
    bool first = !str_uint(&digits, &number);
    buf_fmt(lambdas->numbers, "%010llu", first ? 0ull : (unsigned long long)number + 1);
    buf_add(lambdas->rest, str_sub(w->name, lambdas->copied, begin));
    lambdas->copied = w->at - 1;
}

/* Ul <types> E [n] _ (a lambda), Ut [n] _ (an unnamed type) */
static bool walk_unnamed(struct walk *w)
{
    bool lambda = peek(w, 1) == 'l';
    w->at += 2;
    w->inside++;
    while (lambda && !take(w, 'E'))
        if (!walk_type(w))
            return false;
    w->inside--;
    size_t begin = w->at;
    bool ok = take_sequence(w);
    if (ok && lambda && w->lambdas)
        note_lambda(w, begin);
    return ok;
}

/* One component of a name: identifier, operator, constructor, unnamed type, ABI tag. */
static bool walk_unqualified(struct walk *w)
{
    char c = peek(w, 0), next = peek(w, 1);
    if (is_digit(c))
        return walk_identifier(w);
    if ((c == 'L' || c == 'B') && is_digit(next)) {
        w->at++;
        return walk_identifier(w);
    }
    if (c == 'U' && one_of(next, "lt"))
        return walk_unnamed(w);
    w->at += 2;
    if (c == 'c' && next == 'v')
        return walk_type(w);
    return (c == 'C' && one_of(next, "12345")) || (c == 'D' && one_of(next, "01245")) ||
           (c >= 'a' && c <= 'z' && is_ascii_letter(next)); /* an operator's two letters */
}

/* S_, S1A_, St, Sa ... */
static bool take_substitution(struct walk *w)
{
    w->at++;
    if (one_of(peek(w, 0), "tabsiod")) {
        w->at++;
        return true;
    }
    return take_sequence(w);
}

static bool take_parameter(struct walk *w)
{
    w->at++;
    return take_sequence(w);
}

static bool walk_decltype(struct walk *w)
{
    w->at += 2;
    return walk_expression(w) && take(w, 'E');
}

/* N [qualifiers] component... E */
static bool walk_nested(struct walk *w)
{
    w->at++;
    while (one_of(peek(w, 0), "rVKRO"))
        w->at++;
    while (!take(w, 'E')) {
        char c = peek(w, 0);
        bool ok = c == 'S'                               ? take_substitution(w)
                  : c == 'T'                             ? take_parameter(w)
                  : c == 'I'                             ? walk_arguments(w)
                  : c == 'M'                             ? (w->at++, true)
                  : c == 'D' && one_of(peek(w, 1), "tT") ? walk_decltype(w)
                                                         : walk_unqualified(w);
        if (!ok)
            return false;
    }
    return true;
}

/* Z <function> E <entity> */
static bool walk_local(struct walk *w)
{
    w->at++;
    if (!walk_encoding(w) || !take(w, 'E'))
        return false;
    uint64_t number = 0;
    if (peek(w, 0) == 's' && !is_digit(peek(w, 1)) && !(peek(w, 1) >= 'a' && peek(w, 1) <= 'z')) {
        w->at++;
        return take_discriminator(w);
    }
    if (peek(w, 0) == 'd' && (peek(w, 1) == '_' || is_digit(peek(w, 1)))) {
        w->at++;
        if ((is_digit(peek(w, 0)) && !take_number(w, &number)) || !take(w, '_'))
            return false;
    }
    return walk_name(w) && take_discriminator(w);
}

static bool walk_name(struct walk *w)
{
    char c = peek(w, 0);
    if (c == 'N')
        return walk_nested(w);
    if (c == 'Z')
        return walk_local(w);
    bool in_std = c == 'S' && peek(w, 1) == 't';
    if (c == 'S')
        return take_substitution(w) && (!in_std || walk_unqualified(w)) && walk_optional_arguments(w);
    if (!walk_unqualified(w))
        return false;
    while (peek(w, 0) == 'B')
        if (!walk_unqualified(w))
            return false;
    return walk_optional_arguments(w);
}

/* F [Y] types [R|O] E */
static bool walk_function_type(struct walk *w)
{
    w->at++;
    take(w, 'Y');
    while (!take(w, 'E')) {
        if (one_of(peek(w, 0), "RO") && peek(w, 1) == 'E')
            w->at++;
        else if (!walk_type(w))
            return false;
    }
    return true;
}

/* [number or expression] _ type, of an array or a vector */
static bool walk_elements(struct walk *w)
{
    uint64_t number = 0;
    bool ok = is_digit(peek(w, 0)) ? take_number(w, &number) : walk_expression(w);
    return ok && take(w, '_') && walk_type(w);
}

/* D followed by a letter */
static bool walk_d_type(struct walk *w)
{
    uint64_t number = 0;
    char c = peek(w, 1);
    if (c == 't' || c == 'T')
        return walk_decltype(w);
    w->at += 2;
    if (c == 'p' || c == 'o')
        return walk_type(w);
    if (c == 'O')
        return walk_expression(w) && take(w, 'E') && walk_type(w);
    if (c == 'v')
        return walk_elements(w);
    if (c == 'F')
        return take_number(w, &number) && (take(w, '_') || take(w, 'b') || take(w, 'x'));
    return one_of(c, "acdefhinsu");
}

static bool walk_template_or_type_parameter(struct walk *w)
{
    if (one_of(peek(w, 1), "sue") && peek(w, 2) != '_') {
        w->at += 2; /* an elaborated type: struct, union, enum */
        return walk_name(w);
    }
    return take_parameter(w) && walk_optional_arguments(w);
}

static bool walk_type_inside(struct walk *w)
{
    char c = peek(w, 0);
    if (one_of(c, "rVKPROCG")) {
        w->at++;
        return walk_type(w);
    }
    if (is_digit(c) || c == 'N' || c == 'Z' || (c == 'S' && peek(w, 1) == 't'))
        return walk_name(w);
    switch (c) {
    case 'S': return take_substitution(w) && walk_optional_arguments(w);
    case 'T': return walk_template_or_type_parameter(w);
    case 'F': return walk_function_type(w);
    case 'A': w->at++; return walk_elements(w);
    case 'M': w->at++; return walk_type(w) && walk_type(w);
    case 'D': return walk_d_type(w);
    case 'U':
        if (one_of(peek(w, 1), "lt"))
            return walk_unnamed(w);
        w->at++;
        return walk_identifier(w) && walk_optional_arguments(w) && walk_type(w);
    case 'u': w->at++; return walk_identifier(w) && walk_optional_arguments(w);
    default: w->at++; return one_of(c, "vwbcahstijlmxynofdegz");
    }
}

static bool walk_type(struct walk *w)
{
    if (w->depth >= DEEPEST)
        return false;
    w->depth++;
    w->inside++;
    bool ok = walk_type_inside(w);
    w->inside--;
    w->depth--;
    return ok;
}

/* sr <type> | sr N <type> <level>... E | sr <level>... E: where the name that follows comes from. */
static bool walk_scope(struct walk *w)
{
    w->at += 2;
    bool levels = is_digit(peek(w, 0));
    if (take(w, 'N'))
        levels = true;
    if (!is_digit(peek(w, 0)) && !walk_type(w))
        return false;
    while (levels && !take(w, 'E'))
        if (!walk_identifier(w) || !walk_optional_arguments(w))
            return false;
    return true;
}

/* What an operator of two letters has behind it before its operands. */
static const struct operator_row {
    char letters[3];
    bool type;    /* a type */
    bool operand; /* operands up to an E */
} operators[] = {
    {"cv", true, false}, {"st", true, false}, {"at", true, false}, {"ti", true, false},  {"sc", true, false},
    {"dc", true, false}, {"cc", true, false}, {"rc", true, false}, {"tl", true, true},   {"cl", false, true},
    {"cp", false, true}, {"il", false, true}, {"sP", false, true}, {"sZ", false, false},
};

/* Operators whose rows say nothing are passed over, they are known by their two letters. */
static bool walk_operator(struct walk *w, int *open)
{
    char c = peek(w, 0), next = peek(w, 1);
    for (size_t at = 0; at < sizeof operators / sizeof *operators; at++) {
        const struct operator_row *row = &operators[at];
        if (c != row->letters[0] || next != row->letters[1])
            continue;
        w->at += 2;
        *open += row->operand;
        if (row->type && !walk_type(w))
            return false;
        if (c == 'c' && next == 'v' && take(w, '_'))
            ++*open; /* a conversion of several operands */
        return true;
    }
    bool prefix = (c == 'p' && next == 'p') || (c == 'm' && next == 'm');
    w->at += next >= 'a' && next <= 'z' ? 2 : 1;
    if (prefix)
        take(w, '_');
    return true;
}

/* fp_, fp0_, fL1p0_: a parameter of the function; fpT is `this`. */
static bool is_function_parameter(const struct walk *w)
{
    return peek(w, 0) == 'f' && (peek(w, 1) == 'p' || (peek(w, 1) == 'L' && is_digit(peek(w, 2))));
}

static bool walk_function_parameter(struct walk *w)
{
    w->at += 2;
    if (take(w, 'T'))
        return true;
    while (is_digit(peek(w, 0)))
        w->at++;
    take(w, 'p');
    while (one_of(peek(w, 0), "rVK"))
        w->at++;
    return take_sequence(w);
}

/* Expressions in template arguments: only their extent is needed. */
static bool walk_expression(struct walk *w)
{
    int open = 0;
    for (;;) {
        char c = peek(w, 0), next = peek(w, 1);
        bool ok = true;
        if ((c == 'E' || c == '_') && open == 0)
            return true;
        if (c == 'E')
            open--, w->at++;
        else if (c == 'L')
            ok = walk_literal(w);
        else if (c == 'I')
            ok = walk_arguments(w);
        else if (is_function_parameter(w))
            ok = walk_function_parameter(w);
        else if (c == 's' && next == 'r')
            ok = walk_scope(w);
        else if (is_digit(c))
            ok = walk_identifier(w);
        else if (c == 'X' || c == 'J')
            open++, w->at++;
        else if (is_upper(c))
            ok = walk_type(w);
        else if (c >= 'a' && c <= 'z')
            ok = walk_operator(w, &open);
        else
            ok = false;
        if (!ok || open < 0)
            return false;
    }
}

/* <name> [types], up to the end or the E of a local name */
static bool walk_encoding(struct walk *w)
{
    if (w->depth >= DEEPEST)
        return false;
    w->depth++;
    bool ok = walk_name(w);
    while (ok && w->at < w->name.len && peek(w, 0) != 'E')
        ok = walk_type(w);
    w->depth--;
    return ok;
}

bool mangled_walk(struct str name, identifier_visitor *visit, void *context)
{
    struct walk w = {.name = name, .at = 2, .visit = visit, .context = context};
    return str_starts(name, STR("_Z")) && walk_encoding(&w) && w.at == name.len;
}

bool mangled_walk_name(struct str name, identifier_visitor *visit, void *context)
{
    struct walk w = {.name = name, .at = 2, .visit = visit, .context = context};
    if (!str_starts(name, STR("_Z")))
        return false;
    if (is_digit(peek(&w, 0))) /* an unqualified name is whole before its template arguments */
        return walk_identifier(&w);
    return walk_name(&w);
}

bool mangled_split_lambdas(struct str name, struct buf *rest, struct buf *numbers)
{
    struct lambdas lambdas = {.rest = rest, .numbers = numbers};
    struct walk w = {.name = name, .at = 2, .lambdas = &lambdas};
    bool ok = str_starts(name, STR("_Z")) && walk_encoding(&w) && w.at == name.len && lambdas.copied;
    buf_add(rest, str_from(name, lambdas.copied));
    return ok;
}
