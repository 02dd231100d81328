/*
 * configurations: kernels that Triton compiled for several configurations, of which its autotuner takes the fastest.
 * Each of them has, on an architecture, a table with a row for each configuration, the worst first: most spilled bytes,
 * then the lowest occupancy, then most registers. What all configurations have in common is in the title.
 */
#ifndef REPORT_CONFIGURATIONS_H
#define REPORT_CONFIGURATIONS_H

#include "report/kernel_column.h"

struct table; /* report/table.h */

struct tuned_kernel {
    struct str name;  /* "matmul_kernel" */
    struct str title; /* what is behind it: " (sm_90): 4 configurations with num_ctas=1, 1 spills; ..." */
    struct str *keys; /* in which its configurations differ */
    size_t key_count;
    struct configuration *rows; /* the worst first */
    size_t count;
    bool counts; /* equal rows are one, with their number */
};

struct configurations {
    const struct report *report;
    struct arena arena;
    struct configuration *rows;   /* of all kernels */
    struct tuned_kernel *kernels; /* the worst first */
    size_t count;
    size_t records;   /* of all these kernels */
    size_t ambiguous; /* records whose configuration is not the only one of its name */
    bool *has;        /* by kernel of the model: it is one of the records */
};

struct configurations configurations_make(const struct report *report); /* release with configurations_free */
void configurations_free(struct configurations *configurations);

/* The rows of a kernel; of more than `most` the worst and the best ones, with a row of "..." between them: then
 * left_out counts the others. To be released with table_free. */
struct table configurations_table(const struct configurations *configurations, size_t kernel, enum table_kind kind,
                                  size_t most);

/* Appends in a sentence what the order means; another one where several records have one configuration. */
void configurations_note(const struct configurations *configurations, struct buf *out);

#endif
