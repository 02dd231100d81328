/*
 * json and ndjson: the same kernels and findings, in one document or one object per line. warplint also reads NDJSON
 * back (log/ndjson_reader.h). So NDJSON contains, log by log, everything that judging requires beside the kernels:
 *
 *   {"type":"log",...}      path and properties of the whole log, before the records that were read from it;
 *                           for a compile also its command and flags, as words, the versions of nvcc and ptxas, and
 *                           object_code, the identification of the object (nvcc/object.h),
 *                           linked_code, the same for the objects that it linked,
 *                           working_directory, the folder of its relative paths, relative to the folder of the record,
 *                           toolkit ("13.0") if known
 *   {"type":"kernel",...}   every record that was read, also both halves of linked pairs
 *   {"type":"event",...}    a message that is not part of a record: event (its name in rules), severity,
 *                           text, numbers (null: not stated), mangled (the function that it names), arch,
 *                           arch_inferred (from the records that follow it), file line column, log log_line of the
 *                           first occurrence, count
 *   {"type":"allow",...}    an exception in a source: kernel (`k<>`: all instances of k), rule,
 *                           reason, until, or the problem with it; file line column
 *   {"type":"unknown",...}  a line of ptxas or nvlink that was not understood
 *
 * The end record has, after a comparison with a baseline, `baseline`: how many entries were expected and seen, and how
 * many are new, gone, worse and improved. It also has `records`, the number of all these objects, so that a reader
 * notices a missing one.
 */
#include "log/ndjson_reader.h"
#include "report/column.h"
#include "report/objects.h"
#include "report/summary.h"

/* Writes the result of the comparison with a baseline. */
static void comparison_json(const struct report *report, struct json *json)
{
    const struct comparison *comparison = report->comparison;
    const struct comparison_counts *c = &comparison->counts;
    json_pair_open(json, "baseline", '{');
    json_pair_int(json, "expected", (int64_t)c->expected);
    json_pair_int(json, "seen", (int64_t)c->seen);
    json_pair_int(json, "new", (int64_t)c->by_state[COMPARE_NEW]);
    json_pair_int(json, "gone", (int64_t)c->by_state[COMPARE_GONE]);
    json_pair_int(json, "replaced", (int64_t)c->replaced);
    json_pair_int(json, "worse", (int64_t)c->by_state[COMPARE_WORSE]);
    json_pair_int(json, "improved", (int64_t)c->by_state[COMPARE_IMPROVED]);
    json_pair_int(json, "changed", (int64_t)c->by_state[COMPARE_CHANGED]);
    json_pair_int(json, "same", (int64_t)c->by_state[COMPARE_SAME]);
    json_pair_int(json, "unanswered", (int64_t)compare_unanswered(comparison).count);
    json_pair_int(json, "missing", (int64_t)comparison->missing.count);
    json_pair_int(json, "unchanged_findings", (int64_t)report->linter->counts.unchanged);
    json_pair_int(json, "stale_findings", (int64_t)report->linter->counts.stale);
    json_pair_bool(json, "drift", compare_drifts(comparison));
    json_close(json, '}');
}

/* Writes for each rule the number of records or messages that it could not judge because a value is unknown. */
static void not_judged_json(const struct linter *linter, struct json *json)
{
    json_pair_open(json, "not_judged", '{');
    for (size_t rule = 0; rule < linter->rules->count; rule++) {
        if (linter->not_judged[rule].times == 0)
            continue;
        json_pair_int(json, linter->rules->rules[rule].id.ptr, (int64_t)linter->not_judged[rule].times);
    }
    json_close(json, '}');
}

/* records: the number of records before the end record; written only with one object per line. */
static void end_json(struct objects *s, uint64_t records)
{
    const struct report *report = s->report;
    struct json *json = &s->json;
    const struct linter_counts *counts = &report->linter->counts;
    const struct totals totals = report_totals(report);
    object_open_part(s, "end");
    json_pair_int(json, "kernels", (int64_t)counts->kernels);
    json_pair_int(json, "entries", (int64_t)counts->entries);
    json_pair_int(json, "functions", (int64_t)counts->functions);
    json_pair_int(json, "lines", (int64_t)totals.lines);
    json_pair_int(json, "unknown_lines", (int64_t)totals.unknown_lines);
    json_pair_int(json, "ambiguous", (int64_t)counts->ambiguous);
    json_pair_int(json, "findings", report->kind == REPORT_FINDINGS ? (int64_t)report->linter->finding_count : 0);
    json_pair_int(json, "suppressed", (int64_t)counts->suppressed);
    if (totals.unread_members)
        json_pair_int(json, "unread_members", (int64_t)totals.unread_members);
    if (totals.unread_entries)
        json_pair_int(json, "unread_entries", (int64_t)totals.unread_entries);
    json_pair_bool(json, "interleaved", totals.interleaved);
    if (report->kind == REPORT_FINDINGS)
        not_judged_json(report->linter, json);
    if (report->kind == REPORT_FINDINGS && report->incomplete)
        json_pair_text(json, "why_incomplete", report->why_incomplete);
    if (report->comparison)
        comparison_json(report, json);
    if (s->lines)
        json_pair_int(json, "records", (int64_t)records);
    object_close(s);
}

static void key_string(struct objects *s, const char *key, uint32_t number)
{
    json_key(&s->json, key);
    if (number == NO_INDEX)
        json_write_null(&s->json);
    else
        json_str(&s->json, model_string(s->report->model, number));
}

/* Writes words: in the string, a NUL ends each of them. */
static void key_words(struct objects *s, const char *key, uint32_t number)
{
    struct str rest = model_string(s->report->model, number);
    json_pair_open(&s->json, key, '[');
    for (struct str word; rest.len && str_split(&rest, '\0', &word);)
        json_str(&s->json, word);
    json_close(&s->json, ']');
}

/* Writes a line or column, counted from 1; null if unknown. */
static void key_place(struct objects *s, const char *key, int64_t number)
{
    json_pair_known(&s->json, key, number, number != 0);
}

#define WRITE_LINE(name)                                                                                               \
    if (log->name)                                                                                                     \
        json_pair_int(&s->json, #name, (int64_t)log->name);
static void log_line(struct objects *s, const struct log_info *log)
{
    object_open(s, "log");
    key_string(s, "log", log->path);
    json_pair_int(&s->json, "lines", (int64_t)log->lines);
    json_pair_int(&s->json, "unknown_lines", (int64_t)log->unknown_lines);
    json_pair_bool(&s->json, "verbose", log->verbose);
    json_pair_bool(&s->json, "interleaved", log->interleaved);
    json_pair_bool(&s->json, "torn", log->torn);
    json_pair_bool(&s->json, "cut", log->cut);
    json_pair_bool(&s->json, "no_machine_code", log->no_code);
    if (log->loop_remarks)
        json_pair_bool(&s->json, "loop_remarks", true);
    if (log->asks_verbose && !log->compiled)
        json_pair_bool(&s->json, "asks_verbose", true);
    LOG_LINES(WRITE_LINE)
    if (log->compiled) {
        key_words(s, "command", log->command);
        key_words(s, "flags", log->flags);
        key_string(s, "nvcc", log->nvcc);
        key_string(s, "ptxas", log->ptxas);
        if (log->object_code != NO_INDEX)
            key_string(s, "object_code", log->object_code);
        if (log->linked_code != NO_INDEX)
            key_string(s, "linked_code", log->linked_code);
        struct str folder = log_working_directory(s->report->model, log);
        if (folder.len)
            json_pair_str(&s->json, "working_directory", folder);
    }
    if (log->toolkit.major) {
        SCOPED(buf) toolkit = {0};
        buf_fmt(&toolkit, "%d.%d", log->toolkit.major, log->toolkit.minor);
        json_pair_str(&s->json, "toolkit", buf_str(&toolkit));
    }
    object_close(s);
}

static void event_line(struct objects *s, const struct event *event)
{
    object_open(s, "event");
    key_string(s, "event", event->id);
    json_pair_str(&s->json, "severity", str_of(severity_names[event->severity]));
    key_string(s, "text", event->text);
    json_pair_open(&s->json, "numbers", '[');
    for (size_t at = 0; at < event->number_count; at++) {
        if (event->number[at] == UNKNOWN)
            json_write_null(&s->json);
        else
            json_int(&s->json, event->number[at]);
    }
    json_close(&s->json, ']');
    json_pair_text(&s->json, "mangled", intern_get(&s->report->model->names, event->name));
    key_string(s, "arch", event->arch_inferred ? NO_INDEX : event->arch);
    key_string(s, "arch_inferred", event->arch);
    key_string(s, "file", event->file);
    key_place(s, "line", event->line);
    key_place(s, "column", event->column);
    key_string(s, "log", s->report->model->logs[event->log].path);
    key_place(s, "log_line", event->log_line);
    json_pair_int(&s->json, "count", event->count);
    object_close(s);
}

static void add_source_exception_line(struct objects *s, const struct source_exception *comment)
{
    object_open(s, "allow");
    key_string(s, "kernel", comment->kernel);
    key_string(s, "rule", comment->rule);
    key_string(s, "reason", comment->reason);
    key_string(s, "until", comment->until);
    key_string(s, "problem", comment->problem);
    key_string(s, "file", comment->file);
    key_place(s, "line", comment->line);
    key_place(s, "column", comment->column);
    key_string(s, "log", s->report->model->logs[comment->log].path);
    object_close(s);
}

static void unknown_line(struct objects *s, const struct unknown_line *line)
{
    object_open(s, "unknown");
    key_string(s, "log", s->report->model->logs[line->log].path);
    key_place(s, "log_line", line->line);
    key_string(s, "text", line->text);
    object_close(s);
}

static void kernel_line(struct objects *s, uint32_t kernel)
{
    if (!linter_selects(s->report->linter, kernel))
        return;
    object_open(s, "kernel");
    column_json(s->report, kernel, &s->json);
    object_close(s);
}

/* Records, messages and lines of the model are in the order of its logs. */
static void records_ndjson(struct objects *s)
{
    const struct model *model = s->report->model;
    uint32_t kernel = 0, event = 0;
    size_t unknown = 0, exception = 0;
    for (uint32_t log = 0; log < model->log_count; log++) {
        log_line(s, &model->logs[log]);
        for (; kernel < model->kernel_count && model->kernels[kernel].log == log; kernel++)
            if (kernel_rare(model, &model->kernels[kernel])->copy_of == NO_INDEX)
                kernel_line(s, kernel);
        for (; event < model->event_count && model->events[event].log == log; event++)
            if (linter_selects_event(s->report->linter, event))
                event_line(s, &model->events[event]);
        for (; exception < model->source_exception_count && model->source_exceptions[exception].log == log; exception++)
            add_source_exception_line(s, &model->source_exceptions[exception]);
        for (; unknown < model->unknown_count && model->unknown[unknown].log == log; unknown++)
            unknown_line(s, &model->unknown[unknown]);
    }
}

static void write_objects(const struct report *report, struct out *out, bool lines)
{
    struct objects s = objects_open(report, out, lines);
    object_open_part(&s, "run");
    json_pair_int(&s.json, "schema", RECORD_SCHEMA);
    json_pair_str(&s.json, "tool", STR("warplint"));
    json_pair_str(&s.json, "version", str_of(report->version));
    object_close(&s);
    const uint64_t before = s.ended;
    if (lines)
        records_ndjson(&s);
    objects_list_open(&s, "kernels");
    for (uint32_t kernel = 0; !lines && kernel < report->model->kernel_count; kernel++)
        kernel_line(&s, kernel);
    objects_list_end(&s);
    const uint64_t records = s.ended - before;
    if (report->kind == REPORT_FINDINGS)
        objects_findings(&s, true);
    if (!lines) {
        SCOPED(summary) summary = summary_make(report);
        json_key(&s.json, "summary");
        summary_json(&summary, &s.json);
    }
    end_json(&s, records);
    objects_close(&s);
}

void report_ndjson(const struct report *report, struct out *out)
{
    write_objects(report, out, true);
}

void report_json(const struct report *report, struct out *out)
{
    write_objects(report, out, false);
}
