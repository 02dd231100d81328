/*
 * bounds: what the PTX of a kernel declares about its launch, and where kernels and device functions stand, in a line
 * of our own. `warplint wrap` has nvcc start us in front of ptxas; there the PTX is read, and every function that
 * declares something is said in one line on standard error, before ptxas's own, so that a compiler cache keeps and
 * repeats them together:
 *
 *   warplint info    : PTX 1: entry _Z1kPf sm_90 maxntid=256,1,1 minnctapersm=3 line=11 file=/src/k.cu
 *   warplint info    : PTX 1: func _Z6helperf sm_90 line=3 file=/src/k.cu
 *
 * 1 is the version of the line; name and architecture always stand there, the others only when they are declared, in
 * the order of the struct below; `file` is last and goes to the end of the line. A reader skips keys that it does not
 * know and lines of another version.
 */
#ifndef LOG_BOUNDS_H
#define LOG_BOUNDS_H

#include "base/buf.h"
#include "log/model.h"

struct bounds {
    bool is_function;    /* of a device function: only its place is known */
    struct str name;     /* mangled */
    struct str arch;     /* "sm_90a": what ptxas was asked for */
    uint32_t maxntid[3]; /* __launch_bounds__: most threads of a block in x, y, z; 0 not declared */
    uint32_t reqntid[3]; /* __block_size__: exactly so many */
    uint32_t minnctapersm;
    uint32_t maxnreg;
    uint32_t reqnctapercluster[3];
    uint32_t extern_shared; /* 1: its code names dynamic shared memory; 0: that is not known */
    uint32_t setmaxnreg;    /* 1: its code has setmaxnreg; 0: that is not known */
    uint32_t line;          /* of the kernel's first .loc: its declarator; 0 no line information */
    struct str file;        /* absolute, as the PTX has it; empty where the line is 0 */
};

/* The numbers of that name, as in `maxntid`, and how many; NULL: there are none. */
uint32_t *bounds_numbers(struct bounds *bounds, struct str name, size_t *count);

/* Appends the line with its end; without the place where the file's path holds a control byte. Nothing where nothing is
 * declared beside the name. */
void bounds_write(const struct bounds *bounds, struct buf *out);

/* Reads such a line, without what stood before it (prefix_skip); name, arch and file are slices of it. False: it is
 * another. *known is false for a line of ours that this program does not understand: then nothing else is set. */
bool bounds_read(struct str line, struct bounds *bounds, bool *known);

/* Gives one record of the model what is declared. */
void bounds_give(struct model *model, struct kernel *kernel, const struct bounds *bounds);

/* The lines of one log, until its records are complete. */
struct bounds_table {
    struct intern keys; /* name and architecture */
    struct declared *items;
    size_t cap;
};
void bounds_note(struct bounds_table *table, struct model *model, const struct bounds *bounds);

/* Gives the functions of the model from first_kernel on what their lines say, where these agree, and frees the table.
 */
void bounds_finish(struct bounds_table *table, struct model *model, uint32_t first_kernel);

#endif
