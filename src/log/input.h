/*
 * input: passes the bytes of one input to its reader: log/reader.h for a log, log/ndjson_reader.h for NDJSON of
 * warplint, which is recognised by its first line and by its name (`.ndjson`).
 */
#pragma once

#include "base/diag.h"
#include "log/reader.h"

struct input;

/* path: the name of the input in records and findings. path, model and diags must outlive the input. */
struct input *input_new(struct model *model, struct str path, struct diags *diags);

/* Sets a function that is called for every clean line of a log, but not for NDJSON. */
void input_on_line(struct input *input, line_listener *listener, void *context);

void input_feed(struct input *input, struct str bytes);

/* Ends and frees the input. Returns false with a diagnostic if NDJSON could not be read; then the model contains
 * nothing of it. *records (unless records is NULL) becomes true if the input was NDJSON. */
bool input_finish(struct input *input, bool *records);
