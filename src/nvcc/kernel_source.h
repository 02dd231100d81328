/*
 * kernel_source: finds the source lines of a command's kernels in its files, and the exceptions that these files make
 * for them. A kernel gets the place of the only definition of its name, or, if there is no definition, of the only
 * declaration. If there are several, in different namespaces too, the kernel gets no place.
 */
#pragma once

#include "base/diag.h"
#include "log/model.h"
#include "nvcc/invocation.h"

/* Sets the source line of the model's kernels that have none, and adds the exceptions to its first log. Call it after
 * the compile: it reads the files that the compile read. Warns if one of them cannot be read. */
void locate_kernels(const struct invocation *invocation, struct model *model, struct diags *diags);
