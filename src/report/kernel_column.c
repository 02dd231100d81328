#include "report/kernel_column.h"

#include "base/escape.h"
#include "report/markup.h"
#include "report/steps.h"

#include <stdlib.h>

struct kernel_row kernel_row_of(enum table_kind kind, struct context *context)
{
    return (struct kernel_row){kind, context, occupancy_shown_of(context)};
}

/* ---- cells of a record ------------------------------------------------------------------------------------------ */

static void add_number(const struct kernel_row *row, int64_t value, struct buf *out)
{
    if (value == UNKNOWN)
        buf_char(out, row->context->kernel->flags & KERNEL_AMBIGUOUS ? '?' : '-');
    else
        buf_int(out, value);
}

/* Text marks what the link decided. */
static void add_linked(const struct kernel_row *row, int64_t value, struct buf *out)
{
    add_number(row, value, out);
    if (row->kind == IN_TEXT && row->context->from_link)
        buf_char(out, '*');
}

static void cell_arch(const struct kernel_row *row, struct buf *out)
{
    struct str arch = kernel_arch(row->context->model, row->context->kernel);
    size_t before = out->len;
    (row->kind == IN_TEXT ? escape_text : row->kind == IN_PAGE ? html_text : markdown_text)(arch, out);
    if (out->len == before && row->kind == IN_TEXT)
        buf_char(out, '-');
}

static void cell_registers(const struct kernel_row *row, struct buf *out)
{
    add_linked(row, row->context->registers, out);
}

static bool has_cap(struct context *context)
{
    return context->register_cap != UNKNOWN;
}

static void cell_cap(const struct kernel_row *row, struct buf *out)
{
    add_number(row, row->context->register_cap, out);
}

static void cell_spill_stores(const struct kernel_row *row, struct buf *out)
{
    add_number(row, row->context->spill_store_bytes, out);
}

static void cell_spill_loads(const struct kernel_row *row, struct buf *out)
{
    add_number(row, row->context->spill_load_bytes, out);
}

static void cell_spills(const struct kernel_row *row, struct buf *out)
{
    cell_spill_stores(row, out);
    if (row->context->spill_store_bytes == UNKNOWN)
        return;
    buf_char(out, '/');
    cell_spill_loads(row, out);
}

static void cell_stack(const struct kernel_row *row, struct buf *out)
{
    add_linked(row, row->context->stack_bytes, out);
}

static void cell_smem(const struct kernel_row *row, struct buf *out)
{
    add_linked(row, context_smem_per_block(row->context), out);
}

static void cell_static_smem(const struct kernel_row *row, struct buf *out)
{
    add_number(row, row->context->smem_bytes, out);
}

static bool has_dynamic_smem(struct context *context)
{
    return context->launch_config.dynamic_smem_bytes >= 0;
}

static void cell_dynamic_smem(const struct kernel_row *row, struct buf *out)
{
    add_number(row, has_dynamic_smem(row->context) ? row->context->launch_config.dynamic_smem_bytes : UNKNOWN, out);
}

static bool has_threads(struct context *context)
{
    return context->launch_config.threads > 0;
}

static void cell_threads(const struct kernel_row *row, struct buf *out)
{
    add_number(row, row->context->launch_config.threads ? row->context->launch_config.threads : UNKNOWN, out);
}

void occupancy_text(const struct occupancy_shown *occupancy, struct buf *out)
{
    if (!occupancy->max_warps) {
        buf_char(out, '-');
        return;
    }
    if (occupancy->at_most)
        buf_add(out, STR("≤"));
    occupancy_percent(occupancy, out);
    if (occupancy->bound)
        buf_char(out, '^');
}

/* Text is in ASCII and has the unit in the cell. */
static void cell_occupancy(const struct kernel_row *row, struct buf *out)
{
    const struct occupancy_shown *o = &row->occupancy;
    if (row->kind == IN_TEXT && o->max_warps)
        buf_fmt(out, "%s%.1f%%%s", o->at_most ? "<=" : "", 100.0 * o->warps / o->max_warps, o->bound ? "^" : "");
    else
        occupancy_text(o, out);
}

static bool is_measured(struct context *context)
{
    return context->launch_config.achieved_occupancy >= 0;
}

static void cell_achieved(const struct kernel_row *row, struct buf *out)
{
    if (is_measured(row->context))
        buf_fmt(out, "%.2f%s", 100 * (double)row->context->launch_config.achieved_occupancy,
                row->kind == IN_TEXT ? "%" : "");
    else
        buf_char(out, '-');
}

static bool has_waves(struct context *context)
{
    return context_waves(context) != NULL;
}

static void cell_waves(const struct kernel_row *row, struct buf *out)
{
    if (has_waves(row->context))
        waves_text(context_waves(row->context), row->context->launch_config.grid, out);
    else
        buf_char(out, '-');
}

static void cell_limiters(const struct kernel_row *row, struct buf *out)
{
    limiter_names(row->occupancy.limiters, ", ", out);
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static int64_t registers_of(const struct kernel_row *row)
{
    return row->context->registers;
}

static int64_t cap_of(const struct kernel_row *row)
{
    return row->context->register_cap;
}

static int64_t spill_stores_of(const struct kernel_row *row)
{
    return row->context->spill_store_bytes;
}

static int64_t spill_loads_of(const struct kernel_row *row)
{
    return row->context->spill_load_bytes;
}

static int64_t stack_of(const struct kernel_row *row)
{
    return row->context->stack_bytes;
}

static int64_t static_smem_of(const struct kernel_row *row)
{
    return row->context->smem_bytes;
}

static int64_t dynamic_smem_of(const struct kernel_row *row)
{
    return has_dynamic_smem(row->context) ? row->context->launch_config.dynamic_smem_bytes : UNKNOWN;
}

static int64_t threads_of(const struct kernel_row *row)
{
    return has_threads(row->context) ? row->context->launch_config.threads : UNKNOWN;
}

enum { PER_MILLION = 1000000 };

static int64_t occupancy_of(const struct kernel_row *row)
{
    const struct occupancy_shown *o = &row->occupancy;
    return o->max_warps ? (int64_t)o->warps * PER_MILLION / o->max_warps : UNKNOWN;
}

static int64_t achieved_of(const struct kernel_row *row)
{
    return is_measured(row->context) ? (int64_t)(row->context->launch_config.achieved_occupancy * PER_MILLION)
                                     : UNKNOWN;
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

enum { IN_LINES = IN_TEXT | IN_MARKDOWN, IN_ALL = IN_LINES | IN_PAGE };

/* To add a column: a row here, in the order in which people read, and its cell above. */
const struct kernel_column kernel_columns[] = {
    {"arch", "arch", IN_ALL, false, cell_arch, NULL, SUMMARY_ARCHS, NULL},
    {"regs", "registers", IN_ALL, true, cell_registers, NULL, SUMMARY_RANGE, registers_of},
    {"cap", "register cap", IN_ALL, true, cell_cap, has_cap, SUMMARY_RANGE, cap_of},
    {"spill st/ld", "spill st/ld", IN_LINES, true, cell_spills, NULL, SUMMARY_NONE, NULL},
    {"", "spill stores", IN_PAGE, true, cell_spill_stores, NULL, SUMMARY_RANGE, spill_stores_of},
    {"", "spill loads", IN_PAGE, true, cell_spill_loads, NULL, SUMMARY_RANGE, spill_loads_of},
    {"stack", "stack", IN_ALL, true, cell_stack, NULL, SUMMARY_RANGE, stack_of},
    {"smem", "smem", IN_LINES, true, cell_smem, NULL, SUMMARY_NONE, NULL},
    {"", "static smem", IN_PAGE, true, cell_static_smem, NULL, SUMMARY_RANGE, static_smem_of},
    {"", "dynamic smem", IN_PAGE, true, cell_dynamic_smem, has_dynamic_smem, SUMMARY_RANGE, dynamic_smem_of},
    {"", "threads", IN_PAGE, true, cell_threads, has_threads, SUMMARY_RANGE, threads_of},
    {"occup.", "occupancy %", IN_ALL, true, cell_occupancy, NULL, SUMMARY_RANGE, occupancy_of},
    {"achieved", "achieved %", IN_ALL, true, cell_achieved, is_measured, SUMMARY_RANGE, achieved_of},
    {"waves", "waves", IN_ALL, true, cell_waves, has_waves, SUMMARY_NONE, NULL},
    {"limited by", "limited by", IN_ALL, false, cell_limiters, NULL, SUMMARY_LIMITERS, NULL},
};
const size_t kernel_column_count = sizeof kernel_columns / sizeof *kernel_columns;
_Static_assert(sizeof kernel_columns / sizeof *kernel_columns <= SUMMARY_COLUMNS, "kernel_summary has too few ranges");

unsigned kernel_columns_known(struct context *context)
{
    unsigned known = 0;
    for (size_t at = 0; at < kernel_column_count; at++)
        if (kernel_columns[at].is_known && kernel_columns[at].is_known(context))
            known |= 1u << at;
    return known;
}

unsigned kernel_columns_of(enum table_kind kind, unsigned known)
{
    unsigned columns = 0;
    for (size_t at = 0; at < kernel_column_count; at++)
        if (kernel_columns[at].kinds & kind && (!kernel_columns[at].is_known || known >> at & 1))
            columns |= 1u << at;
    return columns;
}

/* ---- one row for several ---------------------------------------------------------------------------------------- */

static void add_to_range(const struct kernel_column *column, const struct kernel_row *row, struct column_range *range)
{
    int64_t value = column->value(row);
    if (value == UNKNOWN)
        return;
    if (range->known == 0 || value < range->lowest) {
        range->lowest = value;
        buf_clear(&range->lowest_cell);
        column->cell(row, &range->lowest_cell);
    }
    if (range->known == 0 || value > range->highest) {
        range->highest = value;
        buf_clear(&range->highest_cell);
        column->cell(row, &range->highest_cell);
    }
    range->known++;
}

void kernel_summary_add(struct kernel_summary *summary, const struct kernel_row *row)
{
    struct str arch = kernel_arch(row->context->model, row->context->kernel);
    for (size_t at = 0; at < kernel_column_count; at++)
        if (kernel_columns[at].value)
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
    buf_add(out, STR("–"));
    buf_add(out, str_from(highest, both ? best.len : 0));
}

static int by_arch(const void *left, const void *right)
{
    return arch_order(*(const struct str *)left, *(const struct str *)right);
}

static void add_archs(const struct intern *names, struct buf *out)
{
    enum { MOST_LISTED = 3 };
    const uint32_t count = (uint32_t)names->count;
    struct str *archs = mem_alloc((count + 1) * sizeof *archs);
    for (uint32_t at = 0; at < count; at++)
        archs[at] = intern_get(names, at);
    qsort(archs, count, sizeof *archs, by_arch);
    for (uint32_t at = 0; at < count && count <= MOST_LISTED; at++) {
        buf_add(out, at ? STR(" ") : STR(""));
        html_text(archs[at], out);
    }
    if (count > MOST_LISTED) {
        html_text(archs[0], out);
        buf_add(out, STR("–"));
        html_text(archs[count - 1], out);
        buf_fmt(out, " (%u)", count);
    }
    free(archs);
}

void kernel_summary_cell(const struct kernel_summary *summary, size_t column, struct buf *out)
{
    const struct column_range *range = &summary->ranges[column];
    enum column_summary kind = kernel_columns[column].summary;
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
