/*
 * probe: what a compiler knows of what we would add to its commands. It is asked once, with a dry run and with cicc on
 * an empty file, and the answer is remembered in the user's cache folder ($XDG_CACHE_HOME, ~/.cache) as long as the
 * program has the same size and time. A cache that cannot be read or written is none.
 */
#ifndef NVCC_PROBE_H
#define NVCC_PROBE_H

#include "base/mem.h"
#include "base/str.h"

enum { VERSION_BYTES = 24 };

struct compiler_features {
    bool remarks;                                   /* -Xcicc=--Xopt,-pass-remarks=... and cicc takes it */
    bool prefix;                                    /* --ptxas-prefix */
    char nvcc[VERSION_BYTES], ptxas[VERSION_BYTES]; /* their versions, "13.0.88"; empty: not known */
};

/* The options by which cicc says what becomes of loops: on sm_75 to sm_90 the first, on later ones both. */
enum { REMARK_OPTIONS = 2 };
extern const char *const remark_options[REMARK_OPTIONS];

/* word: the compiler as the command line has it; host_compiler: the value of its -ccbin, or empty. Where the compiler
 * cannot be found or asked it knows nothing. */
struct compiler_features probe_compiler(const char *word, struct str host_compiler);

/* The path of the nvcc of a toolkit that the word ends at, which may be a script or a cache in front of it; it is asked
 * each time. NULL: there is none. */
const char *probe_nvcc(const char *word, struct arena *arena);

#endif
