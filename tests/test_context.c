/* The context of a record: which numbers of ptxas and nvlink count, and functions that have a fast and a slow
 * implementation. */
#include "testing.h"

#include "rules/context.h"
#include "rules/field.h"
#include "rules/remedy.h"

#include <stdio.h>
#include <string.h>

static uint64_t seed = 7;

static unsigned pick(unsigned count)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % count;
}

static struct kernel *add_kernel(struct model *model, const char *name, const char *arch, enum producer producer)
{
    struct kernel *kernel = model_add_kernel(model);
    kernel->name = intern_add(&model->names, str_of(name));
    kernel->arch_inferred = intern_add(&model->strings, str_of(arch));
    kernel->producer = (uint8_t)producer;
    kernel->flags = KERNEL_USED_LINE;
    return kernel;
}

/* The largest lower register count at which some block size reaches more warps; tries every count. */
static int slow_step(const struct context *context, int *warps_there)
{
    struct best_case now, there;
    struct launch launch = context_launch(context, 1);
    ck_assert(occupancy_best_case(context->arch, &launch, &now));
    for (launch.registers = context->registers - 1; launch.registers > 0; launch.registers--) {
        ck_assert(occupancy_best_case(context->arch, &launch, &there));
        *warps_there = there.warps;
        if (there.warps > now.warps)
            return launch.registers;
    }
    return -1;
}

/* A kernel with random registers and barriers. */
static struct kernel *add_random_kernel(struct model *model, const struct arch *arch)
{
    char name[16];
    snprintf(name, sizeof name, "sm_%d%d", arch->major, arch->minor);
    struct kernel *kernel = add_kernel(model, "k", name, PRODUCER_PTXAS);
    kernel->registers = 1 + (int)pick((unsigned)arch->registers_per_thread);
    kernel->barriers = pick(3) ? 0 : (int)pick(17);
    return kernel;
}

START_TEST(steps_of_the_best_case_are_the_nearest)
{
    struct launch_config launch_config = launch_config_none();
    for (int round = 0; round < 3000; round++) {
        struct model model = {0};
        struct context context = {0};
        const struct arch *arch = &arch_table[pick((unsigned)arch_count)];
        struct kernel *kernel = add_random_kernel(&model, arch);
        kernel->smem_bytes = pick(3) ? (int)pick((unsigned)arch->smem_per_block_optin_bytes + 2000) : 0;
        context_set(&context, &model, kernel, &launch_config);
        ck_assert_ptr_eq(context.arch, arch);
        const struct best_case *best = context_best(&context);
        const struct best_step *step = context_best_step(&context);
        ck_assert(best && step);
        int warps_there = 0, registers = slow_step(&context, &warps_there);
        ck_assert_int_eq(step->warps, best->warps);
        ck_assert_int_eq(step->max_warps, best->max_warps);
        ck_assert_msg(step->registers == registers, "%.*s, %d registers, %d B, %d barriers: %d, expected %d",
                      STR_ARG(kernel_arch(&model, kernel)), kernel->registers, kernel->smem_bytes, kernel->barriers,
                      step->registers, registers);
        ck_assert(registers == -1 || step->warps_there == warps_there);
        context_free(&context);
        model_free(&model);
    }
}
END_TEST

/* True if this launch has the blocks and the occupancy that are asked for. */
static bool has_asked(const struct context *context, const struct launch *launch, int *blocks)
{
    const struct launch_config *asked = &context->launch_config;
    struct occupancy there;
    ck_assert(occupancy_compute(context->arch, launch, &there));
    *blocks = there.blocks;
    return there.blocks >= asked->min_blocks && (double)there.warps / there.max_warps * (asked->ilp ? asked->ilp : 1) >=
                                                    (double)asked->min_occupancy - 0.001;
}

START_TEST(asked_blocks_fit_with_what_they_need_and_not_with_more)
{
    struct launch_config launch_config = launch_config_none();
    int needs_registers = 0, needs_smem = 0, reached = 0, impossible = 0;
    for (int round = 0; round < 20000; round++) {
        struct model model = {0};
        struct context context = {0};
        const struct arch *arch = &arch_table[pick((unsigned)arch_count)];
        struct kernel *kernel = add_random_kernel(&model, arch);
        kernel->smem_bytes = pick(3) ? (int)pick((unsigned)arch->smem_per_block_optin_bytes / (1 + pick(8))) : 0;
        launch_config.threads = 1 + (int)pick((unsigned)arch->max_threads_per_block);
        launch_config.min_blocks = pick(3) ? (int)pick(12) : 0;
        launch_config.min_occupancy = pick(2) ? (float)(1 + pick(100)) / 100 : 0;
        launch_config.ilp = pick(3) ? 0 : (int)pick(5);
        launch_config.carveout = pick(4) ? -1 : (float)pick(101) / 100;
        context_set(&context, &model, kernel, &launch_config);
        const struct launch now = context_launch(&context, launch_config.threads);
        struct launch least = launch_with_registers(&now, 1);
        least.smem_bytes = 0;
        struct advice_step step;
        int blocks_now = 0, blocks = 0;
        const bool has_now = has_asked(&context, &now, &blocks_now);
        if (!remedy_asked_blocks(&context, &step)) {
            ck_assert(has_now || !has_asked(&context, &least, &blocks));
            reached += has_now;
            impossible += !has_now;
        } else {
            ck_assert(!has_now && (step.registers_over > 0 || step.smem_over_bytes > 0));
            struct launch fits = now;
            fits.registers -= step.registers_over;
            fits.smem_bytes -= step.smem_over_bytes;
            ck_assert_msg(has_asked(&context, &fits, &blocks) && blocks >= step.blocks, "%.*s: %d registers, %lld B",
                          STR_ARG(kernel_arch(&model, kernel)), fits.registers, (long long)fits.smem_bytes);
            struct launch more = launch_with_registers(&fits, fits.registers + 1);
            ck_assert(step.registers_over == 0 || !has_asked(&context, &more, &blocks));
            more = launch_with_smem(&fits, fits.smem_bytes + 1);
            ck_assert(step.smem_over_bytes == 0 || !has_asked(&context, &more, &blocks));
            needs_registers += step.registers_over > 0;
            needs_smem += step.smem_over_bytes > 0;
        }
        context_free(&context);
        model_free(&model);
    }
    ck_assert_msg(needs_registers > 500 && needs_smem > 500 && reached > 500 && impossible > 500, "%d %d %d %d",
                  needs_registers, needs_smem, reached, impossible);
}
END_TEST

/* True if fewer blocks fit than with the shared memory of before: at the exact block size, or at some size if only a
 * bound is known. */
static bool costs_blocks(const struct context *context, int32_t before)
{
    struct occupancy was, is;
    int only = context->launch_config.threads_from == THREADS_BOUND ? 0 : context->launch_config.threads;
    for (int threads = 32; threads <= context->arch->max_threads_per_block; threads += 32) {
        struct launch launch = context_launch(context, threads);
        ck_assert(occupancy_compute(context->arch, &launch, &is));
        launch.smem_bytes = before;
        ck_assert(occupancy_compute(context->arch, &launch, &was));
        if (is.blocks < was.blocks && (!only || threads == only))
            return true;
    }
    return false;
}

START_TEST(growth_of_shared_memory_costs_blocks_at_some_size_or_at_none)
{
    int costs = 0;
    for (int round = 0; round < 4000; round++) {
        struct model model = {0};
        struct context context = {0};
        struct launch_config launch_config = launch_config_none();
        const struct arch *arch = &arch_table[pick((unsigned)arch_count)];
        struct kernel *kernel = add_random_kernel(&model, arch);
        kernel->smem_bytes = (int)pick(pick(2) ? 3000 : 60000);
        launch_config.threads = pick(2) ? 32 * (1 + (int)pick((unsigned)arch->max_threads_per_block / 32)) : 0;
        launch_config.threads_from = pick(2) ? THREADS_BOUND : THREADS_CLI;
        context_set(&context, &model, kernel, &launch_config);
        context.base.smem_bytes = (int)pick((unsigned)kernel->smem_bytes + 1);
        struct value value = field_get(field_find(STR("baseline.smem_may_cost")), &context);
        ck_assert(value.known);
        ck_assert_msg(value.boolean == costs_blocks(&context, context.base.smem_bytes),
                      "%.*s, %d registers, %d B, %d before, %d barriers, %d threads",
                      STR_ARG(kernel_arch(&model, kernel)), kernel->registers, kernel->smem_bytes,
                      context.base.smem_bytes, kernel->barriers, launch_config.threads);
        costs += value.boolean;
        context_free(&context);
        model_free(&model);
    }
    ck_assert_int_gt(costs, 1000);
    ck_assert_int_lt(costs, 3000);
}
END_TEST

START_TEST(a_cap_is_named_with_its_numbers)
{
    static const struct {
        int cap;
        enum cap_from from;
        enum bound_from bound;
        int threads, min_blocks;
        const char *said;
    } rows[] = {
        {UNKNOWN, CAP_UNKNOWN, BOUND_NONE, 0, 0, ""},
        {64, CAP_MAXRREGCOUNT, BOUND_LAUNCH_BOUNDS, 256, 4, "-maxrregcount"},
        {40, CAP_MAXNREG, BOUND_NONE, 0, 0, "__maxnreg__"},
        {64, CAP_LAUNCH_BOUNDS, BOUND_LAUNCH_BOUNDS, 256, 4, "__launch_bounds__(256, 4)"},
        {UNKNOWN, CAP_UNKNOWN, BOUND_LAUNCH_BOUNDS, 512, 0, "__launch_bounds__(512)"}, /* implies 128 */
        {64, CAP_LAUNCH_BOUNDS, BOUND_NONE, 0, 0, "__launch_bounds__"},
        {64, CAP_UNKNOWN, BOUND_NONE, 0, 0, "-maxrregcount or __maxnreg__"},
    };
    struct launch_config launch_config = launch_config_none();
    for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
        struct model model = {0};
        struct context context = {0};
        struct kernel *kernel = add_kernel(&model, "k", "sm_90", PRODUCER_PTXAS);
        struct rare_metrics rare = no_rare_metrics;
        rare.register_cap = rows[at].cap;
        rare.register_cap_from = (uint8_t)rows[at].from;
        rare.bound_from = (uint8_t)rows[at].bound;
        rare.bound_threads = (uint16_t)rows[at].threads;
        rare.min_blocks = (uint8_t)rows[at].min_blocks;
        kernel_set_rare(&model, kernel, &rare);
        context_set(&context, &model, kernel, &launch_config);
        struct str said = context_cap_by(&context);
        ck_assert_msg(str_eq(said, str_of(rows[at].said)), "row %zu: %.*s", at, STR_ARG(said));
        context_free(&context);
        model_free(&model);
    }
}
END_TEST

/* nvlink includes the system's reserve in shared memory on sm_90 and sm_90a only; for binaries the reader has
 * subtracted it already. */
START_TEST(the_reserve_is_subtracted)
{
    static const struct {
        const char *arch;
        enum producer producer;
        int printed, counted;
    } rows[] = {
        {"sm_90", PRODUCER_NVLINK, 2224, 1200}, {"sm_90a", PRODUCER_NVLINK, 2224, 1200},
        {"sm_80", PRODUCER_NVLINK, 1200, 1200}, {"sm_100", PRODUCER_NVLINK, 1200, 1200},
        {"sm_90", PRODUCER_NVLINK, 0, 0},       {"sm_90", PRODUCER_PTXAS, 2224, 2224},
        {"sm_90", PRODUCER_BINARY, 1200, 1200}, {"sm_90", PRODUCER_NVLINK, UNKNOWN, 0},
    };
    struct launch_config launch_config = launch_config_none();
    for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
        struct model model = {0};
        struct context context = {0};
        struct kernel *kernel = add_kernel(&model, "k", rows[at].arch, rows[at].producer);
        kernel->smem_bytes = rows[at].printed;
        context_set(&context, &model, kernel, &launch_config);
        ck_assert_msg(context.smem_bytes == rows[at].counted, "row %zu: %d", at, context.smem_bytes);
        context_free(&context);
        model_free(&model);
    }
}
END_TEST

START_TEST(the_link_record_counts_once)
{
    struct model model = {0};
    struct context context = {0};
    struct launch_config launch_config = launch_config_none();
    add_kernel(&model, "k", "sm_80", PRODUCER_PTXAS);
    add_kernel(&model, "k", "sm_80", PRODUCER_NVLINK);
    struct rare_metrics rare = no_rare_metrics;
    for (uint32_t at = 0; at < 2; at++) {
        rare.link = 1 - at;
        kernel_set_rare(&model, &model.kernels[at], &rare);
    }
    model.kernels[0].registers = 24;
    model.kernels[0].barriers = 1;
    model.kernels[0].spill_store_bytes = 8;
    model.kernels[1].registers = 68;
    ck_assert(!context_is_secondary(&model, &model.kernels[0]));
    ck_assert(context_is_secondary(&model, &model.kernels[1]));
    context_set(&context, &model, &model.kernels[0], &launch_config);
    ck_assert(context.link);
    ck_assert_int_eq(context.registers, 68);
    ck_assert_int_eq(context.barriers, 1); /* an old nvlink prints no barriers */
    ck_assert_int_eq(context.spill_store_bytes, 8);
    model.kernels[1].registers = UNKNOWN; /* nvlink's number is unknown: ptxas's number must not replace it */
    context_set(&context, &model, &model.kernels[0], &launch_config);
    ck_assert_int_eq(context.registers, UNKNOWN);
    context_free(&context);
    model_free(&model);
}
END_TEST

START_TEST(unknown_stays_unknown)
{
    struct model model = {0};
    struct context context = {0};
    struct launch_config launch_config = launch_config_none();
    launch_config.threads = 256;
    launch_config.threads_from = THREADS_CLI;
    struct kernel *kernel = add_kernel(&model, "_Z1kPf", "sm_80", PRODUCER_PTXAS);
    kernel->registers = 32;
    context_set(&context, &model, kernel, &launch_config);
    ck_assert_int_eq(context_occupancy(&context)->blocks, 8);
    ck_assert(str_eq(context_limiters(&context), STR("warps, registers")));
    ck_assert(str_eq(context_name(&context), STR("k(float*)")));
    launch_config.threads = 0;
    context_set(&context, &model, kernel, &launch_config);
    ck_assert(!context_occupancy(&context) && !context_cliff(&context) && context_best(&context));
    kernel->kind = KERNEL_FUNCTION;
    context_set(&context, &model, kernel, &launch_config);
    ck_assert(!context_best(&context) && !context_best_step(&context));
    kernel->kind = KERNEL_ENTRY;
    kernel->flags = 0; /* without a Used line missing shared memory is unknown, not 0 */
    context_set(&context, &model, kernel, &launch_config);
    ck_assert_int_eq(context.smem_bytes, UNKNOWN);
    ck_assert(!context_best(&context));
    kernel->arch_inferred = intern_add(&model.strings, STR("sm_999"));
    kernel->flags = KERNEL_USED_LINE;
    context_set(&context, &model, kernel, &launch_config);
    ck_assert(!context.arch && !context_best(&context));
    context_free(&context);
    model_free(&model);
}
END_TEST

int main(void)
{
    TCase *figures = tcase_create("figures"), *views = tcase_create("views");
    tcase_set_timeout(figures, 120);
    tcase_add_test(figures, steps_of_the_best_case_are_the_nearest);
    tcase_add_test(figures, asked_blocks_fit_with_what_they_need_and_not_with_more);
    tcase_add_test(figures, growth_of_shared_memory_costs_blocks_at_some_size_or_at_none);
    tcase_add_test(views, the_reserve_is_subtracted);
    tcase_add_test(views, a_cap_is_named_with_its_numbers);
    tcase_add_test(views, the_link_record_counts_once);
    tcase_add_test(views, unknown_stays_unknown);
    TCase *cases[] = {figures, views};
    return run_suite("context", cases, sizeof cases / sizeof *cases);
}
