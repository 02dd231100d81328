/* buf: text that is owned and grows. A zeroed struct is an empty buffer; buf_free gives the memory back. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/mem.h"

struct buf {
    char *ptr;
    size_t len, cap; /* bytes used, bytes owned */
};

void buf_add(struct buf *b, struct str s);
void buf_char(struct buf *b, char c);
void buf_pad(struct buf *b, char c, size_t count); /* count times c */
void buf_int(struct buf *b, int64_t value);        /* decimal */
void buf_fmt(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Appends a text about a count, and nothing if it is 0: "#" is the number, "{y|ies}" is "y" for one, "ies" for several.
 */
void buf_count(struct buf *b, uint64_t count, const char *text);
/* Appends the words of one line. The buffer ends at `column`; where a word does not fit `width`, a new line begins,
 * with `indent`. A word that is longer than a line is not broken. width 0: everything stays on one line. */
void buf_fold(struct buf *b, struct str text, size_t column, size_t indent, size_t width);
/* The same of each line of the text, from the first column on, with its end. */
void buf_fold_lines(struct buf *b, struct str text, size_t indent, size_t width);
/* Appends paragraphs (lines of `text`), each with that indent and folded. */
void buf_wrap(struct buf *b, struct str text, size_t indent, size_t width);
/* Appends a path, behind a root where there is text already, without "." and with ".." taken up where that is possible:
 * build/../flow/a.cu is flow/a.cu, and /../a is /a. backslashes: they separate names, too. */
void path_clean(struct str path, bool backslashes, struct buf *out);
/* The next name of a path; false at its end. */
bool path_next(struct str *rest, bool backslashes, struct str *name);

char *buf_room(struct buf *b, size_t bytes); /* room for so many behind the end: fill it and add to len */
void buf_clear(struct buf *b);               /* empty, memory kept */
void buf_free(struct buf *b);                /* empty, memory returned */
struct str buf_str(const struct buf *b);     /* valid until the next change */
struct str arena_take(struct arena *arena, struct buf *text); /* a copy of the text, which is freed */

#endif
