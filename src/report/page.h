/*
 * page: the parts of the HTML report. One file without a network: style and script are src/report/page/, built in; the
 * policy of the page names their hashes, so that nothing else can run whatever a name holds. Everything that a reader
 * needs is in the text of the page; the script sorts, filters and draws panels from the data at its end.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "gpu/curve.h"
#include "report/summary.h"

struct page_part {
    struct str text;
    unsigned char sha256[32];
};
extern const struct page_part page_style, page_script;

enum { STATIC_PANELS = 50 };

/* What a panel shows of one launch. */
struct launch_view {
    const struct arch *arch;
    struct launch launch; /* threads: the block size, or the largest one that reaches the best case */
    bool best;            /* the block size is not known */
    bool bound;           /* it is a launch bound */
    struct occupancy occupancy;
    struct cliff cliff;
    struct curve curves[AXIS_COUNT];
};

/* Tables of the data that the script draws from: each thing once. JSON text without the outer brackets. */
struct page_data {
    struct intern launches; /* by their numbers */
    struct intern curves;   /* by their JSON */
    struct intern words;
    struct buf launch_rows;
};

struct html {
    const struct report *report;
    struct out *out;
    struct buf *text; /* &out->text */
    struct summary summary;
    uint32_t *place_of; /* by kernel of the model: its number in summary.order; NO_INDEX: it is not shown */
    size_t panels_end;  /* in summary.order: behind the last record that has a static panel */
    unsigned columns;   /* of the table of kernels, bits of kernel_columns: without those of nothing but zeros */
    unsigned zeros;     /* the columns left out, as each cell is 0 */
    uint32_t *next_of;  /* by finding: the next one of the same kernel; NO_INDEX: none */
    uint32_t *first_of; /* by kernel of the model: its first finding; NO_INDEX: none */
    struct page_data data;
};

/* False where nothing is known of the occupancy. */
bool view_make(struct launch_view *view, struct context *context);
/* The nearest steps and what the next block would take, a line each; registers and shared memory apart. */
void view_steps(const struct launch_view *view, struct buf *registers, struct buf *smem);
/* A sentence on spills, stack, register cap and what sets it; a line for each thing that would change a finding of it.
 */
void view_facts(struct context *context, struct buf *out);
void view_next(const struct html *html, struct context *context, struct buf *out);
/* "5 blocks per SM, 40 of 64 warps, 62.5 % at 256 threads" */
void view_headline(const struct launch_view *view, struct buf *out);

/* The text as a link to the address, which is left out unless it is https. */
void html_link(struct html *html, struct str url, struct str text);
void html_label(struct html *html, const struct context *context);
/* 0 for the lowest occupancy up to HEAT_CLASSES - 1. */
enum { HEAT_CLASSES = 5 };
int heat_class(const struct occupancy_shown *occupancy);

/* "k/a.cu:12", or without the line where it is not known; false: nor is the source. */
bool page_source(const struct report *report, const struct kernel *kernel, struct buf *out);

/* The sections. */
void page_overview(struct html *html);
void page_findings(struct html *html);
void page_comparison(struct html *html);
void page_kernels(struct html *html);
void page_heat(struct html *html);
void page_statistics(struct html *html);
void page_panels(struct html *html);
void page_json(struct html *html);
/* Within a panel: the source around the lines where the kernel spills or accesses its arrays, as far as they are known.
 */
void page_sites(struct html *html, const struct kernel *kernel);

#endif
