/*
 * output_tee: where the compiler's messages go: through the filter to our standard error, at once, and all of them into
 * memory, for the reader (with an end of line before what begins inside the line of another writer). Its memory can run
 * out without harm: then the messages are not kept, and `lost` says so.
 */
#ifndef NVCC_OUTPUT_TEE_H
#define NVCC_OUTPUT_TEE_H

#include "nvcc/output_filter.h"

enum { TEE_BLOCK_BYTES = 1 << 14 };

struct output_tee {
    struct output_filter output_filter;
    char block[TEE_BLOCK_BYTES]; /* what passed and is not written yet */
    size_t block_bytes;
    bool reader_gone; /* our standard error has no reader any more */
    char *text;       /* everything that came, from malloc */
    size_t text_bytes, text_cap;
    size_t limit; /* bytes that are kept at most */
    bool lost;    /* text is not everything: memory or the limit ran out */
};

/* For process_run, with the output_tee as context. False when the reader of our standard error has gone. */
bool output_tee_take(void *output_tee, struct str bytes);
/* The end of the messages. */
void output_tee_finish(struct output_tee *output_tee);
void output_tee_free(struct output_tee *output_tee);

#endif
