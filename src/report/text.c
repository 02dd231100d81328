/*
 * text: for people. Findings stand in gcc's shape, so that editors and CI systems find the place; one line a group.
 * Below them stands the verdict: what was found, what was judged, and what could not be judged and why.
 */
#include "report/elide.h"
#include "report/kernel_column.h"
#include "report/location.h"
#include "report/messages.h"
#include "report/site.h"
#include "report/summary.h"
#include "report/table.h"

#include <stdlib.h>

enum { SHOWN_GROUPS = 50, SHOWN_ROWS = 20, LISTED_NOTES = 2 };

/* ---- findings --------------------------------------------------------------------------------------------------- */

static void add_place(const struct report *report, const struct finding_place *place, struct buf *out)
{
    location_place(report, place, out);
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
    buf_add(out, str_of(severity_names[severity]));
    if (report->color)
        buf_add(out, STR("\033[0m"));
    buf_add(out, STR(": "));
}

static void add_finding(const struct report *report, const struct finding *finding, struct buf *out)
{
    struct finding_place place = finding_place(report->linter, finding);
    add_place(report, &place, out);
    add_severity(report, (enum severity)finding->severity, out);
    finding_text(report, finding, out);
    buf_fmt(out, " [%.*s]", STR_ARG(report->linter->rules->rules[finding->rule].id));
}

/* The notes of a rule: findings, and the groups that they make. */
struct notes {
    size_t findings, groups;
};

/* By rule; released with free. */
static struct notes *count_notes(const struct report *report)
{
    const struct groups *groups = report->groups;
    struct notes *notes = mem_alloc((report->linter->rules->count + 1) * sizeof *notes);
    for (size_t g = 0; g < groups->count; g++) {
        const struct finding *worst = &groups->findings[groups->all[g].worst];
        if (worst->severity != SEVERITY_NOTE)
            continue;
        notes[worst->rule].findings += groups->all[g].count;
        notes[worst->rule].groups++;
    }
    return notes;
}

/* Many notes of one rule are counted in place of listed, where they do not fail the verdict. */
static bool is_counted(const struct report *report, const struct notes *notes, const struct finding *worst)
{
    return worst->severity == SEVERITY_NOTE && notes[worst->rule].groups > LISTED_NOTES && !report->notes &&
           report->fail_on != SEVERITY_NOTE && !report->linter->rules->rules[worst->rule].always_listed;
}

/* Brief reports leave out notes, which nothing has to be done about. */
static bool is_wanted(const struct report *report, const struct finding *worst)
{
    return !report->brief || report->fail_on == SEVERITY_NOTE || worst->severity > SEVERITY_NOTE;
}

/* "[notes not listed: 34 of missing-launch-bounds, 16 of spill-in-device-function; --notes lists them]" */
static void add_counted(const struct report *report, const struct notes *notes, struct buf *out)
{
    const struct ruleset *rules = report->linter->rules;
    const struct finding note = {.severity = SEVERITY_NOTE};
    bool any = false;
    for (size_t at = 0; at < rules->count; at++) {
        struct finding of_rule = note;
        of_rule.rule = (uint16_t)at;
        if (report->brief || !is_counted(report, notes, &of_rule))
            continue;
        buf_fmt(out, "%s%zu of %.*s", any ? ", " : "[notes not listed: ", notes[at].findings,
                STR_ARG(rules->rules[at].id));
        any = true;
    }
    buf_add(out, any ? STR("; --notes lists them]\n") : STR(""));
}

static void add_groups(const struct report *report, struct out *out)
{
    const struct groups *groups = report->groups;
    const size_t most = report->brief ? SHOWN_ROWS : SHOWN_GROUPS;
    struct notes *notes = count_notes(report);
    struct buf last = {0};
    size_t shown = 0, others = 0, other_groups = 0;
    for (size_t g = 0; g < groups->count; g++) {
        const struct finding *worst = &groups->findings[groups->all[g].worst];
        if (!is_wanted(report, worst) || is_counted(report, notes, worst))
            continue;
        others += groups->all[g].count;
        other_groups++;
    }
    for (size_t g = 0; g < groups->shown_count && shown < most; g++) {
        const struct group *group = &groups->shown[g];
        const struct finding *worst = &groups->findings[group->worst];
        if (!is_wanted(report, worst) || is_counted(report, notes, worst))
            continue;
        add_finding(report, worst, &out->text);
        members_text(report, groups, group, &out->text);
        buf_char(&out->text, '\n');
        sites_text(report, worst, &out->text);
        next_text(report, worst, &last, &out->text);
        out_spill(out);
        shown++;
        others -= group->count;
    }
    if (others)
        buf_fmt(&out->text, "[%zu others in %zu groups; --all shows each]\n", others, other_groups - shown);
    add_counted(report, notes, &out->text);
    buf_free(&last);
    free(notes);
}

static void add_all(const struct report *report, struct out *out)
{
    uint32_t *order = findings_sorted(report->linter);
    struct buf last = {0};
    for (size_t at = 0; at < report->linter->finding_count; at++) {
        const struct finding *finding = &report->linter->findings[order[at]];
        if (!finding_counts(finding))
            continue;
        add_finding(report, finding, &out->text);
        buf_char(&out->text, '\n');
        sites_text(report, finding, &out->text);
        next_text(report, finding, &last, &out->text);
        out_spill(out);
    }
    free(order);
    buf_free(&last);
}

/* "why and what to do: warplint explain register-spill; all 12 findings: --all" */
static void add_advice(const struct report *report, struct buf *out)
{
    const struct groups *groups = report->groups;
    if (groups->shown_count == 0)
        return;
    const struct rule *rule = &report->linter->rules->rules[groups->shown[0].rule];
    buf_fmt(out, "why and what to do: warplint explain %.*s", STR_ARG(rule->id));
    if (!report->all && report_shown_findings(report) > groups->shown_count)
        buf_fmt(out, "; all %zu findings: --all", report_shown_findings(report));
    buf_char(out, '\n');
}

static void add_unknown(const struct report *report, struct buf *out)
{
    const struct model *model = report->model;
    for (size_t at = 0; report->show_unknown && at < model->unknown_count; at++) {
        escape_text(model_string(model, model->logs[model->unknown[at].log].path), out);
        buf_fmt(out, ":%u: not understood: ", model->unknown[at].line);
        escape_text(model_string(model, model->unknown[at].text), out);
        buf_char(out, '\n');
    }
}

/* ---- the table of kernels --------------------------------------------------------------------------------------- */

static bool is_at_bound(const struct context *context)
{
    return context->launch_config.threads_from == THREADS_BOUND && context->kernel->kind == KERNEL_ENTRY;
}

/* The columns of the records behind their names, which have a column of their own. */
static void add_row(struct table *table, struct context *context, unsigned columns)
{
    struct kernel_row row = kernel_row_of(IN_TEXT, context);
    struct buf cell = {0};
    for (size_t at = 0; at < kernel_column_count; at++) {
        if (!(columns >> at & 1))
            continue;
        buf_clear(&cell);
        kernel_columns[at].cell(&row, &cell);
        table_cell(table, buf_str(&cell));
    }
    buf_free(&cell);
}

static void add_heads(struct table *table, unsigned columns)
{
    for (size_t at = 0; at < kernel_column_count; at++) {
        if (!(columns >> at & 1))
            continue;
        table->right[table->columns++] = kernel_columns[at].number;
        table_cell(table, str_of(kernel_columns[at].head));
    }
}

/* One line a record: the label, then its numbers. */
static void table_flat(const struct table *numbers, const struct str *labels, struct buf *out)
{
    struct table table = {.columns = numbers->columns + 1};
    memcpy(table.right + 1, numbers->right, numbers->columns * sizeof *table.right);
    for (size_t row = 0; row * numbers->columns < numbers->count; row++) {
        table_cell(&table, labels[row]);
        for (size_t at = 0; at < numbers->columns; at++)
            table_cell(&table, numbers->cells[row * numbers->columns + at]);
    }
    table_render(&table, out);
    table_free(&table);
}

/* For a narrow terminal: the label on a line of its own, its records below it. */
static void table_stacked(const struct table *numbers, const struct str *labels, struct buf *out)
{
    struct buf lines = {0};
    struct str line;
    table_render(numbers, &lines);
    struct str rest = buf_str(&lines);
    for (size_t row = 0; str_split(&rest, '\n', &line) && (line.len || rest.len); row++) {
        if (row == 0 || !str_eq(labels[row], labels[row - 1]))
            buf_fmt(out, "%.*s\n", STR_ARG(labels[row]));
        buf_fmt(out, "  %.*s\n", STR_ARG(line));
    }
    buf_free(&lines);
}

static bool fits(struct str text, size_t width)
{
    struct str line;
    while (str_split(&text, '\n', &line))
        if (text_width(line) > width)
            return false;
    return true;
}

static void render(const struct report *report, const struct table *numbers, const struct str *labels, struct buf *out)
{
    struct buf flat = {0};
    table_flat(numbers, labels, &flat);
    if (report->width == 0 || fits(buf_str(&flat), report->width))
        buf_add(out, buf_str(&flat));
    else
        table_stacked(numbers, labels, out);
    buf_free(&flat);
}

/* A kernel by the number that the table is sorted by. */
struct ranked {
    bool known;
    double number; /* the larger comes first */
    size_t before; /* its place among equals */
    uint32_t kernel;
};

static int by_number(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->known != b->known)
        return a->known ? -1 : 1;
    if (a->known && (a->number > b->number || a->number < b->number))
        return a->number > b->number ? -1 : 1;
    return a->before < b->before ? -1 : 1;
}

/* Kernels of which the number is not known come last. */
static void sort_rows(const struct report *report, uint32_t *order, size_t count)
{
    struct ranked *ranked = mem_alloc((count + 1) * sizeof *ranked);
    for (size_t at = 0; at < count; at++) {
        struct value value = field_get(report->rows.sort, linter_record(report->linter, order[at]));
        double number = value.known ? value.number : 0;
        ranked[at] = (struct ranked){value.known, report->rows.ascending ? -number : number, at, order[at]};
    }
    qsort(ranked, count, sizeof *ranked, by_number);
    for (size_t at = 0; at < count; at++)
        order[at] = ranked[at].kernel;
    free(ranked);
}

static void add_sorted_by(const struct report *report, struct table *table, struct context *context)
{
    const struct field *field = report->rows.sort;
    struct buf cell = {0};
    if (!field)
        return;
    struct value value = field_get(field, context);
    if (value.known)
        value_print(&value, (enum unit)field->unit, &cell);
    else
        buf_char(&cell, '-');
    table_cell(table, buf_str(&cell));
    buf_free(&cell);
}

static struct str row_label(const struct report *report, struct context *context, struct arena *arena)
{
    struct str label = label_of(report->labels, context_mangled(context));
    if (context->kernel->kind == KERNEL_ENTRY)
        return label;
    return arena_fmt(arena, "%.*s (device function)", STR_ARG(label));
}

static void add_table(const struct report *report, struct buf *out)
{
    struct table table = {.columns = 0};
    size_t count = 0, most = report->rows.top ? report->rows.top : SHOWN_ROWS;
    uint32_t *order = report_order(report, &count);
    size_t shown = report->all || count < most ? count : most;
    if (report->rows.sort)
        sort_rows(report, order, count);
    struct str *labels = mem_alloc((shown + 1) * sizeof *labels);
    struct arena arena = {0};
    bool linked = false, bound = false;
    unsigned known = 0;
    for (size_t at = 0; at < shown; at++)
        known |= kernel_columns_known(linter_record(report->linter, order[at]));
    unsigned columns = kernel_columns_of(IN_TEXT, known);
    labels[0] = STR("kernel");
    add_heads(&table, columns);
    if (report->rows.sort) {
        table.right[table.columns++] = true;
        table_cell(&table, str_of(report->rows.sort->name));
    }
    for (size_t at = 0; at < shown; at++) {
        struct context *context = linter_record(report->linter, order[at]);
        linked |= context->from_link;
        bound |= is_at_bound(context) && context_occupancy(context);
        labels[at + 1] = row_label(report, context, &arena);
        add_row(&table, context, columns);
        add_sorted_by(report, &table, context);
    }
    if (count)
        render(report, &table, labels, out);
    if (shown < count)
        buf_fmt(out, "[%zu others; --all shows each]\n", count - shown);
    if (linked)
        buf_add(out, STR("* as linked (nvlink), which is what runs\n"));
    if (bound)
        buf_add(out, STR("^ at the launch bound, which is a maximum: blocks may be smaller\n"));
    table_free(&table);
    arena_free(&arena);
    free(labels);
    free(order);
}

void report_text(const struct report *report, struct out *out)
{
    if (report->kind == REPORT_KERNELS) {
        if (report->summary) {
            struct summary summary;
            summary_make(&summary, report);
            summary_text(&summary, report, &out->text);
            summary_free(&summary);
        } else {
            add_table(report, &out->text);
            buf_add(&out->text, out->text.len ? STR("\n") : STR(""));
        }
        judged_text(report, &out->text);
        not_judged_text(report, &out->text);
    } else {
        drift_text(report, &out->text);
        if (report->all)
            add_all(report, out);
        else
            add_groups(report, out);
        if (!report->brief && (out->text.len || report_shown_findings(report)))
            buf_char(&out->text, '\n');
        if (!report->brief) {
            verdict_text(report, &out->text);
            add_advice(report, &out->text);
        }
    }
    add_unknown(report, &out->text);
}
