/*
 * wrap: the compiler runs as if we were not there; beside its messages we keep them, and judge them when it has
 * succeeded. Judging happens in a process of its own, so that no fault of ours can cost the compiler's status.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/commands.h"
#include "cli/session.h"
#include "nvcc/invocation.h"
#include "nvcc/locate.h"
#include "nvcc/process.h"
#include "nvcc/program.h"
#include "nvcc/relay.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127, MOST_KEPT_BYTES = 1 << 28, MOST_ADDED_WORDS = 2 };

struct wrap {
    struct arena arena;
    struct settings settings;
    struct invocation invocation;
    const char **words; /* the command that is run, NULL behind its last word */
    size_t count;
    struct diags diags;
};

/* ---- the command ------------------------------------------------------------------------------------------------ */

static struct str variable(const char *name)
{
    return str_of(getenv(name));
}

/* A compiler that is this program under another name would run us again: the real one takes its place. */
static bool replace_self(struct wrap *wrap, size_t word)
{
    if (!program_is_self(wrap->words[word]))
        return true;
    const char *other = program_find_other(wrap->words[word], &wrap->arena);
    if (!other)
        return diag_error(
            &wrap->diags, (struct place){0},
            "'%s' is warplint itself, and no other program of that name is in PATH or in the CUDA toolkit",
            wrap->words[word]);
    wrap->words[word] = other;
    return true;
}

static bool take_command(struct wrap *wrap)
{
    const struct str_list *given = &wrap->settings.arguments;
    if (given->count == 0)
        return diag_error(&wrap->diags, (struct place){0},
                          "no command was given, expected one as in `warplint wrap -- nvcc -c kernel.cu -o kernel.o`");
    wrap->words = arena_alloc(&wrap->arena, (given->count + MOST_ADDED_WORDS + 1) * sizeof *wrap->words);
    for (size_t at = 0; at < given->count; at++)
        wrap->words[wrap->count++] = given->items[at].ptr;
    invocation_read(&wrap->invocation, wrap->words, wrap->count, variable("NVCC_PREPEND_FLAGS"),
                    variable("NVCC_APPEND_FLAGS"));
    return true;
}

/* Behind the compiler's own word, where no option can take it for its value. */
static void add_word(struct wrap *wrap, const char *word)
{
    size_t at = wrap->invocation.compiler + 1;
    memmove(&wrap->words[at + 1], &wrap->words[at], (wrap->count - at) * sizeof *wrap->words);
    wrap->words[at] = word;
    wrap->count++;
}

/* One token each for nvcc: nvcc_wrapper would give the second of two to the host compiler. */
static void add_options(struct wrap *wrap)
{
    const struct invocation *invocation = &wrap->invocation;
    if (wrap->settings.no_verbose)
        return;
    if (invocation->clang && invocation->makes_code) {
        add_word(wrap, "-v");
        add_word(wrap, "-Xcuda-ptxas");
        return;
    }
    if (invocation->makes_code)
        add_word(wrap, "-Xptxas=-v");
    if (invocation->links)
        add_word(wrap, "-Xnvlink=-v");
}

static int cannot_start(struct wrap *wrap, int error)
{
    diag_error(&wrap->diags, (struct place){0}, "'%s' cannot be started: %s", wrap->words[0], strerror(error));
    return error == ENOENT || error == ENOTDIR ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
}

/* ---- judging, in a process of its own --------------------------------------------------------------------------- */

static struct str record_name(const struct wrap *wrap)
{
    return wrap->invocation.outputs.count ? wrap->invocation.outputs.items[0] : STR("<stderr>");
}

/* What the command line says of every record. The messages stand in no file, so a record has no line in one. */
static void complete_records(const struct wrap *wrap, struct model *model)
{
    const struct words *sources = &wrap->invocation.sources;
    uint32_t source = sources->count == 1 ? intern_add(&model->strings, sources->items[0]) : NO_INDEX;
    for (size_t at = 0; at < model->kernel_count; at++) {
        struct kernel *kernel = &model->kernels[at];
        kernel->log_line = 0;
        kernel->source = source;
        kernel->flags |= wrap->invocation.debug ? KERNEL_DEBUG : 0;
    }
    for (size_t at = 0; at < model->event_count; at++)
        model->events[at].log_line = 0;
}

/* Beside the object, when there is one: what a file of that name is not needs no record. */
static bool write_record(struct session *session, const struct wrap *wrap)
{
    struct out out;
    const struct invocation *invocation = &wrap->invocation;
    if (invocation->outputs.count == 0 || !file_is_regular(invocation->outputs.items[0]))
        return true;
    struct report report = {
        .kind = REPORT_KERNELS, .judge = session->judge, .model = &session->model, .version = WARPLINT_VERSION};
    struct str path = arena_fmt(&session->diags.arena, "%.*s.warplint.ndjson", STR_ARG(invocation->outputs.items[0]));
    struct diags unwritten = {0};
    bool ok = out_open(&out, path, &unwritten);
    if (ok)
        report_ndjson(&report, &out);
    ok = ok && out_close(&out, &unwritten);
    for (size_t at = 0; at < unwritten.count; at++)
        diag_warning(&session->diags, unwritten.items[at].place, "the record %.*s",
                     STR_ARG(unwritten.items[at].message));
    diags_free(&unwritten);
    return ok;
}

static bool is_doubtful(const struct session *session)
{
    return session->judge->counts.ambiguous > 0 || (session->model.log_count > 0 && session->model.logs[0].torn);
}

static bool has_matter(const struct session *session)
{
    const size_t *counts = session->judge->counts.by_severity;
    return session->judge->counts.failing || counts[SEVERITY_WARNING] || counts[SEVERITY_ERROR];
}

/* The folder of each source, with its slash; empty where it is the working directory. */
static struct str *source_folders(struct wrap *wrap)
{
    const struct words *sources = &wrap->invocation.sources;
    struct str *folders = arena_alloc(&wrap->arena, (sources->count + 1) * sizeof *folders);
    for (size_t at = 0; at < sources->count; at++) {
        size_t slash = str_rfind(sources->items[at], STR("/"));
        folders[at] = slash == STR_NONE ? (struct str){"", 0} : str_sub(sources->items[at], 0, slash + 1);
    }
    return folders;
}

/* The status that judging alone gives. */
static int judge_messages(struct wrap *wrap, const struct relay *relay, struct session *session)
{
    const struct settings *settings = &wrap->settings;
    session->to_stderr = session->brief = true;
    session->settings = settings;
    session->part = true;
    session->config_from = source_folders(wrap);
    session->config_from_count = wrap->invocation.sources.count;
    if (!settings->record_only && !session_rules(session, settings))
        return STATUS_USAGE;
    if (!session_begin(session))
        return STATUS_USAGE;
    session_read_text(session, record_name(wrap), (struct str){relay->text, relay->text_bytes});
    complete_records(wrap, &session->model);
    locate_kernels(&wrap->invocation, &session->model, 0);
    if (!session_conclude(session))
        return STATUS_USAGE;
    bool written = write_record(session, wrap);
    if (settings->record_only)
        return written || !settings->strict ? STATUS_OK : STATUS_UNTRUSTED;
    if ((has_matter(session) || settings->output_count > 1) && !session_write(session, REPORT_FINDINGS))
        written = false;
    if (session->judge->counts.failing)
        return STATUS_FINDINGS;
    return settings->strict && (!written || is_doubtful(session)) ? STATUS_UNTRUSTED : STATUS_OK;
}

static _Noreturn void judge_process(struct wrap *wrap, const struct relay *relay)
{
    struct session session = {0};
    signal(SIGPIPE, SIG_IGN);
    int status = judge_messages(wrap, relay, &session);
    say_diags(&session.diags);
    _exit(status);
}

/* Judging could not do its work: the build goes on, unless it must not. */
static int not_judged(struct wrap *wrap, const char *why, int number)
{
    bool strict = wrap->settings.strict;
    struct str name = record_name(wrap);
    if (strict)
        diag_error(&wrap->diags, (struct place){0}, "%.*s was not judged: %s %d", STR_ARG(name), why, number);
    else
        diag_warning(&wrap->diags, (struct place){0}, "%.*s was not judged: %s %d", STR_ARG(name), why, number);
    return strict ? STATUS_UNTRUSTED : STATUS_OK;
}

static int judge_apart(struct wrap *wrap, const struct relay *relay)
{
    int wait_status = 0;
    if (relay->lost)
        return not_judged(wrap, "it said more than is kept; bytes kept:", MOST_KEPT_BYTES);
    pid_t pid = fork();
    if (pid < 0)
        return not_judged(wrap, "no process could be started, error", errno);
    if (pid == 0)
        judge_process(wrap, relay);
    while (waitpid(pid, &wait_status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(wait_status))
        return not_judged(wrap, "the process that judges was ended by signal", WTERMSIG(wait_status));
    int status = WEXITSTATUS(wait_status);
    if (status == STATUS_UNTRUSTED && !wrap->settings.strict)
        return STATUS_OK; /* it has said why */
    return status;
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

/* A failing compiler leaves no output: else the next make would say that all is well. */
static void remove_outputs(struct wrap *wrap)
{
    if (wrap->settings.keep_output || wrap->invocation.outputs.count == 0)
        return;
    invocation_remove_outputs(&wrap->invocation);
    diag_error(&wrap->diags, (struct place){0},
               "%.*s was removed, so that the next build makes it again (--keep-output keeps it)",
               STR_ARG(wrap->invocation.outputs.items[0]));
}

static int run(struct wrap *wrap)
{
    struct relay *relay = mem_alloc(sizeof *relay);
    relay->sieve.level = wrap->settings.passthrough;
    relay->limit = MOST_KEPT_BYTES;
    struct process_end end = process_run(wrap->words, relay_take, relay);
    if (end.error) {
        free(relay);
        return cannot_start(wrap, end.error);
    }
    relay_finish(relay);
    if (end.signal || end.status)
        process_end_like(end);
    int status = judge_apart(wrap, relay);
    if (status != STATUS_OK)
        remove_outputs(wrap);
    relay_free(relay);
    free(relay);
    return status;
}

static int wrap_command(struct wrap *wrap)
{
    const struct invocation *invocation = &wrap->invocation;
    if (!take_command(wrap))
        return STATUS_USAGE;
    if (!replace_self(wrap, 0) || (invocation->compiler && !replace_self(wrap, invocation->compiler)))
        return STATUS_NOT_FOUND;
    if (!invocation->makes_code && !invocation->links)
        return cannot_start(wrap, process_become(wrap->words));
    add_options(wrap);
    return run(wrap);
}

int cmd_wrap(int argc, char **argv)
{
    struct wrap wrap = {0};
    int status = STATUS_USAGE;
    if (settings_parse(&wrap.settings, COMMAND_WRAP, argc, argv, &wrap.diags)) {
        if (wrap.settings.help) {
            struct buf help = {0};
            settings_help(COMMAND_WRAP, &help);
            status = print_text(&help, &wrap.diags) ? STATUS_OK : STATUS_UNTRUSTED;
            buf_free(&help);
        } else {
            status = wrap_command(&wrap);
        }
    }
    say_diags(&wrap.diags);
    invocation_free(&wrap.invocation);
    settings_free(&wrap.settings);
    arena_free(&wrap.arena);
    return status;
}

int wrap_as_compiler(int argc, char **argv)
{
    static char wrap[] = "wrap", end[] = "--";
    char **words = mem_alloc(((size_t)argc + 3) * sizeof *words);
    words[0] = wrap;
    words[1] = end;
    memcpy(words + 2, argv, (size_t)argc * sizeof *words);
    int status = cmd_wrap(argc + 2, words);
    free(words);
    return status;
}
