/* judge_private: what the files of the judge share. judge.c runs, judge_select.c chooses and sets subjects,
 * judge_messages.c judges messages and lines, judge_known.c compares with the baseline; finding.c makes and shows
 * findings. */
#ifndef LINT_JUDGE_PRIVATE_H
#define LINT_JUDGE_PRIVATE_H

#include "lint/judge.h"
#include "lint/memo.h"

enum choice { NOT_ASKED, CHOSEN, LEFT_OUT };

/* A rule on messages of one name. */
struct event_rule {
    uint32_t event; /* string number of the name */
    uint16_t rule;
};

/* A finding of a message that names a function, before the findings of one loop become one. */
struct cause {
    uint32_t event;    /* its message */
    uint32_t reported; /* the message of the finding that is reported for it */
    uint32_t next;     /* of the same name, into causes; NO_INDEX: none */
    uint16_t rule;
};

struct judge_private {
    struct memo memo;
    uint16_t *memo_rules, *record_rules; /* rules on kernels that are evaluated once for a set of metrics; for each */
    size_t memo_rule_count, record_rule_count;
    struct launch_resolver *launches;
    uint32_t other_launch_config;  /* while another launch than the record's is judged or shown; else NO_INDEX */
    struct exceptions *exceptions; /* NULL: there are none */
    struct acceptance *acceptance; /* what the baseline accepts of rules on messages and lines; NULL: there is none */
    bool report_drift;
    struct arena arena;      /* texts of matched lines */
    uint8_t *arch_choice;    /* enum choice, by string number */
    uint8_t *arch_known;     /* enum choice, by string number: it is in the table */
    uint8_t *name_choice;    /* enum choice, by name number */
    bool *name_seen;         /* a judged entry has this name */
    uint8_t *name_marks;     /* see struct subject */
    uint32_t *first_of_name; /* the first record of a name; NULL: not needed yet */
    uint32_t *next_of_name;  /* by record: the next one of the same name */
    struct event_rule *event_rules;
    size_t event_rule_count, event_rule_cap;
    struct subject subject; /* of judging */
    struct subject shown;   /* of judge_subject and judge_record */
    struct buf scratch;
    struct cause *causes; /* empty where no rule on kernels is left to one on messages */
    size_t cause_count, cause_cap;
    uint32_t *cause_of_name;     /* the last of a name, into causes; NULL: there is none */
    size_t first_of_messages;    /* findings of rules on messages begin there, in the order of the events */
    struct str *captures;        /* room for the named groups of every pattern */
    struct rule_result *results; /* room for what every rule says of a record */
};

/* rule_evaluate, with the rule's number in the result. */
struct rule_result judge_evaluate(struct judge *judge, uint16_t rule, struct subject *subject,
                                  const struct str *captures);
/* kernel, event: as in struct finding. */
void judge_add_finding(struct judge *judge, const struct rule_result *result, uint32_t kernel, uint32_t event);
/* `other` says all that `rule` says of the same kernel, so that `rule` is silent where it fires. A user's rule with the
 * id of a built-in one may say less: it supersedes no built-in rule. */
bool judge_supersedes(const struct judge *judge, uint16_t other, uint16_t rule);

bool judge_selects_arch(struct judge *judge, uint32_t arch); /* a string number, or NO_INDEX */
bool judge_selects_name(struct judge *judge, uint32_t name); /* a name number, or NO_INDEX */
/* kernel, event: NO_INDEX for none. */
void judge_set_subject(struct judge *judge, struct subject *subject, uint32_t kernel, uint32_t event);
/* The kernel with the numbers of an entry of the baseline. */
struct subject *judge_subject_then(struct judge *judge, uint32_t kernel, const struct kernel_metrics *then);

void judge_mark_names(struct judge *judge);
/*
 * The kernel that a message about a function is about: of its architecture where it names one, else the worst of all,
 * so that a loop counts as harmless only when its kernel is clean everywhere; *sure when the architecture is. False:
 * the message is deselected.
 */
bool judge_find_kernel(struct judge *judge, const struct event *event, uint32_t *kernel, bool *sure);
void judge_messages(struct judge *judge);

/* States of the baseline, what other rules say better, counts. */
void judge_settle(struct judge *judge);

#endif
