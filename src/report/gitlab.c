/*
 * gitlab: the code quality report of GitLab, a JSON array with one entry a group. GitLab shows neither the rule nor
 * the architecture, so the description says them; it compares two reports by fingerprint, of which each may come once.
 */
#include "base/json.h"
#include "report/location.h"
#include "report/messages.h"

static struct str gitlab_severity(enum severity severity)
{
    static const char *const names[] = {"info", "minor", "major", "critical"};
    return str_of(names[severity]);
}

struct writer {
    const struct report *report;
    struct groups groups;
    struct fingerprints fingerprints;
    struct buf scratch;
    struct json json;
};

static void key_text(struct writer *w, const char *key)
{
    json_pair_str(&w->json, key, buf_str(&w->scratch));
    buf_clear(&w->scratch);
}

static void location(struct writer *w, const struct finding *finding)
{
    struct location location = location_worst(w->report, finding);
    json_pair_open(&w->json, "location", '{');
    location_repository_path(w->report, &location, &w->scratch);
    key_text(w, "path");
    json_pair_open(&w->json, "lines", '{');
    json_pair_int(&w->json, "begin", location.line ? location.line : 1);
    json_close(&w->json, '}');
    json_close(&w->json, '}');
}

static void entry(struct writer *w, const struct group *group)
{
    const struct finding *worst = &w->report->linter->findings[group->worst];
    struct str rule = w->report->linter->rules->rules[group->rule].id;
    json_open(&w->json, '{');
    buf_fmt(&w->scratch, "%.*s: ", STR_ARG(rule));
    group_text(w->report, &w->groups, group, &w->scratch);
    key_text(w, "description");
    json_pair_str(&w->json, "check_name", rule);
    location_fingerprint(&w->fingerprints, w->report, group, &w->scratch);
    key_text(w, "fingerprint");
    json_pair_str(&w->json, "severity", gitlab_severity((enum severity)worst->severity));
    location(w, worst);
    json_close(&w->json, '}');
}

void report_gitlab(const struct report *report, struct out *out)
{
    struct writer w = {.report = report, .json = {.out = &out->text}};
    groups_make_all(&w.groups, report->linter);
    json_open(&w.json, '[');
    for (size_t at = 0; at < w.groups.shown_count; at++) {
        const struct group *group = &w.groups.shown[at];
        if (!finding_counts(&report->linter->findings[group->worst]))
            continue;
        entry(&w, group);
        buf_char(&out->text, '\n');
        out_spill(out);
    }
    json_close(&w.json, ']');
    buf_char(&out->text, '\n');
    groups_free(&w.groups);
    fingerprints_free(&w.fingerprints);
    buf_free(&w.scratch);
}
