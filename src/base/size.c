#include "base/size.h"

static const struct {
    const char *name;
    int shift;
} units[] = {{"", 0}, {"b", 0}, {"k", 10}, {"kib", 10}, {"m", 20}, {"mib", 20}};

static bool same_letters(struct str text, struct str lower)
{
    if (text.len != lower.len)
        return false;
    for (size_t at = 0; at < text.len; at++) {
        char c = text.ptr[at];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != lower.ptr[at])
            return false;
    }
    return true;
}

bool size_parse(struct str text, int64_t *bytes)
{
    uint64_t number = 0;
    if (!str_uint(&text, &number))
        return false;
    struct str unit = str_trim(text);
    for (size_t at = 0; at < sizeof units / sizeof *units; at++) {
        if (!same_letters(unit, str_of(units[at].name)))
            continue;
        if (number > (uint64_t)INT64_MAX >> units[at].shift)
            return false;
        *bytes = (int64_t)(number << units[at].shift);
        return true;
    }
    return false;
}
