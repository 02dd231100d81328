#include "cli/rule_page.h"

/* Prose: what would be markup is escaped, and lines stay as they are. */
static void add_prose(struct str text, struct buf *out)
{
    for (size_t at = 0; at < text.len; at++) {
        char c = text.ptr[at];
        if (strchr("\\`*_<>[]|#", c) && c)
            buf_char(out, '\\');
        buf_char(out, c);
    }
}

static void add_code(struct str text, struct buf *out)
{
    struct str rest = text, line;
    while (rest.len && str_split(&rest, '\n', &line))
        buf_fmt(out, "    %.*s\n", STR_ARG(line));
}

static void add_paragraph(const char *head, struct str text, struct buf *out)
{
    text = str_trim(text);
    while (text.len && text.ptr[text.len - 1] == '\n')
        text.len--;
    if (!text.len)
        return;
    buf_fmt(out, "\n**%s.** ", head);
    add_prose(text, out);
    buf_char(out, '\n');
}

static void add_example(const char *head, struct str text, struct buf *out)
{
    if (!text.len)
        return;
    buf_fmt(out, "\n%s:\n\n", head);
    add_code(text, out);
}

static void add_params(const struct rule *rule, struct buf *out)
{
    if (rule->param_count)
        buf_add(out, STR("\n**Parameters.** "));
    for (size_t at = 0; at < rule->param_count; at++) {
        buf_fmt(out, "%s`%.*s: ", at ? ", " : "", STR_ARG(rule->params[at].name));
        value_print(&rule->params[at].value, (enum unit)rule->params[at].unit, out);
        buf_char(out, '`');
    }
    if (rule->param_count)
        buf_char(out, '\n');
}

static void add_table(const struct ruleset *rules, struct buf *out)
{
    buf_add(out, STR("| rule | severity | |\n|---|---|---|\n"));
    for (size_t at = 0; at < rules->count; at++) {
        const struct rule *rule = &rules->rules[at];
        buf_fmt(out, "| [%.*s](#%.*s) | %s | ", STR_ARG(rule->id), STR_ARG(rule->id), severity_name(rule->severity));
        add_prose(rule->title, out);
        buf_add(out, STR(" |\n"));
    }
}

static void add_rule(const struct rule *rule, struct buf *out)
{
    buf_fmt(out, "\n## %.*s\n\n", STR_ARG(rule->id));
    add_prose(rule->title, out);
    buf_fmt(out, " (%s)\n", severity_name(rule->severity));
    add_paragraph("Why", rule->why, out);
    add_paragraph("What to do", rule->hint, out);
    add_params(rule, out);
    add_example("It fires on", rule->bad, out);
    add_example("It does not fire on", rule->good, out);
    for (size_t at = 0; at < rule->see_count; at++)
        buf_fmt(out, "%s- <%.*s>\n", at ? "" : "\nSee:\n\n", STR_ARG(rule->see[at]));
}

void rule_page(const struct ruleset *rules, struct buf *out)
{
    buf_add(
        out,
        STR("# Rules\n\n"
            "Made of the rules by `ci/rule-page`; a change belongs into a rule's own file. `warplint explain RULE`\n"
            "prints the same for one of them, with the expression that decides.\n\n"));
    add_table(rules, out);
    for (size_t at = 0; at < rules->count; at++)
        add_rule(&rules->rules[at], out);
}
