/*
 * collision_key: which names may be shown alike, found in the mangled names. Names with equal labels always have one
 * base name and, where they are shown whole, one key; names with one key may have different labels.
 */
#ifndef REPORT_COLLISION_KEY_H
#define REPORT_COLLISION_KEY_H

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

#endif
