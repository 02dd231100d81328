/*
 * tuning: block sizes and minimum blocks of kernels by architecture, in the syntax of .warplint.yaml. As there, an
 * architecture inherits the values of the next lower one that is named, so it is named only if its values differ.
 */
#pragma once

#include "lint/linter.h"

enum { MOST_THREADS = 1024, MOST_CANDIDATES = 32 };

/* Block sizes to try if the profile has no launch of a kernel. */
struct candidates {
    bool has[MOST_THREADS + 1]; /* by number of threads */
    size_t count;
};

/*
 * Appends an entry for every entry function that the linter selects. If the linter's profile has launches of the
 * kernel, the most frequent one is used; else the smallest candidate with the highest occupancy. A kernel without an
 * entry gets a comment with the reason. Returns the number of kernels with an entry.
 */
size_t tuning_yaml(struct linter *linter, const struct candidates *candidates, struct buf *out);
