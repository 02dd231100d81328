/*
 * advice: what a kernel would have to give up for each number of blocks per SM, and what else of its launch decides its
 * occupancy. Data only, no words, and no claim that more is faster: occupancy is a fact, speed has to be measured.
 */
#ifndef GPU_ADVICE_H
#define GPU_ADVICE_H

#include "gpu/occupancy.h"

enum { ADVICE_SIZES = 2, ADVICE_STEPS = 32, BLOCK_SIZES = 32 };

/* The block sizes (multiples of 32 threads) with the highest occupancy, all else fixed. */
struct block_sizes {
    int warps, max_warps; /* active and largest number of warps per SM */
    int nvidia_threads;   /* what cudaOccupancyMaxPotentialBlockSize chooses; 0: nothing can launch */
    int nvidia_blocks;    /* per SM at that size; times the SMs it is the grid that the API returns */
    size_t count;
    struct block_size {
        int threads, blocks; /* blocks per SM */
    } sizes[BLOCK_SIZES];    /* ascending: the first is the smallest */
};

/*
 * launch->threads is not read. most_threads: of a block of this kernel (.maxntid); 0: the architecture's. NVIDIA's
 * choice is the largest of the best sizes, but where most_threads is no multiple of 32 the API tries that size too and
 * compares threads, not warps. False as occupancy_compute.
 */
bool occupancy_block_sizes(const struct arch *arch, const struct launch *launch, int most_threads,
                           struct block_sizes *sizes);

struct advice_question {
    const struct arch *arch;
    struct launch launch; /* threads 0: not known */
    int most_threads;     /* of a block of this kernel, as it declares; 0: not declared */
    int ilp;              /* independent operations per thread; 0: not known */
};

/* So many blocks per SM: what registers and shared memory may be for them. */
struct advice_step {
    int blocks, warps;  /* per SM */
    int register_cap;   /* most registers per thread; what __launch_bounds__(threads, blocks) makes ptxas keep to */
    int registers_over; /* to give up; 0: none */
    int64_t smem_ceiling_bytes; /* most shared memory per block, static and dynamic; -1: none */
    int64_t smem_over_bytes;    /* to give up; 0: none */
};

/* One block size and every number of blocks that it can reach, ascending, once registers and shared memory allow it. */
struct advice_size {
    int threads;
    int blocks; /* per SM now; 0: cannot launch */
    size_t count;
    struct advice_step steps[ADVICE_STEPS];
};

struct advice {
    struct block_sizes best;
    size_t size_count; /* the block size; where it is not known NVIDIA's choice, and the
                          smallest best one where that is another */
    struct advice_size sizes[ADVICE_SIZES];
    bool cap_of_ptxas;     /* register caps are those that ptxas sets; else what the model allows */
    size_t carveout_count; /* 0: shared memory is not divided, or the block size is not known */
    struct advice_carveout {
        int percent;   /* smallest preferred carveout that gives it */
        int64_t bytes; /* shared memory of the SM then */
        int blocks, warps;
    } carveouts[ARCH_SMEM_SIZES]; /* ascending */
    int in_flight;                /* active warps times independent operations, per SM; 0: one of them is not known */
};

/* False when the launch is no question, see occupancy_compute; then *advice is unchanged. */
bool advice_make(const struct advice_question *question, struct advice *advice);

/* The first step with more blocks than now; NULL: the block size reaches no more. */
const struct advice_step *advice_next(const struct advice_size *size);

#endif
