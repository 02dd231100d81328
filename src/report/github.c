/*
 * github: workflow commands of GitHub Actions, which become annotations. The runner keeps ten errors, ten warnings and
 * ten notices of a step and drops the others silently. So the worst groups become annotations, and one notice states
 * how many others there are.
 */
#include "report/issues.h"
#include "report/messages.h"

enum { QUOTA = 10 }; /* of each command in a step */

/* The characters to escape in the data of a command, and in its properties, which are separated by ":" and ",". */
static const char in_data[] = "\r\n", in_property[] = "\r\n:,", percent[] = "%25";

static void add_annotation(struct issues *issues, struct buf *out)
{
    static const char *const commands[] = {"debug", "notice", "warning", "error"};
    buf_fmt(out, "::%s file=", commands[issues->severity]);
    issue_data(issue_file(issues), in_property, percent, out);
    issue_place(issues, ",line=", ",col=", out);
    buf_add(out, STR(",title="));
    issue_data(issues->rule->id, in_property, percent, out);
    buf_add(out, STR("::"));
    issue_data(issue_text(issues), in_data, percent, out);
    buf_char(out, '\n');
}

void report_github(const struct report *report, struct out *out)
{
    SCOPED(issues) issues = issues_open(report);
    size_t count[SEVERITY_ERROR + 1] = {0}, used[SEVERITY_ERROR + 1] = {0};
    size_t room[SEVERITY_ERROR + 1] = {0, QUOTA, QUOTA, QUOTA - report->incomplete};
    const char *separator = "::notice title=warplint::";
    if (report->incomplete) {
        buf_add(&out->text, STR("::error title=warplint::"));
        issue_data(report->why_incomplete, in_data, percent, &out->text);
        buf_char(&out->text, '\n');
    }
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
        const size_t more = count[severity] - room[severity];
        buf_fmt(&out->text, "%s%zu more group%s of %ss", separator, more, PLURAL(more), severity_names[severity]);
        separator = ", ";
    }
    if (cut)
        buf_fmt(&out->text, " are not shown here: GitHub keeps %d annotations of each kind in a step\n", QUOTA);
    verdict_text(report, &out->text);
}
