/*
 * prefix: what stands before a compiler's line in the logs of CI systems, IDEs and package managers.
 *
 * To add a prefix: one row in the table, with a comment that says whose it is, and a group in tests/log.test.
 * In a pattern %d is one or more digits, %w one or more letters, digits or any of _.@/+-, %b any number of blanks
 * (also none); everything else stands for itself. Rows are tried again and again until none fits, so that a log
 * that went through two systems loses both prefixes.
 */
#include "log/line.h"

#include <string.h>

static const char *const prefixes[] = {
    "%d-%d-%dT%d:%d:%d.%dZ %dO ",   /* GitLab runner, standard output ... */
    "%d-%d-%dT%d:%d:%d.%dZ %dE ",   /* ... and standard error */
    "%d-%d-%dT%d:%d:%d.%dZ ",       /* GitHub Actions, Azure Pipelines */
    "[%d-%d-%dT%d:%d:%d.%dZ] ",     /* Jenkins timestamper, ISO */
    "%d:%d:%d  ",                   /* Jenkins timestamper */
    "[%d:%d:%d] :%b[Step %d/%d] ",  /* TeamCity */
    "[%d:%d:%d]%w:%b[Step %d/%d] ", /* TeamCity, a line with a status letter */
    "#%d %d.%d ",                   /* docker buildx, plain progress */
    "#%d [%w",                      /* the same, a step's headline */
    "%d: ",                         /* ctest -V */
    "warning: %w: ",                /* cargo, a build script's output */
    "%w  | ",                       /* docker compose */
    "%b%d>",                        /* MSBuild */
    "// ",                          /* logs pasted into comments */
    "> ",                           /* and into mails */
};

static bool is_word(char c)
{
    return is_digit(c) || is_ascii_letter(c) || (c && strchr("_.@/+-", c));
}

/* How many bytes at the front of s the hole takes; *ok is false when it needs one and finds none. */
static size_t hole_length(char hole, struct str s, bool *ok)
{
    size_t at = 0;
    while (at < s.len && (hole == 'd'   ? is_digit(s.ptr[at])
                          : hole == 'w' ? is_word(s.ptr[at])
                                        : is_space_or_tab(s.ptr[at])))
        at++;
    *ok = at > 0 || hole == 'b';
    return at;
}

/* The length of the prefix at the front of s, 0 when the pattern does not fit. */
static size_t match_prefix(const char *pattern, struct str s)
{
    size_t at = 0;
    for (; *pattern; pattern++) {
        if (*pattern == '%') {
            bool ok = false;
            at += hole_length(*++pattern, str_from(s, at), &ok);
            if (!ok)
                return 0;
        } else if (at >= s.len || s.ptr[at++] != *pattern) {
            return 0;
        }
    }
    return at;
}

/* Most lines fail at their first byte. */
static inline bool may_begin(const char *pattern, char c)
{
    if (pattern[0] != '%')
        return pattern[0] == c;
    if (pattern[1] == 'b')
        return is_space_or_tab(c) || may_begin(pattern + 2, c);
    return pattern[1] == 'd' ? is_digit(c) : is_word(c);
}

/* The length of the first row that fits, 0: none does. */
static size_t prefix_length(struct str line)
{
    size_t length = 0;
    for (size_t row = 0; row < sizeof prefixes / sizeof *prefixes && !length; row++)
        if (may_begin(prefixes[row], line.ptr[0]))
            length = match_prefix(prefixes[row], line);
    return length;
}

struct str prefix_skip(struct str line)
{
    for (size_t length = 1; line.len && length;) {
        length = prefix_length(line);
        line = str_from(line, length);
    }
    return str_skip_blanks(line);
}

struct str suffix_cut(struct str line)
{
    size_t from = str_ends(line, STR("proj]")) ? str_rfind(line, STR(" [")) : STR_NONE;
    struct str path = str_from(line, from == STR_NONE ? line.len : from + 2);
    bool whole = str_starts(path, STR("/")) || str_starts(path, STR("\\\\")) ||
                 (path.len > 2 && path.ptr[1] == ':' && path.ptr[2] == '\\');
    return whole ? str_sub(line, 0, from) : line;
}

static bool starts_with_unit(struct str s)
{
    bool ok = false;
    return str_is_one_of(str_sub(s, 0, hole_length('w', s, &ok)), "s ms us ns");
}

/* The number from `begin` to `end` is one of a time's: another one stands beside it, behind a colon or a point, or a
 * plus before it, or a unit behind it. */
static bool is_of_time(struct str s, size_t begin, size_t end)
{
    char before = begin > 0 ? s.ptr[begin - 1] : '\0', behind = end < s.len ? s.ptr[end] : '\0';
    bool second = begin > 1 && (before == ':' || before == '.') && is_digit(s.ptr[begin - 2]);
    bool first = end + 1 < s.len && (behind == ':' || behind == '.') && is_digit(s.ptr[end + 1]);
    return first || second || before == '+' || starts_with_unit(str_from(s, end));
}

static uint32_t add_to_shape(uint32_t shape, char c)
{
    return (shape + (unsigned char)c) * UINT32_C(0x01000193);
}

/* Where the run of digits, or else of blanks, at the position ends. */
static size_t run_end(struct str s, size_t at)
{
    bool digits = is_digit(s.ptr[at]);
    while (at < s.len && (digits ? is_digit(s.ptr[at]) : is_space_or_tab(s.ptr[at])))
        at++;
    return at;
}

uint32_t prefix_shape(struct str before)
{
    uint32_t shape = 0;
    before = str_trim(before);
    for (size_t at = 0, end = 0; at < before.len; at = end) {
        bool digits = is_digit(before.ptr[at]);
        end = run_end(before, at);
        if (end == at)
            shape = add_to_shape(shape, before.ptr[end++]);
        else if (!digits || is_of_time(before, at, end))
            shape = add_to_shape(shape, digits ? '0' : ' ');
        else
            for (; at < end; at++)
                shape = add_to_shape(shape, before.ptr[at]);
    }
    return before.len && !shape ? 1 : shape;
}

/* What names the one of several writers whose line it is, and every line of it. */
static const char *const streams[] = {
    "#%d ",   /* docker buildx, a step */
    "%w%b| ", /* docker compose, a service */
    "[%w] ",  /* Jenkins, a branch of parallel steps */
    "%b%d>",  /* MSBuild, a project */
};

/* "[INFO] ": how loud, and not who. */
static bool is_level(struct str word)
{
    static const struct str levels[] = {STR_INIT("INFO"),  STR_INIT("WARN"),   STR_INIT("ERROR"), STR_INIT("DEBUG"),
                                        STR_INIT("TRACE"), STR_INIT("NOTICE"), STR_INIT("FATAL"), STR_INIT("info"),
                                        STR_INIT("warn"),  STR_INIT("error"),  STR_INIT("debug")};
    for (size_t at = 0; at < sizeof levels / sizeof *levels; at++)
        if (str_starts(word, levels[at]))
            return true;
    return false;
}

/* Words that name a writer begin with a letter: "[3/40] ", "[+3ms] " and "0.013s | " count. */
static size_t stream_length(struct str s)
{
    size_t length = 0, row = 0;
    for (; row < sizeof streams / sizeof *streams && !length; row++)
        length = match_prefix(streams[row], s);
    struct str word = str_from(s, length && s.ptr[0] == '[');
    bool named = length && strchr(streams[row - 1], 'w');
    return named && (!is_ascii_letter(word.ptr[0]) || is_level(word)) ? 0 : length;
}

uint32_t prefix_stream(struct str line)
{
    for (size_t length = 1; line.len && length; line = str_from(line, length)) {
        size_t stream = stream_length(line);
        if (stream)
            return ((uint32_t)str_hash(str_sub(line, 0, stream)) & ~STREAM_GOES_ON) | 1 |
                   (line.ptr[stream - 1] == '>' ? STREAM_GOES_ON : 0);
        length = prefix_length(line);
    }
    return 0;
}
