/*
 * templates: of each name the template that it is an instance of, as a small number. For many names a thread of its own
 * finds them all while something else goes on; else each is found when it is first asked for. The names must not
 * change meanwhile.
 */
#ifndef LINT_TEMPLATES_H
#define LINT_TEMPLATES_H

#include "base/intern.h"

struct templates;

struct templates *templates_new(const struct intern *names, unsigned threads); /* threads: see threads_to_use */
void templates_free(struct templates *templates);

/* The number of the name's template in the table; NO_INDEX for NO_INDEX. */
uint32_t template_of(struct templates *templates, uint32_t name);

/* Most of the names will be asked for. */
void templates_find_all(struct templates *templates);

/* The table of templates, for the caller to add other texts, too. */
struct intern *templates_table(struct templates *templates);

#endif
