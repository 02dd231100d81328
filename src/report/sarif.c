/*
 * sarif: SARIF 2.1.0 for GitHub code scanning and editors. One result per group: GitHub identifies an alert by its rule
 * and its source line, so two hundred instances of one template would be one alert anyway. The instances are listed in
 * the message and as related locations, and so are the lines where the worst instance spills: GitHub shows a related
 * location only if the message links to it.
 *
 * What GitHub uses and refuses (its page "SARIF support for code scanning"): a result has at least one location, whose
 * uri is relative to the checkout. GitHub refuses more than 25,000 results and keeps 5,000, so the worst 5,000 are
 * written and a notification states this. An accepted suppression closes the alert. There is no security-severity,
 * because it would turn an alert into a security alert.
 */
#include "base/json.h"
#include "log/local_memory.h"
#include "report/location.h"
#include "report/markup.h"
#include "report/messages.h"
#include "report/rule_help.h"
#include "report/site.h"

#include <stdlib.h>

enum { MOST_RESULTS = 5000, MOST_RELATED = 20, MOST_SITES = 10, MOST_INSTANCES = 10, MOST_DESCRIPTION = 1000 };

struct writer {
    const struct report *report;
    struct groups groups;
    size_t results; /* number of results to write: the first ones of groups.shown */
    struct fingerprints fingerprints;
    struct buf scratch;
    struct json json;
    uint32_t *rule_index; /* by rule: 1 + its index in driver.rules; 0: no result has it */
};

static const struct finding *worst_of(const struct writer *w, const struct group *group)
{
    return &w->report->linter->findings[group->worst];
}

/* ---- small pieces ----------------------------------------------------------------------------------------------- */

/* Writes text from a log. Strict parsers read SARIF and accept no invalid UTF-8 in any notation. */
static void key_safe(struct writer *w, const char *key, struct str value)
{
    SCOPED(buf) safe = {0};
    escape_text(value, &safe);
    json_pair_str(&w->json, key, buf_str(&safe));
}

/* {"text": value} */
static void key_message(struct writer *w, const char *key, struct str value)
{
    json_pair_open(&w->json, key, '{');
    json_pair_str(&w->json, "text", value);
    json_close(&w->json, '}');
}

/* A message may contain links, [text](target). Brackets are escaped so that a name is not read as a link. */
static const char brackets[] = "[]";

static void escape_links(struct buf *text, bool has_links)
{
    struct buf escaped = {0};
    if (!has_links && str_find(buf_str(text), STR("](")) == STR_NONE)
        return;
    backslash_text(buf_str(text), brackets, &escaped);
    buf_free(text);
    *text = escaped;
}

/* ---- rules ------------------------------------------------------------------------------------------------------ */

static void write_rule_help(struct writer *w, const struct rule *rule)
{
    json_pair_open(&w->json, "help", '{');
    buf_clear(&w->scratch);
    rule_help_text(rule, &w->scratch);
    json_pair_str(&w->json, "text", buf_str(&w->scratch));
    buf_clear(&w->scratch);
    rule_help_markdown(rule, &w->scratch);
    rule_links_markdown(rule, &w->scratch);
    if (w->scratch.len)
        json_pair_str(&w->json, "markdown",
                      str_from(buf_str(&w->scratch), 1)); /* each part begins with an empty line */
    json_close(&w->json, '}');
}

static void write_rule_properties(struct writer *w, const struct rule *rule)
{
    static const char *const problems[] = {"recommendation", "recommendation", "warning", "error"};
    json_pair_open(&w->json, "properties", '{');
    json_pair_open(&w->json, "tags", '[');
    json_str(&w->json, STR("cuda"));
    json_str(&w->json, STR("performance"));
    json_close(&w->json, ']');
    json_pair_str(&w->json, "precision", STR("very-high"));
    json_pair_str(&w->json, "problem.severity", str_of(problems[rule->severity]));
    json_close(&w->json, '}');
}

static void add_rule(struct writer *w, const struct rule *rule)
{
    json_open(&w->json, '{');
    json_pair_str(&w->json, "id", rule->id);
    key_message(w, "shortDescription", utf8_front(rule->title, MOST_DESCRIPTION));
    key_message(w, "fullDescription",
                utf8_front(rule_prose(rule->why.len ? rule->why : rule->title), MOST_DESCRIPTION));
    if (rule_url(rule).len)
        json_pair_str(&w->json, "helpUri", rule_url(rule));
    write_rule_help(w, rule);
    json_pair_open(&w->json, "defaultConfiguration", '{');
    json_pair_str(&w->json, "level", str_of(severity_names[rule->severity]));
    json_close(&w->json, '}');
    write_rule_properties(w, rule);
    json_close(&w->json, '}');
}

/* Writes only the rules with results: the others do not concern this build. */
static void add_rules(struct writer *w)
{
    const struct ruleset *rules = w->report->linter->rules;
    uint32_t count = 0;
    w->rule_index = mem_alloc((rules->count + 1) * sizeof *w->rule_index);
    for (size_t at = 0; at < w->results; at++)
        w->rule_index[w->groups.shown[at].rule] = 1;
    json_pair_open(&w->json, "rules", '[');
    for (size_t at = 0; at < rules->count; at++) {
        if (!w->rule_index[at])
            continue;
        w->rule_index[at] = ++count;
        add_rule(w, &rules->rules[at]);
        buf_char(w->json.out, '\n');
    }
    json_close(&w->json, ']');
}

/* ---- results ---------------------------------------------------------------------------------------------------- */

/* Writes line 1 if the line is unknown: GitHub refuses a location without one. */
static void write_physical_location(struct writer *w, const struct location *location)
{
    json_pair_open(&w->json, "physicalLocation", '{');
    json_pair_open(&w->json, "artifactLocation", '{');
    buf_clear(&w->scratch);
    location_uri(w->report, location, &w->scratch);
    json_pair_str(&w->json, "uri", buf_str(&w->scratch));
    json_close(&w->json, '}');
    json_pair_open(&w->json, "region", '{');
    json_pair_int(&w->json, "startLine", location->line ? location->line : 1);
    if (location->column)
        json_pair_int(&w->json, "startColumn", location->column);
    json_close_all(&w->json, "}}");
}

/* Writes the function, with its full name and the name that the log printed. */
static void write_logical_location(struct writer *w, struct context *context)
{
    struct str mangled = context_mangled(context);
    if (!mangled.len)
        return;
    json_pair_open(&w->json, "logicalLocations", '[');
    json_open(&w->json, '{');
    json_pair_str(&w->json, "name", label_of(w->report->labels, mangled));
    key_safe(w, "fullyQualifiedName", context_name(context));
    key_safe(w, "decoratedName", mangled);
    json_pair_str(&w->json, "kind", STR("function"));
    json_close_all(&w->json, "}]");
}

static const struct finding *finding_of_member(const struct writer *w, const struct group *group, uint32_t at)
{
    return &w->report->linter->findings[w->groups.members[group->first + at]];
}

/* Appends the labels of a group's kernels, each once, to the message. */
static void add_instances(struct writer *w, const struct group *group)
{
    SCOPED(intern) names = {0};
    for (uint32_t at = 0; at < group->count; at++) {
        struct str mangled = context_mangled(linter_context(w->report->linter, finding_of_member(w, group, at)));
        if (mangled.len)
            intern_add(&names, mangled);
    }
    if (names.count > 1)
        buf_add(&w->scratch, STR("\nKernels: "));
    for (uint32_t at = 0; names.count > 1 && at < names.count && at < MOST_INSTANCES; at++) {
        buf_add(&w->scratch, at ? STR(", ") : STR(""));
        buf_add(&w->scratch, label_of(w->report->labels, intern_get(&names, at)));
    }
    if (names.count > MOST_INSTANCES)
        buf_fmt(&w->scratch, " and %zu more", names.count - MOST_INSTANCES);
}

/* Finds the sites of a finding that have a place, worst first, at most MOST_SITES; returns their number. */
static size_t sites_of(const struct writer *w, const struct finding *finding, struct code_site *sites)
{
    size_t count = 0, kept = 0;
    struct code_site *all = finding_sites(w->report->linter, finding, &count);
    for (size_t at = 0; at < count && kept < MOST_SITES; at++)
        if (all[at].place != NO_INDEX)
            sites[kept++] = all[at];
    free(all);
    return kept;
}

/* Appends links to the related locations of the sites; these locations have the first ids. */
static void add_site_links(struct writer *w, const struct code_site *sites, size_t count)
{
    SCOPED(buf) name = {0};
    for (size_t at = 0; at < count; at++) {
        buf_clear(&name);
        site_place(w->report, &sites[at], &name);
        buf_add(&w->scratch, at ? STR(", [") : STR("\nPlaces: ["));
        backslash_text(buf_str(&name), brackets, &w->scratch);
        buf_fmt(&w->scratch, "](%zu) (", at + 1);
        site_depth(&sites[at], &w->scratch);
        buf_char(&w->scratch, ')');
    }
}

static void write_message(struct writer *w, const struct group *group, const struct code_site *sites, size_t count)
{
    SCOPED(buf) next = {0};
    buf_clear(&w->scratch);
    group_text(w->report, &w->groups, group, &w->scratch);
    add_instances(w, group);
    escape_links(&w->scratch, count > 0);
    add_site_links(w, sites, count);
    if (finding_next(w->report->linter, worst_of(w, group), false, &next)) {
        escape_links(&next, true);
        buf_fmt(&w->scratch, ". Next: %.*s", STR_ARG(buf_str(&next)));
    }
    key_message(w, "message", buf_str(&w->scratch));
}

/* Opens a related location. The caller then writes its message to `scratch`. */
static void open_related(struct writer *w, size_t id, const struct location *location)
{
    json_open(&w->json, '{');
    json_pair_int(&w->json, "id", (int64_t)id);
    write_physical_location(w, location);
    buf_clear(&w->scratch);
}

static void close_related(struct writer *w)
{
    escape_links(&w->scratch, false);
    key_message(w, "message", buf_str(&w->scratch));
    json_close(&w->json, '}');
}

static void write_related_locations(struct writer *w, const struct group *group, const struct code_site *sites,
                                    size_t count)
{
    if (group->count < 2 && count == 0)
        return;
    json_pair_open(&w->json, "relatedLocations", '[');
    for (size_t at = 0; at < count; at++) {
        const uint32_t shown = code_place_shown(w->report->model, sites[at].place);
        const struct location location = location_in_code(w->report, worst_of(w, group), shown);
        open_related(w, at + 1, &location);
        site_words(w->report, &sites[at], &w->scratch);
        close_related(w);
    }
    for (uint32_t at = 0; group->count > 1 && at < group->count && at < MOST_RELATED; at++) {
        const struct location location = location_of_line(w->report, finding_of_member(w, group, at));
        open_related(w, count + at + 1, &location);
        finding_text(w->report, finding_of_member(w, group, at), &w->scratch);
        close_related(w);
    }
    json_close(&w->json, ']');
}

/* GitHub uses only primaryLocationLineHash. It computes that hash from the source line if there is one. */
static void write_fingerprints(struct writer *w, const struct group *group, bool lineless)
{
    buf_clear(&w->scratch);
    location_fingerprint(&w->fingerprints, w->report, group, &w->scratch);
    json_pair_open(&w->json, "partialFingerprints", '{');
    json_pair_str(&w->json, "warplint/v1", buf_str(&w->scratch));
    if (str_find_char(buf_str(&w->scratch), ':') == STR_NONE)
        buf_add(&w->scratch, STR(":1")); /* GitHub's hash counts from 1 */
    if (lineless)
        json_pair_str(&w->json, "primaryLocationLineHash", buf_str(&w->scratch));
    json_close(&w->json, '}');
}

static void write_suppression(struct writer *w, const struct finding *finding)
{
    if (finding->exception == NO_INDEX)
        return;
    json_pair_open(&w->json, "suppressions", '[');
    json_open(&w->json, '{');
    json_pair_str(&w->json, "kind",
                  finding_allowed_in_source(w->report->linter, finding) ? STR("inSource") : STR("external"));
    json_pair_str(&w->json, "status", STR("accepted"));
    key_safe(w, "justification", finding_reason(w->report->linter, finding));
    json_close_all(&w->json, "}]");
}

static void write_result(struct writer *w, const struct group *group)
{
    static const char *const states[] = {
        [BASELINE_NEW] = "new", [BASELINE_WORSE] = "updated", [BASELINE_UNCHANGED] = "unchanged"};
    const struct finding *worst = worst_of(w, group);
    const struct location location = location_of(w->report, worst);
    struct code_site sites[MOST_SITES];
    const size_t count = sites_of(w, worst, sites);
    json_open(&w->json, '{');
    json_pair_str(&w->json, "ruleId", w->report->linter->rules->rules[group->rule].id);
    json_pair_int(&w->json, "ruleIndex", w->rule_index[group->rule] - 1);
    json_pair_str(&w->json, "level", str_of(severity_names[worst->severity]));
    write_message(w, group, sites, count);
    json_pair_open(&w->json, "locations", '[');
    json_open(&w->json, '{');
    write_physical_location(w, &location);
    write_logical_location(w, linter_context(w->report->linter, worst));
    json_close_all(&w->json, "}]");
    write_related_locations(w, group, sites, count);
    write_fingerprints(w, group, location.in_log || !location.line);
    if (worst->baseline_state != BASELINE_NONE) /* not suppressed: GitHub already has this alert */
        json_pair_str(&w->json, "baselineState", str_of(states[worst->baseline_state]));
    write_suppression(w, worst);
    json_close(&w->json, '}');
}

/* ---- the run ---------------------------------------------------------------------------------------------------- */

static void write_notification(struct writer *w, const char *severity, struct str text)
{
    json_open(&w->json, '{');
    json_pair_str(&w->json, "level", str_of(severity));
    key_message(w, "message", text);
    json_close(&w->json, '}');
}

static void write_invocation(struct writer *w)
{
    SCOPED(buf) text = {0};
    json_pair_open(&w->json, "invocations", '[');
    json_open(&w->json, '{');
    json_pair_bool(&w->json, "executionSuccessful", !w->report->incomplete);
    json_pair_open(&w->json, "toolExecutionNotifications", '[');
    if (w->report->incomplete)
        write_notification(w, "error", w->report->why_incomplete);
    if (w->results < w->groups.shown_count) {
        buf_fmt(&text, "the worst %zu of %zu results are listed, which is what code scanning keeps", w->results,
                w->groups.shown_count);
        write_notification(w, "warning", buf_str(&text));
        buf_clear(&text);
    }
    not_judged_text(w->report, &text);
    for (struct str rest = buf_str(&text), line; rest.len && str_split(&rest, '\n', &line);)
        write_notification(w, "note", line);
    json_close_all(&w->json, "]}]");
}

/* Writes a category only if one is given. Uploads with the same category replace each other. GitHub's upload action
 * makes a category from job and matrix only if the report has none. */
static void write_automation_details(struct writer *w)
{
    if (!w->report->category.len)
        return;
    buf_clear(&w->scratch);
    buf_fmt(&w->scratch, "warplint/%.*s/", STR_ARG(w->report->category));
    json_pair_open(&w->json, "automationDetails", '{');
    key_safe(w, "id", buf_str(&w->scratch));
    json_close(&w->json, '}');
}

static void write_run(struct writer *w, struct out *out)
{
    json_open(&w->json, '{');
    json_pair_open(&w->json, "tool", '{');
    json_pair_open(&w->json, "driver", '{');
    json_pair_str(&w->json, "name", STR("warplint"));
    json_pair_str(&w->json, "version", str_of(w->report->version));
    json_pair_str(&w->json, "semanticVersion", str_of(w->report->version));
    add_rules(w);
    json_close_all(&w->json, "}}");
    write_automation_details(w);
    write_invocation(w);
    json_pair_str(&w->json, "columnKind", STR("utf16CodeUnits"));
    json_pair_open(&w->json, "results", '[');
    for (size_t at = 0; at < w->results; at++) {
        write_result(w, &w->groups.shown[at]);
        buf_char(&out->text, '\n');
        out_spill(out);
    }
    json_close_all(&w->json, "]}");
}

void report_sarif(const struct report *report, struct out *out)
{
    struct writer w = {.report = report, .json = {.out = &out->text}};
    groups_make(&w.groups, report->linter, true);
    w.fingerprints = fingerprints_make(report);
    w.results = w.groups.shown_count < MOST_RESULTS ? w.groups.shown_count : MOST_RESULTS;
    json_open(&w.json, '{');
    json_pair_str(&w.json, "$schema", STR("https://json.schemastore.org/sarif-2.1.0.json"));
    json_pair_str(&w.json, "version", STR("2.1.0"));
    json_pair_open(&w.json, "runs", '[');
    write_run(&w, out);
    json_close_all(&w.json, "]}");
    buf_char(&out->text, '\n');
    groups_free(&w.groups);
    fingerprints_free(&w.fingerprints);
    buf_free(&w.scratch);
    free(w.rule_index);
}
