/*
 * escape: makes text from a log, a file or a command line safe for a terminal, for one line, for XML and for the output
 * of a CI job. Bytes that are more than text become visible escapes like \x1b: control characters (C0, DEL, C1),
 * invalid UTF-8, invisible characters and those that change the text direction, characters that XML cannot hold, and
 * sequences that CI systems take for a command, either anywhere in a line (## in ##[group] and ##vso[) or at its
 * beginning (::error::).
 */
#pragma once

#include "base/buf.h"

void escape_text(struct str text, struct buf *out);

/* Like escape_text, but keeps the characters of `kept`, for example "\n\t". */
void escape_keeping(struct str text, const char *kept, struct buf *out);

/* Appends text for the inside of single quotes, which the caller writes: a shell then reads the original text. */
void escape_single_quotes(struct str text, struct buf *out);

/* A shell reads the word as itself, without quotes. */
bool shell_is_plain(struct str word);
/* Appends the word as a shell must read it: unchanged if it is plain, else in single quotes. */
void shell_word(struct str word, struct buf *out);

/* The length in bytes, 1 to 4, of the first character of s; 0 if it is invalid or not visible. */
size_t visible_length(struct str s);
