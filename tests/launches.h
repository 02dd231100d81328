/* launches: random launches with a fixed seed; half of the values lie at a limit of the architecture. */
#pragma once

#include "gpu/occupancy.h"

struct dice {
    uint64_t state; /* must not be 0 */
};

/* 0 .. below - 1 */
static inline int64_t roll(struct dice *dice, int64_t below)
{
    dice->state ^= dice->state << 13;
    dice->state ^= dice->state >> 7;
    dice->state ^= dice->state << 17;
    return (int64_t)(dice->state >> 11) % below;
}

/* Half of the sizes lie around the limits and around the share of one of N blocks; the others are anywhere up to a
 * little above the opt-in limit. */
static inline int64_t roll_smem(struct dice *dice, const struct arch *arch)
{
    int64_t near_edge = roll(dice, 3) - 1, bytes = 0;
    switch (roll(dice, 5)) {
    case 0: return 0;
    case 1: bytes = arch->smem_per_sm_bytes / (1 + roll(dice, 34)) - arch->smem_reserved_bytes + near_edge; break;
    case 2: bytes = arch->smem_per_block_bytes + near_edge; break;
    case 3: bytes = roll(dice, 8192); break;
    default: bytes = roll(dice, arch->smem_per_block_optin_bytes + 1024);
    }
    return bytes < 0 ? 0 : bytes;
}

static inline struct launch roll_launch(struct dice *dice, const struct arch *arch)
{
    struct launch launch = {0};
    int64_t warps = 1 + roll(dice, arch->max_threads_per_block / 32 + 1);
    int64_t total = roll_smem(dice, arch);
    launch.threads = (int)(roll(dice, 2) ? warps * 32 : warps * 32 - roll(dice, 32));
    launch.registers = (int)roll(dice, roll(dice, 2) ? arch->registers_per_thread + 1 : 64);
    launch.smem_bytes = roll(dice, 2) ? total : roll(dice, total + 1);
    launch.dynamic_smem_bytes = total - launch.smem_bytes;
    launch.barriers = (int)roll(dice, 17);
    launch.carveout = roll(dice, 2) ? -1 : (int)(roll(dice, 2) ? roll(dice, 3) * 50 : roll(dice, 101));
    return launch;
}
