#include "log/line.h"

#include <string.h>

/* The length in bytes of the escape sequence that begins at s (its first byte is ESC). */
static size_t escape_length(struct str s)
{
    if (s.len < 2)
        return s.len;
    size_t at = 2;
    if (s.ptr[1] == '[') { /* CSI: parameters, then one byte 0x40..0x7e */
        while (at < s.len && (s.ptr[at] < 0x40 || s.ptr[at] > 0x7e))
            at++;
        return at < s.len ? at + 1 : at;
    }
    if (!memchr("]_P^X", s.ptr[1], 5)) /* two bytes, or three for a character set */
        return s.ptr[1] == '(' || s.ptr[1] == ')' ? (s.len < 3 ? s.len : 3) : 2;
    for (; at < s.len; at++) { /* OSC, APC and similar sequences end with BEL or ESC \ */
        if (s.ptr[at] == '\a')
            return at + 1;
        if (s.ptr[at] == 0x1b && at + 1 < s.len && s.ptr[at + 1] == '\\')
            return at + 2;
    }
    return s.len;
}

/* Entities of HTML that occur in messages of compilers. */
static const struct {
    struct str entity;
    char character;
} entities[] = {
    {STR_INIT("&#39;"), '\''}, {STR_INIT("&#039;"), '\''}, {STR_INIT("&#x27;"), '\''}, {STR_INIT("&apos;"), '\''},
    {STR_INIT("&quot;"), '"'}, {STR_INIT("&#34;"), '"'},   {STR_INIT("&lt;"), '<'},    {STR_INIT("&gt;"), '>'},
    {STR_INIT("&amp;"), '&'},  {STR_INIT("&nbsp;"), ' '},
};

/* The row of the entity at the front of s; -1: none. */
static int entity_at(struct str s)
{
    for (size_t at = 0; at < sizeof entities / sizeof *entities; at++)
        if (str_starts(s, entities[at].entity))
            return (int)at;
    return -1;
}

bool line_is_escaped(struct str line)
{
    const struct str before = STR(" function ");
    size_t at = str_find_char(line, '&') == STR_NONE ? STR_NONE : str_find(line, before);
    int entity = at == STR_NONE ? -1 : entity_at(str_from(line, at + before.len));
    return entity >= 0 && entities[entity].character == '\'';
}

static bool is_dropped(char c)
{
    return (unsigned char)c < 0x20 && c != '\t';
}

struct str clean_line(struct str line, bool escaped, struct buf *scratch)
{
    str_take(&line, STR("\xEF\xBB\xBF"));
    size_t at = 0;
    while (at < line.len && !is_dropped(line.ptr[at]))
        at++;
    escaped = escaped && memchr(line.ptr, '&', line.len);
    if (at == line.len && !escaped)
        return line;
    at = escaped ? 0 : at;
    buf_clear(scratch);
    buf_add(scratch, str_sub(line, 0, at));
    while (at < line.len) {
        int entity = escaped ? entity_at(str_from(line, at)) : -1;
        if (entity >= 0) {
            buf_char(scratch, entities[entity].character);
            at += entities[entity].entity.len;
        } else if (line.ptr[at] == 0x1b) {
            at += escape_length(str_from(line, at));
        } else if (is_dropped(line.ptr[at])) {
            at++;
        } else {
            buf_char(scratch, line.ptr[at++]);
        }
    }
    return buf_str(scratch);
}
