#include "report/table.h"

#include "report/elide.h"

#include <stdlib.h>

void table_cell(struct table *table, struct str text)
{
    table->cells = mem_reserve(table->cells, &table->cap, table->count + 1, sizeof *table->cells);
    table->cells[table->count++] = arena_str(&table->arena, text);
}

static void render_cell(const struct table *table, size_t at, const size_t *widths, struct buf *out)
{
    size_t column = at % table->columns;
    bool last = column + 1 == table->columns;
    size_t pad = widths[column] - text_width(table->cells[at]);
    if (table->right[column])
        buf_pad(out, ' ', pad);
    buf_add(out, table->cells[at]);
    if (!table->right[column] && !last)
        buf_pad(out, ' ', pad);
    if (last) {
        while (out->len && out->ptr[out->len - 1] == ' ')
            out->len--;
        buf_char(out, '\n');
    } else {
        buf_add(out, STR("  "));
    }
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
