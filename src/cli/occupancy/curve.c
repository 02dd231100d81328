/* The occupancy as a function of one number of the launch: as CSV with one row per step, and as a chart. */
#include "cli/occupancy/calculator.h"

static bool is_present(const struct curve_step *step, int64_t present)
{
    return step->from <= present && present <= step->to;
}

static int64_t present_value(const struct question *q, enum axis axis)
{
    const int64_t given[] = {q->launch.threads, q->launch.registers, launch_smem(&q->launch)};
    return given[axis];
}

void calculator_sweep(const struct question *question, enum axis axis, struct buf *out)
{
    struct curve curve;
    int most = question->arch->max_warps_per_sm;
    int64_t present = present_value(question, axis);
    occupancy_curve(question->arch, &question->launch, axis, &curve);
    buf_fmt(out, "%s_from,%s_to,blocks_per_sm,warps_per_sm,max_warps_per_sm,percent,present\n", axis_name(axis),
            axis_name(axis));
    EACH(const struct curve_step, step, curve.steps, curve.count)
        buf_fmt(out, "%lld,%lld,%d,%d,%d,%.1f,%d\n", (long long)step->from, (long long)step->to, step->blocks,
                step->warps, most, 100.0 * step->warps / most, is_present(step, present));
}

/* Appends the title of the chart and the numbers that are constant in it. */
static void add_fixed(struct buf *out, const struct question *q, enum axis axis)
{
    static const char *const against[] = {"threads per block", "registers per thread", "shared memory per block"};
    const struct launch *launch = &q->launch;
    buf_fmt(out, "%.*s (%s): occupancy against %s\nat ", STR_ARG(q->arch_name), q->arch->chips, against[axis]);
    if (axis != AXIS_THREADS && launch->threads > 0)
        buf_fmt(out, "%d threads per block, ", launch->threads);
    else if (axis != AXIS_THREADS)
        buf_add(out, STR("the best block size, "));
    if (axis != AXIS_REGISTERS)
        buf_fmt(out, "%d registers", launch->registers);
    if (axis != AXIS_SMEM)
        buf_fmt(out, "%s%lld B of shared memory", axis == AXIS_REGISTERS ? "" : ", ", (long long)launch_smem(launch));
    if (launch->barriers)
        buf_fmt(out, ", %d barriers", launch->barriers);
    buf_add(out, STR("\n\n"));
}

void calculator_chart(const struct question *question, enum axis axis, struct buf *out)
{
    enum { BAR = 24 };
    static const char *const heads[] = {"threads", "registers", "bytes"};
    struct curve curve;
    int most = question->arch->max_warps_per_sm;
    int64_t present = present_value(question, axis);
    occupancy_curve(question->arch, &question->launch, axis, &curve);
    add_fixed(out, question, axis);
    buf_fmt(out, "%16s  blocks  warps  occupancy  0 %%%*s\n", heads[axis], BAR - 2, "100 %");
    EACH(const struct curve_step, step, curve.steps, curve.count) {
        buf_fmt(out, "%6lld ..%7lld%8d%7d%9.1f %% |", (long long)step->from, (long long)step->to, step->blocks,
                step->warps, 100.0 * step->warps / most);
        buf_pad(out, '#', (size_t)((step->warps * BAR + most / 2) / most));
        if (is_present(step, present))
            buf_fmt(out, " <- %lld", (long long)present);
        buf_char(out, '\n');
    }
}
