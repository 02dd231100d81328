/*
 * manual: the manual pages src/cli/man/NAME.SECTION.md, which the build embeds in the program. `warplint help` prints
 * them as text and the build installs them as mdoc, so neither needs another program.
 *
 * A page is Markdown: `# NAME(SECTION): description`, `## ` headings, paragraphs, lists of `- `, code blocks that are
 * indented by four and follow an empty line, `code` and [links](to). A comment is on a line of its own. The following
 * comments are replaced by the text that --help prints:
 *
 *   <!-- usage -->   <!-- options -->   <!-- statuses -->
 */
#pragma once

#include "base/buf.h"

struct manual_page {
    const char *name;  /* "warplint-check" */
    const char *topic; /* the name for `warplint help`: "check"; "warplint" for warplint(1) */
    int section;
    struct str text;
};

/* Sorted by name, then section. The build generates the table: ci/embed-manual.cmake. */
extern const struct manual_page manual_pages[];
extern const size_t manual_page_count;

void manual_text(const struct manual_page *page, struct buf *out);
void manual_mdoc(const struct manual_page *page, struct buf *out);
