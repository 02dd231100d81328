/* acceptance: the findings on messages and lines that a baseline accepts. */
#ifndef LINT_ACCEPTANCE_H
#define LINT_ACCEPTANCE_H

#include "baseline/baseline.h"
#include "lint/linter.h"
#include "log/checkout.h"

/* Adds the findings of rules on messages and lines that have no exception to a baseline that accepts nothing yet. */
void baseline_accept(struct baseline *baseline, const struct linter *linter, struct checkout checkout);

/* The accepted findings of a baseline as a linter uses them up, one for each finding. */
struct acceptance;
struct acceptance *acceptance_new(const struct baseline *baseline, const struct comparison *comparison,
                                  struct checkout checkout);
void acceptance_free(struct acceptance *acceptance);
/* One is left for the finding (of a rule on messages or lines): it is taken. */
bool acceptance_take(struct acceptance *acceptance, const struct linter *linter, const struct finding *finding);
/* It is of a loop, and the inputs of the baseline stated nothing of loops: it is not known whether it was there. */
bool acceptance_is_blind(const struct acceptance *acceptance, const struct linter *linter,
                         const struct finding *finding);
/* It is of a loop, and of each loop the baseline accepts the worst kernel only, as before schema 5. */
bool acceptance_has_worst_only(const struct acceptance *acceptance, const struct linter *linter,
                               const struct finding *finding);
/* How many were not taken in the columns that were compared, of rules that are on. */
size_t acceptance_stale(const struct acceptance *acceptance, const struct ruleset *rules);
/* How many of an entry of the baseline were not taken. */
uint32_t acceptance_left(const struct acceptance *acceptance, const struct accepted *accepted);

#endif
