/*
 * probe: which of the options that we would add a compiler accepts. The compiler is asked once, with a dry run and with
 * cicc on an empty file. The answer is kept in the user's cache folder ($XDG_CACHE_HOME, ~/.cache) as long as the
 * program has the same size and time. A cache that cannot be read or written is ignored.
 */
#pragma once

#include "base/mem.h"
#include "base/str.h"

enum { VERSION_BYTES = 24 };

struct compiler_features {
    bool remarks; /* it passes -Xcicc=--Xopt,-pass-remarks=... on, and cicc accepts it */
    bool prefix;  /* it accepts --ptxas-prefix */
    char nvcc[VERSION_BYTES], ptxas[VERSION_BYTES]; /* versions, "13.0.88"; empty: unknown */
};

/* The options that make cicc report what it does with loops: for sm_75 to sm_90 the first one does, for later ones
 * both. */
enum { REMARK_OPTIONS = 2 };
extern const char *const remark_options[REMARK_OPTIONS];

/* word: the compiler as in the command line; host_compiler: the value of its -ccbin, or empty. If the compiler cannot
 * be found or asked, it has no features. */
struct compiler_features probe_compiler(const char *word, struct str host_compiler);

/* True if the program states with --version that it compiles CUDA: nvcc, clang, or a compiler of NVIDIA's HPC SDK. */
bool probe_is_compiler(const char *word);

/* The path of the toolkit's nvcc that the word leads to; the word may be a script or a compiler cache that runs nvcc.
 * The compiler is asked each time. NULL if there is none. */
const char *probe_nvcc(const char *word, struct arena *arena);
