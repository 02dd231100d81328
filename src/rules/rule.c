/*
 * Makes a rule of a tree of YAML. The keys are a table; to add a key, add a row and the function that reads it. Keys
 * are read in the order of the table, not of the file, because expressions need the parameters and captures.
 */
#include "rules/rule.h"

#include "base/regex.h"
#include "log/phrase.h"
#include "rules/embedded_rule.h"
#include "rules/token.h"
#include "rules/yaml_decoder.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static void fail(const struct yaml_decoder *r, struct place place, const char *message)
{
    diag_error(r->diags, place, "%s", message);
}

/* ---- plain keys ---- */

static bool is_id(struct str id)
{
    for (size_t at = 0; at < id.len; at++) {
        char c = id.ptr[at];
        bool inner = at > 0 && at + 1 < id.len && c == '-';
        if (!inner && !(c >= 'a' && c <= 'z') && !is_digit(c))
            return false;
    }
    return id.len > 0;
}

static void check_id(const struct yaml_decoder *r, struct str id, struct place place)
{
    if (!is_id(id))
        fail(r, place, "an id has small letters, digits and hyphens between them");
}

static void read_id(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    *(struct str *)into = decode_text(r, node, "text");
    if (decode_is_text(node))
        check_id(r, node->scalar, yml_place(r->yaml, node));
}

static void read_text(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    *(struct str *)into = decode_text(r, node, "text");
}

static void read_severity(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    decode_severity(r, node, into);
}

static void read_bool(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    const bool yes = str_eq(node->scalar, STR("true"));
    if (!yes && !str_eq(node->scalar, STR("false")))
        decode_fail(r, node, "true or false");
    *(bool *)into = yes;
}

static const char texts_expected[] = "a text or a list of texts";

static void read_list(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    *(struct str_list *)into = decode_texts(r, node, texts_expected, NULL);
}

static void read_left_to(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct rule *rule = into;
    read_list(r, node, &rule->superseded_by);
    if (rule->kind != RULE_KERNEL)
        fail(r, yml_key_place(r->yaml, node),
             "only a rule on kernels is left to others, not one with event or pattern");
}

static void read_sites(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct rule *rule = into;
    const bool spill = str_eq(node->scalar, STR("spill"));
    if (!spill && !str_eq(node->scalar, STR("array")))
        decode_fail(r, node, "spill or array");
    rule->sites = spill ? SITES_SPILL : SITES_ARRAY;
    if (rule->kind != RULE_KERNEL)
        fail(r, yml_key_place(r->yaml, node), "only a rule on kernels has sites, not one with event or pattern");
}

/* Reports an error unless the name is in the phrase table or is a derived one. */
static bool check_event(const struct yaml_decoder *r, const struct yml_node *node)
{
    const struct str name = node->scalar;
    const char **names = mem_alloc((phrase_count + derived_event_count) * sizeof *names);
    size_t count = 0;
    for (size_t at = 0; at < phrase_count; at++)
        if (phrase_table[at].event)
            names[count++] = phrase_table[at].event;
    for (size_t at = 0; at < derived_event_count; at++)
        names[count++] = derived_events[at];
    const char *near = nearest_word(name, names, sizeof *names, count);
    const bool found = near && str_eq(name, str_of(near));
    if (!found)
        diag_error(r->diags, yml_place(r->yaml, node), "no message is called '%.*s'%s%s", STR_ARG(name),
                   near ? ", did you mean " : "", near ? near : ", `warplint list phrases` shows them");
    free(names);
    return found;
}

static void read_event(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct rule *rule = into;
    rule->kind = RULE_EVENT;
    rule->events = decode_texts(r, node, texts_expected, r->built_in ? NULL : check_event);
}

/* ---- numbers, params, launch configuration ---- */

static struct value value_of(const struct yml_node *node, struct arena *arena, uint8_t *unit)
{
    double number = 0;
    bool truth = str_eq(node->scalar, STR("true"));
    if (decode_number(node->scalar, &number, unit))
        return value_number(number);
    if (node->plain && (truth || str_eq(node->scalar, STR("false"))))
        return value_bool(truth);
    return value_string(arena_str(arena, node->scalar));
}

static void read_param(const struct yaml_decoder *r, const struct yml_node *node, struct param *param)
{
    param->name = decode_keep(r, node->key);
    param->place = decode_place(r, node);
    struct token token = token_next(node->key, 0);
    if (token.kind != TOKEN_NAME || token.width != node->key.len)
        fail(r, yml_key_place(r->yaml, node), "a parameter's name has letters, digits and underscores");
    else if (field_find(node->key))
        fail(r, yml_key_place(r->yaml, node), "this name is a field, a parameter needs another one");
    if (decode_is_text(node))
        param->value = value_of(node, r->arena, &param->unit);
    else
        decode_fail(r, node, "a number, true, false or a text");
}

static void read_params(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct scope *scope = &((struct rule *)into)->scope;
    const struct yml_node *member = decode_members(r, node, YML_MAP, "a map of names and values");
    scope->params = arena_alloc(r->arena, (node->count + 1) * sizeof *scope->params);
    for (; member; member = member->next)
        read_param(r, member, &scope->params[scope->param_count++]);
}

#define BASE_ROW(id, member, ...) {"baseline." #member, offsetof(struct base_values, member)},
/* The values of the baseline that `with` may set, by the names of their fields. */
static const struct base_row {
    const char *name;
    size_t offset;
} base_rows[] = {
    MEASURES(BASE_ROW, NO_METRIC){"replaced.registers", offsetof(struct base_values, replaced_registers)},
};
enum { BASE_ROWS = sizeof base_rows / sizeof *base_rows };

/* The key for an upper bound of the block size. */
static const char threads_bound[] = "threads-at-most";

void rule_with_text(const struct rule *rule, struct buf *out)
{
    const char *between = "";
    for (int at = 0; at < LAUNCH_COUNT; at++) {
        const struct launch_fact *fact = &launch_facts[at];
        const struct value number = value_number(launch_config_get(&rule->with, fact));
        const bool bound = at == LAUNCH_threads && rule->with.threads_from == THREADS_BOUND;
        if (isnan(number.number))
            continue;
        buf_fmt(out, "%s%s: ", between, bound ? threads_bound : fact->key.name);
        value_print(&number, (enum unit)fact->key.unit, out);
        between = ", ";
    }
    EACH(const struct base_row, row, base_rows, BASE_ROWS) {
        int32_t value;
        memcpy(&value, (const char *)&rule->with_base + row->offset, sizeof value);
        if (value == UNKNOWN)
            continue;
        buf_fmt(out, "%s%s: %d", between, row->name, value);
        between = ", ";
    }
}

static bool set_base(struct base_values *base, struct str name, double number)
{
    EACH(const struct base_row, row, base_rows, BASE_ROWS) {
        if (!str_eq(name, str_of(row->name)))
            continue;
        int32_t value = (int32_t)number;
        memcpy((char *)base + row->offset, &value, sizeof value);
        return true;
    }
    return false;
}

static bool is_bound(const struct yml_node *node)
{
    return str_eq(node->key, str_of(threads_bound));
}

static void refuse_fact(const struct yaml_decoder *r, const struct yml_node *node)
{
    const char **names = mem_alloc((LAUNCH_COUNT + 1 + BASE_ROWS) * sizeof *names);
    size_t count = 0;
    names[count++] = threads_bound;
    for (int at = 0; at < LAUNCH_COUNT; at++)
        names[count++] = launch_facts[at].key.name;
    for (size_t at = 0; at < BASE_ROWS; at++)
        names[count++] = base_rows[at].name;
    const char *near = nearest_word(node->key, names, sizeof *names, count);
    diag_error(r->diags, yml_key_place(r->yaml, node), "`with` has no key '%.*s'%s%s", STR_ARG(node->key),
               near ? ", did you mean " : "", near ? near : "");
    free(names);
}

static void read_launch_fact(const struct yaml_decoder *r, const struct yml_node *node, const struct launch_fact *fact,
                             struct rule *rule)
{
    const struct value_kind *kind = &fact->key;
    double number = 0;
    uint8_t unit = UNIT_NONE;
    bool fits = decode_number(node->scalar, &number, &unit) && (unit == UNIT_NONE || unit == kind->unit) &&
                value_kind_fits(kind, number);
    if (fits)
        launch_config_set(&rule->with, fact, number, is_bound(node) ? THREADS_BOUND : THREADS_CLI);
    else
        decode_fail(r, node, kind->expected);
}

static void read_fact(const struct yaml_decoder *r, const struct yml_node *node, struct rule *rule)
{
    const struct launch_fact *fact = launch_fact_find(is_bound(node) ? STR("threads") : node->key);
    double number = 0;
    uint8_t unit = UNIT_NONE;
    if (fact) {
        read_launch_fact(r, node, fact, rule);
        return;
    }
    bool fits = decode_number(node->scalar, &number, &unit) && number >= 0 && number <= INT32_MAX;
    if (!set_base(&rule->with_base, node->key, fits ? number : 0))
        refuse_fact(r, node);
    else if (!fits)
        decode_fail(r, node, "a number from 0 to 2147483647");
}

static void read_with(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    const struct yml_node *member = decode_members(r, node, YML_MAP, "a map like {threads: 256}");
    for (; member; member = member->next)
        read_fact(r, member, into);
}

/* ---- patterns and expressions ---- */

static void read_pattern(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct rule *rule = into;
    rule->kind = RULE_PATTERN;
    rule->scope.fields = false;
    rule->pattern = decode_regex(r, node, false);
    if (rule->pattern)
        rule->scope.capture_count = regex_groups(rule->pattern, &rule->scope.captures);
}

/* An expression of the type; NULL after an error. */
static struct expr *expr_of(const struct yaml_decoder *r, const struct yml_node *node, const struct scope *scope,
                            enum value_type type)
{
    if (!decode_is_text(node)) {
        decode_fail(r, node, "an expression");
        return NULL;
    }
    const struct origin origin = {.yaml = r->yaml, .node = node};
    struct expr *expr = expr_parse(node->scalar, scope, origin, r->arena, r->diags);
    if (!expr || expr_type(expr) == type)
        return expr;
    diag_error(r->diags, yml_place(r->yaml, node), "'%.*s' gives %s, expected %s", STR_ARG(node->key),
               value_type_name(expr_type(expr)), value_type_name(type));
    return NULL;
}

static void read_when(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct rule *rule = into;
    rule->when_text = decode_keep(r, node->scalar);
    rule->when = expr_of(r, node, &rule->scope, VALUE_BOOL);
    rule->asks_baseline = expr_asks(rule->when) & FIELD_BASELINE;
}

static void read_worst(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct rule *rule = into;
    rule->worst = expr_of(r, node, &rule->scope, VALUE_NUMBER);
}

static struct template *template_of(const struct yaml_decoder *r, const struct yml_node *node,
                                    const struct scope *scope)
{
    const struct origin origin = {.yaml = r->yaml, .node = node};
    if (decode_is_text(node))
        return template_parse(node->scalar, scope, origin, r->arena, r->diags);
    decode_fail(r, node, "text");
    return NULL;
}

static struct rule_case *only_case(const struct yaml_decoder *r, const struct yml_node *node, const struct scope *scope)
{
    struct rule_case *only = arena_alloc(r->arena, sizeof *only);
    *only = (struct rule_case){.at_most = SEVERITY_ERROR, .message = template_of(r, node, scope)};
    return only;
}

static void read_message(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct rule *rule = into;
    rule->cases = only_case(r, node, &rule->scope);
    rule->case_count = 1;
}

/* A rule that is off may be turned on with any severity, so its cases may have any. */
static void read_case_severity(const struct yaml_decoder *r, const struct yml_node *node, enum severity highest,
                               struct rule_case *into)
{
    bool known = decode_severity(r, node, &into->at_most);
    if (known && highest != SEVERITY_OFF && into->at_most > highest)
        diag_error(r->diags, yml_place(r->yaml, node),
                   "the case has severity %s and its rule %s, expected no higher one: a case only lowers it",
                   severity_names[into->at_most], severity_names[highest]);
}

/* The cases of `next` have no severity, the last key. */
static const struct decode_key case_keys[] = {{.name = "when"}, {.name = "message"}, {.name = "severity"}};
enum { CASE_KEYS = sizeof case_keys / sizeof *case_keys, NEXT_KEYS = CASE_KEYS - 1 };

static void read_case(const struct yaml_decoder *r, const struct yml_node *node, size_t keys, const struct rule *rule,
                      struct rule_case *into)
{
    const struct yml_node *when = yml_member(node, STR("when")), *message = yml_member(node, STR("message"));
    const struct yml_node *severity = yml_member(node, STR("severity"));
    decode_map(r, node, "a case", case_keys, keys, NULL);
    into->at_most = SEVERITY_ERROR;
    if (when) {
        into->when_text = decode_keep(r, when->scalar);
        into->when = expr_of(r, when, &rule->scope, VALUE_BOOL);
    }
    if (message)
        into->message = template_of(r, message, &rule->scope);
    else if (node->kind == YML_MAP)
        fail(r, yml_place(r->yaml, node), "the case has no message");
    if (severity && keys == CASE_KEYS)
        read_case_severity(r, severity, rule->severity, into);
}

enum { MOST_CASES = 255 }; /* a finding keeps the number of its case in a byte */

static struct rule_case *list_of_cases(const struct yaml_decoder *r, const struct yml_node *node, size_t keys,
                                       const struct rule *rule, size_t *count)
{
    *count = 0;
    if (node->kind != YML_LIST || node->count == 0 || node->count > MOST_CASES) {
        decode_fail(r, node, "a list of 1 to 255 cases");
        return NULL;
    }
    struct rule_case *cases = arena_alloc(r->arena, node->count * sizeof *cases);
    for (const struct yml_node *member = node->first; member; member = member->next)
        read_case(r, member, keys, rule, &cases[(*count)++]);
    return cases;
}

static void read_cases(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct rule *rule = into;
    if (rule->case_count)
        fail(r, yml_key_place(r->yaml, node), "a rule has either message or cases, not both");
    rule->cases = list_of_cases(r, node, CASE_KEYS, rule, &rule->case_count);
}

static void read_next(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct rule *rule = into;
    rule->next_count = 1;
    rule->next = node->kind == YML_SCALAR ? only_case(r, node, &rule->scope)
                                          : list_of_cases(r, node, NEXT_KEYS, rule, &rule->next_count);
    if (rule->kind == RULE_PATTERN)
        fail(r, yml_key_place(r->yaml, node), "a rule with pattern has no next: it does not know a kernel");
}

static void read_next_of(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct rule *rule = into;
    if (rule->next_count)
        fail(r, yml_key_place(r->yaml, node), "a rule has either next or next-of, not both");
    rule->next_of = decode_text(r, node, "the id of a rule");
}

/* ---- the whole rule ---- */

#define AT(member) .at = offsetof(struct rule, member)
static const struct decode_key keys[] = {
    {.name = "id", .read = read_id, AT(id)},
    {.name = "title", .read = read_text, AT(title)},
    {.name = "severity", .read = read_severity, AT(severity)},
    {.name = "why", .read = read_text, AT(why)},
    {.name = "hint", .read = read_text, AT(hint)},
    {.name = "see", .read = read_list, AT(see)},
    {.name = "bad", .read = read_text, AT(bad)},
    {.name = "good", .read = read_text, AT(good)},
    {.name = "with", .read = read_with},
    {.name = "debug-builds", .read = read_bool, AT(debug_builds)},
    {.name = "always-listed", .read = read_bool, AT(always_listed)},
    {.name = "params", .read = read_params},
    {.name = "event", .read = read_event},
    {.name = "pattern", .read = read_pattern},
    {.name = "when", .read = read_when},
    {.name = "left-to", .read = read_left_to},
    {.name = "exceptions-of", .read = read_list, AT(exceptions_of)},
    {.name = "sites", .read = read_sites},
    {.name = "message", .read = read_message},
    {.name = "cases", .read = read_cases},
    {.name = "next", .read = read_next},
    {.name = "next-of", .read = read_next_of},
    {.name = "worst", .read = read_worst},
};
static const char *const placed_keys[PLACED_KEYS] = {"bad", "good", "left-to", "exceptions-of", "next-of", "when"};

static void note_lines(const struct yaml_decoder *r, const struct yml_node *root, struct rule *rule)
{
    for (int at = 0; at < PLACED_KEYS; at++) {
        const struct yml_node *node = yml_member(root, str_of(placed_keys[at]));
        rule->key_lines[at] = node ? (uint32_t)yml_key_place(r->yaml, node).line : 0;
    }
}

static void check_shape(const struct yaml_decoder *r, const struct yml_node *root)
{
    struct place whole = root->key.len ? yml_key_place(r->yaml, root) : (struct place){.path = r->yaml->path};
    bool event = yml_member(root, STR("event")), pattern = yml_member(root, STR("pattern"));
    const struct yml_node *id = yml_member(root, STR("id"));
    if (!id && !root->key.len)
        fail(r, whole, "the rule has no id");
    if (id && root->key.len && !str_eq(id->scalar, root->key))
        diag_error(r->diags, yml_place(r->yaml, id), "the id is '%.*s', the key says '%.*s'", STR_ARG(id->scalar),
                   STR_ARG(root->key));
    if (!event && !pattern && !yml_member(root, STR("when")))
        fail(r, whole, "the rule has neither when nor event nor pattern");
    if (event && pattern)
        fail(r, yml_key_place(r->yaml, yml_member(root, STR("pattern"))), "a rule has either event or pattern");
    if (!yml_member(root, STR("message")) && !yml_member(root, STR("cases")))
        fail(r, whole, "the rule has no message");
}

static void find_what_is_asked(struct rule *rule)
{
    unsigned asks = expr_asks(rule->when) | expr_asks(rule->worst);
    for (size_t at = 0; at < rule->case_count; at++)
        asks |= expr_asks(rule->cases[at].when);
    rule->asks_only_metrics = (asks & FIELD_SCOPES) == FIELD_METRICS;
}

bool rule_read(struct rule *rule, const struct yml *yaml, struct arena *arena, bool built_in, struct diags *diags)
{
    size_t errors = diags->errors, first = diags->count;
    struct regex_list *regexes = arena_alloc(arena, sizeof *regexes);
    *rule = (struct rule){.severity = SEVERITY_WARNING,
                          .selected = true,
                          .regexes = regexes,
                          .scope = {.fields = true, .regexes = regexes},
                          .with = launch_config_none(),
                          .with_base = base_unknown()};
    struct yaml_decoder r = {.yaml = yaml, .arena = arena, .regexes = regexes, .diags = diags, .built_in = built_in};
    rule->path = decode_keep(&r, yaml->path);
    const struct yml_node *root = yaml->root;
    if (!root || root->kind != YML_MAP)
        return diag_error(diags, root ? yml_place(yaml, root) : (struct place){.path = yaml->path},
                          "a rule is a map with id, severity, when and message");
    if (!built_in)
        check_shape(&r, root);
    if (!built_in)
        note_lines(&r, root, rule);
    rule->scope.events = yml_member(root, STR("event")) != NULL;
    decode_map(&r, root, "a rule", keys, sizeof keys / sizeof *keys, rule);
    if (root->key.len) { /* it is part of another file */
        rule->id = arena_str(arena, root->key);
        check_id(&r, root->key, yml_key_place(yaml, root));
    }
    find_what_is_asked(rule);
    diags_sort(diags, first);
    return diags->errors == errors;
}

void rule_free(struct rule *rule)
{
    if (rule->regexes)
        regex_list_free(rule->regexes);
    *rule = (struct rule){0};
}

struct place rule_place(const struct rule *rule, enum placed_key key)
{
    return (struct place){.path = rule->path, .line = rule->key_lines[key]};
}

enum severity rule_case_severity(const struct rule *rule, size_t number)
{
    const enum severity at_most = rule->cases[number].at_most;
    return at_most < rule->severity ? at_most : rule->severity;
}

bool rule_is_on(const struct rule *rule)
{
    return rule->selected && rule->severity != SEVERITY_OFF;
}
