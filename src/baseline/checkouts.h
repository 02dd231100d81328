/*
 * checkouts: matches the sources of two sets that were built in different folders, like old/src/x.cu and new/src/x.cu.
 * Each two sources with one file name and a common kernel are a vote for the folders before their common end. A folder
 * of the base corresponds to a folder of the head if this pair of folders has the most votes and contains most of the
 * sources that only the base has; otherwise the head is a part of the build.
 */
#ifndef BASELINE_CHECKOUTS_H
#define BASELINE_CHECKOUTS_H

#include "baseline/kernel_metrics.h"

/* By string of the table of both sets: the base's name of a source of the head, or the string itself. The caller frees
 * the array. part: the head is a part of a build, nothing is matched. */
uint32_t *checkouts_match(const struct kernel_metrics_set *base, const struct kernel_metrics_set *head, bool part);

#endif
