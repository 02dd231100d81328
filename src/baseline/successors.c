#include "baseline/successors.h"

#include "baseline/assignment.h"
#include "log/spelling.h"

#include <stdlib.h>
#include <string.h>

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

/* The least loss of the kernels of a row, and the row of the other side that gives it. */
struct best {
    struct loss loss;
    size_t links;
    uint32_t other; /* row */
};

static void note_link(struct best *best, const struct loss *loss, size_t other)
{
    if (best->links++ && order_of_losses(&best->loss, loss) <= 0)
        return;
    best->loss = *loss;
    best->other = (uint32_t)other;
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

/* The kernels of a side by row: kernels with equal figures and classes have the same links and are one row. */
struct rows {
    uint32_t *of;           /* by index of the kernel: its row */
    uint32_t *first, *size; /* by row: the index of its first kernel; how many it has */
    size_t count;
    struct best *best;  /* by row */
    struct best *worse; /* by row: only of links with a loss */
};

static struct rows make_rows(const struct family *family, const struct kernel_metrics_set *set, bool gone,
                             struct arena *arena)
{
    const size_t count = gone ? family->gone_count : family->new_count;
    struct rows rows = {.of = arena_alloc(arena, count * sizeof *rows.of),
                        .first = arena_alloc(arena, count * sizeof *rows.first),
                        .size = arena_alloc(arena, count * sizeof *rows.size)};
    SCOPED(intern) keys = {0};
    SCOPED(buf) key = {0};
    for (uint32_t at = 0; at < count; at++) {
        const struct kernel_metrics *entry = &set->items[gone ? family->gone[at] : family->new[at]];
        buf_clear(&key);
        buf_fmt(&key, "%d %d %d %d ", entry->threads, entry->dynamic_smem_bytes, entry->carveout, entry->debug);
        buf_add(&key, (struct str){(const char *)entry->values, sizeof entry->values});
        EACH(const struct mapping, mapping, family->mappings, family->mapping_count)
            buf_fmt(&key, " %u", (gone ? mapping->class_of_gone : mapping->class_of_new)[at]);
        rows.of[at] = intern_add(&keys, buf_str(&key));
        if (rows.size[rows.of[at]]++ == 0)
            rows.first[rows.of[at]] = at;
    }
    rows.count = keys.count;
    rows.best = arena_alloc(arena, rows.count * sizeof *rows.best);
    rows.worse = arena_alloc(arena, rows.count * sizeof *rows.worse);
    return rows;
}

/* The number of kernels whose least loss (best: by row) is worse; left: by row, how many of them count. *worst becomes
 * the row of the one that lost the most. */
static size_t count_worse(const struct rows *rows, const struct best *best, const uint32_t *left, size_t *worst)
{
    size_t worse = 0;
    for (size_t at = 0; at < rows->count; at++) {
        if (!left[at] || !best[at].links || !best[at].loss.worse)
            continue;
        if (!worse || order_of_losses(&best[at].loss, &best[*worst].loss) > 0)
            *worst = at;
        worse += left[at];
    }
    return worse;
}

struct linking {
    struct comparison *comparison;
    struct family *family;
    struct rows gone, new;
    struct assignment assignment; /* of gone to new rows; without rows: not used */
};

static struct loss loss_of(const struct linking *l, size_t gone_row, size_t new_row)
{
    const struct kernel_metrics *gone = &l->comparison->base->items[l->family->gone[l->gone.first[gone_row]]];
    const struct kernel_metrics *new = &l->comparison->head->items[l->family->new[l->new.first[new_row]]];
    return gone->debug == new->debug ? successors_loss(l->comparison, gone, new) : (struct loss){0};
}

/* Sets the fields of the rules to the first kernels of these rows; successors: new kernels of which the new one is the
 * best; 0: all that may replace the gone one. */
static void show(struct linking *l, size_t gone_row, size_t new_row, size_t successors)
{
    struct comparison *c = l->comparison;
    struct family *family = l->family;
    const uint32_t gone_index = l->gone.first[gone_row], new_index = l->new.first[new_row];
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

/* Links two rows. is_replaced: some new kernel of the class replaces the gone one. */
static void link_rows(struct linking *l, uint32_t gone, uint32_t new, bool is_replaced)
{
    const struct loss loss = loss_of(l, gone, new);
    const bool equal = loss.spill_bytes == 0 && loss.warps == 0 && loss.registers == 0;
    if (is_replaced)
        note_link(&l->gone.best[gone], &loss, new);
    note_link(&l->new.best[new], &loss, gone);
    if (loss.worse)
        note_link(&l->new.worse[new], &loss, gone);
    if (l->assignment.rows)
        *assignment_link(&l->assignment, gone, new) = loss.worse ? LINK_WORSE : equal ? LINK_EQUAL : LINK_AS_GOOD;
}

/* Links the gone and new rows of each class of a mapping. */
static void link_classes(struct linking *l, const struct mapping *mapping)
{
    const struct family *family = l->family;
    uint32_t *first = mem_alloc((family->new_count + 1) * sizeof *first); /* by class: row + 1 */
    uint32_t *next = mem_alloc((l->new.count + 1) * sizeof *next);
    for (uint32_t n = (uint32_t)l->new.count; n-- > 0;) {
        uint32_t class = mapping->class_of_new[l->new.first[n]];
        if (class == INTERN_NONE)
            continue;
        next[n] = first[class];
        first[class] = n + 1;
    }
    for (uint32_t g = 0; g < l->gone.count; g++) {
        uint32_t class = mapping->class_of_gone[l->gone.first[g]];
        for (uint32_t n = class == INTERN_NONE ? 0 : first[class]; n; n = next[n - 1])
            link_rows(l, g, n - 1, !family->changed || mapping->classes[class].gone <= mapping->classes[class].new);
    }
    free(first);
    free(next);
}

/* ---- one to one ---- */

static void begin_assignment(struct linking *l)
{
    const struct family *family = l->family;
    const size_t rows = l->gone.count, columns = l->new.count;
    const bool one_to_one = family->changed || family->gone_count == family->new_count;
    if (!one_to_one || rows * columns > MOST_LINKS)
        return;
    assignment_init(&l->assignment, rows, columns);
    memcpy(l->assignment.row_count, l->gone.size, rows * sizeof *l->gone.size);
    memcpy(l->assignment.column_count, l->new.size, columns * sizeof *l->new.size);
}

static size_t sum(const uint32_t *numbers, size_t count)
{
    size_t total = 0;
    for (size_t at = 0; at < count; at++)
        total += numbers[at];
    return total;
}

/* Of the gone kernels without a pair that the new one may replace the nearest; if there is none, the nearest of those
 * that are better. */
static uint32_t nearest_left(const struct linking *l, size_t new)
{
    const struct assignment *a = &l->assignment;
    struct best best = {.other = l->new.worse[new].other};
    for (uint32_t g = 0; g < l->gone.count; g++) {
        if (a->row_left[g] == 0 || *assignment_link(a, g, new) == 0)
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
    const size_t pairs = assignment_make(&l->assignment, LINK_WORSE);
    const size_t pairs_as_good = assignment_make(&l->assignment, LINK_AS_GOOD);
    const bool fewer_gone = sum(a->row_left, a->rows) <= sum(a->column_left, a->columns);
    size_t worst = 0;
    if (pairs == pairs_as_good)
        return false;
    l->family->shown.lost = pairs - pairs_as_good;
    if (fewer_gone && count_worse(&l->gone, l->gone.best, a->row_left, &worst)) {
        show(l, worst, l->gone.best[worst].other, 0);
        return true;
    }
    if (!count_worse(&l->new, l->new.worse, a->column_left, &worst))
        count_worse(&l->new, l->new.worse, l->new.size, &worst);
    show(l, nearest_left(l, worst), worst, 1);
    return true;
}

/* ---- the whole family ---- */

void successors_compare(struct comparison *c, struct family *family)
{
    SCOPED(arena) arena = {0};
    struct linking l = {.comparison = c,
                        .family = family,
                        .gone = make_rows(family, c->base, true, &arena),
                        .new = make_rows(family, c->head, false, &arena)};
    size_t lost = 0, worst = 0;
    begin_assignment(&l);
    EACH(const struct mapping, mapping, family->mappings, family->mapping_count)
        link_classes(&l, mapping);
    family->nearest = arena_alloc(&c->arena, family->new_count * sizeof *family->nearest);
    for (size_t n = 0; n < family->new_count; n++) {
        const struct best *best = &l.new.best[l.new.of[n]];
        family->nearest[n] = best->links ? family->gone[l.gone.first[best->other]] : NO_INDEX;
    }
    family->shown.lost = count_worse(&l.gone, l.gone.best, l.gone.size, &lost);
    family->shown.worse = count_worse(&l.new, l.new.best, l.new.size, &worst);
    const bool is_shown = l.assignment.rows && compare_one_to_one(&l);
    if (!is_shown && family->shown.lost)
        show(&l, lost, l.gone.best[lost].other, 0);
    else if (!is_shown && family->shown.worse)
        show(&l, l.new.best[worst].other, worst, 0);
    assignment_free(&l.assignment);
}
