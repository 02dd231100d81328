#include "baseline/checkouts.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PAIRS = 1 << 12 }; /* of the sources of one kernel; kernels with more have no vote */

/* A kernel and one of the sources that only its side has. */
struct member {
    uint32_t id, arch, source;
    bool of_head;
};

struct matching {
    const struct intern *strings;
    struct member *members;
    size_t count, cap;
    struct intern pairs;   /* sources of the base and of the head that share a kernel: numbers of strings */
    struct intern folders; /* the folders before the common end of a pair: of the base, a line feed, of the head */
    uint32_t *votes;       /* by folders: how many pairs have them */
    size_t votes_cap;
};

static int by_kernel(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    return numbers_cmp((const int64_t[]){a->id, a->arch, a->of_head}, (const int64_t[]){b->id, b->arch, b->of_head}, 3);
}

static void mark_sources(const struct kernel_metrics_set *set, bool *has)
{
    EACH(const struct kernel_metrics, entry, set->items, set->count) {
        if (entry->source != NO_INDEX)
            has[entry->source] = true;
        struct str units = intern_get(set->strings, entry->units), unit;
        while (units.len && str_split(&units, '\n', &unit))
            has[intern_find(set->strings, unit)] = true;
    }
}

static void add_members(struct matching *m, const struct kernel_metrics_set *set, const bool *other_has, bool of_head)
{
    EACH(const struct kernel_metrics, entry, set->items, set->count) {
        if (entry->source != NO_INDEX && entry->kind == KERNEL_ENTRY && !other_has[entry->source])
            *MEM_ADD(m->members, m->count, m->cap) =
                (struct member){entry->id, entry->arch, entry->source, .of_head = of_head};
    }
}

static bool begins_name(struct str path, size_t from)
{
    return from == 0 || path.ptr[from - 1] == '/';
}

/* The length of the common end of both paths, in whole names; 0: the files have different names. */
static size_t common_end(struct str a, struct str b)
{
    size_t same = 0, end = 0;
    while (same < a.len && same < b.len && a.ptr[a.len - 1 - same] == b.ptr[b.len - 1 - same]) {
        same++;
        if (begins_name(a, a.len - same) && begins_name(b, b.len - same))
            end = same;
    }
    return end;
}

static void vote(struct matching *m, uint32_t base, uint32_t head)
{
    const uint32_t pair[] = {base, head};
    struct str a = intern_get(m->strings, base), b = intern_get(m->strings, head);
    size_t end = common_end(a, b), pairs = m->pairs.count;
    if (end == 0 || intern_add(&m->pairs, (struct str){(const char *)pair, sizeof pair}) < pairs)
        return;
    struct buf folders = {0};
    buf_fmt(&folders, "%.*s\n%.*s", STR_ARG(str_sub(a, 0, a.len - end)), STR_ARG(str_sub(b, 0, b.len - end)));
    const uint32_t number = intern_take(&m->folders, &folders);
    ++*MEM_AT(m->votes, m->votes_cap, number);
}

/* Adds the votes of one kernel; members: those of the base first. */
static void vote_all(struct matching *m, const struct member *members, size_t count)
{
    size_t base = 0;
    while (base < count && !members[base].of_head)
        base++;
    if (base * (count - base) > MOST_PAIRS)
        return;
    for (size_t b = 0; b < base; b++)
        for (size_t h = base; h < count; h++)
            vote(m, members[b].source, members[h].source);
}

/* The folders with the most votes; empty if there are none, or if several have the most. */
static struct str chosen_folders(const struct matching *m)
{
    uint32_t most = 0, chosen = INTERN_NONE;
    for (uint32_t at = 0; at < m->folders.count; at++) {
        chosen = m->votes[at] > most ? at : m->votes[at] == most ? INTERN_NONE : chosen;
        most = m->votes[at] > most ? m->votes[at] : most;
    }
    return intern_get(&m->folders, chosen);
}

/* Maps each source that only the head has, in its folder, to the source with the same end in the folder of the base
 * that only the base has. Returns how many it mapped. */
static size_t apply(const struct matching *m, struct str folders, const bool *in_base, const bool *in_head,
                    uint32_t *sources)
{
    SCOPED(buf) path = {0};
    struct str base = {0}, head = folders;
    size_t count = 0;
    str_split(&head, '\n', &base);
    for (uint32_t at = 0; at < m->strings->count; at++) {
        struct str source = intern_get(m->strings, at);
        if (!in_head[at] || in_base[at] || !str_starts(source, head))
            continue;
        buf_clear(&path);
        buf_fmt(&path, "%.*s%.*s", STR_ARG(base), STR_ARG(str_from(source, head.len)));
        uint32_t number = intern_find(m->strings, buf_str(&path));
        if (number == INTERN_NONE || !in_base[number] || in_head[number])
            continue;
        sources[at] = number;
        count++;
    }
    return count;
}

static void begin(const struct matching *m, uint32_t *sources)
{
    for (uint32_t at = 0; at < m->strings->count; at++)
        sources[at] = at;
}

uint32_t *checkouts_match(const struct kernel_metrics_set *base, const struct kernel_metrics_set *head, bool part)
{
    struct matching m = {.strings = base->strings};
    uint32_t *sources = mem_alloc((m.strings->count + 1) * sizeof *sources);
    begin(&m, sources);
    if (part)
        return sources;
    bool *in_base = mem_alloc(m.strings->count + 1), *in_head = mem_alloc(m.strings->count + 1);
    size_t only_base = 0;
    mark_sources(base, in_base);
    mark_sources(head, in_head);
    add_members(&m, base, in_head, false);
    add_members(&m, head, in_base, true);
    mem_sort(m.members, m.count, sizeof *m.members, by_kernel);
    for (size_t from = 0, to = 0; from < m.count; from = to) {
        for (to = from;
             to < m.count && m.members[to].id == m.members[from].id && m.members[to].arch == m.members[from].arch; to++)
            ;
        vote_all(&m, &m.members[from], to - from);
    }
    for (uint32_t at = 0; at < m.strings->count; at++)
        only_base += in_base[at] && !in_head[at];
    struct str folders = chosen_folders(&m);
    if (folders.len && 2 * apply(&m, folders, in_base, in_head, sources) <= only_base)
        begin(&m, sources);
    intern_free(&m.pairs);
    intern_free(&m.folders);
    free(m.members);
    free(m.votes);
    free(in_base);
    free(in_head);
    return sources;
}
