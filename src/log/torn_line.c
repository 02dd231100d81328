#include "log/torn_line.h"

/* The least number of bytes of the words that are recognised: without a tag, fewer bytes may be any text. */
enum { LEAST = 8 };

/* `words` are those with which a message begins. If the line begins with the end of a tag followed by the words, or
 * with the end of the words, returns the length of this part of the line; else 0. */
static size_t message_tail(struct str line, struct str words)
{
    static const struct str tags[] = {STR_INIT("ptxas info    : "), STR_INIT("ptxas info\t: "),
                                      STR_INIT("ptxas : info : ")};
    for (size_t at = 0; at < sizeof tags / sizeof *tags; at++)
        for (size_t from = 1; from < tags[at].len; from++)
            if (str_starts(line, str_from(tags[at], from)) && str_starts(str_from(line, tags[at].len - from), words))
                return tags[at].len - from + words.len;
    for (size_t from = 1; from + LEAST <= words.len; from++)
        if (str_starts(line, str_from(words, from)))
            return words.len - from;
    return 0;
}

/* True for "...iiPf' for 'sm_80'": the end of a torn name. */
static bool ends_a_name(struct str line)
{
    size_t at = str_find(line, STR("' for 'sm_"));
    return at != STR_NONE && str_find_char(str_sub(line, 0, at), ' ') == STR_NONE && str_ends(line, STR("'"));
}

static const struct str stack_words[] = {STR_INIT(" bytes stack frame, "), STR_INIT(" bytes spill stores, "),
                                         STR_INIT(" bytes spill loads")};
enum { STACK_WORDS = sizeof stack_words / sizeof *stack_words };

static bool is_of_number(char c)
{
    return is_digit(c) || c == '-';
}

/* True for "es spill stores, 0 bytes spill loads": a stack line without its beginning. */
static bool ends_a_stack_line(struct str line)
{
    if (line.len < LEAST)
        return false;
    for (size_t at = STACK_WORDS; at-- > 0;) {
        if (str_ends(stack_words[at], line))
            return true;
        if (!str_ends(line, stack_words[at]))
            return false;
        line.len -= stack_words[at].len;
        line.len -= str_span_end(line, is_of_number);
    }
    return false;
}

enum torn_line torn_line_stack_line(struct str line)
{
    for (size_t at = 0; at < STACK_WORDS; at++) {
        line = str_from(line, str_span(line, is_of_number));
        size_t same = str_common(line, stack_words[at]);
        if (same < stack_words[at].len)
            return at == 0 ? TORN_NONE : same == line.len ? TORN_ENDS : TORN_BROKEN;
        line = str_from(line, same);
    }
    return TORN_NONE;
}

bool torn_line_name(struct str name)
{
    return str_starts(name, STR("_")) && str_find_char(name, ' ') != STR_NONE && str_find_char(name, '(') == STR_NONE &&
           str_find_char(name, '<') == STR_NONE;
}

enum torn_line torn_line_entry(struct str text)
{
    const struct str begins = STR("Compiling entry function '"), between = STR("' for '");
    if (!str_starts(text, begins))
        return text.len >= LEAST && str_starts(begins, text) ? TORN_ENDS : TORN_NONE;
    struct str rest = str_from(text, begins.len);
    struct str behind = str_from(rest, str_find_char(rest, '\''));
    if (torn_line_name(str_sub(rest, 0, rest.len - behind.len)))
        return TORN_BROKEN;
    return str_starts(between, behind) || str_starts(behind, between) ? TORN_ENDS : TORN_BROKEN;
}

bool torn_line_is(struct str line)
{
    if (ends_a_name(line) || ends_a_stack_line(line))
        return true;
    size_t entry = message_tail(line, STR("Compiling entry function '"));
    if (entry && str_find(str_from(line, entry), STR("' for '")) != STR_NONE)
        return true;
    size_t properties = message_tail(line, STR("Function properties for "));
    if (properties && line.len > properties && str_find_char(str_from(line, properties), ' ') == STR_NONE)
        return true;
    /* a part of a tag, and the end of a stack line */
    return str_starts(line, STR("ptxas i")) && str_ends(line, STR(" spill loads"));
}

bool torn_line_holds_another(struct str text, bool is_event)
{
    enum { OF_RECORDS_ALONE = 7 };
    static const struct str words[] = {
        STR_INIT("Compiling entry function '"),
        STR_INIT("Function properties for "),
        STR_INIT(" bytes stack frame,"),
        STR_INIT("Compile time = "),
        STR_INIT(" registers, used "),
        STR_INIT(" bytes gmem"),
        STR_INIT("warplint info    : "),
        STR_INIT("' for 'sm_"), /* other messages contain this and the following words too */
        STR_INIT("Used "),
        STR_INIT(" bytes spill "),
        STR_INIT(" for 'sm_"),
        STR_INIT("entry function '"),
        STR_INIT("roperties for "),
    };
    if (str_find_char(text, ' ') == STR_NONE) /* each of the words contains a blank, and most names do not */
        return false;
    return str_find_any(text, words, is_event ? OF_RECORDS_ALONE : sizeof words / sizeof *words) != STR_NONE;
}

struct str torn_line_rest(struct str text)
{
    static const struct str openings[] = {STR_INIT("Compiling entry function '"), STR_INIT("Function properties for "),
                                          STR_INIT("Compile time = "), STR_INIT("Used ")};
    for (size_t at = 0; at < sizeof openings / sizeof *openings; at++)
        if (str_starts(text, openings[at]))
            return str_from(text, openings[at].len);
    return text;
}

bool torn_line_half_tag(struct str before)
{
    static const struct str tags[] = {STR_INIT("ptxas info    : "), STR_INIT("ptxas warning : "),
                                      STR_INIT("nvlink info    : "), STR_INIT("nvlink warning : ")};
    enum { TAGS = sizeof tags / sizeof *tags };
    for (size_t at = 0; before.len && at < TAGS * TAGS; at++) {
        struct str behind = tags[at / TAGS];
        struct str front = str_sub(before, 0, before.len - (str_ends(before, behind) ? behind.len : before.len));
        if (front.len && str_starts(tags[at % TAGS], front))
            return true;
    }
    return false;
}
