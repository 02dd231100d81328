/*
 * markdown: the page for a pull request or a job summary, in GitHub's dialect. If its size is limited, the last
 * sections are cut first (report/markdown_page.h).
 */
#include "report/configurations.h"
#include "report/elide.h"
#include "report/kernel_column.h"
#include "report/location.h"
#include "report/markdown_page.h"
#include "report/markup.h"
#include "report/messages.h"
#include "report/rule_help.h"
#include "report/site.h"
#include "report/table.h"

#include <stdlib.h>

enum { CELL_BYTES = 1000, ARCH_COLUMNS = 16 };

/* Appends a table, and the number of its rows if it has only some of them. */
static void add_table(const struct table *table, const char *noun, struct buf *out)
{
    const size_t rows = table_rows(table);
    for (size_t row = 0; row < rows; row++)
        table_markdown(table, row, out);
    markdown_shown(rows - 1, rows - 1 + table->left_out, noun, out);
}

/* ---- findings --------------------------------------------------------------------------------------------------- */

/* Appends at most CELL_BYTES of the text; `write` formats it. */
static void add_elided(struct str text, void (*write)(struct str, struct buf *), struct buf *out)
{
    SCOPED(buf) shorter = {0};
    elide(text, CELL_BYTES, &shorter);
    write(buf_str(&shorter), out);
}

static void finding_row(const struct report *report, const struct group *group, struct buf *out)
{
    struct linter *linter = report->linter;
    const struct finding *finding = &linter->findings[group->worst];
    const struct str mangled = context_mangled(linter_context(linter, finding));
    const struct location location = location_of(report, finding);
    SCOPED(buf) message = {0};
    buf_fmt(out, "| **%s** | ", severity_names[finding->severity]);
    if (mangled.len)
        markdown_code(label_of(report->labels, mangled), out);
    finding_message(linter, finding, &message);
    markdown_fmt(out, " | %.*s | ", STR_ARG(finding_arch(linter, finding)));
    add_elided(buf_str(&message), markdown_text, out);
    buf_clear(&message);
    members_text(report, report->groups, group, &message);
    markdown_text(buf_str(&message), out);
    sites_markdown(report, finding, out);
    buf_clear(&message);
    if (finding_next(linter, finding, false, &message)) {
        buf_add(out, STR("<br>next: "));
        add_elided(buf_str(&message), markdown_text, out);
    }
    markdown_fmt(out, " | %-.*s | ", STR_ARG(linter->rules->rules[finding->rule].id));
    buf_clear(&message);
    location_place(report, &location, &message);
    add_elided(buf_str(&message), markdown_code, out);
    buf_add(out, STR(" |\n"));
}

static size_t add_findings(struct markdown_page *page, struct buf *out)
{
    const struct report *report = page->report;
    const struct groups *groups = report->groups;
    if (report->kind != REPORT_FINDINGS || !groups->count)
        return 0;
    const size_t shown = groups->shown_count < page->most ? groups->shown_count : page->most;
    buf_fmt(out, "\n#### %s\n\n| | kernel | arch | finding | rule | place |\n|---|---|---|---|---|---|\n",
            report->comparison ? "New and worse" : "Findings");
    for (size_t at = 0; at < shown; at++)
        finding_row(report, &groups->shown[at], out);
    markdown_shown(shown, groups->count, "groups of findings", out);
    return shown;
}

/* Appends the hint of each rule with findings. */
static size_t add_rules(struct markdown_page *page, struct buf *out)
{
    const struct report *report = page->report;
    const struct ruleset *rules = report->linter->rules;
    SCOPED(buf) hints = {0}, hint = {0};
    if (report->kind != REPORT_FINDINGS)
        return 0;
    bool *has_findings = mem_alloc(rules->count + 1);
    for (size_t g = 0; g < report->groups->count; g++)
        has_findings[report->groups->findings[report->groups->all[g].worst].rule] = true;
    size_t shown = 0, total = 0;
    for (size_t rule = 0; rule < rules->count; rule++) {
        if (!has_findings[rule] || !rules->rules[rule].hint.len || total++ >= page->most)
            continue;
        markdown_fmt(&hints, "- **%.*s**: ", STR_ARG(rules->rules[rule].id));
        buf_clear(&hint);
        one_line(rules->rules[rule].hint, &hint);
        prose(buf_str(&hint), markdown_text, markdown_code, &hints);
        buf_char(&hints, '\n');
        shown++;
    }
    free(has_findings);
    if (!total)
        return 0;
    buf_fmt(out, "\n<details><summary>What to do about them</summary>\n\n%.*s", STR_ARG(buf_str(&hints)));
    markdown_shown(shown, total, "rules", out);
    buf_add(out, STR("\n</details>\n"));
    return shown;
}

/* ---- against the baseline --------------------------------------------------------------------------------------- */

/* Appends the rows of some sections, worst first; the rows after the first OPEN_ROWS are folded. */
static size_t add_changes(const struct changes *changes, const char *title, enum change_section from,
                          enum change_section to, size_t most, struct buf *out)
{
    enum { OPEN_ROWS = 20 };
    size_t first = 0, total = 0;
    for (size_t at = 0; at < changes->count; at++) {
        first += changes->rows[at].section < from;
        total += changes->rows[at].section >= from && changes->rows[at].section <= to;
    }
    if (!total)
        return 0;
    const size_t shown = total < most ? total : most;
    buf_fmt(out, "\n#### %s\n\n", title);
    for (size_t at = 0; at < shown; at++) {
        if (at == OPEN_ROWS)
            buf_fmt(out, "\n<details><summary>%s: %zu more</summary>\n\n", title, total - OPEN_ROWS);
        if (at == 0 || at == OPEN_ROWS)
            changes_markdown_head(changes, out);
        changes_markdown_row(changes, first + at, at == 0 || at == OPEN_ROWS, out);
    }
    markdown_shown(shown, total, "kernels", out);
    buf_add(out, shown > OPEN_ROWS ? STR("\n</details>\n") : STR(""));
    return shown;
}

static size_t add_worse(struct markdown_page *page, struct buf *out)
{
    return add_changes(&page->changes, "Worse kernels", CHANGES_WORSE, CHANGES_SUCCESSORS, page->most, out);
}

static size_t add_others(struct markdown_page *page, struct buf *out)
{
    SCOPED(buf) rest = {0};
    size_t shown = add_changes(&page->changes, "Other changes", CHANGES_OTHER, CHANGE_SECTIONS - 1, page->most, out);
    if (changes_rest(&page->changes, &rest))
        buf_fmt(out, "\nNot listed: %.*s.\n", STR_ARG(buf_str(&rest)));
    return shown;
}

/* ---- statistics ------------------------------------------------------------------------------------------------- */

static size_t add_statistics(struct markdown_page *page, struct buf *out)
{
    const struct summary *summary = &page->summary;
    if (!summary->entries)
        return 0;
    buf_add(out, STR("\n<details><summary>Statistics</summary>\n\n"));
    for (enum statistic statistic = 0; statistic < STATISTICS; statistic++) {
        SCOPED(table) table = summary_table(summary, statistic, IN_MARKDOWN);
        if (table_rows(&table) == 1)
            continue;
        add_table(&table, "rows", out);
        buf_char(out, '\n');
    }
    buf_add(out, STR("| registers | kernel x arch |\n|--:|--:|\n"));
    EACH(const struct bucket, bucket, summary->registers, REGISTER_BUCKETS)
        buf_fmt(out, "| %d–%d | %zu |\n", bucket->from, bucket->to, bucket->entries);
    buf_add(out, STR("\n</details>\n"));
    return 1;
}

/* ---- heat ------------------------------------------------------------------------------------------------------- */

/* Appends the lowest occupancy of each template on each architecture, and the highest if it differs. */
static size_t add_heat(struct markdown_page *page, struct buf *out)
{
    const struct summary *summary = &page->summary;
    const struct linter *linter = page->report->linter;
    const size_t archs = linter->arch_count < ARCH_COLUMNS ? linter->arch_count : ARCH_COLUMNS;
    const size_t shown = summary->template_count < page->most ? summary->template_count : page->most;
    SCOPED(table) table = {.names = true, .left_out = summary->template_count - shown};
    if (!archs || !summary->entries)
        return 0;
    buf_add(out, STR("\n<details><summary>Occupancy by template and architecture, %"));
    if (archs < linter->arch_count)
        buf_fmt(out, " (%zu of %zu architectures)", archs, linter->arch_count);
    buf_add(out, STR("</summary>\n\n"));
    table_column(&table, "template", false);
    for (size_t at = 0; at < archs; at++)
        table_column(&table, arena_cstr(&table.arena, model_string(page->report->model, linter->archs[at])), true);
    EACH(const struct template_summary, template, summary->templates, shown) {
        table_cell(&table, template->name);
        for (size_t at = 0; at < archs; at++) {
            const struct occupancy_range occupancy = summary_heat(summary, template, linter->archs[at]).occupancy;
            if (occupancy.lowest.max_warps)
                occupancy_range_text(&occupancy, &table.cell);
            table_end(&table);
        }
    }
    add_table(&table, "templates", out);
    buf_add(out, STR("\n</details>\n"));
    return shown;
}

/* ---- configurations --------------------------------------------------------------------------------------------- */

static size_t add_configurations(struct markdown_page *page, struct buf *out)
{
    enum { SHOWN_ROWS = 30 };
    SCOPED(configurations) configurations = configurations_make(page->report);
    SCOPED(buf) note = {0};
    if (!configurations.count)
        return 0;
    const size_t shown = configurations.count < page->most ? configurations.count : page->most;
    configurations_note(&configurations, &note);
    buf_add(out, STR("\n#### Configurations\n\n"));
    for (struct str rest = buf_str(&note), line; rest.len && str_split(&rest, '\n', &line);)
        markdown_paragraph(line, out);
    for (size_t at = 0; at < shown; at++) {
        const struct tuned_kernel *kernel = &configurations.kernels[at];
        SCOPED(table) table = configurations_table(&configurations, at, IN_MARKDOWN, SHOWN_ROWS);
        html_fmt(out, "<details><summary><code>%.*s</code>%.*s</summary>\n\n", STR_ARG(kernel->name),
                 STR_ARG(kernel->title));
        add_table(&table, "rows", out);
        buf_add(out, STR("\n</details>\n\n"));
    }
    markdown_shown(shown, configurations.count, "kernels", out);
    return shown;
}

/* ---- all kernels ------------------------------------------------------------------------------------------------ */

static struct table kernel_table(unsigned columns)
{
    struct table table = {.names = true};
    table_column(&table, "kernel", false);
    kernel_heads(IN_MARKDOWN, columns, &table);
    return table;
}

static void add_template_summary(const struct template_summary *template, struct buf *out)
{
    html_fmt(out, "<details><summary><code>%.*s</code>: %u kernel x arch", STR_ARG(template->name), template->count);
    if (template->registers != UNKNOWN)
        buf_fmt(out, ", up to %d registers", template->registers);
    if (template->spilling)
        buf_fmt(out, ", %zu spill, in all %lld B", template->spilling,
                (long long)(template->spill_stores + template->spill_loads));
    buf_add(out, STR("</summary>\n\n"));
}

/* Appends all kernels: each template with several records has a <details>; the others share a table. */
static size_t add_kernels(struct markdown_page *page, struct buf *out)
{
    const struct report *report = page->report;
    const struct summary *summary = &page->summary;
    const unsigned columns = kernel_columns_of(IN_MARKDOWN, summary->known);
    size_t shown = 0;
    if (!summary->count)
        return 0;
    buf_fmt(out, "\n<details><summary>All kernels: %zu kernel x arch in %zu template%s</summary>\n\n", summary->count,
            summary->template_count, PLURAL(summary->template_count));
    buf_add(out, STR("Occupancy: ≤ at most (block size or dynamic shared memory unknown), ^ at the launch bound.\n\n"));
    SCOPED(table) singles = kernel_table(columns);
    EACH(const struct template_summary, template, summary->templates, summary->template_count) {
        SCOPED(table) several = kernel_table(columns);
        struct table *table = template->count > 1 ? &several : &singles;
        for (uint32_t m = 0; m < template->count && shown < page->most; m++, shown++) {
            const uint32_t kernel = summary->members[template->first + m];
            const struct kernel_row row = kernel_row_of(IN_MARKDOWN, linter_record(report->linter, kernel));
            table_cell(table, label_of(report->labels, context_mangled(row.context)));
            kernel_cells(&row, columns, table);
        }
        if (table_rows(&several) == 1)
            continue;
        add_template_summary(template, out);
        add_table(&several, "kernel x arch", out);
        buf_add(out, STR("\n</details>\n\n"));
    }
    if (table_rows(&singles) > 1) {
        buf_char(out, '\n');
        add_table(&singles, "single kernels", out);
    }
    markdown_shown(shown, summary->count, "kernel x arch", out);
    buf_add(out, STR("\n</details>\n"));
    return shown;
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

static size_t add_verdict(struct markdown_page *page, struct buf *out)
{
    const struct report *report = page->report;
    buf_add(out, STR("<!-- warplint -->\n### warplint"));
    if (report->kind == REPORT_FINDINGS) {
        buf_fmt(out, ": %s", verdict_titles[verdict_of(report)]);
        verdict_reason(report, out);
        buf_add(out, STR("\n\n"));
        verdict_counts(report, out);
    } else {
        buf_add(out, STR(": kernels"));
    }
    buf_add(out, STR("\n\n"));
    return 1;
}

static size_t add_judged(struct markdown_page *page, struct buf *out)
{
    const struct report *report = page->report;
    SCOPED(buf) judged = {0};
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
    return 1;
}

static size_t add_tail(struct markdown_page *page, struct buf *out)
{
    SCOPED(buf) lines = {0};
    tail_text(page->report, &lines);
    if (!lines.len)
        return 0;
    buf_add(out, STR("\n#### Not judged, and assumptions\n\n"));
    return markdown_rows(buf_str(&lines), page->most, "lines", out);
}

void report_markdown(const struct report *report, struct out *out)
{
    static const struct markdown_section sections[] = {
        {"the verdict", add_verdict, true},
        {"what was judged", add_judged, true},
        {"findings", add_findings, false},
        {"worse kernels", add_worse, false},
        {"other changes", add_others, false},
        {"what to do", add_rules, false},
        {"configurations", add_configurations, false},
        {"statistics", add_statistics, false},
        {"occupancy by architecture", add_heat, false},
        {"all kernels", add_kernels, false},
        {"what exceptions allow", markdown_allowed, false},
        {"what was not judged", add_tail, true}, /* takes its room before the rows of the other sections */
    };
    SCOPED(markdown_page) page = markdown_page_make(report);
    page.summary = summary_make(report);
    markdown_write(&page, sections, sizeof sections / sizeof *sections, out);
}
