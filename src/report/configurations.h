/*
 * configurations: kernels that Triton compiled in several configurations. Triton's autotuner measures them and uses the
 * fastest. For each kernel and architecture there is a table with a row for each configuration, worst first: most
 * spilled bytes, then lowest occupancy, then most registers. The title states what all configurations have in common.
 */
#pragma once

#include "report/kernel_column.h"

struct table; /* report/table.h */

struct tuned_kernel {
    struct str name;  /* "matmul_kernel" */
    struct str title; /* text after the name: " (sm_90): 4 configurations with num_ctas=1, 1 spills; ..." */
    struct str *keys; /* the members that differ between its configurations */
    size_t key_count;
    struct configuration *rows; /* worst first */
    size_t count;
    bool counts; /* equal rows are merged, and a column has their number of records */
};

struct configurations {
    const struct report *report;
    struct arena arena;
    struct configuration *rows;   /* of all kernels */
    struct tuned_kernel *kernels; /* worst first */
    size_t count;
    size_t records;   /* number of records of all these kernels */
    size_t ambiguous; /* records with the same configuration name as another record */
    bool *has;        /* by kernel of the model: true if it is one of the records */
};

struct configurations configurations_make(const struct report *report); /* release with configurations_free */
void configurations_free(struct configurations *configurations);

/* The rows of a kernel. If there are more than `most`, the table has the worst and the best ones with a row of "..."
 * between them, and left_out is the number of the others. Release with table_free. */
struct table configurations_table(const struct configurations *configurations, size_t kernel, enum table_kind kind,
                                  size_t most);

/* Appends one sentence about the meaning of the order, and one if several records have the same configuration. */
void configurations_note(const struct configurations *configurations, struct buf *out);
