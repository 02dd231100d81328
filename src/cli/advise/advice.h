/*
 * advice: the facts about one kernel on one architecture that help to tune it, as text and as JSON. It states no causes
 * and promises no speed.
 */
#pragma once

#include "base/json.h"
#include "report/report.h"

/* Appends the section of one record, at most 80 columns wide. */
void advice_text(const struct report *report, uint32_t kernel, struct buf *out);
/* Adds the same as members of the record's object. Unknown values are null. */
void advice_json(const struct report *report, uint32_t kernel, struct json *json);
