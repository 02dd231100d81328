/* Curves: every value of an axis has the occupancy of its step, and neighbouring steps differ. */
#include "testing.h"

#include "gpu/curve.h"

static uint64_t seed = 11;

static unsigned pick(unsigned count)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % count;
}

static void at_value(const struct arch *arch, struct launch launch, enum axis axis, int64_t value, int *blocks,
                     int *warps)
{
    struct occupancy o = {0};
    struct best_case best = {0};
    if (axis == AXIS_THREADS)
        launch.threads = (int)value;
    if (axis == AXIS_REGISTERS)
        launch.registers = (int)value;
    if (axis == AXIS_SMEM) {
        launch.smem_bytes = value;
        launch.dynamic_smem_bytes = 0;
    }
    if (launch.threads > 0)
        ck_assert(occupancy_compute(arch, &launch, &o));
    else
        ck_assert(occupancy_best_case(arch, &launch, &best));
    *blocks = launch.threads > 0 ? o.blocks : best.blocks;
    *warps = launch.threads > 0 ? o.warps : best.warps;
}

static void check_curve(const struct arch *arch, const struct launch *launch, enum axis axis)
{
    static struct curve curve;
    const int64_t most[] = {arch->max_threads_per_block, arch->registers_per_thread, arch->smem_per_block_optin_bytes};
    occupancy_curve(arch, launch, axis, &curve);
    ck_assert_uint_gt(curve.count, 0);
    ck_assert_int_eq(curve.steps[0].from, axis == AXIS_SMEM ? 0 : 1);
    ck_assert_int_eq(curve.steps[curve.count - 1].to, most[axis]);
    for (size_t at = 0; at < curve.count; at++) {
        const struct curve_step *step = &curve.steps[at];
        const int64_t values[] = {step->from, (step->from + step->to) / 2, step->to};
        for (int which = 0; which < 3; which++) {
            int blocks = 0, warps = 0;
            at_value(arch, *launch, axis, values[which], &blocks, &warps);
            if (axis != AXIS_THREADS || values[which] % 32 == 0)
                ck_assert_msg(blocks == step->blocks && warps == step->warps,
                              "sm_%d%d, %s %lld: %d blocks and %d warps, the step has %d and %d", arch->major,
                              arch->minor, axis_name(axis), (long long)values[which], blocks, warps, step->blocks,
                              step->warps);
            ck_assert_uint_eq(curve_find(&curve, values[which]), at);
        }
        if (at == 0)
            continue;
        ck_assert_int_eq(step->from, curve.steps[at - 1].to + 1);
        ck_assert(step->blocks != curve.steps[at - 1].blocks || step->warps != curve.steps[at - 1].warps);
    }
}

START_TEST(every_value_has_the_occupancy_of_its_step)
{
    for (int round = 0; round < 600; round++) {
        const struct arch *arch = &arch_table[pick((unsigned)arch_count)];
        struct launch launch = {
            .threads = pick(3) ? 32 * (1 + (int)pick((unsigned)arch->max_threads_per_block / 32)) : 0,
            .registers = 1 + (int)pick((unsigned)arch->registers_per_thread),
            .smem_bytes = pick(2) ? (int)pick((unsigned)arch->smem_per_block_optin_bytes) : 0,
            .barriers = pick(3) ? 0 : (int)pick(17),
            .carveout = pick(8) ? -1 : (int)pick(101),
        };
        check_curve(arch, &launch, AXIS_REGISTERS);
        check_curve(arch, &launch, AXIS_SMEM);
        launch.threads = launch.threads ? launch.threads : 32;
        check_curve(arch, &launch, AXIS_THREADS);
    }
}
END_TEST

/* Every count below the launch's own, tried one by one. */
START_TEST(caps_are_the_counts_that_gain_warps)
{
    size_t tried = 0;
    for (int round = 0; round < 400; round++) {
        const struct arch *arch = &arch_table[pick((unsigned)arch_count)];
        struct launch launch = {
            .threads = pick(3) ? 32 * (1 + (int)pick((unsigned)arch->max_threads_per_block / 32)) : 0,
            .registers = 1 + (int)pick((unsigned)arch->registers_per_thread),
            .smem_bytes = pick(2) ? (int)pick((unsigned)arch->smem_per_block_optin_bytes) : 0,
            .carveout = -1,
        };
        int caps[CURVE_STEPS], blocks = 0, most = 0, warps = 0;
        size_t count = occupancy_register_caps(arch, &launch, caps), at = 0;
        at_value(arch, launch, AXIS_REGISTERS, launch.registers, &blocks, &most);
        for (int registers = launch.registers - 1; registers > 0; registers--) {
            at_value(arch, launch, AXIS_REGISTERS, registers, &blocks, &warps);
            if (warps <= most)
                continue;
            ck_assert_msg(at < count && caps[at] == registers, "sm_%d%d: %d of %d registers gain warps", arch->major,
                          arch->minor, registers, launch.registers);
            most = warps;
            at++;
        }
        ck_assert_uint_eq(at, count);
        tried += count;
    }
    ck_assert_uint_gt(tried, 400);
}
END_TEST

int main(void)
{
    TCase *curves = tcase_create("curves");
    tcase_set_timeout(curves, 120);
    tcase_add_test(curves, every_value_has_the_occupancy_of_its_step);
    tcase_add_test(curves, caps_are_the_counts_that_gain_warps);
    return run_suite("curve", &curves, 1);
}
