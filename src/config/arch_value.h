/*
 * arch_value: a number of a configuration, one for all architectures or one for each. An architecture that is not
 * listed has the number of the nearest older one: {sm_20: 128, sm_30: 256} is 256 for sm_90, 128 for sm_21, and nothing
 * below sm_20. The number of an architecture with a letter (sm_90a) is not inherited. Values may use the groups of a
 * match.
 */
#pragma once

#include "rules/expr.h"
#include "rules/yaml_decoder.h"

struct arch_value_case {
    struct value arch; /* unknown: every architecture; it is the only case then */
    struct expr *expr;
    struct str text;    /* as written */
    struct place place; /* borrowed from the tree */
};

struct arch_value {
    const struct value_kind *kind;
    struct arch_value_case *cases;
    size_t count; /* 1 or more */
    bool by_chip; /* true: architectures that are not listed have no value; false: they inherit */
};

/*
 * Reads a scalar or a map of architectures. scope: the groups that values may use, or an empty scope. Everything that
 * does not depend on a match is checked here. NULL after an error. The arena of the reader owns it.
 */
struct arch_value *arch_value_read(const struct yaml_decoder *r, const struct yml_node *node,
                                   const struct value_kind *kind, const struct scope *scope);

/* The case for the architecture (empty: unknown), or NULL. */
const struct arch_value_case *arch_value_for(const struct arch_value *value, struct str arch);

/* Computes the number of a case with the groups of a match; false if it is unknown or out of its limits. */
bool arch_value_number(const struct arch_value *value, const struct arch_value_case *chosen, const struct str *groups,
                       double *number);
/* Appends the error for such a number of the kernel with that name. */
void arch_value_explain(const struct arch_value *value, const struct arch_value_case *chosen, const struct str *groups,
                        struct str name, struct diags *diags);

/* True if the list has the architecture, or is empty. sm_90 in the list includes sm_90a. An unknown architecture is
 * only in an empty list. */
bool arch_list_has(const struct str_list *archs, struct str arch);
