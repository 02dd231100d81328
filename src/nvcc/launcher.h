/* launcher: what the words in front of a compiler change for it: variables of its environment, its folder, and whether
 * it runs in the background. */
#ifndef NVCC_LAUNCHER_H
#define NVCC_LAUNCHER_H

#include "base/str.h"

/* Variables of the environment that add options to those of the command. */
struct launcher_variables {
    struct str prepend, append, ptxas; /* NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS, PTXAS_FLAGS; empty: not set */
};

struct launcher {
    struct launcher_variables variables; /* as the compiler finds them */
    bool moves;                          /* the compiler runs in another folder */
    bool unclear;                        /* an option is not known */
    bool detaches;                       /* it runs in the background: nothing waits for it */
    const char *obstacle;                /* why the compile cannot be judged; NULL: it can */
};

/* Those of this process. */
struct launcher_variables launcher_environment(void);

/* `words` are the `count` words in front of the compiler; `outside` are the variables as they are without `env` and
 * `cmake -E env` among them. */
struct launcher launcher_read(const char *const *words, size_t count, struct launcher_variables outside);

#endif
