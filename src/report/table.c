#include "report/table.h"

#include "log/model.h"
#include "report/markup.h"

#include <stdlib.h>

void table_cell(struct table *table, struct str text)
{
    *MEM_ADD(table->cells, table->count, table->cap) = arena_str(&table->arena, text);
}

void table_end(struct table *table)
{
    table_cell(table, buf_str(&table->cell));
    buf_clear(&table->cell);
}

void table_number(struct table *table, int64_t number)
{
    buf_int(&table->cell, number);
    table_end(table);
}

void table_column(struct table *table, const char *head, bool right)
{
    table->right[table->columns++] = right;
    table_cell(table, str_of(head));
}

size_t table_rows(const struct table *table)
{
    return table->count / table->columns;
}

/* The beginning of the text, in so many columns. */
static void add_beginning(struct str text, size_t columns, struct buf *out)
{
    static const struct str mark = STR_INIT("...");
    size_t end = 0;
    for (size_t used = mark.len; used < columns; used++) {
        size_t length = utf8_length(str_from(text, end));
        end += length ? length : 1;
    }
    buf_add(out, str_sub(text, 0, end));
    buf_add(out, mark);
}

/* Appends the last cell, folded at the width. It gets its own lines if the other columns leave little room. */
static void add_last(const struct table *table, size_t column, struct str cell, struct buf *out)
{
    enum { LEAST_ROOM = 40, INDENT = 8, LEAST_CUT = 8 };
    bool fits = table->width == 0 || column + str_width(cell) <= table->width;
    if (table->cut && !fits && column + LEAST_CUT <= table->width) {
        add_beginning(cell, table->width - column, out);
        return;
    }
    if (fits || column + LEAST_ROOM <= table->width) {
        buf_fold(out, cell, column, column, table->width);
        return;
    }
    while (out->len && out->ptr[out->len - 1] == ' ')
        out->len--;
    buf_char(out, '\n');
    buf_wrap(out, cell, INDENT, table->width);
    out->len--;
}

size_t table_render(const struct table *table, struct buf *out)
{
    size_t widths[TABLE_COLUMNS] = {0}, total = 2 * (table->columns - 1);
    for (size_t at = 0; at < table->count; at++) {
        size_t width = str_width(table->cells[at]);
        if (width > widths[at % table->columns])
            widths[at % table->columns] = width;
    }
    for (size_t at = 0; at < table->columns; at++)
        total += widths[at];
    for (size_t at = 0; at < table->count; at++) {
        size_t place = at % table->columns, column = (place + table->names) % table->columns;
        struct str cell = table->cells[at - place + column];
        size_t pad = widths[column] - str_width(cell);
        buf_pad(out, ' ', table->right[column] ? pad : 0);
        if (place + 1 < table->columns) {
            buf_add(out, cell);
            buf_pad(out, ' ', table->right[column] ? 2 : pad + 2);
            continue;
        }
        add_last(table, total - widths[column], cell, out);
        while (out->len && out->ptr[out->len - 1] == ' ')
            out->len--;
        buf_char(out, '\n');
    }
    return total;
}

void table_markdown(const struct table *table, size_t row, struct buf *out)
{
    for (size_t at = 0; at < table->columns; at++) {
        struct str cell = table->cells[row * table->columns + at];
        buf_add(out, at ? STR(" | ") : STR("| "));
        (table->names && row && at == 0 ? markdown_code : markdown_text)(cell, out);
    }
    buf_add(out, row ? STR(" |\n") : STR(" |\n|"));
    for (size_t at = 0; row == 0 && at < table->columns; at++)
        buf_add(out, table->right[at] ? STR("--:|") : STR("---|"));
    buf_add(out, row ? STR("") : STR("\n"));
}

void table_html(const struct table *table, const char *caption, const uint32_t *links, struct buf *out)
{
    buf_fmt(out, "<table><caption>%s</caption><thead><tr>", caption);
    for (size_t at = 0; at < table->count; at++) {
        size_t row = at / table->columns, column = at % table->columns;
        const char *class = table->right[column] ? " class=\"n\"" : "";
        bool code = table->names && row && column == 0, link = code && links && links[row - 1] != NO_INDEX;
        if (row == 0)
            buf_fmt(out, "<th scope=\"col\"%s>", class);
        else
            buf_fmt(out, column ? "<td%s>" : "<tr><th scope=\"row\"%s>", class);
        if (link)
            buf_fmt(out, "<a href=\"#k%u\">", links[row - 1]);
        buf_add(out, code ? STR("<code>") : STR(""));
        (row && column == 0 ? html_name : html_text)(table->cells[at], out);
        buf_add(out, code ? STR("</code>") : STR(""));
        buf_add(out, link ? STR("</a>") : STR(""));
        buf_add(out, row && column ? STR("</td>") : STR("</th>"));
        if (column + 1 == table->columns)
            buf_add(out, row ? STR("</tr>\n") : STR("</tr></thead><tbody>\n"));
    }
    buf_add(out, STR("</tbody></table>\n"));
}

void table_free(struct table *table)
{
    arena_free(&table->arena);
    free(table->cells);
    buf_free(&table->cell);
    *table = (struct table){0};
}
