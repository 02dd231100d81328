#include "lint/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct outcome without(enum outcome_state state)
{
    return (struct outcome){.worst = -INFINITY, .state = (uint8_t)state};
}

/* What an unknown answer of the expression means here. */
static enum outcome_state unknown_state(const struct expr *expr, const struct subject *subject)
{
    return subject->view == VIEW_KEY && !expr_is_key(expr) ? OUTCOME_OPEN : OUTCOME_UNKNOWN;
}

/* The first case that is true; a case that cannot be known is passed over, unless only the record can tell. */
static struct outcome find_case(const struct rule *rule, struct subject *subject, const struct str *captures)
{
    for (size_t at = 0; at < rule->case_count; at++) {
        const struct expr *when = rule->cases[at].when;
        enum truth truth = when ? expr_truth(when, subject, captures) : TRUTH_YES;
        if (truth == TRUTH_UNKNOWN && unknown_state(when, subject) == OUTCOME_OPEN)
            return without(OUTCOME_OPEN);
        if (truth == TRUTH_YES) {
            struct outcome outcome = without(OUTCOME_FIRES);
            outcome.which = (uint8_t)at;
            return outcome;
        }
    }
    return without(OUTCOME_NO);
}

/* What the rule says once its gate is open. */
static struct outcome judge_cases(const struct rule *rule, struct subject *subject, const struct str *captures)
{
    struct outcome outcome = find_case(rule, subject, captures);
    if (outcome.state != OUTCOME_FIRES || !rule->worst)
        return outcome;
    struct value worst = expr_eval(rule->worst, subject, captures);
    if (!worst.known && unknown_state(rule->worst, subject) == OUTCOME_OPEN)
        return without(OUTCOME_OPEN);
    if (worst.known)
        outcome.worst = (float)worst.number;
    return outcome;
}

struct outcome rule_judge(const struct rule *rule, struct subject *subject, const struct str *captures)
{
    enum truth gate = rule->when ? expr_truth(rule->when, subject, captures) : TRUTH_YES;
    if (gate == TRUTH_UNKNOWN)
        return without(unknown_state(rule->when, subject));
    return gate == TRUTH_YES ? judge_cases(rule, subject, captures) : without(OUTCOME_NO);
}

struct gate gate_make(const struct rule *rule, enum kernel_kind kind, struct arena *arena)
{
    struct kernel kernel = {.kind = (uint8_t)kind};
    struct subject subject = {.kernel = &kernel, .view = VIEW_KIND};
    struct gate gate = {0};
    if (!rule->when)
        return gate;
    gate.terms = arena_alloc(arena, expr_term_count(rule->when) * sizeof(const struct expr *));
    gate.shut = !expr_terms(rule->when, &subject, gate.terms, &gate.count);
    return gate;
}

struct outcome gate_judge(const struct gate *gate, const struct rule *rule, struct subject *subject)
{
    bool open = false;
    for (size_t at = 0; at < gate->count; at++) {
        enum truth term = expr_truth(gate->terms[at], subject, NULL);
        if (term == TRUTH_NO)
            return without(OUTCOME_NO);
        open |= term == TRUTH_UNKNOWN;
    }
    return open ? without(unknown_state(rule->when, subject)) : judge_cases(rule, subject, NULL);
}

struct metric_key metric_key(const struct model *model, const struct kernel *kernel, uint32_t facts, uint8_t name_marks)
{
    struct metric_key key = {
        .metrics = {kernel->registers, kernel->barriers, kernel->stack_bytes, kernel->cumulative_stack_bytes,
                    kernel->spill_store_bytes, kernel->spill_load_bytes, kernel->smem_bytes, kernel->lmem_bytes,
                    kernel->textures, kernel->surfaces, kernel->samplers, kernel->register_cap},
        .arch = kernel->arch_inferred,
        .facts = facts,
        .kind = kernel->kind,
        .producer = kernel->producer,
        .flags = kernel->flags,
        .register_cap_from = kernel->register_cap_from,
        .min_blocks = kernel->min_blocks,
        .bound_threads = kernel->bound_threads,
        .name_marks = name_marks,
    };
    if (kernel->link != NO_INDEX) {
        const struct kernel *link = &model->kernels[kernel->link];
        key.link[0] = link->registers;
        key.link[1] = link->barriers;
        key.link[2] = link->smem_bytes;
        key.link_producer = link->producer;
        key.link_flags = link->flags;
        key.has_link = 1;
    }
    return key;
}

static size_t slot_of(const struct verdict_table *table, const struct metric_key *key)
{
    size_t mask = table->slot_count - 1;
    size_t at = str_hash((struct str){(const char *)key, sizeof *key}) & mask;
    while (table->slots[at] && memcmp(&table->keys[table->slots[at] - 1], key, sizeof *key) != 0)
        at = (at + 1) & mask;
    return at;
}

const struct verdict *verdict_find(const struct verdict_table *table, const struct metric_key *key)
{
    if (table->count == 0)
        return NULL;
    uint32_t number = table->slots[slot_of(table, key)];
    return number ? &table->verdicts[number - 1] : NULL;
}

enum { FIRST_SLOTS = 1024 };

/* Doubles the slots before the table is half full. */
static void grow(struct verdict_table *table)
{
    if (table->slot_count && table->count * 2 < table->slot_count)
        return;
    table->slot_count = table->slot_count ? table->slot_count * 2 : FIRST_SLOTS;
    free(table->slots);
    table->slots = mem_alloc(table->slot_count * sizeof *table->slots);
    for (size_t number = 0; number < table->count; number++)
        table->slots[slot_of(table, &table->keys[number])] = (uint32_t)number + 1;
}

struct verdict *verdict_begin(struct verdict_table *table, const struct metric_key *key)
{
    grow(table);
    table->keys = mem_reserve(table->keys, &table->key_cap, table->count + 1, sizeof *table->keys);
    table->verdicts = mem_reserve(table->verdicts, &table->verdict_cap, table->count + 1, sizeof *table->verdicts);
    size_t slot = slot_of(table, key);
    table->keys[table->count] = *key;
    table->verdicts[table->count] = (struct verdict){.first = (uint32_t)table->outcome_count};
    table->slots[slot] = (uint32_t)table->count + 1;
    return &table->verdicts[table->count++];
}

void verdict_add(struct verdict_table *table, struct verdict *verdict, struct outcome outcome)
{
    table->outcomes =
        mem_reserve(table->outcomes, &table->outcome_cap, table->outcome_count + 1, sizeof *table->outcomes);
    table->outcomes[table->outcome_count++] = outcome;
    verdict->count++;
}

void verdict_free(struct verdict_table *table)
{
    free(table->keys);
    free(table->verdicts);
    free(table->slots);
    free(table->outcomes);
    *table = (struct verdict_table){0};
}
