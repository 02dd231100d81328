/* site: a line of the source at which a kernel spills, or accesses an array in local memory, in the words of reports.
 * log/local_memory.h says what a site is. */
#ifndef REPORT_SITE_H
#define REPORT_SITE_H

#include "log/local_memory.h"
#include "report/report.h"

/* Why the places of spills are not known. */
struct unlocated_text {
    const char *why, *cure; /* clauses */
};
extern const struct unlocated_text unlocated_texts[UNLOCATED_COUNT];

enum { SHOWN_SITES = 3 }; /* of a finding, where not all are asked for */

/* Appends "k/gemm.cu:41", without the folder where it lies below it; "an unknown line". */
void site_place(const struct report *report, const struct code_site *site, struct buf *out);

/* Appends "depth 2", or "no loop". */
void site_depth(const struct code_site *site, struct buf *out);

/* Appends, behind `before`, "inlined into gemm.cu:80", or "inlined into line 80" of the same file: the outermost call;
 * nothing where the code was not inlined. */
void site_inlined(const struct report *report, const struct code_site *site, const char *before, struct buf *out);

/* Appends "depth 2, 24 stores 96 B, 30 loads 120 B, inlined into gemm.cu:80". */
void site_words(const struct report *report, const struct code_site *site, struct buf *out);

/* Appends the places of a finding, the worst first, a line each; report->all: all of them. */
void sites_text(const struct report *report, const struct finding *finding, struct buf *out);

/* Appends a line that says how to get the lines of the findings on local memory that have none; nothing where they
 * have, or where nothing helps. */
void unlocated_text(const struct report *report, struct buf *out);

/* Appends "; places: `gemm.cu:41` (depth 2, 216 B), ... and 9 more" as Markdown, for a cell of a table; nothing where
 * no places are known. */
void sites_markdown(const struct report *report, const struct finding *finding, struct buf *out);

#endif
