/*
 * output_tee: the destinations of the compiler's messages: through the filter to our standard error, at once, and all
 * of them into memory, for the log reader (with a line end before a message that begins inside another writer's line).
 * If memory runs out, the messages are not kept and `lost` is set; this does no other harm.
 */
#pragma once

#include "nvcc/output_filter.h"

enum { TEE_BLOCK_BYTES = 1 << 14 };

struct output_tee {
    struct output_filter output_filter;
    char block[TEE_BLOCK_BYTES]; /* bytes that passed and are not written yet */
    size_t block_bytes;
    bool reader_gone; /* our standard error has no reader any more */
    char *text;       /* all messages, from malloc */
    size_t text_bytes, text_cap;
    size_t limit; /* maximum number of bytes to keep */
    bool lost;    /* text is incomplete: memory or the limit ran out */
};

/* Callback for process_run, with the output_tee as context. False if the reader of our standard error has gone. */
bool output_tee_take(void *output_tee, struct str bytes);
/* Call it at the end of the messages. */
void output_tee_finish(struct output_tee *output_tee);
void output_tee_free(struct output_tee *output_tee);
