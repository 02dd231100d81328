/*
 * The occupancy model. T is threads, R registers per thread, S + D static and dynamic shared bytes, B named barriers.
 * Integers; every division floors. The order of the steps and of the rounding matters.
 *
 *   1. W = ceil(T/32) warps. On cc 1.x a block takes its warps in pairs.
 *   2. Registers are allocated per warp: rw = 32R rounded up to the unit. The register file is split over P
 *      sub-partitions and a warp is in one of them, so the SM holds floor(floor(file/P)/rw)*P warps, whatever blocks
 *      they belong to. cc 1.x allocates per block: 32R*W (W in pairs), rounded up once.
 *   3. A launch is refused if rw times W, rounded up to the partitions, exceeds the registers of one block. This check
 *      refuses more than step 2 only where a block may hold less than the SM has (3.2, 3.7, 5.3, 6.2; 6.0 by its
 *      stricter check).
 *   4. Warps: no block fits if T exceeds the block maximum, else floor(warps of the SM / W).
 *   5. Shared memory: S + D + the system's reserve, summed first and rounded up once. A block above the limit without
 *      opt-in is computed with opt-in, even if all of it is static. A block above the limit with opt-in cannot launch.
 *   6. Blocks per SM, and from cc 9.0 the pool of named barriers over B.
 *
 * The result is the smallest of these limits. Active warps count W, not pairs.
 *
 * Sources: cuda_occupancy.h of CUDA 13.0 and 7.0, with equal results on every architecture in these headers, and the
 * programming guide. The model differs from the headers in three points. The header determines its limiting factors
 * before it considers the barriers. Its cudaOccAvailableDynamicSMemPerBlock omits the reserve. It accepts more
 * registers per thread on 3.0 and from 7.0 than ptxas can use. That a block takes as many barriers from the pool as
 * ptxas reports in "used N barriers" is an inference from names and published profiles, not a documented fact.
 */
#include "gpu/occupancy.h"

#include "base/mem.h"

/* Launches above these numbers are out of range. They are far above every GPU and far below an overflow. */
static const int64_t most_smem_bytes = INT64_C(1) << 40;
static const int most_threads = 1 << 20;

const char *const limiter_ids[LIMIT_COUNT] = {"warps", "registers", "shared_memory", "blocks", "barriers"};

void limiter_names(unsigned limiters, const char *separator, struct buf *out)
{
    const char *between = "";
    for (int at = 0; at < LIMIT_COUNT; at++) {
        if (!(limiters >> at & 1))
            continue;
        buf_fmt(out, "%s%s", between, limiter_ids[at]);
        between = separator;
    }
}

/* Units, granularities and partitions are powers of two (a test checks the table). */
static int64_t round_down(int64_t value, int64_t unit)
{
    return value & ~(unit - 1);
}

static int64_t round_up(int64_t value, int64_t unit)
{
    return round_down(value + unit - 1, unit);
}

static int round_up_count(int count, int unit)
{
    return (int)round_up(count, unit);
}

static int least_count(int a, int b)
{
    return a < b ? a : b;
}

static int registers_per_warp(const struct arch *arch, int registers)
{
    bool doubled = registers < 64 && (arch->register_unit_doubled >> registers & 1);
    return round_up_count(registers * arch->warp_size, arch->register_unit << doubled);
}

/* Registers that a block of `warps` warps takes, after rounding. */
static int registers_allocated(const struct arch *arch, int warps, int registers)
{
    if (!arch->registers_per_block_alloc)
        return registers_per_warp(arch, registers) * warps;
    int pairs = round_up_count(warps, arch->warp_granularity);
    return round_up_count(registers * arch->warp_size * pairs, arch->register_unit);
}

/* Blocks of `warps` warps that registers alone allow. */
static int register_limit(const struct arch *arch, int warps, int registers)
{
    if (registers == 0)
        return OCCUPANCY_NO_LIMIT;
    if (arch->registers_per_block_alloc) {
        int allocated = registers_allocated(arch, warps, registers);
        return allocated > arch->registers_per_block ? 0 : arch->registers_per_sm / allocated;
    }
    int per_warp = registers_per_warp(arch, registers);
    if (per_warp * round_up_count(warps, arch->launch_partitions) > arch->registers_per_block)
        return 0;
    return arch->registers_per_sm / arch->sub_partitions / per_warp * arch->sub_partitions / warps;
}

/* The capacity that an SM is set to for this percentage, before a block has to fit. */
static int64_t preferred_capacity(const struct arch *arch, int carveout)
{
    const int *sizes = arch->smem_sizes_kib;
    size_t count = 0, at = 0;
    if (carveout < 0)
        return arch->smem_per_sm_bytes;
    while (sizes[count] >= 0)
        count++;
    if (arch->major >= 7) {
        int64_t wanted = (int64_t)arch->smem_per_sm_bytes * carveout / 100;
        while (at + 1 < count && (int64_t)sizes[at] * 1024 < wanted)
            at++;
    } else {
        /* Before 7.0 there are three preferences, not a percentage: most L1, equal (if the architecture has it), most
         * shared. */
        at = carveout == 0 ? 0 : carveout == 50 ? count / 2 : count - 1;
    }
    return (int64_t)sizes[at] * 1024;
}

/* If a block does not fit the preferred capacity, the SM uses the smallest that fits it from 7.0 on, else the maximum.
 */
static int64_t smem_capacity(const struct arch *arch, int carveout, int64_t allocated)
{
    int64_t preferred = preferred_capacity(arch, carveout);
    if (allocated <= preferred || arch->major < 7)
        return allocated <= preferred ? preferred : arch->smem_per_sm_bytes;
    for (const int *size = arch->smem_sizes_kib; *size >= 0; size++)
        if ((int64_t)*size * 1024 >= allocated)
            return (int64_t)*size * 1024;
    return arch->smem_per_sm_bytes;
}

static int64_t smem_allocated(const struct arch *arch, int64_t bytes)
{
    return round_up(bytes + arch->smem_reserved_bytes, arch->smem_unit_bytes);
}

/* Blocks that shared memory alone allows, at static + dynamic bytes per block. */
static int smem_limit(const struct arch *arch, int carveout, int64_t bytes)
{
    int64_t allocated = smem_allocated(arch, bytes);
    if (bytes > arch->smem_per_block_optin_bytes)
        return 0;
    if (allocated == 0)
        return OCCUPANCY_NO_LIMIT;
    return (int)smem_capacity(arch, carveout, allocated) / (int)allocated;
}

static bool is_question(const struct arch *arch, const struct launch *launch)
{
    return launch->threads >= 1 && launch->threads <= most_threads && launch->registers >= 0 &&
           launch->registers <= arch->registers_per_thread && launch->smem_bytes >= 0 &&
           launch->smem_bytes <= most_smem_bytes && launch->dynamic_smem_bytes >= 0 &&
           launch->dynamic_smem_bytes <= most_smem_bytes && launch->barriers >= 0 && launch->carveout >= -1 &&
           launch->carveout <= 100;
}

static int warp_limit(const struct arch *arch, const struct launch *launch)
{
    if (launch->threads > arch->max_threads_per_block)
        return 0;
    return arch->max_warps_per_sm / round_up_count(arch_warps(arch, launch->threads), arch->warp_granularity);
}

int occupancy_limit_without(const struct occupancy *occupancy, unsigned left_out)
{
    int limit = OCCUPANCY_NO_LIMIT;
    for (int at = 0; at < LIMIT_COUNT; at++)
        if (!(left_out >> at & 1))
            limit = least_count(limit, occupancy->limit[at]);
    return limit;
}

static void find_minimum(struct occupancy *result)
{
    result->blocks = occupancy_limit_without(result, 0);
    result->limiters = 0;
    for (int at = 0; at < LIMIT_COUNT; at++)
        result->limiters |= (unsigned)(result->limit[at] == result->blocks) << at;
}

bool occupancy_compute(const struct arch *arch, const struct launch *launch, struct occupancy *result)
{
    if (!is_question(arch, launch))
        return false;
    int warps = arch_warps(arch, launch->threads);
    int64_t bytes = launch_smem(launch);
    bool pooled = arch->barriers_per_sm > 0 && launch->barriers > 0;
    result->limit[LIMIT_WARPS] = warp_limit(arch, launch);
    result->limit[LIMIT_REGISTERS] = register_limit(arch, warps, launch->registers);
    result->limit[LIMIT_SHARED_MEMORY] = smem_limit(arch, launch->carveout, bytes);
    result->limit[LIMIT_BLOCKS] = arch->max_blocks_per_sm;
    result->limit[LIMIT_BARRIERS] = pooled ? arch->barriers_per_sm / launch->barriers : OCCUPANCY_NO_LIMIT;
    find_minimum(result);
    result->warps = result->blocks * warps;
    result->max_warps = arch->max_warps_per_sm;
    result->registers_per_block = registers_allocated(arch, warps, launch->registers);
    result->smem_per_block_bytes = smem_allocated(arch, bytes);
    result->smem_capacity_bytes = smem_capacity(arch, launch->carveout, result->smem_per_block_bytes);
    result->needs_optin = bytes > arch->smem_per_block_bytes && bytes <= arch->smem_per_block_optin_bytes;
    return true;
}

int occupancy_register_ceiling(const struct arch *arch, int threads, int blocks)
{
    int warps = arch_warps(arch, threads);
    size_t registers = 0; /* this many fit; 0 always fit */
    MEM_FIND(registers, (size_t)arch->registers_per_thread, register_limit(arch, warps, (int)registers + 1) >= blocks);
    return (int)registers;
}

bool occupancy_caps_at(const struct arch *arch, int registers)
{
    if (registers < 0 || registers > arch->registers_per_thread)
        return false;
    const int warps = least_count(register_limit(arch, 1, registers), arch->max_warps_per_sm);
    return occupancy_register_ceiling(arch, arch->warp_size, warps) == registers;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/*
 * With a given capacity of the SM, the largest size for `blocks` blocks is floor(capacity / blocks), rounded down to
 * the unit, less the reserve. So each capacity has one candidate. The result is the first valid candidate, from the
 * largest capacity down.
 */
int64_t occupancy_smem_ceiling(const struct arch *arch, int carveout, int blocks, int64_t at_most_bytes)
{
    int64_t most = least(at_most_bytes, arch->smem_per_block_optin_bytes);
    size_t count = 0;
    if (blocks < 1)
        return most;
    while (arch->smem_sizes_kib[count] >= 0)
        count++;
    while (count-- > 0) {
        int64_t capacity = (int64_t)arch->smem_sizes_kib[count] * 1024;
        int64_t bytes = round_down(capacity / blocks, arch->smem_unit_bytes) - arch->smem_reserved_bytes;
        bytes = least(bytes, most);
        if (bytes >= 0 && smem_limit(arch, carveout, bytes) >= blocks)
            return bytes;
    }
    return -1;
}

/* The search is binary because fewer warps never need more registers. */
int occupancy_largest_block(const struct arch *arch, int registers)
{
    size_t warps = 0;
    if (registers < 0 || registers > arch->registers_per_thread)
        return 0;
    MEM_FIND(warps, (size_t)(arch->max_threads_per_block / arch->warp_size),
             register_limit(arch, (int)warps + 1, registers) >= 1);
    return (int)warps * arch->warp_size;
}

bool occupancy_waves(int blocks_per_sm, int sms, int64_t grid, struct waves *waves)
{
    if (blocks_per_sm < 1 || sms < 1 || grid < 1)
        return false;
    waves->wave_blocks = (int64_t)blocks_per_sm * sms;
    waves->full_waves = grid / waves->wave_blocks;
    waves->last_blocks = grid % waves->wave_blocks;
    waves->most_blocks = (int)least(blocks_per_sm, (grid - 1) / sms + 1);
    waves->sm_waves = waves->full_waves * sms + least(waves->last_blocks, sms);
    return true;
}

/* The share of an SM's warps that `blocks` blocks take; `blocks` may be an average over SMs. */
static double share_of(const struct occupancy *occupancy, double blocks)
{
    return blocks * (occupancy->warps / occupancy->blocks) / occupancy->max_warps;
}

double occupancy_at_most(const struct occupancy *occupancy, const struct waves *waves)
{
    return share_of(occupancy, waves->most_blocks);
}

double occupancy_of_equal_blocks(const struct occupancy *occupancy, const struct waves *waves)
{
    double grid = (double)waves->full_waves * (double)waves->wave_blocks + (double)waves->last_blocks;
    return share_of(occupancy, grid / (double)waves->sm_waves);
}
