/* site: how reports describe a source line where a kernel spills or accesses an array in local memory.
 * log/local_memory.h defines a site. */
#pragma once

#include "log/local_memory.h"
#include "report/report.h"

/* Why the lines of spills are unknown, and how to get them. */
struct unlocated_text {
    const char *why, *fix; /* clauses */
};
extern const struct unlocated_text unlocated_texts[UNLOCATED_COUNT];

enum { SHOWN_SITES = 3 }; /* for a finding, unless all are requested */

/* Appends "k/gemm.cu:41", relative to the working directory if it is below it; "an unknown line" without a line. */
void site_place(const struct report *report, const struct code_site *site, struct buf *out);

/* Appends "depth 2", or "no loop". */
void site_depth(const struct code_site *site, struct buf *out);

/* Appends `before` and the outermost call: "inlined into gemm.cu:80", or "inlined into line 80" if the file is the
 * same; nothing if the code was not inlined. */
void site_inlined(const struct report *report, const struct code_site *site, const char *before, struct buf *out);

/* Appends "depth 2, 24 stores 96 B, 30 loads 120 B, inlined into gemm.cu:80". */
void site_words(const struct report *report, const struct code_site *site, struct buf *out);

/* Appends the sites of a finding, worst first, one line each: SHOWN_SITES of them, or all with report->all. */
void sites_text(const struct report *report, const struct finding *finding, struct buf *out);

/* Appends a line on how to get the source lines of findings on local memory that have none; nothing if no finding lacks
 * them, or if nothing helps. */
void unlocated_text(const struct report *report, struct buf *out);

/* Appends "; places: `gemm.cu:41` (depth 2, 216 B), ... and 9 more" as Markdown, for a cell of a table; nothing if no
 * sites are known. */
void sites_markdown(const struct report *report, const struct finding *finding, struct buf *out);
