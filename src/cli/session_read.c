/* Reads the inputs of a session: logs, records, binaries, packages, PTX, and folders of them. */
#include "cli/session.h"

#include "base/escape.h"
#include "base/input_stream.h"
#include "cli/assemble.h"
#include "cli/doctor/doctor.h"
#include "cli/folder.h"
#include "cli/records.h"
#include "log/input.h"
#include "log/mark.h"
#include "log/reader.h"
#include "nvcc/binary.h"
#include "nvcc/ptx.h"
#include "nvcc/triton_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void take_line(void *context, struct str line, uint16_t log, uint64_t number)
{
    struct session *session = context;
    linter_line(session->linter, line, log, (size_t)number);
}

/* ---- the end of a log ------------------------------------------------------------------------------------------- */

/* A build tool reports a failure at the end of the log; the shell or a CI system may add a few lines. */
enum { LAST_LINES = 12, LAST_BYTES = 2048 };

/* Finds out whether the build of the log ended with an error. In `make 2>&1 | warplint check -` the exit status of make
 * is lost, and the log does not show which kernels were not compiled. The log counts as failed if one of the last lines
 * is a build tool's message that it stopped, and no later line states that everything is built. */
static void see_ending(struct log_info *log, struct str text)
{
    if (str_ends(text, STR("\n")))
        text.len--;
    for (size_t line = 1; line <= LAST_LINES && line <= log->lines && text.len; line++) {
        size_t before = str_rfind(text, STR("\n"));
        struct str last = str_from(text, before == STR_NONE ? 0 : before + 1);
        bool of_record = /* most logs end with such a line */
            str_starts(last, STR("ptxas info ")) || str_ends(last, STR(" bytes spill loads"));
        if (!of_record && evidence_line_has(last, SIGN_STOPPED)) {
            log->stopped_line = log->lines - line + 1;
            return;
        }
        if (!of_record && evidence_line_has(last, SIGN_UP_TO_DATE)) /* the failed target was built again */
            return;
        text.len = before == STR_NONE ? 0 : before;
    }
}

/* ---- warnings about an input ------------------------------------------------------------------------------------ */

/* Warns if a log shows only a part of a build, or a build that is not a release build. */
static void warn_doubts(struct session *session, const struct log_info *log)
{
    const struct event *error = model_first_error(&session->model, (size_t)(log - session->model.logs));
    const struct {
        uint64_t line; /* 0: no warning */
        const char *partial_reason, *message, *fix;
    } doubts[] = {
        {log->clipped_line, "lines of the log were left out",
         "the log is truncated here, at a limit of length: kernels in the missing lines were not judged", ""},
        {log->stopped_line, "the build ended with an error",
         "the build ended with an error: kernels that it did not compile were not judged", ""},
        {error && !log->stopped_line ? error->log_line : 0, "a compiler reported an error",
         "a compiler reported an error: what it did not compile or link was not judged", ""},
        {log->quiet_line, "a compile has no -Xptxas=-v",
         "this compile has no -Xptxas=-v, which others in the log have: its kernels were not judged", ""},
        {log->wrapped_line, "messages go on in the next line",
         "messages are wrapped into the next line, as a terminal or a mail program does it: kernels from here on were "
         "not judged; ",
         doubt_texts[DOUBT_WRAPPED].fix},
        {log->unowned_line, "lines of the compiler are missing",
         "a `Used` line without a kernel: the line `Compiling entry function` that belongs to it is missing, so it was "
         "not judged; ",
         doubt_texts[DOUBT_MISSING].fix},
        {log->amd_line, "kernels for AMD GPUs were not judged",
         "a resource line of AMD's compiler (-Rpass-analysis=kernel-resource-usage): warplint does not read these, "
         "kernels for AMD GPUs were not judged",
         ""},
        {log->unoptimised_line, NULL,
         "only unoptimised code has such a function: it was compiled with -G or without optimisation, and other "
         "kernels of the log may be too; their numbers are not those of a release: compile without -G (-lineinfo keeps "
         "the lines)",
         ""},
    };
    for (size_t at = 0; at < sizeof doubts / sizeof *doubts; at++) {
        struct place place = {.path = folder_log_path(&session->model, log, &session->arena), .line = doubts[at].line};
        if (!doubts[at].line)
            continue;
        if (doubts[at].partial_reason)
            session->partial_reason = session->report.partial_reason = doubts[at].partial_reason;
        diag_warning(&session->diags, place, "%s%s", doubts[at].message, doubts[at].fix);
    }
}

/* Warns of members of a package and entries of a cache that were not judged. Records state only their numbers. */
static void warn_unread(struct session *session, const struct log_info *log)
{
    struct place place = {.path = model_string(&session->model, log->path)};
    if (log->unread_members) {
        session->partial_reason = "members of a package cannot be read";
        diag_warning(&session->diags, place, "not judged: %llu member%s of this package",
                     (unsigned long long)log->unread_members, PLURAL(log->unread_members));
    }
    if (log->unread_entries) {
        session->partial_reason = "entries of a Triton cache were not judged";
        diag_warning(&session->diags, place, "not judged: %llu entr%s of this Triton cache",
                     (unsigned long long)log->unread_entries, log->unread_entries == 1 ? "y" : "ies");
    }
}

/* Stores the numbers of unread members and entries in a log, so that records have them too, and warns. */
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

/* ---- inputs that are read already -------------------------------------------------------------------------------- */

/* Remembers that a file or folder is read. Returns the path by which it was read before; empty if it was not, or if it
 * is something else, such as a pipe. */
static struct str note_reading(struct session *session, struct str path)
{
    const size_t known = session->files.count;
    if (!file_is_regular(path) && !file_is_dir(path))
        return (struct str){0};
    const uint32_t number = file_number(&session->files, path);
    if (number < known)
        return session->first_paths.items[number];
    if (number == known)
        str_list_add(&session->first_paths, arena_str(&session->arena, path));
    return (struct str){0};
}

/* True, with a warning, if the input is a file or folder that was given before: its kernels would count twice. */
static bool is_given_before(struct session *session, struct str path)
{
    const struct str first = note_reading(session, path);
    if (first.len == 0)
        return false;
    const bool other = !str_eq(first, path);
    diag_warning(&session->diags, (struct place){.path = path}, "this input is given twice%s%.*s, and read once",
                 other ? ", first as " : "", STR_ARG(other ? first : STR("")));
    return true;
}

/* ---- binaries --------------------------------------------------------------------------------------------------- */

/* required: it is an error if the file has no GPU code. Returns false if the file cannot be read. */
static bool read_binary(struct session *session, struct str path, bool required)
{
    size_t unread = 0;
    bool ok = binary_read(&session->model, path, required, &unread, &session->diags);
    note_unread(session, path, unread, 0);
    session->input_failed |= !ok;
    return ok;
}

/* Reads binaries, packages of binaries, and PTX. Returns false if the input is something else: a log or records. */
static bool read_code(struct session *session, struct str path)
{
    size_t first = session->model.kernel_count;
    bool ptx = ptx_file_is(path);
    if (str_eq(path, STR("-")) || (!ptx && !binary_is(path, &session->input_failed, &session->diags)))
        return false;
    if (ptx)
        session->input_failed |= !ptx_file_read(&session->declared, &session->model, path, &session->diags);
    else if (read_binary(session, path, true) && session->settings->assemble)
        assemble(session, path, first);
    return true;
}

/* Reads the binaries of a folder; other files and binaries without GPU code are ignored. */
static void read_objects_below(struct session *session, struct str folder)
{
    SCOPED(path_list) list = {0};
    const size_t logs = session->model.log_count;
    bool repeated = false;
    session->input_failed |= !file_walk(folder, (struct str){"", 0}, &list, &session->diags);
    for (size_t at = 0; at < list.count; at++) {
        if (!binary_is(list.paths[at], &session->input_failed, &session->diags))
            continue;
        if (note_reading(session, list.paths[at]).len)
            repeated = true;
        else
            read_binary(session, list.paths[at], false);
    }
    if (session->model.log_count == logs && !repeated && !session->input_failed)
        diag_warning(&session->diags, (struct place){.path = folder},
                     "--objects has no effect: no file of this folder has GPU code");
}

void session_read_objects(struct session *session)
{
    const struct str_list *objects = &session->settings->objects;
    for (size_t at = 0; at < objects->count; at++) {
        if (file_is_dir(objects->items[at])) /* may be an input too: its records were read then */
            read_objects_below(session, objects->items[at]);
        else if (!is_given_before(session, objects->items[at]))
            read_binary(session, objects->items[at], true);
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
    struct input_stream source;
    SCOPED(buf) ending = {0};
    char block[1 << 17];
    struct str bytes = {block, 0};
    if (str_eq(path, STR("-")) && isatty(STDIN_FILENO))
        fputs("warplint: reading the log from standard input, end it with Ctrl-D\n", stderr);
    if (!input_stream_open(&source, path, INPUT_ANY, &session->diags)) {
        session->input_failed = true;
        return;
    }
    *MEM_ADD(session->inputs, session->input_count, session->input_cap) =
        (struct session_input){intern_add(&session->model.strings, name), (uint32_t)session->model.kernel_count};
    struct model_mark before = model_mark(&session->model);
    struct input *input = input_new(&session->model, name, &session->diags);
    if (wants_lines)
        input_on_line(input, take_line, session);
    while ((bytes.len = input_stream_read(&source, block, sizeof block)) > 0) {
        input_feed(input, bytes);
        buf_add(&ending, bytes.len > LAST_BYTES ? str_from(bytes, bytes.len - LAST_BYTES) : bytes);
        const size_t before_last = ending.len > LAST_BYTES ? ending.len - LAST_BYTES : 0;
        ending.len -= before_last;
        memmove(ending.ptr, ending.ptr + before_last, ending.len);
    }
    bool unread = !input_stream_close(&source, &session->diags);
    session->input_failed |= unread;
    session->input_failed |= !input_finish(input, &records);
    session->has_records |= records;
    session->has_lines |= !records;
    if (records) {
        folder_rebase(&session->model, before, path);
    } else {
        session->model.logs[before.logs].unread |= unread;
        see_ending(&session->model.logs[before.logs], buf_str(&ending));
    }
    for (size_t log = before.logs; log < session->model.log_count; log++) {
        warn_doubts(session, &session->model.logs[log]);
        warn_unread(session, &session->model.logs[log]);
    }
}

/* The entries of a Triton cache that cannot be judged, by reason. */
struct left_entries {
    struct intern reasons;
    struct path_count *entries; /* by reason */
    size_t cap;
};

/* Warns of these entries and returns their number. */
static size_t warn_left_entries(struct session *session, const struct left_entries *left)
{
    size_t count = 0;
    for (uint32_t at = 0; at < left->reasons.count; at++) {
        struct str text = arena_fmt(&session->arena, "not judged: %.*s", STR_ARG(intern_get(&left->reasons, at)));
        path_count_warn(&left->entries[at], text.ptr, &session->diags);
        count += left->entries[at].count;
    }
    return count;
}

static void read_triton_entries(struct session *session, struct triton_entries *entries, struct left_entries *left)
{
    struct model *model = &session->model;
    struct triton_metadata metadata;
    EACH(const struct triton_entry, entry, entries->items, entries->count) {
        size_t first = model->kernel_count;
        if (!model_has_room(model, (struct place){.path = entry->stem}, &session->diags)) {
            session->input_failed = true;
            return;
        }
        const char *wrong = triton_entry_read(entries, entry, model, &metadata);
        if (wrong) {
            const uint32_t reason = intern_add(&left->reasons, str_of(wrong));
            path_count_add(MEM_AT(left->entries, left->cap, reason), entry->stem);
            continue;
        }
        if (entry->has_ptx)
            assemble_entry(session, entry->stem, first);
        triton_metadata_give(&metadata, model, first);
    }
}

/* Reads a cache of Triton. Returns false if the folder is not one. */
static bool read_triton_cache(struct session *session, struct str folder)
{
    SCOPED(triton_entries) entries = {0};
    struct left_entries left = {.cap = 0};
    session->input_failed |= !triton_cache_list(folder, &entries, &session->diags);
    read_triton_entries(session, &entries, &left);
    bool found = entries.count > 0;
    size_t count = warn_left_entries(session, &left);
    intern_free(&left.reasons);
    free(left.entries);
    note_unread(session, folder, 0, count);
    if (found && count == entries.count)
        session->input_failed |=
            !diag_error(&session->diags, (struct place){.path = folder}, "no entry of this Triton cache can be judged");
    return found;
}

enum { LOGS_NAMED = 3 };

/* Appends how to read the logs of a folder. The advice is the same command with FOLDER*.log if the folder is the only
 * argument, all logs are directly in it, and its name needs no quotes in a shell. */
static void add_cure(const struct session *session, const struct path_list *logs, struct buf *out)
{
    const struct settings *settings = session->settings;
    struct str folder = path_folder(logs->paths[0]);
    bool simple = settings->arguments.count == 1 && session->inputs_from == 0 && shell_is_plain(folder);
    for (size_t at = 0; at < logs->count; at++)
        simple &= path_folder(logs->paths[at]).len == folder.len;
    if (simple)
        buf_fmt(out, "; `warplint %s %.*s*.log` reads them", settings->argv[0], STR_ARG(folder));
    else
        buf_fmt(out, "; give the log%s instead of the folder", PLURAL(logs->count));
}

/* Reports the logs of a folder that has no records, because they can be given as files. Returns false if it has
 * none. */
static bool suggest_logs(struct session *session, struct str path)
{
    SCOPED(path_list) logs = {0};
    SCOPED(buf) names = {0};
    file_walk(path, STR(".log"), &logs, NULL); /* errors of the folder were reported when records were searched */
    if (logs.count == 0)
        return false;
    for (size_t at = 0; at < logs.count && at < LOGS_NAMED; at++)
        buf_fmt(&names, "%s%.*s", at ? ", " : "", STR_ARG(logs.paths[at]));
    if (logs.count > LOGS_NAMED)
        buf_fmt(&names, " and %zu more", logs.count - LOGS_NAMED);
    add_cure(session, &logs, &names);
    return !diag_error(&session->diags, (struct place){.path = path},
                       "the folder has no records (*.warplint.ndjson), only logs: %.*s", STR_ARG(buf_str(&names)));
}

/* Reports a folder that has no records but objects; false if it has none. */
static bool suggest_objects(struct session *session, struct str path)
{
    SCOPED(path_list) objects = {0};
    file_walk(path, STR(".o"), &objects, NULL);
    return objects.count && !diag_error(&session->diags, (struct place){.path = path},
                                        "the folder has no records (*.warplint.ndjson), only objects: give them as "
                                        "files (%.*s ...) beside the log of the build; `warplint doctor` finds out why "
                                        "there are no records",
                                        STR_ARG(objects.paths[0]));
}

/* Reads the records of a folder that were not read before. */
static void read_records(struct session *session, struct str folder, const struct path_list *list)
{
    size_t repeated = 0;
    for (size_t at = 0; at < list->count; at++) {
        if (note_reading(session, list->paths[at]).len)
            repeated++;
        else
            read_input(session, list->paths[at]);
    }
    if (repeated)
        diag_warning(&session->diags, (struct place){.path = folder},
                     "%zu record%s of this folder %s read already as part of another input or by another name, and "
                     "read once",
                     repeated, PLURAL(repeated), repeated == 1 ? "was" : "were");
}

static void read_folder(struct session *session, struct str path)
{
    SCOPED(path_list) list = {0};
    const bool walked = file_walk(path, STR(RECORD_SUFFIX), &list, &session->diags);
    session->input_failed |= !walked;
    if (list.count == 0 && !walked)
        return;
    if (list.count == 0 && list.left_out == 0 && read_triton_cache(session, path))
        return;
    size_t trials = folder_leave_trials(path, &list);
    session->report.trials += trials;
    session->records_mismatch |= !records_examine(path, &list, &session->unrecorded, &session->arena, &session->diags);
    read_records(session, path, &list);
    struct place place = {.path = path};
    if (list.left_out) {
        session->partial_reason = "a record is a pipe or a device, which was not read";
        diag_warning(&session->diags, (struct place){.path = list.first_left},
                     "not read: a pipe or a device%s; a record is a file",
                     list.left_out > 1 ? ", as are others below the same folder" : "");
    }
    if (list.count)
        return;
    session->input_failed = true;
    if (trials)
        diag_error(&session->diags, place,
                   "the folder has no records of the build, only %zu of compiles by which CMake or Meson tried the "
                   "compiler; `warplint doctor` finds the cause",
                   trials);
    else if (!suggest_logs(session, path) && !suggest_objects(session, path))
        diag_error(&session->diags, place,
                   "the folder has no records (*.warplint.ndjson); give the log instead, or make records of it with "
                   "`warplint report --output ndjson=NAME.warplint.ndjson LOG`; `warplint doctor` finds out why a "
                   "build has none");
}

void session_read(struct session *session, struct str path)
{
    if (!str_eq(path, STR("-")) && file_is_dir(path))
        read_folder(session, path);
    else
        read_input(session, path);
}

/* Warns if --assemble or --ptxas is given and no input has PTX beside its cubin. */
static void warn_no_ptx(struct session *session)
{
    const struct settings *settings = session->settings;
    if (session->has_ptx || session->input_failed)
        return;
    if (settings->assemble)
        diag_warning(&session->diags, nowhere,
                     "--assemble has no effect: no input is a NAME.cubin with NAME.ptx beside it or among the inputs");
    else if (settings->ptxas)
        diag_warning(&session->diags, nowhere,
                     "--ptxas has no effect: it is for --assemble and for caches of Triton, and neither is given");
}

void session_read_inputs(struct session *session)
{
    const struct str_list *inputs = &session->settings->arguments;
    if (inputs->count <= session->inputs_from)
        read_input(session, STR("-"));
    for (size_t at = session->inputs_from; at < inputs->count; at++)
        if (!is_given_before(session, inputs->items[at]))
            session_read(session, inputs->items[at]);
    warn_no_ptx(session);
    bool lacks_lines = session->has_records || (!session->has_lines && session->model.kernel_count > 0);
    session->patterns_not_judged = lacks_lines && rule_lines_wanted(&session->rules);
    if (session->patterns_not_judged)
        diag_warning(&session->diags, nowhere,
                     "rules with a pattern judge the lines of logs, and records and binaries hold no lines: those "
                     "rules were not judged on them");
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
