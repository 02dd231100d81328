/* warplint where: the source lines at which one kernel spills or accesses local arrays. */
#define _POSIX_C_SOURCE 200809L
#include "cli/commands.h"
#include "cli/kernel_choice.h"
#include "report/column.h"
#include "report/where_text.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

struct where {
    struct session *session;
    struct report report;
    uint32_t name;
};

static bool is_shown(const struct where *where, uint32_t kernel)
{
    return where->session->model.kernels[kernel].name == where->name && kernel_is_judged_entry(where->session, kernel);
}

static void write_text(struct where *where, struct buf *out)
{
    struct session *session = where->session;
    buf_add(out, label_of(&session->labels, intern_get(&session->model.names, where->name)));
    buf_char(out, '\n');
    for (uint32_t at = 0; at < session->model.kernel_count; at++)
        if (is_shown(where, at)) {
            buf_char(out, '\n');
            where_text(&where->report, linter_record(session->linter, at), out);
        }
}

static void write_json(struct where *where, struct buf *out)
{
    struct json json = {.out = out};
    json_open(&json, '{');
    json_pair_str(&json, "type", STR("where"));
    json_pair_int(&json, "schema", 1);
    json_pair_str(&json, "version", STR(WARPLINT_VERSION));
    json_pair_open(&json, "records", '[');
    for (uint32_t at = 0; at < where->session->model.kernel_count; at++)
        if (is_shown(where, at))
            column_json(&where->report, at, &json);
    json_close(&json, ']');
    json_close(&json, '}');
    buf_char(out, '\n');
}

static void write_listing(void *where, struct str format, struct buf *out)
{
    (str_eq(format, STR("json")) ? write_json : write_text)(where, out);
}

static int show(struct session *session)
{
    const struct settings *settings = session->settings;
    struct where where = {.session = session};
    static const char *const no_marks[] = {NULL};
    char *folder = getcwd(NULL, 0);
    struct buf repository = {0}, here = {0};
    file_checkout(no_marks, &repository, &here);
    where.report = (struct report){.kind = REPORT_KERNELS,
                                   .linter = session->linter,
                                   .model = &session->model,
                                   .labels = &session->labels,
                                   .version = WARPLINT_VERSION,
                                   .folder = str_of(folder),
                                   .repository = buf_str(&repository)};
    int status = STATUS_USAGE;
    if (kernel_choose(session, settings->arguments.items[0], &where.name)) {
        bool written = write_outputs(&settings->outputs, write_listing, &where, &session->diags);
        status = written && !session->input_failed ? STATUS_OK : STATUS_UNTRUSTED;
    }
    free(folder);
    buf_free(&repository);
    buf_free(&here);
    return status;
}

static int run(struct session *session, void *given)
{
    const struct settings *settings = given;
    if (settings->arguments.count < 2) {
        diag_error(&session->diags, (struct place){0},
                   "no kernel was given, expected `warplint where KERNEL build.log app.o`, KERNEL a name or a regular "
                   "expression, and the log or the binaries of its build; `warplint report --sort spill_store_bytes "
                   "--top 10 build.log` lists the kernels that spill most");
        return STATUS_USAGE;
    }
    session->inputs_from = 1;
    if (!session_linter(session))
        return session_failure(session);
    if (session->linter->counts.entries == 0) {
        session_explain_empty(session);
        return STATUS_UNTRUSTED;
    }
    return show(session);
}

static const struct option_row options[] = {
    {"format", 0, "text|json", add_format, offsetof(struct settings, outputs),
     "format of standard output; default: text"},
};

const struct command command_where = {
    .name = "where",
    .bit = COMMAND_WHERE,
    .what = "show the source lines at which a kernel spills",
    .usage = "usage: warplint where [OPTIONS] KERNEL LOG|BINARY|DIR|-...\n\n"
             "Show the source lines at which one kernel spills or accesses local arrays, with\n"
             "the bytes per thread and the number of loops around each.\n\n" KERNEL_WORD,
    .statuses = "Exit status: 0 listed, 2 wrong command line or no such kernel, 3 nothing to\n"
                "read, or a file could not be read or written.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_bytes = sizeof(struct settings),
    .formats = "text|json",
    .run = run,
};
