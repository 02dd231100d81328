/*
 * The lead of a label is the plain components of a qualified name (_ZN2ns6kernelI...: "ns::kernel"). Instances of one
 * template are told apart by their first argument whose bytes differ, when both spell it in a simple way and the label
 * shows it, or by the literals that end the list, when the label is elided before them.
 */
#include "report/alike.h"

#include "log/name.h"

enum { MOST_ARGUMENTS = 24, ELISION = 3 };

static const struct str anonymous = STR_INIT("(anonymous namespace)");

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return c == '_' || is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_plain(struct str word)
{
    for (size_t at = 0; at < word.len; at++)
        if (!is_word(word.ptr[at]))
            return false;
    return word.len > 0;
}

static char at_of(struct str name, size_t at)
{
    return at < name.len ? name.ptr[at] : '\0';
}

/* What is behind 12kernel_name at the position; 0 and no identifier where none is. */
static size_t identifier_end(struct str name, size_t at, struct str *identifier)
{
    struct str rest = str_from(name, at);
    uint64_t length = 0;
    if (!is_digit(at_of(name, at)) || !str_uint(&rest, &length) || length == 0 || length > rest.len)
        return 0;
    *identifier = str_sub(rest, 0, (size_t)length);
    return name.len - rest.len + (size_t)length;
}

/* ---- leads ------------------------------------------------------------------------------------------------------ */

/* Namespaces that no label shows. */
static bool is_made(struct str identifier)
{
    static const struct str libraries[] = {STR_INIT("CUB_"), STR_INIT("THRUST_")};
    if (str_starts(identifier, STR("_INTERNAL_")))
        return true;
    for (size_t at = 0; at < sizeof libraries / sizeof *libraries; at++) {
        struct str version = str_from(identifier, libraries[at].len);
        if (str_starts(identifier, libraries[at]))
            return is_digit(at_of(version, 0)) || str_eq(version, STR("NS"));
    }
    return false;
}

/* The mangled name; empty where it is none. */
static struct str mangled_part(struct str name)
{
    struct str proper = str_starts(name, STR("__nv_static_")) ? name_proper(name) : name;
    return str_starts(proper, STR("_Z")) ? proper : (struct str){"", 0};
}

static bool add_component(struct str identifier, bool last, bool first, struct buf *out)
{
    if (is_made(identifier))
        return !last;
    bool unnamed = str_starts(identifier, STR("_GLOBAL__N_"));
    if (!is_plain(identifier) || (!unnamed && str_starts(identifier, STR("_GLOBAL_"))))
        return false;
    if (!first)
        buf_add(out, STR("::"));
    buf_add(out, unnamed ? anonymous : identifier);
    return true;
}

/* Where the plain components of a mangled name end: at I, or at what follows the name. 0: there is another kind. */
static size_t add_components(struct str name, struct buf *out)
{
    bool nested = at_of(name, 2) == 'N';
    size_t at = nested ? 3 : 2, start = out ? out->len : 0;
    for (;;) {
        struct str identifier = {"", 0};
        at = identifier_end(name, at + (at_of(name, at) == 'L'), &identifier);
        char next = at_of(name, at);
        bool last = !nested || next == 'I' || next == 'E';
        if (at == 0 || (!last && !is_digit(next) && next != 'L') || (!nested && next == 'B'))
            return 0;
        if (out && !add_component(identifier, last, out->len == start, out))
            return 0;
        if (last)
            return at;
    }
}

bool alike_lead(struct str mangled, struct buf *out)
{
    struct str name = mangled_part(mangled);
    size_t start = out->len;
    bool known = name.len && add_components(name, out);
    size_t kept = known ? start + ALIKE_LEAD : start;
    if (out->len > kept)
        out->len = kept;
    return known;
}

struct str alike_label_lead(struct str label)
{
    size_t at = 0;
    for (struct str rest = label; rest.len && at < ALIKE_LEAD; rest = str_from(label, at)) {
        size_t length = str_starts(rest, anonymous) ? anonymous.len : is_word(rest.ptr[0]);
        if (!length && str_starts(rest, STR("::")))
            length = 2;
        if (!length)
            break;
        at += length;
    }
    return str_sub(label, 0, at < ALIKE_LEAD ? at : ALIKE_LEAD);
}

/* ---- template arguments ----------------------------------------------------------------------------------------- */

enum kind { LITERAL, BUILTIN, IDENTIFIER, OTHER };

struct argument {
    enum kind kind;
    size_t start, end; /* in the mangled name */
    struct str type;   /* LITERAL: its type as mangled; IDENTIFIER: itself */
    struct str value;  /* LITERAL: as the label shows it, n for minus */
};

/* b, 12ggml_type, S0_; 0: another kind of type. */
static size_t simple_type_end(struct str name, size_t at, struct argument *argument)
{
    char c = at_of(name, at);
    if (c && str_find_char(STR("vwbcahstijlmxynofdeg"), c) != STR_NONE) {
        argument->kind = BUILTIN;
        return at + 1;
    }
    argument->kind = IDENTIFIER;
    if (is_digit(c))
        return identifier_end(name, at, &argument->type);
    argument->kind = OTHER;
    size_t end = at + 1;
    while (is_digit(at_of(name, end)) || (at_of(name, end) >= 'A' && at_of(name, end) <= 'Z'))
        end++;
    return c == 'S' && at_of(name, end) == '_' ? end + 1 : 0;
}

/* Li128E, Lb0E, L9ggml_type12E, LS0_8E */
static size_t literal_end(struct str name, size_t at, struct argument *argument)
{
    size_t end = simple_type_end(name, at + 1, argument), value = end;
    if (!end)
        return 0;
    argument->type = str_sub(name, at + 1, end);
    if (argument->kind == BUILTIN && str_find_char(STR("defgv"), name.ptr[at + 1]) != STR_NONE)
        return 0; /* shown as bytes */
    argument->kind = LITERAL;
    end += at_of(name, end) == 'n';
    while (is_digit(at_of(name, end)))
        end++;
    argument->value = str_sub(name, value, end);
    if (str_eq(argument->type, STR("b")))
        argument->value = str_eq(argument->value, STR("0")) ? STR("false") : STR("true");
    return end > value && at_of(name, end) == 'E' ? end + 1 : 0;
}

/* False where the argument at the position is not of a kind that is known. */
static bool read_argument(struct str name, size_t at, struct argument *argument)
{
    *argument = (struct argument){.start = at};
    size_t type = at;
    while (str_find_char(STR("PKRO"), at_of(name, type)) != STR_NONE)
        type++;
    argument->end = at_of(name, at) == 'L' ? literal_end(name, at, argument) : simple_type_end(name, type, argument);
    if (type != at)
        argument->kind = OTHER;
    return argument->end != 0;
}

/* Where the argument of that number ends in the label, at its "," or ">"; the label's length where it is not shown. */
static size_t shown_end(struct str label, size_t number)
{
    int depth = 0;
    size_t at = str_find_char(label, '<');
    for (at = at == STR_NONE ? label.len : at + 1; at < label.len; at++) {
        char c = label.ptr[at];
        if (depth == 0 && (c == ',' || c == '>') && number-- == 0)
            break;
        depth += (c == '<' || c == '(' || c == '[' || c == '{') - (c == '>' || c == ')' || c == ']' || c == '}');
    }
    return at;
}

static bool is_keyword(struct str word)
{
    static const struct str words[] = {
        STR_INIT("void"), STR_INIT("wchar_t"), STR_INIT("bool"),  STR_INIT("char"),   STR_INIT("short"),
        STR_INIT("int"),  STR_INIT("long"),    STR_INIT("float"), STR_INIT("double"), STR_INIT("__int128"),
    };
    for (size_t at = 0; at < sizeof words / sizeof *words; at++)
        if (str_eq(word, words[at]))
            return true;
    return str_eq(word, STR("__float128"));
}

/* Whether two arguments whose bytes differ are shown differently. */
static bool spelled_differently(const struct argument *a, const struct argument *b)
{
    if (a->kind == LITERAL && b->kind == LITERAL)
        return str_eq(a->type, b->type) && !str_eq(a->value, b->value);
    if (a->kind == BUILTIN && b->kind == BUILTIN)
        return true;
    if (a->kind == IDENTIFIER && b->kind == IDENTIFIER)
        return is_plain(a->type) && is_plain(b->type) && !str_starts(a->type, STR("_GLOBAL_")) &&
               !str_starts(b->type, STR("_GLOBAL_"));
    const struct argument *named = a->kind == IDENTIFIER ? a : b, *other = named == a ? b : a;
    return named->kind == IDENTIFIER && other->kind == BUILTIN && is_plain(named->type) &&
           !str_starts(named->type, STR("_GLOBAL_")) && !is_keyword(named->type);
}

/* The first argument whose bytes differ: before it both names are the same. */
static bool heads_differ(struct str name, struct str label, size_t visible, struct str other, size_t at)
{
    struct argument mine, theirs;
    size_t number = 0;
    while (at_of(name, at) != 'E' && read_argument(name, at, &mine) && read_argument(other, at, &theirs)) {
        if (!str_eq(str_sub(name, at, mine.end), str_sub(other, at, theirs.end)))
            return shown_end(label, number) < visible && spelled_differently(&mine, &theirs);
        at = mine.end;
        number++;
    }
    return false;
}

/* The arguments of a list, the last of a name; 0: not all are known. */
static size_t read_list(struct str name, size_t at, struct argument *list)
{
    size_t count = 0;
    for (; at_of(name, at) != 'E'; at = list[count++].end)
        if (count == MOST_ARGUMENTS || !read_argument(name, at, &list[count]))
            return 0;
    return at_of(name, 2) != 'N' || at_of(name, at + 1) == 'E' ? count : 0;
}

/* Literals from the end of both lists, as far as a label shows them behind its "...". */
static bool tails_differ(struct str name, size_t visible, struct str other, size_t at)
{
    struct argument mine[MOST_ARGUMENTS], theirs[MOST_ARGUMENTS];
    size_t mine_left = read_list(name, at, mine), theirs_left = read_list(other, at, theirs), shown = 1;
    while (mine_left-- > 0 && theirs_left-- > 0) {
        const struct argument *a = &mine[mine_left], *b = &theirs[theirs_left];
        bool literals = a->kind == LITERAL && b->kind == LITERAL;
        if (!literals || at_of(a->type, 0) == 'S' || at_of(b->type, 0) == 'S')
            return false;
        if (a->value.len + shown + 2 > visible || b->value.len + shown + 2 > visible)
            return false;
        if (!str_eq(a->value, b->value))
            return true;
        shown += a->value.len + 2;
    }
    return false;
}

bool alike_differ(struct str mangled, struct str label, bool elided, struct str other)
{
    struct str name = mangled_part(mangled), theirs = mangled_part(other);
    size_t at = name.len ? add_components(name, NULL) : 0;
    if (!at || at_of(name, at) != 'I' || !str_eq(str_sub(name, 0, at + 1), str_sub(theirs, 0, at + 1)))
        return false;
    size_t dots = elided ? str_find(label, STR("...")) : label.len;
    if (dots == STR_NONE || (!elided && str_find(label, STR("...")) != STR_NONE))
        return false;
    if (heads_differ(name, label, dots, theirs, at + 1))
        return true;
    return elided && tails_differ(name, label.len - dots - ELISION, theirs, at + 1);
}
