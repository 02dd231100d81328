/*
 * verdict: what a rule says of a subject, and the memory of what all rules said of a set of metrics. A subject that is
 * abstract knows only its metrics: then a rule may be open, because it depends on a name or a place.
 */
#ifndef LINT_VERDICT_H
#define LINT_VERDICT_H

#include "lint/rule.h"

enum outcome_state {
    OUTCOME_NO,
    OUTCOME_FIRES,
    OUTCOME_UNKNOWN, /* a metric that the rule asks for is not known */
    OUTCOME_OPEN,    /* the record itself has to be asked */
};

struct outcome {
    float worst;   /* -INFINITY: unknown or none */
    uint16_t rule; /* index in the set */
    uint8_t state; /* enum outcome_state */
    uint8_t which; /* the case that speaks */
};

struct outcome rule_judge(struct rule *rule, struct subject *subject, const struct str *captures);

/* What of a rule's `when` is to be asked for records of one kind. */
struct gate {
    const struct expr **terms; /* all must be true */
    size_t count;
    bool shut; /* the rule never speaks of this kind */
};
struct gate gate_make(const struct rule *rule, enum kernel_kind kind, struct arena *arena);
/* rule_judge of a record of that kind, through a gate that is not shut. */
struct outcome gate_judge(const struct gate *gate, struct rule *rule, struct subject *subject);

/* Everything that fields of FIELD_KEY depend on, without padding, so that it compares as bytes. */
struct metric_key {
    int32_t metrics[12]; /* registers ... register_cap of the record */
    int32_t link[3];     /* registers, barriers, shared memory of the nvlink record */
    uint32_t arch;       /* string number */
    uint32_t facts;      /* which launch facts */
    uint8_t kind, producer, flags, register_cap_from;
    uint8_t min_blocks, link_producer, link_flags, has_link;
    uint16_t bound_threads; /* what the kernel declares */
    uint16_t unused;        /* 0 */
    uint32_t name_marks;    /* of its name, see struct subject */
};
struct metric_key metric_key(const struct model *model, const struct kernel *kernel, uint32_t facts,
                             uint8_t name_marks);

/* The outcomes that are not OUTCOME_NO for one key: outcomes[first .. first + count). */
struct verdict {
    uint32_t first, count;
};

struct verdict_table {
    struct metric_key *keys;
    struct verdict *verdicts; /* by number of the key */
    size_t count, key_cap, verdict_cap;
    struct verdict_slot {
        uint32_t number, hash; /* number + 1, 0 is free */
    } * slots;                 /* open addressing */
    size_t slot_count;
    struct outcome *outcomes;
    size_t outcome_count, outcome_cap;
};

/* The verdict of the key. *is_new: it has no outcomes yet, and the caller gives it those with verdict_add before it
 * asks for another. Pointers hold until then. */
struct verdict *verdict_of(struct verdict_table *table, const struct metric_key *key, bool *is_new);
void verdict_add(struct verdict_table *table, struct verdict *verdict, struct outcome outcome);
void verdict_free(struct verdict_table *table);

#endif
