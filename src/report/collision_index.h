/*
 * collision_index: which names may be shown alike, found in the mangled names. Names with equal labels always have one
 * base name and, where they are shown whole, one key; names with one key may have different labels.
 */
#ifndef REPORT_COLLISION_INDEX_H
#define REPORT_COLLISION_INDEX_H

#include "base/buf.h"

/* The base name of a label is the function's own name, or that of the class whose template arguments come first: the
 * last of the plain words in front of template arguments. So many bytes of it count. */
enum { BASE_NAME_BYTES = 16 };

/* The whole base name in a label that is not elided; empty where the label does not begin with a word. */
struct str label_base_name(struct str label);

/* The key of a name: a hash of its base name above BASE_KEY, below it a hash of the numbers among its template
 * arguments; none, 0, where only the label can tell. */
#define BASE_KEY ((uint64_t)1 << 32)
/* False: only the label of the name can tell its key. */
bool collision_key(struct str mangled, uint64_t *key);
uint64_t label_key(struct str label);

/* Names by their keys. */
struct collision_index {
    struct collision_entry {
        uint64_t key;
        uint32_t name;
    } * entries;
    size_t count, cap;
};

void collision_index_add(struct collision_index *index, uint32_t name, uint64_t key);
/* To be called when all names were added. */
void collision_index_sort(struct collision_index *index);
/* The entries with keys from first on and below end. */
const struct collision_entry *collision_range(const struct collision_index *index, uint64_t first, uint64_t end,
                                              size_t *count);

#endif
