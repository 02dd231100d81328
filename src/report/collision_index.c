/*
 * The base name is the last plain component of a qualified name (_ZN2ns6kernelI...: "kernel"), so that it stays what it
 * is where a label leaves namespaces out. The signature leaves out all types: two mangled spellings of a type may be
 * one in a label (a substitution, a namespace that is left out).
 */
#include "report/collision_index.h"

#include "base/mem.h"
#include "log/name.h"
#include "log/spelling.h"

#include <stdlib.h>

static const struct str anonymous = STR_INIT("(anonymous namespace)");

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

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

/* ---- base names ------------------------------------------------------------------------------------------------- */

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

static uint32_t base_hash(struct str base)
{
    return (uint32_t)str_hash(str_sub(base, 0, BASE_NAME_BYTES));
}

/* False: the component is none that labels show as it is. */
static bool take_component(struct str identifier, bool last, struct str *base)
{
    bool special = identifier.ptr[0] == '_' || identifier.ptr[0] == 'C' || identifier.ptr[0] == 'T';
    if (special && is_made(identifier))
        return !last;
    bool unnamed = special && str_starts(identifier, STR("_GLOBAL__N_"));
    if (!is_plain(identifier) || (special && !unnamed && str_starts(identifier, STR("_GLOBAL_"))))
        return false;
    *base = unnamed ? anonymous : identifier;
    return true;
}

/* Where the plain components of a mangled name end: at I, or at what follows the name. 0: there is another kind. */
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

struct collision_key label_key(struct str label)
{
    return (struct collision_key){base_hash(label_base_name(label)), SIGNATURE_UNKNOWN};
}

/* ---- signatures ------------------------------------------------------------------------------------------------- */

/* Types of one letter, as mangled. */
static bool is_builtin(char c)
{
    return (unsigned char)(c - 'a') < 26 && c != 'k' && c != 'p' && c != 'q' && c != 'r' && c != 'u' && c != 'z';
}

/* S_, S1A_, St; 0: cut off. */
static size_t substitution_end(struct str name, size_t at)
{
    char c = at_of(name, ++at);
    if (c >= 'a' && c <= 'z')
        return at + 1;
    while (is_digit(at_of(name, at)) || (at_of(name, at) >= 'A' && at_of(name, at) <= 'Z'))
        at++;
    return at_of(name, at) == '_' ? at + 1 : 0;
}

/* Li128E, L9ggml_type12E, LN2ns4ModeE1E, LS0_8E, and its number. 0: another kind of literal. */
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

/* The numbers among the template arguments that begin at `at`, up to an argument of a rare kind. Parameter packs have
 * no brackets of their own in a label. */
static uint32_t signature(struct str name, size_t at)
{
    size_t depth = 1, packs = 0;
    uint64_t hash = 1;
    while (at && depth && at < name.len) {
        char c = name.ptr[at];
        struct str text = {"", 0};
        if (c == 'L') {
            at = literal_end(name, at, &text);
            hash = at && depth == 1 ? hash * 31 + str_hash(text) : hash;
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

bool collision_key(struct str mangled, struct collision_key *key)
{
    struct str base = {"", 0}, name = str_starts(mangled, STR("__nv_static_")) ? name_proper(mangled) : mangled;
    size_t end = str_starts(name, STR("_Z")) ? take_components(name, &base) : 0;
    if (!end)
        return false;
    key->base = base_hash(base);
    key->signature = at_of(name, end) == 'I' ? signature(name, end + 1) : 1;
    return true;
}

/* ---- index ------------------------------------------------------------------------------------------------------ */

struct indexed_name {
    struct collision_key key;
    uint32_t next_of_base, next_of_signature; /* number + 1 */
};

struct collision_chain {
    uint32_t first, size; /* first: number + 1 */
};

void collision_index_init(struct collision_index *index, size_t name_count)
{
    *index = (struct collision_index){.chain_count = 16};
    while (index->chain_count < name_count)
        index->chain_count *= 2;
    index->names = mem_alloc((name_count + 1) * sizeof *index->names);
    index->bases = mem_alloc(index->chain_count * sizeof *index->bases);
    index->signatures = mem_alloc(index->chain_count * sizeof *index->signatures);
}

static struct collision_chain *base_chain(const struct collision_index *index, uint32_t base)
{
    return &index->bases[base & (index->chain_count - 1)];
}

static struct collision_chain *signature_chain(const struct collision_index *index, struct collision_key key)
{
    return &index->signatures[(key.base + key.signature) & (index->chain_count - 1)];
}

static uint32_t put_first(struct collision_chain *chain, uint32_t name)
{
    uint32_t next = chain->first;
    chain->first = name + 1;
    chain->size++;
    return next;
}

void collision_index_add(struct collision_index *index, uint32_t name, struct collision_key key)
{
    index->names[name] = (struct indexed_name){
        .key = key,
        .next_of_base = put_first(base_chain(index, key.base), name),
        .next_of_signature = put_first(signature_chain(index, key), name),
    };
}

bool collision_signature_known(const struct collision_index *index, uint32_t name)
{
    return index->names[name].key.signature != SIGNATURE_UNKNOWN;
}

uint32_t collision_base_size(const struct collision_index *index, uint32_t name)
{
    return base_chain(index, index->names[name].key.base)->size;
}

static void append(struct name_numbers *out, uint32_t name)
{
    out->items = mem_reserve(out->items, &out->cap, out->count + 1, sizeof *out->items);
    out->items[out->count++] = name;
}

void collision_same_base(const struct collision_index *index, uint32_t name, struct name_numbers *out)
{
    uint32_t base = index->names[name].key.base;
    for (uint32_t at = base_chain(index, base)->first; at; at = index->names[at - 1].next_of_base)
        if (index->names[at - 1].key.base == base)
            append(out, at - 1);
}

static void same_key(const struct collision_index *index, struct collision_key key, struct name_numbers *out)
{
    for (uint32_t at = signature_chain(index, key)->first; at; at = index->names[at - 1].next_of_signature)
        if (index->names[at - 1].key.base == key.base && index->names[at - 1].key.signature == key.signature)
            append(out, at - 1);
}

void collision_candidates(const struct collision_index *index, uint32_t name, struct name_numbers *out)
{
    struct collision_key key = index->names[name].key;
    if (key.signature == SIGNATURE_UNKNOWN) {
        collision_same_base(index, name, out);
        return;
    }
    same_key(index, key, out);
    key.signature = SIGNATURE_UNKNOWN;
    same_key(index, key, out);
}

void collision_index_free(struct collision_index *index)
{
    free(index->names);
    free(index->bases);
    free(index->signatures);
    *index = (struct collision_index){0};
}
