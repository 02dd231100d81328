/*
 * prefix: removes the text before a compiler's line in the logs of CI systems, IDEs and package managers.
 *
 * To add a prefix, add one row to the table, with a comment that names its origin, and a group in tests/log.test.
 * Placeholders of a pattern: %d one or more digits, %w one or more letters, digits or any of _.@/+-, %b any number of
 * blanks (also none), %c the seconds of a time, with their fraction and the zone ("01", "01.123", "01,123Z",
 * "01+01:00"), %m the name of a month, with a capital, %t one or more bytes up to a tab. Every other character matches
 * itself. The rows are tried again until none matches, so that a log that passed through two systems loses both
 * prefixes.
 */
#include "log/line.h"

#include <string.h>

static const char *const prefixes[] = {
    "%d-%d-%dT%d:%d:%c %dO ",       /* GitLab runner, standard output ... */
    "%d-%d-%dT%d:%d:%c %dE ",       /* ... and standard error */
    "%d-%d-%dT%d:%d:%c %dO+",       /* the rest of a line that it cut ... */
    "%d-%d-%dT%d:%d:%c %dE+",       /* ... and of standard error */
    "%d-%d-%dT%d:%d:%c ",           /* GitHub Actions, Azure Pipelines, docker logs -t, ts "%FT%TZ" */
    "%d-%d-%d %d:%d:%c ",           /* ts "%F %T", the asctime of Python's logging */
    "[%d-%d-%dT%d:%d:%c] ",         /* Jenkins timestamper, ISO ... */
    "[%d-%d-%d %d:%d:%c] ",         /* ... and its own format */
    "%d:%d:%c %b",                  /* Jenkins timestamper; ts -s, ts -i, ts "%T" and "%.T" */
    "%b%d.%d ",                     /* ts "%.s", seconds since a start */
    "%m %b%d %d:%d:%c ",            /* ts of moreutils */
    "[%d:%d:%d] :%b[Step %d/%d] ",  /* TeamCity */
    "[%d:%d:%d]%w:%b[Step %d/%d] ", /* TeamCity, a line with a status letter */
    "#%d %d.%d ",                   /* docker buildx, plain progress */
    "#%d [%w",                      /* the same, the headline of a step */
    "%d:%b",                        /* ctest -V, grep -n, viewers */
    "%b%d\t%b",                     /* cat -n, nl */
    "%b%d|%b",                      /* viewers */
    "warning: %w: ",                /* cargo, the output of a build script */
    "%w  | ",                       /* docker compose */
    "%b%d>",                        /* MSBuild */
    "// ",                          /* logs pasted into comments */
    "> ",                           /* logs pasted into mails */
    "%t\t%t\t%d-%d-%dT%d:%d:%c ",   /* gh run view --log: the job, the step; last, because any line may begin like it */
};

static bool is_word(char c)
{
    return is_digit(c) || is_ascii_letter(c) || (c && strchr("_.@/+-", c));
}

static bool is_of_clock(char c)
{
    return is_digit(c) || (c && strchr(".,:+-Z", c));
}

/* The number of bytes at the front of s that the placeholder takes; all placeholders except 'b' need at least one. */
static size_t hole_length(char hole, struct str s)
{
    size_t tab = 0;
    switch (hole) {
    case 'd': return str_span(s, is_digit);
    case 'w': return str_span(s, is_word);
    case 'c': return str_span(s, is_of_clock);
    case 'm': return str_span(s, is_ascii_letter);
    case 't': tab = str_find_char(s, '\t'); return tab == STR_NONE ? 0 : tab;
    default: return str_span(s, is_space_or_tab);
    }
}

/* The length of the prefix at the front of s; 0 if the pattern does not match. */
static size_t match_prefix(const char *pattern, struct str s)
{
    size_t at = 0;
    for (; *pattern; pattern++) {
        if (*pattern == '%') {
            size_t length = hole_length(*++pattern, str_from(s, at));
            if (!length && *pattern != 'b')
                return 0;
            at += length;
        } else if (at >= s.len || s.ptr[at++] != *pattern) {
            return 0;
        }
    }
    return at;
}

/* A quick test of the first byte, at which most lines fail. */
static inline bool may_begin(const char *pattern, char c)
{
    if (pattern[0] != '%')
        return pattern[0] == c;
    if (pattern[1] == 'b')
        return is_space_or_tab(c) || may_begin(pattern + 2, c);
    if (pattern[1] == 'm')
        return c >= 'A' && c <= 'Z';
    return pattern[1] == 'd' ? is_digit(c) : pattern[1] == 't' || is_word(c);
}

/* The length of the prefix that the first matching row finds; 0 if no row matches. */
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

bool gitlab_line_find(struct str line, struct gitlab_line *found)
{
    const size_t at = match_prefix("%d-%d-%dT%d:%d:%c ", line);
    struct str rest = str_from(line, at);
    if (!at || rest.len < 4 || !is_digit(rest.ptr[0]) || !is_digit(rest.ptr[1]) || !memchr("OE", rest.ptr[2], 2) ||
        !memchr(" +", rest.ptr[3], 2))
        return false;
    *found = (struct gitlab_line){str_sub(rest, 0, 3), str_from(rest, 4), rest.ptr[3] == '+'};
    return true;
}

struct str suffix_cut(struct str line)
{
    size_t from = str_ends(line, STR("proj]")) ? str_rfind(line, STR(" [")) : STR_NONE;
    struct str path = str_from(line, from == STR_NONE ? line.len : from + 2);
    bool whole = str_starts(path, STR("/")) || str_starts(path, STR("\\\\")) ||
                 (path.len > 2 && path.ptr[1] == ':' && path.ptr[2] == '\\');
    return whole ? str_sub(line, 0, from) : line;
}

/* True for "12:00:05,": the milliseconds of Python's logging follow. Other numbers after a comma are not part of a
 * time: "[1,0]<stderr>:". */
static bool ends_with_seconds(struct str s)
{
    size_t digits = s.len && s.ptr[s.len - 1] == ',' ? str_span_end(str_sub(s, 0, s.len - 1), is_digit) : 0;
    return digits && s.len > digits + 2 && s.ptr[s.len - digits - 2] == ':';
}

/* True if the number from `begin` to `end` is part of a time: another number is next to it, separated by a colon or a
 * point, or a plus precedes it, or a unit follows it. */
static bool is_of_time(struct str s, size_t begin, size_t end)
{
    char before = begin > 0 ? s.ptr[begin - 1] : '\0', behind = end < s.len ? s.ptr[end] : '\0';
    bool second = begin > 1 && (before == ':' || before == '.') && is_digit(s.ptr[begin - 2]);
    second = second || ends_with_seconds(str_sub(s, 0, begin));
    bool first = end + 1 < s.len && (behind == ':' || behind == '.') && is_digit(s.ptr[end + 1]);
    struct str word = str_from(s, end);
    bool has_unit = str_is_one_of(str_sub(word, 0, str_span(word, is_word)), "s ms us ns");
    return first || second || before == '+' || has_unit;
}

static uint32_t add_to_shape(uint32_t shape, char c)
{
    return (shape + (unsigned char)c) * UINT32_C(0x01000193);
}

uint32_t prefix_shape(struct str before)
{
    uint32_t shape = 0;
    before = str_trim(before);
    for (size_t at = 0, end = 0; at < before.len; at = end) {
        bool digits = is_digit(before.ptr[at]);
        end = at + str_span(str_from(before, at), digits ? is_digit : is_space_or_tab);
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

/* Labels that name one of several writers and are on every line of that writer. */
static const char *const streams[] = {
    "#%d ",   /* docker buildx, a step */
    "%w%b| ", /* docker compose, a service */
    "[%w] ",  /* Jenkins, a branch of parallel steps */
    "%b%d>",  /* MSBuild, a project */
};

/* True for "[INFO] ", "[stderr] ": a severity or a stream, not a writer. */
static bool is_level(struct str word)
{
    static const struct str levels[] = {STR_INIT("INFO"),   STR_INIT("WARN"),   STR_INIT("ERROR"),  STR_INIT("DEBUG"),
                                        STR_INIT("TRACE"),  STR_INIT("NOTICE"), STR_INIT("FATAL"),  STR_INIT("info"),
                                        STR_INIT("warn"),   STR_INIT("error"),  STR_INIT("debug"),  STR_INIT("trace"),
                                        STR_INIT("notice"), STR_INIT("fatal"),  STR_INIT("stdout"), STR_INIT("stderr")};
    return str_starts_any(word, levels, sizeof levels / sizeof *levels);
}

/* The length of the label at the front of s; 0 if there is none. The name of a writer begins with a letter; "[3/40] ",
 * "[+3ms] " and "0.013s | " are counts and times. */
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
