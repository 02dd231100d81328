/*
 * github: workflow commands of GitHub Actions, which become annotations. The runner keeps ten errors, ten warnings and
 * ten notices of a step and drops the rest without a word, so the worst groups get them, and one notice says how many
 * there are beside them.
 */
#include "report/issues.h"
#include "report/messages.h"

enum { QUOTA = 10 }; /* of each command in a step */

/* Data of a command: "%" and line ends are escaped, in its properties also what separates them. */
static void add_data(struct str text, bool property, struct buf *out)
{
    for (size_t at = 0; at < text.len; at++) {
        char c = text.ptr[at];
        if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
            buf_fmt(out, "%%%02X", (unsigned)c);
        else
            buf_char(out, c);
    }
}

static void add_annotation(struct issues *issues, struct buf *out)
{
    static const char *const commands[] = {"debug", "notice", "warning", "error"};
    buf_fmt(out, "::%s file=", commands[issues->severity]);
    add_data(issue_file(issues), true, out);
    issue_place(issues, ",line=", ",col=", out);
    buf_add(out, STR(",title="));
    add_data(issues->rule->id, true, out);
    buf_add(out, STR("::"));
    add_data(issue_text(issues), false, out);
    buf_char(out, '\n');
}

void report_github(const struct report *report, struct out *out)
{
    struct issues issues;
    size_t count[SEVERITY_ERROR + 1] = {0}, used[SEVERITY_ERROR + 1] = {0};
    size_t room[SEVERITY_ERROR + 1] = {0, QUOTA, QUOTA, QUOTA - report->incomplete};
    const char *separator = "::notice title=warplint::";
    if (report->incomplete)
        buf_fmt(&out->text, "::error title=warplint::%.*s\n", STR_ARG(incomplete_text()));
    issues_open(&issues, report);
    while (issues_next(&issues))
        count[issues.severity]++;
    bool cut = false;
    for (int severity = SEVERITY_NOTE; severity <= SEVERITY_ERROR; severity++)
        cut |= count[severity] > room[severity];
    room[SEVERITY_NOTE] -= cut; /* for the notice about the rest */
    issues.next = 0;
    while (issues_next(&issues))
        if (used[issues.severity]++ < room[issues.severity])
            add_annotation(&issues, &out->text);
    for (int severity = SEVERITY_ERROR; severity >= SEVERITY_NOTE; severity--) {
        if (count[severity] <= room[severity])
            continue;
        buf_add(&out->text, str_of(separator));
        count_text(&out->text, count[severity] - room[severity],
                   severity == SEVERITY_ERROR     ? "more error"
                   : severity == SEVERITY_WARNING ? "more warning"
                                                  : "more note");
        separator = ", ";
    }
    if (cut)
        buf_fmt(&out->text, " are not shown here: GitHub keeps %d annotations of each kind in a step\n", QUOTA);
    verdict_text(report, &out->text);
    issues_close(&issues);
}
