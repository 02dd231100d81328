/*
 * rule: one file of rules/, understood. A rule says when (a gate), and in which of its cases with which message; the
 * first case that is true speaks. A case may have a severity of its own, which lowers the rule's.
 */
#ifndef RULES_RULE_H
#define RULES_RULE_H

#include "rules/expr.h"
#include "rules/template.h"

enum rule_kind { RULE_KERNEL, RULE_EVENT, RULE_PATTERN };
enum rule_sites { SITES_NONE, SITES_SPILL, SITES_ARRAY }; /* the places in the code that reports show with a finding */

/* Keys that say something which is checked once all rules are there. */
enum placed_key { KEY_BAD, KEY_GOOD, KEY_LEFT_TO, KEY_EXCEPTIONS_OF, KEY_NEXT_OF, PLACED_KEYS };

struct embedded_rule;
struct yml;
struct yml_node;

struct rule_case {
    struct str when_text;  /* as written, for explain; empty: always */
    struct expr *when;     /* NULL: always */
    enum severity at_most; /* a finding has this severity or the rule's, the lower one; SEVERITY_ERROR: the rule's */
    struct template *message;
};

struct rule {
    struct str id, title, why, hint, bad, good;
    struct str path;                 /* the file it comes from; "built-in:register-spill.yaml" */
    uint32_t key_lines[PLACED_KEYS]; /* in it; 0: there is none, or the rule is built in */
    bool builtin;
    bool selected;          /* by --select and --ignore */
    bool turned_on;         /* by a configuration, and off without it */
    uint8_t kind;           /* enum rule_kind */
    uint8_t sites;          /* enum rule_sites */
    enum severity severity; /* SEVERITY_OFF: not judged */
    struct str_list see;
    struct str_list left_to; /* rules on kernels or messages that say all that this one would: where one does, it is
                                silent */
    struct str_list exceptions_of; /* rules with exceptions that cover the findings of this one, too */
    struct str_list events;        /* RULE_EVENT: names of events */
    struct regex *pattern;         /* RULE_PATTERN */
    struct scope scope;            /* what its expressions may name: its parameters, the named groups of its pattern */
    struct str when_text;          /* as written, for explain; empty: none */
    struct expr *when;             /* NULL: always */
    struct rule_case *cases;
    size_t case_count;
    struct rule_case *next; /* what would change a finding: the first that is true and all known; without severities */
    size_t next_count;
    struct str next_of;           /* the rule whose `next` this one has; empty: its own */
    struct expr *worst;           /* NULL: members are equal */
    bool debug_builds;            /* judges records of -G and -O0 too; the other rules leave them out */
    struct launch_config with;    /* launch configuration for the two excerpts */
    struct base_values with_base; /* and the baseline that they are compared with */
    bool always_listed;           /* its notes are listed by the text report, however many there are */
    bool asks_baseline;           /* its gate asks for the baseline: without one it is not asked */
    bool asks_only_metrics;       /* it says the same of kernels that are equal in all metrics */
};

struct ruleset {
    struct arena arena;
    struct rule *rules; /* sorted by id once loaded */
    size_t count, cap;
    bool narrowed; /* some select was given */
};

/*
 * Load, false when any rule is broken (all errors are in diags; the caller ends with status 2). A rule of a directory
 * replaces the one with the same id that is there.
 */
bool ruleset_load_builtin(struct ruleset *set, struct diags *diags);
bool ruleset_load_dir(struct ruleset *set, struct str path, struct diags *diags);
/* One rule from text; its id must be `stem` (the file's name without .yaml). */
bool ruleset_add(struct ruleset *set, struct str path, struct str stem, struct str text, bool builtin,
                 struct diags *diags);
/* A rule that stands inside of another file: a member of a map, whose key is the id. */
bool ruleset_add_inline(struct ruleset *set, const struct yml *yaml, const struct yml_node *node, struct diags *diags);
void ruleset_free(struct ruleset *set);

/* --select / --ignore: ids or prefixes, separated by commas; false with a diagnostic for a word that fits no rule.
 * Select first, then ignore; without a select everything is selected. */
bool ruleset_select(struct ruleset *set, struct str list, struct diags *diags);
bool ruleset_ignore(struct ruleset *set, struct str list, struct diags *diags);
/* Once all is selected: warns of each word of the list that begins some ids and is a word of others, which it leaves
 * out ("spill" and register-spill); not where it ends in "-", which says that a beginning is meant. */
void ruleset_check_select(const struct ruleset *set, struct str list, struct diags *diags);

/* Once all rules are there: each that another names is one of them; false with diagnostics. */
bool ruleset_check(const struct ruleset *set, struct diags *diags);

const struct rule *ruleset_find(const struct ruleset *set, struct str id); /* NULL: none */
const char *ruleset_nearest(const struct ruleset *set, struct str word); /* for "did you mean"; NULL: nothing is near */

/* A tree of YAML, or a member of a map in one, as a rule whose memory is the arena's. built_in: the build has checked
 * it (rules/embedded_rule.h). False after errors, all of them in diags. */
bool rule_read(struct rule *rule, const struct yml *yaml, struct arena *arena, bool built_in, struct diags *diags);
void rule_free(struct rule *rule); /* its regular expressions; the rest is the arena's */
/* A regular expression of the rule that ran into its limits, or NULL. */
const struct regex *rule_exploded(const struct rule *rule);

/* The line of the key in the rule's file. */
struct place rule_place(const struct rule *rule, enum placed_key key);

/* Of a finding that a case of the rule makes. */
enum severity rule_case_severity(const struct rule *rule, size_t number);

/* Appends the values of the baseline that the examples are compared with: "baseline.registers: 38"; nothing without. */
void rule_base_text(const struct base_values *base, struct buf *out);

/* The rule is selected and not off. */
bool rule_is_on(const struct rule *rule);
/* Some rule that is on looks at raw lines: the reader must hand them to linter_line. */
bool rule_lines_wanted(const struct ruleset *set);

#endif
