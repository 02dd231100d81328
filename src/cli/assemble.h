/*
 * assemble: a cubin does not say which accesses to local memory are spills; ptxas does. Where the PTX of a cubin is at
 * hand, ptxas assembles it once more into a private folder for its messages alone.
 */
#ifndef CLI_ASSEMBLE_H
#define CLI_ASSEMBLE_H

#include "base/str.h"

struct session;

/* The cubin at this path was read into the session's model, as the records from `first` on. Where NAME.ptx is beside
 * NAME.cubin, or among the inputs, its kernels get ptxas's bytes of spills where all else that ptxas states is the same
 * and the code adds up to them. Warns of a cubin for which that was not so; nothing for other files. */
void assemble(struct session *session, struct str path, size_t first);

/* The same of an entry of a Triton cache (nvcc/triton_cache.h) that has PTX, without a warning: spills that stay
 * unknown are counted in the verdict. The ptxas of $TRITON_PTXAS_PATH is used, else the one that `assemble` finds. */
void assemble_entry(struct session *session, struct str stem, size_t first);

#endif
