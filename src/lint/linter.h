/*
 * linter: checks a whole model against a set of rules: each rule on kernels for each kernel, each rule on messages for
 * each message with one of its names, each pattern for each line. All findings are listed; groups (lint/group.h) are
 * made afterwards.
 *
 * The linter borrows rules and model; both must outlive it.
 */
#pragma once

#include "base/regex.h"
#include "config/profile.h"
#include "log/checkout.h"
#include "rules/rule.h"

struct linter_options {
    struct str_list archs;              /* judge only these, borrowed; sm_90 selects sm_90a too; none: all */
    struct regex *kernel;               /* judge only kernels whose demangled name matches; NULL: all */
    struct launch_config launch_config; /* for every selected kernel: launch_config_none() or that of the options */
    enum severity fail_on;              /* the lowest severity that fails; SEVERITY_OFF: never */
    const struct config *config;        /* its entries and exceptions are used; NULL: none */
    const struct profile *profile;      /* launches that a profiler recorded; NULL: none */
    int64_t today;                      /* for exceptions, see base/date.h */
    bool partial_build;                 /* the input is a part of the build: unused exceptions are not reported */
    bool incomplete;                    /* the input should be the whole build, but something is missing */
    struct checkout checkout;           /* the checkout to which `source` of entries is relative */
};

/* A finding compared with the baseline. */
enum baseline_state {
    BASELINE_NONE,  /* there is no baseline */
    BASELINE_NEW,   /* the baseline lacks its kernel or message, or the rule does not fire on the baseline's values */
    BASELINE_WORSE, /* the rule fires on the baseline's values too, with a smaller value */
    BASELINE_UNCHANGED, /* it was in the baseline: it does not count for the verdict */
};
const char *baseline_state_name(enum baseline_state state); /* NULL for none, "new" "worse" "unchanged" */

struct finding {
    uint32_t kernel;        /* in model.kernels; NO_INDEX: none, or several kernels that the message may be about */
    uint32_t event;         /* rules on messages: in model.events; on lines: in linter.lines; else NO_INDEX */
    float worst;            /* the value of the rule's `worst`: larger is worse; -INFINITY: unknown or none */
    uint16_t rule;          /* in ruleset.rules */
    uint8_t severity;       /* enum severity */
    uint8_t which;          /* in rule.cases */
    uint8_t baseline_state; /* enum baseline_state */
    uint32_t launch_config; /* if the launch is not that of the record: its number, see launch_resolver_number_of; else
                               NO_INDEX */
    uint32_t exception;     /* the exception that suppresses it, so that it counts nowhere else; NO_INDEX: none */
};

/* A raw line that a pattern matched. */
struct line_match {
    struct str message; /* rendered */
    uint32_t line;      /* from 1 */
    uint16_t log;       /* into model.logs */
};

struct acceptance;

struct linter_counts {
    size_t kernels;         /* distinct names of judged entries */
    size_t entries;         /* entries judged: a kernel on an architecture */
    size_t functions;       /* device functions */
    size_t deselected;      /* records that --arch or --kernel exclude */
    size_t ambiguous;       /* entries with metrics that may be another kernel's: only the others are judged */
    size_t unknown_arch;    /* entries without an occupancy: their architecture is unknown or not in the table */
    size_t no_threads;      /* entries without a block size: their occupancy is the best case */
    size_t past_bound;      /* entries with a launch bound below --threads: the bound is used */
    size_t overruled;       /* entries that require a block size other than the given one: theirs is used */
    size_t no_dynamic_smem; /* entries with dynamic shared memory of unknown size: occupancy is an upper bound */
    size_t debug;           /* entries compiled with -G, -O0 or -Ofc=max */
    size_t no_barriers;     /* entries without a number of barriers, if barriers could limit the occupancy */
    size_t by_severity[SEVERITY_ERROR + 1]; /* findings */
    size_t failing;                         /* findings at or above fail_on */
    size_t unchanged;                       /* findings that were in the baseline; not in by_severity and failing */
    size_t unstated;   /* unchanged findings about loops; the inputs of the baseline stated nothing about loops */
    size_t unstored;   /* unchanged findings of users' rules with fields that baselines do not store */
    size_t drifted;    /* findings that became notes because the toolkit differs from the baseline's */
    size_t stale;      /* accepted findings on messages and lines that did not occur */
    size_t unmet;      /* entries, exceptions and users' rules for kernels that are not in the input */
    size_t suppressed; /* findings with an exception; not in by_severity and failing */
};

/* What a rule could not judge. */
struct not_judged {
    size_t times;     /* records or messages without a value that the rule needs */
    size_t records;   /* of `times`: kernels without a value that ptxas states for every kernel */
    size_t entries;   /* of `times`: kernels */
    size_t functions; /* of `times`: device functions without stack or spills */
    size_t ambiguous; /* of `records` and `functions`: those whose values may be another kernel's */
    uint32_t first;   /* of `records` and `functions`: the first one, in model.kernels */
    uint8_t unstated; /* of `records` and `functions`: bits of enum stated */
    uint16_t unknown; /* the unknown field, as in struct rule_result; 0: not one field for all `times` */
};

struct linter {
    struct ruleset *rules;
    const struct model *model;
    struct linter_options options;
    struct finding *findings; /* in the order of the model */
    size_t finding_count, finding_cap;
    struct line_match *lines;
    size_t line_count, line_cap;
    struct linter_counts counts;
    const struct comparison *comparison; /* NULL: there is no baseline */
    uint32_t *archs; /* string numbers of the architectures of judged entries, in the order of the log */
    size_t arch_count, arch_cap;
    struct not_judged *not_judged; /* by rule */
    struct linter_private *private;
};

struct linter *linter_new(struct ruleset *rules, const struct model *model, const struct linter_options *options);
/* Sets what the model is compared with. Both are borrowed; acceptance may be NULL. Call it when the model is complete,
 * before linter_run. report_drift: findings on code of a toolkit other than the baseline's are notes. */
void linter_compare(struct linter *linter, const struct comparison *comparison, struct acceptance *acceptance,
                    bool report_drift);
/* Checks one raw line without its end, while the log is read. Needed only if rule_lines_wanted. */
void linter_line(struct linter *linter, struct str line, uint16_t log, size_t line_number);
/* Checks everything else. Call it once, after the last line. False with diagnostics if a rule cannot be judged (a
 * regular expression exceeds its limits): status 2. */
bool linter_run(struct linter *linter, struct diags *diags);
void linter_free(struct linter *linter);

/* The context of a finding or of a record (index in model.kernels) with the launch configuration that was judged; valid
 * until the next call. For a message that may be about several records it is that of the worst one: its values are
 * those of the message, but its architecture may not be. */
struct context *linter_context(struct linter *linter, const struct finding *finding);
struct context *linter_record(struct linter *linter, uint32_t kernel);
/* Stores at most `most` launches of a record that a profiler recorded, the most frequent first, and returns how many.
 */
size_t linter_launches(struct linter *linter, uint32_t kernel, const struct profile_launch **seen, size_t most);
/* True if the options select the record (never one that another record replaces), or the message (in model.events). */
bool linter_selects(struct linter *linter, uint32_t kernel);
bool linter_selects_event(struct linter *linter, uint32_t event);

/* How many kernels a rule that can fail the verdict could not judge because the log lacks values that ptxas states for
 * every kernel. Debug builds do not count. Call it after linter_run. */
enum unjudged { UNJUDGED_NONE, UNJUDGED_SOME, UNJUDGED_ALL };
enum unjudged linter_unjudged(const struct linter *linter, size_t rule);
enum unjudged linter_most_unjudged(const struct linter *linter); /* the highest value of all rules */

/* For a finding of a rule on kernels: the entry of its kernel in the baseline, or the nearest of those that the kernel
 * may replace; NULL: none. */
const struct kernel_metrics *finding_base(const struct linter *linter, const struct finding *finding);

void finding_message(struct linter *linter, const struct finding *finding, struct buf *out);
/* Appends one line that states what would remove the finding (the rule's `next`, computed from its values). False, and
 * nothing is appended, if the rule has none or a value is unknown. short_command: a command of `tune` has "nvcc ..."
 * instead of the options of the compile. */
bool finding_next(struct linter *linter, const struct finding *finding, bool short_command, struct buf *out);
/* True if it counts for the verdict: it has no exception and was not in the baseline. */
bool finding_counts(const struct finding *finding);
/* True if both count, both have the same exception, or both were in the baseline. */
bool finding_counts_alike(const struct finding *a, const struct finding *b);
/* True if it counts and is at or above fail_on. */
bool finding_fails(const struct linter *linter, const struct finding *finding);
/* True for findings of built-in rules on a profile (profile-mismatch, achieved-below-theoretical): baselines do not
 * store profiles. */
bool finding_is_of_profile(const struct linter *linter, const struct finding *finding);
/* By item of the comparison's head: true if a finding on its kernel fails the verdict. with_profile: findings on a
 * profile too. The caller frees the array. */
bool *linter_failing_items(const struct linter *linter, bool with_profile);
/* The reason of the exception that suppresses the finding; empty: it is not suppressed. */
struct str finding_reason(const struct linter *linter, const struct finding *finding);
/* True if a comment in the source suppresses the finding; false if the configuration or nothing does. */
bool finding_allowed_in_source(const struct linter *linter, const struct finding *finding);

/* The places of that kind in a kernel's code, one for each source line, worst first; *count 0: none or unknown. The
 * caller frees the array. */
struct code_site *kernel_sites(const struct model *model, const struct kernel *kernel, enum rule_sites kind,
                               size_t *count);
/* The places of the kind that the finding's rule lists. */
struct code_site *finding_sites(const struct linter *linter, const struct finding *finding, size_t *count);

/* The message that a finding is about; NULL: its rule is not on messages. */
const struct event *finding_event(const struct linter *linter, const struct finding *finding);

/* The log of the finding: index in model.logs. */
uint16_t finding_log(const struct linter *linter, const struct finding *finding);
/* The architecture that the finding is about; empty: several, or unknown. */
struct str finding_arch(const struct linter *linter, const struct finding *finding);

/* The place of a finding: in a source file if that is known, else the worst of its sites, else the line of the log. */
struct finding_place {
    struct str path;       /* of the source; empty: unknown */
    uint32_t line, column; /* 0 unknown */
    struct str log;        /* the log's path */
    uint32_t log_line;
    bool in_log;    /* the place is in the log: no line of the source is known */
    bool of_site;   /* path and line are of a site in the code: the place of the kernel is unknown */
    bool from_here; /* log_info.from_here of the log */
};
struct finding_place finding_place(const struct linter *linter, const struct finding *finding);
