#include "cli/own_rules.h"

#include "lint/example.h"
#include "report/table.h"

#include <unistd.h>

struct check {
    struct ruleset rules;
    struct table table; /* one row per rule: id, file, result */
    struct diags *diags;
    size_t tried, bare; /* rules with an excerpt, and rules without */
};

/* ---- faults ---- */

/* Appends the reason if a rule on kernels could not fire because the excerpt gave it nothing to judge. Returns false if
 * the excerpt did. */
static bool add_unasked(const struct rule *rule, const struct example *seen, struct buf *out)
{
    size_t records = seen->entries + seen->functions;
    if (rule->kind != RULE_KERNEL)
        return false;
    if (!records)
        buf_add(out, STR("it holds no record of a kernel: keep the lines from 'Compiling entry function' to 'Used'"));
    else if (seen->debug == records && !rule->debug_builds)
        buf_add(out, STR("it is of a debug build, which a rule judges with `debug-builds: true`"));
    else if (seen->not_judged == records)
        buf_add(out, STR("`when` asks for what is not known there; the log states it, or `with` (the launch, a "
                         "baseline)"));
    else
        return false;
    return true;
}

/* Appends the reason why the rule may not fire on an excerpt that was read. */
static void add_reason(const struct rule *rule, const struct example *seen, struct buf *out)
{
    if (add_unasked(rule, seen, out))
        return;
    if (rule->kind == RULE_PATTERN)
        buf_add(out, STR("no line of it matches the pattern, or `when` is not true of what matched"));
    else if (rule->kind == RULE_EVENT && !seen->messages)
        buf_add(out, STR("it holds no message that warplint knows (`warplint list phrases` shows them)"));
    else if (rule->kind == RULE_EVENT)
        buf_add(out, STR("no message of it is one of `event`, or `when` is not true of it"));
    else
        buf_add(out, STR("`when` is true of no record in it"));
}

/* Appends what is wrong with an excerpt that was read; nothing if the rule fires or does not fire as it should. */
static void add_fault(const struct rule *rule, bool bad, const struct example *seen, struct buf *out)
{
    SCOPED(buf) reason = {0};
    if (bad && !seen->findings) {
        buf_fmt(out, "the rule %.*s is silent on its excerpt `bad`: ", STR_ARG(rule->id));
        add_reason(rule, seen, out);
    } else if (!bad && seen->findings) {
        buf_fmt(out, "the rule %.*s fires on its excerpt `good`: %.*s", STR_ARG(rule->id),
                STR_ARG(buf_str(&seen->message)));
    } else if (!bad && add_unasked(rule, seen, &reason)) { /* a rule that cannot fire proves nothing */
        buf_fmt(out, "the excerpt `good` of the rule %.*s tests nothing: %.*s", STR_ARG(rule->id),
                STR_ARG(buf_str(&reason)));
    }
}

/* ---- one rule ---- */

static bool try_excerpt(struct check *check, struct rule *rule, bool bad)
{
    struct str excerpt = bad ? rule->bad : rule->good;
    SCOPED(example) seen = {0};
    SCOPED(buf) fault = {0};
    if (!excerpt.len)
        return true;
    struct str name = arena_fmt(&check->table.arena, "%.*s (%s)", STR_ARG(rule->path), bad ? "bad" : "good");
    if (!example_try(rule, name, excerpt, &seen, check->diags))
        return false;
    add_fault(rule, bad, &seen, &fault);
    return fault.len == 0 ||
           diag_error(check->diags, rule_place(rule, bad ? KEY_BAD : KEY_GOOD), "%.*s", STR_ARG(buf_str(&fault)));
}

static const char *what_holds(const struct rule *rule)
{
    if (rule->bad.len && rule->good.len)
        return "fires on `bad`, is silent on `good`";
    if (rule->bad.len)
        return "fires on `bad`; has no `good`";
    return rule->good.len ? "is silent on `good`; has no `bad`" : "not tried: has neither `bad` nor `good`";
}

static bool try_rule(struct check *check, struct rule *rule)
{
    bool tried = rule->bad.len || rule->good.len;
    check->tried += tried;
    check->bare += !tried;
    bool ok = try_excerpt(check, rule, true);
    ok &= try_excerpt(check, rule, false);
    table_cell(&check->table, rule->id);
    table_cell(&check->table, rule->path);
    table_cell(&check->table, str_of(ok ? what_holds(rule) : "does not hold"));
    return ok;
}

/* ---- all rules ---- */

bool own_rules_hold(struct session *session, struct buf *out)
{
    struct check check = {.table = {.columns = 3, .width = terminal_width(STDOUT_FILENO)}, .diags = &session->diags};
    const struct config *config = &session->config;
    bool read = session_add_own_rules(session, &check.rules), ok = read;
    for (size_t at = 0; read && at < check.rules.count; at++)
        ok &= try_rule(&check, &check.rules.rules[at]);
    for (size_t at = 0; at < config->exception_count; at++)
        exception_names_rule(&config->exceptions[at], &session->rules, &session->diags);
    table_render(&check.table, out);
    if (config->file_count)
        buf_fmt(out, "configuration: %.*s", STR_ARG(config->files[config->file_count - 1].path));
    else
        buf_add(out, STR("configuration: none, the built-in settings"));
    buf_fmt(out, "\nrules of your own: %zu, tried on their excerpts: %zu\n", check.tried + check.bare, check.tried);
    table_free(&check.table);
    ruleset_free(&check.rules);
    return ok;
}
