/*
 * arguments: the template arguments of names in their common spelling (log/spelling.h). Nested arguments count one by
 * one: f<g<1>, 2> has 1 and 2.
 */
#ifndef REPORT_ARGUMENTS_H
#define REPORT_ARGUMENTS_H

#include "base/buf.h"
#include "base/mem.h"

/* The next argument from *at on, which is 0 at first; false: there is none. */
bool argument_next(struct str name, size_t *at, struct str *argument);
size_t argument_count(struct str name);

/* Appends the name with "*" for each argument for which `differs` is set; NULL: for all of them. */
void argument_pattern(struct str name, const bool *differs, struct buf *out);

/*
 * The arguments in which names differ, as columns of equal width: cells[n] is that of names[n], "256  16  true ".
 * False: the names are no instances of one form (other numbers of arguments, or other text between them) or do not
 * differ.
 */
bool argument_columns(const struct str *names, size_t count, struct arena *arena, struct str *cells,
                      struct buf *pattern);

#endif
