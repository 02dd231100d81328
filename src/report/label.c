#include "report/label.h"

#include "log/directive_kernel.h"
#include "log/name.h"
#include "log/spelling.h"
#include "report/base_name.h"
#include "report/elide.h"

#include <stdlib.h>

enum {
    FIRST_DIGITS = 4,
    PATH_DIGITS = 8, /* for a label that begins with words of its path: other base names may have the same ones */
    UNCOMPARED_DIGITS = 12, /* for a mark that is not compared with others */
    MOST_COMPARED = 50000,  /* names of one base name; with more of them, long names are not compared */
};

/* Appends "scale:6_2", the function and line that contain a directive kernel; an identity has L instead of a line.
 * Returns false if it is not a directive kernel. */
static bool spell_region(struct str name, struct buf *out)
{
    struct directive_kernel region;
    if (!directive_kernel_of(name, &region))
        return false;
    if (region.named_so) {
        buf_add(out, name);
        return true;
    }
    spell_kernel(region.function, out);
    buf_add(out, STR(":"));
    buf_add(out, region.line.len ? region.line : STR("L"));
    buf_add(out, region.suffix);
    return true;
}

/* Appends the label before it is elided to `width` bytes. */
static void spell_unelided(struct str mangled, size_t width, struct buf *out)
{
    SCOPED(buf) shorter = {0};
    if (!spell_region(mangled, &shorter))
        spell_kernel(mangled, &shorter);
    spell_shorter(&shorter, width);
    escape_text(buf_str(&shorter), out);
}

void label_template(struct str mangled, struct buf *out)
{
    SCOPED(buf) template = {0}, shorter = {0}, safe = {0};
    name_template(mangled, &template);
    if (str_starts(mangled, STR("_Z")) || str_ends(mangled, STR(")")))
        spell_name(buf_str(&template), &shorter);
    else if (!spell_region(buf_str(&template), &shorter))
        buf_add(&shorter, buf_str(&template));
    escape_text(buf_str(&shorter), &safe);
    elide_name(buf_str(&safe), LABEL_WIDTH, out);
}

/* The label before it is elided; each name is demangled once. */
static struct str unelided_label(struct labels *labels, uint32_t name)
{
    struct label *label = &labels->labels[name];
    if (!label->unelided.ptr) {
        struct buf unelided = {0};
        spell_unelided(labels->names->strings[name], LABEL_WIDTH, &unelided);
        label->unelided = arena_take(&labels->arena, &unelided);
    }
    return label->unelided;
}

static bool is_long(struct str unelided)
{
    return unelided.len > LABEL_WIDTH;
}

/* True for a long name that no demangler accepted, so it has no tokens to distinguish it. */
static bool is_undemangled(struct str unelided)
{
    return is_long(unelided) && str_starts(unelided, STR("_Z"));
}

void labels_init(struct labels *labels, const struct intern *names)
{
    *labels = (struct labels){.names = names};
}

static uint64_t key_of(struct labels *labels, uint32_t name)
{
    struct str base = {"", 0};
    uint32_t values = 0;
    if (!base_name_of_mangled(labels->names->strings[name], &base, &values))
        base = base_name_of_label(unelided_label(labels, name));
    return str_hash(str_sub(base, 0, BASE_NAME_BYTES)) << 32 | values;
}

static int by_key(const void *left, const void *right)
{
    const struct keyed_name *a = left, *b = right;
    return (a->key > b->key) - (a->key < b->key); /* 64 bits, no int64_t */
}

static void make_index(struct labels *labels)
{
    const size_t count = labels->names->count;
    labels->labels = arena_alloc(&labels->arena, (count + 1) * sizeof *labels->labels);
    labels->keys = arena_alloc(&labels->arena, (count + 1) * sizeof *labels->keys);
    for (uint32_t name = 0; name < count; name++)
        labels->keys[name] = (struct keyed_name){key_of(labels, name), name};
    mem_sort(labels->keys, count, sizeof *labels->keys, by_key);
}

/* The names with keys from first to last. */
static const struct keyed_name *names_between(const struct labels *labels, uint64_t first, uint64_t last, size_t *count)
{
    size_t from = 0, to = 0;
    MEM_FIND(from, labels->names->count, labels->keys[from].key < first);
    MEM_FIND(to, labels->names->count, labels->keys[to].key <= last);
    *count = to - from;
    return labels->keys + from;
}

/* The names that may have the same label as this name: those with its base name. If it fits and the numbers of all of
 * them are known, only those with its numbers. */
static const struct keyed_name *similar_names(struct labels *labels, uint32_t name, size_t *count)
{
    const uint64_t key = key_of(labels, name), base = key >> 32 << 32;
    const struct keyed_name *names = names_between(labels, base, base | UINT32_MAX, count);
    const bool all_known = names[0].key != base;
    return all_known && !is_long(unelided_label(labels, name)) ? names_between(labels, key, key, count) : names;
}

/* A name that may have the same label as others. */
struct candidate {
    struct str unelided, mangled;
    uint32_t name;
};

static int by_unelided(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    int order = str_cmp(a->unelided, b->unelided);
    return order ? order : str_cmp(a->mangled, b->mangled);
}

static void add_mark(uint64_t hash, int digits, struct buf *label)
{
    buf_fmt(label, "~%0*llx", digits, (unsigned long long)(hash >> (64 - 4 * digits)));
}

static void add_marked(const struct distinct_name *distinct, uint64_t hash, int digits, struct buf *label)
{
    buf_clear(label);
    elide_distinct(distinct, LABEL_WIDTH - 1 - (size_t)digits, label);
    add_mark(hash, digits, label);
}

static uint64_t identity_hash(struct str mangled)
{
    SCOPED(buf) identity = {0};
    name_identity(mangled, &identity);
    return str_hash(buf_str(&identity));
}

/* The hash that marks each candidate: that of its identity, which is the same in every folder. If another candidate
 * that may have the same label has the same identity (anonymous namespaces of two files), that of its name. */
static uint64_t *mark_hashes(const struct candidate *items, size_t count, struct arena *arena)
{
    SCOPED(intern) identities = {0};
    uint64_t *hashes = arena_alloc(arena, (count + 1) * sizeof *hashes);
    uint32_t *numbers = arena_alloc(arena, (count + 1) * sizeof *numbers);
    uint32_t *times = arena_alloc(arena, (count + 1) * sizeof *times); /* by number */
    for (size_t at = 0; at < count; at++) {
        hashes[at] = identity_hash(items[at].mangled);
        const uint64_t key[] = {hashes[at], is_long(items[at].unelided) ? 0 : str_hash(items[at].unelided)};
        numbers[at] = intern_add(&identities, (struct str){(const char *)key, sizeof key});
        times[numbers[at]]++;
    }
    for (size_t at = 0; at < count; at++)
        if (times[numbers[at]] > 1)
            hashes[at] = str_hash(items[at].mangled);
    return hashes;
}

/* Makes a label with enough digits that it differs from all labels in `taken`. */
static void make_marked_label(struct labels *labels, uint32_t name, uint64_t hash, const struct distinct_name *distinct,
                              int digits, struct intern *taken)
{
    struct buf label = {0};
    for (size_t known = taken->count; taken->count == known; digits += 4) {
        hash += digits > 16;
        add_marked(distinct, hash, digits < 16 ? digits : 16, &label);
        intern_add(taken, buf_str(&label));
    }
    labels->labels[name].text = arena_take(&labels->arena, &label);
}

/* Digits of the mark of a name; `leads`: the label begins with its own name. */
static int digits_of(struct str unelided, bool leads)
{
    const bool is_cut_by_mark = !is_long(unelided) && unelided.len + 1 + FIRST_DIGITS > LABEL_WIDTH;
    return is_cut_by_mark ? UNCOMPARED_DIGITS : leads ? FIRST_DIGITS : PATH_DIGITS;
}

/* Makes the labels of candidates: in full, or by their distinguishing tokens, with a mark if these are equal. */
static void make_labels(struct labels *labels, const struct candidate *items, const struct distinct_name *distinct,
                        size_t count)
{
    SCOPED(arena) arena = {0};
    SCOPED(intern) seen = {0}, taken = {0};
    SCOPED(buf) label = {0};
    struct unmarked {
        uint32_t number;
        bool own_name_first; /* its own name comes first */
    } *unmarked = arena_alloc(&arena, (count + 1) * sizeof *unmarked);
    uint32_t *times = arena_alloc(&arena, (count + 1) * sizeof *times);
    for (size_t at = 0; at < count; at++) {
        buf_clear(&label);
        unmarked[at].own_name_first = elide_distinct(&distinct[at], LABEL_WIDTH, &label);
        unmarked[at].number = intern_add(&seen, buf_str(&label));
        times[unmarked[at].number]++;
    }
    uint64_t *hashes = NULL; /* most often no name needs a mark */
    for (size_t at = 0; at < count; at++) {
        const struct str own = intern_get(&seen, unmarked[at].number), unelided = items[at].unelided;
        const bool looks_cut = !is_long(unelided) && str_find(own, STR("...")) != STR_NONE;
        const bool looks_marked = str_find_char(own, '~') != STR_NONE;
        if (unmarked[at].own_name_first && times[unmarked[at].number] == 1 && !looks_cut && !looks_marked) {
            labels->labels[items[at].name].text = arena_str(&labels->arena, own);
            continue;
        }
        hashes = hashes ? hashes : mark_hashes(items, count, &arena);
        make_marked_label(labels, items[at].name, hashes[at], &distinct[at],
                          digits_of(unelided, unmarked[at].own_name_first), &taken);
    }
}

/* Makes the labels of similar names: of the ones that are shown in full, as this one is, or that are long too. */
static void make_labels_of_similar(struct labels *labels, struct str unelided, const struct keyed_name *names,
                                   size_t count)
{
    struct candidate *found = mem_alloc((count + 1) * sizeof *found);
    struct distinct_name *distinct = mem_alloc((count + 1) * sizeof *distinct);
    size_t kept = 0;
    for (size_t at = 0; at < count; at++) {
        const struct str other = unelided_label(labels, names[at].name);
        if (is_long(other) == is_long(unelided) && !is_undemangled(other))
            found[kept++] = (struct candidate){other, labels->names->strings[names[at].name], names[at].name};
    }
    mem_sort(found, kept, sizeof *found, by_unelided);
    for (size_t at = 0; at < kept; at++)
        distinct[at].name = found[at].unelided;
    if (is_long(unelided))
        find_tokens(distinct, kept);
    make_labels(labels, found, distinct, kept);
    free(distinct);
    free(found);
}

static void make_label(struct labels *labels, uint32_t name)
{
    const struct str unelided = unelided_label(labels, name);
    size_t count = 0;
    const struct keyed_name *names = similar_names(labels, name, &count);
    if (!is_undemangled(unelided) && (!is_long(unelided) || count <= MOST_COMPARED)) {
        make_labels_of_similar(labels, unelided, names, count);
        return;
    }
    struct buf label = {0};
    const struct distinct_name alone = {.name =
                                            unelided}; /* not compared with others: only the mark distinguishes it */
    add_marked(&alone, str_hash(labels->names->strings[name]), UNCOMPARED_DIGITS,
               &label); /* identities may be the same */
    labels->labels[name].text = arena_take(&labels->arena, &label);
}

struct str label_of(struct labels *labels, struct str mangled)
{
    uint32_t name = intern_find(labels->names, mangled);
    if (name == INTERN_NONE)
        return (struct str){"", 0};
    if (!labels->labels)
        make_index(labels);
    if (!labels->labels[name].text.ptr)
        make_label(labels, name);
    return labels->labels[name].text;
}

void label_within(struct labels *labels, struct str mangled, size_t width, struct buf *out)
{
    struct str label = label_of(labels, mangled);
    SCOPED(buf) unelided = {0};
    bool is_marked = str_find_char(label, '~') != STR_NONE;
    if (width > LABEL_WIDTH && !is_marked)
        spell_unelided(mangled, width, &unelided);
    buf_add(out, unelided.len && unelided.len <= width ? buf_str(&unelided) : label);
}

void label_stable(struct labels *labels, struct str mangled, size_t width, struct buf *out)
{
    SCOPED(buf) unelided = {0};
    spell_unelided(mangled, width, &unelided);
    if (unelided.len <= LABEL_WIDTH) {
        buf_add(out, label_of(labels, mangled));
    } else if (unelided.len <= width) {
        buf_add(out, buf_str(&unelided));
    } else {
        elide_name(buf_str(&unelided), width - 1 - UNCOMPARED_DIGITS, out);
        add_mark(identity_hash(mangled), UNCOMPARED_DIGITS, out);
    }
}

void labels_free(struct labels *labels)
{
    arena_free(&labels->arena);
    *labels = (struct labels){0};
}
