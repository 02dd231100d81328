/*
 * config show: prints the settings in force as an equivalent configuration, with the place of each value after it.
 * Rules that the files add are listed with their settings only; their definitions stay in their files. config check:
 * reads the same files and tests the added rules on their excerpts.
 */
#include "cli/commands.h"
#include "cli/own_rules.h"
#include "cli/session.h"
#include "cli/yaml_text.h"

enum { PLACE_COLUMN = 56 };

/* ---- lines ---- */

/* Ends the line with a comment that states where its value comes from. */
static void end_line(struct buf *out, struct str from, size_t line)
{
    size_t before = str_rfind(buf_str(out), STR("\n")), used = out->len - (before == STR_NONE ? 0 : before + 1);
    buf_pad(out, ' ', used + 2 < PLACE_COLUMN ? PLACE_COLUMN - used : 2);
    buf_fmt(out, "# %.*s", STR_ARG(from));
    if (line)
        buf_fmt(out, ":%zu", line);
    buf_char(out, '\n');
}

static void end_at(struct buf *out, struct place place)
{
    end_line(out, place.path, place.line);
}

static void add_key(struct buf *out, size_t indent, const char *key)
{
    buf_pad(out, ' ', indent);
    buf_fmt(out, "%s: ", key);
}

static void add_text(struct buf *out, size_t indent, const char *key, struct str text, struct place place)
{
    add_key(out, indent, key);
    yaml_scalar(text, out);
    end_at(out, place);
}

static void add_archs(struct buf *out, size_t indent, const char *key, const struct str_list *archs, struct place place)
{
    if (archs->count == 0)
        return;
    add_key(out, indent, key);
    yaml_list(archs->items, archs->count, out);
    end_at(out, place);
}

/* ---- values by architecture ---- */

static void add_value(struct buf *out, size_t indent, const struct arch_value *value)
{
    if (!value)
        return;
    if (!value->cases->arch.known) {
        add_text(out, indent, value->kind->name, value->cases[0].text, value->cases[0].place);
        return;
    }
    buf_pad(out, ' ', indent);
    buf_fmt(out, "%s:\n", value->kind->name);
    SCOPED(buf) arch = {0};
    for (size_t at = 0; at < value->count; at++) {
        buf_clear(&arch);
        value_print(&value->cases[at].arch, UNIT_NONE, &arch);
        buf_char(&arch, '\0');
        add_text(out, indent + 2, arch.ptr, value->cases[at].text, value->cases[at].place);
    }
}

/* ---- exceptions and entries ---- */

static void add_exception(const struct config *config, const struct exception *exception, size_t indent,
                          struct buf *out)
{
    buf_pad(out, ' ', indent);
    buf_add(out, STR("- rule: "));
    yaml_scalar(exception->rule, out);
    end_at(out, exception->place);
    if (exception->entry != NO_INDEX && config->entries[exception->entry].only_allows)
        add_text(out, indent + 2, "kernel", config->entries[exception->entry].match_text, exception->place);
    add_archs(out, indent + 2, "arch", &exception->archs.names, exception->place);
    if (exception->max_text.len)
        add_text(out, indent + 2, "max", exception->max_text, exception->max_place);
    add_text(out, indent + 2, "reason", exception->reason, exception->place);
    if (exception->until_text.len)
        add_text(out, indent + 2, "until", exception->until_text, exception->place);
}

/* Adds the exceptions of one entry or, with NO_INDEX, those at the top level: for all kernels or with a pattern of
 * their own. */
static void add_exceptions(const struct config *config, uint32_t entry, size_t indent, struct buf *out)
{
    bool any = false;
    EACH(const struct exception, exception, config->exceptions, config->exception_count) {
        bool top = exception->entry == NO_INDEX || config->entries[exception->entry].only_allows;
        if (entry == NO_INDEX ? !top : top || exception->entry != entry)
            continue;
        if (!any) {
            buf_pad(out, ' ', indent);
            buf_add(out, STR("allow:\n"));
        }
        any = true;
        add_exception(config, exception, indent + 2, out);
    }
}

static void add_entry(const struct config *config, uint32_t number, struct buf *out)
{
    const struct kernel_override *entry = &config->entries[number];
    size_t start = out->len;
    if (entry->match)
        add_text(out, 4, "match", entry->match_text, entry->match_place);
    if (entry->source)
        add_text(out, 4, "source", entry->source_text, entry->source_place);
    out->ptr[start + 2] = '-';
    add_archs(out, 4, "arch", &entry->archs.names, entry->archs.place);
    for (size_t at = 0; at < entry->value_count; at++)
        add_value(out, 4, entry->values[at].value);
    if (entry->exact_bounds)
        add_text(out, 4, "launch-bounds", STR("exact"), entry->exact_place);
    add_exceptions(config, number, 4, out);
}

static void add_entries(const struct config *config, struct buf *out)
{
    bool any = false;
    for (uint32_t at = 0; at < config->entry_count; at++) {
        if (config->entries[at].only_allows)
            continue;
        if (!any)
            buf_add(out, STR("kernels:\n"));
        any = true;
        add_entry(config, at, out);
    }
}

/* ---- rules ---- */

/* Ends the line with the place of a rule: "built-in", its file, or its line in the configuration. */
static void end_at_rule(const struct config *config, const struct rule *rule, struct buf *out)
{
    const struct rule_setting *definition = config_setting_of(config, rule->id, SETTING_DEFINITION);
    if (definition && str_eq(definition->file->path, rule->path))
        end_at(out, yml_key_place(&definition->file->yaml, definition->node));
    else
        end_line(out, rule->builtin ? STR("built-in") : rule->path, 0);
}

static void add_rule(const struct config *config, const struct rule *rule, struct buf *out)
{
    const struct rule_setting *setting = config_setting_of(config, rule->id, SETTING_SEVERITY);
    buf_fmt(out, "  %.*s:\n", STR_ARG(rule->id));
    add_key(out, 4, "severity");
    buf_add(out, str_of(severity_names[rule->severity]));
    if (setting)
        end_at(out, setting->severity_place);
    else
        end_at_rule(config, rule, out);
    if (rule->scope.param_count)
        buf_add(out, STR("    params:\n"));
    EACH(const struct param, param, rule->scope.params, rule->scope.param_count) {
        add_key(out, 6, param->name.ptr);
        yaml_value(&param->value, out);
        if (str_starts(param->place.path, STR("built-in:")))
            end_line(out, STR("built-in"), 0);
        else
            end_at(out, param->place);
    }
}

/* ---- all settings ---- */

static void add_files(const struct config *config, struct buf *out)
{
    if (config->file_count == 0)
        buf_add(out, STR("# no " CONFIG_NAME " from here up: the built-in settings\n"));
    for (size_t at = config->file_count; at-- > 0;) {
        const struct config_file *file = &config->files[at];
        buf_fmt(out, "# %.*s", STR_ARG(file->path));
        if (file->extends.len)
            buf_fmt(out, " extends %.*s", STR_ARG(file->extends));
        if (file->rules_dir.len)
            buf_fmt(out, "%s the rules of %.*s", file->extends.len ? ", with" : " with", STR_ARG(file->rules_dir));
        buf_char(out, '\n');
    }
}

static bool show(struct session *session, struct buf *out)
{
    const struct config *config = &session->config;
    add_files(config, out);
    add_archs(out, 0, "archs", &config->archs.names, config->archs.place);
    if (config->baseline.len)
        add_text(out, 0, "baseline", config->baseline, config->baseline_place);
    add_key(out, 0, "fail-on");
    buf_add(out, session->fail_on == SEVERITY_OFF ? STR("never") : str_of(severity_names[session->fail_on]));
    if (config->has_fail_on)
        end_at(out, config->fail_on_place);
    else
        end_line(out, STR("built-in"), 0);
    add_value(out, 0, config->sms);
    buf_add(out, STR("rules:\n"));
    for (size_t at = 0; at < session->rules.count; at++)
        add_rule(config, &session->rules.rules[at], out);
    add_entries(config, out);
    add_exceptions(config, NO_INDEX, 0, out);
    return true;
}

/* ---- the command line ---- */

/* In the order of the words of the command. Returns false with diagnostics: status 2. */
static bool (*const verbs[])(struct session *session, struct buf *out) = {show, own_rules_hold};

static int run(struct session *session, void *given)
{
    const struct settings *settings = given;
    SCOPED(buf) text = {0};
    int verb = settings_word(settings, &command_config, 1, &session->diags);
    bool ok = verb >= 0 && session_rules(session) && verbs[verb](session, &text);
    int status = command_print(&text, &session->diags);
    return status != STATUS_OK || ok ? status : STATUS_USAGE;
}

const struct command command_config = {
    .name = "config",
    .what = "show or check the configuration",
    .usage = "usage: warplint config [OPTIONS] show|check\n\n"
             "  show   print the configuration in force, each value with its file and line\n"
             "  check  check the configuration and all rules, and test your own rules: each\n"
             "         must fire on its example `bad` and must not fire on `good`\n",
    .statuses = STATUSES_OF_PRINTING,
    .words = "show|check",
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
