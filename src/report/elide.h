/*
 * elide: shortens long names: cut in the middle, or to the words that distinguish them from other names.
 */
#pragma once

#include "base/buf.h"

/* Appends at most `width` bytes of the text: its head and tail with "..." between them; no UTF-8 character is cut. */
void elide(struct str text, size_t width, struct buf *out);

/* The same for a spelled name, in which the function's own name matters most. Namespaces are omitted if they would take
 * the room of the own name. The own name is whole if that leaves room for the end. */
void elide_name(struct str name, size_t width, struct buf *out);

/* A name and the positions, in ascending order, of tokens that distinguish it from other names. The name is
 * borrowed. */
enum { MOST_TOKENS = 16 };
struct distinct_name {
    struct str name;
    struct token_start {
        uint32_t at, others; /* others: the number of names that differ from this position on */
    } tokens[MOST_TOKENS];
    size_t count;
};

/* Finds the distinguishing tokens of sorted names. */
void find_tokens(struct distinct_name *names, size_t count);

/* Appends at most `width` (39 or more) bytes of a name: its own name and its distinguishing tokens, with "..." between
 * them. If not all tokens fit, the tokens that distinguish the name from the most others are kept. A name without
 * tokens is written by elide_name. The own name keeps the bytes that distinguish base names (report/base_name.h).
 * Returns false if words of the name's path precede its own name. */
bool elide_distinct(const struct distinct_name *distinct, size_t width, struct buf *out);
