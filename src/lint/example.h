/*
 * example: a rule tried on an excerpt of a log, such as the two that it brings: it has to fire on `bad` and to be
 * silent on `good`. Launch configuration and baseline are what its `with` says; no configuration and no other rule has
 * a part.
 */
#ifndef LINT_EXAMPLE_H
#define LINT_EXAMPLE_H

#include "rules/rule.h"

/* What came of it. */
struct example {
    size_t findings;   /* of the rule, at whatever severity, off included */
    size_t entries;    /* kernels that were read of the excerpt: one for each architecture */
    size_t functions;  /* device functions */
    size_t messages;   /* distinct messages that were understood */
    size_t lines;      /* that were read; 0 of records */
    size_t debug;      /* entries of debug builds, which most rules leave out */
    size_t not_judged; /* records on which something that the rule asks for is unknown */
    struct buf said;   /* the message of its first finding */
};

/* `name` stands for the excerpt in diagnostics. False with diagnostics: it cannot be read, or the rule not be judged.
 */
bool example_try(struct rule *rule, struct str name, struct str excerpt, struct example *example, struct diags *diags);
void example_free(struct example *example);

#endif
