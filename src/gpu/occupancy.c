/*
 * The occupancy model. T threads, R registers per thread, S + D static and dynamic shared bytes, B named
 * barriers. Integers; every division floors. The order matters, and so does what is rounded when.
 *
 *   1. W = ceil(T/32) warps. cc 1.x gives a block its warps in pairs.
 *   2. Registers are allocated per warp: rw = 32R rounded up to the unit. The register file is split over P
 *      sub-partitions and a warp lives in one of them, so the SM holds floor(floor(file/P)/rw)*P warps,
 * whatever blocks they belong to. cc 1.x allocates per block: 32R*W (W in pairs), rounded up once.
 *   3. A launch is refused when rw times W, rounded up to the partitions, exceeds the registers of one block.
 * Only where a block may hold less than the SM has (3.2, 3.7, 5.3, 6.2; 6.0 by its stricter check) this says
 * more than 2.
 *   4. Warps: none when T exceeds the block maximum, else floor(warps of the SM / W).
 *   5. Shared memory: S + D + the system's reserve, summed first and rounded up once. A block above the limit
 * without opt-in is computed as opted in, also when all of it is static; above the limit with opt-in it
 * cannot launch.
 *   6. Blocks per SM, and from cc 9.0 the pool of named barriers over B.
 *
 * The least of these is the answer. Active warps count W, not pairs.
 *
 * Sources: cuda_occupancy.h of CUDA 13.0 and 7.0, whose results this equals on every architecture they know,
 * and the programming guide. Three things there are not followed: the header's limiting factors name the
 * limits from before the barriers were looked at; its cudaOccAvailableDynamicSMemPerBlock forgets the
 * reserve; and it accepts more registers per thread on 3.0 and from 7.0 than ptxas can use. That a block
 * takes from the pool what ptxas calls "used N barriers" is an inference from names and published profiles,
 * not a documented fact.
 */
#include "gpu/occupancy.h"

#include "base/mem.h"

/* What is no question at all: far above every machine, far below where the arithmetic could overflow. */
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

/* Units, granularities and partitions are powers of two (a test of the table says so). */
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

/* What a block of so many warps takes of the registers. */
static int registers_allocated(const struct arch *arch, int warps, int registers)
{
    if (!arch->registers_per_block_alloc)
        return registers_per_warp(arch, registers) * warps;
    int pairs = round_up_count(warps, arch->warp_granularity);
    return round_up_count(registers * arch->warp_size * pairs, arch->register_unit);
}

/* Blocks of so many warps that registers alone allow. */
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

/* What an SM is set to when this percentage is asked for, before a block has to fit. */
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
        /* Before 7.0 there are three preferences, not a percentage: most L1, equal where that exists, most
         * shared. */
        at = carveout == 0 ? 0 : carveout == 50 ? count / 2 : count - 1;
    }
    return (int64_t)sizes[at] * 1024;
}

/* The preference yields to a block that does not fit: to the next size from 7.0, to the maximum before. */
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
    size_t registers = 0; /* so many fit: none always do */
    MEM_FIND(registers, (size_t)arch->registers_per_thread, register_limit(arch, warps, (int)registers + 1) >= blocks);
    return (int)registers;
}

/* So many warps fit at this count and not at the next one: their cap is here. */
bool occupancy_caps_at(const struct arch *arch, int registers)
{
    int next = 0;
    if (registers < 0 || registers > arch->registers_per_thread)
        return false;
    int here = least_count(register_limit(arch, 1, registers), arch->max_warps_per_sm);
    if (registers < arch->registers_per_thread)
        next = register_limit(arch, 1, registers + 1);
    return here > next;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/*
 * The largest size is a share of one of the capacities that the SM can be set to: with the capacity known,
 * blocks fit up to floor(capacity / blocks), rounded down, less the reserve. So each capacity offers one
 * candidate, and the first that holds, from the largest down, is the answer.
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

/* Fewer warps never need more. */
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

/* So many blocks on an SM, the average of a count over many. */
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
