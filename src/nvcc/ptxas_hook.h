/*
 * ptxas_hook: nvcc starts us in front of ptxas (--ptxas-prefix): we read the PTX, say on standard error what its
 * kernels declare (log/bounds.h), and run ptxas, with marks around its messages where the environment has a key for
 * them (log/mark.h). Reading is done by a process of its own, so that no fault of ours can keep ptxas from its work.
 */
#ifndef NVCC_PTXAS_HOOK_H
#define NVCC_PTXAS_HOOK_H

#include "base/mem.h"

/* The word of the command line under which this program is the hook. */
#define HOOK_COMMAND "__ptxas"

/* Ourselves as the value of --ptxas-prefix, with that option. NULL: we are not to be found, or under a name that no
 * quoting helps. */
const char *ptxas_hook_option(struct arena *arena);

/* A new key for the marks, also put into the environment of the compiler; empty: there is none. */
struct str ptxas_hook_key(struct arena *arena);

/* words: "ptxas" and its arguments, NULL behind the last. Ends as ptxas does; returns only when that cannot be started:
 * errno. */
int ptxas_hook_run(const char *const *words);

#endif
