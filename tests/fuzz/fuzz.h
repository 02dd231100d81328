/*
 * fuzz: shared by the fuzzers. Each fuzz_<name>.c is a libFuzzer target with an oracle; tests/fuzz/README.md says what
 * each oracle checks, and how to run them. An oracle that fails prints one line and aborts.
 */
#pragma once

#include "base/buf.h"
#include "base/diag.h"
#include "log/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Aborts with the message unless `holds`. */
void fuzz_check(bool holds, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Pseudorandom numbers; the same input gives the same numbers. */
struct dice {
    uint64_t state;
};
struct dice dice_of(struct str bytes);
size_t dice_below(struct dice *dice, size_t limit); /* 0 .. limit - 1; 0 for limit 0 */

/* Calls `feed` with the bytes in pieces of random sizes. Each piece lies at the end of its own allocation, which is
 * freed after the call. */
void fuzz_in_pieces(struct str bytes, struct dice *dice, void (*feed)(void *context, struct str piece), void *context);

/* The path of a file with this text; always the same path. */
const char *fuzz_file(struct str text);
/* A descriptor to write to; fuzz_read_output appends what was written to the text. */
int fuzz_output(void);
void fuzz_read_output(struct buf *text);

/* Aborts unless every field of every record, event, log and unknown line is the same in both models. */
void fuzz_same_models(const struct model *a, const struct model *b, const char *what);

/* Aborts unless every error has a message, and its line and column, if any, lie in the text. */
void fuzz_check_places(const struct diags *diags, struct str text);

/* A set of the decimal numbers of a text, and of the sums of forms like "4+16". It answers "yes" by mistake for a few
 * of 65536 numbers. */
struct numbers {
    uint8_t bits[1 << 13];
};
void numbers_read(struct numbers *numbers, struct str text);
bool numbers_hold(const struct numbers *numbers, int64_t value); /* with either sign */
