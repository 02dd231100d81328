/*
 * text: the report for people. Findings have the format of gcc, so that editors and CI systems find the location; one
 * line per group. The verdict follows: what was found, what was judged, and what could not be judged and why.
 */
#include "report/configurations.h"
#include "report/location.h"
#include "report/markup.h"
#include "report/messages.h"
#include "report/site.h"
#include "report/summary.h"
#include "report/table.h"

#include <math.h>
#include <stdlib.h>

enum { SHOWN_GROUPS = 50, SHOWN_ROWS = 20, LISTED_NOTES = 2, SHOWN_TABLES = 10, TABLE_ROWS = 40, LEAST_ROWS = 6 };

/* ---- findings --------------------------------------------------------------------------------------------------- */

enum { CONTINUED = 4 }; /* indent of the second and later lines of a folded line */

/* The next actions that a list of findings already has. Initialise with {0}; free `last`. */
struct next_listing {
    struct buf last; /* the one of the previous call */
    size_t commands; /* number of `tune` commands */
};

/* Appends "    next: __launch_bounds__(256, 6) would lift ...", folded at the terminal's width; nothing if the finding
 * has no next action, or the same one as in the previous call. Only the first `tune` commands are printed whole: such a
 * command contains all options of a compile. */
static void add_next(const struct report *report, const struct finding *finding, struct next_listing *listing,
                     struct buf *out)
{
    enum { WHOLE_COMMANDS = 3 };
    static const struct str head = STR_INIT("    next: ");
    const bool brief = !report->all && listing->commands >= WHOLE_COMMANDS;
    struct buf next = {0};
    bool any = finding_next(report->linter, finding, brief, &next);
    listing->commands += str_find(buf_str(&next), STR("warplint tune ")) != STR_NONE;
    if (any && !str_eq(buf_str(&next), buf_str(&listing->last))) {
        SCOPED(buf) shown = {0};
        escape_text(buf_str(&next), &shown);
        buf_add(out, head);
        buf_fold(out, buf_str(&shown), head.len, head.len, report->width);
        buf_char(out, '\n');
    }
    buf_free(&listing->last);
    listing->last = next;
}

/* group NULL: the finding is printed without a group. */
static void add_finding(const struct report *report, const struct finding *finding, const struct group *group,
                        struct next_listing *listing, struct buf *out)
{
    static const char *const colors[] = {"", "\033[36m", "\033[33m", "\033[31m"};
    const char *name = severity_names[finding->severity];
    const struct location place = location_of_line(report, finding), file = location_of(report, finding);
    SCOPED(buf) text = {0};
    location_line(report, &place, &text);
    buf_add(&text, STR(": "));
    size_t column = str_width(buf_str(&text)) + strlen(name) + strlen(": ");
    buf_add(out, buf_str(&text));
    if (report->color)
        buf_fmt(out, "%s%s\033[0m: ", colors[finding->severity], name);
    else
        buf_fmt(out, "%s: ", name);
    buf_clear(&text);
    finding_text(report, finding, &text);
    buf_fmt(&text, " [%.*s]", STR_ARG(report->linter->rules->rules[finding->rule].id));
    if (place.in_log && !file.in_log)
        text_fmt(&text, " in %.*s", STR_ARG(location_shown(report, file.path)));
    if (group)
        members_text(report, report->groups, group, &text);
    buf_fold(out, buf_str(&text), column, CONTINUED, report->width);
    buf_char(out, '\n');
    sites_text(report, finding, out);
    add_next(report, finding, listing, out);
}

/* The notes of a rule: the number of findings and of their groups. */
struct notes {
    size_t findings, groups;
};

/* By rule; release with free. */
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

/* True if the notes of a rule are counted instead of listed: they are many and do not fail the verdict. */
static bool counts_notes(const struct report *report, const struct notes *notes, size_t rule)
{
    return notes[rule].groups > LISTED_NOTES && !report->notes && report->fail_on != SEVERITY_NOTE &&
           !report->linter->rules->rules[rule].always_listed;
}

/* Brief reports omit notes, because notes need no action. */
static bool is_listed(const struct report *report, const struct notes *notes, const struct finding *worst)
{
    return worst->severity > SEVERITY_NOTE || report->fail_on == SEVERITY_NOTE ||
           (!report->brief && !counts_notes(report, notes, worst->rule));
}

/* Appends "[notes not listed: 34 of missing-launch-bounds, 16 of spill-in-device-function; --notes lists them]". */
static void add_counted(const struct report *report, const struct notes *notes, struct buf *out)
{
    const struct ruleset *rules = report->linter->rules;
    const size_t start = out->len;
    for (size_t at = 0; at < rules->count; at++)
        if (!report->brief && counts_notes(report, notes, at))
            buf_fmt(out, "%s%zu of %.*s", out->len > start ? ", " : "[notes not listed: ", notes[at].findings,
                    STR_ARG(rules->rules[at].id));
    buf_add(out, out->len > start ? STR("; --notes lists them]\n") : STR(""));
}

static void add_groups(const struct report *report, struct out *out)
{
    const struct groups *groups = report->groups;
    const size_t most = report->brief ? SHOWN_ROWS : SHOWN_GROUPS;
    struct notes *notes = count_notes(report);
    struct next_listing listing = {.commands = 0};
    size_t shown = 0, others = 0, other_groups = 0;
    for (size_t g = 0; g < groups->count; g++) {
        const struct finding *worst = &groups->findings[groups->all[g].worst];
        if (!is_listed(report, notes, worst))
            continue;
        others += groups->all[g].count;
        other_groups++;
    }
    for (size_t g = 0; g < groups->shown_count && shown < most; g++) {
        const struct group *group = &groups->shown[g];
        const struct finding *worst = &groups->findings[group->worst];
        if (!is_listed(report, notes, worst))
            continue;
        add_finding(report, worst, group, &listing, &out->text);
        out_spill(out);
        shown++;
        others -= group->count;
    }
    buf_count(&out->text, others, "[# other{|s} in ");
    buf_count(&out->text, other_groups - shown, "# group{|s}; --all shows each]\n");
    add_counted(report, notes, &out->text);
    buf_free(&listing.last);
    free(notes);
}

static void add_all(const struct report *report, struct out *out)
{
    uint32_t *order = findings_sorted(report->linter);
    struct next_listing listing = {.commands = 0};
    for (size_t at = 0; at < report->linter->finding_count; at++) {
        const struct finding *finding = &report->linter->findings[order[at]];
        if (!finding_counts(finding))
            continue;
        add_finding(report, finding, NULL, &listing, &out->text);
        out_spill(out);
    }
    free(order);
    buf_free(&listing.last);
}

/* Appends "why and what to do: warplint explain register-spill; all 12 findings: --all". */
static void add_explanation(const struct report *report, struct buf *out)
{
    const struct rule *rule = &report->linter->rules->rules[report->groups->shown[0].rule];
    SCOPED(buf) safe = {0};
    buf_fmt(out, "why and what to do: warplint explain %.*s", STR_ARG(rule->id));
    if (!report->brief && !report->all && report_shown_findings(report) > report->groups->shown_count)
        buf_fmt(out, "; all %zu findings: --all", report_shown_findings(report));
    const size_t notes = report->linter->counts.by_severity[SEVERITY_NOTE];
    if (report->brief && report->fail_on != SEVERITY_NOTE)
        buf_count(out, notes, "; # note{|s} not shown");
    if (report->brief && report->fail_on != SEVERITY_NOTE && notes && report->record.len) {
        buf_add(out, STR(": warplint check --notes "));
        escape_text(report->record, &safe);
        shell_word(buf_str(&safe), out);
    }
    buf_char(out, '\n');
}

static void add_advice(const struct report *report, struct buf *out)
{
    if (report->groups->shown_count == 0)
        return;
    add_explanation(report, out);
    size_t before = out->len;
    accept_text(report, out);
    buf_add(out, out->len > before ? STR("\n") : STR(""));
    unlocated_text(report, out);
}

/* ---- the table of kernels --------------------------------------------------------------------------------------- */

/* The table of kernels, with the kernel of each row. */
struct rows {
    struct table table; /* its first column is empty until the names are added */
    uint32_t *kernels;  /* by row, without the heads */
    size_t count;
    bool *first; /* by row: the first one of its kernel, which has the name */
};

/* Appends the name in a row, at most `width` columns wide. */
static void add_name(const struct report *report, uint32_t kernel, size_t width, struct buf *out)
{
    static const struct str function = STR_INIT(" (device function)");
    struct context *context = linter_record(report->linter, kernel);
    bool is_entry = context->kernel->kind == KERNEL_ENTRY;
    size_t room = is_entry || width < function.len ? width : width - function.len;
    label_within(report->labels, context_mangled(context), room, out);
    buf_add(out, is_entry ? STR("") : function);
}

/* Writes each name to the first row of its kernel. Returns false if the terminal is too narrow for the names. */
static bool add_names(const struct report *report, struct rows *rows, size_t room)
{
    struct table *table = &rows->table;
    SCOPED(buf) name = {0};
    bool fits = true;
    table->cells[0] = STR("kernel");
    for (size_t row = 0; fits && row < rows->count; row++) {
        buf_clear(&name);
        if (rows->first[row])
            add_name(report, rows->kernels[row], room, &name);
        table->cells[(row + 1) * table->columns] = arena_str(&table->arena, buf_str(&name));
        fits = report->width == 0 || str_width(buf_str(&name)) <= room;
    }
    return fits;
}

/* For a narrow terminal: prints each name on a line of its own, and its records below it. The last cell is folded at
 * the column where it begins, if the terminal has room for it there. width: that of the lines. */
static void render_below(const struct report *report, const struct rows *rows, struct str lines, size_t width,
                         struct buf *out)
{
    enum { LEAST_ROOM = 16, INDENT = 4 };
    const struct table *table = &rows->table;
    size_t longest = 0;
    for (size_t at = table->columns - 1; at < table->count; at += table->columns) {
        const size_t length = str_width(table->cells[at]);
        longest = length > longest ? length : longest;
    }
    const size_t column = width - longest + LEAST_ROOM <= report->width ? width - longest : INDENT;
    struct str rest = lines, line;
    for (size_t row = 0; rest.len && str_split(&rest, '\n', &line); row++) {
        if (row == 0)
            buf_add(out, STR("kernel\n"));
        if (row > 0 && rows->first[row - 1]) {
            add_name(report, rows->kernels[row - 1], report->width, out);
            buf_char(out, '\n');
        }
        buf_fold(out, line, 0, column, report->width);
        buf_char(out, '\n');
    }
}

/* A record with its sort keys. */
struct ranked {
    double number;  /* sort key, larger first; -INFINITY: unknown */
    uint32_t block; /* position of its kernel */
    struct str arch;
    uint32_t before; /* position among equal records */
    uint32_t kernel;
};

static int by_number(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->number > b->number || a->number < b->number)
        return a->number > b->number ? -1 : 1;
    return number_cmp(a->before, b->before);
}

static int by_block(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    int order = number_cmp(a->block, b->block);
    if (!order)
        order = arch_order(a->arch, b->arch);
    return order ? order : number_cmp(a->before, b->before);
}

/* Puts the records of each kernel together, sorted by architecture, at the position of its first record. Returns the
 * number of kernels. */
static size_t sort_by_kernel(const struct model *model, struct ranked *rows, size_t count)
{
    uint32_t *blocks = mem_alloc((model->names.count + 1) * sizeof *blocks), known = 0;
    for (uint32_t at = 0; at < count; at++) {
        const struct kernel *kernel = &model->kernels[rows[at].kernel];
        uint32_t *block = &blocks[kernel->name];
        if (*block == 0)
            *block = ++known;
        rows[at].block = *block;
        rows[at].arch = kernel_arch(model, kernel);
        rows[at].before = at;
    }
    mem_sort(rows, count, sizeof *rows, by_block);
    free(blocks);
    return known;
}

/* Chooses the records of the kernels to show, without those of configurations; *others: number of kernels not shown. */
static void choose_rows(const struct report *report, const struct configurations *configurations, struct rows *rows,
                        size_t *others)
{
    size_t all = 0, count = 0;
    uint32_t *order = report_order(report, &rows->table.arena, &all);
    struct ranked *ranked = arena_alloc(&rows->table.arena, (all + 1) * sizeof *ranked);
    for (size_t at = 0; at < all; at++) {
        if (configurations->count && configurations->has[order[at]])
            continue;
        ranked[count] = (struct ranked){.before = (uint32_t)count, .kernel = order[at]};
        count++;
    }
    EACH(struct ranked, row, ranked, report->rows.sort ? count : 0) {
        const struct value value = field_get(report->rows.sort, linter_record(report->linter, row->kernel));
        const double number = report->rows.ascending ? -value.number : value.number;
        row->number = value.known ? number : -INFINITY; /* kernels with an unknown number come last */
    }
    if (report->rows.sort)
        mem_sort(ranked, count, sizeof *ranked, by_number);
    size_t kernels = sort_by_kernel(report->model, ranked, count), shown = 0;
    rows->kernels = order;
    rows->first = arena_alloc(&rows->table.arena, count + 1);
    for (size_t at = 0; at < count; at++) {
        bool first = at == 0 || ranked[at].block != ranked[at - 1].block;
        if (first && !report->all && (report->rows.top ? shown == report->rows.top : at >= SHOWN_ROWS))
            break;
        shown += first;
        rows->first[at] = first;
        rows->kernels[at] = ranked[at].kernel;
        rows->count = at + 1;
    }
    *others = kernels - shown;
}

/* True if the table does not have a column for this number yet. */
static bool adds_column(const struct field *field)
{
    return field && strcmp(field->name, "registers") != 0 && strcmp(field->name, "stack_bytes") != 0;
}

static void add_sorted_by(const struct report *report, struct table *table, struct context *context)
{
    const struct field *field = report->rows.sort;
    if (!adds_column(field))
        return;
    struct value value = field_get(field, context);
    if (value.known)
        value_print(&value, (enum unit)field->unit, &table->cell);
    else
        buf_char(&table->cell, '-');
    table_end(table);
}

static void add_table(const struct report *report, const struct configurations *configurations, struct buf *out)
{
    struct rows rows = {.count = 0};
    size_t others = 0;
    bool linked = false, bound = false, waves = false;
    unsigned known = 0;
    SCOPED(buf) lines = {0};
    choose_rows(report, configurations, &rows, &others);
    for (size_t at = 0; at < rows.count; at++)
        known |= kernel_columns_known(linter_record(report->linter, rows.kernels[at]));
    unsigned columns = kernel_columns_of(IN_TEXT, known);
    table_column(&rows.table, "", false);
    kernel_heads(IN_TEXT, columns, &rows.table);
    if (adds_column(report->rows.sort))
        table_column(&rows.table, report->rows.sort->name, true);
    for (size_t at = 0; at < rows.count; at++) {
        const struct kernel_row row = kernel_row_of(IN_TEXT, linter_record(report->linter, rows.kernels[at]));
        linked |= row.context->link != NULL;
        bound |= row.occupancy.bound;
        waves |= context_waves(row.context) != NULL;
        table_cell(&rows.table, STR(""));
        kernel_cells(&row, columns, &rows.table);
        add_sorted_by(report, &rows.table, row.context);
    }
    const size_t width = rows.count ? table_render(&rows.table, &lines) : 0;
    if (rows.count && add_names(report, &rows, report->width > width ? report->width - width : 0))
        table_render(&rows.table, out);
    else if (rows.count)
        render_below(report, &rows, buf_str(&lines), width, out);
    buf_count(out, others, "[# other kernel{|s}; --all shows each]\n");
    if (linked)
        buf_add(out, STR("* as linked (nvlink), which is what runs\n"));
    if (bound)
        buf_add(out, STR("^ at the launch bound, which is a maximum: blocks may be smaller\n"));
    if (waves)
        buf_add(out, STR("waves: 2.38 is two full ones and a last one that is 38 % full\n"));
    table_free(&rows.table);
}

/* Appends a table for each kernel with several configurations. */
static void add_configurations(const struct report *report, const struct configurations *configurations,
                               struct buf *out)
{
    const size_t room = report->all ? SIZE_MAX : report->rows.top ? report->rows.top : SHOWN_TABLES;
    const size_t shown = configurations->count < room ? configurations->count : room;
    const size_t each = shown ? TABLE_ROWS / shown : 0, least = each < LEAST_ROWS ? LEAST_ROWS : each;
    const size_t most = report->all ? SIZE_MAX : least; /* rows of a table */
    SCOPED(buf) lines = {0};
    for (size_t at = 0; at < shown; at++) {
        const struct tuned_kernel *kernel = &configurations->kernels[at];
        buf_clear(&lines);
        buf_fmt(&lines, "%.*s%.*s\n", STR_ARG(kernel->name), STR_ARG(kernel->title));
        buf_fold_lines(out, buf_str(&lines), CONTINUED, report->width);
        SCOPED(table) table = configurations_table(configurations, at, IN_TEXT, most);
        table_render(&table, out);
        buf_count(out, table.left_out, "[# others between; --all shows each]\n");
        buf_char(out, '\n');
    }
    buf_count(out, configurations->count - shown,
              "[# other kernels with several configurations; --all shows each]\n\n");
    buf_clear(&lines);
    configurations_note(configurations, &lines);
    buf_fold_lines(out, buf_str(&lines), CONTINUED, report->width);
}

/* If an order is requested, each record is a row of one table. */
static void add_kernels(const struct report *report, struct buf *out)
{
    SCOPED(configurations) configurations = {.count = 0};
    if (!report->rows.sort)
        configurations = configurations_make(report);
    add_configurations(report, &configurations, out);
    buf_add(out, out->len ? STR("\n") : STR(""));
    size_t before = out->len;
    add_table(report, &configurations, out);
    buf_add(out, out->len > before ? STR("\n") : STR(""));
}

/* Appends what follows the findings or the table of kernels. */
static void add_verdict(const struct report *report, struct buf *out)
{
    SCOPED(buf) lines = {0};
    if (report->kind == REPORT_KERNELS) {
        judged_text(report, &lines);
        not_judged_text(report, &lines);
    } else {
        verdict_text(report, &lines);
        add_advice(report, &lines);
    }
    buf_fold_lines(out, buf_str(&lines), CONTINUED, report->width);
}

void report_text(const struct report *report, struct out *out)
{
    if (report->kind == REPORT_KERNELS) {
        if (report->summary) {
            SCOPED(summary) summary = summary_make(report);
            summary_text(&summary, &out->text);
        } else {
            add_kernels(report, &out->text);
        }
        add_verdict(report, &out->text);
    } else {
        drift_text(report, &out->text);
        if (report->all)
            add_all(report, out);
        else
            add_groups(report, out);
        if (!report->brief && (out->text.len || report_shown_findings(report)))
            buf_char(&out->text, '\n');
        if (!report->brief)
            add_verdict(report, &out->text);
        else if (report->linter->counts.failing)
            add_explanation(report, &out->text);
    }
    const struct model *model = report->model;
    for (size_t at = 0; report->show_unknown && at < model->unknown_count; at++)
        text_fmt(&out->text, "%.*s:%u: not understood: %.*s\n",
                 STR_ARG(model_string(model, model->logs[model->unknown[at].log].path)), model->unknown[at].line,
                 STR_ARG(model_string(model, model->unknown[at].text)));
}
