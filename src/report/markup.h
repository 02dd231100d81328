/* markup: text from a log in HTML, XML and Markdown. escape_text makes all of it printable first. */
#pragma once

#include "base/buf.h"

/* Writes text for HTML and XML, also in quoted attributes. Control characters become escapes: XML has none. */
void html_text(struct str text, struct buf *out);
/* The same for a name or a path; a long one may be broken into lines after :: < , _ and /. */
void html_name(struct str name, struct buf *out);
/* As buf_fmt, for HTML and XML: the format and %s are markup. %.*s is text, written by html_text; %-.*s is a name,
 * written by html_name. Numbers are %d %u %zu %lld, and %% is a percent sign. */
void html_fmt(struct buf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends text that people wrote as one line: a line end becomes a blank. */
void one_line(struct str text, struct buf *out);
/* As html_fmt, for a terminal: %.*s is written by escape_text. */
void text_fmt(struct buf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes text for GitHub's Markdown, for a line or a cell of a table: literally, with no link, mention, emoji or
 * emphasis. */
void markdown_text(struct str text, struct buf *out);
/* The same as code. */
void markdown_code(struct str text, struct buf *out);
/* As html_fmt: markdown_text writes %.*s, and markdown_code writes %-.*s. */
void markdown_fmt(struct buf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends the text as a Markdown paragraph with an empty line after it; nothing if the text is empty. */
void markdown_paragraph(struct str text, struct buf *out);

/* Appends the text with a backslash before each character that is in `special`. */
void backslash_text(struct str text, const char *special, struct buf *out);

/* Appends the number; `otherwise` if it is not known. */
void number_text(int64_t number, bool known, const char *otherwise, struct buf *out);

/* Appends a field of CSV, quoted if needed, as in report_csv. */
void csv_text(struct str text, struct buf *out);
/* Appends a comma, and the number if it is known. */
void csv_number(int64_t number, bool known, struct buf *out);
