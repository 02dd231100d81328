/*
 * linter: a whole model against a set of rules: each rule on kernels is evaluated for each kernel, each rule on
 * messages for each message of its names, each pattern for each line. All findings are listed; groups (lint/group.h)
 * are made afterwards.
 *
 * The linter borrows rules and model; both must outlive it.
 */
#ifndef LINT_LINTER_H
#define LINT_LINTER_H

#include "base/regex.h"
#include "config/profile.h"
#include "log/checkout.h"
#include "rules/rule.h"

struct linter_options {
    struct str_list archs;              /* judge only these, borrowed; sm_90 selects sm_90a too; none: all */
    struct regex *kernel;               /* only names (demangled) that it matches; NULL: all */
    struct launch_config launch_config; /* of every selected kernel: launch_config_none() or the command line's */
    enum severity fail_on;              /* the lowest severity that fails; SEVERITY_OFF: never */
    const struct config *config;        /* entries and exceptions count; NULL: none */
    const struct profile *profile;      /* launches that a profiler saw; NULL: none */
    int64_t today;                      /* for exceptions, see base/date.h */
    bool part;                          /* the input is a part of the build: exceptions that meet nothing are no news */
    bool partial;                       /* it was to be the whole, and something of it is missing */
    struct checkout checkout;           /* in which `source` of entries names files */
};

/* What the baseline knows of a finding. */
enum baseline_state {
    BASELINE_NONE,  /* there is no baseline */
    BASELINE_NEW,   /* its kernel or its message is not in the baseline, or the rule did not fire on what is there */
    BASELINE_WORSE, /* the rule fired on what is there, with a smaller value */
    BASELINE_UNCHANGED, /* known: it does not count for the verdict */
};
const char *baseline_state_name(enum baseline_state state); /* NULL for none, "new" "worse" "unchanged" */

struct finding {
    uint32_t kernel;        /* into model.kernels; NO_INDEX: none, or a message that may speak of several of its name */
    uint32_t event;         /* rules on messages: into model.events; on lines: into linter.lines; else NO_INDEX */
    float worst;            /* what the rule's `worst` says: larger is worse; -INFINITY: unknown or none */
    uint16_t rule;          /* into ruleset.rules */
    uint8_t severity;       /* enum severity */
    uint8_t which;          /* into rule.cases */
    uint8_t baseline_state; /* enum baseline_state */
    uint32_t launch_config; /* of another launch than the record's: see launch_resolver_number_of; NO_INDEX: the
                               record's own */
    uint32_t exception;     /* it is suppressed by that one and counts nowhere else; NO_INDEX: it is not */
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
    size_t deselected;      /* records that --arch or --kernel left out */
    size_t ambiguous;       /* entries with metrics whose owner cannot be known: judged on the others only */
    size_t unknown_arch;    /* entries on an architecture that is not in the table or not known: no occupancy */
    size_t no_threads;      /* entries without a block size: occupancy judged on the best case only */
    size_t past_bound;      /* entries whose launch bound is below --threads: their own is used */
    size_t overruled;       /* entries that require another block size than the one that is given: theirs is used */
    size_t no_dynamic_smem; /* entries with dynamic shared memory of unknown size: occupancy is an upper bound */
    size_t debug;           /* entries compiled with -G or -O0 */
    size_t no_barriers;     /* entries whose barriers are not stated, where they could limit the occupancy */
    size_t by_severity[SEVERITY_ERROR + 1]; /* findings */
    size_t failing;                         /* findings at or above fail_on */
    size_t unchanged;  /* findings that the baseline knows; they count neither by severity nor as failing */
    size_t unstated;   /* of them, those of loops that the inputs of the baseline said nothing of */
    size_t unstored;   /* of them, those of rules of one's own that ask for numbers which no baseline stores */
    size_t drifted;    /* findings that are notes because another toolkit than the baseline's compiled */
    size_t stale;      /* findings on messages and lines that the baseline accepts and that were not there */
    size_t unmet;      /* entries, exceptions and rules of one's own for kernels that are not in the input */
    size_t suppressed; /* findings that an exception covers; counted neither by severity nor as failing */
};

/* What a rule could not judge. */
struct not_judged {
    size_t times;     /* records or messages on which something that it asks for is unknown */
    size_t records;   /* of them, kernels on which that is something that ptxas states of every kernel */
    size_t entries;   /* of `times`, kernels */
    size_t functions; /* of `times`, device functions whose stack or spills are not stated */
    size_t ambiguous; /* of these, those whose numbers may be another's */
    uint32_t first;   /* of these, into model.kernels */
    uint8_t unstated; /* bits of enum stated, of these */
    uint16_t unknown; /* as in struct rule_result, of all `times`; 0: not the same of all */
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
/* What the model is compared with (both are borrowed, acceptance may be NULL), once the model is complete and before
 * linter_run. report_drift: what another toolkit than the baseline's compiled is a note. */
void linter_compare(struct linter *linter, const struct comparison *comparison, struct acceptance *acceptance,
                    bool report_drift);
/* One raw line without its end, while the log is read; needed only when rule_lines_wanted. */
void linter_line(struct linter *linter, struct str line, uint16_t log, size_t line_number);
/* Everything else, once, after the last line. False with diagnostics when a rule could not be judged (a regular
 * expression ran into its limits): status 2. */
bool linter_run(struct linter *linter, struct diags *diags);
void linter_free(struct linter *linter);

/* The context of a finding or of a record (index into model.kernels) with the launch configuration that judging used;
 * valid until the next call. For a message that may speak of several records it is the worst of them: good for the
 * numbers of its message, but its architecture is not the message's. */
struct context *linter_context(struct linter *linter, const struct finding *finding);
struct context *linter_record(struct linter *linter, uint32_t kernel);
/* The launches of a record that a profiler saw, the most frequent first: at most `most` of them are written, their
 * number is returned. */
size_t linter_launches(struct linter *linter, uint32_t kernel, const struct profile_launch **seen, size_t most);
/* The options select this record (never one that another stands for); this message (index into model.events). */
bool linter_selects(struct linter *linter, uint32_t kernel);
bool linter_selects_event(struct linter *linter, uint32_t event);

/* What a rule that fails the verdict could not judge because the log lacks what ptxas states of every kernel. Kernels
 * of a debug build do not count. After linter_run. */
enum unjudged { UNJUDGED_NONE, UNJUDGED_SOME, UNJUDGED_ALL };
enum unjudged linter_unjudged(const struct linter *linter, size_t rule);
enum unjudged linter_most_unjudged(const struct linter *linter); /* the most of any rule */

/* What the baseline has of the kernel of a finding of a rule on kernels: its entry, or of a kernel that took the place
 * of others the one that comes nearest to it; NULL: none. */
const struct kernel_metrics *finding_base(const struct linter *linter, const struct finding *finding);

void finding_message(struct linter *linter, const struct finding *finding, struct buf *out);
/* Appends what would change the finding, one line computed from its numbers (the rule's `next`); false, and nothing is
 * appended, where the rule has none or a number of it is not known. short_command: with "nvcc ..." for the
 * options of the compile in a command of `tune`. */
bool finding_next(struct linter *linter, const struct finding *finding, bool short_command, struct buf *out);
/* It counts for the verdict: no exception covers it, and the baseline does not know it. */
bool finding_counts(const struct finding *finding);
/* Both count, or one exception covers both, or the baseline knows both. */
bool finding_counts_alike(const struct finding *a, const struct finding *b);
/* It counts and is one of those that fail the verdict. */
bool finding_fails(const struct linter *linter, const struct finding *finding);
/* It is of a built-in rule that asks what a profile says (profile-mismatch, achieved-below-theoretical), which no
 * baseline holds. */
bool finding_is_of_profile(const struct linter *linter, const struct finding *finding);
/* By item of the comparison's head: some finding on its kernel fails the verdict; with_profile: also one of the
 * profile. Released with free. */
bool *linter_failing_items(const struct linter *linter, bool with_profile);
/* Why an exception allows the finding; empty where it is not suppressed. */
struct str finding_reason(const struct linter *linter, const struct finding *finding);
/* The exception is a comment in the source; false where the configuration has it, and where there is none. */
bool finding_allowed_in_source(const struct linter *linter, const struct finding *finding);

/* The places in a kernel's code of that kind by line, worst first; *count 0: none, or not known. Released with free. */
struct code_site *kernel_sites(const struct model *model, const struct kernel *kernel, enum rule_sites kind,
                               size_t *count);
/* Those that the finding's rule lists. */
struct code_site *finding_sites(const struct linter *linter, const struct finding *finding, size_t *count);

/* The message of a finding of a rule on messages; NULL: of another rule. */
const struct event *finding_event(const struct linter *linter, const struct finding *finding);

/* The log that it is from: into model.logs. */
uint16_t finding_log(const struct linter *linter, const struct finding *finding);
/* The architecture that a finding speaks of; empty where it may be several, or is not known. */
struct str finding_arch(const struct linter *linter, const struct finding *finding);

/* Where a finding stands: in a source file where one is known, else at the worst of its sites, else in the log. */
struct finding_place {
    struct str path;       /* of the source; empty: unknown */
    uint32_t line, column; /* 0 unknown */
    struct str log;        /* the log's path */
    uint32_t log_line;
    bool in_log;    /* it stands in the log: no line of the source is known */
    bool of_site;   /* path and line are of a site in the code: nothing is known of the kernel's own place */
    bool from_here; /* log_info.from_here of the log */
};
struct finding_place finding_place(const struct linter *linter, const struct finding *finding);

#endif
