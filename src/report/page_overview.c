/*
 * The first screen of the page: the worst findings as text, every kernel as a point of registers against occupancy, and
 * the templates that spill. Records with the same coordinates share a point, so the drawing of a large build is not
 * larger. Points and bars are links to a record; the script makes them filter the table.
 */
#include "report/markup.h"
#include "report/page.h"

enum { SHOWN_WORST = 3, SHOWN_BARS = 8, SHOWN_CAPS = 4, SHOWN_BOUNDS = 4 };

static void add(struct html *html, const char *text)
{
    buf_add(html->text, str_of(text));
}

/* ---- the worst findings ----------------------------------------------------------------------------------------- */

static void add_worst_finding(struct html *html, size_t number)
{
    const struct report *report = html->report;
    const struct group *group = &report->groups->shown[number];
    const struct finding *finding = &report->linter->findings[group->worst];
    const char *severity = severity_names[finding->severity];
    html_fmt(html->text, "<li><p><span class=\"severity %s\">%s</span> <a href=\"#f%zu\"><code>%-.*s</code></a> %.*s",
             severity, severity, number, STR_ARG(page_label(html, linter_context(report->linter, finding))),
             STR_ARG(finding_arch(report->linter, finding)));
    buf_count(html->text, group->count - 1, " <span class=\"muted\">and # other finding{|s},</span>");
    add(html, " <span class=\"muted\">");
    page_finding_place(html, finding);
    const struct str message = page_message(html, finding);
    html_fmt(html->text, "</span></p>\n<p class=\"say\">%.*s</p>\n", STR_ARG(message));
    page_next(html, finding, " class=\"say\"");
    add(html, "</li>\n");
}

static void add_worst_findings(struct html *html)
{
    const struct groups *groups = html->report->groups;
    if (html->report->kind != REPORT_FINDINGS)
        return;
    add(html, "<h2>Worst findings</h2>\n");
    add(html, groups->shown_count ? "<ol class=\"first\">\n" : "<p>No findings.</p>\n");
    for (size_t at = 0; at < groups->shown_count && at < SHOWN_WORST; at++)
        add_worst_finding(html, at);
    add(html, groups->shown_count ? "</ol>\n" : "");
}

/* ---- spilled bytes by template ---------------------------------------------------------------------------------- */

static int64_t spill_bytes(const struct template_summary *template)
{
    return template->spill_stores + template->spill_loads;
}

static void add_bar(struct html *html, const struct template_summary *template, int64_t most)
{
    uint32_t place = html->place_of[html->summary.members[template->first]];
    html_fmt(html->text,
             "<li><a href=\"#k%u\" data-records=\"%u\"><code>%-.*s</code></a> "
             "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
             "<rect width=\"%lld\" height=\"10\"/></svg> <span class=\"n\">%lld B</span></li>\n",
             place, template->count, STR_ARG(template->name),
             (long long)((spill_bytes(template) * 100 + most - 1) / most), (long long)spill_bytes(template));
}

static void add_bars(struct html *html)
{
    const struct summary *summary = &html->summary;
    add(html, "<h2>Spilled bytes by template</h2>\n");
    add(html, summary->spilling_count ? "<p class=\"muted\">Stores + loads over all kernels and architectures.</p>\n"
                                        "<ul class=\"bars\">\n"
                                      : "<p>No known spills.</p>\n");
    for (size_t at = 0; at < summary->spilling_count && at < SHOWN_BARS; at++)
        add_bar(html, summary->spilling[at], spill_bytes(summary->spilling[0]));
    add(html, summary->spilling_count ? "</ul>\n" : "");
    const size_t others = summary->spilling_count > SHOWN_BARS ? summary->spilling_count - SHOWN_BARS : 0;
    if (others)
        buf_fmt(html->text, "<p class=\"muted\"><a href=\"#statistics\">Also %zu other template%s</a></p>\n", others,
                PLURAL(others));
    if (summary->unstated_spills)
        buf_fmt(html->text, "<p class=\"muted\">Spills not stated: %zu of %zu kernel x arch.</p>\n",
                summary->unstated_spills, summary->count);
}

/* ---- registers against occupancy -------------------------------------------------------------------------------- */

/* Records with the same registers and the same printed occupancy. */
struct point {
    struct occupancy_shown occupancy;
    int32_t registers;
    uint32_t count, spilling; /* records */
    uint32_t worst;           /* index in summary.order of the first of them */
};

enum { MOST_REGISTERS = 256 };

struct scatter {
    struct intern places;               /* "128 62.5" */
    struct point *points;               /* by number in places */
    size_t records, spilling, unstated; /* unstated: records without known spills */
    uint32_t caps[MOST_REGISTERS];      /* by register cap (below the ceiling): number of records */
    bool capped;                        /* some record has such a cap */
    struct intern bounds;               /* SVG paths: the steps of occupancy on one or more architectures */
    struct str archs[SHOWN_BOUNDS];     /* by index in bounds: "sm_80 sm_90" */
};

static void add_record(struct scatter *scatter, struct context *context, uint32_t place)
{
    struct occupancy_shown occupancy = occupancy_shown_of(context);
    SCOPED(buf) key = {0};
    if (!occupancy.max_warps || context->registers < 0 || context->registers >= MOST_REGISTERS)
        return;
    buf_fmt(&key, "%d ", context->registers);
    occupancy_percent(&occupancy, &key);
    const uint32_t number = intern_add(&scatter->places, buf_str(&key));
    struct point *point = &scatter->points[number];
    if (point->count == 0)
        *point = (struct point){.occupancy = occupancy, .registers = context->registers, .worst = place};
    bool spills = context->spill_store_bytes > 0 || context->spill_load_bytes > 0;
    point->count++;
    point->spilling += spills;
    scatter->records++;
    scatter->spilling += spills;
    scatter->unstated += context->spill_store_bytes == UNKNOWN || context->spill_load_bytes == UNKNOWN;
    if (context->register_cap > 0 && context->register_cap < context->arch->registers_per_thread) {
        scatter->caps[context->register_cap]++;
        scatter->capped = true;
    }
}

enum { LEFT = 52, TOP = 14, WIDTH = 560, HEIGHT = 300 };

static int x_of(int registers)
{
    return LEFT + registers * WIDTH / MOST_REGISTERS;
}

static int y_of(int warps, int max_warps)
{
    return TOP + HEIGHT - warps * HEIGHT / max_warps;
}

static void add_axes(struct buf *out)
{
    for (int quarter = 0; quarter <= 4; quarter++) {
        int y = TOP + HEIGHT - quarter * HEIGHT / 4;
        buf_fmt(out, "<path class=\"grid\" d=\"M%d %dh%d\"/><text x=\"%d\" y=\"%d\" class=\"y\">%d %%</text>", LEFT, y,
                WIDTH, LEFT - 6, y + 4, quarter * 25);
    }
    for (int registers = 0; registers <= MOST_REGISTERS; registers += 32)
        buf_fmt(out, "<text x=\"%d\" y=\"%d\" class=\"x\">%d</text>", x_of(registers), TOP + HEIGHT + 18, registers);
    buf_fmt(out, "<text x=\"%d\" y=\"%d\" class=\"x\">registers per thread</text>\n", LEFT + WIDTH / 2,
            TOP + HEIGHT + 36);
}

static void add_vertical(struct buf *out, const char *class, int registers, const char *words)
{
    int x = x_of(registers), label = x - 4;
    buf_fmt(out,
            "<path class=\"%s\" d=\"M%d %dv%d\"/><text transform=\"translate(%d %d) rotate(-90)\" class=\"y\">"
            "%s%d</text>\n",
            class, x, TOP, HEIGHT, label, TOP + 4, words, registers);
}

/* Draws the most registers of a thread, once for each value among the architectures. */
static void add_ceilings(struct html *html)
{
    const struct linter *linter = html->report->linter;
    int drawn = 0;
    for (size_t at = 0; at < linter->arch_count; at++) {
        const struct arch *arch = arch_find(model_string(html->report->model, linter->archs[at]));
        if (!arch || arch->registers_per_thread == drawn)
            continue;
        drawn = arch->registers_per_thread;
        add_vertical(html->text, "ceiling", drawn, "ceiling ");
    }
}

/* Draws the register caps that most records have. */
static void add_caps(struct html *html, struct scatter *scatter)
{
    for (int shown = 0; shown < SHOWN_CAPS; shown++) {
        int most = 0;
        for (int cap = 1; cap < MOST_REGISTERS; cap++)
            most = scatter->caps[cap] > scatter->caps[most] ? cap : most;
        if (!most)
            return;
        add_vertical(html->text, "cap", most, "cap ");
        scatter->caps[most] = 0;
    }
}

/* The highest occupancy for each number of registers, without shared memory, as an SVG path. */
static void bound_path(const struct arch *arch, struct buf *out)
{
    struct launch launch = {.carveout = -1};
    struct curve curve;
    occupancy_curve(arch, &launch, AXIS_REGISTERS, &curve);
    for (size_t at = 0; at < curve.count; at++) {
        if (at == 0)
            buf_fmt(out, "M%d ", LEFT);
        buf_fmt(out, "%s%dH%d", at ? "V" : "", y_of(curve.steps[at].warps, arch->max_warps_per_sm),
                x_of((int)curve.steps[at].to));
    }
}

/* Architectures with the same steps share a line. */
static void find_bounds(struct html *html, struct scatter *scatter)
{
    const struct linter *linter = html->report->linter;
    for (size_t at = 0; at < linter->arch_count; at++) {
        struct str name = model_string(html->report->model, linter->archs[at]);
        const struct arch *arch = arch_find(name);
        SCOPED(buf) path = {0};
        if (arch)
            bound_path(arch, &path);
        bool known = intern_find(&scatter->bounds, buf_str(&path)) != INTERN_NONE;
        if (path.len && (known || scatter->bounds.count < SHOWN_BOUNDS)) {
            struct str *archs = &scatter->archs[intern_add(&scatter->bounds, buf_str(&path))];
            *archs = arena_fmt(&html->arena, "%.*s%s%.*s", STR_ARG(*archs), archs->len ? " " : "", STR_ARG(name));
        }
    }
}

/* The size of a mark: it grows with the number of binary digits of the count. */
static int mark_size(uint32_t count)
{
    int size = 3;
    for (; count > 1 && size < 11; count /= 2)
        size++;
    return size;
}

/* A circle for the records that do not spill, and above it a diamond for those that do. */
static void add_marks(struct buf *out, const struct point *point)
{
    int x = x_of(point->registers), y = y_of(point->occupancy.warps, point->occupancy.max_warps);
    uint32_t others = point->count - point->spilling;
    int size = mark_size(point->spilling);
    if (others)
        buf_fmt(out, "<circle class=\"dot\" r=\"%d\" cx=\"%d\" cy=\"%d\"/>", mark_size(others), x, y);
    if (point->spilling)
        buf_fmt(out, "<path class=\"dot spills\" d=\"M%d %dl%d %dl%d %dl%d %dz\"/>", x, y - size, size, size, -size,
                size, -size, -size);
}

static void add_point(struct html *html, const struct point *point)
{
    struct buf *out = html->text;
    const struct occupancy_shown *o = &point->occupancy;
    buf_fmt(out, "<a href=\"#k%u\" data-registers=\"%d\" data-occupancy=\"", point->worst, point->registers);
    occupancy_percent(o, out);
    buf_fmt(out, "\"><title>%u kernel x arch: %d registers, ", point->count, point->registers);
    occupancy_percent(o, out);
    buf_add(out, STR(" %"));
    buf_count(out, point->spilling, ", # spill{s|}");
    html_fmt(out, "; %s%-.*s</title>", point->count > 1 ? "one of them: " : "",
             STR_ARG(page_label(html, linter_record(html->report->linter, html->summary.order[point->worst]))));
    add_marks(out, point);
    buf_add(out, STR("</a>\n"));
}

static void add_key(struct buf *out, const char *drawing, const char *words)
{
    buf_fmt(out, "<li><svg class=\"key\" viewBox=\"0 0 26 12\" aria-hidden=\"true\">%s</svg> %s</li>\n", drawing,
            words);
}

/* Shape and colour have the same meaning, so one of them is enough to read the drawing. */
static void add_legend(struct html *html, const struct scatter *scatter)
{
    struct buf *out = html->text;
    buf_add(out, STR("<ul class=\"legend\">\n"));
    if (scatter->spilling < scatter->records)
        add_key(out, "<circle class=\"dot\" r=\"5\" cx=\"13\" cy=\"6\"/>",
                scatter->unstated ? "no known spills" : "no spills");
    if (scatter->spilling)
        add_key(out, "<path class=\"dot spills\" d=\"M13 1l5 5l-5 5l-5-5z\"/>", "spills");
    for (uint32_t at = 0; at < scatter->bounds.count; at++)
        html_fmt(out,
                 "<li><svg class=\"key\" viewBox=\"0 0 26 12\" aria-hidden=\"true\"><path class=\"curve b%u\" "
                 "d=\"M0 6h26\"/></svg> the most that registers allow: %.*s</li>\n",
                 at, STR_ARG(scatter->archs[at]));
    if (scatter->capped)
        add_key(out, "<path class=\"cap\" d=\"M13 0v12\"/>", "register cap");
    buf_add(out, STR("</ul>\n"));
}

static void add_not_shown(size_t kernels, size_t functions, struct buf *out)
{
    if (kernels + functions == 0)
        return;
    buf_add(out, STR(" Not shown: "));
    buf_count(out, kernels, "# kernel x arch without a known occupancy");
    buf_add(out, kernels && functions ? STR(" and ") : STR(""));
    buf_count(out, functions, "# device function{|s}");
    buf_char(out, '.');
}

static void add_caption(struct html *html, const struct scatter *scatter)
{
    struct buf *out = html->text;
    buf_fmt(out, "<figcaption>%zu kernel x arch", scatter->records);
    buf_count(out, scatter->spilling, ", # with spills");
    buf_char(out, '.');
    if (scatter->places.count < scatter->records)
        buf_add(out, STR(" Those with the same registers and the same occupancy share a mark; the more they are, the "
                         "larger it is."));
    add_not_shown(html->summary.entries - scatter->records, html->summary.count - html->summary.entries, out);
    buf_add(out, STR("</figcaption>\n"));
}

static void add_scatter(struct html *html)
{
    struct scatter scatter = {
        .points = arena_alloc(&html->arena, (html->summary.count + 1) * sizeof *scatter.points),
    };
    for (uint32_t at = 0; at < html->summary.count; at++)
        add_record(&scatter, linter_record(html->report->linter, html->summary.order[at]), at);
    find_bounds(html, &scatter);
    if (scatter.records) {
        buf_fmt(html->text,
                "<figure class=\"scatter\"><h2>Occupancy against registers</h2>\n<svg viewBox=\"0 0 %d %d\" "
                "role=\"group\" aria-label=\"Occupancy against registers per thread, a link for each point\">\n",
                LEFT + WIDTH + 16, TOP + HEIGHT + 42);
        add_axes(html->text);
        add_ceilings(html);
        add_caps(html, &scatter);
        for (uint32_t at = 0; at < scatter.bounds.count; at++)
            buf_fmt(html->text, "<path class=\"curve b%u\" d=\"%.*s\"/>\n", at,
                    STR_ARG(intern_get(&scatter.bounds, at)));
        for (size_t at = scatter.places.count; at-- > 0;) /* the worst point is drawn last, on top of the others */
            add_point(html, &scatter.points[at]);
        add(html, "</svg>\n");
        add_legend(html, &scatter);
        add_caption(html, &scatter);
        add(html, "</figure>\n");
    }
    intern_free(&scatter.bounds);
    intern_free(&scatter.places);
}

void page_overview(struct html *html)
{
    if (!html->summary.count)
        return;
    add(html, "<section id=\"overview\" aria-label=\"Overview\">\n<div>\n");
    add_worst_findings(html);
    add_bars(html);
    add(html, "</div>\n");
    add_scatter(html);
    add(html, "</section>\n");
    out_spill(html->out);
}
