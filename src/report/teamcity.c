/*
 * teamcity: service messages of TeamCity for its tab "Code Inspection": one inspection for each group, and an
 * inspection type before the first group of each rule. TeamCity has no columns.
 */
#include "report/issues.h"
#include "report/markup.h"
#include "report/messages.h"
#include "report/rule_help.h"

#include <stdlib.h>

enum { MOST_NAME = 255, MOST_TEXT = 4000 }; /* longest values that TeamCity accepts, in UTF-16 units */

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

/* The number of bytes at the front of valid UTF-8 that make at most `most` UTF-16 units. */
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

/* Appends ` name='value'` in ASCII, so that the encoding does not matter; a value that is cut ends with "...". */
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
    SCOPED(buf) text = {0}, why = {0};
    one_line(rule->why, &why);
    html_fmt(&text, "%.*s%s%.*s", STR_ARG(rule->title.len ? rule->title : rule->id), why.len ? "<br>" : "",
             STR_ARG(buf_str(&why)));
    buf_add(out, STR("##teamcity[inspectionType"));
    add_value("id", rule->id, MOST_NAME, out);
    add_value("name", rule->id, MOST_NAME, out);
    add_value("category", STR("warplint"), MOST_NAME, out);
    add_value("description", buf_str(&text), MOST_TEXT, out);
    buf_add(out, STR("]\n"));
}

static void add_inspection(struct issues *issues, struct buf *out)
{
    static const char *const severities[] = {"INFO", "INFO", "WARNING", "ERROR"};
    buf_add(out, STR("##teamcity[inspection"));
    add_value("typeId", issues->rule->id, MOST_NAME, out);
    add_value("message", issue_text(issues), MOST_TEXT, out);
    add_value("file", issue_file(issues), MOST_TEXT, out);
    if (issues->location.line)
        buf_fmt(out, " line='%u'", issues->location.line);
    buf_fmt(out, " SEVERITY='%s']\n", severities[issues->severity]);
}

void report_teamcity(const struct report *report, struct out *out)
{
    const struct ruleset *rules = report->linter->rules;
    SCOPED(issues) issues = issues_open(report);
    bool *has_type = mem_alloc(rules->count + 1); /* by rule: its type is already written */
    if (report->incomplete) {
        buf_add(&out->text, STR("##teamcity[message"));
        add_value("text", report->why_incomplete, MOST_TEXT, &out->text);
        buf_add(&out->text, STR(" status='ERROR']\n"));
    }
    while (issues_next(&issues)) {
        if (!has_type[issues.rule - rules->rules])
            add_type(issues.rule, &out->text);
        has_type[issues.rule - rules->rules] = true;
        add_inspection(&issues, &out->text);
        out_spill(out);
    }
    verdict_text(report, &out->text);
    free(has_type);
}
