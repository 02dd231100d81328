/*
 * reader: bytes of one log in, records and events of the model out. It does no I/O and never holds the log: memory
 * grows with kernels and distinct events, not with lines. The same bytes in other pieces give the same model.
 *
 * One reader reads one input; several readers may fill one model, one after the other. A reader belongs to the caller
 * until log_reader_finish, which completes the records and frees it.
 */
#ifndef LOG_READER_H
#define LOG_READER_H

#include "log/model.h"

struct log_reader;

/* `path` names the input in records and findings, as given; it is copied. */
struct log_reader *log_reader_new(struct model *model, struct str path);

/* Called for every clean line (no control sequences) with the number of its log in the model and its own, from 1; for
 * rules that match raw lines. */
typedef void line_listener(void *context, struct str line, uint16_t log, uint64_t number);
void log_reader_on_line(struct log_reader *reader, line_listener *listener, void *context);

/*
 * The log is what one compile said, and its command is known: no line of it is a command, and none is a line of ours
 * unless it stands between marks. With a key (log/mark.h; not empty) only what stands between marks of this key is read
 * as ptxas's; of the other lines the diagnostics of the source are read, and nvcc's. The key must outlive the reader.
 */
void log_reader_of_compile(struct log_reader *reader, struct str key);

/* Of such a log: from here on a linker speaks, too. Without this no line of it is nvlink's. */
void log_reader_links(struct log_reader *reader);

void log_reader_feed(struct log_reader *reader, struct str bytes);

void log_reader_finish(struct log_reader *reader);

/*
 * After all inputs: joins each nvlink record with the ptxas record of the same name and architecture (kernel.link),
 * and infers the architecture of link records from them. Called once by whoever read the inputs.
 */
void model_link(struct model *model);

#endif
