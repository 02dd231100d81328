/* warplint where: the source lines at which one kernel spills or accesses local arrays. */
#include "cli/commands.h"
#include "cli/kernel_choice.h"
#include "report/column.h"
#include "report/where_text.h"

static void add_text(struct session *session, uint32_t kernel, struct buf *out)
{
    where_text(&session->report, linter_record(session->linter, kernel), out);
}

static void add_json(struct session *session, uint32_t kernel, struct json *json)
{
    json_open(json, '{');
    json_pair_str(json, "type", STR("kernel"));
    column_json(&session->report, kernel, json);
    json_close(json, '}');
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
    return kernel_answer(session, &(struct kernel_answer){"where", true, add_text, add_json});
}

const struct command command_where = {
    .name = "where",
    .bit = COMMAND_WHERE,
    .what = "show the source lines at which a kernel spills",
    .usage = "usage: warplint where [OPTIONS] KERNEL LOG|BINARY|DIR|-...\n\n"
             "Show the source lines at which one kernel spills or accesses local arrays, with\n"
             "the bytes per thread and the number of loops around each.\n\n" KERNEL_WORD,
    .statuses = "Exit status: 0 listed, 2 wrong command line or no such kernel, 3 nothing to\n"
                "read, or a file could not be read or written.\n",
    .settings_bytes = sizeof(struct settings),
    .formats = "text|json",
    .run = run,
};
