#include "log/quoted_text.h"

static bool is_quote(char c)
{
    return c == '\'' || c == '"';
}

static bool starts_message(struct str text)
{
    static const struct str starts[] = {STR_INIT("ptxas "), STR_INIT("ptxas-blackwell "), STR_INIT("nvlink "),
                                        STR_INIT("info    :"), STR_INIT("info :")};
    return str_starts_any(str_skip_blanks(text), starts, sizeof starts / sizeof *starts);
}

/* What stands behind the last message of a literal: its end, or the NULs of the buffer. */
static bool ends_literal(struct str text)
{
    return str_starts(text, STR("\\x00")) || str_starts(text, STR("\\u0000")) ||
           (text.len > 0 && is_quote(text.ptr[0]));
}

/* Where the first message begins; STR_NONE: there is none. */
static size_t first_message(struct str line)
{
    static const struct str words[] = {STR_INIT("ptxas"), STR_INIT("nvlink "), STR_INIT("info    :")};
    return str_find_any(line, words, sizeof words / sizeof *words);
}

bool quoted_text_is(struct str line)
{
    size_t first = str_find_char(line, '\\');
    if (first == STR_NONE || first_message(line) == STR_NONE)
        return false;
    for (size_t at = first; at + 1 < line.len; at++) {
        if (line.ptr[at] != '\\')
            continue;
        struct str rest = str_from(line, at + 2);
        if (line.ptr[at + 1] == 'n' && (starts_message(rest) || ends_literal(rest)))
            return true;
        at++; /* an escaped backslash does not begin an escape */
    }
    return false;
}

/* The byte of `digits` hexadecimal digits; -1: they are none, or stand for more than ASCII. */
static int hex_byte(struct str text, size_t digits)
{
    uint64_t value = 0;
    text = str_sub(text, 0, digits);
    return text.len == digits && str_hex(&text, &value) && text.len == 0 && value <= 0x7f ? (int)value : -1;
}

/* Appends what the escape at the front stands for; returns its length. */
static size_t unescape(struct str text, struct buf *out)
{
    char kind = text.len > 1 ? text.ptr[1] : '\0';
    size_t digits = kind == 'x' ? 2 : kind == 'u' ? 4 : 0;
    int byte = digits ? hex_byte(str_from(text, 2), digits) : -1;
    if (byte >= 0) {
        buf_char(out, (char)byte);
        return 2 + digits;
    }
    switch (kind) {
    case 'n': buf_char(out, '\n'); return 2;
    case 't': buf_char(out, '\t'); return 2;
    case 'r': return 2;
    case '\\':
    case '/':
    case '"':
    case '\'': buf_char(out, kind); return 2;
    default: buf_char(out, '\\'); return 1;
    }
}

/* The quote that begins the literal: the last one before the first message; NUL: there is none. */
static char opening_quote(struct str line)
{
    char quote = '\0';
    struct str before = str_sub(line, 0, first_message(line));
    for (size_t at = 0; at < before.len; at++)
        if (before.ptr[at] == '\\')
            at++;
        else if (is_quote(before.ptr[at]))
            quote = before.ptr[at];
    return quote;
}

/* Where the literal ends: at the first such quote behind the last `\n`. */
static size_t literal_end(struct str line)
{
    char quote = opening_quote(line);
    size_t end = line.len;
    for (size_t at = 0; at < line.len; at++) {
        if (line.ptr[at] == '\\') {
            end = at + 1 < line.len && line.ptr[at + 1] == 'n' ? line.len : end;
            at++;
        } else if (quote && line.ptr[at] == quote && end == line.len) {
            end = at;
        }
    }
    return end;
}

void quoted_text_unescape(struct str line, struct buf *out)
{
    line = str_sub(line, 0, literal_end(line));
    for (size_t at = 0; at < line.len;) {
        if (line.ptr[at] == '\\')
            at += unescape(str_from(line, at), out);
        else
            buf_char(out, line.ptr[at++]);
    }
}

struct str quoted_text_strip(struct str line)
{
    struct str text = str_trim(line);
    text = str_from(text, text.len > 1 && (text.ptr[0] == '[' || text.ptr[0] == '('));
    text = str_from(text, text.len > 1 && text.ptr[0] == 'b');
    if (text.len < 2 || !is_quote(text.ptr[0]))
        return line;
    char quote = text.ptr[0];
    struct str inner = str_from(text, 1);
    if (!starts_message(inner) && str_find(inner, STR(" bytes stack frame, ")) == STR_NONE)
        return line;
    while (inner.len && (inner.ptr[inner.len - 1] == ',' || inner.ptr[inner.len - 1] == ']' ||
                         inner.ptr[inner.len - 1] == ')' || is_space_or_tab(inner.ptr[inner.len - 1])))
        inner.len--;
    return inner.len && inner.ptr[inner.len - 1] == quote ? str_sub(inner, 0, inner.len - 1) : line;
}
