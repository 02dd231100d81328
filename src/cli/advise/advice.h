/*
 * advice: what there is to say of one kernel on one architecture to somebody who tunes it, for people and as JSON.
 * Facts, not causes, and no promise of speed.
 */
#ifndef CLI_ADVICE_H
#define CLI_ADVICE_H

#include "base/json.h"
#include "report/report.h"

/* Appends the section of one record, at most 80 columns wide. */
void advice_text(const struct report *report, uint32_t kernel, struct buf *out);
/* The same as one object. What is not known is null. */
void advice_json(const struct report *report, uint32_t kernel, struct json *json);

#endif
