/*
 * advice: what there is to say of one kernel on one architecture to somebody who tunes it, for people and as JSON.
 * Facts, not causes, and no promise of speed.
 */
#ifndef REPORT_ADVICE_H
#define REPORT_ADVICE_H

#include "base/json.h"
#include "gpu/advice.h"
#include "lint/subject.h"

/* Appends the section of one record, at most 80 columns wide. */
void advice_text(struct subject *subject, struct buf *out);
/* The same as one object. What is not known is null. */
void advice_json(struct subject *subject, struct json *json);

/* As one object: the best sizes, the smallest, and what the CUDA API chooses. */
void block_sizes_json(const struct block_sizes *best, struct json *json);

/* "(256, 3) caps at 80 registers; this kernel uses 96 and would have to give up 16", and the same of shared memory: one
 * line. Nothing is appended where nothing is to be given up. */
void register_price(const struct advice_size *size, const struct advice_step *step, int registers, struct buf *out);
void smem_price(const struct advice_step *step, int64_t bytes, struct buf *out);

#endif
