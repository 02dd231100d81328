#include "report/table.h"

#include "report/elide.h"

#include <stdlib.h>

void table_cell(struct table *table, struct str text)
{
    *MEM_ADD(table->cells, table->count, table->cap) = arena_str(&table->arena, text);
}

static void render_last(const struct table *table, size_t at, const size_t *widths, struct buf *out)
{
    enum { LEAST = 20 };
    size_t used = 0, column = table->columns - 1;
    for (size_t before = 0; before < column; before++)
        used += widths[before] + 2;
    size_t room = used + LEAST < table->width ? table->width - used : LEAST;
    if (table->right[column])
        buf_pad(out, ' ', widths[column] - text_width(table->cells[at]));
    bool fits = !table->width || text_width(table->cells[at]) <= room;
    elide(table->cells[at], fits ? table->cells[at].len : room, out);
    while (out->len && out->ptr[out->len - 1] == ' ')
        out->len--;
    buf_char(out, '\n');
}

static void render_cell(const struct table *table, size_t at, const size_t *widths, struct buf *out)
{
    size_t column = at % table->columns, pad = widths[column] - text_width(table->cells[at]);
    if (column + 1 == table->columns) {
        render_last(table, at, widths, out);
        return;
    }
    if (table->right[column])
        buf_pad(out, ' ', pad);
    buf_add(out, table->cells[at]);
    if (!table->right[column])
        buf_pad(out, ' ', pad);
    buf_add(out, STR("  "));
}

void table_render(const struct table *table, struct buf *out)
{
    size_t widths[TABLE_COLUMNS] = {0};
    for (size_t at = 0; at < table->count; at++) {
        size_t width = text_width(table->cells[at]);
        if (width > widths[at % table->columns])
            widths[at % table->columns] = width;
    }
    for (size_t at = 0; at < table->count; at++)
        render_cell(table, at, widths, out);
}

void table_free(struct table *table)
{
    arena_free(&table->arena);
    free(table->cells);
    *table = (struct table){0};
}
