/* The worst lines where a kernel spills or accesses arrays in local memory, with the lines around them. */
#include "report/location.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/site.h"
#include "report/site_listing.h"

enum { MOST_LINES = 24, MOST_COLUMNS = 160, TAB = 4, BAR_WIDTH = 60 };

struct site_table {
    const struct report *report;
    struct buf *out;
    enum site_kind kind;
    int64_t most; /* most bytes of any line */
};

static int64_t bytes_of(const struct code_site *site)
{
    return (int64_t)site->store_bytes + site->load_bytes;
}

/* Appends a source line with blanks for tabs, cut at MOST_COLUMNS. */
static void add_code(struct str line, struct buf *out)
{
    SCOPED(buf) text = {0};
    const struct str shown = utf8_front(line, MOST_COLUMNS);
    for (size_t at = 0; at < shown.len; at++)
        if (shown.ptr[at] == '\t')
            buf_pad(&text, ' ', TAB - text.len % TAB);
        else
            buf_char(&text, shown.ptr[at]);
    html_fmt(out, "<code>%.*s%s</code>", STR_ARG(buf_str(&text)), shown.len < line.len ? "..." : "");
}

static void add_count(struct buf *out, int32_t count, int32_t bytes)
{
    if (count)
        buf_fmt(out, "<td class=\"n\">%d B in %d</td>", bytes, count);
    else
        buf_add(out, STR("<td class=\"n\">-</td>"));
}

/* Appends a row with the accesses of a line at one loop depth. The call follows if the code is inlined: the one of the
 * worst access if there are several. */
static void add_hit(const struct site_table *table, const struct site_row *row, bool has_code)
{
    struct buf *out = table->out;
    SCOPED(buf) inlined = {0};
    const struct code_site *site = &row->hit->sites[table->kind];
    const int64_t width = (bytes_of(site) * BAR_WIDTH + table->most - 1) / (table->most ? table->most : 1);
    buf_add(out, STR("<tr class=\"hit\"><td>"));
    site_depth(site, out);
    buf_add(out, STR("</td>"));
    add_count(out, site->stores, site->store_bytes);
    add_count(out, site->loads, site->load_bytes);
    buf_fmt(out,
            "<td><svg class=\"bar\" width=\"%d\" height=\"10\" aria-hidden=\"true\"><rect width=\"%lld\" "
            "height=\"10\"/></svg></td><th scope=\"row\" class=\"n\">%u</th><td>",
            BAR_WIDTH, (long long)width, row->number);
    if (has_code && row->code.len)
        add_code(row->code, out);
    site_inlined(table->report, site, "", &inlined);
    if (inlined.len)
        html_fmt(out, " <span class=\"muted\">%.*s</span>", STR_ARG(buf_str(&inlined)));
    buf_add(out, STR("</td></tr>\n"));
}

static void add_file(const struct site_table *table, const struct site_file *file)
{
    const struct report *report = table->report;
    struct buf *out = table->out;
    SCOPED(buf) path = {0};
    location_path(report, model_string(report->model, file->path), &path);
    html_fmt(out, "<tbody>\n<tr class=\"file\"><th scope=\"rowgroup\" colspan=\"6\"><code>%.*s</code></th></tr>\n",
             STR_ARG(buf_str(&path)));
    EACH(const struct site_row, row, file->rows, file->count) {
        if (row->hit) {
            add_hit(table, row, file->source == SOURCE_SHOWN);
        } else if (row->number) {
            buf_fmt(out, "<tr><td colspan=\"4\"></td><td class=\"n\">%u</td><td>", row->number);
            add_code(row->code, out);
            buf_add(out, STR("</td></tr>\n"));
        } else {
            buf_add(out, STR("<tr><td colspan=\"5\"></td><td>...</td></tr>\n"));
        }
    }
    buf_add(out, STR("</tbody>\n"));
}

static void add_table(const struct report *report, const struct kernel *kernel, const char *title, enum site_kind kind,
                      struct buf *out)
{
    struct site_table table = {.report = report, .out = out, .kind = kind};
    SCOPED(site_listing)
    listing = {.report = report, .from_here = report->model->logs[kernel->log].from_here, .most = MOST_LINES};
    site_listing_add(&listing, kernel, kind);
    if (listing.count + listing.left_out == 0)
        return;
    for (size_t at = 0; at < listing.count; at++) {
        const int64_t bytes = bytes_of(&listing.lines[at].sites[kind]);
        table.most = bytes > table.most ? bytes : table.most;
    }
    buf_fmt(out,
            "<div class=\"places\"><h3>%s</h3>\n<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"%s\">"
            "<table><thead><tr><th scope=\"col\">loop</th><th scope=\"col\" class=\"n\">stores</th>"
            "<th scope=\"col\" class=\"n\">loads</th><th scope=\"col\">bytes</th>"
            "<th scope=\"col\" class=\"n\">line</th><th scope=\"col\">source</th></tr></thead>\n",
            title, title);
    for (const struct site_file *file; (file = site_listing_next(&listing));)
        add_file(&table, file);
    buf_add(out, STR("</table></div>\n"));
    if (listing.left_out)
        buf_fmt(out, "<p class=\"muted\">%zu more places; JSON has all.</p>\n", listing.left_out);
    buf_add(out, STR("</div>\n"));
}

void page_sites(struct html *html, const struct kernel *kernel, struct buf *out)
{
    add_table(html->report, kernel, "Where it spills", SITE_SPILL, out);
    add_table(html->report, kernel, "Where it accesses arrays in local memory", SITE_ARRAY, out);
}
