#include "lint/group.h"

#include "log/name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What findings of one group have in common. */
struct group_key {
    uint32_t rule;
    uint32_t kind; /* enum key_kind */
    uint32_t a, b, c;
    uint32_t exception; /* NO_INDEX: not suppressed */
    uint32_t known;     /* the baseline knows it */
};
enum key_kind { BY_PLACE, BY_TEMPLATE, BY_TEXT, BY_LINE };

struct builder {
    struct groups *groups;
    struct judge *judge;
    struct intern keys;         /* struct group_key, by group */
    struct intern texts;        /* templates of names, and messages of lines */
    uint32_t *template_of_name; /* into texts + 1; 0: not asked for yet */
    struct buf scratch;
};

/* ---- the order ---- */

static uint32_t name_of(const struct judge *judge, const struct finding *finding)
{
    if (finding->kernel != NO_INDEX)
        return judge->model->kernels[finding->kernel].name;
    bool event = finding->event != NO_INDEX && judge->rules->rules[finding->rule].kind == RULE_EVENT;
    return event ? judge->model->events[finding->event].name : NO_INDEX;
}

static struct str arch_of(const struct judge *judge, const struct finding *finding)
{
    if (finding->kernel != NO_INDEX)
        return kernel_arch(judge->model, &judge->model->kernels[finding->kernel]);
    bool event = finding->event != NO_INDEX && judge->rules->rules[finding->rule].kind == RULE_EVENT;
    return event ? model_string(judge->model, judge->model->events[finding->event].arch) : (struct str){"", 0};
}

/* "sm_90a" is 90: enough to order architectures, and quick. */
static uint64_t arch_digits(struct str arch)
{
    uint64_t number = 0;
    struct str digits = str_from(arch, str_starts(arch, STR("sm_")) ? 3 : arch.len);
    return str_uint(&digits, &number) ? number : 0;
}

static int by_arch(struct str a, struct str b)
{
    uint64_t left = arch_digits(a), right = arch_digits(b);
    return left != right ? (left > right) - (left < right) : str_cmp(a, b);
}

/* Worse first; equal: the one that was found first. */
static int compare(const struct judge *judge, const struct finding *a, const struct finding *b)
{
    if (a->severity != b->severity)
        return a->severity > b->severity ? -1 : 1;
    if (a->worst > b->worst || a->worst < b->worst)
        return a->worst > b->worst ? -1 : 1;
    if (a->rule != b->rule)
        return a->rule < b->rule ? -1 : 1;
    const struct intern *names = &judge->model->names;
    uint32_t name_a = name_of(judge, a), name_b = name_of(judge, b);
    int order = name_a == name_b ? 0 : str_cmp(intern_get(names, name_a), intern_get(names, name_b));
    return order ? order : by_arch(arch_of(judge, a), arch_of(judge, b));
}

/* ---- groups ---- */

/* The template that the name is an instance of, into b->texts; NO_INDEX for NO_INDEX. */
static uint32_t template_of(struct builder *b, uint32_t name)
{
    if (name == NO_INDEX)
        return NO_INDEX;
    if (!b->template_of_name[name]) {
        buf_clear(&b->scratch);
        name_template(intern_get(&b->judge->model->names, name), &b->scratch);
        b->template_of_name[name] = intern_add(&b->texts, buf_str(&b->scratch)) + 1;
    }
    return b->template_of_name[name] - 1;
}

static struct group_key event_key(struct builder *b, const struct finding *finding)
{
    const struct event *event = &b->judge->model->events[finding->event];
    struct group_key key = {.rule = finding->rule};
    if (event->file != NO_INDEX) {
        key.kind = BY_PLACE;
        key.a = event->file;
        key.b = event->line;
        key.c = event->column;
    } else if (event->name != NO_INDEX) {
        key.kind = BY_TEMPLATE;
        key.a = template_of(b, event->name);
        key.b = finding->kernel == NO_INDEX ? NO_INDEX : b->judge->model->kernels[finding->kernel].source;
    } else {
        key.kind = BY_TEXT;
        key.a = event->text;
    }
    return key;
}

static struct group_key key_of(struct builder *b, const struct finding *finding)
{
    enum rule_kind kind = (enum rule_kind)b->judge->rules->rules[finding->rule].kind;
    if (kind == RULE_EVENT)
        return event_key(b, finding);
    struct group_key key = {.rule = finding->rule};
    if (kind == RULE_PATTERN) {
        key.kind = BY_LINE;
        key.a = intern_add(&b->texts, b->judge->lines[finding->event].message);
        return key;
    }
    const struct kernel *kernel = &b->judge->model->kernels[finding->kernel];
    key.kind = BY_TEMPLATE;
    key.a = template_of(b, kernel->name);
    key.b = kernel->source;
    return key;
}

/* The group of the key, new or not. */
static uint32_t group_of(struct builder *b, const struct group_key *key, uint32_t finding)
{
    struct groups *groups = b->groups;
    uint32_t number = intern_add(&b->keys, (struct str){(const char *)key, sizeof *key});
    if (number == groups->count) {
        groups->items = mem_reserve(groups->items, &groups->cap, groups->count + 1, sizeof *groups->items);
        groups->items[groups->count++] = (struct group){.worst = finding, .rule = (uint16_t)key->rule};
    }
    return number;
}

static void sort_in(struct builder *b, bool with_suppressed)
{
    struct judge *judge = b->judge;
    for (uint32_t at = 0; at < judge->finding_count; at++) {
        if (!finding_counts(&judge->findings[at]) && !with_suppressed) {
            b->groups->group_of[at] = NO_INDEX;
            continue;
        }
        struct group_key key = key_of(b, &judge->findings[at]);
        key.exception = judge->findings[at].exception;
        key.known = judge->findings[at].baseline_state == BASELINE_UNCHANGED;
        uint32_t number = group_of(b, &key, at);
        struct group *group = &b->groups->items[number];
        b->groups->group_of[at] = number;
        group->count++;
        if (group->worst != at && compare(judge, &judge->findings[at], &judge->findings[group->worst]) < 0)
            group->worst = at;
    }
}

/* A finding to be sorted; of a group its worst one. */
struct sorted {
    const struct judge *judge;
    uint32_t finding, group;
};

static int by_finding(const void *left, const void *right)
{
    const struct sorted *a = left, *b = right;
    int order = compare(a->judge, &a->judge->findings[a->finding], &b->judge->findings[b->finding]);
    return order ? order : (a->finding > b->finding) - (a->finding < b->finding);
}

/* Groups that count first. */
static int by_group(const void *left, const void *right)
{
    const struct sorted *a = left, *b = right;
    bool left_counts = finding_counts(&a->judge->findings[a->finding]);
    bool right_counts = finding_counts(&b->judge->findings[b->finding]);
    return left_counts == right_counts ? by_finding(left, right) : right_counts - left_counts;
}

/* Sorts all groups and keeps the first ones; with few to keep it sorts some at a time. */
static void order_groups(struct groups *groups, const struct judge *judge, size_t most)
{
    size_t room = most < groups->count / 2 ? 2 * most : groups->count, count = 0;
    struct sorted *order = mem_alloc((room + 1) * sizeof *order);
    for (uint32_t at = 0; at < groups->count; at++) {
        struct sorted next = {judge, groups->items[at].worst, at};
        if (at >= room && by_group(&next, &order[most - 1]) > 0)
            continue;
        order[count++] = next;
        if (count == room && at + 1 < groups->count) {
            qsort(order, count, sizeof *order, by_group);
            count = most;
        }
    }
    qsort(order, count, sizeof *order, by_group);
    groups->shown_count = count < most ? count : most;
    groups->shown = mem_alloc((groups->shown_count + 1) * sizeof *groups->shown);
    for (size_t at = 0; at < groups->shown_count; at++)
        groups->shown[at] = order[at].group;
    free(order);
}

/* The members of the shown groups, one group behind the other. */
static void list_members(struct groups *groups, size_t findings)
{
    enum { NOT_SHOWN = UINT32_MAX };
    uint32_t *next = mem_alloc((groups->count + 1) * sizeof *next);
    uint32_t first = 0;
    memset(next, 0xFF, groups->count * sizeof *next);
    for (size_t at = 0; at < groups->shown_count; at++) {
        struct group *group = &groups->items[groups->shown[at]];
        next[groups->shown[at]] = group->first = first;
        first += group->count;
    }
    groups->members = mem_alloc((first + 1) * sizeof *groups->members);
    for (uint32_t at = 0; at < findings; at++)
        if (groups->group_of[at] != NO_INDEX && next[groups->group_of[at]] != NOT_SHOWN)
            groups->members[next[groups->group_of[at]]++] = at;
    free(next);
}

static void describe_groups(struct builder *b)
{
    const struct judge *judge = b->judge;
    const struct finding *findings = b->groups->findings;
    uint32_t *stamps = mem_alloc((judge->model->names.count + 1) * sizeof *stamps);
    for (uint32_t at = 0; at < b->groups->shown_count; at++) {
        struct group *group = &b->groups->items[b->groups->shown[at]];
        const struct finding *worst = &findings[group->worst];
        group->severity = worst->severity;
        group->label = arena_str(&b->groups->arena, intern_get(&b->texts, template_of(b, name_of(judge, worst))));
        for (uint32_t member = 0; member < group->count; member++) {
            uint32_t name = name_of(judge, &findings[b->groups->members[group->first + member]]);
            if (name == NO_INDEX || stamps[name] == at + 1)
                continue;
            stamps[name] = at + 1;
            group->kernels++;
        }
    }
    free(stamps);
}

static void make(struct groups *groups, struct judge *judge, size_t most, bool with_suppressed)
{
    *groups = (struct groups){0};
    struct builder builder = {.groups = groups, .judge = judge};
    builder.template_of_name = mem_alloc((judge->model->names.count + 1) * sizeof *builder.template_of_name);
    groups->group_of = mem_alloc((judge->finding_count + 1) * sizeof *groups->group_of);
    groups->findings = judge->findings;
    sort_in(&builder, with_suppressed);
    order_groups(groups, judge, most);
    list_members(groups, judge->finding_count);
    describe_groups(&builder);
    intern_free(&builder.keys);
    intern_free(&builder.texts);
    free(builder.template_of_name);
    buf_free(&builder.scratch);
}

void groups_make(struct groups *groups, struct judge *judge)
{
    make(groups, judge, GROUPS_SHOWN, false);
}

void groups_make_all(struct groups *groups, struct judge *judge)
{
    make(groups, judge, SIZE_MAX, true);
}

void groups_free(struct groups *groups)
{
    arena_free(&groups->arena);
    free(groups->items);
    free(groups->shown);
    free(groups->group_of);
    free(groups->members);
    *groups = (struct groups){0};
}

uint32_t *findings_sorted(struct judge *judge)
{
    struct sorted *order = mem_alloc((judge->finding_count + 1) * sizeof *order);
    uint32_t *numbers = mem_alloc((judge->finding_count + 1) * sizeof *numbers);
    for (uint32_t at = 0; at < judge->finding_count; at++)
        order[at] = (struct sorted){judge, at, 0};
    qsort(order, judge->finding_count, sizeof *order, by_finding);
    for (size_t at = 0; at < judge->finding_count; at++)
        numbers[at] = order[at].finding;
    free(order);
    return numbers;
}
