/*
 * group: findings that say the same of the same code. One rule on the instances of one template in one source file is
 * one group, shown by its worst member; messages with a place group by that place; suppressed ones are in no group, or
 * in groups of their own. The worst member is the one with the highest severity, then with the largest `worst`.
 * The order is total: severity first, then what the kernel costs (spilled bytes, then what its occupancy lacks), the
 * rule, its `worst`, the name and the architecture.
 */
#ifndef LINT_GROUP_H
#define LINT_GROUP_H

#include "lint/linter.h"

struct group_total {
    uint32_t worst; /* into groups.findings */
    uint32_t count; /* findings in it */
    uint32_t next;  /* groups_make's own: of the same code, into groups.all + 1 */
};

/* One that is shown by itself. */
struct group {
    uint32_t worst, count;
    uint32_t first;   /* its members are groups.members[first .. first + count), in the log's order */
    uint32_t kernels; /* distinct names among the members */
    struct str label; /* the template's name, or empty */
    uint16_t rule;
    uint8_t severity; /* of the worst member */
};

/* No report for people shows more groups than these one by one. */
enum { GROUPS_SHOWN = 100 };

struct groups {
    struct arena arena;
    struct group_total *all; /* in the order of their first findings */
    size_t count, cap;
    uint32_t *group_of;  /* by finding: into all; NO_INDEX: it does not count, and is in none */
    struct group *shown; /* worst first */
    size_t shown_count;
    const struct finding *findings; /* of the linter */
    uint32_t *members;              /* indices into findings */
};

/* all: every group, with members, those that count first; what one exception covers, and what the baseline knows, is in
 * groups of its own, whose worst member does not count. For reports to programs. */
void groups_make(struct groups *groups, struct linter *linter, bool all);
void groups_free(struct groups *groups);

/* All findings, worst first, in the same total order: an array of finding_count indices, released with free. */
uint32_t *findings_sorted(struct linter *linter);

#endif
