/*
 * elide: long names in few columns, cut in the middle, or around the words that tell them from others.
 */
#ifndef REPORT_ELIDE_H
#define REPORT_ELIDE_H

#include "base/buf.h"

/* Columns that the text takes (UTF-8 characters). */
size_t text_width(struct str text);

/* Appends at most width bytes of the text: its head and tail with "..." between them, no UTF-8 character cut. */
void elide(struct str text, size_t width, struct buf *out);

/* The same of a spelled name, of which its own name says most: namespaces are left out where they would be shown in its
 * place, and it is shown whole where that leaves something for the end. */
void elide_name(struct str name, size_t width, struct buf *out);

/* A name among others, and the bytes at which it parts from some of them, in order. Borrows the name. */
enum { PARTINGS = 16 };
struct parted {
    struct str name;
    struct parting {
        uint32_t at, from; /* from: so many others */
    } partings[PARTINGS];
    size_t count;
};

/* Finds where names, which are in order, part. */
void find_partings(struct parted *names, size_t count);

/* Appends at most width bytes of a name, 39 or more: its own name and words at which it parts from others, those that
 * say most where there is no room for all, with "..." between; as elide_name where it parts from none. Of the own name
 * as much is shown as by which leads differ (report/alike.h). False: words of its path stand before it. */
bool elide_parted(const struct parted *parted, size_t width, struct buf *out);

#endif
