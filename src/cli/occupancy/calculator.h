/* calculator: the parts of `warplint occupancy`. Nothing here prints: answers and errors are appended. */
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

/* Reads text into its number. False with an error, "name is 'x', expected ...", where it is not such a number. */
bool number_read(const struct number_field *field, const char *name, struct str text, struct numbers *numbers,
                 struct diags *diags, struct place place);

/* The architecture of that name; NULL with an error. */
const struct arch *calculator_arch(struct str name, struct diags *diags, struct place place);

struct question {
    const struct arch *arch;
    struct str arch_name; /* as given */
    struct numbers numbers;
    struct launch launch; /* of these numbers, by calculator_launch; threads 0: any block size */
};

/* A launch of these numbers. Without a number: no shared memory, no barriers, the largest carveout, 0 threads, 0
 * registers. */
struct launch calculator_launch(const struct numbers *numbers);

/* As occupancy_compute for any launch that numbers can hold: more registers than a thread may use cannot launch, and
 * registers_per_block is -1 then. */
struct occupancy calculator_compute(const struct arch *arch, const struct launch *launch);

/* The answer for people, 80 columns wide. registers must be given. */
void calculator_answer(const struct question *question, struct buf *out);

/* The block sizes with the highest occupancy, for people; beside them the size that was asked about. */
void calculator_best(const struct question *question, struct buf *out);

/* The same as one line of JSON. */
void calculator_json(const struct question *question, struct buf *out);

/* Occupancy against one number of the launch, a row for each step: as CSV, and with a bar for people, 80 columns wide.
 */
void calculator_sweep(const struct question *question, enum axis axis, struct buf *out);
void calculator_chart(const struct question *question, enum axis axis, struct buf *out);

/*
 * A batch: CSV with a header and a launch in each line, which gets the answer's columns appended. The columns arch,
 * threads and registers are required, smem_bytes, dynamic_smem_bytes, barriers and carveout are not; others pass
 * through. A record is one line. Errors have its number; the other lines are answered. False: there was an error.
 */
bool calculator_batch(struct str path, struct str text, struct buf *out, struct diags *diags);

#endif
