/*
 * quoted_text: compiler messages inside a string literal, as Python's repr() and JSON write them: a whole log on one
 * line, with `\n` for the end of each line, `\x00` at the end of the buffer, and quotes around it.
 */
#ifndef LOG_QUOTED_TEXT_H
#define LOG_QUOTED_TEXT_H

#include "base/buf.h"

/* The line holds `\n` where a message of the compiler begins or where the string literal ends. A path of Windows
 * ("build\new.obj") does not count. */
bool quoted_text_is(struct str line);

/* Appends the lines that the literal stands for, up to the first quote behind its last `\n`. */
void quoted_text_unescape(struct str line, struct buf *out);

/* One message in quotes, as in a list of lines in Python or JSON: what stands between them. Any other line: itself. */
struct str quoted_text_strip(struct str line);

#endif
