#include "cli/rule_page.h"

#include "report/rule_help.h"

static void add_example(const char *head, const struct rule *rule, struct str text, struct buf *out)
{
    struct str rest = text, line;
    SCOPED(buf) with = {0};
    if (!text.len)
        return;
    rule_with_text(rule, &with);
    buf_fmt(out, with.len ? "\n%s, with `%.*s`:\n\n" : "\n%s:\n\n", head, STR_ARG(buf_str(&with)));
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
    buf_fmt(out, rule->builtin ? "; [%.*s.yaml](%.*s.yaml))\n" : ")\n", STR_ARG(rule->id), STR_ARG(rule->id));
    rule_help_markdown(rule, out);
    if (rule->sites)
        buf_fmt(out, "\n**Places.** %.*s\n", STR_ARG(rule_sites_sentence(rule)));
    add_example("It fires on", rule, rule->bad, out);
    add_example("It does not fire on", rule, rule->good, out);
    rule_links_markdown(rule, out);
}

void rule_page(const struct ruleset *rules, struct buf *out)
{
    buf_add(out,
            STR("# Rules\n\n"
                "The built-in rules. `warplint explain RULE` prints the same for one of them, and its expression.\n"
                "`ci/rule-page` makes this page of the files of the rules: change these, not the page.\n\n"
                "## A rule of your own\n\n"
                "Copy the file of a rule that is similar, give the file and its `id` another name, and change it.\n"
                "`config check` tries a rule on its own examples (`bad` and `good`), `check` on a log. In a clone\n"
                "of this repository:\n\n"
                "    mkdir -p lint/rules\n"
                "    sed 's/^id: .*/id: slow-kernel/; s/^severity: off/severity: warning/' \\\n"
                "        rules/compile-time.yaml >lint/rules/slow-kernel.yaml\n"
                "    warplint config check --rules lint/rules\n"
                "    warplint check --rules lint/rules build.log\n\n"
                "`warplint list fields` prints all that a rule can ask for.\n"
                "[warplint-rules(5)](../src/cli/man/warplint-rules.5.md) describes the keys of a rule and the\n"
                "language of its expressions, and has a short rule to begin with.\n\n"
                "## The built-in rules\n\n"));
    add_table(rules, out);
    for (size_t at = 0; at < rules->count; at++)
        add_rule(&rules->rules[at], out);
}
