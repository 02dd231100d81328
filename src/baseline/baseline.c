/*
 * Reading checks everything before anything is used. jansson keeps no places, so an entry that is JSON but wrong is
 * found again in the text by its number (json_locate).
 */
#include "baseline/baseline.h"

#include "base/json.h"
#include "base/json_read.h"
#include "log/name.h"

#include <stdlib.h>
#include <string.h>

static const char schema_key[] = "warplint_baseline";

void baseline_free(struct baseline *baseline)
{
    kernel_metrics_set_free(&baseline->kernels);
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

/* ---- values of an entry ----------------------------------------------------------------------------------------- */

static bool take_text(struct reader *r, const char *key, uint32_t *number)
{
    const struct json_value *value = json_member(r->entry, key);
    struct str text;
    if (!value)
        return true;
    if (!json_get_string(value, &r->scratch, &text) || text.len == 0)
        return refuse(r, key, "a text");
    *number = intern_add(&r->baseline->kernels.strings, text);
    return true;
}

static bool take_int(struct reader *r, const char *key, int64_t least, int32_t *number)
{
    const struct json_value *value = json_member(r->entry, key);
    int64_t wide = 0;
    if (!value)
        return true;
    if (!json_get_int(value, &wide) || wide < least || wide > INT32_MAX)
        return refuse(r, key, least > 0 ? "a whole number from 1 to 2147483647" : "a whole number that fits 32 bits");
    *number = (int32_t)wide;
    return true;
}

static bool take_toolkit(struct reader *r, struct toolkit *toolkit)
{
    const struct json_value *value = json_member(r->entry, "toolkit");
    struct str text;
    if (!value)
        return true;
    return (json_get_string(value, &r->scratch, &text) && toolkit_parse(text, toolkit)) ||
           refuse(r, "toolkit", "a version like \"13.0\"");
}

static bool take_kind(struct reader *r, uint8_t *kind)
{
    const struct json_value *value = json_member(r->entry, "kind");
    struct str text = {0};
    if (!value)
        return true;
    json_get_string(value, &r->scratch, &text);
    *kind = str_eq(text, STR("function")) ? KERNEL_FUNCTION : KERNEL_ENTRY;
    return *kind == KERNEL_FUNCTION || str_eq(text, STR("entry")) || refuse(r, "kind", "\"entry\" or \"function\"");
}

/* Every key of the entry is one of the words: a misspelt one would be a value that counts nowhere. */
static bool check_keys(struct reader *r, const char *const *words, size_t count)
{
    void *iterator = NULL;
    struct str key;
    const struct json_value *value = NULL;
    while (json_next(r->entry, &iterator, &key, &value)) {
        size_t at = 0;
        while (at < count && !str_eq(key, str_of(words[at])))
            at++;
        if (at < count)
            continue;
        const char *near = nearest_word(key, words, count);
        return diag_error(r->diags, here(r), "the entry has an unknown key '%.*s'%s%s", STR_ARG(key),
                          near ? ", did you mean " : "", near ? near : "");
    }
    return true;
}

static bool take_measures(struct reader *r, struct kernel_metrics *entry)
{
    bool ok = true;
    for (int at = 0; ok && at < MEASURE_COUNT; at++)
        ok = take_int(r, measure_table[at].key, INT32_MIN + 1, &entry->values[at]);
    return ok;
}

#define MEASURE_KEY(id, key, ...) #key,
/* The number of the variant, which is no part of what was measured. */
static bool read_kernel(struct reader *r, int32_t *variant)
{
    static const char *const words[] = {"kernel_id",
                                        "name",
                                        "kind",
                                        "arch",
                                        "source",
                                        "toolkit",
                                        MEASURES(MEASURE_KEY, MEASURE_KEY) "max_warps_per_sm",
                                        "threads",
                                        "dynamic_smem_bytes",
                                        "copies",
                                        "variant",
                                        "reason"};
    struct kernel_metrics *entry = kernel_metrics_add(&r->baseline->kernels);
    int32_t copies = 1;
    bool ok = check_keys(r, words, sizeof words / sizeof *words) && take_text(r, "kernel_id", &entry->id) &&
              take_kind(r, &entry->kind) && take_text(r, "arch", &entry->arch) &&
              take_text(r, "source", &entry->source) && take_toolkit(r, &entry->toolkit) && take_measures(r, entry) &&
              take_int(r, "max_warps_per_sm", 1, &entry->max_warps) && take_int(r, "threads", 1, &entry->threads) &&
              take_int(r, "dynamic_smem_bytes", 0, &entry->dynamic_smem_bytes) && take_int(r, "copies", 1, &copies) &&
              take_int(r, "variant", 1, variant) && take_text(r, "reason", &entry->reason);
    entry->copies = (uint32_t)copies;
    if (ok && entry->id == NO_INDEX)
        ok = refuse(r, "kernel_id", "the identity of a kernel");
    return ok;
}

static bool read_accepted(struct reader *r)
{
    static const char *const words[] = {"rule", "kernel_id", "arch", "source", "text", "toolkit", "count"};
    struct accepted *accepted = baseline_add_accepted(r->baseline);
    int32_t count = 1;
    bool ok = check_keys(r, words, sizeof words / sizeof *words) && take_text(r, "rule", &accepted->rule) &&
              take_text(r, "kernel_id", &accepted->id) && take_text(r, "arch", &accepted->arch) &&
              take_text(r, "source", &accepted->source) && take_text(r, "text", &accepted->text) &&
              take_toolkit(r, &accepted->toolkit) && take_int(r, "count", 1, &count);
    accepted->count = (uint32_t)count;
    if (ok && accepted->rule == NO_INDEX)
        ok = refuse(r, "rule", "the name of a rule");
    return ok;
}

static bool read_input(struct reader *r)
{
    static const char *const words[] = {"toolkit", "loop_remarks"};
    const struct json_value *remarks = json_member(r->entry, "loop_remarks");
    struct toolkit toolkit = {0};
    bool ok = check_keys(r, words, sizeof words / sizeof *words) && take_toolkit(r, &toolkit) &&
              (json_kind(remarks) == JSON_KIND_TRUE || json_kind(remarks) == JSON_KIND_FALSE ||
               refuse(r, "loop_remarks", "true or false"));
    if (ok && baseline_find_input(r->baseline, toolkit))
        ok = diag_error(r->diags, here(r), "another entry is of this toolkit: keep one of the two");
    if (ok)
        baseline_add_input(r->baseline, toolkit, json_kind(remarks) == JSON_KIND_TRUE);
    return ok;
}

/* ---- duplicates ------------------------------------------------------------------------------------------------- */

/* What no two entries of a list have in common; of findings: kind is the rule, variant the text. */
struct entry_key {
    uint32_t id, arch, source, kind, variant;
    struct toolkit toolkit;
};

static bool is_first(struct reader *r, struct intern *keys, const struct entry_key *key)
{
    size_t known = keys->count;
    uint32_t number = intern_add(keys, (struct str){(const char *)key, sizeof *key});
    if (number == known)
        return true;
    struct reader first = *r;
    first.number = number;
    return diag_error(r->diags, here(r), "the entry stands in line %zu already: keep one of the two",
                      here(&first).line);
}

static bool read_entry(struct reader *r, struct intern *keys)
{
    if (json_kind(r->entry) != JSON_KIND_OBJECT)
        return diag_error(r->diags, here(r), "the entry is %s, expected an object",
                          json_kind_word(json_kind(r->entry)));
    struct entry_key key = {0};
    if (str_eq(str_of(r->list), STR("inputs")))
        return read_input(r);
    if (str_eq(str_of(r->list), STR("kernels"))) {
        int32_t variant = 1;
        if (!read_kernel(r, &variant))
            return false;
        const struct kernel_metrics *entry = &r->baseline->kernels.items[r->baseline->kernels.count - 1];
        key = (struct entry_key){entry->id, entry->arch, entry->source, entry->kind, (uint32_t)variant, entry->toolkit};
    } else {
        if (!read_accepted(r))
            return false;
        const struct accepted *accepted = &r->baseline->accepted[r->baseline->accepted_count - 1];
        key = (struct entry_key){accepted->id,   accepted->arch, accepted->source,
                                 accepted->rule, accepted->text, accepted->toolkit};
    }
    return is_first(r, keys, &key);
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
                                  "a merge left its markers here: keep the lines of one side, or of both where they "
                                  "are of different kernels, and remove the marker");
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
    static const char *const words[] = {schema_key, "inputs", "kernels", "findings"};
    return check_keys(r, words, sizeof words / sizeof *words);
}

enum { MOST_TOOLKITS = 64 };

static bool check_toolkits(struct reader *r)
{
    struct toolkit seen[MOST_TOOLKITS];
    size_t count = 0;
    for (size_t at = 0; at < r->baseline->kernels.count; at++) {
        size_t known = 0;
        while (known < count && toolkit_order(seen[known], r->baseline->kernels.items[at].toolkit) != 0)
            known++;
        if (known < count)
            continue;
        if (count == MOST_TOOLKITS)
            return diag_error(r->diags, here(r), "the file has columns of more than %d toolkits", MOST_TOOLKITS);
        seen[count++] = r->baseline->kernels.items[at].toolkit;
    }
    return true;
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
    *baseline = (struct baseline){0};
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
    int order = kernel_metrics_order(set, &set->items[a->item], set, &set->items[b->item]);
    return order ? order : (a->item > b->item) - (a->item < b->item);
}

static int by_text(const struct baseline *baseline, uint32_t a, uint32_t b)
{
    return str_cmp(kernel_metrics_string(&baseline->kernels, a), kernel_metrics_string(&baseline->kernels, b));
}

static int by_finding(const void *left, const void *right)
{
    const struct sorted *a = left, *b = right;
    const struct baseline *baseline = a->baseline;
    const struct accepted *one = &baseline->accepted[a->item], *other = &baseline->accepted[b->item];
    int order = by_text(baseline, one->rule, other->rule);
    if (!order)
        order = by_text(baseline, one->id, other->id);
    if (!order)
        order = by_text(baseline, one->arch, other->arch);
    if (!order)
        order = by_text(baseline, one->source, other->source);
    if (!order)
        order = by_text(baseline, one->text, other->text);
    if (!order)
        order = toolkit_order(one->toolkit, other->toolkit);
    return order ? order : (a->item > b->item) - (a->item < b->item);
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

static void print_text(struct json *json, const struct baseline *baseline, const char *key, uint32_t number)
{
    if (number == NO_INDEX)
        return;
    json_key(json, key);
    json_str(json, kernel_metrics_string(&baseline->kernels, number));
}

/* Left out where it says nothing. */
static void print_int(struct json *json, const char *key, int64_t value, int64_t nothing)
{
    if (value == nothing)
        return;
    json_key(json, key);
    json_int(json, value);
}

static void print_toolkit(struct json *json, struct toolkit toolkit, struct buf *scratch)
{
    if (!toolkit_known(toolkit))
        return;
    buf_clear(scratch);
    buf_fmt(scratch, "%d.%d", toolkit.major, toolkit.minor);
    json_key(json, "toolkit");
    json_str(json, buf_str(scratch));
}

static void print_name(struct json *json, struct str id, struct buf *scratch)
{
    buf_clear(scratch);
    name_template(id, scratch);
    if (str_eq(buf_str(scratch), id))
        return;
    json_key(json, "name");
    json_str(json, buf_str(scratch));
}

static void print_kernel(struct json *json, const struct baseline *baseline, const struct kernel_metrics *entry,
                         int32_t variant, struct buf *scratch)
{
    json_open(json, '{');
    print_text(json, baseline, "kernel_id", entry->id);
    print_name(json, kernel_metrics_string(&baseline->kernels, entry->id), scratch);
    if (entry->kind == KERNEL_FUNCTION) {
        json_key(json, "kind");
        json_str(json, STR("function"));
    }
    print_text(json, baseline, "arch", entry->arch);
    print_text(json, baseline, "source", entry->source);
    print_toolkit(json, entry->toolkit, scratch);
    for (int at = 0; at < MEASURE_COUNT; at++)
        print_int(json, measure_table[at].key, entry->values[at], UNKNOWN);
    print_int(json, "max_warps_per_sm", entry->max_warps, UNKNOWN);
    print_int(json, "threads", entry->threads, 0);
    print_int(json, "dynamic_smem_bytes", entry->dynamic_smem_bytes, 0);
    print_int(json, "copies", entry->copies, 1);
    print_int(json, "variant", variant, 1);
    print_text(json, baseline, "reason", entry->reason);
    json_close(json, '}');
}

static void print_inputs(const struct baseline *baseline, struct json *json, struct buf *scratch)
{
    for (size_t at = 0; at < baseline->input_count; at++) {
        json_open(json, '{');
        print_toolkit(json, baseline->inputs[at].toolkit, scratch);
        json_key(json, "loop_remarks");
        json_bool(json, baseline->inputs[at].loop_remarks);
        json_close(json, '}');
        buf_add(json->out, at + 1 < baseline->input_count ? STR(",\n") : STR("\n"));
        json->after_value = false;
    }
}

static bool same_key(const struct kernel_metrics *a, const struct kernel_metrics *b)
{
    return a->id == b->id && a->arch == b->arch && a->kind == b->kind && a->source == b->source &&
           toolkit_order(a->toolkit, b->toolkit) == 0;
}

static void print_kernels(const struct baseline *baseline, struct json *json, struct buf *scratch)
{
    const struct kernel_metrics_set *set = &baseline->kernels;
    struct sorted *sorted = sort(baseline, set->count, by_order);
    struct kernel_metrics before = {.id = NO_INDEX};
    int32_t variant = 1;
    for (size_t at = 0; at < set->count; at++) {
        struct kernel_metrics entry = set->items[sorted[at].item];
        while (at + 1 < set->count && kernel_metrics_order(set, &entry, set, &set->items[sorted[at + 1].item]) == 0)
            entry.copies += set->items[sorted[++at].item].copies;
        variant = same_key(&before, &entry) ? variant + 1 : 1;
        print_kernel(json, baseline, &entry, variant, scratch);
        buf_add(json->out, at + 1 < set->count ? STR(",\n") : STR("\n"));
        json->after_value = false;
        before = entry;
    }
    free(sorted);
}

static void print_findings(const struct baseline *baseline, struct json *json, struct buf *scratch)
{
    struct sorted *sorted = sort(baseline, baseline->accepted_count, by_finding);
    for (size_t at = 0; at < baseline->accepted_count; at++) {
        const struct accepted *accepted = &baseline->accepted[sorted[at].item];
        json_open(json, '{');
        print_text(json, baseline, "rule", accepted->rule);
        print_text(json, baseline, "kernel_id", accepted->id);
        print_text(json, baseline, "arch", accepted->arch);
        print_text(json, baseline, "source", accepted->source);
        print_text(json, baseline, "text", accepted->text);
        print_toolkit(json, accepted->toolkit, scratch);
        json_key(json, "count");
        json_int(json, accepted->count);
        json_close(json, '}');
        buf_add(json->out, at + 1 < baseline->accepted_count ? STR(",\n") : STR("\n"));
        json->after_value = false;
    }
    free(sorted);
}

void baseline_print(const struct baseline *baseline, struct buf *out)
{
    struct json json = {.out = out};
    struct buf scratch = {0};
    buf_fmt(out, "{\n\"%s\": %d,\n\"inputs\": [\n", schema_key, BASELINE_SCHEMA);
    print_inputs(baseline, &json, &scratch);
    buf_add(out, STR("],\n\"kernels\": [\n"));
    print_kernels(baseline, &json, &scratch);
    buf_add(out, STR("],\n\"findings\": [\n"));
    print_findings(baseline, &json, &scratch);
    buf_add(out, STR("]\n}\n"));
    buf_free(&scratch);
}

/* ---- tolerances ------------------------------------------------------------------------------------------------- */

static double param_of(const struct ruleset *rules, struct str id, struct str name)
{
    const struct rule *rule = ruleset_find(rules, id);
    for (size_t at = 0; rule && at < rule->param_count; at++) {
        const struct value *value = &rule->params[at].value;
        if (str_eq(rule->params[at].name, name))
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
