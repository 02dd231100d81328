/*
 * The lead of a label is the last plain component of a qualified name (_ZN2ns6kernelI...: "kernel"), so that it stays
 * what it is where a label leaves namespaces out. Instances of one template are told apart by their first argument
 * whose bytes differ, when both spell it in a simple way.
 */
#include "report/alike.h"

#include "log/name.h"

static const struct str anonymous = STR_INIT("(anonymous namespace)");

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static bool is_word(char c)
{
    return (unsigned char)((c | 0x20) - 'a') < 26 || is_digit(c) || c == '_';
}

/* Types of one letter, as mangled; literals of most of them are shown as numbers. */
#define LETTER(c) (1U << ((c) - 'a'))
static const uint32_t numeric = LETTER('a') | LETTER('b') | LETTER('c') | LETTER('h') | LETTER('i') | LETTER('j') |
                                LETTER('l') | LETTER('m') | LETTER('n') | LETTER('o') | LETTER('s') | LETTER('t') |
                                LETTER('w') | LETTER('x') | LETTER('y');
static const uint32_t others = LETTER('d') | LETTER('e') | LETTER('f') | LETTER('g') | LETTER('v');

static bool is_letter(char c, uint32_t set)
{
    return (unsigned char)(c - 'a') < 26 && (set >> (c - 'a') & 1);
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
    size_t length = 0;
    for (; is_digit(at_of(name, at)) && length <= name.len; at++)
        length = length * 10 + (size_t)(name.ptr[at] - '0');
    if (length == 0 || at > name.len || length > name.len - at)
        return 0;
    *identifier = (struct str){name.ptr + at, length};
    return at + length;
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

static void set_lead(struct str text, struct lead *lead)
{
    lead->len = text.len < sizeof lead->text ? text.len : sizeof lead->text;
    memcpy(lead->text, text.ptr, lead->len);
}

/* Namespaces and the own name, of which the last component is the lead, and a hash of all. */
struct path {
    struct lead lead;
    uint64_t hash;
};

static bool take_component(struct str identifier, bool last, struct path *path)
{
    bool special = identifier.ptr[0] == '_' || identifier.ptr[0] == 'C' || identifier.ptr[0] == 'T';
    if (special && is_made(identifier))
        return !last;
    bool unnamed = special && str_starts(identifier, STR("_GLOBAL__N_"));
    if (!is_plain(identifier) || (special && !unnamed && str_starts(identifier, STR("_GLOBAL_"))))
        return false;
    set_lead(unnamed ? anonymous : identifier, &path->lead);
    path->hash = path->hash * 31 + str_hash(unnamed ? anonymous : identifier);
    return true;
}

/* Where the plain components of a mangled name end: at I, or at what follows the name. 0: there is another kind. */
static size_t take_components(struct str name, struct path *path)
{
    bool nested = at_of(name, 2) == 'N';
    size_t at = nested ? 3 : 2;
    for (;;) {
        struct str identifier = {"", 0};
        at = identifier_end(name, at + (at_of(name, at) == 'L'), &identifier);
        char next = at_of(name, at);
        bool last = !nested || next == 'I' || next == 'E';
        if (at == 0 || (!last && !is_digit(next) && next != 'L') || (!nested && next == 'B'))
            return 0;
        if (!take_component(identifier, last, path))
            return 0;
        if (last)
            return at;
    }
}

bool alike_lead(struct str mangled, struct lead *lead)
{
    struct path path = {{0}, 0};
    struct str name = mangled_part(mangled);
    bool known = name.len && take_components(name, &path);
    *lead = path.lead;
    return known;
}

struct str alike_own_name(struct str label)
{
    size_t begin = 0, at = 0;
    for (struct str rest = label; rest.len; rest = str_from(label, at)) {
        bool joined = str_starts(rest, STR("::"));
        size_t length = str_starts(rest, anonymous) ? anonymous.len : is_word(rest.ptr[0]);
        if (!length && !joined)
            break;
        at += joined ? 2 : length;
        begin = joined ? at : begin;
    }
    return str_sub(label, begin, at);
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
    if (is_letter(c, numeric | others)) {
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
    if (argument->kind == BUILTIN && !is_letter(name.ptr[at + 1], numeric))
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
    for (char c = at_of(name, at); c == 'P' || c == 'K' || c == 'R' || c == 'O'; c = at_of(name, type))
        type++;
    argument->end = at_of(name, at) == 'L' ? literal_end(name, at, argument) : simple_type_end(name, type, argument);
    if (type != at)
        argument->kind = OTHER;
    return argument->end != 0;
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

static void find_ends(struct alike *alike)
{
    struct argument argument;
    size_t at = alike->first;
    while (alike->count < ALIKE_ARGUMENTS && at_of(alike->name, at) != 'E' && read_argument(alike->name, at, &argument))
        alike->ends[alike->count++] = at = argument.end;
}

static bool read_path(struct str mangled, struct path *path, size_t *end)
{
    *path = (struct path){{0}, 0};
    *end = mangled.len ? take_components(mangled, path) : 0;
    return *end > 0;
}

void alike_set(struct alike *alike, struct str mangled)
{
    struct path path;
    size_t end = 0;
    *alike = (struct alike){.name = mangled_part(mangled)};
    if (!read_path(alike->name, &path, &end))
        return;
    alike->path = path.hash;
    alike->first = at_of(alike->name, end) == 'I' ? end + 1 : 0;
    if (alike->first)
        find_ends(alike);
}

/* Where the bytes of two names, which are the same up to there, begin to differ. */
static size_t first_difference(struct str a, struct str b, size_t at)
{
    size_t end = a.len < b.len ? a.len : b.len;
    while (at < end && a.ptr[at] == b.ptr[at])
        at++;
    return at;
}

/* The first argument whose bytes differ: before it both names are the same. */
static bool arguments_differ(const struct alike *alike, struct str other)
{
    struct argument mine, theirs;
    size_t differ = first_difference(alike->name, other, alike->first), number = 0, at = alike->first;
    while (number < alike->count && alike->ends[number] <= differ)
        at = alike->ends[number++];
    return number < alike->count && read_argument(alike->name, at, &mine) && read_argument(other, at, &theirs) &&
           spelled_differently(&mine, &theirs);
}

bool alike_differ(const struct alike *alike, struct str other)
{
    struct str theirs = mangled_part(other);
    struct path path;
    size_t end = 0;
    if (alike->first && str_starts(theirs, str_sub(alike->name, 0, alike->first)))
        return arguments_differ(alike, theirs);
    return alike->path && read_path(theirs, &path, &end) && path.hash != alike->path;
}
