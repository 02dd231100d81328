/*
 * rename: finds a gone and a new kernel that are one kernel with a new name: it moved to another namespace, a type in
 * its template arguments was renamed, or the kernel itself was renamed. All of these must hold:
 *
 *   - all its values are equal on every architecture that both sides have;
 *   - the names differ only in what was renamed: identifiers that do not occur on the other side, or scopes of the
 *     function. Numbers and built-in types cannot be renamed: kernel<4> is not kernel<8>, and float is not double.
 *     The function's own name may occur there, if nothing else differs;
 *   - the neighbouring kernels are the same on both sides, if they are known; if the function's own name changed or one
 *     scope was replaced by another, they must be known;
 *   - exactly one kernel on each side qualifies. Ambiguous kernels stay new and gone.
 *
 * A kernel of which only the parameters changed is joined even if its values differ: its scope, name, template
 * arguments and file are the same, no other kernel keeps that name, and not both lists of parameters are on both sides.
 */
#pragma once

#include "baseline/compare.h"

/* Joins the pairs of each renamed kernel (see compare_join) and returns the number of kernels. in_order: the records of
 * the head are in the order of their compiles; a base that was read from a file never is. */
size_t rename_join(struct comparison *comparison, bool in_order);
