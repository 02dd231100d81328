/*
 * occupancy: how many blocks of a kernel fit on an SM, what limits that, and where the next step is.
 * The order of the arithmetic and its sources stand at the head of occupancy.c. Integers only; every division
 * floors. Nothing here keeps a state.
 */
#ifndef GPU_OCCUPANCY_H
#define GPU_OCCUPANCY_H

#include "base/buf.h"
#include "gpu/arch.h"

enum limiter { LIMIT_WARPS, LIMIT_REGISTERS, LIMIT_SHARED_MEMORY, LIMIT_BLOCKS, LIMIT_BARRIERS, LIMIT_COUNT };
extern const char *const limiter_ids[LIMIT_COUNT]; /* "warps" "registers" "shared_memory" "blocks" "barriers" */

/* Appends the names of the limiters, bits 1 << enum limiter, with the separator between them. */
void limiter_names(unsigned limiters, const char *separator, struct buf *out);

#define OCCUPANCY_NO_LIMIT INT32_MAX

struct launch {
    int threads;        /* per block, 1 or more */
    int registers;      /* per thread, 0..arch limit */
    int64_t smem_bytes; /* static shared memory per block, as ptxas prints it */
    int64_t dynamic_smem_bytes;
    int barriers; /* named barriers; 0: no barrier limit */
    int carveout; /* percent of shared memory preferred, 0..100; -1: the maximum */
};

/* Static and dynamic shared memory together. */
static inline int64_t launch_smem(const struct launch *launch)
{
    return launch->smem_bytes + launch->dynamic_smem_bytes;
}

/* The same launch with another block size; with other registers; with another size of shared memory, all of it static.
 */
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
    int limit[LIMIT_COUNT];       /* blocks that each limiter alone would allow, OCCUPANCY_NO_LIMIT for none */
    unsigned limiters;            /* bit 1 << enum limiter for each that equals `blocks` */
    int64_t registers_per_block;  /* allocated, after rounding */
    int64_t smem_per_block_bytes; /* allocated, reserve included, after rounding */
    int64_t smem_capacity_bytes;  /* what the SM offers at this carveout */
    bool needs_optin;             /* static + dynamic above the limit without opt-in, and not above the one with it */
};

/* False, and *result unchanged, only when the launch is no question: threads below 1 or above 2^20, registers
 * below 0 or above the architecture's limit, sizes negative or above 1 TiB, barriers below 0, carveout
 * outside -1..100. An impossible launch is answered with 0 blocks. */
bool occupancy_compute(const struct arch *arch, const struct launch *launch, struct occupancy *result);
/* Blocks that all limiters but these (bits 1 << enum limiter) allow. */
int occupancy_limit_without(const struct occupancy *occupancy, unsigned left_out);

/* Most registers per thread at which `blocks` blocks of `threads` threads fit, registers alone (neither the
 * warps of the SM nor the block maximum count); 0: not even one register. blocks 0 or less gives the
 * architecture's limit. */
int occupancy_register_ceiling(const struct arch *arch, int threads, int blocks);

/* Whether some number of warps has just this ceiling, as blocks of one warp: __launch_bounds__ caps nowhere else. */
bool occupancy_caps_at(const struct arch *arch, int registers);

/* Most static + dynamic bytes per block, of sizes up to at_most_bytes, at which `blocks` blocks fit, shared memory
 * alone; -1: none. The limit is more than the smaller of two numbers only where blocks are not monotone in size: cc 2.x
 * and 3.x at carveout 0 give all of it to a block that does not fit 16 KiB. */
int64_t occupancy_smem_ceiling(const struct arch *arch, int carveout, int blocks, int64_t at_most_bytes);

/*
 * The nearest steps around a launch that can be computed. A step up is fewer resources and more warps; a step
 * down is the first count or size that costs warps. Blocks and warps are those of the occupancy there.
 */
struct cliff {
    int registers_up;            /* largest count below the present one with more blocks; -1: none */
    int blocks_up, warps_up;     /* there; 0 when there is none */
    int register_slack;          /* how many more registers keep the present blocks */
    int registers_down;          /* present + slack + 1: the first count that costs; -1: the architecture's limit comes
                                    first */
    int blocks_down, warps_down; /* there; 0: cannot launch */
    int64_t smem_up_bytes;       /* largest static + dynamic size below the present one with more blocks; -1: none */
    int smem_blocks_up, smem_warps_up;
    int64_t smem_slack_bytes;              /* how many more bytes keep the present blocks; -1: cannot launch, nothing to
                                              keep */
    int smem_blocks_down, smem_warps_down; /* at one byte more than the slack; 0: cannot launch */
};
/* threads 0: the steps of the best case, what moves its warps; blocks are those of the largest block size that reaches
 * them. False as occupancy_compute. */
bool occupancy_cliff(const struct arch *arch, const struct launch *launch, struct cliff *cliff);

/* Largest block in threads that these registers allow to launch (multiple of 32 up to the block maximum); 0:
 * none. */
int occupancy_largest_block(const struct arch *arch, int registers);

/* Best case over every launchable multiple of 32 threads: what bounds the kernel when its block size is not
 * known. launch->threads is not read. Warps 0 (and sizes 0) when no block size can launch; false as
 * occupancy_compute. */
struct best_case {
    int threads_largest; /* the largest block size that reaches it */
    int blocks;          /* at that size */
    int warps, max_warps;
};
bool occupancy_best_case(const struct arch *arch, const struct launch *launch, struct best_case *best);
/* Warps of the launch; without a block size (threads 0) of the best case; -1: as occupancy_compute says false. */
int occupancy_warps(const struct arch *arch, const struct launch *launch);

/* The best case and the next register count below the present one at which it rises. launch->threads is not read; false
 * as occupancy_compute. */
struct best_step {
    int warps, max_warps; /* at the present count; 0: no block size can launch */
    int registers;        /* -1: fewer registers gain nothing */
    int warps_there;
};
bool occupancy_best_step(const struct arch *arch, const struct launch *launch, struct best_step *step);

/*
 * Waves of a grid: wave = blocks * sms; and what they leave of the occupancy that a profiler measures. Nsight Compute's
 * "achieved occupancy" (sm__warps_active.avg.pct_of_peak_sustained_active) is the active warps of all SMs over the
 * warps that these could hold in their active cycles. An SM without a block has no active cycle and lowers nothing: one
 * block on 80 SMs achieves the warps of one block. With b blocks on an SM at once, achieved occupancy is
 * b * warps of a block / warps of an SM, so
 *   - most_blocks bounds it, whatever time the blocks take;
 *   - it is grid / sm_waves blocks where all of them take the same time.
 * Both assume that a block goes to an SM with the fewest blocks, as in NVIDIA's example of 45 blocks on 15 SMs that
 * hold 4 each (3 on an SM, 75 % of the theoretical occupancy). CUDA does not promise it. Documents: "Metrics Structure"
 * in the Kernel Profiling Guide of Nsight Compute; "Achieved Occupancy" in the user guide of Nsight Visual Studio
 * Edition.
 */
struct waves {
    int64_t wave_blocks; /* blocks in a full wave */
    int64_t full_waves;
    int64_t last_blocks; /* blocks in the last, partial wave; 0: none */
    int most_blocks;     /* that an SM holds at once: blocks_per_sm, or fewer where the grid is too small for that */
    int64_t sm_waves;    /* waves counted once for each SM that has a block of them */
};
/* False unless all three are positive. */
bool occupancy_waves(int blocks_per_sm, int sms, int64_t grid, struct waves *waves);
/* Achieved occupancy, 0..1: its bound, and where all blocks take the same time. */
double occupancy_at_most(const struct occupancy *occupancy, const struct waves *waves);
double occupancy_of_equal_blocks(const struct occupancy *occupancy, const struct waves *waves);

#endif
