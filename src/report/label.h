/*
 * label: short names for people. A readable name of 2,000 characters becomes its template with its arguments, in one
 * spelling (log/spelling.h), cut around the words that tell it from others of its base name (report/elide.h). A
 * label depends on the names of the model alone, so that every format of one run shows the same, and it is made from
 * the identity. Names whose labels would be equal are told apart by digits of a hash of the identity. A label that is
 * cut has "..." in it and is never one of a name that is shown whole.
 */
#ifndef REPORT_LABEL_H
#define REPORT_LABEL_H

#include "base/escape.h"
#include "base/intern.h"
#include "report/collision_index.h"

enum { LABEL_WIDTH = 56 };

/* Made on demand: the index of all names when the first label is asked for; then only the names are demangled that may
 * be shown like the one that is asked for: for a long one all of its base name. */
struct labels {
    const struct intern *names; /* of the model */
    struct arena arena;
    struct label {
        struct str whole; /* ptr NULL: the name was not demangled yet */
        struct str final; /* ptr NULL: not made yet */
    } * labels;           /* by name; NULL: there is no index yet */
    struct collision_index index;
};

/* names must not grow afterwards. */
void labels_init(struct labels *labels, const struct intern *names);
/* The label of a name as printed, at most LABEL_WIDTH bytes. Valid until labels_free. */
struct str label_of(struct labels *labels, struct str mangled);
/* Appends the whole name where it has at most width bytes and no other is spelled so, else its label. */
void label_within(struct labels *labels, struct str mangled, size_t width, struct buf *out);
/* Appends a label of at most width bytes, more than LABEL_WIDTH, for what is compared with other runs by its name: of a
 * long name it does not depend on the others, of a short one on those that are spelled alike. Two names may have one.
 */
void label_lasting(struct labels *labels, struct str mangled, size_t width, struct buf *out);
void labels_free(struct labels *labels);

/* Appends the template that a name is an instance of, in the same spelling and length. */
void label_template(struct str mangled, struct buf *out);

#endif
