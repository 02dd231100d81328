/*
 * arch: the limits of every compute capability. One const table; src/gpu/arch.c says how to add a row and names the
 * document that each number comes from.
 */
#ifndef GPU_ARCH_H
#define GPU_ARCH_H

#include "base/str.h"

enum { ARCH_SMEM_SIZES = 12 };

struct arch {
    int major, minor;               /* compute capability */
    const char *chips;              /* "GA100" */
    int warp_size;                  /* threads */
    int max_threads_per_block;
    int max_warps_per_sm;
    int max_blocks_per_sm;
    int registers_per_sm;
    int registers_per_block;        /* most that one block may hold */
    int registers_per_thread;       /* most that one thread may hold: 63, 124 or 255 */
    int register_unit;              /* allocation unit, registers */
    bool registers_per_block_alloc; /* cc 1.x: registers are allocated per block, not per warp */
    int warp_granularity;           /* warps of a block are rounded up to this when registers are counted (cc 1.x) */
    int sub_partitions;             /* the register file is split over these; P of the model */
    int smem_sizes_kib[ARCH_SMEM_SIZES]; /* the carveouts an SM can be set to, KiB, ascending, -1 ends */
    int smem_per_sm_bytes;          /* the largest of them */
    int smem_per_block_bytes;       /* without opt-in */
    int smem_per_block_optin_bytes; /* with opt-in */
    int smem_unit_bytes;            /* allocation unit */
    int smem_reserved_bytes;        /* taken per block by the system: 1024 from 8.0 */
    int barriers_per_sm;            /* pool of named barriers, 0: no limit is modelled */
};

extern const struct arch arch_table[]; /* sorted by major, minor */
extern const size_t arch_count;

/* The row of "sm_90", "sm_90a", "sm_100f", "compute_80", "9.0", "90"; NULL when it is not in the table (never a guess). */
const struct arch *arch_find(struct str name);

/* "sm_90" as a number that orders architectures: 900 for sm_90, sm_90a and 9.0; 1200 for sm_120; 0 when it is no
 * architecture name. Works for architectures that are not in the table too. */
int arch_number(struct str name);

#endif
