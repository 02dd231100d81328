#include "baseline/successors.h"

#include "baseline/assignment.h"
#include "log/spelling.h"

#include <stdlib.h>

enum { MOST_LINKS = 1 << 16 }; /* between kernels that are not alike; larger families are not assigned one to one */

static int64_t grown(int64_t base, int64_t head, int64_t unknown)
{
    return base == unknown || head == unknown ? 0 : head - base;
}

struct loss successors_loss(const struct comparison *c, const struct kernel_metrics *gone,
                            const struct kernel_metrics *new)
{
    const int32_t *base = gone->values, *head = new->values;
    struct loss loss = {
        .spill_bytes = grown(kernel_metrics_spills(gone), kernel_metrics_spills(new), INT64_MIN),
        .warps = -grown(compare_warps(c, gone, new), head[MEASURE_WARPS], UNKNOWN),
        .registers = grown(base[MEASURE_REGISTERS], head[MEASURE_REGISTERS], UNKNOWN),
    };
    loss.worse = loss.spill_bytes > c->tolerances.spill_bytes || loss.warps > c->tolerances.warps;
    return loss;
}

static int order_of_losses(const struct loss *a, const struct loss *b)
{
    return numbers_cmp((const int64_t[]){a->worse, a->spill_bytes, a->warps, a->registers},
                       (const int64_t[]){b->worse, b->spill_bytes, b->warps, b->registers}, 4);
}

/* The least loss of a kernel, and the kernel on the other side that gives it. */
struct best {
    struct loss loss;
    size_t links;
    uint32_t other; /* index */
};

static void note_link(struct best *best, const struct loss *loss, size_t other)
{
    if (best->links++ && order_of_losses(&best->loss, loss) <= 0)
        return;
    best->loss = *loss;
    best->other = (uint32_t)other;
}

/* The number of kernels whose least loss is worse; *worst becomes the index of the one that lost the most. */
static size_t count_worse(const struct best *items, size_t count, size_t *worst)
{
    size_t worse = 0;
    for (size_t at = 0; at < count; at++) {
        if (!items[at].links || !items[at].loss.worse)
            continue;
        if (!worse++ || order_of_losses(&items[at].loss, &items[*worst].loss) > 0)
            *worst = at;
    }
    return worse;
}

static struct str shown_name(struct arena *arena, struct str id)
{
    struct buf name = {0};
    spell_kernel(id, &name);
    return arena_take(arena, &name);
}

/* "40 registers, 32 warps per SM and 8 B of spills" without unknown values; "0 B of spills" only if warps are unknown.
 */
static struct str figures(struct arena *arena, int32_t registers, int32_t warps, int64_t spills)
{
    struct str known[3];
    size_t count = 0;
    struct buf out = {0};
    if (registers != UNKNOWN)
        known[count++] = arena_fmt(arena, "%d register%s", registers, PLURAL(registers));
    if (warps != UNKNOWN)
        known[count++] = arena_fmt(arena, "%d warps per SM", warps);
    if (spills > 0 || (spills == 0 && warps == UNKNOWN))
        known[count++] = arena_fmt(arena, "%lld B of spills", (long long)spills);
    for (size_t at = 0; at < count; at++)
        buf_fmt(&out, "%s%.*s", at == 0 ? "" : at + 1 == count ? " and " : ", ", STR_ARG(known[at]));
    if (count == 0)
        buf_add(&out, STR("unknown numbers"));
    return arena_take(arena, &out);
}

/* For each kernel of a side the first one with equal figures and classes: it has the same links, so links are computed
 * once. The caller frees the array. */
static uint32_t *first_alike(const struct family *family, const struct kernel_metrics_set *set, bool gone)
{
    size_t count = gone ? family->gone_count : family->new_count;
    uint32_t *alike = mem_alloc((count + 1) * sizeof *alike), *first = mem_alloc((count + 1) * sizeof *first);
    SCOPED(intern) keys = {0};
    SCOPED(buf) key = {0};
    for (uint32_t at = 0; at < count; at++) {
        const struct kernel_metrics *entry = &set->items[gone ? family->gone[at] : family->new[at]];
        buf_clear(&key);
        buf_fmt(&key, "%d %d %d %d ", entry->threads, entry->dynamic_smem_bytes, entry->carveout, entry->debug);
        buf_add(&key, (struct str){(const char *)entry->values, sizeof entry->values});
        EACH(const struct mapping, mapping, family->mappings, family->mapping_count)
            buf_fmt(&key, " %u", (gone ? mapping->class_of_gone : mapping->class_of_new)[at]);
        size_t known = keys.count;
        uint32_t number = intern_add(&keys, buf_str(&key));
        first[number] = number == known ? at : first[number];
        alike[at] = first[number];
    }
    free(first);
    return alike;
}

struct linking {
    struct comparison *comparison;
    struct family *family;
    uint32_t *alike_gone, *alike_new; /* see first_alike */
    struct best *gone, *new;
    struct best *worse;                    /* by new kernel: only of links with a loss */
    struct assignment assignment;          /* without rows: not used */
    uint32_t *row_of_gone, *column_of_new; /* of kernels that are the first of alike ones */
};

static struct loss loss_of(const struct linking *l, size_t gone_index, size_t new_index)
{
    const struct kernel_metrics *gone = &l->comparison->base->items[l->family->gone[gone_index]];
    const struct kernel_metrics *new = &l->comparison->head->items[l->family->new[new_index]];
    return gone->debug == new->debug ? successors_loss(l->comparison, gone, new) : (struct loss){0};
}

/* Sets the fields of the rules to these kernels; successors: new kernels of which the new one is the best; 0: all that
 * may replace the gone one. */
static void show(struct linking *l, size_t gone_index, size_t new_index, size_t successors)
{
    struct comparison *c = l->comparison;
    struct family *family = l->family;
    const struct kernel_metrics *gone = &c->base->items[family->gone[gone_index]];
    const struct kernel_metrics *new = &c->head->items[family->new[new_index]];
    uint32_t *preferred = c->item_of && new->kernel != NO_INDEX ? &c->item_of[new->kernel] : NULL;
    family->shown_new = family->new[new_index];
    if (preferred && c->pairs[*preferred].state == COMPARE_NEW) /* a record has an entry for each of its links */
        *preferred = family->shown_new;
    family->nearest[new_index] = family->gone[gone_index];
    family->shown.successors = successors;
    for (size_t at = 0; successors == 0 && at < family->new_count; at++)
        family->shown.successors += family_replaces(family, gone_index, at);
    family->shown.gone_name = shown_name(&c->arena, intern_get(c->strings, gone->id));
    family->shown.new_name = shown_name(&c->arena, intern_get(c->strings, new->id));
    family->shown.gone_figures =
        figures(&c->arena, gone->values[MEASURE_REGISTERS], compare_warps(c, gone, new), kernel_metrics_spills(gone));
    family->shown.new_figures =
        figures(&c->arena, new->values[MEASURE_REGISTERS], new->values[MEASURE_WARPS], kernel_metrics_spills(new));
}

/* Levels of links in the assignment. */
enum { LINK_WORSE = 1, LINK_AS_GOOD, LINK_EQUAL };

/* is_replaced: some new kernel of the class replaces the gone one. */
static void link_pair(struct linking *l, uint32_t gone, uint32_t new, bool is_replaced)
{
    const struct loss loss = loss_of(l, gone, new);
    const bool equal = loss.spill_bytes == 0 && loss.warps == 0 && loss.registers == 0;
    if (is_replaced)
        note_link(&l->gone[gone], &loss, new);
    note_link(&l->new[new], &loss, gone);
    if (loss.worse)
        note_link(&l->worse[new], &loss, gone);
    if (l->assignment.rows)
        *assignment_link(&l->assignment, l->row_of_gone[gone], l->column_of_new[new]) = loss.worse ? LINK_WORSE
                                                                                        : equal    ? LINK_EQUAL
                                                                                                   : LINK_AS_GOOD;
}

/* Links the gone and new kernels of each class of a mapping. */
static void link_classes(struct linking *l, const struct mapping *mapping)
{
    const struct family *family = l->family;
    uint32_t *first = mem_alloc((family->new_count + 1) * sizeof *first); /* by class: index + 1 */
    uint32_t *next = mem_alloc((family->new_count + 1) * sizeof *next);
    int32_t *more = family_count_classes(family, mapping);
    for (uint32_t n = (uint32_t)family->new_count; n-- > 0;) {
        uint32_t class = mapping->class_of_new[n];
        if (l->alike_new[n] != n)
            continue;
        next[n] = first[class];
        first[class] = n + 1;
    }
    for (uint32_t g = 0; g < family->gone_count; g++) {
        uint32_t class = mapping->class_of_gone[g];
        if (class == INTERN_NONE || l->alike_gone[g] != g)
            continue;
        for (uint32_t n = first[class]; n; n = next[n - 1])
            link_pair(l, g, n - 1, !family->changed || more[class] <= 0);
    }
    free(first);
    free(next);
    free(more);
}

static void link_all(struct linking *l)
{
    for (size_t at = 0; at < l->family->mapping_count; at++)
        link_classes(l, &l->family->mappings[at]);
    for (size_t g = 0; g < l->family->gone_count; g++)
        l->gone[g] = l->gone[l->alike_gone[g]];
    for (size_t n = 0; n < l->family->new_count; n++) {
        l->new[n] = l->new[l->alike_new[n]];
        l->worse[n] = l->worse[l->alike_new[n]];
    }
}

/* ---- one to one ---- */

/* Numbers the first ones of alike kernels. Returns how many there are. */
static uint32_t number_alike(const uint32_t *alike, size_t count, uint32_t *number)
{
    uint32_t numbers = 0;
    for (size_t at = 0; at < count; at++)
        number[at] = alike[at] == at ? numbers++ : number[alike[at]];
    return numbers;
}

static void begin_assignment(struct linking *l)
{
    const struct family *family = l->family;
    const size_t rows = number_alike(l->alike_gone, family->gone_count, l->row_of_gone);
    const size_t columns = number_alike(l->alike_new, family->new_count, l->column_of_new);
    const bool one_to_one = family->changed || family->gone_count == family->new_count;
    if (!one_to_one || rows * columns > MOST_LINKS)
        return;
    assignment_init(&l->assignment, rows, columns);
    for (size_t g = 0; g < family->gone_count; g++)
        l->assignment.row_count[l->row_of_gone[g]]++;
    for (size_t n = 0; n < family->new_count; n++)
        l->assignment.column_count[l->column_of_new[n]]++;
}

static size_t sum(const uint32_t *numbers, size_t count)
{
    size_t total = 0;
    for (size_t at = 0; at < count; at++)
        total += numbers[at];
    return total;
}

/* As count_worse, for the kernels without a pair; left: by row or column, number: of each kernel. */
static size_t count_worse_left(const struct best *items, size_t count, const uint32_t *left, const uint32_t *number,
                               size_t *worst)
{
    struct best *unpaired = mem_alloc((count + 1) * sizeof *unpaired);
    for (size_t at = 0; at < count; at++)
        unpaired[at] = left[number[at]] ? items[at] : (struct best){0};
    const size_t worse = count_worse(unpaired, count, worst);
    free(unpaired);
    return worse;
}

/* Of the gone kernels without a pair that the new one may replace the nearest; if there is none, the nearest of those
 * that are better. */
static uint32_t nearest_left(const struct linking *l, uint32_t new)
{
    const struct assignment *a = &l->assignment;
    struct best best = {.other = l->worse[new].other};
    for (uint32_t g = 0; g < l->family->gone_count; g++) {
        const uint32_t row = l->row_of_gone[g];
        if (a->row_left[row] == 0 || *assignment_link(a, row, l->column_of_new[new]) == 0)
            continue;
        const struct loss loss = loss_of(l, g, new);
        note_link(&best, &loss, g);
    }
    return best.other;
}

/* Assigns the new kernels to gone kernels of their own. Sets how many pairs are lost if no pair may be worse, and shows
 * a kernel without a pair, of the side that has fewer of them. False if no pair is lost. */
static bool compare_one_to_one(struct linking *l)
{
    const struct assignment *a = &l->assignment;
    struct family *family = l->family;
    const size_t pairs = assignment_make(&l->assignment, LINK_WORSE);
    const size_t pairs_as_good = assignment_make(&l->assignment, LINK_AS_GOOD);
    const bool fewer_gone = sum(a->row_left, a->rows) <= sum(a->column_left, a->columns);
    size_t worst = 0;
    if (pairs == pairs_as_good)
        return false;
    family->shown.lost = pairs - pairs_as_good;
    if (fewer_gone && count_worse_left(l->gone, family->gone_count, a->row_left, l->row_of_gone, &worst)) {
        show(l, worst, l->gone[worst].other, 0);
        return true;
    }
    if (!count_worse_left(l->worse, family->new_count, a->column_left, l->column_of_new, &worst))
        count_worse(l->worse, family->new_count, &worst);
    show(l, nearest_left(l, (uint32_t)worst), worst, 1);
    return true;
}

/* ---- the whole family ---- */

void successors_compare(struct comparison *c, struct family *family)
{
    const size_t gone = family->gone_count, new = family->new_count;
    struct linking l = {.comparison = c,
                        .family = family,
                        .alike_gone = first_alike(family, c->base, true),
                        .alike_new = first_alike(family, c->head, false),
                        .gone = mem_alloc(gone * sizeof *l.gone),
                        .new = mem_alloc(new * sizeof *l.new),
                        .worse = mem_alloc(new * sizeof *l.worse),
                        .row_of_gone = mem_alloc(gone * sizeof *l.row_of_gone),
                        .column_of_new = mem_alloc(new * sizeof *l.column_of_new)};
    size_t lost = 0, worst = 0;
    begin_assignment(&l);
    link_all(&l);
    family->nearest = arena_alloc(&c->arena, new * sizeof *family->nearest);
    for (size_t n = 0; n < new; n++)
        family->nearest[n] = l.new[n].links ? family->gone[l.new[n].other] : NO_INDEX;
    family->shown.lost = count_worse(l.gone, gone, &lost);
    family->shown.worse = count_worse(l.new, new, &worst);
    const bool is_shown = l.assignment.rows && compare_one_to_one(&l);
    if (!is_shown && family->shown.lost)
        show(&l, lost, l.gone[lost].other, 0);
    else if (!is_shown && family->shown.worse)
        show(&l, l.new[worst].other, worst, 0);
    assignment_free(&l.assignment);
    free(l.alike_gone);
    free(l.alike_new);
    free(l.gone);
    free(l.new);
    free(l.worse);
    free(l.row_of_gone);
    free(l.column_of_new);
}
