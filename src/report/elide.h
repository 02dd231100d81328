/*
 * elide: long names in few columns, cut in the middle, or around the words that tell them from others.
 */
#ifndef REPORT_ELIDE_H
#define REPORT_ELIDE_H

#include "base/buf.h"

/* Appends at most width bytes of the text: its head and tail with "..." between them, no UTF-8 character cut. */
void elide(struct str text, size_t width, struct buf *out);

/* The same of a spelled name, of which its own name says most: namespaces are left out where they would be shown in its
 * place, and it is shown whole where that leaves something for the end. */
void elide_name(struct str name, size_t width, struct buf *out);

/* A name among others, and where the tokens begin that distinguish it from some of them, in order. Borrows the name. */
enum { MOST_TOKENS = 16 };
struct distinct_name {
    struct str name;
    struct token_start {
        uint32_t at, others; /* others: so many names differ from here on */
    } tokens[MOST_TOKENS];
    size_t count;
};

/* Finds the distinguishing tokens of names, which are in order. */
void find_tokens(struct distinct_name *names, size_t count);

/* Appends at most width bytes of a name, 39 or more: its own name and its distinguishing tokens, those that say most
 * where there is no room for all, with "..." between; as elide_name where it has none. Of the own name as much is shown
 * as base names differ by (report/collision_index.h). False: words of its path stand before it. */
bool elide_distinct(const struct distinct_name *distinct, size_t width, struct buf *out);

#endif
