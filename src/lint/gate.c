#include "lint/gate.h"

#include <stdlib.h>

/* Records of more classes than this are asked by the rules as they are. */
enum { MOST_CLASSES = 64 };

struct class
{
    uint32_t arch, facts;
    uint8_t kind;
    bool debug;
    struct gate_list list;
};

struct gates {
    struct arena arena;
    struct gate_list whole[2]; /* every rule with its whole condition; those that judge debug builds */
    struct class classes[MOST_CLASSES];
    size_t class_count;
};

static void add(struct gate_list *list, struct gate gate)
{
    list->gates[list->count++] = gate;
}

struct gates *gates_new(struct ruleset *rules, bool with_baseline)
{
    struct gates *gates = mem_alloc(sizeof *gates);
    for (int debug = 0; debug < 2; debug++)
        gates->whole[debug].gates = arena_alloc(&gates->arena, (rules->count + 1) * sizeof(struct gate));
    for (size_t at = 0; at < rules->count; at++) {
        struct rule *rule = &rules->rules[at];
        if (rule->kind != RULE_KERNEL || !rule_is_on(rule) || (rule->asks_baseline && !with_baseline))
            continue;
        add(&gates->whole[0], (struct gate){rule, rule->when, (uint16_t)at});
        if (rule->debug_builds)
            add(&gates->whole[1], (struct gate){rule, rule->when, (uint16_t)at});
    }
    return gates;
}

void gates_free(struct gates *gates)
{
    if (gates)
        arena_free(&gates->arena);
    free(gates);
}

static bool is_class(const struct class *class, const struct class *other)
{
    return class->arch == other->arch && class->facts == other->facts && class->kind == other->kind &&
           class->debug == other->debug;
}

static struct gate_list reduce(struct gates *gates, const struct gate_list *whole, struct subject *subject)
{
    struct gate_list list = {arena_alloc(&gates->arena, (whole->count + 1) * sizeof(struct gate)), 0};
    uint8_t view = subject->view;
    subject->view = VIEW_CLASS;
    for (size_t at = 0; at < whole->count; at++) {
        struct gate gate = whole->gates[at];
        if (!gate.when || expr_reduce(gate.when, subject, &gates->arena, &gate.when) != TRUTH_NO)
            add(&list, gate);
    }
    subject->view = view;
    return list;
}

const struct gate_list *gates_of(struct gates *gates, struct subject *subject, uint32_t facts)
{
    const struct kernel *kernel = subject->kernel;
    struct class class = {.arch = kernel->arch_inferred,
                          .facts = facts,
                          .kind = kernel->kind,
                          .debug = (kernel->flags & KERNEL_DEBUG) != 0};
    const struct gate_list *whole = &gates->whole[class.debug];
    for (size_t at = 0; at < gates->class_count; at++)
        if (is_class(&gates->classes[at], &class))
            return &gates->classes[at].list;
    if (gates->class_count == MOST_CLASSES)
        return whole;
    class.list = reduce(gates, whole, subject);
    gates->classes[gates->class_count] = class;
    return &gates->classes[gates->class_count++].list;
}
