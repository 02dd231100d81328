/* Curves: one number varies over all its values, the others stay. Values with the same answer are one row. */
#include "cli/calculator.h"

struct point {
    int blocks, warps;
};

static struct point evaluate(const struct arch *arch, const struct launch *launch)
{
    if (launch->threads > 0) {
        struct occupancy o = calculator_compute(arch, launch);
        return (struct point){o.blocks, o.warps};
    }
    struct best_case best = {0};
    occupancy_best_case(arch, launch, &best); /* more registers than possible leave it at 0 */
    return (struct point){best.blocks, best.warps};
}

/* The launch with the axis set to this value. */
static struct launch moved(const struct launch *launch, enum axis axis, int64_t value)
{
    struct launch there = *launch;
    if (axis == AXIS_THREADS)
        there.threads = (int)value;
    else if (axis == AXIS_REGISTERS)
        there.registers = (int)value;
    else
        there.smem_bytes = value;
    if (axis == AXIS_SMEM)
        there.dynamic_smem_bytes = 0;
    return there;
}

static void add_row(struct buf *out, const struct question *q, const int64_t range[2], struct point point,
                    int64_t present)
{
    int most = q->arch->max_warps_per_sm;
    buf_fmt(out, "%lld,%lld,%d,%d,%d,%.1f,%d\n", (long long)range[0], (long long)range[1], point.blocks, point.warps,
            most, 100.0 * point.warps / most, range[0] <= present && present <= range[1]);
}

void calculator_sweep(const struct question *question, enum axis axis, struct buf *out)
{
    static const char *const names[] = {"threads", "registers", "smem_bytes"};
    const struct arch *arch = question->arch;
    const struct launch launch = calculator_launch(&question->numbers);
    const int64_t ends[] = {arch->max_threads_per_block, arch->registers_per_thread, arch->smem_per_block_optin_bytes};
    const int64_t steps[] = {arch->warp_size, 1, arch->smem_unit_bytes};
    const int64_t given[] = {question->numbers.threads, question->numbers.registers,
                             launch.smem_bytes + launch.dynamic_smem_bytes};
    int64_t first = axis == AXIS_SMEM ? 0 : 1, range[2] = {first, first};
    struct point last = {-1, -1};
    buf_fmt(out, "%s_from,%s_to,blocks_per_sm,warps_per_sm,max_warps_per_sm,percent,present\n", names[axis],
            names[axis]);
    for (int64_t value = axis == AXIS_THREADS ? steps[axis] : first; value <= ends[axis]; value += steps[axis]) {
        struct launch there = moved(&launch, axis, value);
        struct point point = evaluate(arch, &there);
        if (last.blocks >= 0 && (point.blocks != last.blocks || point.warps != last.warps)) {
            add_row(out, question, range, last, given[axis]);
            range[0] = range[1] + 1;
        }
        range[1] = value;
        last = point;
    }
    add_row(out, question, range, last, given[axis]);
}
