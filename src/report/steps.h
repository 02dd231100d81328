/* steps: the limiters of a launch and the nearest steps around it, as text that the calculator and the page share. */
#pragma once

#include "base/buf.h"
#include "base/json.h"
#include "gpu/advice.h"

const char *limiter_words(enum limiter limiter); /* "shared memory" */

/* Appends the limiters of the bit set, "warps, registers and blocks"; nothing if it is empty. */
void limiters_text(unsigned limiters, struct buf *out);
/* Writes the limiters of the bit set as an array of their ids. */
void limiters_json(unsigned limiters, struct json *json);
/* Writes blocks, warps and limiters as members of the open object. */
void occupancy_json(const struct occupancy *occupancy, struct json *json);

/* Writes one object: the best sizes, the smallest of them, and the choice of the CUDA API. */
void block_sizes_json(const struct block_sizes *best, struct json *json);

/* What one block takes of a resource, and what the SM has. */
struct limit_row {
    int64_t per_block, per_sm; /* per_sm 0: no such limit */
    const char *unit;          /* " B" or "" */
};
struct limit_row limit_row(const struct arch *arch, const struct launch *launch, const struct occupancy *occupancy,
                           enum limiter limiter);

/* Append one line for each sentence, "2 registers fewer (40) give 6 blocks, 75.0 %", after the indent. With
 * launch->threads 0 the cliff is that of the best case, and the lines state only upper bounds of the occupancy. */
void register_steps(const struct arch *arch, const struct launch *launch, const struct cliff *cliff, const char *indent,
                    struct buf *out);
void smem_steps(const struct arch *arch, const struct launch *launch, const struct cliff *cliff, const char *indent,
                struct buf *out);

/* Append one line: "3 blocks of 256 threads have 80 registers per thread; this kernel uses 96 and would have to give up
 * 16", or the same for shared memory. They append nothing if the kernel has nothing to give up. */
void register_price(const struct advice_size *size, const struct advice_step *step, int registers, struct buf *out);
void smem_price(const struct advice_step *step, int64_t bytes, struct buf *out);

/* Appends `head`, then lines that begin with the indent: the waves of a grid, the last wave, and their effect on
 * occupancy. Appends nothing unless blocks per SM, SMs and grid are all known. */
void wave_text(const struct occupancy *occupancy, int sms, int64_t grid, const char *head, const char *indent,
               struct buf *out);
/* Writes the same as members of the open object; achieved_* in percent. */
void wave_json(const struct occupancy *occupancy, const struct waves *waves, struct json *json);
