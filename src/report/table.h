/*
 * table: rows of cells that text, Markdown and HTML render. Numbers are right-aligned. Text does not pad the last
 * column and moves a column of names, which are long, to the end. Markdown and HTML keep the names first, formatted as
 * code.
 */
#pragma once

#include "base/buf.h"
#include "base/mem.h"

enum { TABLE_COLUMNS = 20 };

struct table {
    struct arena arena;
    struct buf cell;   /* text of the next cell: append to it, then call table_end */
    struct str *cells; /* row after row */
    size_t count, cap;
    size_t columns;
    bool right[TABLE_COLUMNS]; /* right-aligned */
    bool names;                /* the first column holds names */
    size_t width;              /* text is folded at this column in the last column of the table; 0: not folded */
    bool cut;                  /* ... cut there, not folded */
    size_t left_out;           /* number of rows omitted for lack of room */
};

void table_end(struct table *table);                   /* ends the cell whose text is in table->cell */
void table_cell(struct table *table, struct str text); /* the text is copied */
void table_number(struct table *table, int64_t number);
/* Adds a column. Call it for all columns before the first row: the heads are row 0. */
void table_column(struct table *table, const char *head, bool right);
size_t table_rows(const struct table *table); /* including the row of heads */

size_t table_render(const struct table *table, struct buf *out); /* appends text without escapes; returns the width of a
                                                                    line without folding */
/* Appends a row as Markdown. Row 0 has the heads and is followed by the separator line of Markdown. */
void table_markdown(const struct table *table, size_t row, struct buf *out);
/* links: by row after the heads, the number of the record that the name links to, NO_INDEX: none; NULL: no links at
 * all. */
void table_html(const struct table *table, const char *caption, const uint32_t *links, struct buf *out);
void table_free(struct table *table);
