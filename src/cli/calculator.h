/*
 * calculator: the parts of `warplint occupancy`. Nothing here prints: answers are appended to a buffer,
 * complaints to a list.
 */
#ifndef CLI_CALCULATOR_H
#define CLI_CALCULATOR_H

#include "base/diag.h"
#include "gpu/curve.h"

/* The numbers of a question, from options or from the columns of a row; -1: not given. */
struct numbers {
    int64_t threads;
    int64_t registers;
    int64_t smem_bytes;
    int64_t dynamic_smem_bytes;
    int64_t barriers;
    int64_t carveout; /* percent */
    int64_t sms;
    int64_t grid; /* blocks */
};

#define NUMBERS_NONE ((struct numbers){-1, -1, -1, -1, -1, -1, -1, -1})

/* Which numbers there are: one row of number_fields each. */
struct number_field {
    const char *option; /* "threads": the long option */
    const char *column; /* of a CSV; NULL: an option only */
    int64_t least, most;
    bool is_size;  /* bytes: units are allowed */
    size_t offset; /* in struct numbers */
};
extern const struct number_field number_fields[];
extern const size_t number_field_count;

/* Reads text into its number. False, with what was found and what was expected on the list, when it is not
 * such a number
 * ("name is 'x', expected ..."); place is where it stands. */
bool number_read(const struct number_field *field, const char *name, struct str text, struct numbers *numbers,
                 struct diags *diags, struct place place);

/* The architecture of that name, or NULL with a complaint on the list. */
const struct arch *calculator_arch(struct str name, struct diags *diags, struct place place);

/* A launch of these numbers; what is not given takes its default: no shared memory, no barriers, largest
 * carveout, 0 threads and 0 registers. */
struct launch calculator_launch(const struct numbers *numbers);

/* As occupancy_compute for any launch that numbers can hold: more registers than a thread may use cannot
 * launch, and registers_per_block is -1 then. */
struct occupancy calculator_compute(const struct arch *arch, const struct launch *launch);

struct question {
    const struct arch *arch;
    struct str arch_name;   /* as given */
    struct numbers numbers; /* threads -1: any block size */
};

/* The answer for people, 80 columns wide. registers must be given. */
void calculator_answer(const struct question *question, struct buf *out);

/* The block sizes with the highest occupancy, for people; beside them the size that was asked about. */
void calculator_best(const struct question *question, struct buf *out);

/* The same as one line of JSON. */
void calculator_json(const struct question *question, struct buf *out);

/* The curve over one axis as CSV, a row for each step. */
void calculator_sweep(const struct question *question, enum axis axis, struct buf *out);
/* The same for people, a bar for each step; 80 columns wide. */
void calculator_chart(const struct question *question, enum axis axis, struct buf *out);

/*
 * Batches. The header names the columns, in any order; arch, threads and registers must be there, smem_bytes,
 * dynamic_smem_bytes, barriers and carveout may be, and what else there is passes through. A record is one
 * line; fields may be quoted. A zeroed struct is ready for batch_header.
 */
struct batch {
    struct str path; /* for complaints */
    size_t line;     /* from 1: of the record in hand */
    size_t columns;  /* of the header */
    size_t bad;      /* rows that are no rows */
    int *meanings;   /* by column: index into number_fields, or one of two below 0 that batch.c knows */
    size_t cap;
    struct buf field; /* a quoted field without its quotes */
};
/* Reads the header line and appends the header of the output. */
bool batch_header(struct batch *batch, struct str line, struct buf *out, struct diags *diags);
/* Answers one record, the line as it was with the answer's columns appended. False: the row is no row,
 * nothing appended. */
bool batch_row(struct batch *batch, struct str line, struct buf *out, struct diags *diags);
void batch_free(struct batch *batch);

#endif
