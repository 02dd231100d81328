/*
 * markdown_page: a page of Markdown, in sections, that is no longer than --max-bytes. A section for which there is no
 * room is written again with fewer rows; one of which no row fits is left out, and the page says so.
 */
#ifndef REPORT_MARKDOWN_PAGE_H
#define REPORT_MARKDOWN_PAGE_H

#include "report/changes.h"
#include "report/summary.h"

struct markdown_page {
    const struct report *report;
    struct changes changes; /* with a comparison; none without one */
    struct summary summary; /* of check and report */
    struct delta delta;     /* of diff */
    size_t room;            /* bytes that the page may still have */
    size_t most;            /* rows that the section may have now */
    struct buf left_out;    /* titles of sections of which no row fits */
};

struct markdown_section {
    const char *title; /* where it is left out */
    /* Appends the section with its first rows, page->most or fewer, and where there are more says of how many; nothing
     * of an empty one. Returns how many rows it appended; 1 of a section that has no rows. */
    size_t (*write)(struct markdown_page *page, struct buf *out);
    bool matters; /* it gets its room before the sections in front of it that do not */
};

struct markdown_page markdown_page_make(const struct report *report);
void markdown_page_free(struct markdown_page *page);
void markdown_write(struct markdown_page *page, const struct markdown_section *sections, size_t count, struct out *out);

/* Appends lines as a list, and how many there are where it is cut; returns how many it appended. */
size_t markdown_rows(struct str lines, size_t most, const char *noun, struct buf *out);
/* Appends "12 of 60 kernels shown." where some are not. */
void markdown_shown(size_t shown, size_t total, const char *noun, struct buf *out);
/* As a section: the exceptions that cover findings, with their reasons. */
size_t markdown_allowed(struct markdown_page *page, struct buf *out);

#endif
