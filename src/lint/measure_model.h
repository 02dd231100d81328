/* measure_model: the metrics of a model, as a baseline stores them and a comparison takes them. */
#pragma once

#include "baseline/kernel_metrics.h"
#include "lint/linter.h"
#include "log/checkout.h"

/*
 * Adds every record that the linter selects, entries and functions, with its launch. Call it when the model is
 * complete. Records that are equal in id, arch, kind, source, toolkit and values are copies: only the first is added.
 * Variants (baseline/variants.h) of the set or of `base`, which may be NULL, are not copies if their objects are known
 * or `base` has these. Each device link that has a record of `wrap` is an entry, even if links with equal values share
 * one record of the kernel. set->items[..].kernel is that record. item_of (kernel_count numbers, may be NULL) becomes
 * the item of each record and recorded link; NO_INDEX: deselected, or the other part of a joined record.
 */
void measure_model(struct kernel_metrics_set *set, struct linter *linter, struct checkout checkout,
                   const struct kernel_metrics_set *base, uint32_t *item_of);
