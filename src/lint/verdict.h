/*
 * verdict: what a rule says of a subject, and the memory of what all rules said of a set of metrics. A subject that is
 * abstract knows only its metrics: then a rule may be open, because it depends on a name or a place.
 */
#ifndef LINT_VERDICT_H
#define LINT_VERDICT_H

#include "lint/gate.h"

#include <stddef.h>
#include <string.h>

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
    uint8_t unstated; /* OUTCOME_UNKNOWN of a kernel: bits of enum stated, without which the rule cannot fire and with
                         which it could; 0: it asks for something else, a block size or a baseline */
};

/* How a finding of the outcome stands among all: more is worse. Equal: names and architectures decide. */
uint64_t outcome_rank(const struct outcome *outcome);

struct outcome rule_judge(struct rule *rule, struct subject *subject, const struct str *captures);

/* rule_judge of a record of the gate's class. */
struct outcome gate_judge(const struct gate *gate, struct subject *subject);

#define VERDICT_OPEN UINT64_MAX /* above every rank: some outcome is open */

/* Everything that fields of FIELD_KEY depend on: the metrics, which stand in the record from its architecture on and
 * are read there in words, so that nothing is put together that memory would be slow to read again; and this. */
enum { KEY_METRICS = 4 };
struct verdict_key {
    uint64_t class; /* number of the launch's facts, kind, producer, flags, marks of the name */
    uint32_t extra; /* the number of what few records have; 0: nothing of it */
};

/* What every record asks its verdict for: 64 bytes, which is one line of the nearest cache. */
struct verdict {
    uint64_t metrics[KEY_METRICS]; /* of the key; meaningless where the verdict has none */
    uint64_t class;                /* of the key */
    uint32_t extra;                /* of the key */
    uint32_t times;                /* records that have the verdict */
    uint64_t rules;                /* bits 1 << number of the rule, below 64: those that fire */
    uint64_t rank;                 /* of the worst outcome that fires; 0: none does; or VERDICT_OPEN */
};

/* The rest: the outcomes that are not OUTCOME_NO, outcomes[first .. first + count). */
struct verdict_detail {
    uint32_t first, count;
    uint32_t settled; /* of a verdict that is open: the number of the last one that a record made of it + 1 */
    uint32_t sample;  /* the first record, into model.kernels */
    uint32_t facts;   /* of their launch; NO_INDEX: made of a verdict that is open */
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

/* The number of what a record's extra says, and of what is the linker's; not 0. The record has one. */
uint32_t verdict_extra(struct verdict_table *table, const struct model *model, const struct kernel *kernel);
/* The number of the record's verdict; NO_INDEX: there is none with its key. */
static inline uint32_t verdict_find(const struct verdict_table *table, const struct kernel *kernel,
                                    struct verdict_key key); /* below */
/* A verdict for a key that has none. It has no outcomes yet: the caller gives it those with verdict_add before anything
 * else. */
uint32_t verdict_add_key(struct verdict_table *table, const struct kernel *kernel, struct verdict_key key);
/* A further verdict, without a key, to be filled in the same way. */
uint32_t verdict_new(struct verdict_table *table);
void verdict_add(struct verdict_table *table, uint32_t number, struct outcome outcome);
void verdict_free(struct verdict_table *table);

_Static_assert(offsetof(struct kernel, smem_bytes) + sizeof(int32_t) - offsetof(struct kernel, arch_inferred) ==
                   KEY_METRICS * sizeof(uint64_t),
               "the metrics of a record stand side by side, from its architecture on");

static inline uint64_t verdict_metrics(const struct kernel *kernel, size_t word)
{
    uint64_t value;
    memcpy(&value, (const char *)kernel + offsetof(struct kernel, arch_inferred) + word * sizeof value, sizeof value);
    return value;
}

/* Two words at a time are multiplied to twice their width and folded; no multiplication waits for another. */
static inline uint32_t verdict_hash(const struct kernel *kernel, struct verdict_key key)
{
    static const uint64_t step = 0x9E3779B97F4A7C15u, other = 0xD1B54A32D192ED03u;
    uint64_t rest = (key.class + key.extra * other) * step;
    return (uint32_t)(hash_fold(verdict_metrics(kernel, 0) ^ rest, verdict_metrics(kernel, 1) ^ step) +
                      hash_fold(verdict_metrics(kernel, 2) ^ other, verdict_metrics(kernel, 3) ^ (step + other)));
}

static inline bool verdict_has_key(const struct verdict *verdict, const struct kernel *kernel, struct verdict_key key)
{
    uint64_t differ = (verdict->class ^ key.class) | (verdict->extra ^ key.extra);
    for (size_t at = 0; at < KEY_METRICS; at++)
        differ |= verdict->metrics[at] ^ verdict_metrics(kernel, at);
    return !differ;
}

static inline uint32_t verdict_find(const struct verdict_table *table, const struct kernel *kernel,
                                    struct verdict_key key)
{
    size_t mask = table->slot_count - 1;
    if (!table->slot_count)
        return NO_INDEX;
    uint32_t hash = verdict_hash(kernel, key);
    for (size_t at = hash & mask; table->slots[at].number; at = (at + 1) & mask) {
        uint32_t number = table->slots[at].number - 1;
        if (table->slots[at].hash == hash && verdict_has_key(&table->verdicts[number], kernel, key))
            return number;
    }
    return NO_INDEX;
}

static inline bool verdict_is_open(const struct verdict_table *table, uint32_t number)
{
    return table->verdicts[number].rank == VERDICT_OPEN;
}

#endif
