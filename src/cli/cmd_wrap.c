/*
 * wrap: the compiler runs as if we were not there; beside its messages we keep them, and judge them when it has
 * succeeded. Judging happens in a process of its own, so that no fault of ours can cost the compiler's status. That
 * process is made as soon as the compiler runs, and has read configuration, rules and baseline when the compiler ends.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/commands.h"

#include "base/stream.h"
#include "cli/records.h"
#include "cli/second_compile.h"
#include "cli/session.h"
#include "log/local_memory.h"
#include "log/mark.h"
#include "log/optimise.h"
#include "nvcc/binary.h"
#include "nvcc/invocation.h"
#include "nvcc/kernel_source.h"
#include "nvcc/launcher.h"
#include "nvcc/object.h"
#include "nvcc/output_filter.h"
#include "nvcc/output_tee.h"
#include "nvcc/probe.h"
#include "nvcc/process.h"
#include "nvcc/program.h"
#include "nvcc/ptxas_hook.h"
#include "nvcc/shim.h"
#include "nvcc/toolkit.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef FAULT /* tests define it, see tests/faults.h */
#define FAULT(moment) ((void)0)
enum {
    MOST_SECONDS = 60,           /* of preparing and of judging; a thousand times what a large translation unit takes */
    MOST_RECOMPILE_SECONDS = 600 /* of compiling once more, besides ten times what compiling took */
};
#endif

enum { MOST_KEPT_BYTES = 1 << 28, MOST_ADDED_WORDS = 3 + REMARK_OPTIONS };

struct wrap_settings {
    struct settings common;
    struct str install_shim; /* a folder to make; empty: none */
    bool keep_output, record_only, no_verbose, no_remarks, no_hook;
    int passthrough; /* enum passthrough */
    int where;       /* enum where */
};

/* When the source is compiled once more to find the lines of spills and local arrays. */
enum where { WHERE_AUTO /* a finding on their kernel fails */, WHERE_ALWAYS, WHERE_NEVER };

struct wrap {
    struct arena arena;
    const struct wrap_settings *settings;
    struct buf given; /* the command as it was given, its words ended by NULs */
    struct invocation invocation;
    struct compiler_features features; /* of the compiler, where it was asked */
    const char **words;                /* the command that is run, NULL behind its last word */
    size_t count;
    bool remarks;        /* were asked for by us alone */
    struct str unjudged; /* why nothing of what the command makes is judged; empty: it is */
    time_t begun;        /* of the command, in seconds of the monotonic clock */
    struct str key;      /* of the marks around what ptxas says, where we stand in front of it; empty: we do not */
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
    if (!other && word + 1 < wrap->count && strcmp(wrap->words[word + 1], "wrap") == 0)
        return diag_error(&wrap->diags, (struct place){0},
                          "`%s wrap` is given twice in front of the compiler, expected once", wrap->words[word]);
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
    const struct str_list *given = &wrap->settings->common.arguments;
    if (given->count == 0)
        return diag_error(&wrap->diags, (struct place){0},
                          "no command was given, expected one as in `warplint wrap -- nvcc -c kernel.cu -o kernel.o`");
    wrap->words = arena_alloc(&wrap->arena, (given->count + MOST_ADDED_WORDS + 1) * sizeof *wrap->words);
    for (size_t at = 0; at < given->count; at++) {
        wrap->words[wrap->count++] = given->items[at].ptr;
        buf_add(&wrap->given, given->items[at]);
        buf_char(&wrap->given, '\0');
    }
    return true;
}

/* Memory that runs out in this process, not in the one that judges: before the compiler runs it runs alone, afterwards
 * its status stands. */
static const struct wrap *alone;
static int decided;                   /* the status, once the compiler has succeeded */
static struct worker *started_linter; /* the process that judges; NULL before it is started */

static void run_alone(size_t bytes)
{
    (void)bytes;
    if (alone->settings->common.strict) {
        stream_say(STR("warplint: error: out of memory; the command was not run\n"));
        _exit(STATUS_UNTRUSTED);
    }
    stream_say(STR("warplint: warning: out of memory; what the command makes is not judged\n"));
    process_become(alone->words);
    _exit(STATUS_NOT_FOUND);
}

static void keep_status(size_t bytes)
{
    (void)bytes;
    stream_say(STR("warplint: out of memory; what was to be said of the kernels may be missing\n"));
    if (started_linter)
        process_abandon(started_linter);
    if (decided != STATUS_OK && !alone->settings->keep_output)
        invocation_remove_outputs(&alone->invocation);
    _exit(decided);
}

static void understand_command(struct wrap *wrap)
{
    alone = wrap;
    mem_on_exhausted(run_alone);
    invocation_read(&wrap->invocation, wrap->words, wrap->count, variable("NVCC_PREPEND_FLAGS"),
                    variable("NVCC_APPEND_FLAGS"));
    if (wrap->invocation.elsewhere)
        invocation_forget_files(&wrap->invocation);
}

/* Behind the compiler's own word, where no option can take it for its value. */
static void add_word(struct wrap *wrap, const char *word)
{
    size_t at = wrap->invocation.compiler + 1;
    memmove(&wrap->words[at + 1], &wrap->words[at], (wrap->count - at) * sizeof *wrap->words);
    wrap->words[at] = word;
    wrap->count++;
}

/* What only some compilers know. Caches that take nvcc's dry run apart have to understand every command in it. */
static void add_known_options(struct wrap *wrap)
{
    const struct invocation *invocation = &wrap->invocation;
    bool remarks = !wrap->settings->no_remarks && !invocation->asks_remarks;
    bool hook = !wrap->settings->no_hook && !invocation->has_prefix;
    if (!(remarks || hook))
        return;
    const char *host_compiler = invocation->host_compiler.len ? invocation->host_compiler.ptr : NULL;
    struct compiler_features features = wrap->features =
        probe_compiler(wrap->words[invocation->compiler], host_compiler);
    if (invocation_runs_under(invocation, wrap->words, "sccache cachepot buildcache"))
        return;
    const char *option = hook && features.prefix ? ptxas_hook_option(&wrap->arena) : NULL;
    if (option) {
        wrap->key = ptxas_hook_key(&wrap->arena);
        add_word(wrap, option);
    }
    wrap->remarks = remarks && features.remarks;
    for (int at = REMARK_OPTIONS; wrap->remarks && at-- > 0;)
        add_word(wrap, remark_options[at]);
}

/* One token each for nvcc: nvcc_wrapper would give the second of two to the host compiler. */
static void add_options(struct wrap *wrap)
{
    const struct invocation *invocation = &wrap->invocation;
    bool verbose = !wrap->settings->no_verbose;
    if (invocation->dialect == DIALECT_CLANG && invocation->makes_code && verbose) {
        add_word(wrap, "-v");
        add_word(wrap, "-Xcuda-ptxas");
    }
    if (invocation->dialect == DIALECT_NVHPC && invocation->makes_code && verbose && !invocation->asks_ptxinfo)
        add_word(wrap, "-gpu=ptxinfo");
    if (invocation->dialect != DIALECT_NVCC)
        return;
    if (invocation->makes_code)
        add_known_options(wrap);
    if (invocation->makes_code && verbose)
        add_word(wrap, "-Xptxas=-v");
    if (invocation->links && verbose)
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

static uint32_t add_version(struct model *model, const char *version)
{
    return *version ? intern_add(&model->strings, str_of(version)) : NO_INDEX;
}

static uint32_t add_words(struct model *model, const struct words *words)
{
    struct buf all = {0};
    for (size_t at = 0; at < words->count; at++) {
        buf_add(&all, words->items[at]);
        buf_char(&all, '\0');
    }
    uint32_t number = intern_add(&model->strings, buf_str(&all));
    buf_free(&all);
    return number;
}

/* A path of line information is absolute: as the command line gives it where it is one of its files, else from the
 * working directory where it lies below that. */
static uint32_t shorter_path(const struct wrap *wrap, struct model *model, uint32_t path)
{
    const struct words *sources = &wrap->invocation.sources;
    struct str full = model_string(model, path);
    for (size_t at = 0; at < sources->count; at++)
        if (file_same(sources->items[at], full))
            return intern_add(&model->strings, sources->items[at]);
    char *folder = getcwd(NULL, 0);
    struct str prefix = str_of(folder), rest = str_from(full, prefix.len + 1);
    bool below = prefix.len > 1 && str_starts(full, prefix) && rest.len > 0 && full.ptr[prefix.len] == '/';
    uint32_t shorter = below ? intern_add(&model->strings, rest) : path;
    free(folder);
    return shorter;
}

/* ptxas was asked to speak of every kernel and module, and said nothing: it did not run, or its messages are lost. */
static bool is_silent(const struct wrap *wrap, const struct log_info *log)
{
    return wrap->invocation.makes_code && !wrap->settings->no_verbose && !log->verbose;
}

/* It did not run. An object of the HPC compilers is not looked into. */
static bool made_no_code(const struct wrap *wrap, const struct log_info *log)
{
    const struct words *outputs = &wrap->invocation.outputs;
    return is_silent(wrap, log) &&
           (wrap->invocation.dialect == DIALECT_NVHPC || !binary_holds_kernels(outputs->items, outputs->count));
}

/* Device code was made whose messages did not arrive, as when a script in front of the compiler redirects them. */
static bool is_unheard(const struct wrap *wrap, const struct log_info *log)
{
    return log->no_code ? wrap->invocation.dialect == DIALECT_NVHPC : is_silent(wrap, log);
}

/* Neither messages nor a file: what ran was another command, or a script that ignores its arguments. */
static bool made_nothing(const struct wrap *wrap, const struct log_info *log)
{
    const struct words *outputs = &wrap->invocation.outputs;
    bool nothing = is_silent(wrap, log);
    for (size_t at = 0; at < outputs->count; at++)
        nothing &= !file_exists(outputs->items[at]);
    return nothing;
}

/* The HPC compilers run ptxas only where a source holds device code: most do not, and there is nothing to say of them.
 */
static bool holds_no_regions(const struct wrap *wrap)
{
    const struct words *outputs = &wrap->invocation.outputs;
    bool any = wrap->invocation.dialect != DIALECT_NVHPC || wrap->invocation.phase != PHASE_COMPILE;
    for (size_t at = 0; at < outputs->count; at++)
        any |= object_has_device_code(outputs->items[at].ptr);
    return !any;
}

static struct toolkit toolkit_of(const struct wrap *wrap)
{
    const struct invocation *invocation = &wrap->invocation;
    return invocation->dialect == DIALECT_CLANG ? toolkit_of_clang(invocation->toolkit)
                                                : toolkit_of_compiler(wrap->words[invocation->compiler]);
}

/* A message of somebody else ends behind the first line like ptxas's: it may have quoted that one. */
static bool others_speak(struct str messages)
{
    static const struct str tools[] = {STR_INIT("ptxas "), STR_INIT("nvlink "), STR_INIT("remark: "), STR_INIT("    ")};
    struct str line;
    bool begun = false;
    while (messages.len && str_split(&messages, '\n', &line)) {
        bool known = str_trim(line).len == 0;
        for (size_t at = 0; at < sizeof tools / sizeof *tools; at++)
            known |= str_starts(line, tools[at]);
        if (begun && !known)
            return true;
        begun |= str_starts(line, tools[0]);
    }
    return false;
}

/* The key by which ptxas's messages are known; empty: they cannot be told from what other messages quote. A cache
 * repeats those of an earlier run. */
static struct str find_key(const struct wrap *wrap, struct str messages)
{
    const struct invocation *invocation = &wrap->invocation;
    bool kept = !invocation->links && invocation_runs_under(invocation, wrap->words, "ccache");
    return wrap->key.len ? mark_key(messages, wrap->key, kept) : wrap->key;
}

/* The same of the places in machine code. */
static void shorten_places(const struct wrap *wrap, struct model *model)
{
    uint32_t full = NO_INDEX, shorter = NO_INDEX;
    for (uint32_t at = 0; at < model->code.places.count; at++) {
        uint32_t file = code_place_get(model, at).file;
        if (file != full)
            shorter = shorter_path(wrap, model, full = file);
        code_place_set_file(model, at, shorter);
    }
}

static void set_working_directory(struct model *model, struct str path, bool from_here)
{
    for (size_t at = 0; at < model->log_count; at++) {
        model->logs[at].working_directory = path.len ? intern_add(&model->strings, path) : NO_INDEX;
        model->logs[at].from_here = from_here;
    }
}

/* What the command line says of every record. The messages stand in no file, so a record has no line in one. */
static void complete_records(const struct wrap *wrap, struct model *model)
{
    const struct words *sources = &wrap->invocation.sources;
    uint32_t source = sources->count == 1 ? intern_add(&model->strings, sources->items[0]) : NO_INDEX;
    uint32_t full = NO_INDEX, shorter = NO_INDEX;
    for (size_t at = 0; at < model->kernel_count; at++) {
        struct kernel *kernel = &model->kernels[at];
        kernel->log_line = 0;
        bool is_own = kernel_rare(model, kernel)->line_from == LINE_LOC;
        if (is_own && kernel->source != full) {
            full = kernel->source;
            shorter = shorter_path(wrap, model, full);
        }
        kernel->source = is_own ? shorter : source;
        kernel->flags |= wrap->invocation.debug ? KERNEL_DEBUG : 0;
    }
    for (size_t at = 0; at < model->event_count; at++)
        model->events[at].log_line = 0;
    for (size_t at = 0; at < model->log_count; at++) {
        model->logs[at].verbose |= is_silent(wrap, &model->logs[at]) && holds_no_regions(wrap);
        model->logs[at].no_code = made_no_code(wrap, &model->logs[at]);
        model->logs[at].compiled = true;
        model->logs[at].loop_remarks |= wrap->remarks;
        model->logs[at].nvcc = add_version(model, wrap->features.nvcc);
        model->logs[at].ptxas = add_version(model, wrap->features.ptxas);
        model->logs[at].object_code = NO_INDEX; /* each object has its own */
        model->logs[at].command = intern_add(&model->strings, buf_str(&wrap->given));
        model->logs[at].flags = add_words(model, &wrap->invocation.words);
        model->logs[at].toolkit = toolkit_of(wrap);
    }
    set_working_directory(model, STR("."), true);
}

/* With the working directory as seen from the folder of the record, and what the object is known by. False: one of the
 * two is missing, which was told. */
static bool report_record(struct session *session, struct str object, struct out *out)
{
    struct report report = {
        .kind = REPORT_KERNELS, .linter = session->linter, .model = &session->model, .version = WARPLINT_VERSION};
    struct buf way = {0}, stamp = {0};
    int error = object_stamp(object.ptr, &stamp);
    if (error)
        diag_warning(&session->diags, (struct place){.path = object},
                     "the record does not say what its object holds: the object cannot be read: %s", strerror(error));
    bool placed = file_way(path_folder(object).len ? path_folder(object) : STR("."), STR("."), &way);
    if (!placed)
        diag_warning(&session->diags, (struct place){.path = object},
                     "the record does not say from its folder where the compiler ran: no relative path was found: %s",
                     strerror(errno));
    set_working_directory(&session->model, buf_str(&way), false);
    session->model.logs[0].object_code = error ? NO_INDEX : intern_add(&session->model.strings, buf_str(&stamp));
    report_ndjson(&report, out);
    set_working_directory(&session->model, STR("."), true);
    buf_free(&stamp);
    buf_free(&way);
    return placed && !error;
}

/* Beside the object, when there is one: what a file of that name is not needs no record. */
static bool write_record(struct session *session, struct str object)
{
    struct out out;
    int error = 0;
    if (!file_check_regular(object, &error)) {
        if (error)
            diag_warning(&session->diags, (struct place){.path = object}, "has no record: it cannot be looked at: %s",
                         strerror(error));
        return !error;
    }
    struct str path = arena_fmt(&session->diags.arena, "%.*s" RECORD_SUFFIX, STR_ARG(object));
    struct diags unwritten = {0};
    out_refresh(&out, path);
    bool ok = report_record(session, object, &out);
    ok &= out_close(&out, &unwritten);
    for (size_t at = 0; at < unwritten.count; at++)
        diag_warning(&session->diags, unwritten.items[at].place, "the record %.*s",
                     STR_ARG(unwritten.items[at].message));
    diags_free(&unwritten);
    return ok;
}

/* A record that says no more than that the object was compiled, and with what. */
static bool write_bare_record(struct session *session, const struct wrap *wrap, struct str object)
{
    struct session bare = {.settings = session->settings, .part = true};
    if (!session_begin(&bare))
        return false;
    session_read_text(&bare, object, (struct str){"", 0});
    bare.model.logs[0].verbose = session->model.logs[0].verbose;
    complete_records(wrap, &bare.model);
    bool ok = session_conclude(&bare) && write_record(&bare, object);
    session_free(&bare);
    return ok;
}

/* Nothing in the messages tells several inputs of one command apart: all is recorded beside the first object. */
static bool write_records(struct session *session, const struct wrap *wrap)
{
    const struct words *outputs = &wrap->invocation.outputs;
    bool ok = outputs->count == 0 || write_record(session, outputs->items[0]);
    for (size_t at = 1; at < outputs->count; at++)
        ok &= write_bare_record(session, wrap, outputs->items[at]);
    return ok;
}

static bool is_doubtful(const struct session *session)
{
    return session->linter->counts.ambiguous > 0 || (session->model.log_count > 0 && session->model.logs[0].torn);
}

static void say_doubt(struct session *session, struct str name)
{
    size_t ambiguous = session->linter->counts.ambiguous;
    if (ambiguous)
        diag_warning(&session->diags, (struct place){.path = name},
                     "not judged: %zu kernel%s, as it is not known which of the compiler's lines are ptxas's and which "
                     "a message quotes",
                     ambiguous, ambiguous == 1 ? "" : "s");
    else
        diag_warning(&session->diags, (struct place){.path = name},
                     "not judged in full: messages of ptxas are torn, or their end is missing");
}

static bool has_matter(const struct session *session)
{
    const size_t *counts = session->linter->counts.by_severity;
    return session->linter->counts.failing || counts[SEVERITY_WARNING] || counts[SEVERITY_ERROR];
}

/* The folder of each source, with its slash; empty where it is the working directory. */
static struct str *source_folders(struct wrap *wrap)
{
    const struct words *sources = &wrap->invocation.sources;
    struct str *folders = arena_alloc(&wrap->arena, (sources->count + 1) * sizeof *folders);
    for (size_t at = 0; at < sources->count; at++)
        folders[at] = path_folder(sources->items[at]);
    return folders;
}

struct judging {
    struct wrap *wrap;
    struct session session;
    bool prepared;
};

/* What does not need the compiler's messages; false: status 2. */
static bool prepare(struct wrap *wrap, struct session *session)
{
    const struct settings *settings = &wrap->settings->common;
    session->to_stderr = session->brief = true;
    session->settings = settings;
    session->part = true;
    session->compares = !wrap->settings->record_only;
    session->config_from = source_folders(wrap);
    session->config_from_count = wrap->invocation.sources.count;
    return (wrap->settings->record_only || session_rules(session, settings)) && session_begin(session);
}

/* The object says what no message does: what the kernels declare, where no hook has read the PTX, and where they access
 * local memory. */
static void read_object(struct wrap *wrap, struct model *model, struct str messages, bool marked)
{
    const struct invocation *invocation = &wrap->invocation;
    bool uses_stack = false;
    for (size_t k = 0; k < model->kernel_count; k++)
        uses_stack |= model->kernels[k].stack_bytes > 0;
    if (invocation->makes_code && invocation->dialect != DIALECT_NVHPC && (!marked || uses_stack))
        binary_confirm(model, invocation->outputs.items, invocation->outputs.count, !marked && others_speak(messages));
}

/* ---- the lines of spills ---------------------------------------------------------------------------------------- */

static bool is_listed(const struct str_list *list, struct str item)
{
    for (size_t at = 0; at < list->count; at++)
        if (str_eq(list->items[at], item))
            return true;
    return false;
}

/* The kernels of which lines are wanted, and their architectures. */
struct wanted_lines {
    struct str_list archs, kernels;
    bool functions; /* a device function is among them */
};

static void want_lines(const struct model *model, uint32_t number, struct wanted_lines *wanted)
{
    const struct kernel *kernel = &model->kernels[number];
    if (!local_memory_lacks_lines(model, kernel))
        return;
    wanted->functions |= kernel->kind != KERNEL_ENTRY;
    if (!is_listed(&wanted->archs, kernel_arch(model, kernel)))
        str_list_add(&wanted->archs, kernel_arch(model, kernel));
    if (!is_listed(&wanted->kernels, kernel_name(model, kernel)))
        str_list_add(&wanted->kernels, kernel_name(model, kernel));
}

/* ptxas refuses the name of a kernel that an architecture does not have, so there is a record of each. */
static bool can_be_limited(const struct model *model, const struct wanted_lines *wanted)
{
    size_t records = 0;
    for (size_t at = 0; at < model->kernel_count; at++) {
        const struct kernel *kernel = &model->kernels[at];
        records += kernel->producer == PRODUCER_PTXAS && kernel->kind == KERNEL_ENTRY &&
                   is_listed(&wanted->archs, kernel_arch(model, kernel)) &&
                   is_listed(&wanted->kernels, kernel_name(model, kernel));
    }
    return !wanted->functions && records == wanted->archs.count * wanted->kernels.count;
}

/* Once it is judged: the findings stay what they are, only their places are looked for. */
static void find_lines(struct wrap *wrap, struct session *session)
{
    const struct linter *linter = session->linter;
    struct wanted_lines wanted = {0};
    for (size_t at = 0; wrap->settings->where == WHERE_AUTO && at < linter->finding_count; at++) {
        const struct finding *finding = &linter->findings[at];
        bool shows_places = linter->rules->rules[finding->rule].sites != SITES_NONE;
        if (shows_places && finding->kernel != NO_INDEX && finding_fails(linter, finding))
            want_lines(&session->model, finding->kernel, &wanted);
    }
    for (uint32_t at = 0; wrap->settings->where == WHERE_ALWAYS && at < session->model.kernel_count; at++)
        want_lines(&session->model, at, &wanted);
    if (wanted.archs.count) {
        unsigned left = alarm(0); /* the compile has a limit of its own */
        time_t most_seconds = MOST_RECOMPILE_SECONDS + 10 * (process_clock() - wrap->begun);
        if (!can_be_limited(&session->model, &wanted))
            wanted.kernels.count = 0;
        second_compile(&wrap->invocation, wrap->words, &wanted.archs, &wanted.kernels, most_seconds, &session->model);
        alarm(left);
        shorten_places(wrap, &session->model);
    }
    free(wanted.archs.items);
    free(wanted.kernels.items);
}

/* The status that judging alone gives. */
static int linter_messages(struct wrap *wrap, struct str messages, struct session *session)
{
    const struct settings *settings = &wrap->settings->common;
    const struct invocation *invocation = &wrap->invocation;
    struct str key = find_key(wrap, messages);
    struct str unwritten = invocation_drop_unwritten(&wrap->invocation);
    session_read_messages(session, unwritten.len ? unwritten : record_name(wrap), messages, key, invocation->links);
    complete_records(wrap, &session->model);
    read_object(wrap, &session->model, messages, key.len > 0);
    shorten_places(wrap, &session->model);
    locate_kernels(invocation, &session->model, 0, &session->diags);
    if (!session_conclude(session))
        return STATUS_USAGE;
    find_lines(wrap, session);
    bool written = write_records(session, wrap);
    bool absent = made_nothing(wrap, &session->model.logs[0]);
    bool unheard = absent || is_unheard(wrap, &session->model.logs[0]);
    if (absent)
        diag_warning(&session->diags, (struct place){.path = unwritten.len ? unwritten : record_name(wrap)},
                     "not judged: '%s' did not make it, and no compile by nvcc was seen; give the build the nvcc of "
                     "`warplint wrap --install-shim DIR`",
                     wrap->words[wrap->invocation.compiler]);
    else if (unheard)
        diag_warning(&session->diags, (struct place){.path = record_name(wrap)},
                     "not judged: the object holds device code, and ptxas has said nothing of it on standard error");
    else if (session->model.logs[0].no_code)
        diag_warning(&session->diags, (struct place){.path = record_name(wrap)},
                     "not judged: the compile made no machine code (PTX only, or -dlto)");
    if (unwritten.len && !absent)
        diag_warning(&session->diags, (struct place){.path = unwritten},
                     "was not written by this command: it has no record, and what was made elsewhere or later stays "
                     "there; put `warplint wrap --` directly in front of the compiler");
    if (invocation->elsewhere)
        diag_warning(&session->diags, (struct place){0},
                     "the launcher changes the folder, so sources and output are not known: there is no record, and "
                     "the output stays; put `warplint wrap --` behind the launcher, in front of the compiler");
    written &= unwritten.len == 0 && !invocation->elsewhere;
    if (is_doubtful(session))
        say_doubt(session, record_name(wrap));
    if (wrap->settings->record_only)
        return written || !settings->strict ? STATUS_OK : STATUS_UNTRUSTED;
    if (settings->strict && session->linter->counts.debug && !session_judges_debug(session))
        diag_warning(&session->diags, (struct place){.path = record_name(wrap)},
                     "not judged: device code is not optimised (-G, or -O0 for ptxas), and rules leave it out");
    if ((has_matter(session) || settings->outputs.count > 1) && !session_write(session, REPORT_FINDINGS))
        written = false;
    if (session->linter->counts.failing)
        return STATUS_FINDINGS;
    return settings->strict && (!written || unheard || is_doubtful(session)) ? STATUS_UNTRUSTED : STATUS_OK;
}

static void prepare_judging(void *context)
{
    struct judging *judging = context;
    mem_on_exhausted(NULL);
    judging->wrap->begun = process_clock();
    FAULT("prepare");
    judging->prepared = prepare(judging->wrap, &judging->session);
}

static int finish_judging(void *context, struct str messages)
{
    struct judging *judging = context;
    struct session *session = &judging->session;
    signal(SIGPIPE, SIG_IGN);
    FAULT("judge");
    int status = judging->prepared ? linter_messages(judging->wrap, messages, session) : STATUS_USAGE;
    say_diags(&session->diags);
    return status;
}

/* The process that would remove the outputs was killed. */
static void remove_after_parent(void *context)
{
    struct judging *judging = context;
    if (!judging->wrap->settings->keep_output)
        invocation_remove_outputs(&judging->wrap->invocation);
}

/* Nothing was judged: the build goes on, unless it must not. */
static int leave_unjudged(struct wrap *wrap, struct str text)
{
    bool strict = wrap->settings->common.strict;
    diag_add(&wrap->diags, strict ? SEVERITY_ERROR : SEVERITY_WARNING, (struct place){0}, "%.*s", STR_ARG(text));
    return strict ? STATUS_UNTRUSTED : STATUS_OK;
}

/* Judging could not do its work. */
static int not_judged(struct wrap *wrap, const char *why, int number)
{
    struct str name = record_name(wrap);
    return leave_unjudged(wrap, arena_fmt(&wrap->arena, "%.*s was not judged: %s %d", STR_ARG(name), why, number));
}

/* What was interrupted was not judged, so it is not there; we end as the compiler would have, had it been there. */
static _Noreturn void end_interrupted(struct wrap *wrap, int number)
{
    if (!wrap->settings->keep_output && !wrap->settings->record_only)
        invocation_remove_outputs(&wrap->invocation);
    process_end_like((struct process_end){.signal = number});
}

/* The compiler, and beside it the process that will judge. */
struct running {
    struct output_tee output_tee;
    struct judging judging;
    struct worker linter;
};

/* unread: errno of reading what the compiler said, 0: all of it is there. */
static int judge_apart(struct wrap *wrap, struct running *running, int unread)
{
    struct output_tee *output_tee = &running->output_tee;
    int interrupted = 0;
    if (wrap->unjudged.len)
        return leave_unjudged(wrap, wrap->unjudged);
    if (output_tee->lost || unread)
        process_abandon(&running->linter);
    if (output_tee->lost)
        return not_judged(wrap, "it said more than could be kept; bytes kept:", (int)output_tee->text_bytes);
    if (unread)
        return not_judged(wrap, "what it said could not be read to its end, error", unread);
    struct process_end end =
        process_conclude(&running->linter, (struct str){output_tee->text, output_tee->text_bytes}, &interrupted);
    if (interrupted)
        end_interrupted(wrap, interrupted);
    if (end.error)
        return not_judged(wrap, "the process that judges could not be started or waited for, error", end.error);
    if (end.signal == SIGALRM)
        return not_judged(wrap, "judging took longer than is waited for; seconds:", MOST_SECONDS);
    if (end.signal)
        return not_judged(wrap, "the process that judges was ended by signal", end.signal);
    if (end.status > STATUS_UNTRUSTED)
        return not_judged(wrap, "the process that judges ended with status", end.status);
    if (end.status == STATUS_UNTRUSTED && !wrap->settings->common.strict)
        return STATUS_OK; /* it has said why */
    return end.status;
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

/* A failing compiler leaves no output: else the next make would say that all is well. */
static void remove_outputs(struct wrap *wrap)
{
    if (wrap->settings->keep_output)
        return;
    struct removal removal = invocation_remove_outputs(&wrap->invocation);
    if (removal.count == 1)
        diag_error(&wrap->diags, (struct place){0},
                   "%.*s was removed, so that the next build makes it again (--keep-output keeps it)",
                   STR_ARG(removal.first));
    if (removal.count > 1)
        diag_error(&wrap->diags, (struct place){0},
                   "%.*s and %zu more were removed, so that the next build makes them again (--keep-output keeps them)",
                   STR_ARG(removal.first), removal.count - 1);
    if (removal.stuck.len)
        diag_error(&wrap->diags, (struct place){0},
                   "%.*s cannot be removed: %s; the next build takes it for a good one", STR_ARG(removal.stuck),
                   strerror(removal.error));
}

/* Nobody knows whether the compiler was content: what it made is not for the next build. */
static int end_unknown(struct wrap *wrap, int error)
{
    diag_error(&wrap->diags, (struct place){0}, "the status of '%s' is not known: %s", wrap->words[0], strerror(error));
    remove_outputs(wrap);
    return STATUS_NOT_EXECUTABLE;
}

static void begin_judging(void *context)
{
    struct running *running = context;
    struct process_work work = {prepare_judging, finish_judging, remove_after_parent, &running->judging, MOST_SECONDS};
    if (running->judging.wrap->unjudged.len)
        return;
    process_prepare(&running->linter, &work);
    started_linter = &running->linter;
}

static bool take(void *context, struct str bytes)
{
    struct running *running = context;
    return output_tee_take(&running->output_tee, bytes);
}

/* Our end of a pipe would be closed before a compiler in the background has ended, which would end it. */
static int run_detached(struct wrap *wrap)
{
    struct process_end end = process_wait(wrap->words);
    if (end.error)
        return cannot_start(wrap, end.error);
    if (end.signal || end.status)
        process_end_like(end);
    return leave_unjudged(wrap, wrap->unjudged);
}

static int run(struct wrap *wrap)
{
    struct running *running = mem_alloc(sizeof *running);
    struct output_tee *output_tee = &running->output_tee;
    output_tee->output_filter.level = wrap->unjudged.len ? PASS_ALL : (enum passthrough)wrap->settings->passthrough;
    struct str ptxas_flags =
        launcher_variable(wrap->words, wrap->invocation.compiler, STR("PTXAS_FLAGS"), variable("PTXAS_FLAGS"));
    output_tee->output_filter.ptxas = wrap->invocation.asks_ptxas || optimise_asks_verbose(ptxas_flags);
    output_tee->output_filter.nvlink = wrap->invocation.asks_nvlink;
    output_tee->output_filter.remarks = wrap->remarks;
    output_tee->limit = MOST_KEPT_BYTES;
    running->judging.wrap = wrap;
    stream_share();
    struct process_end end = process_run(wrap->words, begin_judging, take, running);
    if (end.error) {
        process_abandon(&running->linter);
        free(running);
        if (end.started)
            return end_unknown(wrap, end.error);
        return cannot_start(wrap, end.error);
    }
    output_tee_finish(output_tee);
    if (end.signal || end.status) {
        process_abandon(&running->linter);
        process_end_like(end);
    }
    decided = wrap->settings->common.strict ? STATUS_UNTRUSTED : STATUS_OK;
    mem_on_exhausted(keep_status);
    int status = decided = judge_apart(wrap, running, end.unread);
    if (status != STATUS_OK)
        remove_outputs(wrap);
    started_linter = NULL;
    output_tee_free(output_tee);
    free(running);
    return status;
}

static struct str why_unjudged(struct wrap *wrap)
{
    const struct invocation *invocation = &wrap->invocation;
    if (invocation->unread.len)
        return arena_fmt(&wrap->arena, "not judged: the option file '%.*s' %.*s", STR_ARG(invocation->unread),
                         STR_ARG(invocation->unread_why));
    if (invocation->not_understood)
        return arena_fmt(&wrap->arena, "not judged: %s", invocation->not_understood);
    return (struct str){"", 0};
}

/* A report would replace a file that the compiler makes or reads, or the record beside it. */
static bool overwrites(struct wrap *wrap, struct str report, const struct words *files)
{
    for (size_t at = 0; at < files->count; at++) {
        struct str file = files->items[at], record = arena_fmt(&wrap->arena, "%.*s" RECORD_SUFFIX, STR_ARG(file));
        if (file_same_place(report, file))
            return !diag_error(&wrap->diags, (struct place){0},
                               "a report would be written to '%.*s', a file of the command itself", STR_ARG(report));
        if (file_same_place(report, record))
            return !diag_error(&wrap->diags, (struct place){0},
                               "a report would be written to '%.*s', the record of '%.*s'", STR_ARG(report),
                               STR_ARG(file));
    }
    return false;
}

static bool check_reports(struct wrap *wrap)
{
    const struct invocation *invocation = &wrap->invocation;
    bool ok = true;
    for (size_t at = 0; at < wrap->settings->common.outputs.count && !invocation->elsewhere; at++) {
        struct str report = wrap->settings->common.outputs.items[at].path;
        if (str_eq(report, STR("-"))) /* standard output, also where the source is "-", standard input */
            continue;
        ok = ok && !overwrites(wrap, report, &invocation->outputs) && !overwrites(wrap, report, &invocation->inputs);
    }
    return ok;
}

static int wrap_command(struct wrap *wrap)
{
    const struct invocation *invocation = &wrap->invocation;
    if (!take_command(wrap))
        return STATUS_USAGE;
    if (!replace_self(wrap, 0))
        return STATUS_NOT_FOUND;
    understand_command(wrap);
    if (invocation->compiler && !replace_self(wrap, invocation->compiler))
        return STATUS_NOT_FOUND;
    wrap->unjudged = why_unjudged(wrap);
    if (wrap->settings->common.strict && invocation->phase == PHASE_PTX && invocation->sources.count)
        stream_say(STR("warplint: warning: not judged: the command makes no machine code (PTX or IR only)\n"));
    if (!invocation->makes_code && !invocation->links && !wrap->unjudged.len)
        return cannot_start(wrap, process_become(wrap->words));
    if (!check_reports(wrap))
        return STATUS_USAGE;
    if (launcher_detaches(wrap->words, invocation->compiler))
        return run_detached(wrap);
    if (!wrap->unjudged.len)
        add_options(wrap);
    invocation_note_outputs(&wrap->invocation);
    return run(wrap);
}

/* ---- a shim ----------------------------------------------------------------------------------------------------- */

/* The options of this call, which each compile through the shim is to have; false: one cannot be kept. */
static bool shim_options(struct wrap *wrap, struct words *options)
{
    const struct settings *settings = &wrap->settings->common;
    int end = settings->argc - (int)wrap->settings->common.arguments.count;
    options->items = arena_alloc(&wrap->arena, (size_t)settings->argc * sizeof *options->items);
    for (int at = 1; at < end; at++) {
        struct str word = str_of(settings->argv[at]);
        if (str_eq(word, STR("--install-shim")))
            at++;
        else if (str_find_char(word, '\n') != STR_NONE)
            return diag_error(&wrap->diags, (struct place){0},
                              "an option holds an end of line, which a shim cannot keep");
        else if (!str_starts(word, STR("--install-shim=")) && !str_eq(word, STR("--")))
            options->items[options->count++] = word;
    }
    return true;
}

static bool is_whole_path(struct wrap *wrap, struct str path)
{
    if (path.len == 0 || path.ptr[0] == '/' || str_eq(path, STR("-")))
        return true;
    return diag_error(&wrap->diags, (struct place){0},
                      "'%.*s' is a relative path, and compiles run in any folder; a shim takes absolute paths",
                      STR_ARG(path));
}

static bool have_whole_paths(struct wrap *wrap)
{
    const struct settings *settings = &wrap->settings->common;
    bool ok = is_whole_path(wrap, settings->config) && is_whole_path(wrap, settings->baseline);
    for (size_t at = 0; at < settings->rule_dirs.count; at++)
        ok = ok && is_whole_path(wrap, settings->rule_dirs.items[at]);
    for (size_t at = 0; at < settings->outputs.count; at++)
        ok = ok && is_whole_path(wrap, settings->outputs.items[at].path);
    return ok;
}

/* What the build is to run: never this program, or a shim before this one. */
static const char *shim_compiler(struct wrap *wrap)
{
    const struct str_list *given = &wrap->settings->common.arguments;
    const char *word = given->count ? given->items[0].ptr : "nvcc";
    const char *path = program_unresolved(word, &wrap->arena);
    if (!path || program_is_self(path))
        path = program_find_other(word, &wrap->arena);
    if (path && program_path(path, &wrap->arena))
        return *path == '/' ? path : program_whole_path(path, &wrap->arena);
    diag_error(&wrap->diags, (struct place){0},
               "'%s' is not in PATH or in the CUDA toolkit; name the compiler, as in `wrap --install-shim DIR -- "
               "/usr/local/cuda/bin/nvcc`",
               word);
    return NULL;
}

/* As a shell reads it between single quotes. */
static struct str in_single_quotes(struct arena *arena, struct str text)
{
    struct buf quoted = {0};
    for (size_t at = 0; at < text.len; at++)
        if (text.ptr[at] == '\'')
            buf_add(&quoted, STR("'\\''"));
        else
            buf_char(&quoted, text.ptr[at]);
    struct str kept = arena_str(arena, buf_str(&quoted));
    buf_free(&quoted);
    return kept;
}

static int install_shim(struct wrap *wrap)
{
    struct words options = {0};
    struct str made;
    if (wrap->settings->common.arguments.count > 1) {
        diag_error(&wrap->diags, (struct place){0},
                   "--install-shim takes one compiler behind --, and no arguments of it");
        return STATUS_USAGE;
    }
    if (!have_whole_paths(wrap) || !shim_options(wrap, &options))
        return STATUS_USAGE;
    const char *compiler = shim_compiler(wrap);
    if (!compiler)
        return STATUS_NOT_FOUND;
    if (!shim_install(wrap->settings->install_shim, &options, compiler, &made, &wrap->arena, &wrap->diags))
        return STATUS_UNTRUSTED;
    struct str folder = in_single_quotes(&wrap->arena, made);
    struct buf text = {0};
    buf_fmt(&text,
            "make NVCC='%.*s/bin/nvcc' CUDA_HOME='%.*s'\n"
            "export CUDA_HOME='%.*s' CUDACXX='%.*s/bin/nvcc' PATH='%.*s/bin':\"$PATH\"   # CMake, setuptools\n",
            STR_ARG(folder), STR_ARG(folder), STR_ARG(folder), STR_ARG(folder), STR_ARG(folder));
    bool ok = print_text(&text, &wrap->diags);
    buf_free(&text);
    return ok ? STATUS_OK : STATUS_UNTRUSTED;
}

/* ---- the command line ------------------------------------------------------------------------------------------- */

static int run_settings(void *settings)
{
    struct wrap wrap = {.settings = settings};
    int status = wrap.settings->install_shim.len ? install_shim(&wrap) : wrap_command(&wrap);
    say_diags(&wrap.diags);
    invocation_free(&wrap.invocation);
    arena_free(&wrap.arena);
    buf_free(&wrap.given);
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
    .bit = COMMAND_WRAP,
    .what = "run the compiler, record its numbers, judge them",
    .usage = "usage: warplint wrap [OPTIONS] -- NVCC ARGUMENTS...\n"
             "       warplint wrap [OPTIONS] --install-shim DIR [-- NVCC]\n\n"
             "Run the compiler, record the numbers of its kernels, and judge them. The exit\n"
             "status is that of the compiler if it is not 0.\n",
    .statuses = STATUSES_OF_JUDGING,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_bytes = sizeof(struct wrap_settings),
    .runs_compiler = true,
    .defaults = &defaults,
    .run = run_settings,
};

int wrap_as_compiler(int argc, char **argv)
{
    static char wrap[] = "wrap", end[] = "--";
    struct arena arena = {0};
    struct words shim = {0};
    struct diags diags = {0};
    bool is_shim = shim_read(argv[0], &shim, &arena, &diags);
    if (diags.count) {
        say_diags(&diags);
        arena_free(&arena);
        return STATUS_USAGE;
    }
    char **words = mem_alloc(((size_t)argc + shim.count + 3) * sizeof *words);
    int count = 0;
    words[count++] = wrap;
    for (size_t at = 0; at < shim.count; at++) /* its last word is the compiler */
        words[count++] = (char *)(uintptr_t)shim.items[at].ptr;
    if (!is_shim)
        words[count++] = end;
    for (int at = is_shim ? 1 : 0; at < argc; at++)
        words[count++] = argv[at];
    words[count] = NULL;
    int status = command_run(&command_wrap, count, words);
    free(words);
    free(shim.items);
    arena_free(&arena);
    return status;
}
