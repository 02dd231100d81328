/*
 * azure: logging commands of Azure Pipelines, which become issues of the step. The agent writes each of them to the log
 * and keeps the first ten errors and the first ten warnings of a step as issues: the worst groups come first. An issue
 * is an error or a warning, so notes are lines of the log in the shape of gcc's. Nothing completes the task: that is
 * for the exit status, which --fail-on decides.
 */
#include "report/issues.h"
#include "report/messages.h"

/* Data of a command: "%" and line ends are escaped, in its properties also what ends one. */
static void add_data(struct str text, bool property, struct buf *out)
{
    for (size_t at = 0; at < text.len; at++) {
        char c = text.ptr[at];
        if (c == '%')
            buf_add(out, STR("%AZP25"));
        else if (c == '\r' || c == '\n' || (property && (c == ';' || c == ']')))
            buf_fmt(out, "%%%02X", (unsigned)c);
        else
            buf_char(out, c);
    }
}

void report_azure(const struct report *report, struct out *out)
{
    struct issues issues;
    if (report->incomplete)
        buf_fmt(&out->text, "##vso[task.logissue type=error]%.*s\n", STR_ARG(incomplete_text()));
    issues_open(&issues, report);
    while (issues_next(&issues)) {
        if (issues.severity == SEVERITY_NOTE) {
            buf_add(&out->text, issue_file(&issues));
            issue_place(&issues, ":", ":", &out->text);
            buf_fmt(&out->text, ": note: %.*s [%.*s]\n", STR_ARG(issue_text(&issues)), STR_ARG(issues.rule->id));
        } else {
            buf_fmt(&out->text, "##vso[task.logissue type=%s;sourcepath=", severity_names[issues.severity]);
            add_data(issue_file(&issues), true, &out->text);
            issue_place(&issues, ";linenumber=", ";columnnumber=", &out->text);
            buf_fmt(&out->text, ";code=%.*s]", STR_ARG(issues.rule->id));
            add_data(issue_text(&issues), false, &out->text);
            buf_char(&out->text, '\n');
        }
        out_spill(out);
    }
    verdict_text(report, &out->text);
    issues_close(&issues);
}
