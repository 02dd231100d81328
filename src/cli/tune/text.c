/* The frontier for people. */
#include "cli/tune/tune.h"
#include "report/table.h"
#include "rules/value.h"

static void add_row(struct table *table, const char *const cells[], size_t count)
{
    for (size_t at = 0; at < count; at++)
        table_cell(table, str_of(cells[at]));
}

static void add_number(struct table *table, int64_t value, bool known)
{
    struct buf text = {0};
    if (known)
        buf_int(&text, value);
    else
        buf_char(&text, '?');
    table_cell(table, buf_str(&text));
    buf_free(&text);
}

static void add_occupancy(struct table *table, const struct tune_point *point)
{
    struct buf text = {0};
    if (point->warps >= 0 && point->max_warps > 0) {
        struct value occupancy = value_number((double)point->warps / point->max_warps);
        value_print(&occupancy, UNIT_RATIO, &text);
    } else {
        buf_char(&text, '?');
    }
    table_cell(table, buf_str(&text));
    buf_free(&text);
}

static void add_point(struct table *table, const struct tune_point *point, bool threads)
{
    struct buf cap = {0};
    bool stores = point->spill_store_bytes != UNKNOWN, loads = point->spill_load_bytes != UNKNOWN;
    if (point->cap)
        buf_int(&cap, point->cap);
    else
        buf_add(&cap, STR("none"));
    table_cell(table, str_of(point->frontier ? "  *" : "   "));
    table_cell(table, buf_str(&cap));
    add_number(table, point->registers, point->registers != UNKNOWN);
    add_number(table, point->spill_store_bytes, stores);
    add_number(table, point->spill_load_bytes, loads);
    if (threads)
        add_number(table, point->blocks, point->blocks >= 0);
    add_occupancy(table, point);
    table_cell(table, str_of(point->given ? "as given" : ""));
    buf_free(&cap);
}

static void add_points(const struct tune_kernel *kernel, struct buf *out)
{
    static const char *const heads[] = {"", "cap", "registers", "spill stores", "spill loads", "blocks"};
    bool threads = kernel->threads > 0;
    struct table table = {.columns = threads ? 8 : 7};
    for (size_t at = 1; at + 1 < table.columns; at++)
        table.right[at] = true;
    add_row(&table, heads, threads ? 6 : 5);
    table_cell(&table, str_of(threads ? "occupancy" : "best occupancy"));
    table_cell(&table, STR(""));
    for (size_t at = 0; at < kernel->count; at++)
        add_point(&table, &kernel->points[at], threads);
    table_render(&table, out);
    table_free(&table);
}

static void add_threads(const struct tune_kernel *kernel, struct buf *out)
{
    static const char *const froms[] = {[THREADS_CLI] = "--threads",
                                        [THREADS_CONFIG] = "the configuration",
                                        [THREADS_PROFILE] = "the profile",
                                        [THREADS_REQUIRED] = "what the kernel requires",
                                        [THREADS_BOUND] = "its launch bounds: at most",
                                        [THREADS_TRITON] = "Triton's metadata"};
    if (kernel->threads > 0)
        buf_fmt(out, "  blocks of %d threads (%s)\n", kernel->threads, froms[kernel->threads_from]);
    else
        buf_add(out, STR("  block size not known: occupancy at the best one; --threads N decides\n"));
}

/* What caps this kernel, or why it has one row. */
static void add_reach(const struct tune_kernel *kernel, bool overrides, struct buf *out)
{
    const char *from = cap_from_names[kernel->own_cap_from];
    if (kernel->own_cap_from && kernel->own_cap != UNKNOWN && overrides)
        buf_fmt(out, "  %s caps it at %d registers%s\n", from, kernel->own_cap,
                kernel->count > 1 ? ": rows with a cap override it: estimates" : "");
    else if (kernel->own_cap_from && overrides)
        buf_fmt(out, "  it has %s%s\n", from, kernel->count > 1 ? ": rows with a cap override it: estimates" : "");
    else if (kernel->own_cap_from && kernel->own_cap != UNKNOWN)
        buf_fmt(out, "  ptxas does not apply -maxrregcount to it: %s caps it at %d registers\n", from, kernel->own_cap);
    else if (kernel->own_cap_from)
        buf_fmt(out, "  ptxas does not apply -maxrregcount to it: it has %s\n", from);
    else if (kernel->count == 1 && kernel->points[0].registers == UNKNOWN)
        buf_add(out, STR("  its registers are not known: no caps to try\n"));
    else if (kernel->count == 1 && kernel->points[0].warps < 0)
        buf_add(out, STR("  its architecture is not known to warplint: no caps to try\n"));
    else if (kernel->count == 1)
        buf_add(out, STR("  no lower cap buys a block\n"));
    if (kernel->debug)
        buf_add(out, STR("  compiled without optimisation: an optimised build has other numbers\n"));
}

static void add_kernel(const struct tune_kernel *kernel, bool overrides, struct buf *out)
{
    buf_fmt(out, "%.*s  %.*s\n", STR_ARG(kernel->label), STR_ARG(kernel->arch));
    add_threads(kernel, out);
    add_reach(kernel, overrides, out);
    add_points(kernel, out);
    buf_char(out, '\n');
}

static bool is_on_frontier(const struct tune *tune, int cap)
{
    for (size_t k = 0; k < tune->count; k++)
        for (size_t p = 1; p < tune->kernels[k].count; p++)
            if (tune->kernels[k].points[p].cap == cap && tune->kernels[k].points[p].frontier)
                return true;
    return false;
}

/* Some kernel has rows with caps, which override a cap of its own, or do not. */
static bool has_caps(const struct tune *tune, bool overridden)
{
    for (size_t at = 0; at < tune->count; at++)
        if (tune->kernels[at].count > 1 && (tune->overrides && tune->kernels[at].own_cap_from) == overridden)
            return true;
    return false;
}

/* The caps of all frontiers, as what to build and measure. */
static void add_advice(const struct tune *tune, struct buf *out)
{
    struct buf line = {0};
    buf_add(out, STR("* nothing beats it: no other cap has as many warps with as few bytes spilled.\n"));
    bool any = false;
    for (size_t at = 1; at < tune->cap_count; at++) {
        if (!is_on_frontier(tune, tune->caps[at]))
            continue;
        buf_fmt(&line, "%s%d", any ? ", " : "", tune->caps[at]);
        any = true;
    }
    if (any && has_caps(tune, false))
        buf_fmt(out, "Occupancy is no speed: measure without a cap, and with -maxrregcount=N, N one of\n%.*s\n",
                STR_ARG(buf_str(&line)));
    if (any && has_caps(tune, true))
        buf_add(out, STR("A row that overrides a cap of the kernel is an estimate: the same blocks written into\n"
                         "__launch_bounds__(threads, blocks) can spill more or less. Compile that, then\n"
                         "measure it. -maxrregcount has no effect on such a kernel.\n"));
    if (!any)
        buf_add(out, STR("There is no cap to measure: none gains warps or saves spills.\n"));
    buf_free(&line);
}

void tune_text(const struct tune *tune, struct buf *out)
{
    for (size_t at = 0; at < tune->count; at++)
        add_kernel(&tune->kernels[at], tune->overrides, out);
    add_advice(tune, out);
}
