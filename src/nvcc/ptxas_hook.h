/*
 * ptxas_hook: nvcc starts ptxas through this program (--ptxas-prefix). The program reads the PTX, prints to standard
 * error what its kernels declare (log/bounds.h), and runs ptxas. If the environment has a key for marks (log/mark.h),
 * it prints marks around ptxas's messages. A separate process reads the PTX, so that no fault of ours can keep ptxas
 * from its work.
 */
#pragma once

#include "base/mem.h"

/* The word of the command line that makes this program the hook. */
#define HOOK_COMMAND "__ptxas"

/* The option --ptxas-prefix with this program as its value. NULL if this program cannot be found, or has a name that
 * quoting cannot protect. */
const char *ptxas_hook_option(struct arena *arena);

/* A new key for the marks, which is also put into the environment of the compiler; empty if there is none. */
struct str ptxas_hook_key(struct arena *arena);

/* words: "ptxas" and its arguments, NULL after the last. Ends as ptxas ends; returns only if ptxas cannot be started:
 * errno. */
int ptxas_hook_run(const char *const *words);
