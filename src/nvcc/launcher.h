/* launcher: what the words in front of a compiler change for it: variables of its environment, its folder, and whether
 * it runs in the background. */
#ifndef NVCC_LAUNCHER_H
#define NVCC_LAUNCHER_H

#include "base/str.h"

/* `words` are the `count` words in front of the compiler. The value of the variable that the compiler finds: as `env`
 * and `cmake -E env` set it, or as it is outside (empty: not set). */
struct str launcher_variable(const char *const *words, size_t count, struct str name, struct str outside);

/* Why the compile cannot be judged; NULL: it can. */
const char *launcher_obstacle(const char *const *words, size_t count);

/* The compiler runs in another folder. */
bool launcher_moves(const char *const *words, size_t count);

/* The compiler runs in the background: nothing waits for it. */
bool launcher_detaches(const char *const *words, size_t count);

#endif
