/* The tables of kernels with several configurations of Triton. */
#include "report/markup.h"
#include "report/page.h"
#include "report/table.h"

enum { SHOWN_TABLES = 50, SHOWN_ROWS = 30 };

static void add_table(struct html *html, const struct configurations *configurations, size_t at)
{
    const struct tuned_kernel *kernel = &configurations->kernels[at];
    SCOPED(table) table = configurations_table(configurations, at, IN_PAGE, SHOWN_ROWS);
    SCOPED(buf) caption = {0};
    html_fmt(&caption, "<code>%.*s</code>%.*s", STR_ARG(kernel->name), STR_ARG(kernel->title));
    buf_add(html->text, STR("<div class=\"wide\" role=\"region\" aria-label=\"Configurations\" tabindex=\"0\">\n"));
    table_html(&table, arena_str(&table.arena, buf_str(&caption)).ptr, NULL, html->text);
    buf_add(html->text, STR("</div>\n"));
    buf_count(html->text, table.left_out, "<p># other{|s} between</p>\n");
}

void page_configurations(struct html *html)
{
    const struct configurations *configurations = &html->configurations;
    SCOPED(buf) note = {0};
    configurations_note(configurations, &note);
    for (struct str rest = buf_str(&note), line; rest.len && str_split(&rest, '\n', &line);)
        html_fmt(html->text, "<p>%.*s</p>\n", STR_ARG(line));
    for (size_t at = 0; at < configurations->count && at < SHOWN_TABLES; at++)
        add_table(html, configurations, at);
    if (configurations->count > SHOWN_TABLES)
        buf_fmt(html->text, "<p>%d of %zu kernels are shown, the worst ones.</p>\n", SHOWN_TABLES,
                configurations->count);
}
