#include "report/issues.h"

#include "report/messages.h"

struct issues issues_open(const struct report *report)
{
    struct issues issues = {.report = report};
    groups_make(&issues.groups, report->linter, true);
    return issues;
}

bool issues_next(struct issues *issues)
{
    const struct linter *linter = issues->report->linter;
    while (issues->next < issues->groups.shown_count) {
        const struct group *group = &issues->groups.shown[issues->next++];
        const struct finding *worst = &linter->findings[group->worst];
        if (!finding_counts(worst))
            continue;
        issues->group = group;
        issues->rule = &linter->rules->rules[worst->rule];
        issues->severity = (enum severity)worst->severity;
        issues->location = location_worst(issues->report, worst);
        return true;
    }
    return false;
}

void issues_free(struct issues *issues)
{
    groups_free(&issues->groups);
    buf_free(&issues->text);
    buf_free(&issues->path);
}

struct str issue_text(struct issues *issues)
{
    buf_clear(&issues->text);
    group_text(issues->report, &issues->groups, issues->group, &issues->text);
    return buf_str(&issues->text);
}

struct str issue_path(struct issues *issues)
{
    buf_clear(&issues->path);
    location_path(issues->report, issues->location.path, &issues->path);
    return buf_str(&issues->path);
}

struct str issue_file(struct issues *issues)
{
    buf_clear(&issues->path);
    location_repository_path(issues->report, &issues->location, &issues->path);
    return buf_str(&issues->path);
}

void issue_place(const struct issues *issues, const char *line, const char *column, struct buf *out)
{
    if (issues->location.line)
        buf_fmt(out, "%s%u", line, issues->location.line);
    if (issues->location.line && issues->location.column)
        buf_fmt(out, "%s%u", column, issues->location.column);
}

void issue_data(struct str text, const char *special, const char *percent, struct buf *out)
{
    for (size_t at = 0; at < text.len; at++) {
        char c = text.ptr[at];
        if (c == '%')
            buf_add(out, str_of(percent));
        else if (c && strchr(special, c))
            buf_fmt(out, "%%%02X", (unsigned)c);
        else
            buf_char(out, c);
    }
}
