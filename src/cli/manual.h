/*
 * manual: the manual pages, src/cli/man/NAME.SECTION.md, which the build puts into the program. `warplint help` prints
 * them as text and the build installs them as mdoc, so both need nothing but this program.
 *
 * A page is Markdown: `# NAME(SECTION): what it is`, `## ` headings, paragraphs, lists of `- `, blocks that
 * are indented by four behind an empty line, `code` and [links](to). A comment is a line of its own. These are replaced
 * by what --help prints:
 *
 *   <!-- usage -->   <!-- options -->   <!-- statuses -->
 */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include "base/buf.h"

struct manual_page {
    const char *name;  /* "warplint-check" */
    const char *topic; /* for `warplint help`: "check"; of warplint(1) "warplint" */
    int section;
    struct str text;
};

/* Sorted by name, then section. Made by the build: ci/embed-manual.cmake. */
extern const struct manual_page manual_pages[];
extern const size_t manual_page_count;

void manual_text(const struct manual_page *page, struct buf *out);
void manual_mdoc(const struct manual_page *page, struct buf *out);

#endif
