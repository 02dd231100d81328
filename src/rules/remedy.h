/*
 * remedy: the nearest change of a kernel's launch that would change a finding on it, by the register caps of ptxas and
 * the occupancy model. Arithmetic only: nothing here says that a change makes the kernel faster.
 */
#ifndef RULES_REMEDY_H
#define RULES_REMEDY_H

#include "rules/context.h"

/*
 * Appends which higher register cap costs the fewest blocks, one line: "__launch_bounds__(256, 6) would lift the cap
 * from 32 to 40 registers at 75 % occupancy". False, and nothing is appended, where the cap is not known or is the most
 * that the architecture gives a thread.
 */
bool remedy_higher_cap(const struct context *context, struct buf *out);

/* Appends the still higher caps, each of which costs more blocks: "48 with (256, 5), 64 with (256, 4)" of launch
 * bounds, else "48, 64". False, and nothing is appended, where there is none, or as above. */
bool remedy_further_caps(const struct context *context, struct buf *out);

/*
 * The block size nearest to the present one (the smaller of two) with more active warps per SM at the same registers.
 * Zeros where there is none, where the block size is not known, and where the kernel uses shared memory, whose size may
 * depend on the block size.
 */
struct block_choice {
    int threads, warps, max_warps; /* warps: active per SM */
};
struct block_choice remedy_block_size(const struct context *context);

/* The most registers, below those of now, with which the kernel reaches the warps of the baseline again, all else as it
 * is; UNKNOWN where none does. */
int remedy_registers_of_baseline(const struct context *context);

/* The smallest carveout (percent) above the configured one at which more blocks fit; -1: none, or none configured. */
int remedy_carveout(const struct context *context);

#endif
