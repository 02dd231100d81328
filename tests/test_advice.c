/* Advice: for every number of blocks it agrees with the occupancy model. Also the table of GPU models. */
#include "gpu/advice.h"
#include "gpu/gpu_model.h"
#include "launches.h"
#include "testing.h"

enum { ROUNDS = 400 };

static int blocks_of(const struct arch *arch, struct launch launch)
{
    struct occupancy o = {0};
    ck_assert(occupancy_compute(arch, &launch, &o));
    return o.blocks;
}

/* The blocks of a step fit at its register cap and its shared memory ceiling. With one register more than the cap fewer
 * fit, unless that is more than the architecture has. */
static void check_step(const struct arch *arch, struct launch launch, const struct advice_step *step)
{
    int64_t smem = launch.smem_bytes + launch.dynamic_smem_bytes;
    ck_assert_int_eq(step->registers_over,
                     launch.registers > step->register_cap ? launch.registers - step->register_cap : 0);
    ck_assert(step->smem_over_bytes == (smem > step->smem_ceiling_bytes ? smem - step->smem_ceiling_bytes : 0));
    launch.registers -= step->registers_over;
    launch.smem_bytes = smem - step->smem_over_bytes;
    launch.dynamic_smem_bytes = 0;
    ck_assert_msg(blocks_of(arch, launch) >= step->blocks,
                  "sm_%d%d: %d threads, %d registers, %lld B are not %d blocks", arch->major, arch->minor,
                  launch.threads, launch.registers, (long long)launch.smem_bytes, step->blocks);
    launch.smem_bytes = 0;
    launch.registers = step->register_cap + 1;
    if (launch.registers <= arch->registers_per_thread)
        ck_assert_int_lt(blocks_of(arch, launch), step->blocks);
}

static void check_size(const struct arch *arch, const struct launch *launch, const struct advice_size *size)
{
    struct launch at = *launch;
    at.threads = size->threads;
    ck_assert_int_eq(size->blocks, blocks_of(arch, at));
    ck_assert_uint_ge(size->count, (size_t)size->blocks);
    for (size_t step = 0; step < size->count; step++) {
        const struct advice_step *s = &size->steps[step];
        ck_assert_int_eq(s->blocks, (int)step + 1);
        ck_assert_int_le(s->warps, arch->max_warps_per_sm);
        check_step(arch, at, s);
        bool free_of_charge = s->registers_over == 0 && s->smem_over_bytes == 0;
        ck_assert(free_of_charge == (s->blocks <= size->blocks));
    }
}

START_TEST(steps_agree_with_the_model)
{
    const struct arch *arch = &arch_table[_i];
    struct dice dice = {0x94D049BB133111EBu + (uint64_t)_i};
    int known = 0, unknown = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct launch launch = roll_launch(&dice, arch);
        struct advice advice = {0};
        struct advice_question question = {.arch = arch};
        launch.carveout = -1;
        launch.threads = roll(&dice, 4) ? launch.threads : 0;
        question.launch = launch;
        ck_assert(advice_make(&question, &advice));
        ck_assert_uint_le(advice.size_count, launch.threads ? 1 : 2);
        for (size_t at = 0; at < advice.size_count; at++)
            check_size(arch, &launch, &advice.sizes[at]);
        known += launch.threads > 0 && advice.size_count == 1;
        unknown += launch.threads == 0 && advice.size_count == 2;
    }
    ck_assert_int_gt(known, ROUNDS / 2);
    ck_assert_int_gt(unknown, ROUNDS / 40);
}
END_TEST

START_TEST(carveouts_give_their_size)
{
    const struct arch *arch = &arch_table[_i];
    struct dice dice = {0xBF58476D1CE4E5B9u + (uint64_t)_i};
    int seen = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct advice advice = {0};
        struct advice_question question = {
            .arch = arch, .launch = roll_launch(&dice, arch), .ilp = 1 + (int)roll(&dice, 8)};
        struct occupancy o = {0};
        question.launch.carveout = -1;
        ck_assert(advice_make(&question, &advice) && occupancy_compute(arch, &question.launch, &o));
        ck_assert_int_eq(advice.in_flight, o.warps * question.ilp);
        ck_assert(advice.carveout_count != 1);
        for (size_t at = 0; at < advice.carveout_count; at++) {
            const struct advice_carveout *c = &advice.carveouts[at];
            struct launch launch = question.launch;
            launch.carveout = c->percent;
            ck_assert_int_eq(blocks_of(arch, launch), c->blocks);
            ck_assert(at == 0 || c->bytes > advice.carveouts[at - 1].bytes);
        }
        if (advice.carveout_count)
            ck_assert_int_eq(advice.carveouts[advice.carveout_count - 1].blocks, o.blocks);
        seen += advice.carveout_count > 0;
    }
    struct launch least = {.threads = arch->warp_size, .carveout = 0},
                  most = {.threads = arch->warp_size, .carveout = 100};
    struct occupancy little = {0}, much = {0};
    ck_assert(occupancy_compute(arch, &least, &little) && occupancy_compute(arch, &most, &much));
    ck_assert_int_eq(seen > 0, little.smem_capacity_bytes != much.smem_capacity_bytes);
}
END_TEST

START_TEST(invalid_launches_get_no_advice)
{
    struct advice advice = {.size_count = 7};
    struct advice_question question = {.arch = arch_find(STR("sm_80")),
                                       .launch = {.threads = 256, .registers = 300, .carveout = -1}};
    ck_assert(!advice_make(&question, &advice));
    ck_assert_uint_eq(advice.size_count, 7);
    question.launch.registers = 32;
    question.launch.threads = -1;
    ck_assert(!advice_make(&question, &advice));
}
END_TEST

START_TEST(block_sizes_end_at_the_launch_bound)
{
    struct block_sizes sizes = {0};
    struct launch launch = {.registers = 32, .carveout = -1};
    ck_assert(occupancy_block_sizes(arch_find(STR("sm_90")), &launch, 200, &sizes));
    ck_assert_int_eq(sizes.sizes[0].threads, 64);
    ck_assert_int_eq(sizes.sizes[sizes.count - 1].threads, 128);
    ck_assert_int_eq(sizes.nvidia_threads, 128);
    ck_assert(occupancy_block_sizes(arch_find(STR("sm_90")), &launch, 100, &sizes));
    ck_assert_int_eq(sizes.nvidia_threads, 64); /* 16 blocks of 100 threads have fewer threads than 32 blocks of 64 */
}
END_TEST

/* ---- products ---- */

START_TEST(gpu_models_have_known_architectures)
{
    for (size_t at = 0; at < gpu_model_count; at++) {
        const struct gpu_model *p = &gpu_model_table[at];
        ck_assert_msg(arch_find(str_of(p->arch)) != NULL, "%s", p->name);
        ck_assert(at == 0 || arch_number(str_of(p[-1].arch)) <= arch_number(str_of(p->arch)));
        ck_assert_msg(at == 0 || strcmp(p[-1].arch, p->arch) != 0 || strcmp(p[-1].name, p->name) < 0, "%s", p->name);
        ck_assert(p->sms > 0 && p->sms < 256 && *p->source);
        ck_assert_ptr_eq(gpu_model_find(str_of(p->name)), p);
    }
}
END_TEST

static const struct {
    const char *name, *gpu_model; /* NULL: not found */
    const char *meant;            /* if not found: the name that the error suggests */
} lookups[] = {
    {"NVIDIA H100 PCIe", "H100 PCIe", NULL},
    {"h100", NULL, "H100 NVL,H100 PCIe,H100 SXM,"},
    {"Tesla V100", "V100", NULL},
    {"geforce rtx-4090", "RTX 4090", NULL},
    {"RTX4090", "RTX 4090", NULL},
    {"L40", "L40", NULL},
    {"rtx 6000", NULL, "RTX 6000 Turing,RTX 6000 Ada,"},
    {"nvidia", NULL, ""},
    {"", NULL, ""},
    {"MI300", NULL, ""},
    {"spark", NULL, ""},
    {"K20", NULL, "K20X,"},
    {"Tesla K20m", NULL, "K20X,"},
    {"AGX Orin", NULL, "AGX Orin 64GB,"},
    {"RTX 3080", NULL, "RTX 3080 10GB,"},
    {"DGX", NULL, "DGX Spark,"},
    {"TITAN", NULL, "TITAN V,"},
    {"nvidia rxt 4090", NULL, "RTX 4090,"},
    {"A10O", NULL, "A100,"},
    {"Instinct MI300X", NULL, ""},
};

START_TEST(gpu_models_are_found_by_name)
{
    const struct gpu_model *meant[MODEL_SUGGESTIONS], *found = gpu_model_find(str_of(lookups[_i].name));
    struct buf names = {0};
    ck_assert_pstr_eq(found ? found->name : NULL, lookups[_i].gpu_model);
    size_t count = found ? 0 : gpu_model_suggest(str_of(lookups[_i].name), meant);
    for (size_t at = 0; at < count; at++)
        buf_fmt(&names, "%s,", meant[at]->name);
    buf_char(&names, '\0');
    ck_assert_str_eq(names.ptr, lookups[_i].meant ? lookups[_i].meant : "");
    buf_free(&names);
}
END_TEST

/* A part of a name finds no GPU model. */
START_TEST(a_part_of_a_name_finds_no_gpu_model)
{
    for (size_t at = 0; at < gpu_model_count; at++) {
        struct str name = str_of(gpu_model_table[at].name);
        for (size_t len = 0; len < name.len; len++) {
            const struct gpu_model *found = gpu_model_find(str_sub(name, 0, len));
            ck_assert(!found || found != &gpu_model_table[at] || name.ptr[len] == ' ');
        }
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("advice");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, steps_agree_with_the_model, 0, (int)arch_count);
    tcase_add_loop_test(tests, carveouts_give_their_size, 0, (int)arch_count);
    tcase_add_test(tests, invalid_launches_get_no_advice);
    tcase_add_test(tests, block_sizes_end_at_the_launch_bound);
    tcase_add_test(tests, gpu_models_have_known_architectures);
    tcase_add_loop_test(tests, gpu_models_are_found_by_name, 0, (int)(sizeof lookups / sizeof *lookups));
    tcase_add_test(tests, a_part_of_a_name_finds_no_gpu_model);
    return run_suite("advice", &tests, 1);
}
