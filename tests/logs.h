/* What the tests of the reader share: logs to read, ways to read them, and records as text that can be compared. */
#ifndef TESTS_LOGS_H
#define TESTS_LOGS_H

#include "log/model.h"
#include "testing.h"

/* The paths that a shell pattern matches, sorted. */
struct paths {
    char **items;
    size_t count;
    size_t cap;
};
void paths_add(struct paths *paths, const char *pattern);
void paths_free(struct paths *paths);

/*
 * Reads a log into the model, in pieces of that many bytes (0: whole). Each piece stands at the very end of its memory
 * and is overwritten after it was fed, so that a reader that looks beyond it, or keeps a pointer to it, is found out.
 */
void read_in_pieces(struct model *model, struct str path, struct str text, size_t piece_bytes);

/* The model as text: every record, event, log and unknown line with every field, one a line. */
void print_model(const struct model *model, struct buf *out);

/* A metric: decimal, "-" for UNKNOWN. */
void print_metric(struct buf *out, int32_t value);

/* A field of tests that take longer when asked: the number in WARPLINT_TEST_ROUNDS, else `usual`. */
size_t test_rounds(size_t usual);

#endif
