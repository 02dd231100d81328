/*
 * delta: the input of the `diff` writers: the pairs that changed, worst first, and totals for each architecture. To add
 * a format: its function, diff_<format>, beside that of `check` or in a file of its own, its prototype and its row in
 * report.h.
 */
#pragma once

#include "report/label.h"
#include "report/report.h"
#include "report/table.h"

#define SUM_UNKNOWN INT64_MIN /* at least one kernel's value is unknown */

/* The totals of one architecture, or of all. Blocks and warps are not summed. */
struct delta_totals {
    struct str arch; /* empty: unknown; "all" for the totals of all */
    size_t by_state[COMPARE_STATES], renamed;
    struct delta_sums {
        int64_t entries, values[MEASURE_COUNT];
    } base, head;
};

struct delta {
    const struct report *report;
    const struct comparison *comparison;
    struct intern names; /* identities of both sides */
    struct labels labels;
    const struct pair **rows;        /* changed pairs, worst first; then unchanged pairs of renamed kernels */
    size_t row_count, changed_count; /* rows[0 .. changed_count) are the changed pairs */
    struct delta_totals *archs;      /* in ascending order of the architecture */
    size_t arch_count, arch_cap;
    struct delta_totals all;
};

void delta_make(struct delta *delta, const struct report *report);
/* Prepares names and labels only, without rows and totals. */
void delta_make_names(struct delta *delta, const struct report *report);
void delta_free(struct delta *delta);

/* The two entries of a pair, with its names. */
struct delta_pair {
    const struct kernel_metrics *base, *head; /* NULL: no entry on that side */
    const struct kernel_metrics *entry;       /* the head's entry; the base's if the kernel is gone */
    struct str id, arch, source;              /* of `entry` */
    struct str base_id;                       /* empty: no base entry */
};
struct delta_pair delta_pair(const struct comparison *comparison, const struct pair *pair);
/* Sets the costs that rows are sorted by, the larger first: spilled bytes, lost warps, registers, stack and shared
 * memory. grown (MEASURE_COUNT): the differences, or the values of a new or gone kernel; UNKNOWN counts as 0. falls:
 * the costs are negative. */
enum { DELTA_COSTS = 5 };
void delta_costs(const int32_t *grown, bool falls, int64_t *costs);
/* True if only the parameters of a renamed kernel changed, so that its label is the same. */
bool delta_keeps_name(const struct comparison *comparison, const struct pair *pair);
/* Sets the new and the old name of a renamed kernel. These are the labels. If only the parameters changed, they are the
 * whole names, or for long names the labels with the parameters from the first different one on. */
void delta_names(struct delta *delta, const struct pair *pair, struct buf *now, struct buf *before);

/* True if some sum of an architecture differs from that of the base. */
bool delta_has_totals(const struct delta *delta);
struct table delta_table(const struct delta *delta); /* the totals; release with table_free */
/* Appends "12 kernel x arch: 3 worse (2 fail), 1 new, 8 the same". */
void delta_compared(const struct report *report, struct buf *out);
/* Appends "spill-regression 3, new-spill 1": the rules with findings that fail. Lines have at most `width` columns (0:
 * one line); all lines after the first begin with `indent` blanks. */
void delta_failing(const struct report *report, size_t width, size_t indent, struct buf *out);
/* Appends "FAILED, 2 warnings" without a line end. */
void delta_verdict(const struct report *report, struct buf *out);
