/*
 * gate: what of the rules is left to ask for records of one class: those of one kind, architecture and launch. Most
 * rules are decided by the class alone (no block size is known, no budget is set), and most of the rest become a
 * comparison of a metric with a number.
 */
#ifndef LINT_GATE_H
#define LINT_GATE_H

#include "lint/rule.h"

/* A rule that may speak of the class. */
struct gate {
    struct rule *rule;
    const struct expr *when; /* of its condition what the class leaves open; NULL: nothing, it is true */
    uint16_t number;         /* of the rule in its set */
};

struct gate_list {
    struct gate *gates; /* in the order of the set */
    size_t count;
};

struct gates;                                                       /* of the rules on kernels that are on */
struct gates *gates_new(struct ruleset *rules, bool with_baseline); /* borrows the rules; false: there is none */
void gates_free(struct gates *gates);

/* What may be asked of the subject, a record with its facts, which have the number. Valid until the next call. */
const struct gate_list *gates_of(struct gates *gates, struct subject *subject, uint32_t facts);

#endif
