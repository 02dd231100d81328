/*
 * bounds: lines of warplint with what the PTX of a function declares about its launch, and the place of the function.
 * `warplint wrap` makes nvcc start warplint instead of ptxas: warplint reads the PTX, writes one line for each function
 * with a declaration to standard error, and runs ptxas. So a compiler cache stores and repeats these lines together
 * with those of ptxas:
 *
 *   warplint info    : PTX 1: entry _Z1kPf sm_90 maxntid=256,1,1 minnctapersm=3 line=11 file=/src/k.cu
 *   warplint info    : PTX 1: func _Z6helperf sm_90 line=3 file=/src/k.cu
 *
 * 1 is the version of the line. It always has name and architecture, and the others if they are declared, in the order
 * of the struct below; `file` is last and extends to the end of the line. Unknown keys and lines of another version are
 * skipped.
 */
#ifndef LOG_BOUNDS_H
#define LOG_BOUNDS_H

#include "base/buf.h"
#include "log/model.h"

struct bounds {
    bool is_function;    /* a device function: only its place is stated */
    struct str name;     /* mangled */
    struct str arch;     /* "sm_90a": the target of ptxas */
    uint32_t maxntid[3]; /* __launch_bounds__: most threads of a block in x, y, z; 0: not declared */
    uint32_t reqntid[3]; /* __block_size__: threads of each block in x, y, z; 0: not declared */
    uint32_t minnctapersm;
    uint32_t maxnreg;
    uint32_t reqnctapercluster[3];
    uint32_t extern_shared; /* 1: its code uses dynamic shared memory; 0: unknown */
    uint32_t setmaxnreg;    /* 1: its code has setmaxnreg; 0: unknown */
    uint32_t line;          /* of the kernel's first .loc, its declarator; 0: no line information */
    struct str file;        /* absolute, as in the PTX; empty if line is 0 */
};

/* The numbers of the key with that name ("maxntid"), and how many; NULL: no such key. */
uint32_t *bounds_numbers(struct bounds *bounds, struct str name, size_t *count);

/* Appends the line with its end, without the place if the path has a control byte. Appends nothing if nothing is
 * declared.
 */
void bounds_write(const struct bounds *bounds, struct buf *out);

/* Reads such a line, without its prefix (prefix_skip); name, arch and file are slices of it. False: it is another line.
 * *known: false for a line of warplint with an unknown version; nothing else is set then. */
bool bounds_read(struct str line, struct bounds *bounds, bool *known);

/* Gives one record of the model its declarations. */
void bounds_give(struct model *model, struct kernel *kernel, const struct bounds *bounds);

/* The lines of one log, until its records are complete. */
struct bounds_table {
    struct intern keys; /* name and architecture */
    struct declared *items;
    size_t cap;
};
void bounds_note(struct bounds_table *table, struct model *model, const struct bounds *bounds);

/* Gives the functions of the model from first_kernel on the declarations of their lines, if all lines of a function
 * agree, and frees the table. */
void bounds_finish(struct bounds_table *table, struct model *model, uint32_t first_kernel);

#endif
