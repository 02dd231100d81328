#include "baseline/checkouts.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PAIRS = 1 << 12 }; /* of the sources of one kernel; kernels with more have no vote */

/* A kernel and one of the compiled files that only its side has. */
struct member {
    uint32_t id, arch, file;
    bool of_head;
};

/* A file of the base and one of the head with common kernels; numbers of strings. */
struct file_pair {
    uint32_t base, head;
};

struct matching {
    const struct intern *strings;
    bool *in_base, *in_head; /* by string: it is the name of a file of that side */
    struct member *members;
    size_t count, cap;
    struct intern pairs;    /* struct file_pair */
    uint32_t *common;       /* by pair: how many kernels both have */
    uint32_t *kernel_count; /* by string: the kernels of a file */
    size_t common_cap;
    struct intern folders; /* the folders before the common end of a pair: of the base, a line feed, of the head */
    uint32_t *votes;       /* by folders: how many pairs have them */
    size_t votes_cap;
};

static int by_kernel(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    return numbers_cmp((const int64_t[]){a->id, a->arch, a->of_head, a->file},
                       (const int64_t[]){b->id, b->arch, b->of_head, b->file}, 4);
}

static void mark_files(const struct kernel_metrics_set *set, bool *has)
{
    EACH(const struct kernel_metrics, entry, set->items, set->count) {
        if (entry->source != NO_INDEX)
            has[entry->source] = true;
        struct str units = intern_get(set->strings, entry->units), unit;
        while (units.len && str_split(&units, '\n', &unit))
            has[intern_find(set->strings, unit)] = true;
    }
}

static void add_member(struct matching *m, const struct kernel_metrics *entry, uint32_t file, bool of_head)
{
    if (!(of_head ? m->in_base : m->in_head)[file])
        *MEM_ADD(m->members, m->count, m->cap) = (struct member){entry->id, entry->arch, file, of_head};
}

static void add_members(struct matching *m, const struct kernel_metrics_set *set, bool of_head)
{
    EACH(const struct kernel_metrics, entry, set->items, set->count) {
        struct str units = intern_get(set->strings, entry->units), unit;
        if (entry->kind != KERNEL_ENTRY)
            continue;
        if (entry->units == NO_INDEX && entry->source != NO_INDEX)
            add_member(m, entry, entry->source, of_head);
        while (units.len && str_split(&units, '\n', &unit))
            add_member(m, entry, intern_find(set->strings, unit), of_head);
    }
}

/* Sorts the members by kernel and removes copies. */
static void sort_members(struct matching *m)
{
    size_t kept = 0;
    mem_sort(m->members, m->count, sizeof *m->members, by_kernel);
    for (size_t at = 0; at < m->count; at++)
        if (!kept || by_kernel(&m->members[kept - 1], &m->members[at]) != 0)
            m->members[kept++] = m->members[at];
    m->count = kept;
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

/* Notes that a file of the base and one of the head have a common kernel. */
static void note_common(struct matching *m, struct file_pair files)
{
    const size_t known = m->pairs.count;
    const uint32_t pair = intern_add(&m->pairs, (struct str){(const char *)&files, sizeof files});
    ++*MEM_AT(m->common, m->common_cap, pair);
    if (pair < known)
        return;
    struct str base = intern_get(m->strings, files.base), head = intern_get(m->strings, files.head);
    const size_t end = common_end(base, head);
    struct buf folders = {0};
    buf_fmt(&folders, "%.*s\n%.*s", STR_ARG(str_sub(base, 0, base.len - end)),
            STR_ARG(str_sub(head, 0, head.len - end)));
    const uint32_t number = intern_take(&m->folders, &folders);
    *MEM_AT(m->votes, m->votes_cap, number) += end > 0;
}

/* members: the files that have one kernel, those of the base first. */
static void note_all_common(struct matching *m, const struct member *members, size_t count)
{
    size_t base = 0;
    for (; base < count && !members[base].of_head; base++)
        m->kernel_count[members[base].file]++;
    if (base * (count - base) > MOST_PAIRS)
        return;
    for (size_t b = 0; b < base; b++)
        for (size_t h = base; h < count; h++)
            note_common(m, (struct file_pair){members[b].file, members[h].file});
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

/* Maps each file that only the head has, in its folder, to the file with the same end in the folder of the base that
 * only the base has. Returns how many it mapped. */
static size_t map_folder(const struct matching *m, struct str folders, uint32_t *names)
{
    SCOPED(buf) path = {0};
    struct str base = {0}, head = folders;
    size_t count = 0;
    str_split(&head, '\n', &base);
    for (uint32_t at = 0; at < m->strings->count; at++) {
        struct str file = intern_get(m->strings, at);
        if (!m->in_head[at] || m->in_base[at] || !str_starts(file, head))
            continue;
        buf_clear(&path);
        buf_fmt(&path, "%.*s%.*s", STR_ARG(base), STR_ARG(str_from(file, head.len)));
        uint32_t number = intern_find(m->strings, buf_str(&path));
        if (number == INTERN_NONE || !m->in_base[number] || m->in_head[number])
            continue;
        names[at] = number;
        count++;
    }
    return count;
}

static void map_to_themselves(const struct matching *m, uint32_t *names)
{
    for (uint32_t at = 0; at < m->strings->count; at++)
        names[at] = at;
}

static struct file_pair pair_at(const struct matching *m, uint32_t pair)
{
    return *(const struct file_pair *)(const void *)intern_get(&m->pairs, pair).ptr;
}

/* Of each file (by string) the only pair with the most common kernels, INTERN_NONE if several have as many. */
struct nearest {
    uint32_t *pair, *most;
};

static void note_nearest(struct nearest *nearest, uint32_t file, uint32_t pair, uint32_t common)
{
    if (common < nearest->most[file])
        return;
    nearest->pair[file] = common > nearest->most[file] ? pair : INTERN_NONE;
    nearest->most[file] = common;
}

/* Maps a file that only the head has to the one that only the base has if it has most of its kernels, and no other file
 * is as near to one of them: the file was renamed. Files that are mapped already stay as they are. */
static void map_renamed(const struct matching *m, uint32_t *names)
{
    const size_t count = m->strings->count + 1;
    struct nearest nearest = {mem_alloc(count * sizeof *nearest.pair), mem_alloc(count * sizeof *nearest.most)};
    bool *taken = mem_alloc(count);
    for (uint32_t at = 0; at < m->strings->count; at++)
        if (names[at] != at)
            taken[at] = taken[names[at]] = true;
    for (uint32_t pair = 0; pair < m->pairs.count; pair++) {
        const struct file_pair files = pair_at(m, pair);
        if (taken[files.base] || taken[files.head])
            continue;
        note_nearest(&nearest, files.base, pair, m->common[pair]);
        note_nearest(&nearest, files.head, pair, m->common[pair]);
    }
    for (uint32_t pair = 0; pair < m->pairs.count; pair++) {
        const struct file_pair files = pair_at(m, pair);
        const bool both = nearest.pair[files.base] == pair && nearest.pair[files.head] == pair;
        if (both && !taken[files.base] && !taken[files.head] && 2 * m->common[pair] > m->kernel_count[files.base])
            names[files.head] = files.base;
    }
    free(nearest.pair);
    free(nearest.most);
    free(taken);
}

uint32_t *checkouts_match(const struct kernel_metrics_set *base, const struct kernel_metrics_set *head, bool part)
{
    struct matching m = {.strings = base->strings};
    uint32_t *names = mem_alloc((m.strings->count + 1) * sizeof *names);
    map_to_themselves(&m, names);
    if (part)
        return names;
    size_t only_base = 0;
    m.in_base = mem_alloc(m.strings->count + 1);
    m.in_head = mem_alloc(m.strings->count + 1);
    m.kernel_count = mem_alloc((m.strings->count + 1) * sizeof *m.kernel_count);
    mark_files(base, m.in_base);
    mark_files(head, m.in_head);
    add_members(&m, base, false);
    add_members(&m, head, true);
    sort_members(&m);
    for (size_t from = 0, to = 0; from < m.count; from = to) {
        for (to = from;
             to < m.count && m.members[to].id == m.members[from].id && m.members[to].arch == m.members[from].arch; to++)
            ;
        note_all_common(&m, &m.members[from], to - from);
    }
    for (uint32_t at = 0; at < m.strings->count; at++)
        only_base += m.in_base[at] && !m.in_head[at];
    struct str folders = chosen_folders(&m);
    if (folders.len && 2 * map_folder(&m, folders, names) <= only_base)
        map_to_themselves(&m, names);
    map_renamed(&m, names);
    intern_free(&m.pairs);
    intern_free(&m.folders);
    free(m.members);
    free(m.common);
    free(m.kernel_count);
    free(m.votes);
    free(m.in_base);
    free(m.in_head);
    return names;
}
