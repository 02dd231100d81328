/*
 * collision_index: finds, from the mangled names, which names may have equal labels. Names with equal labels always
 * have the same base name, and the same key if the labels are whole. Names with the same key may still have different
 * labels.
 */
#ifndef REPORT_COLLISION_INDEX_H
#define REPORT_COLLISION_INDEX_H

#include "base/buf.h"

/* The base name of a label is its last plain word before template arguments: the name of the function, or of the class
 * that has the first template arguments. Only the first BASE_NAME_BYTES bytes count. */
enum { BASE_NAME_BYTES = 16 };

/* The whole base name in a label that is not elided; empty if the label does not begin with a word. */
struct str label_base_name(struct str label);

/* The key of a name is BASE_KEY times a hash of its base name, plus a hash of the numbers in its template arguments.
 * The second hash is 0 if only the label contains enough information. */
#define BASE_KEY ((uint64_t)1 << 32)
/* Returns false if the mangled name is not enough to find the key; then label_key finds it from the label. */
bool collision_key(struct str mangled, uint64_t *key);
uint64_t label_key(struct str label);

/* Names sorted by their keys. */
struct collision_index {
    struct collision_entry {
        uint64_t key;
        uint32_t name;
    } * entries;
    size_t count, cap;
};

void collision_index_add(struct collision_index *index, uint32_t name, uint64_t key);
/* Call it after all names are added. */
void collision_index_sort(struct collision_index *index);
/* The entries with keys from `first` up to, but not including, `end`. */
const struct collision_entry *collision_range(const struct collision_index *index, uint64_t first, uint64_t end,
                                              size_t *count);

#endif
