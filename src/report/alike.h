/*
 * alike: which mangled names may look alike as labels, told without a demangler. Both answers err on one side alone:
 * names whose labels are equal always have one key, and are never said to differ.
 */
#ifndef REPORT_ALIKE_H
#define REPORT_ALIKE_H

#include "base/buf.h"

/* A label begins with a part of the qualified name: what is before template arguments, at most so many bytes of it. */
enum { ALIKE_LEAD = 24, ALIKE_ARGUMENTS = 24 };

struct lead {
    size_t len;
    char text[ALIKE_LEAD];
};

/* The lead of the label of a name; false where only the label itself can tell. */
bool alike_lead(struct str mangled, struct lead *lead);

/* The lead of a label that was made, the same as alike_lead gives for its name. */
struct str alike_label_lead(struct str label);

/* A name and its label, to be compared with many others. Borrows both. */
struct alike {
    struct str name, label;
    struct str tail;              /* of the label: behind its "..." */
    size_t first;                 /* where the arguments of the name begin */
    size_t ends[ALIKE_ARGUMENTS]; /* of the arguments that are of known kinds and shown before the "..." */
    size_t count;
    bool elided, sure; /* sure: it is of a kind that can be compared */
};
void alike_set(struct alike *alike, struct str mangled, struct str label,
               bool elided); /* elided: it has "..." within */

/* Whether the label of the other name, of the same lead, is surely not this one. */
bool alike_differ(const struct alike *alike, struct str other);

#endif
