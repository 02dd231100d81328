/*
 * optimise: whether a command optimises its device code. -G of nvcc turns optimisation off unless -dopt=on is given
 * too; options for ptxas (-Xptxas) turn it off by -g or by the last optimisation level. With -Ofc=max ptxas makes the
 * code of -O0 and refuses every other level. clang without -O makes ptxas use -O0. Each spelling was tried with
 * nvcc 13.0: tests/data/optimised.txt.
 */
#pragma once

#include "log/option.h"

struct optimise {
    bool device_debug; /* -G */
    bool all_the_same; /* -dopt=on */
    bool fast_compile; /* the last -Ofc of nvcc is max */
    bool asks_level;   /* clang compiles CUDA: without -O it does not optimise */
    bool has_level;    /* the last -O of clang is not -O0 */
    bool hides_level;  /* clang: the level is unknown, because of an option file, or of OpenMP, whose linker has its own
                        */
    struct ptxas_options {
        bool debug;                        /* -g */
        bool level_is_0;                   /* the last -O is 0 */
        bool fast_compile;                 /* the last -Ofc is max */
        bool asks_verbose;                 /* -v */
        const struct nvcc_option *follows; /* the value of this option is the next word; NULL: none */
    } ptxas;
};

/* Takes an option of the compiler with its value. The value of an option for ptxas is a list of words, separated by
 * commas and blanks. */
void optimise_take(struct optimise *optimise, const struct nvcc_option *option, struct str value);
/* Takes any word of the command: it may name an option file, whose options are unknown. */
void optimise_see_word(struct optimise *optimise, struct str word);
/* Takes the words of a command of ptxas, or the words that another compiler passes to ptxas. */
void ptxas_options_take(struct ptxas_options *options, struct str words);
/* Takes the next word of such a value. False if there is none. */
bool ptxas_option_next(struct str *value, struct str *word);
/* True if the value of an option for ptxas or nvlink asks for resource lines. */
bool ptxas_asks_verbose(struct str value);

/* True if device code is not optimised. */
bool optimise_is_off(const struct optimise *optimise);
