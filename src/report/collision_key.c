/*
 * The base name is the last plain component of a qualified name (_ZN2ns6kernelI...: "kernel"), so it is the same in a
 * label that omits namespaces. The rest of the key ignores all types, because two mangled spellings of a type can be
 * equal in a label (a substitution, an omitted namespace). It contains the numbers of template arguments, so that fewer
 * names have to be demangled: without them `check` takes 1.5 times the instructions on 2.5 MB of real logs.
 */
#include "report/collision_key.h"

#include "base/mem.h"
#include "log/name.h"
#include "log/spelling.h"

static const struct str anonymous = STR_INIT("(anonymous namespace)");

static bool is_plain(struct str word)
{
    for (size_t at = 0; at < word.len; at++)
        if (!is_word(word.ptr[at]) || (word.ptr[at] & 0x80))
            return false;
    return word.len > 0;
}

static char at_of(struct str name, size_t at)
{
    return at < name.len ? name.ptr[at] : '\0';
}

/* Reads an identifier like 12kernel_name. Returns the position after it; 0 if there is none. */
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

/* ---- base names ------------------------------------------------------------------------------------------------- */

static uint64_t base_key(struct str base)
{
    return str_hash(str_sub(base, 0, BASE_NAME_BYTES)) % (UINT32_MAX - 1) * BASE_KEY;
}

/* Returns false if labels do not print the component unchanged. */
static bool take_component(struct str identifier, bool last, struct str *base)
{
    bool special = identifier.ptr[0] == '_' || identifier.ptr[0] == 'C' || identifier.ptr[0] == 'T';
    if (special && is_made_namespace(identifier))
        return !last;
    bool unnamed = special && str_starts(identifier, STR("_GLOBAL__N_"));
    if (!is_plain(identifier) || (special && !unnamed && str_starts(identifier, STR("_GLOBAL_"))))
        return false;
    *base = unnamed ? anonymous : identifier;
    return true;
}

/* The end of the plain components of a mangled name: at I, or at the first character after the name. 0 if there are
 * components of another kind. */
static size_t take_components(struct str name, struct str *base)
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
        if (!take_component(identifier, last, base))
            return 0;
        if (last)
            return at;
    }
}

struct str label_base_name(struct str label)
{
    size_t begin = 0, at = 0;
    for (struct str rest = label; rest.len; rest = str_from(label, at)) {
        bool joined = str_starts(rest, STR("::"));
        size_t length = str_starts(rest, anonymous) ? anonymous.len : is_plain(str_sub(rest, 0, 1));
        if (!length && !joined)
            break;
        at += joined ? 2 : length;
        begin = joined ? at : begin;
    }
    return str_sub(label, begin, at);
}

uint64_t label_key(struct str label)
{
    return base_key(label_base_name(label));
}

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

/* Mangled types with one letter. */
static bool is_builtin(char c)
{
    return (unsigned char)(c - 'a') < 26 && c != 'k' && c != 'p' && c != 'q' && c != 'r' && c != 'u' && c != 'z';
}

/* The end of a substitution S_, S1A_, St; 0 if it is cut off. */
static size_t substitution_end(struct str name, size_t at)
{
    char c = at_of(name, ++at);
    if (c >= 'a' && c <= 'z')
        return at + 1;
    while (is_digit(at_of(name, at)) || (at_of(name, at) >= 'A' && at_of(name, at) <= 'Z'))
        at++;
    return at_of(name, at) == '_' ? at + 1 : 0;
}

/* The end of a literal Li128E, L9ggml_type12E, LN2ns4ModeE1E, LS0_8E, and its number. 0 for another kind of literal. */
static size_t literal_end(struct str name, size_t at, struct str *number)
{
    struct str type = {"", 0};
    bool nested = at_of(name, ++at) == 'N';
    at += nested;
    do {
        char c = at_of(name, at);
        at = c == 'S'                   ? substitution_end(name, at)
             : !nested && is_builtin(c) ? at + 1
                                        : identifier_end(name, at, &type);
    } while (nested && at && at_of(name, at) != 'E');
    size_t start = at + nested, end = start + (at_of(name, start) == 'n');
    while (is_digit(at_of(name, end)))
        end++;
    *number = str_sub(name, start, end);
    return at && end > start && at_of(name, end) == 'E' ? end + 1 : 0;
}

/* A hash of the numbers in the template arguments that begin at `at`, up to the first argument of a rare kind. Labels
 * print no brackets for parameter packs, so packs do not add depth. */
static uint32_t numbers_key(struct str name, size_t at)
{
    size_t depth = 1, packs = 0;
    uint64_t hash = 1;
    while (at && depth && at < name.len) {
        char c = name.ptr[at];
        struct str text = {"", 0};
        if (c == 'L') {
            at = literal_end(name, at, &text);
            for (size_t digit = 0; at && depth == 1 && digit <= text.len; digit++)
                hash = hash * 31 + (unsigned char)at_of(text, digit);
        } else if (is_digit(c)) {
            at = identifier_end(name, at, &text);
        } else if (c == 'S') {
            at = substitution_end(name, at);
        } else if (c == 'J' && depth == 1) {
            packs++, at++;
        } else if (c == 'E' && depth == 1 && packs) {
            packs--, at++;
        } else if (c == 'I' || c == 'N' || c == 'J') {
            depth++, at++;
        } else if (c == 'E') {
            depth--, at++;
        } else {
            at = is_builtin(c) || c == 'P' || c == 'K' || c == 'R' || c == 'O' ? at + 1 : 0;
        }
    }
    return (uint32_t)(hash ^ hash >> 32) | 1;
}

bool collision_key(struct str mangled, uint64_t *key)
{
    struct str base = {"", 0}, name = str_starts(mangled, STR("__nv_static_")) ? name_proper(mangled) : mangled;
    size_t end = str_starts(name, STR("_Z")) ? take_components(name, &base) : 0;
    if (!end)
        return false;
    *key = base_key(base) + (at_of(name, end) == 'I' ? numbers_key(name, end + 1) : 1);
    return true;
}
