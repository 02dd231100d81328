#include "log/half.h"

/* So much of the words has to be there; without their tag alone they may be somebody's prose. */
enum { LEAST = 8, TAG = sizeof "ptxas info    : " - 1 };

/* The length of the tail of `words` that the line begins with, where it is a proper one; 0: none. */
static size_t tail_length(struct str line, struct str words)
{
    for (size_t from = 1; from + LEAST <= words.len; from++)
        if (from != TAG && str_starts(line, str_from(words, from)))
            return words.len - from;
    return 0;
}

/* "...iiPf' for 'sm_80'": a name was torn. */
static bool ends_a_name(struct str line)
{
    size_t at = str_find(line, STR("' for 'sm_"));
    return at != STR_NONE && str_find_char(str_sub(line, 0, at), ' ') == STR_NONE && str_ends(line, STR("'"));
}

bool half_is(struct str line)
{
    if (ends_a_name(line))
        return true;
    size_t entry = tail_length(line, STR("ptxas info    : Compiling entry function '"));
    if (entry && str_find(str_from(line, entry), STR("' for '")) != STR_NONE)
        return true;
    size_t properties = tail_length(line, STR("ptxas info    : Function properties for "));
    if (properties && line.len > properties && str_find_char(str_from(line, properties), ' ') == STR_NONE)
        return true;
    return tail_length(line, STR(" bytes stack frame, ")) && str_ends(line, STR(" bytes spill loads"));
}
