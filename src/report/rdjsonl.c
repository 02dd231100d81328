/* rdjsonl: the diagnostics of reviewdog, one JSON object per line, one line per group. Columns are bytes, counted
 * from 1. */
#include "base/json.h"
#include "report/issues.h"
#include "report/rule_help.h"

static void add_location(struct issues *issues, struct json *json)
{
    json_pair_open(json, "location", '{');
    json_pair_str(json, "path", issue_path(issues));
    if (issues->location.line) {
        json_pair_open(json, "range", '{');
        json_pair_open(json, "start", '{');
        json_pair_int(json, "line", issues->location.line);
        if (issues->location.column)
            json_pair_int(json, "column", issues->location.column);
        json_close_all(json, "}}");
    }
    json_close(json, '}');
}

static void add_diagnostic(struct issues *issues, struct json *json)
{
    static const char *const severities[] = {"UNKNOWN_SEVERITY", "INFO", "WARNING", "ERROR"};
    json_open(json, '{');
    json_pair_str(json, "message", issue_text(issues));
    add_location(issues, json);
    json_pair_str(json, "severity", str_of(severities[issues->severity]));
    json_pair_open(json, "source", '{');
    json_pair_str(json, "name", STR("warplint"));
    json_close(json, '}');
    json_pair_open(json, "code", '{');
    json_pair_str(json, "value", issues->rule->id);
    if (rule_url(issues->rule).len)
        json_pair_str(json, "url", rule_url(issues->rule));
    json_close_all(json, "}}");
}

void report_rdjsonl(const struct report *report, struct out *out)
{
    SCOPED(issues) issues = issues_open(report);
    while (issues_next(&issues)) {
        struct json json = {.out = &out->text};
        add_diagnostic(&issues, &json);
        buf_char(&out->text, '\n');
        out_spill(out);
    }
}
