#include "log/half.h"

/* So much of the words has to be there; without their tag alone they may be somebody's prose. */
enum { LEAST = 8 };

/* The length of the tail of `words` that the line begins with, where it is a proper one; 0: none. */
static size_t tail_length(struct str line, struct str words)
{
    for (size_t from = 1; from + LEAST <= words.len; from++)
        if (str_starts(line, str_from(words, from)))
            return words.len - from;
    return 0;
}

/* The same of a message that begins with these words, from within its tag or from within the words on. */
static size_t message_tail(struct str line, struct str words)
{
    static const struct str tags[] = {STR_INIT("ptxas info    : "), STR_INIT("ptxas info\t: "),
                                      STR_INIT("ptxas : info : ")};
    for (size_t at = 0; at < sizeof tags / sizeof *tags; at++)
        for (size_t from = 1; from < tags[at].len; from++)
            if (str_starts(line, str_from(tags[at], from)) && str_starts(str_from(line, tags[at].len - from), words))
                return tags[at].len - from + words.len;
    return tail_length(line, words);
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
    size_t entry = message_tail(line, STR("Compiling entry function '"));
    if (entry && str_find(str_from(line, entry), STR("' for '")) != STR_NONE)
        return true;
    size_t properties = message_tail(line, STR("Function properties for "));
    if (properties && line.len > properties && str_find_char(str_from(line, properties), ' ') == STR_NONE)
        return true;
    if (str_starts(line, STR("ptxas i")) && str_ends(line, STR(" spill loads")))
        return true; /* half a tag, and the end of a stack line */
    return tail_length(line, STR(" bytes stack frame, ")) && str_ends(line, STR(" bytes spill loads"));
}
