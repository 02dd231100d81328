#include "log/ndjson_reader.h"

#include "base/date.h"
#include "log/json_decoder.h"
#include "log/local_memory.h"

#include <stdlib.h>

enum state { BEFORE_RUN, IN_STREAM, AFTER_END };

struct ndjson_reader {
    struct json_decoder in; /* its object is the present line, or a place in it */
    struct model *model;
    struct str path;
    struct buf held; /* the unfinished line */
    uint64_t number; /* of the present line, from 1 */
    enum state state;
    bool failed;
    uint64_t records;         /* lines of the stream, without its first line, its last line and its findings */
    struct model_mark before; /* the sizes of the model before the stream */
};

bool record_is_run(struct str line)
{
    SCOPED(buf) plain = {0};
    struct json_value *object = json_read(line, NULL);
    struct str type = {0};
    bool is_run = json_get_string(json_member(object, "type"), &plain, &type) && str_eq(type, STR("run"));
    json_value_free(object);
    return is_run;
}

/* ---- values of a line ------------------------------------------------------------------------------------------- */

static struct place here(const void *reader)
{
    const struct ndjson_reader *r = reader;
    return (struct place){.path = r->path, .line = r->number};
}

static const struct json_value *member(const struct ndjson_reader *r, const char *key)
{
    return json_member(r->in.object, key);
}

static bool is_absent(const struct json_value *value)
{
    return !value || json_kind(value) == JSON_KIND_NULL;
}

/* Reads an array of words as one string, in which each word ends with a NUL. */
static bool get_words(struct ndjson_reader *r, const char *key, uint32_t *number)
{
    const struct json_value *words = member(r, key);
    SCOPED(buf) all = {0};
    struct str word;
    if (json_kind(words) != JSON_KIND_ARRAY)
        return json_refuse(&r->in, key, "an array of words");
    for (size_t at = 0; at < json_count(words); at++) {
        if (!json_get_string(json_item(words, at), &r->in.plain, &word))
            return json_refuse_value(&r->in, key, json_item(words, at), "only words in the array");
        buf_add(&all, word);
        buf_char(&all, '\0');
    }
    *number = intern_add(&r->model->strings, buf_str(&all));
    return true;
}

/* ---- keys: to add one, add a row here and in the writer (report/ndjson.c, report/column.c) ---------------------- */

#define TEXT_KEY(name, of, member)         JSON_KEY(name, of, member, .type = KEY_TEXT)
#define NAME_KEY(name, of, member)         JSON_KEY(name, of, member, .type = KEY_NAME)
#define BOOL_KEY(name, of, member)         JSON_KEY(name, of, member, .type = KEY_BOOL)
#define FLAG_KEY(name, of, member, flag)   JSON_KEY(name, of, member, .type = KEY_FLAG, .most = flag)
#define NUMBER_KEY(name, of, member, last) JSON_KEY(name, of, member, .type = KEY_NUMBER, .most = last)
#define COUNT_KEY(name, of, member, last)                                                                              \
    JSON_KEY(name, of, member, .type = KEY_NUMBER, .most = last, .is_required = true)
#define WORD_KEY(name, of, member, last, table)                                                                        \
    JSON_KEY(name, of, member, .type = KEY_WORD, .most = last, .words = table, .is_required = true)
#define WORD_OR_NULL_KEY(name, of, member, last, table)                                                                \
    JSON_KEY(name, of, member, .type = KEY_WORD, .most = last, .words = table)

static bool get_text(struct ndjson_reader *r, const char *key, uint32_t *text)
{
    return json_decode(&r->in, &(const struct json_key){.name = key, .type = KEY_TEXT}, 1, text);
}

/* ---- records ---------------------------------------------------------------------------------------------------- */

static bool read_run(struct ndjson_reader *r)
{
    static const struct json_key schema_key = {
        .name = "schema", .type = KEY_NUMBER, .bytes = sizeof(int64_t), .least = 1, .most = INT64_MAX};
    int64_t schema = 0;
    if (r->state == IN_STREAM)
        return diag_error(r->in.diags, here(r),
                          "a stream begins inside another one, which has no end record: it was cut");
    if (!json_decode(&r->in, &schema_key, 1, &schema))
        return false;
    if (schema == 0)
        return json_refuse(&r->in, "schema", "the number of the schema");
    if (schema > RECORD_SCHEMA)
        return diag_error(r->in.diags, here(r), "schema %lld is newer than this program, which reads schemas up to %d",
                          (long long)schema, RECORD_SCHEMA);
    r->state = IN_STREAM;
    r->records = 0;
    return true;
}

#define LINE_KEY(name) NUMBER_KEY(#name, log_info, name, INT64_MAX),
static const struct json_key log_keys[] = {
    TEXT_KEY("log", log_info, path),
    COUNT_KEY("lines", log_info, lines, INT64_MAX),
    COUNT_KEY("unknown_lines", log_info, unknown_lines, INT64_MAX),
    BOOL_KEY("verbose", log_info, verbose),
    BOOL_KEY("interleaved", log_info, interleaved),
    BOOL_KEY("torn", log_info, torn),
    BOOL_KEY("cut", log_info, cut),
    BOOL_KEY("no_machine_code", log_info, no_code),
    BOOL_KEY("loop_remarks", log_info, loop_remarks),
    BOOL_KEY("asks_verbose", log_info, asks_verbose),
    TEXT_KEY("nvcc", log_info, nvcc),
    TEXT_KEY("ptxas", log_info, ptxas),
    TEXT_KEY("object_code", log_info, object_code),
    TEXT_KEY("linked_code", log_info, linked_code),
    TEXT_KEY("working_directory", log_info, working_directory),
    LOG_LINES(LINE_KEY) JSON_KEY("toolkit", log_info, toolkit, .type = KEY_TOOLKIT),
};

static bool read_log(struct ndjson_reader *r)
{
    struct log_info log = {.compiled = member(r, "command") != NULL};
    if (!model_has_room(r->model, here(r), r->in.diags) || !json_decode(&r->in, JSON_KEYS(log_keys), &log))
        return false;
    if (log.compiled && !(get_words(r, "command", &log.command) && get_words(r, "flags", &log.flags)))
        return false;
    if (log.path == NO_INDEX)
        return json_refuse(&r->in, "log", "the path of the log");
    model_add_log(r->model, log);
    return true;
}

/* Reads the log of the present line: it is the log of the last `log` line. If the present line names its log, it must
 * be the same one. */
static bool get_log(struct ndjson_reader *r, uint16_t *log)
{
    uint32_t path = NO_INDEX;
    if (r->model->log_count == r->before.logs)
        return diag_error(r->in.diags, here(r), "the record is before any log record");
    *log = (uint16_t)(r->model->log_count - 1);
    if (!get_text(r, "log", &path))
        return false;
    if (path != NO_INDEX && path != r->model->logs[*log].path)
        return diag_error(r->in.diags, here(r), "'log' is '%.*s', expected '%.*s' as in the log record before it",
                          STR_ARG(model_string(r->model, path)),
                          STR_ARG(model_string(r->model, r->model->logs[*log].path)));
    return true;
}

/* Reads a number of milliseconds and stores it in thousandths (microseconds). */
static bool get_thousandths(struct ndjson_reader *r, const char *key, int64_t *value)
{
    static const double most = 9e12; /* below this a double distinguishes thousandths */
    const struct json_value *found = member(r, key);
    if (is_absent(found))
        return true;
    double number = 0;
    if (!json_get_number(found, &number) || number < 0 || number > most)
        return json_refuse(&r->in, key, "milliseconds from 0 to 9e12, or null");
    *value = (int64_t)(number * 1000 + 0.5);
    return true;
}

static bool get_metric(struct ndjson_reader *r, const struct metric *metric, void *holder)
{
    bool counts = metric == &metric_table[METRIC_registers] || metric == &metric_table[METRIC_register_cap];
    bool wide = metric->holder == METRIC_LONG;
    int64_t narrow_least = counts ? 0 : INT32_MIN + 1;
    const struct json_key key = {.name = metric->key,
                                 .type = KEY_NUMBER,
                                 .offset = metric->offset,
                                 .bytes = wide ? sizeof(int64_t) : sizeof(int32_t),
                                 .least = wide ? INT64_MIN + 1 : narrow_least,
                                 .most = wide ? INT64_MAX : INT32_MAX};
    return metric->scale > 1 ? get_thousandths(r, metric->key, (int64_t *)(void *)((char *)holder + metric->offset))
                             : json_decode(&r->in, &key, 1, holder);
}

static bool get_banks(struct ndjson_reader *r, struct kernel *kernel)
{
    struct model *model = r->model;
    const struct json_value *banks = member(r, "cmem_bytes"), *bytes = NULL;
    void *iterator = NULL;
    struct str key;
    if (is_absent(banks))
        return true;
    if (json_kind(banks) != JSON_KIND_OBJECT || json_count(banks) > UINT8_MAX)
        return json_refuse(&r->in, "cmem_bytes", "an object of at most 255 banks, or null");
    kernel->first_bank = (uint32_t)model->bank_count;
    while (json_next(banks, &iterator, &key, &bytes)) {
        uint64_t bank = 0;
        int64_t value = 0;
        if (!str_to_uint(key, &bank) || bank > UINT32_MAX || !json_get_int(bytes, &value) || value > INT32_MAX ||
            value < -INT32_MAX)
            return json_refuse(&r->in, "cmem_bytes", "bytes by the number of the bank");
        if (kernel->bank_count &&
            bank_bytes(&model->banks[kernel->first_bank], kernel->bank_count, (uint32_t)bank) != UNKNOWN)
            return json_refuse(&r->in, "cmem_bytes", "each bank once");
        *MEM_ADD(model->banks, model->bank_count, model->bank_cap) = (struct bank){(uint32_t)bank, (int32_t)value};
        kernel->bank_count++;
    }
    return true;
}

static bool get_metrics(struct ndjson_reader *r, struct kernel *kernel, struct rare_metrics *rare)
{
    EACH(const struct metric, metric, metric_table, METRIC_COUNT) {
        void *holder = metric->holder == METRIC_RARE ? (void *)rare : kernel;
        if (!(metric->holder == METRIC_BANKS ? get_banks(r, kernel) : get_metric(r, metric, holder)))
            return false;
    }
    return true;
}

static const struct json_key kernel_keys[] = {
    NAME_KEY("mangled", kernel, name),
    WORD_KEY("kind", kernel, kind, KERNEL_FUNCTION, kernel_kind_names),
    WORD_KEY("producer", kernel, producer, PRODUCER_COUNT - 1, producer_names),
    TEXT_KEY("arch", kernel, arch),
    TEXT_KEY("arch_inferred", kernel, arch_inferred),
    TEXT_KEY("source", kernel, source),
    NUMBER_KEY("log_line", kernel, log_line, UINT32_MAX),
};

static const struct json_key flag_keys[] = {
    FLAG_KEY("used_line", kernel, flags, KERNEL_USED_LINE),
    FLAG_KEY("ambiguous", kernel, flags, KERNEL_AMBIGUOUS),
    FLAG_KEY("debug", kernel, flags, KERNEL_DEBUG),
    FLAG_KEY("headless", kernel, flags, KERNEL_NO_ENTRY),
};

static const struct json_key rare_keys[] = {
    NUMBER_KEY("line", rare_metrics, source_line, UINT32_MAX),
    NUMBER_KEY("min_blocks", rare_metrics, min_blocks, UINT8_MAX),
    NUMBER_KEY("bound_threads", rare_metrics, bound_threads, UINT16_MAX),
    NUMBER_KEY("cluster_blocks", rare_metrics, cluster_blocks, UINT16_MAX),
    NUMBER_KEY("dynamic_smem_bytes", rare_metrics, dynamic_smem_bytes, INT32_MAX),
    WORD_OR_NULL_KEY("bound_from", rare_metrics, bound_from, BOUND_COUNT - 1, bound_from_names),
    WORD_OR_NULL_KEY("line_from", rare_metrics, line_from, LINE_REGION, line_from_names),
    WORD_OR_NULL_KEY("register_cap_from", rare_metrics, register_cap_from, CAP_FROM_COUNT - 1, cap_from_names),
    WORD_OR_NULL_KEY("spills_from", rare_metrics, spills_from, SPILLS_CODE, spills_from_names),
};

/* The launch is not a property of the kernel, but is used if the stream is the base of a comparison. */
static const struct json_key launch_keys[] = {
    NUMBER_KEY("threads", rare_metrics, launch_threads, UINT16_MAX),
    NUMBER_KEY("dynamic_smem_bytes", rare_metrics, launch_dynamic_smem_bytes, INT32_MAX),
    NUMBER_KEY("carveout_percent", rare_metrics, launch_carveout_percent, 100),
};

/* ---- places in the machine code ---- */

static const struct json_key place_keys[] = {
    TEXT_KEY("file", code_place, file),
    NUMBER_KEY("line", code_place, line, UINT32_MAX),
    NAME_KEY("function", code_place, function),
};

static const struct json_key site_keys[] = {
    COUNT_KEY("depth", code_site, depth, UINT16_MAX),
    COUNT_KEY("stores", code_site, stores, INT32_MAX),
    COUNT_KEY("loads", code_site, loads, INT32_MAX),
    COUNT_KEY("store_bytes", code_site, store_bytes, INT32_MAX),
    COUNT_KEY("load_bytes", code_site, load_bytes, INT32_MAX),
};

/* Reads the present object as a place. *place is the place of its caller before the call (NO_INDEX: none), and its own
 * place after the call. */
static bool get_place(struct ndjson_reader *r, uint32_t *place)
{
    struct code_place found = {.caller = *place};
    if (!json_decode(&r->in, JSON_KEYS(place_keys), &found))
        return false;
    if (found.file == NO_INDEX)
        return json_refuse(&r->in, "file", "the path of the source");
    if (found.line == 0)
        return json_refuse(&r->in, "line", "the line in the source, from 1");
    *place = code_place_add(r->model, found);
    return true;
}

/* Reads the place of the present object with the calls around it, from the outermost call inwards. */
static bool get_inlined(struct ndjson_reader *r, uint32_t *place)
{
    const struct json_value *site = r->in.object, *inlined = member(r, "inlined");
    bool ok = is_absent(inlined) || json_kind(inlined) == JSON_KIND_ARRAY ||
              json_refuse(&r->in, "inlined", "an array of places");
    for (size_t at = json_count(inlined); ok && at-- > 0;) {
        r->in.object = json_item(inlined, at);
        ok = get_place(r, place);
    }
    r->in.object = site;
    return ok && (json_count(inlined) || is_absent(member(r, "file")) || get_place(r, place));
}

/* Adds the sites in the array of the key to the model. */
static bool get_sites(struct ndjson_reader *r, const char *key, struct code_sites *added)
{
    const struct json_value *kernel = r->in.object, *sites = member(r, key);
    struct code_site site, before;
    bool ok = true;
    *added = (struct code_sites){(uint32_t)r->model->code.site_count, 0, !is_absent(sites)};
    if (added->known && json_kind(sites) != JSON_KIND_ARRAY)
        return json_refuse(&r->in, key, "an array of places, or null");
    for (size_t at = 0; ok && at < json_count(sites); at++, before = site) {
        r->in.object = json_item(sites, at);
        site = (struct code_site){.place = NO_INDEX};
        ok = json_kind(r->in.object) == JSON_KIND_OBJECT
                 ? get_inlined(r, &site.place) && json_decode(&r->in, JSON_KEYS(site_keys), &site)
                 : json_refuse_value(&r->in, key, r->in.object, "only places in the array");
        if (ok && at && code_site_order(&before, &site) > 0)
            ok = diag_error(r->in.diags, here(r),
                            "item %zu of '%s' is worse than the one before it, expected the deepest "
                            "loop first, then most bytes",
                            at + 1, key);
        if (ok)
            code_site_add(r->model, &site);
    }
    r->in.object = kernel;
    added->count = (uint32_t)r->model->code.site_count - added->first;
    return ok;
}

/* Checks that the sites add up to the numbers of the record; sites that do not are an error. */
static bool check_spill_sites(struct ndjson_reader *r, const struct kernel *kernel, const struct rare_metrics *rare,
                              const struct code_sites *sites)
{
    int64_t stores = 0, loads = 0, in_loops = 0, depth = 0;
    for (uint32_t at = 0; at < sites->count; at++) {
        const struct code_site *site = &r->model->code.sites[sites->first + at];
        stores += site->store_bytes;
        loads += site->load_bytes;
        in_loops += site->depth ? (int64_t)site->store_bytes + site->load_bytes : 0;
        depth = site->depth > depth ? site->depth : depth;
    }
    const struct {
        const char *key;
        int64_t stated, found;
    } sums[] = {{"spill_store_bytes", kernel->spill_store_bytes, stores},
                {"spill_load_bytes", kernel->spill_load_bytes, loads},
                {"spill_bytes_in_loops", rare->spill_bytes_in_loops, in_loops},
                {"spill_depth", rare->spill_depth, depth}};
    for (size_t at = 0; at < sizeof sums / sizeof *sums; at++) {
        SCOPED(arena) arena = {0};
        if (sums[at].stated != sums[at].found)
            return json_refuse(&r->in, sums[at].key,
                               arena_fmt(&arena, "%lld as in 'spill_sites'", (long long)sums[at].found).ptr);
    }
    return true;
}

static bool get_code(struct ndjson_reader *r, const struct kernel *kernel, struct rare_metrics *rare)
{
    struct kernel_code code = {.unread = UNLOCATED_NO_CODE};
    if (!get_sites(r, "spill_sites", &code.spills) || !get_sites(r, "array_sites", &code.arrays))
        return false;
    if (code.spills.known && !check_spill_sites(r, kernel, rare, &code.spills))
        return false;
    if (code.spills.known || code.arrays.known)
        rare->code = kernel_code_add(r->model, &code);
    return true;
}

/* Checks and stores the origin of spills. SPILLS_LOG and SPILLS_CODE follow from the rest of the record, so only
 * SPILLS_PTXAS is stored. */
static bool check_spills_from(struct ndjson_reader *r, const struct kernel *kernel, struct rare_metrics *rare)
{
    bool spills = kernel->spill_store_bytes > 0 || kernel->spill_load_bytes > 0;
    if (rare->spills_from == SPILLS_CODE && spills)
        return json_refuse(&r->in, "spills_from", "\"log\" or \"ptxas\": code alone shows no spill");
    if (rare->spills_from != SPILLS_PTXAS)
        rare->spills_from = SPILLS_UNKNOWN;
    return true;
}

static bool get_dynamic_smem(struct ndjson_reader *r, struct rare_metrics *rare)
{
    static const struct json_key key = {.name = "dynamic_smem_used", .type = KEY_BOOL};
    bool used = false;
    if (!json_decode(&r->in, &key, 1, &used))
        return false;
    if (!is_absent(member(r, key.name)))
        rare->dynamic_smem = used ? DYNAMIC_SMEM_USED : DYNAMIC_SMEM_NONE;
    return true;
}

static bool read_kernel(struct ndjson_reader *r)
{
    struct model *model = r->model;
    struct kernel kernel = *model_add_kernel(model);
    struct rare_metrics rare = no_rare_metrics;
    bool ok = json_decode(&r->in, JSON_KEYS(kernel_keys), &kernel) && get_log(r, &kernel.log) &&
              get_metrics(r, &kernel, &rare) && json_decode(&r->in, JSON_KEYS(flag_keys), &kernel) &&
              json_decode(&r->in, JSON_KEYS(rare_keys), &rare) && get_dynamic_smem(r, &rare) &&
              check_spills_from(r, &kernel, &rare) && get_code(r, &kernel, &rare) &&
              (!model->keeps_launches || json_decode(&r->in, JSON_KEYS(launch_keys), &rare));
    if (rare.bound_from != BOUND_TRITON)
        rare.dynamic_smem_bytes = UNKNOWN;
    if (kernel.producer == PRODUCER_BINARY && !is_absent(member(r, "link_stack_bytes")))
        rare.object_registers = NO_OBJECT_NVLINK;
    if (kernel.name == NO_INDEX)
        kernel.name = intern_add(&model->names, STR(""));
    kernel_set_rare(model, &kernel, &rare);
    model->kernels[model->kernel_count - 1] = kernel;
    return ok;
}

static bool get_numbers(struct ndjson_reader *r, struct event *event)
{
    enum { MOST = sizeof event->number / sizeof *event->number };
    const struct json_value *numbers = member(r, "numbers");
    if (is_absent(numbers))
        return true;
    if (json_kind(numbers) != JSON_KIND_ARRAY || json_count(numbers) > MOST)
        return json_refuse(&r->in, "numbers", "an array of at most 2 whole numbers");
    for (size_t at = 0; at < json_count(numbers); at++) {
        const struct json_value *number = json_item(numbers, at);
        event->number[at] = UNKNOWN;
        if (!json_get_int(number, &event->number[at]) && json_kind(number) != JSON_KIND_NULL)
            return json_refuse(&r->in, "numbers", "whole numbers or nulls");
    }
    event->number_count = (uint8_t)json_count(numbers);
    return true;
}

static const struct json_key event_keys[] = {
    TEXT_KEY("event", event, id),
    TEXT_KEY("text", event, text),
    NAME_KEY("mangled", event, name),
    TEXT_KEY("arch", event, arch),
    TEXT_KEY("file", event, file),
    NUMBER_KEY("line", event, line, UINT32_MAX),
    NUMBER_KEY("column", event, column, UINT32_MAX),
    NUMBER_KEY("log_line", event, log_line, UINT32_MAX),
    NUMBER_KEY("count", event, count, UINT32_MAX),
    WORD_KEY("severity", event, severity, SEVERITY_ERROR, severity_names),
};

static bool read_event(struct ndjson_reader *r)
{
    struct model *model = r->model;
    struct event event = *model_add_event(model);
    uint32_t inferred = NO_INDEX;
    bool ok = json_decode(&r->in, JSON_KEYS(event_keys), &event) && get_text(r, "arch_inferred", &inferred) &&
              get_log(r, &event.log) && get_numbers(r, &event);
    event.arch_inferred = event.arch == NO_INDEX && inferred != NO_INDEX;
    if (event.arch_inferred)
        event.arch = inferred;
    if (ok && event.id == NO_INDEX)
        ok = json_refuse(&r->in, "event", "the name of an event");
    model->events[model->event_count - 1] = event;
    return ok;
}

static const struct json_key source_exception_keys[] = {
    TEXT_KEY("problem", source_exception, problem),
    TEXT_KEY("kernel", source_exception, kernel),
    TEXT_KEY("rule", source_exception, rule),
    TEXT_KEY("reason", source_exception, reason),
    TEXT_KEY("until", source_exception, until),
    TEXT_KEY("file", source_exception, file),
    NUMBER_KEY("line", source_exception, line, UINT32_MAX),
    NUMBER_KEY("column", source_exception, column, UINT32_MAX),
};

/* Reads an exception from a source, or the reason why it is invalid. */
static bool read_source_exception(struct ndjson_reader *r)
{
    struct source_exception *comment = model_add_source_exception(r->model);
    int64_t day = 0;
    if (!json_decode(&r->in, JSON_KEYS(source_exception_keys), comment) || !get_log(r, &comment->log))
        return false;
    if (comment->until != NO_INDEX && !date_parse(model_string(r->model, comment->until), &day))
        return json_refuse(&r->in, "until", "a day like 2027-06-30, or null");
    const struct {
        const char *name;
        uint32_t value;
    } needed[] = {{"kernel", comment->kernel}, {"rule", comment->rule}, {"reason", comment->reason}};
    for (size_t at = 0; comment->problem == NO_INDEX && at < sizeof needed / sizeof *needed; at++)
        if (needed[at].value == NO_INDEX)
            return json_refuse(&r->in, needed[at].name, "text");
    return true;
}

static const struct json_key unknown_keys[] = {
    NUMBER_KEY("log_line", unknown_line, line, UINT32_MAX),
    TEXT_KEY("text", unknown_line, text),
};

static bool read_unknown(struct ndjson_reader *r)
{
    struct model *model = r->model;
    struct unknown_line line = {0};
    if (!get_log(r, &line.log) || !json_decode(&r->in, JSON_KEYS(unknown_keys), &line))
        return false;
    *MEM_ADD(model->unknown, model->unknown_count, model->unknown_cap) = line;
    return true;
}

static bool read_end(struct ndjson_reader *r)
{
    static const struct json_key records_key = {
        .name = "records", .type = KEY_NUMBER, .bytes = sizeof(uint64_t), .most = INT64_MAX, .is_required = true};
    uint64_t records = 0;
    if (!json_decode(&r->in, &records_key, 1, &records))
        return false;
    if (records != r->records)
        return diag_error(r->in.diags, here(r),
                          "the stream holds %llu records, its end record counts %llu: lines were lost or filtered out",
                          (unsigned long long)r->records, (unsigned long long)records);
    r->state = AFTER_END;
    return true;
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/* To add a type of line, add its reader and a row, and a new schema if older programs must not skip it. */
static const struct line_type {
    const char *name;
    bool (*read)(struct ndjson_reader *r); /* NULL: not read (findings are computed again) */
    bool counted;                          /* the end record counts such lines */
} line_types[] = {
    {"allow", read_source_exception, true},
    {"end", read_end, false},
    {"event", read_event, true},
    {"finding", NULL, false},
    {"kernel", read_kernel, true},
    {"log", read_log, true},
    {"run", read_run, false},
    {"unknown", read_unknown, true},
};
enum { LINE_TYPES = sizeof line_types / sizeof *line_types };

static bool read_object(struct ndjson_reader *r)
{
    const struct json_value *found = member(r, "type");
    const struct line_type *type = NULL;
    struct str name = {0};
    json_get_string(found, &r->in.plain, &name);
    for (size_t at = 0; at < LINE_TYPES; at++)
        if (str_eq(name, str_of(line_types[at].name)))
            type = &line_types[at];
    if (!type)
        return json_refuse(&r->in, "type", "run, log, kernel, event, allow, unknown, finding or end");
    if (r->state != IN_STREAM && type->read != read_run)
        return diag_error(r->in.diags, here(r), "a record of type '%s' is outside of a stream, expected type 'run'",
                          type->name);
    r->records += type->counted;
    return !type->read || type->read(r);
}

static void read_line(struct ndjson_reader *r, struct str line)
{
    struct json_fault fault;
    if (r->failed || str_trim(line).len == 0)
        return;
    struct json_value *root = json_read(line, &fault);
    r->in.object = root;
    if (!r->in.object) {
        struct place place = here(r);
        place.column = fault.at + 1;
        r->failed = !diag_error(r->in.diags, place,
                                "not JSON: %s; expected one object a line, as --format ndjson writes it", fault.text);
    } else if (json_kind(r->in.object) != JSON_KIND_OBJECT) {
        r->failed = !diag_error(r->in.diags, here(r), "the line is JSON but no object, expected one object a line");
    } else {
        r->failed = !read_object(r);
    }
    json_value_free(root);
    r->in.object = NULL;
}

struct ndjson_reader *ndjson_reader_new(struct model *model, struct str path, struct diags *diags)
{
    struct ndjson_reader *r = mem_alloc(sizeof *r);
    r->in = (struct json_decoder){
        .object_word = "record", .strings = &model->strings, .names = &model->names, .diags = diags, .place = here};
    r->model = model;
    r->path = path;
    r->number = 1;
    r->before = model_mark(model);
    return r;
}

void ndjson_reader_feed(struct ndjson_reader *r, struct str bytes)
{
    for (size_t end = 0; (end = str_find_char(bytes, '\n')) != STR_NONE; bytes = str_from(bytes, end + 1)) {
        buf_add(&r->held, str_sub(bytes, 0, end));
        read_line(r, buf_str(&r->held));
        buf_clear(&r->held);
        r->number++;
    }
    buf_add(&r->held, bytes);
}

bool ndjson_reader_finish(struct ndjson_reader *r)
{
    if (r->number == 1 && r->held.len == 0) /* empty input: it has no line */
        r->number = 0;
    read_line(r, buf_str(&r->held));
    if (!r->failed && r->state != AFTER_END)
        r->failed = !diag_error(r->in.diags, here(r),
                                r->state == BEFORE_RUN ? "the stream is empty, expected a record of type 'run'"
                                                       : "the stream ends without an end record: it was cut");
    bool ok = !r->failed;
    if (!ok)
        model_truncate(r->model, &r->before);
    buf_free(&r->held);
    buf_free(&r->in.plain);
    free(r);
    return ok;
}
