/*
 * kernel_column: the columns of the tables of kernels that people read, behind the kernel's name. Text, Markdown and
 * the page render this one table; kernel_column.c says how to add a column. Keys of JSON and CSV: report/column.h.
 * Columns of comparisons: rules/measure.h.
 */
#ifndef REPORT_KERNEL_COLUMN_H
#define REPORT_KERNEL_COLUMN_H

#include "report/summary.h"

/* The tables. */
enum table_kind { IN_TEXT = 1, IN_MARKDOWN = 2, IN_PAGE = 4 };

struct kernel_row {
    enum table_kind kind;
    struct context *context;
    struct occupancy_shown occupancy;
};
struct kernel_row kernel_row_of(enum table_kind kind, struct context *context);

struct kernel_column {
    const char *head;  /* in text */
    const char *title; /* in Markdown and the page */
    unsigned kinds;    /* of enum table_kind: the tables that have it */
    bool number;
    void (*cell)(const struct kernel_row *row, struct buf *out);
    bool (*is_known)(struct context *context);                   /* it is there only where this is so of a record */
    void (*worst)(const struct family *family, struct buf *out); /* of a template; NULL: nothing is shown */
};
extern const struct kernel_column kernel_columns[];
extern const size_t kernel_column_count;

/* By bits: of the columns that some record has to know, those that are there because of this one. */
unsigned kernel_columns_known(struct context *context);
/* The columns of a table, where these are known of some record. */
unsigned kernel_columns_of(enum table_kind kind, unsigned known);

/* Appends "≤62.5", "62.5^" at a launch bound, "-" where nothing is known. */
void occupancy_text(const struct occupancy_shown *occupancy, struct buf *out);

#endif
