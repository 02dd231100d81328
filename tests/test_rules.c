/* The built-in rules: each against the excerpts in its file, and the cases on which severities and numbers depend. */
#include "testing.h"

#include "base/file.h"
#include "baseline/compare.h"
#include "lint/example.h"
#include "lint/group.h"
#include "log/input.h"
#include "log/reader.h"
#include "rules/embedded_rule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A log that was read and judged, with everything that a test looks at. */
struct trial {
    struct ruleset rules;
    struct model model;
    struct linter *linter;
    struct diags diags;
    struct linter_options options;
    struct buf text;
    bool ok; /* the result of linter_run */
};

static struct trial trial_new(const char *select)
{
    struct trial trial = {.options = {.launch_config = launch_config_none(), .fail_on = SEVERITY_WARNING}};
    ck_assert(ruleset_load_builtin(&trial.rules, &trial.diags));
    if (select)
        ck_assert_msg(ruleset_select(&trial.rules, str_of(select), &trial.diags), "no rule %s", select);
    return trial;
}

static void on_line(void *context, struct str line, uint16_t log, uint64_t number)
{
    linter_line(((struct trial *)context)->linter, line, log, (size_t)number);
}

static void trial_run(struct trial *trial, struct str log)
{
    trial->linter = linter_new(&trial->rules, &trial->model, &trial->options);
    struct input *input = input_new(&trial->model, STR("build.log"), &trial->diags);
    if (rule_lines_wanted(&trial->rules))
        input_on_line(input, on_line, trial);
    input_feed(input, log);
    ck_assert(input_finish(input, NULL));
    model_link(&trial->model);
    trial->ok = linter_run(trial->linter, &trial->diags);
}

static void trial_free(struct trial *trial)
{
    linter_free(trial->linter);
    model_free(&trial->model);
    ruleset_free(&trial->rules);
    diags_free(&trial->diags);
    buf_free(&trial->text);
}

/* "error rule-id: message" for each finding, one per line. */
static const char *said(struct trial *trial)
{
    buf_clear(&trial->text);
    for (size_t at = 0; at < trial->linter->finding_count; at++) {
        const struct finding *finding = &trial->linter->findings[at];
        buf_fmt(&trial->text, "%s %s: ", severity_names[finding->severity], trial->rules.rules[finding->rule].id.ptr);
        finding_message(trial->linter, finding, &trial->text);
        buf_char(&trial->text, '\n');
    }
    buf_char(&trial->text, '\0');
    return trial->text.ptr;
}

/* Runs one rule on one log with one block size (0: unknown) and compares the findings. */
static void expect(const char *rule, struct launch_config launch_config, const char *log, const char *expected)
{
    struct trial trial = trial_new(rule);
    trial.options.launch_config = launch_config;
    trial_run(&trial, str_of(log));
    ck_assert(trial.ok);
    ck_assert_str_eq(said(&trial), expected);
    trial_free(&trial);
}

static struct launch_config with_threads(int threads, enum threads_from from)
{
    struct launch_config launch_config = launch_config_none();
    launch_config.threads = threads;
    launch_config.threads_from = (uint8_t)from;
    return launch_config;
}

/* ---- every rule ------------------------------------------------------------------------------------------------- */

START_TEST(every_rule_has_its_texts)
{
    struct trial trial = trial_new(NULL);
    ck_assert_uint_ge(trial.rules.count, 19);
    for (size_t at = 0; at < trial.rules.count; at++) {
        const struct rule *rule = &trial.rules.rules[at];
        ck_assert_msg(rule->title.len && rule->why.len && rule->hint.len && rule->see.count, "%s lacks a text",
                      rule->id.ptr);
        ck_assert_msg(rule->bad.len && rule->good.len, "%s lacks an excerpt", rule->id.ptr);
        ck_assert(rule->builtin);
    }
    trial_free(&trial);
}
END_TEST

static void same_tree(const struct yml_node *read, const struct yml_node *flat)
{
    for (; read && flat; read = read->next, flat = flat->next) {
        ck_assert(str_eq(read->scalar, flat->scalar) && str_eq(read->key, flat->key));
        ck_assert(read->kind == flat->kind && read->plain == flat->plain);
        ck_assert(read->key_at == flat->key_at && read->from == flat->from && read->to == flat->to);
        ck_assert_uint_eq(read->count, flat->count);
        same_tree(read->first, flat->first);
    }
    ck_assert(!read && !flat);
}

START_TEST(left_to_is_transitive)
{
    struct trial trial = trial_new(NULL);
    for (size_t at = 0; at < trial.rules.count; at++) {
        const struct rule *rule = &trial.rules.rules[at];
        for (size_t other = 0; other < rule->superseded_by.count; other++) {
            const struct rule *speaker = ruleset_find(&trial.rules, rule->superseded_by.items[other]);
            ck_assert_msg(speaker && speaker != rule && speaker->kind != RULE_PATTERN, "%.*s: left-to %.*s",
                          STR_ARG(rule->id), STR_ARG(rule->superseded_by.items[other]));
            for (size_t next = 0; next < speaker->superseded_by.count; next++)
                ck_assert_msg(str_list_has(&rule->superseded_by, speaker->superseded_by.items[next]),
                              "%.*s: left-to names %.*s and not %.*s", STR_ARG(rule->id), STR_ARG(speaker->id),
                              STR_ARG(speaker->superseded_by.items[next]));
        }
    }
    trial_free(&trial);
}
END_TEST

START_TEST(next_of_names_a_rule_of_the_same_kind_with_next)
{
    struct trial trial = trial_new(NULL);
    size_t count = 0;
    for (size_t at = 0; at < trial.rules.count; at++) {
        const struct rule *rule = &trial.rules.rules[at];
        if (rule->next_of.len == 0)
            continue;
        const struct rule *other = ruleset_find(&trial.rules, rule->next_of);
        ck_assert_msg(other && other->next_count && other->kind == rule->kind, "%.*s: next-of %.*s", STR_ARG(rule->id),
                      STR_ARG(rule->next_of));
        count++;
    }
    ck_assert_uint_ge(count, 5);
    trial_free(&trial);
}
END_TEST

/* The trees that the build embeds into the program equal those that the YAML reader makes of the files. */
START_TEST(built_in_rules_are_the_files)
{
    struct path_list files = {0};
    struct diags diags = {0};
    ck_assert(file_walk(STR(WARPLINT_SOURCE_DIR "/rules"), STR(".yaml"), &files, &diags));
    ck_assert_uint_eq(files.count, builtin_rule_count);
    for (size_t at = 0; at < files.count; at++) {
        struct buf text = {0};
        struct yml read, flat;
        ck_assert(file_read(files.paths[at], INPUT_REGULAR, 1 << 20, &text, &diags));
        ck_assert(yml_parse(&read, files.paths[at], buf_str(&text), &diags));
        embedded_rule_tree(&builtin_rules[at], &flat);
        ck_assert(str_eq(read.text, flat.text));
        ck_assert_uint_eq(read.line_count, flat.line_count);
        ck_assert(memcmp(read.lines, flat.lines, read.line_count * sizeof *read.lines) == 0);
        same_tree(read.root, flat.root);
        yml_free(&read);
        yml_free(&flat);
        buf_free(&text);
    }
    path_list_free(&files);
    diags_free(&diags);
}
END_TEST

/* The severities that users rely on; all other rules are "note" or "off". */
START_TEST(severities_are_unchanged)
{
    static const struct {
        const char *id;
        enum severity severity;
    } rows[] = {
        {"register-spill", SEVERITY_ERROR},
        {"spill-in-loop", SEVERITY_ERROR},
        {"spill-moved-into-loop", SEVERITY_WARNING},
        {"unlaunchable", SEVERITY_ERROR},
        {"too-much-shared", SEVERITY_ERROR},
        {"register-allocation-failed", SEVERITY_ERROR},
        {"wgmma-serialized", SEVERITY_ERROR},
        {"setmaxnreg-ignored", SEVERITY_ERROR},
        {"spill-warning", SEVERITY_ERROR},
        {"register-ceiling", SEVERITY_WARNING},
        {"unroll-failed", SEVERITY_WARNING},
        {"occupancy-cliff", SEVERITY_WARNING},
        {"dynamic-indexing", SEVERITY_WARNING},
        {"launch-bounds-ignored", SEVERITY_WARNING},
        {"over-budget", SEVERITY_WARNING},
        {"maxrregcount-ignored", SEVERITY_WARNING},
        {"stack-unknown", SEVERITY_WARNING},
        {"binary-mismatch", SEVERITY_WARNING},
        {"profile-mismatch", SEVERITY_WARNING},
        {"fp64-use", SEVERITY_OFF},
        {"new-spill", SEVERITY_ERROR},
        {"spill-regression", SEVERITY_ERROR},
        {"register-regression", SEVERITY_WARNING},
        {"occupancy-regression", SEVERITY_WARNING},
        {"smem-regression", SEVERITY_WARNING},
        {"successor-regression", SEVERITY_WARNING},
        {"debug-regression", SEVERITY_WARNING},
        {"compile-time", SEVERITY_OFF},
        {"local-memory-reservation", SEVERITY_OFF},
    };
    struct trial trial = trial_new(NULL);
    for (size_t at = 0; at < trial.rules.count; at++) {
        enum severity expected = SEVERITY_NOTE;
        for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
            if (str_eq(trial.rules.rules[at].id, str_of(rows[row].id)))
                expected = rows[row].severity;
        ck_assert_msg(trial.rules.rules[at].severity == expected, "%s is %s", trial.rules.rules[at].id.ptr,
                      severity_names[trial.rules.rules[at].severity]);
    }
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
        ck_assert_msg(ruleset_find(&trial.rules, str_of(rows[row].id)) != NULL, "%s is missing", rows[row].id);
    trial_free(&trial);
}
END_TEST

static size_t count_findings(struct rule *rule, struct str log)
{
    struct example example;
    struct diags diags = {0};
    ck_assert(example_try(rule, STR("build.log"), log, &example, &diags));
    size_t count = example.findings;
    ck_assert_msg(str_find_char(buf_str(&example.message), '?') == STR_NONE, "unknown in a message of %s: %.*s",
                  rule->id.ptr, (int)example.message.len, example.message.ptr);
    ck_assert_uint_eq(diags.count, 0);
    example_free(&example);
    diags_free(&diags);
    return count;
}

START_TEST(bad_fires_and_good_does_not)
{
    struct trial trial = trial_new(NULL);
    for (size_t at = 0; at < trial.rules.count; at++) {
        struct rule *rule = &trial.rules.rules[at];
        ck_assert_msg(count_findings(rule, rule->bad) > 0, "%s: bad does not fire", rule->id.ptr);
        ck_assert_msg(count_findings(rule, rule->good) == 0, "%s: good fires", rule->id.ptr);
    }
    trial_free(&trial);
}
END_TEST

/* ---- kernels ---------------------------------------------------------------------------------------------------- */

#define RECORD(arch, stack, spills, used)                                                                              \
    "ptxas info    : Compiling entry function '_Z1kPf' for '" arch "'\n"                                               \
    "ptxas info    : Function properties for _Z1kPf\n"                                                                 \
    "    " stack " bytes stack frame, " spills "\n"                                                                    \
    "ptxas info    : Used " used "\n"
#define CLEAN    "0 bytes spill stores, 0 bytes spill loads"
#define SPILLING "8 bytes spill stores, 12 bytes spill loads"
#define CAPPED   "ptxas info    : Overriding maximum register limit 256 for '_Z1kPf' with  64 of maxrregcount option\n"

START_TEST(spilling)
{
    expect("register-spill", launch_config_none(), RECORD("sm_80", "16", SPILLING, "40 registers, 360 bytes cmem[0]"),
           "error register-spill: spills 8 B stores and 12 B loads per thread at 40 registers\n");
    expect(
        "register-spill", launch_config_none(), CAPPED RECORD("sm_80", "16", SPILLING, "64 registers"),
        "error register-spill: spills 8 B stores and 12 B loads per thread at the 64-register cap of -maxrregcount\n");
    expect("register-spill", launch_config_none(), RECORD("sm_80", "16", CLEAN, "40 registers"), "");
    expect("register-spill", launch_config_none(),
           RECORD("sm_90", "0", "-56 bytes spill stores, -60 bytes spill loads", "40 registers"), "");
    expect("register-spill", launch_config_none(), RECORD("sm_999", "16", SPILLING, "40 registers"),
           "error register-spill: spills 8 B stores and 12 B loads per thread at 40 registers\n");
}
END_TEST

START_TEST(ceilings)
{
    expect("register-ceiling", launch_config_none(), RECORD("sm_80", "0", CLEAN, "255 registers"),
           "warning register-ceiling: 255 registers per thread, the most that sm_80 gives\n");
    expect("register-ceiling", launch_config_none(), RECORD("sm_80", "0", CLEAN, "254 registers"), "");
    expect("register-ceiling", launch_config_none(), RECORD("sm_20", "0", CLEAN, "63 registers"),
           "warning register-ceiling: 63 registers per thread, the most that sm_20 gives\n");
    expect("register-ceiling", launch_config_none(), RECORD("sm_30", "0", CLEAN, "63 registers"),
           "warning register-ceiling: 63 registers per thread, the most that sm_30 gives\n");
    expect("register-ceiling", launch_config_none(), RECORD("sm_35", "0", CLEAN, "63 registers"), "");
    expect(
        "register-ceiling", launch_config_none(),
        "ptxas info    : Compiling entry function 'k' for 'sm_13'\nptxas info    : Used 124 registers, 16 bytes smem\n",
        "warning register-ceiling: 124 registers per thread, the most that sm_13 gives\n");
    expect("register-ceiling", launch_config_none(), RECORD("sm_999", "0", CLEAN, "255 registers"),
           "warning register-ceiling: 255 registers per thread, the most that sm_999 gives\n");
    expect("register-ceiling", launch_config_none(), CAPPED RECORD("sm_80", "0", CLEAN, "64 registers"),
           "note register-ceiling: 64 registers per thread, the cap of -maxrregcount\n");
    expect("register-ceiling", launch_config_none(), CAPPED RECORD("sm_80", "16", SPILLING, "64 registers"),
           "warning register-ceiling: 64 registers per thread, the cap of -maxrregcount, with spills\n");
    expect("register-ceiling", launch_config_none(), CAPPED RECORD("sm_80", "0", CLEAN, "62 registers"), "");
}
END_TEST

/* The numbers are those of the documented examples of the occupancy model. */
START_TEST(cliffs)
{
    const char *near = RECORD("sm_80", "0", CLEAN, "41 registers, used 0 barriers");
    expect("occupancy-cliff", with_threads(256, THREADS_CLI), near,
           "warning occupancy-cliff: at 41 registers per thread an SM holds 5 blocks of 256 threads (62.5 % "
           "occupancy); at 40 it would hold 6 (75 %)\n");
    expect("occupancy-cliff", with_threads(256, THREADS_BOUND), near,
           "note occupancy-cliff: at 41 registers per thread an SM holds 5 blocks of 256 threads, the largest that "
           "__launch_bounds__ allows (62.5 % occupancy); at 40 it would hold 6 (75 %)\n");
    expect("occupancy-cliff", launch_config_none(), near,
           "warning occupancy-cliff: at 41 registers per thread the best block size reaches 62.5 % occupancy; at 40 it "
           "would reach 75 %\n");
    expect("occupancy-cliff", with_threads(256, THREADS_CLI), RECORD("sm_80", "16", SPILLING, "41 registers"),
           "note occupancy-cliff: at 41 registers per thread an SM holds 5 blocks of 256 threads (62.5 % occupancy); "
           "at 40 it would hold 6 (75 %)\n");
    expect("occupancy-cliff", with_threads(256, THREADS_CLI), RECORD("sm_80", "0", CLEAN, "42 registers"),
           "warning occupancy-cliff: at 42 registers per thread an SM holds 5 blocks of 256 threads (62.5 % "
           "occupancy); at 40 it would hold 6 (75 %)\n");
    expect("occupancy-cliff", with_threads(256, THREADS_CLI), RECORD("sm_80", "0", CLEAN, "43 registers"), "");
    expect("occupancy-cliff", with_threads(256, THREADS_CLI), RECORD("sm_80", "0", CLEAN, "48 registers"),
           "note occupancy-cliff: at 48 registers per thread an SM holds 5 blocks of 256 threads (62.5 % occupancy); "
           "with one register more it would hold 4\n");
    expect("occupancy-cliff", with_threads(32, THREADS_CLI),
           RECORD("sm_80", "0", CLEAN, "16 registers, used 1 barriers, 16384 bytes smem"),
           "warning occupancy-cliff: at 16384 B of shared memory per block an SM holds 9 blocks of 32 threads (14.1 % "
           "occupancy); at 15744 B it would hold 10 (15.6 %)\n");
    expect("occupancy-cliff", launch_config_none(), RECORD("sm_80", "0", CLEAN, "43 registers"), "");
    expect("occupancy-cliff", launch_config_none(), RECORD("sm_80", "0", CLEAN, "32 registers"), "");
    expect("occupancy-cliff", launch_config_none(), RECORD("sm_999", "0", CLEAN, "41 registers"), "");
}
END_TEST

/* From `enough` (66 %) on, a step is only a note; independent instructions (ilp) count too. */
START_TEST(cliffs_above_enough)
{
    const char *near = RECORD("sm_80", "0", CLEAN, "41 registers, used 0 barriers");
    const char *high = RECORD("sm_80", "0", CLEAN, "34 registers, used 0 barriers");
    struct launch_config unknown = launch_config_none(), exact = with_threads(256, THREADS_CLI),
                         small = with_threads(32, THREADS_CLI);
    expect("occupancy-cliff", unknown, high,
           "note occupancy-cliff: at 34 registers per thread the best block size reaches 75 % occupancy; at 32 it "
           "would reach 100 %\n");
    expect("occupancy-cliff", exact, high,
           "note occupancy-cliff: at 34 registers per thread an SM holds 6 blocks of 256 threads (75 % occupancy); at "
           "32 it would hold 8 (100 %)\n");
    unknown.ilp = exact.ilp = 2;
    expect("occupancy-cliff", unknown, near,
           "note occupancy-cliff: at 41 registers per thread the best block size reaches 62.5 % occupancy; at 40 it "
           "would reach 75 %\n");
    expect("occupancy-cliff", exact, near,
           "note occupancy-cliff: at 41 registers per thread an SM holds 5 blocks of 256 threads (62.5 % occupancy); "
           "at 40 it would hold 6 (75 %)\n");
    small.ilp = 4; /* 14.1 % times 4 is below 66 %, times 5 above */
    const char *shared = RECORD("sm_80", "0", CLEAN, "16 registers, used 1 barriers, 16384 bytes smem");
    expect("occupancy-cliff", small, shared,
           "warning occupancy-cliff: at 16384 B of shared memory per block an SM holds 9 blocks of 32 threads (14.1 % "
           "occupancy); at 15744 B it would hold 10 (15.6 %)\n");
    small.ilp = 5;
    expect("occupancy-cliff", small, shared,
           "note occupancy-cliff: at 16384 B of shared memory per block an SM holds 9 blocks of 32 threads (14.1 % "
           "occupancy); at 15744 B it would hold 10 (15.6 %)\n");
}
END_TEST

/* How much of the gap the waves explain: all of it, at most a part, only the tail, nothing, or unknown. */
START_TEST(achieved_occupancy)
{
    const char *log = RECORD("sm_80", "0", CLEAN, "38 registers, used 0 barriers"); /* 6 blocks, 75 % */
    const char *rule = "achieved-below-theoretical";
    struct launch_config launch_config = with_threads(256, THREADS_PROFILE);
    expect(rule, launch_config, log, "");
    launch_config.achieved_occupancy = 0.57F;
    expect(rule, launch_config, log, "");
    launch_config.achieved_occupancy = 0.24F;
    expect(
        rule, launch_config, log,
        "note achieved-below-theoretical: achieved occupancy 24 %, theoretical 75 %; what the waves explain of it is "
        "not known: no grid or no number of SMs\n");
    launch_config.sms = 108;
    launch_config.grid = 216;
    expect(rule, launch_config, log,
           "note achieved-below-theoretical: achieved occupancy 24 %, theoretical 75 %; the grid of 216 blocks on 108 "
           "SMs allows at most 25 %\n");
    launch_config.grid = 1000;
    expect(rule, launch_config, log,
           "note achieved-below-theoretical: achieved occupancy 24 %, theoretical 75 %; 1.54 waves of blocks that all "
           "take the same time achieve 57.9 %\n");
    launch_config.grid = 1296;
    expect(
        rule, launch_config, log,
        "note achieved-below-theoretical: achieved occupancy 24 %, theoretical 75 %; 2 waves explain nothing of it\n");
    launch_config.profile_registers = 40; /* the profile is of another build */
    expect(rule, launch_config, log, "");
}
END_TEST

/* No finding at full occupancy, and none if launch bounds or a register cap determine the number of blocks. */
START_TEST(cliffs_without_a_finding)
{
    const char *near = RECORD("sm_80", "0", CLEAN, "41 registers, used 0 barriers");
    struct launch_config promised = with_threads(256, THREADS_BOUND), small = with_threads(32, THREADS_CLI);
    expect("occupancy-cliff", with_threads(256, THREADS_CLI), RECORD("sm_80", "0", CLEAN, "32 registers"), "");
    expect("occupancy-cliff", with_threads(256, THREADS_CLI), CAPPED RECORD("sm_80", "0", CLEAN, "64 registers"), "");
    expect("occupancy-cliff", with_threads(256, THREADS_CLI), RECORD("sm_80", "0", CLEAN, "64 registers"),
           "note occupancy-cliff: at 64 registers per thread an SM holds 4 blocks of 256 threads (50 % occupancy); "
           "with one register more it would hold 3\n");
    promised.min_blocks = 5;
    expect("occupancy-cliff", promised, near, "");
    promised.min_blocks = 4;
    expect("occupancy-cliff", promised, near,
           "note occupancy-cliff: at 41 registers per thread an SM holds 5 blocks of 256 threads, the largest that "
           "__launch_bounds__ allows (62.5 % occupancy); at 40 it would hold 6 (75 %)\n");
    small.min_blocks = 9;
    const char *shared = RECORD("sm_80", "0", CLEAN, "16 registers, used 1 barriers, 16384 bytes smem");
    expect("occupancy-cliff", small, shared, "");
    expect("smem-cliff", small, shared, "");
}
END_TEST

START_TEST(stack_frames)
{
    expect("dynamic-indexing", launch_config_none(), RECORD("sm_80", "64", CLEAN, "30 registers"),
           "warning dynamic-indexing: stack frame of 64 B per thread without spills\n");
    expect("dynamic-indexing", launch_config_none(), RECORD("sm_80", "63", CLEAN, "30 registers"), "");
    expect("dynamic-indexing", launch_config_none(), RECORD("sm_80", "4000", SPILLING, "30 registers"),
           "warning dynamic-indexing: local arrays or other objects take at least 3980 B of the stack frame of 4000 B "
           "per thread\n");
    expect("dynamic-indexing", launch_config_none(), RECORD("sm_80", "83", SPILLING, "30 registers"), "");
    /* a kernel of scalars, as ptxas printed it: its frame is larger than its stores */
    expect("dynamic-indexing", launch_config_none(),
           RECORD("sm_86", "1576", "1460 bytes spill stores, 1500 bytes spill loads", "64 registers"), "");
    expect("dynamic-indexing", launch_config_none(),
           RECORD("sm_80", "512", SPILLING, "30 registers") /* the function may spill into the frame of its caller */
           "ptxas info    : Function properties for _Z1fPf\n    0 bytes stack frame, " SPILLING "\n",
           "");
    expect("dynamic-indexing", launch_config_none(),
           "ptxas warning : Stack size for entry function '_Z1kPf' cannot be statically determined\n" RECORD(
               "sm_80", "512", CLEAN, "30 registers"),
           "");
    expect("dynamic-indexing", launch_config_none(),
           "ptxas info    : Function properties for _Z1fPf\n    512 bytes stack frame, " CLEAN "\n", "");
}
END_TEST

START_TEST(launches)
{
    const char *wide = RECORD("sm_80", "0", CLEAN, "134 registers");
    expect("unlaunchable", with_threads(384, THREADS_CLI), wide, "");
    expect("unlaunchable", with_threads(416, THREADS_CLI), wide,
           "error unlaunchable: 134 registers allow blocks of at most 384 threads, the launch has 416\n");
    expect("unlaunchable", with_threads(416, THREADS_BOUND), wide,
           "note unlaunchable: at the bound of 416 threads no block fits: 134 registers allow at most 384\n");
    expect("unlaunchable", with_threads(2048, THREADS_CLI), RECORD("sm_80", "0", CLEAN, "16 registers"),
           "error unlaunchable: 2048 threads per block, sm_80 allows 1024\n");
    expect("unlaunchable", launch_config_none(), wide, "");
    struct launch_config launch_config = launch_config_none();
    launch_config.dynamic_smem_bytes = 166912;
    expect("unlaunchable", launch_config, RECORD("sm_80", "0", CLEAN, "16 registers"), "");
    launch_config.dynamic_smem_bytes = 166913;
    expect("unlaunchable", launch_config, RECORD("sm_80", "0", CLEAN, "16 registers"),
           "error unlaunchable: 166913 B shared memory per block, sm_80 allows 166912 B\n");

    /* Launch bounds that the compiler accepts but no launch can have; bounds of 1025 threads still allow smaller
     * launches. */
    static const struct {
        const char *declared, *said;
    } rows[] = {
        {"maxntid=1025,1,1", ""},
        {"reqntid=512,2,1 reqnctapercluster=16,1,1", ""},
        {"reqntid=512,4,1", "error unlaunchable: 2048 threads per block, sm_90 allows 1024\n"},
        {"reqnctapercluster=32,1,1",
         "error unlaunchable: clusters of 32 blocks, a GPU allows at most 16: the launch fails\n"},
    };
    for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
        struct buf log = {0};
        buf_fmt(&log, "warplint info    : PTX 1: entry _Z1kPf sm_90 %s\n%s%c", rows[at].declared,
                RECORD("sm_90", "0", CLEAN, "10 registers"), 0);
        expect("unlaunchable", launch_config_none(), log.ptr, rows[at].said);
        buf_free(&log);
    }
}
END_TEST

/* ---- link records ----------------------------------------------------------------------------------------------- */

static const char linked[] = "ptxas info    : 0 bytes gmem\n" RECORD(
    "sm_90", "0", CLEAN,
    "24 registers, used 1 barriers, 256 bytes smem") "nvlink info    : 0 bytes gmem\n"
                                                     "nvlink info    : Function properties for '_Z1kPf':\n"
                                                     "nvlink info    : used 254 registers, used 1 barriers, 0 stack, "
                                                     "1280 bytes smem, 544 bytes cmem[0], 0 bytes lmem\n";

START_TEST(the_link_decides)
{
    struct trial trial = trial_new("unlaunchable");
    trial.options.launch_config = with_threads(512, THREADS_CLI);
    trial_run(&trial, str_of(linked));
    ck_assert_str_eq(said(&trial),
                     "error unlaunchable: 254 registers allow blocks of at most 256 threads, the launch has 512\n");
    ck_assert_uint_eq(trial.model.kernel_count, 2);
    ck_assert_uint_eq(trial.linter->counts.entries, 1);
    ck_assert_uint_eq(trial.linter->counts.kernels, 1);
    struct context *context = linter_record(trial.linter, 0);
    ck_assert(context->link);
    ck_assert_int_eq(context->registers, 254);
    ck_assert_int_eq(context->smem_bytes, 256); /* nvlink's 1280 include the system's 1024 on sm_90 */
    ck_assert_int_eq(trial.model.kernels[1].smem_bytes, 1280);
    trial_free(&trial);
}
END_TEST

/* ---- loops ------------------------------------------------------------------------------------------------------ */

#define LOOP                                                                                                           \
    "remark: a.cu:4:5: Starting analysis in loop, in function F[_Z1kPf]...\n"                                          \
    "remark: a.cu:4:5:       Loop has \"#pragma unroll\" (full unroll directive)\n"                                    \
    "remark: a.cu:4:5:     Warning : unable to fully unroll loop as directed by unroll(full) pragma because loop "     \
    "has a runtime trip count\n"
#define BY_FOUR "remark: a.cu:4:5: unrolled loop by a factor of 4 with run-time trip count\n"

/* Only whether the rule fires, and with which severity; the reader makes the text. */
static void expect_unroll(const char *log, const char *failed, const char *partial)
{
    struct trial trial = trial_new("unroll-failed,unroll-partial");
    trial_run(&trial, str_of(log));
    const char *text = said(&trial);
    ck_assert_msg(*failed ? strstr(text, failed) != NULL : !strstr(text, "unroll-failed"), "%s", text);
    ck_assert_msg(*partial ? strstr(text, partial) != NULL : !strstr(text, "unroll-partial"), "%s", text);
    ck_assert_uint_eq(trial.linter->finding_count, (size_t)(*failed != '\0') + (size_t)(*partial != '\0'));
    trial_free(&trial);
}

START_TEST(loops)
{
    expect_unroll(LOOP RECORD("sm_90", "0", CLEAN, "20 registers"), "warning unroll-failed: ", "");
    expect_unroll(LOOP BY_FOUR RECORD("sm_90", "0", CLEAN, "20 registers"), "",
                  "note unroll-partial: unrolled by 4 at run time: ");
    expect_unroll(LOOP BY_FOUR RECORD("sm_90", "128", CLEAN, "20 registers"),
                  "warning unroll-failed: unrolled by 4 at run time, 128 B stack frame: ", "");
    expect_unroll(LOOP BY_FOUR RECORD("sm_90", "0", SPILLING, "20 registers"), "warning unroll-failed: ", "");
    expect_unroll(LOOP BY_FOUR, "", "note unroll-partial: ");
    /* The record with the worst metrics decides, also if the loop's kernel is clean on another architecture. */
    expect_unroll(LOOP BY_FOUR RECORD("sm_90", "0", CLEAN, "20 registers") RECORD("sm_80", "64", CLEAN, "20 registers"),
                  "warning unroll-failed: ", "");
    expect_unroll("a.cu(5): warning #20058-D: the #pragma unroll must precede a loop\n",
                  "warning unroll-failed: pragma not used: ", "");
}
END_TEST

#define LOOP_IN(function, more)                                                                                        \
    "remark: a.cu:4:5: Starting analysis in loop, in function F[" function "]...\n"                                    \
    "remark: a.cu:4:5:       Loop has \"#pragma unroll\" (full unroll directive)\n"                                    \
    "remark: a.cu:4:5: Unable to fully unroll loop as directed by unroll(full) pragma because it cannot.\n" more

/* Three instances of a template: each has a finding, and reports show a loop once per rule. */
START_TEST(a_loop_is_found_in_each_kernel)
{
    struct trial trial = trial_new("unroll-failed,unroll-partial");
    trial_run(&trial, STR(LOOP_IN("_Z1jPf", BY_FOUR) LOOP_IN("_Z1kPf", BY_FOUR) LOOP_IN("_Z1kPf", BY_FOUR)
                              LOOP_IN("_Z1lPf", BY_FOUR) RECORD("sm_90", "16", CLEAN, "20 registers")));
    ck_assert_uint_eq(trial.linter->finding_count, 3);
    ck_assert_uint_eq(trial.linter->counts.by_severity[SEVERITY_WARNING], 1);
    ck_assert_uint_eq(trial.linter->counts.by_severity[SEVERITY_NOTE], 2);
    ck_assert_uint_eq(trial.linter->counts.failing, 1);
    ck_assert_ptr_nonnull(strstr(said(&trial), "unroll-failed: unrolled by 4 at run time, 16 B stack frame"));
    struct groups groups = {0};
    groups_make(&groups, trial.linter, false);
    ck_assert_uint_eq(groups.shown_count, 2);
    groups_free(&groups);
    trial_free(&trial);
}
END_TEST

/* ---- the linter -------------------------------------------------------------------------------------------------- */

START_TEST(counts_and_verdict)
{
    struct trial trial = trial_new("register-spill,register-ceiling");
    trial_run(
        &trial,
        STR(RECORD("sm_80", "16", SPILLING, "40 registers, used 0 barriers") RECORD("sm_90", "0", CLEAN,
                                                                                    "255 registers")
                RECORD("sm_999", "0", CLEAN,
                       "10 registers") "ptxas info    : Function properties for _Z1fPf\n    0 bytes stack frame, " CLEAN
                                       "\n"));
    const struct linter_counts *counts = &trial.linter->counts;
    ck_assert_uint_eq(counts->kernels, 1);
    ck_assert_uint_eq(counts->entries, 3);
    ck_assert_uint_eq(counts->functions, 1);
    ck_assert_uint_eq(counts->unknown_arch, 1);
    ck_assert_uint_eq(counts->no_threads, 3);
    ck_assert_uint_eq(counts->no_barriers, 1);
    ck_assert_uint_eq(counts->by_severity[SEVERITY_ERROR], 1);
    ck_assert_uint_eq(counts->by_severity[SEVERITY_WARNING], 1);
    ck_assert_uint_eq(counts->failing, 2);
    trial_free(&trial);
}
END_TEST

START_TEST(fail_on_counts_from_its_severity)
{
    static const struct {
        enum severity fail_on;
        size_t failing;
    } rows[] = {{SEVERITY_ERROR, 1}, {SEVERITY_WARNING, 2}, {SEVERITY_NOTE, 3}, {SEVERITY_OFF, 0}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct trial trial = trial_new("register-spill,register-ceiling");
        trial.options.fail_on = rows[row].fail_on;
        trial_run(&trial, STR(CAPPED RECORD("sm_86", "0", CLEAN, "64 registers") RECORD(
                              "sm_80", "16", SPILLING, "40 registers") RECORD("sm_90", "0", CLEAN, "255 registers")));
        ck_assert_uint_eq(trial.linter->counts.failing, rows[row].failing);
        trial_free(&trial);
    }
}
END_TEST

START_TEST(arch_filter_takes_the_family)
{
    const char *log = RECORD("sm_90a", "16", SPILLING, "40 registers") RECORD("sm_90", "16", SPILLING, "41 registers")
        RECORD("sm_80", "16", SPILLING, "42 registers");
    static const struct {
        const char *arch;
        size_t entries;
    } rows[] = {{"sm_90", 2}, {"sm_90a", 1}, {"sm_80", 1}, {"sm_75", 0}, {"9.0", 2}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct str arch = str_of(rows[row].arch);
        struct trial trial = trial_new("register-spill");
        trial.options.archs = (struct str_list){.items = &arch, .count = 1};
        trial_run(&trial, str_of(log));
        ck_assert_uint_eq(trial.linter->counts.entries, rows[row].entries);
        ck_assert_uint_eq(trial.linter->finding_count, rows[row].entries);
        ck_assert_uint_eq(trial.linter->counts.deselected, 3 - rows[row].entries);
        trial_free(&trial);
    }
}
END_TEST

START_TEST(kernel_filter_matches_the_readable_name)
{
    struct regex_error error = {0};
    struct trial trial = trial_new("register-spill");
    trial.options.kernel = regex_new(STR("^k\\(float\\*\\)$"), &error);
    trial_run(&trial,
              STR(RECORD("sm_90", "16", SPILLING,
                         "40 registers") "ptxas info    : Compiling entry function '_Z2k2Pf' for 'sm_90'\n"
                                         "ptxas info    : Function properties for _Z2k2Pf\n"
                                         "    8 bytes stack frame, " SPILLING "\nptxas info    : Used 20 registers\n"));
    ck_assert_uint_eq(trial.linter->counts.entries, 1);
    ck_assert_uint_eq(trial.linter->finding_count, 1);
    regex_free(trial.options.kernel);
    trial_free(&trial);
}
END_TEST

START_TEST(debug_builds_are_not_judged)
{
    struct trial trial = trial_new(NULL);
    trial_run(&trial,
              STR("nvcc -G -Xptxas=-v -arch=sm_80 -c a.cu -o a.o\n" RECORD("sm_80", "16", SPILLING, "255 registers")));
    ck_assert_str_eq(said(&trial),
                     "note debug-build: compiled with -G or without optimisation, its numbers are not judged\n");
    ck_assert_uint_eq(trial.linter->counts.debug, 1);
    trial_free(&trial);
}
END_TEST

/* ---- rules of a user -------------------------------------------------------------------------------------------- */

static void add_rule(struct trial *trial, const char *id, const char *text)
{
    bool ok = ruleset_add(&trial->rules, STR("user.yaml"), str_of(id), str_of(text), false, &trial->diags);
    diags_render(&trial->diags, &trial->text);
    ck_assert_msg(ok, "%.*s", (int)trial->text.len, trial->text.ptr);
}

/* A message is counted as not judged too if its rule needs a metric of the kernel that the log does not have. */
START_TEST(unknown_metrics_are_counted_as_not_judged)
{
    static const struct {
        const char *rule;
        size_t times;
    } expected[] = {{"register-spill", 1}, {"deep", 1}, {"wide", 0}};
    struct trial trial = trial_new("register-spill");
    add_rule(&trial, "deep", "id: deep\nseverity: note\nevent: stack-unknown\nwhen: 'stack_bytes > 0'\nmessage: 'x'\n");
    add_rule(&trial, "wide", "id: wide\nseverity: note\nevent: stack-unknown\nwhen: 'registers > 99'\nmessage: 'x'\n");
    trial_run(&trial, STR("ptxas warning : Stack size for entry function 'k' cannot be statically determined\n"
                          "ptxas info    : Compiling entry function 'k' for 'sm_20'\n"
                          "ptxas info    : Used 20 registers, 8+16 bytes smem\n"));
    ck_assert_uint_eq(trial.linter->finding_count, 0);
    for (size_t at = 0; at < sizeof expected / sizeof *expected; at++) {
        size_t rule = (size_t)(ruleset_find(&trial.rules, str_of(expected[at].rule)) - trial.rules.rules);
        ck_assert_uint_eq(trial.linter->not_judged[rule].times, expected[at].times);
    }
    trial_free(&trial);
}
END_TEST

START_TEST(a_case_may_be_off)
{
    struct trial trial = trial_new("debug-build");
    add_rule(&trial, "mine",
             "id: mine\nseverity: note\nwhen: 'registers > 0'\ncases:\n"
             "  - {when: 'registers < 40', severity: off, message: 'x'}\n  - message: '{registers}'\n");
    add_rule(&trial, "deep",
             "id: deep\nseverity: note\nevent: stack-unknown\ncases:\n"
             "  - {when: 'registers < 40', severity: off, message: 'x'}\n  - message: '{text}'\n");
    trial_run(&trial,
              STR("ptxas warning : Stack size for entry function '_Z1kPf' cannot be statically determined\n" RECORD(
                  "sm_80", "0", SPILLING, "20 registers") RECORD("sm_90", "0", SPILLING, "40 registers")));
    ck_assert_str_eq(said(&trial), "note mine: 40\n");
    trial_free(&trial);
}
END_TEST

START_TEST(a_case_lowers_the_severity_of_its_rule)
{
    static const struct {
        enum severity rule;
        const char *said;
    } rows[] = {
        {SEVERITY_ERROR, "warning mine: few\nerror mine: 40\n"},
        {SEVERITY_WARNING, "warning mine: few\nwarning mine: 40\n"},
        {SEVERITY_NOTE, "note mine: few\nnote mine: 40\n"},
    };
    for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
        struct trial trial = trial_new("debug-build");
        add_rule(&trial, "mine",
                 "id: mine\nseverity: error\nwhen: 'registers > 0'\ncases:\n"
                 "  - {when: 'registers < 40', severity: warning, message: 'few'}\n  - message: '{registers}'\n");
        ((struct rule *)ruleset_find(&trial.rules, STR("mine")))->severity = rows[at].rule; /* as configured */
        trial_run(&trial, STR(RECORD("sm_80", "0", CLEAN, "20 registers") RECORD("sm_90", "0", CLEAN, "40 registers")));
        ck_assert_str_eq(said(&trial), rows[at].said);
        trial_free(&trial);
    }
}
END_TEST

START_TEST(patterns_see_raw_lines)
{
    struct trial trial = trial_new("debug-build");
    add_rule(
        &trial, "slow-link",
        "id: slow-link\nseverity: note\npattern: 'linking (?<target>\\w+) took (?<seconds>\\d+) s'\n"
        "params: {max_s: 10}\nwhen: 'number(seconds) > max_s'\nmessage: '{target} took {number(seconds) / 60} min'\n");
    ck_assert(rule_lines_wanted(&trial.rules));
    trial_run(&trial, STR("linking app took 90 s\r\nlinking lib took 10 s\nlinking x took 9 s\n"));
    ck_assert_str_eq(said(&trial), "note slow-link: app took 1.5 min\n");
    struct finding_place place = finding_place(trial.linter, &trial.linter->findings[0]);
    ck_assert(place.in_log);
    ck_assert_uint_eq(place.log_line, 1);
    ck_assert(str_eq(place.log, STR("build.log")));
    trial_free(&trial);
}
END_TEST

START_TEST(a_rule_of_the_same_id_replaces)
{
    struct trial trial = trial_new("debug-build");
    size_t before = trial.rules.count;
    add_rule(&trial, "register-spill",
             "id: register-spill\nseverity: note\nwhen: 'spill_store_bytes > 100'\nmessage: 'mine'\n");
    ck_assert_uint_eq(trial.rules.count, before);
    ck_assert(!ruleset_find(&trial.rules, STR("register-spill"))->builtin);
    trial_run(&trial, STR(RECORD("sm_80", "16", SPILLING, "40 registers")));
    ck_assert_str_eq(said(&trial), "");
    trial_free(&trial);
}
END_TEST

/* Rules that use names are evaluated for each record, rules that use only metrics once for equal metrics. The results
 * must not depend on that. */
START_TEST(names_and_metrics_mix)
{
    struct trial trial = trial_new("debug-build");
    add_rule(
        &trial, "mine",
        "id: mine\nseverity: error\nwhen: \"registers >= 40 and name =~ '^k2' or log_line == 1 and stack_bytes > 0\"\n"
        "cases:\n  - when: 'mangled == \"_Z2k2Pf\"'\n    message: 'two {registers}'\n"
        "  - severity: note\n    message: 'one {log_line}'\nworst: 'log_line'\n");
    trial_run(&trial, STR(RECORD("sm_80", "16", SPILLING, "40 registers")
                              RECORD("sm_80", "16", SPILLING,
                                     "40 registers") "ptxas info    : Compiling entry function '_Z2k2Pf' for 'sm_80'\n"
                                                     "ptxas info    : Function properties for _Z2k2Pf\n"
                                                     "    16 bytes stack frame, " SPILLING
                                                     "\nptxas info    : Used 40 registers\n"));
    ck_assert_str_eq(said(&trial), "note mine: one 1\nerror mine: two 40\n");
    ck_assert(trial.linter->findings[1].worst > 8);
    trial_free(&trial);

    trial = trial_new("debug-build"); /* a case that uses the name, after kernels with the same metrics */
    add_rule(&trial, "mine",
             "id: mine\nseverity: error\nwhen: 'registers >= 40'\n"
             "cases:\n  - when: 'mangled == \"_Z2k2Pf\"'\n    message: 'two {registers}'\n");
    trial_run(&trial,
              STR(RECORD("sm_80", "0", CLEAN,
                         "40 registers") "ptxas info    : Compiling entry function '_Z2k2Pf' for 'sm_80'\n"
                                         "ptxas info    : Function properties for _Z2k2Pf\n"
                                         "    0 bytes stack frame, " CLEAN "\nptxas info    : Used 40 registers\n"));
    ck_assert_str_eq(said(&trial), "error mine: two 40\n");
    trial_free(&trial);
}
END_TEST

START_TEST(a_pattern_with_exponential_time_is_an_error)
{
    struct trial trial = trial_new("debug-build");
    add_rule(&trial, "boom", "id: boom\nseverity: note\nwhen: \"mangled =~ '(a+)+$'\"\nmessage: 'x'\n");
    struct buf log = {0};
    buf_add(&log, STR("ptxas info    : Compiling entry function '"));
    buf_pad(&log, 'a', 20000);
    buf_add(&log, STR("b' for 'sm_80'\nptxas info    : Used 8 registers\n"));
    trial_run(&trial, buf_str(&log));
    ck_assert(!trial.ok);
    ck_assert_uint_eq(trial.diags.errors, 1);
    ck_assert(str_find(trial.diags.items[0].message, STR("rule boom: ")) == 0);
    buf_free(&log);
    trial_free(&trial);
}
END_TEST

START_TEST(selection)
{
    struct trial trial = trial_new(NULL);
    ck_assert(ruleset_select(&trial.rules, STR("register-spill, unroll"), &trial.diags));
    ck_assert(ruleset_ignore(&trial.rules, STR("unroll-partial"), &trial.diags));
    size_t on = 0;
    for (size_t at = 0; at < trial.rules.count; at++)
        on += rule_is_on(&trial.rules.rules[at]);
    ck_assert_uint_eq(on, 3); /* register-spill itself, unroll-failed and unroll-unclear */
    ck_assert(!ruleset_select(&trial.rules, STR("register-spil1"), &trial.diags));
    ck_assert(str_find(trial.diags.items[0].message, STR("did you mean register-spill")) != STR_NONE);
    ck_assert(!ruleset_select(&trial.rules, STR("debug-build,,"), &trial.diags));
    trial_free(&trial);
}
END_TEST

START_TEST(a_word_that_leaves_out_rules_is_reported)
{
    static const struct {
        const char *select, *said; /* said: part of the warning, NULL: none */
    } rows[] = {
        {"spill", "leaves out capped-spill, new-spill, register-spill; write 'spill-'"},
        {"spill, register-spill", "leaves out capped-spill, new-spill; write"},
        {"spill-", NULL},
        {"register-spill", NULL},
        {"barrier", NULL},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct trial trial = trial_new(rows[row].select);
        ruleset_check_select(&trial.rules, str_of(rows[row].select), &trial.diags);
        ck_assert_uint_eq(trial.diags.count, rows[row].said != NULL);
        if (rows[row].said)
            ck_assert_msg(str_find(trial.diags.items[0].message, str_of(rows[row].said)) != STR_NONE, "%.*s",
                          STR_ARG(trial.diags.items[0].message));
        trial_free(&trial);
    }
}
END_TEST

/* ---- groups ----------------------------------------------------------------------------------------------------- */

static void add_instance(struct buf *log, int number, const char *arch, int spills)
{
    buf_fmt(log,
            "ptxas info    : Compiling entry function '_Z4tileILi%dEEvPf' for '%s'\n"
            "ptxas info    : Function properties for _Z4tileILi%dEEvPf\n"
            "    %d bytes stack frame, %d bytes spill stores, %d bytes spill loads\n"
            "ptxas info    : Used 40 registers, used 0 barriers\n",
            number, arch, number, spills, spills, spills);
}

START_TEST(instances_of_a_template_are_one_group)
{
    struct buf log = {0};
    for (int number = 0; number < 300; number++)
        add_instance(&log, number, number % 2 ? "sm_80" : "sm_90", number == 77 ? 900 : 8 + number);
    buf_add(&log, STR(RECORD("sm_80", "16", "16 bytes spill stores, 16 bytes spill loads", "40 registers")));
    struct trial trial = trial_new("register-spill");
    trial_run(&trial, buf_str(&log));
    struct groups groups;
    groups_make(&groups, trial.linter, false);
    ck_assert_uint_eq(groups.count, 2);
    ck_assert_uint_eq(groups.shown[0].count, 300);
    ck_assert_uint_eq(groups.shown[0].kernels, 300);
    ck_assert(str_eq(groups.shown[0].label, STR("tile")));
    ck_assert_uint_eq(groups.shown[0].worst, 77);
    ck_assert_uint_eq(groups.shown[1].count, 1);
    uint32_t *order = findings_sorted(trial.linter);
    ck_assert_uint_eq(order[0], 77);
    ck_assert_uint_eq(order[1], 299);
    for (size_t at = 1; at < trial.linter->finding_count; at++)
        ck_assert(trial.linter->findings[order[at - 1]].worst >= trial.linter->findings[order[at]].worst);
    free(order);
    groups_free(&groups);
    buf_free(&log);
    trial_free(&trial);
}
END_TEST

/* Records with many templates, sources, architectures and metrics, and messages. */
static void add_build(struct buf *log)
{
    static const char *const archs[] = {"sm_80", "sm_90", "sm_100"};
    uint64_t seed = 5;
    for (int number = 0; number < 3000; number++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        unsigned random = (unsigned)(seed >> 33);
        int spills = random % 5 ? 0 : 8 << random % 7, name = (int)(random >> 8) % 400;
        if (number % 500 == 0)
            buf_fmt(log, "nvcc -c -Xptxas=-v file%d.cu -o file%d.o\n", number / 1000, number / 1000);
        if (number % 300 == 7)
            buf_fmt(log, "ptxas warning : setmaxnreg ignored to maintain minimum register requirements %d\n", name);
        struct buf mangled = {0};
        buf_fmt(&mangled, "%s%dbox%dILi%dEE1kEPf", name % 11 ? "_ZN" : "_Q", name % 3 + 4, name % 90 + 10, name % 7);
        buf_fmt(log,
                "ptxas info    : Compiling entry function '%.*s' for '%s'\nptxas info    : Function properties for "
                "%.*s\n",
                STR_ARG(buf_str(&mangled)), archs[random % 3], STR_ARG(buf_str(&mangled)));
        buf_free(&mangled);
        buf_fmt(log,
                "    %d bytes stack frame, %d bytes spill stores, %d bytes "
                "spill loads\nptxas info    : Used %u registers, %u bytes smem\n",
                number % 9 ? spills : 256, spills, spills, random % 3 ? 16 + random % 64 : 255, random % 4 * 16384);
    }
}

static void add_word(struct buf *out, struct linter *linter, const struct groups *groups, const struct group *group)
{
    for (uint32_t m = 0; m < group->count; m++) {
        const struct finding *finding = &groups->findings[groups->members[group->first + m]];
        buf_fmt(out, " %u/%u", finding->kernel, finding->event);
    }
    finding_message(linter, &groups->findings[group->worst], out);
    buf_fmt(out, " %u %u %u %u %.*s\n", group->rule, group->severity, group->kernels, group->count,
            STR_ARG(group->label));
}

/* The whole result of a check of the log; without the memo every rule is evaluated for each kernel. */
static void show_build(struct str log, bool with_memo, struct buf *shown)
{
    struct trial trial = trial_new(NULL);
    struct groups groups;
    add_rule(&trial, "mine",
             "id: mine\nseverity: warning\nwhen: \"registers >= 60 and mangled =~ '_ZN4'\"\n"
             "message: '{registers}'\nworst: 'registers'\n");
    add_rule(&trial, "half",
             "id: half\nseverity: note\nwhen: 'registers > 30'\ncases:\n"
             "  - {when: 'registers < 40', severity: off, message: 'x'}\n  - message: '{registers}'\n");
    size_t remembered = 0;
    for (size_t rule = 0; rule < trial.rules.count; rule++) {
        remembered += trial.rules.rules[rule].asks_only_metrics;
        trial.rules.rules[rule].asks_only_metrics &= with_memo;
    }
    ck_assert_uint_gt(remembered, 15);
    trial_run(&trial, log);
    struct linter *linter = trial.linter;
    groups_make(&groups, linter, false);
    buf_fmt(shown, "%zu findings, %zu groups, %zu shown\n", linter->finding_count, groups.count, groups.shown_count);
    for (int severity = 0; severity <= SEVERITY_ERROR; severity++)
        buf_fmt(shown, "%zu ", linter->counts.by_severity[severity]);
    for (size_t rule = 0; rule < linter->rules->count; rule++)
        buf_fmt(shown, "%zu ", linter->not_judged[rule].times);
    for (size_t at = 0; at < groups.shown_count; at++)
        add_word(shown, linter, &groups, &groups.shown[at]);
    groups_free(&groups);
    trial_free(&trial);
}

START_TEST(the_memo_changes_no_result)
{
    struct buf log = {0}, with = {0}, without = {0};
    add_build(&log);
    show_build(buf_str(&log), true, &with);
    show_build(buf_str(&log), false, &without);
    ck_assert_msg(str_eq(buf_str(&with), buf_str(&without)), "with:\n%.900s\nwithout:\n%.900s", with.ptr, without.ptr);
    buf_free(&log);
    buf_free(&with);
    buf_free(&without);
}
END_TEST

/* One of many kinds of records: architectures, functions, debug builds, bounds. */
static void add_piece(struct buf *log, int number)
{
    static const char *const archs[] = {"sm_80", "sm_30", "sm_90", "sm_20", "sm_999"};
    static const char *const bounds[] = {"", "maxntid=256,1,1", "maxntid=256,1,1 minnctapersm=4", "reqntid=256,1,1"};
    enum { ARCHS = sizeof archs / sizeof *archs, CHANGES = 6 };
    int kind = number / 2, change = number % 2 ? kind % CHANGES : CHANGES;
    char arch[16];
    snprintf(arch, sizeof arch, "sm_5%02d", kind % 97);
    if (kind % 4)
        snprintf(arch, sizeof arch, "%s", archs[kind % ARCHS]);
    buf_fmt(log, "[1/1] nvcc %s -c -arch=%s a.cu -o a.o\n", kind % 3 ? "" : "-G", arch);
    if ((kind % 19 == 1) != (change == 0))
        buf_fmt(log, "ptxas warning : Stack size for entry function 'k%d' cannot be statically determined\n", number);
    if (kind % 3 == 2)
        buf_fmt(log,
                "ptxas info    : Overriding maximum register limit 256 for 'k%d' with  %d of maxrregcount option\n",
                number, change == 1 ? 64 : 41);
    if (kind % 11)
        buf_fmt(log,
                "warplint info    : PTX 1: entry k%d %s %s\n"
                "ptxas info    : Compiling entry function 'k%d' for '%s'\n",
                number, arch, bounds[(kind % 7 + (change == 2)) % 4], number, arch);
    buf_fmt(log,
            "ptxas info    : Function properties for k%d\n"
            "    %d bytes stack frame, 0 bytes spill stores, %d bytes spill loads\n",
            number, kind % 13 ? 0 : 128, kind % 5 ? 0 : 4);
    if (kind % 11)
        buf_fmt(log, "ptxas info    : Used %d registers, %d bytes smem\n", (int[]){41, 63, 255, 64}[kind % 4],
                kind % 17 ? 16384 : 0);
    if (kind % 4 != 1 && kind % 11)
        buf_fmt(log,
                "nvlink info    : Function properties for 'k%d': (target: %s)\n"
                "nvlink info    : used %d registers, used %d barriers, 0 stack, %d bytes smem, 360 bytes cmem[0], 0 "
                "bytes lmem (target: %s)\n",
                number, arch, change == 3 ? 66 : 41, change == 4, change == 5 ? 30000 : 16384, arch);
}

/* One rule for each metric that is not part of the memo's key. */
static void add_questions(struct trial *trial)
{
    static const char *const questions[] = {"smem_bytes > 20000", "stack_undetermined", "min_blocks == 4", "from_link",
                                            "register_cap == 41", "barriers == 1",      "registers == 66", "debug"};
    for (size_t at = 0; at < sizeof questions / sizeof *questions; at++) {
        struct buf rule = {0};
        char id[8] = {'q', (char)('a' + at)};
        buf_fmt(&rule, "id: %s\ndebug-builds: true\nwhen: '%s'\nmessage: '%s of {name}'\n%c", id, questions[at],
                questions[at], '\0');
        add_rule(trial, id, rule.ptr);
        buf_free(&rule);
    }
}

/* Appends the findings of the log and adds up how many records were not judged. */
static void judge_pieces(struct str log, struct launch_config launch_config, struct buf *found, size_t *not_judged)
{
    struct trial trial = trial_new(NULL);
    add_questions(&trial);
    trial.options.launch_config = launch_config;
    trial_run(&trial, log);
    ck_assert(trial.ok);
    while (trial.linter->finding_count && trial.linter->findings[trial.linter->finding_count - 1].event != NO_INDEX)
        trial.linter->finding_count--;
    buf_add(found, str_of(said(&trial)));
    for (size_t rule = 0; rule < trial.rules.count; rule++)
        *not_judged += trial.linter->not_judged[rule].times;
    trial_free(&trial);
}

/* A remembered result of other records must not be used for a record that differs. */
START_TEST(records_are_judged_as_if_each_were_alone)
{
    enum { PIECES = 250 };
    struct buf log = {0}, piece = {0}, together = {0}, alone = {0};
    size_t not_judged_together = 0, not_judged_alone = 0;
    struct launch_config launch_config = _i ? with_threads(128, THREADS_CLI) : launch_config_none();
    for (int number = 0; number < PIECES; number++) {
        buf_clear(&piece);
        add_piece(&piece, number);
        buf_add(&log, buf_str(&piece));
        judge_pieces(buf_str(&piece), launch_config, &alone, &not_judged_alone);
    }
    judge_pieces(buf_str(&log), launch_config, &together, &not_judged_together);
    ck_assert(str_eq(buf_str(&together), buf_str(&alone)));
    ck_assert_uint_eq(not_judged_together, not_judged_alone);
    ck_assert_uint_gt(not_judged_together, 0);
    static const char *const rules[] = {
        " occupancy-cliff:", " register-ceiling:", " qa:", " qb:", " qc:", " qd:", " qe:", " qf:", " qg:", " qh:"};
    for (size_t at = 0; at < sizeof rules / sizeof *rules; at++)
        ck_assert_msg(str_find(buf_str(&together), str_of(rules[at])) != STR_NONE, "nothing of%s", rules[at]);
    buf_free(&log);
    buf_free(&piece);
    buf_free(&together);
    buf_free(&alone);
}
END_TEST

/* With more groups than the sort keeps in order, the sorted part equals the start of the full order. */
START_TEST(the_worst_groups_come_first)
{
    struct buf log = {0};
    for (int number = 0; number < 1000; number++) {
        int spills = 4 + number * 7919 % 500 * 4;
        buf_fmt(&log,
                "ptxas info    : Compiling entry function 'k%d' for 'sm_80'\n"
                "ptxas info    : Function properties for k%d\n"
                "    %d bytes stack frame, %d bytes spill stores, 0 bytes spill loads\n"
                "ptxas info    : Used 40 registers\n",
                number, number, spills, spills);
    }
    struct trial trial = trial_new("register-spill");
    trial_run(&trial, buf_str(&log));
    struct groups groups;
    groups_make(&groups, trial.linter, false);
    uint32_t *order = findings_sorted(trial.linter);
    ck_assert_uint_eq(groups.count, 1000);
    for (size_t at = 0; at < GROUPS_SHOWN; at++)
        ck_assert_uint_eq(groups.shown[at].worst, order[at]);
    free(order);
    groups_free(&groups);
    buf_free(&log);
    trial_free(&trial);
}
END_TEST

int main(void)
{
    TCase *each = tcase_create("each"), *figures = tcase_create("figures"), *linter = tcase_create("judge");
    tcase_add_test(each, every_rule_has_its_texts);
    tcase_add_test(each, left_to_is_transitive);
    tcase_add_test(each, next_of_names_a_rule_of_the_same_kind_with_next);
    tcase_add_test(each, built_in_rules_are_the_files);
    tcase_add_test(each, severities_are_unchanged);
    tcase_add_test(each, bad_fires_and_good_does_not);
    tcase_add_test(figures, spilling);
    tcase_add_test(figures, ceilings);
    tcase_add_test(figures, cliffs);
    tcase_add_test(figures, cliffs_above_enough);
    tcase_add_test(figures, achieved_occupancy);
    tcase_add_test(figures, cliffs_without_a_finding);
    tcase_add_test(figures, stack_frames);
    tcase_add_test(figures, launches);
    tcase_add_test(figures, the_link_decides);
    tcase_add_test(figures, loops);
    tcase_add_test(figures, a_loop_is_found_in_each_kernel);
    tcase_add_test(linter, counts_and_verdict);
    tcase_add_test(linter, fail_on_counts_from_its_severity);
    tcase_add_test(linter, arch_filter_takes_the_family);
    tcase_add_test(linter, kernel_filter_matches_the_readable_name);
    tcase_add_test(linter, debug_builds_are_not_judged);
    tcase_add_test(linter, unknown_metrics_are_counted_as_not_judged);
    tcase_add_test(linter, a_case_may_be_off);
    tcase_add_test(linter, a_case_lowers_the_severity_of_its_rule);
    tcase_add_test(linter, patterns_see_raw_lines);
    tcase_add_test(linter, a_rule_of_the_same_id_replaces);
    tcase_add_test(linter, names_and_metrics_mix);
    tcase_add_test(linter, a_pattern_with_exponential_time_is_an_error);
    tcase_add_test(linter, selection);
    tcase_add_test(linter, a_word_that_leaves_out_rules_is_reported);
    tcase_add_test(linter, instances_of_a_template_are_one_group);
    tcase_set_timeout(linter, 60);
    tcase_add_loop_test(linter, records_are_judged_as_if_each_were_alone, 0, 2);
    tcase_add_test(linter, the_worst_groups_come_first);
    tcase_add_test(linter, the_memo_changes_no_result);
    TCase *cases[] = {each, figures, linter};
    return run_suite("rules", cases, sizeof cases / sizeof *cases);
}
