/*
 * ptx: what a module in PTX declares about its kernels and device functions. A reader of declarations only: it knows
 * comments, strings and braces, and of the rest the directives in struct bounds (log/bounds.h), .loc, .file, and the
 * names of dynamic shared memory, which it looks for in bodies. Everything else is skipped, and nothing in a PTX is an
 * error.
 */
#ifndef NVCC_PTX_H
#define NVCC_PTX_H

#include "base/diag.h"
#include "log/bounds.h"

#define LARGEST_PTX ((size_t)1 << 32) /* bytes; a larger file is not read */

/*
 * Calls `take` for every kernel and device function with a body, in the order of the module. name points into the text,
 * file lives during the call; arch is the given one, or where that is empty the one that .target states. The line is
 * that of the first .loc that is not of inlined code. Returns the architecture; empty: none is given or stated.
 */
struct str ptx_read(struct str text, struct str arch, void (*take)(void *context, const struct bounds *function),
                    void *context);

/* A PTX file is an input not for its code, which has no registers yet, but for what its kernels declare. It holds for
 * the records of the same name on the architecture that the file is for. By its name: "....ptx". */
bool ptx_file_is(struct str path);

/* Notes what the kernels declare; bounds_finish gives it to the records. False with a diagnostic: it cannot be read, or
 * says nowhere for which architecture it is. */
bool ptx_file_read(struct bounds_table *table, struct model *model, struct str path, struct diags *diags);

#endif
