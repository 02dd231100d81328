/*
 * Reading checks everything before anything is used. jansson keeps no places, so an entry that is JSON but wrong is
 * found again in the text by its number (json_locate).
 */
#include "lint/baseline.h"

#include "base/json.h"
#include "base/json_read.h"
#include "lint/family.h"
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

static struct accepted *add_accepted(struct baseline *baseline)
{
    baseline->accepted = mem_reserve(baseline->accepted, &baseline->accepted_cap, baseline->accepted_count + 1,
                                     sizeof *baseline->accepted);
    struct accepted *accepted = &baseline->accepted[baseline->accepted_count++];
    *accepted = (struct accepted){
        .rule = NO_INDEX, .id = NO_INDEX, .arch = NO_INDEX, .source = NO_INDEX, .text = NO_INDEX, .count = 1};
    return accepted;
}

/* ---- inputs ----------------------------------------------------------------------------------------------------- */

static struct baseline_input *find_input(const struct baseline *baseline, struct toolkit toolkit)
{
    for (size_t at = 0; at < baseline->input_count; at++)
        if (toolkit_order(baseline->inputs[at].toolkit, toolkit) == 0)
            return &baseline->inputs[at];
    return NULL;
}

void baseline_add_input(struct baseline *baseline, struct toolkit toolkit, bool loop_remarks)
{
    struct baseline_input *known = find_input(baseline, toolkit);
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
    struct accepted *accepted = add_accepted(r->baseline);
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
    if (ok && find_input(r->baseline, toolkit))
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

/* ---- accepted findings ------------------------------------------------------------------------------------------ */

/* What a finding of a rule on messages or lines is known by; texts are empty where there is none. */
struct identity {
    struct str rule, arch;
    struct buf id, source, text;
    struct toolkit toolkit;
};

static bool is_path(char c)
{
    return (unsigned char)c > ' ' && !strchr("'\"()<>,;", c);
}

/* A message without what changes from run to run: of absolute paths the file's name stays, numbers become "#". */
static void add_steady(struct str text, struct buf *out)
{
    for (size_t at = 0; at < text.len;) {
        size_t end = at;
        if (text.ptr[at] == '/' && (at == 0 || !is_path(text.ptr[at - 1]))) {
            while (end < text.len && is_path(text.ptr[end]))
                end++;
            struct str path = str_sub(text, at, end);
            text = str_from(text, at + str_rfind(path, STR("/")) + 1);
            at = 0;
            continue;
        }
        while (end < text.len && is_digit(text.ptr[end]))
            end++;
        buf_char(out, end > at ? '#' : text.ptr[at]);
        at = end > at ? end : at + 1;
    }
}

static void take_identity(const struct judge *judge, const struct finding *finding, struct checkout checkout,
                          struct identity *identity)
{
    const struct model *model = judge->model;
    const struct rule *rule = &judge->rules->rules[finding->rule];
    uint16_t log = 0;
    identity->rule = rule->id;
    if (rule->kind == RULE_PATTERN) {
        add_steady(judge->lines[finding->event].message, &identity->text);
        log = judge->lines[finding->event].log;
    } else {
        const struct event *event = &model->events[finding->event];
        if (event->name != NO_INDEX)
            name_identity(intern_get(&model->names, event->name), &identity->id);
        identity->arch = model_string(model, event->arch);
        measure_path(model, event->log, model_string(model, event->file), checkout, &identity->source);
        log = event->log;
    }
    if (log < model->log_count)
        identity->toolkit = model->logs[log].toolkit;
}

static void identity_free(struct identity *identity)
{
    buf_free(&identity->id);
    buf_free(&identity->source);
    buf_free(&identity->text);
}

/* All of it as one text. */
static void add_key(struct buf *key, struct str rule, struct str id, struct str arch, struct str source,
                    struct str text, struct toolkit toolkit)
{
    const struct str parts[] = {rule, id, arch, source, text};
    buf_clear(key);
    for (size_t at = 0; at < sizeof parts / sizeof *parts; at++) {
        buf_fmt(key, "%zu:", parts[at].len);
        buf_add(key, parts[at]);
    }
    buf_fmt(key, "%d.%d", toolkit.major, toolkit.minor);
}

static void key_of_identity(const struct identity *identity, struct toolkit toolkit, struct buf *key)
{
    add_key(key, identity->rule, buf_str(&identity->id), identity->arch, buf_str(&identity->source),
            buf_str(&identity->text), toolkit);
}

static uint32_t keep(struct baseline *baseline, struct str text)
{
    return text.len ? intern_add(&baseline->kernels.strings, text) : NO_INDEX;
}

void baseline_accept(struct baseline *baseline, struct intern *keys, const struct judge *judge,
                     const struct finding *finding, struct checkout checkout)
{
    struct identity identity = {0};
    struct buf key = {0};
    take_identity(judge, finding, checkout, &identity);
    key_of_identity(&identity, identity.toolkit, &key);
    size_t known = keys->count;
    uint32_t number = intern_add(keys, buf_str(&key));
    if (number < known) {
        baseline->accepted[number].count++;
    } else {
        struct accepted *accepted = add_accepted(baseline);
        accepted->rule = keep(baseline, identity.rule);
        accepted->id = keep(baseline, buf_str(&identity.id));
        accepted->arch = keep(baseline, identity.arch);
        accepted->source = keep(baseline, buf_str(&identity.source));
        accepted->text = keep(baseline, buf_str(&identity.text));
        accepted->toolkit = identity.toolkit;
    }
    identity_free(&identity);
    buf_free(&key);
}

/* What a kernel of the head may have been called: of a renamed one what its entry is called, of one that took the place
 * of others what these are. */
struct other {
    uint32_t *ids; /* into the strings of the baseline, some more than once */
    size_t count, cap;
    bool of_family;
};

struct acceptance {
    const struct baseline *baseline;
    const struct comparison *comparison;
    struct checkout checkout;
    struct intern keys;
    uint32_t *left;           /* by key: findings that may still come */
    struct intern other_name; /* identities of kernels of the head that the baseline knows by other names */
    struct other *others;     /* by these */
    size_t other_cap;
    struct buf key;
};

static void key_of_accepted(const struct baseline *baseline, const struct accepted *accepted, struct buf *key)
{
    const struct kernel_metrics_set *set = &baseline->kernels;
    add_key(key, kernel_metrics_string(set, accepted->rule), kernel_metrics_string(set, accepted->id),
            kernel_metrics_string(set, accepted->arch), kernel_metrics_string(set, accepted->source),
            kernel_metrics_string(set, accepted->text), accepted->toolkit);
}

static struct other *other_of(struct acceptance *a, uint32_t item)
{
    const struct kernel_metrics_set *head = a->comparison->head;
    size_t known = a->other_name.count;
    uint32_t number = intern_add(&a->other_name, kernel_metrics_string(head, head->items[item].id));
    if (number == known) {
        a->others = mem_reserve(a->others, &a->other_cap, known + 1, sizeof *a->others);
        a->others[number] = (struct other){0};
    }
    return &a->others[number];
}

static void note_other(struct acceptance *a, uint32_t head_item, uint32_t base_item, bool of_family)
{
    enum { MOST_OTHERS = 256 };
    struct other *other = other_of(a, head_item);
    uint32_t id = a->comparison->base->items[base_item].id;
    other->of_family |= of_family;
    if (other->count == MOST_OTHERS || (other->count && other->ids[other->count - 1] == id))
        return;
    other->ids = mem_reserve(other->ids, &other->cap, other->count + 1, sizeof *other->ids);
    other->ids[other->count++] = id;
}

static void note_others(struct acceptance *a)
{
    const struct comparison *comparison = a->comparison;
    for (size_t at = 0; at < comparison->count; at++)
        if (comparison->pairs[at].renamed)
            note_other(a, comparison->pairs[at].head, comparison->pairs[at].base, false);
    for (size_t at = 0; at < comparison->family_count; at++) {
        const struct family *family = &comparison->families[at];
        for (size_t new = 0; new < family->new_count; new ++)
            for (size_t gone = 0; gone < family->gone_count; gone++)
                if (family_replaces(family, gone, new))
                    note_other(a, family->new[new], family->gone[gone], true);
    }
}

struct acceptance *acceptance_new(const struct baseline *baseline, const struct comparison *comparison,
                                  struct checkout checkout)
{
    struct acceptance *a = mem_alloc(sizeof *a);
    *a = (struct acceptance){.baseline = baseline, .comparison = comparison, .checkout = checkout};
    a->left = mem_alloc((baseline->accepted_count + 1) * sizeof *a->left);
    for (size_t at = 0; at < baseline->accepted_count; at++) {
        key_of_accepted(baseline, &baseline->accepted[at], &a->key);
        a->left[intern_add(&a->keys, buf_str(&a->key))] += baseline->accepted[at].count;
    }
    if (baseline->accepted_count)
        note_others(a);
    return a;
}

void acceptance_free(struct acceptance *acceptance)
{
    if (!acceptance)
        return;
    intern_free(&acceptance->keys);
    for (size_t at = 0; at < acceptance->other_name.count; at++)
        free(acceptance->others[at].ids);
    free(acceptance->others);
    intern_free(&acceptance->other_name);
    free(acceptance->left);
    buf_free(&acceptance->key);
    free(acceptance);
}

/* The column that the toolkit was compared with. */
static struct toolkit base_toolkit(const struct comparison *comparison, struct toolkit head)
{
    for (size_t at = 0; at < comparison->column_count; at++)
        if (toolkit_order(comparison->columns[at].head, head) == 0)
            return comparison->columns[at].base;
    return head;
}

/* What may still come of the source, or of an end of its path: an older baseline knows it as the compiler was given it.
 * INTERN_NONE: nothing. again: what came already may come once more. */
static uint32_t find_accepted(struct acceptance *acceptance, const struct identity *identity, bool again)
{
    struct toolkit toolkit = base_toolkit(acceptance->comparison, identity->toolkit);
    struct str source = buf_str(&identity->source), folder;
    uint32_t number = INTERN_NONE;
    do {
        add_key(&acceptance->key, identity->rule, buf_str(&identity->id), identity->arch, source,
                buf_str(&identity->text), toolkit);
        number = intern_find(&acceptance->keys, buf_str(&acceptance->key));
        if (number != INTERN_NONE && acceptance->left[number] == 0 && !again)
            number = INTERN_NONE;
        str_split(&source, '/', &folder);
    } while (number == INTERN_NONE && source.len);
    return number;
}

static bool take(struct acceptance *acceptance, const struct identity *identity, bool again)
{
    uint32_t number = find_accepted(acceptance, identity, again);
    if (number != INTERN_NONE && acceptance->left[number])
        acceptance->left[number]--;
    return number != INTERN_NONE;
}

/* The baseline knows a kernel by what it was called. Several may have taken the place of one, so that for a family it
 * is enough that the finding was there. */
static bool take_other(struct acceptance *acceptance, struct identity *identity)
{
    uint32_t number = intern_find(&acceptance->other_name, buf_str(&identity->id));
    const struct other *other = number == INTERN_NONE ? NULL : &acceptance->others[number];
    bool taken = false;
    for (size_t at = 0; other && at < other->count && !taken; at++) {
        buf_clear(&identity->id);
        buf_add(&identity->id, kernel_metrics_string(acceptance->comparison->base, other->ids[at]));
        taken = take(acceptance, identity, other->of_family);
    }
    return taken;
}

bool acceptance_take(struct acceptance *acceptance, const struct judge *judge, const struct finding *finding)
{
    struct identity identity = {0};
    take_identity(judge, finding, acceptance->checkout, &identity);
    bool taken = take(acceptance, &identity, false) || take_other(acceptance, &identity);
    identity_free(&identity);
    return taken;
}

/* A file of schema 1 does not say it, but may have findings of the rule. */
static bool has_rule(const struct baseline *baseline, struct str rule, struct toolkit toolkit)
{
    for (size_t at = 0; at < baseline->accepted_count; at++)
        if (toolkit_order(baseline->accepted[at].toolkit, toolkit) == 0 &&
            str_eq(kernel_metrics_string(&baseline->kernels, baseline->accepted[at].rule), rule))
            return true;
    return false;
}

bool acceptance_is_blind(const struct acceptance *acceptance, const struct judge *judge, const struct finding *finding)
{
    const struct rule *rule = &judge->rules->rules[finding->rule];
    const struct model *model = judge->model;
    if (rule->kind != RULE_EVENT || !str_starts(model_string(model, model->events[finding->event].id), STR("unroll")))
        return false;
    uint32_t log = model->events[finding->event].log;
    struct toolkit toolkit = log < model->log_count ? model->logs[log].toolkit : (struct toolkit){0};
    toolkit = base_toolkit(acceptance->comparison, toolkit);
    const struct baseline_input *input = find_input(acceptance->baseline, toolkit);
    return input ? !input->loop_remarks : !has_rule(acceptance->baseline, rule->id, toolkit);
}

uint32_t acceptance_left(struct acceptance *acceptance, const struct baseline *baseline,
                         const struct accepted *accepted)
{
    key_of_accepted(baseline, accepted, &acceptance->key);
    uint32_t number = intern_find(&acceptance->keys, buf_str(&acceptance->key));
    return number == INTERN_NONE ? 0 : acceptance->left[number];
}

size_t acceptance_stale(struct acceptance *acceptance, const struct ruleset *rules)
{
    const struct baseline *baseline = acceptance->baseline;
    const struct comparison *comparison = acceptance->comparison;
    size_t stale = 0;
    for (size_t at = 0; at < baseline->accepted_count; at++) {
        const struct accepted *accepted = &baseline->accepted[at];
        const struct rule *rule = ruleset_find(rules, kernel_metrics_string(&baseline->kernels, accepted->rule));
        bool compared = false;
        for (size_t column = 0; column < comparison->column_count; column++)
            compared |= toolkit_order(comparison->columns[column].base, accepted->toolkit) == 0;
        if (rule && rule_is_on(rule) && compared)
            stale += acceptance_left(acceptance, baseline, accepted);
    }
    return stale;
}
