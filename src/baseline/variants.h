/*
 * variants: a kernel of one source file, on one architecture, with different numbers: two targets compile the file with
 * different options, or two programs link it with different functions. Their objects tell them apart, where records of
 * `wrap` state these; the names of the objects are stored as far as they differ ("a.dir/k.cu.o"), so that the folder of
 * the build does not matter.
 */
#ifndef BASELINE_VARIANTS_H
#define BASELINE_VARIANTS_H

#include "baseline/kernel_metrics.h"

/* Adds what the kernels of the set with variants are known by. */
void variants_find(const struct kernel_metrics_set *set, struct intern *keys);
/* The kernel is one of these; without its source, which may have another name in another checkout. */
bool variants_have(const struct intern *keys, const struct kernel_metrics *entry);

/* Leaves of each object as many last names as tell the variants apart, and none where there are no variants. */
void variants_shorten(struct kernel_metrics_set *set);

/* How many bytes two names of objects or sources have in common, where they may be one: they are equal, or one is the
 * end of the other behind a slash; 0: they are not. */
size_t variants_common(struct str a, struct str b);

#endif
