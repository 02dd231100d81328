/*
 * changes: a comparison as rows for people: the old and the new values, worst first, the rows of one template together,
 * with the template arguments that distinguish its instances. Architectures with equal values share a row. Without
 * --all, new kernels without findings, and new kernels that are as good as those they may replace, are only counted.
 */
#pragma once

#include "report/delta.h"

enum change_section {
    CHANGES_WORSE,      /* worse, or with a finding at or above warning */
    CHANGES_SUCCESSORS, /* new kernels that are worse than those they may have replaced */
    CHANGES_OTHER,
    CHANGES_BETTER,
    CHANGES_NEW, /* new, with a finding at or above warning */
    CHANGES_GONE,
    /* the following ones are only counted without --all */
    CHANGES_AS_GOOD,  /* new kernels that are not worse than those they may have replaced */
    CHANGES_MINOR,    /* new kernels without a finding at or above warning */
    CHANGES_REPLACED, /* gone kernels that others may have replaced */
    CHANGE_SECTIONS,
};
extern const char *const change_titles[CHANGE_SECTIONS];

struct change_row {
    uint8_t section, severity;  /* of the worst finding that counts; SEVERITY_OFF: none */
    int32_t was[MEASURE_COUNT]; /* in the base; UNKNOWN also for a new kernel */
    int32_t is[MEASURE_COUNT];  /* in the head; UNKNOWN also for a gone kernel */
    int64_t costs[DELTA_COSTS];
    bool has_base, has_head;
    uint32_t kernel;  /* index in the head's model; NO_INDEX: gone, or the head is a baseline file */
    struct str id;    /* identity in the head; in the base for a gone kernel */
    struct str name;  /* common spelling, whole, printable */
    struct str mark;  /* "parameters changed", "may replace 2 that are gone", "in a.cu"; empty: none */
    struct str rule;  /* the rule of the finding with `severity`; empty: none */
    struct str archs; /* "sm_80 sm_90"; "-": unknown */
    struct str source;
    bool one_source;               /* all entries of the row have the same source */
    uint32_t sources, all_sources; /* counted per architecture: sources of the row's entries, and all sources with the
                                      kernel */
    uint32_t group;
    struct str *arguments; /* arguments that distinguish the row in its group; none if it is alone */
    size_t argument_count;
    size_t *widths; /* by argument: the width of the widest one in the group */
};

struct changes {
    struct arena arena;
    struct change_row *rows; /* sorted by section, then by group */
    size_t count;
    struct str *heads; /* by group: its template with "*" for arguments that differ; empty: the group is one kernel */
    int columns[MEASURE_COUNT]; /* measures that differ between base and head in some row */
    size_t column_count;
    size_t only_counted[CHANGE_SECTIONS - CHANGES_AS_GOOD]; /* entries without a row, by section */
};

struct changes changes_make(const struct report *report); /* release with changes_free */
void changes_free(struct changes *changes);

enum { CHANGES_SPILLS = MEASURE_COUNT }; /* used as a measure: stores and loads together */

/* Appends "18 -> 40" with the given arrow, "40" if the value is equal or the row has one side, "18 -> -" and "- -> 40"
 * if one value is unknown. */
void changes_cell(const struct change_row *row, int measure, const char *arrow, struct buf *out);
extern const char *const change_words[CHANGE_SECTIONS]; /* the word for a row of each section: "worse" "new" ... */
/* "error" "warning" "note"; empty if no finding counts. */
const char *changes_severity(const struct change_row *row);
/* Appends the arguments of a row, or its shortened name if the row is alone in its group. */
void changes_name(const struct changes *changes, const struct change_row *row, struct buf *out);
/* The rows as a Markdown table: the two head lines; then each row. In a group of several kernels, the first row and a
 * row with `first` follow a row with the template of the group. */
void changes_markdown_head(const struct changes *changes, struct buf *out);
void changes_markdown_row(const struct changes *changes, size_t number, bool first, struct buf *out);
/* Appends "84 new with notes at most; 36 gone, new ones may replace them"; returns false if every entry has a row. */
bool changes_rest(const struct changes *changes, struct buf *out);
