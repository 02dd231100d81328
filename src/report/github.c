/*
 * github: workflow commands of GitHub Actions, which become annotations. The runner keeps ten errors, ten warnings and
 * ten notices of a step and drops the rest without a word, so the worst groups get them, and one notice says how many
 * there are beside them.
 */
#include "report/location.h"
#include "report/messages.h"

enum { QUOTA = 10 }; /* of each command in a step */

struct tally {
    size_t groups[SEVERITY_ERROR + 1]; /* by severity */
    size_t room[SEVERITY_ERROR + 1];
};

static struct str command(enum severity severity)
{
    static const char *const names[] = {"debug", "notice", "warning", "error"};
    return str_of(names[severity]);
}

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

static void add_annotation(const struct report *report, const struct groups *groups, const struct group *group,
                           struct buf *out)
{
    const struct finding *worst = &report->linter->findings[group->worst];
    struct location location = location_worst(report, worst);
    struct buf text = {0};
    buf_fmt(out, "::%.*s file=", STR_ARG(command((enum severity)worst->severity)));
    location_repository_path(report, &location, &text);
    add_data(buf_str(&text), true, out);
    if (location.line)
        buf_fmt(out, ",line=%u", location.line);
    if (location.line && location.column)
        buf_fmt(out, ",col=%u", location.column);
    buf_add(out, STR(",title="));
    add_data(report->linter->rules->rules[worst->rule].id, true, out);
    buf_add(out, STR("::"));
    buf_clear(&text);
    group_text(report, groups, group, &text);
    add_data(buf_str(&text), false, out);
    buf_char(out, '\n');
    buf_free(&text);
}

/* How many of each kind are shown; one notice less where the last one has to say what is not. */
static struct tally make_tally(const struct report *report, const struct groups *groups)
{
    struct tally tally = {0};
    bool cut = false;
    for (size_t at = 0; at < groups->shown_count; at++) {
        const struct finding *worst = &report->linter->findings[groups->shown[at].worst];
        tally.groups[worst->severity] += finding_counts(worst);
    }
    for (int severity = SEVERITY_NOTE; severity <= SEVERITY_ERROR; severity++) {
        tally.room[severity] = severity == SEVERITY_ERROR && report->incomplete ? QUOTA - 1 : QUOTA;
        cut |= tally.groups[severity] > tally.room[severity];
    }
    tally.room[SEVERITY_NOTE] -= cut;
    return tally;
}

static size_t beyond(const struct tally *tally, enum severity severity)
{
    return tally->groups[severity] > tally->room[severity] ? tally->groups[severity] - tally->room[severity] : 0;
}

static void add_rest(const struct tally *tally, struct buf *out)
{
    const char *separator = "";
    if (!beyond(tally, SEVERITY_ERROR) && !beyond(tally, SEVERITY_WARNING) && !beyond(tally, SEVERITY_NOTE))
        return;
    buf_add(out, STR("::notice title=warplint::"));
    for (int severity = SEVERITY_ERROR; severity >= SEVERITY_NOTE; severity--) {
        size_t count = beyond(tally, (enum severity)severity);
        if (!count)
            continue;
        buf_fmt(out, "%s%zu more %s%s", separator, count, severity_names[severity], count == 1 ? "" : "s");
        separator = ", ";
    }
    buf_fmt(out, " are not shown here: GitHub keeps %d annotations of each kind in a step\n", QUOTA);
}

void report_github(const struct report *report, struct out *out)
{
    struct groups groups;
    size_t used[SEVERITY_ERROR + 1] = {0};
    groups_make_all(&groups, report->linter);
    if (report->incomplete)
        buf_fmt(&out->text, "::error title=warplint::%.*s\n", STR_ARG(incomplete_text()));
    struct tally tally = make_tally(report, &groups);
    for (size_t at = 0; at < groups.shown_count; at++) {
        const struct group *group = &groups.shown[at];
        const struct finding *worst = &report->linter->findings[group->worst];
        if (finding_counts(worst) && used[worst->severity]++ < tally.room[worst->severity])
            add_annotation(report, &groups, group, &out->text);
    }
    add_rest(&tally, &out->text);
    verdict_text(report, &out->text);
    groups_free(&groups);
}
