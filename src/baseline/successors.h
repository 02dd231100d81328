/*
 * successors: how much worse the new kernels of a family are than the gone ones that they may replace. A gone kernel
 * has lost if each of its successors has fewer warps or more spilled bytes, by more than the tolerance. If arguments
 * were changed, each new kernel replaces a gone kernel of its own: then a kernel has lost for each pair that is missing
 * in the largest set of pairs in which no new kernel is worse (assignment.h).
 */
#pragma once

#include "baseline/family.h"

/* How much worse a new kernel is than a gone one; ordered by its members. */
struct loss {
    int64_t worse; /* 1: it has fewer warps or more spilled bytes, by more than the tolerance */
    int64_t spill_bytes, warps, registers;
};

/* How much worse the new kernel is than the gone one; unknown values do not count as worse. */
struct loss successors_loss(const struct comparison *comparison, const struct kernel_metrics *gone,
                            const struct kernel_metrics *new);

/* Sets `shown` and `nearest` of a family that has its mappings. */
void successors_compare(struct comparison *comparison, struct family *family);
