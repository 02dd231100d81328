/*
 * kernel_column: the columns that follow the name in the tables of kernels for people. Text, Markdown and the page
 * render this one table; kernel_column.c describes how to add a column. Keys of JSON and CSV: report/column.h. Columns
 * of comparisons: rules/measure.h.
 */
#pragma once

#include "base/intern.h"
#include "report/summary.h"

struct kernel_row {
    enum table_kind kind;
    struct context *context;
    struct occupancy_shown occupancy;
};
struct kernel_row kernel_row_of(enum table_kind kind, struct context *context);

/* The content of a column in a row that summarizes several kernels. */
enum column_summary { SUMMARY_NONE, SUMMARY_RANGE, SUMMARY_ARCHS, SUMMARY_LIMITERS };

enum column_number { NO_NUMBER, NUMBER, NUMBER_OF_LINK /* text marks a value of the device link */ };

struct kernel_column {
    const char *head;  /* in text */
    const char *title; /* in Markdown and the page */
    unsigned kinds;    /* bits of enum table_kind: the tables with this column */
    enum column_number number;
    int64_t (*value)(const struct kernel_row *row);              /* may be UNKNOWN; NULL: no value */
    void (*cell)(const struct kernel_row *row, struct buf *out); /* prints a known value; NULL: as a plain number */
    bool optional;                                               /* present only if some record has a value */
    enum column_summary summary;
};
extern const struct kernel_column kernel_columns[];
extern const size_t kernel_column_count;

/* The next of these columns (bits) after `last` (NULL at first); NULL if there are no more. */
const struct kernel_column *kernel_column_next(unsigned columns, const struct kernel_column *last);
void kernel_cell(const struct kernel_column *column, const struct kernel_row *row, struct buf *out);
/* Add to a table the heads of these columns (bits), and the cells of a row. */
void kernel_heads(enum table_kind kind, unsigned columns, struct table *table);
void kernel_cells(const struct kernel_row *row, unsigned columns, struct table *table);

/* Summarizes rows as one row of the page. Initialise with zeros. */
enum { SUMMARY_COLUMNS = 16 };
struct kernel_summary {
    struct column_range {
        int64_t lowest, highest;
        struct buf lowest_cell, highest_cell;
        size_t known; /* number of rows with a known value */
    } ranges[SUMMARY_COLUMNS];
    struct intern archs;
    unsigned limiters;
    size_t rows;
};
void kernel_summary_add(struct kernel_summary *summary, const struct kernel_row *row);
/* Appends "40–255" or "≤12.5–100", followed by ", -" if some rows have no known value; "sm_80 sm_90" or "sm_75–sm_120
 * (6)". */
void kernel_summary_cell(const struct kernel_summary *summary, const struct kernel_column *column, struct buf *out);
void kernel_summary_free(struct kernel_summary *summary);

/* The optional columns (bits) with a known value in this record. */
unsigned kernel_columns_known(struct context *context);
/* The columns (bits) of a table; known: the optional columns with a known value in some record. */
unsigned kernel_columns_of(enum table_kind kind, unsigned known);

/* Appends "≤62.5", and "62.5^" for a launch bound; text uses ASCII: "<=62.5". */
void occupancy_text(enum table_kind kind, const struct occupancy_shown *occupancy, struct buf *out);
/* Appends the lowest occupancy, and the highest one if it differs: "≤12.5–100". */
void occupancy_range_text(const struct occupancy_range *range, struct buf *out);
