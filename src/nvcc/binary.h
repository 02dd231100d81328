/*
 * binary: cubins, fat binaries, objects, archives, shared objects and executables as inputs: the resources of their
 * code, per kernel and architecture, without a log. A kernel whose code does not access local memory has no spills; for
 * other kernels only ptxas's messages state which accesses are spills (log/local_memory.h).
 */
#pragma once

#include "base/diag.h"
#include "log/model.h"

/* True if the file begins like a binary, or is a package of files (nvcc/package.h): a wheel, a zip or tar archive, a
 * .deb. False if it is not a regular file or cannot be opened. If it cannot be read: false with a diagnostic, and
 * *failed is set; otherwise *failed is unchanged. */
bool binary_is(struct str path, bool *failed, struct diags *diags);

/* Adds an input and its records to the model; for a package, one input for each member with GPU code,
 * "PACKAGE(MEMBER)". Returns false with a diagnostic if the file cannot be read or is broken; records that were read
 * before stay in the model. A file without GPU code is an error if `needs_code`, else no input is added. *unread (may
 * be NULL) grows by the number of package members that are not read, each of them with a warning. Memory: one payload
 * at a time, at most 2 x 512 MiB (see nvcc/decompress.h). */
bool binary_read(struct model *model, struct str path, bool needs_code, size_t *unread, struct diags *diags);

/* Adds data from the binaries of a compile to the records of the model, which come from that compile's messages: what
 * kernels declare (launch bounds) and where they access local memory. With `doubted`, records that the binaries do not
 * confirm become ambiguous (model_doubt). The binaries do not become inputs. Memory as above. */
void binary_confirm(struct model *model, const struct str *paths, size_t count, bool doubted);

/* The binary was compiled from the same source again, with line information. Records without source lines get them if
 * the code is the same (local_memory_add_lines). The binary does not become an input. */
void binary_add_lines(struct model *model, struct str path);

/* At least one of these files contains machine code of a kernel. */
bool binary_holds_kernels(const struct str *paths, size_t count);
