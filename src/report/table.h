/*
 * table: cells into aligned columns. Numbers are right-aligned; the last column is not padded, and cut where it would
 * be wider than the room for the table.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "base/buf.h"
#include "base/mem.h"

enum { TABLE_COLUMNS = 12 };

struct table {
    struct arena arena;
    struct str *cells; /* row after row */
    size_t count, cap;
    size_t columns, width;     /* width: 0 is as wide as it gets */
    bool right[TABLE_COLUMNS]; /* right-aligned */
};

void table_cell(struct table *table, struct str text); /* a copy is kept */
void table_render(const struct table *table, struct buf *out);
void table_free(struct table *table);

#endif
