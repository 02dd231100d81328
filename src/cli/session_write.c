/* The reports of a session. */
#define _POSIX_C_SOURCE 200809L
#include "cli/session.h"

#include "base/date.h"
#include "cli/ci_environment.h"
#include "cli/commands.h"
#include "report/delta.h"

#include <stdlib.h>
#include <unistd.h>

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

void session_report(struct session *session, enum report_kind kind)
{
    static const char *const no_marks[] = {NULL};
    struct report *report = &session->report;
    struct buf repository = {0}, here = {0}, date = {0};
    char *folder = getcwd(NULL, 0);
    file_checkout(no_marks, &repository, &here);
    date_of_build(&date);
    if (!session->labels.names) /* nothing was judged */
        labels_init(&session->labels, &session->model.names);
    report->kind = kind;
    report->linter = session->linter;
    report->groups = &session->groups;
    report->comparison = session->known.compared ? &session->known.comparison : NULL;
    report->model = &session->model;
    report->labels = &session->labels;
    report->version = WARPLINT_VERSION;
    report->fail_on = session->fail_on;
    report->incomplete = is_incomplete(session);
    report->folder = arena_str(&session->arena, str_of(folder));
    report->repository = arena_str(&session->arena, buf_str(&repository));
    report->run = ci_environment(&session->arena);
    report->date = arena_str(&session->arena, buf_str(&date));
    free(folder);
    buf_free(&repository);
    buf_free(&here);
    buf_free(&date);
}

static void write_report(void *context, const struct output *output, struct out *out)
{
    const struct session *session = context;
    struct report report = session->report;
    int fd = session->to_stderr ? STDERR_FILENO : STDOUT_FILENO;
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
