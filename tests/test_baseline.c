/*
 * The baseline: broken files, the bytes that are written, and the gate. For the gate, one number of one kernel in a
 * real log is changed: every deterioration beyond its tolerance must be found, and no improvement may fail.
 */
#include "golden.h"
#include "logs.h"
#include "testing.h"

#include "lint/acceptance.h"
#include "lint/measure_model.h"
#include "log/binary_check.h"
#include "log/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shared by all baselines of this file. */
static struct intern strings;

/* ---- files ------------------------------------------------------------------------------------------------------ */

static void diagnose(struct str input, struct buf *said)
{
    struct baseline baseline = {.kernels.strings = &strings};
    struct diags diags = {0};
    bool ok = baseline_parse(&baseline, STR("b.json"), input, &diags);
    ck_assert(ok == (diags.errors == 0));
    diags_render(&diags, said);
    baseline_free(&baseline);
    diags_free(&diags);
}

START_TEST(errors_in_baselines_have_their_place)
{
    golden_run("tests/data/broken-baselines.test", 25, diagnose);
}
END_TEST

START_TEST(variants_columns_and_bytes_are_read)
{
    static const char text[] =
        "{\"warplint_baseline\": 1, \"kernels\": [\n"
        "{\"kernel_id\":\"k\\udc80\",\"name\":\"k\",\"arch\":\"sm_80\",\"toolkit\":\"13.0\",\"registers\":40},\n"
        "{\"kernel_id\":\"k\\udc80\",\"arch\":\"sm_80\",\"toolkit\":\"13.0\",\"variant\":2,\"reason\":\"measured\"},\n"
        "{\"kernel_id\":\"k\\udc80\",\"arch\":\"sm_80\",\"toolkit\":\"12.4\",\"spill_load_bytes\":-4}\n"
        "], \"findings\": [{\"rule\":\"unroll-failed\"}]}";
    struct baseline baseline = {.kernels.strings = &strings};
    struct diags told = {0};
    ck_assert(baseline_parse(&baseline, STR("b.json"), (struct str){text, sizeof text - 1}, &told) && told.count == 0);
    const struct kernel_metrics *items = baseline.kernels.items;
    ck_assert_uint_eq(baseline.kernels.count, 3);
    ck_assert(str_eq(intern_get(&strings, items[0].id), STR("k\x80")));
    ck_assert(str_eq(intern_get(&strings, items[1].reason), STR("measured")));
    ck_assert_int_eq(items[1].values[MEASURE_REGISTERS], UNKNOWN);
    ck_assert_int_eq(items[2].values[MEASURE_SPILL_LOADS], -4);
    ck_assert(items[2].toolkit.major == 12 && items[2].toolkit.minor == 4);
    ck_assert(baseline.accepted_count == 1 && baseline.accepted[0].count == 1);
    baseline_free(&baseline);
}
END_TEST

/* A file that was cut or has a wrong byte is read or refused; it must not crash or hang. */
START_TEST(every_cut_and_every_byte)
{
    static const char whole[] =
        "{\n\"warplint_baseline\": 1,\n\"kernels\": [\n"
        "{\"kernel_id\":\"_Z1kPf\",\"arch\":\"sm_80\",\"registers\":40,\"reason\":\"\\udcff \\\"x\\\"\"},\n"
        "{\"kernel_id\":\"_Z1jPf\",\"arch\":\"sm_80\",\"registers\":40}\n],\n\"findings\": [\n]\n}\n";
    size_t end = sizeof whole - 1;
    for (size_t cut = 0; cut < end; cut++) {
        struct baseline baseline = {.kernels.strings = &strings};
        struct diags diags = {0};
        bool ok = baseline_parse(&baseline, STR("b.json"), (struct str){whole, cut}, &diags);
        ck_assert_msg(ok == (cut == end - 1), "%zu bytes of %zu", cut, end);
        ck_assert(ok || (diags.errors == 1 && diags.items[0].place.line > 0));
        baseline_free(&baseline);
        diags_free(&diags);
    }
    for (size_t at = 0; at < end; at++) {
        char broken[sizeof whole];
        struct baseline baseline = {.kernels.strings = &strings};
        struct diags diags = {0};
        memcpy(broken, whole, sizeof whole);
        broken[at] = (char)(broken[at] ^ 0x15);
        bool ok = baseline_parse(&baseline, STR("b.json"), (struct str){broken, end}, &diags);
        ck_assert(ok == (diags.errors == 0));
        baseline_free(&baseline);
        diags_free(&diags);
    }
}
END_TEST

/* ---- judging ---------------------------------------------------------------------------------------------------- */

/* Read once, for all tests. */
static struct ruleset rules;
static struct diags diags;

static void load_rules(void)
{
    if (!rules.count)
        ck_assert(ruleset_load_builtin(&rules, &diags));
}

static void read_log(struct model *model, const char *path)
{
    struct buf text = read_file(path);
    struct log_reader *reader = log_reader_new(model, str_of(path));
    log_reader_feed(reader, buf_str(&text));
    log_reader_finish(reader);
    buf_free(&text);
}

static struct linter *new_linter(const struct model *model)
{
    struct linter_options options = {.launch_config = launch_config_none(), .fail_on = SEVERITY_WARNING};
    return linter_new(&rules, model, &options);
}

/* Measures the model into the baseline. */
static void measure(struct model *model, struct baseline *baseline)
{
    const struct checkout no_checkout = {.root = STR("/nowhere/")};
    struct linter *linter = new_linter(model);
    ck_assert(linter_run(linter, &diags));
    measure_model(&baseline->kernels, linter, no_checkout, NULL, NULL);
    baseline_accept(baseline, linter, no_checkout);
    linter_free(linter);
}

/* The counts of a check against the baseline. */
struct answer {
    size_t failing, findings, worse, expected, seen, new, gone;
};

static struct answer check(struct model *model, const struct baseline *baseline, struct str root)
{
    struct linter *linter = new_linter(model);
    struct kernel_metrics_set kernel_metrics = {.strings = &strings};
    struct comparison comparison;
    struct checkout checkout = {.root = root};
    uint32_t *item_of = mem_alloc((model->kernel_count + 1) * sizeof *item_of);
    measure_model(&kernel_metrics, linter, checkout, NULL, item_of);
    compare_make(&comparison, &baseline->kernels, &kernel_metrics, baseline_tolerances(&rules), false, item_of);
    struct acceptance *acceptance = acceptance_new(baseline, &comparison, checkout);
    linter_compare(linter, &comparison, acceptance, false);
    ck_assert(linter_run(linter, &diags));
    struct answer answer = {.failing = linter->counts.failing,
                            .expected = comparison.counts.expected,
                            .seen = comparison.counts.seen,
                            .new = comparison.counts.by_state[COMPARE_NEW],
                            .gone = comparison.counts.by_state[COMPARE_GONE],
                            .worse = comparison.counts.by_state[COMPARE_WORSE]};
    for (size_t at = 0; at < linter->finding_count; at++)
        answer.findings += finding_counts(&linter->findings[at]);
    linter_free(linter);
    acceptance_free(acceptance);
    compare_free(&comparison);
    free(kernel_metrics.items);
    return answer;
}

static void read_logs(struct model *model, const struct paths *paths)
{
    for (size_t at = 0; at < paths->count; at++)
        read_log(model, paths->items[at]);
    model_link(model);
    model_check_binaries(model);
}

/* The logs of the fixtures, and also the shared logs if they exist and the test may take long. */
static void all_logs(struct paths *paths)
{
    const char *shared = getenv("WARPLINT_TEST_QUICK") ? NULL : shared_path("logs/builds");
    struct buf pattern = {0};
    paths_add(paths, source_path("fixtures/*/log.txt"));
    if (shared) {
        buf_fmt(&pattern, "%s/*.log%c", shared, '\0');
        paths_add(paths, pattern.ptr);
    }
    size_t kept = 0;
    for (size_t at = 0; at < paths->count; at++) {
        if (strstr(paths->items[at], "/debug"))
            free(paths->items[at]); /* `baseline write` refuses debug builds */
        else
            paths->items[kept++] = paths->items[at];
    }
    paths->count = kept;
    buf_free(&pattern);
}

START_TEST(a_written_baseline_gives_no_findings)
{
    struct paths paths = {0};
    size_t kernels = 0;
    load_rules();
    all_logs(&paths);
    for (size_t at = 0; at <= paths.count; at++) { /* first each log alone, then all together */
        struct paths one = {.items = &paths.items[at], .count = 1};
        struct model model = {0};
        struct baseline baseline = {.kernels.strings = &strings}, again = {.kernels.strings = &strings};
        struct buf text = {0}, second = {0};
        read_logs(&model, at < paths.count ? &one : &paths);
        measure(&model, &baseline);
        baseline_print(&baseline, &text);
        ck_assert(baseline_parse(&again, STR("b.json"), buf_str(&text), &diags));
        baseline_print(&again, &second);
        ck_assert_msg(str_eq(buf_str(&text), buf_str(&second)), "%s: other bytes when read and written",
                      at < paths.count ? paths.items[at] : "all");
        struct answer answer = check(&model, &again, STR("/nowhere/"));
        ck_assert_msg(answer.findings == 0 && answer.new == 0 && answer.gone == 0 && answer.worse == 0,
                      "%s: %zu findings, %zu new, %zu gone, %zu worse", at < paths.count ? paths.items[at] : "all",
                      answer.findings, answer.new, answer.gone, answer.worse);
        ck_assert_uint_eq(answer.expected, answer.seen);
        kernels += answer.seen;
        baseline_free(&baseline);
        baseline_free(&again);
        intern_free(&strings);
        model_free(&model);
        buf_free(&text);
        buf_free(&second);
    }
    printf("%zu logs, %zu entries\n", paths.count, kernels);
    ck_assert_uint_ge(kernels, 400);
    paths_free(&paths);
}
END_TEST

/* Neither the order of the logs nor the folder of the checkout changes the baseline. */
START_TEST(the_order_of_logs_does_not_matter)
{
    struct paths paths = {0};
    struct model model = {0};
    struct baseline baseline = {.kernels.strings = &strings};
    struct buf text = {0};
    load_rules();
    paths_add(&paths, source_path("fixtures/*/log.txt"));
    read_logs(&model, &paths);
    measure(&model, &baseline);
    baseline_print(&baseline, &text);
    ck_assert(str_find(buf_str(&text), str_of(WARPLINT_SOURCE_DIR)) == STR_NONE);
    for (unsigned round = 0; round < 5; round++) {
        struct model shuffled = {0};
        struct baseline other = {.kernels.strings = &strings};
        struct buf bytes = {0};
        for (size_t at = paths.count; at > 1; at--) {
            size_t with = (at * 7919 + round * 104729) % at;
            char *moved = paths.items[at - 1];
            paths.items[at - 1] = paths.items[with];
            paths.items[with] = moved;
        }
        read_logs(&shuffled, &paths);
        measure(&shuffled, &other);
        baseline_print(&other, &bytes);
        ck_assert(str_eq(buf_str(&text), buf_str(&bytes)));
        baseline_free(&other);
        model_free(&shuffled);
        buf_free(&bytes);
    }
    baseline_free(&baseline);
    model_free(&model);
    buf_free(&text);
    paths_free(&paths);
}
END_TEST

/* ---- one number changed ----------------------------------------------------------------------------------------- */

static uint64_t seed = 5;

static unsigned pick(unsigned count)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % count;
}

enum change { REGISTERS, STORES, LOADS, STACK, SMEM, CHANGES };
static const char *const change_names[] = {"registers", "spill stores", "spill loads", "stack", "shared memory"};

static int32_t *value_of(struct kernel *kernel, enum change change)
{
    int32_t *const values[] = {&kernel->registers, &kernel->spill_store_bytes, &kernel->spill_load_bytes,
                               &kernel->stack_bytes, &kernel->smem_bytes};
    return values[change];
}

static bool can_change(const struct model *model, struct kernel *kernel, enum change change, int32_t by)
{
    int32_t value = *value_of(kernel, change);
    if (change == SMEM && kernel->flags & KERNEL_USED_LINE && value == UNKNOWN)
        value = 0;
    bool alone = kernel_rare(model, kernel)->link == NO_INDEX && kernel->producer == PRODUCER_PTXAS &&
                 !context_is_secondary(model, kernel);
    bool negative = (kernel->spill_store_bytes < 0 && kernel->spill_store_bytes != UNKNOWN) ||
                    (kernel->spill_load_bytes < 0 && kernel->spill_load_bytes != UNKNOWN); /* ptxas prints such */
    return alone && !negative && kernel->kind == KERNEL_ENTRY && !(kernel->flags & KERNEL_DEBUG) && value != UNKNOWN &&
           value + by >= 0 && (change != REGISTERS || value + by <= 255);
}

/* The oracle: the best occupancy over all block sizes falls, or it is unknown. */
static bool loses_warps(const struct model *model, const struct kernel *kernel, int32_t before, int32_t after)
{
    const struct arch *arch = arch_find(kernel_arch(model, kernel));
    struct launch launch = {.registers = before,
                            .smem_bytes = metric_or_zero(kernel, kernel->smem_bytes),
                            .barriers = kernel->barriers > 0 ? kernel->barriers : 0,
                            .carveout = -1};
    struct best_case was, is;
    if (!arch || !occupancy_best_case(arch, &launch, &was))
        return true;
    launch.registers = after;
    return !occupancy_best_case(arch, &launch, &is) || is.warps < was.warps;
}

/* The oracle: fewer blocks fit for some block size, or it is unknown. */
static bool loses_blocks(const struct model *model, const struct kernel *kernel, int32_t before, int32_t after)
{
    const struct arch *arch = arch_find(kernel_arch(model, kernel));
    struct occupancy was, is;
    if (!arch || kernel->registers == UNKNOWN)
        return true;
    for (int threads = 32; threads <= arch->max_threads_per_block; threads += 32) {
        struct launch launch = {.threads = threads,
                                .registers = kernel->registers,
                                .smem_bytes = before == UNKNOWN ? 0 : before,
                                .barriers = kernel->barriers > 0 ? kernel->barriers : 0,
                                .carveout = -1};
        if (!occupancy_compute(arch, &launch, &was))
            return true;
        launch.smem_bytes = after;
        if (!occupancy_compute(arch, &launch, &is) || is.blocks < was.blocks)
            return true;
    }
    return false;
}

struct tally {
    size_t worse, tolerated, better;
};

static void change_one(struct model *model, const struct baseline *baseline, struct tally *tally)
{
    enum change change = (enum change)pick(CHANGES);
    int32_t size = change == REGISTERS ? 1 + (int32_t)pick(12) : 4 * (1 + (int32_t)pick(40));
    int32_t by = pick(2) ? size : -size;
    struct kernel *kernel = NULL;
    for (int tries = 0; !kernel || !can_change(model, kernel, change, by); tries++) {
        kernel = &model->kernels[pick((unsigned)model->kernel_count)];
        if (tries > 20000)
            return;
    }
    struct kernel before = *kernel;
    int32_t *value = value_of(kernel, change);
    *value = (*value == UNKNOWN ? 0 : *value) + by;
    bool lost = change == REGISTERS && loses_warps(model, kernel, before.registers, kernel->registers);
    bool costs = change != SMEM || loses_blocks(model, kernel, before.smem_bytes, kernel->smem_bytes);
    struct answer answer = check(model, baseline, STR("/nowhere/"));
    struct str name = kernel_name(model, kernel);
    if (by < 0) {
        tally->better++;
        ck_assert_msg(answer.failing == 0, "%.*s: %d %s fail", STR_ARG(name), by, change_names[change]);
    } else if (change == REGISTERS && !lost) {
        tally->tolerated++;
        ck_assert_msg(answer.failing == 0, "%.*s: %d registers that cost nothing fail", STR_ARG(name), by);
    } else if (change == STACK || !costs) { /* need not fail */
        tally->worse++;
        ck_assert_msg(answer.worse == 1 && answer.findings > 0, "%.*s: %d %s is not found", STR_ARG(name), by,
                      change_names[change]);
    } else {
        tally->worse++;
        ck_assert_msg(answer.failing > 0 && answer.worse == 1, "%.*s: %d %s is not found", STR_ARG(name), by,
                      change_names[change]);
    }
    *kernel = before;
}

START_TEST(each_deterioration_is_found_and_no_improvement_fails)
{
    struct paths paths = {0};
    struct model model = {0};
    struct baseline baseline = {.kernels.strings = &strings};
    struct tally tally = {0};
    load_rules();
    all_logs(&paths);
    read_logs(&model, &paths);
    measure(&model, &baseline);
    size_t rounds = test_rounds(1000);
    for (size_t round = 0; round < rounds; round++)
        change_one(&model, &baseline, &tally);
    printf("%zu kernels: %zu worse, %zu tolerated, %zu better\n", model.kernel_count, tally.worse, tally.tolerated,
           tally.better);
    ck_assert(tally.worse > rounds / 5 && tally.tolerated > 0 && tally.better > rounds / 5);
    baseline_free(&baseline);
    model_free(&model);
    paths_free(&paths);
}
END_TEST

int main(void)
{
    TCase *files = tcase_create("files"), *logs = tcase_create("logs");
    tcase_add_test(files, errors_in_baselines_have_their_place);
    tcase_add_test(files, variants_columns_and_bytes_are_read);
    tcase_add_test(files, every_cut_and_every_byte);
    tcase_add_test(logs, a_written_baseline_gives_no_findings);
    tcase_add_test(logs, the_order_of_logs_does_not_matter);
    tcase_add_test(logs, each_deterioration_is_found_and_no_improvement_fails);
    tcase_set_timeout(logs, 500);
    TCase *cases[] = {files, logs};
    return run_suite("baseline", cases, 2);
}
