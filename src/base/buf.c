#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(struct buf *b, size_t more)
{
    enum { FIRST_BYTES = 64 };
    size_t need = b->len + more;
    b->ptr = mem_reserve(b->ptr, &b->cap, b->cap || need > FIRST_BYTES ? need : FIRST_BYTES, 1);
}

void buf_add(struct buf *b, struct str s)
{
    if (s.len == 0)
        return;
    reserve(b, s.len);
    memcpy(b->ptr + b->len, s.ptr, s.len);
    b->len += s.len;
}

void buf_char(struct buf *b, char c)
{
    reserve(b, 1);
    b->ptr[b->len++] = c;
}

void buf_pad(struct buf *b, char c, size_t count)
{
    if (count == 0)
        return;
    reserve(b, count);
    memset(b->ptr + b->len, c, count);
    b->len += count;
}

void buf_int(struct buf *b, int64_t value)
{
    char digits[24];
    size_t at = sizeof digits;
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        digits[--at] = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude);
    if (value < 0)
        digits[--at] = '-';
    buf_add(b, (struct str){digits + at, sizeof digits - at});
}

void buf_fmt(struct buf *b, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    reserve(b, 1);
    const int length = vsnprintf(b->ptr + b->len, b->cap - b->len, fmt, args);
    va_end(args);
    if (length > 0 && (size_t)length >= b->cap - b->len) {
        reserve(b, (size_t)length + 1);
        vsnprintf(b->ptr + b->len, (size_t)length + 1, fmt, again);
    }
    b->len += length > 0 ? (size_t)length : 0;
    va_end(again);
}

char *buf_room(struct buf *b, size_t bytes)
{
    reserve(b, bytes);
    return b->ptr + b->len;
}

void buf_clear(struct buf *b)
{
    b->len = 0;
}

void buf_free(struct buf *b)
{
    free(b->ptr);
    *b = (struct buf){0};
}

struct str arena_take(struct arena *arena, struct buf *text)
{
    struct str copy = arena_str(arena, buf_str(text));
    buf_free(text);
    return copy;
}

struct str buf_str(const struct buf *b)
{
    return (struct str){b->ptr, b->len};
}

void buf_count(struct buf *b, uint64_t count, const char *text)
{
    const char *side = NULL; /* start of the current alternative inside {a|b}, else NULL; only the alternative for this
                                count is shown */
    for (; count && *text; text++) {
        if (*text == '{' || *text == '|')
            side = text;
        else if (*text == '}')
            side = NULL;
        else if (side && (*side == '{') != (count == 1))
            continue;
        else if (*text == '#')
            buf_fmt(b, "%llu", (unsigned long long)count);
        else
            buf_char(b, *text);
    }
}

/* Cuts the next word off, with the unit if it is a number, so that no line begins with a unit. */
static struct str next_word(struct str *rest)
{
    struct str word, unit, behind;
    str_split(rest, ' ', &word);
    behind = *rest;
    if (!word.len || !is_digit(word.ptr[word.len - 1]) || !str_split(&behind, ' ', &unit))
        return word;
    const size_t whole = (size_t)(unit.ptr + unit.len - word.ptr);
    while (unit.len && strchr(".,;:)", unit.ptr[unit.len - 1]))
        unit.len--;
    if (!str_is_one_of(unit, "% B"))
        return word;
    *rest = behind;
    return (struct str){word.ptr, whole};
}

void buf_fold(struct buf *b, struct str text, size_t column, size_t indent, size_t width)
{
    struct str rest = text;
    bool first = true;
    while (rest.len) {
        const struct str word = next_word(&rest);
        size_t columns = str_width(word);
        if (width && column > indent && column + !first + columns > width) {
            while (b->len && b->ptr[b->len - 1] == ' ')
                b->len--;
            buf_char(b, '\n');
            buf_pad(b, ' ', indent);
            column = indent;
            first = true;
        }
        buf_add(b, first ? STR("") : STR(" "));
        buf_add(b, word);
        column += !first + columns;
        first = false;
    }
}

void buf_fold_lines(struct buf *b, struct str text, size_t indent, size_t width)
{
    struct str line;
    while (text.len && str_split(&text, '\n', &line)) {
        buf_fold(b, line, 0, indent, width);
        buf_char(b, '\n');
    }
}

void buf_wrap(struct buf *b, struct str text, size_t indent, size_t width)
{
    struct str lines = text, line;
    while (str_split(&lines, '\n', &line)) {
        struct str words = str_trim(line);
        if (words.len == 0)
            continue;
        buf_pad(b, ' ', indent);
        buf_fold(b, words, indent, indent, width);
        buf_char(b, '\n');
    }
}

/* ---- paths ------------------------------------------------------------------------------------------------------ */

static bool is_separator(struct str path, size_t at, bool backslashes)
{
    return at < path.len && (path.ptr[at] == '/' || (backslashes && path.ptr[at] == '\\'));
}

bool path_next(struct str *rest, bool backslashes, struct str *name)
{
    size_t from = 0;
    while (is_separator(*rest, from, backslashes))
        from++;
    size_t end = from;
    while (end < rest->len && !is_separator(*rest, end, backslashes))
        end++;
    *name = str_sub(*rest, from, end);
    *rest = str_from(*rest, end);
    return end > from;
}

void path_clean(struct str path, bool backslashes, struct buf *out)
{
    if (out->len == 0 && is_separator(path, 0, backslashes))
        buf_char(out, '/');
    const size_t root = out->len;
    for (struct str name; path_next(&path, backslashes, &name);) {
        const struct str done = str_from(buf_str(out), root);
        const bool up = str_eq(name, STR(".."));
        if (str_eq(name, STR(".")) || (up && root && done.len == 0))
            continue;
        if (up && done.len && !str_eq(path_name(done), name)) {
            const size_t slash = str_rfind(done, STR("/"));
            out->len = root + (slash == STR_NONE ? 0 : slash);
            continue;
        }
        if (done.len)
            buf_char(out, '/');
        buf_add(out, name);
    }
}
