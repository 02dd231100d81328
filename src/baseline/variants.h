/*
 * variants: one kernel of one source file, for one architecture, with different values: two targets compile the file
 * with different options, or two programs link it with different functions. Variants are identified by their objects,
 * if records of `wrap` state these. Of the path of an object only the last names that differ are stored
 * ("a.dir/k.cu.o"), so that the build folder does not matter.
 */
#pragma once

#include "baseline/kernel_metrics.h"

/* Adds the keys of all kernels of the set that have variants. */
void variants_find(const struct kernel_metrics_set *set, struct intern *keys);
/* True if the kernel is one of these. Its source is not part of the key: it may have another name in another checkout.
 */
bool variants_have(const struct intern *keys, const struct kernel_metrics *entry);

/* Shortens each object to as many last names as the variants need to differ; kernels without variants lose theirs. */
void variants_shorten(struct kernel_metrics_set *set);

/* The length of the shorter one of two paths of objects or sources that may be one file: they are equal, or one is the
 * end of the other after a slash. 0: they are different files. */
size_t variants_common(struct str a, struct str b);
