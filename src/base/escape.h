/*
 * escape: text from a log, a file or a command line so that it can stand on a terminal, on one line, in XML, and in the
 * output of a CI job. Bytes that would be more than text become visible escapes, \x1b: control characters (C0, DEL,
 * C1), invalid UTF-8, what turns the direction of text or cannot be seen, what XML cannot hold, and what CI systems
 * take for a command wherever it stands in a line (## in ##[group] and ##vso[) or at its beginning (::error::).
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include "base/buf.h"

void escape_text(struct str text, struct buf *out);

/* The same for text in which these characters stay as they are: "\n\t". */
void escape_keeping(struct str text, const char *kept, struct buf *out);

/* Between single quotes, which the caller writes, a shell reads the text as it is. */
void escape_single_quotes(struct str text, struct buf *out);

/* A shell takes the word for nothing but itself. */
bool shell_is_plain(struct str word);
/* The word as a shell reads it: as it is, or between single quotes. */
void shell_word(struct str word, struct buf *out);

/* The length of the character at the front of s, 1 to 4 bytes, where it is valid and can be seen; else 0. */
size_t visible_length(struct str s);

#endif
