/* launcher: what the words before a compiler change for it: environment variables, its folder, and whether it runs in
 * the background. */
#pragma once

#include "base/str.h"

/* Environment variables that add options to those of the command. */
struct launcher_variables {
    struct str prepend, append, ptxas; /* NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS, PTXAS_FLAGS; empty: not set */
};

struct launcher {
    struct launcher_variables variables; /* as the compiler gets them */
    bool moves;                          /* the compiler runs in another folder */
    bool unclear;                        /* an option of the launcher is unknown */
    bool detaches;                       /* the compiler runs in the background: nothing waits for it */
    const char *obstacle;                /* why the compile cannot be judged; NULL: it can */
};

/* The variables of this process. */
struct launcher_variables launcher_environment(void);

/* `words`: the `count` words before the compiler; `outside`: the variables before `env` or `cmake -E env` in these
 * words changes them. */
struct launcher launcher_read(const char *const *words, size_t count, struct launcher_variables outside);
