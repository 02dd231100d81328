/* builtin: the rules of rules/, put into the program by the build. */
#ifndef LINT_BUILTIN_H
#define LINT_BUILTIN_H

#include "base/str.h"

struct builtin_rule {
    const char *id;  /* the file's name without .yaml */
    struct str text; /* the file */
};

extern const struct builtin_rule builtin_rules[]; /* sorted by id */
extern const size_t builtin_rule_count;

#endif
