/*
 * Configurations: wrong ones and their errors (data/broken-configs.test), and right ones and their effect
 * (data/configs.test); golden.h describes the file format. An input is the text of .warplint.yaml; "--- file PATH"
 * starts the text of another file, "--- log" starts the log to check, in which
 *
 *   kernel NAME ARCH REGISTERS SPILLED_BYTES
 *
 * stands for the lines that ptxas prints for such a kernel. The tests run as if the date were 2026-11-21.
 */
#define _XOPEN_SOURCE 700
#include "golden.h"

#include "base/date.h"
#include "base/file.h"
#include "config/config.h"
#include "config/launch_resolver.h"
#include "lint/linter.h"
#include "log/reader.h"

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- a folder for each case ---- */

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

static void make_folders(struct str path)
{
    struct arena arena = {0};
    for (size_t at = 0; at < path.len; at++)
        if (path.ptr[at] == '/')
            mkdir(arena_cstr(&arena, str_sub(path, 0, at)), 0777);
    arena_free(&arena);
}

static void write_file(struct str path, struct str text)
{
    struct diags diags = {0};
    make_folders(path);
    ck_assert(file_write(path, text, &diags));
}

/* Writes the files of an input to a new folder and makes it the working directory. Returns its path, which is
 * static. */
static const char *enter_folder(struct str input)
{
    static char folder[] = "/tmp/warplint-config-XXXXXX";
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    struct str text, path = STR(CONFIG_NAME), next;
    bool more = true;
    while (more) {
        more = golden_part(&input, STR("file"), &text, &next);
        write_file(path, text);
        path = next;
    }
    return folder;
}

static void leave_folder(const char *folder)
{
    ck_assert_int_eq(chdir("/"), 0);
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* The steps of a command that read the configuration, before it judges. */
static bool load(struct config *config, struct ruleset *rules, struct diags *diags)
{
    bool ok = config_load(config, STR(CONFIG_NAME), INPUT_REGULAR, diags);
    ok = ruleset_load_builtin(rules, diags) && ok;
    ok = config_add_rules(config, rules, diags) && ok;
    ok = config_apply(config, rules, diags) && ok;
    diags_sort(diags, 0);
    return ok;
}

/* ---- wrong ones ---- */

static void diagnose(struct str input, struct buf *said)
{
    const char *folder = enter_folder(input);
    struct config config;
    struct ruleset rules = {0};
    struct diags diags = {0};
    bool ok = load(&config, &rules, &diags);
    ck_assert(ok == (diags.errors == 0));
    if (!ok)
        diags_render(&diags, said);
    config_free(&config);
    ruleset_free(&rules);
    diags_free(&diags);
    leave_folder(folder);
}

START_TEST(errors_in_configurations_have_their_place)
{
    golden_run("tests/data/broken-configs.test", 180, diagnose);
}
END_TEST

/* ---- right ones ---- */

static void expand_kernel(struct str words, struct buf *log)
{
    struct str name, arch, registers, spills;
    ck_assert(str_split(&words, ' ', &name) && str_split(&words, ' ', &arch) && str_split(&words, ' ', &registers) &&
              str_split(&words, ' ', &spills));
    buf_fmt(log,
            "ptxas info    : Compiling entry function '%.*s' for '%.*s'\n"
            "ptxas info    : Function properties for %.*s\n"
            "    0 bytes stack frame, %.*s bytes spill stores, 0 bytes spill loads\n"
            "ptxas info    : Used %.*s registers, used 0 barriers\n",
            STR_ARG(name), STR_ARG(arch), STR_ARG(name), STR_ARG(spills), STR_ARG(registers));
}

static void expand(struct str text, struct buf *log)
{
    struct str line;
    while (text.len && str_split(&text, '\n', &line)) {
        if (str_starts(line, STR("kernel ")))
            expand_kernel(str_from(line, 7), log);
        else
            buf_fmt(log, "%.*s\n", STR_ARG(line));
    }
}

static void read_log(struct model *model, struct str text)
{
    struct buf log = {0};
    expand(text, &log);
    struct log_reader *reader = log_reader_new(model, STR("build.log"));
    log_reader_feed(reader, buf_str(&log));
    log_reader_finish(reader);
    model_link(model);
    buf_free(&log);
}

static void print_fact(struct buf *said, const char *name, int64_t value, int64_t unknown)
{
    if (value != unknown)
        buf_fmt(said, " %s=%lld", name, (long long)value);
}

static void print_record(struct linter *linter, uint32_t kernel, struct buf *said)
{
    struct context *context = linter_record(linter, kernel);
    const struct launch_config *launch_config = &context->launch_config;
    buf_fmt(said, "%.*s %.*s:", STR_ARG(context_name(context)), STR_ARG(kernel_arch(linter->model, context->kernel)));
    print_fact(said, "threads", launch_config->threads, 0);
    if (launch_config->threads_from)
        buf_fmt(said, " from=%s", threads_from_names[launch_config->threads_from]);
    print_fact(said, "dynamic-smem", launch_config->dynamic_smem_bytes, -1);
    print_fact(said, "carveout-percent", launch_carveout(launch_config), -1);
    print_fact(said, "grid", launch_config->grid, 0);
    print_fact(said, "ilp", launch_config->ilp, 0);
    print_fact(said, "sms", launch_config->sms, 0);
    print_fact(said, "min-blocks", launch_config->min_blocks, 0);
    print_fact(said, "min-occupancy-percent", (int64_t)((double)launch_config->min_occupancy * 100 + 0.5), 0);
    print_fact(said, "max-registers", launch_config->budget_registers, -1);
    print_fact(said, "max-smem", launch_config->budget_smem_bytes, -1);
    print_fact(said, "max-spill", launch_config->budget_spill_bytes, -1);
    print_fact(said, "max-stack", launch_config->budget_stack_bytes, -1);
    buf_char(said, '\n');
}

static void print_finding(struct linter *linter, const struct finding *finding, struct buf *said)
{
    struct context *context = linter_context(linter, finding);
    bool mild = finding->severity < SEVERITY_WARNING && finding->exception == NO_INDEX;
    if (mild)
        return; /* these tests do not cover the notes of built-in rules */
    buf_fmt(said, "%s %.*s: %.*s", severity_names[finding->severity], STR_ARG(linter->rules->rules[finding->rule].id),
            STR_ARG(context_name(context)));
    if (finding->exception != NO_INDEX)
        buf_fmt(said, " (allowed: %.*s)", STR_ARG(finding_reason(linter, finding)));
    buf_char(said, '\n');
}

static void judge_log(struct config *config, struct ruleset *rules, struct str log, struct diags *diags,
                      struct buf *said)
{
    struct model model = {0};
    struct linter_options options = {.launch_config = launch_config_none(),
                                     .fail_on = config->has_fail_on ? config->fail_on : SEVERITY_WARNING,
                                     .archs = config->archs.names,
                                     .config = config};
    ck_assert(date_parse(STR("2026-11-21"), &options.today));
    read_log(&model, log);
    struct linter *linter = linter_new(rules, &model, &options);
    bool ok = linter_run(linter, diags);
    for (uint32_t at = 0; ok && at < model.kernel_count; at++)
        if (linter_selects(linter, at))
            print_record(linter, at, said);
    for (size_t at = 0; ok && at < linter->finding_count; at++)
        print_finding(linter, &linter->findings[at], said);
    buf_fmt(said, "failing=%zu suppressed=%zu\n", linter->counts.failing, linter->counts.suppressed);
    linter_free(linter);
    model_free(&model);
}

static void judge_input(struct str input, struct buf *said)
{
    struct str files, none;
    ck_assert_msg(golden_part(&input, STR("log"), &files, &none), "no log in %.*s", STR_ARG(files));
    const char *folder = enter_folder(files);
    struct config config;
    struct ruleset rules = {0};
    struct diags diags = {0};
    if (load(&config, &rules, &diags))
        judge_log(&config, &rules, input, &diags, said);
    diags_render(&diags, said);
    config_free(&config);
    ruleset_free(&rules);
    diags_free(&diags);
    leave_folder(folder);
}

START_TEST(configurations_have_their_effect)
{
    golden_run("tests/data/configs.test", 50, judge_input);
}
END_TEST

/* A block size from the log is an upper bound, unless the configuration says that it is exact. */
START_TEST(a_bound_that_is_exact)
{
    const char *folder = enter_folder(STR("kernels:\n  - {match: gemm, launch-bounds: exact}\n"
                                          "  - {match: gemv, threads: 64}\n"
                                          "  - {match: gather, ilp: 2}\n"));
    struct config config;
    struct ruleset rules = {0};
    struct diags diags = {0};
    struct model model = {0};
    struct launch_sources sources = {.given = launch_config_none()};
    static const struct {
        int threads;
        enum threads_from from;
    } expected[] = {{256, THREADS_CONFIG}, {64, THREADS_CONFIG}, {256, THREADS_BOUND}, {256, THREADS_BOUND}};
    ck_assert(load(&config, &rules, &diags));
    sources.entries = config.entries;
    sources.entry_count = config.entry_count;
    sources.given.threads = 256;
    sources.given.threads_from = THREADS_BOUND;
    read_log(&model, STR("kernel gemm sm_90 8 0\nkernel gemv sm_90 8 0\nkernel other sm_90 8 0\n"
                         "kernel gather sm_90 8 0\n"));
    struct launch_resolver *launches = launch_resolver_new(&sources, &model);
    for (size_t at = 0; at < sizeof expected / sizeof *expected; at++) {
        const struct launch_config *launch_config =
            launch_resolver_config(launches, launch_resolver_number(launches, &model.kernels[at]));
        ck_assert_int_eq(launch_config->threads, expected[at].threads);
        ck_assert_int_eq((int)launch_config->threads_from, (int)expected[at].from);
    }
    launch_resolver_free(launches);
    model_free(&model);
    config_free(&config);
    ruleset_free(&rules);
    diags_free(&diags);
    leave_folder(folder);
}
END_TEST

/* A name is matched once for all its records; equal launch configurations share one number. */
START_TEST(equal_launch_configurations_have_one_number)
{
    const char *folder = enter_folder(STR("kernels:\n  - {match: 'gemm<(\\d+)>', threads: {sm_80: $1, sm_90: $1}}\n"
                                          "  - {match: gemv, threads: 64}\n"));
    struct config config;
    struct ruleset rules = {0};
    struct diags diags = {0};
    struct model model = {0};
    ck_assert(load(&config, &rules, &diags));
    struct launch_sources sources = {
        .given = launch_config_none(), .entries = config.entries, .entry_count = config.entry_count};
    read_log(
        &model,
        STR("kernel _Z4gemmILi64EEvPf sm_80 8 0\nkernel _Z4gemmILi64EEvPf sm_90 8 0\n"
            "kernel gemv sm_90 8 0\nkernel _Z4gemmILi32EEvPf sm_90 8 0\nkernel a sm_90 8 0\nkernel b sm_80 8 0\n"));
    struct launch_resolver *launches = launch_resolver_new(&sources, &model);
    uint32_t numbers[6];
    for (size_t at = 0; at < 6; at++)
        numbers[at] = launch_resolver_number(launches, &model.kernels[at]);
    ck_assert_uint_eq(numbers[0], numbers[1]);
    ck_assert_uint_eq(numbers[0], numbers[2]);
    ck_assert_uint_ne(numbers[0], numbers[3]);
    ck_assert_uint_ne(numbers[0], numbers[4]);
    ck_assert_uint_eq(numbers[4], numbers[5]);
    launch_resolver_free(launches);
    model_free(&model);
    config_free(&config);
    ruleset_free(&rules);
    diags_free(&diags);
    leave_folder(folder);
}
END_TEST

/* ---- patterns that explode ---- */

enum way { IN_A_RULE, IN_AN_ENTRY, IN_AN_EXCEPTION, IN_AN_OPTION, WAYS };

/* The configuration that holds the pattern, and the start of the error message. */
static const struct {
    const char *yaml, *error;
} ways[WAYS] = {
    {"rules:\n  boom:\n    when: name =~ '%s'\n    message: x\n",
     "error: rule boom: matching '%s' takes too many steps"},
    {"kernels:\n  - match: '%s'\n    threads: 32\n",
     ".warplint.yaml:2:12: error: matching this pattern takes too many steps"},
    {"allow:\n  - {rule: register-spill, reason: x, kernel: '%s'}\n",
     ".warplint.yaml:2:47: error: matching this pattern takes too many steps"},
    {"{}\n", "error: --kernel: matching '%s' takes too many steps"},
};

static struct str with_pattern(struct arena *arena, const char *text, const char *pattern)
{
    struct str rest = str_of(text);
    size_t hole = str_find(rest, STR("%s"));
    if (hole == STR_NONE)
        return rest;
    return arena_fmt(arena, "%.*s%s%.*s", STR_ARG(str_sub(rest, 0, hole)), pattern, STR_ARG(str_from(rest, hole + 2)));
}

/* How long judging takes, in ms; messages are appended to *said. */
static double judge_ms(enum way way, const char *pattern, const struct config *config, struct ruleset *rules,
                       const struct model *model, struct buf *said)
{
    struct diags diags = {0};
    struct regex_error error = {0};
    struct linter_options options = {
        .launch_config = launch_config_none(), .fail_on = SEVERITY_WARNING, .config = config};
    if (way == IN_AN_OPTION)
        options.kernel = regex_new(str_of(pattern), &error);
    clock_t start = clock();
    struct linter *linter = linter_new(rules, model, &options);
    bool ok = linter_run(linter, &diags);
    double ms = (double)(clock() - start) * 1000 / CLOCKS_PER_SEC;
    ck_assert_msg(!ok, "%s is judged", pattern);
    diags_render(&diags, said);
    diags_free(&diags);
    linter_free(linter);
    regex_free(options.kernel);
    return ms;
}

/* Takes the fastest of three runs, because the machine may be busy. */
static void explode(enum way way, const char *pattern, const struct model *model)
{
    struct arena arena = {0};
    double best = HUGE_VAL;
    const char *folder = enter_folder(with_pattern(&arena, ways[way].yaml, pattern));
    struct str expected = with_pattern(&arena, ways[way].error, pattern);
    for (int round = 0; round < 3; round++) {
        struct config config;
        struct ruleset rules = {0};
        struct diags diags = {0};
        struct buf said = {0};
        ck_assert(load(&config, &rules, &diags));
        best = fmin(best, judge_ms(way, pattern, &config, &rules, model, &said));
        ck_assert_msg(str_find(buf_str(&said), expected) != STR_NONE, "said: %.*s\nexpected: %.*s",
                      STR_ARG(buf_str(&said)), STR_ARG(expected));
        buf_free(&said);
        config_free(&config);
        ruleset_free(&rules);
        diags_free(&diags);
    }
    ck_assert_msg(best < bound_ms(50), "%s took %.1f ms in way %d", pattern, best, (int)way);
    leave_folder(folder);
    arena_free(&arena);
}

START_TEST(patterns_with_exponential_time_stop_soon_and_are_named)
{
    static const char *const patterns[] = {"(a+)+$",    "^(a|aa)+$",     "((a|a)*)*$",
                                           "(.*)*[xy]", "(a|b|ab)*[cd]", "^(([a-z])+.)+[A-Z]([a-z])+$"};
    struct model model = {0};
    struct buf log = {0};
    buf_add(&log, STR("kernel "));
    buf_pad(&log, 'a', 20000);
    buf_add(&log, STR("! sm_90 40 8\n"));
    read_log(&model, buf_str(&log));
    for (int way = 0; way < WAYS; way++)
        for (size_t at = 0; at < sizeof patterns / sizeof *patterns; at++)
            explode((enum way)way, patterns[at], &model);
    model_free(&model);
    buf_free(&log);
}
END_TEST

/* ---- sizes, places, days ---- */

START_TEST(a_large_file_is_refused)
{
    const char *folder = enter_folder(STR(""));
    struct buf text = {0};
    struct config config;
    struct diags diags = {0};
    buf_pad(&text, '#', (1 << 20) + 1);
    write_file(STR(CONFIG_NAME), buf_str(&text));
    ck_assert(!config_load(&config, STR(CONFIG_NAME), INPUT_REGULAR, &diags));
    ck_assert_uint_eq(diags.count, 1);
    ck_assert(str_find(diags.items[0].message, STR("1048576 bytes")) != STR_NONE);
    config_free(&config);
    diags_free(&diags);
    buf_free(&text);
    leave_folder(folder);
}
END_TEST

/* Bytes that the text of a test case cannot contain. */
START_TEST(invalid_bytes_are_refused)
{
    static const struct {
        struct str text;
        const char *message;
        size_t line, column;
    } rows[] = {
        {STR_INIT("archs: sm_90\nfail-on: \xff\n"), "not YAML: invalid leading UTF-8 octet", 2, 10},
        {STR_INIT("archs: sm\0_90\n"), "not YAML: control characters are not allowed", 1, 10},
        {STR_INIT("archs: \x1b[31m\n"), "not YAML: control characters are not allowed", 1, 8},
        {STR_INIT("# \xed\xa0\x80\n"), "not YAML: invalid Unicode character", 1, 3},
    };
    for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
        const char *folder = enter_folder(rows[at].text);
        struct config config;
        struct diags diags = {0};
        ck_assert(!config_load(&config, STR(CONFIG_NAME), INPUT_REGULAR, &diags));
        ck_assert_uint_ge(diags.count, 1);
        ck_assert(str_starts(diags.items[0].message, str_of(rows[at].message)));
        ck_assert_uint_eq(diags.items[0].place.line, rows[at].line);
        ck_assert_uint_eq(diags.items[0].place.column, rows[at].column);
        config_free(&config);
        diags_free(&diags);
        leave_folder(folder);
    }
}
END_TEST

static void expect_found(const char *from, const char *expected)
{
    struct buf path = {0};
    bool found = config_find(str_of(from), &path);
    ck_assert_msg(found == (expected != NULL), "from '%s': %.*s", from, STR_ARG(buf_str(&path)));
    ck_assert_msg(!found || str_eq(buf_str(&path), str_of(expected)), "from '%s': %.*s", from, STR_ARG(buf_str(&path)));
    buf_free(&path);
}

START_TEST(the_nearest_configuration_up_to_the_repository)
{
    const char *folder = enter_folder(STR("archs: sm_90\n--- file repo/.git/HEAD\nx\n--- file repo/a/b/file\nx\n"
                                          "--- file repo/a/.warplint.yaml\narchs: sm_80\n--- file other/x\n"));
    expect_found("", ".warplint.yaml");
    expect_found("repo", NULL);
    expect_found("repo/a", "repo/a/.warplint.yaml");
    expect_found("repo/a/", "repo/a/.warplint.yaml");
    expect_found("repo/a/b", "repo/a/.warplint.yaml");
    expect_found("repo/a/b/../b", "repo/a/b/../.warplint.yaml");
    expect_found("./repo/a/b", "./repo/a/.warplint.yaml");
    expect_found("other", ".warplint.yaml");
    ck_assert_int_eq(chdir("repo/a/b"), 0);
    expect_found("", "../.warplint.yaml");
    leave_folder(folder);
}
END_TEST

START_TEST(days)
{
    static const struct {
        const char *text;
        int64_t day; /* INT64_MIN: not a date */
    } rows[] = {
        {"1970-01-01", 0},         {"1970-03-01", 59},        {"2000-02-29", 11016},     {"2026-11-21", 20778},
        {"2100-02-28", 47540},     {"1969-12-31", -1},        {"0001-01-01", -719162},   {"9999-12-31", 2932896},
        {"2100-02-29", INT64_MIN}, {"2026-13-01", INT64_MIN}, {"2026-00-10", INT64_MIN}, {"2026-04-31", INT64_MIN},
        {"2026-4-01", INT64_MIN},  {"20260401", INT64_MIN},   {"2026/04/01", INT64_MIN}, {"2026-04-01 ", INT64_MIN},
        {"", INT64_MIN},           {"0000-01-01", INT64_MIN},
    };
    for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
        int64_t day = INT64_MIN;
        bool ok = date_parse(str_of(rows[at].text), &day);
        ck_assert_msg(ok == (rows[at].day != INT64_MIN) && day == rows[at].day, "%s: %lld", rows[at].text,
                      (long long)day);
    }
}
END_TEST

START_TEST(today_follows_the_epoch_of_the_build)
{
    struct diags diags = {0};
    int64_t day = 0;
    setenv("SOURCE_DATE_EPOCH", "1795305599", 1);
    ck_assert(date_today(&day, &diags));
    ck_assert_int_eq(day, 20778);
    setenv("SOURCE_DATE_EPOCH", "yesterday", 1);
    ck_assert(!date_today(&day, &diags));
    ck_assert_uint_eq(diags.errors, 1);
    unsetenv("SOURCE_DATE_EPOCH");
    ck_assert(date_today(&day, &diags));
    ck_assert_int_gt(day, 20000);
    diags_free(&diags);
}
END_TEST

int main(void)
{
    TCase *files = tcase_create("files"), *parts = tcase_create("parts");
    tcase_add_test(files, errors_in_configurations_have_their_place);
    tcase_add_test(files, configurations_have_their_effect);
    tcase_add_test(parts, patterns_with_exponential_time_stop_soon_and_are_named);
    tcase_add_test(parts, a_bound_that_is_exact);
    tcase_add_test(parts, equal_launch_configurations_have_one_number);
    tcase_add_test(parts, a_large_file_is_refused);
    tcase_add_test(parts, invalid_bytes_are_refused);
    tcase_add_test(parts, the_nearest_configuration_up_to_the_repository);
    tcase_add_test(parts, days);
    tcase_add_test(parts, today_follows_the_epoch_of_the_build);
    tcase_set_timeout(files, 60);
    tcase_set_timeout(parts, 60);
    TCase *cases[] = {files, parts};
    return run_suite("config", cases, sizeof cases / sizeof *cases);
}
