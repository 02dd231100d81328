#include "cli/advise/advice.h"

#include "base/escape.h"
#include "gpu/advice.h"
#include "report/steps.h"

#include <string.h>

enum { TEXT_WIDTH = 80 };

/* Returns false if nothing can be computed: the architecture is not in the table, or registers or shared memory are
 * unknown. */
static bool compute_advice(const struct context *context, struct advice *advice)
{
    const struct launch_config *launch_config = &context->launch_config;
    bool known = context->arch && context->registers != UNKNOWN && context->smem_bytes != UNKNOWN;
    struct advice_question question = {.arch = context->arch, .ilp = launch_config->ilp};
    if (!known)
        return false;
    question.launch = context_launch(context, launch_config->threads);
    question.most_threads = context->rare->bound_threads;
    return advice_make(&question, advice);
}

static void add_percent(const struct context *s, int warps, struct buf *out)
{
    buf_fmt(out, "%.1f %%", 100.0 * warps / s->arch->max_warps_per_sm);
}

/* ---- numbers of the kernel -------------------------------------------------------------------------------------- */

/* Stores and loads together; 0: none, or unknown. */
static int64_t spilled_bytes(const struct context *s)
{
    return s->spill_store_bytes == UNKNOWN || s->spill_load_bytes == UNKNOWN
               ? 0
               : (int64_t)s->spill_store_bytes + s->spill_load_bytes;
}

static void add_known(struct buf *out, const char *what, int64_t bytes)
{
    if (bytes != UNKNOWN && bytes > 0)
        buf_fmt(out, ", %lld B of %s", (long long)bytes, what);
}

static void add_numbers(const struct context *s, struct buf *out)
{
    const struct rare_metrics *rare = s->rare;
    buf_fmt(out, "  %d registers", s->registers);
    if (s->register_cap != UNKNOWN)
        buf_fmt(out, " (cap %d)", s->register_cap);
    add_known(out, "spills", spilled_bytes(s));
    add_known(out, "stack", s->stack_bytes);
    add_known(out, "shared memory", context_smem_per_block(s));
    if (s->barriers > 0)
        buf_fmt(out, ", %d barrier%s", s->barriers, PLURAL(s->barriers));
    if (rare->bound_threads)
        buf_fmt(out,
                rare->bound_from == BOUND_REQUIRED ? "\n  declared: blocks of exactly %d"
                                                   : "\n  declared: blocks of up to %d",
                rare->bound_threads);
    if (rare->bound_threads && rare->min_blocks)
        buf_fmt(out, ", %d or more per SM", rare->min_blocks);
    buf_char(out, '\n');
    if (context_lacks_dynamic_smem(s))
        buf_add(out, STR("  its dynamic shared memory is not known (--dynamic-smem BYTES): all blocks,\n"
                         "    warps and percentages are upper bounds\n"));
    if (s->register_cap_from == CAP_SETMAXNREG)
        buf_add(out, STR("  its warps set their registers by setmaxnreg: ptxas states those with which\n"
                         "    they begin, and another number of blocks needs other numbers of setmaxnreg\n"));
    if (context_calls_add_registers(s))
        buf_fmt(out,
                "  its own code needs %d registers, the functions that it calls raise this at the\n"
                "    link: cap them where they are compiled (-maxrregcount), since the link fails\n"
                "    with launch bounds that allow fewer registers than they use\n",
                s->kernel->registers);
    if (context_needs_optin(s))
        buf_fmt(out,
                "  more than %d B of shared memory: the launch must opt in with\n"
                "    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)\n",
                s->arch->smem_per_block_bytes);
}

static void add_standing(struct context *s, const struct occupancy *o, struct buf *out)
{
    buf_fmt(out, "  %d threads per block (%s)", s->launch_config.threads,
            threads_from_texts[s->launch_config.threads_from]);
    if (o->blocks == 0) {
        buf_add(out, STR(": cannot launch; "));
    } else {
        buf_fmt(out, ": %d block%s per SM,\n  %d of %d warps, ", o->blocks, PLURAL(o->blocks), o->warps, o->max_warps);
        add_percent(s, o->warps, out);
        buf_add(out, o->warps == o->max_warps ? STR(": all are active; ") : STR("; "));
    }
    limiters_text(o->limiters, out);
    buf_add(out, STR(" limit\n"));
    if (s->launch_config.achieved_occupancy >= 0)
        buf_fmt(out, "  the profile measured %.2f %%: achieved occupancy\n",
                100 * (double)s->launch_config.achieved_occupancy);
    if (s->launch_config.carveout >= 0)
        buf_fmt(out, "  with a carveout of %d %%: %lld KiB of shared memory per SM\n",
                launch_carveout(&s->launch_config), (long long)o->smem_capacity_bytes / 1024);
}

/* ---- steps ------------------------------------------------------------------------------------------------------ */

/* Appends the sentences, one per line. A line that is too long is broken after its semicolon. */
static void add_sentences(struct str text, struct buf *out)
{
    struct str line = {0};
    while (text.len && str_split(&text, '\n', &line)) {
        size_t half = str_find_char(line, ';');
        if (line.len + 2 <= TEXT_WIDTH || half == STR_NONE)
            buf_fmt(out, "  %.*s\n", STR_ARG(line));
        else
            buf_fmt(out, "  %.*s;\n    %.*s\n", STR_ARG(str_sub(line, 0, half)), STR_ARG(str_from(line, half + 2)));
    }
}

/* Appends a right-aligned column; "-" for 0 or less. */
static void add_count(struct buf *out, int64_t value, const char *unit, int width)
{
    if (value > 0)
        buf_fmt(out, "%*lld%s", width - (int)strlen(unit), (long long)value, unit);
    else
        buf_fmt(out, "%*s", width, "-");
}

static void add_step(const struct context *s, const struct advice_size *size, const struct advice_step *step,
                     struct buf *out)
{
    SCOPED(buf) bounds = {0};
    const bool calls_exceed =
        context_calls_add_registers(s) && step->registers_over > 0 && s->kernel->registers <= step->register_cap;
    if (context_refuses_bounds(s) || calls_exceed)
        buf_char(&bounds, '-');
    else
        buf_fmt(&bounds, "(%d, %d)", size->threads, step->blocks);
    buf_add(out, step->blocks == size->blocks ? STR("* ") : STR("  "));
    add_count(out, step->blocks, "", 6);
    buf_fmt(out, "%9.1f %%%12.*s", 100.0 * step->warps / s->arch->max_warps_per_sm, STR_ARG(buf_str(&bounds)));
    add_count(out, step->register_cap, "", 14);
    add_count(out, step->registers_over, "", 9);
    add_count(out, step->smem_ceiling_bytes, " B", 15);
    add_count(out, step->smem_over_bytes, " B", 11);
    buf_char(out, '\n');
}

/* A step is left out if the next one has the same cap and needs no shared memory to be given up. A step with fewer
 * blocks than now is left out unless the kernel spills, because only then it helps. */
static bool is_left_out(const struct advice_size *size, size_t at, bool spills)
{
    const struct advice_step *step = &size->steps[at], *next = step + 1;
    if (step->blocks == size->blocks)
        return false;
    return (step->blocks < size->blocks && !spills) ||
           (at + 1 < size->count && next->register_cap == step->register_cap && next->smem_over_bytes == 0);
}

static void add_size(const struct context *s, const struct advice_size *size, struct buf *out)
{
    const struct advice_step *next = advice_next(size);
    SCOPED(buf) prices = {0};
    /* With setmaxnreg the number of blocks does not determine the registers that a warp may have. */
    const int64_t spilled = s->register_cap_from == CAP_SETMAXNREG ? 0 : spilled_bytes(s);
    bool spills =
        spilled > 0 && size->blocks > 1 && size->steps[0].register_cap > size->steps[size->blocks - 1].register_cap;
    buf_fmt(out, "\n  what %s blocks of %d threads per SM take (* now; over: give up)\n",
            spills ? "fewer and more" : "more", size->threads);
    buf_add(out, STR("  blocks  occupancy      bounds  register cap     over  shared memory       over\n"));
    for (size_t at = 0; at < size->count; at++)
        if (!is_left_out(size, at, spills))
            add_step(s, size, &size->steps[at], out);
    if (spills)
        buf_fmt(out,
                "  it spills %lld B: fewer blocks allow more registers;\n"
                "    `warplint tune` measures the spills at each cap\n",
                (long long)spilled);
    else if (spilled > 0 && size->blocks == 1 && s->registers >= size->steps[0].register_cap)
        buf_fmt(out,
                "  it spills %lld B with all the registers that blocks of %d threads\n"
                "    allow; only smaller blocks allow more\n",
                (long long)spilled, size->threads);
    if (!next)
        return;
    while (is_left_out(size, (size_t)(next - size->steps), spills))
        next++;
    register_price(size, next, s->registers, &prices);
    smem_price(next, context_smem_per_block(s), &prices);
    add_sentences(buf_str(&prices), out);
}

/* ---- other sections --------------------------------------------------------------------------------------------- */

static void add_best(const struct context *s, const struct block_sizes *best, struct buf *out)
{
    if (s->rare->bound_from == BOUND_REQUIRED) {
        buf_fmt(out, "\n  __block_size__: every block has %d threads\n", s->rare->bound_threads);
        return;
    }
    buf_add(out, STR("\n  block sizes "));
    if (s->rare->bound_threads)
        buf_fmt(out, "up to %d ", s->rare->bound_threads);
    buf_add(out, STR("with the highest occupancy: "));
    if (best->count == 0) {
        buf_add(out, STR("none can launch\n"));
        return;
    }
    buf_fmt(out, "%d of %d warps, ", best->warps, best->max_warps);
    add_percent(s, best->warps, out);
    buf_add(out, STR("\n   "));
    size_t start = out->len;
    for (size_t at = 0; at < best->count; at++) {
        if (out->len - start > TEXT_WIDTH - 10) {
            buf_add(out, STR("\n   "));
            start = out->len;
        }
        buf_fmt(out, " %d", best->sizes[at].threads);
    }
    buf_fmt(out, "\n  cudaOccupancyMaxPotentialBlockSize chooses %d threads (%d block%s per SM);\n",
            best->nvidia_threads, best->nvidia_blocks, PLURAL(best->nvidia_blocks));
    buf_fmt(out, "  the smallest is %d threads (%d block%s)\n", best->sizes[0].threads, best->sizes[0].blocks,
            PLURAL(best->sizes[0].blocks));
}

static void add_carveouts(const struct context *s, const struct advice *advice, struct buf *out)
{
    if (advice->carveout_count)
        buf_add(out, STR("\n  shared memory of the SM (preferred carveout): the rest is L1 cache\n"));
    for (size_t at = 0; at < advice->carveout_count; at++) {
        const struct advice_carveout *c = &advice->carveouts[at];
        if (at && c->blocks == advice->carveouts[at - 1].blocks)
            continue;
        add_count(out, c->bytes / 1024, " KiB", 12);
        buf_fmt(out, " (%3d %%)  %d block%s, ", c->percent, c->blocks, PLURAL(c->blocks));
        add_percent(s, c->warps, out);
        buf_char(out, '\n');
    }
}

void advice_text(const struct report *report, uint32_t kernel, struct buf *out)
{
    struct context *context = linter_record(report->linter, kernel);
    struct advice advice = {0};
    const struct occupancy *o = context_occupancy(context);
    struct str arch = kernel_arch(context->model, context->kernel);
    escape_text(arch.len ? arch : STR("architecture not known"), out);
    buf_fmt(out, context->arch ? " (%s)\n" : "%s\n", context->arch ? context->arch->chips : "");
    if (!compute_advice(context, &advice)) {
        buf_fmt(out, "  %s not known: no occupancy\n", context->arch ? "its registers are" : "the architecture is");
        return;
    }
    add_numbers(context, out);
    if (o)
        add_standing(context, o, out);
    else
        buf_add(out, STR("  the block size is not known: --threads, --launches or the configuration say it\n"));
    add_best(context, &advice.best, out);
    for (size_t at = 0; at < advice.size_count; at++)
        add_size(context, &advice.sizes[at], out);
    if (advice.size_count && !advice.cap_of_ptxas)
        buf_add(
            out,
            STR("  (caps: most registers that fit; what ptxas makes of bounds is known from 5.0 on, but for 6.0)\n"));
    add_carveouts(context, &advice, out);
    if (!o)
        return;
    if (advice.in_flight > 0)
        buf_fmt(out,
                "\n  %d warps x %d independent operations (ilp): %d in flight per SM;\n"
                "  %d warps of one operation: %d\n",
                o->warps, context->launch_config.ilp, advice.in_flight, o->max_warps, o->max_warps);
    wave_text(o, context->launch_config.sms, context->launch_config.grid, "\n", "  ", out);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void step_json(const struct advice_step *step, struct json *json)
{
    json_open(json, '{');
    json_pair_int(json, "blocks_per_sm", step->blocks);
    json_pair_int(json, "warps_per_sm", step->warps);
    json_pair_int(json, "register_cap", step->register_cap);
    json_pair_int(json, "registers_to_give_up", step->registers_over);
    json_pair_int(json, "smem_ceiling_bytes", step->smem_ceiling_bytes);
    json_pair_int(json, "smem_bytes_to_give_up", step->smem_over_bytes);
    json_close(json, '}');
}

static void sizes_json(const struct advice *advice, struct json *json)
{
    json_pair_open(json, "launch_bounds", '[');
    EACH(const struct advice_size, size, advice->sizes, advice->size_count) {
        json_open(json, '{');
        json_pair_int(json, "threads", size->threads);
        json_pair_int(json, "blocks_per_sm", size->blocks);
        json_pair_open(json, "steps", '[');
        for (size_t step = 0; step < size->count; step++)
            step_json(&size->steps[step], json);
        json_close_all(json, "]}");
    }
    json_close(json, ']');
    json_pair_bool(json, "register_cap_is_ptxas", advice->cap_of_ptxas);
}

static void carveouts_json(const struct advice *advice, struct json *json)
{
    json_pair_open(json, "carveouts", '[');
    EACH(const struct advice_carveout, c, advice->carveouts, advice->carveout_count) {
        json_open(json, '{');
        json_pair_int(json, "percent", c->percent);
        json_pair_int(json, "smem_bytes_per_sm", c->bytes);
        json_pair_int(json, "blocks_per_sm", c->blocks);
        json_pair_int(json, "warps_per_sm", c->warps);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void waves_json(const struct context *s, const struct occupancy *o, struct json *json)
{
    struct waves waves = {0};
    json_key(json, "waves");
    if (!o || !occupancy_waves(o->blocks, s->launch_config.sms, s->launch_config.grid, &waves)) {
        json_write_null(json);
        return;
    }
    json_open(json, '{');
    json_pair_int(json, "sms", s->launch_config.sms);
    json_pair_int(json, "grid", s->launch_config.grid);
    wave_json(o, &waves, json);
    json_close(json, '}');
}

void advice_json(const struct report *report, uint32_t kernel, struct json *json)
{
    struct context *s = linter_record(report->linter, kernel);
    struct advice advice = {0};
    if (!compute_advice(s, &advice))
        return;
    const struct occupancy *o = context_occupancy(s);
    json_key(json, "occupancy");
    if (o) {
        json_open(json, '{');
        occupancy_json(o, json);
        json_close(json, '}');
    } else {
        json_write_null(json);
    }
    json_key(json, "best_block_sizes");
    if (s->rare->bound_from == BOUND_REQUIRED)
        json_write_null(json);
    else
        block_sizes_json(&advice.best, json);
    sizes_json(&advice, json);
    carveouts_json(&advice, json);
    json_pair_known(json, "ilp", s->launch_config.ilp, s->launch_config.ilp > 0);
    json_pair_known(json, "operations_in_flight_per_sm", advice.in_flight, advice.in_flight > 0);
    waves_json(s, o, json);
}
