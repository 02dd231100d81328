/*
 * example: tries a rule on an excerpt of a log, for example one of its own two: it must fire on `bad` and not on
 * `good`. The launch configuration and the baseline come from `with`; no configuration file and no other rule is used.
 */
#pragma once

#include "rules/rule.h"

/* The result. */
struct example {
    size_t findings;    /* of the rule, of any severity, including off */
    size_t entries;     /* kernels in the excerpt, counted for each architecture */
    size_t functions;   /* device functions */
    size_t messages;    /* distinct messages that were recognised */
    size_t lines;       /* lines that were read; 0 for records */
    size_t debug;       /* entries of debug builds, which most rules ignore */
    size_t not_judged;  /* records without a value that the rule needs */
    struct buf message; /* the message of the first finding */
};

/* `name` is the path of the excerpt in diagnostics. False with diagnostics if the excerpt cannot be read or the rule
 * cannot be judged. */
bool example_try(struct rule *rule, struct str name, struct str excerpt, struct example *example, struct diags *diags);
void example_free(struct example *example);
