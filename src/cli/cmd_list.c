#include "cli/commands.h"
#include "cli/doctor/doctor.h"
#include "cli/rule_page.h"
#include "cli/session.h"

#include "log/phrase.h"
#include "report/rule_help.h"
#include "report/table.h"
#include "rules/field.h"

#include <stddef.h>
#include <unistd.h>

struct list_settings {
    struct settings common;
    bool markdown;
};

/* Appends "on" or "off", and the place of the setting if it is not in the rule itself. */
static void cell_state(struct table *table, const struct config *config, const struct rule *rule)
{
    const struct rule_setting *setting = config_setting_of(config, rule->id, SETTING_CHANGE);
    buf_add(&table->cell, rule_is_on(rule) ? STR("on") : STR("off"));
    if (setting) {
        struct place place = yml_key_place(&setting->file->yaml, setting->node);
        buf_fmt(&table->cell, ", changed by %.*s:%zu", STR_ARG(place.path), place.line);
    }
    table_end(table);
}

static void list_rules(const struct session *session, struct table *table)
{
    EACH(const struct rule, rule, session->rules.rules, session->rules.count) {
        table_cell(table, rule->id);
        rule_severities(rule, &table->cell);
        table_end(table);
        cell_state(table, &session->config, rule);
        table_cell(table, rule->builtin ? STR("built-in") : rule->path);
        table_cell(table, rule->title);
    }
}

static void list_fields(struct table *table)
{
    for (const struct field *field = field_after(NULL); field; field = field_after(field)) {
        const char *unit = unit_name((enum unit)field->unit);
        table_cell(table, str_of(field->name));
        table_cell(table, str_of(*unit ? unit : value_type_name((enum value_type)field->type)));
        table_cell(table, str_of(field->doc));
    }
}

static void list_archs(struct table *table)
{
    static const char *const heads[] = {"arch",    "cc",          "warps/SM", "blocks/SM",
                                        "regs/SM", "regs/thread", "smem/SM",  "chips"};
    enum { HEADS = sizeof heads / sizeof *heads };
    for (size_t at = 0; at < HEADS; at++)
        table_column(table, heads[at], at > 1 && at + 1 < HEADS);
    EACH(const struct arch, arch, arch_table, arch_count) {
        table_cell(table, arena_fmt(&table->arena, "sm_%d%d", arch->major, arch->minor));
        table_cell(table, arena_fmt(&table->arena, "%d.%d", arch->major, arch->minor));
        table_number(table, arch->max_warps_per_sm);
        table_number(table, arch->max_blocks_per_sm);
        table_number(table, arch->registers_per_sm);
        table_number(table, arch->registers_per_thread);
        table_number(table, arch->smem_per_sm_bytes);
        table_cell(table, str_of(arch->chips));
    }
}

static void list_formats(struct table *table)
{
    EACH(const struct format, format, format_table, format_count) {
        table_cell(table, str_of(format->name));
        table_cell(table, format->holds == FINDINGS_ONLY ? STR("check") : STR("check, report"));
        table_cell(table, str_of(format->what));
    }
}

static void list_gpus(struct table *table)
{
    static const char *const heads[] = {"gpu", "arch", "SMs", "source"};
    for (size_t at = 0; at < sizeof heads / sizeof *heads; at++)
        table_column(table, heads[at], at == 2);
    for (size_t at = 0; at < gpu_model_count; at++) {
        table_cell(table, str_of(gpu_model_table[at].name));
        table_cell(table, str_of(gpu_model_table[at].arch));
        table_number(table, gpu_model_table[at].sms);
        table_cell(table, str_of(gpu_model_table[at].source));
    }
}

static void list_phrases(struct table *table)
{
    for (size_t at = 0; at < phrase_count; at++) {
        table_cell(table, str_of(phrase_table[at].event ? phrase_table[at].event : "-"));
        table_cell(table, str_of(phrase_table[at].template));
    }
    for (size_t at = 0; at < derived_event_count; at++) {
        table_cell(table, str_of(derived_events[at]));
        table_cell(table, STR("(from several inputs)"));
    }
}

static void list_causes(struct table *table)
{
    for (size_t at = 0; at < cause_count; at++) {
        table_cell(table, str_of(cause_table[at].code));
        table_cell(table, str_of(severity_names[cause_table[at].severity]));
        table_cell(table, str_of(cause_table[at].sentence));
    }
}

/* In the order of the words of the command. */
static const struct {
    size_t columns;                    /* 0: the table has headings, which set the number */
    void (*fill)(struct table *table); /* NULL: list_rules */
} lists[] = {
    {0, list_archs}, {3, list_causes},  {3, list_fields}, {3, list_formats},
    {0, list_gpus},  {2, list_phrases}, {5, NULL},
};

static void list(struct session *session, int number, bool markdown, struct buf *out)
{
    SCOPED(table) table = {.columns = lists[number].columns};
    table.width = terminal_width(STDOUT_FILENO);
    if (lists[number].fill)
        lists[number].fill(&table);
    else if (markdown)
        rule_page(&session->rules, out);
    else
        list_rules(session, &table);
    table_render(&table, out);
}

static int run(struct session *session, void *given)
{
    const struct list_settings *settings = given;
    SCOPED(buf) text = {0};
    int number = settings_word(&settings->common, &command_list, 1, &session->diags);
    if (number < 0)
        return STATUS_USAGE;
    if (settings->markdown && lists[number].fill) {
        diag_error(&session->diags, nowhere, "--markdown is an option of `list rules`, found '%.*s'",
                   STR_ARG(settings->common.arguments.items[0]));
        return STATUS_USAGE;
    }
    if (!session_rules_anyway(session))
        return STATUS_USAGE;
    list(session, number, settings->markdown, &text);
    if (!settings->markdown)
        return command_print(&text, &session->diags);
    return file_write(STR("-"), buf_str(&text), &session->diags) ? STATUS_OK : STATUS_UNTRUSTED;
}

static const struct option_row options[] = {
    {"markdown", 0, NULL, set_flag, offsetof(struct list_settings, markdown),
     "rules: as a Markdown page with all details"},
};

const struct command command_list = {
    .name = "list",
    .what = "list rules, fields, archs, formats, gpus, ...",
    .usage = "usage: warplint list [OPTIONS] rules|fields|archs|formats|gpus|phrases|causes\n",
    .statuses = STATUSES_OF_PRINTING,
    .words = "archs|causes|fields|formats|gpus|phrases|rules",
    OPTIONS(options),
    .settings_bytes = sizeof(struct list_settings),
    .run = run,
};
