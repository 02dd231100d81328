/*
 * assemble: a cubin does not state which accesses to local memory are spills; ptxas does. If the PTX of a cubin is
 * available, ptxas assembles the PTX again into a private folder, only for its messages.
 */
#pragma once

#include "base/str.h"

struct session;

/* For the cubin at this path, which was read into the session's model as the records from `first` on. If NAME.ptx is
 * beside NAME.cubin or among the inputs, a kernel of the cubin gets the spill bytes that ptxas states. Condition: all
 * other values that ptxas states are the same, and the code adds up to these bytes. Warns if kernels of a cubin with
 * PTX stay without spill bytes; does nothing for other files. */
void assemble(struct session *session, struct str path, size_t first);

/* The same for an entry of a Triton cache (nvcc/triton_cache.h) that has PTX, without a warning: the verdict counts the
 * spills that stay unknown. Uses the ptxas of --ptxas, else of $TRITON_PTXAS_PATH, else the one that `assemble`
 * finds. */
void assemble_entry(struct session *session, struct str stem, size_t first);
