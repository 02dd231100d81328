#include "baseline/files.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PAIRS = 1 << 12 }; /* of the files of one kernel; kernels with more have no vote */

/* A kernel and a file whose compile has it. */
struct member {
    uint32_t id; /* of a kernel of the head with a partner that of the base */
    uint32_t file;
    bool of_head;
};

/* A file of the base and one of the head. Numbers of strings. */
struct file_pair {
    uint32_t base, head;
};

struct file {
    bool in_base, in_head, mapped; /* mapped: it has a partner on the other side */
    uint64_t kernels;              /* how many it has, see IN_ONE_FILE */
    uint64_t most;                 /* the most that it has in common with a file of the other side */
    uint32_t nearest;              /* the pair with that file; INTERN_NONE: several have as many */
};

struct matching {
    struct comparison *comparison;
    const struct intern *strings;
    struct file *files;     /* by string */
    struct member *members; /* sorted */
    size_t count, cap;
    struct intern pairs; /* of files with common kernels */
    uint64_t *common;    /* by pair: how many */
    size_t common_cap;
    struct intern folders; /* the folders before the common end of a pair: of the base, a line feed, of the head */
    uint32_t *votes;       /* by folders: how many pairs have them */
    size_t votes_cap;
};

/* ---- kernels and files ------------------------------------------------------------------------------------------ */

static int by_kernel(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    return numbers_cmp((const int64_t[]){a->id, a->of_head, a->file}, (const int64_t[]){b->id, b->of_head, b->file}, 3);
}

/* Notes the file and, if it is the one that was compiled, the kernel. */
static void add_member(struct matching *m, const struct member *member, bool is_compiled)
{
    struct file *file = &m->files[member->file];
    *(member->of_head ? &file->in_head : &file->in_base) = true;
    if (is_compiled)
        *MEM_ADD(m->members, m->count, m->cap) = *member;
}

static void add_members(struct matching *m, const struct kernel_metrics_set *set)
{
    const struct comparison *c = m->comparison;
    for (size_t at = 0; at < set->count; at++) {
        const struct kernel_metrics *entry = &set->items[at];
        const uint32_t partner = set == c->head && c->pairs ? c->pairs[at].base : NO_INDEX;
        struct member member = {.id = partner == NO_INDEX ? entry->id : c->base->items[partner].id,
                                .file = entry->source,
                                .of_head = set == c->head};
        struct str units = intern_get(m->strings, entry->units), unit;
        if (entry->source != NO_INDEX)
            add_member(m, &member, entry->units == NO_INDEX && entry->kind == KERNEL_ENTRY);
        while (units.len && str_split(&units, '\n', &unit)) {
            member.file = intern_find(m->strings, unit);
            add_member(m, &member, entry->kind == KERNEL_ENTRY);
        }
    }
}

/* Collects the kernels of both sides and their files, each once. */
static void collect(struct matching *m)
{
    size_t kept = 0;
    add_members(m, m->comparison->base);
    add_members(m, m->comparison->head);
    mem_sort(m->members, m->count, sizeof *m->members, by_kernel);
    for (size_t at = 0; at < m->count; at++)
        if (!kept || by_kernel(&m->members[kept - 1], &m->members[at]) != 0)
            m->members[kept++] = m->members[at];
    m->count = kept;
}

/* The files of one kernel, those of the base first: members[from ..]. */
struct kernel_files {
    size_t from, base, head; /* base, head: how many */
};

/* The files of the next kernel, of zeroed ones those of the first. False if there is none. */
static bool next_kernel(const struct matching *m, struct kernel_files *files)
{
    files->from += files->base + files->head;
    files->base = files->head = 0;
    for (size_t at = files->from; at < m->count && m->members[at].id == m->members[files->from].id; at++)
        *(m->members[at].of_head ? &files->head : &files->base) += 1;
    return files->from < m->count;
}

/* True if only its side has the file, and it is not mapped yet. */
static bool is_open(const struct matching *m, const struct member *member)
{
    const struct file *file = &m->files[member->file];
    return !(member->of_head ? file->in_base : file->in_head) && !file->mapped;
}

static void map_file(struct matching *m, uint32_t head, uint32_t base)
{
    m->comparison->sources[head] = base;
    m->files[head].mapped = m->files[base].mapped = true;
}

static struct file_pair pair_at(const struct matching *m, uint32_t pair)
{
    struct file_pair files;
    memcpy(&files, intern_get(&m->pairs, pair).ptr, sizeof files);
    return files;
}

/* How many kernels the files have in common. */
static uint64_t *common_of(struct matching *m, const struct member *base, const struct member *head)
{
    const struct file_pair files = {base->file, head->file};
    const uint32_t pair = intern_add(&m->pairs, (struct str){(const char *)&files, sizeof files});
    return MEM_AT(m->common, m->common_cap, pair);
}

/* ---- other folders ---------------------------------------------------------------------------------------------- */

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

static void vote(struct matching *m, const struct member *base, const struct member *head)
{
    struct str a = intern_get(m->strings, base->file), b = intern_get(m->strings, head->file);
    const size_t end = common_end(a, b);
    if (end == 0 || !is_open(m, base) || !is_open(m, head) || (*common_of(m, base, head))++)
        return;
    struct buf folders = {0};
    buf_fmt(&folders, "%.*s\n%.*s", STR_ARG(str_sub(a, 0, a.len - end)), STR_ARG(str_sub(b, 0, b.len - end)));
    const uint32_t number = intern_take(&m->folders, &folders);
    ++*MEM_AT(m->votes, m->votes_cap, number);
}

/* The folders with the most votes; empty if there are none, or if several have the most. */
static struct str choose_folders(struct matching *m)
{
    uint32_t most = 0, chosen = INTERN_NONE;
    for (struct kernel_files files = {0}; next_kernel(m, &files);)
        for (size_t pair = 0; pair < files.base * files.head && files.base * files.head <= MOST_PAIRS; pair++)
            vote(m, &m->members[files.from + pair / files.head],
                 &m->members[files.from + files.base + pair % files.head]);
    for (uint32_t at = 0; at < m->folders.count; at++) {
        chosen = m->votes[at] > most ? at : m->votes[at] == most ? INTERN_NONE : chosen;
        most = m->votes[at] > most ? m->votes[at] : most;
    }
    return intern_get(&m->folders, chosen);
}

/* Finds for each file that only the head has, in its folder, the file with the same end in the folder of the base that
 * only the base has. Returns how many there are; with `map`, maps them. */
static size_t match_folders(struct matching *m, struct str folders, bool map)
{
    SCOPED(buf) path = {0};
    struct str base = {0}, head = folders;
    size_t count = 0;
    str_split(&head, '\n', &base);
    for (uint32_t at = 0; at < m->strings->count; at++) {
        struct str file = intern_get(m->strings, at);
        if (!m->files[at].in_head || m->files[at].in_base || !str_starts(file, head))
            continue;
        buf_clear(&path);
        buf_fmt(&path, "%.*s%.*s", STR_ARG(base), STR_ARG(str_from(file, head.len)));
        uint32_t number = intern_find(m->strings, buf_str(&path));
        if (number == INTERN_NONE || !m->files[number].in_base || m->files[number].in_head)
            continue;
        if (map)
            map_file(m, at, number);
        count++;
    }
    return count;
}

static void map_folders(struct matching *m)
{
    struct str folders = choose_folders(m);
    size_t only_base = 0;
    for (uint32_t at = 0; at < m->strings->count; at++)
        only_base += m->files[at].in_base && !m->files[at].in_head;
    if (folders.len && 2 * match_folders(m, folders, false) > only_base)
        match_folders(m, folders, true);
}

/* ---- renamed files ---------------------------------------------------------------------------------------------- */

/* How much a kernel counts that is in at most one file of each side; any other one counts 1. */
enum { IN_ONE_FILE = 1 << 16 };

static void count_kernels(struct matching *m)
{
    for (struct kernel_files files = {0}; next_kernel(m, &files);) {
        const struct member *base = &m->members[files.from], *head = base + files.base;
        const uint64_t weight = files.base <= 1 && files.head <= 1 ? IN_ONE_FILE : 1;
        for (size_t at = 0; at < files.base + files.head; at++)
            m->files[base[at].file].kernels += weight;
        for (size_t b = 0; b < files.base && files.base * files.head <= MOST_PAIRS; b++)
            for (size_t h = 0; h < files.head; h++)
                if (is_open(m, &base[b]) && is_open(m, &head[h]))
                    *common_of(m, &base[b], &head[h]) += weight;
    }
}

static void note_nearest(struct file *file, uint32_t pair, uint64_t common)
{
    if (common < file->most)
        return;
    file->nearest = common > file->most ? pair : INTERN_NONE;
    file->most = common;
}

static bool is_renamed(const struct file *file, uint32_t pair)
{
    return file->nearest == pair && 2 * file->most > file->kernels;
}

/* Maps a file that only the head has to the one that only the base has if they have most of their kernels in common,
 * and neither has as many in common with another file. */
static void map_renamed(struct matching *m)
{
    for (size_t at = 0; at < m->common_cap; at++)
        m->common[at] = 0;
    count_kernels(m);
    for (uint32_t pair = 0; pair < m->pairs.count; pair++) {
        const struct file_pair files = pair_at(m, pair);
        note_nearest(&m->files[files.base], pair, m->common[pair]);
        note_nearest(&m->files[files.head], pair, m->common[pair]);
    }
    for (uint32_t pair = 0; pair < m->pairs.count; pair++) {
        const struct file_pair files = pair_at(m, pair);
        if (is_renamed(&m->files[files.base], pair) && is_renamed(&m->files[files.head], pair))
            map_file(m, files.head, files.base);
    }
}

/* ---- both ------------------------------------------------------------------------------------------------------- */

static void match(struct comparison *comparison, bool by_folders)
{
    struct matching m = {.comparison = comparison,
                         .strings = comparison->strings,
                         .files = mem_alloc((comparison->strings->count + 1) * sizeof *m.files)};
    collect(&m);
    for (uint32_t at = 0; at < comparison->source_count; at++)
        if (comparison->sources[at] != at)
            map_file(&m, at, comparison->sources[at]);
    if (by_folders)
        map_folders(&m);
    map_renamed(&m);
    intern_free(&m.pairs);
    intern_free(&m.folders);
    free(m.files);
    free(m.members);
    free(m.common);
    free(m.votes);
}

void files_match(struct comparison *comparison)
{
    comparison->source_count = (uint32_t)comparison->strings->count;
    comparison->sources = mem_alloc((comparison->source_count + 1) * sizeof *comparison->sources);
    for (uint32_t at = 0; at < comparison->source_count; at++)
        comparison->sources[at] = at;
    if (!comparison->part)
        match(comparison, true);
}

void files_match_renamed(struct comparison *comparison)
{
    if (!comparison->part)
        match(comparison, false);
}
