#include "rules/token.h"

static bool is_letter(char c)
{
    return is_ascii_letter(c) || c == '_';
}

static bool is_in_word(char c)
{
    return is_letter(c) || is_digit(c);
}

static size_t word_length(struct str text)
{
    return str_span(text, is_in_word);
}

/* The units of numbers; case does not matter. K and M are 1024 and 1024 * 1024, as in CUDA's documents; KB is refused,
 * because some readers mean 1000 and others 1024. To add a unit, add a row. */
static const struct unit_row {
    struct str suffix;
    uint8_t unit;
    double factor; /* 0: ambiguous, refused */
} units[] = {
    {STR_INIT("b"), UNIT_BYTES, 1},
    {STR_INIT("k"), UNIT_BYTES, 1024},
    {STR_INIT("kib"), UNIT_BYTES, 1024},
    {STR_INIT("m"), UNIT_BYTES, 1048576},
    {STR_INIT("mib"), UNIT_BYTES, 1048576},
    {STR_INIT("g"), UNIT_BYTES, 1073741824},
    {STR_INIT("gib"), UNIT_BYTES, 1073741824},
    {STR_INIT("us"), UNIT_MS, 0.001},
    {STR_INIT("ms"), UNIT_MS, 1},
    {STR_INIT("s"), UNIT_MS, 1000},
    {STR_INIT("%"), UNIT_RATIO, 0.01},
    {STR_INIT("kb"), UNIT_BYTES, 0},
    {STR_INIT("mb"), UNIT_BYTES, 0},
    {STR_INIT("gb"), UNIT_BYTES, 0},
};

static const struct unit_row *find_unit(struct str suffix)
{
    for (size_t at = 0; at < sizeof units / sizeof *units; at++)
        if (str_same_letters(suffix, units[at].suffix))
            return &units[at];
    return NULL;
}

static struct token faulty(struct token token, const char *fault)
{
    token.kind = TOKEN_ERROR;
    token.fault = fault;
    return token;
}

bool token_digits(struct str *rest, double *number)
{
    uint64_t whole = 0, part = 0;
    if (str_starts(*rest, STR("0x")) || str_starts(*rest, STR("0X"))) {
        *rest = str_from(*rest, 2);
        bool ok = str_hex(rest, &whole);
        *number = (double)whole;
        return ok;
    }
    if (!str_uint(rest, &whole))
        return false;
    *number = (double)whole;
    if (rest->len < 2 || rest->ptr[0] != '.' || !is_digit(rest->ptr[1]))
        return true;
    *rest = str_from(*rest, 1);
    size_t before = rest->len;
    if (!str_uint(rest, &part))
        return false;
    double scale = 1;
    for (size_t digits = before - rest->len; digits > 0; digits--)
        scale *= 10;
    *number += (double)part / scale;
    return true;
}

static struct token read_number(struct str text, size_t at)
{
    struct token token = {.kind = TOKEN_NUMBER, .at = at, .width = 1};
    struct str rest = str_from(text, at);
    bool ok = token_digits(&rest, &token.number);
    token.width = text.len - rest.len - at;
    struct str behind = rest;
    while (behind.len && behind.ptr[0] == ' ')
        behind = str_from(behind, 1);
    bool percent = behind.len && behind.ptr[0] == '%';
    struct str suffix = str_sub(behind, 0, percent ? 1 : word_length(behind));
    const struct unit_row *unit = find_unit(suffix);
    const bool has_suffix = ok && (unit || (suffix.len && behind.len == rest.len));
    if (has_suffix)
        token.width = (size_t)(suffix.ptr + suffix.len - (text.ptr + at));
    token.text = str_sub(text, at, at + token.width);
    if (!ok)
        return faulty(token, "the number is too large");
    if (!has_suffix)
        return token;
    if (!unit)
        return faulty(token, "no such unit, expected B KiB MiB GiB us ms s or %");
    if (unit->factor <= 0)
        return faulty(token, "the unit may mean 1000 or 1024, expected KiB, MiB or GiB (1024), or bytes");
    token.number = unit->unit == UNIT_RATIO ? token.number / 100 : token.number * unit->factor;
    token.unit = unit->unit;
    return token;
}

static struct token read_string(struct str text, size_t at)
{
    char quote = text.ptr[at];
    struct token token = {.kind = TOKEN_STRING, .at = at, .width = text.len - at};
    size_t length = str_find_char(str_from(text, at + 1), quote);
    if (length == STR_NONE)
        return faulty(token, "the string has no end");
    token.text = str_sub(text, at + 1, at + 1 + length);
    token.width = length + 2;
    return token;
}

static struct token read_name(struct str text, size_t at)
{
    static const struct {
        struct str word;
        enum token_kind kind;
    } words[] = {{STR_INIT("and"), TOKEN_AND},
                 {STR_INIT("or"), TOKEN_OR},
                 {STR_INIT("not"), TOKEN_NOT},
                 {STR_INIT("in"), TOKEN_IN}};
    struct token token = {.kind = TOKEN_NAME, .at = at, .width = word_length(str_from(text, at))};
    size_t behind = at + token.width + 1;
    if (behind < text.len && text.ptr[behind - 1] == '.' && is_letter(text.ptr[behind])) /* baseline.registers */
        token.width += 1 + word_length(str_from(text, behind));
    token.text = str_sub(text, at, at + token.width);
    for (size_t word = 0; word < sizeof words / sizeof *words; word++)
        if (str_eq(token.text, words[word].word))
            token.kind = (uint8_t)words[word].kind;
    return token;
}

/* $1, $name: a group of a match. */
static struct token read_group(struct str text, size_t at)
{
    struct token token = {.kind = TOKEN_NAME, .at = at, .width = 1 + word_length(str_from(text, at + 1))};
    token.text = str_sub(text, at, at + token.width);
    return token.width > 1 ? token : faulty(token, "a '$' without the number or the name of a group");
}

static const struct {
    struct str text; /* longer ones first */
    enum token_kind kind;
    const char *fault;
} signs[] = {
    {STR_INIT("<="), TOKEN_LESS_EQUAL, NULL},
    {STR_INIT(">="), TOKEN_GREATER_EQUAL, NULL},
    {STR_INIT("=="), TOKEN_EQUAL, NULL},
    {STR_INIT("!="), TOKEN_UNEQUAL, NULL},
    {STR_INIT("=~"), TOKEN_MATCHES, NULL},
    {STR_INIT("&&"), TOKEN_ERROR, "write 'and'"},
    {STR_INIT("||"), TOKEN_ERROR, "write 'or'"},
    {STR_INIT("<"), TOKEN_LESS, NULL},
    {STR_INIT(">"), TOKEN_GREATER, NULL},
    {STR_INIT("=>"), TOKEN_ERROR, "found '=>', expected '>='"},
    {STR_INIT("=<"), TOKEN_ERROR, "found '=<', expected '<='"},
    {STR_INIT("="), TOKEN_ERROR, "found '=', expected '=='"},
    {STR_INIT("!"), TOKEN_ERROR, "write 'not'"},
    {STR_INIT("("), TOKEN_OPEN, NULL},
    {STR_INIT(")"), TOKEN_CLOSE, NULL},
    {STR_INIT("["), TOKEN_OPEN_LIST, NULL},
    {STR_INIT("]"), TOKEN_CLOSE_LIST, NULL},
    {STR_INIT(","), TOKEN_COMMA, NULL},
    {STR_INIT("+"), TOKEN_PLUS, NULL},
    {STR_INIT("-"), TOKEN_MINUS, NULL},
    {STR_INIT("*"), TOKEN_TIMES, NULL},
    {STR_INIT("/"), TOKEN_OVER, NULL},
    {STR_INIT("%"), TOKEN_ERROR, "'%' only follows a number (50%), there is no modulo"},
};

static struct token read_sign(struct str text, size_t at)
{
    struct token token = {.at = at, .width = 1, .text = str_sub(text, at, at + 1)};
    for (size_t sign = 0; sign < sizeof signs / sizeof *signs; sign++) {
        struct str spelling = signs[sign].text;
        if (spelling.ptr[0] != text.ptr[at] || !str_starts(str_from(text, at), spelling))
            continue;
        token.kind = (uint8_t)signs[sign].kind;
        token.width = spelling.len;
        token.text = spelling;
        token.fault = signs[sign].fault;
        return token;
    }
    return faulty(token, "this character means nothing in an expression");
}

struct token token_next(struct str text, size_t at)
{
    while (at < text.len && is_white_space(text.ptr[at]))
        at++;
    if (at >= text.len)
        return (struct token){.kind = TOKEN_END, .at = text.len, .width = 1};
    char c = text.ptr[at];
    if (is_digit(c))
        return read_number(text, at);
    if (c == '\'' || c == '"')
        return read_string(text, at);
    if (c == '$')
        return read_group(text, at);
    return is_letter(c) ? read_name(text, at) : read_sign(text, at);
}

void token_describe(const struct token *token, struct buf *out)
{
    if (token->kind == TOKEN_END)
        buf_add(out, STR("the end"));
    else if (token->kind == TOKEN_NUMBER)
        buf_fmt(out, "number %.*s", STR_ARG(token->text));
    else if (token->kind == TOKEN_STRING)
        buf_fmt(out, "string '%.*s'", STR_ARG(token->text));
    else
        buf_fmt(out, "'%.*s'", STR_ARG(token->text));
}
