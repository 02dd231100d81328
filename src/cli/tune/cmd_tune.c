/*
 * tune: the same file compiled once for each cap of registers that buys a block. The first compile has no cap: it says
 * which caps there are, and its preprocessed text says what the others are remembered by.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/commands.h"
#include "cli/tune/tune.h"
#include "nvcc/cache.h"
#include "nvcc/output_tee.h"
#include "nvcc/pool.h"
#include "nvcc/private_folder.h"
#include "nvcc/probe.h"
#include "nvcc/program.h"
#include "nvcc/ptxas_hook.h"
#include "nvcc/recompile.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SAID_BYTES = 1 << 28 };

struct tune_settings {
    struct settings common;
    size_t jobs; /* compiles at once; 0: not given */
    bool no_cache, no_hook;
};

struct trial {
    const struct tune_settings *settings;
    struct arena arena;
    struct diags diags;
    struct invocation invocation;
    struct compiler_features features;
    struct recompile recompile;
    const char **words; /* the command as given */
    struct pool pool;
    const char *folder; /* ours, with everything that is made */
    struct buf content; /* what the results of the compiles hang on; empty: not known */
    struct job *jobs;   /* one for each cap */
    struct buf *said;   /* by job: its messages */
    struct tune tune;
};

static const char *in_folder(struct trial *trial, const char *name, int cap)
{
    return arena_fmt(&trial->arena, "%s/%s%d", trial->folder, name, cap).ptr;
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static int take_command(struct trial *trial)
{
    const struct str_list *given = &trial->settings->common.arguments;
    if (given->count == 0) {
        diag_error(&trial->diags, (struct place){0},
                   "no command was given, expected one as in `warplint tune -- nvcc -arch=sm_90 -c kernel.cu`");
        return STATUS_USAGE;
    }
    trial->words = arena_alloc(&trial->arena, (given->count + 1) * sizeof *trial->words);
    for (size_t at = 0; at < given->count; at++)
        trial->words[at] = given->items[at].ptr;
    invocation_read(&trial->invocation, trial->words, given->count, str_of(getenv("NVCC_PREPEND_FLAGS")),
                    str_of(getenv("NVCC_APPEND_FLAGS")));
    unsetenv("NVCC_PREPEND_FLAGS"); /* the invocation has them */
    unsetenv("NVCC_APPEND_FLAGS");
    const char **compiler = &trial->words[trial->invocation.compiler];
    if (program_is_self(*compiler))
        *compiler = program_find_other(*compiler, &trial->arena);
    if (*compiler)
        return STATUS_OK;
    diag_error(&trial->diags, (struct place){0},
               "'%.*s' is warplint itself, and no other program of that name is in PATH or in the CUDA toolkit",
               STR_ARG(given->items[trial->invocation.compiler]));
    return STATUS_NOT_FOUND;
}

/* ptxas has to speak, and the PTX says what the kernels declare. */
static bool understand_command(struct trial *trial)
{
    const struct invocation *invocation = &trial->invocation;
    const char *host_compiler = invocation->host_compiler.len ? invocation->host_compiler.ptr : NULL;
    const char *added[] = {"-Xptxas=-v", NULL, NULL};
    const struct recompile_request request = {.added = added, .tries_caps = true};
    if (invocation->dialect != DIALECT_NVCC || !invocation->makes_code)
        return recompile_read(&trial->recompile, invocation, trial->words, &request,
                              &trial->diags);                                            /* it says why not */
    if (!invocation_runs_under(invocation, trial->words, "sccache cachepot buildcache")) /* they read dry runs */
        trial->features = probe_compiler(trial->words[invocation->compiler], host_compiler);
    if (trial->features.prefix && !trial->settings->no_hook && !invocation->has_prefix)
        added[1] = ptxas_hook_option(&trial->arena);
    return recompile_read(&trial->recompile, invocation, trial->words, &request, &trial->diags);
}

/* ---- what is remembered ----------------------------------------------------------------------------------------- */

/* Everything that the result of a compile follows from: the compiler, its options, the folder that names are relative
 * to, and the preprocessed text for each architecture. */
static void take_content(struct trial *trial, const char *keep)
{
    struct path_list list = {0};
    struct diags unsaid = {0};
    char *folder = getcwd(NULL, 0);
    bool known = trial->features.compiler && folder && file_walk(str_of(keep), STR(".cpp1.ii"), &list, &unsaid) &&
                 list.count > 0;
    if (known)
        buf_fmt(&trial->content, "warplint tune 1\ncompiler %016llx\nfolder %s\n",
                (unsigned long long)trial->features.compiler, folder);
    for (size_t at = 0; known && at < trial->recompile.count; at++)
        buf_fmt(&trial->content, "word %s\n", trial->recompile.words[at]);
    for (size_t at = 0; known && at < list.count; at++) {
        struct buf text = {0};
        known = file_read(list.paths[at], INPUT_REGULAR, MOST_SAID_BYTES, &text, &unsaid);
        buf_fmt(&trial->content, "text %zu %016llx\n", text.len, (unsigned long long)str_hash(buf_str(&text)));
        buf_free(&text);
    }
    if (!known)
        buf_clear(&trial->content);
    free(folder);
    diags_free(&unsaid);
    path_list_free(&list);
}

/* The file that remembers the messages at a cap, and the text that it begins with. NULL: nothing is remembered. */
static const char *memory_of(struct trial *trial, int cap, struct str *begins)
{
    const char *folder = trial->content.len ? cache_folder(&trial->arena) : NULL;
    if (!folder)
        return NULL;
    *begins = arena_fmt(&trial->arena, "%.*scap %d%s\n\n", STR_ARG(buf_str(&trial->content)), cap,
                        recompile_overrides(&trial->recompile, cap) ? " override" : "");
    return arena_fmt(&trial->arena, "%s/tune-%016llx", folder, (unsigned long long)str_hash(*begins)).ptr;
}

static bool recall(struct trial *trial, int cap, struct buf *said)
{
    struct str begins;
    struct buf text = {0};
    struct diags unsaid = {0};
    const char *file = memory_of(trial, cap, &begins);
    bool found = file && file_read(str_of(file), INPUT_REGULAR, MOST_SAID_BYTES, &text, &unsaid) &&
                 str_starts(buf_str(&text), begins);
    if (found)
        buf_add(said, str_from(buf_str(&text), begins.len));
    diags_free(&unsaid);
    buf_free(&text);
    return found;
}

static void remember(struct trial *trial, int cap, const struct buf *said)
{
    struct str begins;
    const char *file = memory_of(trial, cap, &begins);
    if (file)
        cache_write(file, arena_fmt(&trial->arena, "%.*s%.*s", STR_ARG(begins), STR_ARG(buf_str(said))));
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

static void prepare_job(struct trial *trial, size_t number, int cap, const char *keep)
{
    struct job *job = &trial->jobs[number];
    if (job->done)
        return;
    job->said = in_folder(trial, "said-", cap);
    job->words = recompile_words(&trial->recompile, cap, in_folder(trial, "made-", cap), keep);
}

static bool read_said(struct trial *trial, size_t number)
{
    const struct job *job = &trial->jobs[number];
    return !job->said || trial->said[number].len > 0 ||
           file_read(str_of(job->said), INPUT_REGULAR, MOST_SAID_BYTES, &trial->said[number], &trial->diags);
}

/* The messages of a failed compile, as `wrap` would let them pass. */
static void show_said(const struct buf *said)
{
    struct output_tee *output_tee = mem_alloc(sizeof *output_tee);
    output_tee->output_filter.level = PASS_WARNINGS;
    output_tee->limit = MOST_SAID_BYTES;
    output_tee_take(output_tee, buf_str(said));
    output_tee_finish(output_tee);
    output_tee_free(output_tee);
    free(output_tee);
}

/* The status of the first compile that failed. */
static int explain_failure(struct trial *trial, size_t count)
{
    for (size_t at = 0; at < count; at++) {
        const struct process_end *end = &trial->jobs[at].end;
        if (end->error) {
            diag_error(&trial->diags, (struct place){0}, "'%s' cannot be started: %s", trial->jobs[at].words[0],
                       strerror(end->error));
            return end->error == ENOENT || end->error == ENOTDIR ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
        }
        if (!trial->jobs[at].done || (end->status == 0 && end->signal == 0))
            continue;
        if (read_said(trial, at))
            show_said(&trial->said[at]);
        if (trial->tune.cap_count > 1 && at > 0)
            diag_error(&trial->diags, (struct place){0}, "the compile with -maxrregcount=%d failed",
                       trial->tune.caps[at]);
        return end->signal ? 128 + end->signal : end->status;
    }
    return STATUS_UNTRUSTED;
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* A session with the first `count` compiles as its logs. False: status 2. */
static bool read_logs(struct trial *trial, struct session *session, size_t count)
{
    struct str source = trial->tune.source;
    struct str folder = path_folder(source);
    session->part = true;
    session->config_from = &folder;
    session->config_from_count = 1;
    bool configured = session_config(session, &trial->settings->common);
    session->config_from = NULL;
    session->config_from_count = 0;
    if (!configured || !session_begin(session))
        return false;
    for (size_t at = 0; at < count; at++)
        session_read_text(session, source, buf_str(&trial->said[at]));
    for (size_t at = 0; at < session->model.kernel_count; at++)
        session->model.kernels[at].flags |= trial->invocation.debug ? KERNEL_DEBUG : 0;
    return session_conclude(session);
}

/* The caps to try, off the first compile. */
static int find_caps(struct trial *trial)
{
    struct session session = {0};
    int status = read_logs(trial, &session, 1) ? STATUS_OK : session_failure(&session);
    if (status == STATUS_OK)
        tune_caps(&trial->tune, &session);
    if (status == STATUS_OK)
        diags_free(&session.diags); /* the session of all logs says them again */
    session_free(&session);
    return status;
}

static void write_frontier(void *tune, struct str format, struct buf *out)
{
    if (str_eq(format, STR("json")))
        tune_json(tune, out);
    else if (str_eq(format, STR("csv")))
        tune_csv(tune, out);
    else
        tune_text(tune, out);
}

/* Why there is no frontier. */
static void explain_nothing(struct trial *trial, const struct session *session)
{
    struct place place = {.path = trial->tune.source};
    if (trial->tune.count)
        diag_error(&trial->diags, place,
                   "nothing to tune: no register cap buys a block of any kernel, and no kernel spills at its own cap");
    else if (session->linter->counts.deselected)
        diag_error(&trial->diags, place, "nothing to tune: no kernel is selected");
    else if (session->model.logs[0].verbose)
        diag_error(&trial->diags, place, "nothing to tune: the file has no kernels");
    else
        diag_error(&trial->diags, place,
                   "nothing to tune: the compile made no machine code (PTX only, or -dlto); compile for an "
                   "architecture (-arch=sm_90)");
}

static int show_frontier(struct trial *trial)
{
    struct session session = {0};
    int status = STATUS_USAGE;
    if (read_logs(trial, &session, trial->tune.cap_count)) {
        tune_read(&trial->tune, &session);
        status = STATUS_OK;
        if (trial->tune.count &&
            !write_outputs(&trial->settings->common.outputs, write_frontier, &trial->tune, &trial->diags))
            status = STATUS_UNTRUSTED;
        if (status == STATUS_OK && !tune_any(&trial->tune)) {
            explain_nothing(trial, &session);
            status = STATUS_UNTRUSTED;
        }
    }
    session_free(&session);
    return status;
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

enum { MOST_JOBS = 256 };

/* The compile without a cap. */
static int compile_first(struct trial *trial)
{
    const char *keep = in_folder(trial, "keep-", 0);
    trial->jobs = arena_alloc(&trial->arena, MOST_JOBS * sizeof *trial->jobs);
    trial->said = arena_alloc(&trial->arena, MOST_JOBS * sizeof *trial->said);
    if (!trial->features.compiler || trial->settings->no_cache || mkdir(keep, 0700) != 0)
        keep = NULL;
    prepare_job(trial, 0, 0, keep);
    if (!run_jobs(trial, 1))
        return trial->pool.interrupted ? STATUS_UNTRUSTED : explain_failure(trial, 1);
    if (!read_said(trial, 0))
        return STATUS_UNTRUSTED;
    if (keep)
        take_content(trial, keep);
    return STATUS_OK;
}

/* A ptxas without the option that overrides the caps of kernels. */
static bool lacks_override(struct trial *trial)
{
    for (size_t at = 1; trial->recompile.overrides && at < trial->tune.cap_count; at++)
        if (trial->jobs[at].end.status && read_said(trial, at) &&
            str_find(buf_str(&trial->said[at]), STR("Unknown option '-override-directive-values'")) != STR_NONE)
            return true;
    return false;
}

static void forget_others(struct trial *trial)
{
    for (size_t at = 1; at < trial->tune.cap_count; at++) {
        trial->jobs[at] = (struct job){0};
        buf_clear(&trial->said[at]);
    }
}

/* With `overrides`, kernels that declare a cap are compiled at other caps too. */
static int compile_others(struct trial *trial, bool overrides)
{
    trial->recompile.overrides = trial->tune.overrides = overrides;
    int status = find_caps(trial);
    size_t count = trial->tune.cap_count;
    if (status != STATUS_OK)
        return status;
    for (size_t at = 1; at < count; at++) {
        trial->jobs[at].done = recall(trial, trial->tune.caps[at], &trial->said[at]);
        prepare_job(trial, at, trial->tune.caps[at], NULL);
    }
    if (!run_jobs(trial, count)) {
        if (trial->pool.interrupted)
            return STATUS_UNTRUSTED;
        if (!lacks_override(trial))
            return explain_failure(trial, count);
        forget_others(trial);
        return compile_others(trial, false);
    }
    for (size_t at = 1; at < count; at++) {
        if (!read_said(trial, at))
            return STATUS_UNTRUSTED;
        if (trial->jobs[at].said)
            remember(trial, trial->tune.caps[at], &trial->said[at]);
    }
    return STATUS_OK;
}

static int run(struct trial *trial)
{
    trial->tune.source = trial->invocation.sources.items[0];
    trial->tune.command_cap = trial->recompile.cap;
    int status = compile_first(trial);
    status = status == STATUS_OK ? compile_others(trial, true) : status;
    return status == STATUS_OK ? show_frontier(trial) : status;
}

static int tune_command(struct trial *trial)
{
    int status = take_command(trial);
    if (status != STATUS_OK)
        return status;
    if (!understand_command(trial))
        return STATUS_USAGE;
    pool_begin(&trial->pool);
    trial->folder = private_folder_make(&trial->arena, &trial->diags);
    status = trial->folder ? run(trial) : STATUS_UNTRUSTED;
    private_folder_remove();
    pool_end(&trial->pool);
    return status;
}

static void free_trial(struct trial *trial)
{
    for (size_t at = 0; trial->said && at < MOST_JOBS; at++)
        buf_free(&trial->said[at]);
    buf_free(&trial->content);
    tune_free(&trial->tune);
    recompile_free(&trial->recompile);
    invocation_free(&trial->invocation);
    arena_free(&trial->arena);
}

static int run_settings(void *settings)
{
    struct trial trial = {.settings = settings};
    int status = tune_command(&trial);
    say_diags(&trial.diags);
    free_trial(&trial);
    return status;
}

#define AT(member) offsetof(struct tune_settings, member)
static const struct option_row options[] = {
    {"format", 0, "text|json|csv", add_format, AT(common.outputs), "format of standard output; default: text"},
    {"jobs", 'j', "N", set_count, AT(jobs), "number of parallel compiles; default: number of cores"},
    {"no-cache", 0, NULL, set_flag, AT(no_cache), "do not use cached results"},
    {"no-hook", 0, NULL, set_flag, AT(no_hook), "do not read launch bounds and lines from the PTX"},
};

const struct command command_tune = {
    .name = "tune",
    .bit = COMMAND_TUNE,
    .what = "compile at each register cap that adds a block",
    .usage = "usage: warplint tune [OPTIONS] -- NVCC ARGUMENTS... FILE.cu\n\n"
             "Compile a file at each register cap that adds a block per SM, into a private\n"
             "folder, and show registers, spills and occupancy of each.\n",
    .statuses = "Exit status: that of the compiler if it is not 0. Otherwise: 0 there are caps to\n"
                "measure, 2 wrong command line, 3 nothing to tune, or a file could not be read\n"
                "or written.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_bytes = sizeof(struct tune_settings),
    .formats = "text|json|csv",
    .runs_compiler = true,
    .run = run_settings,
};
