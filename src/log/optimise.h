/*
 * optimise: whether a command optimises its device code. -G of nvcc turns optimisation off unless -dopt=on is given
 * too; options for ptxas (-Xptxas) turn it off by -g or by the last optimisation level. With -Ofc=max ptxas makes the
 * code of -O0 and refuses every other level. clang without -O makes ptxas use -O0. Each spelling was tried with
 * nvcc 13.0: tests/data/optimised.txt.
 */
#ifndef LOG_OPTIMISE_H
#define LOG_OPTIMISE_H

#include "log/option.h"

struct optimise {
    bool device_debug;  /* -G */
    bool all_the_same;  /* -dopt=on */
    bool ptxas_debug;   /* -g of ptxas */
    bool level_is_0;    /* the last -O of ptxas is 0 */
    bool level_follows; /* the last word for ptxas was --opt-level: the next one is the level */
    bool fast_compile;  /* the last -Ofc of nvcc is max */
    bool ptxas_fast;    /* the last -Ofc of ptxas is max */
    bool fast_follows;  /* the last word for ptxas was -Ofc: the next one is its value */
    bool asks_level;    /* clang compiles CUDA: without -O it does not optimise */
    bool has_level;     /* the last -O of clang is not -O0 */
    bool hides_level; /* clang: the level is unknown, because of an option file, or of OpenMP, whose linker has its own
                       */
};

/* Takes an option of the compiler with its value. The value of an option for ptxas is a list of words, separated by
 * commas and blanks. */
void optimise_take(struct optimise *optimise, const struct nvcc_option *option, struct str value);
/* Takes any word of the command: it may name an option file, whose options are unknown. */
void optimise_see_word(struct optimise *optimise, struct str word);
/* Takes the words of a command of ptxas, or the words that another compiler passes to ptxas. */
void optimise_take_ptxas(struct optimise *optimise, struct str words);
/* Takes the next word of such a value. False if there is none. */
bool ptxas_option_next(struct str *value, struct str *word);
/* True if the value of an option for ptxas or nvlink asks for resource lines. */
bool optimise_asks_verbose(struct str value);

/* True if device code is not optimised. */
bool optimise_is_off(const struct optimise *optimise);

#endif
