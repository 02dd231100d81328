/*
 * json and ndjson: the same objects, in one document or one a line. NDJSON is the form that other inputs of warplint
 * read back, so it holds every record, halves of linked pairs too.
 */
#include "report/column.h"

#include <stdlib.h>

enum { SCHEMA = 1 };

static void run_json(const struct report *report, struct json *json)
{
    json_open(json, '{');
    json_key(json, "type");
    json_str(json, STR("run"));
    json_key(json, "schema");
    json_int(json, SCHEMA);
    json_key(json, "tool");
    json_str(json, STR("warplint"));
    json_key(json, "version");
    json_str(json, str_of(report->version));
    json_close(json, '}');
}

static void end_json(const struct report *report, struct json *json)
{
    struct totals totals = report_totals(report);
    const struct {
        const char *key;
        uint64_t value;
    } counts[] = {
        {"kernels", totals.kernels},     {"entries", totals.entries},
        {"functions", totals.functions}, {"lines", totals.lines},
        {"unknown_lines", totals.unknown_lines}, {"ambiguous", totals.ambiguous},
        {"findings", report->kind == REPORT_FINDINGS ? report->judge->finding_count : 0},
        {"suppressed", report->judge->counts.suppressed},
    };
    json_open(json, '{');
    json_key(json, "type");
    json_str(json, STR("end"));
    for (size_t at = 0; at < sizeof counts / sizeof *counts; at++) {
        json_key(json, counts[at].key);
        json_int(json, (int64_t)counts[at].value);
    }
    json_key(json, "interleaved");
    json_bool(json, totals.interleaved);
    json_close(json, '}');
}

/* By finding: how many members its group has; 0: it is suppressed, and in none. */
static size_t *group_sizes(const struct report *report)
{
    size_t *sizes = mem_alloc((report->judge->finding_count + 1) * sizeof *sizes);
    for (size_t g = 0; g < report->groups->count; g++) {
        const struct group *group = &report->groups->items[g];
        for (uint32_t m = 0; m < group->count; m++)
            sizes[report->groups->members[group->first + m]] = group->count;
    }
    return sizes;
}

static void findings_json(const struct report *report, struct json *json, struct out *out, bool lines)
{
    size_t *sizes = group_sizes(report);
    uint32_t *order = findings_sorted(report->judge);
    for (size_t at = 0; at < report->judge->finding_count; at++) {
        size_t size = sizes[order[at]];
        finding_json(report, &report->judge->findings[order[at]], size ? size : 1, json);
        if (lines) {
            buf_char(&out->text, '\n');
            json->after_value = false;
        }
        out_spill(out);
    }
    free(order);
    free(sizes);
}

static void kernels_json(const struct report *report, struct json *json, struct out *out, bool lines)
{
    for (uint32_t k = 0; k < report->model->kernel_count; k++) {
        if (!judge_selects(report->judge, k))
            continue;
        column_json(report, k, json);
        if (lines) {
            buf_char(&out->text, '\n');
            json->after_value = false;
        }
        out_spill(out);
    }
}

void report_ndjson(const struct report *report, struct out *out)
{
    struct json json = {.out = &out->text};
    run_json(report, &json);
    buf_char(&out->text, '\n');
    json.after_value = false;
    kernels_json(report, &json, out, true);
    if (report->kind == REPORT_FINDINGS)
        findings_json(report, &json, out, true);
    end_json(report, &json);
    buf_char(&out->text, '\n');
}

void report_json(const struct report *report, struct out *out)
{
    struct json json = {.out = &out->text};
    json_open(&json, '{');
    json_key(&json, "run");
    run_json(report, &json);
    json_key(&json, "kernels");
    json_open(&json, '[');
    kernels_json(report, &json, out, false);
    json_close(&json, ']');
    if (report->kind == REPORT_FINDINGS) {
        json_key(&json, "findings");
        json_open(&json, '[');
        findings_json(report, &json, out, false);
        json_close(&json, ']');
    }
    json_key(&json, "end");
    end_json(report, &json);
    json_close(&json, '}');
    buf_char(&out->text, '\n');
}
