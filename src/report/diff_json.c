/*
 * diff as JSON: one document with run, rows, totals, findings and end, or one object per line ("type": run, diff,
 * total, finding, end). A row has the values of both sides and their difference; unknown values are null.
 */
#include "report/delta.h"
#include "report/objects.h"

static void values_json(struct json *json, const char *key, const int32_t *values)
{
    json_key(json, key);
    if (!values) {
        json_write_null(json);
        return;
    }
    json_open(json, '{');
    for (int at = 0; at < MEASURE_COUNT; at++)
        json_pair_known(json, measure_table[at].key, values[at], values[at] != UNKNOWN);
    json_close(json, '}');
}

static void measures_json(struct json *json, const char *key, uint16_t measures)
{
    json_pair_open(json, key, '[');
    for (int at = 0; at < MEASURE_COUNT; at++)
        if (measures & 1u << at)
            json_str(json, str_of(measure_table[at].key));
    json_close(json, ']');
}

static void row_json(struct delta *delta, const struct pair *pair, struct objects *objects)
{
    struct json *json = &objects->json;
    const struct delta_pair of = delta_pair(delta->comparison, pair);
    int32_t was[MEASURE_COUNT], is[MEASURE_COUNT];
    object_open(objects, "diff");
    json_pair_text(json, "state", str_of(compare_state_name((enum compare_state)pair->state)));
    json_pair_bool(json, "renamed", pair->renamed);
    json_pair_text(json, "kernel_id", of.id);
    json_pair_text(json, "name", label_of(&delta->labels, of.id));
    json_pair_text(json, "renamed_from", pair->renamed ? of.base_id : (struct str){"", 0});
    json_pair_text(json, "arch", of.arch);
    json_pair_text(json, "source", of.source);
    measures_json(json, "worse", pair->worse);
    measures_json(json, "better", pair->better);
    compare_values(delta->comparison, of.base, of.head, was, is);
    values_json(json, "base", of.base ? was : NULL);
    values_json(json, "head", of.head ? is : NULL);
    values_json(json, "delta", of.base && of.head ? pair->deltas : NULL);
    object_close(objects);
}

static void sums_json(struct json *json, const char *key, const struct delta_sums *sums)
{
    json_pair_open(json, key, '{');
    json_pair_int(json, "records", sums->entries);
    for (int at = 0; at < MEASURE_COUNT; at++)
        if (measure_table[at].sum)
            json_pair_known(json, measure_table[at].key, sums->values[at], sums->values[at] != SUM_UNKNOWN);
    json_close(json, '}');
}

static void total_json(const struct delta_totals *totals, struct objects *objects)
{
    struct json *json = &objects->json;
    object_open(objects, "total");
    json_pair_text(json, "arch", totals->arch);
    sums_json(json, "base", &totals->base);
    sums_json(json, "head", &totals->head);
    for (int at = 0; at < COMPARE_STATES; at++)
        json_pair_int(json, compare_state_name((enum compare_state)at), (int64_t)totals->by_state[at]);
    json_pair_int(json, "renamed", (int64_t)totals->renamed);
    object_close(objects);
}

static void toolkit_json(struct json *json, const char *key, struct toolkit toolkit)
{
    SCOPED(buf) text = {0};
    buf_fmt(&text, "%d.%d", toolkit.major, toolkit.minor);
    json_pair_text(json, key, toolkit_known(toolkit) ? buf_str(&text) : (struct str){"", 0});
}

static void run_json(const struct delta *delta, struct objects *objects)
{
    struct json *json = &objects->json;
    object_open_part(objects, "run");
    json_pair_text(json, "tool", STR("warplint"));
    json_pair_text(json, "version", str_of(delta->report->version));
    json_pair_open(json, "toolkits", '[');
    EACH(const struct column_pair, column, delta->comparison->columns, delta->comparison->column_count) {
        json_open(json, '{');
        toolkit_json(json, "base", column->base);
        toolkit_json(json, "head", column->head);
        json_pair_bool(json, "drift", column->drift);
        json_close(json, '}');
    }
    json_close(json, ']');
    object_close(objects);
}

static void end_json(const struct delta *delta, struct objects *objects)
{
    struct json *json = &objects->json;
    const struct linter_counts *counts = &delta->report->linter->counts;
    object_open_part(objects, "end");
    json_pair_int(json, "expected", (int64_t)delta->comparison->counts.expected);
    json_pair_int(json, "seen", (int64_t)delta->comparison->counts.seen);
    json_pair_int(json, "unanswered", (int64_t)compare_unanswered(delta->comparison).count);
    json_pair_int(json, "rows", (int64_t)delta->row_count);
    json_pair_int(json, "findings", (int64_t)delta->report->linter->finding_count);
    json_pair_int(json, "failing", (int64_t)counts->failing);
    json_pair_int(json, "drifted", (int64_t)counts->drifted);
    json_pair_bool(json, "incomplete", delta->report->incomplete);
    if (delta->report->incomplete)
        json_pair_text(json, "why_incomplete", delta->report->why_incomplete);
    object_close(objects);
}

static void write_objects(const struct report *report, struct out *out, bool lines)
{
    SCOPED(delta) delta = {0};
    delta_make(&delta, report);
    struct objects objects = objects_open(report, out, lines);
    run_json(&delta, &objects);
    objects_list_open(&objects, "rows");
    for (size_t at = 0; at < delta.row_count; at++)
        row_json(&delta, delta.rows[at], &objects);
    objects_list_end(&objects);
    objects_list_open(&objects, "totals");
    for (size_t at = 0; at < delta.arch_count; at++)
        total_json(&delta.archs[at], &objects);
    total_json(&delta.all, &objects);
    objects_list_end(&objects);
    objects_findings(&objects, false);
    end_json(&delta, &objects);
    objects_close(&objects);
}

void diff_json(const struct report *report, struct out *out)
{
    write_objects(report, out, false);
}

void diff_ndjson(const struct report *report, struct out *out)
{
    write_objects(report, out, true);
}
