/*
 * collision_index: which names may be shown alike, told from the mangled names. Names whose labels are equal always
 * have one base name and, where they are shown whole, one signature; names with one signature may still have other
 * labels.
 */
#ifndef REPORT_COLLISION_INDEX_H
#define REPORT_COLLISION_INDEX_H

#include "base/buf.h"

/* The base name of a label is the function's own name, or that of the class whose template arguments come first: the
 * last of the plain words in front of template arguments. So many bytes of it count. */
enum { BASE_NAME_BYTES = 16, SIGNATURE_UNKNOWN = 0 };

/* base: a hash of the base name. signature: a hash of the numbers among the template arguments; SIGNATURE_UNKNOWN: of a
 * name whose label alone can tell. */
struct collision_key {
    uint32_t base, signature;
};

/* The key of a mangled name. False: only its label can tell the base name. */
bool collision_key(struct str mangled, struct collision_key *key);

/* The whole base name in a label that is not elided; empty where the label does not begin with a word. */
struct str label_base_name(struct str label);
/* The key of a name whose label this is. */
struct collision_key label_key(struct str label);

/* Names by number, each in the chains of its base name and of its signature. */
struct collision_index {
    struct indexed_name *names;
    struct collision_chain *bases, *signatures; /* by hash */
    size_t chain_count;                         /* of each */
};

struct name_numbers {
    uint32_t *items;
    size_t count, cap;
};

void collision_index_init(struct collision_index *index, size_t name_count);
void collision_index_add(struct collision_index *index, uint32_t name, struct collision_key key);
/* How many names have its base name, or a few more. */
uint32_t collision_base_size(const struct collision_index *index, uint32_t name);
/* Appends the names of its base name, itself among them. */
void collision_same_base(const struct collision_index *index, uint32_t name, struct name_numbers *out);
/* Appends the names of its base name that may have its label: of all where its signature is unknown. */
void collision_candidates(const struct collision_index *index, uint32_t name, struct name_numbers *out);
bool collision_signature_known(const struct collision_index *index, uint32_t name);
void collision_index_free(struct collision_index *index);

#endif
