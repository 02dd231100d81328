/* Applies a configuration to rules: new rules, severities, parameters. */
#include "config/config.h"

/* ---- rules of configuration files ---- */

/* True, with an error, if the `rules` folder of the same file has a rule with that id too. */
static bool is_twice(const struct rule_setting *setting, const struct ruleset *rules, struct diags *diags)
{
    const struct rule *rule = ruleset_find(rules, setting->node->key);
    struct str folder = setting->file->rules_dir;
    if (!rule || rule->builtin || !folder.len || !str_starts(rule->path, folder))
        return false;
    return !diag_error(diags, yml_key_place(&setting->file->yaml, setting->node), "rule '%.*s' is here and in %.*s",
                       STR_ARG(rule->id), STR_ARG(rule->path));
}

bool config_add_rules(struct config *config, struct ruleset *rules, struct diags *diags)
{
    size_t errors = diags->errors, first = diags->count;
    EACH(const struct config_file, file, config->files, config->file_count) {
        if (file->rules_dir.len && !ruleset_load_dir(rules, file->rules_dir, diags))
            config->rules_missing = true;
        EACH(const struct rule_setting, setting, config->settings, config->setting_count)
            if (setting->defines && setting->file == file && !is_twice(setting, rules, diags))
                ruleset_add_inline(rules, &file->yaml, setting->node, diags);
    }
    diags_sort(diags, first);
    return diags->errors == errors;
}

/* ---- settings ---- */

/* True if some file defines the rule. If the rule does not exist then, its definition has errors that were reported. */
static bool is_defined(const struct config *config, struct str id)
{
    return config->rules_missing || config_setting_of(config, id, SETTING_DEFINITION);
}

static struct rule *find_rule(const struct config *config, const struct rule_setting *setting, struct ruleset *rules,
                              struct diags *diags)
{
    const struct rule *rule = ruleset_find(rules, setting->node->key);
    if (rule)
        return &rules->rules[rule - rules->rules];
    if (is_defined(config, setting->node->key))
        return NULL;
    const char *near = ruleset_nearest(rules, setting->node->key);
    diag_error(diags, yml_key_place(&setting->file->yaml, setting->node), "no rule is called '%.*s'%s%s",
               STR_ARG(setting->node->key), near ? ", did you mean " : ", a new one needs when, event or pattern",
               near ? near : "");
    return NULL;
}

static struct param *find_param(const struct yaml_decoder *r, const struct yml_node *node, const struct rule *rule)
{
    struct param *params = rule->scope.params;
    EACH(struct param, param, params, rule->scope.param_count)
        if (str_eq(param->name, node->key))
            return param;
    if (rule->scope.param_count == 0) {
        diag_error(r->diags, yml_key_place(r->yaml, node), "rule %.*s has no parameters", STR_ARG(rule->id));
        return NULL;
    }
    const char *near = nearest_word(node->key, &params->name.ptr, sizeof *params, rule->scope.param_count);
    diag_error(r->diags, yml_key_place(r->yaml, node), "rule %.*s has no parameter '%.*s', %s %s", STR_ARG(rule->id),
               STR_ARG(node->key), near ? "did you mean" : "it has for example", near ? near : params->name.ptr);
    return NULL;
}

/* Reads the value of a parameter; it must have the type and unit of the rule's own value. */
static bool read_param_value(const struct yaml_decoder *r, const struct yml_node *node, const struct param *param,
                             struct value *value)
{
    double number = 0;
    uint8_t unit = UNIT_NONE;
    bool truth = str_eq(node->scalar, STR("true")), fits = true;
    switch (param->value.type) {
    case VALUE_NUMBER:
        if (!decode_number(node->scalar, &number, &unit))
            return decode_fail(r, node, "a number, like the value in the rule (16, 16KiB, 50%)");
        fits = unit == UNIT_NONE || unit == param->unit || (param->unit == UNIT_NONE && unit == UNIT_BYTES);
        if (!fits)
            return diag_error(r->diags, yml_place(r->yaml, node), "'%.*s' counts %s here, %s in the rule",
                              STR_ARG(node->key), unit_name((enum unit)unit),
                              param->unit == UNIT_NONE ? "bytes or a number" : unit_name((enum unit)param->unit));
        *value = value_number(number);
        return true;
    case VALUE_BOOL:
        if (!truth && !str_eq(node->scalar, STR("false")))
            return decode_fail(r, node, "true or false, like the value in the rule");
        *value = value_bool(truth);
        return true;
    default: *value = value_string(arena_str(r->arena, node->scalar)); return true;
    }
}

static void set_params(const struct rule_setting *setting, struct rule *rule, struct ruleset *rules,
                       struct diags *diags)
{
    struct yaml_decoder r = {.yaml = &setting->file->yaml, .arena = &rules->arena, .diags = diags};
    for (const struct yml_node *node = setting->params; node; node = node->next) {
        if (!decode_is_text(node))
            continue; /* reported when the file was read */
        struct param *param = find_param(&r, node, rule);
        struct value value;
        if (!param || !read_param_value(&r, node, param, &value))
            continue;
        param->value = value;
        param->place = decode_place(&r, node);
    }
}

bool config_apply(const struct config *config, struct ruleset *rules, struct diags *diags)
{
    size_t errors = diags->errors, first = diags->count;
    EACH(const struct rule_setting, setting, config->settings, config->setting_count) {
        struct rule *rule = setting->defines ? NULL : find_rule(config, setting, rules, diags);
        if (rule && setting->has_severity) {
            rule->turned_on = rule->severity == SEVERITY_OFF;
            rule->severity = setting->severity;
        }
        if (rule)
            set_params(setting, rule, rules, diags);
    }
    EACH(const struct exception, exception, config->exceptions, config->exception_count)
        exception_check(exception, rules, diags);
    diags_sort(diags, first);
    return diags->errors == errors;
}

const struct rule_setting *config_setting_of(const struct config *config, struct str rule, enum setting_part part)
{
    for (size_t at = config->setting_count; at-- > 0;) {
        const struct rule_setting *setting = &config->settings[at];
        bool has_part =
            part == SETTING_SEVERITY ? setting->has_severity : setting->defines == (part == SETTING_DEFINITION);
        if (has_part && str_eq(setting->node->key, rule))
            return setting;
    }
    return NULL;
}
