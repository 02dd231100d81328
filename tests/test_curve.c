/* Curves: every value of an axis has the occupancy of its step, and neighbouring steps have different occupancy. */
#include "testing.h"

#include "gpu/advice.h"
#include "gpu/curve.h"

#include <stdlib.h>

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

/* ---- the golden launches: each value has the occupancy of the step that contains it ---- */

enum { GOLDEN_COLUMNS = 9 };

static int64_t number(struct str text)
{
    int64_t value = 0;
    ck_assert(str_int(&text, &value) && text.len == 0);
    return value;
}

static void check_step(const struct arch *arch, const struct launch *launch, enum axis axis, int64_t value, int blocks,
                       int warps)
{
    static struct curve curve;
    occupancy_curve(arch, launch, axis, &curve);
    const struct curve_step *step = &curve.steps[curve_find(&curve, value)];
    bool same = step->blocks == blocks && step->warps == warps;
    ck_assert_msg(same || value < step->from || value > step->to,
                  "sm_%d%d, %d threads, %d registers, %lld B: %s %lld is %d blocks, golden %d", arch->major,
                  arch->minor, launch->threads, launch->registers,
                  (long long)(launch->smem_bytes + launch->dynamic_smem_bytes), axis_name(axis), (long long)value,
                  step->blocks, blocks);
}

/* The best block sizes reach at least the occupancy of the launch, and include its block size if that is one of the
 * best. */
static void check_sizes(const struct arch *arch, const struct launch *launch, int blocks, int warps)
{
    struct block_sizes sizes = {0};
    bool held = false;
    ck_assert(occupancy_block_sizes(arch, launch, 0, &sizes));
    if (launch->threads > arch->max_threads_per_block || warps == 0)
        return;
    ck_assert_int_ge(sizes.warps, warps);
    ck_assert_uint_gt(sizes.count, 0);
    ck_assert_int_eq(sizes.nvidia_threads, sizes.sizes[sizes.count - 1].threads);
    for (size_t at = 0; at < sizes.count; at++)
        held |= sizes.sizes[at].threads == (launch->threads + 31) / 32 * 32 && sizes.sizes[at].blocks == blocks;
    ck_assert(held == (sizes.warps == warps));
}

static size_t replay(const char *path, size_t every)
{
    struct buf text = read_file(path);
    struct str rest = buf_str(&text), line = {0}, field[GOLDEN_COLUMNS];
    size_t row = 0;
    ck_assert(str_split(&rest, '\n', &line));
    for (; str_split(&rest, '\n', &line) && line.len; row++) {
        if (row % every)
            continue;
        for (size_t at = 0; at < GOLDEN_COLUMNS; at++)
            ck_assert(str_split(&line, '\t', &field[at]));
        const struct arch *arch = arch_find(field[0]);
        struct launch launch = {(int)number(field[1]), (int)number(field[2]), number(field[3]),
                                number(field[4]),      (int)number(field[6]), (int)number(field[5])};
        int blocks = (int)number(field[7]), warps = (int)number(field[8]);
        check_step(arch, &launch, AXIS_THREADS, launch.threads, blocks, warps);
        check_step(arch, &launch, AXIS_REGISTERS, launch.registers, blocks, warps);
        check_step(arch, &launch, AXIS_SMEM, launch.smem_bytes + launch.dynamic_smem_bytes, blocks, warps);
        check_sizes(arch, &launch, blocks, warps);
    }
    buf_free(&text);
    return row;
}

START_TEST(golden_launches_are_on_their_curves)
{
    ck_assert_uint_eq(replay(source_path("tests/data/occupancy.tsv"), 1), 620);
}
END_TEST

START_TEST(all_golden_launches_are_on_their_curves)
{
    const char *path = shared_path("facts/occupancy-golden.tsv");
    if (path)
        ck_assert_uint_eq(replay(path, getenv("WARPLINT_TEST_QUICK") ? 10 : 1), 15138);
}
END_TEST

/* Tries every count below the launch's own. */
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
        count = occupancy_raised_caps(arch, &launch, launch.registers, caps);
        at = 0;
        most = 0;
        for (int registers = arch->registers_per_thread; registers > launch.registers; registers--) {
            at_value(arch, launch, AXIS_REGISTERS, registers, &blocks, &warps);
            if (warps > most)
                ck_assert(at < count && caps[at++] == registers);
            most = warps > most ? warps : most;
        }
        ck_assert_uint_eq(at, count);
        tried += count;
    }
    ck_assert_uint_gt(tried, 800);
}
END_TEST

int main(void)
{
    TCase *curves = tcase_create("curves");
    tcase_set_timeout(curves, 120);
    tcase_add_test(curves, every_value_has_the_occupancy_of_its_step);
    tcase_add_test(curves, golden_launches_are_on_their_curves);
    tcase_add_test(curves, all_golden_launches_are_on_their_curves);
    tcase_add_test(curves, caps_are_the_counts_that_gain_warps);
    return run_suite("curve", &curves, 1);
}
