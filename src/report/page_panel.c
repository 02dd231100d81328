/* The panels of the worst kernels, drawn here so that they can be read without the script, which draws the others. */
#include "report/kernel_column.h"
#include "report/label.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/steps.h"

bool view_make(struct launch_view *view, struct context *context)
{
    struct occupancy_shown occupancy = occupancy_shown_of(context);
    if (!occupancy.max_warps)
        return false;
    view->arch = context->arch;
    view->best = occupancy.best;
    view->bound = occupancy.bound;
    view->launch = context_launch(context, occupancy.threads);
    struct launch open = view->launch;
    if (view->best)
        open.threads = 0;
    if (!occupancy_compute(view->arch, &view->launch, &view->occupancy))
        view->occupancy = (struct occupancy){.max_warps = occupancy.max_warps};
    view->cliff = (struct cliff){.registers_up = -1, .registers_down = -1, .smem_up_bytes = -1};
    if (view->best)
        occupancy_best_cliff(view->arch, &open, &view->cliff);
    else
        occupancy_cliff(view->arch, &open, &view->cliff);
    return true;
}

void view_headline(const struct launch_view *view, struct buf *out)
{
    const struct occupancy *o = &view->occupancy;
    double percent = o->max_warps ? 100.0 * o->warps / o->max_warps : 0;
    if (o->blocks == 0)
        buf_add(out, STR("cannot launch"));
    else if (view->best)
        buf_fmt(out, "at best %d of %d warps, %.1f %%, with blocks of up to %d threads; the block size is not known",
                o->warps, o->max_warps, percent, view->launch.threads);
    else
        buf_fmt(out, "%d block%s per SM, %d of %d warps, %.1f %%, with blocks of %d threads%s", o->blocks,
                o->blocks == 1 ? "" : "s", o->warps, o->max_warps, percent, view->launch.threads,
                view->bound ? ", the launch bound" : "");
}

static void add_bytes(struct buf *out, const char *what, int64_t bytes)
{
    if (bytes == UNKNOWN)
        buf_fmt(out, "%s unknown", what);
    else
        buf_fmt(out, "%s %lld B", what, (long long)bytes);
}

void view_facts(struct context *context, struct buf *out)
{
    add_bytes(out, "spill stores", context->spill_store_bytes);
    add_bytes(out, ", spill loads", context->spill_load_bytes);
    add_bytes(out, ", stack frame", context->stack_bytes);
    if (context->register_cap == UNKNOWN)
        return;
    buf_fmt(out, "; register cap %d, set by ", context->register_cap);
    buf_add(out, context_cap_by(context));
}

void view_next(const struct html *html, struct context *context, struct buf *out)
{
    struct linter *linter = html->report->linter;
    uint32_t kernel = (uint32_t)(context->kernel - context->model->kernels);
    for (uint32_t at = html->first_of[kernel]; at != NO_INDEX; at = html->next_of[at]) {
        size_t before = out->len;
        buf_fmt(out, "%.*s: ", STR_ARG(linter->rules->rules[linter->findings[at].rule].id));
        if (finding_next(linter, &linter->findings[at], out))
            buf_char(out, '\n');
        else
            out->len = before;
    }
}

/* ---- curves ----------------------------------------------------------------------------------------------------- */

enum { CHART_WIDTH = 280, CHART_HEIGHT = 100, CHART_LEFT = 42, CHART_TOP = 8 };

static const char *const axis_titles[AXIS_COUNT] = {"threads per block", "registers per thread",
                                                    "bytes of shared memory per block"};

/* In tenths of a unit of the drawing. */
static void add_tenths(struct buf *out, int64_t tenths)
{
    buf_fmt(out, "%lld.%lld", (long long)(tenths / 10), (long long)(tenths % 10));
}

static int64_t chart_x(int64_t value, int64_t end)
{
    return CHART_LEFT * 10 + (value > end ? end : value) * CHART_WIDTH * 10 / (end > 0 ? end : 1);
}

static int64_t chart_y(int warps, int most)
{
    return CHART_TOP * 10 + (most - warps) * CHART_HEIGHT * 10 / (most > 0 ? most : 1);
}

static void add_path(struct buf *out, const struct curve *curve, int64_t end, int most)
{
    buf_add(out, STR("<path class=\"curve\" d=\"M"));
    add_tenths(out, chart_x(0, end));
    buf_char(out, ' ');
    add_tenths(out, chart_y(curve->count ? curve->steps[0].warps : 0, most));
    for (size_t at = 0; at < curve->count; at++) {
        buf_char(out, 'V');
        add_tenths(out, chart_y(curve->steps[at].warps, most));
        buf_char(out, 'H');
        add_tenths(out, chart_x(curve->steps[at].to, end));
    }
    buf_add(out, STR("\"/>"));
}

static void add_grid(struct buf *out, int64_t end)
{
    for (int quarter = 0; quarter <= 4; quarter++) {
        int y = CHART_TOP + CHART_HEIGHT - quarter * CHART_HEIGHT / 4;
        buf_fmt(out, "<path class=\"grid\" d=\"M%d %dh%d\"/>", CHART_LEFT, y, CHART_WIDTH);
        if (quarter % 2 == 0)
            buf_fmt(out, "<text x=\"%d\" y=\"%d\" class=\"y\">%d %%</text>", CHART_LEFT - 4, y + 4, quarter * 25);
    }
    buf_fmt(out, "<text x=\"%d\" y=\"%d\">0</text><text x=\"%d\" y=\"%d\" class=\"y\">%lld</text>", CHART_LEFT,
            CHART_TOP + CHART_HEIGHT + 14, CHART_LEFT + CHART_WIDTH, CHART_TOP + CHART_HEIGHT + 14, (long long)end);
}

static void add_chart(struct buf *out, const struct launch_view *view, enum axis axis)
{
    const struct curve *curve = &view->curves[axis];
    const int64_t ends[AXIS_COUNT] = {view->arch->max_threads_per_block, view->arch->registers_per_thread,
                                      view->arch->smem_per_block_optin_bytes};
    const int64_t values[AXIS_COUNT] = {view->launch.threads, view->launch.registers,
                                        view->launch.smem_bytes + view->launch.dynamic_smem_bytes};
    int64_t end = ends[axis], value = values[axis];
    int most = view->arch->max_warps_per_sm;
    bool known = axis != AXIS_THREADS || !view->best;
    buf_fmt(out, "<figure><figcaption>%s", axis_titles[axis]);
    if (known)
        buf_fmt(out, ": <b>%lld</b>", (long long)value);
    buf_fmt(out,
            "</figcaption><svg viewBox=\"0 0 %d %d\" role=\"img\" data-axis=\"%s\" aria-label=\"Occupancy against %s. ",
            CHART_LEFT + CHART_WIDTH + 8, CHART_TOP + CHART_HEIGHT + 20, axis_name(axis), axis_titles[axis]);
    for (size_t at = 0; at < curve->count; at++) /* the picture in words: "1 to 32: 100 %, ..." */
        buf_fmt(out, "%s%lld to %lld: %.1f %%", at ? ", " : "", (long long)curve->steps[at].from,
                (long long)curve->steps[at].to, 100.0 * curve->steps[at].warps / most);
    buf_add(out, STR("\">"));
    add_grid(out, end);
    add_path(out, curve, end, most);
    if (known && curve->count) {
        buf_add(out, STR("<circle r=\"5\" cx=\""));
        add_tenths(out, chart_x(value, end));
        buf_add(out, STR("\" cy=\""));
        add_tenths(out, chart_y(view->occupancy.warps, most));
        buf_add(out, STR("\"/>"));
    }
    buf_add(out, STR("</svg></figure>\n"));
}

/* ---- a panel ---------------------------------------------------------------------------------------------------- */

/* What the blocks of an SM use of it, as a bar. */
static void add_used(struct buf *out, int64_t used, int64_t per_sm, const char *unit)
{
    int64_t tenths = per_sm > 0 ? used * 1000 / per_sm : 0;
    buf_fmt(
        out,
        "<td><svg class=\"used\" width=\"100\" height=\"10\" aria-hidden=\"true\"><rect class=\"all\" width=\"100\" "
        "height=\"10\"/><rect width=\"%lld.%lld\" height=\"10\"/></svg> %lld%s</td></tr>\n",
        (long long)(tenths / 10), (long long)(tenths % 10), (long long)used, unit);
}

static void add_limits(struct buf *out, const struct launch_view *view)
{
    buf_add(out, STR("<table class=\"limits\"><caption>Limits</caption>"
                     "<thead><tr><th scope=\"col\">limiter</th><th scope=\"col\" class=\"n\">per block</th>"
                     "<th scope=\"col\" class=\"n\">per SM</th><th scope=\"col\" class=\"n\">blocks</th>"
                     "<th scope=\"col\">used of the SM</th></tr></thead>"
                     "<tbody>\n"));
    for (int limiter = 0; limiter < LIMIT_COUNT; limiter++) {
        const struct occupancy *o = &view->occupancy;
        struct limit_row row = limit_row(view->arch, &view->launch, o, (enum limiter)limiter);
        bool binds = o->limiters >> limiter & 1, none = o->limit[limiter] == OCCUPANCY_NO_LIMIT;
        buf_fmt(out, "<tr%s><th scope=\"row\">%s%s</th>", binds ? " class=\"binds\"" : "",
                limiter_words((enum limiter)limiter), binds ? " <b>limits</b>" : "");
        if (none)
            buf_add(out,
                    STR("<td class=\"n\">-</td><td class=\"n\">-</td><td class=\"n\">no limit</td><td>-</td></tr>\n"));
        else
            buf_fmt(out, "<td class=\"n\">%lld%s</td><td class=\"n\">%lld%s</td><td class=\"n\">%d</td>",
                    (long long)row.per_block, row.unit, (long long)row.per_sm, row.unit, o->limit[limiter]);
        if (!none)
            add_used(out, row.per_block * o->blocks, row.per_sm, row.unit);
    }
    buf_add(out, STR("</tbody></table>\n"));
}

static void add_sentences(struct buf *out, const char *title, struct str text)
{
    struct str line;
    buf_fmt(out, "<h3>%s</h3><ul>", title);
    while (str_split(&text, '\n', &line)) {
        if (!line.len)
            continue;
        buf_add(out, STR("<li>"));
        html_text(line, out);
        buf_add(out, STR("</li>"));
    }
    buf_add(out, STR("</ul>\n"));
}

/* What the next block would take, in the words of `advise`; nothing where the block size is not known. */
static void add_prices(const struct launch_view *view, struct buf *registers, struct buf *smem)
{
    struct advice_question question = {.arch = view->arch, .launch = view->launch};
    struct advice advice = {0};
    if (view->best || !advice_make(&question, &advice) || advice.size_count == 0)
        return;
    const struct advice_step *next = advice_next(&advice.sizes[0]);
    if (!next)
        return;
    register_price(&advice.sizes[0], next, view->launch.registers, registers);
    smem_price(next, view->launch.smem_bytes + view->launch.dynamic_smem_bytes, smem);
}

void view_steps(const struct launch_view *view, struct buf *registers, struct buf *smem)
{
    struct launch open = view->launch;
    if (view->best)
        open.threads = 0;
    register_steps(view->arch, &open, &view->cliff, "", registers);
    smem_steps(view->arch, &open, &view->cliff, "", smem);
    add_prices(view, registers, smem);
}

static void add_steps(struct buf *out, const struct launch_view *view)
{
    struct buf registers = {0}, smem = {0};
    view_steps(view, &registers, &smem);
    buf_add(out, STR("<div class=\"steps\">"));
    add_sentences(out, "Registers", buf_str(&registers));
    add_sentences(out, "Shared memory", buf_str(&smem));
    buf_add(out, STR("</div>\n"));
    buf_free(&registers);
    buf_free(&smem);
}

/* What the launch achieves of its occupancy, as far as the grid or a profile say so. */
static void add_waves(struct buf *out, const struct context *context, const struct launch_view *view)
{
    struct buf lines = {0};
    if (!view->best)
        wave_text(&view->occupancy, context->launch_config.sms, context->launch_config.grid, "", &lines);
    if (context->launch_config.achieved_occupancy >= 0)
        buf_fmt(&lines, "the profile measured %.2f %%: achieved occupancy\n",
                100 * (double)context->launch_config.achieved_occupancy);
    if (lines.len)
        add_sentences(out, "Waves", buf_str(&lines));
    buf_free(&lines);
}

static void add_names(struct html *html, struct context *context)
{
    const struct model *model = html->report->model;
    struct buf source = {0};
    buf_add(html->text, STR("<p class=\"name\"><code>"));
    html_text(context_name(context), html->text);
    buf_add(html->text, STR("</code></p>\n<p class=\"name muted\"><code>"));
    html_text(context_mangled(context), html->text);
    buf_add(html->text, STR("</code></p>\n<p class=\"muted\">"));
    if (page_source(html->report, context->kernel, &source)) {
        html_text(buf_str(&source), html->text);
        buf_add(html->text, STR("; "));
    }
    html_text(model_string(model, model->logs[context->kernel->log].path), html->text);
    if (context->kernel->log_line)
        buf_fmt(html->text, ":%u", context->kernel->log_line);
    buf_add(html->text, STR("</p>\n"));
    buf_free(&source);
}

static void add_panel(struct html *html, uint32_t kernel)
{
    struct buf *out = html->text, headline = {0}, facts = {0}, next = {0};
    struct launch_view view;
    struct context *context = linter_record(html->report->linter, kernel);
    struct occupancy_shown occupancy = occupancy_shown_of(context);
    if (!view_make(&view, context))
        return;
    for (int axis = 0; axis < AXIS_COUNT; axis++) {
        struct launch open = view.launch;
        open.threads = view.best ? 0 : open.threads;
        occupancy_curve(view.arch, &open, (enum axis)axis, &view.curves[axis]);
    }
    buf_add(out, STR("<details class=\"panel\"><summary><code>"));
    html_label(html, context);
    buf_add(out, STR("</code> <span>"));
    html_text(kernel_arch(context->model, context->kernel), out);
    buf_add(out, STR("</span> <span class=\"num\">"));
    occupancy_text(&occupancy, html->text);
    buf_fmt(out, " %%</span></summary>\n<div id=\"p%u\">\n", html->place_of[kernel]);
    add_names(html, context);
    view_headline(&view, &headline);
    buf_fmt(out, "<p><b>%.*s</b></p>\n", STR_ARG(buf_str(&headline)));
    view_facts(context, &facts);
    view_next(html, context, &next);
    buf_add(out, STR("<p>"));
    html_text(buf_str(&facts), out);
    buf_add(out, STR("</p>\n"));
    if (next.len)
        add_sentences(out, "Next", buf_str(&next));
    add_waves(out, context, &view);
    buf_add(out, STR("<div class=\"facts\">\n"));
    add_limits(out, &view);
    add_steps(out, &view);
    buf_add(out, STR("</div>\n"));
    page_sites(html, context->kernel);
    buf_add(out, STR("<div class=\"charts\">\n"));
    for (int axis = 0; axis < AXIS_COUNT; axis++)
        add_chart(out, &view, (enum axis)axis);
    buf_add(out, STR("</div>\n</div></details>\n"));
    out_spill(html->out);
    buf_free(&headline);
    buf_free(&facts);
    buf_free(&next);
}

void page_panels(struct html *html)
{
    const struct summary *summary = &html->summary;
    if (!summary->entries)
        return;
    buf_fmt(
        html->text,
        "<section id=\"worst\">\n<h2>Worst kernels</h2>\n<p class=\"muted\">The %zu worst kernel x arch: by spills, "
        "stack, registers.",
        summary->entries < STATIC_PANELS ? summary->entries : (size_t)STATIC_PANELS);
    buf_add(html->text,
            STR("<span class=\"script\" hidden> Every row of the table opens a panel like these.</span></p>\n"));
    for (size_t at = 0; at < html->panels_end; at++)
        if (html->report->model->kernels[summary->order[at]].kind == KERNEL_ENTRY)
            add_panel(html, summary->order[at]);
    buf_add(html->text, STR("</section>\n"));
}
