/*
 * A bundle holds all entries of one identity, architecture and kind. Pairs are searched for inside of a bundle; most
 * bundles have one entry on each side. Identities are compared as numbers of the table of strings, not as text.
 */
#include "baseline/compare.h"

#include "baseline/files.h"
#include "baseline/lambda.h"
#include "baseline/variants.h"

#include <stdlib.h>
#include <string.h>

const char *compare_state_name(enum compare_state state)
{
    static const char *const names[] = {"same", "improved", "worse", "changed", "new", "gone"};
    return names[state];
}

/* An entry of either side while its partner is searched for. */
struct handle {
    const struct kernel_metrics *entry;
    struct str source; /* empty: unknown */
    struct str unit;   /* the file that was compiled, the source if no other one is known */
    struct str object; /* empty: unknown */
    uint32_t item;     /* index in its set */
    uint32_t id;       /* identity; in the head the name that the base uses, see lambda.h */
    uint32_t left;     /* copies without a partner */
    uint8_t seen;      /* base only: enum entry_seen */
    bool by_object;    /* head only: the partner has the same object */
    bool shared;       /* variants only: both sides have the source */
    unsigned keys;     /* what the bundle is sorted by */
};

struct bundle {
    struct handle *items;
    size_t count;
};

struct comparing {
    struct comparison *out;
    struct bundle base, head; /* all entries of the columns that are being compared */
};

/* True if the entry of the head has no partner. */
static bool is_new(const struct comparing *c, const struct handle *head)
{
    return c->out->pairs[head->item].base == NO_INDEX;
}

/* For an entry of the head whose entry of the base already has a partner. */
static void classify_copy(const struct comparing *c, struct pair *pair, const struct handle *base)
{
    pair->copy = true;
    compare_classify(c->out, pair, base->item);
}

/* ---- bundles ---- */

static int order_of_values(const struct handle *a, const struct handle *b)
{
    int64_t spills_a = kernel_metrics_spills(a->entry), spills_b = kernel_metrics_spills(b->entry);
    int order = number_cmp(spills_a, spills_b);
    for (int at = MEASURE_REGISTERS; !order && at <= MEASURE_BARRIERS; at++)
        order = number_cmp(a->entry->values[at], b->entry->values[at]);
    return order;
}

/* Keys by which entries are sorted and matched, as bits, in the order in which they are compared. */
enum { BY_IDENTITY = 1, BY_SOURCE = 2, BY_UNIT = 4, BY_DEBUG = 8, BY_VALUES = 16 };

static int order_by(unsigned keys, const struct handle *a, const struct handle *b)
{
    int order = 0;
    if (keys & BY_IDENTITY)
        order = numbers_cmp((const int64_t[]){a->id, a->entry->arch, a->entry->kind},
                            (const int64_t[]){b->id, b->entry->arch, b->entry->kind}, 3);
    if (!order && keys & BY_SOURCE)
        order = str_cmp(a->source, b->source);
    if (!order && keys & BY_UNIT)
        order = str_cmp(a->unit, b->unit);
    if (!order && keys & BY_DEBUG)
        order = number_cmp(a->entry->debug, b->entry->debug);
    return !order && keys & BY_VALUES ? order_of_values(a, b) : order;
}

/* By the keys of the bundle, then by everything else that differs, so that the order of the records does not matter. */
static int by_keys(const void *left, const void *right)
{
    const struct handle *a = left, *b = right;
    int order = order_by(a->keys, a, b);
    if (!order)
        order = order_by(BY_SOURCE | BY_DEBUG | BY_VALUES, a, b);
    if (!order)
        order = str_cmp(a->object, b->object);
    if (!order)
        order = str_cmp(a->unit, b->unit);
    return order ? order : number_cmp(a->item, b->item);
}

static void sort_bundle(struct bundle bundle, unsigned keys)
{
    if (bundle.count == 0 || bundle.items[0].keys == keys)
        return; /* it is sorted already */
    for (size_t at = 0; at < bundle.count; at++)
        bundle.items[at].keys = keys;
    mem_sort(bundle.items, bundle.count, sizeof *bundle.items, by_keys);
}

/* The handles from index `from` on that are equal to the first of them in these keys. */
static struct bundle run_at(struct bundle all, size_t from, unsigned keys)
{
    size_t to = from;
    while (to < all.count && order_by(keys, &all.items[from], &all.items[to]) == 0)
        to++;
    return (struct bundle){&all.items[from], to - from};
}

typedef void join_bundles(struct comparing *c, struct bundle base, struct bundle head);

/* Sorts both sides and calls join_run for each run of handles that are equal in these keys on both sides. An unknown
 * source equals no other one. */
static void join_runs(struct comparing *c, struct bundle base, struct bundle head, unsigned keys,
                      join_bundles *join_run)
{
    size_t b = 0, h = 0;
    sort_bundle(base, keys | BY_VALUES);
    sort_bundle(head, keys | BY_VALUES);
    while (b < base.count && h < head.count) {
        struct bundle base_run = run_at(base, b, keys), head_run = run_at(head, h, keys);
        int which = order_by(keys, base_run.items, head_run.items);
        if (which == 0 && (base_run.items[0].source.len || !(keys & (BY_SOURCE | BY_UNIT))))
            join_run(c, base_run, head_run);
        b += which <= 0 ? base_run.count : 0;
        h += which >= 0 ? head_run.count : 0;
    }
}

/* ---- stages ---- */

static bool is_other_file(const struct handle *base, const struct handle *head)
{
    return base->source.len && head->source.len && !str_eq(base->source, head->source) &&
           !str_eq(base->unit, head->unit);
}

/* Pairs as many copies as both entries have left. */
static void take_copies(struct handle *base, struct handle *head)
{
    uint32_t both = base->left < head->left ? base->left : head->left;
    base->left -= both;
    head->left -= both;
    base->seen = base->seen == SEEN || !is_other_file(base, head) ? SEEN : SEEN_ELSEWHERE;
}

static void join(struct comparing *c, struct handle *base, struct handle *head)
{
    compare_classify(c->out, &c->out->pairs[head->item], base->item);
    take_copies(base, head);
}

static void join_in_order(struct comparing *c, struct bundle base, struct bundle head)
{
    size_t b = 0;
    EACH(struct handle, h, head.items, head.count) {
        while (b < base.count && base.items[b].left == 0)
            b++;
        if (b == base.count)
            return;
        if (is_new(c, h))
            join(c, &base.items[b], h);
    }
}

static void mark_shared(struct comparing *c, struct bundle base, struct bundle head)
{
    (void)c;
    for (size_t at = 0; at < base.count; at++)
        base.items[at].shared = true;
    for (size_t at = 0; at < head.count; at++)
        head.items[at].shared = true;
}

/* True if both have one source, or each has a source that only its side has: it may be one source that was renamed. */
static bool may_be_one_source(const struct handle *base, const struct handle *head)
{
    if (base->shared || head->shared)
        return str_eq(base->source, head->source);
    return base->source.len && head->source.len;
}

/* The entry of the base whose object has the longest common end with that of the entry of the head. NULL if there is
 * none, or more than one. */
static struct handle *variant_of(struct bundle base, const struct handle *variant)
{
    struct handle *found = NULL;
    size_t most = 0;
    EACH(struct handle, b, base.items, base.count) {
        const size_t common = variants_common(b->object, variant->object);
        if (common == 0 || common < most || !may_be_one_source(b, variant))
            continue;
        found = common > most ? b : NULL;
        most = common;
    }
    return found;
}

static void join_variants(struct comparing *c, struct bundle base, struct bundle head)
{
    EACH(struct handle, h, head.items, head.count) {
        struct handle *b = h->object.len ? variant_of(base, h) : NULL;
        h->by_object = b != NULL;
        if (b && b->left) {
            join(c, b, h);
        } else if (b) {
            classify_copy(c, &c->out->pairs[h->item], b);
            h->left = 0;
        }
    }
}

static struct handle *without_source(struct bundle equals)
{
    for (size_t at = 0; at < equals.count; at++)
        if (equals.items[at].source.len == 0)
            return &equals.items[at];
    return NULL;
}

/* An entry without a partner counts as a copy if the other side has an entry with equal values and the source of one of
 * them is unknown: incremental builds compile a kernel once more or once less. */
static void join_equal_copies(struct comparing *c, struct bundle base, struct bundle head)
{
    const struct handle *base_any = without_source(base), *head_any = without_source(head);
    EACH(struct handle, h, head.items, head.count) {
        const struct handle *b = h->source.len ? base_any : &base.items[0];
        if (b && is_new(c, h))
            classify_copy(c, &c->out->pairs[h->item], b);
    }
    for (size_t at = 0; at < base.count; at++)
        if (head_any || base.items[at].source.len == 0)
            base.items[at].seen = SEEN;
}

static int importance_of(const struct pair *pair)
{
    return pair->state == COMPARE_WORSE ? 2 : pair->state == COMPARE_IMPROVED;
}

/* Takes the entry of the base as the former state of one copy of the head. The copies of the head have one pair: it
 * keeps the most important of their states. */
static void join_spare(struct comparing *c, struct handle *base, struct handle *head)
{
    struct pair *pair = &c->out->pairs[head->item], other = *pair;
    compare_classify(c->out, &other, base->item);
    if (importance_of(&other) > importance_of(pair))
        *pair = other;
    take_copies(base, head);
}

/* Kernels whose values differed in the base have equal values in the head and are copies of one entry there: pairs the
 * copies that are left on both sides. The number of attempts is bounded, for thousands of sources that do not match. */
static void join_spares(struct comparing *c, struct bundle base, struct bundle head)
{
    struct handle **spares = mem_alloc((head.count + 1) * sizeof *spares);
    size_t count = 0, first = 0, tries = c->out->part ? 0 : 64 * (base.count + head.count);
    EACH(struct handle, h, head.items, head.count)
        if (h->left && !is_new(c, h) && !c->out->pairs[h->item].copy)
            spares[count++] = h;
    for (size_t b = 0; b < base.count; b++) {
        while (first < count && spares[first]->left == 0)
            first++;
        for (size_t h = first; h < count && base.items[b].left && tries; h++, tries--) {
            struct str source = base.items[b].source, other = spares[h]->source;
            if (spares[h]->left && (!source.len || !other.len || str_eq(source, other)))
                join_spare(c, &base.items[b], spares[h]);
        }
    }
    free(spares);
}

/* Joins an entry of the head that is worse than all entries of the base with the one that is nearest to it among those
 * that spill less than it does, or not at all if it does not spill. */
static void join_if_worse_than_all(struct comparing *c, struct bundle base, const struct handle *head)
{
    struct pair *pair = &c->out->pairs[head->item], nearest = *pair;
    const int64_t spills = kernel_metrics_spills(head->entry);
    for (size_t at = 0; at < base.count; at++) { /* sorted by values, the smallest first */
        if (base.items[at].entry->debug != head->entry->debug)
            continue;
        struct pair other = *pair;
        classify_copy(c, &other, &base.items[at]);
        if (other.state != COMPARE_WORSE)
            return;
        const int64_t known = kernel_metrics_spills(base.items[at].entry);
        if (known < spills || (known == 0 && spills == 0))
            nearest = other;
    }
    *pair = nearest;
}

/* A source that occurs more often in the log than in the base was compiled again, perhaps with other options. Its
 * further entry is compared if it is worse than all entries of that source in the base; otherwise it is new. */
static void join_repeated(struct comparing *c, struct bundle base, struct bundle head)
{
    EACH(const struct handle, h, head.items, head.count)
        if (is_new(c, h))
            join_if_worse_than_all(c, base, h);
}

/* True if a measure is worse than in an entry of the base without a partner, but not worse than in its own partner. */
static bool is_worse_than_absent(const struct comparing *c, struct bundle base, const struct pair *pair)
{
    for (size_t at = 0; at < base.count; at++) {
        struct pair other = *pair;
        if (base.items[at].left == 0 || base.items[at].item == pair->base)
            continue;
        compare_classify(c->out, &other, base.items[at].item);
        if (other.worse & ~pair->worse)
            return true;
    }
    return false;
}

/* Marks pairs of a source of which the base has more variants than the head, if objects do not show which is which. */
static void mark_other_variants(struct comparing *c, struct bundle base, struct bundle head)
{
    EACH(const struct handle, h, head.items, head.count)
        if (base.count > 1 && !is_new(c, h) && !h->by_object)
            c->out->pairs[h->item].other_variant = is_worse_than_absent(c, base, &c->out->pairs[h->item]);
}

/* If no file of the kernel is on both sides, all may have been renamed: then every partner counts. */
static void settle_seen(struct comparing *c, struct bundle base, struct bundle head)
{
    bool any = false;
    (void)c, (void)head;
    for (size_t at = 0; at < base.count; at++)
        any |= base.items[at].seen == SEEN;
    for (size_t at = 0; at < base.count && !any; at++)
        base.items[at].seen = base.items[at].seen ? SEEN : NOT_SEEN;
}

/* How entries of one identity find their partners, the strictest keys first: each stage gets the entries that are equal
 * in its keys, and pairs those that no stage before it has paired. */
static const struct {
    unsigned keys;
    join_bundles *join;
} stages[] = {
    {BY_SOURCE, mark_shared},
    {0, join_variants},
    {BY_SOURCE | BY_DEBUG | BY_VALUES, join_in_order},
    {BY_SOURCE | BY_DEBUG, join_in_order},
    {BY_SOURCE, join_in_order},
    {BY_UNIT | BY_DEBUG | BY_VALUES, join_in_order}, /* a log states the unit as the source, records state a header */
    {BY_UNIT, join_in_order},
    {BY_VALUES, join_in_order},
    {0, join_in_order},
    {BY_VALUES, join_equal_copies},
    {0, join_spares},
    {BY_SOURCE, join_repeated},
    {BY_SOURCE, mark_other_variants},
    {0, settle_seen},
};

static void join_bundle(struct comparing *c, struct bundle base, struct bundle head)
{
    if (base.count == 1 && head.count == 1) {
        c->out->pairs[head.items->item].only = base.items->left == 1 && head.items->left == 1;
        join(c, base.items, head.items);
        base.items->seen = SEEN;
        return;
    }
    for (size_t at = 0; at < sizeof stages / sizeof *stages; at++)
        join_runs(c, base, head, stages[at].keys, stages[at].join);
}

/* ---- columns ---- */

/* Fills the column with the entries of one toolkit. ids: the identity by item, NO_INDEX if it is
 * not compared; NULL: the entries have their own. */
static void take_column(const struct comparison *out, const struct kernel_metrics_set *set, struct toolkit toolkit,
                        const uint32_t *ids, struct bundle *column)
{
    column->count = 0;
    for (uint32_t at = 0; at < set->count; at++) {
        const struct kernel_metrics *entry = &set->items[at];
        uint32_t id = ids ? ids[at] : entry->id;
        if (entry->deselected || toolkit_order(entry->toolkit, toolkit) != 0 || id == NO_INDEX)
            continue;
        struct str source = intern_get(set->strings, compare_source(out, entry));
        const uint32_t number = kernel_metrics_unit(set->strings, entry);
        struct str unit = number == NO_INDEX ? source : intern_get(set->strings, out->sources[number]);
        column->items[column->count++] = (struct handle){.entry = entry,
                                                         .source = source,
                                                         .unit = unit,
                                                         .object = intern_get(set->strings, entry->object),
                                                         .item = at,
                                                         .id = id,
                                                         .left = entry->copies};
    }
}

/* The toolkits of a set, each once, the oldest first; the caller frees the array. */
static struct toolkit *toolkits_of(const struct kernel_metrics_set *set, size_t *count)
{
    struct toolkit *found = NULL;
    size_t cap = 0;
    *count = 0;
    for (size_t at = 0; at < set->count; at++) {
        struct toolkit toolkit = set->items[at].toolkit;
        size_t place = 0;
        while (place < *count && toolkit_order(found[place], toolkit) < 0)
            place++;
        if (place < *count && toolkit_order(found[place], toolkit) == 0)
            continue;
        found = mem_reserve(found, &cap, *count + 1, sizeof *found);
        memmove(&found[place + 1], &found[place], (*count - place) * sizeof *found);
        found[place] = toolkit;
        ++*count;
    }
    return found;
}

/* The column of the base for a toolkit of the head: that of the same toolkit, else the newest older one, else the
 * oldest one. */
static struct column_pair choose_column(const struct toolkit *base, size_t count, struct toolkit head)
{
    struct column_pair pair = {.head = head, .base = count ? base[0] : head};
    bool newest = count && !toolkit_known(head) && toolkit_known(base[0]);
    for (size_t at = 0; at < count; at++)
        if (newest || toolkit_order(base[at], head) <= 0)
            pair.base = base[at];
    pair.drift = toolkit_known(pair.base) && toolkit_known(head) && toolkit_order(pair.base, head) != 0;
    pair.unsure = newest && count > 1;
    return pair;
}

static struct pair *add_pair(struct comparison *out)
{
    struct pair *pair = MEM_ADD(out->pairs, out->count, out->cap);
    *pair = (struct pair){.base = NO_INDEX, .head = NO_INDEX, .family = NO_INDEX, .base_warps = UNKNOWN};
    for (int at = 0; at < MEASURE_COUNT; at++)
        pair->deltas[at] = UNKNOWN;
    return pair;
}

static void compare_column(struct comparing *c, struct column_pair column)
{
    struct comparison *out = c->out;
    uint32_t *ids = lambda_ids(out, column);
    take_column(out, out->base, column.base, NULL, &c->base);
    take_column(out, out->head, column.head, ids, &c->head);
    free(ids);
    join_runs(c, c->base, c->head, BY_IDENTITY, join_bundle);
    for (size_t at = 0; at < c->base.count; at++) {
        out->in_play[c->base.items[at].item] = 1;
        if (c->base.items[at].seen && out->seen[c->base.items[at].item] != SEEN)
            out->seen[c->base.items[at].item] = c->base.items[at].seen;
    }
    *MEM_ADD(out->columns, out->column_count, out->column_cap) = column;
}

/* ---- gone entries ---- */

static void add_gone(struct comparison *out)
{
    for (uint32_t at = 0; at < out->base->count; at++) {
        if (!out->in_play[at] || out->seen[at] || out->base->items[at].elsewhere)
            continue;
        struct pair *pair = add_pair(out);
        pair->base = at;
        pair->state = COMPARE_GONE;
    }
}

/* A record with several entries (for example of several links that agree) gets the pair with the most important state.
 */
static void prefer_important(struct comparison *out, uint32_t item)
{
    const uint32_t kernel = out->item_of ? out->head->items[item].kernel : NO_INDEX;
    const struct pair *preferred = kernel == NO_INDEX ? NULL : compare_of_kernel(out, kernel);
    const struct pair *pair = &out->pairs[item];
    if (preferred && (importance_of(pair) > importance_of(preferred) || pair->worse & ~preferred->worse))
        out->item_of[kernel] = item;
}

/* ---- counts ---- */

static void count_all(struct comparison *out)
{
    for (size_t at = 0; at < out->base->count; at++) {
        if (!out->in_play[at])
            continue;
        out->counts.expected++;
        out->counts.seen += out->seen[at] != NOT_SEEN;
    }
    EACH(const struct pair, pair, out->pairs, out->count) {
        if (pair->head != NO_INDEX && out->head->items[pair->head].deselected)
            continue;
        out->counts.by_state[pair->state]++;
        out->counts.renamed += pair->renamed;
    }
}

/* ---- the whole comparison ---- */

static void make_pairs(struct comparing *c)
{
    struct comparison *out = c->out;
    size_t base_columns = 0, head_columns = 0;
    struct toolkit *base = toolkits_of(out->base, &base_columns), *head = toolkits_of(out->head, &head_columns);
    for (uint32_t at = 0; at < out->head->count; at++) {
        struct pair *pair = add_pair(out);
        pair->head = at;
        pair->state = out->head->items[at].deselected ? COMPARE_SAME : COMPARE_NEW;
        out->any_optimised |= out->head->items[at].kind == KERNEL_ENTRY && !out->head->items[at].debug;
    }
    for (size_t at = 0; at < head_columns; at++)
        compare_column(c, choose_column(base, base_columns, head[at]));
    if (head_columns == 0 && base_columns) /* the head is empty: all entries of the newest column are missing */
        compare_column(c, choose_column(base, base_columns, (struct toolkit){0}));
    free(base);
    free(head);
}

static bool states_units(const struct kernel_metrics_set *set)
{
    for (size_t at = 0; at < set->count; at++)
        if (set->items[at].units != NO_INDEX)
            return true;
    return false;
}

void compare_make(struct comparison *out, const struct kernel_metrics_set *base, const struct kernel_metrics_set *head,
                  struct tolerances tolerances, bool part, uint32_t *item_of)
{
    *out = (struct comparison){.base = base,
                               .head = head,
                               .strings = base->strings,
                               .tolerances = tolerances,
                               .by_unit = states_units(base) != states_units(head),
                               .part = part,
                               .item_of = item_of};
    struct comparing c = {.out = out};
    files_match(out);
    out->seen = mem_alloc(base->count + 1);
    out->in_play = mem_alloc(base->count + 1);
    c.base.items = mem_alloc((base->count + 1) * sizeof *c.base.items);
    c.head.items = mem_alloc((head->count + 1) * sizeof *c.head.items);
    make_pairs(&c);
    for (uint32_t item = 0; item < head->count; item++)
        prefer_important(out, item);
    add_gone(out);
    count_all(out);
    free(c.base.items);
    free(c.head.items);
}

void compare_free(struct comparison *comparison)
{
    free(comparison->pairs);
    free(comparison->columns);
    free(comparison->missing.items);
    free(comparison->moved.items);
    free(comparison->seen);
    free(comparison->in_play);
    free(comparison->sources);
    free(comparison->item_of);
    arena_free(&comparison->arena);
    *comparison = (struct comparison){0};
}

const struct pair *compare_of_kernel(const struct comparison *comparison, uint32_t kernel)
{
    uint32_t item = comparison->item_of ? comparison->item_of[kernel] : NO_INDEX;
    return item == NO_INDEX ? NULL : &comparison->pairs[item];
}

static const struct column_pair *find_column(const struct comparison *comparison, bool of_head, struct toolkit toolkit)
{
    EACH(const struct column_pair, column, comparison->columns, comparison->column_count)
        if (toolkit_order(of_head ? column->head : column->base, toolkit) == 0)
            return column;
    return NULL;
}

const struct column_pair *compare_head_column(const struct comparison *comparison, struct toolkit head)
{
    return find_column(comparison, true, head);
}

const struct column_pair *compare_base_column(const struct comparison *comparison, struct toolkit base)
{
    return find_column(comparison, false, base);
}

struct toolkit compare_base_toolkit(const struct comparison *comparison, struct toolkit head)
{
    const struct column_pair *column = compare_head_column(comparison, head);
    return column ? column->base : head;
}

bool compare_drifts(const struct comparison *comparison)
{
    for (size_t at = 0; at < comparison->column_count; at++)
        if (comparison->columns[at].drift)
            return true;
    return false;
}

uint32_t compare_source(const struct comparison *comparison, const struct kernel_metrics *entry)
{
    return entry->source == NO_INDEX ? NO_INDEX : comparison->sources[entry->source];
}

uint32_t compare_file(const struct comparison *comparison, const struct kernel_metrics *entry)
{
    struct str rest = intern_get(comparison->strings, entry->units), first;
    if (!comparison->by_unit || rest.len == 0)
        return compare_source(comparison, entry);
    str_split(&rest, '\n', &first);
    return comparison->sources[intern_find(comparison->strings, first)];
}

void compare_join(struct comparison *comparison, uint32_t gone, uint32_t new)
{
    struct pair *pair = &comparison->pairs[new];
    compare_classify(comparison, pair, comparison->pairs[gone].base);
    comparison->counts.by_state[COMPARE_GONE]--;
    comparison->counts.by_state[COMPARE_NEW]--;
    comparison->counts.by_state[pair->state]++;
    comparison->counts.renamed++;
    comparison->counts.seen++;
    comparison->seen[pair->base] = SEEN;
    comparison->pairs[gone].base = NO_INDEX;
    prefer_important(comparison, new);
}

void compare_drop_joined(struct comparison *comparison)
{
    size_t kept = comparison->head->count;
    for (size_t at = kept; at < comparison->count; at++)
        if (comparison->pairs[at].base != NO_INDEX)
            comparison->pairs[kept++] = comparison->pairs[at];
    comparison->count = kept;
}

struct unanswered compare_unanswered(const struct comparison *comparison)
{
    struct unanswered unanswered = {0};
    EACH(const struct pair, pair, comparison->pairs, comparison->count) {
        if (pair->base == NO_INDEX || pair->head == NO_INDEX)
            continue;
        const struct kernel_metrics *head = &comparison->head->items[pair->head];
        const bool counts = pair->unanswered && pair->state != COMPARE_WORSE && !head->deselected;
        unanswered.compared += head->kind == KERNEL_ENTRY && !head->deselected;
        unanswered.count += counts;
        unanswered.lost_link += counts && compare_lost_link(&comparison->base->items[pair->base], head);
    }
    return unanswered;
}
