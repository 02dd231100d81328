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

/* True for the text after the last message of a literal: the quote at its end, or the NULs of the buffer. */
static bool ends_literal(struct str text)
{
    return str_starts(text, STR("\\x00")) || str_starts(text, STR("\\u0000")) ||
           (text.len > 0 && is_quote(text.ptr[0]));
}

bool quoted_text_is(struct str line)
{
    static const struct str words[] = {STR_INIT("ptxas"), STR_INIT("nvlink "), STR_INIT("info    :")};
    size_t first = str_find_char(line, '\\');
    if (first == STR_NONE || str_find_any(line, words, sizeof words / sizeof *words) == STR_NONE)
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

/* Appends the character of the escape sequence at the front; returns the length of the sequence. */
static size_t unescape(struct str text, struct buf *out)
{
    char kind = text.len > 1 ? text.ptr[1] : '\0';
    size_t digits = kind == 'x' ? 2 : kind == 'u' ? 4 : 0;
    struct str hex = str_sub(text, 2, 2 + digits);
    uint64_t value = 0;
    if (digits && hex.len == digits && str_hex(&hex, &value) && hex.len == 0 && value <= 0x7f) {
        buf_char(out, (char)value);
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

void quoted_text_unescape(struct str line, struct buf *out)
{
    size_t last = str_rfind(line, STR("\\n"));
    for (size_t at = 0; at < line.len && !(at > last && is_quote(line.ptr[at]));) {
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
