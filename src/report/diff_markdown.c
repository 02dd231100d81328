/* diff as Markdown for a comment on a pull request: the verdict, the changes, and folded totals. */
#include "report/markdown_page.h"
#include "report/markup.h"
#include "report/messages.h"
#include "report/table.h"

enum { SHOWN_ROWS = 50, SHOWN_RENAMED = 20 };

/* Limits the rows of a section unless --all is set. */
static size_t at_most(const struct markdown_page *page, size_t rows)
{
    return page->report->all || page->most < rows ? page->most : rows;
}

static size_t add_verdict(struct markdown_page *page, struct buf *out)
{
    buf_add(out, STR("### warplint: "));
    delta_verdict(page->report, out);
    buf_add(out, STR("\n\n"));
    return 1;
}

static size_t add_compared(struct markdown_page *page, struct buf *out)
{
    const struct report *report = page->report;
    SCOPED(buf) drift = {0};
    if (report->incomplete)
        markdown_paragraph(report->why_incomplete, out);
    drift_text(report, &drift);
    buf_add(out, drift.len ? STR("> ") : STR(""));
    markdown_paragraph(str_trim(buf_str(&drift)), out);
    delta_compared(report, out);
    buf_add(out, STR("\n\n"));
    return 1;
}

static size_t add_failing(struct markdown_page *page, struct buf *out)
{
    if (page->report->linter->counts.failing) {
        buf_add(out, STR("failing: "));
        delta_failing(page->report, 0, 0, out);
        buf_add(out, STR("\n\n"));
    }
    return 1;
}

static size_t add_rows(struct markdown_page *page, struct buf *out)
{
    const struct changes *changes = &page->changes;
    size_t shown = at_most(page, SHOWN_ROWS);
    SCOPED(buf) rest = {0};
    if (shown > changes->count)
        shown = changes->count;
    if (shown)
        changes_markdown_head(changes, out);
    for (size_t at = 0; at < shown; at++)
        changes_markdown_row(changes, at, at == 0, out);
    buf_count(out, changes->count - shown, "\n# other{ is|s are} not shown.\n");
    if (shown)
        buf_char(out, '\n');
    if (changes_rest(changes, &rest))
        buf_fmt(out, "Not shown: %.*s.\n\n", STR_ARG(buf_str(&rest)));
    return shown;
}

static size_t add_messages(struct markdown_page *page, struct buf *out)
{
    SCOPED(buf) lines = {0};
    message_findings_text(page->report, at_most(page, SHOWN_ROWS), &lines);
    size_t rows = markdown_rows(buf_str(&lines), SIZE_MAX, "", out);
    buf_add(out, lines.len ? STR("\n") : STR(""));
    return rows < page->most ? rows : page->most;
}

static size_t add_renamed(struct markdown_page *page, struct buf *out)
{
    struct delta *delta = &page->delta;
    const size_t rows = at_most(page, SHOWN_RENAMED);
    size_t count = 0;
    SCOPED(buf) now = {0}, before = {0};
    struct str last = {"", 0};
    for (size_t at = delta->changed_count; at < delta->row_count; at++) {
        const struct pair *pair = delta->rows[at];
        const struct str id = delta_pair(delta->comparison, pair).id;
        bool again = str_eq(id, last);
        last = id;
        if (again || count++ >= rows)
            continue;
        delta_names(delta, pair, &now, &before);
        markdown_fmt(out, "- renamed: %-.*s, was %-.*s\n", STR_ARG(buf_str(&now)), STR_ARG(buf_str(&before)));
    }
    if (count > rows)
        buf_fmt(out, "- and %zu more\n", count - rows);
    if (count)
        buf_char(out, '\n');
    return count < rows ? count : rows;
}

static size_t add_acceptance(struct markdown_page *page, struct buf *out)
{
    SCOPED(buf) acceptance = {0};
    accept_text(page->report, &acceptance);
    markdown_paragraph(buf_str(&acceptance), out);
    best_case_text(page->report, out);
    return 1;
}

static size_t add_totals(struct markdown_page *page, struct buf *out)
{
    if (!delta_has_totals(&page->delta))
        return 0;
    SCOPED(table) table = delta_table(&page->delta);
    buf_add(out, STR("\n<details><summary>totals of HEAD and their change</summary>\n\n"));
    for (size_t row = 0; row < table_rows(&table); row++)
        table_markdown(&table, row, out);
    buf_add(out, STR("\n</details>\n"));
    return 1;
}

void diff_markdown(const struct report *report, struct out *out)
{
    static const struct markdown_section sections[] = {
        {"the verdict", add_verdict, true},
        {"what was compared", add_compared, true},
        {"rules that fail", add_failing, true},
        {"changes", add_rows, false},
        {"messages", add_messages, false},
        {"renamed kernels", add_renamed, false},
        {"how to accept", add_acceptance, true},
        {"totals", add_totals, false},
        {"what exceptions allow", markdown_allowed, false},
    };
    SCOPED(markdown_page) page = markdown_page_make(report);
    delta_make(&page.delta, report);
    markdown_write(&page, sections, sizeof sections / sizeof *sections, out);
}
