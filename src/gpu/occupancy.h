/*
 * occupancy: how many blocks of a kernel fit on an SM, which resource limits them, and where the next step is. The
 * order of the arithmetic and its sources are at the head of occupancy.c. Integers only; every division floors. There
 * is no state.
 */
#pragma once

#include "base/buf.h"
#include "gpu/arch.h"

enum limiter { LIMIT_WARPS, LIMIT_REGISTERS, LIMIT_SHARED_MEMORY, LIMIT_BLOCKS, LIMIT_BARRIERS, LIMIT_COUNT };
extern const char *const limiter_ids[LIMIT_COUNT]; /* "warps" "registers" "shared_memory" "blocks" "barriers" */

/* Appends the names of the limiters (a bit set of 1 << enum limiter), separated by `separator`. */
void limiter_names(unsigned limiters, const char *separator, struct buf *out);

#define OCCUPANCY_NO_LIMIT INT32_MAX

struct launch {
    int threads;        /* per block, 1 or more */
    int registers;      /* per thread, 0..arch limit */
    int64_t smem_bytes; /* static shared memory per block, as ptxas prints it */
    int64_t dynamic_smem_bytes;
    int barriers; /* named barriers; 0: no barrier limit */
    int carveout; /* preferred percentage of shared memory, 0..100; -1: the maximum */
};

/* Static + dynamic shared memory per block. */
static inline int64_t launch_smem(const struct launch *launch)
{
    return launch->smem_bytes + launch->dynamic_smem_bytes;
}

/* A copy of the launch with another block size, register count or shared memory size (all of it static). */
static inline struct launch launch_with_threads(const struct launch *launch, int threads)
{
    struct launch changed = *launch;
    changed.threads = threads;
    return changed;
}

static inline struct launch launch_with_registers(const struct launch *launch, int registers)
{
    struct launch changed = *launch;
    changed.registers = registers;
    return changed;
}

static inline struct launch launch_with_smem(const struct launch *launch, int64_t bytes)
{
    struct launch changed = *launch;
    changed.smem_bytes = bytes;
    changed.dynamic_smem_bytes = 0;
    return changed;
}

struct occupancy {
    int blocks;                   /* per SM; 0: cannot launch */
    int warps, max_warps;         /* active and largest number of warps per SM; occupancy is warps / max_warps */
    int limit[LIMIT_COUNT];       /* blocks that each limiter alone allows; OCCUPANCY_NO_LIMIT: unlimited */
    unsigned limiters;            /* bit 1 << enum limiter for each limit that equals `blocks` */
    int64_t registers_per_block;  /* allocated, after rounding */
    int64_t smem_per_block_bytes; /* allocated, with the reserve, after rounding */
    int64_t smem_capacity_bytes;  /* shared memory of the SM at this carveout */
    bool needs_optin; /* static + dynamic is above the limit without opt-in and not above the limit with it */
};

/* Returns false, with *result unchanged, only if the launch is out of range: threads below 1 or above 2^20, registers
 * below 0 or above the architecture's limit, sizes negative or above 1 TiB, barriers below 0, carveout outside -1..100.
 * A launch in range that the hardware refuses has 0 blocks. */
bool occupancy_compute(const struct arch *arch, const struct launch *launch, struct occupancy *result);
/* Blocks that the limiters allow together, without those in left_out (bits 1 << enum limiter). */
int occupancy_limit_without(const struct occupancy *occupancy, unsigned left_out);

/* Most registers per thread at which registers alone allow `blocks` blocks of `threads` threads (the warps and the
 * block maximum of the SM are not considered); 0: not even one register. blocks of 0 or less gives the architecture's
 * limit. */
int occupancy_register_ceiling(const struct arch *arch, int threads, int blocks);

/* True if this register count is the ceiling of some number of one-warp blocks: __launch_bounds__ sets no other
 * caps. */
bool occupancy_caps_at(const struct arch *arch, int registers);

/* Most static + dynamic bytes per block, at most at_most_bytes, at which shared memory alone allows `blocks` blocks; -1
 * if no size does. The result differs from the smaller of at_most_bytes and the unlimited ceiling only where the number
 * of blocks is not monotone in the size: cc 2.x and 3.x at carveout 0 give all shared memory to a block that does not
 * fit 16 KiB. */
int64_t occupancy_smem_ceiling(const struct arch *arch, int carveout, int blocks, int64_t at_most_bytes);

/*
 * The nearest steps around a launch that is in range. A step up has fewer resources and more warps; a step down is the
 * first count or size that costs warps. The blocks and warps of a step are those of the occupancy after the step.
 */
struct cliff {
    int registers_up;        /* largest count below the present one with more warps; -1: none */
    int blocks_up, warps_up; /* at registers_up; 0: no such step */
    int register_slack;      /* how many more registers per thread cost no warp */
    int registers_down; /* present + slack + 1: the first count that costs warps; -1: the architecture's limit comes
                           first */
    int blocks_down, warps_down; /* at registers_down; 0: cannot launch */
    int64_t smem_up_bytes;       /* largest static + dynamic size below the present one with more warps; -1: none */
    int smem_blocks_up, smem_warps_up;
    int64_t smem_slack_bytes;              /* how many more bytes cost no warp; -1: cannot launch, no warps to keep */
    int smem_blocks_down, smem_warps_down; /* at slack + 1 bytes; 0: cannot launch */
};
/* With threads 0 these are the steps at which the warps of the best case change; blocks are those of the largest block
 * size that reaches these warps. Returns false in the same cases as occupancy_compute. */
bool occupancy_cliff(const struct arch *arch, const struct launch *launch, struct cliff *cliff);

/* Largest block size (a multiple of 32 threads up to the block maximum) that can launch with this register count;
 * 0: none. */
int occupancy_largest_block(const struct arch *arch, int registers);

/* Best case over every multiple of 32 threads that can launch: the bound for a kernel with unknown block size.
 * launch->threads is not read. Warps and sizes are 0 if no block size can launch. Returns false in the same cases as
 * occupancy_compute. */
struct best_case {
    int threads_largest; /* the largest block size that reaches `warps` */
    int blocks;          /* at that size */
    int warps, max_warps;
};
bool occupancy_best_case(const struct arch *arch, const struct launch *launch, struct best_case *best);
/* Warps per SM of the launch, or of the best case if the block size is unknown (threads 0); -1 if occupancy_compute
 * returns false. */
int occupancy_warps(const struct arch *arch, const struct launch *launch);

/* Most registers per thread with at least this many warps per SM, at the block size or, if threads is 0, at the best
 * one; -1: none. */
int occupancy_most_registers(const struct arch *arch, const struct launch *launch, int warps);

enum { REGISTER_CAPS = 64 }; /* the most that the next two functions give: each has one warp more than the one before */
/* The register caps that gain warps: register counts below the launch's own at which more warps fit than at every
 * larger count, in descending order. threads 0: warps at the best block size. */
size_t occupancy_register_caps(const struct arch *arch, const struct launch *launch, int caps[REGISTER_CAPS]);
/* The higher caps that a kernel can get in exchange for warps: register counts above `cap` at which more warps fit than
 * at every larger count, in descending order. */
size_t occupancy_raised_caps(const struct arch *arch, const struct launch *launch, int cap, int caps[REGISTER_CAPS]);

/* The best case, and the next lower register count at which it has more warps. launch->threads is not read. Returns
 * false in the same cases as occupancy_compute. */
struct best_step {
    int warps, max_warps; /* at the present register count; 0: no block size can launch */
    int registers;        /* -1: no lower register count has more warps */
    int warps_there;
};
bool occupancy_best_step(const struct arch *arch, const struct launch *launch, struct best_step *step);

/*
 * The waves of a grid (one wave is blocks per SM * SMs blocks) and the achieved occupancy that they allow. Nsight
 * Compute's "achieved occupancy" (sm__warps_active.avg.pct_of_peak_sustained_active) is the active warps of all SMs
 * divided by the warps that these SMs could hold in their active cycles. An SM without a block has no active cycle and
 * does not lower the value: one block on 80 SMs achieves the warps of one block. With b blocks on an SM at once,
 * achieved occupancy is b * warps per block / warps per SM, so
 *   - most_blocks gives its upper bound, whatever time the blocks take;
 *   - if all blocks take the same time, b is grid / sm_waves.
 * Both assume that a block goes to an SM with the fewest blocks, as in NVIDIA's example of 45 blocks on 15 SMs that
 * hold 4 each (3 on an SM, 75 % of the theoretical occupancy). CUDA does not guarantee it. Documents: "Metrics
 * Structure" in the Kernel Profiling Guide of Nsight Compute; "Achieved Occupancy" in the user guide of Nsight Visual
 * Studio Edition.
 */
struct waves {
    int64_t wave_blocks; /* blocks in a full wave */
    int64_t full_waves;
    int64_t last_blocks; /* blocks in the last, partial wave; 0: none */
    int most_blocks;     /* most blocks on an SM at once: blocks_per_sm, or fewer if the grid is too small */
    int64_t sm_waves;    /* sum over all SMs of the waves in which the SM has a block */
};
/* Returns false unless all three numbers are positive. */
bool occupancy_waves(int blocks_per_sm, int sms, int64_t grid, struct waves *waves);
/* Achieved occupancy, 0..1: the upper bound, and the value if all blocks take the same time. */
double occupancy_at_most(const struct occupancy *occupancy, const struct waves *waves);
double occupancy_of_equal_blocks(const struct occupancy *occupancy, const struct waves *waves);
