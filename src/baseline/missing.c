#include "baseline/compare.h"

#include <stdlib.h>

const char *missing_kind_name(enum missing_kind kind)
{
    static const char *const names[] = {"architecture", "source", "object", "architecture"};
    return names[kind];
}

/* Paths of sources, and each end of these paths that follows a slash. */
struct names {
    struct intern whole, ends;
};

/* The sources, architectures and kernels of records. A source of the head that the base has too stands for itself only:
 * a.cu is not lib/a.cu. Any other source also stands for each end of its path, because the two builds may have run in
 * different folders, unless the locations of both sources are known. */
struct seen {
    const struct intern *base; /* its sources */
    const struct known_places *places;
    struct intern exact, archs;
    struct names any, unplaced; /* sources that the base does not have; unplaced: those without a known location */
    struct intern parts;        /* objects and targets, each after its kind and its source, see part_key */
    uint8_t *kernels;           /* by string: 1 if it is an identity of a kernel of the head, in the head or the base */
};

static bool is_placed(const struct seen *seen, struct str source)
{
    return seen->places && seen->places->has(seen->places->context, source);
}

static void add_name(struct names *names, struct str source)
{
    struct str rest = source, folder;
    intern_add(&names->whole, source);
    for (; rest.len; str_split(&rest, '/', &folder))
        intern_add(&names->ends, rest);
}

/* True if the source is the end of a path, or a path is the end of the source. */
static bool has_name(const struct names *names, struct str source)
{
    struct str folder;
    bool found = intern_find(&names->ends, source) != INTERN_NONE;
    for (; source.len && !found; str_split(&source, '/', &folder))
        found = intern_find(&names->whole, source) != INTERN_NONE;
    return found;
}

static void add_source(struct seen *seen, struct str source)
{
    if (intern_find(seen->base, source) != INTERN_NONE) {
        intern_add(&seen->exact, source);
        return;
    }
    if (intern_find(&seen->any.whole, source) != INTERN_NONE)
        return;
    add_name(&seen->any, source);
    if (!is_placed(seen, source))
        add_name(&seen->unplaced, source);
}

static void part_key(struct buf *key, enum missing_kind kind, struct str source, struct str part)
{
    buf_fmt(key, "%c%.*s%c%.*s", (char)kind, STR_ARG(source), '\0', STR_ARG(part));
}

static void add_part(struct seen *seen, enum missing_kind kind, struct str source, struct str part)
{
    struct buf key = {0};
    part_key(&key, kind, source, part);
    intern_take(&seen->parts, &key);
}

/* True if some record has that object or architecture of the source, or `part` is empty. */
static bool is_part_seen(const struct seen *seen, enum missing_kind kind, struct str source, struct str part)
{
    SCOPED(buf) key = {0};
    part_key(&key, kind, source, part);
    return part.len == 0 || intern_find(&seen->parts, buf_str(&key)) != INTERN_NONE;
}

static void add_entry(struct seen *seen, const struct comparison *out, const struct kernel_metrics *entry)
{
    const struct intern *strings = out->strings;
    if (entry->arch != NO_INDEX)
        intern_add(&seen->archs, intern_get(strings, entry->arch));
    if (entry->source == NO_INDEX)
        return;
    struct str source = intern_get(strings, compare_source(out, entry));
    add_source(seen, source);
    const uint32_t unit = kernel_metrics_unit(strings, entry);
    const struct str compiled = unit == NO_INDEX ? source : intern_get(strings, out->sources[unit]);
    add_source(seen, compiled);
    if (entry->object != NO_INDEX)
        add_part(seen, MISSING_OBJECT, compiled, intern_get(strings, entry->object));
    if (entry->arch != NO_INDEX)
        add_part(seen, MISSING_TARGET, compiled, intern_get(strings, entry->arch));
}

/* True if some record has the source: by its name, or by a name of which one is the end of the other. */
static bool is_source_seen(const struct seen *seen, struct str source)
{
    return source.len == 0 || intern_find(&seen->exact, source) != INTERN_NONE || has_name(&seen->unplaced, source) ||
           (has_name(&seen->any, source) && !is_placed(seen, source));
}

static void add_missing(struct missing_list *list, enum missing_kind kind, struct str source, struct str name)
{
    *MEM_ADD(list->items, list->count, list->cap) =
        (struct missing){.name = name, .source = source, .kind = kind, .entries = 1};
}

/* True if the head has the kernel for other architectures, but no kernel of its source for this one. */
static bool lacks_target(const struct seen *seen, const struct kernel_metrics *entry, struct str source,
                         struct str arch)
{
    return seen->kernels[entry->id] && intern_find(&seen->exact, source) != INTERN_NONE &&
           !is_part_seen(seen, MISSING_TARGET, source, arch);
}

static int by_name(const void *left, const void *right)
{
    const struct missing *a = left, *b = right;
    int order = number_cmp(a->kind, b->kind);
    order = order ? order : str_cmp(a->name, b->name);
    return order ? order : str_cmp(a->source, b->source);
}

/* Joins equal items and counts their entries. */
static void fold_missing(struct missing_list *list)
{
    size_t kept = 0;
    mem_sort(list->items, list->count, sizeof *list->items, by_name);
    for (size_t at = 0; at < list->count; at++) {
        if (kept && by_name(&list->items[kept - 1], &list->items[at]) == 0)
            list->items[kept - 1].entries += list->items[at].entries;
        else
            list->items[kept++] = list->items[at];
    }
    list->count = kept;
}

static void seen_free(struct seen *seen)
{
    intern_free(&seen->exact);
    intern_free(&seen->any.whole);
    intern_free(&seen->any.ends);
    intern_free(&seen->unplaced.whole);
    intern_free(&seen->unplaced.ends);
    intern_free(&seen->archs);
    intern_free(&seen->parts);
    free(seen->kernels);
}

/* Adds the records of the head to own and seen, and their partners in that column of the base to seen. */
static void collect(const struct comparison *out, struct toolkit column, struct seen *seen, struct seen *own)
{
    EACH(const struct kernel_metrics, entry, out->head->items, out->head->count) {
        if (toolkit_order(compare_base_toolkit(out, entry->toolkit), column) != 0)
            continue;
        own->kernels[entry->id] = 1;
        add_entry(seen, out, entry);
        add_entry(own, out, entry);
    }
    for (size_t at = 0; at < out->base->count; at++) {
        const struct kernel_metrics *entry = &out->base->items[at];
        if (out->seen[at] != SEEN || toolkit_order(entry->toolkit, column) != 0)
            continue;
        own->kernels[entry->id] = 1;
        add_entry(seen, out, entry);
    }
}

/* The unit of an entry of the base: of several ones the first that is not seen. The source if it has none. */
static struct str compiled_file(const struct seen *seen, const struct kernel_metrics *entry,
                                const struct intern *strings)
{
    struct str rest = intern_get(strings, entry->units), unit = intern_get(strings, entry->source);
    while (rest.len && str_split(&rest, '\n', &unit) && is_source_seen(seen, unit))
        ;
    return unit;
}

/* Adds an entry of the base without a partner to the list of what is missing. */
static void find_missing_of(struct comparison *out, size_t item, const struct seen *seen, const struct seen *own)
{
    const struct kernel_metrics *entry = &out->base->items[item];
    const struct str arch = intern_get(out->strings, entry->arch), object = intern_get(out->strings, entry->object);
    const struct str compiled = compiled_file(seen, entry, out->strings);
    if (arch.len && intern_find(&seen->archs, arch) == INTERN_NONE)
        add_missing(&out->missing, MISSING_ARCH, (struct str){0}, arch);
    else if (!is_source_seen(seen, compiled))
        add_missing(&out->missing, MISSING_SOURCE, (struct str){0}, compiled);
    else if (!is_part_seen(seen, MISSING_OBJECT, compiled, object))
        add_missing(&out->missing, MISSING_OBJECT, compiled, object);
    else if (lacks_target(own, entry, compiled, arch))
        add_missing(&out->missing, MISSING_TARGET, compiled, arch);
    else if ((own->any.whole.count || own->exact.count) && !is_source_seen(own, compiled)) {
        add_missing(&out->moved, MISSING_SOURCE, (struct str){0}, compiled);
        out->moved.items[out->moved.count - 1].entries = out->seen[item] == NOT_SEEN;
    }
}

static void find_missing_in(struct comparison *out, struct toolkit column, const struct intern *sources,
                            const struct known_places *places)
{
    SCOPED(seen) all = {.base = sources, .places = places}, own = {.base = sources, .places = places};
    own.kernels = mem_alloc(out->strings->count + 1);
    collect(out, column, &all, &own);
    for (size_t at = 0; at < out->base->count; at++) {
        const struct kernel_metrics *entry = &out->base->items[at];
        const bool unsourced = entry->source == NO_INDEX && entry->kind == KERNEL_ENTRY;
        if (!out->in_play[at] || toolkit_order(entry->toolkit, column) != 0)
            continue;
        out->unsourced.seen += unsourced && out->seen[at];
        out->unsourced.gone += unsourced && !out->seen[at];
        if (out->seen[at] != SEEN)
            find_missing_of(out, at, &all, &own);
    }
}

bool missing_is_file_gone(const struct comparison *out, const struct kernel_metrics *entry)
{
    const uint32_t unit = kernel_metrics_unit(out->strings, entry);
    const struct str file = intern_get(out->strings, unit == NO_INDEX ? entry->source : unit);
    size_t at;
    MEM_FIND(at, out->moved.count, str_cmp(out->moved.items[at].name, file) < 0);
    return at < out->moved.count && str_eq(out->moved.items[at].name, file);
}

/* A log states the compiled file as the source, a record also the header that defines the kernel: this difference alone
 * is no move. */
static bool is_moved(const struct comparison *out, const struct pair *pair)
{
    const struct kernel_metrics *base = &out->base->items[pair->base], *head = &out->head->items[pair->head];
    if (base->object != NO_INDEX || base->source == NO_INDEX || head->source == NO_INDEX)
        return false;
    const uint32_t source = compare_source(out, head);
    const uint32_t now = kernel_metrics_unit(out->strings, head), before = kernel_metrics_unit(out->strings, base);
    const uint32_t unit = now == NO_INDEX ? NO_INDEX : out->sources[now];
    const bool other_unit = before != NO_INDEX && unit != NO_INDEX && before != unit;
    const bool is_log_of_record = source == before || base->source == unit;
    if (is_log_of_record || (source == base->source && !other_unit))
        return false;
    return pair->only || missing_is_file_gone(out, base);
}

/* Each column of the base is searched on its own: a source that one toolkit compiled may be missing for another one. */
void missing_find(struct comparison *out, const struct known_places *places)
{
    SCOPED(intern) sources = {0};
    EACH(const struct kernel_metrics, entry, out->base->items, out->base->count) {
        if (entry->source != NO_INDEX)
            intern_add(&sources, intern_get(out->strings, entry->source));
        struct str units = intern_get(out->strings, entry->units), unit;
        while (units.len && str_split(&units, '\n', &unit))
            intern_add(&sources, unit);
    }
    for (size_t at = 0; at < out->column_count; at++)
        if (compare_base_column(out, out->columns[at].base) == &out->columns[at]) /* the first one of that toolkit */
            find_missing_in(out, out->columns[at].base, &sources, places);
    fold_missing(&out->missing);
    fold_missing(&out->moved);
    EACH(struct pair, pair, out->pairs, out->count)
        pair->moved = pair->base != NO_INDEX && pair->head != NO_INDEX && is_moved(out, pair);
}
