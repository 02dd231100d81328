/* Curves as CSV, a row for each step, and as a chart for people. */
#include "cli/calculator.h"

static void add_row(struct buf *out, const struct arch *arch, const struct curve_step *step, bool present)
{
    int most = arch->max_warps_per_sm;
    buf_fmt(out, "%lld,%lld,%d,%d,%d,%.1f,%d\n", (long long)step->from, (long long)step->to, step->blocks, step->warps,
            most, 100.0 * step->warps / most, present);
}

static int64_t present_value(const struct question *q, enum axis axis)
{
    struct launch launch = calculator_launch(&q->numbers);
    const int64_t given[] = {q->numbers.threads, q->numbers.registers, launch.smem_bytes + launch.dynamic_smem_bytes};
    return given[axis];
}

void calculator_sweep(const struct question *question, enum axis axis, struct buf *out)
{
    struct curve curve;
    const struct launch launch = calculator_launch(&question->numbers);
    int64_t present = present_value(question, axis);
    occupancy_curve(question->arch, &launch, axis, &curve);
    buf_fmt(out, "%s_from,%s_to,blocks_per_sm,warps_per_sm,max_warps_per_sm,percent,present\n", axis_name(axis),
            axis_name(axis));
    for (size_t at = 0; at < curve.count; at++) {
        const struct curve_step *step = &curve.steps[at];
        add_row(out, question->arch, step, step->from <= present && present <= step->to);
    }
}
