#include "cli/rule_page.h"

#include "report/rule_help.h"

static void add_example(const char *head, struct str text, struct buf *out)
{
    struct str rest = text, line;
    if (text.len)
        buf_fmt(out, "\n%s:\n\n", head);
    while (rest.len && str_split(&rest, '\n', &line))
        buf_fmt(out, "    %.*s\n", STR_ARG(line));
}

static void add_table(const struct ruleset *rules, struct buf *out)
{
    buf_add(out, STR("| rule | severity | |\n|---|---|---|\n"));
    EACH(const struct rule, rule, rules->rules, rules->count) {
        buf_fmt(out, "| [%.*s](#%.*s) | ", STR_ARG(rule->id), STR_ARG(rule->id));
        rule_severities(rule, out);
        buf_add(out, STR(" | "));
        markdown_prose(rule->title, out);
        buf_add(out, STR(" |\n"));
    }
}

static void add_rule(const struct rule *rule, struct buf *out)
{
    buf_fmt(out, "\n## %.*s\n\n", STR_ARG(rule->id));
    markdown_prose(rule->title, out);
    buf_add(out, STR(" ("));
    rule_severities(rule, out);
    buf_add(out, STR(")\n"));
    rule_help_markdown(rule, out);
    if (rule->sites)
        buf_fmt(out, "\n**Places.** %.*s\n", STR_ARG(rule_sites_sentence(rule)));
    add_example("It fires on", rule->bad, out);
    add_example("It does not fire on", rule->good, out);
    rule_links_markdown(rule, out);
}

void rule_page(const struct ruleset *rules, struct buf *out)
{
    buf_add(out, STR("# Rules\n\n"
                     "Generated from the rule files by `ci/rule-page`: change a rule's own file instead. `warplint "
                     "explain RULE`\n"
                     "prints the same for one rule, and its expression. "
                     "[warplint-rules(5)](../src/cli/man/warplint-rules.5.md)\n"
                     "says how to write a rule.\n\n"));
    add_table(rules, out);
    for (size_t at = 0; at < rules->count; at++)
        add_rule(&rules->rules[at], out);
}
