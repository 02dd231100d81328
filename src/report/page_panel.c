/*
 * The panels of kernels. A panel consists of parts that kernels share: the names are the same for all architectures,
 * and equal launches have the same limits and curves. The page contains each part once. The parts of the panels of the
 * worst kernels are in these panels, which can be read without the script. All other parts follow as text at the end,
 * from which the script makes the panel of a row. An <hr> separates them, so no part contains one.
 */
#include "report/kernel_column.h"
#include "report/location.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/steps.h"

/* The data that a panel shows for one launch. */
struct launch_view {
    struct occupancy_shown shown; /* as in the table of kernels */
    const struct arch *arch;
    struct launch launch; /* threads: the block size; for a best case, the largest block size that reaches it */
    struct launch open;   /* the same launch, with threads 0 (the best block size) if the block size is unknown */
    bool needs_optin;     /* the launch must opt in to so much shared memory */
    bool lacks_dynamic;   /* the size of dynamic shared memory is unknown */
    struct occupancy occupancy;
    struct cliff cliff;
};

/* Returns false if the occupancy is unknown. */
static bool view_make(struct launch_view *view, const struct kernel_row *row)
{
    struct context *context = row->context;
    view->shown = row->occupancy;
    if (!view->shown.max_warps)
        return false;
    view->arch = context->arch;
    view->needs_optin = context_needs_optin(context);
    view->lacks_dynamic = context_lacks_dynamic_smem(context);
    view->launch = context_launch(context, view->shown.threads);
    view->open = context_launch(context, view->shown.best ? 0 : view->shown.threads);
    if (!occupancy_compute(view->arch, &view->launch, &view->occupancy))
        view->occupancy = (struct occupancy){.max_warps = view->shown.max_warps};
    view->cliff = (struct cliff){.registers_up = -1, .registers_down = -1, .smem_up_bytes = -1};
    occupancy_cliff(view->arch, &view->open, &view->cliff);
    return true;
}

static void view_headline(const struct launch_view *view, struct buf *out)
{
    const struct occupancy *o = &view->occupancy;
    double percent = o->max_warps ? 100.0 * o->warps / o->max_warps : 0;
    if (o->blocks == 0)
        buf_add(out, STR("cannot launch"));
    else if (view->shown.best)
        buf_fmt(out, "at best %d of %d warps, %.1f %%, with blocks of up to %d threads; the block size is not known",
                o->warps, o->max_warps, percent, view->launch.threads);
    else
        buf_fmt(out, "%d block%s per SM, %d of %d warps, %.1f %%, with blocks of %d threads%s", o->blocks,
                PLURAL(o->blocks), o->warps, o->max_warps, percent, view->launch.threads,
                view->shown.bound ? ", the launch bound" : "");
    if (o->blocks > 0 && view->lacks_dynamic)
        buf_add(out, STR("; at most, the size of its dynamic shared memory is not known"));
    if (view->needs_optin)
        buf_fmt(out, "; more than %d B of shared memory: the launch must opt in with cudaFuncSetAttribute",
                view->arch->smem_per_block_bytes);
}

static void add_bytes(struct buf *out, const char *what, int64_t bytes)
{
    if (bytes == UNKNOWN)
        buf_fmt(out, "%s unknown", what);
    else
        buf_fmt(out, "%s %lld B", what, (long long)bytes);
}

static void view_next(const struct html *html, struct context *context, struct buf *out)
{
    struct linter *linter = html->report->linter;
    uint32_t kernel = (uint32_t)(context->kernel - context->model->kernels);
    for (uint32_t at = html->findings.first_of[kernel]; at != NO_INDEX; at = html->findings.next_of[at]) {
        size_t before = out->len;
        buf_fmt(out, "%.*s: ", STR_ARG(linter->rules->rules[linter->findings[at].rule].id));
        if (finding_next(linter, &linter->findings[at], false, out))
            buf_char(out, '\n');
        else
            out->len = before;
    }
}

/* ---- curves ----------------------------------------------------------------------------------------------------- */

enum { CHART_WIDTH = 280, CHART_HEIGHT = 100, CHART_LEFT = 42, CHART_TOP = 8 };

static const char *const axis_titles[AXIS_COUNT] = {"threads per block", "registers per thread",
                                                    "bytes of shared memory per block"};

/* For "%d.%d": with "%.1f" a page takes 7 % more instructions. */
#define TENTHS(number) (int)((number) / 10), (int)((number) % 10)

/* Coordinates in tenths of a unit of the drawing. */
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
    buf_fmt(out, "<path class=curve d=\"M%d.%d %d.%d", TENTHS(chart_x(0, end)),
            TENTHS(chart_y(curve->count ? curve->steps[0].warps : 0, most)));
    for (size_t at = 0; at < curve->count; at++) {
        const int64_t x = chart_x(curve->steps[at].to, end), y = chart_y(curve->steps[at].warps, most);
        buf_fmt(out, "V%d.%dH%d.%d", TENTHS(y), TENTHS(x));
    }
    buf_add(out, STR("\"/>"));
}

static void add_grid(struct buf *out, int64_t end)
{
    for (int quarter = 0; quarter <= 4; quarter++) {
        int y = CHART_TOP + CHART_HEIGHT - quarter * CHART_HEIGHT / 4;
        buf_fmt(out, "<path class=grid d=\"M%d %dh%d\"/>", CHART_LEFT, y, CHART_WIDTH);
        if (quarter % 2 == 0)
            buf_fmt(out, "<text x=%d y=%d class=y>%d %%</text>", CHART_LEFT - 4, y + 4, quarter * 25);
    }
    buf_fmt(out, "<text x=%d y=%d>0</text><text x=%d y=%d class=y>%lld</text>", CHART_LEFT,
            CHART_TOP + CHART_HEIGHT + 14, CHART_LEFT + CHART_WIDTH, CHART_TOP + CHART_HEIGHT + 14, (long long)end);
}

/* The index of a curve: the drawing with its axes and, for people who cannot see it, a text: "1 to 32: 100 %, ...". */
static uint32_t curve_number(struct html *html, const struct arch *arch, const struct curve *curve, enum axis axis,
                             int64_t end)
{
    struct buf text = {0};
    const int most = arch->max_warps_per_sm;
    buf_fmt(&text, "Occupancy against %s. ", axis_titles[axis]);
    for (size_t at = 0; at < curve->count; at++)
        buf_fmt(&text, "%s%lld to %lld: %.1f %%", at ? ", " : "", (long long)curve->steps[at].from,
                (long long)curve->steps[at].to, 100.0 * curve->steps[at].warps / most);
    buf_add(&text, STR("</desc>"));
    add_grid(&text, end);
    add_path(&text, curve, end, most);
    return intern_take(&html->panels.curves, &text);
}

/* Appends the curve with a mark at the launch. */
static void add_chart(struct html *html, const struct launch_view *view, enum axis axis, struct buf *out)
{
    struct curve curve;
    const int64_t ends[AXIS_COUNT] = {view->arch->max_threads_per_block, view->arch->registers_per_thread,
                                      view->arch->smem_per_block_optin_bytes};
    const int64_t values[AXIS_COUNT] = {view->launch.threads, view->launch.registers, launch_smem(&view->launch)};
    bool known = !(axis == AXIS_THREADS && view->shown.best) && !(axis == AXIS_SMEM && view->lacks_dynamic);
    occupancy_curve(view->arch, &view->open, axis, &curve);
    uint32_t number = curve_number(html, view->arch, &curve, axis, ends[axis]);
    buf_fmt(out, "<figure><figcaption>%s", axis_titles[axis]);
    if (known)
        buf_fmt(out, ": <b>%lld</b>", (long long)values[axis]);
    buf_fmt(out, "</figcaption><svg viewBox=\"0 0 %d %d\" role=img aria-labelledby=d%u data-axis=%s><use href=#c%u />",
            CHART_LEFT + CHART_WIDTH + 8, CHART_TOP + CHART_HEIGHT + 20, number, axis_name(axis), number);
    if (known && curve.count)
        buf_fmt(out, "<circle r=5 cx=%d.%d cy=%d.%d />", TENTHS(chart_x(values[axis], ends[axis])),
                TENTHS(chart_y(view->occupancy.warps, view->arch->max_warps_per_sm)));
    buf_add(out, STR("</svg></figure>\n"));
}

/* ---- limits and steps ------------------------------------------------------------------------------------------- */

static void add_limits(struct buf *out, const struct launch_view *view)
{
    buf_add(out,
            STR("<table class=limits><caption>Limits</caption><thead><tr><th scope=col>limiter<th scope=col>per block"
                "<th scope=col>per SM<th scope=col>blocks<th scope=col>used of the SM<tbody>\n"));
    for (int limiter = 0; limiter < LIMIT_COUNT; limiter++) {
        const struct occupancy *o = &view->occupancy;
        struct limit_row row = limit_row(view->arch, &view->launch, o, (enum limiter)limiter);
        bool binds = o->limiters >> limiter & 1;
        buf_fmt(out, "<tr%s><th scope=row>%s%s", binds ? " class=binds" : "", limiter_words((enum limiter)limiter),
                binds ? " <b>limits</b>" : "");
        if (o->limit[limiter] == OCCUPANCY_NO_LIMIT) {
            buf_add(out, STR("<td>-<td>-<td>no limit<td>-\n"));
            continue;
        }
        const int64_t used = row.per_block * o->blocks, tenths = row.per_sm > 0 ? used * 1000 / row.per_sm : 0;
        buf_fmt(out, "<td>%lld%s<td>%lld%s<td>%d", (long long)row.per_block, row.unit, (long long)row.per_sm, row.unit,
                o->limit[limiter]);
        buf_fmt(out, "<td><svg class=used aria-hidden=true><rect width=%d.%d%% height=10 /></svg> %lld%s\n",
                TENTHS(tenths), (long long)used, row.unit);
    }
    buf_add(out, STR("</table>\n"));
}

static void add_sentences(struct buf *out, const char *title, struct str text)
{
    struct str line;
    buf_fmt(out, "<h3>%s</h3><ul>", title);
    while (str_split(&text, '\n', &line)) {
        if (!line.len)
            continue;
        buf_add(out, STR("<li>"));
        page_sentence(line, out);
        buf_add(out, STR("</li>"));
    }
    buf_add(out, STR("</ul>\n"));
}

/* Appends what one more block requires, in the words of `advise`; nothing if the block size is unknown. */
static void add_prices(const struct launch_view *view, struct buf *registers, struct buf *smem)
{
    struct advice_question question = {.arch = view->arch, .launch = view->launch};
    struct advice advice = {0};
    if (view->shown.best || !advice_make(&question, &advice) || advice.size_count == 0)
        return;
    const struct advice_step *next = advice_next(&advice.sizes[0]);
    if (!next)
        return;
    register_price(&advice.sizes[0], next, view->launch.registers, registers);
    smem_price(next, launch_smem(&view->launch), smem);
}

static void add_steps(struct buf *out, const struct launch_view *view)
{
    SCOPED(buf) registers = {0}, smem = {0};
    register_steps(view->arch, &view->open, &view->cliff, "", &registers);
    smem_steps(view->arch, &view->open, &view->cliff, "", &smem);
    add_prices(view, &registers, &smem);
    buf_add(out, STR("<div class=steps>"));
    add_sentences(out, "Registers", buf_str(&registers));
    add_sentences(out, "Shared memory", buf_str(&smem));
    buf_add(out, STR("</div>\n"));
}

/* Appends the achieved occupancy of the launch, computed from the grid and measured by a profile, as far as known. */
static void add_waves(struct buf *out, const struct context *context, const struct launch_view *view)
{
    SCOPED(buf) lines = {0};
    if (!view->shown.best && !view->lacks_dynamic)
        wave_text(&view->occupancy, context->launch_config.sms, context->launch_config.grid, "", "", &lines);
    if (context->launch_config.achieved_occupancy >= 0)
        buf_fmt(&lines, "the profile measured %.2f %%: achieved occupancy\n",
                100 * (double)context->launch_config.achieved_occupancy);
    if (lines.len)
        add_sentences(out, "Waves", buf_str(&lines));
}

/* Appends the command of the calculator for this launch. */
static void add_command(struct buf *out, struct str arch, const struct launch_view *view)
{
    const struct launch *launch = &view->launch;
    html_fmt(out, "<p class=muted><code>warplint occupancy --arch %.*s --registers %d", STR_ARG(arch),
             launch->registers);
    if (!view->shown.best)
        buf_fmt(out, " --threads %d", launch->threads);
    if (launch->smem_bytes)
        buf_fmt(out, " --smem %lld", (long long)launch->smem_bytes);
    if (launch->dynamic_smem_bytes)
        buf_fmt(out, " --dynamic-smem %lld", (long long)launch->dynamic_smem_bytes);
    if (launch->barriers)
        buf_fmt(out, " --barriers %d", launch->barriers);
    if (launch->carveout >= 0)
        buf_fmt(out, " --carveout %d", launch->carveout);
    buf_add(out, STR("</code></p>\n"));
}

/* ---- parts ------------------------------------------------------------------------------------------------------ */

/* view: NULL if the occupancy is unknown. */
static uint32_t facts_part(struct html *html, struct context *context, const struct launch_view *view)
{
    SCOPED(buf) next = {0};
    struct buf text = {0};
    add_bytes(&text, "<p>spill stores", context->spill_store_bytes);
    add_bytes(&text, ", spill loads", context->spill_load_bytes);
    add_bytes(&text, ", stack frame", context->stack_bytes);
    if (context->register_cap != UNKNOWN)
        html_fmt(&text, "; register cap %d, set by %.*s", context->register_cap, STR_ARG(context_cap_by(context)));
    buf_add(&text, STR("</p>\n"));
    view_next(html, context, &next);
    if (next.len)
        add_sentences(&text, "Next", buf_str(&next));
    if (view)
        add_waves(&text, context, view);
    return intern_take(&html->panels.parts, &text);
}

static uint32_t launch_part(struct html *html, const struct context *context, const struct launch_view *view)
{
    struct panels *panels = &html->panels;
    const struct launch *launch = &view->launch;
    const int64_t key[] = {
        context->kernel->arch_inferred, view->shown.best, launch->threads,  launch->registers,  launch->smem_bytes,
        launch->dynamic_smem_bytes,     launch->barriers, launch->carveout, view->lacks_dynamic};
    size_t known = panels->launches.count;
    uint32_t number = intern_add(&panels->launches, (struct str){(const char *)key, sizeof key});
    struct buf text = {0};
    if (number < known)
        return panels->of_launch[number];
    buf_add(&text, STR("<div class=facts>\n"));
    add_limits(&text, view);
    if (!view->lacks_dynamic)
        add_steps(&text, view);
    buf_add(&text, STR("</div>\n<div class=charts>\n"));
    for (int axis = 0; axis < AXIS_COUNT; axis++)
        add_chart(html, view, (enum axis)axis, &text);
    buf_add(&text, STR("</div>\n"));
    add_command(&text, kernel_arch(context->model, context->kernel), view);
    return panels->of_launch[number] = intern_take(&html->panels.parts, &text);
}

struct panel page_panel(struct html *html, const struct kernel_row *row)
{
    struct launch_view view;
    struct context *context = row->context;
    struct panel panel = {.has_launch = view_make(&view, row)};
    struct intern *parts = &html->panels.parts;
    struct buf names = {0}, headline = {0}, sites = {0};
    html_fmt(&names, "<p class=name><code>%-.*s</code></p>\n<p class=\"name muted\"><code>%.*s</code></p>\n",
             STR_ARG(context_name(context)), STR_ARG(context_mangled(context)));
    panel.parts[panel.count++] = intern_take(parts, &names);
    if (panel.has_launch) {
        buf_add(&headline, STR("<p><b>"));
        view_headline(&view, &headline);
        buf_add(&headline, STR("</b></p>\n"));
        panel.parts[panel.count++] = intern_take(parts, &headline);
    }
    panel.parts[panel.count++] = facts_part(html, context, panel.has_launch ? &view : NULL);
    if (html->place_of[context->kernel - context->model->kernels] < html->panels_end)
        page_sites(html, context->kernel, &sites);
    if (sites.len)
        panel.parts[panel.count++] = intern_take(parts, &sites);
    if (panel.has_launch)
        panel.parts[panel.count++] = launch_part(html, context, &view);
    return panel;
}

void page_place(struct html *html, const struct kernel *kernel)
{
    const struct model *model = html->report->model;
    const struct location source = location_of_kernel(html->report, kernel);
    const struct str path = location_shown(html->report, source.path);
    html_text(path, html->text);
    if (path.len && source.line)
        buf_fmt(html->text, ":%u", source.line);
    buf_add(html->text, path.len ? STR("; ") : STR(""));
    html_text(model_string(model, model->logs[kernel->log].path), html->text);
    if (kernel->log_line)
        buf_fmt(html->text, ":%u", kernel->log_line);
}

/* ---- the section ------------------------------------------------------------------------------------------------ */

static void add_figure(struct buf *out, const char *before, int64_t value, const char *behind)
{
    buf_add(out, str_of(before));
    number_text(value, value != UNKNOWN, "-", out);
    buf_add(out, str_of(behind));
}

/* Appends the numbers that order the kernels, in that order. */
static void add_figures(struct buf *out, const struct kernel_row *row)
{
    const struct context *context = row->context;
    bool known = context->spill_store_bytes != UNKNOWN && context->spill_load_bytes != UNKNOWN;
    int64_t spilled = known ? (int64_t)context->spill_store_bytes + context->spill_load_bytes : UNKNOWN;
    add_figure(out, "spilled ", spilled, " B, ");
    add_figure(out, "stack ", context->stack_bytes, " B, ");
    add_figure(out, "", context->registers, " registers, ");
    occupancy_text(IN_PAGE, &row->occupancy, out);
    buf_add(out, STR(" %"));
}

static void add_panel(struct html *html, uint32_t kernel)
{
    struct buf *out = html->text;
    const struct kernel_row row = kernel_row_of(IN_PAGE, linter_record(html->report->linter, kernel));
    const struct panel panel = page_panel(html, &row);
    if (!panel.has_launch)
        return;
    html_fmt(out, "<details class=panel><summary><code>%-.*s</code> <span>%.*s</span> <span class=muted>",
             STR_ARG(page_label(html, row.context)), STR_ARG(kernel_arch(html->report->model, row.context->kernel)));
    add_figures(out, &row);
    buf_fmt(out, "</span></summary>\n<div id=p%u>\n<p class=muted>", html->place_of[kernel]);
    page_place(html, row.context->kernel);
    buf_add(out, STR("</p>\n"));
    for (size_t at = 0; at < panel.count; at++) {
        bool *written = &html->panels.written[panel.parts[at]];
        if (*written)
            buf_add(out, STR("<div>\n"));
        else
            buf_fmt(out, "<div id=t%u>\n", panel.parts[at]);
        buf_add(out, intern_get(&html->panels.parts, panel.parts[at]));
        buf_add(out, STR("</div>\n"));
        *written = true;
    }
    buf_add(out, STR("</div></details>\n"));
    out_spill(html->out);
}

void page_panels(struct html *html)
{
    const struct summary *summary = &html->summary;
    html->panels.written = arena_alloc(&html->arena, html->panels.parts.count + 1);
    buf_add(html->text, STR("<p class=\"muted\">"));
    if (summary->entries > STATIC_PANELS)
        buf_fmt(html->text, "%d of %zu kernel x arch, in", STATIC_PANELS, summary->entries);
    else if (summary->entries > 1)
        buf_fmt(html->text, "All %zu kernel x arch, in", summary->entries);
    else
        buf_add(html->text, STR("In"));
    buf_add(html->text,
            STR(" the order of spilled bytes, stack frame, registers and shared memory.<span class=\"script\" "
                "hidden> Every row of the table of kernels opens the same.</span></p>\n"));
    size_t shown = 0;
    for (size_t at = 0; at < html->panels_end; at++) {
        if (html->report->model->kernels[summary->order[at]].kind != KERNEL_ENTRY)
            continue;
        if (shown++ == OPEN_PANELS)
            buf_add(html->text, STR("<details class=rest><summary>the others</summary>\n"));
        add_panel(html, summary->order[at]);
    }
    buf_add(html->text, shown > OPEN_PANELS ? STR("</details>\n") : STR(""));
}

void page_parts(struct html *html)
{
    const struct panels *panels = &html->panels;
    buf_add(html->text, STR("<svg class=curves aria-hidden=true>\n"));
    for (uint32_t at = 0; at < panels->curves.count; at++)
        buf_fmt(html->text, "<g id=c%u><desc id=d%u>%.*s</g>\n", at, at, STR_ARG(intern_get(&panels->curves, at)));
    buf_add(html->text, STR("</svg>\n<script type=\"text/html\" id=\"parts\">"));
    for (uint32_t at = 0; at < panels->parts.count; at++) {
        bool written = panels->written && panels->written[at];
        buf_add(html->text, at ? STR("<hr>") : STR(""));
        buf_add(html->text, written ? STR("") : intern_get(&panels->parts, at));
        out_spill(html->out);
    }
    buf_add(html->text, STR("</script>\n"));
}
