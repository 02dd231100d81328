/* measure_model: the metrics of a model, as a baseline stores them and a comparison takes them. */
#ifndef LINT_MEASURE_MODEL_H
#define LINT_MEASURE_MODEL_H

#include "baseline/kernel_metrics.h"
#include "lint/linter.h"
#include "log/checkout.h"

/*
 * Adds every record that the linter selects, entries and functions, with the launches that the linter knows; call it
 * when the model is complete. Of copies (all of id, arch, kind, source, toolkit and values) only the first is added.
 * Variants (baseline/variants.h) of the set or of `base`, which may be NULL, are no copies where their objects are
 * known or `base` has them. Each device link that is known by a record of `wrap` counts, also where links that agree
 * share a record of the kernel. set->items[..].kernel leads back to that record; item_of (kernel_count numbers, may be
 * NULL) becomes the entry of each record and recorded link, NO_INDEX for other halves and deselected ones.
 */
void measure_model(struct kernel_metrics_set *set, struct linter *linter, struct checkout checkout,
                   const struct kernel_metrics_set *base, uint32_t *item_of);

#endif
