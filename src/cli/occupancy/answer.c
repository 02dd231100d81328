/*
 * The calculator's answer as text: the launch, the result, the table of limiters, the nearest steps in words, waves.
 * Numbers have the format of the compiler and the profiler: registers and bytes unscaled, percent with one decimal.
 */
#include "cli/occupancy/calculator.h"

#include "gpu/advice.h"
#include "report/steps.h"

#include <string.h>

static void add_percent(struct buf *out, int64_t part, int64_t whole)
{
    buf_fmt(out, "%.1f %%", 100.0 * (double)part / (double)whole);
}

static void add_question(struct buf *out, const struct question *q)
{
    const struct launch *launch = &q->launch;
    buf_fmt(out, "%.*s (%s): ", STR_ARG(q->arch_name), q->arch->chips);
    if (launch->threads > 0)
        buf_fmt(out, "%d thread%s", launch->threads, PLURAL(launch->threads));
    else
        buf_add(out, STR("any block size"));
    buf_fmt(out, ", %d register%s\n", launch->registers, PLURAL(launch->registers));
    const size_t start = out->len;
    if (launch_smem(launch) > 0)
        buf_fmt(out, "    %lld B static + %lld B dynamic shared memory", (long long)launch->smem_bytes,
                (long long)launch->dynamic_smem_bytes);
    if (launch->barriers > 0)
        buf_fmt(out, "%s%d barrier%s", out->len > start ? ", " : "    ", launch->barriers, PLURAL(launch->barriers));
    if (launch->carveout >= 0)
        buf_fmt(out, "%scarveout %d %%", out->len > start ? ", " : "    ", launch->carveout);
    buf_add(out, out->len > start ? STR("\n\n") : STR("\n"));
}

/* ---- the table ---- */

static void add_table(struct buf *out, const struct question *q, const struct occupancy *o)
{
    buf_fmt(out, "%-15s%12s%14s%10s\n", "limiter", "per block", "per SM", "blocks");
    for (int at = 0; at < LIMIT_COUNT; at++) {
        struct limit_row row = limit_row(q->arch, &q->launch, o, (enum limiter)at);
        int unit = (int)strlen(row.unit);
        buf_fmt(out, "%-15s", limiter_words((enum limiter)at));
        if (o->limit[at] == OCCUPANCY_NO_LIMIT)
            buf_fmt(out, "%12s%14s%10s\n", "-", "-", "no limit");
        else
            buf_fmt(out, "%*lld%s%*lld%s%10d%s\n", 12 - unit, (long long)row.per_block, row.unit, 14 - unit,
                    (long long)row.per_sm, row.unit, o->limit[at], o->limiters >> at & 1 ? "  <- limits" : "");
    }
    buf_char(out, '\n');
}

/* Appends what the table does not show. */
static void add_notes(struct buf *out, const struct question *q, const struct occupancy *o)
{
    int threads = q->launch.threads;
    int lanes = (threads + q->arch->warp_size - 1) / q->arch->warp_size * q->arch->warp_size;
    size_t before = out->len;
    if (o->warps == o->max_warps) {
        buf_fmt(out, "all %d warps are active: nothing is to be gained\n", o->max_warps);
    } else if (o->limiters & (o->limiters - 1)) { /* several limiters */
        limiters_text(o->limiters, out);
        buf_add(out, STR(" limit together: relaxing one of them gains nothing\n"));
    }
    if (o->limiters >> LIMIT_BARRIERS & 1)
        buf_add(out, STR("that a block takes as many barriers as ptxas counts is inferred, not documented\n"));
    else if (q->arch->barriers_per_sm > 0 && !q->has_barriers)
        buf_add(out, STR("no barriers given: no limit by barriers is assumed\n"));
    if (lanes > threads)
        buf_fmt(out, "%d thread%s: %d lane%s of the last warp %s idle\n", threads, PLURAL(threads), lanes - threads,
                PLURAL(lanes - threads), lanes - threads == 1 ? "is" : "are");
    if (o->needs_optin)
        buf_fmt(out,
                "%lld B of shared memory need opt-in (more than %d B): the launch must set\n"
                "cudaFuncAttributeMaxDynamicSharedMemorySize\n",
                (long long)launch_smem(&q->launch), q->arch->smem_per_block_bytes);
    if (out->len > before)
        buf_char(out, '\n');
}

/* ---- why a launch is impossible ---- */

static void add_register_reason(struct buf *out, const struct question *q, const struct occupancy *o)
{
    const struct arch *arch = q->arch;
    int threads = q->launch.threads, registers = q->launch.registers;
    if (registers > arch->registers_per_thread) {
        buf_fmt(out, "- a thread may use %d registers, not %d\n", arch->registers_per_thread, registers);
        return;
    }
    if (o->registers_per_block > arch->registers_per_block)
        buf_fmt(out, "- %d threads take %lld registers, more than the %d that one block may hold\n", threads,
                (long long)o->registers_per_block, arch->registers_per_block);
    else
        buf_fmt(out,
                "- %d threads take %lld registers, and with their warps rounded up to a\n"
                "  multiple of %d more than the %d that one block may hold\n",
                threads, (long long)o->registers_per_block, arch->launch_partitions, arch->registers_per_block);
    buf_fmt(out, "  (%d threads can launch with %d registers", occupancy_largest_block(arch, registers), registers);
    if (threads <= arch->max_threads_per_block)
        buf_fmt(out, ", %d registers in blocks of %d", occupancy_register_ceiling(arch, threads, 1), threads);
    buf_add(out, STR(")\n"));
}

static void add_reasons(struct buf *out, const struct question *q, const struct occupancy *o)
{
    const struct arch *arch = q->arch;
    bool optin = arch->smem_per_block_optin_bytes > arch->smem_per_block_bytes;
    buf_add(out, STR("cannot launch:\n"));
    if (o->limit[LIMIT_WARPS] == 0)
        buf_fmt(out, "- a block may have %d threads, not %d\n", arch->max_threads_per_block, q->launch.threads);
    if (o->limit[LIMIT_REGISTERS] == 0)
        add_register_reason(out, q, o);
    if (o->limit[LIMIT_SHARED_MEMORY] == 0)
        buf_fmt(out, "- %lld B of shared memory are more than the %d B that one block may have%s\n",
                (long long)launch_smem(&q->launch), arch->smem_per_block_optin_bytes, optin ? "\n  with opt-in" : "");
    if (o->limit[LIMIT_BARRIERS] == 0)
        buf_fmt(out, "- %d barriers are more than the %d of the SM\n", q->launch.barriers, arch->barriers_per_sm);
}

static void add_steps(struct buf *out, const struct question *q)
{
    struct cliff cliff = {0};
    occupancy_cliff(q->arch, &q->launch, &cliff);
    buf_add(out, STR("registers\n"));
    register_steps(q->arch, &q->launch, &cliff, "  ", out);
    buf_add(out, STR("shared memory\n"));
    smem_steps(q->arch, &q->launch, &cliff, "  ", out);
}

/* ---- without a block size ---- */

static void add_block_sizes(struct buf *out, const struct block_sizes *best)
{
    size_t line_start = out->len;
    buf_add(out, STR("block sizes that reach it:"));
    for (size_t at = 0; at < best->count; at++) {
        if (out->len - line_start > 74) {
            buf_add(out, STR("\n   "));
            line_start = out->len - 3;
        }
        buf_fmt(out, " %d", best->sizes[at].threads);
    }
    buf_fmt(out, "\n(multiples of 32; the CUDA occupancy API would choose %d)\n", best->nvidia_threads);
}

/* Returns false after appending the reasons if no block size can launch; the reasons are those of a block with one
 * warp. */
static bool add_best(struct buf *out, const struct question *q, const char *head, struct block_sizes *best)
{
    if (!occupancy_block_sizes(q->arch, &q->launch, 0, best) || best->count == 0) {
        struct question smallest = *q;
        smallest.launch.threads = q->arch->warp_size;
        struct occupancy o = calculator_compute(q->arch, &smallest.launch);
        add_reasons(out, &smallest, &o);
        return false;
    }
    buf_fmt(out, "%s %d of %d warps, ", head, best->warps, best->max_warps);
    add_percent(out, best->warps, best->max_warps);
    buf_add(out, STR("\n\n"));
    return true;
}

static void add_best_case(struct buf *out, const struct question *q)
{
    struct block_sizes best = {0};
    if (!add_best(out, q, "at best", &best))
        return;
    add_block_sizes(out, &best);
    buf_fmt(out, "blocks of up to %d threads can launch with these registers\n\n",
            occupancy_largest_block(q->arch, q->launch.registers));
    add_steps(out, q);
}

static void add_launch(struct buf *out, const struct question *q)
{
    struct occupancy o = calculator_compute(q->arch, &q->launch);
    if (o.blocks == 0) {
        add_reasons(out, q, &o);
        return;
    }
    buf_fmt(out, "%d block%s per SM, %d of %d warps, ", o.blocks, PLURAL(o.blocks), o.warps, o.max_warps);
    add_percent(out, o.warps, o.max_warps);
    buf_add(out, STR("\n\n"));
    add_table(out, q, &o);
    add_notes(out, q, &o);
    add_steps(out, q);
    wave_text(&o, q->sms, q->grid, "\nwaves\n", "  ", out);
}

/* ---- block sizes ---- */

static void add_size_row(struct buf *out, const struct question *q, int threads, const struct occupancy *o,
                         const char *mark)
{
    buf_fmt(out, "%9d%9d%8d  %8.1f %%%s\n", threads, o->blocks, o->warps, 100.0 * o->warps / q->arch->max_warps_per_sm,
            mark);
}

static const char *size_mark(const struct block_sizes *best, size_t at, int asked)
{
    static const char *const marks[] = {"",
                                        "  <- yours",
                                        "  <- NVIDIA's choice",
                                        "  <- NVIDIA's choice, and yours",
                                        "  <- the smallest",
                                        "  <- the smallest, and yours",
                                        "  <- the smallest, and NVIDIA's choice",
                                        "  <- the smallest, NVIDIA's choice, and yours"};
    const int threads = best->sizes[at].threads;
    return marks[4 * (at == 0) + 2 * (threads == best->nvidia_threads) + (threads == asked)];
}

static void add_size_rows(struct buf *out, const struct question *q, const struct block_sizes *best)
{
    struct launch launch = q->launch;
    bool among = q->launch.threads == 0;
    buf_fmt(out, "%9s%9s%8s  %10s\n", "threads", "blocks", "warps", "occupancy");
    for (size_t at = 0; at < best->count; at++) {
        launch.threads = best->sizes[at].threads;
        among |= launch.threads == q->launch.threads;
        struct occupancy o = calculator_compute(q->arch, &launch);
        add_size_row(out, q, launch.threads, &o, size_mark(best, at, q->launch.threads));
    }
    if (among)
        return;
    launch.threads = q->launch.threads;
    struct occupancy o = calculator_compute(q->arch, &launch);
    add_size_row(out, q, launch.threads, &o, o.blocks ? "  <- yours" : "  <- yours: cannot launch");
}

void calculator_best(const struct question *question, struct buf *out)
{
    struct question any = *question;
    struct block_sizes best = {0};
    any.launch.threads = 0;
    add_question(out, &any);
    if (!add_best(out, question, "the highest occupancy is", &best))
        return;
    add_size_rows(out, question, &best);
    buf_add(out, STR("\n(multiples of 32; NVIDIA's choice: cudaOccupancyMaxPotentialBlockSize"));
    if (question->sms > 0)
        buf_fmt(out, ",\n with a grid of %d blocks on %d SM%s", best.nvidia_blocks * question->sms, question->sms,
                PLURAL(question->sms));
    buf_add(out, STR(")\n"));
}

void calculator_answer(const struct question *question, struct buf *out)
{
    add_question(out, question);
    if (question->launch.threads > 0)
        add_launch(out, question);
    else
        add_best_case(out, question);
}
