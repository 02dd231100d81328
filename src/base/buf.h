/* buf: a text buffer that owns its memory and grows. A zeroed struct is an empty buffer; buf_free returns the
 * memory. */
#pragma once

#include "base/mem.h"

struct buf {
    char *ptr;
    size_t len, cap; /* bytes used, bytes allocated */
};

void buf_add(struct buf *b, struct str s);
void buf_char(struct buf *b, char c);
void buf_pad(struct buf *b, char c, size_t count); /* count times c */
void buf_int(struct buf *b, int64_t value);        /* decimal */
void buf_fmt(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Appends a text about a count, or nothing if the count is 0. "#" becomes the number; "{y|ies}" becomes "y" if the
 * count is 1, else "ies". */
void buf_count(struct buf *b, uint64_t count, const char *text);
/* Appends the words of one line. `column` is the current column at the end of the buffer; before a word that does not
 * fit in `width` a new line with `indent` begins. A word longer than a line is not broken. width 0: everything stays on
 * one line. */
void buf_fold(struct buf *b, struct str text, size_t column, size_t indent, size_t width);
/* Folds each line of the text in the same way, from column 0, and ends it with a line feed. */
void buf_fold_lines(struct buf *b, struct str text, size_t indent, size_t width);
/* Appends paragraphs (one per line of `text`), each indented and folded. */
void buf_wrap(struct buf *b, struct str text, size_t indent, size_t width);
/* Appends a path without "." and, where possible, with ".." resolved: build/../flow/a.cu becomes flow/a.cu, and /../a
 * becomes /a. Text that is already in `out` is the root. With `backslashes`, backslashes separate names too. */
void path_clean(struct str path, bool backslashes, struct buf *out);
/* The next name of a path; false at the end of the path. */
bool path_next(struct str *rest, bool backslashes, struct str *name);

char *buf_room(struct buf *b, size_t bytes); /* room for `bytes` after the end; the caller fills it and increases len */
void buf_clear(struct buf *b);               /* empties the buffer, keeps the memory */
void buf_free(struct buf *b);                /* empties the buffer, returns the memory */
struct str buf_str(const struct buf *b);     /* valid until the next change */
struct str arena_take(struct arena *arena, struct buf *text); /* a copy in the arena; frees `text` */
