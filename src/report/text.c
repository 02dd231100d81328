/*
 * text: for people. Findings stand in gcc's shape, so that editors and CI systems find the place; one line a group.
 * Below them stands the verdict: what was found, what was judged, and what could not be judged and why.
 */
#include "report/label.h"
#include "report/report.h"
#include "report/table.h"

#include <stdlib.h>

enum { SHOWN_GROUPS = 50, SHOWN_ROWS = 20, SHOWN_ARCHS = 12 };

static void plural(struct buf *out, uint64_t count, const char *noun)
{
    buf_fmt(out, "%llu %s%s", (unsigned long long)count, noun, count == 1 ? "" : "s");
}

/* ---- findings --------------------------------------------------------------------------------------------------- */

static void add_place(const struct finding_place *place, struct buf *out)
{
    safe_text(place->path.len ? place->path : STR("warplint"), out);
    if (place->line)
        buf_fmt(out, ":%u", place->line);
    if (place->line && place->column)
        buf_fmt(out, ":%u", place->column);
    buf_add(out, STR(": "));
}

static void add_severity(const struct report *report, enum severity severity, struct buf *out)
{
    static const char *const colors[] = {"", "\033[36m", "\033[33m", "\033[31m"};
    if (report->color)
        buf_add(out, str_of(colors[severity]));
    buf_add(out, str_of(severity_name(severity)));
    if (report->color)
        buf_add(out, STR("\033[0m"));
    buf_add(out, STR(": "));
}

static void add_finding(const struct report *report, struct labels *labels, const struct finding *finding,
                        struct buf *out)
{
    struct judge *judge = report->judge;
    struct buf message = {0};
    struct finding_place place = finding_place(judge, finding);
    add_place(&place, out);
    add_severity(report, (enum severity)finding->severity, out);
    struct subject *subject = judge_subject(judge, finding);
    struct str mangled = subject_mangled(subject);
    struct str arch = report_arch(report, finding);
    if (mangled.len) {
        buf_add(out, label_of(labels, mangled));
        if (arch.len)
            buf_fmt(out, " (%.*s%s)", STR_ARG(arch), subject->from_link ? ", as linked" : "");
        buf_add(out, STR(": "));
    }
    finding_message(judge, finding, &message);
    safe_text(buf_str(&message), out);
    buf_fmt(out, " [%.*s]", STR_ARG(judge->rules->rules[finding->rule].id));
    buf_free(&message);
}

/* " (+11 like it: 4 kernels; sm_80 sm_90)" */
static void add_members(const struct report *report, const struct group *group, struct buf *out)
{
    struct intern archs = {0};
    for (uint32_t m = 0; m < group->count; m++) {
        const struct finding *finding = &report->judge->findings[report->groups->members[group->first + m]];
        if (report_arch(report, finding).len)
            intern_add(&archs, report_arch(report, finding));
    }
    buf_fmt(out, " (worst of %u", group->count);
    if (group->kernels > 1)
        buf_fmt(out, ", %u kernels", group->kernels);
    for (uint32_t a = 0; a < archs.count && a < SHOWN_ARCHS; a++)
        buf_fmt(out, "%s%.*s", a ? " " : ": ", STR_ARG(intern_get(&archs, a)));
    if (archs.count > SHOWN_ARCHS)
        buf_fmt(out, " and %zu more", archs.count - SHOWN_ARCHS);
    buf_char(out, ')');
    intern_free(&archs);
}

/* Brief reports leave out what nobody has to act on. */
static bool is_wanted(const struct report *report, const struct group *group)
{
    bool notes = report->fail_on == SEVERITY_NOTE || !report->brief;
    return notes || report->judge->findings[group->worst].severity > SEVERITY_NOTE;
}

/* Suppressed findings are counted and not shown. */
static size_t shown_findings(const struct report *report)
{
    return report->judge->finding_count - report->judge->counts.suppressed;
}

static void add_groups(const struct report *report, struct labels *labels, struct out *out)
{
    const struct groups *groups = report->groups;
    size_t most = report->brief ? SHOWN_ROWS : SHOWN_GROUPS, shown = 0;
    while (shown < groups->shown_count && shown < most && is_wanted(report, &groups->items[groups->shown[shown]])) {
        const struct group *group = &groups->items[groups->shown[shown++]];
        add_finding(report, labels, &report->judge->findings[group->worst], &out->text);
        if (group->count > 1)
            add_members(report, group, &out->text);
        buf_char(&out->text, '\n');
        out_spill(out);
    }
    size_t others = 0, other_groups = 0;
    for (size_t g = 0; g < groups->count; g++) {
        if (!is_wanted(report, &groups->items[g]))
            continue;
        others += groups->items[g].count;
        other_groups++;
    }
    for (size_t g = 0; g < shown; g++)
        others -= groups->items[groups->shown[g]].count;
    other_groups -= shown;
    if (others)
        buf_fmt(&out->text, "[%zu others in %zu groups; --all shows each]\n", others, other_groups);
}

static void add_all(const struct report *report, struct labels *labels, struct out *out)
{
    uint32_t *order = findings_sorted(report->judge);
    for (size_t at = 0; at < report->judge->finding_count; at++) {
        const struct finding *finding = &report->judge->findings[order[at]];
        if (finding->exception != NO_INDEX)
            continue;
        add_finding(report, labels, finding, &out->text);
        buf_char(&out->text, '\n');
        out_spill(out);
    }
    free(order);
}

/* ---- the verdict ------------------------------------------------------------------------------------------------ */

static void add_archs(const struct report *report, struct buf *out)
{
    const struct judge *judge = report->judge;
    for (size_t at = 0; at < judge->arch_count && at < SHOWN_ARCHS; at++)
        buf_fmt(out, "%s%.*s", at ? " " : " for ", STR_ARG(model_string(report->model, judge->archs[at])));
    if (judge->arch_count > SHOWN_ARCHS)
        buf_fmt(out, " and %zu more", judge->arch_count - SHOWN_ARCHS);
}

static void add_judged(const struct report *report, const struct totals *totals, struct buf *out)
{
    buf_add(out, report->kind == REPORT_FINDINGS ? STR("judged: ") : STR("seen: "));
    plural(out, totals->kernels, "kernel");
    add_archs(report, out);
    buf_add(out, STR(", "));
    plural(out, totals->entries, "record");
    if (totals->functions) {
        buf_add(out, STR(", "));
        plural(out, totals->functions, "device function");
    }
    buf_add(out, STR("; "));
    plural(out, totals->lines, "line");
    buf_add(out, STR(" read\n"));
}

static void add_reason(struct buf *out, uint64_t count, const char *noun, const char *reason)
{
    if (count == 0)
        return;
    buf_add(out, STR("not judged: "));
    plural(out, count, noun);
    buf_fmt(out, " %s\n", reason);
}

static void add_not_judged(const struct report *report, const struct totals *totals, struct buf *out)
{
    const struct judge_counts *counts = &report->judge->counts;
    add_reason(out, totals->ambiguous, "record",
               totals->torn
                   ? "after lines that were torn apart: several compilers wrote at once (make -O, or warplint wrap)"
                   : "whose numbers cannot be told from another kernel's: several compilers wrote at once "
                     "(make -O, or warplint wrap)");
    add_reason(out, totals->codeless, "compile", "that made no machine code (PTX only, -dlto) or was silent");
    add_reason(out, counts->unknown_arch, "record", "without occupancy: the architecture is not known");
    add_reason(out, counts->no_threads, "record", "without a block size: best case only (--threads N)");
    add_reason(out, counts->debug, "record", "of a debug build (-G or -O0)");
    if (counts->barriers_assumed)
        buf_fmt(out, "assumed: no barrier limit for %zu records, this toolkit prints no barriers\n",
                counts->barriers_assumed);
    if (totals->unknown_lines)
        buf_fmt(out, "not understood: %llu lines of ptxas or nvlink (--unknown shows them)\n",
                (unsigned long long)totals->unknown_lines);
    if (totals->cut)
        buf_add(out, STR("cut: the log ends inside a record\n"));
}

static void add_unknown(const struct report *report, struct buf *out)
{
    const struct model *model = report->model;
    for (size_t at = 0; report->show_unknown && at < model->unknown_count; at++) {
        safe_text(model_string(model, model->logs[model->unknown[at].log].path), out);
        buf_fmt(out, ":%u: not understood: ", model->unknown[at].line);
        safe_text(model_string(model, model->unknown[at].text), out);
        buf_char(out, '\n');
    }
}

static void add_verdict(const struct report *report, struct buf *out)
{
    const struct judge_counts *counts = &report->judge->counts;
    struct totals totals = report_totals(report);
    if (out->len || shown_findings(report))
        buf_char(out, '\n');
    buf_add(out, STR("found: "));
    plural(out, counts->by_severity[SEVERITY_ERROR], "error");
    buf_add(out, STR(", "));
    plural(out, counts->by_severity[SEVERITY_WARNING], "warning");
    buf_add(out, STR(", "));
    plural(out, counts->by_severity[SEVERITY_NOTE], "note");
    if (report->groups->count < shown_findings(report))
        buf_fmt(out, " in %zu group%s", report->groups->count, report->groups->count == 1 ? "" : "s");
    if (counts->suppressed)
        buf_fmt(out, "; %zu suppressed by exceptions", counts->suppressed);
    buf_char(out, '\n');
    add_judged(report, &totals, out);
    add_not_judged(report, &totals, out);
    if (report->fail_on == SEVERITY_OFF)
        buf_add(out, STR("verdict: not asked for (--fail-on never)\n"));
    else if (counts->failing)
        buf_fmt(out, "verdict: FAILED, %zu at or above %s\n", counts->failing, severity_name(report->fail_on));
    else if (totals.entries || report->judge->finding_count)
        buf_fmt(out, "verdict: passed, nothing at or above %s\n", severity_name(report->fail_on));
    else
        buf_add(out, STR("verdict: none, there was nothing to judge\n"));
}

/* ---- the table of kernels --------------------------------------------------------------------------------------- */

static void cell_metric(struct table *table, const struct subject *subject, int32_t value, bool linked)
{
    struct buf text = {0};
    if (value == UNKNOWN)
        buf_add(&text, subject->kernel->flags & KERNEL_AMBIGUOUS ? STR("?") : STR("-"));
    else
        buf_int(&text, value);
    if (linked)
        buf_char(&text, '*');
    table_cell(table, buf_str(&text));
    buf_free(&text);
}

static void cell_spills(struct table *table, const struct subject *subject)
{
    struct buf text = {0};
    if (subject->spill_store_bytes == UNKNOWN)
        buf_add(&text, subject->kernel->flags & KERNEL_AMBIGUOUS ? STR("?") : STR("-"));
    else
        buf_fmt(&text, "%d/%d", subject->spill_store_bytes, subject->spill_load_bytes);
    table_cell(table, buf_str(&text));
    buf_free(&text);
}

static void add_percent(struct buf *out, int part, int whole)
{
    buf_fmt(out, "%.1f%%", whole ? 100.0 * part / whole : 0.0);
}

/* "62.5%", or "<=75.0%" where only the best case over all block sizes is known; and what limits it. */
static void cells_occupancy(struct table *table, struct subject *subject)
{
    struct buf text = {0};
    bool entry = subject->kernel->kind == KERNEL_ENTRY;
    const struct occupancy *occupancy = entry ? subject_occupancy(subject) : NULL;
    const struct best_case *best = entry && !occupancy ? subject_best(subject) : NULL;
    if (occupancy) {
        add_percent(&text, occupancy->warps, occupancy->max_warps);
    } else if (best) {
        buf_add(&text, STR("<="));
        add_percent(&text, best->warps, best->max_warps);
    } else {
        buf_char(&text, '-');
    }
    table_cell(table, buf_str(&text));
    table_cell(table, occupancy ? subject_limiters(subject) : (struct str){"", 0});
    buf_free(&text);
}

static void add_row(struct table *table, struct labels *labels, struct subject *subject)
{
    struct buf arch = {0};
    table_cell(table, label_of(labels, subject_mangled(subject)));
    safe_text(kernel_arch(subject->model, subject->kernel), &arch);
    table_cell(table, arch.len ? buf_str(&arch) : STR("-"));
    cell_metric(table, subject, subject->registers, subject->from_link);
    cell_spills(table, subject);
    cell_metric(table, subject, subject->stack_bytes, false);
    cell_metric(table, subject, subject->smem_bytes, subject->from_link);
    cells_occupancy(table, subject);
    buf_free(&arch);
}

static void add_table(const struct report *report, struct labels *labels, struct buf *out)
{
    static const char *const heads[] = {"kernel", "arch", "regs",   "spill st/ld",
                                        "stack",  "smem", "occup.", "limited by"};
    struct table table = {.columns = sizeof heads / sizeof *heads,
                          .right = {[2] = true, [3] = true, [4] = true, [5] = true, [6] = true}};
    size_t count = 0;
    uint32_t *order = report_order(report, &count);
    size_t shown = report->all || count < SHOWN_ROWS ? count : SHOWN_ROWS;
    bool linked = false;
    for (size_t at = 0; at < table.columns; at++)
        table_cell(&table, str_of(heads[at]));
    for (size_t at = 0; at < shown; at++) {
        struct subject *subject = judge_record(report->judge, order[at]);
        linked |= subject->from_link;
        add_row(&table, labels, subject);
    }
    if (count)
        table_render(&table, out);
    if (shown < count)
        buf_fmt(out, "[%zu others; --all shows each]\n", count - shown);
    if (linked)
        buf_add(out, STR("* as linked (nvlink), which is what runs\n"));
    table_free(&table);
    free(order);
}

/* What the table needs beside the label: the rest of 80 columns, or of the terminal. */
static size_t label_room(const struct report *report)
{
    enum { OTHER_COLUMNS = 58, LEAST = 20 };
    if (report->kind == REPORT_FINDINGS || report->width == 0)
        return 0;
    return report->width > OTHER_COLUMNS + LEAST ? report->width - OTHER_COLUMNS : LEAST;
}

void report_text(const struct report *report, struct out *out)
{
    struct labels labels = {.width = label_room(report)};
    struct totals totals = report_totals(report);
    if (report->kind == REPORT_KERNELS) {
        add_table(report, &labels, &out->text);
        if (out->text.len)
            buf_char(&out->text, '\n');
        add_judged(report, &totals, &out->text);
        add_not_judged(report, &totals, &out->text);
    } else {
        if (report->all)
            add_all(report, &labels, out);
        else
            add_groups(report, &labels, out);
        if (!report->brief)
            add_verdict(report, &out->text);
    }
    add_unknown(report, &out->text);
    labels_free(&labels);
}
