#include "report/objects.h"

#include "report/column.h"

#include <stdlib.h>

struct objects objects_open(const struct report *report, struct out *out, bool lines)
{
    struct objects objects = {.report = report, .out = out, .json = {.out = &out->text}, .lines = lines};
    if (!lines)
        json_open(&objects.json, '{');
    return objects;
}

void objects_list_open(struct objects *objects, const char *key)
{
    if (!objects->lines)
        json_pair_open(&objects->json, key, '[');
}

void objects_list_end(struct objects *objects)
{
    if (!objects->lines)
        json_close(&objects->json, ']');
}

void objects_close(struct objects *objects)
{
    if (objects->lines)
        return;
    json_close(&objects->json, '}');
    buf_char(&objects->out->text, '\n');
}

void object_open(struct objects *objects, const char *type)
{
    json_open(&objects->json, '{');
    json_pair_str(&objects->json, "type", str_of(type));
}

void object_open_part(struct objects *objects, const char *type)
{
    if (!objects->lines)
        json_key(&objects->json, type);
    object_open(objects, type);
}

void object_close(struct objects *objects)
{
    json_close(&objects->json, '}');
    if (objects->lines) {
        buf_char(&objects->out->text, '\n');
        objects->json.after_value = false;
    }
    objects->ended++;
    out_spill(objects->out);
}

/* A suppressed finding is not in a group: its count is 1. */
void objects_findings(struct objects *objects, bool grouped)
{
    const struct report *report = objects->report;
    uint32_t *order = findings_sorted(report->linter);
    objects_list_open(objects, "findings");
    for (size_t at = 0; at < report->linter->finding_count; at++) {
        uint32_t group = grouped ? report->groups->group_of[order[at]] : NO_INDEX;
        size_t count = group == NO_INDEX ? 1 : report->groups->all[group].count;
        object_open(objects, "finding");
        finding_json(report, &report->linter->findings[order[at]], count, &objects->json);
        object_close(objects);
    }
    objects_list_end(objects);
    free(order);
}
