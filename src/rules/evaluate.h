/* evaluate: what one rule says of one context. */
#ifndef RULES_EVALUATE_H
#define RULES_EVALUATE_H

#include "rules/rule.h"

enum result_state {
    RESULT_NO,
    RESULT_FIRES,
    RESULT_UNKNOWN, /* a metric that the rule asks for is not known */
    RESULT_OPEN,    /* of a set of metrics: the rule has to be evaluated for each kernel */
};

struct rule_result {
    float worst;      /* -INFINITY: unknown or none */
    uint16_t rule;    /* index in the set; of rule_evaluate 0 */
    uint8_t state;    /* enum result_state */
    uint8_t which;    /* the case that fires */
    uint8_t severity; /* of a finding: the rule's, or the case's where that is milder */
    uint8_t unstated; /* RESULT_UNKNOWN of a record: bits of enum stated, without which the rule cannot fire and with
                         which it could; of a device function those of stack and spills; 0: it asks for something else,
                         a block size or a baseline */
    uint16_t unknown; /* RESULT_UNKNOWN of a rule that is not built in: 1 + the number of the field, in field_table,
                         that is not known; 0: no field is it */
};

/* captures: the named groups of the rule's pattern, or NULL. */
struct rule_result rule_evaluate(const struct rule *rule, struct context *context, const struct str *captures);

#endif
