/*
 * wrap: runs the compiler as if `wrap` were not there, keeps a copy of its messages, and judges them if it succeeded.
 * compiler_command.c reads the command, run.c runs it, and judge.c judges in a separate process.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/wrap/wrap.h"

#include "base/stream.h"
#include "cli/records.h"
#include "nvcc/output_filter.h"
#include "nvcc/shim.h"

#include <stddef.h>
#include <stdlib.h>

/* Returns false with an error if a report would overwrite a file that the compiler makes or reads, or its record. */
static bool spares_files(struct wrap *wrap, const struct str_list *files)
{
    const struct outputs *outputs = &wrap->settings->common.outputs;
    for (size_t at = 0; at < files->count; at++) {
        struct str file = files->items[at], record = arena_fmt(&wrap->arena, "%.*s" RECORD_SUFFIX, STR_ARG(file));
        struct str report = outputs_replacing(outputs, file);
        if (report.len)
            return diag_error(wrap->diags, nowhere, "a report would be written to '%.*s', a file of the command itself",
                              STR_ARG(report));
        report = outputs_replacing(outputs, record);
        if (report.len)
            return diag_error(wrap->diags, nowhere, "a report would be written to '%.*s', the record of '%.*s'",
                              STR_ARG(report), STR_ARG(file));
    }
    return true;
}

static int wrap_command(struct wrap *wrap)
{
    const struct invocation *invocation = &wrap->invocation;
    int status = compiler_command_read(wrap);
    if (status != STATUS_OK)
        return status;
    if (wrap->settings->common.strict && invocation->phase == PHASE_PTX && invocation->sources.count)
        stream_print(STR("warplint: warning: not judged: the command makes no machine code (PTX or IR only)\n"));
    if (!invocation->makes_code && !invocation->links && !wrap->unjudged.len)
        return run_replacing_self(wrap);
    if (!invocation->launcher.moves &&
        !(spares_files(wrap, &invocation->outputs) && spares_files(wrap, &invocation->inputs)))
        return STATUS_USAGE;
    if (invocation->launcher.detaches)
        return run_detached(wrap);
    if (!wrap->unjudged.len)
        compiler_command_add_options(wrap);
    invocation_note_outputs(&wrap->invocation);
    return run_and_judge(wrap);
}

/* With --record-only the files that are needed only for judging are not read. An option that has no effect is a
 * warning, because --record-only must never fail a compile. */
static bool check_record_only(const struct wrap *wrap)
{
    static const char *const judging[] = {"baseline", "config", "fail-on", "ignore", "rules", "select"};
    const struct settings *settings = &wrap->settings->common;
    if (!wrap->settings->record_only)
        return true;
    if (settings_want_report(settings))
        return diag_error(wrap->diags, nowhere,
                          "--record-only judges nothing and writes no report: leave out -o, or --record-only");
    for (size_t at = 0; at < sizeof judging / sizeof *judging; at++)
        if (settings_gives(settings, judging[at]))
            diag_warning(
                wrap->diags, nowhere,
                "--record-only judges nothing, so --%s has no effect: give it to `warplint check`, or leave out "
                "--record-only",
                judging[at]);
    return true;
}

static int run_settings(struct session *session, void *settings)
{
    struct wrap wrap = {.settings = settings, .diags = &session->diags};
    if (!check_record_only(&wrap))
        return STATUS_USAGE;
    int status = wrap.settings->install_shim.len ? install_shim(&wrap) : wrap_command(&wrap);
    invocation_free(&wrap.invocation);
    arena_free(&wrap.arena);
    return status;
}

#define AT(member) offsetof(struct wrap_settings, member)
static const struct option_row options[] = {
    {"install-shim", 0, "DIR", set_path, AT(install_shim),
     "make a folder like the CUDA toolkit, with this wrapper as nvcc"},
    {"keep-output", 0, NULL, set_flag, AT(keep_output), "keep the object if a kernel fails"},
    {"no-hook", 0, NULL, set_flag, AT(no_hook), "do not read launch bounds and lines from the PTX"},
    {"no-remarks", 0, NULL, set_flag, AT(no_remarks), "do not ask the compiler about loops with #pragma unroll"},
    {"no-verbose", 0, NULL, set_flag, AT(no_verbose), "do not add -Xptxas=-v and -Xnvlink=-v to the command"},
    {"passthrough", 0, "none|warnings|all", set_word, AT(passthrough), "lines of ptxas to print; default: warnings"},
    {"record-only", 0, NULL, set_flag, AT(record_only), "write the record, do not judge, never fail"},
    {"where", 0, "auto|always|never", set_word, AT(where),
     "compile again to find the lines of spills; auto: if a finding fails"},
};
static const struct wrap_settings defaults = {.passthrough = PASS_WARNINGS};

const struct command command_wrap = {
    .name = "wrap",
    .what = "run the compiler, record its numbers, judge them",
    .usage = "usage: warplint wrap [OPTIONS] -- NVCC ARGUMENTS...\n"
             "       warplint wrap [OPTIONS] --install-shim DIR [-- NVCC]\n\n"
             "Run the compiler, record the numbers of its kernels, and judge them. The exit\n"
             "status is that of the compiler if it is not 0.\n",
    .statuses = "Exit status: 0 passed, 1 findings at or above --fail-on, 2 wrong command line,\n"
                "configuration, rule or baseline, 3 with --strict or --install-shim: not judged,\n"
                "or a file could not be read or written. `warplint help warplint` lists all\n"
                "cases.\n",
    OPTIONS(options),
    .settings_bytes = sizeof(struct wrap_settings),
    .runs_compiler = true,
    .defaults = &defaults,
    .run = run_settings,
};

int wrap_as_compiler(int argc, char **argv)
{
    static char wrap[] = "wrap", end[] = "--";
    SCOPED(arena) arena = {0};
    SCOPED(str_list) shim = {0};
    struct diags diags = {0};
    bool is_shim = shim_read(argv[0], &shim, &arena, &diags);
    if (diags.count) {
        print_diags(&diags);
        return STATUS_USAGE;
    }
    char **words = mem_alloc(((size_t)argc + shim.count + 3) * sizeof *words);
    int count = 0;
    words[count++] = wrap;
    for (size_t at = 0; at < shim.count; at++) /* the last word of the shim is the compiler */
        words[count++] = (char *)(uintptr_t)shim.items[at].ptr;
    if (!is_shim)
        words[count++] = end;
    for (int at = is_shim ? 1 : 0; at < argc; at++)
        words[count++] = argv[at];
    words[count] = NULL;
    int status = command_run(&command_wrap, count, words);
    free(words);
    return status;
}
