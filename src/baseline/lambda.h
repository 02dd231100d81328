/*
 * lambda: kernels whose names hold the number of a lambda, like each<run(int)::{lambda(int)#2}>. nvcc counts the
 * lambdas of a function, so a new one in front renumbers those behind it. Where the numbers on both sides differ,
 * kernels that differ in these numbers alone are matched in their order: the longest sequence with equal metrics first;
 * between two of its members those that are as many on both sides. Of the others it is not known which is which.
 */
#ifndef BASELINE_LAMBDA_H
#define BASELINE_LAMBDA_H

#include "baseline/kernel_metrics.h"

/* The identities in the base, of one toolkit, of the kernels of the head, of another one or the same: by item of the
 * head, released with free. NO_INDEX: it has none there. The sets have one table of
 * strings; sources: see checkouts.h. */
uint32_t *lambda_ids(const struct kernel_metrics_set *base, struct toolkit base_toolkit,
                     const struct kernel_metrics_set *head, struct toolkit head_toolkit, const uint32_t *sources);

#endif
