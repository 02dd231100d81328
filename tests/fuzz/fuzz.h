/*
 * fuzz: what the fuzzers share. Each fuzz_<name>.c is a libFuzzer target with an oracle; tests/fuzz/README.md says what
 * each one holds to be true, and how they are run. An oracle that fails says so in one line and aborts.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include "base/buf.h"
#include "base/diag.h"
#include "log/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Aborts with the message unless it holds. */
void fuzz_check(bool holds, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Numbers that look random and are the same for the same input. */
struct dice {
    uint64_t state;
};
struct dice dice_of(struct str bytes);
size_t dice_below(struct dice *dice, size_t limit); /* 0 .. limit - 1; 0 for limit 0 */

/* Calls `feed` with the bytes in pieces of random sizes; each stands at the end of memory of its own, which is gone
 * after the call. */
void fuzz_in_pieces(struct str bytes, struct dice *dice, void (*feed)(void *context, struct str piece), void *context);

/* The path of a file with this text; the same one each time. */
const char *fuzz_file(struct str text);
/* A descriptor that takes what is written, until fuzz_read_output appends that to text. */
int fuzz_output(void);
void fuzz_read_output(struct buf *text);

/* Both models say the same: every field of every record, event, log and unknown line. */
void fuzz_same_models(const struct model *a, const struct model *b, const char *what);

/* Every error has a message, and where it names a line and a column they lie inside the text. */
void fuzz_check_places(const struct diags *diags, struct str text);

/* The decimal numbers of a text, and the sums of such as "4+16"; it errs on the side of "yes" in a few of 65536. */
struct numbers {
    uint8_t bits[1 << 13];
};
void numbers_read(struct numbers *numbers, struct str text);
bool numbers_hold(const struct numbers *numbers, int64_t value); /* with either sign */

#endif
