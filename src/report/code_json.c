#include "report/code_json.h"

#include "log/local_memory.h"
#include "report/location.h"

static void file_and_line(const struct report *report, const struct code_place *place, struct json *json)
{
    struct buf path = {0};
    location_path(report, model_string(report->model, place->file), &path);
    json_pair_str(json, "file", buf_str(&path));
    json_pair_int(json, "line", place->line);
    buf_free(&path);
}

/* The calls that were inlined, from the innermost place outwards: each with what was inlined there. */
static void inlined_json(const struct report *report, uint32_t number, struct json *json)
{
    json_pair_open(json, "inlined", '[');
    while (number != NO_INDEX) {
        const struct code_place place = code_place_get(report->model, number);
        json_open(json, '{');
        file_and_line(report, &place, json);
        json_pair_text(json, "function", intern_get(&report->model->names, place.function));
        json_close(json, '}');
        number = place.caller;
    }
    json_close(json, ']');
}

static void site_json(const struct report *report, const struct code_site *site, struct json *json)
{
    const struct {
        const char *key;
        int64_t value;
    } numbers[] = {
        {"depth", site->depth},           {"stores", site->stores},
        {"loads", site->loads},           {"store_bytes", site->store_bytes},
        {"load_bytes", site->load_bytes},
    };
    json_open(json, '{');
    if (site->place == NO_INDEX) {
        json_pair_known(json, "file", 0, false);
        json_pair_known(json, "line", 0, false);
    } else {
        const struct code_place place = code_place_get(report->model, code_place_shown(report->model, site->place));
        file_and_line(report, &place, json);
    }
    inlined_json(report, site->place, json);
    for (size_t at = 0; at < sizeof numbers / sizeof *numbers; at++)
        json_pair_int(json, numbers[at].key, numbers[at].value);
    json_close(json, '}');
}

/* Null: no places are known. */
static void sites_json(const struct report *report, const char *key, uint32_t first, uint32_t count, bool known,
                       struct json *json)
{
    json_key(json, key);
    if (!known) {
        json_write_null(json);
        return;
    }
    json_open(json, '[');
    for (uint32_t at = 0; at < count; at++)
        site_json(report, &report->model->code.sites[first + at], json);
    json_close(json, ']');
}

void code_json(const struct report *report, const struct kernel *kernel, struct json *json)
{
    const struct kernel_code *code = kernel_code(report->model, kernel);
    if (!code->spill_sites_known && !code->array_sites_known)
        return;
    sites_json(report, "spill_sites", code->first_spill_site, code->spill_site_count, code->spill_sites_known, json);
    sites_json(report, "array_sites", code->first_array_site, code->array_site_count, code->array_sites_known, json);
}
