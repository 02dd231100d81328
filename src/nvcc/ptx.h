/*
 * ptx: what a module in PTX declares about its kernels and device functions. A reader of declarations only: it knows
 * comments, strings and braces, and of the rest the directives in struct bounds (log/bounds.h), .loc, .file, and the
 * names of dynamic shared memory, which it looks for in bodies. Everything else is skipped, and nothing in a PTX is an
 * error.
 */
#ifndef NVCC_PTX_H
#define NVCC_PTX_H

#include "log/bounds.h"

#define LARGEST_PTX ((size_t)1 << 32) /* bytes; a larger file is not read */

/*
 * Calls `take` for every kernel and device function with a body, in the order of the module. name points into the text,
 * file lives during the call; arch is the given one, or where that is empty the one that .target states. The line is
 * that of the first .loc that is not of inlined code. Returns the architecture; empty: none is given or stated.
 */
struct str ptx_read(struct str text, struct str arch, void (*take)(void *context, const struct bounds *function),
                    void *context);

#endif
