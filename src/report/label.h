/*
 * label: short names for people. A readable name of 2,000 characters becomes its template with its arguments, without
 * return type and parameters, elided in the middle; labels that come out equal for different kernels are told apart by
 * four digits of a hash of the identity, which are the same in every run.
 */
#ifndef REPORT_LABEL_H
#define REPORT_LABEL_H

#include "base/buf.h"
#include "base/intern.h"

enum { LABEL_WIDTH = 56 };

struct labels {
    struct arena arena;
    size_t width;       /* longest label, in bytes; 0: LABEL_WIDTH */
    struct intern keys; /* the name as printed */
    struct str *labels; /* by key */
    size_t cap;
    struct intern taken; /* labels given so far; by number: the key that has it */
    uint32_t *owner;
    size_t owner_cap;
};

/* The label of a name as printed; the same name gets the same label. Valid until labels_free. */
struct str label_of(struct labels *labels, struct str mangled);
void labels_free(struct labels *labels);

/* Appends a readable name without return type and parameters. */
void label_shorten(struct str readable, struct buf *out);

/* Appends text that came from a log so that it can stand on a terminal, on one line and in XML: control characters,
 * what turns the direction of text, and invalid bytes become visible escapes, \x1b. */
void safe_text(struct str text, struct buf *out);

/* Columns that the text takes (UTF-8 characters). */
size_t text_width(struct str text);

#endif
