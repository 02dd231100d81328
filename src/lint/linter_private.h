/* linter_private: what the files of the linter share. linter.c runs, linter_select.c selects records and sets contexts,
 * linter_messages.c checks messages and lines, linter_known.c compares with the baseline; finding.c makes and shows
 * findings. */
#pragma once

#include "lint/linter.h"
#include "rules/evaluate.h"

enum choice { NOT_ASKED, CHOSEN, LEFT_OUT };

/* The results of the rules for one set of metrics: private->results[first .. first + count), in the order of the rules.
 */
struct remembered {
    uint32_t first, count;
};

struct linter_private {
    struct intern metric_keys;     /* many kernels of a build are equal in all that rules on metrics ask for: these */
    struct remembered *remembered; /* rules are evaluated once for each key; without this every result is the same */
    struct rule_result *results;
    size_t remembered_cap, result_count, result_cap;
    uint16_t *kernel_rules; /* rules on kernels that are evaluated */
    size_t kernel_rule_count;
    struct launch_resolver *launches;
    struct exceptions *exceptions;
    struct acceptance *acceptance; /* what the baseline accepts of rules on messages and lines; NULL: there is none */
    bool report_drift;
    struct arena arena;        /* of the linter: texts of matched lines, arrays whose size is known */
    uint8_t *name_choice;      /* enum choice, by name number */
    uint32_t *entries_of_arch; /* by string number: judged entries for this architecture */
    bool *name_seen;           /* by name number: a judged entry has this name */
    uint8_t *name_marks;       /* see struct context */
    uint32_t *first_of_name;   /* the first record of a name; NULL: not needed yet */
    uint32_t *next_of_name;    /* by record: the next one of the same name */
    struct context context;    /* of judging */
    struct context shown;      /* of linter_context and linter_record */
    struct buf scratch;
    size_t first_of_messages; /* findings of rules on messages begin there, in the order of the events */
    struct str *captures;     /* room for the groups of every pattern */
};

/* rule_evaluate, with the rule's number in the result. */
struct rule_result linter_evaluate(struct linter *linter, uint16_t rule, struct context *context,
                                   const struct str *captures);
/* Counts a rule that could not be judged for a kernel or a message. */
void linter_count_unknown(struct linter *linter, const struct rule_result *result);
/* kernel, event, launch_config: as in struct finding. */
void linter_add_finding(struct linter *linter, const struct rule_result *result, uint32_t kernel, uint32_t event,
                        uint32_t launch_config);

bool linter_selects_arch(const struct linter *linter, uint32_t arch); /* a string number, or NO_INDEX */
bool linter_selects_name(struct linter *linter, uint32_t name);       /* a name number, or NO_INDEX */
/* kernel, event: NO_INDEX for none; launch_config: as in struct finding. */
void linter_set_context(struct linter *linter, struct context *context, uint32_t kernel, uint32_t event,
                        uint32_t launch_config);
/* The context of the kernel with the values and, if stated, the launch of an entry of the baseline. */
struct context *linter_baseline_context(struct linter *linter, uint32_t kernel, uint32_t launch_config,
                                        const struct kernel_metrics *then);

void linter_mark_names(struct linter *linter);
/*
 * Finds the kernel that a message about a function is about: that of the architecture that the message names, else the
 * worst one, so that a loop counts as harmless only if its kernel is clean on all architectures. *sure: the
 * architecture is known. False: the message is deselected.
 */
bool linter_find_kernel(struct linter *linter, const struct event *event, uint32_t *kernel, bool *sure);
void linter_messages(struct linter *linter);

/* Compares all findings with the baseline, removes those that another rule supersedes, and counts the rest. */
void linter_settle(struct linter *linter);
