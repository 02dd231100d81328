#include "baseline/successors.h"

#include "log/spelling.h"

#include <stdlib.h>

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
    bool of_fewer;  /* of a new kernel: its class has more gone kernels than new ones, if arguments were changed */
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

static void show(struct comparison *c, struct family *family, size_t gone_index, size_t new_index)
{
    const struct kernel_metrics *gone = &c->base->items[family->gone[gone_index]];
    const struct kernel_metrics *new = &c->head->items[family->new[new_index]];
    uint32_t *preferred = c->item_of && new->kernel != NO_INDEX ? &c->item_of[new->kernel] : NULL;
    family->shown_new = family->new[new_index];
    if (preferred && c->pairs[*preferred].state == COMPARE_NEW) /* a record has an entry for each of its links */
        *preferred = family->shown_new;
    family->nearest[new_index] = family->gone[gone_index];
    for (size_t at = 0; at < family->new_count; at++)
        family->shown.successors += family_replaces(family, gone_index, at);
    family->shown.gone_name = shown_name(&c->arena, intern_get(c->strings, gone->id));
    family->shown.new_name = shown_name(&c->arena, intern_get(c->strings, new->id));
    family->shown.gone_figures =
        figures(&c->arena, gone->values[MEASURE_REGISTERS], compare_warps(c, gone, new), kernel_metrics_spills(gone));
    family->shown.new_figures =
        figures(&c->arena, new->values[MEASURE_REGISTERS], new->values[MEASURE_WARPS], kernel_metrics_spills(new));
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
    const struct comparison *comparison;
    const struct family *family;
    const uint32_t *alike_gone, *alike_new; /* see first_alike */
    struct best *gone, *new;
};

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
        for (uint32_t n = first[class]; n; n = next[n - 1]) {
            const struct kernel_metrics *gone = &l->comparison->base->items[family->gone[g]];
            const struct kernel_metrics *new = &l->comparison->head->items[family->new[n - 1]];
            struct loss loss = {0};
            if (gone->debug == new->debug)
                loss = successors_loss(l->comparison, gone, new);
            if (!mapping->changed || more[class] <= 0)
                note_link(&l->gone[g], &loss, n - 1);
            else /* the gone kernel may have no successor */
                l->new[n - 1].of_fewer = true;
            note_link(&l->new[n - 1], &loss, g);
        }
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
    for (size_t n = 0; n < l->family->new_count; n++)
        l->new[n] = l->new[l->alike_new[n]];
}

/* The number of new kernels that are worse than all gone kernels of their class: each of them replaces one of these,
 * although it is unknown which. *worst becomes the index of the one that lost the most. */
static size_t count_worse_than_all(const struct best *new, size_t count, size_t *worst)
{
    struct best *items = mem_alloc((count + 1) * sizeof *items);
    for (size_t at = 0; at < count; at++)
        items[at] = new[at].of_fewer ? new[at] : (struct best){0};
    const size_t worse = count_worse(items, count, worst);
    free(items);
    return worse;
}

void successors_compare(struct comparison *c, struct family *family)
{
    struct best *gone = mem_alloc(family->gone_count * sizeof *gone);
    struct best *new = mem_alloc(family->new_count * sizeof *new);
    uint32_t *alike_gone = first_alike(family, c->base, true), *alike_new = first_alike(family, c->head, false);
    struct linking linking = {c, family, alike_gone, alike_new, gone, new};
    size_t lost = 0, worst = 0;
    link_all(&linking);
    family->nearest = arena_alloc(&c->arena, family->new_count * sizeof *family->nearest);
    for (size_t n = 0; n < family->new_count; n++)
        family->nearest[n] = new[n].links ? family->gone[new[n].other] : NO_INDEX;
    family->shown.lost = count_worse(gone, family->gone_count, &lost);
    family->shown.worse = count_worse(new, family->new_count, &worst);
    if (family->shown.lost) {
        show(c, family, lost, gone[lost].other);
    } else if (family->shown.worse) {
        family->shown.lost = count_worse_than_all(new, family->new_count, &worst);
        show(c, family, new[worst].other, worst);
    }
    free(alike_gone);
    free(alike_new);
    free(gone);
    free(new);
}
