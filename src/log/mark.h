/*
 * mark: lines of warplint around the output of ptxas. `warplint wrap` makes nvcc start warplint instead of ptxas
 * (nvcc/ptxas_hook.h). warplint writes one such line before the messages of ptxas and one after them:
 *
 *   warplint info    : ptxas 0123456789abcdef begins
 *   warplint info    : ptxas 0123456789abcdef ends
 *
 * The key is random, new for each command, and passed in the environment: a source can make the compiler print any
 * line, but not one with this key. A compiler cache stores and repeats the lines with the key of the first run.
 */
#pragma once

#include "base/buf.h"

#include <stdbool.h>

#define MARK_VARIABLE "WARPLINT_PTXAS_KEY"
enum { MARK_KEY_BYTES = 16 };

/* Appends the mark with its line end. */
void mark_write(struct buf *out, struct str key, bool begins);

/* The position of a mark at the end of a line, STR_NONE if there is none. Text before the mark is an unfinished line of
 * another program. *key is a slice of the line. */
size_t mark_find(struct str line, struct str *key, bool *begins);

/*
 * The key of the marks that are accepted in a text: `own` if a mark has it. Otherwise, if a compiler cache may have
 * stored the text (`kept`), the key of all marks if they have the same one. Empty if no line of the text is known to be
 * of ptxas.
 */
struct str mark_key(struct str text, struct str own, bool kept);

/* The text after the last mark with the key; empty if there is none. */
struct str mark_rest(struct str text, struct str key);
