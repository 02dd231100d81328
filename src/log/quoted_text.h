/*
 * quoted_text: compiler messages inside a string literal, as Python's repr() and JSON write them: a whole log on one
 * line, with `\n` for the end of each line, `\x00` at the end of the buffer, and quotes around it.
 */
#pragma once

#include "base/buf.h"

/* True if the line contains `\n` directly before a message of the compiler or before the end of the string literal. A
 * path of Windows ("build\new.obj") does not count. */
bool quoted_text_is(struct str line);

/* Appends the lines that the literal contains, without escapes, up to the first quote after its last `\n`. */
void quoted_text_unescape(struct str line, struct buf *out);

/* Returns the text between the quotes if the line is one message in quotes, as in a list of lines in Python or JSON;
 * else the line. */
struct str quoted_text_strip(struct str line);
