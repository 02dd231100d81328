/*
 * alike: which mangled names may look alike as labels, told without a demangler. Both answers err on one side alone:
 * names whose labels are equal always have one key, and are never said to differ.
 */
#ifndef REPORT_ALIKE_H
#define REPORT_ALIKE_H

#include "base/buf.h"

/* A label begins with a part of the qualified name: what is before template arguments, at most so many bytes of it. */
enum { ALIKE_LEAD = 24 };

/* Appends the lead of the label of a name; false, nothing appended, where only the label itself can tell. */
bool alike_lead(struct str mangled, struct buf *out);

/* The lead of a label that was made, the same as alike_lead gives for its name. */
struct str alike_label_lead(struct str label);

/* Whether the label of another name, of the same lead, is surely not this label; elided: it has "..." within. */
bool alike_differ(struct str mangled, struct str label, bool elided, struct str other);

#endif
