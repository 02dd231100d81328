/*
 * optimise: whether a command has its device code optimised. nvcc's -G says no unless -dopt=on stands beside it; what
 * is given to ptxas (-Xptxas) says it by -g and by its level, of which the last counts. Each spelling was tried with
 * nvcc 13.0: tests/data/optimised.txt.
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
};

/* An option of the compiler with its value; that of an option for ptxas is words between commas and blanks. */
void optimise_take(struct optimise *optimise, const struct nvcc_option *option, struct str value);
/* The words of a command of ptxas, or those that another compiler hands on to it. */
void optimise_take_ptxas(struct optimise *optimise, struct str words);
/* The next of these words; false: there is none. */
bool ptxas_option_next(struct str *value, struct str *word);
/* Whether such a value, or one for nvlink, asks for what the kernels use. */
bool optimise_asks_verbose(struct str value);

/* Device code is not optimised. */
bool optimise_is_off(const struct optimise *optimise);

#endif
