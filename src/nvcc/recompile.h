/*
 * recompile: a command of nvcc that is run again only for the machine code of its kernels: one source, other register
 * caps or fewer architectures, output into a private folder. The files of the user's build are never touched: options
 * that write files are left out, and so is linking. The words include the options from the environment and from option
 * files, so the compiler must not take them from the environment a second time (`apart` of process.h).
 */
#pragma once

#include "base/diag.h"
#include "nvcc/invocation.h"

/* Differences from the command. */
struct recompile_request {
    const char *const *added;     /* options of ours, inserted before the command's; ends with NULL */
    const struct str_list *archs; /* make code for these alone, as sm_90a, if the command names its code by -gencode;
                                     NULL: for all that it names */
    bool tries_caps;              /* it will be run with other register caps */
};

struct recompile {
    struct arena arena;
    const char **words; /* launchers, compiler, the options that are kept, the source */
    size_t count, word_cap;
    size_t options; /* index of the first option */
    int cap;        /* -maxrregcount of the command; 0: none */
};

/* One run of the command. */
struct recompile_run {
    int cap;             /* -maxrregcount; 0: none */
    const char *output;  /* the file to make */
    const char *include; /* a header that is read before everything else; NULL: none */
};

/*
 * words: the command that the invocation was read from. False with a diagnostic if the command cannot be run again: it
 * is not nvcc's, compiles no source or several sources to machine code, reads standard input, or has an option that
 * passes on a register cap that cannot be changed, or the name of a file to write. False without a diagnostic if it
 * makes no code for `archs`.
 */
bool recompile_read(struct recompile *recompile, const struct invocation *invocation, const char *const *words,
                    const struct recompile_request *request, struct diags *diags);

/* The command for this run. Ends with NULL; lives as long as the recompile. */
const char *const *recompile_words(struct recompile *recompile, const struct recompile_run *run);

void recompile_free(struct recompile *recompile);
