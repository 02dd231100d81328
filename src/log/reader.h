/*
 * reader: reads the bytes of one log and adds records and events to the model. It does no I/O and does not keep the
 * log: memory grows with kernels and distinct events, not with lines. The result does not depend on how the bytes are
 * split.
 *
 * One reader reads one input; several readers may fill one model, one after the other. A reader belongs to the caller
 * until log_reader_finish, which completes the records and frees it.
 */
#pragma once

#include "log/model.h"

struct log_reader;

/* path: the name of the input in records and findings; it is copied. */
struct log_reader *log_reader_new(struct model *model, struct str path);

/* Called for every line, without control sequences, for rules that match raw lines. log: index in model.logs; number:
 * of the line in the log, from 1. */
typedef void line_listener(void *context, struct str line, uint16_t log, uint64_t number);
void log_reader_on_line(struct log_reader *reader, line_listener *listener, void *context);

/*
 * Declares the log to be the output of one compile whose command is known: no line of it is a command, and warplint's
 * own lines count only between marks. With a key (log/mark.h; not empty) only lines between marks of this key are read
 * as output of ptxas; of the other lines only diagnostics of the source and of nvcc are read. The key must outlive the
 * reader.
 */
void log_reader_of_compile(struct log_reader *reader, struct str key);

/* Declares, for the log of one compile, that later lines may be of nvlink. Without this call no line is read as a line
 * of nvlink. */
void log_reader_links(struct log_reader *reader);

void log_reader_feed(struct log_reader *reader, struct str bytes);

void log_reader_finish(struct log_reader *reader);

/*
 * Joins each record of nvlink with the record of ptxas that has the same name and architecture (kernel.link), and
 * infers the architecture of link records from it. Call it once, after all inputs were read.
 */
void model_link(struct model *model);
