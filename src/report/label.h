/*
 * label: short names for people. A demangled name can have 2,000 characters. Its label is the template with its
 * arguments, in one spelling (log/spelling.h), cut to the words that distinguish it from other names with its base name
 * (report/elide.h). A label depends only on the names of the model, so all formats of a run show the same one. It is
 * made from the identity of the name. Names with equal labels get digits of a hash of the identity. A label that is cut
 * contains "..." and never equals the label of a name that is shown in full.
 */
#pragma once

#include "base/escape.h"
#include "base/intern.h"

enum { LABEL_WIDTH = 56 };

/* Labels are made on demand. The first request builds the index of all names. Each request demangles only the names
 * whose labels may be equal to the requested one: those with its base name, and for a name that fits only those of them
 * with its numbers. */
struct labels {
    const struct intern *names; /* of the model */
    struct arena arena;
    struct label {
        struct str unelided; /* ptr NULL: not demangled yet */
        struct str text;     /* ptr NULL: not made yet */
    } * labels;              /* by name; NULL: no index yet */
    struct keyed_name {
        uint64_t key; /* hashes of its base name (upper half) and of its numbers, see report/base_name.h */
        uint32_t name;
    } * keys; /* of all names, in order */
};

/* `names` must not grow afterwards. */
void labels_init(struct labels *labels, const struct intern *names);
/* The label of a printed name, at most LABEL_WIDTH bytes; empty for an empty name. Valid until labels_free. */
struct str label_of(struct labels *labels, struct str mangled);
/* Appends the whole name if it has at most `width` bytes and no other name has the same spelling; else its label. */
void label_within(struct labels *labels, struct str mangled, size_t width, struct buf *out);
/* Appends a label of at most `width` bytes (more than LABEL_WIDTH) for names that are compared across runs. For a long
 * name it does not depend on the other names; for a short name it depends only on names with the same spelling. Two
 * names can have the same label. */
void label_stable(struct labels *labels, struct str mangled, size_t width, struct buf *out);
void labels_free(struct labels *labels);

/* Appends the template of a name, in the same spelling and with at most LABEL_WIDTH bytes. */
void label_template(struct str mangled, struct buf *out);
