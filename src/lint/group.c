#include "lint/group.h"

#include "lint/tally.h"
#include "lint/templates.h"

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
    struct chained *keys; /* by group */
    uint32_t *chains;     /* by label, a number of judge.templates: the newest group + 1, 0 none */
    size_t chain_cap;
    uint32_t others[OTHER_CHAINS];
    size_t key_cap;
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

static uint32_t label_of(const struct builder *b, uint32_t name)
{
    return template_of(b->judge->templates, name);
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
        key.a = intern_add(templates_table(b->judge->templates), b->judge->lines[finding->event].message);
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
        if (group->worst != at && compare(judge, &judge->findings[at], &judge->findings[group->worst]) < 0)
            group->worst = at;
    }
}

/* A finding among others. */
struct ordered {
    const struct judge *judge;
    struct finding finding;
    uint32_t number; /* of the finding; of those that are not listed, the record's */
    uint32_t item;   /* its group; NO_INDEX: one that is not listed, */
    uint32_t label;  /* of that template */
};

static int by_order(const void *left, const void *right)
{
    const struct ordered *a = left, *b = right;
    int order = compare(a->judge, &a->finding, &b->finding);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

/* Groups that count first. */
static int by_weight(const void *left, const void *right)
{
    const struct ordered *a = left, *b = right;
    bool left_counts = finding_counts(&a->finding), right_counts = finding_counts(&b->finding);
    return left_counts == right_counts ? by_order(left, right) : right_counts - left_counts;
}

/* The worst of many: a heap whose first element is the mildest. */
struct front {
    struct ordered *heap;
    size_t count, most;
};

static void sink(struct front *front, size_t at)
{
    for (;;) {
        size_t mildest = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < front->count; child++)
            if (by_weight(&front->heap[child], &front->heap[mildest]) > 0)
                mildest = child;
        if (mildest == at)
            return;
        struct ordered moved = front->heap[at];
        front->heap[at] = front->heap[mildest];
        front->heap[mildest] = moved;
        at = mildest;
    }
}

static bool is_full(const struct front *front)
{
    return front->count == front->most;
}

static void make_heap(struct front *front)
{
    for (size_t node = front->count / 2; node-- > 0;)
        sink(front, node);
}

/* Keeps it if it is one of the worst. */
static void offer(struct front *front, const struct ordered *next)
{
    if (!is_full(front)) {
        front->heap[front->count++] = *next;
        if (is_full(front))
            make_heap(front);
    } else if (front->most && by_weight(next, &front->heap[0]) < 0) {
        front->heap[0] = *next;
        sink(front, 0);
    }
}

/* The worst groups of those that are listed. */
static void offer_groups(struct front *front, const struct groups *groups, const struct judge *judge)
{
    for (uint32_t at = 0; at < groups->count; at++) {
        uint32_t worst = groups->items[at].worst;
        offer(front, &(struct ordered){judge, judge->findings[worst], worst, at, NO_INDEX});
    }
}

static void order_groups(struct groups *groups, const struct judge *judge, size_t most)
{
    struct front front = {.most = groups->count < most ? groups->count : most};
    front.heap = mem_alloc((front.most + 1) * sizeof *front.heap);
    groups->shown = mem_alloc((front.most + 1) * sizeof *groups->shown);
    offer_groups(&front, groups, judge);
    qsort(front.heap, front.count, sizeof *front.heap, by_weight);
    for (groups->shown_count = 0; groups->shown_count < front.count; groups->shown_count++)
        groups->shown[groups->shown_count] = front.heap[groups->shown_count].item;
    free(front.heap);
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
        group->label = arena_str(&b->groups->arena,
                                 intern_get(templates_table(judge->templates), label_of(b, name_of(judge, worst))));
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

static void free_builder(struct builder *b)
{
    free(b->keys);
    free(b->chains);
}

/* ---- groups of findings that are counted and not listed --------------------------------------------------------- */

static size_t bits_of(uint64_t set)
{
    size_t count = 0;
    for (; set; set &= set - 1)
        count++;
    return count;
}

static uint32_t label_of_record(struct builder *b, uint32_t name)
{
    return label_of(b, name < b->judge->model->names.count ? name : NO_INDEX);
}

/* Of arrays by label, whose first one is for records without a name. */
static size_t slot_of_label(uint32_t label)
{
    return label == NO_INDEX ? 0 : (size_t)label + 1;
}

/* Puts the units of a name to those of its template; both chains fall by source. The number of groups that come with
 * them. */
static size_t add_units(struct tally_unit *units, uint32_t *chain, uint32_t unit)
{
    size_t groups = 0;
    for (uint32_t next = 0; unit; unit = next) {
        struct tally_unit *added = &units[unit - 1];
        next = added->next;
        while (*chain && units[*chain - 1].source > added->source)
            chain = &units[*chain - 1].next;
        struct tally_unit *known = *chain ? &units[*chain - 1] : NULL;
        if (known && known->source == added->source) {
            groups += bits_of(added->rules & ~known->rules);
            known->rules |= added->rules;
        } else if (added->rules) {
            groups += bits_of(added->rules);
            added->next = *chain;
            *chain = unit;
        }
    }
    return groups;
}

/* Did one of these rules speak of the name? */
static bool is_spoken_of(const struct tally *tally, uint32_t name, uint64_t rules)
{
    uint32_t unit = tally->units_of_name[name];
    while (unit && !(tally->units[unit - 1].rules & rules))
        unit = tally->units[unit - 1].next;
    return unit != 0;
}

/* How many groups there are. The units of names become those of templates: nobody needs them as they were any more. */
static size_t count_groups(struct builder *b)
{
    struct tally *tally = b->judge->tally;
    size_t names = b->judge->model->names.count, groups = 0;
    uint32_t *chains = mem_alloc((templates_table(b->judge->templates)->count + names + 1) * sizeof *chains);
    for (uint32_t name = 0; name <= names; name++)
        if (is_spoken_of(tally, name, UINT64_MAX))
            groups +=
                add_units(tally->units, &chains[slot_of_label(label_of_record(b, name))], tally->units_of_name[name]);
    free(chains);
    free(tally->units_of_name);
    tally->units_of_name = NULL;
    return groups;
}

static bool is_of_group(const struct judge *judge, const struct ordered *group, const struct ordered *next)
{
    return group->item == NO_INDEX && group->label == next->label && group->finding.rule == next->finding.rule &&
           judge->model->kernels[group->finding.kernel].source == judge->model->kernels[next->finding.kernel].source;
}

/* Another finding of a record: its group may be there already, then with the worse of both. */
static void offer_record(struct builder *b, struct front *front, struct ordered *next, uint32_t name)
{
    if (is_full(front) && by_weight(next, &front->heap[0]) >= 0)
        return;
    next->label = label_of_record(b, name);
    for (size_t at = 0; at < front->count; at++) {
        if (!is_of_group(b->judge, &front->heap[at], next))
            continue;
        if (by_weight(next, &front->heap[at]) >= 0)
            return;
        front->heap[at] = *next;
        if (is_full(front))
            sink(front, at); /* as one that got worse may stand above milder ones */
        return;
    }
    offer(front, next);
}

static uint64_t rank_of(const struct finding *finding)
{
    return outcome_rank(
        &(struct outcome){.worst = finding->worst, .rule = finding->rule, .severity = finding->severity});
}

/* The mildest of a full front, which the next one has to beat. */
struct bar {
    uint64_t rank;
    uint32_t name, beaten; /* beaten: the last name of the same rank that stands behind it */
};

static struct bar bar_of(const struct judge *judge, const struct front *front)
{
    if (!is_full(front) || !front->most)
        return (struct bar){0, NO_INDEX, NO_INDEX};
    return (struct bar){rank_of(&front->heap[0].finding), name_of(judge, &front->heap[0].finding), NO_INDEX};
}

/* Nothing that is said of the name with this rank gets over the bar. Most records tie, and names stand together. */
static bool is_beaten(struct bar *bar, const struct intern *names, uint64_t rank, uint32_t name)
{
    if (rank != bar->rank || bar->name >= names->count || name >= names->count)
        return rank < bar->rank;
    if (name != bar->beaten && str_cmp(intern_get(names, name), intern_get(names, bar->name)) > 0)
        bar->beaten = name;
    return name == bar->beaten;
}

/* Every finding of a record. */
static void offer_findings(struct builder *b, struct front *front, uint32_t kernel, uint32_t name)
{
    struct judge *judge = b->judge;
    uint32_t number = judge_verdict(judge, kernel);
    const struct verdict_detail *detail = &judge->verdicts->details[number];
    for (uint32_t n = 0; n < detail->count; n++) {
        const struct outcome *outcome = &judge->verdicts->outcomes[detail->first + n];
        if (outcome->state != OUTCOME_FIRES)
            continue;
        struct ordered next = {judge, judge_finding(judge, outcome, kernel), kernel, NO_INDEX, NO_INDEX};
        offer_record(b, front, &next, name);
    }
}

static void offer_unit(struct builder *b, struct front *front, struct bar *bar, const struct tally_unit *unit,
                       uint32_t name)
{
    struct judge *judge = b->judge;
    uint64_t rank = tally_rank(unit, judge->verdicts);
    if (rank == 0 || is_beaten(bar, &judge->model->names, rank, name))
        return;
    for (uint32_t record = unit->last; record; record = judge->tally->older[record - 1])
        offer_findings(b, front, record - 1, name);
    *bar = bar_of(judge, front);
}

/* Names, their units and their texts stand in memory in the same order. */
static void offer_records(struct builder *b, struct front *front)
{
    const struct tally *tally = b->judge->tally;
    struct bar bar = bar_of(b->judge, front);
    for (uint32_t name = 0; name <= b->judge->model->names.count; name++)
        for (uint32_t unit = tally->units_of_name[name]; unit; unit = tally->units[unit - 1].next)
            offer_unit(b, front, &bar, &tally->units[unit - 1], name);
}

/* The members of the shown groups. */
struct gathered {
    struct member {
        struct finding finding;
        uint32_t shown; /* number of the group */
    } * items;
    size_t count, cap;
    uint32_t *shown_of; /* by slot_of_label: a shown group + 1 */
    size_t slots;
    uint32_t *next; /* by shown group: the next one of its label + 1 */
    uint64_t rules; /* of all of them */
};

static void gather(struct gathered *g, const struct finding *finding, uint32_t shown)
{
    g->items = mem_reserve(g->items, &g->cap, g->count + 1, sizeof *g->items);
    g->items[g->count++] = (struct member){*finding, shown};
}

static void gather_record(struct builder *b, struct gathered *g, const struct front *front, uint32_t kernel)
{
    struct judge *judge = b->judge;
    uint32_t number = judge_verdict(judge, kernel); /* verdicts may move */
    const struct verdict_detail *detail = &judge->verdicts->details[number];
    struct ordered next = {.label = label_of_record(b, tally_name(judge->model, kernel))};
    uint32_t first = g->shown_of[slot_of_label(next.label)];
    for (uint32_t n = 0; n < detail->count; n++) {
        const struct outcome *outcome = &judge->verdicts->outcomes[detail->first + n];
        if (outcome->state != OUTCOME_FIRES)
            continue;
        next.finding = judge_finding(judge, outcome, kernel);
        for (uint32_t shown = first; shown; shown = g->next[shown - 1])
            if (is_of_group(judge, &front->heap[shown - 1], &next))
                gather(g, &next.finding, shown - 1);
    }
}

/* Marks the records of a name that may be of a shown group. */
static void mark_records(const struct tally *tally, uint32_t name, uint64_t rules, uint64_t *marks)
{
    for (uint32_t unit = tally->units_of_name[name]; unit; unit = tally->units[unit - 1].next) {
        bool speaks = tally->units[unit - 1].rules & rules;
        for (uint32_t at = speaks ? tally->units[unit - 1].last : 0; at; at = tally->older[at - 1])
            marks[(at - 1) / 64] |= UINT64_C(1) << ((at - 1) % 64);
    }
}

/* Records come in the order of the log. */
static void gather_records(struct builder *b, struct gathered *g, const struct front *front)
{
    struct judge *judge = b->judge;
    size_t names = judge->model->names.count, words = judge->model->kernel_count / 64 + 1;
    uint64_t *marks = mem_alloc(words * sizeof *marks);
    for (uint32_t name = 0; name <= names; name++) {
        bool spoken_of = is_spoken_of(judge->tally, name, g->rules);
        size_t slot = spoken_of ? slot_of_label(label_of_record(b, name)) : g->slots;
        if (slot < g->slots && g->shown_of[slot]) /* a template that is found only now is of no shown group */
            mark_records(judge->tally, name, g->rules, marks);
    }
    for (uint32_t word = 0; word < words; word++)
        for (uint64_t left = marks[word]; left; left &= left - 1)
            gather_record(b, g, front, word * 64 + (uint32_t)__builtin_ctzll(left));
    free(marks);
}

static void gather_members(struct builder *b, struct gathered *g, const struct front *front)
{
    struct judge *judge = b->judge;
    uint32_t *shown_item = mem_alloc((b->groups->count + 1) * sizeof *shown_item);
    g->slots = templates_table(b->judge->templates)->count + 1;
    g->shown_of = mem_alloc(g->slots * sizeof *g->shown_of);
    g->next = mem_alloc((front->count + 1) * sizeof *g->next);
    for (uint32_t at = 0; at < front->count; at++) {
        const struct ordered *group = &front->heap[at];
        uint32_t *shown = &g->shown_of[slot_of_label(group->label)];
        if (group->item != NO_INDEX) {
            shown_item[group->item] = at + 1;
            continue;
        }
        g->next[at] = *shown;
        *shown = at + 1;
        g->rules |= UINT64_C(1) << group->finding.rule;
    }
    gather_records(b, g, front);
    for (uint32_t at = 0; at < judge->finding_count; at++)
        if (b->groups->group_of[at] != NO_INDEX && shown_item[b->groups->group_of[at]])
            gather(g, &judge->findings[at], shown_item[b->groups->group_of[at]] - 1);
    free(shown_item);
}

static bool same_finding(const struct finding *a, const struct finding *b)
{
    return a->kernel == b->kernel && a->event == b->event && a->rule == b->rule;
}

/* The shown groups in their order, with members of their own. */
static void set_groups(struct groups *groups, const struct front *front, const struct gathered *g)
{
    struct finding *findings = arena_alloc(&groups->arena, (g->count + 1) * sizeof *findings);
    uint32_t first = 0;
    groups->items = mem_alloc((front->count + 1) * sizeof *groups->items);
    groups->shown = mem_alloc((front->count + 1) * sizeof *groups->shown);
    groups->members = mem_alloc((g->count + 1) * sizeof *groups->members);
    groups->findings = findings;
    groups->shown_count = front->count;
    for (size_t at = 0; at < g->count; at++)
        groups->items[g->items[at].shown].count++;
    for (uint32_t at = 0; at < front->count; first += groups->items[at++].count) {
        groups->items[at].rule = front->heap[at].finding.rule;
        groups->items[at].first = first;
        groups->shown[at] = at;
    }
    uint32_t *next = mem_alloc((front->count + 1) * sizeof *next);
    for (size_t at = 0; at < g->count; at++) {
        struct group *group = &groups->items[g->items[at].shown];
        uint32_t place = group->first + next[g->items[at].shown]++;
        groups->members[place] = place;
        findings[place] = g->items[at].finding;
        if (same_finding(&findings[place], &front->heap[g->items[at].shown].finding))
            group->worst = place;
    }
    free(next);
}

static void make_counted(struct groups *groups, struct judge *judge)
{
    *groups = (struct groups){0};
    struct builder builder = {.groups = groups, .judge = judge};
    struct gathered gathered = {0};
    struct front front = {0};
    groups->group_of = mem_alloc((judge->finding_count + 1) * sizeof *groups->group_of);
    sort_in(&builder, false);
    if (judge->tally->spoken_of >= judge->model->names.count / 2)
        templates_find_all(judge->templates);
    front.most = GROUPS_SHOWN;
    front.heap = mem_alloc((front.most + 1) * sizeof *front.heap);
    offer_groups(&front, groups, judge);
    offer_records(&builder, &front);
    qsort(front.heap, front.count, sizeof *front.heap, by_weight);
    gather_members(&builder, &gathered, &front);
    size_t total = groups->count + count_groups(&builder);
    free(groups->items);
    free(groups->group_of);
    groups->group_of = NULL;
    set_groups(groups, &front, &gathered);
    describe_groups(&builder);
    groups->count = total;
    free(front.heap);
    free(gathered.items);
    free(gathered.shown_of);
    free(gathered.next);
    free_builder(&builder);
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

static void make(struct groups *groups, struct judge *judge, size_t most, bool with_suppressed)
{
    *groups = (struct groups){0};
    struct builder builder = {.groups = groups, .judge = judge};
    groups->group_of = mem_alloc((judge->finding_count + 1) * sizeof *groups->group_of);
    groups->findings = judge->findings;
    sort_in(&builder, with_suppressed);
    order_groups(groups, judge, most);
    list_members(groups, judge->finding_count);
    describe_groups(&builder);
    free_builder(&builder);
}

void groups_make(struct groups *groups, struct judge *judge)
{
    if (judge->tally)
        make_counted(groups, judge);
    else
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

/* What sorting needs of a finding. */
struct sorted {
    const struct judge *judge;
    uint32_t number;
};

static int by_finding(const void *left, const void *right)
{
    const struct sorted *a = left, *b = right;
    int order = compare(a->judge, &a->judge->findings[a->number], &b->judge->findings[b->number]);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

uint32_t *findings_sorted(struct judge *judge)
{
    struct sorted *order = mem_alloc((judge->finding_count + 1) * sizeof *order);
    uint32_t *numbers = mem_alloc((judge->finding_count + 1) * sizeof *numbers);
    for (uint32_t at = 0; at < judge->finding_count; at++)
        order[at] = (struct sorted){judge, at};
    qsort(order, judge->finding_count, sizeof *order, by_finding);
    for (size_t at = 0; at < judge->finding_count; at++)
        numbers[at] = order[at].number;
    free(order);
    return numbers;
}
