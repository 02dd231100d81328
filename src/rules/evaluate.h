/* evaluate: evaluates one rule for one context. */
#pragma once

#include "rules/rule.h"

enum result_state {
    RESULT_NO,
    RESULT_FIRES,
    RESULT_UNKNOWN, /* a field that the rule needs is unknown */
    RESULT_OPEN,    /* only in the memo of the linter: the rule must be evaluated for each kernel */
};

struct rule_result {
    float worst;      /* -INFINITY: unknown or none */
    uint16_t rule;    /* index in the set; 0 from rule_evaluate */
    uint8_t state;    /* enum result_state */
    uint8_t which;    /* the case that fires */
    uint8_t severity; /* of a finding: that of the rule, or the lower one of the case */
    uint8_t unstated; /* RESULT_UNKNOWN of a record: bits of enum stated that the rule needs and with which it could
                         fire; for a device function only stack and spills; 0: it needs something else, for example a
                         block size or a baseline */
    uint16_t unknown; /* RESULT_UNKNOWN of a user's rule: 1 + the index of the unknown field in field_table; 0: the
                         cause is not a field */
};

/* captures: the groups of the rule's pattern, or NULL. */
struct rule_result rule_evaluate(const struct rule *rule, struct context *context, const struct str *captures);
