/*
 * base_name: the base name of a label is its last plain word before template arguments: the name of the function, or of
 * the class that has the first template arguments. Names with equal labels have the same base name.
 */
#pragma once

#include "base/str.h"

enum { BASE_NAME_BYTES = 16 }; /* only so many bytes of a base name are compared */

/* The whole base name of a label that is not elided; empty if the label does not begin with a word. */
struct str base_name_of_label(struct str label);
/* The same, found in the mangled name. *values: a hash, never 0, of the numbers that begin the template arguments:
 * names with other ones have other labels, if both labels are complete. Returns false if only the label contains enough
 * information; then *values is 0. */
bool base_name_of_mangled(struct str mangled, struct str *base, uint32_t *values);
