#include "report/instances.h"

#include "gpu/arch.h"
#include "log/name.h"
#include "report/markup.h"
#include "report/table.h"

#include <stdlib.h>
#include <string.h>

/* ---- gathering -------------------------------------------------------------------------------------------------- */

static void start_side(struct instances_side *side)
{
    for (int at = 0; at < MEASURE_COUNT; at++)
        side->worst[at] = UNKNOWN;
}

static struct instances *item_for(struct instances_list *list, struct str template, struct str arch)
{
    struct buf key = {0};
    size_t known = list->keys.count;
    buf_add(&key, template);
    buf_char(&key, '\0');
    buf_add(&key, arch);
    uint32_t number = intern_add(&list->keys, buf_str(&key));
    buf_free(&key);
    if (number == known) {
        list->items = mem_reserve(list->items, &list->cap, known + 1, sizeof *list->items);
        struct instances *item = &list->items[list->count++];
        *item = (struct instances){.arch = arch, .id = NO_INDEX};
        start_side(&item->went);
        start_side(&item->came);
    }
    return &list->items[number];
}

static void add_entry(struct instances_side *side, const struct measured *entry)
{
    side->count += entry->copies;
    for (int at = 0; at < MEASURE_COUNT; at++) {
        int32_t value = entry->values[at], *worst = &side->worst[at];
        if (value != UNKNOWN && (*worst == UNKNOWN || (at == MEASURE_WARPS ? value < *worst : value > *worst)))
            *worst = value;
    }
}

static void add_pair(struct instances_list *list, const struct comparison *comparison, const struct pair *pair)
{
    bool gone = pair->state == COMPARE_GONE;
    const struct measured_set *set = gone ? comparison->base : comparison->head;
    const struct measured *entry = &set->items[gone ? pair->base : pair->head];
    struct buf name = {0};
    if (entry->kind != KERNEL_ENTRY || entry->deselected)
        return;
    name_template(measured_string(set, entry->id), &name);
    struct instances *item = item_for(list, buf_str(&name), measured_string(set, entry->arch));
    add_entry(gone ? &item->went : &item->came, entry);
    item->id = gone ? item->id : entry->id;
    buf_free(&name);
}

static int64_t growth(const struct instances *item, enum measure measure)
{
    int32_t went = item->went.worst[measure], came = item->came.worst[measure];
    return went == UNKNOWN || came == UNKNOWN ? 0 : (int64_t)came - went;
}

static int by_number(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_loss(const void *left, const void *right)
{
    const struct instances *a = left, *b = right;
    int order = by_number(growth(a, MEASURE_WARPS), growth(b, MEASURE_WARPS));
    if (!order)
        order = by_number(growth(b, MEASURE_REGISTERS), growth(a, MEASURE_REGISTERS));
    return order ? order : str_cmp(a->key, b->key);
}

void instances_make(struct instances_list *list, const struct comparison *comparison)
{
    size_t kept = 0;
    *list = (struct instances_list){.count = 0};
    if (!comparison->counts.by_state[COMPARE_GONE] || !comparison->counts.by_state[COMPARE_NEW])
        return;
    for (size_t at = 0; at < comparison->count; at++)
        if (comparison->pairs[at].state == COMPARE_GONE || comparison->pairs[at].state == COMPARE_NEW)
            add_pair(list, comparison, &comparison->pairs[at]);
    for (size_t at = 0; at < list->count; at++)
        if (list->items[at].went.count && list->items[at].came.count) {
            list->items[kept] = list->items[at];
            list->items[kept++].key = intern_get(&list->keys, (uint32_t)at);
        }
    list->count = kept;
    if (kept)
        qsort(list->items, kept, sizeof *list->items, by_loss);
}

void instances_free(struct instances_list *list)
{
    intern_free(&list->keys);
    free(list->items);
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* The worst that came, with what it differs by from the worst that went. */
static void add_cell(const struct instances *item, enum measure measure, struct buf *out)
{
    int32_t went = item->went.worst[measure], came = item->came.worst[measure];
    if (came == UNKNOWN)
        buf_char(out, '-');
    else if (came == went)
        buf_fmt(out, "%d [=]", came);
    else if (went == UNKNOWN)
        buf_int(out, came);
    else
        buf_fmt(out, "%d %+lld", came, (long long)growth(item, measure));
}

static bool is_shown(const struct instances_list *list, enum measure measure)
{
    for (size_t at = 0; at < list->count; at++)
        if (list->items[at].went.worst[measure] > 0 || list->items[at].came.worst[measure] > 0)
            return true;
    return false;
}

static size_t shown_rows(const struct instances_list *list, size_t most)
{
    return list->count < most ? list->count : most;
}

static void add_name(const struct comparison *comparison, const struct instances *item, struct buf *out)
{
    label_template(measured_string(comparison->head, item->id), out);
}

static void cell(struct table *table, struct buf *text)
{
    table_cell(table, buf_str(text));
    buf_clear(text);
}

static void add_row(struct table *table, const struct instances_list *list, const struct comparison *comparison,
                    const struct instances *item)
{
    struct buf text = {0};
    buf_fmt(&text, "%zu", item->went.count);
    cell(table, &text);
    buf_fmt(&text, "%zu", item->came.count);
    cell(table, &text);
    for (size_t at = 0; at < DELTA_COLUMNS; at++) {
        if (!is_shown(list, delta_columns[at].measure))
            continue;
        add_cell(item, delta_columns[at].measure, &text);
        cell(table, &text);
    }
    safe_text(item->arch, &text);
    cell(table, &text);
    add_name(comparison, item, &text);
    cell(table, &text);
    buf_free(&text);
}

void instances_text(const struct instances_list *list, const struct comparison *comparison, size_t most, size_t width,
                    struct buf *out)
{
    struct table table = {.columns = 2, .width = width};
    size_t shown = shown_rows(list, most);
    if (!list->count)
        return;
    table_cell(&table, STR("went"));
    table_cell(&table, STR("came"));
    for (size_t at = 0; at < DELTA_COLUMNS; at++) {
        if (!is_shown(list, delta_columns[at].measure))
            continue;
        table_cell(&table, str_of(delta_columns[at].head));
        table.columns++;
    }
    for (size_t at = 0; at < table.columns; at++)
        table.right[at] = true;
    table_cell(&table, STR("arch"));
    table_cell(&table, STR("template"));
    table.columns += 2;
    for (size_t at = 0; at < shown; at++)
        add_row(&table, list, comparison, &list->items[at]);
    buf_add(out, STR("templates with other instances, the worst that came against the worst that went:\n"));
    table_render(&table, out);
    if (shown < list->count)
        buf_fmt(out, "[%zu others; --all shows each]\n", list->count - shown);
    table_free(&table);
}

void instances_markdown(const struct instances_list *list, const struct comparison *comparison, size_t most,
                        struct buf *out)
{
    struct buf text = {0};
    size_t shown = shown_rows(list, most), columns = 0;
    if (!list->count)
        return;
    buf_add(out, STR("Templates with other instances, the worst that came against the worst that went:\n\n"
                     "| template | arch | went | came |"));
    for (size_t at = 0; at < DELTA_COLUMNS; at++) {
        if (is_shown(list, delta_columns[at].measure))
            buf_fmt(out, " %s |", delta_columns[at].head);
        columns += is_shown(list, delta_columns[at].measure);
    }
    buf_add(out, STR("\n|---|---|---:|---:|"));
    while (columns--)
        buf_add(out, STR("---:|"));
    buf_char(out, '\n');
    for (size_t row = 0; row < shown; row++) {
        const struct instances *item = &list->items[row];
        buf_add(out, STR("| "));
        buf_clear(&text);
        add_name(comparison, item, &text);
        markdown_code(buf_str(&text), out);
        buf_add(out, STR(" | "));
        markdown_text(item->arch, out);
        buf_fmt(out, " | %zu | %zu |", item->went.count, item->came.count);
        for (size_t at = 0; at < DELTA_COLUMNS; at++) {
            if (!is_shown(list, delta_columns[at].measure))
                continue;
            buf_char(out, ' ');
            add_cell(item, delta_columns[at].measure, out);
            buf_add(out, STR(" |"));
        }
        buf_char(out, '\n');
    }
    if (shown < list->count)
        buf_fmt(out, "\n%zu others are not shown.\n", list->count - shown);
    buf_char(out, '\n');
    buf_free(&text);
}

void instances_line(const struct instances_list *list, const struct comparison *comparison, size_t most,
                    struct buf *out)
{
    size_t shown = shown_rows(list, most);
    for (size_t row = 0; row < shown; row++) {
        const struct instances *item = &list->items[row];
        buf_add(out, row ? STR("; ") : STR(""));
        add_name(comparison, item, out);
        buf_add(out, STR(" ("));
        safe_text(item->arch.len ? item->arch : STR("-"), out);
        buf_fmt(out, "): %zu went, %zu came", item->went.count, item->came.count);
        for (size_t at = 0; at < DELTA_COLUMNS; at++) {
            if (growth(item, delta_columns[at].measure) == 0)
                continue;
            buf_fmt(out, ", %s ", delta_columns[at].head);
            add_cell(item, delta_columns[at].measure, out);
        }
    }
    if (shown < list->count)
        buf_fmt(out, " and %zu more", list->count - shown);
}
