/*
 * tuning: block sizes and minimum blocks of kernels by architecture, in the syntax of .warplint.yaml and inheriting as
 * it does: an architecture is named only where the next lower one named would answer something else.
 */
#ifndef CLI_TUNING_H
#define CLI_TUNING_H

#include "lint/linter.h"

enum { MOST_THREADS = 1024, MOST_CANDIDATES = 32 };

/* Block sizes that are taken where no profile knows a launch. */
struct candidates {
    bool has[MOST_THREADS + 1]; /* by threads */
    size_t count;
};

/*
 * Appends the entries of every entry function that the linter selects. Of the launches in the linter's profile the most
 * frequent one counts; of the candidates the smallest of those with the highest occupancy. Returns how many kernels
 * got an entry. What gets none, and why, is a comment.
 */
size_t tuning_yaml(struct linter *linter, const struct candidates *candidates, struct buf *out);

#endif
