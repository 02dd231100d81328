/*
 * input: the bytes of one input, whatever it is: a log for log/reader.h, or our own NDJSON for log/ndjson_reader.h,
 * which is known by its first line and by its name (`.ndjson`).
 */
#ifndef LOG_INPUT_H
#define LOG_INPUT_H

#include "base/diag.h"
#include "log/reader.h"

struct input;

/* `path` names the input in records and findings, as given; path, model and diags must outlive it. */
struct input *input_new(struct model *model, struct str path, struct diags *diags);

/* Called for every clean line of a log; never for NDJSON, which holds no lines. */
void input_on_line(struct input *input, line_listener *listener, void *context);

void input_feed(struct input *input, struct str bytes);

/* Ends and frees it. False with a diagnostic when NDJSON could not be read; nothing of it is in the model then.
 * *records, when it is not NULL, says whether it was NDJSON. */
bool input_finish(struct input *input, bool *records);

#endif
