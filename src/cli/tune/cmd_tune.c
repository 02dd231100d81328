/*
 * tune: compiles one file with each register cap and each pair of launch bounds that adds a block per SM. The first
 * compile changes nothing; its kernels determine the other compiles.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/file.h"
#include "cli/commands.h"
#include "cli/tune/tune.h"
#include "nvcc/output_tee.h"
#include "nvcc/pool.h"
#include "nvcc/probe.h"
#include "nvcc/program.h"
#include "nvcc/ptxas_hook.h"
#include "nvcc/recompile.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST_OUTPUT_BYTES = 1 << 28 };

struct tune_settings {
    struct settings common;
    size_t jobs; /* parallel compiles; 0: not given */
    bool no_hook;
};

struct trial {
    const struct tune_settings *settings;
    struct session *session; /* with the logs of all compiles */
    struct arena arena;
    struct diags *diags;
    struct invocation invocation;
    struct recompile recompile;
    const char **words; /* the command as given */
    struct pool pool;
    struct job *jobs;    /* one per variant */
    struct buf *outputs; /* messages of the compile, by job */
    struct tune tune;
};

static const char *in_folder(struct trial *trial, const char *name, size_t number)
{
    return arena_fmt(&trial->arena, "%s/%s%zu", trial->pool.folder, name, number).ptr;
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static int take_command(struct trial *trial)
{
    const struct str_list *given = &trial->settings->common.arguments;
    if (given->count == 0)
        return usage_error(trial->diags,
                           "no command was given, expected one as in `warplint tune -- nvcc -arch=sm_90 -c kernel.cu`");
    trial->words = arena_alloc(&trial->arena, (given->count + 1) * sizeof *trial->words);
    for (size_t at = 0; at < given->count; at++)
        trial->words[at] = given->items[at].ptr;
    invocation_read(&trial->invocation, trial->words, given->count, launcher_environment());
    const char **compiler = &trial->words[trial->invocation.compiler];
    return program_replace_self(compiler, &trial->arena, trial->diags) ? STATUS_OK : STATUS_NOT_FOUND;
}

/* Adds the options that make ptxas print resources and the hook print what the kernels declare in PTX. */
static bool understand_command(struct trial *trial)
{
    const struct invocation *invocation = &trial->invocation;
    const char *added[] = {"-Xptxas=-v", NULL, NULL};
    const struct recompile_request request = {.added = added, .tries_caps = true};
    if (invocation->dialect != DIALECT_NVCC || !invocation->makes_code)
        return recompile_read(&trial->recompile, invocation, trial->words, &request,
                              trial->diags); /* it reports why not */
    bool asks =
        !trial->settings->no_hook && !invocation->has_prefix &&
        !invocation_runs_under(invocation, trial->words, "sccache cachepot buildcache"); /* these read dry runs */
    if (asks && probe_compiler(trial->words[invocation->compiler], invocation->host_compiler).prefix)
        added[1] = ptxas_hook_option(&trial->arena);
    return recompile_read(&trial->recompile, invocation, trial->words, &request, trial->diags);
}

/* ---- variants --------------------------------------------------------------------------------------------------- */

/*
 * Writes a header that makes the compiler see other launch bounds or another __maxnreg__, as if the source contained
 * them, because the front end optimises for them too. Functions take the arguments apart, since a macro cannot:
 * arguments may contain commas of templates. The third argument, the maximum number of blocks per cluster, exists from
 * sm_90 on.
 */
static void write_header(const struct tune_variant *variant, struct buf *out)
{
    buf_add(out, STR("#include <cuda_runtime.h>\n"));
    if (variant->number) {
        buf_fmt(out, "#undef __maxnreg__\n#define __maxnreg__(...) __attribute__((maxnreg(%d)))\n", variant->number);
        return;
    }
    buf_fmt(out,
            "inline constexpr __host__ __device__ int warplint_threads(int threads, int = 0, int = 0)\n"
            "{\n    return %d > 0 && threads > %d ? %d : threads;\n}\n",
            variant->threads, variant->threads, variant->threads);
    buf_fmt(out,
            "inline constexpr __host__ __device__ int warplint_cluster(int, int = 0, int cluster = 0)\n"
            "{\n    return cluster;\n}\n"
            "#undef __launch_bounds__\n"
            "#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900\n"
            "#define __launch_bounds__(...) \\\n"
            "    __attribute__((launch_bounds(warplint_threads(__VA_ARGS__), %d, warplint_cluster(__VA_ARGS__))))\n"
            "#else\n"
            "#define __launch_bounds__(...) __attribute__((launch_bounds(warplint_threads(__VA_ARGS__), %d)))\n"
            "#endif\n",
            variant->blocks, variant->blocks);
}

/* Returns false with a diagnostic if the header cannot be written. */
static bool prepare_variant(struct trial *trial, size_t number)
{
    const struct tune_variant *variant = &trial->tune.variants.items[number];
    struct recompile_run run = {.cap = variant->cap, .output = in_folder(trial, "made-", number)};
    bool written = true;
    if (variant->number || variant->blocks) {
        SCOPED(buf) header = {0};
        run.include = in_folder(trial, "bounds.h-", number);
        write_header(variant, &header);
        written = file_write(str_of(run.include), buf_str(&header), trial->diags);
    }
    trial->jobs[number].output_path = in_folder(trial, "output-", number);
    trial->jobs[number].words = recompile_words(&trial->recompile, &run);
    return written;
}

/* ---- compiling -------------------------------------------------------------------------------------------------- */

struct progress {
    struct timespec begun;
    size_t count;
    bool terminal, shown;
};

static void show_progress(void *context, size_t done)
{
    struct progress *progress = context;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!progress->terminal || now.tv_sec - progress->begun.tv_sec < 2)
        return;
    fprintf(stderr, "\rwarplint: %zu of %zu compiles done\033[K", done, progress->count);
    fflush(stderr);
    progress->shown = true;
}

static bool run_jobs(struct trial *trial, size_t count)
{
    struct progress progress = {.count = count, .terminal = isatty(STDERR_FILENO) == 1};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = trial->settings->jobs ? trial->settings->jobs : cores > 0 ? (size_t)cores : 1;
    clock_gettime(CLOCK_MONOTONIC, &progress.begun);
    bool ok = pool_run(&trial->pool, trial->jobs, count, most, show_progress, &progress);
    if (progress.shown)
        fputs("\r\033[K", stderr);
    return ok;
}

static bool read_said(struct trial *trial, size_t number)
{
    struct str file = str_of(trial->jobs[number].output_path);
    return file_read(file, INPUT_REGULAR, MOST_OUTPUT_BYTES, &trial->outputs[number], trial->diags);
}

/* Prints the messages of a failed compile, filtered as `wrap` does. */
static void show_messages(const struct buf *messages)
{
    struct output_tee *output_tee = mem_alloc(sizeof *output_tee);
    output_tee->output_filter.level = PASS_WARNINGS;
    output_tee->limit = MOST_OUTPUT_BYTES;
    output_tee_take(output_tee, buf_str(messages));
    output_tee_finish(output_tee);
    output_tee_free(output_tee);
    free(output_tee);
}

/* Prints the messages of the first compile that failed; returns its status. */
static int explain_failure(struct trial *trial, size_t count)
{
    for (size_t at = 0; at < count; at++) {
        const struct process_end *end = &trial->jobs[at].end;
        if (end->error)
            return command_cannot_start(trial->jobs[at].words[0], end->error, trial->diags);
        if (!trial->jobs[at].done || (end->status == 0 && end->signal == 0))
            continue;
        if (read_said(trial, at))
            show_messages(&trial->outputs[at]);
        if (at > 0) {
            SCOPED(buf) name = {0};
            tune_variant_name(&trial->tune.variants.items[at], &name);
            diag_error(trial->diags, nowhere, "the compile with %.*s failed", STR_ARG(buf_str(&name)));
        }
        return end->signal ? 128 + end->signal : end->status;
    }
    return STATUS_UNTRUSTED;
}

/* Compiles the variants with the indexes from `first` to `count` - 1 and reads their messages. */
static int compile_variants(struct trial *trial, size_t first, size_t count)
{
    for (size_t at = first; at < count; at++)
        if (!prepare_variant(trial, at))
            return STATUS_UNTRUSTED;
    if (!run_jobs(trial, count))
        return trial->pool.interrupted ? STATUS_UNTRUSTED : explain_failure(trial, count);
    for (size_t at = first; at < count; at++)
        if (!read_said(trial, at))
            return STATUS_UNTRUSTED;
    return STATUS_OK;
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* Makes a session with the first `count` compiles as its logs. Returns false on error: status 2. */
static bool read_logs(struct trial *trial, struct session *session, size_t count)
{
    session->partial_build = true;
    session->sources = &trial->invocation.sources;
    if (!session_config(session) || !session_begin(session))
        return false;
    for (size_t at = 0; at < count; at++)
        session_read_text(session, trial->tune.source, buf_str(&trial->outputs[at]));
    for (size_t at = 0; at < session->model.kernel_count; at++)
        session->model.kernels[at].flags |= trial->invocation.debug ? KERNEL_DEBUG : 0;
    return session_judge(session);
}

/* Finds the variants to compile from the kernels of the first compile. */
static int find_variants(struct trial *trial)
{
    SCOPED(session) session = {.settings = &trial->settings->common};
    if (!read_logs(trial, &session, 1))
        return session_failure(&session);
    tune_plan(&trial->tune, &session);
    diags_free(&session.diags); /* the session with all logs reports them again */
    return STATUS_OK;
}

static void write_frontier(void *tune, const struct output *output, struct out *out)
{
    if (output->format->write == report_json)
        tune_json(tune, &out->text);
    else if (output->format->write == report_csv)
        tune_csv(tune, &out->text);
    else
        tune_text(tune, &out->text);
}

/* Reports why there are no rows to compare. */
static void explain_nothing(struct trial *trial, const struct session *session)
{
    struct place place = {.path = trial->tune.source};
    if (trial->tune.count)
        diag_error(trial->diags, place, "nothing to tune: no kernel has another register cap to try");
    else if (session->linter->counts.deselected)
        diag_error(trial->diags, place, "nothing to tune: --kernel and --arch select none of its kernels");
    else if (session->model.logs[0].verbose)
        diag_error(trial->diags, place, "nothing to tune: the file has no kernels");
    else
        diag_error(trial->diags, place,
                   "nothing to tune: the compile made no machine code (PTX only, or -dlto); compile for an "
                   "architecture (-arch=sm_90)");
}

static int show_frontier(struct trial *trial)
{
    struct session *session = trial->session;
    if (!read_logs(trial, session, trial->tune.variants.count))
        return STATUS_USAGE;
    session_warn_past_bound(session);
    if (trial->invocation.relocatable)
        diag_warning(trial->diags, (struct place){.path = trial->tune.source},
                     "the code is relocatable (-rdc=true): these are its numbers before the device link, which may add "
                     "registers and stack of the functions that a kernel calls");
    tune_read(&trial->tune, session);
    if (trial->tune.count &&
        !write_outputs(&trial->settings->common.outputs, write_frontier, &trial->tune, trial->diags))
        return STATUS_UNTRUSTED;
    if (tune_any(&trial->tune))
        return STATUS_OK;
    explain_nothing(trial, session);
    return STATUS_UNTRUSTED;
}

/* ---- all steps -------------------------------------------------------------------------------------------------- */

static int tune_command(struct trial *trial)
{
    int status = take_command(trial);
    if (status != STATUS_OK)
        return status;
    if (!understand_command(trial))
        return STATUS_USAGE;
    trial->tune.source = trial->invocation.sources.items[0];
    trial->tune.command_cap = trial->recompile.cap;
    trial->jobs = arena_alloc(&trial->arena, MOST_VARIANTS * sizeof *trial->jobs);
    trial->outputs = arena_alloc(&trial->arena, MOST_VARIANTS * sizeof *trial->outputs);
    bool ok = pool_begin(&trial->pool, 0, &trial->arena, trial->diags);
    status = ok ? compile_variants(trial, 0, 1) : STATUS_UNTRUSTED; /* the unchanged source */
    status = status == STATUS_OK ? find_variants(trial) : status;
    status = status == STATUS_OK ? compile_variants(trial, 1, trial->tune.variants.count) : status;
    status = status == STATUS_OK ? show_frontier(trial) : status;
    pool_end(&trial->pool);
    return status;
}

static int run(struct session *session, void *settings)
{
    struct trial trial = {.settings = settings, .session = session, .diags = &session->diags};
    int status = tune_command(&trial);
    for (size_t at = 0; trial.outputs && at < MOST_VARIANTS; at++)
        buf_free(&trial.outputs[at]);
    arena_free(&trial.tune.arena);
    recompile_free(&trial.recompile);
    invocation_free(&trial.invocation);
    arena_free(&trial.arena);
    return status;
}

#define AT(member) offsetof(struct tune_settings, member)
static const struct option_row options[] = {
    {"format", 0, "text|json|csv", add_format, AT(common.outputs), "format of standard output; default: text"},
    {"jobs", 'j', "N", set_count, AT(jobs), "number of parallel compiles; default: number of cores"},
    {"no-hook", 0, NULL, set_flag, AT(no_hook), "do not read launch bounds and lines from the PTX"},
};

const struct command command_tune = {
    .name = "tune",
    .what = "compile at each register cap that adds a block",
    .usage = "usage: warplint tune [OPTIONS] -- NVCC ARGUMENTS... FILE.cu\n\n"
             "Compile a file with each register cap and each __launch_bounds__ that adds a\n"
             "block per SM, into a private folder, and show registers, spills and occupancy.\n",
    .statuses = "Exit status: that of the compiler if it is not 0. Otherwise: 0 there are rows to\n"
                "measure, 2 wrong command line, 3 nothing to tune, or a file could not be read\n"
                "or written.\n",
    OPTIONS(options),
    .settings_bytes = sizeof(struct tune_settings),
    .formats = "text|json|csv",
    .runs_compiler = true,
    .run = run,
};
