/*
 * summary: the statistics that somebody asks for who does not read every row, and the records gathered by template.
 * Computed here and shown by text, Markdown, HTML and JSON.
 */
#ifndef REPORT_SUMMARY_H
#define REPORT_SUMMARY_H

#include "base/json.h"
#include "report/report.h"

struct table; /* report/table.h */

/* The tables that people read. */
enum table_kind { IN_TEXT = 1, IN_MARKDOWN = 2, IN_PAGE = 4 };

/* What is known of a record's occupancy. */
struct occupancy_shown {
    int warps, max_warps; /* per SM; max_warps 0: nothing is known */
    int threads;          /* the block size; of the best case: the largest one that reaches it */
    unsigned limiters;    /* bits 1 << enum limiter; of the best case: what bounds every block size */
    bool bound;           /* threads is a launch bound, the most that a launch may have */
    bool best;            /* the block size is not known: no block size reaches more */
    bool at_most;         /* an upper bound: best, or the size of dynamic shared memory is not known */
};
struct occupancy_shown occupancy_shown_of(struct context *context);
/* "62.5", at most one decimal, without a sign; "<=" before an upper bound is the writer's. */
void occupancy_percent(const struct occupancy_shown *occupancy, struct buf *out);
/* Negative when a is lower. Unknown is higher than everything. */
int occupancy_shown_compare(const struct occupancy_shown *a, const struct occupancy_shown *b);

/* Of several records. Initialise with zeros; max_warps stays 0 where nothing is known of any of them. */
struct occupancy_range {
    struct occupancy_shown lowest, highest;
};
/* True: it is the lowest. */
bool occupancy_range_add(struct occupancy_range *range, const struct occupancy_shown *occupancy);
/* The lowest one is not the highest. */
bool occupancy_range_is_wide(const struct occupancy_range *range);

/* The records of one template, or of one kernel that is no template. */
struct template_summary {
    struct str name;       /* of the template, or the label of its only kernel; safe, at most LABEL_WIDTH bytes */
    uint32_t first, count; /* summary.members[first .. first + count), in the order of the report */
    size_t kernels;        /* distinct names */
    size_t spilling;       /* records that spill */
    int32_t registers;     /* largest; UNKNOWN */
    int64_t spill_stores;  /* bytes, sum over the records */
    int64_t spill_loads;   /* bytes, sum over the records */
};

enum { REGISTER_BUCKETS = 10, LOWEST_KERNELS = 10 };

/* What limits occupancy, by number of entries: a limiter alone (enum limiter), or one of these. */
enum {
    LIMITED_SEVERAL = LIMIT_COUNT,
    LIMITED_NOT,     /* all warps are active */
    LIMITED_ZERO,    /* cannot launch */
    LIMITED_UNKNOWN, /* no architecture or no registers */
    LIMITED_COUNT
};

struct summary {
    const struct report *report;
    struct arena arena;
    uint32_t *order; /* every record shown, worst first, as report_order */
    size_t count;
    struct template_summary *templates; /* worst first */
    size_t template_count, template_cap;
    uint32_t *members;     /* into model.kernels */
    uint32_t *template_of; /* by place in the order */

    unsigned known; /* columns of tables, as kernel_columns_known says */
    size_t entries;
    size_t limited[LIMITED_COUNT][2]; /* [0] at the known block size, [1] at the best one */
    struct bucket {
        int from, to; /* registers per thread */
        size_t entries;
    } registers[REGISTER_BUCKETS];
    struct code_size {
        uint32_t log, arch; /* into model.logs, NO_INDEX: all of them; into model.strings */
        size_t entries;
        int64_t bytes; /* of machine code */
    } * code;          /* of binaries: of each architecture, most bytes first; then the same of each file */
    size_t code_count;
    const struct template_summary **spilling; /* those that spill, most bytes first */
    size_t spilling_count;
    size_t unstated_spills; /* records that state no spills */
    struct low_kernel {
        uint32_t kernel; /* into model.kernels */
        struct occupancy_shown occupancy;
    } lowest[LOWEST_KERNELS]; /* entries with the lowest share of active warps, but not with all of them */
    size_t lowest_count;
};

/* A template on one architecture (a string number): what a cell of the heat map shows. */
struct heat {
    struct occupancy_range occupancy; /* max_warps 0: there is no such record, or nothing is known of it */
    uint32_t kernel;                  /* that has the lowest; NO_INDEX: none */
};

struct summary summary_make(const struct report *report); /* release with summary_free */
void summary_free(struct summary *summary);

struct heat summary_heat(const struct summary *summary, const struct template_summary *template, uint32_t arch);

/* The statistics as tables, some without rows behind the heads. To be released with table_free. */
enum statistic { STATISTIC_CODE, STATISTIC_LIMITERS, STATISTIC_SPILLS, STATISTIC_LOWEST, STATISTICS };
extern const char *const statistic_titles[STATISTICS];
struct table summary_table(const struct summary *summary, enum statistic statistic, enum table_kind kind);

/* All of it as text; as an object for JSON. */
void summary_text(const struct summary *summary, struct buf *out);
void summary_json(const struct summary *summary, struct json *json);

#endif
