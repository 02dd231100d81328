/*
 * bounds: lines of warplint that state the launch bounds which the PTX of a function declares, and the place of the
 * function. `warplint wrap` makes nvcc start warplint instead of ptxas: warplint reads the PTX, writes one line for
 * each function with a declaration to standard error, and runs ptxas. So a compiler cache stores and repeats these
 * lines together with those of ptxas:
 *
 *   warplint info    : PTX 1: entry _Z1kPf sm_90 maxntid=256,1,1 minnctapersm=3 line=11 file=/src/k.cu
 *   warplint info    : PTX 1: func _Z6helperf sm_90 line=3 file=/src/k.cu
 *
 * 1 is the version of the line. The line always has name and architecture. The other values follow if they are
 * declared, in the order of the struct below; `file` is the last one and extends to the end of the line. Unknown keys
 * and lines of another version are skipped.
 */
#pragma once

#include "base/buf.h"
#include "log/model.h"

struct bounds {
    bool is_function;    /* a device function: the line states only its place */
    struct str name;     /* mangled */
    struct str arch;     /* "sm_90a": the target of ptxas */
    uint32_t maxntid[3]; /* __launch_bounds__: most threads of a block in x, y, z; 0: not declared */
    uint32_t reqntid[3]; /* __block_size__: threads of each block in x, y, z; 0: not declared */
    uint32_t minnctapersm;
    uint32_t maxnreg;
    uint32_t reqnctapercluster[3];
    uint32_t extern_shared; /* 1: the code uses dynamic shared memory; 0: unknown */
    uint32_t setmaxnreg;    /* 1: the code has setmaxnreg; 0: unknown */
    uint32_t line;          /* of the first .loc of the kernel, which is its declarator; 0: no line information */
    struct str file;        /* absolute, as in the PTX; empty if line is 0 */
};

/* The array for the numbers of the key ("maxntid"), with its length in *count; NULL if there is no such key. */
uint32_t *bounds_numbers(struct bounds *bounds, struct str name, size_t *count);

/* Appends the line with its line end. Omits the place if the path has a control byte. Appends nothing if nothing is
 * declared. */
void bounds_write(const struct bounds *bounds, struct buf *out);

/* Reads such a line, without its prefix (prefix_skip); name, arch and file are slices of it. False if it is another
 * line. *known becomes false for a line of warplint with an unknown version; nothing else is set then. */
bool bounds_read(struct str line, struct bounds *bounds, bool *known);

/* Copies the declarations to a record of the model. */
void bounds_apply(struct model *model, struct kernel *kernel, const struct bounds *bounds);

/* The declarations in the lines of one log, stored until the records of the log are complete. */
struct bounds_table {
    struct intern keys; /* the numbers of name and architecture in the model */
    struct bounds_item *items;
    size_t cap;
};
void bounds_note(struct bounds_table *table, struct model *model, const struct bounds *bounds);

/* Copies the declarations to the functions of the model from first_kernel on, if all lines of a function agree, and
 * frees the table. */
void bounds_finish(struct bounds_table *table, struct model *model, uint32_t first_kernel);
