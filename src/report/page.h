/*
 * page: the parts of the HTML report. The report is one file and needs no network: style and script (src/report/page/)
 * are built in. The content security policy of the page contains their hashes, so no other script can run, whatever a
 * name contains. All information is in the text of the page; the script only sorts, filters, and opens the panels of
 * rows.
 */
#pragma once

#include "gpu/curve.h"
#include "report/configurations.h"

struct page_part {
    struct str text;
    unsigned char sha256[32];
};
extern const struct page_part page_style, page_script;

enum { STATIC_PANELS = 50, OPEN_PANELS = 10 };

/* The parts of panels (page_panel.c), each stored once. */
struct panels {
    struct intern parts;  /* HTML */
    bool *written;        /* by part: true if the page already contains it */
    struct intern curves; /* SVG of the curves: the text of a <desc>, then the drawing */
    struct intern launches;
    uint32_t *of_launch; /* by launch: the index of its part */
};

struct html {
    struct arena arena;
    const struct report *report;
    struct out *out;
    struct buf *text; /* &out->text */
    struct summary summary;
    struct configurations configurations;
    uint32_t *place_of; /* by kernel of the model: its index in summary.order; NO_INDEX: not in the page */
    size_t panels_end;  /* index in summary.order after the last record with a static panel */
    unsigned columns;   /* bits of kernel_columns: the table of kernels, without columns that have only zeros */
    unsigned zeros;     /* the columns omitted because each cell is 0 */
    struct kernel_findings findings;
    struct panels panels;
};

/* The parts of the panel of a kernel, as indices into panels.parts. */
enum { PANEL_PARTS = 5 };
struct panel {
    uint32_t parts[PANEL_PARTS];
    size_t count;
    bool has_launch; /* the occupancy of the kernel is known */
};
struct panel page_panel(struct html *html, const struct kernel_row *row);

/* Writes the text as a link, or without a link if the URL is not https. */
void html_link(struct html *html, struct str url, struct str text);
/* The label of the kernel; empty if the kernel has no name. */
struct str page_label(struct html *html, const struct context *context);
struct str page_message(struct html *html, const struct finding *finding);
/* Appends the next action of a finding; a command at its end is formatted as code. */
void page_sentence(struct str text, struct buf *out);
/* Writes the next action of a finding as a paragraph with these attributes; nothing if it has none. */
void page_next(struct html *html, const struct finding *finding, const char *attributes);
/* Writes the place of the finding: "k/a.cu:12" or "build.log:345; k/a.cu", with a link if the code host shows the
 * file. */
void page_finding_place(struct html *html, const struct finding *finding);

void page_overview(struct html *html);
/* The contents of sections, without their titles. The caller omits a section that has nothing to show. */
void page_findings(struct html *html);
void page_comparison(struct html *html);
void page_configurations(struct html *html);
void page_kernels(struct html *html);
void page_heat(struct html *html);
void page_statistics(struct html *html);
void page_panels(struct html *html);
/* Writes the parts that no panel of the page contains, and the curves. */
void page_parts(struct html *html);
/* Writes "a.cu:12; build.log:345". */
void page_place(struct html *html, const struct kernel *kernel);
/* Appends the source around the lines where the kernel spills or accesses its local arrays, as far as they are
 * known. */
void page_sites(struct html *html, const struct kernel *kernel, struct buf *out);
