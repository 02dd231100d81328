/*
 * azure: logging commands of Azure Pipelines, which become issues of the step. The agent writes each of them to the log
 * and keeps the first ten errors and the first ten warnings of a step as issues: the worst groups come first. An issue
 * is an error or a warning, so notes are lines of the log in the shape of gcc's. Nothing completes the task: that is
 * for the exit status, which --fail-on decides.
 */
#include "report/location.h"
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

static void add_issue(enum severity severity, const struct location *location, struct str path, struct str rule,
                      struct str text, struct buf *out)
{
    buf_fmt(out, "##vso[task.logissue type=%s;sourcepath=", severity_names[severity]);
    add_data(path, true, out);
    if (location->line)
        buf_fmt(out, ";linenumber=%u", location->line);
    if (location->line && location->column)
        buf_fmt(out, ";columnnumber=%u", location->column);
    buf_fmt(out, ";code=%.*s]", STR_ARG(rule));
    add_data(text, false, out);
    buf_char(out, '\n');
}

static void add_note(const struct location *location, struct str path, struct str rule, struct str text,
                     struct buf *out)
{
    buf_add(out, path);
    if (location->line)
        buf_fmt(out, ":%u", location->line);
    if (location->line && location->column)
        buf_fmt(out, ":%u", location->column);
    buf_fmt(out, ": note: %.*s [%.*s]\n", STR_ARG(text), STR_ARG(rule));
}

static void add_group(const struct report *report, const struct groups *groups, const struct group *group,
                      struct buf *out)
{
    const struct finding *worst = &report->linter->findings[group->worst];
    struct location location = location_worst(report, worst);
    struct str rule = report->linter->rules->rules[worst->rule].id;
    struct buf path = {0}, text = {0};
    location_repository_path(report, &location, &path);
    group_text(report, groups, group, &text);
    if (worst->severity == SEVERITY_NOTE)
        add_note(&location, buf_str(&path), rule, buf_str(&text), out);
    else
        add_issue((enum severity)worst->severity, &location, buf_str(&path), rule, buf_str(&text), out);
    buf_free(&path);
    buf_free(&text);
}

void report_azure(const struct report *report, struct out *out)
{
    struct groups groups;
    groups_make_all(&groups, report->linter);
    if (report->incomplete)
        buf_fmt(&out->text, "##vso[task.logissue type=error]%.*s\n", STR_ARG(incomplete_text()));
    for (size_t at = 0; at < groups.shown_count; at++) {
        const struct group *group = &groups.shown[at];
        if (!finding_counts(&report->linter->findings[group->worst]))
            continue;
        add_group(report, &groups, group, &out->text);
        out_spill(out);
    }
    verdict_text(report, &out->text);
    groups_free(&groups);
}
