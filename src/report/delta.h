/*
 * delta: what the writers of `diff` show: the pairs that changed, worst first, and totals for each architecture. To add
 * a format: diff_<format>.c with one function, its prototype and its row in report.h.
 */
#ifndef REPORT_DELTA_H
#define REPORT_DELTA_H

#include "report/label.h"
#include "report/report.h"
#include "report/table.h"

#define SUM_UNKNOWN INT64_MIN /* some kernel's number is not known */

/* Of one architecture, or of all; blocks and warps are no sums. */
struct delta_totals {
    struct str arch; /* empty: not known; of all: "all" */
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
    const struct pair **rows; /* those that are not the same, worst first, then those that are and have another name */
    size_t row_count, changed_count; /* changed ones are rows[0 .. changed_count) */
    struct delta_totals *archs;      /* by number of the architecture */
    size_t arch_count, arch_cap;
    struct delta_totals all;
};

void delta_make(struct delta *delta, const struct report *report);
/* Names and labels alone, no rows and no totals. */
void delta_make_names(struct delta *delta, const struct report *report);
void delta_free(struct delta *delta);

/* What a pair is of. */
struct delta_pair {
    const struct kernel_metrics *base, *head; /* NULL: it has none on that side */
    const struct kernel_metrics *entry;       /* the head's; the base's where it is gone */
    struct str id, arch, source;              /* of the entry */
    struct str base_id;                       /* empty: there is no base */
};
struct delta_pair delta_pair(const struct comparison *comparison, const struct pair *pair);
/* Of a renamed kernel: only its parameters changed, its label is what it was. */
bool delta_keeps_name(const struct comparison *comparison, const struct pair *pair);
/* The names of a renamed kernel, now and before: labels; where only the parameters changed, whole names, or of long
 * ones the parameters that differ. */
void delta_names(struct delta *delta, const struct pair *pair, struct buf *now, struct buf *before);

/* Some sum of bytes is another one than in the base. */
bool delta_has_totals(const struct delta *delta);
/* The totals as a table, to be released with table_free. */
struct table delta_table(const struct delta *delta); /* release with table_free */
/* Appends "12 kernel x arch: 3 worse (2 fail), 1 new, 8 the same". */
void delta_compared(const struct report *report, struct buf *out);
/* Appends "spill-regression 3, new-spill 1", the rules whose findings fail, in lines of at most so many columns (0: one
 * line) that begin with `indent` blanks behind the first. */
void delta_failing(const struct report *report, size_t width, size_t indent, struct buf *out);
/* Appends "FAILED, 2 warnings" without a line end. */
void delta_verdict(const struct report *report, struct buf *out);

#endif
