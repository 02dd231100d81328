#define _DEFAULT_SOURCE /* struct winsize */
#include "cli/session.h"

#include "base/date.h"
#include "base/input_stream.h"
#include "cli/assemble.h"
#include "cli/ci_environment.h"
#include "cli/commands.h"
#include "cli/folder.h"
#include "cli/log_tail.h"
#include "cli/records.h"
#include "log/binary_check.h"
#include "log/input.h"
#include "log/mark.h"
#include "log/reader.h"
#include "nvcc/binary.h"
#include "nvcc/ptx_file.h"
#include "nvcc/triton_cache.h"
#include "report/delta.h"
#include "report/label.h"
#include "report/messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Appends the path of the configuration; false: there is none. */
static bool find_config(const struct session *session, struct buf *path)
{
    const struct settings *settings = session->settings;
    if (settings->config.len)
        buf_add(path, settings->config);
    if (settings->config.len || settings->no_config || session->leaves_config)
        return settings->config.len > 0;
    for (size_t at = 0; at < session->config_from_count; at++)
        if (config_find(session->config_from[at], path))
            return true;
    return config_find((struct str){"", 0}, path);
}

bool session_config(struct session *session, const struct settings *settings)
{
    struct buf path = {0};
    session->settings = settings;
    bool wanted = find_config(session, &path);
    bool ok = date_today(&session->today, &session->diags);
    enum input_allowed allowed = settings->config.len ? INPUT_ANY : INPUT_REGULAR;
    ok &= !wanted || config_load(&session->config, buf_str(&path), allowed, &session->diags);
    session->fail_on = settings->fail_on >= 0        ? (enum severity)settings->fail_on
                       : session->config.has_fail_on ? session->config.fail_on
                                                     : SEVERITY_WARNING;
    buf_free(&path);
    return ok;
}

bool session_rules(struct session *session, const struct settings *settings)
{
    struct diags *diags = &session->diags;
    size_t first = diags->count;
    bool ok = session_config(session, settings);
    ok &= ruleset_load_builtin(&session->rules, diags);
    ok &= config_add_rules(&session->config, &session->rules, diags);
    for (size_t at = 0; at < settings->rule_dirs.count; at++)
        ok &= ruleset_load_dir(&session->rules, settings->rule_dirs.items[at], &session->diags);
    ok &= config_apply(&session->config, &session->rules, diags);
    ok = ok && ruleset_check(&session->rules, diags);
    bool whole = ok; /* else a rule that is missed here may be one of those that were wrong */
    for (size_t at = 0; at < settings->selects.count && whole; at++)
        ok &= ruleset_select(&session->rules, settings->selects.items[at], &session->diags);
    for (size_t at = 0; at < settings->selects.count && ok; at++)
        ruleset_check_select(&session->rules, settings->selects.items[at], diags);
    for (size_t at = 0; at < settings->ignores.count && whole; at++)
        ok &= ruleset_ignore(&session->rules, settings->ignores.items[at], &session->diags);
    diags_sort(diags, first);
    return ok;
}

bool session_rules_anyway(struct session *session, const struct settings *settings)
{
    if (session_rules(session, settings))
        return true;
    if (settings->config.len || settings->no_config)
        return false;
    struct diags earlier = session->diags;
    session->diags = (struct diags){0};
    ruleset_free(&session->rules);
    config_free(&session->config);
    session->leaves_config = true;
    bool ok = session_rules(session, settings);
    diags_free(&session->diags);
    session->diags = earlier;
    if (!ok)
        return false;
    for (size_t at = 0; at < session->diags.count; at++)
        session->diags.items[at].severity = SEVERITY_WARNING;
    session->diags.errors = 0;
    diag_warning(&session->diags, (struct place){0},
                 "the configuration is left out, because it is broken: what follows is of the built-in settings");
    return true;
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static void take_line(void *context, struct str line, uint16_t log, uint64_t number)
{
    struct session *session = context;
    linter_line(session->linter, line, log, (size_t)number);
}

/* A file that is read, and what it ends with. */
struct pumping {
    struct input_stream source;
    struct log_tail ending;
};

static size_t fill(void *context, char *into, size_t room)
{
    struct pumping *pumping = context;
    size_t len = input_stream_read(&pumping->source, into, room);
    log_tail_add(&pumping->ending, (struct str){into, len});
    return len;
}

static void see_ending(struct log_info *log, const struct log_tail *ending)
{
    size_t from_end = 0;
    if (ending_is_error(ending, &from_end) && log->lines >= from_end)
        log->stopped_line = log->lines - from_end + 1;
}

/* Why a log is of a part of a build only, or of another build than a release. */
static void warn_doubts(struct session *session, const struct log_info *log)
{
    const struct {
        uint64_t line; /* 0: nothing to say */
        const char *partial, *message, *cure;
    } doubts[] = {
        {log->clipped_line, "lines of the log were left out",
         "the log is truncated here, at a limit of length: kernels in the missing lines were not judged", ""},
        {log->stopped_line, "the build ended with an error",
         "the build ended with an error: kernels that it did not compile were not judged", ""},
        {log->quiet_line, "a compile has no -Xptxas=-v",
         "this compile has no -Xptxas=-v, which others in the log have: its kernels were not judged", ""},
        {log->wrapped_line, "messages go on in the next line",
         "messages are wrapped into the next line, as a terminal or a mail program does it: kernels from here on were "
         "not judged; ",
         doubt_cure(DOUBT_WRAPPED)},
        {log->unowned_line, "lines of the compiler are missing",
         "a `Used` line without a kernel: the line `Compiling entry function` that belongs to it is missing, so it was "
         "not judged; ",
         doubt_cure(DOUBT_MISSING)},
        {log->amd_line, "kernels for AMD GPUs were not judged",
         "a resource line of AMD's compiler (-Rpass-analysis=kernel-resource-usage): warplint does not read these, "
         "kernels for AMD GPUs were not judged",
         ""},
        {log->unoptimised_line, NULL,
         "only unoptimised code has such a function: it was compiled with -G or without optimisation, and other "
         "kernels "
         "of the log may be too; their numbers are not those of a release: compile without -G (-lineinfo keeps the "
         "lines)",
         ""},
    };
    for (size_t at = 0; at < sizeof doubts / sizeof *doubts; at++) {
        struct place place = {.path = model_string(&session->model, log->path), .line = doubts[at].line};
        if (!doubts[at].line)
            continue;
        if (doubts[at].partial)
            session->partial = doubts[at].partial;
        diag_warning(&session->diags, place, "%s%s", doubts[at].message, doubts[at].cure);
    }
}

/* Members of a package and entries of a cache that are not judged, of which records say no more. */
static void warn_unread(struct session *session, const struct log_info *log)
{
    struct place place = {.path = model_string(&session->model, log->path)};
    if (log->unread_members) {
        session->partial = "members of a package cannot be read";
        diag_warning(&session->diags, place, "not judged: %llu member%s of this package",
                     (unsigned long long)log->unread_members, log->unread_members == 1 ? "" : "s");
    }
    if (log->unread_entries) {
        session->partial = "entries of a Triton cache were not judged";
        diag_warning(&session->diags, place, "not judged: %llu entr%s of this Triton cache",
                     (unsigned long long)log->unread_entries, log->unread_entries == 1 ? "y" : "ies");
    }
}

/* What records of it have to say. */
static void note_unread(struct session *session, struct str path, size_t members, size_t entries)
{
    struct model *model = &session->model;
    struct log_info log = {.verbose = true, .unread_members = members, .unread_entries = entries};
    if (members + entries == 0 || !model_has_room(model, (struct place){.path = path}, &session->diags))
        return;
    log.path = intern_add(&model->strings, path);
    model_add_log(model, log);
    warn_unread(session, &log);
}

/* Binaries, packages of them, and PTX: what is no log and no record. */
static bool read_code(struct session *session, struct str path)
{
    bool ptx = ptx_file_is(path);
    if (str_eq(path, STR("-")) ||
        (!ptx && !binary_is(path, &session->input_failed, &session->diags) && !package_is(path)))
        return false;
    size_t first = session->model.kernel_count, unread = 0;
    bool ok = ptx ? ptx_file_read(&session->declared, &session->model, path, &session->diags)
                  : binary_read(&session->model, path, &unread, &session->diags);
    note_unread(session, path, unread, 0);
    if (ok && session->settings->assemble)
        assemble(session, path, first);
    session->input_failed |= !ok;
    return true;
}

/* Binaries, and packages of them. What is neither, and binaries without GPU code, may lie in the folder too. */
static void read_objects_below(struct session *session, struct str folder)
{
    struct path_list list = {0};
    session->input_failed |= !file_walk(folder, (struct str){"", 0}, &list, &session->diags);
    for (size_t at = 0; at < list.count; at++) {
        size_t unread = 0;
        if (!binary_is(list.paths[at], &session->input_failed, &session->diags) && !package_is(list.paths[at]))
            continue;
        session->input_failed |= !binary_read_if_any(&session->model, list.paths[at], &unread, &session->diags);
        note_unread(session, list.paths[at], unread, 0);
    }
    path_list_free(&list);
}

static void read_objects(struct session *session)
{
    const struct str_list *objects = &session->settings->objects;
    for (size_t at = 0; at < objects->count; at++) {
        struct str path = objects->items[at];
        size_t unread = 0;
        if (file_is_dir(path))
            read_objects_below(session, path);
        else
            session->input_failed |= !binary_read(&session->model, path, &unread, &session->diags);
        note_unread(session, path, unread, 0);
    }
}

static void read_input(struct session *session, struct str path)
{
    struct str name = str_eq(path, STR("-")) ? STR("<stdin>") : path;
    bool wants_lines = rule_lines_wanted(&session->rules), records = false;
    if (!model_has_room(&session->model, (struct place){.path = path}, &session->diags)) {
        session->input_failed = true;
        return;
    }
    if (read_code(session, path))
        return;
    struct pumping pumping = {.ending.len = 0};
    if (str_eq(path, STR("-")) && isatty(STDIN_FILENO))
        fputs("warplint: reading the log from standard input, end it with Ctrl-D\n", stderr);
    if (!input_stream_open(&pumping.source, path, INPUT_ANY, &session->diags)) {
        session->input_failed = true;
        return;
    }
    *MEM_ADD(session->inputs, session->input_count, session->input_cap) =
        (struct session_input){intern_add(&session->model.strings, name), (uint32_t)session->model.kernel_count};
    struct model_mark before = model_mark(&session->model);
    struct input *input = input_new(&session->model, name, &session->diags);
    if (wants_lines)
        input_on_line(input, take_line, session);
    input_pump(input, fill, &pumping);
    bool unread = !input_stream_close(&pumping.source, &session->diags);
    session->input_failed |= unread;
    session->input_failed |= !input_finish(input, &records);
    session->has_records |= records;
    if (records) {
        folder_rebase(&session->model, before, path);
    } else {
        session->model.logs[before.logs].unread |= unread;
        see_ending(&session->model.logs[before.logs], &pumping.ending);
    }
    for (size_t log = before.logs; log < session->model.log_count; log++) {
        warn_doubts(session, &session->model.logs[log]);
        warn_unread(session, &session->model.logs[log]);
    }
}

/* The entries of a Triton cache that cannot be judged for one reason. */
struct left_entries {
    const char *reason;
    struct str first; /* of them */
    size_t count;
};
enum { MOST_REASONS = 16 };

static void leave_entry(struct left_entries *left, struct str stem, const char *reason)
{
    size_t at = 0;
    while (at + 1 < MOST_REASONS && left[at].count && strcmp(left[at].reason, reason) != 0)
        at++;
    if (left[at].count++ == 0) {
        left[at].reason = reason;
        left[at].first = stem;
    }
}

/* How many were left. */
static size_t warn_left_entries(struct session *session, const struct left_entries *left)
{
    size_t count = 0;
    for (size_t at = 0; at < MOST_REASONS && left[at].count; at++) {
        struct buf others = {0};
        if (left[at].count > 1)
            buf_fmt(&others, " (and %zu more)", left[at].count - 1);
        diag_warning(&session->diags, (struct place){.path = left[at].first}, "not judged: %s%.*s", left[at].reason,
                     STR_ARG(buf_str(&others)));
        buf_free(&others);
        count += left[at].count;
    }
    return count;
}

static void read_triton_entries(struct session *session, struct triton_entries *entries, struct left_entries *left)
{
    struct model *model = &session->model;
    struct triton_metadata metadata;
    for (size_t at = 0; at < entries->count; at++) {
        const struct triton_entry *entry = &entries->items[at];
        size_t first = model->kernel_count;
        if (!model_has_room(model, (struct place){.path = entry->stem}, &session->diags)) {
            session->input_failed = true;
            return;
        }
        const char *wrong = triton_entry_read(entries, entry, model, &metadata);
        if (wrong) {
            leave_entry(left, entry->stem, wrong);
            continue;
        }
        if (entry->has_ptx)
            assemble_entry(session, entry->stem, first);
        triton_metadata_give(&metadata, model, first);
    }
}

/* A cache of Triton. False: the folder is none. */
static bool read_triton_cache(struct session *session, struct str folder)
{
    struct triton_entries entries = {0};
    struct left_entries left[MOST_REASONS] = {{0}};
    session->input_failed |= !triton_cache_list(folder, &entries, &session->diags);
    read_triton_entries(session, &entries, left);
    bool found = entries.count > 0;
    size_t count = warn_left_entries(session, left);
    note_unread(session, folder, 0, count);
    if (found && count == entries.count)
        session->input_failed |=
            !diag_error(&session->diags, (struct place){.path = folder}, "no entry of this Triton cache can be judged");
    triton_entries_free(&entries);
    return found;
}

enum { LOGS_NAMED = 3 };

/* A folder without records that has logs: says which, as files to name. False: it has none. */
static bool suggest_logs(struct session *session, struct str path)
{
    struct path_list logs = {0};
    struct diags unsaid = {0}; /* the folder was walked before */
    struct buf names = {0};
    file_walk(path, STR(".log"), &logs, &unsaid);
    for (size_t at = 0; at < logs.count && at < LOGS_NAMED; at++)
        buf_fmt(&names, "%s%.*s", at ? ", " : "", STR_ARG(logs.paths[at]));
    if (logs.count > LOGS_NAMED)
        buf_fmt(&names, " and %zu more", logs.count - LOGS_NAMED);
    if (logs.count)
        diag_error(&session->diags, (struct place){.path = path},
                   "the folder has no records (*.warplint.ndjson), only logs: %.*s; give a log instead of the folder",
                   STR_ARG(buf_str(&names)));
    bool found = logs.count > 0;
    buf_free(&names);
    diags_free(&unsaid);
    path_list_free(&logs);
    return found;
}

static void read_folder(struct session *session, struct str path)
{
    struct path_list list = {0};
    session->input_failed |= !file_walk(path, STR(RECORD_SUFFIX), &list, &session->diags);
    if (list.count == 0 && list.left_out == 0 && read_triton_cache(session, path)) {
        path_list_free(&list);
        return;
    }
    size_t trials = folder_leave_trials(&list);
    session->trials += trials;
    session->incomplete |= !records_examine(path, &list, &session->diags);
    for (size_t at = 0; at < list.count; at++)
        read_input(session, list.paths[at]);
    struct place place = {.path = path};
    if (list.left_out)
        diag_warning(&session->diags, (struct place){.path = list.first_left},
                     "not read: a pipe or a device%s; a record is a file",
                     list.left_out > 1 ? ", as are others below the same folder" : "");
    session->input_failed |= list.count == 0;
    if (list.count == 0 && trials)
        diag_error(&session->diags, place,
                   "the folder has no records of the build, only %zu of compiles by which CMake or Meson tried the "
                   "compiler; `warplint doctor` finds the cause",
                   trials);
    else if (list.count == 0 && suggest_logs(session, path))
        ;
    else if (list.count == 0)
        diag_error(&session->diags, place,
                   "the folder has no records (*.warplint.ndjson); give the log instead, or make records of it with "
                   "`warplint report --output ndjson=NAME.warplint.ndjson LOG`; `warplint doctor` finds out why a "
                   "build has none");
    path_list_free(&list);
}

void session_read(struct session *session, struct str path)
{
    if (!str_eq(path, STR("-")) && file_is_dir(path))
        read_folder(session, path);
    else
        read_input(session, path);
}

void session_read_inputs(struct session *session)
{
    const struct str_list *inputs = &session->settings->arguments;
    if (inputs->count <= session->inputs_from)
        read_input(session, STR("-"));
    for (size_t at = session->inputs_from; at < inputs->count; at++)
        session_read(session, inputs->items[at]);
    if (session->has_records && rule_lines_wanted(&session->rules))
        diag_warning(&session->diags, (struct place){0},
                     "rules with a pattern judge the lines of logs, and records hold no lines: those rules were not "
                     "judged on them");
}

static struct log_reader *text_reader(struct session *session, struct str name)
{
    struct log_reader *reader = log_reader_new(&session->model, name);
    if (rule_lines_wanted(&session->rules))
        log_reader_on_line(reader, take_line, session);
    return reader;
}

void session_read_text(struct session *session, struct str name, struct str text)
{
    struct log_reader *reader = text_reader(session, name);
    log_reader_feed(reader, text);
    log_reader_finish(reader);
}

void session_read_messages(struct session *session, struct str name, struct str text, struct str key, bool links)
{
    struct str rest = key.len ? mark_rest(text, key) : text; /* a linker runs last */
    struct log_reader *reader = text_reader(session, name);
    log_reader_of_compile(reader, key);
    log_reader_feed(reader, str_sub(text, 0, text.len - rest.len));
    if (links)
        log_reader_links(reader);
    log_reader_feed(reader, rest);
    log_reader_finish(reader);
}

static bool is_replaced(const struct settings *settings, struct str input)
{
    for (size_t out = 0; out < settings->outputs.count; out++) {
        struct str report = settings->outputs.items[out].path;
        if (!str_eq(report, STR("-")) && file_exists(input) && file_same_place(report, input))
            return true;
    }
    return false;
}

/* No report takes the place of a file that is read. */
static bool spares_inputs(struct session *session)
{
    const struct settings *settings = session->settings;
    struct str single[] = {settings->baseline.len ? settings->baseline : session->config.baseline, settings->config};
    const struct str_list others = {.items = single, .count = sizeof single / sizeof *single};
    const struct str_list *lists[] = {&settings->arguments, &settings->objects, &settings->launches, &others};
    for (size_t list = 0; list < sizeof lists / sizeof *lists; list++)
        for (size_t at = 0; at < lists[list]->count; at++)
            if (is_replaced(settings, lists[list]->items[at]))
                return diag_error(&session->diags, (struct place){.path = lists[list]->items[at]},
                                  "a report would take the place of this input, give the report another name");
    return true;
}

bool session_begin(struct session *session)
{
    const struct settings *settings = session->settings;
    bool configured = settings->archs.count == 0, ok = spares_inputs(session);
    if (!ok)
        return false;
    for (size_t at = 0; at < settings->launches.count; at++)
        ok &= profile_read(&session->profile, settings->launches.items[at], &session->diags);
    session->profile_failed = !ok;
    if (!ok)
        return false;
    struct linter_options options = {
        .archs = configured ? session->config.archs : settings->archs.items,
        .arch_count = configured ? session->config.arch_count : settings->archs.count,
        .kernel = settings->kernel,
        .launch_config = settings->launch_config,
        .fail_on = session->fail_on,
        .config = &session->config,
        .profile = session->profile.count ? &session->profile : NULL,
        .today = session->today,
        .part = settings->archs.count || settings->kernel || session->part,
        .here = baseline_session_checkout(session).here,
    };
    session->linter = linter_new(&session->rules, &session->model, &options);
    return !session->compares || baseline_session_load(session);
}

int session_failure(const struct session *session)
{
    return session->profile_failed ? STATUS_UNTRUSTED : STATUS_USAGE;
}

/* A log that ends inside a record, or that has no resource line while others do: a part of the build is missing. */
static void find_partial_logs(struct session *session)
{
    for (size_t at = 0; at < session->model.log_count && !session->partial; at++) {
        const struct log_info *log = &session->model.logs[at];
        if (log->cut)
            session->partial = "a log ends inside a record";
        else if (log_is_silent(log))
            session->partial = "a log has no resource line of ptxas";
    }
}

/* Something of what was built may not be in the input. */
static bool lacks_some(const struct session *session)
{
    bool lacks = session->input_failed || session->incomplete || session->partial;
    for (size_t at = 0; at < session->model.log_count; at++)
        lacks |= session->model.logs[at].no_code;
    return lacks;
}

bool session_conclude(struct session *session)
{
    bounds_finish(&session->declared, &session->model, 0);
    model_link(&session->model);
    model_check_binaries(&session->model);
    baseline_session_compare(session);
    find_partial_logs(session);
    session->linter->options.partial = lacks_some(session);
    if (!linter_run(session->linter, &session->diags))
        return false;
    labels_init(&session->labels, &session->model.names);
    groups_make(&session->groups, session->linter);
    return true;
}

bool session_linter(struct session *session)
{
    if (!session_begin(session))
        return false;
    session_read_inputs(session);
    read_objects(session);
    return session_conclude(session);
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

bool session_is_ambiguous(const struct session *session)
{
    bool doubtful = session->linter->counts.ambiguous > 0;
    for (size_t at = 0; at < session->model.log_count; at++)
        doubtful |= session->model.logs[at].torn || session->model.logs[at].wrapped_line;
    return doubtful;
}

/* Of binaries alone: kernels whose code does not access local memory are judged, the others may spill. */
static bool has_only_binaries(const struct model *model)
{
    for (size_t k = 0; k < model->kernel_count; k++)
        if (model->kernels[k].producer != PRODUCER_BINARY)
            return false;
    return true;
}

bool session_is_unjudged(const struct session *session)
{
    enum unjudged most = linter_most_unjudged(session->linter);
    return most == UNJUDGED_ALL ||
           (most == UNJUDGED_SOME && (session->settings->strict || has_only_binaries(&session->model)));
}

bool session_judges_debug(const struct session *session)
{
    const struct ruleset *rules = session->linter->rules;
    bool any = false;
    for (size_t at = 0; at < rules->count; at++) {
        const struct rule *rule = &rules->rules[at];
        any |= rule->debug_builds && !rule->builtin && rule->severity >= session->fail_on;
    }
    return any;
}

/* No rule judges debug builds, and nothing else was compiled. */
static bool is_all_debug(const struct session *session)
{
    const struct linter_counts *counts = &session->linter->counts;
    bool passes = session->settings->allow_empty || session->part || session_judges_debug(session);
    return counts->entries > 0 && counts->debug == counts->entries && !passes;
}

void session_tell_unjudged(struct session *session)
{
    struct buf text = {0};
    uint32_t first = unjudged_text(session->linter, linter_most_unjudged(session->linter), &text);
    const struct kernel *kernel = &session->model.kernels[first];
    struct place place = {.path = model_string(&session->model, session->model.logs[kernel->log].path),
                          .line = kernel->log_line};
    diag_error(&session->diags, place, "%.*s", STR_ARG(buf_str(&text)));
    buf_free(&text);
}

/* The same of what only --strict refuses. */
static bool trusts_strictly(struct session *session)
{
    struct diags *diags = &session->diags;
    size_t unmet = session->linter->counts.unmet;
    if (session_is_ambiguous(session))
        return diag_error(diags, (struct place){0}, "the log is ambiguous: %s; --strict does not accept such a log",
                          doubt_reason(logs_doubt(&session->model)));
    if (unmet)
        return diag_error(diags, (struct place){0},
                          "the configuration has %zu %s for kernels that are not in the input, which --strict does not "
                          "accept: remove them, or correct the names of the kernels",
                          unmet, unmet == 1 ? "entry" : "entries");
    if (session->incomplete)
        return diag_error(diags, (struct place){0},
                          "the records are not those of what was built, which --strict does not accept: build again");
    return !session->partial ||
           diag_error(diags, (struct place){0}, "%s: --strict does not accept the log of a part of a build",
                      session->partial);
}

bool session_trusts(struct session *session)
{
    const struct settings *settings = session->settings;
    if (session->input_failed)
        return false;
    if (session->linter->counts.entries == 0 && !settings->allow_empty && !session->part) {
        session_explain_empty(session);
        return false;
    }
    if (is_all_debug(session))
        return diag_error(&session->diags, (struct place){0},
                          "only debug builds: rules leave out what is compiled with -G or -O0, so no kernel was "
                          "judged; compile without -G, or --allow-empty lets it pass");
    if (session_is_unjudged(session)) {
        session_tell_unjudged(session);
        return false;
    }
    return baseline_session_trusts(session) && (!settings->strict || trusts_strictly(session));
}

/* What a report must not call a pass; the verdict says why. */
static bool is_incomplete(struct session *session)
{
    struct diags said = session->diags;
    session->diags = (struct diags){0};
    bool trusted = session_trusts(session);
    diags_free(&session->diags);
    session->diags = said;
    return !trusted;
}

bool session_write(struct session *session, enum report_kind kind)
{
    const struct settings *settings = session->settings;
    static const char *const no_marks[] = {NULL};
    char *folder = getcwd(NULL, 0);
    struct buf repository = {0}, here = {0};
    file_checkout(no_marks, &repository, &here);
    if (!session->labels.names) /* nothing was judged */
        labels_init(&session->labels, &session->model.names);
    struct arena arena = {0};
    struct buf date = {0};
    date_of_build(&date);
    struct report report = {
        .labels = &session->labels,
        .kind = kind,
        .linter = session->linter,
        .groups = &session->groups,
        .comparison = session->known.compared ? &session->known.comparison : NULL,
        .model = &session->model,
        .version = WARPLINT_VERSION,
        .all = settings->all,
        .summary = session->summary,
        .rows = session->rows,
        .max_bytes = settings->max_bytes,
        .notes = settings->notes,
        .show_unknown = settings->unknown,
        .fail_on = session->fail_on,
        .brief = session->brief,
        .incomplete = is_incomplete(session),
        .trials = session->trials,
        .folder = str_of(folder),
        .repository = buf_str(&repository),
        .category = settings->sarif_category,
        .title = settings->title,
        .run = ci_environment(&arena),
        .date = buf_str(&date),
    };
    bool ok = true;
    int fd = session->to_stderr ? STDERR_FILENO : STDOUT_FILENO;
    for (size_t at = 0; at < settings->outputs.count; at++) {
        struct out out;
        bool to_stream = str_eq(settings->outputs.items[at].path, STR("-"));
        if (session->silent && to_stream && settings->outputs.items[at].format->write == report_text)
            continue;
        if (!out_open(&out, settings->outputs.items[at].path, &session->diags)) {
            ok = false;
            continue;
        }
        out.fd = to_stream ? fd : out.fd;
        bool is_shown = to_stream && settings->outputs.items[at].format->write == report_text;
        report.color = is_shown && settings_color(settings, fd);
        report.width = is_shown ? terminal_width(fd) : 0;
        diff_writer *diff = kind == REPORT_DIFF ? delta_writer(settings->outputs.items[at].format) : NULL;
        report.kind = kind == REPORT_DIFF && !diff ? REPORT_FINDINGS : kind;
        (diff ? diff : settings->outputs.items[at].format->write)(&report, &out);
        ok &= out_close(&out, &session->diags);
    }
    free(folder);
    buf_free(&repository);
    buf_free(&here);
    buf_free(&date);
    arena_free(&arena);
    return ok;
}

void session_free(struct session *session)
{
    labels_free(&session->labels);
    groups_free(&session->groups);
    if (session->linter)
        linter_free(session->linter);
    profile_free(&session->profile);
    baseline_session_free(&session->known);
    model_free(&session->model);
    ruleset_free(&session->rules);
    config_free(&session->config);
    free(session->inputs);
    say_diags(&session->diags);
}

/* The first error that a compiler named in this log, or NULL. */
static const struct event *first_error(const struct model *model, size_t log)
{
    for (size_t at = 0; at < model->event_count; at++)
        if (model->events[at].log == log && model->events[at].severity == SEVERITY_ERROR)
            return &model->events[at];
    return NULL;
}

/* Kernels were read, and none of them is selected: the architectures that there are, once for all logs. */
static void explain_selection(struct session *session, struct place place)
{
    const struct model *model = &session->model;
    struct intern archs = {0};
    struct buf names = {0};
    for (size_t at = 0; at < model->kernel_count; at++) {
        struct str arch = kernel_arch(model, &model->kernels[at]);
        size_t before = archs.count;
        if (arch.len == 0)
            continue;
        intern_add(&archs, arch);
        if (archs.count > before)
            buf_fmt(&names, "%s%.*s", before ? ", " : "", STR_ARG(arch));
    }
    diag_error(&session->diags, model->log_count > 1 ? (struct place){0} : place,
               "no kernels: %s none; the %s kernels for %.*s",
               session->settings->archs.count == 0 ? "--kernel selects"
               : session->settings->kernel         ? "--arch and --kernel select"
                                                   : "--arch selects",
               model->log_count > 1 ? "logs have" : "log has",
               STR_ARG(names.len ? buf_str(&names) : STR("unknown architectures")));
    buf_free(&names);
    intern_free(&archs);
}

void session_explain_empty(struct session *session)
{
    const struct model *model = &session->model;
    bool selection = false;
    if (model->log_count == 0 && !session->input_failed)
        diag_error(&session->diags, (struct place){0},
                   "no kernels: PTX says what kernels declare, not what they need; give the log or the binary too");
    for (size_t at = 0; at < model->log_count; at++) {
        const struct log_info *log = &model->logs[at];
        const struct event *error = first_error(model, at);
        struct place place = {.path = model_string(model, log->path)};
        if (log->unread)
            continue;
        if (log->no_code)
            diag_error(
                &session->diags, place,
                "no kernels: the compile made no machine code (PTX only, or -dlto), so ptxas did not run; compile "
                "for an architecture (-arch=sm_90), or judge the device link");
        else if ((log->unread_members || log->unread_entries) && session->input_failed)
            continue; /* that was told */
        else if (log->unread_members || log->unread_entries)
            diag_error(&session->diags, place, "no kernels: none of it could be judged");
        else if (!log->verbose && log->amd_line)
            diag_error(&session->diags, place,
                       "no kernels: the resource lines are those of AMD's compiler, which warplint does not read");
        else if (log->lines == 0 && !log->verbose)
            diag_error(&session->diags, place, "no kernels: the log is empty; pipe both streams of the build, `2>&1`");
        else if (!log->verbose && error)
            diag_error(&session->diags, place,
                       "no kernels: the compile ended with an error, line %lu, before ptxas said what kernels need",
                       (unsigned long)error->log_line);
        else if (!log->verbose && str_ends(place.path, STR(".cu")))
            diag_error(&session->diags, place,
                       "no kernels: this is a source file, not the log of its compile; `warplint wrap -- nvcc -c FILE` "
                       "compiles and judges it");
        else if (!log->verbose)
            diag_error(&session->diags, place,
                       "no kernels: none of %llu lines states the resources of a kernel; add -Xptxas=-v to the nvcc "
                       "command line and build from scratch (an up-to-date build prints nothing); `warplint doctor` "
                       "finds the cause",
                       (unsigned long long)log->lines);
        else if (session->linter && session->linter->counts.deselected)
            selection = true;
        else if (log->lines == 0 && session->input_failed)
            continue; /* a binary; why nothing was read of it was told */
        else if (log->lines == 0)
            diag_error(&session->diags, place, "no kernels: device functions alone are not judged; give the program");
        else
            diag_error(&session->diags, place,
                       "no kernels: ptxas printed no entry function (device functions alone are not judged)");
    }
    if (selection)
        explain_selection(session, (struct place){.path = model_string(model, model->logs[0].path)});
}
