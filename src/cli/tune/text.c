/* The rows of `tune` as text. */
#include "cli/tune/tune.h"
#include "report/markup.h"
#include "report/table.h"
#include "rules/value.h"

enum { TEXT_WIDTH = 80 };

static void add_number(struct table *table, int32_t value)
{
    number_text(value, value != UNKNOWN, "?", &table->cell);
    table_end(table);
}

static void occupancy_text(const struct tune_point *point, struct buf *out)
{
    if (point->max_warps > 0) {
        struct value occupancy = value_number((double)point->warps / point->max_warps);
        value_print(&occupancy, UNIT_RATIO, out);
    } else {
        buf_char(out, '?');
    }
}

/* Appends the bytes of spill stores and loads: "80/90". */
static void spills_text(const struct tune_point *point, struct buf *out)
{
    number_text(point->spill_store_bytes, point->spill_store_bytes != UNKNOWN, "?", out);
    buf_char(out, '/');
    number_text(point->spill_load_bytes, point->spill_load_bytes != UNKNOWN, "?", out);
}

/* Appends the launch bounds: "(256, 3)". */
static void bounds_text(const struct tune_point *point, struct buf *out)
{
    buf_fmt(out, "(%d", point->bound_threads);
    if (point->min_blocks)
        buf_fmt(out, ", %d", point->min_blocks);
    buf_char(out, ')');
}

/* "none" is the cap of the architecture. */
static void cap_text(const struct tune_point *point, struct buf *out)
{
    if (point->cap > 0)
        buf_int(out, point->cap);
    else
        buf_add(out, point->cap == 0 ? STR("none") : STR("?"));
}

static void add_text(struct table *table, void (*text)(const struct tune_point *, struct buf *),
                     const struct tune_point *point)
{
    text(point, &table->cell);
    table_end(table);
}

static void add_point(struct table *table, const struct tune_kernel *kernel, const struct tune_point *point)
{
    table_cell(table, str_of(point->frontier && kernel->count > 1 ? "  *" : "   "));
    if (kernel->bound_from == BOUND_LAUNCH_BOUNDS)
        add_text(table, bounds_text, point);
    add_text(table, cap_text, point);
    add_number(table, point->registers);
    add_text(table, spills_text, point);
    if (kernel->threads > 0)
        add_number(table, point->blocks);
    add_text(table, occupancy_text, point);
    table_cell(table, str_of(point->absent ? "not compiled" : point->given ? "as given" : ""));
}

static void add_points(const struct tune_kernel *kernel, struct buf *out)
{
    SCOPED(table) table = {0};
    table_column(&table, "", false);
    if (kernel->bound_from == BOUND_LAUNCH_BOUNDS)
        table_column(&table, "bounds", true);
    table_column(&table, "cap", true);
    table_column(&table, "registers", true);
    table_column(&table, "spill st/ld", true);
    if (kernel->threads > 0)
        table_column(&table, "blocks", true);
    table_column(&table, kernel->threads > 0 ? "occupancy" : "best occupancy", true);
    table_column(&table, "", false);
    for (size_t at = 0; at < kernel->count; at++)
        add_point(&table, kernel, &kernel->points[at]);
    table_render(&table, out);
}

/* The reason why a kernel has only one row. */
static const char *reason_for_one_row(const struct tune_kernel *kernel)
{
    if (kernel->points[0].registers == UNKNOWN)
        return "its registers are not known: no caps to try";
    if (kernel->points[0].warps == UNKNOWN)
        return "its architecture is not known to warplint: no caps to try";
    if (kernel->own_cap_from == CAP_SETMAXNREG)
        return "its warps set their registers by setmaxnreg: no other caps and bounds are tried";
    if (kernel->bounds_not_applied)
        return "the compiler kept its cap: it is not written with __launch_bounds__ or __maxnreg__";
    if (kernel->bound_from == BOUND_REQUIRED)
        return "with __block_size__ only __maxnreg__(N) sets a lower cap: write one, and others are tried";
    return "no lower register cap adds a block per SM";
}

static void add_notes(const struct tune_kernel *kernel, struct buf *out)
{
    SCOPED(buf) notes = {0};
    if (kernel->own_cap_from && kernel->own_cap_from != CAP_SETMAXNREG && kernel->own_cap != UNKNOWN)
        buf_fmt(&notes, "  %s caps it at %d registers\n", cap_from_names[kernel->own_cap_from], kernel->own_cap);
    if (kernel->count == 1)
        buf_fmt(&notes, "  %s\n", reason_for_one_row(kernel));
    if (kernel->lacks_dynamic_smem)
        buf_add(&notes, STR("  its dynamic shared memory is not known (--dynamic-smem BYTES): blocks and "
                            "occupancy are upper bounds\n"));
    if (kernel->debug)
        buf_add(&notes, STR("  compiled without optimisation: an optimised build has other numbers\n"));
    buf_fold_lines(out, buf_str(&notes), 4, TEXT_WIDTH);
}

/* If some rows spill, appends the row with the most warps that does not spill. */
static void add_without_spills(const struct tune_kernel *kernel, struct buf *out)
{
    const struct tune_point *best = NULL;
    bool any = false;
    EACH(const struct tune_point, point, kernel->points, kernel->count) {
        any |= point->spill_store_bytes > 0 || point->spill_load_bytes > 0;
        if (point->spill_store_bytes == 0 && point->spill_load_bytes == 0 && (!best || point->warps > best->warps))
            best = point;
    }
    if (!any || kernel->count == 1)
        return;
    if (!best) {
        buf_add(out, STR("  each of these spills\n"));
        return;
    }
    buf_add(out, STR("  most warps without spills: "));
    if (kernel->bound_from == BOUND_LAUNCH_BOUNDS) {
        bounds_text(best, out);
    } else {
        buf_add(out, STR("cap "));
        cap_text(best, out);
    }
    buf_fmt(out, ", %d registers, ", best->registers);
    occupancy_text(best, out);
    buf_char(out, '\n');
}

static void add_kernel(const struct tune_kernel *kernel, struct buf *out)
{
    buf_fmt(out, "%.*s  %.*s\n", STR_ARG(kernel->label), STR_ARG(kernel->arch));
    if (kernel->threads > 0)
        buf_fmt(out, "  blocks of %d threads (%s)\n", kernel->threads, threads_from_texts[kernel->threads_from]);
    else
        buf_add(out, STR("  block size not known: occupancy at the best one; --threads N decides\n"));
    add_notes(kernel, out);
    add_points(kernel, out);
    add_without_spills(kernel, out);
    buf_char(out, '\n');
}

/* True if a marked row of the kernel has this cap. */
static bool has_best_cap(const struct tune_kernel *kernel, int cap)
{
    for (size_t at = 1; at < kernel->count; at++)
        if (kernel->points[at].frontier && kernel->points[at].cap == cap)
            return true;
    return false;
}

/* True if a marked row of some kernel has launch bounds below those of the source, and the kernel may be launched with
 * blocks that these bounds do not allow. */
static bool needs_smaller_blocks(const struct tune *tune)
{
    EACH(const struct tune_kernel, kernel, tune->kernels, tune->count)
        for (size_t at = 1; at < kernel->count && kernel->threads_from == THREADS_BOUND; at++)
            if (kernel->points[at].frontier && kernel->points[at].bound_threads < kernel->points[0].bound_threads)
                return true;
    return false;
}

/* Appends the caps of the marked rows of kernels with a cap of this origin, "80, 64"; nothing if there are none. */
static void list_caps(const struct tune *tune, enum cap_from own_cap_from, struct buf *out)
{
    for (int cap = UINT8_MAX; cap >= 0; cap--) /* 0: the cap of the architecture */
        for (size_t at = 0; at < tune->count; at++)
            if (tune->kernels[at].own_cap_from == own_cap_from && has_best_cap(&tune->kernels[at], cap)) {
                buf_fmt(out, "%s%d", out->len ? ", " : "", cap);
                break;
            }
}

static bool is_one(const struct buf *numbers)
{
    return numbers->len && str_find_char(buf_str(numbers), ',') == STR_NONE;
}

/* Appends what to build and measure. */
static void add_advice(const struct tune *tune, struct buf *out)
{
    SCOPED(buf) options = {0}, bounds = {0}, numbers = {0};
    bool clusters = false; /* blocks form clusters from sm_90 on */
    for (size_t at = 0; at < tune->count; at++)
        clusters |= arch_order(tune->kernels[at].arch, STR("sm_90")) >= 0;
    list_caps(tune, CAP_UNKNOWN, &options);
    list_caps(tune, CAP_LAUNCH_BOUNDS, &bounds);
    list_caps(tune, CAP_MAXNREG, &numbers);
    if (tune_any(tune))
        buf_add(out, STR("* worth measuring: no row has more warps and spills no more, or as many warps\nand spills "
                         "less.\n"));
    if (options.len + bounds.len + numbers.len == 0)
        buf_add(out, STR("No other row has more warps or fewer spilled bytes than the first.\n"));
    else
        buf_add(out, STR("A higher occupancy is not always faster: measure the build as it is, and then\n"));
    if (is_one(&options))
        buf_fmt(out, "with -maxrregcount=%.*s (for all kernels without bounds of their own)\n",
                STR_ARG(buf_str(&options)));
    else if (options.len)
        buf_fmt(out, "with -maxrregcount=N (for all kernels without bounds of their own), N one of\n%.*s\n",
                STR_ARG(buf_str(&options)));
    if (bounds.len)
        buf_add(out, STR("with the bounds of a marked row in __launch_bounds__ of the kernel\n"));
    if (bounds.len && clusters)
        buf_add(out, STR("(a third argument, the maximum of blocks per cluster, can stay as it is)\n"));
    if (bounds.len && needs_smaller_blocks(tune))
        buf_add(out, STR("(where a row has fewer threads than the source: with launches of such blocks)\n"));
    if (is_one(&numbers))
        buf_fmt(out, "with __maxnreg__(%.*s) at the kernel\n", STR_ARG(buf_str(&numbers)));
    else if (numbers.len)
        buf_fmt(out, "with __maxnreg__(N) at the kernel, N one of\n%.*s\n", STR_ARG(buf_str(&numbers)));
}

void tune_text(const struct tune *tune, struct buf *out)
{
    SCOPED(buf) advice = {0};
    for (size_t at = 0; at < tune->count; at++)
        add_kernel(&tune->kernels[at], out);
    add_advice(tune, &advice);
    buf_fold_lines(out, buf_str(&advice), 0, TEXT_WIDTH);
}
