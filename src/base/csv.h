/* csv: the rows of a CSV text (RFC 4180): quoted fields, doubled quotes, line ends inside quotes; LF and CRLF. */
#pragma once

#include "base/buf.h"

/* Reads one row at a time. To start, zero the struct and set `rest` to the text and `line` to 1. */
struct csv {
    struct str rest; /* the text that is not read yet; must outlive the reader */
    size_t line;     /* number of the next row's first line, from 1 */

    struct str *fields; /* fields of the last row; valid until the next csv_next */
    size_t count;
    size_t row_line;        /* number of the last row's first line */
    bool quote_open;        /* the text ends inside quotes: it is truncated */
    bool text_behind_quote; /* the closing quote of a field is not followed by a comma or a line end: not CSV */

    struct buf text; /* private */
    size_t cap;
};

bool csv_next(struct csv *csv); /* false at the end of the text; skips empty lines */
void csv_free(struct csv *csv);
