/*
 * diff as JSON: one document with run, rows, totals, findings and end, or one object a line ("type": run, diff, total,
 * finding, end). A row has the values of both sides and their difference; what is not known is null.
 */
#include "report/column.h"
#include "report/delta.h"

#include <stdlib.h>

static void open_type(struct json *json, const char *type)
{
    json_open(json, '{');
    json_pair_str(json, "type", str_of(type));
}

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

static void row_json(struct delta *delta, const struct pair *pair, struct json *json)
{
    const struct kernel_metrics *base = delta_base(delta, pair), *head = delta_head(delta, pair);
    open_type(json, "diff");
    json_pair_text(json, "state", str_of(compare_state_name((enum compare_state)pair->state)));
    json_pair_bool(json, "renamed", pair->renamed);
    json_pair_text(json, "kernel_id", delta_id(delta, pair));
    json_pair_text(json, "name", delta_label(delta, delta_id(delta, pair)));
    json_pair_text(json, "renamed_from", pair->renamed ? delta_base_id(delta, pair) : (struct str){"", 0});
    json_pair_text(json, "arch", delta_arch(delta, pair));
    json_pair_text(json, "source", delta_source(delta, pair));
    measures_json(json, "worse", pair->worse);
    measures_json(json, "better", pair->better);
    values_json(json, "base", base ? base->values : NULL);
    values_json(json, "head", head ? head->values : NULL);
    values_json(json, "delta", base && head ? pair->deltas : NULL);
    json_close(json, '}');
}

static void sums_json(struct json *json, const char *key, int64_t records, const int64_t *sums)
{
    json_pair_open(json, key, '{');
    json_pair_int(json, "records", records);
    for (int at = 0; at < MEASURE_COUNT; at++)
        if (measure_table[at].sum)
            json_pair_int(json, measure_table[at].key, sums[at]);
    json_close(json, '}');
}

static void total_json(const struct delta_totals *totals, struct json *json)
{
    open_type(json, "total");
    json_pair_text(json, "arch", totals->arch);
    sums_json(json, "base", totals->base_entries, totals->base);
    sums_json(json, "head", totals->head_entries, totals->head);
    for (int at = 0; at < COMPARE_STATES; at++)
        json_pair_int(json, compare_state_name((enum compare_state)at), (int64_t)totals->by_state[at]);
    json_pair_int(json, "renamed", (int64_t)totals->renamed);
    json_close(json, '}');
}

static void toolkit_json(struct json *json, const char *key, struct toolkit toolkit)
{
    struct buf text = {0};
    buf_fmt(&text, "%d.%d", toolkit.major, toolkit.minor);
    json_pair_text(json, key, toolkit_known(toolkit) ? buf_str(&text) : (struct str){"", 0});
    buf_free(&text);
}

static void run_json(const struct delta *delta, struct json *json)
{
    open_type(json, "run");
    json_pair_text(json, "tool", STR("warplint"));
    json_pair_text(json, "version", str_of(delta->report->version));
    json_pair_open(json, "toolkits", '[');
    for (size_t at = 0; at < delta->comparison->column_count; at++) {
        const struct column_pair *column = &delta->comparison->columns[at];
        json_open(json, '{');
        toolkit_json(json, "base", column->base);
        toolkit_json(json, "head", column->head);
        json_pair_bool(json, "drift", column->drift);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

static void end_json(const struct delta *delta, struct json *json)
{
    const struct linter_counts *counts = &delta->report->linter->counts;
    open_type(json, "end");
    json_pair_int(json, "expected", (int64_t)delta->comparison->counts.expected);
    json_pair_int(json, "seen", (int64_t)delta->comparison->counts.seen);
    json_pair_int(json, "rows", (int64_t)delta->row_count);
    json_pair_int(json, "findings", (int64_t)delta->report->linter->finding_count);
    json_pair_int(json, "failing", (int64_t)counts->failing);
    json_pair_int(json, "drifted", (int64_t)counts->drifted);
    json_pair_bool(json, "incomplete", delta->report->incomplete);
    json_close(json, '}');
}

/* Where the objects go: one a line, or members of one document. */
struct place_of_objects {
    struct delta *delta;
    struct json json;
    struct out *out;
    bool lines;
};

static void open_part(struct place_of_objects *p, const char *key, bool array)
{
    if (p->lines)
        return;
    json_key(&p->json, key);
    if (array)
        json_open(&p->json, '[');
}

static void close_part(struct place_of_objects *p)
{
    if (!p->lines)
        json_close(&p->json, ']');
}

static void end_object(struct place_of_objects *p)
{
    if (p->lines) {
        buf_char(&p->out->text, '\n');
        p->json.after_value = false;
    }
    out_spill(p->out);
}

static void findings(struct place_of_objects *p)
{
    struct linter *linter = p->delta->report->linter;
    uint32_t *order = findings_sorted(linter);
    for (size_t at = 0; at < linter->finding_count; at++) {
        finding_json(p->delta->report, &linter->findings[order[at]], 1, &p->json);
        end_object(p);
    }
    free(order);
}

static void totals(struct place_of_objects *p)
{
    for (size_t at = 0; at < p->delta->arch_count; at++) {
        total_json(&p->delta->archs[at], &p->json);
        end_object(p);
    }
    total_json(&p->delta->all, &p->json);
    end_object(p);
}

static void write_objects(const struct report *report, struct out *out, bool lines)
{
    struct delta delta;
    delta_make(&delta, report);
    struct place_of_objects p = {.delta = &delta, .json = {.out = &out->text}, .out = out, .lines = lines};
    if (!lines)
        json_open(&p.json, '{');
    open_part(&p, "run", false);
    run_json(&delta, &p.json);
    end_object(&p);
    open_part(&p, "rows", true);
    for (size_t at = 0; at < delta.row_count; at++) {
        row_json(&delta, &delta.comparison->pairs[delta.rows[at]], &p.json);
        end_object(&p);
    }
    close_part(&p);
    open_part(&p, "totals", true);
    totals(&p);
    close_part(&p);
    open_part(&p, "findings", true);
    findings(&p);
    close_part(&p);
    open_part(&p, "end", false);
    end_json(&delta, &p.json);
    end_object(&p);
    if (!lines) {
        json_close(&p.json, '}');
        buf_char(&out->text, '\n');
    }
    delta_free(&delta);
}

void diff_json(const struct report *report, struct out *out)
{
    write_objects(report, out, false);
}

void diff_ndjson(const struct report *report, struct out *out)
{
    write_objects(report, out, true);
}
