/*
 * binary: cubins, fat binaries, objects, archives, shared objects and executables as inputs: what their code needs, per
 * kernel and architecture, without a log. A kernel whose code does not access local memory spills nothing; of the
 * others only ptxas's messages say what is a spill (log/local_memory.h).
 */
#ifndef NVCC_BINARY_H
#define NVCC_BINARY_H

#include "base/diag.h"
#include "log/model.h"

/* The file begins as a binary does, or is a package of files (nvcc/package.h): a wheel, an archive of zip or tar, a
 * .deb. Anything but a regular file that can be opened is neither. False with a diagnostic and *failed set, which else
 * stays, where it cannot be read. */
bool binary_is(struct str path, bool *failed, struct diags *diags);

/* Adds an input and its records to the model; of a package an input for each member with GPU code, "PACKAGE(MEMBER)".
 * False with a diagnostic when it cannot be read or is broken; what was read before that stays. A file without GPU code
 * is an error too where it needs some; else it is no input. *unread (or NULL) grows by the members of a package that
 * are not read, each with a warning. Memory: one payload at a time, at most 2 x 512 MiB (see nvcc/decompress.h). */
bool binary_read(struct model *model, struct str path, bool needs_code, size_t *unread, struct diags *diags);

/* The records of the model, which a compile's messages stated, learn from the binaries that it made what kernels
 * declare (launch bounds) and where they access local memory. With `doubted` those that the binaries do not confirm are
 * ambiguous (model_doubt). The binaries are no inputs themselves. Memory as above. */
void binary_confirm(struct model *model, const struct str *paths, size_t count, bool doubted);

/* The binary is of the same source, compiled again with line information: records that lack lines get them where the
 * code is the same (local_memory_add_lines). It is no input itself. */
void binary_add_lines(struct model *model, struct str path);

/* One of these files holds machine code of a kernel. */
bool binary_holds_kernels(const struct str *paths, size_t count);

#endif
