#include "report/kernel_column.h"

#include "base/escape.h"
#include "report/markup.h"
#include "report/steps.h"

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

/* ---- what is worst of a template -------------------------------------------------------------------------------- */

static void most_registers(const struct family *family, struct buf *out)
{
    if (family->registers != UNKNOWN)
        buf_int(out, family->registers);
}

static void all_spill_stores(const struct family *family, struct buf *out)
{
    buf_int(out, family->spill_stores);
}

static void all_spill_loads(const struct family *family, struct buf *out)
{
    buf_int(out, family->spill_loads);
}

static void lowest_occupancy(const struct family *family, struct buf *out)
{
    occupancy_text(&family->lowest, out);
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

enum { IN_LINES = IN_TEXT | IN_MARKDOWN, IN_ALL = IN_LINES | IN_PAGE };

/* To add a column: a row here, in the order in which people read, and its cell above. */
const struct kernel_column kernel_columns[] = {
    {"arch", "arch", IN_ALL, false, cell_arch, NULL, NULL},
    {"regs", "registers", IN_ALL, true, cell_registers, NULL, most_registers},
    {"cap", "register cap", IN_ALL, true, cell_cap, has_cap, NULL},
    {"spill st/ld", "spill st/ld", IN_LINES, true, cell_spills, NULL, NULL},
    {"", "spill stores", IN_PAGE, true, cell_spill_stores, NULL, all_spill_stores},
    {"", "spill loads", IN_PAGE, true, cell_spill_loads, NULL, all_spill_loads},
    {"stack", "stack", IN_ALL, true, cell_stack, NULL, NULL},
    {"smem", "smem", IN_LINES, true, cell_smem, NULL, NULL},
    {"", "static smem", IN_PAGE, true, cell_static_smem, NULL, NULL},
    {"", "dynamic smem", IN_PAGE, true, cell_dynamic_smem, has_dynamic_smem, NULL},
    {"", "threads", IN_PAGE, true, cell_threads, has_threads, NULL},
    {"occup.", "occupancy %", IN_ALL, true, cell_occupancy, NULL, lowest_occupancy},
    {"achieved", "achieved %", IN_ALL, true, cell_achieved, is_measured, NULL},
    {"waves", "waves", IN_ALL, true, cell_waves, has_waves, NULL},
    {"limited by", "limited by", IN_ALL, false, cell_limiters, NULL, NULL},
};
const size_t kernel_column_count = sizeof kernel_columns / sizeof *kernel_columns;

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
