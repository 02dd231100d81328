/*
 * advice: for each number of blocks per SM, what a kernel has to give up to reach it, and the other launch settings
 * that decide its occupancy. Data only, no text. Nothing here claims that higher occupancy is faster: speed has to be
 * measured.
 */
#pragma once

#include "gpu/occupancy.h"

enum { ADVICE_SIZES = 2, ADVICE_STEPS = 32, BLOCK_SIZES = 32 };

/* The block sizes (multiples of 32 threads) with the highest occupancy, all else fixed. */
struct block_sizes {
    int warps, max_warps; /* active and largest number of warps per SM */
    int nvidia_threads;   /* the choice of cudaOccupancyMaxPotentialBlockSize; 0: no size can launch */
    int nvidia_blocks;    /* per SM at that size; times the number of SMs, this is the grid size that the API returns */
    size_t count;
    struct block_size {
        int threads, blocks; /* blocks per SM */
    } sizes[BLOCK_SIZES];    /* ascending; the first is the smallest */
};

/*
 * launch->threads is not read. most_threads: largest block size of this kernel (.maxntid); 0: the architecture's limit.
 * NVIDIA's choice is the largest of the best sizes. If most_threads is no multiple of 32, the API also tries that size
 * and compares threads, not warps. Returns false in the same cases as occupancy_compute.
 */
bool occupancy_block_sizes(const struct arch *arch, const struct launch *launch, int most_threads,
                           struct block_sizes *sizes);

struct advice_question {
    const struct arch *arch;
    struct launch launch; /* threads 0: block size unknown */
    int most_threads;     /* largest block size that the kernel declares; 0: not declared */
    int ilp;              /* independent operations per thread; 0: unknown */
};

/* A number of blocks per SM, and the registers and shared memory with which they fit. */
struct advice_step {
    int blocks, warps;  /* per SM */
    int register_cap;   /* most registers per thread; ptxas keeps to it with __launch_bounds__(threads, blocks) */
    int registers_over; /* registers per thread above the cap; 0: none */
    int64_t smem_ceiling_bytes; /* most shared memory per block, static + dynamic; -1: no size allows these blocks */
    int64_t smem_over_bytes;    /* bytes above the ceiling; 0: none */
};

/* One block size with every number of blocks, ascending, that it can reach with fewer registers or less shared
 * memory. */
struct advice_size {
    int threads;
    int blocks; /* per SM as launched now; 0: cannot launch */
    size_t count;
    struct advice_step steps[ADVICE_STEPS];
};

struct advice {
    struct block_sizes best;
    size_t size_count; /* with a known block size: 1, that size; else NVIDIA's choice and, if different, the smallest
                          best size */
    struct advice_size sizes[ADVICE_SIZES];
    bool cap_of_ptxas;     /* true: register caps are those that ptxas sets; false: the largest that the model allows */
    size_t carveout_count; /* 0: shared memory has only one capacity, or the block size is unknown */
    struct advice_carveout {
        int percent;   /* smallest preferred carveout with this capacity */
        int64_t bytes; /* shared memory of the SM at this carveout */
        int blocks, warps;
    } carveouts[ARCH_SMEM_SIZES]; /* ascending */
    int in_flight; /* active warps per SM * independent operations per thread; 0: one of them is unknown */
};

/* Returns false, with *advice unchanged, if the launch is out of range (see occupancy_compute). */
bool advice_make(const struct advice_question *question, struct advice *advice);

/* The first step with more blocks than the launch has now; NULL if the block size reaches no more. */
const struct advice_step *advice_next(const struct advice_size *size);
