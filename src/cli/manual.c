#include "cli/manual.h"

#include "cli/commands.h"
#include "cli/settings.h"

#include "base/mem.h"

#include <stdlib.h>

/* The date of all pages: mdoc requires one. */
static const char manual_date[] = "November 24, 2026";

/* ---- comments that are replaced --------------------------------------------------------------------------------- */

/* Appends the lines as a code block of Markdown, which is printed unchanged. */
static void add_block(struct str text, struct buf *out)
{
    struct str rest = text, line;
    while (rest.len && str_split(&rest, '\n', &line))
        buf_fmt(out, "%s%.*s\n", line.len ? "    " : "", STR_ARG(line));
}

static void add_options(const struct command *command, struct buf *out)
{
    const struct option_row *rows[MOST_OPTIONS];
    size_t count = settings_options(command, rows);
    for (size_t at = 0; at < count; at++) {
        const struct option_row *row = rows[at];
        buf_add(out, STR("- `"));
        if (row->letter)
            buf_fmt(out, "-%c`, `", row->letter);
        buf_fmt(out, "--%s%s%s`: %s\n", row->name, row->value ? " " : "", row->value ? row->value : "", row->help);
    }
}

/* Appends the text that replaces a comment; nothing for other comments. */
static void add_replacement(const struct manual_page *page, struct str comment, struct buf *out)
{
    static const struct str label = STR_INIT("usage: ");
    const struct command *command = page->section == 1 ? commands_find(str_of(page->topic)) : NULL;
    struct str rest = command ? str_of(command->usage) : STR(""), line;
    if (command && str_eq(comment, STR("<!-- usage -->")))
        while (rest.len && str_split(&rest, '\n', &line) && line.len > label.len)
            add_block(str_from(line, label.len), out);
    else if (command && str_eq(comment, STR("<!-- options -->")))
        add_options(command, out);
    else if (command && str_eq(comment, STR("<!-- statuses -->")))
        buf_add(out, str_of(command->statuses));
}

/* ---- blocks ----------------------------------------------------------------------------------------------------- */

enum kind { TITLE, HEADING, PARAGRAPH, ITEM, CODE };

/* `from` and `to` are offsets in the text of all blocks. The lines of a paragraph or an item are joined; those of code
 * are not. */
struct block {
    enum kind kind;
    size_t from, to;
};

struct blocks {
    struct buf text;
    struct block *items;
    size_t count, cap;
};

static struct str block_text(const struct blocks *blocks, const struct block *block)
{
    return str_sub(buf_str(&blocks->text), block->from, block->to);
}

static void add_line(struct blocks *blocks, enum kind kind, bool goes_on, struct str line)
{
    struct block *block = goes_on ? &blocks->items[blocks->count - 1] : NULL;
    if (block && block->kind != CODE)
        buf_char(&blocks->text, ' ');
    if (!block) {
        block = MEM_ADD(blocks->items, blocks->count, blocks->cap);
        *block = (struct block){.kind = kind, .from = blocks->text.len};
    }
    buf_add(&blocks->text, line);
    if (kind == CODE)
        buf_char(&blocks->text, '\n');
    block->to = blocks->text.len;
}

/* An empty line ends a block, except within code. `empty` counts the empty lines since the last other line. */
static void read_blocks(struct str page, struct blocks *blocks)
{
    size_t empty = 1;
    for (struct str rest = page, line; rest.len && str_split(&rest, '\n', &line);) {
        enum kind last = blocks->count ? blocks->items[blocks->count - 1].kind : TITLE;
        if (line.len == 0) {
            empty++;
            continue;
        }
        if (str_starts(line, STR("# ")))
            add_line(blocks, TITLE, false, str_from(line, 2));
        else if (str_starts(line, STR("## ")))
            add_line(blocks, HEADING, false, str_from(line, 3));
        else if (str_starts(line, STR("- ")))
            add_line(blocks, ITEM, false, str_from(line, 2));
        else if (str_starts(line, STR("    "))) {
            for (; last == CODE && empty; empty--)
                add_line(blocks, CODE, true, STR(""));
            add_line(blocks, CODE, last == CODE, str_from(line, 4));
        } else
            add_line(blocks, PARAGRAPH, !empty && (last == PARAGRAPH || last == ITEM), str_trim(line));
        empty = 0;
    }
}

static void read_page(const struct manual_page *page, struct blocks *blocks)
{
    SCOPED(buf) expanded = {0};
    for (struct str rest = page->text, line; rest.len && str_split(&rest, '\n', &line);) {
        if (str_starts(line, STR("<!--")))
            add_replacement(page, line, &expanded);
        else
            buf_fmt(&expanded, "%.*s\n", STR_ARG(line));
    }
    read_blocks(buf_str(&expanded), blocks);
}

static void blocks_free(struct blocks *blocks)
{
    free(blocks->items);
    buf_free(&blocks->text);
}

/* Takes a "[text](target)" from the front of `rest` and returns its text in `text`. */
static bool take_link(struct str *rest, struct str *text)
{
    size_t middle = str_find_char(*rest, ']'), end = str_find_char(str_from(*rest, middle), ')');
    if (rest->ptr[0] != '[' || !str_starts(str_from(*rest, middle), STR("](")) || end == STR_NONE)
        return false;
    *text = str_sub(*rest, 1, middle);
    *rest = str_from(*rest, middle + end + 1);
    return true;
}

/* The length of an item's term: its text before the first ": " outside of code. STR_NONE if the item does not begin
 * with code. */
static size_t term_length(struct str item)
{
    bool code = false;
    for (size_t at = 0; item.ptr[0] == '`' && at + 1 < item.len; at++) {
        if (item.ptr[at] == '`')
            code = !code;
        else if (!code && item.ptr[at] == ':' && item.ptr[at + 1] == ' ')
            return at;
    }
    return STR_NONE;
}

static void add_upper(struct str line, struct buf *out)
{
    for (size_t at = 0; at < line.len; at++)
        buf_char(out, (char)(line.ptr[at] >= 'a' && line.ptr[at] <= 'z' ? line.ptr[at] - 'a' + 'A' : line.ptr[at]));
}

/* ---- text ------------------------------------------------------------------------------------------------------- */

/* Appends the text without link targets, and without the marks of code unless `marks` is set. */
static void add_plain(struct str text, bool marks, struct buf *out)
{
    for (struct str rest = text, link; rest.len;) {
        if (take_link(&rest, &link)) {
            add_plain(link, marks, out);
            continue;
        }
        if (marks || rest.ptr[0] != '`')
            buf_char(out, rest.ptr[0]);
        rest = str_from(rest, 1);
    }
}

static void add_wrapped(struct str text, size_t indent, bool marks, struct buf *out)
{
    SCOPED(buf) plain = {0};
    add_plain(text, marks, &plain);
    buf_wrap(out, buf_str(&plain), indent, prose_width());
}

static void text_item(struct str item, struct buf *out)
{
    size_t length = term_length(item), start = out->len;
    if (length != STR_NONE) {
        add_wrapped(str_sub(item, 0, length), 2, false, out);
        add_wrapped(str_from(item, length + strlen(": ")), 6, true, out);
        return;
    }
    add_wrapped(item, 4, true, out);
    out->ptr[start + 2] = '-';
}

void manual_text(const struct manual_page *page, struct buf *out)
{
    SCOPED(blocks) blocks = {0};
    read_page(page, &blocks);
    for (size_t at = 0; at < blocks.count; at++) {
        const struct block *block = &blocks.items[at];
        struct str text = block_text(&blocks, block);
        if (at > 0 && !(block->kind == ITEM && block[-1].kind == ITEM))
            buf_char(out, '\n');
        switch (block->kind) {
        case TITLE: add_wrapped(text, 0, true, out); break;
        case HEADING:
            add_upper(text, out);
            buf_char(out, '\n');
            break;
        case PARAGRAPH: add_wrapped(text, 0, true, out); break;
        case ITEM: text_item(text, out); break;
        case CODE: add_block(text, out); break;
        }
    }
}

/* ---- mdoc ------------------------------------------------------------------------------------------------------- */

static void add_escaped(char c, bool code, struct buf *out)
{
    if (c == '\\')
        buf_add(out, STR("\\e"));
    else if (c == '"')
        buf_add(out, STR("\\(dq"));
    else if (c == '-' && code)
        buf_add(out, STR("\\-"));
    else
        buf_char(out, c);
}

/* mdoc takes a line that begins with a period or a quote for a macro. */
static void guard_line(char first, struct buf *out)
{
    if ((first == '.' || first == '\'') && (out->len == 0 || out->ptr[out->len - 1] == '\n'))
        buf_add(out, STR("\\&"));
}

static void add_inline(struct str text, struct buf *out)
{
    bool code = false;
    for (struct str rest = text, link; rest.len; rest = str_from(rest, 1)) {
        while (!code && rest.len && take_link(&rest, &link))
            add_inline(link, out);
        if (rest.len == 0)
            return;
        guard_line(rest.ptr[0], out);
        if (rest.ptr[0] == '`') {
            code = !code;
            buf_add(out, code ? STR("\\fB") : STR("\\fR"));
        } else if (!code && rest.ptr[0] == ' ' && rest.ptr > text.ptr && strchr(".?!", rest.ptr[-1]))
            buf_char(out, '\n'); /* each sentence begins on a new line */
        else
            add_escaped(rest.ptr[0], code, out);
    }
}

static void mdoc_title(const struct manual_page *page, struct str title, struct buf *out)
{
    buf_fmt(out, ".\\\" Made by the build of src/cli/man/%s.%d.md.\n.Dd %s\n.Dt ", page->name, page->section,
            manual_date);
    add_upper(str_of(page->name), out);
    buf_fmt(out, " %d\n.Os\n.Sh NAME\n.Nm %s\n.Nd ", page->section, page->name);
    buf_add(out, str_from(title, str_find(title, STR(": ")) + strlen(": ")));
}

static void mdoc_item(struct str item, struct buf *out)
{
    size_t length = term_length(item);
    if (length == STR_NONE) {
        buf_add(out, STR(".It \\(bu\n"));
        add_inline(item, out);
        return;
    }
    buf_add(out, STR(".It \""));
    add_inline(str_sub(item, 0, length), out);
    buf_add(out, STR("\"\n"));
    add_inline(str_from(item, length + strlen(": ")), out);
}

static void mdoc_code(struct str code, struct buf *out)
{
    buf_add(out, STR(".Bd -literal -offset indent\n"));
    for (size_t at = 0; at < code.len; at++) {
        guard_line(code.ptr[at], out);
        add_escaped(code.ptr[at], true, out);
    }
    buf_add(out, STR(".Ed"));
}

void manual_mdoc(const struct manual_page *page, struct buf *out)
{
    SCOPED(blocks) blocks = {0};
    read_page(page, &blocks);
    enum kind before = TITLE;
    for (size_t at = 0; at < blocks.count; at++) {
        enum kind kind = blocks.items[at].kind;
        struct str text = block_text(&blocks, &blocks.items[at]);
        if (before == ITEM && kind != ITEM)
            buf_add(out, STR(".El\n"));
        if (kind == ITEM && before != ITEM)
            buf_add(out, STR(".Bl -tag -width Ds\n"));
        switch (kind) {
        case TITLE: mdoc_title(page, text, out); break;
        case HEADING:
            buf_add(out, STR(".Sh "));
            add_upper(text, out);
            break;
        case PARAGRAPH:
            buf_add(out, before == HEADING ? STR("") : STR(".Pp\n"));
            add_inline(text, out);
            break;
        case ITEM: mdoc_item(text, out); break;
        case CODE: mdoc_code(text, out); break;
        }
        buf_char(out, '\n');
        before = kind;
    }
    if (before == ITEM)
        buf_add(out, STR(".El\n"));
}
