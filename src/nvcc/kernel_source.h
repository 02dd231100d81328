/*
 * kernel_source: where the kernels of a command stand in its files, and which exceptions these make for them. A kernel
 * has the place of the one definition (or, where there is none, the one declaration) of its name. Where there are
 * several, in several namespaces too, nothing is guessed.
 */
#ifndef NVCC_KERNEL_SOURCE_H
#define NVCC_KERNEL_SOURCE_H

#include "base/diag.h"
#include "log/model.h"
#include "nvcc/invocation.h"

/* Completes the kernels of the model that have no line yet, and adds the exceptions to its first log. After the
 * compile: reads the files that it read. A warning where one of them cannot be read. */
void locate_kernels(const struct invocation *invocation, struct model *model, struct diags *diags);

#endif
