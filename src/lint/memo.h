/*
 * memo: what the rules say of a set of metrics. Many kernels of a build are equal in all that rules on metrics ask for,
 * so these rules are evaluated once for each distinct set. Without the memo every result is the same, later.
 */
#ifndef LINT_MEMO_H
#define LINT_MEMO_H

#include "base/intern.h"
#include "rules/evaluate.h"

/* All that fields of FIELD_METRICS depend on. */
struct metric_key {
    uint32_t launch; /* a launch configuration, as config/launch_resolver.h numbers them */
    uint32_t arch;   /* arch_inferred */
    METRICS(INT32_MEMBER, NO_METRIC, NO_METRIC, NO_METRIC)
    uint32_t rare; /* the rest, see memo_key; 0: the kernel has none of it */
    uint8_t kind, producer, flags, name_marks;
};

_Static_assert(sizeof(struct metric_key) == offsetof(struct metric_key, kind) + 4,
               "keys are compared as bytes: no padding");

struct memo {
    struct intern keys, rare;
    struct memo_entry {
        uint32_t first, count; /* of results */
    } * entries;               /* by key */
    size_t entry_cap;
    struct rule_result *results; /* in the order of the rules, none of them RESULT_NO */
    size_t result_count, result_cap;
};

struct metric_key memo_key(struct memo *memo, const struct model *model, const struct kernel *kernel, uint32_t launch,
                           uint8_t name_marks);
/* The number of the key's entry; *known false: it is new, and the caller adds its results before the next call. */
uint32_t memo_find(struct memo *memo, const struct metric_key *key, bool *known);
void memo_add(struct memo *memo, uint32_t entry, const struct rule_result *result);
void memo_free(struct memo *memo);

#endif
