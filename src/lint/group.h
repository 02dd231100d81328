/*
 * group: joins findings of one rule on the same code. The findings on the instances of one template in one source file
 * are one group, shown by its worst member; those on messages with a place are grouped by that place. Suppressed
 * findings are in no group, or in groups of their own. The worst member has the highest severity, then the largest
 * `worst`. Groups have a total order: severity, then the cost of the kernel (spilled bytes, then the occupancy that it
 * lacks), the rule, its `worst`, the name and the architecture.
 */
#pragma once

#include "lint/linter.h"

struct group_total {
    uint32_t worst; /* in groups.findings */
    uint32_t count; /* of findings */
    uint32_t next;  /* used by groups_make: the next group of the same code, 1 + its index in groups.all */
};

/* A group that a report shows. */
struct group {
    uint32_t worst, count;
    uint32_t first;   /* its members are groups.members[first .. first + count), in the log's order */
    uint32_t kernels; /* distinct names among the members */
    struct str label; /* the name of the template, or empty */
    uint16_t rule;
    uint8_t severity; /* of the worst member */
};

/* The most groups that a report for people lists. */
enum { GROUPS_SHOWN = 100 };

struct groups {
    struct arena arena;
    struct group_total *all; /* in the order of their first findings */
    size_t count, cap;
    uint32_t *group_of;  /* by finding: in all; NO_INDEX: it does not count and has no group */
    struct group *shown; /* worst first */
    size_t shown_count;
    const struct finding *findings; /* of the linter */
    uint32_t *members;              /* indices into findings */
};

/* all: make every group, with its members, the counting ones first; findings with one exception, and findings that were
 * in the baseline, have groups of their own, whose worst member does not count. For reports that programs read. */
void groups_make(struct groups *groups, struct linter *linter, bool all);
void groups_free(struct groups *groups);

/* All findings, worst first, in the same total order: an array of finding_count indices that the caller frees. */
uint32_t *findings_sorted(struct linter *linter);
