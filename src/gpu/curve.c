#include "gpu/curve.h"

const char *axis_name(enum axis axis)
{
    static const char *const names[AXIS_COUNT] = {"threads", "registers", "smem_bytes"};
    return names[axis];
}

/* Blocks and warps are 0 for more registers than a thread may use. */
static struct curve_step compute_step(const struct arch *arch, const struct launch *launch)
{
    if (launch->threads > 0) {
        struct occupancy o = {0};
        occupancy_compute(arch, launch, &o);
        return (struct curve_step){.blocks = o.blocks, .warps = o.warps};
    }
    struct best_case best = {0};
    occupancy_best_case(arch, launch, &best);
    return (struct curve_step){.blocks = best.blocks, .warps = best.warps};
}

/* A copy of the launch with `value` on the axis. */
static struct launch launch_with_value(const struct launch *launch, enum axis axis, int64_t value)
{
    if (axis == AXIS_THREADS)
        return launch_with_threads(launch, (int)value);
    return axis == AXIS_REGISTERS ? launch_with_registers(launch, (int)value) : launch_with_smem(launch, value);
}

/* The next greater value at which the result may differ. */
static int64_t next_value(const struct arch *arch, const struct launch *launch, enum axis axis, int64_t value)
{
    if (axis != AXIS_SMEM)
        return value + (axis == AXIS_THREADS ? arch->warp_size : 1);
    int64_t next = value + arch->smem_unit_bytes;
    if (launch->carveout >= 0) /* the capacity itself may change with the size */
        return next;
    /* Shared memory matters only through the blocks that it allows: continue where it allows one block less. */
    for (int blocks = arch->max_blocks_per_sm; blocks > 0; blocks--) {
        int64_t last = occupancy_smem_ceiling(arch, launch->carveout, blocks, INT64_MAX);
        if (last >= value)
            return last - last % arch->smem_unit_bytes + arch->smem_unit_bytes;
    }
    return next;
}

static void add_step(struct curve *curve, int64_t value, int64_t to, struct curve_step step)
{
    struct curve_step *last = curve->count ? &curve->steps[curve->count - 1] : NULL;
    if (last && last->blocks == step.blocks && last->warps == step.warps) {
        last->to = to;
    } else if (curve->count < CURVE_STEPS) {
        step.from = last ? last->to + 1 : value;
        step.to = to;
        curve->steps[curve->count++] = step;
    }
}

void occupancy_curve(const struct arch *arch, const struct launch *launch, enum axis axis, struct curve *curve)
{
    const int64_t most[] = {arch->max_threads_per_block, arch->registers_per_thread, arch->smem_per_block_optin_bytes};
    const int64_t unit[] = {arch->warp_size, 1, arch->smem_unit_bytes};
    int64_t value = axis == AXIS_SMEM ? 0 : unit[axis];
    curve->count = 0;
    while (value <= most[axis]) {
        struct launch there = launch_with_value(launch, axis, value);
        int64_t next = next_value(arch, launch, axis, value), end = most[axis] + unit[axis] - most[axis] % unit[axis];
        add_step(curve, value, (next < end ? next : end) - unit[axis], compute_step(arch, &there));
        value = next;
    }
    if (curve->count && axis == AXIS_THREADS)
        curve->steps[0].from = 1; /* a partial warp counts as a warp */
}

size_t curve_find(const struct curve *curve, int64_t value)
{
    size_t at = 0;
    while (at + 1 < curve->count && curve->steps[at].to < value)
        at++;
    return at;
}
