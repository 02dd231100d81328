/* Completes and writes the reports of a session. */
#define _POSIX_C_SOURCE 200809L
#include "cli/session.h"

#include "base/date.h"
#include "base/escape.h"
#include "cli/ci_environment.h"
#include "cli/commands.h"
#include "report/elide.h"

#include <stdlib.h>
#include <unistd.h>

/* Appends the errors of a list on one line: ": b.json: no record of architecture sm_80, ...; no record of ...". */
static void add_errors(const struct diags *diags, struct buf *out)
{
    enum { MOST_BYTES = 400, ENOUGH_BYTES = 1500 }; /* of one message; of all messages */
    struct str path = {0};
    SCOPED(buf) message = {0}, safe = {0};
    size_t shown = 0;
    for (size_t at = 0; at < diags->count && out->len < ENOUGH_BYTES; at++) {
        const struct diag *diag = &diags->items[at];
        if (diag->severity != SEVERITY_ERROR)
            continue;
        buf_clear(&message);
        buf_clear(&safe);
        if (diag->place.path.len && !str_eq(diag->place.path, path))
            buf_fmt(&message, "%.*s: ", STR_ARG(diag->place.path));
        buf_add(&message, diag->message);
        escape_text(buf_str(&message), &safe);
        buf_add(out, !shown++ ? STR(": ") : str_ends(buf_str(out), STR("?")) ? STR(" ") : STR("; "));
        elide(buf_str(&safe), MOST_BYTES, out);
        path = diag->place.path;
    }
    if (shown < diags->errors)
        buf_fmt(out, "; and %zu more", diags->errors - shown);
}

/* Decides whether a report must not show a pass, and stores the reason, which it makes of the errors. */
static void explain_incomplete(struct session *session)
{
    struct report *report = &session->report;
    struct diags before = session->diags;
    session->diags = (struct diags){0};
    report->incomplete = !session_check_completeness(session);
    if (report->incomplete) {
        struct buf why = {0};
        buf_add(&why, report->kind == REPORT_DIFF ? STR("the comparison is incomplete")
                                                  : STR("a part of the build was not judged"));
        add_errors(before.errors ? &before : &session->diags, &why);
        report->why_incomplete = arena_take(&session->arena, &why);
    }
    diags_free(&session->diags);
    session->diags = before;
}

void session_report(struct session *session, enum report_kind kind)
{
    struct report *report = &session->report;
    struct buf repository = {0}, date = {0};
    char *folder = getcwd(NULL, 0);
    file_checkout(STR(""), NULL, &repository, NULL);
    date_of_build(&date);
    report->kind = kind;
    report->linter = session->linter;
    report->groups = &session->groups;
    report->comparison = session->baseline.compared ? &session->baseline.comparison : NULL;
    report->model = &session->model;
    report->labels = &session->labels;
    report->version = WARPLINT_VERSION;
    report->fail_on = session->fail_on;
    explain_incomplete(session);
    report->folder = arena_str(&session->arena, str_of(folder));
    report->repository = arena_take(&session->arena, &repository);
    report->run = ci_environment(&session->arena);
    report->date = arena_take(&session->arena, &date);
    free(folder);
}

static void write_report(void *context, const struct output *output, struct out *out)
{
    const struct session *session = context;
    struct report report = session->report;
    int fd = report.brief ? STDERR_FILENO : STDOUT_FILENO; /* under `wrap` standard output belongs to the compiler */
    bool to_stream = str_eq(output->path, STR("-")), is_shown = to_stream && output->format->write == report_text;
    bool is_diff = report.kind == REPORT_DIFF && output->format->diff;
    if (session->silent && is_shown)
        return;
    out->fd = to_stream ? fd : out->fd;
    report.color = is_shown && settings_color(session->settings, fd);
    report.width = is_shown ? terminal_width(fd) : 0;
    if (report.kind == REPORT_DIFF && !is_diff)
        report.kind = REPORT_FINDINGS;
    (is_diff ? output->format->diff : output->format->write)(&report, out);
}

bool session_write(struct session *session, enum report_kind kind)
{
    session_report(session, kind);
    return write_outputs(&session->settings->outputs, write_report, session, &session->diags);
}
