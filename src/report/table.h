/*
 * table: rows of cells that text, Markdown and HTML render. Numbers are right-aligned. In text the last column is not
 * padded, and names, which are long, are the last column; in Markdown and HTML they are the first one, as code.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "base/buf.h"
#include "base/mem.h"

enum { TABLE_COLUMNS = 20 };

struct table {
    struct arena arena;
    struct buf cell;   /* text of the next cell: append here, then call table_end */
    struct str *cells; /* row after row */
    size_t count, cap;
    size_t columns;
    bool right[TABLE_COLUMNS]; /* right-aligned */
    bool names;                /* the first column holds names */
    size_t width;              /* text in the last column is folded at so many columns; 0: it is not */
    size_t left_out;           /* rows that the table does not have for want of room */
};

void table_end(struct table *table);                   /* the next cell is what was appended to table->cell */
void table_cell(struct table *table, struct str text); /* a copy is kept */
void table_number(struct table *table, int64_t number);
/* Adds a column: the next cell, of the first row, is its head. */
void table_column(struct table *table, const char *head, bool right);
size_t table_rows(const struct table *table); /* with the row of heads */

size_t table_render(const struct table *table, struct buf *out); /* as text, without escapes; its width where no cell is
                                                                    folded */
/* A row as Markdown; below row 0, the heads, stands the line that makes them heads. */
void table_markdown(const struct table *table, size_t row, struct buf *out);
/* links: by row behind the heads, the number of the record that its name leads to, NO_INDEX: none; NULL: no links. */
void table_html(const struct table *table, const char *caption, const uint32_t *links, struct buf *out);
void table_free(struct table *table);

#endif
