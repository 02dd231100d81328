/*
 * ndjson_reader: reads NDJSON of warplint into the model: the output of `report --format ndjson` (report/ndjson.c), and
 * the records that `wrap` writes beside an object. Values that the log stated are read; values that were computed from
 * them (identities, occupancy) are computed again. So a stream is judged like the log from which it was made, and
 * writing it again gives the same bytes.
 *
 * A stream is one line `run`, then for each log one line `log` and its `kernel`, `event` and `unknown` lines, then
 * `finding` lines (not read), and finally `end`. Streams may be concatenated. A stream that cannot be read to its end
 * leaves nothing in the model, so that a part of a build is never judged silently.
 */
#pragma once

#include "base/diag.h"
#include "log/model.h"

enum { RECORD_SCHEMA = 1 }; /* of written streams; older ones are read, newer ones are refused */

/* True if the line is the first line of a stream: an object with "type": "run". */
bool record_is_run(struct str line);

struct ndjson_reader;

/* path: the name of the stream in diagnostics. path, model and diags must outlive the reader. */
struct ndjson_reader *ndjson_reader_new(struct model *model, struct str path, struct diags *diags);
void ndjson_reader_feed(struct ndjson_reader *reader, struct str bytes);

/* Ends and frees the reader. If the stream was not read to its end, returns false with a diagnostic (the first error,
 * with its line); the model is then as it was before. */
bool ndjson_reader_finish(struct ndjson_reader *reader);
