/*
 * site_listing: the source lines at which a kernel spills, or accesses arrays in local memory, with the lines around
 * them, file by file. The paths come from a binary, and a report may be published: only regular files of the checkout
 * are read, none that is hidden or in a hidden folder. Without the source the lines stand alone.
 */
#ifndef REPORT_SITE_LISTING_H
#define REPORT_SITE_LISTING_H

#include "report/report.h"

enum site_kind { SITE_SPILL, SITE_ARRAY, SITE_KINDS };

/* The accesses of a line in as many loops: code that is inlined twice may be inside a loop and outside of it. */
struct site_line {
    uint32_t file;                      /* into model.strings; NO_INDEX: the line is not known */
    uint32_t line;                      /* from 1 */
    uint32_t depth;                     /* loops around the accesses */
    uint32_t file_rank;                 /* files are in the order of their worst lines; NO_INDEX is the last */
    struct code_site sites[SITE_KINDS]; /* without loads and stores where the line has none of the kind */
};

struct site_row {
    const struct site_line *hit; /* NULL: no accesses */
    uint32_t number;             /* of the line; 0: lines are left out before the next row */
    struct str code;             /* the line of the source without its end, in the first row of the line only; "..."
                                  * where lines are left out */
};

struct site_file {
    uint32_t path; /* into model.strings; NO_INDEX: not known */
    enum site_source {
        SOURCE_SHOWN,
        SOURCE_UNREADABLE, /* from here */
        SOURCE_REFUSED,    /* it is there, and may not be read: see location_may_be_read */
        SOURCE_CHANGED,    /* it does not have all of the lines */
        SOURCE_STATES
    } source;
    struct site_row *rows;
    size_t count, cap;
    struct buf text;
};

struct site_listing {
    const struct report *report;
    bool from_here;          /* relative paths lead to the sources from the working directory */
    size_t most;             /* elements of lines, where unknown lines are left out; 0: all */
    struct site_line *lines; /* by file, then by line, then the deepest loop first */
    size_t count, cap;
    size_t left_out; /* sites that have no element in lines, as code_sites_by_line counts them */
    size_t next;     /* line of the next file */
    struct site_file file;
};

void site_listing_add(struct site_listing *listing, const struct kernel *kernel, enum site_kind kind);
/* The rows of the next file, until the next call; NULL: there is none. */
const struct site_file *site_listing_next(struct site_listing *listing);
void site_listing_free(struct site_listing *listing);

#endif
