/* markup: text from a log inside of HTML, XML and Markdown. All of it goes through safe_text first. */
#ifndef REPORT_MARKUP_H
#define REPORT_MARKUP_H

#include "base/buf.h"

/* For text and quoted attributes of HTML and XML, which has no way at all to say a control character. */
void html_text(struct str text, struct buf *out);
/* The same of a name or a path, which may be broken into lines behind :: < , _ and /, if it is long. */
void html_name(struct str name, struct buf *out);
/* As buf_fmt, for HTML and XML: the format and %s are markup; %.*s is text, as html_text writes it, and %-.*s a name,
 * as html_name does. Numbers are %d %u %zu %lld, and %% is a percent sign. */
void html_fmt(struct buf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Text that people wrote, in one line: a line end is a blank. */
void one_line(struct str text, struct buf *out);
/* As html_fmt, for a terminal: %.*s as escape_text writes it. */
void text_fmt(struct buf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* For GitHub's Markdown, in a line and in a cell of a table: shown as it is, no link, mention, emoji or emphasis. */
void markdown_text(struct str text, struct buf *out);
/* The same as code. */
void markdown_code(struct str text, struct buf *out);
/* As html_fmt: %.*s as markdown_text writes it, %-.*s as markdown_code does. */
void markdown_fmt(struct buf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same as a paragraph with an empty line behind it; nothing of an empty text. */
void markdown_paragraph(struct str text, struct buf *out);
/* Each line as an item of a list. */
void markdown_list(struct str lines, struct buf *out);

/* With a backslash before each of these characters. */
void backslash_text(struct str text, const char *special, struct buf *out);

/* A field of CSV, quoted where needed, as report_csv writes them. */
void csv_text(struct str text, struct buf *out);
/* A comma and a number, which is left out where it is not known. */
void csv_number(int64_t number, bool known, struct buf *out);

#endif
