/*
 * azure: logging commands of Azure Pipelines, which become issues of the step. The agent writes each of them to the log
 * and keeps the first ten errors and the first ten warnings of a step as issues, so the worst groups come first. An
 * issue is an error or a warning, so notes are log lines in the format of gcc. No command completes the task: the
 * result of the task is the exit status, which --fail-on determines.
 */
#include "report/issues.h"
#include "report/messages.h"

static const char percent[] = "%AZP25";

void report_azure(const struct report *report, struct out *out)
{
    SCOPED(issues) issues = issues_open(report);
    if (report->incomplete) {
        buf_add(&out->text, STR("##vso[task.logissue type=error]"));
        issue_data(report->why_incomplete, "\r\n", percent, &out->text);
        buf_char(&out->text, '\n');
    }
    while (issues_next(&issues)) {
        if (issues.severity == SEVERITY_NOTE) {
            buf_add(&out->text, issue_file(&issues));
            issue_place(&issues, ":", ":", &out->text);
            buf_fmt(&out->text, ": note: %.*s [%.*s]\n", STR_ARG(issue_text(&issues)), STR_ARG(issues.rule->id));
        } else {
            buf_fmt(&out->text, "##vso[task.logissue type=%s;sourcepath=", severity_names[issues.severity]);
            issue_data(issue_file(&issues), "\r\n;]", percent, &out->text); /* "]" ends the properties */
            issue_place(&issues, ";linenumber=", ";columnnumber=", &out->text);
            buf_fmt(&out->text, ";code=%.*s]", STR_ARG(issues.rule->id));
            issue_data(issue_text(&issues), "\r\n", percent, &out->text);
            buf_char(&out->text, '\n');
        }
        out_spill(out);
    }
    verdict_text(report, &out->text);
}
