/*
 * rename: kernels that are gone and new in a comparison and are one kernel under another name: it moved to another
 * namespace, a type of its template arguments was renamed, or it was renamed itself. All of these have to hold:
 *
 *   - every number of it is the same on every architecture that both sides know;
 *   - the names are one but for what was renamed: identifiers that the base has nowhere else in the head and the other
 *     way round, or scopes of the function. Numbers and built-in types are no names: kernel<4> is not kernel<8>, and
 *     float is not double;
 *   - the kernels that stand around it are the same on both sides, where that is known; where the function's own name
 *     changed or one scope took the place of another, it has to be known;
 *   - there is exactly one such kernel on each side. What is ambiguous stays new and gone.
 *
 * A kernel of which nothing but the parameters changed is compared whatever its numbers: its scope, name and template
 * arguments are the same, no other kernel of the name is on either side, and it did not move to another file.
 */
#ifndef BASELINE_RENAME_H
#define BASELINE_RENAME_H

#include "baseline/compare.h"

/* Joins the pairs of each renamed kernel (see compare_join); returns the number of kernels. in_order: the records of
 * the head stand in the order in which they were compiled; those of a base that was read from a file never do. */
size_t rename_join(struct comparison *comparison, bool in_order);

#endif
