#include "lint/verdict.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static struct outcome without(enum outcome_state state)
{
    return (struct outcome){.worst = -INFINITY, .state = (uint8_t)state};
}

/* Floats in their order as whole numbers. */
static uint32_t ordered_bits(float number)
{
    uint32_t bits = 0;
    number += 0.0F; /* there is but one zero */
    memcpy(&bits, &number, sizeof bits);
    return bits & 0x80000000U ? ~bits : bits | 0x80000000U;
}

uint64_t outcome_rank(const struct outcome *outcome)
{
    return (uint64_t)outcome->severity << 48 | (uint64_t)ordered_bits(outcome->worst) << 16 | (uint16_t)~outcome->rule;
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
            enum severity at_most = rule->cases[at].at_most;
            outcome.which = (uint8_t)at;
            outcome.severity = (uint8_t)(at_most < rule->severity ? at_most : rule->severity);
            return outcome;
        }
    }
    return without(OUTCOME_NO);
}

/* What the rule says once its gate is open. */
static struct outcome judge_cases(struct rule *rule, struct subject *subject, const struct str *captures)
{
    rule_complete(rule);
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

/* Of a condition that is unknown of a kernel: see struct outcome. What cannot be left out is needed. */
static uint8_t find_unstated(const struct rule *rule, struct subject *subject)
{
    bool is_entry = rule->kind == RULE_KERNEL && subject->kernel->kind == KERNEL_ENTRY;
    unsigned all = is_entry ? subject_unstated(subject) : 0, needed = 0;
    if (!all || !expr_may_hold(rule->when, subject, all))
        return 0;
    for (unsigned bit = 1; bit <= all; bit <<= 1)
        if (all & bit && !expr_may_hold(rule->when, subject, all & ~bit))
            needed |= bit;
    return (uint8_t)(needed ? needed : all);
}

/* The gate is neither open nor closed. */
static struct outcome judge_unknown(const struct rule *rule, struct subject *subject)
{
    struct outcome outcome = without(unknown_state(rule->when, subject));
    if (outcome.state == OUTCOME_UNKNOWN)
        outcome.unstated = find_unstated(rule, subject);
    return outcome;
}

struct outcome rule_judge(struct rule *rule, struct subject *subject, const struct str *captures)
{
    enum truth gate = rule->when ? expr_truth(rule->when, subject, captures) : TRUTH_YES;
    if (gate == TRUTH_UNKNOWN)
        return judge_unknown(rule, subject);
    return gate == TRUTH_YES ? judge_cases(rule, subject, captures) : without(OUTCOME_NO);
}

struct outcome gate_judge(const struct gate *gate, struct subject *subject)
{
    struct rule *rule = gate->rule;
    enum truth open = gate->when ? expr_truth(gate->when, subject, NULL) : TRUTH_YES;
    if (open == TRUTH_UNKNOWN)
        return judge_unknown(rule, subject);
    return open == TRUTH_YES ? judge_cases(rule, subject, NULL) : without(OUTCOME_NO);
}

__attribute__((noinline)) uint32_t verdict_extra(struct verdict_table *table, const struct model *model,
                                                 const struct kernel *kernel)
{
    const struct extra *extra = &model->extras[kernel->extra];
    struct extra_key {
        struct extra extra;
        int32_t registers, barriers, stack_bytes, smem_bytes;
        uint32_t producer, flags;
    } key = {.extra = *extra};
    key.extra.source_line = 0; /* a place is none of the key's */
    key.extra.line_from = 0;
    key.extra.link = extra->link != NO_INDEX;
    if (extra->link != NO_INDEX) {
        const struct kernel *link = &model->kernels[extra->link];
        key.registers = link->registers;
        key.barriers = link->barriers;
        key.stack_bytes = kernel_link_stack(link);
        key.smem_bytes = link->smem_bytes;
        key.producer = link->producer;
        key.flags = link->flags;
    }
    return intern_add(&table->extras, (struct str){(const char *)&key, sizeof key}) + 1;
}

enum { FIRST_SLOTS = 1024 };

/* Doubles the slots before the table is half full. */
static void grow(struct verdict_table *table)
{
    struct verdict_slot *old = table->slots;
    size_t count = table->slot_count;
    table->slot_count = count ? count * 2 : FIRST_SLOTS;
    table->slots = mem_alloc(table->slot_count * sizeof *table->slots);
    for (size_t from = 0; from < count; from++) {
        size_t at = old[from].hash & (table->slot_count - 1);
        if (!old[from].number)
            continue;
        while (table->slots[at].number)
            at = (at + 1) & (table->slot_count - 1);
        table->slots[at] = old[from];
    }
    free(old);
}

uint32_t verdict_new(struct verdict_table *table)
{
    table->verdicts = mem_extend(table->verdicts, &table->verdict_cap, table->count + 1, sizeof *table->verdicts);
    table->details = mem_reserve(table->details, &table->detail_cap, table->count + 1, sizeof *table->details);
    table->verdicts[table->count] = (struct verdict){.times = 0};
    table->details[table->count] = (struct verdict_detail){.first = (uint32_t)table->outcome_count, .facts = NO_INDEX};
    return (uint32_t)table->count++;
}

uint32_t verdict_add_key(struct verdict_table *table, const struct kernel *kernel, struct verdict_key key)
{
    uint32_t number = verdict_new(table), hash = verdict_hash(kernel, key);
    struct verdict *verdict = &table->verdicts[number];
    if (++table->key_count * 2 >= table->slot_count)
        grow(table);
    size_t mask = table->slot_count - 1, at = hash & mask;
    while (table->slots[at].number)
        at = (at + 1) & mask;
    for (size_t word = 0; word < KEY_METRICS; word++)
        verdict->metrics[word] = verdict_metrics(kernel, word);
    verdict->class = key.class;
    verdict->extra = key.extra;
    table->slots[at] = (struct verdict_slot){.number = number + 1, .hash = hash};
    return number;
}

void verdict_add(struct verdict_table *table, uint32_t number, struct outcome outcome)
{
    struct verdict *verdict = &table->verdicts[number];
    if (outcome.state == OUTCOME_FIRES && outcome.severity == SEVERITY_OFF)
        return;
    table->outcomes =
        mem_reserve(table->outcomes, &table->outcome_cap, table->outcome_count + 1, sizeof *table->outcomes);
    table->outcomes[table->outcome_count++] = outcome;
    table->details[number].count++;
    if (outcome.state != OUTCOME_FIRES && outcome.state != OUTCOME_OPEN)
        return;
    uint64_t rank = outcome.state == OUTCOME_OPEN ? VERDICT_OPEN : outcome_rank(&outcome);
    if (outcome.state == OUTCOME_FIRES)
        verdict->rules |= outcome.rule < 64 ? UINT64_C(1) << outcome.rule : 0;
    verdict->rank = rank > verdict->rank ? rank : verdict->rank;
}

void verdict_free(struct verdict_table *table)
{
    mem_release(table->verdicts, table->verdict_cap, sizeof *table->verdicts);
    free(table->details);
    free(table->slots);
    free(table->outcomes);
    intern_free(&table->extras);
    *table = (struct verdict_table){0};
}
