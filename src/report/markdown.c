/*
 * markdown: what a reviewer sees in a pull request or a job summary, in GitHub's dialect. Where somebody limits its
 * size the page is cut between two rows and says so; nothing that was opened stays open, because what closes it is
 * reserved when it is opened.
 */
#include "report/changes.h"
#include "report/configurations.h"
#include "report/elide.h"
#include "report/kernel_column.h"
#include "report/location.h"
#include "report/markup.h"
#include "report/messages.h"
#include "report/rule_help.h"
#include "report/site.h"
#include "report/summary.h"
#include "report/table.h"

#include <stdlib.h>

enum { CELL_BYTES = 400, ARCH_COLUMNS = 16, NOTE_BYTES = 96, TAIL_NOTE_BYTES = 320 };

struct page {
    const struct report *report;
    struct out *out;
    struct buf row;
    struct buf left_out;    /* titles of sections for which there was no room at all */
    size_t written;         /* bytes so far */
    size_t reserved;        /* bytes that must follow */
    size_t limit;           /* SIZE_MAX: none */
    struct changes changes; /* against the baseline; none without one */
    struct summary summary;
};

/* A table, or a <details> that holds some: what stands between its opening and its closing can be cut at a row. */
struct block {
    struct page *page;
    const char *close;
    size_t reserved;
    size_t shown, total; /* rows */
    bool open;
};

static bool has_room(const struct page *page, size_t bytes)
{
    return page->written + page->reserved + bytes <= page->limit;
}

/* What has gathered in the row goes into the page. */
static void flush(struct page *page)
{
    buf_add(&page->out->text, buf_str(&page->row));
    page->written += page->row.len;
    buf_clear(&page->row);
    out_spill(page->out);
}

/* The row that has gathered, where there is room for it. */
static bool add_row(struct block *block)
{
    struct page *page = block->page;
    bool fits = block->open && has_room(page, page->row.len);
    block->shown += fits;
    if (fits)
        flush(page);
    buf_clear(&page->row);
    return fits;
}

/* Opens with the text that has gathered. Without room for it, a row of some length and the end, it stays closed, and
 * the page says so of this title; NULL: it is a part of another block. */
static bool open_block(struct page *page, struct block *block, const char *title, const char *close, size_t total)
{
    enum { SHORT_ROW = 160 };
    *block = (struct block){.page = page, .close = close, .total = total, .reserved = strlen(close) + NOTE_BYTES};
    block->open = has_room(page, page->row.len + block->reserved + SHORT_ROW);
    if (block->open) {
        flush(page);
        page->reserved += block->reserved;
    } else if (title) {
        buf_fmt(&page->left_out, "%s%s", page->left_out.len ? ", " : "", title);
    }
    buf_clear(&page->row);
    return block->open;
}

static void close_block(struct block *block, const char *noun)
{
    struct page *page = block->page;
    if (!block->open)
        return;
    page->reserved -= block->reserved;
    if (block->shown < block->total)
        buf_fmt(&page->row, "\n%zu of %zu %s shown.\n", block->shown, block->total, noun);
    buf_add(&page->row, str_of(block->close));
    flush(page);
}

/* A table as a block, behind what has gathered; returns how many rows there was room for. */
static size_t add_table(struct page *page, const struct table *table, const char *title, const char *close,
                        const char *noun)
{
    struct block block;
    table_markdown(table, 0, &page->row);
    bool fits = open_block(page, &block, title, close, table_rows(table) - 1 + table->left_out);
    for (size_t row = 1; fits && row < table_rows(table); row++) {
        table_markdown(table, row, &page->row);
        fits = add_row(&block);
    }
    close_block(&block, noun);
    return block.shown;
}

/* ---- cells ------------------------------------------------------------------------------------------------------ */

static void cell_label(const struct report *report, const struct context *context, struct buf *cell)
{
    struct str mangled = context_mangled(context);
    if (mangled.len)
        markdown_code(label_of(report->labels, mangled), cell);
}

/* ---- findings --------------------------------------------------------------------------------------------------- */

/* At most CELL_BYTES of the text, as `write` has it. */
static void add_elided(struct str text, void (*write)(struct str, struct buf *), struct buf *out)
{
    SCOPED(buf) shorter = {0};
    elide(text, CELL_BYTES, &shorter);
    write(buf_str(&shorter), out);
}

/* A line of code, or the source file, or a line of the log. */
static void add_place(const struct report *report, const struct finding *finding, struct buf *row)
{
    struct finding_place place = finding_place(report->linter, finding);
    SCOPED(buf) text = {0};
    if (place.in_log && place.path.len)
        buf_add(&text, location_shown(report, place.path));
    else
        location_place(report, &place, &text);
    add_elided(buf_str(&text), markdown_code, row);
}

static void finding_row(struct page *page, const struct group *group)
{
    struct linter *linter = page->report->linter;
    const struct finding *finding = &linter->findings[group->worst];
    SCOPED(buf) message = {0};
    buf_fmt(&page->row, "| **%s** | ", severity_names[finding->severity]);
    cell_label(page->report, linter_context(linter, finding), &page->row);
    finding_message(linter, finding, &message);
    markdown_fmt(&page->row, " | %.*s | ", STR_ARG(finding_arch(linter, finding)));
    add_elided(buf_str(&message), markdown_text, &page->row);
    buf_clear(&message);
    members_text(page->report, page->report->groups, group, &message);
    markdown_text(buf_str(&message), &page->row);
    sites_markdown(page->report, finding, &page->row);
    buf_clear(&message);
    if (finding_next(linter, finding, false, &message)) {
        buf_add(&page->row, STR("<br>next: "));
        add_elided(buf_str(&message), markdown_text, &page->row);
    }
    markdown_fmt(&page->row, " | %-.*s | ", STR_ARG(linter->rules->rules[finding->rule].id));
    add_place(page->report, finding, &page->row);
    buf_add(&page->row, STR(" |\n"));
}

static void add_findings(struct page *page)
{
    const struct report *report = page->report;
    const struct groups *groups = report->groups;
    struct block block;
    if (!groups->count)
        return;
    const char *title = report->comparison ? "New and worse" : "Findings";
    buf_fmt(&page->row, "\n#### %s\n\n| | kernel | arch | finding | rule | place |\n|---|---|---|---|---|---|\n",
            title);
    bool fits = open_block(page, &block, title, "", groups->count);
    for (size_t at = 0; fits && at < groups->shown_count; at++) {
        finding_row(page, &groups->shown[at]);
        fits = add_row(&block);
    }
    close_block(&block, "groups of findings");
}

/* The hints of the rules that spoke, each once. */
static void add_rules(struct page *page)
{
    const struct report *report = page->report;
    const struct ruleset *rules = report->linter->rules;
    bool *spoke = mem_alloc(rules->count + 1);
    size_t total = 0;
    struct block block;
    SCOPED(buf) hint = {0};
    for (size_t g = 0; g < report->groups->count; g++) {
        uint16_t rule = report->groups->findings[report->groups->all[g].worst].rule;
        total += rules->rules[rule].hint.len && !spoke[rule];
        spoke[rule] = rules->rules[rule].hint.len > 0;
    }
    if (total) {
        buf_add(&page->row, STR("\n<details><summary>What to do about them</summary>\n\n"));
        open_block(page, &block, "what to do", "\n</details>\n", total);
        for (size_t rule = 0; rule < rules->count; rule++) {
            if (!spoke[rule])
                continue;
            markdown_fmt(&page->row, "- **%.*s**: ", STR_ARG(rules->rules[rule].id));
            buf_clear(&hint);
            one_line(rules->rules[rule].hint, &hint);
            prose(buf_str(&hint), markdown_text, markdown_code, &page->row);
            buf_char(&page->row, '\n');
            if (!add_row(&block))
                break;
        }
        close_block(&block, "rules");
    }
    free(spoke);
}

/* ---- against the baseline --------------------------------------------------------------------------------------- */

/* Rows from `at` on, `most` of them; returns where the next one stands. */
static size_t add_some_changes(struct block *block, size_t at, size_t most)
{
    struct page *page = block->page;
    bool fits = block->open;
    for (size_t end = at + most, first = at; fits && at < end; at += fits) {
        changes_markdown_row(&page->changes, at, at == first, &page->row);
        fits = add_row(block);
    }
    return at;
}

/* Worst first; what is much is folded behind the worst ones. */
static void add_changes(struct page *page, const char *title, enum change_section from, enum change_section to)
{
    enum { OPEN_ROWS = 20 };
    const struct changes *changes = &page->changes;
    struct block block;
    size_t first = 0, total = 0;
    for (size_t at = 0; at < changes->count; at++) {
        first += changes->rows[at].section < from;
        total += changes->rows[at].section >= from && changes->rows[at].section <= to;
    }
    if (!total)
        return;
    size_t open = total > OPEN_ROWS ? OPEN_ROWS : total;
    buf_fmt(&page->row, "\n#### %s\n\n", title);
    changes_markdown_head(changes, &page->row);
    open_block(page, &block, title, "", open);
    size_t next = add_some_changes(&block, first, open);
    block.total = block.shown < open ? total : open;
    close_block(&block, "kernels");
    if (!block.open || block.shown < open || open == total)
        return;
    buf_fmt(&page->row, "\n<details><summary>%s: %zu more</summary>\n\n", title, total - open);
    changes_markdown_head(changes, &page->row);
    open_block(page, &block, title, "\n</details>\n", total - open);
    add_some_changes(&block, next, total - open);
    close_block(&block, "kernels");
}

static void add_unlisted_changes(struct page *page)
{
    SCOPED(buf) rest = {0};
    changes_rest(&page->changes, &rest);
    if (rest.len)
        buf_fmt(&page->row, "\nNot listed: %.*s.\n", STR_ARG(buf_str(&rest)));
    if (has_room(page, page->row.len))
        flush(page);
    buf_clear(&page->row);
}

/* ---- statistics ------------------------------------------------------------------------------------------------- */

static void add_histogram(struct page *page)
{
    struct block block;
    buf_add(&page->row, STR("| registers | kernel x arch |\n|--:|--:|\n"));
    open_block(page, &block, NULL, "\n", REGISTER_BUCKETS);
    EACH(const struct bucket, bucket, page->summary.registers, REGISTER_BUCKETS) {
        buf_fmt(&page->row, "| %d–%d | %zu |\n", bucket->from, bucket->to, bucket->entries);
        add_row(&block);
    }
    close_block(&block, "rows");
}

static void add_statistics(struct page *page)
{
    struct block all;
    if (!page->summary.entries)
        return;
    buf_add(&page->row, STR("\n<details><summary>Statistics</summary>\n\n"));
    if (!open_block(page, &all, "statistics", "</details>\n", 0))
        return;
    for (enum statistic statistic = 0; statistic < STATISTICS; statistic++) {
        SCOPED(table) table = summary_table(&page->summary, statistic, IN_MARKDOWN);
        if (table_rows(&table) > 1)
            add_table(page, &table, NULL, "\n", "rows");
    }
    add_histogram(page);
    close_block(&all, "tables");
}

/* ---- heat ------------------------------------------------------------------------------------------------------- */

/* The lowest occupancy of a template on an architecture, and the highest where it is another one. */
static void add_heat(struct page *page)
{
    const struct summary *summary = &page->summary;
    const struct linter *linter = page->report->linter;
    size_t archs = linter->arch_count < ARCH_COLUMNS ? linter->arch_count : ARCH_COLUMNS;
    SCOPED(table) table = {.is_markup = true};
    if (!archs || !summary->entries)
        return;
    buf_add(&page->row, STR("\n<details><summary>Occupancy by template and architecture, %"));
    if (archs < linter->arch_count)
        buf_fmt(&page->row, " (%zu of %zu architectures)", archs, linter->arch_count);
    buf_add(&page->row, STR("</summary>\n\n"));
    table_column(&table, "template", false);
    for (size_t at = 0; at < archs; at++) {
        struct buf arch = {0};
        markdown_text(model_string(page->report->model, linter->archs[at]), &arch);
        table_column(&table, arena_take(&table.arena, &arch).ptr, true);
    }
    EACH(const struct template_summary, template, summary->templates, summary->template_count) {
        markdown_code(template->name, &table.cell);
        table_end(&table);
        for (size_t at = 0; at < archs; at++) {
            const struct occupancy_range occupancy = summary_heat(summary, template, linter->archs[at]).occupancy;
            if (occupancy.lowest.max_warps)
                occupancy_range_text(&occupancy, &table.cell);
            table_end(&table);
        }
    }
    add_table(page, &table, "occupancy by architecture", "\n</details>\n", "templates");
}

/* ---- configurations --------------------------------------------------------------------------------------------- */

static void add_tuned_kernel(struct page *page, const struct configurations *configurations, size_t at)
{
    enum { SHOWN_ROWS = 30 };
    const struct tuned_kernel *kernel = &configurations->kernels[at];
    SCOPED(table) table = configurations_table(configurations, at, IN_MARKDOWN, SHOWN_ROWS);
    html_fmt(&page->row, "<details><summary><code>%.*s</code>%.*s</summary>\n\n", STR_ARG(kernel->name),
             STR_ARG(kernel->title));
    add_table(page, &table, NULL, "\n</details>\n\n", "rows");
}

static void add_configurations(struct page *page)
{
    SCOPED(configurations) configurations = configurations_make(page->report);
    SCOPED(buf) note = {0};
    struct block block;
    if (!configurations.count)
        return;
    configurations_note(&configurations, &note);
    buf_add(&page->row, STR("\n#### Configurations\n\n"));
    for (struct str rest = buf_str(&note), line; rest.len && str_split(&rest, '\n', &line);)
        markdown_paragraph(line, &page->row);
    bool fits = open_block(page, &block, "configurations", "", configurations.count);
    for (size_t at = 0; fits && at < configurations.count; at++, block.shown++)
        add_tuned_kernel(page, &configurations, at);
    close_block(&block, "kernels");
}

/* ---- all kernels ------------------------------------------------------------------------------------------------ */

static struct table kernel_table(unsigned columns)
{
    struct table table = {.is_markup = true};
    table_column(&table, "kernel", false);
    kernel_heads(IN_MARKDOWN, columns, &table);
    return table;
}

static void add_kernel(const struct report *report, uint32_t kernel, unsigned columns, struct table *table)
{
    const struct kernel_row row = kernel_row_of(IN_MARKDOWN, linter_record(report->linter, kernel));
    cell_label(report, row.context, &table->cell);
    table_end(table);
    kernel_cells(&row, columns, table);
}

static void add_template_summary(struct page *page, const struct template_summary *template)
{
    html_fmt(&page->row, "<details><summary><code>%.*s</code>: %u kernel x arch", STR_ARG(template->name),
             template->count);
    if (template->registers != UNKNOWN)
        buf_fmt(&page->row, ", up to %d registers", template->registers);
    if (template->spilling)
        buf_fmt(&page->row, ", %zu spill, in all %lld B", template->spilling,
                (long long)(template->spill_stores + template->spill_loads));
    buf_add(&page->row, STR("</summary>\n\n"));
}

/* Templates with several records have a <details> each; the others share a table. */
static void add_kernels(struct page *page)
{
    const struct summary *summary = &page->summary;
    struct block all;
    unsigned columns = kernel_columns_of(IN_MARKDOWN, summary->known);
    if (!summary->count)
        return;
    buf_add(&page->row, STR("\n<details><summary>All kernels: "));
    buf_fmt(&page->row, "%zu kernel x arch in ", summary->count);
    count_text(&page->row, summary->template_count, "template");
    buf_add(&page->row,
            STR("</summary>\n\n"
                "Occupancy: ≤ at most (block size or dynamic shared memory unknown), ^ at the launch bound.\n\n"));
    if (!open_block(page, &all, "all kernels", "\n</details>\n", summary->count))
        return;
    SCOPED(table) singles = kernel_table(columns);
    EACH(const struct template_summary, template, summary->templates, summary->template_count) {
        if (template->count == 1) {
            add_kernel(page->report, summary->members[template->first], columns, &singles);
            continue;
        }
        SCOPED(table) table = kernel_table(columns);
        for (uint32_t m = 0; m < template->count; m++)
            add_kernel(page->report, summary->members[template->first + m], columns, &table);
        add_template_summary(page, template);
        all.shown += add_table(page, &table, NULL, "\n</details>\n\n", "kernel x arch");
    }
    buf_char(&page->row, '\n');
    if (table_rows(&singles) > 1)
        all.shown += add_table(page, &singles, NULL, "", "single kernels");
    buf_clear(&page->row);
    close_block(&all, "kernel x arch");
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

static void add_head(struct page *page)
{
    const struct report *report = page->report;
    struct buf *out = &page->row;
    SCOPED(buf) judged = {0};
    buf_add(out, STR("<!-- warplint -->\n### warplint"));
    if (report->kind == REPORT_FINDINGS) {
        buf_fmt(out, ": %s", verdict_words[verdict_of(report)]);
        verdict_reason(report, out);
        buf_add(out, STR("\n\n"));
        verdict_counts(report, out);
    } else {
        buf_add(out, STR(": kernels"));
    }
    buf_add(out, STR("\n\n"));
    if (report->comparison) {
        buf_add(out, STR("against the baseline: "));
        comparison_text(report, out);
        buf_add(out, STR("\n\n"));
        accept_text(report, &judged);
        markdown_paragraph(buf_str(&judged), out);
        buf_clear(&judged);
    }
    verdict_judged(report, &judged);
    markdown_fmt(out, "%.*s\n", STR_ARG(buf_str(&judged)));
    flush(page);
}

static void add_allowed(struct page *page)
{
    struct block block;
    SCOPED(buf) lines = {0};
    size_t count = 0;
    allowed_text(page->report, &lines);
    if (!lines.len)
        return;
    buf_add(&page->row, STR("\n<details><summary>Allowed by exceptions</summary>\n\n"));
    for (size_t at = 0; at < lines.len; at++)
        count += lines.ptr[at] == '\n';
    bool fits = open_block(page, &block, "what exceptions allow", "\n</details>\n", count);
    for (struct str rest = buf_str(&lines), line; fits && rest.len && str_split(&rest, '\n', &line);) {
        add_elided(line, markdown_list, &page->row);
        fits = add_row(&block);
    }
    close_block(&block, "exceptions");
}

void report_markdown(const struct report *report, struct out *out)
{
    struct page page = {.report = report,
                        .out = out,
                        .summary = summary_make(report),
                        .limit = report->max_bytes ? report->max_bytes : SIZE_MAX};
    SCOPED(buf) lines = {0}, tail = {0};
    if (report->comparison)
        page.changes = changes_make(report);
    tail_text(report, &lines);
    buf_add(&tail, lines.len ? STR("\n#### Not judged, and assumptions\n\n") : STR(""));
    markdown_list(buf_str(&lines), &tail);
    page.reserved = tail.len + TAIL_NOTE_BYTES;
    add_head(&page);
    if (report->kind == REPORT_FINDINGS)
        add_findings(&page);
    add_changes(&page, "Worse kernels", CHANGES_WORSE, CHANGES_SUCCESSORS);
    add_changes(&page, "Other changes", CHANGES_OTHER, CHANGE_SECTIONS - 1);
    add_unlisted_changes(&page);
    if (report->kind == REPORT_FINDINGS)
        add_rules(&page);
    add_configurations(&page);
    add_statistics(&page);
    add_heat(&page);
    add_kernels(&page);
    add_allowed(&page);
    if (page.left_out.len)
        buf_fmt(&tail, "\nLeft out for --max-bytes: %.*s.\n", STR_ARG(buf_str(&page.left_out)));
    buf_add(&out->text, buf_str(&tail));
    buf_free(&page.row);
    buf_free(&page.left_out);
    changes_free(&page.changes);
    summary_free(&page.summary);
}
