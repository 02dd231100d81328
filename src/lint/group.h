/*
 * group: findings that say the same of the same code. One rule on the instances of one template in one source file is
 * one group, shown by its worst member; messages with a place group by that place; suppressed ones are in no group. The order is total: severity first,
 * then the worst value, the rule, the name and the architecture.
 */
#ifndef LINT_GROUP_H
#define LINT_GROUP_H

#include "lint/judge.h"

struct group {
    uint32_t worst;        /* into judge.findings */
    uint32_t first, count; /* members: groups.members[first .. first + count), findings in the order of the log */
    uint32_t kernels;      /* distinct names among them */
    struct str label;      /* the template's name, or empty */
    uint16_t rule;
    uint8_t severity;      /* of the worst member */
};

struct groups {
    struct arena arena;
    struct group *items; /* see groups_make */
    size_t count, cap;
    uint32_t *members;   /* indices into judge.findings */
    size_t member_count;
};

/* The worst GROUPS_SORTED groups stand first, in order and with their labels: no report shows more of them. The others
 * follow in no particular order and without labels. */
enum { GROUPS_SORTED = 100 };
void groups_make(struct groups *groups, struct judge *judge);
void groups_free(struct groups *groups);

/* All findings, worst first, in the same total order: an array of finding_count indices, released with free. */
uint32_t *findings_sorted(struct judge *judge);

#endif
