/*
 * From a tree of YAML to a rule. The keys are a table; to add one, add a row and the function that reads it. Keys are
 * read in the order of the table, not of the file, because expressions need params and captures to be known.
 */
#include "lint/rule.h"

#include "lint/embedded_rule.h"
#include "lint/regex.h"
#include "lint/token.h"
#include "lint/yaml_decoder.h"
#include "log/phrase.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct rule *rule;
    const struct yml *yaml;
    struct arena *arena;
    struct diags *diags;
    struct scope scope;
    bool built_in; /* the build has checked it; its texts stand as long as the program */
};

static void fail(struct reader *r, struct place place, const char *message)
{
    diag_error(r->diags, place, "%s", message);
}

static void fail_node(struct reader *r, const struct yml_node *node, const char *expected)
{
    bool word = node->kind == YML_SCALAR && node->scalar.len > 0;
    diag_error(r->diags, yml_place(r->yaml, node), "'%.*s' is %s%.*s%s, expected %s", STR_ARG(node->key),
               word ? "'" : yml_kind_name(node), word ? (int)node->scalar.len : 0, word ? node->scalar.ptr : "",
               word ? "'" : "", expected);
}

static bool is_text(const struct yml_node *node)
{
    return node->kind == YML_SCALAR && node->scalar.len > 0;
}

/* A text that the rule keeps. */
static struct str keep(const struct reader *r, struct str text)
{
    return r->built_in ? text : arena_str(r->arena, text);
}

/* The scalar of a node; empty, with an error, where it is none. */
static struct str text_of(struct reader *r, const struct yml_node *node)
{
    if (is_text(node))
        return keep(r, node->scalar);
    fail_node(r, node, "text");
    return (struct str){0};
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

static void read_id(struct reader *r, const struct yml_node *node)
{
    r->rule->id = text_of(r, node);
    if (is_text(node) && !is_id(r->rule->id))
        fail(r, yml_place(r->yaml, node), "an id has small letters, digits and hyphens between them");
}

/* The id of a rule inside of another file. */
static void read_key_as_id(struct reader *r, const struct yml_node *root)
{
    r->rule->id = arena_str(r->arena, root->key);
    if (!is_id(root->key))
        fail(r, yml_key_place(r->yaml, root), "an id has small letters, digits and hyphens between them");
}

static void read_title(struct reader *r, const struct yml_node *node)
{
    r->rule->title = text_of(r, node);
}

static void read_why(struct reader *r, const struct yml_node *node)
{
    r->rule->why = text_of(r, node);
}

static void read_hint(struct reader *r, const struct yml_node *node)
{
    r->rule->hint = text_of(r, node);
}

static uint32_t key_line(const struct reader *r, const struct yml_node *node)
{
    return r->built_in ? 0 : (uint32_t)yml_key_place(r->yaml, node).line;
}

static void read_bad(struct reader *r, const struct yml_node *node)
{
    r->rule->bad = text_of(r, node);
    r->rule->bad_line = key_line(r, node);
}

static void read_good(struct reader *r, const struct yml_node *node)
{
    r->rule->good = text_of(r, node);
    r->rule->good_line = key_line(r, node);
}

static enum severity severity_of(struct reader *r, const struct yml_node *node)
{
    enum severity severity = SEVERITY_OFF;
    if (node->kind == YML_SCALAR && !severity_parse(node->scalar, &severity))
        diag_error(r->diags, yml_place(r->yaml, node), "'%.*s' is no severity, expected error, warning, note or off",
                   STR_ARG(node->scalar));
    else if (node->kind != YML_SCALAR)
        fail_node(r, node, "error, warning, note or off");
    return severity;
}

static void read_severity(struct reader *r, const struct yml_node *node)
{
    r->rule->severity = r->rule->default_severity = severity_of(r, node);
}

static void read_debug_builds(struct reader *r, const struct yml_node *node)
{
    bool yes = node->kind == YML_SCALAR && str_eq(node->scalar, STR("true"));
    if (!yes && !(node->kind == YML_SCALAR && str_eq(node->scalar, STR("false"))))
        fail_node(r, node, "true or false");
    r->rule->debug_builds = yes;
}

/* One text or a list of texts. */
static struct str *texts_of(struct reader *r, const struct yml_node *node, size_t *count)
{
    const struct yml_node *first = node->kind == YML_LIST ? node->first : node;
    size_t members = node->kind == YML_LIST ? node->count : 1;
    struct str *texts = arena_alloc(r->arena, (members + 1) * sizeof *texts);
    *count = members;
    if (node->kind == YML_MAP || members == 0) {
        if (members == 0)
            fail(r, yml_place(r->yaml, node), "the list is empty, at least one text is expected");
        else
            fail_node(r, node, "a text or a list of texts");
        return texts;
    }
    for (size_t at = 0; at < members; at++, first = first->next) {
        if (is_text(first))
            texts[at] = keep(r, first->scalar);
        else
            fail(r, yml_place(r->yaml, first), "a text is expected in this list");
    }
    return texts;
}

static void read_see(struct reader *r, const struct yml_node *node)
{
    r->rule->see = texts_of(r, node, &r->rule->see_count);
}

static void read_left_to(struct reader *r, const struct yml_node *node)
{
    r->rule->left_to = texts_of(r, node, &r->rule->left_to_count);
    r->rule->left_to_line = key_line(r, node);
    if (r->rule->kind != RULE_KERNEL)
        fail(r, yml_key_place(r->yaml, node),
             "only a rule on kernels is left to others, not one with event or pattern");
}

/* The name stands in the phrase table, or is one of the derived ones; else an error at the place. */
static void check_event(struct reader *r, struct str name, struct place place)
{
    const char **names = mem_alloc((phrase_count + derived_event_count) * sizeof *names);
    size_t count = 0;
    bool found = false;
    for (size_t at = 0; at < phrase_count; at++)
        if (phrase_table[at].event)
            names[count++] = phrase_table[at].event;
    for (size_t at = 0; at < derived_event_count; at++)
        names[count++] = derived_events[at];
    for (size_t at = 0; at < count; at++)
        found = found || str_eq(name, str_of(names[at]));
    const char *near = found ? NULL : nearest_word(name, names, count);
    if (!found)
        diag_error(r->diags, place, "no message is called '%.*s'%s%s", STR_ARG(name), near ? ", did you mean " : "",
                   near ? near : ", `list phrases` shows them");
    free(names);
}

static void read_event(struct reader *r, const struct yml_node *node)
{
    const struct yml_node *name = node->kind == YML_LIST ? node->first : node;
    r->rule->kind = RULE_EVENT;
    r->rule->events = texts_of(r, node, &r->rule->event_count);
    for (; name; name = node->kind == YML_LIST ? name->next : NULL)
        if (is_text(name) && !r->built_in)
            check_event(r, name->scalar, yml_place(r->yaml, name));
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

static bool is_name(struct str name)
{
    struct token token = token_next(name, 0);
    return token.kind == TOKEN_NAME && token.width == name.len;
}

static void read_param(struct reader *r, const struct yml_node *node, struct param *param)
{
    param->name = keep(r, node->key);
    param->place = yml_place(r->yaml, node);
    param->place.path = keep(r, param->place.path);
    param->place.source = keep(r, param->place.source);
    if (!is_name(node->key))
        fail(r, yml_key_place(r->yaml, node), "a parameter's name has letters, digits and underscores");
    else if (field_find(node->key))
        fail(r, yml_key_place(r->yaml, node), "this name is a field, a parameter needs another one");
    if (is_text(node))
        param->value = value_of(node, r->arena, &param->unit);
    else
        fail_node(r, node, "a number, true, false or a text");
}

static void read_params(struct reader *r, const struct yml_node *node)
{
    if (node->kind != YML_MAP) {
        fail_node(r, node, "a map of names and values");
        return;
    }
    struct param *params = arena_alloc(r->arena, (node->count + 1) * sizeof *params);
    size_t count = 0;
    for (const struct yml_node *member = node->first; member; member = member->next)
        read_param(r, member, &params[count++]);
    r->rule->params = r->scope.params = params;
    r->rule->param_count = r->scope.param_count = count;
}

/* The values of the baseline that `with` may give, by the names of their fields. To add one: a row. */
static const struct base_row {
    const char *name;
    size_t offset;
} base_rows[] = {
    {"baseline.registers", offsetof(struct base_values, registers)},
    {"baseline.smem_bytes", offsetof(struct base_values, smem_bytes)},
    {"baseline.spill_load_bytes", offsetof(struct base_values, spill_load_bytes)},
    {"baseline.spill_store_bytes", offsetof(struct base_values, spill_store_bytes)},
    {"baseline.stack_bytes", offsetof(struct base_values, stack_bytes)},
    {"replaced.registers", offsetof(struct base_values, replaced_registers)},
};
enum { BASE_ROWS = sizeof base_rows / sizeof *base_rows };

static bool set_base(struct base_values *base, struct str name, double number)
{
    for (size_t at = 0; at < BASE_ROWS; at++) {
        if (!str_eq(name, str_of(base_rows[at].name)))
            continue;
        int32_t value = (int32_t)number;
        memcpy((char *)base + base_rows[at].offset, &value, sizeof value);
        return true;
    }
    return false;
}

/* An upper bound of the block size instead of the block size. */
static const char threads_bound[] = "threads-at-most";

static bool take_fact(struct rule *rule, struct str name, double number)
{
    bool bound = str_eq(name, str_of(threads_bound));
    const struct launch_fact *fact = launch_fact_find(bound ? STR("threads") : name);
    if (fact)
        launch_config_set(&rule->with, fact, number, bound ? THREADS_BOUND : THREADS_CLI);
    return fact || set_base(&rule->with_base, name, number);
}

static void refuse_fact(struct reader *r, const struct yml_node *node)
{
    const char **names = mem_alloc((launch_fact_count + 1 + BASE_ROWS) * sizeof *names);
    size_t count = 0;
    names[count++] = threads_bound;
    for (size_t at = 0; at < launch_fact_count; at++)
        names[count++] = launch_facts[at].key.name;
    for (size_t at = 0; at < BASE_ROWS; at++)
        names[count++] = base_rows[at].name;
    const char *near = nearest_word(node->key, names, count);
    diag_error(r->diags, yml_key_place(r->yaml, node), "no launch fact is called '%.*s'%s%s", STR_ARG(node->key),
               near ? ", did you mean " : "", near ? near : "");
    free(names);
}

static void read_fact(struct reader *r, const struct yml_node *node)
{
    double number = 0;
    uint8_t unit = UNIT_NONE;
    bool fits =
        node->kind == YML_SCALAR && decode_number(node->scalar, &number, &unit) && number >= 0 && number <= INT32_MAX;
    if (!take_fact(r->rule, node->key, fits ? number : 0))
        refuse_fact(r, node);
    else if (!fits)
        fail_node(r, node, "a number from 0 to 2147483647");
}

static void read_with(struct reader *r, const struct yml_node *node)
{
    if (node->kind != YML_MAP) {
        fail_node(r, node, "a map of launch facts");
        return;
    }
    for (const struct yml_node *member = node->first; member; member = member->next)
        read_fact(r, member);
}

/* ---- patterns and expressions ---- */

static void read_pattern(struct reader *r, const struct yml_node *node)
{
    r->rule->kind = RULE_PATTERN;
    r->scope.fields = false;
    if (!is_text(node)) {
        fail_node(r, node, "a regular expression");
        return;
    }
    struct regex_error error = {0};
    r->rule->pattern = regex_new(node->scalar, &error);
    if (r->rule->pattern) {
        const struct str *names = NULL;
        r->scope.capture_count = r->rule->capture_count = regex_names(r->rule->pattern, &names);
        r->scope.captures = names;
    } else {
        diag_error(r->diags, yml_scalar_place(r->yaml, node, error.offset, 1), "%.*s",
                   STR_ARG(buf_str(&error.message)));
    }
    buf_free(&error.message);
}

static struct origin origin_of(const struct reader *r, const struct yml_node *node)
{
    return (struct origin){.yaml = r->yaml, .node = node};
}

/* An expression of the type; NULL after an error. */
static struct expr *expr_of(struct reader *r, const struct yml_node *node, enum value_type type)
{
    if (!is_text(node)) {
        fail_node(r, node, "an expression");
        return NULL;
    }
    struct expr *expr = expr_parse(node->scalar, &r->scope, origin_of(r, node), r->arena, r->diags);
    if (!expr || expr_type(expr) == type)
        return expr;
    diag_error(r->diags, yml_place(r->yaml, node), "'%.*s' gives %s, expected %s", STR_ARG(node->key),
               value_type_name(expr_type(expr)), value_type_name(type));
    expr_free(expr);
    return NULL;
}

static void read_when(struct reader *r, const struct yml_node *node)
{
    r->rule->when_text = node->kind == YML_SCALAR ? keep(r, node->scalar) : (struct str){0};
    r->rule->when = expr_of(r, node, VALUE_BOOL);
    r->rule->asks_baseline = expr_asks_baseline(r->rule->when);
}

static void read_worst(struct reader *r, const struct yml_node *node)
{
    r->rule->worst = expr_of(r, node, VALUE_NUMBER);
}

static struct template *template_of(struct reader *r, const struct yml_node *node)
{
    if (is_text(node))
        return template_parse(node->scalar, &r->scope, origin_of(r, node), r->arena, r->diags);
    fail_node(r, node, "text");
    return NULL;
}

static void read_message(struct reader *r, const struct yml_node *node)
{
    struct rule_case *only = arena_alloc(r->arena, sizeof *only);
    *only = (struct rule_case){.at_most = SEVERITY_ERROR, .message = template_of(r, node)};
    r->rule->cases = only;
    r->rule->case_count = 1;
}

static void read_case(struct reader *r, const struct yml_node *node, struct rule_case *into)
{
    into->at_most = SEVERITY_ERROR;
    if (node->kind != YML_MAP) {
        fail(r, yml_place(r->yaml, node), "a case is a map with message and, as needed, when and severity");
        return;
    }
    for (const struct yml_node *member = node->first; member; member = member->next) {
        if (str_eq(member->key, STR("when")))
            into->when = expr_of(r, member, VALUE_BOOL);
        else if (str_eq(member->key, STR("severity")))
            into->at_most = severity_of(r, member);
        else if (str_eq(member->key, STR("message")))
            into->message = template_of(r, member);
        else
            diag_error(r->diags, yml_key_place(r->yaml, member),
                       "a case has no key '%.*s', expected when, severity or message", STR_ARG(member->key));
    }
    if (!yml_member(node, STR("message")))
        fail(r, yml_place(r->yaml, node), "the case has no message");
}

enum { MOST_CASES = 255 }; /* a finding keeps the number of its case in a byte */

static void read_cases(struct reader *r, const struct yml_node *node)
{
    if (node->kind != YML_LIST || node->count == 0 || node->count > MOST_CASES) {
        fail_node(r, node, "a list of 1 to 255 cases");
        return;
    }
    if (r->rule->case_count)
        fail(r, yml_key_place(r->yaml, node), "a rule has either message or cases, not both");
    r->rule->cases = arena_alloc(r->arena, node->count * sizeof *r->rule->cases);
    r->rule->case_count = 0;
    for (const struct yml_node *member = node->first; member; member = member->next)
        read_case(r, member, &r->rule->cases[r->rule->case_count++]);
}

/* ---- the whole rule ---- */

static const struct key {
    struct str name;
    void (*read)(struct reader *r, const struct yml_node *node);
} keys[] = {
    {STR_INIT("id"), read_id},
    {STR_INIT("title"), read_title},
    {STR_INIT("severity"), read_severity},
    {STR_INIT("why"), read_why},
    {STR_INIT("hint"), read_hint},
    {STR_INIT("see"), read_see},
    {STR_INIT("bad"), read_bad},
    {STR_INIT("good"), read_good},
    {STR_INIT("with"), read_with},
    {STR_INIT("debug-builds"), read_debug_builds},
    {STR_INIT("params"), read_params},
    {STR_INIT("event"), read_event},
    {STR_INIT("pattern"), read_pattern},
    {STR_INIT("when"), read_when},
    {STR_INIT("left-to"), read_left_to},
    {STR_INIT("message"), read_message},
    {STR_INIT("cases"), read_cases},
    {STR_INIT("worst"), read_worst},
};
enum { KEY_COUNT = sizeof keys / sizeof *keys };

static void check_key(struct reader *r, const struct yml_node *member)
{
    const char *names[KEY_COUNT];
    for (size_t at = 0; at < KEY_COUNT; at++) {
        names[at] = keys[at].name.ptr;
        if (str_eq(member->key, keys[at].name))
            return;
    }
    const char *near = nearest_word(member->key, names, KEY_COUNT);
    diag_error(r->diags, yml_key_place(r->yaml, member), "a rule has no key '%.*s'%s%s", STR_ARG(member->key),
               near ? ", did you mean " : "", near ? near : "");
}

static void check_shape(struct reader *r, const struct yml_node *root)
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

static void read_keys(struct reader *r, const struct yml_node *root)
{
    for (size_t at = 0; at < KEY_COUNT; at++) {
        const struct yml_node *node = yml_member(root, keys[at].name);
        if (node)
            keys[at].read(r, node);
    }
}

static void find_what_is_asked(struct rule *rule)
{
    rule->when_asks_only_metrics = !rule->when || expr_asks_only_metrics(rule->when);
    bool only = rule->when_asks_only_metrics && (!rule->worst || expr_asks_only_metrics(rule->worst));
    for (size_t at = 0; only && at < rule->case_count; at++)
        only = !rule->cases[at].when || expr_asks_only_metrics(rule->cases[at].when);
    rule->asks_only_metrics = only;
}

/* built_in: the build has checked it. */
static bool read_rule(struct rule *rule, const struct yml *yaml, struct arena *arena, bool built_in,
                      struct diags *diags)
{
    size_t errors = diags->errors, first = diags->count;
    *rule = (struct rule){.severity = SEVERITY_WARNING,
                          .default_severity = SEVERITY_WARNING,
                          .with = launch_config_none(),
                          .with_base = base_unknown()};
    struct reader reader = {
        .rule = rule, .yaml = yaml, .arena = arena, .diags = diags, .scope = {.fields = true}, .built_in = built_in};
    rule->path = keep(&reader, yaml->path);
    rule->selected = true;
    const struct yml_node *root = yaml->root;
    if (!root || root->kind != YML_MAP)
        return diag_error(diags, root ? yml_place(yaml, root) : (struct place){.path = yaml->path},
                          "a rule is a map with id, severity, when and message");
    for (const struct yml_node *member = root->first; member && !built_in; member = member->next)
        check_key(&reader, member);
    if (!built_in)
        check_shape(&reader, root);
    reader.scope.events = yml_member(root, STR("event")) != NULL;
    read_keys(&reader, root);
    if (root->key.len)
        read_key_as_id(&reader, root);
    find_what_is_asked(rule);
    diags_sort(diags, first);
    return diags->errors == errors;
}

bool rule_read(struct rule *rule, const struct yml *yaml, struct arena *arena, struct diags *diags)
{
    return read_rule(rule, yaml, arena, false, diags);
}

bool rule_read_flat(struct rule *rule, const struct embedded_rule *flat, struct arena *arena, struct diags *diags)
{
    struct yml yaml;
    embedded_rule_tree(flat, &yaml);
    bool ok = read_rule(rule, &yaml, arena, true, diags);
    yml_free(&yaml);
    return ok;
}

void rule_free(struct rule *rule)
{
    regex_free(rule->pattern);
    expr_free(rule->when);
    expr_free(rule->worst);
    for (size_t at = 0; at < rule->case_count; at++) {
        expr_free(rule->cases[at].when);
        template_free(rule->cases[at].message);
    }
    *rule = (struct rule){0};
}

const struct regex *rule_exploded(const struct rule *rule)
{
    if (rule->pattern && regex_exploded(rule->pattern))
        return rule->pattern;
    const struct regex *regex = expr_exploded(rule->when);
    regex = regex ? regex : expr_exploded(rule->worst);
    for (size_t at = 0; !regex && at < rule->case_count; at++) {
        regex = expr_exploded(rule->cases[at].when);
        regex = regex ? regex : template_exploded(rule->cases[at].message);
    }
    return regex;
}

bool rule_is_on(const struct rule *rule)
{
    return rule->selected && rule->severity != SEVERITY_OFF;
}

bool rule_is_left_to(const struct rule *rule, struct str id)
{
    for (size_t at = 0; at < rule->left_to_count; at++)
        if (str_eq(rule->left_to[at], id))
            return true;
    return false;
}
