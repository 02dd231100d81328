/*
 * changes: what a comparison says to people: rows of old and new figures, worst first, those of one template together,
 * with the arguments that tell its instances apart. Architectures with equal figures are one row. What is new and has
 * no finding, and what is as good as what it may replace, is only counted without --all.
 */
#ifndef REPORT_CHANGES_H
#define REPORT_CHANGES_H

#include "report/delta.h"

enum change_section {
    CHANGES_WORSE,      /* worse, or a finding at or above warning counts */
    CHANGES_SUCCESSORS, /* new ones that are worse than what they may have replaced */
    CHANGES_OTHER,
    CHANGES_BETTER,
    CHANGES_NEW, /* with a finding at or above warning */
    CHANGES_GONE,
    /* the rest: only counted without --all */
    CHANGES_AS_GOOD,  /* new ones that are not worse than what they may have replaced */
    CHANGES_MINOR,    /* new ones without a finding at or above warning */
    CHANGES_REPLACED, /* gone ones that others may have replaced */
    CHANGE_SECTIONS,
};
extern const char *const change_titles[CHANGE_SECTIONS];

struct change_row {
    uint8_t section, severity;  /* of the worst finding that counts; SEVERITY_OFF: there is none */
    int32_t was[MEASURE_COUNT]; /* UNKNOWN: of a new one, too */
    int32_t is[MEASURE_COUNT];  /* of a gone one UNKNOWN */
    bool has_base, has_head;
    uint32_t kernel;  /* of the head's model; NO_INDEX: gone, or the head is a file */
    struct str id;    /* of the head, where it is gone of the base */
    struct str name;  /* spelled, whole, printable */
    struct str mark;  /* "parameters changed", "may replace 2 that are gone", "in a.cu"; empty: none */
    struct str rule;  /* of the finding that `severity` is of; empty: there is none */
    struct str archs; /* "sm_80 sm_90"; "-": not known */
    struct str source;
    bool one_source;               /* of all entries that it stands for */
    uint32_t sources, all_sources; /* on its architectures: those that it stands for, all that have the kernel */
    uint32_t group;
    struct str *arguments; /* those that tell it from the others of its group; none where it stands alone */
    size_t argument_count;
};

struct changes {
    struct arena arena;
    struct change_row *rows; /* in order: by section, then by group */
    size_t count;
    struct str *heads; /* by group: its template with "*" for arguments that differ; empty: it has one kernel */
    int columns[MEASURE_COUNT]; /* measures in which some row has another value than before */
    size_t column_count;
    size_t only_counted[CHANGE_SECTIONS - CHANGES_AS_GOOD]; /* entries of the last sections that are no rows */
};

struct changes changes_make(const struct report *report); /* release with changes_free */
void changes_free(struct changes *changes);

enum { CHANGES_SPILLS = MEASURE_COUNT }; /* in place of a measure: stores and loads together */

/* Appends "18 -> 40" with the given arrow, "40" where nothing changed, " -> 40" and "18 -> " with one side. */
void changes_cell(const struct change_row *row, int measure, const char *arrow, struct buf *out);
extern const char *const change_words[CHANGE_SECTIONS]; /* of a row in a section: "worse" "successor" ... */
/* "error" "warning" "note"; empty where no finding counts. */
const char *changes_severity(const struct change_row *row);
/* Appends the arguments of a row; the name of one that stands alone, elided. */
void changes_name(const struct changes *changes, const struct change_row *row, struct buf *out);
/* The same as a table of Markdown: its two first lines; a row, with the template of its group in front where the group
 * begins or `first` is set. */
void changes_markdown_head(const struct changes *changes, struct buf *out);
void changes_markdown_row(const struct changes *changes, size_t number, bool first, struct buf *out);
/* Appends "84 new with notes at most; 36 gone, new ones may replace them"; false: every entry has its row. */
bool changes_rest(const struct changes *changes, struct buf *out);

#endif
