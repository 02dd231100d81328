/*
 * summary: statistics for readers who do not read every row, and the records grouped by template. They are computed
 * here and shown by text, Markdown, HTML and JSON.
 */
#pragma once

#include "base/json.h"
#include "report/report.h"

struct table; /* report/table.h */

/* The tables for people, by format. */
enum table_kind { IN_TEXT = 1, IN_MARKDOWN = 2, IN_PAGE = 4 };

/* The occupancy of a record, as far as it is known. */
struct occupancy_shown {
    int warps, max_warps; /* per SM; max_warps 0: occupancy unknown */
    int threads;          /* the block size; for a best case: the largest one that reaches it */
    unsigned limiters;    /* bits 1 << enum limiter; for a best case: the limiters of every block size */
    bool bound;           /* `threads` is a launch bound, the largest block size of a launch */
    bool best;            /* block size unknown: the numbers are those of the best block size */
    bool at_most;         /* an upper bound: `best` is set, or dynamic shared memory is unknown */
};
struct occupancy_shown occupancy_shown_of(struct context *context);
/* Appends "62.5": at most one decimal, no percent sign. The writer adds "<=" for an upper bound. */
void occupancy_percent(const struct occupancy_shown *occupancy, struct buf *out);
/* In millionths, for comparisons; UNKNOWN. */
enum { ALL_WARPS = 1000000 };
int64_t occupancy_share(const struct occupancy_shown *occupancy);

/* The range over several records. Initialise with zeros; max_warps stays 0 if no record has a known occupancy. */
struct occupancy_range {
    struct occupancy_shown lowest, highest;
};
/* Returns true if the occupancy is the new lowest one. */
bool occupancy_range_add(struct occupancy_range *range, const struct occupancy_shown *occupancy);
/* True if the lowest and the highest occupancy differ. */
bool occupancy_range_is_wide(const struct occupancy_range *range);

/* The records of one template, or of one kernel that is not a template. */
struct template_summary {
    struct str name;       /* of the template, or the label of its only kernel; printable, at most LABEL_WIDTH bytes */
    uint32_t first, count; /* its records: summary.members[first .. first + count), in the order of the report */
    size_t kernels;        /* distinct names */
    size_t spilling;       /* records that spill */
    int32_t registers;     /* largest; UNKNOWN: none is known */
    int64_t spill_stores;  /* bytes, sum over the records */
    int64_t spill_loads;   /* bytes, sum over the records */
};

enum { REGISTER_BUCKETS = 10, LOWEST_KERNELS = 10 };

/* What limits the occupancy of a kernel: one limiter alone (enum limiter), or one of these. */
enum {
    LIMITED_SEVERAL = LIMIT_COUNT,
    LIMITED_NOT,     /* all warps are active */
    LIMITED_ZERO,    /* cannot launch */
    LIMITED_UNKNOWN, /* unknown architecture or registers */
    LIMITED_COUNT
};

struct summary {
    const struct report *report;
    struct arena arena;
    uint32_t *order; /* every record of the report, worst first, see report_order */
    size_t count;
    struct template_summary *templates; /* worst first */
    size_t template_count;
    uint32_t *members;     /* records grouped by template, as indices into model.kernels */
    uint32_t *template_of; /* template of each record, by index in `order` */

    unsigned known; /* bits of the optional table columns with a value, see kernel_columns_known */
    size_t entries;
    size_t limited[LIMITED_COUNT][2]; /* [0]: kernels with known block size, [1]: at the best block size */
    struct bucket {
        int from, to; /* registers per thread */
        size_t entries;
    } registers[REGISTER_BUCKETS];
    struct code_size {
        uint32_t log, arch; /* indices into model.logs (NO_INDEX: all logs) and model.strings */
        size_t entries;
        int64_t bytes; /* of machine code */
    } * code;          /* of binaries: each architecture over all files, most bytes first; then each file and
                          architecture */
    size_t code_count;
    const struct template_summary **spilling; /* templates with spills, most bytes first */
    size_t spilling_count;
    size_t unstated_spills; /* records without known spills */
    struct low_kernel {
        uint32_t kernel; /* in model.kernels */
        struct occupancy_shown occupancy;
    } lowest[LOWEST_KERNELS]; /* kernels with the lowest share of active warps; kernels with all warps active are not
                                 listed */
    size_t lowest_count;
};

/* One cell of the heat map: a template on one architecture (a string number). */
struct heat {
    struct occupancy_range occupancy; /* max_warps 0: no such record, or no known occupancy */
    uint32_t kernel;                  /* the one with the lowest occupancy; NO_INDEX: none */
};

struct summary summary_make(const struct report *report); /* release with summary_free */
void summary_free(struct summary *summary);

struct heat summary_heat(const struct summary *summary, const struct template_summary *template, uint32_t arch);

/* The statistics as tables; a table may have a head and no rows. Release with table_free. */
enum statistic { STATISTIC_CODE, STATISTIC_LIMITERS, STATISTIC_SPILLS, STATISTIC_LOWEST, STATISTICS };
extern const char *const statistic_titles[STATISTICS];
struct table summary_table(const struct summary *summary, enum statistic statistic, enum table_kind kind);

/* Append all statistics as text, or as a JSON object. */
void summary_text(const struct summary *summary, struct buf *out);
void summary_json(const struct summary *summary, struct json *json);
