/*
 * markdown_page: a page of Markdown, made of sections, with at most --max-bytes bytes. A section that does not fit is
 * written again with fewer rows. A section is omitted if none of its rows fits, and the page then states its title.
 */
#pragma once

#include "report/changes.h"
#include "report/summary.h"

struct markdown_page {
    const struct report *report;
    struct changes changes; /* of a comparison; empty without one */
    struct summary summary; /* for check and report */
    struct delta delta;     /* for diff */
    size_t room;            /* bytes left for the page */
    size_t most;            /* most rows that the section may have now */
    struct buf left_out;    /* titles of omitted sections */
};

struct markdown_section {
    const char *title; /* stated if the section is omitted */
    /* Appends the section with its first rows, at most page->most, and with the total if there are more; nothing if the
     * section is empty. Returns the number of rows; 1 for a section that has no rows. */
    size_t (*write)(struct markdown_page *page, struct buf *out);
    bool matters; /* its room is reserved before that of all sections without `matters` */
};

struct markdown_page markdown_page_make(const struct report *report);
void markdown_page_free(struct markdown_page *page);
void markdown_write(struct markdown_page *page, const struct markdown_section *sections, size_t count, struct out *out);

/* Appends the lines as a list, with the total if the list is cut; returns how many lines it appended. */
size_t markdown_rows(struct str lines, size_t most, const char *noun, struct buf *out);
/* Appends "12 of 60 kernels shown." if fewer than all are shown. */
void markdown_shown(size_t shown, size_t total, const char *noun, struct buf *out);
/* Writes a section with the exceptions that cover findings, and their reasons. */
size_t markdown_allowed(struct markdown_page *page, struct buf *out);
