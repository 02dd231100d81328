/*
 * ptx: what a module in PTX declares about its kernels. A reader of declarations only: it knows comments, strings and
 * braces, and of the rest the directives in struct bounds (log/bounds.h), .loc and .file; what it does not know it
 * steps over, and nothing in a PTX is an error. Bytes come in pieces of any size; what is kept grows with the kernels,
 * not with the code.
 */
#ifndef NVCC_PTX_H
#define NVCC_PTX_H

#include "log/bounds.h"

struct ptx;
struct ptx *ptx_new(void);
void ptx_feed(struct ptx *ptx, struct str bytes);

/*
 * After the last byte: calls `take` for every kernel with a body, in the order of the module. name and file live until
 * ptx_free; arch is empty. The line is that of the kernel's first .loc that is not of inlined code.
 */
void ptx_kernels(const struct ptx *ptx, void (*take)(void *context, const struct bounds *kernel), void *context);
void ptx_free(struct ptx *ptx);

#endif
