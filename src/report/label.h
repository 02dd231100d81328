/*
 * label: short names for people. A readable name of 2,000 characters becomes its template with its arguments, without
 * return type and parameters, elided in the middle. A label depends on the names of the model alone, so that every
 * format of one run shows the same; it is made from the identity, and what demanglers spell differently (128ul, (int)4,
 * const T, > >) is spelled in one way. Names whose labels would be equal are told apart by digits of a hash of the
 * identity.
 */
#ifndef REPORT_LABEL_H
#define REPORT_LABEL_H

#include "base/intern.h"
#include "base/safe.h"
#include "base/thread.h"

enum { LABEL_WIDTH = 56 };

/* Made on demand: the index of leads (report/alike.h) when the first label is asked for, then the labels of the names
 * that would look the same; of others only those are demangled that could. */
struct labels {
    const struct intern *names; /* of the model */
    struct arena arena;
    struct label *labels; /* of the names that were looked at */
    size_t count, cap;
    struct label_place *places; /* by name */
    struct label_chain *chains; /* by hash of the lead */
    size_t chain_count;
    pthread_t thread; /* that makes the index: until it was waited for, all else is its own */
    bool works;
};

/* names must not grow afterwards. */
void labels_init(struct labels *labels, const struct intern *names);
/* Labels of many names will soon be asked for: makes the index on a thread of its own; threads: see threads_to_use. */
void labels_begin(struct labels *labels, unsigned threads);
/* The label of a name as printed, at most LABEL_WIDTH bytes. Valid until labels_free. */
struct str label_of(struct labels *labels, struct str mangled);
void labels_free(struct labels *labels);

/* Appends the label that a name, which need not be one of the model, has where no other looks like it. */
void label_make(struct str mangled, struct buf *out);

/* Appends the template that a name is an instance of, in the same spelling and length. */
void label_template(struct str mangled, struct buf *out);

/* Appends a readable name without return type and parameters, in our spelling. */
void label_shorten(struct str readable, struct buf *out);

/* Appends at most width bytes of the text: its head and tail with "..." between them, no UTF-8 character cut. */
void elide(struct str text, size_t width, struct buf *out);

/* Columns that the text takes (UTF-8 characters). */
size_t text_width(struct str text);

#endif
