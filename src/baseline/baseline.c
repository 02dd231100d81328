/*
 * The whole file is checked before any of it is used. jansson does not keep the positions of values, so the position of
 * a wrong entry is found again in the text by its number (json_locate).
 */
#include "baseline/baseline.h"

#include "base/json.h"
#include "log/json_decoder.h"
#include "log/name.h"

#include <stdlib.h>
#include <string.h>

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
    struct accepted *accepted = MEM_ADD(baseline->accepted, baseline->accepted_count, baseline->accepted_cap);
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

void baseline_add_input(struct baseline *baseline, struct baseline_input input)
{
    struct baseline_input *known = baseline_find_input(baseline, input.toolkit);
    if (known) {
        known->loop_remarks &= input.loop_remarks;
        known->loops_by_kernel &= input.loops_by_kernel;
        return;
    }
    baseline->inputs =
        mem_reserve(baseline->inputs, &baseline->input_cap, baseline->input_count + 1, sizeof *baseline->inputs);
    size_t place = baseline->input_count++;
    for (; place && toolkit_order(baseline->inputs[place - 1].toolkit, input.toolkit) > 0; place--)
        baseline->inputs[place] = baseline->inputs[place - 1];
    baseline->inputs[place] = input;
}

void baseline_add_logs(struct baseline *baseline, const struct model *model)
{
    EACH(const struct log_info, log, model->logs, model->log_count)
        if (log->verbose)
            baseline_add_input(baseline, (struct baseline_input){log->toolkit, log->loop_remarks, log->loop_remarks});
}

/* ---- places in the text ----------------------------------------------------------------------------------------- */

struct reader {
    struct json_decoder in; /* its object is the entry that is being read */
    struct baseline *baseline;
    struct str path, text;
    const char *list; /* "kernels" or "findings" */
    size_t number;    /* of that entry */
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

static struct place here(const void *reader)
{
    const struct reader *r = reader;
    return r->list ? place_at(r, json_locate(r->text, r->list, r->number)) : place_at(r, 0);
}

/* ---- keys of an entry; to add a key, add a row ------------------------------------------------------------------ */

/* variant: numbers entries that differ only in their values, from 1. It is not a metric. */
struct kernel_entry {
    struct kernel_metrics metrics;
    int32_t variant;
};

#define TEXT_KEY(name, of, member) JSON_KEY(name, of, member, .type = KEY_TEXT)
#define TOOLKIT_KEY(of, member)    JSON_KEY("toolkit", of, member, .type = KEY_TOOLKIT)
#define COUNT_KEY(name, of, member, unstated)                                                                          \
    JSON_KEY(name, of, member, .type = KEY_NUMBER, .least = 1, .most = INT32_MAX, .unwritten = unstated)
#define INT32_KEY(name, of, member, from, unstated)                                                                    \
    JSON_KEY(name, of, member, .type = KEY_INT32, .least = from, .most = INT32_MAX, .unwritten = unstated)
#define MEASURE_KEY(id, key, ...) INT32_KEY(#key, kernel_entry, metrics.values[MEASURE_##id], INT32_MIN + 1, UNKNOWN),
static const struct json_key kernel_keys[] = {
    TEXT_KEY("kernel_id", kernel_entry, metrics.id),
    JSON_KEY("name", kernel_entry, metrics.id, .type = KEY_UNREAD), /* see name_template; for people */
    JSON_KEY("kind", kernel_entry, metrics.kind, .type = KEY_WORD, .most = KERNEL_FUNCTION, .words = kernel_kind_names),
    TEXT_KEY("arch", kernel_entry, metrics.arch),
    TEXT_KEY("source", kernel_entry, metrics.source),
    JSON_KEY("compiled_in", kernel_entry, metrics.units, .type = KEY_LINES),
    TOOLKIT_KEY(kernel_entry, metrics.toolkit),
    MEASURES(MEASURE_KEY, MEASURE_KEY) COUNT_KEY("max_warps_per_sm", kernel_entry, metrics.max_warps, UNKNOWN),
    COUNT_KEY("threads", kernel_entry, metrics.threads, 0),
    INT32_KEY("dynamic_smem_bytes", kernel_entry, metrics.dynamic_smem_bytes, 0, 0),
    COUNT_KEY("copies", kernel_entry, metrics.copies, 1),
    COUNT_KEY("variant", kernel_entry, variant, 1),
    TEXT_KEY("object", kernel_entry, metrics.object),
    JSON_KEY("code", kernel_entry, metrics.code, .type = KEY_WORD, .most = CODE_LINKED, .words = code_state_names),
    TEXT_KEY("reason", kernel_entry, metrics.reason),
};

static const struct json_key finding_keys[] = {
    TEXT_KEY("rule", accepted, rule), /* required */
    TEXT_KEY("kernel_id", accepted, id),  TEXT_KEY("arch", accepted, arch),
    TEXT_KEY("source", accepted, source), TEXT_KEY("text", accepted, text),
    TOOLKIT_KEY(accepted, toolkit),       COUNT_KEY("count", accepted, count, 0), /* always written */
};

static const struct json_key input_keys[] = {
    TOOLKIT_KEY(baseline_input, toolkit),
    JSON_KEY("loop_remarks", baseline_input, loop_remarks, .type = KEY_BOOL, .is_required = true),
    JSON_KEY("loops_by_kernel", baseline_input, loops_by_kernel,
             .type = KEY_BOOL), /* written if true and a finding is accepted */
};

/* ---- reading an entry ------------------------------------------------------------------------------------------- */

/* Refuses unknown keys: the value of a misspelt key would be ignored. */
static bool check_keys(struct reader *r, const struct json_key *keys, size_t count)
{
    void *iterator = NULL;
    struct str name;
    const struct json_value *value = NULL;
    while (json_next(r->in.object, &iterator, &name, &value)) {
        size_t at = 0;
        while (at < count && !str_eq(name, str_of(keys[at].name)))
            at++;
        if (at < count)
            continue;
        const char *near = nearest_word(name, &keys->name, sizeof *keys, count);
        return diag_error(r->in.diags, here(r), "the entry has an unknown key '%.*s'%s%s", STR_ARG(name),
                          near ? ", did you mean " : "", near ? near : "");
    }
    return true;
}

static bool read_keys(struct reader *r, const struct json_key *keys, size_t count, void *into)
{
    return check_keys(r, keys, count) && json_decode(&r->in, keys, count, into);
}

static bool is_first(struct reader *r, struct intern *keys, struct str key)
{
    size_t known = keys->count;
    uint32_t number = intern_add(keys, key);
    if (number == known)
        return true;
    struct reader first = *r;
    first.number = number;
    return diag_error(r->in.diags, here(r), "the entry is in line %zu already: keep one of the two", here(&first).line);
}

static bool read_kernel(struct reader *r, struct intern *keys)
{
    struct kernel_metrics *added = kernel_metrics_add(&r->baseline->kernels);
    struct kernel_entry entry = {*added, 1};
    bool ok = read_keys(r, JSON_KEYS(kernel_keys), &entry);
    *added = entry.metrics;
    const struct {
        struct kernel_key kernel;
        int32_t variant;
    } key = {kernel_metrics_key(added), entry.variant}; /* unique in a file */
    return ok && (added->id != NO_INDEX || json_refuse(&r->in, "kernel_id", "the identity of a kernel")) &&
           is_first(r, keys, (struct str){(const char *)&key, sizeof key});
}

static bool read_accepted(struct reader *r, struct intern *keys)
{
    struct accepted *accepted = baseline_add_accepted(r->baseline);
    return read_keys(r, JSON_KEYS(finding_keys), accepted) &&
           (accepted->rule != NO_INDEX || json_refuse(&r->in, "rule", "the name of a rule")) &&
           is_first(r, keys, accepted_key(accepted));
}

static bool read_input(struct reader *r)
{
    struct baseline_input input = {.loop_remarks = false};
    if (!read_keys(r, JSON_KEYS(input_keys), &input))
        return false;
    if (baseline_find_input(r->baseline, input.toolkit))
        return diag_error(r->in.diags, here(r), "another entry is of this toolkit: keep one of the two");
    baseline_add_input(r->baseline, input);
    return true;
}

static bool read_entry(struct reader *r, struct intern *keys)
{
    if (json_kind(r->in.object) != JSON_KIND_OBJECT)
        return diag_error(r->in.diags, here(r), "the entry is %s, expected an object",
                          json_kind_word(json_kind(r->in.object)));
    if (str_eq(str_of(r->list), STR("inputs")))
        return read_input(r);
    if (str_eq(str_of(r->list), STR("findings")))
        return read_accepted(r, keys);
    return read_kernel(r, keys);
}

static bool read_list(struct reader *r, const struct json_value *root, const char *name)
{
    const struct json_value *list = json_member(root, name);
    SCOPED(intern) keys = {0};
    bool ok = true;
    if (json_kind(list) != JSON_KIND_ARRAY)
        return diag_error(r->in.diags, here(r), "'%s' is %s, expected a list of entries", name,
                          json_kind_word(json_kind(list)));
    r->list = name;
    for (r->number = 0; ok && r->number < json_count(list); r->number++) {
        r->in.object = json_item(list, r->number);
        ok = read_entry(r, &keys);
    }
    r->list = NULL;
    return ok;
}

/* ---- the whole file --------------------------------------------------------------------------------------------- */

/* An unfinished merge of version control leaves these lines. */
static bool check_markers(struct reader *r)
{
    static const struct str markers[] = {STR_INIT("<<<<<<<"), STR_INIT("|||||||"), STR_INIT("======="),
                                         STR_INIT(">>>>>>>")};
    struct str rest = r->text, line;
    for (size_t number = 1; rest.len && str_split(&rest, '\n', &line); number++)
        for (size_t at = 0; at < sizeof markers / sizeof *markers; at++)
            if (str_starts(line, markers[at]))
                return diag_error(r->in.diags, (struct place){.path = r->path, .line = number, .column = 1},
                                  "a merge left its markers here: of two lines that differ only in their numbers keep "
                                  "the one with the better numbers, keep all others, and remove the marker");
    return true;
}

static bool check_schema(struct reader *r, const struct json_value *root)
{
    int64_t schema = 0;
    const struct json_value *value = json_member(root, schema_key);
    if (json_kind(root) != JSON_KIND_OBJECT || !value)
        return diag_error(r->in.diags, here(r),
                          "no baseline: it has no '%s' with the number of its schema; `warplint baseline write` makes "
                          "one",
                          schema_key);
    r->in.object = root;
    if (!json_get_int(value, &schema) || schema < 1)
        return json_refuse(&r->in, schema_key, "the number of the schema");
    if (schema > BASELINE_SCHEMA)
        return diag_error(r->in.diags, here(r), "schema %lld is newer than this program, which reads schemas up to %d",
                          (long long)schema, BASELINE_SCHEMA);
    static const struct json_key file_keys[] = {
        {.name = schema_key}, {.name = "inputs"}, {.name = "kernels"}, {.name = "findings"}};
    return check_keys(r, JSON_KEYS(file_keys));
}

static bool check_toolkits(struct reader *r)
{
    enum { MOST_TOOLKITS = 64 };
    SCOPED(intern) toolkits = {0};
    for (size_t at = 0; at < r->baseline->kernels.count; at++) {
        const struct toolkit *toolkit = &r->baseline->kernels.items[at].toolkit;
        intern_add(&toolkits, (struct str){(const char *)toolkit, sizeof *toolkit});
    }
    return toolkits.count <= MOST_TOOLKITS ||
           diag_error(r->in.diags, here(r), "the file has columns of more than %d toolkits", MOST_TOOLKITS);
}

static bool fail_json(const struct reader *r, const struct json_fault *fault)
{
    struct str text = str_of(fault->text);
    bool cut = str_find(text, STR("end of file")) != STR_NONE || str_find(text, STR("remature")) != STR_NONE;
    struct place place = place_at(r, fault->at);
    if (str_trim(r->text).len == 0)
        return diag_error(r->in.diags, place, "the baseline is empty");
    return diag_error(r->in.diags, place, cut ? "the baseline was cut short: %s" : "the baseline is not JSON: %s",
                      fault->text);
}

bool baseline_parse(struct baseline *baseline, struct str path, struct str text, struct diags *diags)
{
    struct reader r = {.in = {.object_word = "entry",
                              .is_strict = true,
                              .strings = baseline->kernels.strings,
                              .diags = diags,
                              .place = here},
                       .baseline = baseline,
                       .path = path,
                       .text = text};
    struct json_fault fault;
    if (!check_markers(&r))
        return false;
    struct json_value *root = json_read(text, &fault);
    bool ok = root ? check_schema(&r, root) && (!json_member(root, "inputs") || read_list(&r, root, "inputs")) &&
                         read_list(&r, root, "kernels") && read_list(&r, root, "findings") && check_toolkits(&r)
                   : fail_json(&r, &fault);
    json_value_free(root);
    buf_free(&r.in.plain);
    for (size_t at = 0; at < baseline->input_count && baseline->accepted_count == 0; at++)
        baseline->inputs[at].loops_by_kernel =
            baseline->inputs[at].loop_remarks; /* no loop is accepted for any kernel */
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
    mem_sort(sorted, count, sizeof *sorted, order);
    return sorted;
}

/* Prints the qualified name without arguments if it differs from the identity. */
static void print_name(struct json *json, const char *key, struct str id)
{
    SCOPED(buf) name = {0};
    name_template(id, &name);
    if (!str_eq(buf_str(&name), id))
        json_pair_str(json, key, buf_str(&name));
}

static void print_toolkit(struct json *json, const char *key, struct toolkit toolkit)
{
    SCOPED(buf) text = {0};
    buf_fmt(&text, "%d.%d", toolkit.major, toolkit.minor);
    if (toolkit_known(toolkit))
        json_pair_str(json, key, buf_str(&text));
}

/* A text of one line, or a list of the lines. */
static void print_lines(struct json *json, const char *key, struct str text)
{
    const bool several = str_find(text, STR("\n")) != STR_NONE;
    struct str line;
    if (text.len == 0)
        return;
    json_key(json, key);
    if (several)
        json_open(json, '[');
    while (text.len && str_split(&text, '\n', &line))
        json_str(json, line);
    if (several)
        json_close(json, ']');
}

static void print_key(struct json *json, const struct intern *strings, const struct json_key *key, const void *from)
{
    const uint32_t *string = from;
    const int32_t *number = from;
    switch (key->type) {
    case KEY_TEXT:
        if (*string != NO_INDEX)
            json_pair_str(json, key->name, intern_get(strings, *string));
        break;
    case KEY_NUMBER:
    case KEY_INT32:
        if (*number != key->unwritten)
            json_pair_int(json, key->name, *number);
        break;
    case KEY_LINES: print_lines(json, key->name, intern_get(strings, *string)); break;
    case KEY_TOOLKIT: print_toolkit(json, key->name, *(const struct toolkit *)from); break;
    case KEY_WORD:
        if (*(const uint8_t *)from)
            json_pair_str(json, key->name, str_of(key->words[*(const uint8_t *)from]));
        break;
    case KEY_BOOL: json_pair_bool(json, key->name, *(const bool *)from); break;
    default: print_name(json, key->name, intern_get(strings, *string)); break;
    }
}

/* Prints an entry on a line of its own. */
static void print_entry(struct json *json, const struct intern *strings, const struct json_key *keys, size_t count,
                        const void *from, bool last)
{
    json_open(json, '{');
    for (size_t at = 0; at < count; at++)
        print_key(json, strings, &keys[at], (const char *)from + keys[at].offset);
    json_close(json, '}');
    buf_add(json->out, last ? STR("\n") : STR(",\n"));
    json->after_value = false;
}

static bool same_key(const struct kernel_metrics *a, const struct kernel_metrics *b)
{
    const struct kernel_key one = kernel_metrics_key(a), other = kernel_metrics_key(b);
    return memcmp(&one, &other, sizeof one) == 0;
}

static void print_kernels(const struct baseline *baseline, struct json *json)
{
    const struct kernel_metrics_set *set = &baseline->kernels;
    struct sorted *sorted = sort(baseline, set->count, by_order);
    struct kernel_entry before = {.metrics.id = NO_INDEX};
    for (size_t at = 0; at < set->count; at++) {
        struct kernel_entry entry = {set->items[sorted[at].item], 1};
        entry.metrics.code = (uint8_t)kernel_metrics_written_code(&entry.metrics);
        while (at + 1 < set->count &&
               kernel_metrics_order(set->strings, &entry.metrics, &set->items[sorted[at + 1].item]) == 0) {
            const struct kernel_metrics *copy = &set->items[sorted[++at].item];
            entry.metrics.copies += copy->copies;
            kernel_metrics_join_units(set->strings, &entry.metrics, copy->units);
        }
        if (same_key(&before.metrics, &entry.metrics))
            entry.variant = before.variant + 1;
        print_entry(json, set->strings, JSON_KEYS(kernel_keys), &entry, at + 1 == set->count);
        before = entry;
    }
    free(sorted);
}

static void print_findings(const struct baseline *baseline, struct json *json)
{
    struct sorted *sorted = sort(baseline, baseline->accepted_count, by_finding);
    for (size_t at = 0; at < baseline->accepted_count; at++)
        print_entry(json, baseline->kernels.strings, JSON_KEYS(finding_keys), &baseline->accepted[sorted[at].item],
                    at + 1 == baseline->accepted_count);
    free(sorted);
}

/* loops_by_kernel is written only if a finding is accepted. */
static bool says_loops(const struct baseline *baseline, const struct baseline_input *input)
{
    return input->loops_by_kernel && baseline->accepted_count > 0;
}

/* The oldest schema that has all keys of this file, so that older versions of warplint can read it. */
static int schema_of(const struct baseline *baseline)
{
    int schema = SCHEMA_WITHOUT_OBJECTS;
    EACH(const struct baseline_input, input, baseline->inputs, baseline->input_count)
        if (says_loops(baseline, input))
            schema = SCHEMA_WITHOUT_LISTS;
    EACH(const struct kernel_metrics, entry, baseline->kernels.items, baseline->kernels.count) {
        const bool units = entry->units != NO_INDEX;
        int needed = entry->object != NO_INDEX ? SCHEMA_WITHOUT_UNITS : SCHEMA_WITHOUT_OBJECTS;
        if (kernel_metrics_written_code(entry) != CODE_UNSTATED || units)
            needed = SCHEMA_WITHOUT_LOOPS;
        if (units && kernel_metrics_unit(baseline->kernels.strings, entry) == NO_INDEX)
            needed = BASELINE_SCHEMA;
        schema = needed > schema ? needed : schema;
    }
    return schema;
}

void baseline_print(const struct baseline *baseline, struct buf *out)
{
    struct json json = {.out = out};
    buf_fmt(out, "{\n\"%s\": %d,\n\"inputs\": [\n", schema_key, schema_of(baseline));
    for (size_t at = 0; at < baseline->input_count; at++) {
        const struct baseline_input *input = &baseline->inputs[at];
        const size_t unsaid = says_loops(baseline, input) ? 0 : 1; /* loops_by_kernel is the last key */
        print_entry(&json, baseline->kernels.strings, input_keys, sizeof input_keys / sizeof *input_keys - unsaid,
                    input, at + 1 == baseline->input_count);
    }
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
