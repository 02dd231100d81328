/* calculator: the parts of `warplint occupancy`. The functions append answers and errors; none of them prints. */
#pragma once

#include "base/diag.h"
#include "gpu/curve.h"

/* A number of a launch, which an option or the column of a row states: a row of number_fields. */
struct number_field {
    const char *option; /* "threads": the long option */
    const char *column; /* of a CSV */
    int64_t least, most;
    bool is_size;  /* in bytes, and units are allowed; the member is an int64_t, the others are int */
    size_t offset; /* of its member in struct launch */
};
extern const struct number_field number_fields[];
extern const size_t number_field_count;

/* Reads text into the member of the field. Returns false with an error, "name is 'x', expected ...", if the text is not
 * a number in the range of the field. */
bool number_read(const struct number_field *field, const char *name, struct str text, struct launch *launch,
                 struct diags *diags, struct place place);

/* The architecture with this name; NULL with an error if there is none. */
const struct arch *calculator_arch(struct str name, struct diags *diags, struct place place);

struct question {
    const struct arch *arch;
    struct str arch_name; /* as given */
    struct launch launch; /* threads 0: any block size */
    bool has_barriers;    /* their number is given */
    int sms;              /* 0: not given */
    int64_t grid;         /* blocks; 0: not given */
};

/* The same as occupancy_compute, for any launch that the numbers can state. A launch with more registers than a thread
 * can use is impossible; then registers_per_block is -1. */
struct occupancy calculator_compute(const struct arch *arch, const struct launch *launch);

/* Appends the answer as text of 80 columns. The registers must be given. */
void calculator_answer(const struct question *question, struct buf *out);

/* Appends the block sizes with the highest occupancy as text, and the given block size with its occupancy. */
void calculator_best(const struct question *question, struct buf *out);

/* Appends the answer as one line of JSON. */
void calculator_json(const struct question *question, struct buf *out);

/* Append the occupancy as a function of one number of the launch, one row per step: as CSV, and as a bar chart of 80
 * columns. */
void calculator_sweep(const struct question *question, enum axis axis, struct buf *out);
void calculator_chart(const struct question *question, enum axis axis, struct buf *out);

/*
 * Answers a batch: CSV with a header and one launch per line; the columns of the answer are appended to each line. The
 * columns arch, threads and registers are required; smem_bytes, dynamic_smem_bytes, barriers and carveout are optional;
 * other columns are copied. A record cannot have several lines. An error names its line; the other lines are answered.
 * Returns false if there was an error.
 */
bool calculator_batch(struct str path, struct str text, struct buf *out, struct diags *diags);
