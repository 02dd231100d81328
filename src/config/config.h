/*
 * config: the configuration of a project, `.warplint.yaml` and the files that it extends. Reading checks everything
 * that does not depend on the rules; names and parameters of rules are checked when the configuration is applied to
 * them. Files are read from the base to the one that extends it, and a later file replaces the keys of an earlier one.
 * A configuration with an error is not used at all.
 *
 * The configuration owns its trees, texts and patterns; places point into its trees.
 */
#pragma once

#include "base/input_stream.h"
#include "config/exception.h"
#include "config/kernel_override.h"

#define CONFIG_NAME       ".warplint.yaml"
#define CONFIG_WRONG_NAME ".warplint.yml" /* not read: reported as an error */

struct config_file {
    struct yml yaml;
    struct str path;    /* as found, or relative to the folder of the file that extends it */
    struct str extends; /* as written; empty: nothing */
    struct place extends_place;
    struct str rules_dir; /* path; empty: none */
};

/* The settings of one rule in one file. */
struct rule_setting {
    const struct config_file *file;
    const struct yml_node *node; /* a member of `rules` */
    bool defines;                /* it defines the rule */
    bool has_severity;
    enum severity severity;
    struct place severity_place;
    const struct yml_node *params; /* the first parameter that it sets, or NULL */
};

struct config {
    struct arena arena;
    struct regex_list regexes; /* of all entries */
    struct config_file *files; /* the base first */
    size_t file_count;
    struct config_file *reading; /* the one that is being read */
    bool rules_missing;          /* a folder of rules could not be read completely: unknown rule names may be right */
    struct arch_list archs;      /* judge only these */
    struct str baseline;         /* path, relative to the folder of the file that names it; empty: none */
    struct place baseline_place;
    bool has_fail_on;
    enum severity fail_on; /* SEVERITY_OFF: never */
    struct place fail_on_place;
    struct arch_value *sms; /* SMs of the GPU, by architecture; NULL: not given */
    struct rule_setting *settings;
    size_t setting_count, setting_cap;
    struct kernel_override *entries;
    size_t entry_count, entry_cap;
    struct exception *exceptions;
    size_t exception_count, exception_cap;
};

/* Appends the path of the nearest configuration, from the folder `from` (empty: the working directory) up to the root
 * of its repository (the folder with .git), or, outside of a repository, of the file system. False: there is none. */
bool config_find(struct str from, struct buf *path);

/* Reads the file (`allowed`: which kinds of files it may be) and the regular files that it extends. False, with all
 * errors in diags. The caller calls config_free in both cases. */
bool config_load(struct config *config, struct str path, enum input_allowed allowed, struct diags *diags);
void config_free(struct config *config);

/* The keys that a configuration may have. */
extern const struct decode_key config_keys[];
extern const size_t config_key_count;

/* Adds the rules of the folders that the files name, then the rules in the files themselves. */
bool config_add_rules(struct config *config, struct ruleset *rules, struct diags *diags);

/* Sets severities and parameters, and checks all names of rules. Call it after all rules were loaded. */
bool config_apply(const struct config *config, struct ruleset *rules, struct diags *diags);

/* The last setting that sets the severity of the rule, that changes it, or that defines it; NULL: none. */
enum setting_part { SETTING_SEVERITY, SETTING_CHANGE, SETTING_DEFINITION };
const struct rule_setting *config_setting_of(const struct config *config, struct str rule, enum setting_part part);
