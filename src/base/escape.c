#include "base/escape.h"

/* Hidden code points beyond ASCII, in ascending order: Unicode's control and format characters, zero-width blanks,
 * fillers, line separators, tags, noncharacters. */
static const struct {
    uint32_t first, last;
} hidden[] = {
    {0x80, 0x9f},     {0xad, 0xad},     {0x34f, 0x34f},   {0x61c, 0x61c},     {0x115f, 0x1160},   {0x17b4, 0x17b5},
    {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},   {0x3164, 0x3164},   {0xfdd0, 0xfdef},
    {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0x1d173, 0x1d17a}, {0xe0000, 0xe007f},
};

static bool is_hidden(uint32_t code)
{
    size_t at = 0;
    while (at < sizeof hidden / sizeof *hidden && code > hidden[at].last)
        at++;
    bool listed = at < sizeof hidden / sizeof *hidden && code >= hidden[at].first;
    return listed || (code & 0xfffe) == 0xfffe; /* the last two of each plane are noncharacters */
}

size_t visible_length(struct str s)
{
    size_t length = utf8_length(s);
    if (length < 2)
        return length && s.ptr[0] >= 0x20 && s.ptr[0] < 0x7f;
    return is_hidden(utf8_code(s)) ? 0 : length;
}

/* The position of "::" if only blanks precede it, else STR_NONE. GitHub's runner trims all Unicode blanks before it
 * looks for a command, so every byte that is not ASCII counts as a blank here. */
static size_t command_at(struct str text)
{
    size_t at = 0;
    while (at < text.len && ((unsigned char)text.ptr[at] <= 0x20 || (unsigned char)text.ptr[at] >= 0x7f))
        at++;
    return str_starts(str_from(text, at), STR("::")) ? at : STR_NONE;
}

/* Number of bytes at the front that are ASCII and safe anywhere in a line. */
static size_t plain_length(struct str text)
{
    size_t at = 0;
    while (at < text.len && text.ptr[at] >= 0x20 && text.ptr[at] < 0x7f && text.ptr[at] != '#')
        at++;
    return at;
}

/* Number of bytes at position `at` that can be shown; 0 if the byte must be escaped. */
static size_t shown_length(struct str text, size_t at, size_t command)
{
    if (at == command || (text.ptr[at] == '#' && at && text.ptr[at - 1] == '#'))
        return 0;
    size_t plain = at > command || command == STR_NONE ? plain_length(str_from(text, at)) : 0;
    return plain ? plain : visible_length(str_from(text, at));
}

void escape_text(struct str text, struct buf *out)
{
    size_t command = command_at(text);
    for (size_t at = 0; at < text.len;) {
        size_t length = shown_length(text, at, command);
        if (length)
            buf_add(out, str_sub(text, at, at + length));
        else
            buf_fmt(out, "\\x%02x", (unsigned char)text.ptr[at]);
        at += length ? length : 1;
    }
}

void escape_keeping(struct str text, const char *kept, struct buf *out)
{
    while (text.len) {
        size_t end = 0;
        while (end < text.len && !(text.ptr[end] && strchr(kept, text.ptr[end])))
            end++;
        escape_text(str_sub(text, 0, end), out);
        buf_add(out, str_sub(text, end, end + 1));
        text = str_from(text, end + 1);
    }
}

void escape_single_quotes(struct str text, struct buf *out)
{
    struct str piece;
    for (const char *before = ""; str_split(&text, '\'', &piece); before = "'\\''")
        buf_fmt(out, "%s%.*s", before, STR_ARG(piece));
}

static bool is_plain(char c)
{
    return is_digit(c) || is_ascii_letter(c) || memchr("_-+=:,./%@", c, 10);
}

bool shell_is_plain(struct str word)
{
    return word.len && str_span(word, is_plain) == word.len;
}

void shell_word(struct str word, struct buf *out)
{
    if (shell_is_plain(word)) {
        buf_add(out, word);
        return;
    }
    buf_char(out, '\'');
    escape_single_quotes(word, out);
    buf_char(out, '\'');
}
