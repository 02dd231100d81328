#include "baseline/variants.h"

#include <stdlib.h>

static struct kernel_key short_key(const struct kernel_metrics *entry)
{
    return (struct kernel_key){entry->id, entry->arch, NO_INDEX, entry->kind, (struct toolkit){0}};
}

static struct str key_bytes(const struct kernel_key *key)
{
    return (struct str){(const char *)key, sizeof *key};
}

void variants_find(const struct kernel_metrics_set *set, struct intern *keys)
{
    SCOPED(intern) all = {0};
    EACH(const struct kernel_metrics, entry, set->items, set->count) {
        const struct kernel_key full = kernel_metrics_key(entry), key = short_key(entry);
        const size_t known = all.count;
        if (entry->source != NO_INDEX && intern_add(&all, key_bytes(&full)) < known)
            intern_add(keys, key_bytes(&key));
    }
}

bool variants_have(const struct intern *keys, const struct kernel_metrics *entry)
{
    const struct kernel_key key = short_key(entry);
    return keys->count && entry->source != NO_INDEX && intern_find(keys, key_bytes(&key)) != INTERN_NONE;
}

size_t variants_common(struct str a, struct str b)
{
    if (a.len > b.len)
        return variants_common(b, a);
    bool is_end = a.len && str_ends(b, a) && (a.len == b.len || b.ptr[b.len - a.len - 1] == '/');
    return is_end ? a.len : 0;
}

/* ---- names of objects ------------------------------------------------------------------------------------------- */

struct named {
    struct kernel_metrics *entry;
    struct kernel_key key;
    uint32_t object; /* the whole path */
};

static int order_of_keys(const struct kernel_key *a, const struct kernel_key *b)
{
    const int64_t one[] = {a->id, a->arch, a->source, a->kind}, other[] = {b->id, b->arch, b->source, b->kind};
    int order = numbers_cmp(one, other, sizeof one / sizeof *one);
    return order ? order : toolkit_order(a->toolkit, b->toolkit);
}

static int by_key(const void *left, const void *right)
{
    const struct named *a = left, *b = right;
    int order = order_of_keys(&a->key, &b->key);
    return order ? order : number_cmp(a->object, b->object);
}

/* As many last names of the path as have at least `bytes` bytes. */
static struct str last_names(struct str path, size_t bytes)
{
    size_t from = path.len - (bytes < path.len ? bytes : path.len);
    while (from && path.ptr[from - 1] != '/')
        from--;
    return str_from(path, from);
}

/* The last name, or for an object of CMake the names from the folder of the target on: a.dir/__/k.cu.o. */
static struct str shortest_name(struct str path)
{
    size_t target = str_rfind(path, STR(".dir/"));
    return last_names(path, target == STR_NONE ? 1 : path.len - target);
}

static bool is_of_another(const struct intern *strings, const struct named *all, size_t count, size_t at,
                          struct str name)
{
    for (size_t other = 0; other < count; other++)
        if (other != at && variants_common(name, intern_get(strings, all[other].object)))
            return true;
    return false;
}

static void shorten_names(struct intern *strings, const struct named *all, size_t count)
{
    for (size_t at = 0; at < count; at++) {
        struct str path = intern_get(strings, all[at].object), name = shortest_name(path);
        if (count == 1 || path.len == 0) {
            all[at].entry->object = NO_INDEX;
            continue;
        }
        while (name.len < path.len && is_of_another(strings, all, count, at, name))
            name = last_names(path, name.len + 2);
        bool is_twice = at && all[at - 1].object == all[at].object;
        is_twice |= at + 1 < count && all[at + 1].object == all[at].object;
        all[at].entry->object = is_twice ? NO_INDEX : intern_add(strings, name);
    }
}

void variants_shorten(struct kernel_metrics_set *set)
{
    struct named *all = mem_alloc((set->count + 1) * sizeof *all);
    size_t count = 0;
    for (size_t at = 0; at < set->count; at++)
        if (set->items[at].source != NO_INDEX)
            all[count++] = (struct named){&set->items[at], kernel_metrics_key(&set->items[at]), set->items[at].object};
    mem_sort(all, count, sizeof *all, by_key);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && order_of_keys(&all[from].key, &all[to].key) == 0; to++)
            ;
        shorten_names(set->strings, &all[from], to - from);
    }
    free(all);
}
