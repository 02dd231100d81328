/* acceptance: the findings on messages and lines that a baseline accepts. */
#pragma once

#include "baseline/baseline.h"
#include "lint/linter.h"
#include "log/checkout.h"

/* Adds the findings of rules on messages and lines that have no exception to a baseline that accepts nothing yet. */
void baseline_accept(struct baseline *baseline, const struct linter *linter, struct checkout checkout);

/* The accepted findings of a baseline while a linter runs: each accepts as many findings as its count. */
struct acceptance;
struct acceptance *acceptance_new(const struct baseline *baseline, const struct comparison *comparison,
                                  struct checkout checkout);
void acceptance_free(struct acceptance *acceptance);
/* True if the baseline accepts the finding (of a rule on messages or lines); that reduces the count that is left. */
bool acceptance_take(struct acceptance *acceptance, const struct linter *linter, const struct finding *finding);
/* True if the finding is about a loop and the inputs of the baseline stated nothing about loops: whether it is new is
 * unknown. */
bool acceptance_is_unknown(const struct acceptance *acceptance, const struct linter *linter,
                           const struct finding *finding);
/* True if the finding is about a loop and the baseline has the worst kernel of each loop only (before schema 5). */
bool acceptance_has_worst_only(const struct acceptance *acceptance, const struct linter *linter,
                               const struct finding *finding);
/* How many accepted findings, of enabled rules and of columns that were compared, did not occur. */
size_t acceptance_stale(const struct acceptance *acceptance, const struct ruleset *rules);
/* How many of an accepted finding did not occur. */
uint32_t acceptance_left(const struct acceptance *acceptance, const struct accepted *accepted);
