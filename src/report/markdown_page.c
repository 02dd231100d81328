#include "report/markdown_page.h"

#include "report/elide.h"
#include "report/markup.h"
#include "report/messages.h"

#include <stdlib.h>

enum { LEFT_OUT_BYTES = 320 }; /* room for all titles, and the sentence with them */

struct markdown_page markdown_page_make(const struct report *report)
{
    struct markdown_page page = {.report = report, .room = SIZE_MAX};
    if (report->max_bytes)
        page.room = report->max_bytes - LEFT_OUT_BYTES;
    if (report->comparison)
        page.changes = changes_make(report);
    return page;
}

void markdown_page_free(struct markdown_page *page)
{
    changes_free(&page->changes);
    summary_free(&page->summary);
    delta_free(&page->delta);
    buf_free(&page->left_out);
}

/* Cuts a section that is too long in proportion to the excess. Rows differ in length, so it may have to be cut
 * again. */
static void add_section(struct markdown_page *page, const struct markdown_section *section, struct buf *out)
{
    const size_t start = out->len;
    page->most = SIZE_MAX;
    size_t rows = section->write(page, out);
    while (out->len - start > page->room) {
        page->most = rows * page->room / (out->len - start);
        out->len = start;
        if (page->most == 0) {
            buf_fmt(&page->left_out, "%s%s", page->left_out.len ? ", " : "", section->title);
            return;
        }
        rows = section->write(page, out);
    }
    page->room -= out->len - start;
}

void markdown_write(struct markdown_page *page, const struct markdown_section *sections, size_t count, struct out *out)
{
    struct buf *matters = mem_alloc(count * sizeof *matters);
    for (size_t at = 0; at < count; at++)
        if (sections[at].matters)
            add_section(page, &sections[at], &matters[at]);
    for (size_t at = 0; at < count; at++) {
        if (!sections[at].matters)
            add_section(page, &sections[at], &out->text);
        buf_add(&out->text, buf_str(&matters[at]));
        buf_free(&matters[at]);
        out_spill(out);
    }
    if (page->left_out.len)
        buf_fmt(&out->text, "\nLeft out for --max-bytes: %.*s.\n", STR_ARG(buf_str(&page->left_out)));
    free(matters);
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

void markdown_shown(size_t shown, size_t total, const char *noun, struct buf *out)
{
    if (shown < total)
        buf_fmt(out, "\n%zu of %zu %s shown.\n", shown, total, noun);
}

size_t markdown_rows(struct str lines, size_t most, const char *noun, struct buf *out)
{
    enum { ROW_BYTES = 1000 };
    SCOPED(buf) row = {0};
    size_t shown = 0, total = 0;
    for (struct str line; lines.len && str_split(&lines, '\n', &line); total++) {
        if (shown == most)
            continue;
        buf_clear(&row);
        elide(line, ROW_BYTES, &row);
        markdown_fmt(out, "- %.*s\n", STR_ARG(buf_str(&row)));
        shown++;
    }
    markdown_shown(shown, total, noun, out);
    return shown;
}

size_t markdown_allowed(struct markdown_page *page, struct buf *out)
{
    SCOPED(buf) lines = {0};
    allowed_text(page->report, &lines);
    if (!lines.len)
        return 0;
    buf_add(out, STR("\n<details><summary>Allowed by exceptions</summary>\n\n"));
    size_t shown = markdown_rows(buf_str(&lines), page->most, "exceptions", out);
    buf_add(out, STR("\n</details>\n"));
    return shown;
}
