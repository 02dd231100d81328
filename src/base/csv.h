/* csv: the rows of a CSV text (RFC 4180): quoted fields, doubled quotes, line ends inside of quotes; LF and CRLF. */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include "base/buf.h"

/* One row at a time. A zeroed struct with `rest` set to the text and `line` to 1 reads it from its start. */
struct csv {
    struct str rest; /* what was not read yet; must outlive the reader */
    size_t line;     /* of the next row, from 1 */

    struct str *fields; /* of the row that was read last; valid until the next one */
    size_t count;
    size_t row_line;        /* where it begins */
    bool quote_open;        /* it ends inside of quotes: the text is cut short */
    bool text_behind_quote; /* of a quoted field more follows than a comma: no CSV */

    struct buf text; /* private */
    size_t cap;
};

bool csv_next(struct csv *csv); /* false at the end; empty lines are skipped */
void csv_free(struct csv *csv);

#endif
