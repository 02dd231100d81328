/*
 * checkouts: sources of two sets that were built in different folders, as old/src/x.cu and new/src/x.cu. One folder of
 * the base stands for one of the head where more sources of one name that share a kernel say so than say anything else,
 * and most of the sources that only the base has are in it: else a part of the build is compared.
 */
#ifndef BASELINE_CHECKOUTS_H
#define BASELINE_CHECKOUTS_H

#include "baseline/kernel_metrics.h"

/* By string of the sets, which have one table: what a source of the head is called in the base; all else is itself.
 * Released with free. part: the head is a part of a build: nothing is matched. */
uint32_t *checkouts_match(const struct kernel_metrics_set *base, const struct kernel_metrics_set *head, bool part);

#endif
