/* builtin: the rules of rules/, put into the program by the build (ci/embed-rules.c). */
#ifndef RULES_BUILTIN_H
#define RULES_BUILTIN_H

#include "rules/embedded_rule.h"

extern const struct embedded_rule builtin_rules[]; /* sorted by id */
extern const size_t builtin_rule_count;

#endif
