/*
 * ptx: what a PTX module declares about its kernels and device functions. It reads declarations only: comments,
 * strings, braces, the directives in struct bounds (log/bounds.h), .loc, .file, and the names of dynamic shared memory,
 * for which it searches the bodies. Everything else is skipped, and nothing in a PTX module is an error.
 */
#pragma once

#include "base/diag.h"
#include "log/bounds.h"

#define LARGEST_PTX ((size_t)1 << 32) /* bytes; a larger file is not read */

/*
 * Calls `take` for every kernel and device function with a body, in the order of the module. name points into the text;
 * file lives during the call; arch is the given one, or, if that is empty, the one that .target states. The line is
 * that of the first .loc that is not of inlined code. Returns the architecture; empty if none is given or stated.
 */
struct str ptx_read(struct str text, struct str arch, void (*take)(void *context, const struct bounds *function),
                    void *context);

/* A PTX file is an input because of its declarations, not because of its code, which has no registers yet. The
 * declarations apply to records of the same name on the file's architecture. A PTX file is recognised by its name:
 * "....ptx". */
bool ptx_file_is(struct str path);

/* Stores what the kernels declare; bounds_finish copies it to the records. False with a diagnostic if the file cannot
 * be read or states no architecture. */
bool ptx_file_read(struct bounds_table *table, struct model *model, struct str path, struct diags *diags);
