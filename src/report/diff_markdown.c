/* diff as Markdown for a comment on a pull request: the verdict, what changed, totals folded away. */
#include "report/delta.h"
#include "report/instances.h"
#include "report/markup.h"
#include "report/says.h"

enum { SHOWN_ROWS = 50, SHOWN_RENAMED = 20 };

static void add_drift(const struct delta *delta, struct buf *out)
{
    struct buf text = {0};
    drift_text(delta->report, &text);
    if (text.len) {
        buf_add(out, STR("> "));
        markdown_text(str_trim(str_sub(buf_str(&text), 0, text.len - 1)), out);
        buf_add(out, STR("\n\n"));
    }
    buf_free(&text);
}

static void add_heads(const struct delta *delta, struct buf *out)
{
    buf_add(out, STR("| | kernel | arch |"));
    for (size_t at = 0; at < DELTA_COLUMNS; at++)
        if (delta_has(delta, delta_columns[at].measure))
            buf_fmt(out, " %s |", delta_columns[at].head);
    buf_add(out, STR("\n|---|---|---|"));
    for (size_t at = 0; at < DELTA_COLUMNS; at++)
        if (delta_has(delta, delta_columns[at].measure))
            buf_add(out, STR("---:|"));
    buf_char(out, '\n');
}

static void add_row(struct delta *delta, const struct pair *pair, struct buf *out)
{
    struct buf cell = {0};
    buf_fmt(out, "| %s%s%s | ", pair->state == COMPARE_WORSE ? "**" : "", delta_word(pair),
            pair->state == COMPARE_WORSE ? "**" : "");
    markdown_code(delta_label(delta, delta_id(delta, pair)), out);
    buf_add(out, STR(" | "));
    markdown_text(delta_arch(delta, pair), out);
    buf_add(out, STR(" |"));
    for (size_t at = 0; at < DELTA_COLUMNS; at++) {
        if (!delta_has(delta, delta_columns[at].measure))
            continue;
        buf_clear(&cell);
        delta_cell(delta, pair, delta_columns[at].measure, &cell);
        buf_fmt(out, " %.*s |", STR_ARG(buf_str(&cell)));
    }
    buf_char(out, '\n');
    buf_free(&cell);
}

static void add_rows(struct delta *delta, struct buf *out)
{
    size_t changed = delta->changed_count;
    size_t shown = delta->report->all || changed <= SHOWN_ROWS ? changed : SHOWN_ROWS;
    if (!changed)
        return;
    add_heads(delta, out);
    for (size_t at = 0; at < shown; at++)
        add_row(delta, &delta->comparison->pairs[delta->rows[at]], out);
    if (shown < changed)
        buf_fmt(out, "\n%zu others are not shown.\n", changed - shown);
    buf_char(out, '\n');
}

static void add_renamed(struct delta *delta, struct buf *out)
{
    size_t shown = 0;
    struct buf now = {0}, before = {0};
    for (size_t at = delta->changed_count; at < delta->row_count; at++) {
        const struct pair *pair = &delta->comparison->pairs[delta->rows[at]];
        if (at > delta->changed_count &&
            str_eq(delta_id(delta, pair), delta_id(delta, &delta->comparison->pairs[delta->rows[at - 1]])))
            continue;
        if (!delta->report->all && shown++ >= SHOWN_RENAMED)
            continue;
        buf_add(out, STR("- renamed: "));
        delta_names(delta, pair, &now, &before);
        markdown_code(buf_str(&now), out);
        buf_add(out, STR(", was "));
        markdown_code(buf_str(&before), out);
        buf_char(out, '\n');
    }
    buf_free(&now);
    buf_free(&before);
    if (!delta->report->all && shown > SHOWN_RENAMED)
        buf_fmt(out, "- and %zu more\n", shown - SHOWN_RENAMED);
    if (delta->row_count > delta->changed_count)
        buf_char(out, '\n');
}

static void add_instances(const struct delta *delta, struct buf *out)
{
    struct instances_list list;
    instances_make(&list, delta->comparison);
    instances_markdown(&list, delta->comparison, delta->report->all ? SIZE_MAX : SHOWN_RENAMED, out);
    instances_free(&list);
}

static void total_row(const struct delta_totals *totals, struct buf *out)
{
    buf_add(out, STR("| "));
    markdown_text(totals->arch.len ? totals->arch : STR("-"), out);
    buf_add(out, STR(" | "));
    delta_sum(totals->base_entries, totals->head_entries, out);
    for (int at = MEASURE_REGISTERS; at <= MEASURE_SMEM; at++) {
        buf_add(out, STR(" | "));
        delta_sum(totals->base[at], totals->head[at], out);
    }
    buf_add(out, STR(" |\n"));
}

static void add_totals(const struct delta *delta, struct buf *out)
{
    buf_add(out, STR("<details><summary>totals</summary>\n\n"
                     "| | records | registers | spill stores | spill loads | stack | shared memory |\n"
                     "|---|---:|---:|---:|---:|---:|---:|\n"));
    for (size_t at = 0; at < delta->arch_count; at++)
        total_row(&delta->archs[at], out);
    if (delta->arch_count > 1)
        total_row(&delta->all, out);
    buf_add(out, STR("\n</details>\n"));
}

void diff_markdown(const struct report *report, struct out *out)
{
    struct delta delta;
    delta_make(&delta, report);
    buf_add(&out->text, STR("### warplint: "));
    delta_counts(&delta.all, &out->text);
    buf_add(&out->text, STR("\n\n"));
    add_drift(&delta, &out->text);
    delta_verdict(report, &out->text);
    if (report->judge->counts.failing) {
        buf_add(&out->text, STR(": "));
        delta_failing(report, 0, 0, &out->text);
    }
    buf_add(&out->text, STR("\n\n"));
    add_rows(&delta, &out->text);
    add_renamed(&delta, &out->text);
    add_instances(&delta, &out->text);
    add_totals(&delta, &out->text);
    delta_free(&delta);
}
