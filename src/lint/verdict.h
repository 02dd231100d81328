/*
 * verdict: what a rule says of a subject, and the memory of what all rules said of a set of metrics. A subject that is
 * abstract knows only its metrics: then a rule may be open, because it depends on a name or a place.
 */
#ifndef LINT_VERDICT_H
#define LINT_VERDICT_H

#include "lint/gate.h"

enum outcome_state {
    OUTCOME_NO,
    OUTCOME_FIRES,
    OUTCOME_UNKNOWN, /* a metric that the rule asks for is not known */
    OUTCOME_OPEN,    /* the record itself has to be asked */
};

struct outcome {
    float worst;      /* -INFINITY: unknown or none */
    uint16_t rule;    /* index in the set */
    uint8_t state;    /* enum outcome_state */
    uint8_t which;    /* the case that speaks */
    uint8_t severity; /* of a finding: the rule's, or the case's where that is milder */
};

/* How a finding of the outcome stands among all: more is worse. Equal: names and architectures decide. */
uint64_t outcome_rank(const struct outcome *outcome);

struct outcome rule_judge(struct rule *rule, struct subject *subject, const struct str *captures);

/* rule_judge of a record of the gate's class. */
struct outcome gate_judge(const struct gate *gate, struct subject *subject);

#define VERDICT_OPEN UINT64_MAX /* above every rank: some outcome is open */

enum { KEY_METRICS = 4 };

/* What every record asks its verdict for: 64 bytes, which is one line of the nearest cache. */
struct verdict {
    /* The key, everything that fields of FIELD_KEY depend on. Meaningless where the verdict has none. */
    uint64_t metrics[KEY_METRICS]; /* from the record, from its architecture on */
    uint64_t class;                /* number of the launch's facts, kind, producer, flags and marks of the name */
    uint32_t extra;                /* the number of what few records have; 0: nothing of it */
    uint32_t times;                /* records that have the verdict */
    uint64_t rules;                /* bits 1 << number of the rule, below 64: those that fire */
    uint64_t rank;                 /* of the worst outcome that fires; 0: none does; or VERDICT_OPEN */
};

/* The rest: the outcomes that are not OUTCOME_NO, outcomes[first .. first + count). */
struct verdict_detail {
    uint32_t first, count;
    uint32_t settled; /* of a verdict that is open: the number of the last one that a record made of it + 1 */
    uint32_t sample;  /* the first record, into model.kernels; NO_INDEX: made of a verdict that is open */
    uint32_t facts;   /* of their launch */
};

struct verdict_table {
    struct verdict *verdicts; /* those of keys and those that records made of them */
    struct verdict_detail *details;
    size_t count, verdict_cap, detail_cap;
    struct verdict_slot {
        uint32_t number, hash; /* number + 1, 0 is free */
    } * slots;                 /* open addressing */
    size_t slot_count, key_count;
    struct outcome *outcomes;
    size_t outcome_count, outcome_cap;
    struct intern extras; /* what keys have of what few records have */
};

/* The number of the record's verdict with the facts of that number. *is_new: it has no outcomes yet, and the caller
 * gives it those with verdict_add before anything else. Pointers hold until then. */
uint32_t verdict_of(struct verdict_table *table, const struct model *model, const struct kernel *kernel, uint32_t facts,
                    uint8_t name_marks, bool *is_new);
bool verdict_is_open(const struct verdict_table *table, uint32_t number);
/* A further verdict, without a key, to be filled in the same way. */
uint32_t verdict_new(struct verdict_table *table);
void verdict_add(struct verdict_table *table, uint32_t number, struct outcome outcome);
void verdict_free(struct verdict_table *table);

#endif
