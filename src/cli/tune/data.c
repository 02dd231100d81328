/* The rows of `tune` as JSON and CSV. A key has the same name as in a kernel record if it has the same meaning. */
#include "base/json.h"
#include "cli/settings.h"
#include "cli/tune/tune.h"
#include "report/markup.h"
#include "report/steps.h"

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
    json_pair_known(json, "blocks_per_sm", point->blocks, point->blocks != UNKNOWN);
    json_pair_known(json, "warps_per_sm", point->warps, point->warps != UNKNOWN);
    json_pair_known(json, "max_warps_per_sm", point->max_warps, point->max_warps != UNKNOWN);
    json_key(json, "limiters");
    limiters_json(point->limiters, json);
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
    document_open(&json, "tune");
    json_pair_str(&json, "source", tune->source);
    json_pair_known(&json, "command_cap", tune->command_cap, tune->command_cap > 0);
    json_pair_open(&json, "kernels", '[');
    for (size_t at = 0; at < tune->count; at++)
        add_kernel(&json, &tune->kernels[at]);
    json_close_all(&json, "]}");
    buf_char(out, '\n');
}

static void add_row(const struct tune_kernel *kernel, const struct tune_point *point, struct buf *out)
{
    const char *from = threads_from_names[kernel->threads_from];
    csv_text(kernel->name, out);
    buf_fmt(out, ",%.*s", STR_ARG(kernel->arch));
    csv_number(kernel->threads, kernel->threads > 0, out);
    buf_fmt(out, ",%s", from ? from : "");
    csv_number(point->cap, point->cap > 0, out);
    csv_number(point->registers, point->registers != UNKNOWN, out);
    csv_number(point->spill_store_bytes, point->spill_store_bytes != UNKNOWN, out);
    csv_number(point->spill_load_bytes, point->spill_load_bytes != UNKNOWN, out);
    csv_number(point->blocks, point->blocks != UNKNOWN, out);
    csv_number(point->warps, point->warps != UNKNOWN, out);
    csv_number(point->max_warps, point->max_warps != UNKNOWN, out);
    buf_fmt(out, ",%d,%d", point->frontier, point->given);
    csv_number(point->bound_threads, point->bound_threads > 0, out);
    csv_number(point->min_blocks, point->min_blocks > 0, out);
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
