/*
 * arch_value: a number that a configuration gives, the same for all architectures or one by one. Architectures inherit
 * the way tuning tables do: {sm_20: 128, sm_30: 256} answers 256 for sm_90, 128 for sm_21 and nothing below sm_20. An
 * architecture with a letter (sm_90a) answers for itself alone. Values may calculate with the groups of a match.
 */
#ifndef CONFIG_ARCH_VALUE_H
#define CONFIG_ARCH_VALUE_H

#include "rules/expr.h"
#include "rules/yaml_decoder.h"

struct arch_value_case {
    struct value arch; /* unknown: every architecture; the value has this case alone */
    struct expr *expr;
    struct str text;    /* as written */
    struct place place; /* borrowed from the tree */
};

struct arch_value {
    const struct value_kind *kind;
    struct arch_value_case *cases;
    size_t count; /* 1 or more */
    bool by_chip; /* an architecture that is not named has no value; else it inherits that of an older one */
};

/*
 * Reads a scalar or a map of architectures. scope: the groups that values may use, or an empty one. What can be known
 * without a match is checked here. NULL after an error. Lives in the arena of the reading; arch_value_free ends it.
 */
struct arch_value *arch_value_read(const struct yaml_decoder *r, const struct yml_node *node,
                                   const struct value_kind *kind, const struct scope *scope);
void arch_value_free(struct arch_value *value);

/* The case that answers for the architecture (empty: not known), or NULL. */
const struct arch_value_case *arch_value_for(const struct arch_value *value, struct str arch);

/* The number of a case with the groups of a match; false where it is none or out of its limits. */
bool arch_value_number(const struct arch_value *value, const struct arch_value_case *chosen, const struct str *groups,
                       double *number);
/* Appends the error that says so of the kernel with that name. */
void arch_value_explain(const struct arch_value *value, const struct arch_value_case *chosen, const struct str *groups,
                        struct str name, struct diags *diags);

/* The list has the architecture, as an empty one has all; sm_90 in it stands for sm_90a too. One that is not known is
 * in no other list. */
bool arch_list_has(const struct str_list *archs, struct str arch);

#endif
