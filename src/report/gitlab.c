/*
 * gitlab: the code quality report of GitLab, a JSON array with one entry per group. GitLab shows neither the rule nor
 * the architecture, so the description contains both. GitLab compares two reports by fingerprint; each must be unique.
 */
#include "base/json.h"
#include "report/issues.h"

static void add_entry(struct issues *issues, struct fingerprints *fingerprints, struct json *json)
{
    static const char *const severities[] = {"info", "minor", "major", "critical"};
    SCOPED(buf) text = {0};
    json_open(json, '{');
    buf_fmt(&text, "%.*s: %.*s", STR_ARG(issues->rule->id), STR_ARG(issue_text(issues)));
    json_pair_str(json, "description", buf_str(&text));
    json_pair_str(json, "check_name", issues->rule->id);
    buf_clear(&text);
    location_fingerprint(fingerprints, issues->report, issues->group, &text);
    json_pair_str(json, "fingerprint", buf_str(&text));
    json_pair_str(json, "severity", str_of(severities[issues->severity]));
    json_pair_open(json, "location", '{');
    json_pair_str(json, "path", issue_file(issues));
    json_pair_open(json, "lines", '{');
    json_pair_int(json, "begin", issues->location.line ? issues->location.line : 1);
    json_close_all(json, "}}}");
}

void report_gitlab(const struct report *report, struct out *out)
{
    SCOPED(issues) issues = issues_open(report);
    SCOPED(fingerprints) fingerprints = fingerprints_make(report);
    struct json json = {.out = &out->text};
    json_open(&json, '[');
    while (issues_next(&issues)) {
        add_entry(&issues, &fingerprints, &json);
        buf_char(&out->text, '\n');
        out_spill(out);
    }
    json_close(&json, ']');
    buf_char(&out->text, '\n');
}
