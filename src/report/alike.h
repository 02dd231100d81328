/*
 * alike: which mangled names may look alike as labels, told without a demangler. Both answers err on one side alone:
 * names whose labels are equal always have one key, and are never said to differ.
 */
#ifndef REPORT_ALIKE_H
#define REPORT_ALIKE_H

#include "base/buf.h"

/* The lead of a label is the function's own name, or that of the class whose template arguments come first: the last
 * of the plain words in front of template arguments; at most so many bytes of it. */
enum { ALIKE_LEAD = 16, ALIKE_ARGUMENTS = 24 };

struct lead {
    size_t len;
    char text[ALIKE_LEAD];
};

/* The lead of the label of a name; false where only the label itself can tell. */
bool alike_lead(struct str mangled, struct lead *lead);

/* The same of a label that is not elided, in whole length; part of the label, empty where that does not begin with a
 * word. */
struct str alike_own_name(struct str label);

/* A name to be compared with many others. Borrows it. */
struct alike {
    struct str name;
    size_t first;                 /* where the arguments of the name begin */
    size_t ends[ALIKE_ARGUMENTS]; /* of the first arguments, which are of known kinds */
    size_t count;
    uint64_t path; /* of the namespaces and the own name; 0: it has others than plain ones */
};
void alike_set(struct alike *alike, struct str mangled);

/* Whether the other name, of the same lead, surely has another label than this one, where neither is elided. */
bool alike_differ(const struct alike *alike, struct str other);

#endif
