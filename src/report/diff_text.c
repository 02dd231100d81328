/* diff as text: the compilers when they differ, the rows that changed, the totals, the verdict. */
#include "report/delta.h"
#include "report/elide.h"
#include "report/instances.h"
#include "report/says.h"
#include "report/table.h"

#include <stdlib.h>

enum { SHOWN_ROWS = 20, WIDTH = 80, LEAST_LABEL = 20, LEAST_WIDTH = 40, INDENT = 11 };

static size_t width_of(const struct report *report)
{
    size_t width = report->width ? report->width : WIDTH;
    return width < LEAST_WIDTH ? LEAST_WIDTH : width;
}

/* Which columns are shown: those in which something changed. */
struct columns {
    const struct delta_column *items[DELTA_COLUMNS];
    size_t count;
};

static struct columns choose_columns(const struct delta *delta)
{
    struct columns columns = {.count = 0};
    for (size_t at = 0; at < DELTA_COLUMNS; at++)
        if (delta_has(delta, delta_columns[at].measure))
            columns.items[columns.count++] = &delta_columns[at];
    return columns;
}

static void buf_cell(struct table *table, struct buf *text)
{
    table_cell(table, buf_str(text));
    buf_clear(text);
}

static void add_heads(struct table *table, const struct columns *columns)
{
    table_cell(table, (struct str){"", 0});
    for (size_t at = 0; at < columns->count; at++)
        table_cell(table, str_of(columns->items[at]->head));
    table_cell(table, STR("arch"));
}

static void add_row(const struct delta *delta, const struct columns *columns, const struct pair *pair, bool with_values,
                    struct table *table)
{
    struct buf text = {0};
    buf_fmt(&text, "[%s]", delta_word(pair));
    buf_cell(table, &text);
    for (size_t at = 0; at < columns->count; at++) {
        (with_values ? delta_cell : delta_change)(delta, pair, columns->items[at]->measure, &text);
        buf_cell(table, &text);
    }
    safe_text(delta_arch(delta, pair), &text);
    table_cell(table, text.len ? buf_str(&text) : STR("-"));
    buf_free(&text);
}

/* All but the labels; returns the width. */
static size_t render(const struct delta *delta, size_t shown, bool with_values, struct buf *lines)
{
    struct columns columns = choose_columns(delta);
    struct table table = {.columns = columns.count + 2};
    struct str rest, line;
    size_t widest = 0;
    for (size_t at = 1; at <= columns.count; at++)
        table.right[at] = true;
    add_heads(&table, &columns);
    for (size_t at = 0; at < shown; at++)
        add_row(delta, &columns, &delta->comparison->pairs[delta->rows[at]], with_values, &table);
    table_render(&table, lines);
    for (rest = buf_str(lines); rest.len && str_split(&rest, '\n', &line);)
        widest = text_width(line) > widest ? text_width(line) : widest;
    table_free(&table);
    return widest;
}

/* The color of the row's tag at the front of the line; "" for none. */
static const char *color_of(const struct delta *delta, const struct pair *pair)
{
    if (!delta->report->color)
        return "";
    return pair->state == COMPARE_WORSE ? "\033[31m" : pair->state == COMPARE_IMPROVED ? "\033[32m" : "\033[36m";
}

/* Behind the line, or on one of its own where there is no room: a label that is cut twice says little. */
static void add_label(struct str label, size_t pad, size_t room, size_t width, struct buf *out)
{
    if (text_width(label) <= room) {
        buf_pad(out, ' ', pad);
        buf_add(out, label);
    } else {
        buf_add(out, STR("\n           "));
        elide(label, width - INDENT, out);
    }
    buf_char(out, '\n');
}

/* The table and behind each line the label. Where little is left of the width, the differences stand without the
 * values. */
static void add_rows(struct delta *delta, size_t shown, struct buf *out)
{
    struct buf lines = {0};
    struct str rest, line;
    size_t row = 0, width = width_of(delta->report), widest = render(delta, shown, true, &lines);
    if (widest + 2 + LEAST_LABEL > width) {
        buf_clear(&lines);
        widest = render(delta, shown, false, &lines);
    }
    size_t room = widest + 2 + LEAST_LABEL < width ? width - widest - 2 : LEAST_LABEL;
    for (rest = buf_str(&lines); rest.len && str_split(&rest, '\n', &line); row++) {
        const struct pair *pair = row ? &delta->comparison->pairs[delta->rows[row - 1]] : NULL;
        size_t tag = pair ? str_find_char(line, ']') + 1 : 0;
        const char *color = pair ? color_of(delta, pair) : "";
        buf_fmt(out, "%s%.*s%s%.*s", color, (int)tag, line.ptr, *color ? "\033[0m" : "", (int)(line.len - tag),
                line.ptr + tag);
        add_label(pair ? delta_label(delta, delta_id(delta, pair)) : STR("kernel"), widest - text_width(line) + 2, room,
                  width, out);
    }
    buf_free(&lines);
}

/* One line for a kernel with the architectures on which it has another name, and one for the name that it had. */
static void add_renamed(struct delta *delta, struct buf *out)
{
    const struct comparison *comparison = delta->comparison;
    size_t width = width_of(delta->report), kernels = 0;
    struct buf now = {0}, before = {0};
    for (size_t at = delta->changed_count; at < delta->row_count; at++) {
        const struct pair *pair = &comparison->pairs[delta->rows[at]];
        bool first = at == delta->changed_count ||
                     !str_eq(delta_id(delta, pair), delta_id(delta, &comparison->pairs[delta->rows[at - 1]]));
        bool last = at + 1 == delta->row_count ||
                    !str_eq(delta_id(delta, pair), delta_id(delta, &comparison->pairs[delta->rows[at + 1]]));
        kernels += first;
        if (kernels > SHOWN_ROWS && !delta->report->all)
            continue;
        if (first) {
            delta_names(delta, pair, &now, &before);
            buf_add(out, STR("[renamed]  "));
            elide(buf_str(&now), width - 11, out);
            buf_add(out, STR("\n      was  "));
            elide(buf_str(&before), width - 11, out);
            buf_add(out, STR("\n       on "));
        }
        buf_char(out, ' ');
        safe_text(delta_arch(delta, pair), out);
        if (last)
            buf_char(out, '\n');
    }
    if (kernels > SHOWN_ROWS && !delta->report->all)
        buf_fmt(out, "[%zu others renamed; --all shows each]\n", kernels - SHOWN_ROWS);
    buf_free(&now);
    buf_free(&before);
}

static void add_instances(const struct delta *delta, struct buf *out)
{
    struct instances_list list;
    instances_make(&list, delta->comparison);
    instances_text(&list, delta->comparison, delta->report->all ? SIZE_MAX : SHOWN_ROWS, width_of(delta->report), out);
    if (list.count)
        buf_char(out, '\n');
    instances_free(&list);
}

static void total_row(const struct delta_totals *totals, struct table *table)
{
    static const enum measure sums[] = {MEASURE_REGISTERS, MEASURE_SPILL_STORES, MEASURE_SPILL_LOADS, MEASURE_STACK,
                                        MEASURE_SMEM};
    struct buf text = {0};
    safe_text(totals->arch, &text);
    table_cell(table, text.len ? buf_str(&text) : STR("-"));
    buf_clear(&text);
    delta_sum(totals->base_entries, totals->head_entries, &text);
    buf_cell(table, &text);
    for (size_t at = 0; at < sizeof sums / sizeof *sums; at++) {
        delta_sum(totals->base[sums[at]], totals->head[sums[at]], &text);
        buf_cell(table, &text);
    }
    buf_free(&text);
}

static void add_totals(const struct delta *delta, struct buf *out)
{
    static const char *const heads[] = {"total", "records", "regs", "spill st", "spill ld", "stack", "smem"};
    struct table table = {.columns = sizeof heads / sizeof *heads};
    for (size_t at = 0; at < table.columns; at++) {
        table.right[at] = at > 0;
        table_cell(&table, str_of(heads[at]));
    }
    for (size_t at = 0; at < delta->arch_count; at++)
        total_row(&delta->archs[at], &table);
    if (delta->arch_count > 1)
        total_row(&delta->all, &table);
    table_render(&table, out);
    table_free(&table);
}

static void add_ambiguous(const struct delta *delta, struct buf *out)
{
    struct totals totals = report_totals(delta->report);
    if (totals.ambiguous)
        buf_fmt(out,
                "not compared: numbers of %zu records of the head cannot be told from another kernel's: several "
                "compilers wrote at once\n",
                totals.ambiguous);
}

void diff_text(const struct report *report, struct out *out)
{
    struct delta delta;
    delta_make(&delta, report);
    size_t changed = delta.changed_count;
    size_t shown = report->all || changed <= SHOWN_ROWS ? changed : SHOWN_ROWS;
    drift_text(report, &out->text);
    if (out->text.len)
        buf_char(&out->text, '\n');
    if (shown)
        add_rows(&delta, shown, &out->text);
    if (shown < changed)
        buf_fmt(&out->text, "[%zu others; --all shows each]\n", changed - shown);
    add_renamed(&delta, &out->text);
    if (delta.row_count)
        buf_char(&out->text, '\n');
    add_instances(&delta, &out->text);
    add_totals(&delta, &out->text);
    buf_add(&out->text, STR("\ncompared: "));
    delta_counts(&delta.all, &out->text);
    buf_char(&out->text, '\n');
    add_ambiguous(&delta, &out->text);
    if (report->judge->counts.failing) {
        buf_add(&out->text, STR("failing: "));
        delta_failing(report, WIDTH, 9, &out->text);
        buf_char(&out->text, '\n');
    }
    delta_verdict(report, &out->text);
    buf_char(&out->text, '\n');
    delta_free(&delta);
}
