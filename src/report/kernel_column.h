/*
 * kernel_column: the columns of the tables of kernels that people read, behind the kernel's name. Text, Markdown and
 * the page render this one table; kernel_column.c says how to add a column. Keys of JSON and CSV: report/column.h.
 * Columns of comparisons: rules/measure.h.
 */
#ifndef REPORT_KERNEL_COLUMN_H
#define REPORT_KERNEL_COLUMN_H

#include "base/intern.h"
#include "report/summary.h"

struct kernel_row {
    enum table_kind kind;
    struct context *context;
    struct occupancy_shown occupancy;
};
struct kernel_row kernel_row_of(enum table_kind kind, struct context *context);

/* What a row for several kernels says. */
enum column_summary { SUMMARY_NONE, SUMMARY_RANGE, SUMMARY_ARCHS, SUMMARY_LIMITERS };

enum column_number { NO_NUMBER, NUMBER, NUMBER_OF_LINK /* text marks what the link decided */ };

struct kernel_column {
    const char *head;  /* in text */
    const char *title; /* in Markdown and the page */
    unsigned kinds;    /* of enum table_kind: the tables that have it */
    enum column_number number;
    int64_t (*value)(const struct kernel_row *row);              /* UNKNOWN; NULL: it has none */
    void (*cell)(const struct kernel_row *row, struct buf *out); /* of a known value; NULL: it as it is */
    bool optional;                                               /* it is there only where some record has a value */
    enum column_summary summary;
};
extern const struct kernel_column kernel_columns[];
extern const size_t kernel_column_count;

/* The one behind `last`, first NULL, of the columns of these bits; NULL: no more. */
const struct kernel_column *kernel_column_next(unsigned columns, const struct kernel_column *last);
void kernel_cell(const struct kernel_column *column, const struct kernel_row *row, struct buf *out);
/* Adds to a table the columns of these bits, and their cells of a row. */
void kernel_heads(enum table_kind kind, unsigned columns, struct table *table);
void kernel_cells(const struct kernel_row *row, unsigned columns, struct table *table);

/* Rows become one row for the page. Initialise with zeros. */
enum { SUMMARY_COLUMNS = 16 };
struct kernel_summary {
    struct column_range {
        int64_t lowest, highest;
        struct buf lowest_cell, highest_cell;
        size_t known; /* rows */
    } ranges[SUMMARY_COLUMNS];
    struct intern archs;
    unsigned limiters;
    size_t rows;
};
void kernel_summary_add(struct kernel_summary *summary, const struct kernel_row *row);
/* Appends "40–255", "≤12.5–100", ", -" behind it where some rows do not know it; "sm_80 sm_90", "sm_75–sm_120 (6)". */
void kernel_summary_cell(const struct kernel_summary *summary, const struct kernel_column *column, struct buf *out);
void kernel_summary_free(struct kernel_summary *summary);

/* By bits: of the columns that some record has to know, those that are there because of this one. */
unsigned kernel_columns_known(struct context *context);
/* The columns of a table, where these are known of some record. */
unsigned kernel_columns_of(enum table_kind kind, unsigned known);

/* Appends "≤62.5", "62.5^" at a launch bound; text is in ASCII: "<=62.5". */
void occupancy_text(enum table_kind kind, const struct occupancy_shown *occupancy, struct buf *out);
/* The same of the lowest one, and behind it the highest where that is another: "≤12.5–100". */
void occupancy_range_text(const struct occupancy_range *range, struct buf *out);

#endif
