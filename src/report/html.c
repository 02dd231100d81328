/* html: the document around the sections of report/page.h. */
#include "report/kernel_column.h"
#include "report/markup.h"
#include "report/messages.h"
#include "report/page.h"

/* ---- shared by the sections ------------------------------------------------------------------------------------- */

struct str page_label(struct html *html, const struct context *context)
{
    return label_of(html->report->labels, context_mangled(context));
}

void page_sentence(struct str text, struct buf *out)
{
    static const struct str there = STR_INIT("(cd ");
    const size_t tune = str_find(text, STR("warplint tune "));
    const size_t subshell = tune == STR_NONE ? STR_NONE : str_rfind(str_sub(text, 0, tune), there);
    const size_t command = subshell == STR_NONE ? tune : subshell;
    if (command == STR_NONE)
        html_text(text, out);
    else
        html_fmt(out, "%.*s<code>%.*s</code>", STR_ARG(str_sub(text, 0, command)), STR_ARG(str_from(text, command)));
}

struct str page_message(struct html *html, const struct finding *finding)
{
    struct buf message = {0};
    finding_message(html->report->linter, finding, &message);
    return arena_take(&html->arena, &message);
}

void page_next(struct html *html, const struct finding *finding, const char *attributes)
{
    SCOPED(buf) next = {0};
    if (finding_next(html->report->linter, finding, false, &next)) {
        buf_fmt(html->text, "<p%s><b>Next.</b> ", attributes);
        page_sentence(buf_str(&next), html->text);
        buf_add(html->text, STR("</p>\n"));
    }
}

/* ---- the head --------------------------------------------------------------------------------------------------- */

static void add_base64(const unsigned char *bytes, size_t count, struct buf *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t at = 0; at < count; at += 3) {
        unsigned left = (unsigned)(count - at), group = (unsigned)bytes[at] << 16;
        group |= left > 1 ? (unsigned)bytes[at + 1] << 8 : 0;
        group |= left > 2 ? bytes[at + 2] : 0;
        buf_char(out, digits[group >> 18]);
        buf_char(out, digits[group >> 12 & 63]);
        buf_char(out, left > 1 ? digits[group >> 6 & 63] : '=');
        buf_char(out, left > 2 ? digits[group & 63] : '=');
    }
}

static void add_title(const struct html *html, struct buf *out)
{
    if (html->report->title.len)
        buf_fmt(out, "%.*s: ", STR_ARG(html->report->title));
    if (html->report->kind != REPORT_FINDINGS) {
        buf_add(out, STR("kernels"));
        return;
    }
    buf_add(out, str_of(verdict_titles[verdict_of(html->report)]));
    verdict_reason(html->report, out);
}

static void add_head(struct html *html)
{
    struct buf *out = html->text;
    SCOPED(buf) title = {0};
    add_title(html, &title);
    buf_add(out, STR("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-"));
    add_base64(page_style.sha256, sizeof page_style.sha256, out);
    buf_add(out, STR("'; script-src 'sha256-"));
    add_base64(page_script.sha256, sizeof page_script.sha256, out);
    buf_add(out, STR("'; base-uri 'none'; form-action 'none'\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
                     "<title>"));
    html_fmt(out, "warplint: %.*s</title>\n<style>", STR_ARG(buf_str(&title)));
    buf_add(out, page_style.text);
    buf_add(out, STR("</style>\n</head>\n<body>\n"));
}

static void add_verdict(struct html *html)
{
    const struct report *report = html->report;
    struct buf *out = html->text;
    SCOPED(buf) line = {0};
    static const char *const classes[VERDICTS] = {[VERDICT_FAILED] = "failed",
                                                  [VERDICT_PASSED] = "passed",
                                                  [VERDICT_NONE] = "unjudged",
                                                  [VERDICT_NOT_ASKED] = "unjudged"};
    const enum verdict verdict = report->kind == REPORT_FINDINGS ? verdict_of(report) : VERDICT_NONE;
    add_title(html, &line);
    html_fmt(
        out,
        "<header>\n<p class=\"brand\">warplint <span id=\"version\">%s</span></p>\n<h1 class=\"%s\">%.*s</h1>\n<p>",
        report->version, classes[verdict], STR_ARG(buf_str(&line)));
    buf_clear(&line);
    if (report->kind == REPORT_FINDINGS) {
        verdict_counts(report, &line);
        html_fmt(out, "%.*s<br>\n", STR_ARG(buf_str(&line)));
        buf_clear(&line);
    }
    verdict_judged(report, &line);
    html_fmt(out, "%.*s</p>\n", STR_ARG(buf_str(&line)));
}

void html_link(struct html *html, struct str url, struct str text)
{
    if (str_starts(url, STR("https://")))
        html_fmt(html->text, "<a href=\"%.*s\">%.*s</a>", STR_ARG(url), STR_ARG(text));
    else
        html_text(text, html->text);
}

/* Writes one item of the list about the build; nothing if its text is empty. */
static void add_run_part(struct html *html, const char *title, struct str url, struct str text)
{
    if (!text.len)
        return;
    buf_fmt(html->text, "<li><span class=\"muted\">%s</span> ", title);
    html_link(html, url, text);
    buf_add(html->text, STR("</li>\n"));
}

static void cuda_versions(const struct model *model, struct buf *out)
{
    for (size_t at = 0; at < model->log_count; at++) {
        struct toolkit toolkit = model->logs[at].toolkit;
        bool seen = !toolkit_known(toolkit);
        for (size_t before = 0; before < at && !seen; before++)
            seen = toolkit_order(model->logs[before].toolkit, toolkit) == 0;
        if (!seen)
            buf_fmt(out, "%s%d.%d", out->len ? ", " : "", toolkit.major, toolkit.minor);
    }
}

static void add_run(struct html *html)
{
    enum { COMMIT_DIGITS = 12 };
    const struct build_run *run = &html->report->run;
    SCOPED(buf) cuda = {0};
    cuda_versions(html->report->model, &cuda);
    size_t before = html->text->len;
    buf_add(html->text, STR("<ul class=\"run\">\n"));
    size_t opened = html->text->len;
    add_run_part(html, "project", run->project_url, run->project);
    add_run_part(html, "branch", STR(""), run->branch);
    add_run_part(html, "commit", run->commit_url,
                 str_sub(run->commit, 0, run->commit.len < COMMIT_DIGITS ? run->commit.len : COMMIT_DIGITS));
    add_run_part(html, "run", run->run_url, run->run);
    add_run_part(html, "CUDA", STR(""), buf_str(&cuda));
    add_run_part(html, "date", STR(""), html->report->date);
    if (html->text->len > opened)
        buf_add(html->text, STR("</ul>\n"));
    else
        html->text->len = before; /* nothing is known */
}

static void add_lines(struct html *html, struct str lines)
{
    struct str line;
    buf_add(html->text, STR("<ul>\n"));
    while (lines.len && str_split(&lines, '\n', &line))
        html_fmt(html->text, "<li>%.*s</li>\n", STR_ARG(line));
    buf_add(html->text, STR("</ul>\n"));
}

static void add_not_judged(struct html *html)
{
    SCOPED(buf) lines = {0};
    tail_text(html->report, &lines);
    if (lines.len)
        add_lines(html, buf_str(&lines));
    else
        buf_add(html->text, STR("<p>Everything was judged.</p>\n"));
}

static void add_allowed(struct html *html)
{
    SCOPED(buf) lines = {0};
    allowed_text(html->report, &lines);
    add_lines(html, buf_str(&lines));
}

static void add_sections(struct html *html)
{
    const bool entries = html->summary.entries > 0;
    const struct {
        const char *id, *title;
        bool there;
        void (*write)(struct html *html);
    } sections[] = {
        {"findings", "Findings", html->report->kind == REPORT_FINDINGS, page_findings},
        {"baseline", "Against the baseline", html->report->comparison != NULL, page_comparison},
        {"configurations", "Configurations", html->configurations.count > 0, page_configurations},
        {"kernels", "Kernels", html->summary.count > 0, page_kernels},
        {"heat", "Heat map", entries, page_heat},
        {"statistics", "Statistics", entries, page_statistics},
        {"worst", "Kernels in detail", entries, page_panels},
        {"not-judged", "Not judged, and assumptions", true, add_not_judged},
        {"allowed", "Allowed by exceptions", html->report->linter->counts.suppressed > 0, add_allowed},
    };
    const size_t count = sizeof sections / sizeof *sections;
    buf_add(html->text, STR("<nav aria-label=\"Sections\"><ul>\n"));
    for (size_t at = 0; at < count; at++)
        if (sections[at].there)
            buf_fmt(html->text, "<li><a href=\"#%s\">%s</a></li>\n", sections[at].id, sections[at].title);
    buf_add(html->text, STR("</ul></nav>\n</header>\n<main>\n"));
    page_overview(html);
    for (size_t at = 0; at < count; at++) {
        if (!sections[at].there)
            continue;
        buf_fmt(html->text, "<section id=\"%s\">\n<h2>%s</h2>\n", sections[at].id, sections[at].title);
        sections[at].write(html);
        buf_add(html->text, STR("</section>\n"));
        out_spill(html->out);
    }
}

/* Numbers the records of the page. The other half of a linked pair gets the number of its ptxas half. */
static void number_places(struct html *html)
{
    const struct model *model = html->report->model;
    html->place_of = arena_alloc(&html->arena, (model->kernel_count + 1) * sizeof *html->place_of);
    memset(html->place_of, 0xff, (model->kernel_count + 1) * sizeof *html->place_of);
    for (uint32_t at = 0, panels = 0; at < html->summary.count; at++) {
        html->place_of[html->summary.order[at]] = at;
        if (model->kernels[html->summary.order[at]].kind == KERNEL_ENTRY && panels++ < STATIC_PANELS)
            html->panels_end = at + 1;
    }
    for (uint32_t k = 0; k < model->kernel_count; k++) {
        uint32_t link = kernel_rare(model, &model->kernels[k])->link;
        if (html->place_of[k] == NO_INDEX && link != NO_INDEX)
            html->place_of[k] = html->place_of[link];
    }
}

/* Chooses the columns of the table of kernels, without the columns with only zeros, which it also finds. */
static void choose_columns(struct html *html)
{
    SCOPED(kernel_summary) all = {.rows = 0};
    html->columns = kernel_columns_of(IN_PAGE, html->summary.known);
    for (size_t at = 0; at < html->summary.count; at++) {
        struct kernel_row row = kernel_row_of(IN_PAGE, linter_record(html->report->linter, html->summary.order[at]));
        kernel_summary_add(&all, &row);
    }
    for (const struct kernel_column *column = NULL; (column = kernel_column_next(html->columns, column));) {
        SCOPED(buf) cell = {0};
        kernel_summary_cell(&all, column, &cell);
        if (column->number && str_eq(buf_str(&cell), STR("0")))
            html->zeros |= 1u << (column - kernel_columns);
    }
    html->columns &= ~html->zeros;
}

void report_html(const struct report *report, struct out *out)
{
    struct html html = {.report = report, .out = out, .text = &out->text};
    html.summary = summary_make(report);
    html.configurations = configurations_make(report);
    number_places(&html);
    choose_columns(&html);
    html.panels.of_launch = arena_alloc(&html.arena, (html.summary.count + 1) * sizeof *html.panels.of_launch);
    html.findings = report_kernel_findings(report, &html.arena);
    add_head(&html);
    add_verdict(&html);
    add_run(&html);
    add_sections(&html);
    buf_add(html.text, STR("</main>\n"));
    page_parts(&html);
    buf_add(html.text, STR("<script>"));
    buf_add(html.text, page_script.text);
    buf_add(html.text, STR("</script>\n</body>\n</html>\n"));
    summary_free(&html.summary);
    configurations_free(&html.configurations);
    arena_free(&html.arena);
    intern_free(&html.panels.parts);
    intern_free(&html.panels.curves);
    intern_free(&html.panels.launches);
}
