/*
 * optimise: whether a command has its device code optimised. nvcc's -G says no unless -dopt=on stands beside it; what
 * is given to ptxas (-Xptxas) says it by -g and by its level, of which the last counts. With -Ofc=max ptxas makes the
 * code of -O0, and refuses every other level. clang has ptxas make it without an -O of its own. Each spelling was tried
 * with nvcc 13.0: tests/data/optimised.txt.
 */
#ifndef LOG_OPTIMISE_H
#define LOG_OPTIMISE_H

#include "log/option.h"

struct optimise {
    bool device_debug;  /* -G */
    bool all_the_same;  /* -dopt=on */
    bool ptxas_debug;   /* -g of ptxas */
    bool level_is_0;    /* the last -O of ptxas */
    bool level_follows; /* --opt-level was the last word for ptxas */
    bool fast_compile;  /* -Ofc=max, the last one, of nvcc ... */
    bool ptxas_fast;    /* ... or of ptxas */
    bool fast_follows;  /* -Ofc was the last word for ptxas */
    bool asks_level;    /* clang compiles CUDA: without -O it optimises nothing */
    bool has_level;     /* the last -O of clang is not -O0 */
    bool hides_level;   /* clang: a file of options, or OpenMP, whose linker has a level of its own */
};

/* Takes an option of the compiler with its value. The value of an option for ptxas is a list of words, separated by
 * commas and blanks. */
void optimise_take(struct optimise *optimise, const struct nvcc_option *option, struct str value);
/* Any word of the command: one may name a file of options that are not known. */
void optimise_see_word(struct optimise *optimise, struct str word);
/* The words of a command of ptxas, or those that another compiler hands on to it. */
void optimise_take_ptxas(struct optimise *optimise, struct str words);
/* Takes the next word of such a value. False if there is none. */
bool ptxas_option_next(struct str *value, struct str *word);
/* True if the value of an option for ptxas or nvlink asks for resource lines. */
bool optimise_asks_verbose(struct str value);

/* True if device code is not optimised. */
bool optimise_is_off(const struct optimise *optimise);

#endif
