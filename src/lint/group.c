#include "lint/group.h"

#include "log/name.h"

#include <stdlib.h>
#include <string.h>

/* The code that a finding is about: a place, the instances of one template in one source file, or a text. Its key is
 * the kind, the number and the rest as bytes. */
enum code_kind { BY_PLACE, BY_TEMPLATE, BY_TEXT, BY_LINE };
struct code_head {
    uint32_t kind, number;
};

/* The last code of a name: findings on a name in one source file usually follow each other. */
struct code_of_name {
    uint32_t source;
    uint32_t code; /* 1 + the index in builder.codes; 0: not computed yet */
};

struct builder {
    struct groups *groups;
    struct linter *linter;
    struct intern codes;
    uint32_t *first_group; /* by code: 1 + the index in groups.all; 0: none yet */
    size_t code_cap;
    struct code_of_name *names;
    struct buf scratch;
};

/* ---- the order ---- */

static uint32_t name_of(const struct linter *linter, const struct finding *finding)
{
    if (finding->kernel != NO_INDEX)
        return linter->model->kernels[finding->kernel].name;
    const struct event *event = finding_event(linter, finding);
    return event ? event->name : NO_INDEX;
}

/* Orders findings of one severity and rule by the rule's `worst`, then by their index. */
static int compare_in_rule(const struct linter *linter, const struct finding *a, const struct finding *b)
{
    if (a->worst > b->worst || a->worst < b->worst)
        return a->worst > b->worst ? -1 : 1;
    const struct intern *names = &linter->model->names;
    int order = str_cmp(intern_get(names, name_of(linter, a)), intern_get(names, name_of(linter, b)));
    return order ? order : arch_order(finding_arch(linter, a), finding_arch(linter, b));
}

/* ---- groups ---- */

static uint32_t code_number(struct builder *b, enum code_kind kind, uint32_t number, struct str rest)
{
    const struct code_head head = {kind, number};
    buf_clear(&b->scratch);
    buf_add(&b->scratch, (struct str){(const char *)&head, sizeof head});
    buf_add(&b->scratch, rest);
    return intern_add(&b->codes, buf_str(&b->scratch));
}

static uint32_t code_of_name(struct builder *b, uint32_t name, uint32_t source)
{
    struct code_of_name *last = &b->names[name];
    if (last->code && last->source == source)
        return last->code - 1;
    SCOPED(buf) template = {0};
    name_template(intern_get(&b->linter->model->names, name), &template);
    *last =
        (struct code_of_name){.source = source, .code = code_number(b, BY_TEMPLATE, source, buf_str(&template)) + 1};
    return last->code - 1;
}

static uint32_t code_of(struct builder *b, const struct finding *finding)
{
    const struct model *model = b->linter->model;
    if (b->linter->rules->rules[finding->rule].kind == RULE_PATTERN)
        return code_number(b, BY_LINE, 0, b->linter->lines[finding->event].message);
    const struct event *event = finding_event(b->linter, finding);
    if (event && event->file != NO_INDEX) {
        const uint32_t place[] = {event->line, event->column};
        return code_number(b, BY_PLACE, event->file, (struct str){(const char *)place, sizeof place});
    }
    uint32_t name = name_of(b->linter, finding);
    if (event && name == NO_INDEX)
        return code_number(b, BY_TEXT, 0, model_string(model, event->text));
    return code_of_name(b, name, finding->kernel == NO_INDEX ? NO_INDEX : model->kernels[finding->kernel].source);
}

/* Finds or adds the group of a finding. A code has at most one group for each rule, exception and baseline state. */
static uint32_t group_of(struct builder *b, uint32_t at)
{
    struct groups *groups = b->groups;
    const struct finding *finding = &groups->findings[at];
    uint32_t code = code_of(b, finding), *next = MEM_AT(b->first_group, b->code_cap, code);
    while (*next) {
        struct group_total *group = &groups->all[*next - 1];
        const struct finding *worst = &groups->findings[group->worst];
        if (finding->rule == worst->rule && finding_counts_alike(finding, worst))
            return *next - 1;
        next = &group->next;
    }
    *next = (uint32_t)groups->count + 1; /* before the array moves */
    *MEM_ADD(groups->all, groups->count, groups->cap) = (struct group_total){.worst = at};
    return (uint32_t)groups->count - 1;
}

static void sort_in(struct builder *b, bool with_suppressed)
{
    struct linter *linter = b->linter;
    for (uint32_t at = 0; at < linter->finding_count; at++) {
        if (!finding_counts(&linter->findings[at]) && !with_suppressed) {
            b->groups->group_of[at] = NO_INDEX;
            continue;
        }
        uint32_t number = group_of(b, at);
        struct group_total *group = &b->groups->all[number];
        const struct finding *finding = &linter->findings[at], *worst = &linter->findings[group->worst];
        b->groups->group_of[at] = number;
        group->count++;
        int order = number_cmp(worst->severity, finding->severity);
        if (order < 0 || (order == 0 && group->worst != at && compare_in_rule(linter, finding, worst) < 0))
            group->worst = at;
    }
}

/* A finding to be sorted; for a group, its worst one. */
struct sorted {
    struct linter *linter;
    uint32_t finding, group;
    int64_t spilled_bytes; /* stores and loads of its kernel; 0 if unknown */
    int lost_percent;      /* see lost_percent(); NOT_COMPUTED */
};
enum { NOT_COMPUTED = -1 };

static struct sorted to_be_sorted(struct linter *linter, uint32_t finding, uint32_t group)
{
    struct sorted sorted = {.linter = linter, .finding = finding, .group = group, .lost_percent = NOT_COMPUTED};
    uint32_t number = linter->findings[finding].kernel;
    const struct kernel *kernel = number == NO_INDEX ? NULL : &linter->model->kernels[number];
    if (kernel && kernel->spill_store_bytes != UNKNOWN && kernel->spill_load_bytes != UNKNOWN)
        sorted.spilled_bytes = (int64_t)kernel->spill_store_bytes + kernel->spill_load_bytes;
    return sorted;
}

/* 100 % minus the occupancy of its kernel (at the best block size if that is unknown). Computed once, and only if the
 * order depends on it. */
static int lost_percent(struct sorted *sorted)
{
    if (sorted->lost_percent != NOT_COMPUTED)
        return sorted->lost_percent;
    struct context *context = linter_context(sorted->linter, &sorted->linter->findings[sorted->finding]);
    const struct occupancy *occupancy = context_occupancy(context);
    const struct best_step *best = occupancy ? NULL : context_best_step(context);
    int warps = occupancy ? occupancy->warps : best ? best->warps : 0;
    int max_warps = occupancy ? occupancy->max_warps : best ? best->max_warps : 0;
    return sorted->lost_percent = max_warps ? 100 * (max_warps - warps) / max_warps : 0;
}

/* Worse first. The `worst` of different rules is not comparable, so the costs of the kernels decide between rules. */
static int by_finding(const void *left, const void *right)
{
    struct sorted *a = (struct sorted *)left, *b = (struct sorted *)right;
    const struct finding *finding_a = &a->linter->findings[a->finding];
    const struct finding *finding_b = &b->linter->findings[b->finding];
    int order = number_cmp(finding_b->severity, finding_a->severity);
    if (!order)
        order = number_cmp(b->spilled_bytes, a->spilled_bytes);
    if (!order)
        order = number_cmp(lost_percent(b), lost_percent(a));
    if (!order)
        order = number_cmp(finding_a->rule, finding_b->rule);
    if (!order)
        order = compare_in_rule(a->linter, finding_a, finding_b);
    return order ? order : number_cmp(a->finding, b->finding);
}

/* Groups that count first. */
static int by_group(const void *left, const void *right)
{
    const struct sorted *a = left, *b = right;
    bool left_counts = finding_counts(&a->linter->findings[a->finding]);
    bool right_counts = finding_counts(&b->linter->findings[b->finding]);
    return left_counts == right_counts ? by_finding(left, right) : right_counts - left_counts;
}

/* Shows the first `most` groups, in order, and stores their numbers in *numbers. If there are many more groups, at most
 * 2 * most of them are kept and sorted at a time. */
static void order_groups(struct groups *groups, struct linter *linter, size_t most, uint32_t **numbers)
{
    size_t room = most < groups->count / 2 ? 2 * most : groups->count, count = 0;
    struct sorted *order = mem_alloc((room + 1) * sizeof *order);
    for (uint32_t at = 0; at < groups->count; at++) {
        struct sorted next = to_be_sorted(linter, groups->all[at].worst, at);
        if (at >= room && by_group(&next, &order[most - 1]) > 0)
            continue;
        order[count++] = next;
        if (count == room && at + 1 < groups->count) {
            mem_sort(order, count, sizeof *order, by_group);
            count = most;
        }
    }
    mem_sort(order, count, sizeof *order, by_group);
    groups->shown_count = count < most ? count : most;
    groups->shown = arena_alloc(&groups->arena, (groups->shown_count + 1) * sizeof *groups->shown);
    *numbers = mem_alloc((groups->shown_count + 1) * sizeof **numbers);
    for (size_t at = 0; at < groups->shown_count; at++) {
        (*numbers)[at] = order[at].group;
        const struct group_total *total = &groups->all[order[at].group];
        const struct finding *worst = &groups->findings[total->worst];
        groups->shown[at] = (struct group){
            .worst = total->worst, .count = total->count, .rule = worst->rule, .severity = worst->severity};
    }
    free(order);
}

/* Lists the members of the shown groups, group after group. */
static void list_members(struct groups *groups, const uint32_t *numbers, size_t findings)
{
    enum { NOT_SHOWN = UINT32_MAX };
    uint32_t *next = mem_alloc((groups->count + 1) * sizeof *next);
    uint32_t first = 0;
    memset(next, 0xFF, groups->count * sizeof *next);
    for (size_t at = 0; at < groups->shown_count; at++) {
        next[numbers[at]] = groups->shown[at].first = first;
        first += groups->shown[at].count;
    }
    groups->members = arena_alloc(&groups->arena, (first + 1) * sizeof *groups->members);
    for (uint32_t at = 0; at < findings; at++)
        if (groups->group_of[at] != NO_INDEX && next[groups->group_of[at]] != NOT_SHOWN)
            groups->members[next[groups->group_of[at]]++] = at;
    free(next);
}

static void describe_groups(struct builder *b)
{
    const struct linter *linter = b->linter;
    const struct intern *names = &linter->model->names;
    const struct finding *findings = b->groups->findings;
    uint32_t *stamps = mem_alloc((names->count + 1) * sizeof *stamps);
    for (uint32_t at = 0; at < b->groups->shown_count; at++) {
        struct group *group = &b->groups->shown[at];
        struct buf template = {0};
        name_template(intern_get(names, name_of(linter, &findings[group->worst])), &template);
        group->label = arena_take(&b->groups->arena, &template);
        for (uint32_t member = 0; member < group->count; member++) {
            uint32_t name = name_of(linter, &findings[b->groups->members[group->first + member]]);
            if (name == NO_INDEX || stamps[name] == at + 1)
                continue;
            stamps[name] = at + 1;
            group->kernels++;
        }
    }
    free(stamps);
}

void groups_make(struct groups *groups, struct linter *linter, bool all)
{
    *groups = (struct groups){.findings = linter->findings};
    struct builder builder = {.groups = groups, .linter = linter};
    uint32_t *numbers = NULL;
    builder.names = mem_alloc((linter->model->names.count + 1) * sizeof *builder.names);
    groups->group_of = arena_alloc(&groups->arena, (linter->finding_count + 1) * sizeof *groups->group_of);
    sort_in(&builder, all);
    order_groups(groups, linter, all ? SIZE_MAX : GROUPS_SHOWN, &numbers);
    list_members(groups, numbers, linter->finding_count);
    describe_groups(&builder);
    free(numbers);
    intern_free(&builder.codes);
    free(builder.first_group);
    free(builder.names);
    buf_free(&builder.scratch);
}

void groups_free(struct groups *groups)
{
    arena_free(&groups->arena);
    free(groups->all);
    *groups = (struct groups){0};
}

uint32_t *findings_sorted(struct linter *linter)
{
    struct sorted *order = mem_alloc((linter->finding_count + 1) * sizeof *order);
    uint32_t *numbers = mem_alloc((linter->finding_count + 1) * sizeof *numbers);
    for (uint32_t at = 0; at < linter->finding_count; at++)
        order[at] = to_be_sorted(linter, at, 0);
    mem_sort(order, linter->finding_count, sizeof *order, by_finding);
    for (size_t at = 0; at < linter->finding_count; at++)
        numbers[at] = order[at].finding;
    free(order);
    return numbers;
}
