/*
 * arguments: the template arguments of names in their common spelling (log/spelling.h). Nested arguments count
 * individually: f<g<1>, 2> has 1 and 2.
 */
#pragma once

#include "base/buf.h"
#include "base/mem.h"

/* Finds the next argument from *at (0 at first) on; returns false if there is none. */
bool argument_next(struct str name, size_t *at, struct str *argument);
size_t argument_count(struct str name);
/* The first `count` of them, in the arena. */
struct str *argument_list(struct str name, size_t count, struct arena *arena);

/* Appends the name with "*" for each argument with `differs` set; NULL: for all arguments. */
void argument_pattern(struct str name, const bool *differs, struct buf *out);

/*
 * The arguments that differ between names, as columns of equal width: cells[n] belongs to names[n], "256  16  true ".
 * Returns false if the names do not have one form (another number of arguments, or other text between them) or do not
 * differ.
 */
bool argument_columns(const struct str *names, size_t count, struct arena *arena, struct str *cells,
                      struct buf *pattern);
