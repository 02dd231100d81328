/* rdjsonl: the diagnostics of reviewdog, one JSON object a line and group. Columns are bytes from 1. */
#include "base/json.h"
#include "report/location.h"
#include "report/messages.h"
#include "report/rule_help.h"

static struct str rd_severity(enum severity severity)
{
    static const char *const names[] = {"UNKNOWN_SEVERITY", "INFO", "WARNING", "ERROR"};
    return str_of(names[severity]);
}

static void range(const struct location *location, struct json *json)
{
    json_pair_open(json, "range", '{');
    json_pair_open(json, "start", '{');
    json_pair_int(json, "line", location->line);
    if (location->column)
        json_pair_int(json, "column", location->column);
    json_close(json, '}');
    json_close(json, '}');
}

static void location(const struct report *report, const struct finding *finding, struct json *json)
{
    struct location location = location_worst(report, finding);
    struct buf path = {0};
    location_path(report, location.path, &path);
    json_pair_open(json, "location", '{');
    json_pair_str(json, "path", buf_str(&path));
    if (location.line)
        range(&location, json);
    json_close(json, '}');
    buf_free(&path);
}

static void code(const struct rule *rule, struct json *json)
{
    json_pair_open(json, "code", '{');
    json_pair_str(json, "value", rule->id);
    if (rule_url(rule).len)
        json_pair_str(json, "url", rule_url(rule));
    json_close(json, '}');
}

static void diagnostic(const struct report *report, const struct groups *groups, const struct group *group,
                       struct json *json)
{
    const struct finding *worst = &report->linter->findings[group->worst];
    struct buf message = {0};
    group_text(report, groups, group, &message);
    json_open(json, '{');
    json_pair_str(json, "message", buf_str(&message));
    location(report, worst, json);
    json_pair_str(json, "severity", rd_severity((enum severity)worst->severity));
    json_pair_open(json, "source", '{');
    json_pair_str(json, "name", STR("warplint"));
    json_close(json, '}');
    code(&report->linter->rules->rules[worst->rule], json);
    json_close(json, '}');
    buf_free(&message);
}

void report_rdjsonl(const struct report *report, struct out *out)
{
    struct groups groups;
    groups_make_all(&groups, report->linter);
    for (size_t at = 0; at < groups.shown_count; at++) {
        const struct group *group = &groups.shown[at];
        struct json json = {.out = &out->text};
        if (!finding_counts(&report->linter->findings[group->worst]))
            continue;
        diagnostic(report, &groups, group, &json);
        buf_char(&out->text, '\n');
        out_spill(out);
    }
    groups_free(&groups);
}
