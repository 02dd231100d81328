#include "baseline/lambda.h"

#include "log/mangled.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1 << 22 }; /* of the table of common sequences; larger groups are compared by their numbers */

struct member {
    const struct kernel_metrics *entry;
    uint32_t item;   /* index in its set */
    uint32_t group;  /* name without numbers, and architecture */
    uint32_t file;   /* see compare_file; NO_INDEX for all members of a group if it is unknown for one */
    struct str text; /* the numbers of its lambdas */
    bool of_head;
};

struct matching {
    struct intern groups;
    struct arena arena; /* texts of numbers */
    struct member *members;
    size_t count, cap;
    uint32_t *ids; /* by item of the head */
};

/* The members of a group of one side, in the order of their numbers. */
struct sequence {
    const struct member *members;
    size_t count;
};

static void add_members(struct matching *m, const struct comparison *comparison, struct toolkit toolkit, bool of_head)
{
    const struct kernel_metrics_set *set = of_head ? comparison->head : comparison->base;
    SCOPED(buf) group = {0}, numbers = {0};
    for (uint32_t at = 0; at < set->count; at++) {
        const struct kernel_metrics *entry = &set->items[at];
        struct str id = intern_get(set->strings, entry->id);
        if (entry->deselected || entry->kind != KERNEL_ENTRY || toolkit_order(entry->toolkit, toolkit) != 0 ||
            str_find(id, STR("Ul")) == STR_NONE)
            continue;
        buf_clear(&group);
        buf_clear(&numbers);
        if (!mangled_split_lambdas(id, &group, &numbers))
            continue;
        buf_fmt(&group, " %u", entry->arch);
        *MEM_ADD(m->members, m->count, m->cap) = (struct member){.entry = entry,
                                                                 .item = at,
                                                                 .group = intern_add(&m->groups, buf_str(&group)),
                                                                 .file = compare_file(comparison, entry),
                                                                 .text = arena_str(&m->arena, buf_str(&numbers)),
                                                                 .of_head = of_head};
    }
}

/* A group whose members all have a file is parted by file. A log without commands states no source: it may be of the
 * same build. */
static void part_groups(struct matching *m)
{
    bool *lacks_file = mem_alloc(m->groups.count + 1);
    EACH(const struct member, member, m->members, m->count)
        lacks_file[member->group] |= member->file == NO_INDEX;
    EACH(struct member, member, m->members, m->count)
        member->file = lacks_file[member->group] ? NO_INDEX : member->file;
    free(lacks_file);
}

static int order_of_groups(const struct member *a, const struct member *b)
{
    return numbers_cmp((const int64_t[]){a->group, a->file}, (const int64_t[]){b->group, b->file}, 2);
}

static int by_group(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    int order = order_of_groups(a, b);
    order = order ? order : number_cmp(a->of_head, b->of_head);
    order = order ? order : str_cmp(a->text, b->text);
    return order ? order : number_cmp(a->item, b->item);
}

/* True if no two members have equal numbers; they have if several targets compile the source. */
static bool is_distinct(struct sequence sequence)
{
    for (size_t at = 1; at < sequence.count; at++)
        if (str_eq(sequence.members[at].text, sequence.members[at - 1].text))
            return false;
    return true;
}

static bool has_same_numbers(struct sequence base, struct sequence head)
{
    bool same = base.count == head.count;
    for (size_t at = 0; same && at < base.count; at++)
        same = str_eq(base.members[at].text, head.members[at].text);
    return same;
}

static bool is_alike(const struct kernel_metrics *a, const struct kernel_metrics *b)
{
    for (int at = MEASURE_REGISTERS; at <= MEASURE_BARRIERS; at++)
        if (a->values[at] != b->values[at] && a->values[at] != UNKNOWN && b->values[at] != UNKNOWN)
            return false;
    return a->values[MEASURE_REGISTERS] != UNKNOWN && b->values[MEASURE_REGISTERS] != UNKNOWN;
}

/* The length of the longest common sequence from each pair of positions on: (base.count + 1) * (head.count + 1) of
 * them.
 */
static uint32_t *common_lengths(struct sequence base, struct sequence head)
{
    size_t width = head.count + 1;
    uint32_t *lengths = mem_alloc((base.count + 1) * width * sizeof *lengths);
    for (size_t b = base.count; b-- > 0;)
        for (size_t h = head.count; h-- > 0;) {
            uint32_t without_base = lengths[(b + 1) * width + h], without_head = lengths[b * width + h + 1];
            bool alike = is_alike(base.members[b].entry, head.members[h].entry);
            lengths[b * width + h] = alike                         ? lengths[(b + 1) * width + h + 1] + 1
                                     : without_base > without_head ? without_base
                                                                   : without_head;
        }
    return lengths;
}

static struct sequence part_of(struct sequence whole, size_t from, size_t to)
{
    return (struct sequence){whole.members + from, to - from};
}

/* With equal counts on both sides kernel n of the head is kernel n of the base; otherwise the mapping is unknown. */
static void match_in_order(struct matching *m, struct sequence base, struct sequence head)
{
    for (size_t at = 0; at < head.count; at++)
        m->ids[head.members[at].item] = base.count == head.count ? base.members[at].entry->id : NO_INDEX;
}

static void match_sequences(struct matching *m, struct sequence base, struct sequence head)
{
    uint32_t *lengths = common_lengths(base, head);
    size_t width = head.count + 1, b = 0, h = 0, base_from = 0, head_from = 0;
    while (b < base.count && h < head.count) {
        if (is_alike(base.members[b].entry, head.members[h].entry)) {
            match_in_order(m, part_of(base, base_from, b), part_of(head, head_from, h));
            match_in_order(m, part_of(base, b, b + 1), part_of(head, h, h + 1));
            base_from = ++b;
            head_from = ++h;
        } else if (lengths[(b + 1) * width + h] > lengths[b * width + h + 1]) {
            b++;
        } else {
            h++;
        }
    }
    match_in_order(m, part_of(base, base_from, base.count), part_of(head, head_from, head.count));
    free(lengths);
}

static void match_group(struct matching *m, const struct member *members, size_t count)
{
    struct sequence base = {members, 0}, head;
    while (base.count < count && !members[base.count].of_head)
        base.count++;
    head = (struct sequence){members + base.count, count - base.count};
    if (base.count && head.count && !has_same_numbers(base, head) && is_distinct(base) && is_distinct(head) &&
        (base.count + 1) * (head.count + 1) <= MOST_CELLS)
        match_sequences(m, base, head);
}

uint32_t *lambda_ids(const struct comparison *comparison, struct column_pair column)
{
    const struct kernel_metrics_set *head = comparison->head;
    struct matching m = {.ids = mem_alloc((head->count + 1) * sizeof *m.ids)};
    for (size_t at = 0; at < head->count; at++)
        m.ids[at] = head->items[at].id;
    add_members(&m, comparison, column.base, false);
    add_members(&m, comparison, column.head, true);
    part_groups(&m);
    mem_sort(m.members, m.count, sizeof *m.members, by_group);
    for (size_t from = 0, to = 0; from < m.count; from = to) {
        for (to = from; to < m.count && order_of_groups(&m.members[to], &m.members[from]) == 0; to++)
            ;
        match_group(&m, &m.members[from], to - from);
    }
    intern_free(&m.groups);
    arena_free(&m.arena);
    free(m.members);
    return m.ids;
}
