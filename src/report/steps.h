/* steps: the limiters of a launch and the nearest steps around it, in words: the calculator and the page say the same.
 */
#ifndef REPORT_STEPS_H
#define REPORT_STEPS_H

#include "base/buf.h"
#include "base/json.h"
#include "gpu/advice.h"

const char *limiter_words(enum limiter limiter); /* "shared memory" */

/* Appends "warps, registers and blocks": those that limit; nothing where none does. */
void limiters_text(unsigned limiters, struct buf *out);
/* Those that limit as an array of their ids. */
void limiters_json(unsigned limiters, struct json *json);
/* Blocks, warps and limiters, members of the object at hand. */
void occupancy_json(const struct occupancy *occupancy, struct json *json);

/* As one object: the best sizes, the smallest, and what the CUDA API chooses. */
void block_sizes_json(const struct block_sizes *best, struct json *json);

/* What a block takes of what the SM has. */
struct limit_row {
    int64_t per_block, per_sm; /* 0 of per_sm: no such limit */
    const char *unit;          /* " B" or "" */
};
struct limit_row limit_row(const struct arch *arch, const struct launch *launch, const struct occupancy *occupancy,
                           enum limiter limiter);

/* A line for each sentence, "2 registers fewer (40) give 6 blocks, 75.0 %", with the indent before it. launch->threads
 * 0: the cliff is the best case's, and only bounds are named. */
void register_steps(const struct arch *arch, const struct launch *launch, const struct cliff *cliff, const char *indent,
                    struct buf *out);
void smem_steps(const struct arch *arch, const struct launch *launch, const struct cliff *cliff, const char *indent,
                struct buf *out);

/* "3 blocks of 256 threads have 80 registers per thread; this kernel uses 96 and would have to give up 16", and the
 * same of shared memory: one line. Nothing is appended where nothing is to be given up. */
void register_price(const struct advice_size *size, const struct advice_step *step, int registers, struct buf *out);
void smem_price(const struct advice_step *step, int64_t bytes, struct buf *out);

/* Waves of a grid, their tail and what they leave of occupancy, `head` and lines with the indent before each; nothing
 * unless blocks per SM, SMs and grid are all known. */
void wave_text(const struct occupancy *occupancy, int sms, int64_t grid, const char *head, const char *indent,
               struct buf *out);
/* The same as keys of the object that is open; achieved_* in percent. */
void wave_json(const struct occupancy *occupancy, const struct waves *waves, struct json *json);

#endif
