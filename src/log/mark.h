/*
 * mark: lines of our own around what ptxas says. Under `warplint wrap` nvcc starts us in front of ptxas
 * (nvcc/ptxas_hook.h); we write one such line before its messages and one behind them:
 *
 *   warplint info    : ptxas 0123456789abcdef begins
 *   warplint info    : ptxas 0123456789abcdef ends
 *
 * The key is random and new for each command, and is passed in the environment: a source can make the compiler print
 * any line, but not one with this key. A compiler cache keeps and repeats the lines with the key of the first run.
 */
#ifndef LOG_MARK_H
#define LOG_MARK_H

#include "base/buf.h"

#include <stdbool.h>

#define MARK_VARIABLE "WARPLINT_PTXAS_KEY"
enum { MARK_KEY_BYTES = 16 };

/* Appends the line with its end. */
void mark_write(struct buf *out, struct str key, bool begins);

/* Where a mark begins in the line, which it ends, or STR_NONE: somebody may have left the line before without an end.
 * The key is a slice of it. */
size_t mark_find(struct str line, struct str *key, bool *begins);

/*
 * The key to believe in a text: `own` where a mark has it. Else, of a text that a cache may have kept (`kept`), the key
 * of its marks if all have the same. Empty: no line of the text is known to be of ptxas.
 */
struct str mark_key(struct str text, struct str own, bool kept);

/* What follows the last mark of the key; empty where there is none. */
struct str mark_rest(struct str text, struct str key);

#endif
