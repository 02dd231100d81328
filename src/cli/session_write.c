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
        const struct format *format = settings->outputs.items[at].format;
        bool to_stream = str_eq(settings->outputs.items[at].path, STR("-"));
        bool is_shown = to_stream && format->write == report_text;
        bool is_diff = kind == REPORT_DIFF && format->diff;
        if (session->silent && is_shown)
            continue;
        if (!out_open(&out, settings->outputs.items[at].path, &session->diags)) {
            ok = false;
            continue;
        }
        out.fd = to_stream ? fd : out.fd;
        report.color = is_shown && settings_color(settings, fd);
        report.width = is_shown ? terminal_width(fd) : 0;
        report.kind = kind == REPORT_DIFF && !is_diff ? REPORT_FINDINGS : kind;
        (is_diff ? format->diff : format->write)(&report, &out);
        ok &= out_close(&out, &session->diags);
    }
    free(folder);
    buf_free(&repository);
    buf_free(&here);
    buf_free(&date);
    arena_free(&arena);
    return ok;
}
