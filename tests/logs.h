/* Shared by the tests of the log reader: logs to read, ways to read them, and records as text for comparison. */
#pragma once

#include "log/model.h"
#include "testing.h"

/* The sorted paths that match a shell pattern. */
struct paths {
    char **items;
    size_t count;
    size_t cap;
};
void paths_add(struct paths *paths, const char *pattern);
void paths_free(struct paths *paths);

/*
 * Reads a log into the model in pieces of piece_bytes (0: all at once). Each piece lies at the end of its allocation
 * and is overwritten after it was fed: a sanitizer reports a read past the end, and a pointer that the reader kept
 * shows other bytes.
 */
void read_in_pieces(struct model *model, struct str path, struct str text, size_t piece_bytes);

/* The model as text, one record, event, log or unknown line per line, with every field. */
void print_model(const struct model *model, struct buf *out);

/* A metric in decimal; "-" for UNKNOWN. */
void print_metric(struct buf *out, int32_t value);

/* The number of rounds of a random test: WARPLINT_TEST_ROUNDS if set, else `usual`. */
size_t test_rounds(size_t usual);
