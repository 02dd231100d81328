/*
 * occupancy: how many blocks of a kernel fit on an SM, what limits that, and where the next step is.
 * The order of the arithmetic and its sources stand at the head of occupancy.c. Integers only; every division floors.
 */
#ifndef GPU_OCCUPANCY_H
#define GPU_OCCUPANCY_H

#include "gpu/arch.h"

enum limiter { LIMIT_WARPS, LIMIT_REGISTERS, LIMIT_SHARED_MEMORY, LIMIT_BLOCKS, LIMIT_BARRIERS, LIMIT_COUNT };
const char *limiter_name(enum limiter limiter); /* "warps" "registers" "shared_memory" "blocks" "barriers" */

#define OCCUPANCY_NO_LIMIT INT32_MAX

struct launch {
    int threads;                 /* per block, 1 or more */
    int registers;               /* per thread, 0..arch limit */
    int64_t smem_bytes;          /* static shared memory per block, as ptxas prints it */
    int64_t dynamic_smem_bytes;
    int barriers;                /* named barriers; 0: no barrier limit */
    int carveout;                /* percent of shared memory preferred, -1: the maximum */
};

struct occupancy {
    int blocks;                  /* per SM; 0: cannot launch */
    int warps, max_warps;        /* active and largest number of warps per SM; occupancy is warps / max_warps */
    int limit[LIMIT_COUNT];      /* blocks that each limiter alone would allow, OCCUPANCY_NO_LIMIT for none */
    unsigned limiters;           /* bit 1 << enum limiter for each that equals `blocks` */
    int64_t registers_per_block; /* allocated, after rounding */
    int64_t smem_per_block_bytes;/* allocated, reserve included, after rounding */
    int64_t smem_capacity_bytes; /* what the SM offers at this carveout */
    bool needs_optin;            /* static + dynamic above the limit without opt-in */
};

/* False only when the launch is no question: threads < 1, registers < 0 or above the architecture's limit, negative
 * sizes. An impossible launch is answered with 0 blocks. */
bool occupancy_compute(const struct arch *arch, const struct launch *launch, struct occupancy *result);

/* Most registers per thread at which `blocks` blocks of `threads` threads fit, registers alone; 0: not even one register. */
int occupancy_register_ceiling(const struct arch *arch, int threads, int blocks);
/* Most static + dynamic shared bytes per block at which `blocks` blocks fit, shared memory alone; -1: none. */
int64_t occupancy_smem_ceiling(const struct arch *arch, int carveout, int blocks);

/* The nearest steps around a launch that can be computed. */
struct cliff {
    int registers_up;       /* largest count below the present one with more blocks; -1: none */
    int blocks_up;          /* the blocks there */
    int register_slack;     /* how many more registers keep the present blocks */
    int registers_down;     /* present + slack + 1: the first count that costs; -1: the architecture's limit comes first */
    int blocks_down;        /* the blocks there; 0: cannot launch */
    int64_t smem_up_bytes;  /* largest static + dynamic size below the present one with more blocks; -1: none */
    int smem_blocks_up;
    int64_t smem_slack_bytes; /* how many more bytes keep the present blocks; -1: no limit before the block maximum */
    int smem_blocks_down;
};
bool occupancy_cliff(const struct arch *arch, const struct launch *launch, struct cliff *cliff);

/* Largest block in threads that these registers allow to launch (multiple of 32 up to the block maximum); 0: none. */
int occupancy_largest_block(const struct arch *arch, int registers);

/* Best case over every launchable multiple of 32 threads: what bounds the kernel when its block size is not known. */
struct best_case {
    int threads_smallest, threads_largest; /* block sizes that reach it */
    int blocks;                            /* at threads_largest */
    int warps, max_warps;
};
bool occupancy_best_case(const struct arch *arch, const struct launch *launch, struct best_case *best);

/* Waves of a grid: wave = blocks * sms. All as exact fractions of two integers. */
struct waves {
    int64_t wave_blocks;     /* blocks in a full wave */
    int64_t full_waves;
    int64_t last_blocks;     /* blocks in the last, partial wave; 0: none */
};
bool occupancy_waves(int blocks_per_sm, int sms, int64_t grid, struct waves *waves);

#endif
