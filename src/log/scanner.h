/*
 * scanner: reads a source to its end and hands out the tokens of one block after the other. Once the source proves
 * large several threads do so: one at a time takes the next bytes, all of them look through theirs at once. The caller
 * of scanner_next is one of them whenever the block it needs is not ready, and gets the blocks in their order.
 */
#ifndef LOG_SCANNER_H
#define LOG_SCANNER_H

#include "log/scan.h"

/* Reads up to `room` bytes; 0 at the end and after an error, which the source keeps. Called by one thread at a time. */
typedef size_t scan_fill(void *source, char *into, size_t room);

struct scanner;

/* `before`: bytes already read. `threads`: see threads_to_use. Where no thread can be started the caller does all. */
struct scanner *scanner_new(scan_fill *fill, void *source, struct str before, bool all, unsigned threads);
const struct tokens *scanner_next(struct scanner *scanner); /* good until the next call; NULL at the end */
struct str scanner_rest(const struct scanner *scanner);     /* after the end: the line that had none */
void scanner_free(struct scanner *scanner);

#endif
