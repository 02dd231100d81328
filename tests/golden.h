/*
 * golden: cases in a file, a name, an input and what is said of it, byte for byte:
 *
 *   === name
 *   input
 *   --- says
 *   output
 *
 * With WARPLINT_UPDATE set the file is written anew with what is said now; read the difference before keeping it.
 */
#ifndef TESTS_GOLDEN_H
#define TESTS_GOLDEN_H

#include "testing.h"

/* Runs every case of the file (relative to the source tree), of which there must be at least `least`. `say` appends
 * what the program says of the input. */
void golden_run(const char *relative, size_t least, void (*say)(struct str input, struct buf *said));

/* Takes the part of an input before the next line "--- <word> <rest>" off *rest; the line's <rest> becomes *argument.
 * False at the end; the part then is all that is left. */
bool golden_part(struct str *rest, struct str word, struct str *part, struct str *argument);

#endif
