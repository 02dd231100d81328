/*
 * rule: one parsed file of rules/. A rule has a condition (`when`) and cases, each with a condition and a message; the
 * first case that is true makes the finding. A case may have a lower severity than the rule.
 */
#pragma once

#include "rules/expr.h"
#include "rules/template.h"

enum rule_kind { RULE_KERNEL, RULE_EVENT, RULE_PATTERN };
enum rule_sites { SITES_NONE, SITES_SPILL, SITES_ARRAY }; /* the places in the code that reports show with a finding */

/* Keys that are checked after all rules were read. */
enum placed_key { KEY_BAD, KEY_GOOD, KEY_LEFT_TO, KEY_EXCEPTIONS_OF, KEY_NEXT_OF, KEY_WHEN, PLACED_KEYS };

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
    uint32_t key_lines[PLACED_KEYS]; /* lines of the file; 0: no such key, or the rule is built in */
    bool builtin;
    bool selected;          /* by --select and --ignore */
    bool turned_on;         /* off by default, and turned on by a configuration */
    uint8_t kind;           /* enum rule_kind */
    uint8_t sites;          /* enum rule_sites */
    enum severity severity; /* SEVERITY_OFF: not judged */
    struct str_list see;
    struct str_list
        superseded_by; /* rules on kernels or messages that supersede this one: if one fires, this one does not */
    struct str_list exceptions_of; /* rules whose exceptions apply to the findings of this one too */
    struct str_list events;        /* RULE_EVENT: names of events */
    struct regex *pattern;         /* RULE_PATTERN */
    struct regex_list *regexes;    /* the pattern and those of its expressions */
    struct scope scope;            /* names in its expressions: its parameters, the named groups of its pattern */
    struct str when_text;          /* as written, for explain; empty: none */
    struct expr *when;             /* NULL: always */
    struct rule_case *cases;
    size_t case_count;
    struct rule_case
        *next; /* what would remove a finding: the first that is true with all fields known; no severities */
    size_t next_count;
    struct str next_of;           /* the rule whose `next` is used; empty: its own */
    struct expr *worst;           /* NULL: the members of a group are equally bad */
    bool debug_builds;            /* judges records of -G and -O0 too; other rules ignore them */
    struct launch_config with;    /* launch configuration for the two excerpts */
    struct base_values with_base; /* the baseline that the excerpts are compared with */
    bool always_listed;           /* the text report lists all its notes */
    bool asks_baseline;           /* its condition needs a baseline: without one it is not evaluated */
    bool asks_only_metrics;       /* it has one result for all kernels with equal metrics */
};

struct ruleset {
    struct arena arena;
    struct rule *rules; /* sorted by id once loaded */
    size_t count, cap;
    bool narrowed; /* --select was given */
};

/*
 * Loads rules; false if a rule is wrong (all errors are in diags; the caller ends with status 2). A rule of a directory
 * replaces an earlier one with the same id.
 */
bool ruleset_load_builtin(struct ruleset *set, struct diags *diags);
bool ruleset_load_dir(struct ruleset *set, struct str path, struct diags *diags);
/* Adds one rule from text; its id must be `stem` (the file's name without .yaml). */
bool ruleset_add(struct ruleset *set, struct str path, struct str stem, struct str text, bool builtin,
                 struct diags *diags);
/* Adds a rule that is part of another file: a member of a map, whose key is the id. */
bool ruleset_add_inline(struct ruleset *set, const struct yml *yaml, const struct yml_node *node, struct diags *diags);
void ruleset_free(struct ruleset *set);

/* --select and --ignore: ids or prefixes of ids, separated by commas; false with a diagnostic for a word that matches
 * no rule. Call select first, then ignore; without a select all rules are selected. */
bool ruleset_select(struct ruleset *set, struct str list, struct diags *diags);
bool ruleset_ignore(struct ruleset *set, struct str list, struct diags *diags);
/* After all selections: warns about each word of the list that is the beginning of some ids and a later word of others,
 * which it does not select ("spill" and register-spill). A word that ends with "-" is clear and has no warning. */
void ruleset_check_select(const struct ruleset *set, struct str list, struct diags *diags);

/* After all rules were added: checks that each rule that another one names exists; false with diagnostics. */
bool ruleset_check(const struct ruleset *set, struct diags *diags);

const struct rule *ruleset_find(const struct ruleset *set, struct str id); /* NULL: none */
const char *ruleset_nearest(const struct ruleset *set, struct str word); /* for "did you mean"; NULL: none is similar */

/* Makes a rule of a tree of YAML, or of a member of a map in one; the arena owns its memory. built_in: the build has
 * checked it (rules/embedded_rule.h). False after errors, all of which are in diags. */
bool rule_read(struct rule *rule, const struct yml *yaml, struct arena *arena, bool built_in, struct diags *diags);
void rule_free(struct rule *rule); /* its regular expressions; the arena owns the rest */

/* The line of the key in the rule's file. */
struct place rule_place(const struct rule *rule, enum placed_key key);

/* The severity of a finding that a case of the rule makes. */
enum severity rule_case_severity(const struct rule *rule, size_t number);

/* Appends the launch and the baseline of the examples: "threads: 256, baseline.registers: 38"; nothing without. */
void rule_with_text(const struct rule *rule, struct buf *out);

/* True if the rule is selected and not off. */
bool rule_is_on(const struct rule *rule);
/* True if some enabled rule matches raw lines: the reader must pass them to linter_line. */
bool rule_lines_wanted(const struct ruleset *set);
