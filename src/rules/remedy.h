/*
 * remedy: the smallest change of a kernel's launch or register cap that would remove a finding, computed from the
 * register caps of ptxas and the occupancy model. Whether the kernel gets faster is not predicted.
 */
#pragma once

#include "gpu/advice.h"
#include "rules/context.h"

/*
 * Appends the higher register cap that costs the fewest blocks, on one line: "__launch_bounds__(256, 6) would lift the
 * cap from 32 to 40 registers at 75 % occupancy". False, and nothing is appended, if the cap is unknown or is the
 * maximum of the architecture.
 */
bool remedy_higher_cap(const struct context *context, struct buf *out);

/* Appends the higher caps after that one, each of which costs more blocks: "48 with (256, 5), 64 with (256, 4)" for
 * launch bounds, else "48, 64". False, and nothing is appended, if there is none, or as above. */
bool remedy_further_caps(const struct context *context, struct buf *out);

/*
 * The block size nearest to the present one (the smaller of two) with more active warps per SM at the same registers.
 * Zeros if there is none, if the block size is unknown, or if the kernel uses shared memory, because its size may
 * depend on the block size.
 */
struct block_choice {
    int threads, warps, max_warps; /* warps: active per SM */
};
struct block_choice remedy_block_size(const struct context *context);

/* The fewest blocks per SM that the kernel does not reach and that have the number of blocks and the occupancy that are
 * asked for (min-blocks, min-occupancy with ilp), with the registers and the shared memory that they need. False:
 * nothing more is asked for, the block size is unknown, or no registers and shared memory allow so many blocks. */
bool remedy_asked_blocks(const struct context *context, struct advice_step *step);

/* The largest number of registers below the present one with which the kernel reaches the warps of the baseline again,
 * all else unchanged; UNKNOWN: none. */
int remedy_registers_of_baseline(const struct context *context);

/* The smallest carveout (percent) above the configured one at which more blocks fit; -1: none, or no carveout is
 * configured. */
int remedy_carveout(const struct context *context);
