#include "cli/commands.h"
#include "cli/doctor/doctor.h"
#include "cli/manual.h"
#include "cli/session.h"

#include "report/rule_help.h"
#include "rules/field.h"

#include <unistd.h>

/* Appends a line of an expression or a log, which is wrapped only on a terminal. */
static void add_line(struct str line, struct buf *out)
{
    enum { INDENT = 2, CONTINUED = 4 };
    buf_pad(out, ' ', INDENT);
    buf_fold(out, line, INDENT, CONTINUED, terminal_width(STDOUT_FILENO));
    buf_char(out, '\n');
}

static void add_section(const char *head, struct str text, bool wrap, struct buf *out)
{
    struct str rest = text, line;
    if (text.len == 0)
        return;
    buf_fmt(out, "\n%s\n", head);
    if (wrap) {
        buf_wrap(out, text, 2, prose_width());
        return;
    }
    while (str_split(&rest, '\n', &line))
        if (line.len || rest.ptr)
            add_line(line, out);
}

/* Appends the cases if they differ in severity. Cases of one severity differ only in their messages, so they are
 * omitted. */
static void add_cases(const struct rule *rule, struct buf *out)
{
    SCOPED(buf) line = {0};
    size_t alike = 0;
    while (alike < rule->case_count && rule_case_severity(rule, alike) == rule_case_severity(rule, 0))
        alike++;
    if (alike == rule->case_count)
        return;
    buf_add(out, STR("\ncases, the first one that is true counts\n"));
    for (size_t at = 0; at < rule->case_count; at++) {
        struct str when = rule_prose(rule->cases[at].when_text);
        when = when.len ? when : STR("otherwise");
        buf_clear(&line);
        buf_fmt(&line, "%s: %.*s", severity_names[rule_case_severity(rule, at)], STR_ARG(when));
        add_line(buf_str(&line), out);
    }
}

static void add_texts(const char *head, const struct str_list *texts, struct buf *out)
{
    if (texts->count)
        buf_fmt(out, "\n%s\n", head);
    for (size_t at = 0; at < texts->count; at++)
        buf_fmt(out, "  %.*s\n", STR_ARG(texts->items[at]));
}

static void explain_rule(const struct rule *rule, struct buf *out)
{
    SCOPED(buf) with = {0};
    buf_fmt(out, "%.*s (", STR_ARG(rule->id));
    rule_severities(rule, out);
    buf_add(out, STR(")\n"));
    buf_wrap(out, rule->title, 2, prose_width());
    add_section("why", rule->why, true, out);
    add_section("what to do", rule->hint, true, out);
    for (size_t at = 0; at < rule->scope.param_count; at++) {
        if (at == 0)
            buf_add(out, STR("\nparameters\n"));
        buf_fmt(out, "  %.*s: ", STR_ARG(rule->scope.params[at].name));
        value_print(&rule->scope.params[at].value, (enum unit)rule->scope.params[at].unit, out);
        buf_char(out, '\n');
    }
    add_section("when", rule->when_text, false, out);
    add_cases(rule, out);
    add_texts("not reported if one of these fires at least as severely", &rule->superseded_by, out);
    add_texts("exceptions of these count here, too", &rule->exceptions_of, out);
    add_section("places", rule_sites_sentence(rule), true, out);
    rule_with_text(rule, &with);
    add_section("launch and baseline of the examples", buf_str(&with), true, out);
    add_section("fires on", rule->bad, false, out);
    add_section("does not fire on", rule->good, false, out);
    add_texts("see", &rule->see, out);
}

static void explain_field(const struct field *field, struct buf *out)
{
    const char *unit = unit_name((enum unit)field->unit);
    buf_fmt(out, "%s: %s%s%s\n", field->name, value_type_name((enum value_type)field->type), *unit ? ", " : "", unit);
    buf_wrap(out, str_of(field->doc), 2, prose_width());
}

static void explain_arch(const struct arch *arch, struct buf *out)
{
    buf_fmt(out, "compute capability %d.%d (%s)\n", arch->major, arch->minor, arch->chips);
    const struct {
        const char *what;
        int value;
    } limits[] = {
        {"threads per block", arch->max_threads_per_block},
        {"warps per SM", arch->max_warps_per_sm},
        {"blocks per SM", arch->max_blocks_per_sm},
        {"registers per SM", arch->registers_per_sm},
        {"registers per block", arch->registers_per_block},
        {"registers per thread", arch->registers_per_thread},
        {"register file parts", arch->sub_partitions},
        {"shared memory per SM, bytes", arch->smem_per_sm_bytes},
        {"shared memory per block, bytes", arch->smem_per_block_bytes},
        {"the same with opt-in, bytes", arch->smem_per_block_optin_bytes},
        {"reserved per block, bytes", arch->smem_reserved_bytes},
        {"shared memory unit, bytes", arch->smem_unit_bytes},
        {"named barriers per SM", arch->barriers_per_sm},
    };
    for (size_t at = 0; at < sizeof limits / sizeof *limits; at++) {
        if (limits[at].value || at < 8)
            buf_fmt(out, "  %-32s %8d\n", limits[at].what, limits[at].value);
        else
            buf_fmt(out, "  %-32s %8s\n", limits[at].what, "none");
    }
}

/* Appends the manual page of a file format: the configuration, rules, or only the section on expressions. */
static bool explain_format(struct str word, struct buf *out)
{
    static const struct str heading = STR_INIT("## Expressions\n");
    const bool is_config = str_eq(word, STR("config")), is_part = str_eq(word, STR("expressions"));
    const struct str name = is_config ? STR("warplint-config") : STR("warplint-rules");
    const bool is_format = is_config || is_part || str_eq(word, STR("rule")) || str_eq(word, STR("rules"));
    for (size_t at = 0; is_format && at < manual_page_count; at++) {
        struct manual_page page = manual_pages[at];
        if (page.section != 5 || !str_eq(str_of(page.name), name))
            continue;
        if (is_part) {
            page.text = str_from(page.text, str_find(page.text, heading));
            page.text = str_sub(page.text, 0, heading.len + str_find(str_from(page.text, heading.len), STR("\n## ")));
        }
        manual_text(&page, out);
        return true;
    }
    return false;
}

/* Explains a code that `warplint doctor` prints after a problem. */
static bool explain_cause(struct str word, struct buf *out)
{
    EACH(const struct cause, cause, cause_table, cause_count)
        if (str_eq(word, str_of(cause->code))) {
            buf_fmt(out, "%s: %s %s of `warplint doctor`, which prints the commands that help\n", cause->code,
                    cause->severity == SEVERITY_ERROR ? "an" : "a", severity_names[cause->severity]);
            buf_wrap(out, str_of(cause->sentence), 2, prose_width());
            if (cause->more)
                buf_wrap(out, str_of(cause->more), 2, prose_width());
            return true;
        }
    return false;
}

/* The rules whose names contain the word: "a, b or c"; NULL if there are none. */
static const char *rules_with_part(struct session *session, struct str word)
{
    enum { SHORTEST_PART = 4 };
    SCOPED(buf) names = {0};
    struct str last = {"", 0};
    for (size_t at = 0; word.len >= SHORTEST_PART && at < session->rules.count; at++) {
        if (str_find(session->rules.rules[at].id, word) == STR_NONE)
            continue;
        if (last.len)
            buf_fmt(&names, "%s%.*s", names.len ? ", " : "", STR_ARG(last));
        last = session->rules.rules[at].id;
    }
    buf_fmt(&names, "%s%.*s", names.len ? " or " : "", STR_ARG(last));
    return names.len ? arena_cstr(&session->arena, buf_str(&names)) : NULL;
}

/* Reports a word that has no explanation, with the nearest word that has one, or with the command that lists the
 * words. */
static bool refuse_word(struct session *session, struct str word)
{
    const char *near = ruleset_nearest(&session->rules, word);
    const char *arch = gpu_model_arch(word);
    near = near ? near : arch_nearest(word, &session->arena);
    near = near ? near : field_nearest(word);
    near = near ? near : rules_with_part(session, word);
    if (str_starts(word, STR("C75")))
        return diag_error(&session->diags, nowhere,
                          "'%.*s' is the number of a message of ptxas: see `warplint explain wgmma-serialized` and "
                          "`warplint explain setmaxnreg-ignored`",
                          STR_ARG(word));
    if (arch)
        return diag_error(&session->diags, nowhere, "'%.*s' is a GPU, did you mean its architecture, %s", STR_ARG(word),
                          arch);
    if (near)
        return diag_error(&session->diags, nowhere, "nothing is called '%.*s', did you mean %s", STR_ARG(word), near);
    return diag_error(&session->diags, nowhere,
                      "nothing is called '%.*s', expected a rule, a field, an architecture or a cause (`warplint list "
                      "rules|fields|archs|causes`), or config, rule or expressions",
                      STR_ARG(word));
}

/* Finds a field by its name, or by the heading of its column in the tables of `diff`. */
static const struct field *find_field(struct str word)
{
    const struct field *field = field_find(word);
    for (size_t at = 0; !field && at < MEASURE_COUNT; at++)
        if (measure_table[at].head && str_eq(word, str_of(measure_table[at].head)))
            field = field_find(str_of(measure_table[at].key));
    return field;
}

static bool explain(struct session *session, struct str word, struct buf *out)
{
    const struct rule *rule = ruleset_find(&session->rules, word);
    const struct field *field = rule ? NULL : find_field(word);
    const struct arch *arch = rule || field ? NULL : arch_find(word);
    if (rule)
        explain_rule(rule, out);
    else if (field)
        explain_field(field, out);
    else if (arch)
        explain_arch(arch, out);
    else
        return explain_format(word, out) || explain_cause(word, out) || refuse_word(session, word);
    return true;
}

static int run(struct session *session, void *given)
{
    const struct settings *settings = given;
    SCOPED(buf) text = {0};
    if (!session_rules_anyway(session))
        return STATUS_USAGE;
    if (settings->arguments.count != 1)
        return usage_error(
            &session->diags,
            "explain takes one rule, field, architecture or cause, or config, rule or expressions; found %zu words",
            settings->arguments.count);
    if (!explain(session, settings->arguments.items[0], &text))
        return STATUS_USAGE;
    return command_print(&text, &session->diags);
}

const struct command command_explain = {
    .name = "explain",
    .what = "explain a rule, a field, an architecture",
    .usage = "usage: warplint explain [OPTIONS] RULE|FIELD|ARCH|CAUSE|config|rule|expressions\n",
    .statuses = STATUSES_OF_PRINTING,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
