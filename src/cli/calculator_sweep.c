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

/* ---- the chart -------------------------------------------------------------------------------------------------- */

enum { CHART_BAR = 24 };

static void add_number(struct buf *out, int64_t value, int width)
{
    buf_fmt(out, "%*lld", width, (long long)value);
}

static void add_bar(struct buf *out, const struct question *q, enum axis axis, const struct curve_step *step)
{
    int most = q->arch->max_warps_per_sm;
    int64_t present = present_value(q, axis);
    buf_add(out, STR(" |"));
    buf_pad(out, '#', (size_t)((step->warps * CHART_BAR + most / 2) / most));
    if (step->from <= present && present <= step->to)
        buf_fmt(out, " <- %lld", (long long)present);
    buf_char(out, '\n');
}

static void add_fixed(struct buf *out, const struct question *q, enum axis axis)
{
    static const char *const against[] = {"threads per block", "registers per thread", "shared memory per block"};
    struct launch launch = calculator_launch(&q->numbers);
    buf_fmt(out, "%.*s (%s): occupancy against %s\n", STR_ARG(q->arch_name), q->arch->chips, against[axis]);
    const char *separator = "at ";
    if (axis != AXIS_THREADS) {
        if (launch.threads > 0)
            buf_fmt(out, "%s%d threads per block", separator, launch.threads);
        else
            buf_fmt(out, "%sthe best block size", separator);
        separator = ", ";
    }
    if (axis != AXIS_REGISTERS) {
        buf_fmt(out, "%s%d registers", separator, launch.registers);
        separator = ", ";
    }
    if (axis != AXIS_SMEM)
        buf_fmt(out, "%s%lld B of shared memory", separator,
                (long long)(launch.smem_bytes + launch.dynamic_smem_bytes));
    if (launch.barriers)
        buf_fmt(out, ", %d barriers", launch.barriers);
    buf_add(out, STR("\n\n"));
}

void calculator_chart(const struct question *question, enum axis axis, struct buf *out)
{
    static const char *const heads[] = {"threads", "registers", "bytes"};
    struct curve curve;
    const struct launch launch = calculator_launch(&question->numbers);
    int most = question->arch->max_warps_per_sm;
    occupancy_curve(question->arch, &launch, axis, &curve);
    add_fixed(out, question, axis);
    buf_fmt(out, "%16s  blocks  warps  occupancy  0 %%%*s\n", heads[axis], CHART_BAR - 2, "100 %");
    for (size_t at = 0; at < curve.count; at++) {
        const struct curve_step *step = &curve.steps[at];
        add_number(out, step->from, 6);
        buf_add(out, STR(" .."));
        add_number(out, step->to, 7);
        add_number(out, step->blocks, 8);
        add_number(out, step->warps, 7);
        buf_fmt(out, "%9.1f %%", 100.0 * step->warps / most);
        add_bar(out, question, axis, step);
    }
}
