#include "report/kernel_column.h"

#include "base/escape.h"
#include "report/markup.h"
#include "report/table.h"

#include <stdlib.h>

struct kernel_row kernel_row_of(enum table_kind kind, struct context *context)
{
    return (struct kernel_row){kind, context, occupancy_shown_of(context)};
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

/* A number of the launch; UNKNOWN if it is below `least`. */
static int64_t launch_number(int64_t number, int64_t least)
{
    return number >= least ? number : UNKNOWN;
}

#define VALUE(function, expression)                                                                                    \
    static int64_t function(const struct kernel_row *row)                                                              \
    {                                                                                                                  \
        return expression;                                                                                             \
    }

VALUE(registers_of, row->context->registers)
VALUE(cap_of, row->context->register_cap)
VALUE(spill_stores_of, row->context->spill_store_bytes)
VALUE(spill_loads_of, row->context->spill_load_bytes)
VALUE(stack_of, row->context->stack_bytes)
VALUE(smem_of, context_smem_per_block(row->context))
VALUE(static_smem_of, row->context->smem_bytes)
VALUE(dynamic_smem_of, launch_number(row->context->launch_config.dynamic_smem_bytes, 0))
VALUE(threads_of, launch_number(row->context->launch_config.threads, 1))
VALUE(occupancy_of, occupancy_share(&row->occupancy))
VALUE(waves_of, context_waves(row->context) ? context_waves(row->context)->wave_blocks : UNKNOWN)

static int64_t achieved_of(const struct kernel_row *row)
{
    const float share = row->context->launch_config.achieved_occupancy;
    return share >= 0 ? (int64_t)(share * ALL_WARPS) : UNKNOWN;
}

/* ---- cells of a record ------------------------------------------------------------------------------------------ */

static void add_number(const struct kernel_row *row, int64_t value, struct buf *out)
{
    const bool ambiguous = row->context->kernel->flags & KERNEL_AMBIGUOUS;
    number_text(value, value != UNKNOWN, ambiguous ? "?" : "-", out);
}

static void cell_arch(const struct kernel_row *row, struct buf *out)
{
    struct str arch = kernel_arch(row->context->model, row->context->kernel);
    size_t before = out->len;
    (row->kind == IN_PAGE ? html_text : escape_text)(arch, out);
    if (out->len == before && row->kind == IN_TEXT)
        buf_char(out, '-');
}

static void cell_spills(const struct kernel_row *row, struct buf *out)
{
    add_number(row, spill_stores_of(row), out);
    if (spill_stores_of(row) == UNKNOWN && spill_loads_of(row) == UNKNOWN)
        return;
    buf_char(out, '/');
    add_number(row, spill_loads_of(row), out);
}

void occupancy_text(enum table_kind kind, const struct occupancy_shown *occupancy, struct buf *out)
{
    if (occupancy->at_most)
        buf_add(out, kind == IN_TEXT ? STR("<=") : STR("≤"));
    occupancy_percent(occupancy, out);
    if (occupancy->bound)
        buf_char(out, '^');
}

void occupancy_range_text(const struct occupancy_range *range, struct buf *out)
{
    occupancy_text(IN_PAGE, &range->lowest, out);
    if (occupancy_range_is_wide(range)) {
        buf_add(out, STR("–"));
        occupancy_percent(&range->highest, out);
    }
}

/* Text prints the unit in the cell. */
static void cell_occupancy(const struct kernel_row *row, struct buf *out)
{
    const struct occupancy_shown *o = &row->occupancy;
    if (row->kind == IN_TEXT)
        buf_fmt(out, "%s%.1f%%%s", o->at_most ? "<=" : "", 100.0 * o->warps / o->max_warps, o->bound ? "^" : "");
    else
        occupancy_text(row->kind, o, out);
}

static void cell_achieved(const struct kernel_row *row, struct buf *out)
{
    buf_fmt(out, "%.2f%s", 100 * (double)row->context->launch_config.achieved_occupancy,
            row->kind == IN_TEXT ? "%" : "");
}

/* "1.54, last 54%": the number of waves of the grid, and how full the last wave is if it is partial; in text, which is
 * narrow, "1.54". */
static void cell_waves(const struct kernel_row *row, struct buf *out)
{
    const struct waves *waves = context_waves(row->context);
    buf_fmt(out, "%.2f", (double)row->context->launch_config.grid / (double)waves->wave_blocks);
    if (row->kind != IN_TEXT && waves->last_blocks > 0 && waves->full_waves > 0)
        buf_fmt(out, ", last %.0f%%", 100.0 * (double)waves->last_blocks / (double)waves->wave_blocks);
}

static void cell_limiters(const struct kernel_row *row, struct buf *out)
{
    limiter_names(row->occupancy.limiters, ", ", out);
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

enum { IN_LINES = IN_TEXT | IN_MARKDOWN, IN_ALL = IN_LINES | IN_PAGE };

/* To add a column: a row here, in reading order, with its value or its cell above. */
const struct kernel_column kernel_columns[] = {
    {"arch", "arch", IN_ALL, .cell = cell_arch, .summary = SUMMARY_ARCHS},
    {"regs", "registers", IN_ALL, NUMBER_OF_LINK, registers_of, .summary = SUMMARY_RANGE},
    {"cap", "register cap", IN_ALL, NUMBER, cap_of, .optional = true, .summary = SUMMARY_RANGE},
    {"spill st/ld", "spill st/ld", IN_LINES, NUMBER, .cell = cell_spills},
    {"", "spill stores", IN_PAGE, NUMBER, spill_stores_of, .summary = SUMMARY_RANGE},
    {"", "spill loads", IN_PAGE, NUMBER, spill_loads_of, .summary = SUMMARY_RANGE},
    {"stack", "stack", IN_ALL, NUMBER_OF_LINK, stack_of, .summary = SUMMARY_RANGE},
    {"smem", "smem", IN_LINES, NUMBER_OF_LINK, .value = smem_of},
    {"", "static smem", IN_PAGE, NUMBER, static_smem_of, .summary = SUMMARY_RANGE},
    {"", "dynamic smem", IN_PAGE, NUMBER, dynamic_smem_of, .optional = true, .summary = SUMMARY_RANGE},
    {"", "threads", IN_PAGE, NUMBER, threads_of, .optional = true, .summary = SUMMARY_RANGE},
    {"occup.", "occupancy %", IN_ALL, NUMBER, occupancy_of, cell_occupancy, .summary = SUMMARY_RANGE},
    {"achieved", "achieved %", IN_ALL, NUMBER, achieved_of, cell_achieved, true, SUMMARY_RANGE},
    {"waves", "waves", IN_ALL, NUMBER, waves_of, cell_waves, .optional = true},
    {"limited by", "limited by", IN_ALL, .cell = cell_limiters, .summary = SUMMARY_LIMITERS},
};
const size_t kernel_column_count = sizeof kernel_columns / sizeof *kernel_columns;
_Static_assert(sizeof kernel_columns / sizeof *kernel_columns <= SUMMARY_COLUMNS, "kernel_summary has too few ranges");

const struct kernel_column *kernel_column_next(unsigned columns, const struct kernel_column *last)
{
    size_t at = last ? (size_t)(last - kernel_columns) + 1 : 0;
    while (at < kernel_column_count && !(columns >> at & 1))
        at++;
    return at < kernel_column_count ? &kernel_columns[at] : NULL;
}

void kernel_cell(const struct kernel_column *column, const struct kernel_row *row, struct buf *out)
{
    if (column->cell && column->value && column->value(row) == UNKNOWN)
        buf_char(out, '-');
    else if (column->cell)
        column->cell(row, out);
    else
        add_number(row, column->value(row), out);
    if (column->number == NUMBER_OF_LINK && row->kind == IN_TEXT && row->context->link)
        buf_char(out, '*');
}

void kernel_heads(enum table_kind kind, unsigned columns, struct table *table)
{
    for (const struct kernel_column *column = NULL; (column = kernel_column_next(columns, column));)
        table_column(table, kind == IN_TEXT ? column->head : column->title, column->number);
}

void kernel_cells(const struct kernel_row *row, unsigned columns, struct table *table)
{
    for (const struct kernel_column *column = NULL; (column = kernel_column_next(columns, column));) {
        kernel_cell(column, row, &table->cell);
        table_end(table);
    }
}

unsigned kernel_columns_known(struct context *context)
{
    const struct kernel_row row = {.context = context}; /* no optional column uses the occupancy */
    unsigned known = 0;
    for (size_t at = 0; at < kernel_column_count; at++)
        if (kernel_columns[at].optional && kernel_columns[at].value(&row) != UNKNOWN)
            known |= 1u << at;
    return known;
}

unsigned kernel_columns_of(enum table_kind kind, unsigned known)
{
    unsigned columns = 0;
    for (size_t at = 0; at < kernel_column_count; at++)
        if (kernel_columns[at].kinds & kind && (!kernel_columns[at].optional || known >> at & 1))
            columns |= 1u << at;
    return columns;
}

/* ---- rows that summarize several records ------------------------------------------------------------------------ */

static void add_to_range(const struct kernel_column *column, const struct kernel_row *row, struct column_range *range)
{
    int64_t value = column->value(row);
    if (value == UNKNOWN)
        return;
    if (range->known == 0 || value < range->lowest) {
        range->lowest = value;
        buf_clear(&range->lowest_cell);
        kernel_cell(column, row, &range->lowest_cell);
    }
    if (range->known == 0 || value > range->highest) {
        range->highest = value;
        buf_clear(&range->highest_cell);
        kernel_cell(column, row, &range->highest_cell);
    }
    range->known++;
}

void kernel_summary_add(struct kernel_summary *summary, const struct kernel_row *row)
{
    struct str arch = kernel_arch(row->context->model, row->context->kernel);
    for (size_t at = 0; at < kernel_column_count; at++)
        if (kernel_columns[at].summary == SUMMARY_RANGE)
            add_to_range(&kernel_columns[at], row, &summary->ranges[at]);
    if (arch.len)
        intern_add(&summary->archs, arch);
    summary->limiters |= row->occupancy.limiters;
    summary->rows++;
}

static void add_range(const struct column_range *range, struct buf *out)
{
    struct str lowest = buf_str(&range->lowest_cell), highest = buf_str(&range->highest_cell), best = STR("≤");
    buf_add(out, lowest);
    if (range->lowest == range->highest)
        return;
    bool both = str_starts(lowest, best) && str_starts(highest, best);
    buf_fmt(out, "–%.*s", STR_ARG(str_from(highest, both ? best.len : 0)));
}

static void add_archs(const struct intern *names, struct buf *out)
{
    enum { MOST_LISTED = 3 };
    const uint32_t count = (uint32_t)names->count;
    struct str *archs = archs_in_order(names);
    for (uint32_t at = 0; at < count && count <= MOST_LISTED; at++)
        html_fmt(out, "%s%.*s", at ? " " : "", STR_ARG(archs[at]));
    if (count > MOST_LISTED)
        html_fmt(out, "%.*s–%.*s (%u)", STR_ARG(archs[0]), STR_ARG(archs[count - 1]), count);
    free(archs);
}

void kernel_summary_cell(const struct kernel_summary *summary, const struct kernel_column *column, struct buf *out)
{
    const struct column_range *range = &summary->ranges[column - kernel_columns];
    enum column_summary kind = column->summary;
    if (kind == SUMMARY_ARCHS)
        add_archs(&summary->archs, out);
    if (kind == SUMMARY_LIMITERS)
        limiter_names(summary->limiters, ", ", out);
    if (kind != SUMMARY_RANGE)
        return;
    if (range->known)
        add_range(range, out);
    if (range->known < summary->rows)
        buf_add(out, range->known ? STR(", -") : STR("-"));
}

void kernel_summary_free(struct kernel_summary *summary)
{
    for (size_t at = 0; at < kernel_column_count; at++) {
        buf_free(&summary->ranges[at].lowest_cell);
        buf_free(&summary->ranges[at].highest_cell);
    }
    intern_free(&summary->archs);
}
