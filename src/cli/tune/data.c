/* The frontier for programs: JSON and CSV, with the keys of a kernel record where the meaning is the same. */
#include "base/json.h"
#include "cli/tune/tune.h"
#include "report/markup.h"

static void add_limiters(struct json *json, struct str list)
{
    struct str name;
    json_pair_open(json, "limiters", '[');
    while (list.len && str_split(&list, ',', &name))
        json_str(json, str_trim(name));
    json_close(json, ']');
}

static void add_point(struct json *json, const struct tune_point *point)
{
    json_open(json, '{');
    json_pair_known(json, "cap", point->cap, point->cap > 0);
    json_pair_known(json, "bound_threads", point->bound_threads, point->bound_threads > 0);
    json_pair_known(json, "min_blocks", point->min_blocks, point->min_blocks > 0);
    json_pair_bool(json, "of_command", point->given);
    json_pair_known(json, "registers", point->registers, point->registers != UNKNOWN);
    json_pair_known(json, "stack_bytes", point->stack_bytes, point->stack_bytes != UNKNOWN);
    json_pair_known(json, "spill_store_bytes", point->spill_store_bytes, point->spill_store_bytes != UNKNOWN);
    json_pair_known(json, "spill_load_bytes", point->spill_load_bytes, point->spill_load_bytes != UNKNOWN);
    json_pair_known(json, "blocks_per_sm", point->blocks, point->blocks >= 0);
    json_pair_known(json, "warps_per_sm", point->warps, point->warps >= 0);
    json_pair_known(json, "max_warps_per_sm", point->max_warps, point->warps >= 0);
    add_limiters(json, point->limiters);
    json_pair_bool(json, "frontier", point->frontier);
    json_close(json, '}');
}

static void add_kernel(struct json *json, const struct tune_kernel *kernel)
{
    json_open(json, '{');
    json_pair_str(json, "mangled", kernel->mangled);
    json_pair_str(json, "name", kernel->name);
    json_pair_str(json, "kernel_id", kernel->identity);
    json_pair_str(json, "arch", kernel->arch);
    json_pair_known(json, "threads", kernel->threads, kernel->threads > 0);
    json_pair_text(json, "threads_from", str_of(threads_from_names[kernel->threads_from]));
    json_pair_bool(json, "cap_reaches", kernel->own_cap_from == CAP_UNKNOWN);
    json_pair_known(json, "register_cap", kernel->own_cap, kernel->own_cap != UNKNOWN);
    json_pair_text(json, "register_cap_from", str_of(cap_from_names[kernel->own_cap_from]));
    json_pair_open(json, "points", '[');
    for (size_t at = 0; at < kernel->count; at++)
        add_point(json, &kernel->points[at]);
    json_close_all(json, "]}");
}

void tune_json(const struct tune *tune, struct buf *out)
{
    struct json json = {.out = out};
    json_open(&json, '{');
    json_pair_str(&json, "type", STR("tune"));
    json_pair_known(&json, "schema", 1, true);
    json_pair_str(&json, "version", STR(WARPLINT_VERSION));
    json_pair_str(&json, "source", tune->source);
    json_pair_known(&json, "command_cap", tune->command_cap, tune->command_cap > 0);
    json_pair_open(&json, "kernels", '[');
    for (size_t at = 0; at < tune->count; at++)
        add_kernel(&json, &tune->kernels[at]);
    json_close_all(&json, "]}");
    buf_char(out, '\n');
}

static void add_cell(int64_t value, bool known, struct buf *out)
{
    buf_char(out, ',');
    if (known)
        buf_int(out, value);
}

static void add_row(const struct tune_kernel *kernel, const struct tune_point *point, struct buf *out)
{
    const char *from = threads_from_names[kernel->threads_from];
    csv_text(kernel->name, out);
    buf_fmt(out, ",%.*s", STR_ARG(kernel->arch));
    add_cell(kernel->threads, kernel->threads > 0, out);
    buf_fmt(out, ",%s", from ? from : "");
    add_cell(point->cap, point->cap > 0, out);
    add_cell(point->registers, point->registers != UNKNOWN, out);
    add_cell(point->spill_store_bytes, point->spill_store_bytes != UNKNOWN, out);
    add_cell(point->spill_load_bytes, point->spill_load_bytes != UNKNOWN, out);
    add_cell(point->blocks, point->blocks >= 0, out);
    add_cell(point->warps, point->warps >= 0, out);
    add_cell(point->max_warps, point->warps >= 0, out);
    buf_fmt(out, ",%d,%d", point->frontier, point->given);
    add_cell(point->bound_threads, point->bound_threads > 0, out);
    add_cell(point->min_blocks, point->min_blocks > 0, out);
    buf_char(out, '\n');
}

void tune_csv(const struct tune *tune, struct buf *out)
{
    buf_add(out, STR("kernel,arch,threads,threads_from,cap,registers,spill_store_bytes,spill_load_bytes,blocks_per_sm,"
                     "warps_per_sm,max_warps_per_sm,frontier,of_command,bound_threads,min_blocks\n"));
    for (size_t at = 0; at < tune->count; at++)
        for (size_t point = 0; point < tune->kernels[at].count; point++)
            add_row(&tune->kernels[at], &tune->kernels[at].points[point], out);
}
