/*
 * teamcity: service messages of TeamCity for its tab "Code Inspection": an inspection type before the first group of
 * its rule, and an inspection a group. TeamCity has no columns.
 */
#include "report/location.h"
#include "report/markup.h"
#include "report/messages.h"
#include "report/rule_help.h"

#include <stdlib.h>

enum { MOST_NAME = 255, MOST_TEXT = 4000 }; /* what TeamCity takes of a value, in units of UTF-16 */

static void add_character(uint32_t code, struct buf *out)
{
    if (code == '\n' || code == '\r')
        buf_fmt(out, "|%c", code == '\n' ? 'n' : 'r');
    else if (code == '|' || code == '\'' || code == '[' || code == ']')
        buf_fmt(out, "|%c", (char)code);
    else if (code < 0x80)
        buf_char(out, (char)code);
    else if (code < 0x10000)
        buf_fmt(out, "|0x%04x", code);
    else
        buf_fmt(out, "|0x%04x|0x%04x", 0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff));
}

/* The bytes of valid UTF-8 that are no more than `most` units of UTF-16. */
static size_t bytes_within(struct str text, size_t most)
{
    size_t at = 0, units = 0;
    while (at < text.len) {
        size_t length = utf8_length(str_from(text, at));
        units += length == 4 ? 2 : 1;
        if (units > most)
            return at;
        at += length;
    }
    return at;
}

/* Appends ` name='value'` in ASCII, so that no encoding matters; what is cut ends with "...". */
static void add_value(const char *name, struct str text, size_t most, struct buf *out)
{
    bool cut = bytes_within(text, most) < text.len;
    size_t end = cut ? bytes_within(text, most - 3) : text.len;
    buf_fmt(out, " %s='", name);
    for (size_t at = 0; at < end; at += utf8_length(str_from(text, at)))
        add_character(utf8_code(str_from(text, at)), out);
    buf_fmt(out, "%s'", cut ? "..." : "");
}

/* The description is HTML. */
static void add_type(const struct rule *rule, struct buf *out)
{
    struct buf text = {0}, why = {0};
    html_text(rule->title, &text);
    one_line(rule_prose(rule->why), &why);
    if (why.len) {
        buf_add(&text, STR("<br>"));
        html_text(buf_str(&why), &text);
    }
    buf_add(out, STR("##teamcity[inspectionType"));
    add_value("id", rule->id, MOST_NAME, out);
    add_value("name", rule->id, MOST_NAME, out);
    add_value("category", STR("warplint"), MOST_NAME, out);
    add_value("description", buf_str(&text), MOST_TEXT, out);
    buf_add(out, STR("]\n"));
    buf_free(&text);
    buf_free(&why);
}

static struct str teamcity_severity(enum severity severity)
{
    static const char *const names[] = {"INFO", "INFO", "WARNING", "ERROR"};
    return str_of(names[severity]);
}

static void add_inspection(const struct report *report, const struct groups *groups, const struct group *group,
                           struct buf *out)
{
    const struct finding *worst = &report->linter->findings[group->worst];
    struct location location = location_worst(report, worst);
    struct buf text = {0};
    buf_add(out, STR("##teamcity[inspection"));
    add_value("typeId", report->linter->rules->rules[worst->rule].id, MOST_NAME, out);
    group_text(report, groups, group, &text);
    add_value("message", buf_str(&text), MOST_TEXT, out);
    buf_clear(&text);
    location_repository_path(report, &location, &text);
    add_value("file", buf_str(&text), MOST_TEXT, out);
    if (location.line)
        buf_fmt(out, " line='%u'", location.line);
    add_value("SEVERITY", teamcity_severity((enum severity)worst->severity), MOST_NAME, out);
    buf_add(out, STR("]\n"));
    buf_free(&text);
}

static void add_incomplete(struct buf *out)
{
    buf_add(out, STR("##teamcity[message"));
    add_value("text", incomplete_text(), MOST_TEXT, out);
    buf_add(out, STR(" status='ERROR']\n"));
}

void report_teamcity(const struct report *report, struct out *out)
{
    const struct ruleset *rules = report->linter->rules;
    struct groups groups;
    bool *has_type = mem_alloc(rules->count + 1); /* by rule: its type */
    groups_make_all(&groups, report->linter);
    if (report->incomplete)
        add_incomplete(&out->text);
    for (size_t at = 0; at < groups.shown_count; at++) {
        const struct group *group = &groups.shown[at];
        const struct finding *worst = &report->linter->findings[group->worst];
        if (!finding_counts(worst))
            continue;
        if (!has_type[worst->rule])
            add_type(&rules->rules[worst->rule], &out->text);
        has_type[worst->rule] = true;
        add_inspection(report, &groups, group, &out->text);
        out_spill(out);
    }
    verdict_text(report, &out->text);
    free(has_type);
    groups_free(&groups);
}
