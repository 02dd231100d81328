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

struct chained {
    struct group_key key;
    uint32_t next; /* group + 1, 0 ends */
};

enum { OTHER_CHAINS = 4096 };

struct builder {
    struct groups *groups;
    struct judge *judge;
    struct intern labels;    /* templates of names, and texts of matched lines */
    uint32_t *label_of_name; /* number of the label + 1, 0: not asked yet */
    struct chained *keys;    /* by group */
    uint32_t *chains;        /* by label: the newest group + 1, 0 none */
    size_t chain_cap;
    uint32_t others[OTHER_CHAINS];
    size_t key_cap;
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

/* Worse first; equal only for a finding and itself. */
static int compare(const struct judge *judge, uint32_t left, uint32_t right)
{
    const struct finding *a = &judge->findings[left], *b = &judge->findings[right];
    if (a->severity != b->severity)
        return a->severity > b->severity ? -1 : 1;
    if (a->worst > b->worst || a->worst < b->worst)
        return a->worst > b->worst ? -1 : 1;
    if (a->rule != b->rule)
        return a->rule < b->rule ? -1 : 1;
    const struct intern *names = &judge->model->names;
    uint32_t name_a = name_of(judge, a), name_b = name_of(judge, b);
    int order = name_a == name_b ? 0 : str_cmp(intern_get(names, name_a), intern_get(names, name_b));
    order = order ? order : by_arch(arch_of(judge, a), arch_of(judge, b));
    return order ? order : (left > right) - (left < right);
}

/* ---- groups ---- */

static uint32_t label_of(struct builder *b, uint32_t name)
{
    if (name == NO_INDEX)
        return NO_INDEX;
    if (!b->label_of_name[name]) {
        buf_clear(&b->scratch);
        name_template(intern_get(&b->judge->model->names, name), &b->scratch);
        b->label_of_name[name] = intern_add(&b->labels, buf_str(&b->scratch)) + 1;
    }
    return b->label_of_name[name] - 1;
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
        key.a = label_of(b, event->name);
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
        key.a = intern_add(&b->labels, b->judge->lines[finding->event].message);
        return key;
    }
    const struct kernel *kernel = &b->judge->model->kernels[finding->kernel];
    key.kind = BY_TEMPLATE;
    key.a = label_of(b, kernel->name);
    key.b = kernel->source;
    return key;
}

/* Groups of one label hang in one chain, and are made one after the other: looking through it touches little memory.
 * The few that go by place or text hang in chains by hash. */
static uint32_t *chain_of(struct builder *b, const struct group_key *key)
{
    if (key->kind != BY_TEMPLATE || key->a == NO_INDEX)
        return &b->others[str_hash((struct str){(const char *)key, sizeof *key}) % OTHER_CHAINS];
    size_t before = b->chain_cap;
    b->chains = mem_reserve(b->chains, &b->chain_cap, key->a + 1, sizeof *b->chains);
    if (before < b->chain_cap)
        memset(b->chains + before, 0, (b->chain_cap - before) * sizeof *b->chains);
    return &b->chains[key->a];
}

static uint32_t add_group(struct builder *b, const struct group_key *key, uint32_t finding, uint32_t *chain)
{
    struct groups *groups = b->groups;
    groups->items = mem_reserve(groups->items, &groups->cap, groups->count + 1, sizeof *groups->items);
    b->keys = mem_reserve(b->keys, &b->key_cap, groups->count + 1, sizeof *b->keys);
    b->keys[groups->count] = (struct chained){*key, *chain};
    groups->items[groups->count] = (struct group){.worst = finding, .rule = (uint16_t)key->rule};
    *chain = (uint32_t)++groups->count;
    return *chain;
}

static inline bool same_key(const struct group_key *a, const struct group_key *b)
{
    return a->rule == b->rule && a->kind == b->kind && a->a == b->a && a->b == b->b && a->c == b->c &&
           a->exception == b->exception && a->known == b->known;
}

/* The group of the key, new or not. */
static uint32_t group_of(struct builder *b, const struct group_key *key, uint32_t finding)
{
    uint32_t *chain = chain_of(b, key), at = *chain;
    while (at && !same_key(&b->keys[at - 1].key, key))
        at = b->keys[at - 1].next;
    return (at ? at : add_group(b, key, finding, chain)) - 1;
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
        if (group->worst != at && compare(judge, at, group->worst) < 0)
            group->worst = at;
    }
}

struct ordered {
    const struct judge *judge;
    uint32_t finding, item;
};

static int by_order(const void *left, const void *right)
{
    const struct ordered *a = left, *b = right;
    return compare(a->judge, a->finding, b->finding);
}

/* Groups that count first. */
static int by_weight(const void *left, const void *right)
{
    const struct ordered *a = left, *b = right;
    bool left_counts = finding_counts(&a->judge->findings[a->finding]);
    bool right_counts = finding_counts(&b->judge->findings[b->finding]);
    return left_counts == right_counts ? by_order(left, right) : right_counts - left_counts;
}

/* Sinks heap[at], the root of a heap whose largest element is the mildest. */
static void sink(struct ordered *heap, size_t count, size_t at)
{
    for (;;) {
        size_t mildest = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++)
            if (by_weight(&heap[child], &heap[mildest]) > 0)
                mildest = child;
        if (mildest == at)
            return;
        struct ordered moved = heap[at];
        heap[at] = heap[mildest];
        heap[mildest] = moved;
        at = mildest;
    }
}

/* The worst groups into `front`, a heap of at most `most`; how many. */
static size_t find_worst(const struct groups *groups, const struct judge *judge, struct ordered *front, size_t most)
{
    size_t count = 0;
    for (uint32_t at = 0; at < groups->count; at++) {
        struct ordered next = {judge, groups->items[at].worst, at};
        if (count < most) {
            front[count++] = next;
            for (size_t node = count == most ? count / 2 : 0; node-- > 0;)
                sink(front, count, node);
        } else if (by_weight(&next, &front[0]) < 0) {
            front[0] = next;
            sink(front, count, 0);
        }
    }
    return count;
}

static void order_groups(struct groups *groups, const struct judge *judge, size_t most)
{
    size_t room = groups->count < most ? groups->count : most;
    struct ordered *front = mem_alloc((room + 1) * sizeof *front);
    groups->shown = mem_alloc((room + 1) * sizeof *groups->shown);
    groups->shown_count = find_worst(groups, judge, front, room);
    qsort(front, groups->shown_count, sizeof *front, by_weight);
    for (size_t at = 0; at < groups->shown_count; at++)
        groups->shown[at] = front[at].item;
    free(front);
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
    uint32_t *stamps = mem_alloc((judge->model->names.count + 1) * sizeof *stamps);
    for (uint32_t at = 0; at < b->groups->shown_count; at++) {
        struct group *group = &b->groups->items[b->groups->shown[at]];
        const struct finding *worst = &judge->findings[group->worst];
        group->severity = worst->severity;
        group->label = arena_str(&b->groups->arena, intern_get(&b->labels, label_of(b, name_of(judge, worst))));
        for (uint32_t member = 0; member < group->count; member++) {
            uint32_t name = name_of(judge, &judge->findings[b->groups->members[group->first + member]]);
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
    builder.label_of_name = mem_alloc((judge->model->names.count + 1) * sizeof *builder.label_of_name);
    groups->group_of = mem_alloc((judge->finding_count + 1) * sizeof *groups->group_of);
    sort_in(&builder, with_suppressed);
    order_groups(groups, judge, most);
    list_members(groups, judge->finding_count);
    describe_groups(&builder);
    free(builder.label_of_name);
    free(builder.keys);
    free(builder.chains);
    intern_free(&builder.labels);
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
    struct ordered *order = mem_alloc((judge->finding_count + 1) * sizeof *order);
    uint32_t *sorted = mem_alloc((judge->finding_count + 1) * sizeof *sorted);
    for (uint32_t at = 0; at < judge->finding_count; at++)
        order[at] = (struct ordered){judge, at, at};
    qsort(order, judge->finding_count, sizeof *order, by_order);
    for (size_t at = 0; at < judge->finding_count; at++)
        sorted[at] = order[at].finding;
    free(order);
    return sorted;
}
