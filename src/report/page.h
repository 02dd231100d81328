/*
 * page: the parts of the HTML report. One file without a network: style and script are src/report/page/, built in; the
 * policy of the page names their hashes, so that nothing else can run whatever a name holds. Everything that a reader
 * needs is in the text of the page; the script sorts, filters, and opens the panels of rows.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "gpu/curve.h"
#include "report/configurations.h"

struct page_part {
    struct str text;
    unsigned char sha256[32];
};
extern const struct page_part page_style, page_script;

enum { STATIC_PANELS = 50, OPEN_PANELS = 10 };

/* The parts of panels (page_panel.c), each once. */
struct panels {
    struct intern parts;  /* HTML */
    bool *written;        /* by part: it is in the page */
    struct intern curves; /* SVG: the text of a <desc>, and the drawing */
    struct intern launches;
    uint32_t *of_launch; /* by launch: its part */
    size_t launch_cap;
};

struct html {
    struct arena arena;
    const struct report *report;
    struct out *out;
    struct buf *text; /* &out->text */
    struct summary summary;
    struct configurations configurations;
    uint32_t *place_of; /* by kernel of the model: its number in summary.order; NO_INDEX: it is not shown */
    size_t panels_end;  /* in summary.order: behind the last record that has a static panel */
    unsigned columns;   /* of the table of kernels, bits of kernel_columns: without those of nothing but zeros */
    unsigned zeros;     /* the columns left out, as each cell is 0 */
    struct kernel_findings findings;
    struct panels panels;
};

/* What the panel of a kernel is made of: numbers of parts. */
enum { PANEL_PARTS = 5 };
struct panel {
    uint32_t parts[PANEL_PARTS];
    size_t count;
    bool has_launch; /* its occupancy is known */
};
struct panel page_panel(struct html *html, const struct kernel_row *row);

/* The text as a link to the address, which is left out unless it is https. */
void html_link(struct html *html, struct str url, struct str text);
/* Empty: it has no name. */
struct str page_label(struct html *html, const struct context *context);
struct str page_message(struct html *html, const struct finding *finding);
/* Appends what would change a finding; the command behind it is code. */
void page_sentence(struct str text, struct buf *out);
/* The same as a paragraph with these attributes; nothing where it is not known. */
void page_next(struct html *html, const struct finding *finding, const char *attributes);
/* Appends where the finding is: "k/a.cu:12" or "build.log:345; k/a.cu", with a link where the code host shows it. */
void page_finding_place(struct html *html, const struct finding *finding);

void page_overview(struct html *html);
/* What sections hold below their titles; each is written only where it has something to show. */
void page_findings(struct html *html);
void page_comparison(struct html *html);
void page_configurations(struct html *html);
void page_kernels(struct html *html);
void page_heat(struct html *html);
void page_statistics(struct html *html);
void page_panels(struct html *html);
/* The parts that no panel in the page has, and the curves. */
void page_parts(struct html *html);
/* "a.cu:12; build.log:345" */
void page_place(struct html *html, const struct kernel *kernel);
/* Appends the source around the lines where the kernel spills or accesses its arrays, as far as they are known. */
void page_sites(struct html *html, const struct kernel *kernel, struct buf *out);

#endif
