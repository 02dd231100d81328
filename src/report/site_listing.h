/*
 * site_listing: the source lines where a kernel spills or accesses arrays in local memory, with the lines around them,
 * file by file. The paths come from a binary, and a report may be published. So the listing reads only regular files of
 * the checkout, no hidden ones and none in a hidden folder. Without the source, the rows have line numbers only.
 */
#pragma once

#include "report/report.h"

enum site_kind { SITE_SPILL, SITE_ARRAY, SITE_KINDS };

/* The accesses of one line at one loop depth: code that is inlined twice can be inside a loop and outside of it. */
struct site_line {
    uint32_t file;                      /* into model.strings; NO_INDEX: line unknown */
    uint32_t line;                      /* from 1 */
    uint32_t depth;                     /* number of loops around the accesses */
    uint32_t file_rank;                 /* files are sorted by their worst lines; NO_INDEX: last */
    struct code_site sites[SITE_KINDS]; /* by kind; no loads and stores if the line has none of the kind */
};

struct site_row {
    const struct site_line *hit; /* NULL: a line without accesses */
    uint32_t number;             /* of the line; 0: lines are omitted before the next row */
    struct str code;             /* the source line without its end, only in the first row of the line; "..." for
                                    omitted lines */
};

struct site_file {
    uint32_t path; /* into model.strings; NO_INDEX: unknown */
    enum site_source {
        SOURCE_SHOWN,
        SOURCE_UNREADABLE, /* the file cannot be read from the working directory */
        SOURCE_REFUSED,    /* the file exists but must not be read: see location_may_be_read */
        SOURCE_CHANGED,    /* the file does not have all of the lines */
        SOURCE_STATES
    } source;
    struct site_row *rows;
    size_t count, cap;
    struct buf text;
};

struct site_listing {
    const struct report *report;
    bool from_here;          /* relative paths start at the working directory */
    size_t most;             /* upper limit of `count`; with a limit, unknown lines are omitted; 0: none */
    struct site_line *lines; /* sorted by file, then by line, then the deepest loop first */
    size_t count, cap;
    size_t left_out; /* number of sites without an element in `lines`, counted as by code_sites_by_line */
    size_t next;     /* index of the first line of the next file */
    struct site_file file;
};

void site_listing_add(struct site_listing *listing, const struct kernel *kernel, enum site_kind kind);
/* The rows of the next file, valid until the next call; NULL if there is none. */
const struct site_file *site_listing_next(struct site_listing *listing);
void site_listing_free(struct site_listing *listing);
