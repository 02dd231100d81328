/*
 * recompile: a command of nvcc, to be run again for the machine code of its kernels alone: one source, other caps of
 * registers or fewer architectures, output into a private folder. What the user's build makes is never touched: options
 * that write files are left out, and so is linking. Options come from the environment and from option files too, so
 * the compiler must not take them from the environment a second time (`apart` of process.h).
 */
#ifndef NVCC_RECOMPILE_H
#define NVCC_RECOMPILE_H

#include "base/diag.h"
#include "nvcc/invocation.h"

/* What differs from the command. */
struct recompile_request {
    const char *const *added;     /* options of ours, put in front; NULL ends */
    const struct str_list *archs; /* code for these alone, as sm_90a, where the command names what it makes by -gencode;
                                     NULL: for all that it names */
    bool tries_caps;              /* it is to be run with other caps of registers */
};

struct recompile {
    struct arena arena;
    const char **words; /* launchers, compiler, what is kept of its options, the source */
    size_t count, word_cap;
    size_t options; /* where the options begin */
    int cap;        /* -maxrregcount of the command; 0: none */
};

/* One run of the command. */
struct recompile_run {
    int cap;             /* -maxrregcount; 0: none */
    const char *output;  /* the file that it makes */
    const char *include; /* a header that is read before everything else; NULL: none */
};

/*
 * words: the command that the invocation was read from. False with a diagnostic when it cannot be run again: it is not
 * nvcc's, compiles no or several sources to machine code, reads standard input, or has options behind which a cap that
 * is to be tried or a file is out of reach. False without one when it makes no code for `archs`.
 */
bool recompile_read(struct recompile *recompile, const struct invocation *invocation, const char *const *words,
                    const struct recompile_request *request, struct diags *diags);

/* The command for this run. Ends with NULL; lives as long as the recompile. */
const char *const *recompile_words(struct recompile *recompile, const struct recompile_run *run);

void recompile_free(struct recompile *recompile);

#endif
