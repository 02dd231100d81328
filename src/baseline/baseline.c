/*
 * Reading checks everything before anything is used. jansson keeps no places, so an entry that is JSON but wrong is
 * found again in the text by its number (json_locate).
 */
#include "baseline/baseline.h"

#include "base/json.h"
#include "base/json_read.h"
#include "log/name.h"

#include <stddef.h>
#include <stdlib.h>

static const char schema_key[] = "warplint_baseline";

void baseline_free(struct baseline *baseline)
{
    free(baseline->kernels.items);
    free(baseline->accepted);
    free(baseline->inputs);
    *baseline = (struct baseline){0};
}

struct accepted *baseline_add_accepted(struct baseline *baseline)
{
    baseline->accepted = mem_reserve(baseline->accepted, &baseline->accepted_cap, baseline->accepted_count + 1,
                                     sizeof *baseline->accepted);
    struct accepted *accepted = &baseline->accepted[baseline->accepted_count++];
    *accepted = (struct accepted){
        .rule = NO_INDEX, .id = NO_INDEX, .arch = NO_INDEX, .source = NO_INDEX, .text = NO_INDEX, .count = 1};
    return accepted;
}

struct str accepted_key(const struct accepted *accepted)
{
    return (struct str){(const char *)accepted, offsetof(struct accepted, count)};
}

/* ---- inputs ----------------------------------------------------------------------------------------------------- */

struct baseline_input *baseline_find_input(const struct baseline *baseline, struct toolkit toolkit)
{
    for (size_t at = 0; at < baseline->input_count; at++)
        if (toolkit_order(baseline->inputs[at].toolkit, toolkit) == 0)
            return &baseline->inputs[at];
    return NULL;
}

void baseline_add_input(struct baseline *baseline, struct toolkit toolkit, bool loop_remarks)
{
    struct baseline_input *known = baseline_find_input(baseline, toolkit);
    if (known) {
        known->loop_remarks &= loop_remarks;
        return;
    }
    baseline->inputs =
        mem_reserve(baseline->inputs, &baseline->input_cap, baseline->input_count + 1, sizeof *baseline->inputs);
    size_t place = baseline->input_count++;
    for (; place && toolkit_order(baseline->inputs[place - 1].toolkit, toolkit) > 0; place--)
        baseline->inputs[place] = baseline->inputs[place - 1];
    baseline->inputs[place] = (struct baseline_input){toolkit, loop_remarks};
}

void baseline_add_logs(struct baseline *baseline, const struct model *model)
{
    for (size_t at = 0; at < model->log_count; at++)
        if (model->logs[at].verbose)
            baseline_add_input(baseline, model->logs[at].toolkit, model->logs[at].loop_remarks);
}

/* ---- places in the text ----------------------------------------------------------------------------------------- */

struct reader {
    struct baseline *baseline;
    struct str path, text;
    struct diags *diags;
    struct buf scratch;
    const char *list; /* "kernels" or "findings" */
    size_t number;    /* of the entry at hand */
    const struct json_value *entry;
};

static struct place place_at(const struct reader *r, size_t at)
{
    size_t start = str_rfind(str_sub(r->text, 0, at), STR("\n"));
    struct place place = {.path = r->path, .line = 1};
    start = start == STR_NONE ? 0 : start + 1;
    for (size_t byte = 0; byte < start; byte++)
        place.line += r->text.ptr[byte] == '\n';
    place.column = at - start + 1;
    return place;
}

static struct place here(const struct reader *r)
{
    return r->list ? place_at(r, json_locate(r->text, r->list, r->number)) : place_at(r, 0);
}

static bool refuse(struct reader *r, const char *key, const char *expected)
{
    struct buf shown = {0};
    const struct json_value *value = json_member(r->entry, key);
    if (value)
        json_show(value, &shown);
    if (shown.len > 60) {
        buf_clear(&shown);
        buf_add(&shown, str_of(json_kind_word(json_kind(value))));
    }
    if (value)
        diag_error(r->diags, here(r), "'%s' is %.*s, expected %s", key, STR_ARG(buf_str(&shown)), expected);
    else
        diag_error(r->diags, here(r), "the entry has no '%s', expected %s", key, expected);
    buf_free(&shown);
    return false;
}

/* ---- keys of an entry ------------------------------------------------------------------------------------------- */

enum key_type {
    KEY_TEXT,    /* uint32_t, into the strings of the set; NO_INDEX is left out */
    KEY_NUMBER,  /* int32_t from `least`; `nothing` is left out */
    KEY_TOOLKIT, /* struct toolkit; one that is not known is left out */
    KEY_KIND,    /* enum kernel_kind; an entry is left out */
    KEY_BOOL,    /* has to be there */
    KEY_PEOPLE,  /* the template's name of the identity: written for people, and not read */
};

/* A key and the member that holds it. To add one: a row. */
struct key {
    const char *name; /* NULL: behind the last one */
    enum key_type type;
    size_t offset;
    int32_t least, nothing;
};

/* Variants are entries that agree in all but their numbers, counted from 1; that is no part of what was measured. */
struct kernel_entry {
    struct kernel_metrics metrics;
    int32_t variant;
};

#define METRICS_KEY(name, type, member, ...)                                                                           \
    {                                                                                                                  \
        name, type, offsetof(struct kernel_entry, metrics.member), __VA_ARGS__                                         \
    }
#define MEASURE_KEY(id, key, ...) METRICS_KEY(#key, KEY_NUMBER, values[MEASURE_##id], INT32_MIN + 1, UNKNOWN),
static const struct key kernel_keys[] = {
    METRICS_KEY("kernel_id", KEY_TEXT, id, 0, 0),
    METRICS_KEY("name", KEY_PEOPLE, id, 0, 0),
    METRICS_KEY("kind", KEY_KIND, kind, 0, 0),
    METRICS_KEY("arch", KEY_TEXT, arch, 0, 0),
    METRICS_KEY("source", KEY_TEXT, source, 0, 0),
    METRICS_KEY("toolkit", KEY_TOOLKIT, toolkit, 0, 0),
    MEASURES(MEASURE_KEY, MEASURE_KEY) METRICS_KEY("max_warps_per_sm", KEY_NUMBER, max_warps, 1, UNKNOWN),
    METRICS_KEY("threads", KEY_NUMBER, threads, 1, 0),
    METRICS_KEY("dynamic_smem_bytes", KEY_NUMBER, dynamic_smem_bytes, 0, 0),
    METRICS_KEY("copies", KEY_NUMBER, copies, 1, 1),
    {"variant", KEY_NUMBER, offsetof(struct kernel_entry, variant), 1, 1},
    METRICS_KEY("reason", KEY_TEXT, reason, 0, 0),
    {.name = NULL},
};

static const struct key finding_keys[] = {
    {"rule", KEY_TEXT, offsetof(struct accepted, rule), 0, 0},
    {"kernel_id", KEY_TEXT, offsetof(struct accepted, id), 0, 0},
    {"arch", KEY_TEXT, offsetof(struct accepted, arch), 0, 0},
    {"source", KEY_TEXT, offsetof(struct accepted, source), 0, 0},
    {"text", KEY_TEXT, offsetof(struct accepted, text), 0, 0},
    {"toolkit", KEY_TOOLKIT, offsetof(struct accepted, toolkit), 0, 0},
    {"count", KEY_NUMBER, offsetof(struct accepted, count), 1, 0},
    {.name = NULL},
};

static const struct key input_keys[] = {
    {"toolkit", KEY_TOOLKIT, offsetof(struct baseline_input, toolkit), 0, 0},
    {"loop_remarks", KEY_BOOL, offsetof(struct baseline_input, loop_remarks), 0, 0},
    {.name = NULL},
};

/* ---- reading an entry ------------------------------------------------------------------------------------------- */

/* Every key of the entry is one of these: a misspelt one would be a value that counts nowhere. */
static bool check_keys(struct reader *r, const struct key *keys)
{
    enum { MOST_KEYS = 32 };
    const char *names[MOST_KEYS];
    size_t count = 0;
    void *iterator = NULL;
    struct str key;
    const struct json_value *value = NULL;
    for (; keys[count].name; count++)
        names[count] = keys[count].name;
    while (json_next(r->entry, &iterator, &key, &value)) {
        size_t at = 0;
        while (at < count && !str_eq(key, str_of(names[at])))
            at++;
        if (at < count)
            continue;
        const char *near = nearest_word(key, names, sizeof *names, count);
        return diag_error(r->diags, here(r), "the entry has an unknown key '%.*s'%s%s", STR_ARG(key),
                          near ? ", did you mean " : "", near ? near : "");
    }
    return true;
}

static bool read_number(struct reader *r, const struct key *key, const struct json_value *value, int32_t *number)
{
    int64_t wide = 0;
    if (!json_get_int(value, &wide) || wide < key->least || wide > INT32_MAX)
        return refuse(r, key->name,
                      key->least > 0 ? "a whole number from 1 to 2147483647" : "a whole number that fits 32 bits");
    *number = (int32_t)wide;
    return true;
}

static bool read_key(struct reader *r, const struct key *key, void *into)
{
    const struct json_value *value = json_member(r->entry, key->name);
    struct str text = {0};
    if (!value && key->type != KEY_BOOL)
        return true;
    json_get_string(value, &r->scratch, &text);
    switch (key->type) {
    case KEY_TEXT:
        *(uint32_t *)into = intern_add(r->baseline->kernels.strings, text);
        return text.len || refuse(r, key->name, "a text");
    case KEY_NUMBER: return read_number(r, key, value, into);
    case KEY_TOOLKIT: return toolkit_parse(text, into) || refuse(r, key->name, "a version like \"13.0\"");
    case KEY_KIND:
        *(uint8_t *)into = str_eq(text, STR("function")) ? KERNEL_FUNCTION : KERNEL_ENTRY;
        return str_eq(text, STR("function")) || str_eq(text, STR("entry")) ||
               refuse(r, key->name, "\"entry\" or \"function\"");
    case KEY_BOOL:
        *(bool *)into = json_kind(value) == JSON_KIND_TRUE;
        return *(bool *)into || json_kind(value) == JSON_KIND_FALSE || refuse(r, key->name, "true or false");
    default: return true;
    }
}

static bool read_keys(struct reader *r, const struct key *keys, void *into)
{
    bool ok = check_keys(r, keys);
    for (; ok && keys->name; keys++)
        ok = read_key(r, keys, (char *)into + keys->offset);
    return ok;
}

/* What no two kernels have in common. */
struct kernel_key {
    uint32_t id, arch, source, kind, variant;
    struct toolkit toolkit;
};

static bool is_first(struct reader *r, struct intern *keys, struct str key)
{
    size_t known = keys->count;
    uint32_t number = intern_add(keys, key);
    if (number == known)
        return true;
    struct reader first = *r;
    first.number = number;
    return diag_error(r->diags, here(r), "the entry is in line %zu already: keep one of the two", here(&first).line);
}

static bool read_kernel(struct reader *r, struct intern *keys)
{
    struct kernel_metrics *added = kernel_metrics_add(&r->baseline->kernels);
    struct kernel_entry entry = {*added, 1};
    bool ok = read_keys(r, kernel_keys, &entry);
    *added = entry.metrics;
    struct kernel_key key = {added->id,     added->arch, added->source, added->kind, (uint32_t)entry.variant,
                             added->toolkit};
    return ok && (added->id != NO_INDEX || refuse(r, "kernel_id", "the identity of a kernel")) &&
           is_first(r, keys, (struct str){(const char *)&key, sizeof key});
}

static bool read_accepted(struct reader *r, struct intern *keys)
{
    struct accepted *accepted = baseline_add_accepted(r->baseline);
    return read_keys(r, finding_keys, accepted) &&
           (accepted->rule != NO_INDEX || refuse(r, "rule", "the name of a rule")) &&
           is_first(r, keys, accepted_key(accepted));
}

static bool read_input(struct reader *r)
{
    struct baseline_input input = {.loop_remarks = false};
    if (!read_keys(r, input_keys, &input))
        return false;
    if (baseline_find_input(r->baseline, input.toolkit))
        return diag_error(r->diags, here(r), "another entry is of this toolkit: keep one of the two");
    baseline_add_input(r->baseline, input.toolkit, input.loop_remarks);
    return true;
}

static bool read_entry(struct reader *r, struct intern *keys)
{
    if (json_kind(r->entry) != JSON_KIND_OBJECT)
        return diag_error(r->diags, here(r), "the entry is %s, expected an object",
                          json_kind_word(json_kind(r->entry)));
    if (str_eq(str_of(r->list), STR("inputs")))
        return read_input(r);
    if (str_eq(str_of(r->list), STR("findings")))
        return read_accepted(r, keys);
    return read_kernel(r, keys);
}

static bool read_list(struct reader *r, const struct json_value *root, const char *name)
{
    const struct json_value *list = json_member(root, name);
    struct intern keys = {0};
    bool ok = true;
    if (json_kind(list) != JSON_KIND_ARRAY)
        return diag_error(r->diags, here(r), "'%s' is %s, expected a list of entries", name,
                          json_kind_word(json_kind(list)));
    r->list = name;
    for (r->number = 0; ok && r->number < json_count(list); r->number++) {
        r->entry = json_item(list, r->number);
        ok = read_entry(r, &keys);
    }
    r->list = NULL;
    intern_free(&keys);
    return ok;
}

/* ---- the whole file --------------------------------------------------------------------------------------------- */

/* A merge that was not finished leaves these lines. */
static bool check_markers(struct reader *r)
{
    static const struct str markers[] = {STR_INIT("<<<<<<<"), STR_INIT("|||||||"), STR_INIT("======="),
                                         STR_INIT(">>>>>>>")};
    struct str rest = r->text, line;
    for (size_t number = 1; rest.len && str_split(&rest, '\n', &line); number++)
        for (size_t at = 0; at < sizeof markers / sizeof *markers; at++)
            if (str_starts(line, markers[at]))
                return diag_error(r->diags, (struct place){.path = r->path, .line = number, .column = 1},
                                  "a merge left its markers here: of two lines that differ only in their numbers keep "
                                  "the one with the better numbers, keep all others, and remove the marker");
    return true;
}

static bool check_schema(struct reader *r, const struct json_value *root)
{
    int64_t schema = 0;
    const struct json_value *value = json_member(root, schema_key);
    if (json_kind(root) != JSON_KIND_OBJECT || !value)
        return diag_error(r->diags, here(r),
                          "no baseline: it has no '%s' with the number of its schema; `warplint baseline write` makes "
                          "one",
                          schema_key);
    r->entry = root;
    if (!json_get_int(value, &schema) || schema < 1)
        return refuse(r, schema_key, "the number of the schema");
    if (schema > BASELINE_SCHEMA)
        return diag_error(r->diags, here(r), "schema %lld is newer than this program, which reads schemas up to %d",
                          (long long)schema, BASELINE_SCHEMA);
    static const struct key file_keys[] = {
        {.name = schema_key}, {.name = "inputs"}, {.name = "kernels"}, {.name = "findings"}, {.name = NULL}};
    return check_keys(r, file_keys);
}

static bool check_toolkits(struct reader *r)
{
    enum { MOST_TOOLKITS = 64 };
    struct intern toolkits = {0};
    for (size_t at = 0; at < r->baseline->kernels.count; at++) {
        const struct toolkit *toolkit = &r->baseline->kernels.items[at].toolkit;
        intern_add(&toolkits, (struct str){(const char *)toolkit, sizeof *toolkit});
    }
    bool ok = toolkits.count <= MOST_TOOLKITS;
    intern_free(&toolkits);
    return ok || diag_error(r->diags, here(r), "the file has columns of more than %d toolkits", MOST_TOOLKITS);
}

static bool fail_json(const struct reader *r, const struct json_fault *fault)
{
    struct str text = str_of(fault->text);
    bool cut = str_find(text, STR("end of file")) != STR_NONE || str_find(text, STR("remature")) != STR_NONE;
    struct place place = {.path = r->path, .line = fault->line, .column = fault->column ? fault->column : 1};
    if (str_trim(r->text).len == 0)
        return diag_error(r->diags, place, "the baseline is empty");
    return diag_error(r->diags, place, cut ? "the baseline was cut short: %s" : "the baseline is not JSON: %s",
                      fault->text);
}

bool baseline_parse(struct baseline *baseline, struct str path, struct str text, struct diags *diags)
{
    struct reader r = {.baseline = baseline, .path = path, .text = text, .diags = diags};
    struct json_fault fault;
    if (!check_markers(&r))
        return false;
    struct json_value *root = json_read(text, &r.scratch, &fault);
    bool ok = root ? check_schema(&r, root) && (!json_member(root, "inputs") || read_list(&r, root, "inputs")) &&
                         read_list(&r, root, "kernels") && read_list(&r, root, "findings") && check_toolkits(&r)
                   : fail_json(&r, &fault);
    json_value_free(root);
    buf_free(&r.scratch);
    return ok;
}

bool baseline_is_text(struct str text)
{
    enum { LOOK = 4096 };
    return str_find(str_sub(text, 0, LOOK), STR("\"warplint_baseline\"")) != STR_NONE;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

struct sorted {
    const struct baseline *baseline;
    uint32_t item;
};

static int by_order(const void *left, const void *right)
{
    const struct sorted *a = left, *b = right;
    const struct kernel_metrics_set *set = &a->baseline->kernels;
    int order = kernel_metrics_order(set->strings, &set->items[a->item], &set->items[b->item]);
    return order ? order : number_cmp(a->item, b->item);
}

static int by_finding(const void *left, const void *right)
{
    const struct sorted *a = left, *b = right;
    const struct intern *strings = a->baseline->kernels.strings;
    const struct accepted *one = &a->baseline->accepted[a->item], *other = &a->baseline->accepted[b->item];
    const uint32_t texts[] = {one->rule, one->id, one->arch, one->source, one->text};
    const uint32_t others[] = {other->rule, other->id, other->arch, other->source, other->text};
    int order = 0;
    for (size_t at = 0; !order && at < sizeof texts / sizeof *texts; at++)
        order = str_cmp(intern_get(strings, texts[at]), intern_get(strings, others[at]));
    if (!order)
        order = toolkit_order(one->toolkit, other->toolkit);
    return order ? order : number_cmp(a->item, b->item);
}

static struct sorted *sort(const struct baseline *baseline, size_t count,
                           int (*order)(const void *left, const void *right))
{
    struct sorted *sorted = mem_alloc((count + 1) * sizeof *sorted);
    for (uint32_t at = 0; at < count; at++)
        sorted[at] = (struct sorted){baseline, at};
    if (count)
        qsort(sorted, count, sizeof *sorted, order);
    return sorted;
}

/* The name for people, where it is another one than the identity. */
static void print_name(struct json *json, const char *key, struct str id)
{
    struct buf name = {0};
    name_template(id, &name);
    if (!str_eq(buf_str(&name), id))
        json_pair_str(json, key, buf_str(&name));
    buf_free(&name);
}

static void print_toolkit(struct json *json, const char *key, struct toolkit toolkit)
{
    struct buf text = {0};
    buf_fmt(&text, "%d.%d", toolkit.major, toolkit.minor);
    if (toolkit_known(toolkit))
        json_pair_str(json, key, buf_str(&text));
    buf_free(&text);
}

static void print_key(struct json *json, const struct intern *strings, const struct key *key, const void *from)
{
    const uint32_t *string = from;
    const int32_t *number = from;
    switch (key->type) {
    case KEY_TEXT:
        if (*string != NO_INDEX)
            json_pair_str(json, key->name, intern_get(strings, *string));
        break;
    case KEY_NUMBER:
        if (*number != key->nothing)
            json_pair_int(json, key->name, *number);
        break;
    case KEY_TOOLKIT: print_toolkit(json, key->name, *(const struct toolkit *)from); break;
    case KEY_KIND:
        if (*(const uint8_t *)from == KERNEL_FUNCTION)
            json_pair_str(json, key->name, STR("function"));
        break;
    case KEY_BOOL: json_pair_bool(json, key->name, *(const bool *)from); break;
    case KEY_PEOPLE: print_name(json, key->name, intern_get(strings, *string)); break;
    }
}

/* In a line of its own. */
static void print_entry(struct json *json, const struct intern *strings, const struct key *keys, const void *from,
                        bool last)
{
    json_open(json, '{');
    for (; keys->name; keys++)
        print_key(json, strings, keys, (const char *)from + keys->offset);
    json_close(json, '}');
    buf_add(json->out, last ? STR("\n") : STR(",\n"));
    json->after_value = false;
}

static bool same_key(const struct kernel_metrics *a, const struct kernel_metrics *b)
{
    return a->id == b->id && a->arch == b->arch && a->kind == b->kind && a->source == b->source &&
           toolkit_order(a->toolkit, b->toolkit) == 0;
}

static void print_kernels(const struct baseline *baseline, struct json *json)
{
    const struct kernel_metrics_set *set = &baseline->kernels;
    struct sorted *sorted = sort(baseline, set->count, by_order);
    struct kernel_entry before = {.metrics.id = NO_INDEX};
    for (size_t at = 0; at < set->count; at++) {
        struct kernel_entry entry = {set->items[sorted[at].item], 1};
        while (at + 1 < set->count &&
               kernel_metrics_order(set->strings, &entry.metrics, &set->items[sorted[at + 1].item]) == 0)
            entry.metrics.copies += set->items[sorted[++at].item].copies;
        if (same_key(&before.metrics, &entry.metrics))
            entry.variant = before.variant + 1;
        print_entry(json, set->strings, kernel_keys, &entry, at + 1 == set->count);
        before = entry;
    }
    free(sorted);
}

static void print_findings(const struct baseline *baseline, struct json *json)
{
    struct sorted *sorted = sort(baseline, baseline->accepted_count, by_finding);
    for (size_t at = 0; at < baseline->accepted_count; at++)
        print_entry(json, baseline->kernels.strings, finding_keys, &baseline->accepted[sorted[at].item],
                    at + 1 == baseline->accepted_count);
    free(sorted);
}

void baseline_print(const struct baseline *baseline, struct buf *out)
{
    struct json json = {.out = out};
    buf_fmt(out, "{\n\"%s\": %d,\n\"inputs\": [\n", schema_key, BASELINE_SCHEMA);
    for (size_t at = 0; at < baseline->input_count; at++)
        print_entry(&json, baseline->kernels.strings, input_keys, &baseline->inputs[at],
                    at + 1 == baseline->input_count);
    buf_add(out, STR("],\n\"kernels\": [\n"));
    print_kernels(baseline, &json);
    buf_add(out, STR("],\n\"findings\": [\n"));
    print_findings(baseline, &json);
    buf_add(out, STR("]\n}\n"));
}

/* ---- tolerances ------------------------------------------------------------------------------------------------- */

static double param_of(const struct ruleset *rules, struct str id, struct str name)
{
    const struct rule *rule = ruleset_find(rules, id);
    for (size_t at = 0; rule && at < rule->scope.param_count; at++) {
        const struct value *value = &rule->scope.params[at].value;
        if (str_eq(rule->scope.params[at].name, name))
            return value->type == VALUE_BOOL ? value->boolean : value->type == VALUE_NUMBER ? value->number : 0;
    }
    return 0;
}

static int32_t whole(double number)
{
    return number >= INT32_MAX ? INT32_MAX : number > 0 ? (int32_t)number : 0;
}

struct tolerances baseline_tolerances(const struct ruleset *rules)
{
    return (struct tolerances){
        .registers = whole(param_of(rules, STR("register-regression"), STR("more"))),
        .registers_of_block = param_of(rules, STR("register-regression"), STR("only_lost_blocks")) != 0,
        .spill_bytes = whole(param_of(rules, STR("spill-regression"), STR("more_bytes"))),
        .spill_bytes_in_loops = whole(param_of(rules, STR("spill-moved-into-loop"), STR("more_bytes"))),
        .stack_bytes = whole(param_of(rules, STR("stack-regression"), STR("more_bytes"))),
        .smem_bytes = whole(param_of(rules, STR("smem-regression"), STR("more_bytes"))),
        .warps = whole(param_of(rules, STR("occupancy-regression"), STR("fewer_warps"))),
    };
}
