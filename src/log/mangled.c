#include "log/mangled.h"

enum { DEEPEST = 256 }; /* the most levels of nesting; deeper names are refused */

/* The part of the name that was parsed so far, without the numbers of its lambdas, and these numbers. */
struct lambdas {
    struct buf *rest, *numbers;
    size_t copied; /* bytes of the name that were copied to rest */
};

struct walk {
    struct str name;
    size_t at;
    int depth;    /* of recursion */
    int inside;   /* > 0: inside template arguments or parameter types */
    size_t value; /* position of the value of the last literal */
    identifier_visitor *visit;
    void *context;
    struct lambdas *lambdas; /* NULL: not needed */
};

static bool walk_type(struct walk *w);
static bool walk_name(struct walk *w);
static bool walk_encoding(struct walk *w);

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

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

/* The sets are literals, so the compiler unrolls this to a few comparisons. */
static inline bool one_of(char c, const char *set)
{
    for (; *set; set++)
        if (c == *set)
            return true;
    return false;
}

bool mangled_identifier(struct str name, size_t *at, struct str *identifier)
{
    struct str rest = str_from(name, *at);
    uint64_t len = 0;
    if (!str_uint(&rest, &len) || len > rest.len || len == 0)
        return false;
    *identifier = str_sub(rest, 0, (size_t)len);
    *at = name.len - rest.len + (size_t)len;
    return true;
}

static bool walk_identifier(struct walk *w)
{
    size_t digits = w->at;
    struct str found;
    if (!mangled_identifier(w->name, &w->at, &found))
        return false;
    if (w->visit)
        w->visit(w->context, (struct identifier){digits, w->at - found.len, found.len, w->inside == 0});
    return true;
}

/* "_", "0_", "1A_": the tail of substitutions and template parameters. */
static bool take_sequence(struct walk *w)
{
    while (is_digit(peek(w, 0)) || (peek(w, 0) >= 'A' && peek(w, 0) <= 'Z'))
        w->at++;
    return take(w, '_');
}

static bool take_discriminator(struct walk *w)
{
    if (peek(w, 0) == '_' && is_digit(peek(w, 1)))
        w->at += 2;
    else if (peek(w, 0) == '_' && peek(w, 1) == '_' && is_digit(peek(w, 2))) {
        w->at += 2;
        return take_sequence(w);
    }
    return true;
}

/* Types and template arguments, up to the E after them or the end of the name. */
static bool walk_types(struct walk *w)
{
    while (w->at < w->name.len && peek(w, 0) != 'E')
        if (!walk_type(w))
            return false;
    return true;
}

/* A letter, types, E */
static bool walk_list(struct walk *w)
{
    w->at++;
    return walk_types(w) && take(w, 'E');
}

static bool walk_optional_arguments(struct walk *w)
{
    return peek(w, 0) != 'I' || walk_list(w);
}

/* Stores the number of a lambda, from `begin` to the "_" before the present position: empty for the first lambda, 0 for
 * the second. */
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
    if (lambda && !(walk_types(w) && take(w, 'E')))
        return false;
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
           (is_lower(c) && is_ascii_letter(next)); /* the two letters of an operator */
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

/* N [qualifiers] component... E */
static bool walk_nested(struct walk *w)
{
    w->at++;
    while (one_of(peek(w, 0), "rVKRO"))
        w->at++;
    while (!take(w, 'E')) {
        char c = peek(w, 0);
        bool is_type = c == 'T' || c == 'I' || (c == 'D' && one_of(peek(w, 1), "tT"));
        bool ok = is_type    ? walk_type(w)
                  : c == 'S' ? take_substitution(w)
                  : c == 'M' ? take(w, 'M')
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
    if (peek(w, 0) == 's' && !is_lower(peek(w, 1))) {
        w->at++;
        return take_discriminator(w);
    }
    if (peek(w, 0) == 'd' && (peek(w, 1) == '_' || is_digit(peek(w, 1)))) {
        w->at++;
        if (!take_sequence(w))
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

/* True if the first two letters are one of these pairs. */
static bool is_pair(const struct walk *w, const char *pairs)
{
    for (; *pairs; pairs += 2)
        if (peek(w, 0) == pairs[0] && peek(w, 1) == pairs[1])
            return true;
    return false;
}

/* An operator, and the type that follows some of them. Its operands follow; *open counts the lists of operands that end
 * with an E. */
static bool walk_operator(struct walk *w, int *open)
{
    bool conversion = is_pair(w, "cv"), increment = is_pair(w, "ppmm");
    bool levels = is_pair(w, "sr") && is_digit(peek(w, 2)); /* the levels of the scope of the next name */
    bool has_type = conversion || is_pair(w, "stattiscdcccrctlsr");
    *open += levels || is_pair(w, "tlclcpilsP");
    w->at += is_lower(peek(w, 1)) || is_pair(w, "sPsZ") ? 2 : 1;
    if (has_type && !walk_type(w))
        return false;
    if ((conversion || increment) && take(w, '_'))
        *open += conversion; /* a list of several operands */
    return true;
}

/* fp_, fp0_, fL1p0_: a parameter of the function; fpT is `this`. */
static bool is_function_parameter(const struct walk *w)
{
    return is_pair(w, "fp") || (is_pair(w, "fL") && is_digit(peek(w, 2)));
}

static bool take_function_parameter(struct walk *w)
{
    w->at += 2;
    if (take(w, 'T'))
        return true;
    while (is_digit(peek(w, 0)) || one_of(peek(w, 0), "prVK"))
        w->at++;
    return take(w, '_');
}

/* An expression, up to the E or the _ after it. Only its end is needed, so operands are not assigned to operators. */
static bool walk_expression(struct walk *w)
{
    int open = 0;
    for (;;) {
        char c = peek(w, 0);
        bool ok = true;
        if ((c == 'E' || c == '_') && open == 0)
            return true;
        if (take(w, 'E'))
            open--;
        else if (is_function_parameter(w))
            ok = take_function_parameter(w);
        else if (is_lower(c))
            ok = walk_operator(w, &open);
        else
            ok = walk_type(w);
        if (!ok)
            return false;
    }
}

/* L <type> <value> E, L_Z <encoding> E */
static bool walk_literal(struct walk *w)
{
    w->at++;
    if (peek(w, 0) == '_' && peek(w, 1) == 'Z') {
        w->at += 2;
        return walk_encoding(w) && take(w, 'E');
    }
    if (!walk_type(w))
        return false;
    w->value = w->at;
    while (peek(w, 0) && peek(w, 0) != 'E')
        w->at++;
    return take(w, 'E');
}

/* [number or expression] _ type, of an array or a vector */
static bool walk_elements(struct walk *w)
{
    while (is_digit(peek(w, 0)))
        w->at++;
    return walk_expression(w) && take(w, '_') && walk_type(w);
}

/* D followed by a letter */
static bool walk_d_type(struct walk *w)
{
    char c = peek(w, 1);
    w->at += 2;
    switch (c) {
    case 'p':
    case 'o': return walk_type(w);
    case 't':
    case 'T': return walk_expression(w) && take(w, 'E');
    case 'O': return walk_expression(w) && take(w, 'E') && walk_type(w);
    case 'v': return walk_elements(w);
    case 'F': return take_sequence(w) || take(w, 'b') || take(w, 'x');
    default: return one_of(c, "acdefhinsu");
    }
}

/* A type or a template argument. It accepts more than the grammar allows, but the end of each is exact. */
static bool walk_type_inside(struct walk *w)
{
    char c = peek(w, 0), next = peek(w, 1);
    if (one_of(c, "rVKPROCGY")) {
        w->at++;
        return peek(w, 0) == 'E' || walk_type(w); /* R and O at the end of a function's types qualify that function */
    }
    if (is_digit(c) || one_of(c, "NZS"))
        return walk_name(w);
    if (c == 'U' && one_of(next, "lt"))
        return walk_unnamed(w);
    if (c == 'T' && one_of(next, "sue")) {
        w->at += 2; /* an elaborated type: struct, union, enum */
        return walk_name(w);
    }
    switch (c) {
    case 'I':
    case 'J':
    case 'F': return walk_list(w);
    case 'T': w->at++; return take_sequence(w) && walk_optional_arguments(w);
    case 'L': return walk_literal(w);
    case 'D': return walk_d_type(w);
    case 'X': w->at++; return walk_expression(w) && take(w, 'E');
    case 'A': w->at++; return walk_elements(w);
    case 'M':
    case 'U': w->at++; return walk_type(w) && walk_type(w);
    case 'u': w->at++; return walk_name(w);
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

/* <name> [types], up to the end or the E of a local name */
static bool walk_encoding(struct walk *w)
{
    if (w->depth >= DEEPEST)
        return false;
    w->depth++;
    bool ok = walk_name(w) && walk_types(w);
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

uint32_t mangled_values(struct str name, size_t at)
{
    struct walk w = {.name = name, .at = at};
    uint64_t hash = 0;
    if (!take(&w, 'I'))
        return 0;
    for (;;) {
        if (take(&w, 'J') || take(&w, 'E'))
            continue;
        if (peek(&w, 0) != 'L' || peek(&w, 1) == '_' || !walk_literal(&w))
            return (uint32_t)hash;
        hash = hash * 31 + str_hash(str_sub(name, w.value, w.at));
    }
}

bool mangled_split_lambdas(struct str name, struct buf *rest, struct buf *numbers)
{
    struct lambdas lambdas = {.rest = rest, .numbers = numbers};
    struct walk w = {.name = name, .at = 2, .lambdas = &lambdas};
    bool ok = str_starts(name, STR("_Z")) && walk_encoding(&w) && w.at == name.len && lambdas.copied;
    buf_add(rest, str_from(name, lambdas.copied));
    return ok;
}
