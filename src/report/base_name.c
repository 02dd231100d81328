/*
 * In a mangled name the base name is the last plain component of the qualified name (_ZN2ns6kernelI...: "kernel"), so
 * it is the same in a label that omits namespaces. It is found without a demangler, because only few names of a log
 * need a label.
 */
#include "report/base_name.h"

#include "log/mangled.h"
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

/* Sets the last plain component of a mangled name. Returns the position after it; 0 if there are components of another
 * kind. */
static size_t take_components(struct str name, struct str *base)
{
    bool nested = at_of(name, 2) == 'N';
    size_t at = nested ? 3 : 2;
    for (;;) {
        struct str identifier;
        at += at_of(name, at) == 'L';
        if (!mangled_identifier(name, &at, &identifier))
            return 0;
        char next = at_of(name, at);
        bool last = !nested || next == 'I' || next == 'E';
        if ((!last && !is_digit(next) && next != 'L') || (!nested && next == 'B'))
            return 0;
        if (!take_component(identifier, last, base))
            return 0;
        if (last)
            return at;
    }
}

struct str base_name_of_label(struct str label)
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

bool base_name_of_mangled(struct str mangled, struct str *base, uint32_t *values)
{
    const struct str name = str_starts(mangled, STR("__nv_static_")) ? name_proper(mangled) : mangled;
    const size_t end = str_starts(name, STR("_Z")) ? take_components(name, base) : 0;
    *values = end ? mangled_values(name, end) | 1 : 0;
    return end > 0;
}
