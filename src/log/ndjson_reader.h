/*
 * ndjson_reader: our own NDJSON back into the model: what `report --format ndjson` wrote (report/ndjson.c) and what
 * `wrap` leaves beside an object. What the log stated is read; what was computed from it (identities, occupancy) is
 * not, it is computed again. So judging a stream is judging the log that it was made of, and writing it again gives its
 * bytes.
 *
 * A stream is one line `run`, then for each log one line `log` and its `kernel`, `event` and `unknown` lines, then
 * `finding` lines (not read back), last `end`. Streams may stand behind each other. One that cannot be read to its end
 * leaves nothing in the model: half a build is never judged silently.
 */
#ifndef LOG_NDJSON_READER_H
#define LOG_NDJSON_READER_H

#include "base/diag.h"
#include "log/model.h"

enum { RECORD_SCHEMA = 1 }; /* of the streams that are written; older ones are read, newer ones refused */

/* The line is how a stream begins: an object with "type": "run". */
bool record_is_run(struct str line);

struct ndjson_reader;

/* `path` names the stream in diagnostics; path, model and diags must outlive the reader. */
struct ndjson_reader *ndjson_reader_new(struct model *model, struct str path, struct diags *diags);
void ndjson_reader_feed(struct ndjson_reader *reader, struct str bytes);

/* Ends and frees the reader. False with a diagnostic (the first fault, with its line) when the stream was not read to
 * its end; the model then holds what it held before. */
bool ndjson_reader_finish(struct ndjson_reader *reader);

#endif
