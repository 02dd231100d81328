/*
 * arch: the limits of every compute capability. One const table; src/gpu/arch.c says how to add a row and
 * names the document that each number comes from.
 */
#ifndef GPU_ARCH_H
#define GPU_ARCH_H

#include "base/str.h"

enum { ARCH_SMEM_SIZES = 12 };

struct arch {
    int major, minor;  /* compute capability */
    const char *chips; /* "GA100" */
    int warp_size;     /* threads */
    int max_threads_per_block;
    int max_warps_per_sm;
    int max_blocks_per_sm;
    int registers_per_sm;
    int registers_per_block;             /* most that one block may hold */
    int registers_per_thread;            /* most that one thread may hold: 63, 124 or 255 */
    int register_unit;                   /* allocation unit, registers */
    uint64_t register_unit_doubled;      /* bit R: at R registers per thread the unit is twice as large (cc 2.x) */
    bool registers_per_block_alloc;      /* cc 1.x: registers are allocated per block, not per warp */
    int warp_granularity;                /* a block takes a multiple of this many warps: 2 on cc 1.x, else 1 */
    int sub_partitions;                  /* the register file is split over these; P of the model */
    int launch_partitions;               /* warps are rounded up to this when a launch is checked; P except on 6.0 */
    int smem_sizes_kib[ARCH_SMEM_SIZES]; /* the carveouts an SM can be set to, KiB, ascending, -1 ends */
    int smem_per_sm_bytes;               /* the largest of them */
    int smem_per_block_bytes;            /* without opt-in */
    int smem_per_block_optin_bytes;      /* with opt-in; equal where there is none */
    int smem_unit_bytes;                 /* allocation unit */
    int smem_reserved_bytes;             /* taken per block by the system: 1024 from 8.0 */
    int barriers_per_sm;                 /* pool of named barriers, 0: no limit is modelled */
};

/* Warps of a block of so many threads, 1 or more. */
static inline int arch_warps(const struct arch *arch, int threads)
{
    return (threads - 1) / arch->warp_size + 1;
}

extern const struct arch arch_table[]; /* sorted by major, minor */
extern const size_t arch_count;

/* The row of "sm_90", "sm_90a", "sm_100f", "compute_80", "lto_90", "9.0", "90"; NULL when it is not in the
 * table (never a guess: an unknown member of a known family is unknown). */
const struct arch *arch_find(struct str name);

/*
 * The registers per thread that ptxas allows a kernel with .maxntid or .reqntid of `threads` and .minnctapersm of
 * `min_blocks` (0: not declared): as many as let the warps of that many blocks fit the SM, and those of one block what
 * a block may hold, spread over the sub-partitions; an out-of-range min_blocks is ignored, as ptxas does. -1 where
 * ptxas ignores the threads, as an SM has fewer, and where that is not known: below cc 5.0. Nor is it said for cc 6.0:
 * ptxas counts with four sub-partitions there, so that its caps are lower than what fits. The rule was read off
 * EIATTR_MAXREG_COUNT of cubins of CUDA 13.0 and 11.8, see tests/data/register-caps.tsv.
 */
int arch_register_cap(const struct arch *arch, int threads, int min_blocks);

/*
 * The launch bounds nearest to these whose register cap is higher: fewer blocks per SM, else smaller blocks. They state
 * a minimum of blocks, 1 or more: with __launch_bounds__(threads) alone ptxas may take far fewer registers than the
 * cap.
 */
struct raised_bounds {
    int threads, min_blocks;
    int register_cap;
};
/* min_blocks 0: none. False where the cap is not known, or is the most that a thread can have. */
bool arch_raise_register_cap(const struct arch *arch, int threads, int min_blocks, struct raised_bounds *raised);

/* "sm_90" as a number that orders architectures, ten times major plus minor: 90 for sm_90, sm_90a and 9.0; 120 for
 * sm_120; 0 when it is no architecture name. Works for architectures that are not in the table too. */
int arch_number(struct str name);

#endif
