/* The tables of the page: findings, comparison, kernels, heat map, statistics. */
#include "report/arguments.h"
#include "report/changes.h"
#include "report/elide.h"
#include "report/kernel_column.h"
#include "report/location.h"
#include "report/markup.h"
#include "report/messages.h"
#include "report/page.h"
#include "report/rule_help.h"
#include "report/site.h"
#include "report/table.h"

#include <stdlib.h>

enum {
    OPEN_GROUPS = 20, /* open groups of findings; the others are folded */
    SHOWN_MEMBERS = 20,
    SHOWN_CHANGES = 500,
    OPEN_TEMPLATES = 30, /* of the heat map */
    SHOWN_TEMPLATES = 200,
    OPEN_SINGLES = 60
};

static void add(struct html *html, const char *text)
{
    buf_add(html->text, str_of(text));
}

/* ---- findings --------------------------------------------------------------------------------------------------- */

/* " sm_90: spills 12 B" */
static void add_finding_text(struct html *html, const struct finding *finding)
{
    const struct str arch = finding_arch(html->report->linter, finding);
    const struct str message = page_message(html, finding);
    html_fmt(html->text, "%s%.*s: %.*s", arch.len ? " " : "", STR_ARG(arch), STR_ARG(message));
}

/* Appends the URL of the line at the code host; nothing unless the file is known to be in the repository. */
static void add_file_url(const struct report *report, const struct location *file, struct buf *out)
{
    SCOPED(buf) path = {0};
    location_uri(report, file, &path);
    bool known = file->from_here || str_starts(file->path, STR("/"));
    bool below = !str_starts(buf_str(&path), STR("file:")) && !str_starts(buf_str(&path), STR(".."));
    if (!report->run.files_url.len || !known || file->in_log || !below)
        return;
    buf_fmt(out, "%.*s%.*s", STR_ARG(report->run.files_url), STR_ARG(buf_str(&path)));
    if (file->line)
        buf_fmt(out, "#L%u", file->line);
}

void page_finding_place(struct html *html, const struct finding *finding)
{
    const struct report *report = html->report;
    const struct location place = location_of_line(report, finding), file = location_of(report, finding);
    SCOPED(buf) path = {0}, url = {0};
    location_place(report, &place, &path);
    add_file_url(report, &file, &url);
    html_link(html, place.in_log ? STR("") : buf_str(&url), buf_str(&path));
    if (place.in_log && !file.in_log) { /* the file is known, but not the line */
        add(html, "; ");
        html_link(html, buf_str(&url), location_shown(report, file.path));
    }
}

static void add_places(struct html *html, const struct finding *finding)
{
    const struct report *report = html->report;
    size_t count = 0;
    struct code_site *sites = finding_sites(report->linter, finding, &count);
    SCOPED(buf) place = {0}, words = {0};
    add(html, count ? "<ul>\n" : "");
    for (size_t at = 0; at < count && at < SHOWN_SITES; at++) {
        buf_clear(&place);
        buf_clear(&words);
        site_place(report, &sites[at], &place);
        site_words(report, &sites[at], &words);
        html_fmt(html->text, "<li><code>%.*s</code> %.*s</li>\n", STR_ARG(buf_str(&place)), STR_ARG(buf_str(&words)));
    }
    if (count > SHOWN_SITES)
        buf_fmt(html->text, "<li>%zu more</li>\n", count - SHOWN_SITES);
    add(html, count ? "</ul>\n" : "");
    free(sites);
}

static void add_code(struct str text, struct buf *out)
{
    html_fmt(out, "<code>%.*s</code>", STR_ARG(text));
}

static void add_paragraph(struct html *html, const char *title, struct str text)
{
    SCOPED(buf) line = {0};
    one_line(text, &line);
    if (line.len) {
        buf_fmt(html->text, "<p><b>%s.</b> ", title);
        prose(buf_str(&line), html_text, add_code, html->text);
        add(html, "</p>\n");
    }
}

static void add_finding_head(struct html *html, const struct group *group, size_t number)
{
    struct linter *linter = html->report->linter;
    const struct finding *finding = &linter->findings[group->worst];
    const char *severity = severity_names[finding->severity];
    buf_fmt(html->text, "<details class=\"finding\"><summary><span class=\"severity %s\">%s</span> ", severity,
            severity);
    if (finding->baseline_state != BASELINE_NONE)
        buf_fmt(html->text, "<span class=\"state\">%s</span> ", baseline_state_name(finding->baseline_state));
    html_fmt(html->text, "<code>%-.*s</code>", STR_ARG(page_label(html, linter_context(linter, finding))));
    add_finding_text(html, finding);
    html_fmt(html->text, " <span class=\"muted rule\">%.*s", STR_ARG(linter->rules->rules[finding->rule].id));
    if (group->count > 1)
        buf_fmt(html->text, ", %s of %u findings", group_rank(html->report, html->report->groups, group), group->count);
    buf_fmt(html->text, "</span></summary>\n<div class=\"body\" id=\"f%zu\">\n", number);
}

static void add_group(struct html *html, const struct group *group, size_t number)
{
    const struct report *report = html->report;
    const struct rule *rule = &report->linter->rules->rules[group->rule];
    add_finding_head(html, group, number);
    add(html, "<p class=\"muted\">");
    page_finding_place(html, &report->linter->findings[group->worst]);
    add(html, "</p>\n");
    add_places(html, &report->linter->findings[group->worst]);
    page_next(html, &report->linter->findings[group->worst], "");
    add_paragraph(html, "Why", rule->why);
    add_paragraph(html, "What to do", rule->hint);
    if (group->count > 1) {
        add(html, "<ul class=\"members\">\n");
        for (uint32_t m = 0; m < group->count && m < SHOWN_MEMBERS; m++) {
            const struct finding *finding = &report->linter->findings[report->groups->members[group->first + m]];
            add(html, "<li>");
            if (finding->kernel != NO_INDEX && html->place_of[finding->kernel] != NO_INDEX)
                html_fmt(html->text, "<a href=\"#k%u\"><code>%-.*s</code></a>", html->place_of[finding->kernel],
                         STR_ARG(page_label(html, linter_context(report->linter, finding))));
            add_finding_text(html, finding);
            add(html, "</li>\n");
        }
        if (group->count > SHOWN_MEMBERS)
            buf_count(html->text, group->count - SHOWN_MEMBERS, "<li># other{|s}</li>\n");
        add(html, "</ul>\n");
    }
    add(html, "</div></details>\n");
}

void page_findings(struct html *html)
{
    const struct groups *groups = html->report->groups;
    if (!groups->count)
        add(html, "<p>None.</p>\n");
    for (size_t at = 0; at < groups->shown_count; at++) {
        if (at == OPEN_GROUPS)
            buf_fmt(html->text, "<details class=\"rest\"><summary>%zu more groups of findings</summary>\n",
                    groups->shown_count - OPEN_GROUPS);
        add_group(html, &groups->shown[at], at);
    }
    add(html, groups->shown_count > OPEN_GROUPS ? "</details>\n" : "");
    if (groups->shown_count < groups->count)
        buf_fmt(html->text, "<p>%zu of %zu groups of findings are shown; JSON and CSV hold all.</p>\n",
                groups->shown_count, groups->count);
}

/* ---- against the baseline --------------------------------------------------------------------------------------- */

/* Appends the difference between the record and the baseline, "+8 registers, -4 warps"; nothing if there is none. */
static void add_delta(const struct html *html, uint32_t kernel, struct buf *out)
{
    const struct comparison *comparison = html->report->comparison;
    const struct pair *pair = comparison ? compare_of_kernel(comparison, kernel) : NULL;
    if (!pair || pair->state == COMPARE_SAME)
        return;
    if (pair->state == COMPARE_NEW) {
        buf_add(out, STR("new"));
        return;
    }
    size_t before = out->len;
    for (int at = 0; at < MEASURE_COUNT; at++) {
        int32_t delta = pair->deltas[at];
        if (measure_table[at].head && delta != UNKNOWN && delta)
            buf_fmt(out, "%s%+d %s", out->len > before ? ", " : "", delta, measure_table[at].noun);
    }
}

static void add_mark(struct html *html, const struct change_row *row)
{
    if (row->mark.len)
        html_fmt(html->text, " <span class=\"muted\">%.*s</span>", STR_ARG(row->mark));
}

/* Adds the row with the template of the rows that follow. */
static void add_change_head(struct html *html, const struct changes *changes, const struct change_row *row)
{
    enum { HEAD_BYTES = 400 };
    SCOPED(buf) name = {0};
    elide_name(changes->heads[row->group], HEAD_BYTES, &name);
    html_fmt(html->text, "<tr class=\"f\"><th scope=\"rowgroup\" colspan=\"12\"><code>%-.*s</code>",
             STR_ARG(buf_str(&name)));
    add_mark(html, row);
    add(html, "</th></tr>\n");
}

/* Adds the arguments if the template is in a row above, else the name. */
static void add_change_name(struct html *html, const struct changes *changes, const struct change_row *row)
{
    SCOPED(buf) name = {0};
    changes_name(changes, row, &name);
    if (row->kernel != NO_INDEX)
        buf_fmt(html->text, "<a href=\"#k%u\">", html->place_of[row->kernel]);
    html_fmt(html->text, "<code>%-.*s</code>%s", STR_ARG(buf_str(&name)), row->kernel != NO_INDEX ? "</a>" : "");
    if (changes->heads[row->group].len == 0)
        add_mark(html, row);
}

static void add_change(struct html *html, const struct changes *changes, const struct change_row *row, bool findings)
{
    add(html, changes->heads[row->group].len ? "<tr><th scope=\"row\" class=\"m\">" : "<tr><th scope=\"row\">");
    add_change_name(html, changes, row);
    html_fmt(html->text, "</th><td>%.*s</td>", STR_ARG(row->archs));
    for (size_t at = 0; at < changes->column_count; at++) {
        add(html, "<td class=\"n\">");
        changes_cell(row, changes->columns[at], " → ", html->text);
        add(html, "</td>");
    }
    if (findings)
        html_fmt(html->text, "<td><span class=\"severity %s\">%s</span> %.*s</td>", changes_severity(row),
                 changes_severity(row), STR_ARG(row->rule));
    add(html, "</tr>\n");
}

static void add_change_table(struct html *html, const struct changes *changes, size_t from, size_t to)
{
    const char *title = change_titles[changes->rows[from].section];
    bool findings = false;
    for (size_t at = from; at < to; at++)
        findings |= changes->rows[at].rule.len > 0;
    buf_fmt(html->text,
            "<div class=\"wide\" role=\"region\" aria-label=\"%s\" tabindex=\"0\"><table class=\"changes\"><thead><tr>"
            "<th scope=\"col\">kernel</th><th scope=\"col\">arch</th>",
            title);
    for (size_t at = 0; at < changes->column_count; at++)
        buf_fmt(html->text, "<th scope=\"col\" class=\"n\">%s</th>", measure_table[changes->columns[at]].noun);
    add(html, findings ? "<th scope=\"col\">finding</th></tr></thead><tbody>\n" : "</tr></thead><tbody>\n");
    for (size_t at = from; at < to; at++) {
        const struct change_row *row = &changes->rows[at];
        if (changes->heads[row->group].len && (at == from || row->group != row[-1].group))
            add_change_head(html, changes, row);
        add_change(html, changes, row, findings);
    }
    add(html, "</tbody></table></div>\n");
}

void page_comparison(struct html *html)
{
    SCOPED(changes) changes = changes_make(html->report);
    SCOPED(buf) rest = {0};
    add(html, "<p>");
    comparison_text(html->report, html->text);
    add(html, "</p>\n");
    size_t shown = changes.count < SHOWN_CHANGES ? changes.count : SHOWN_CHANGES;
    for (size_t from = 0, to = 0; from < shown; from = to) {
        const enum change_section section = (enum change_section)changes.rows[from].section;
        const bool open = section == CHANGES_WORSE || section == CHANGES_SUCCESSORS || section == CHANGES_NEW;
        while (to < shown && changes.rows[to].section == section)
            to++;
        buf_fmt(html->text, "<details class=\"rest\"%s><summary>%s: %zu row%s</summary>\n", open ? " open" : "",
                change_titles[section], to - from, PLURAL(to - from));
        add_change_table(html, &changes, from, to);
        add(html, "</details>\n");
    }
    if (shown < changes.count)
        buf_fmt(html->text, "<p>%zu of %zu rows are shown.</p>\n", shown, changes.count);
    changes_rest(&changes, &rest);
    if (rest.len)
        buf_fmt(html->text, "<p>Not listed: %.*s.</p>\n", STR_ARG(buf_str(&rest)));
}

/* ---- kernels ---------------------------------------------------------------------------------------------------- */

/* Omits end tags that HTML does not require: there may be 100,000 rows. arguments: the ones that distinguish the kernel
 * from others of its template; they replace the label in rows below the template. Empty: the row shows the label. */
static void add_row(struct html *html, uint32_t kernel, struct str arguments)
{
    struct kernel_row row = kernel_row_of(IN_PAGE, linter_record(html->report->linter, kernel));
    uint32_t place = html->place_of[kernel];
    struct panel panel = page_panel(html, &row);
    const struct str label = page_label(html, row.context);
    buf_fmt(html->text, "<tr class=r id=k%u data-parts=\"", place);
    for (size_t at = 0; at < panel.count; at++)
        buf_fmt(html->text, at ? " %u" : "%u", panel.parts[at]);
    add(html, "\" data-place=\"");
    page_place(html, row.context->kernel);
    buf_fmt(html->text, "\"><th scope=row><a href=#%c%u", panel.has_launch && place < html->panels_end ? 'p' : 'k',
            place);
    if (arguments.len)
        html_fmt(html->text, " data-label=\"%.*s\">%.*s</a>", STR_ARG(label), STR_ARG(arguments));
    else
        html_fmt(html->text, ">%-.*s</a>", STR_ARG(label));
    if (row.context->kernel->kind != KERNEL_ENTRY)
        add(html, " <span class=\"muted fn\">(device function)</span>");
    for (const struct kernel_column *column = NULL; (column = kernel_column_next(html->columns, column));) {
        add(html, column->number ? "<td>" : "<td class=t>");
        kernel_cell(column, &row, html->text);
    }
    if (html->report->comparison) {
        add(html, "<td class=t>");
        add_delta(html, kernel, html->text);
    }
    add(html, "\n");
    out_spill(html->out);
}

/* Adds the row above the rows of a template: it opens and closes them, and has the ranges of their values. */
static void add_template_head(struct html *html, struct str name, const uint32_t *kernels, size_t count)
{
    SCOPED(kernel_summary) summary = {.rows = 0};
    for (size_t at = 0; at < count; at++) {
        struct kernel_row row = kernel_row_of(IN_PAGE, linter_record(html->report->linter, kernels[at]));
        kernel_summary_add(&summary, &row);
    }
    html_fmt(html->text,
             "<tbody class=g><tr class=f><th scope=rowgroup><label><input type=checkbox> <code>%-.*s</code></label> "
             "<span class=muted>%zu kernel x arch</span>",
             STR_ARG(name), count);
    for (const struct kernel_column *column = NULL; (column = kernel_column_next(html->columns, column));) {
        add(html, column->number ? "<td>" : "<td class=t>");
        kernel_summary_cell(&summary, column, html->text);
    }
    add(html, html->report->comparison ? "<td class=t>\n" : "\n");
}

/* Adds the head of the table, after the names of the columns that are omitted. */
static void add_columns(struct html *html)
{
    const size_t before = html->text->len;
    for (const struct kernel_column *column = NULL; (column = kernel_column_next(html->zeros, column));)
        buf_fmt(html->text, "%s%s", html->text->len > before ? ", " : " 0 in every row: ", column->title);
    add(html, html->zeros ? ".</p>\n" : "</p>\n");
    add(html, "<div class=\"wide\" role=\"region\" aria-label=\"Kernels\" tabindex=\"0\">\n<table id=\"table\">\n"
              "<thead><tr><th scope=\"col\" class=\"\">kernel</th>");
    for (const struct kernel_column *column = NULL; (column = kernel_column_next(html->columns, column));)
        buf_fmt(html->text, "<th scope=\"col\" class=\"%s\">%s</th>", column->number ? "n" : "", column->title);
    add(html,
        html->report->comparison ? "<th scope=\"col\">against the baseline</th></tr></thead>\n" : "</tr></thead>\n");
}

static void add_template(struct html *html, const struct template_summary *template)
{
    struct linter *linter = html->report->linter;
    const uint32_t *members = html->summary.members + template->first;
    SCOPED(arena) arena = {0};
    SCOPED(buf) pattern = {0};
    struct str *labels = arena_alloc(&arena, (template->count + 1) * sizeof *labels);
    struct str *arguments = arena_alloc(&arena, (template->count + 1) * sizeof *arguments);
    bool whole = template->kernels > 1;
    for (uint32_t m = 0; m < template->count; m++) {
        labels[m] = label_of(html->report->labels, context_mangled(linter_record(linter, members[m])));
        /* The arguments do not replace a label that is cut or has a mark that distinguishes it from an equal one. */
        whole &= str_find(labels[m], STR("...")) == STR_NONE && str_find_char(labels[m], '~') == STR_NONE;
    }
    bool columns = whole && argument_columns(labels, template->count, &arena, arguments, &pattern);
    add_template_head(html, columns ? buf_str(&pattern) : template->name, members, template->count);
    for (uint32_t m = 0; m < template->count; m++)
        add_row(html, members[m], arguments[m]);
}

/* Kernels that are alone in their template: the first rows are open, the others are one closed group. */
static void add_singles(struct html *html)
{
    const struct summary *summary = &html->summary;
    uint32_t *kernels = arena_alloc(&html->arena, (summary->template_count + 1) * sizeof *kernels);
    size_t count = 0;
    for (size_t f = 0; f < summary->template_count; f++)
        if (summary->templates[f].count == 1)
            kernels[count++] = summary->members[summary->templates[f].first];
    add(html, count ? "<tbody>\n" : "");
    for (size_t at = 0; at < count; at++) {
        if (at == OPEN_SINGLES)
            add_template_head(html, STR("other single kernels"), &kernels[at], count - at);
        add_row(html, kernels[at], STR(""));
    }
}

static const char controls[] =
    "<form class=\"controls script\" hidden>\n"
    "<label>filter <input type=\"search\" id=\"filter\" autocomplete=\"off\" spellcheck=\"false\"></label>\n"
    "<label>architecture <select id=\"arch\"><option value=\"\">all</option></select></label>\n"
    "<label>limited by <select id=\"limiter\"><option value=\"\">anything</option></select></label>\n"
    "<label><input type=\"checkbox\" id=\"spilling\"> only what spills</label>\n"
    "<label><input type=\"checkbox\" id=\"grouped\" checked> by template</label>\n"
    "<button type=\"button\" id=\"all\" hidden>show all again</button>\n"
    "<output id=\"count\" aria-live=\"polite\"></output>\n"
    "</form>\n";

void page_kernels(struct html *html)
{
    add(html, controls);
    add(html, "<p class=\"muted\">Templates of several kernels and single kernels, each in the order of spilled bytes, "
              "stack, registers, shared memory. A template has one row above its kernels, with the lowest and the "
              "highest value; its checkbox shows them. Stack and spills are bytes per thread, smem is bytes per block. "
              "≤: at most, because the block size or dynamic shared memory is not known; ^: at the launch bound; "
              "-: not stated.");
    add_columns(html);
    const bool single_is_worst = html->summary.template_count && html->summary.templates[0].count == 1;
    if (single_is_worst)
        add_singles(html);
    for (size_t f = 0; f < html->summary.template_count; f++)
        if (html->summary.templates[f].count > 1)
            add_template(html, &html->summary.templates[f]);
    if (!single_is_worst)
        add_singles(html);
    add(html, "</table>\n</div>\n<p class=\"script\" hidden><button type=\"button\" id=\"more\" hidden>show more"
              "</button></p>\n");
}

/* ---- heat ------------------------------------------------------------------------------------------------------- */

static void add_heat_cell(struct html *html, const struct template_summary *template, uint32_t arch)
{
    enum { HEAT_CLASSES = 5 };                                     /* 0 is the class of the lowest occupancy */
    static const int most_eighths[HEAT_CLASSES] = {1, 2, 4, 6, 8}; /* 12.5, 25, 50, 75, 100 % */
    struct heat heat = summary_heat(&html->summary, template, arch);
    const struct occupancy_range *occupancy = &heat.occupancy;
    int class = 0;
    if (!occupancy->lowest.max_warps) {
        add(html, "<td class=\"n\"></td>");
        return;
    }
    while (class + 1 < HEAT_CLASSES && occupancy->lowest.warps * 8 > most_eighths[class] * occupancy->lowest.max_warps)
        class ++;
    buf_fmt(html->text, "<td class=\"n h%d\"><a href=\"#k%u\">", class, html->place_of[heat.kernel]);
    occupancy_range_text(occupancy, html->text);
    add(html, "</a></td>");
}

static void add_heat_table(struct html *html, size_t from, size_t to)
{
    const struct report *report = html->report;
    add(html,
        "<div class=\"wide\" role=\"region\" aria-label=\"Heat map\" tabindex=\"0\"><table class=\"heat\"><thead><tr>"
        "<th scope=\"col\">template</th>");
    for (size_t at = 0; at < report->linter->arch_count; at++)
        html_fmt(html->text, "<th scope=\"col\" class=\"n\">%.*s</th>",
                 STR_ARG(model_string(report->model, report->linter->archs[at])));
    add(html, "</tr></thead><tbody>\n");
    for (size_t f = from; f < to; f++) {
        const struct template_summary *template = &html->summary.templates[f];
        html_fmt(html->text, "<tr><th scope=\"row\"><code>%-.*s</code></th>", STR_ARG(template->name));
        for (size_t at = 0; at < report->linter->arch_count; at++)
            add_heat_cell(html, template, report->linter->archs[at]);
        add(html, "</tr>\n");
    }
    add(html, "</tbody></table></div>\n");
}

void page_heat(struct html *html)
{
    const struct summary *summary = &html->summary;
    size_t shown = summary->template_count < SHOWN_TEMPLATES ? summary->template_count : SHOWN_TEMPLATES;
    add(html, "<p class=\"muted\">Occupancy in percent: the lowest of the "
              "template, and the highest where it differs. The colour is that of the lowest.</p>\n");
    add_heat_table(html, 0, shown < OPEN_TEMPLATES ? shown : OPEN_TEMPLATES);
    if (shown > OPEN_TEMPLATES) {
        buf_fmt(html->text, "<details class=\"rest\"><summary>%zu more templates</summary>\n", shown - OPEN_TEMPLATES);
        add_heat_table(html, OPEN_TEMPLATES, shown);
        add(html, "</details>\n");
    }
    if (shown < summary->template_count)
        buf_fmt(html->text, "<p>%zu of %zu templates are shown, in the order of the kernels above.</p>\n", shown,
                summary->template_count);
}

/* ---- statistics ------------------------------------------------------------------------------------------------- */

static void add_histogram(struct html *html)
{
    const struct summary *summary = &html->summary;
    size_t most = 1;
    for (size_t at = 0; at < REGISTER_BUCKETS; at++)
        most = summary->registers[at].entries > most ? summary->registers[at].entries : most;
    add(html, "<table><caption>Registers per thread</caption><thead><tr><th scope=\"col\" class=\"n\">range</th>"
              "<th scope=\"col\" class=\"n\">kernel x arch</th><td></td></tr></thead><tbody>\n");
    EACH(const struct bucket, bucket, summary->registers, REGISTER_BUCKETS)
        buf_fmt(
            html->text,
            "<tr><th scope=\"row\" class=\"n\">%d–%d</th><td class=\"n\">%zu</td><td>"
            "<svg class=\"bar\" width=\"120\" height=\"10\" aria-hidden=\"true\"><rect width=\"%zu\" height=\"10\"/>"
            "</svg></td></tr>\n",
            bucket->from, bucket->to, bucket->entries, (bucket->entries * 120 + most - 1) / most);
    add(html, "</tbody></table>\n");
}

void page_statistics(struct html *html)
{
    add(html, "<div class=\"tables\">\n");
    uint32_t links[LOWEST_KERNELS];
    for (size_t at = 0; at < html->summary.lowest_count; at++)
        links[at] = html->place_of[html->summary.lowest[at].kernel];
    for (enum statistic statistic = 0; statistic < STATISTICS; statistic++) {
        SCOPED(table) table = summary_table(&html->summary, statistic, IN_PAGE);
        if (table_rows(&table) > 1)
            table_html(&table, statistic_titles[statistic], statistic == STATISTIC_LOWEST ? links : NULL, html->text);
        buf_count(html->text, table.left_out, "<p># other{|s}</p>\n");
    }
    add_histogram(html);
    add(html, "</div>\n");
}
