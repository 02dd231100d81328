/*
 * arch: the limits of every compute capability, in one const table. src/gpu/arch.c describes how to add a row and names
 * the document of each number.
 */
#pragma once

#include "base/mem.h"
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
    bool registers_per_block_alloc;      /* cc 1.x: true: registers are allocated per block, not per warp */
    int warp_granularity;                /* a block takes a multiple of this many warps: 2 on cc 1.x, else 1 */
    int sub_partitions;                  /* parts of the register file; P of the model */
    int launch_partitions;               /* a launch check rounds warps up to this; equal to P except on cc 6.0 */
    int smem_sizes_kib[ARCH_SMEM_SIZES]; /* the carveouts of an SM, KiB, ascending, -1 ends */
    int smem_per_sm_bytes;               /* the largest carveout */
    int smem_per_block_bytes;            /* without opt-in */
    int smem_per_block_optin_bytes;      /* with opt-in; the same number if the architecture has no opt-in */
    int smem_unit_bytes;                 /* allocation unit */
    int smem_reserved_bytes;             /* taken per block by the system: 1024 from 8.0 */
    int barriers_per_sm;                 /* pool of named barriers of an SM; 0: the model has no limit */
};

/* Warps of a block of `threads` (1 or more) threads. */
static inline int arch_warps(const struct arch *arch, int threads)
{
    return (threads - 1) / arch->warp_size + 1;
}

extern const struct arch arch_table[]; /* sorted by major, minor */
extern const size_t arch_count;

/* The row of "sm_90", "sm_90a", "sm_100f", "compute_80", "lto_90", "9.0", "90"; NULL if it is not in the table. An
 * unknown member of a known family is unknown: nothing is guessed. */
const struct arch *arch_find(struct str name);
/* The architecture that a name with other letters in front means, in the arena: "sm_90a" for "sm90a", "SM_90a" and
 * "sm-90a"; NULL: none. */
const char *arch_nearest(struct str name, struct arena *arena);

/*
 * The most registers per thread that ptxas gives a kernel with .maxntid or .reqntid of `threads` and .minnctapersm of
 * `min_blocks` (0: not declared). With this count the warps of min_blocks blocks fit the SM and the warps of one
 * block fit the registers of a block, both spread over the sub-partitions. An out-of-range min_blocks is ignored, as
 * ptxas does. Returns -1 if an SM has fewer threads than `threads` (ptxas ignores the bound) and if the cap is unknown:
 * below cc 5.0, and for cc 6.0, where ptxas counts with four sub-partitions, so that its caps are lower than what fits.
 * The rule is derived from EIATTR_MAXREG_COUNT in cubins of CUDA 13.0 and 11.8, see tests/data/register-caps.tsv.
 */
int arch_register_cap(const struct arch *arch, int threads, int min_blocks);

/*
 * The nearest launch bounds with a higher register cap: fewer blocks per SM or, if that is not enough, smaller blocks.
 * The result always states a minimum of blocks (1 or more): with __launch_bounds__(threads) alone, ptxas may use far
 * fewer registers than the cap.
 */
struct raised_bounds {
    int threads, min_blocks;
    int register_cap;
};
/* min_blocks 0: not declared. Returns false if the cap is unknown or already the most that a thread can have. */
bool arch_raise_register_cap(const struct arch *arch, int threads, int min_blocks, struct raised_bounds *raised);

/* The launch bounds of this block size with the lowest cap above `cap`, and of these those with the most blocks. False:
 * there are none, or the caps are unknown. */
bool arch_bounds_above(const struct arch *arch, int threads, int cap, struct raised_bounds *bounds);

/* "sm_90" as a number that orders architectures, 10 * major + minor: 90 for sm_90, sm_90a and 9.0; 120 for sm_120; 0 if
 * `name` is not the name of an architecture. Architectures that are not in the table have a number too. */
int arch_number(struct str name);
