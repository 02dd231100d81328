/*
 * golden: test cases in a file. A case is a name, an input and the expected output, byte for byte:
 *
 *   === name
 *   input
 *   --- says
 *   output
 *
 * With WARPLINT_UPDATE set, the file is rewritten with the actual output; read the difference before you keep it.
 */
#pragma once

#include "testing.h"

/* Runs every case of the file, whose path is relative to the source tree; fails if there are fewer than `least`. `say`
 * appends the program's output for the input. */
void golden_run(const char *relative, size_t least, void (*say)(struct str input, struct buf *said));

/* Cuts *rest at its next line "--- <word> <rest>": the text before it becomes *part, the line's <rest> becomes
 * *argument. Without such a line returns false, and *part is all of *rest. */
bool golden_part(struct str *rest, struct str word, struct str *part, struct str *argument);
