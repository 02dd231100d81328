/* record: the file beside each object, with the kernels of its compile and the information from the command line. */
#define _POSIX_C_SOURCE 200809L
#include "cli/wrap/wrap.h"

#include "cli/record_source.h"
#include "cli/records.h"
#include "nvcc/object.h"
#include "nvcc/toolkit.h"

#include <errno.h>
#include <string.h>

struct str record_name(const struct wrap *wrap)
{
    return wrap->invocation.outputs.count ? wrap->invocation.outputs.items[0] : STR("<stderr>");
}

static uint32_t add_version(struct model *model, const char *version)
{
    return *version ? intern_add(&model->strings, str_of(version)) : NO_INDEX;
}

static uint32_t add_words(struct model *model, const struct str_list *words)
{
    struct buf all = {0};
    for (size_t at = 0; at < words->count; at++) {
        buf_add(&all, words->items[at]);
        buf_char(&all, '\0');
    }
    return intern_take(&model->strings, &all);
}

static void set_working_directory(struct model *model, struct str path, bool from_here)
{
    model->logs[0].working_directory = path.len ? intern_add(&model->strings, path) : NO_INDEX;
    model->logs[0].from_here = from_here;
    model->logs[0].runs_in = intern_add(&model->strings, STR("."));
}

static void complete_kernels(const struct wrap *wrap, struct model *model)
{
    const struct str_list *sources = &wrap->invocation.sources;
    uint32_t source = sources->count == 1 ? intern_add(&model->strings, sources->items[0]) : NO_INDEX;
    EACH(struct kernel, kernel, model->kernels, model->kernel_count) {
        bool is_own = kernel_rare(model, kernel)->line_from == LINE_LOC;
        kernel->source = is_own ? source_path(wrap, model, kernel->source) : source;
        kernel->flags |= wrap->invocation.debug ? KERNEL_DEBUG : 0;
        kernel->log_line = 0; /* no file contains the messages */
    }
    for (size_t at = 0; at < model->event_count; at++)
        model->events[at].log_line = 0;
}

/* Identifies the linked objects; NO_INDEX if no device code was linked. */
static uint32_t linked_code(const struct wrap *wrap, struct model *model)
{
    SCOPED(buf) code = {0};
    bool known = wrap->invocation.links && model->kernel_count && !wrap->invocation.launcher.moves &&
                 record_linked_code(&wrap->invocation.words, STR(""), &code);
    return known ? intern_add(&model->strings, buf_str(&code)) : NO_INDEX;
}

void record_complete(const struct wrap *wrap, struct model *model)
{
    const struct invocation *invocation = &wrap->invocation;
    struct log_info *log = &model->logs[0];
    complete_kernels(wrap, model);
    judgeable_note(wrap, log);
    log->compiled = true;
    log->rdc_line = invocation->relocatable && invocation->sources.count;
    log->loop_remarks |= wrap->remarks;
    log->nvcc = add_version(model, wrap->features.nvcc);
    log->ptxas = add_version(model, wrap->features.ptxas);
    log->object_code = NO_INDEX; /* each object has its own */
    log->linked_code = linked_code(wrap, model);
    log->command = add_words(model, &wrap->settings->common.arguments);
    log->flags = add_words(model, &invocation->words);
    log->toolkit = invocation->dialect == DIALECT_CLANG ? toolkit_of_clang(invocation->toolkit)
                                                        : toolkit_of_compiler(wrap->words[invocation->compiler]);
    set_working_directory(model, STR("."), true);
}

/* Adds the way from the record's folder to the working directory, and the stamp of the object. Returns false with a
 * diagnostic if one of the two is missing. */
static bool report_record(struct session *session, struct str object, struct out *out)
{
    struct report report = {
        .kind = REPORT_KERNELS, .linter = session->linter, .model = &session->model, .version = WARPLINT_VERSION};
    SCOPED(buf) way = {0}, stamp = {0};
    int error = object_stamp(object.ptr, &stamp);
    if (error)
        diag_warning(&session->diags, (struct place){.path = object},
                     "the record does not say what its object holds: the object cannot be read: %s", strerror(error));
    bool placed = file_relative_path(path_folder(object).len ? path_folder(object) : STR("."), STR("."), &way);
    if (!placed)
        diag_warning(&session->diags, (struct place){.path = object},
                     "the record does not say from its folder where the compiler ran: no relative path was found: %s",
                     strerror(errno));
    set_working_directory(&session->model, buf_str(&way), false);
    session->model.logs[0].object_code = error ? NO_INDEX : intern_add(&session->model.strings, buf_str(&stamp));
    report_ndjson(&report, out);
    set_working_directory(&session->model, STR("."), true);
    return placed && !error;
}

/* Writes the record beside the object if that is a regular file; other outputs need no record. */
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
    SCOPED(diags) unwritten = {0};
    out_replace(&out, path);
    bool ok = report_record(session, object, &out);
    ok &= out_close(&out, &unwritten);
    if (ok)
        session->report.record = path;
    for (size_t at = 0; at < unwritten.count; at++)
        diag_warning(&session->diags, unwritten.items[at].place, "the record %.*s",
                     STR_ARG(unwritten.items[at].message));
    return ok;
}

/* Writes a record without kernels: it states only that the object was compiled, and by which command. */
static bool write_bare_record(struct session *session, const struct wrap *wrap, struct str object)
{
    SCOPED(session) bare = {.settings = session->settings, .partial_build = true};
    if (!session_begin(&bare))
        return false;
    session_read_text(&bare, object, STR(""));
    bare.model.logs[0].verbose = session->model.logs[0].verbose;
    record_complete(wrap, &bare.model);
    return session_judge(&bare) && write_record(&bare, object);
}

/* The messages do not show which of several inputs of one command they are about, so all kernels are recorded beside
 * the first object. */
bool record_write(struct session *session, const struct wrap *wrap)
{
    const struct str_list *outputs = &wrap->invocation.outputs;
    bool ok = outputs->count == 0 || write_record(session, outputs->items[0]);
    for (size_t at = 1; at < outputs->count; at++)
        ok &= write_bare_record(session, wrap, outputs->items[at]);
    return ok;
}
