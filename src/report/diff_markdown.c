/* diff as Markdown for a comment on a pull request: the verdict, what changed, totals folded away. */
#include "report/changes.h"
#include "report/markup.h"
#include "report/messages.h"

enum { SHOWN_ROWS = 50, SHOWN_RENAMED = 20 };

static void add_drift(const struct delta *delta, struct buf *out)
{
    SCOPED(buf) text = {0};
    drift_text(delta->report, &text);
    if (text.len) {
        buf_add(out, STR("> "));
        markdown_paragraph(str_trim(str_sub(buf_str(&text), 0, text.len - 1)), out);
    }
}

static void add_rows(const struct report *report, size_t most, struct buf *out)
{
    SCOPED(changes) changes = changes_make(report);
    size_t shown = changes.count < most ? changes.count : most;
    if (shown)
        changes_markdown_head(&changes, out);
    for (size_t at = 0; at < shown; at++)
        changes_markdown_row(&changes, at, at == 0, out);
    buf_count(out, changes.count - shown, "\n# other{ is|s are} not shown.\n");
    if (shown)
        buf_char(out, '\n');
    SCOPED(buf) rest = {0};
    if (changes_rest(&changes, &rest))
        buf_fmt(out, "Not shown: %.*s.\n\n", STR_ARG(buf_str(&rest)));
}

static void add_renamed(struct delta *delta, size_t most, struct buf *out)
{
    size_t shown = 0;
    SCOPED(buf) now = {0}, before = {0};
    struct str last = {"", 0};
    for (size_t at = delta->changed_count; at < delta->row_count; at++) {
        const struct pair *pair = delta->rows[at];
        const struct str id = delta_pair(delta->comparison, pair).id;
        bool again = str_eq(id, last);
        last = id;
        if (again || shown++ >= most)
            continue;
        delta_names(delta, pair, &now, &before);
        markdown_fmt(out, "- renamed: %-.*s, was %-.*s\n", STR_ARG(buf_str(&now)), STR_ARG(buf_str(&before)));
    }
    if (shown > most)
        buf_fmt(out, "- and %zu more\n", shown - most);
    if (delta->row_count > delta->changed_count)
        buf_char(out, '\n');
}

static void add_message_findings(const struct report *report, size_t most, struct buf *out)
{
    SCOPED(buf) lines = {0};
    message_findings_text(report, most, &lines);
    markdown_list(buf_str(&lines), out);
    buf_add(out, lines.len ? STR("\n") : STR(""));
}

static void add_totals(const struct delta *delta, struct buf *out)
{
    best_case_text(delta->report, out);
    if (!delta_has_totals(delta))
        return;
    SCOPED(table) table = delta_table(delta);
    buf_add(out, STR("\n<details><summary>totals of HEAD and their change</summary>\n\n"));
    for (size_t row = 0; row < table_rows(&table); row++)
        table_markdown(&table, row, out);
    buf_add(out, STR("\n</details>\n"));
}

/* The exceptions that cover findings, with their reasons, as the page of `check` has them. */
static void add_allowed(const struct report *report, struct buf *out)
{
    SCOPED(buf) lines = {0};
    allowed_text(report, &lines);
    if (!lines.len)
        return;
    buf_add(out, STR("\n<details><summary>Allowed by exceptions</summary>\n\n"));
    markdown_list(buf_str(&lines), out);
    buf_add(out, STR("\n</details>\n"));
}

/* With at most so many rows of a kind. */
static void add_page(struct delta *delta, size_t rows, size_t renamed, bool allowed, struct buf *out)
{
    const struct report *report = delta->report;
    SCOPED(buf) acceptance = {0};
    buf_add(out, STR("### warplint: "));
    delta_verdict(report, out);
    buf_add(out, STR("\n\n"));
    if (report->incomplete)
        markdown_paragraph(report->why_incomplete, out);
    add_drift(delta, out);
    delta_compared(report, out);
    if (report->linter->counts.failing) {
        buf_add(out, STR("\n\nfailing: "));
        delta_failing(report, 0, 0, out);
    }
    buf_add(out, STR("\n\n"));
    add_rows(report, rows, out);
    add_message_findings(report, rows, out);
    add_renamed(delta, renamed, out);
    accept_text(report, &acceptance);
    markdown_paragraph(buf_str(&acceptance), out);
    add_totals(delta, out);
    if (allowed)
        add_allowed(report, out);
}

void diff_markdown(const struct report *report, struct out *out)
{
    SCOPED(delta) delta = {0};
    delta_make(&delta, report);
    size_t rows = report->all ? SIZE_MAX : SHOWN_ROWS, renamed = report->all ? SIZE_MAX : SHOWN_RENAMED;
    add_page(&delta, rows, renamed, true, &out->text); /* where it is too long, the exceptions go first */
    for (size_t most = delta.row_count + report->linter->finding_count;
         report->max_bytes && out->text.len > report->max_bytes && rows; most /= 2) {
        rows = most < rows ? most : rows;
        renamed = most < renamed ? most : renamed;
        buf_clear(&out->text);
        add_page(&delta, rows, renamed, false, &out->text);
    }
}
