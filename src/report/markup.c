#include "report/markup.h"

#include "base/escape.h"

#include <stdarg.h>

void html_text(struct str text, struct buf *out)
{
    SCOPED(buf) safe = {0};
    escape_text(text, &safe);
    for (size_t at = 0; at < safe.len; at++) {
        switch (safe.ptr[at]) {
        case '&': buf_add(out, STR("&amp;")); break;
        case '<': buf_add(out, STR("&lt;")); break;
        case '>': buf_add(out, STR("&gt;")); break;
        case '"': buf_add(out, STR("&quot;")); break;
        case '\'': buf_add(out, STR("&#39;")); break;
        default: buf_char(out, safe.ptr[at]);
        }
    }
}

void html_name(struct str name, struct buf *out)
{
    enum { SHORT_NAME = 16, LEAST_PIECE = 8 }; /* bytes; a page has 100,000 names, and each <wbr> takes time */
    size_t from = 0;
    for (size_t at = 0; name.len > SHORT_NAME && at + 1 < name.len; at++) {
        char c = name.ptr[at], next = name.ptr[at + 1];
        bool ends_scope = c == ':' && at > 0 && name.ptr[at - 1] == ':';
        bool ends_word = (c == '_' || c == '<' || c == ',' || c == '/') && next != c && next != ' ';
        if ((!ends_scope && !ends_word) || at + 1 - from < LEAST_PIECE)
            continue;
        html_text(str_sub(name, from, at + 1), out);
        buf_add(out, STR("<wbr>"));
        from = at + 1;
    }
    html_text(str_from(name, from), out);
}

/* The next text argument: its length, then its pointer. */
static struct str next_str(va_list *args)
{
    const int length = va_arg(*args, int);
    return (struct str){va_arg(*args, const char *), (size_t)length};
}

typedef void writer(struct str text, struct buf *out);

static void add_fmt(struct buf *out, writer *text, writer *name, const char *format, va_list *args)
{
    static const char conversions[] = "-.sduzl";
    static const size_t lengths[] = {4, 3, 1, 1, 1, 2, 3}; /* of "-.*s", ".*s" ... "zu", "lld" */
    struct str rest = str_of(format);
    for (size_t at; (at = str_find_char(rest, '%')) != STR_NONE && at + 1 < rest.len;) {
        const char *found = strchr(conversions, rest.ptr[at + 1]);
        buf_add(out, str_sub(rest, 0, at));
        switch (rest.ptr[at + 1]) {
        case '-': name(next_str(args), out); break;
        case '.': text(next_str(args), out); break;
        case 's': buf_add(out, str_of(va_arg(*args, const char *))); break;
        case 'd': buf_int(out, va_arg(*args, int)); break;
        case 'u': buf_int(out, va_arg(*args, unsigned)); break;
        case 'z': buf_int(out, (int64_t)va_arg(*args, size_t)); break;
        case 'l': buf_int(out, va_arg(*args, long long)); break;
        default: buf_char(out, '%');
        }
        rest = str_from(rest, at + 1 + (found ? lengths[found - conversions] : 1));
    }
    buf_add(out, rest);
}

#define FMT(function, text, name)                                                                                      \
    void function(struct buf *out, const char *format, ...)                                                            \
    {                                                                                                                  \
        va_list args;                                                                                                  \
        va_start(args, format);                                                                                        \
        add_fmt(out, text, name, format, &args);                                                                       \
        va_end(args);                                                                                                  \
    }
FMT(text_fmt, escape_text, escape_text)
FMT(html_fmt, html_text, html_name)
FMT(markdown_fmt, markdown_text, markdown_code)

void one_line(struct str text, struct buf *out)
{
    struct str line;
    bool first = true;
    while (str_split(&text, '\n', &line)) {
        line = str_trim(line);
        if (!line.len)
            continue;
        buf_add(out, first ? STR("") : STR(" "));
        buf_add(out, line);
        first = false;
    }
}

void number_text(int64_t number, bool known, const char *otherwise, struct buf *out)
{
    if (known)
        buf_int(out, number);
    else
        buf_add(out, str_of(otherwise));
}

void backslash_text(struct str text, const char *special, struct buf *out)
{
    for (size_t at = 0; at < text.len; at++) {
        if (text.ptr[at] && strchr(special, text.ptr[at]))
            buf_char(out, '\\');
        buf_char(out, text.ptr[at]);
    }
}

static bool is_word(char c)
{
    return is_digit(c) || is_ascii_letter(c) || (c & 0x80);
}

/*
 * An entity prevents a character from being markup. But GitHub searches the rendered text for @names, #numbers and
 * :emoji:. An element around the character separates it from its neighbours there.
 */
static void add_markdown(struct str text, bool code, struct buf *out)
{
    for (size_t at = 0; at < text.len; at++) {
        char c = text.ptr[at], next = at + 1 < text.len ? text.ptr[at + 1] : ' ';
        bool web = str_ends(str_sub(text, 0, at), STR("www")) || str_ends(str_sub(text, 0, at), STR("WWW"));
        bool harmless = is_word(c) || (c && strchr(" ,();=+/-%?'^", c)); /* at any position in a line */
        bool plain = harmless || (c == '.' && !web) || (c == ':' && next == ' ') || (c == '_' && is_word(next));
        if (plain && !code)
            buf_char(out, c);
        else if (is_word(c) || c == ' ')
            buf_char(out, c);
        else if (c == '@' || (!code && (c == '#' || c == ':')))
            buf_fmt(out, "<span>&#%d;</span>", c);
        else
            buf_fmt(out, "&#%d;", c);
    }
}

void markdown_text(struct str text, struct buf *out)
{
    SCOPED(buf) safe = {0};
    escape_text(text, &safe);
    add_markdown(buf_str(&safe), false, out);
}

void markdown_code(struct str text, struct buf *out)
{
    SCOPED(buf) safe = {0};
    escape_text(text, &safe);
    struct str s = buf_str(&safe);
    bool plain = s.len && s.ptr[0] != ' ' && s.ptr[s.len - 1] != ' ';
    for (size_t at = 0; at < s.len && plain; at++)
        plain = s.ptr[at] != '`' && s.ptr[at] != '|' && s.ptr[at] != '\\';
    buf_add(out, plain ? STR("`") : STR("<code>"));
    if (plain)
        buf_add(out, s);
    else
        add_markdown(s, true, out);
    buf_add(out, plain ? STR("`") : STR("</code>"));
}

void markdown_paragraph(struct str text, struct buf *out)
{
    markdown_text(text, out);
    buf_add(out, text.len ? STR("\n\n") : STR(""));
}
