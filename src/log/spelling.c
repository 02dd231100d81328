#include "log/spelling.h"

#include "log/name.h"

/* ---- one spelling ----------------------------------------------------------------------------------------------- */

struct str first_word(struct str text)
{
    return str_sub(text, 0, str_span(text, is_word));
}

bool is_made_namespace(struct str word)
{
    bool library = str_starts(word, STR("CUB_")) || str_starts(word, STR("THRUST_"));
    struct str version = str_from(word, str_find_char(word, '_') + 1);
    bool versioned = str_eq(version, STR("NS")) || (version.len && is_digit(version.ptr[0]));
    return (library && versioned) || str_starts(word, STR("_INTERNAL_"));
}

/* The length of such a namespace at the front of the text, with its "::"; 0 if there is none. */
static size_t made_namespace(struct str text)
{
    if (text.ptr[0] != 'C' && text.ptr[0] != 'T' && text.ptr[0] != '_')
        return 0; /* most names: the word need not be read */
    struct str word = first_word(text);
    return is_made_namespace(word) && str_starts(str_from(text, word.len), STR("::")) ? word.len + 2 : 0;
}

/* The length of a cast before a number at the front of the text, with its brackets, if it is one of these types; else
 * 0. "(int)" before a number is redundant; "(Mode)" is not. */
static size_t plain_cast(struct str text, bool *is_bool)
{
    static const struct str types[] = {
        STR_INIT("(int)"),           STR_INIT("(unsigned int)"),   STR_INIT("(long)"),
        STR_INIT("(unsigned long)"), STR_INIT("(long long)"),      STR_INIT("(unsigned long long)"),
        STR_INIT("(short)"),         STR_INIT("(unsigned short)"), STR_INIT("(unsigned char)"),
        STR_INIT("(signed char)"),   STR_INIT("(char)"),           STR_INIT("(bool)"),
    };
    size_t length = text.ptr[0] == '(' ? str_starts_any(text, types, sizeof types / sizeof *types) : 0;
    struct str rest = str_from(text, length);
    *is_bool = str_eq(str_sub(text, 0, length), STR("(bool)"));
    return rest.len && (rest.ptr[0] == '-' || is_digit(rest.ptr[0])) ? length : 0;
}

/* Appends a number without the suffix of its type; returns the rest of the text. */
static struct str add_number(struct str text, struct buf *out)
{
    struct str word = first_word(text), digits = word;
    while (digits.len > 1 && (digits.ptr[digits.len - 1] == 'u' || digits.ptr[digits.len - 1] == 'l'))
        digits.len--;
    uint64_t value;
    buf_add(out, str_to_uint(digits, &value) ? digits : word);
    return str_from(text, word.len);
}

/* The length of the type after "const": up to the character outside of brackets that ends it. */
static size_t type_length(struct str text)
{
    int depth = 0;
    for (size_t at = 0; at < text.len; at++) {
        char c = text.ptr[at];
        int nesting = name_nesting(text, at);
        if (depth == 0 && (c == '*' || c == '&' || c == ',' || nesting < 0))
            return at;
        depth += nesting;
    }
    return text.len;
}

static void spell(struct str text, struct buf *out);

/* Appends "const T" as "T const"; returns the text after the type. */
static struct str add_const(struct str text, struct buf *out)
{
    struct str rest = str_from(text, 6);
    struct str type = str_trim(str_sub(rest, 0, type_length(rest)));
    spell(type, out);
    buf_add(out, STR(" const"));
    return str_from(rest, type_length(rest));
}

/* Appends "&(void f<int>(char*))", a function as a template argument, without its return type and parameters; returns
 * the rest of the text. */
static struct str add_function(struct str text, struct buf *out)
{
    size_t end = 2 + name_member(str_from(text, 2));
    buf_char(out, '&');
    spell_name(str_sub(text, 2, end), out);
    return str_from(text, end + 1);
}

/* Appends one word of the name; returns the rest of the text. */
static struct str add_word(struct str text, struct buf *out)
{
    bool argument = out->len == 0 || out->ptr[out->len - 1] == '<' || out->ptr[out->len - 1] == ' ';
    if (argument && str_starts(text, STR("const ")))
        return add_const(text, out);
    if (is_digit(text.ptr[0]))
        return add_number(text, out);
    struct str word = first_word(text);
    buf_add(out, word);
    return str_from(text, word.len);
}

/* Other spellings of "(anonymous namespace)" by demanglers. */
static const struct str unnamed[] = {STR_INIT("<unnamed>"), STR_INIT("{anonymous}")};

static void spell(struct str text, struct buf *out)
{
    while (text.len) {
        if (is_word(text.ptr[0])) {
            const size_t skip = made_namespace(text);
            text = skip ? str_from(text, skip) : add_word(text, out);
            continue;
        }
        bool is_bool = false;
        char next = text.len > 1 ? text.ptr[1] : 0;
        size_t cast = plain_cast(text, &is_bool),
               skip = str_starts_any(text, unnamed, sizeof unnamed / sizeof *unnamed);
        if (cast) {
            text = str_from(text, cast);
            if (is_bool) {
                buf_add(out, text.ptr[0] == '0' ? STR("false") : STR("true"));
                text = str_from(text, 1);
            }
        } else if (skip) {
            buf_add(out, STR("(anonymous namespace)"));
            text = str_from(text, skip);
        } else if (str_starts(text, STR("&(")) && !str_starts(text, STR("&(anonymous"))) {
            text = add_function(text, out);
        } else {
            bool listed = out->len && out->ptr[out->len - 1] == ',';
            bool loose = text.ptr[0] == ' ' && !listed && (next == '>' || next == '*' || next == '&' || next == ' ');
            if (!loose)
                buf_char(out, text.ptr[0]);
            if (text.ptr[0] == ',' && next != ' ')
                buf_char(out, ' ');
            text = str_from(text, 1);
        }
    }
}

void spell_name(struct str readable, struct buf *out)
{
    spell(name_alone(readable), out);
}

void spell_kernel(struct str name, struct buf *out)
{
    SCOPED(buf) readable = {0};
    if (name_demangle_short(name, &readable))
        spell(buf_str(&readable), out);
    else if (str_ends(name, STR(")")))
        spell_name(name, out);
    else
        name_identity(name, out);
}

/* ---- shorter names ---------------------------------------------------------------------------------------------- */

/* The length of "(ggml_type)" before a number; 0 if there is none. */
static size_t cast_length(struct str text)
{
    size_t end = 1;
    while (text.ptr[0] == '(' && end < text.len && (is_word(text.ptr[end]) || text.ptr[end] == ':'))
        end++;
    if (text.ptr[0] != '(' || end + 1 >= text.len || text.ptr[end] != ')')
        return 0;
    char next = text.ptr[end + 1];
    return next == '-' || is_digit(next) ? end + 1 : 0;
}

/* Removes the types of enumerators ("(ggml_type)2" becomes "2"): the first part that is removed from a long name. */
static void drop_casts(struct buf *name)
{
    struct buf shorter = {0};
    for (struct str rest = buf_str(name); rest.len;) {
        size_t bracket = str_find_char(rest, '(');
        buf_add(&shorter, str_sub(rest, 0, bracket));
        rest = str_from(rest, bracket);
        size_t cast = rest.len ? cast_length(rest) : 0;
        buf_add(&shorter, str_sub(rest, 0, !cast));
        rest = str_from(rest, cast ? cast : 1);
    }
    buf_free(name);
    *name = shorter;
}

/* The length of the qualifiers "one::two::" at the front of the text; 0 if there are none. */
static size_t qualifier_length(struct str text)
{
    size_t length = 0;
    for (;;) {
        size_t word = first_word(str_from(text, length)).len;
        if (!word || !str_starts(str_from(text, length + word), STR("::")))
            return length;
        length += word + 2;
    }
}

static void drop_qualifiers(struct buf *name)
{
    struct buf shorter = {0};
    struct str text = buf_str(name);
    int depth = 0;
    for (size_t at = 0; at < text.len; at++) {
        bool begins = depth > 0 && !is_word(text.ptr[at - 1]) && text.ptr[at - 1] != ':';
        at += begins ? qualifier_length(str_from(text, at)) : 0;
        if (at == text.len)
            break;
        buf_char(&shorter, text.ptr[at]);
        depth += name_nesting(text, at);
    }
    buf_free(name);
    *name = shorter;
}

void spell_shorter(struct buf *name, size_t width)
{
    if (name->len > width)
        drop_casts(name);
    if (name->len > width)
        drop_qualifiers(name);
}
