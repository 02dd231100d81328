/*
 * Cliffs: the register counts and shared memory sizes at which the number of blocks changes.
 *
 * The number of blocks falls in steps as registers or shared memory grow. With the other resources fixed, m blocks fit
 * if the other resources allow m blocks and this resource is not above its ceiling for m blocks. So a step is computed
 * from the ceiling, without a trial of every count. If the block size is unknown, the step is the one over all block
 * sizes together, measured in warps: with W(T) warps per block of T threads, w warps need ceil(w / W(T)) blocks.
 */
#include "gpu/occupancy.h"

/* The block sizes to consider: from, from + 32, .. to. */
struct range {
    int from, to;
};

static struct range all_sizes(const struct arch *arch)
{
    return (struct range){arch->warp_size, arch->max_threads_per_block};
}

/* The block size of the launch, or all block sizes if it is unknown. */
static struct range sizes_of(const struct arch *arch, const struct launch *launch)
{
    return launch->threads ? (struct range){launch->threads, launch->threads} : all_sizes(arch);
}

/* Upper bound of the warps per SM by registers, for blocks of any size. */
static int most_warps(const struct arch *arch, const struct launch *launch)
{
    const struct launch one = launch_with_threads(launch, arch->warp_size);
    struct occupancy at;
    if (arch->registers_per_block_alloc || !occupancy_compute(arch, &one, &at))
        return arch->max_warps_per_sm;
    return at.limit[LIMIT_REGISTERS] < at.max_warps ? at.limit[LIMIT_REGISTERS] : at.max_warps;
}

/* The result for the block size of the range with the most warps, the largest size if there are several. Returns false
 * in the same cases as occupancy_compute. */
static bool find_best(const struct arch *arch, const struct launch *launch, struct range range, struct best_case *best)
{
    const int most = most_warps(arch, launch);
    struct launch trial = launch_with_threads(launch, range.to);
    struct occupancy at;
    *best = (struct best_case){.max_warps = arch->max_warps_per_sm};
    for (; trial.threads >= range.from && (best->warps == 0 || best->warps < most); trial.threads -= arch->warp_size) {
        const int warps = arch_warps(arch, trial.threads);
        if (trial.threads < range.to && most / warps * warps <= best->warps)
            continue; /* this size cannot have more warps with any number of blocks */
        if (!occupancy_compute(arch, &trial, &at))
            return false;
        if (at.warps <= best->warps)
            continue;
        best->threads_largest = trial.threads;
        best->blocks = at.blocks;
        best->warps = at.warps;
    }
    return true;
}

bool occupancy_best_case(const struct arch *arch, const struct launch *launch, struct best_case *best)
{
    return find_best(arch, launch, all_sizes(arch), best);
}

int occupancy_warps(const struct arch *arch, const struct launch *launch)
{
    struct best_case best;
    return find_best(arch, launch, sizes_of(arch, launch), &best) ? best.warps : -1;
}

/* Number of blocks of this size that have at least `warps` warps; 0 if the resources other than left_out do not allow
 * that number. */
static int blocks_for(const struct arch *arch, const struct launch *launch, enum limiter left_out, int warps)
{
    struct occupancy at = {0};
    int per_block = arch_warps(arch, launch->threads);
    int blocks = (warps + per_block - 1) / per_block;
    bool fit = occupancy_compute(arch, launch, &at) && occupancy_limit_without(&at, 1u << left_out) >= blocks;
    return fit ? blocks : 0;
}

/* Most registers per thread, or static + dynamic shared bytes up to at_most, at which some block size of the range has
 * at least `warps` (1 or more) warps; -1: none. */
static int64_t most_of(enum limiter resource, const struct arch *arch, const struct launch *launch, struct range range,
                       int warps, int64_t at_most)
{
    int64_t most = -1, enough = INT64_MAX;
    if (resource == LIMIT_REGISTERS && !arch->registers_per_block_alloc)
        enough =
            occupancy_register_ceiling(arch, arch->warp_size, warps); /* larger blocks leave more registers unused */
    for (int threads = range.from; threads <= range.to && most < enough; threads += arch->warp_size) {
        struct launch trial = launch_with_threads(launch, threads);
        int blocks = blocks_for(arch, &trial, resource, warps);
        if (blocks == 0)
            continue;
        int64_t ceiling = resource == LIMIT_REGISTERS ? occupancy_register_ceiling(arch, threads, blocks)
                                                      : occupancy_smem_ceiling(arch, launch->carveout, blocks, at_most);
        most = ceiling > most ? ceiling : most;
    }
    return most > 0 || resource != LIMIT_REGISTERS ? most : -1;
}

/*
 * The end of the run of sizes from `start` on at which shared memory allows `blocks` blocks; start - 1 if they do not
 * fit at `start`. Within one capacity the number of blocks only falls; at the end of a capacity the SM switches to the
 * next one and the run may continue.
 */
static int64_t run_end(const struct arch *arch, const struct launch *launch, int blocks, int64_t start)
{
    struct launch trial = launch_with_smem(launch, start);
    struct occupancy at = {0};
    if (!occupancy_compute(arch, &trial, &at) || at.limit[LIMIT_SHARED_MEMORY] < blocks)
        return start - 1;
    int64_t share = at.smem_capacity_bytes / blocks;
    int64_t end = share / arch->smem_unit_bytes * arch->smem_unit_bytes - arch->smem_reserved_bytes;
    return end < arch->smem_per_block_optin_bytes ? end : arch->smem_per_block_optin_bytes;
}

/* The end of the run of sizes, without a gap from the present size on, at which some block size of the range has
 * `warps` warps. */
static int64_t last_smem(const struct arch *arch, const struct launch *launch, struct range range, int warps)
{
    int64_t end = launch_smem(launch) - 1, start = 0;
    do {
        start = end + 1;
        for (int threads = range.from; threads <= range.to; threads += arch->warp_size) {
            struct launch trial = launch_with_threads(launch, threads);
            int blocks = blocks_for(arch, &trial, LIMIT_SHARED_MEMORY, warps);
            int64_t run = blocks ? run_end(arch, &trial, blocks, start) : start - 1;
            end = run > end ? run : end;
        }
    } while (end >= start);
    return end;
}

/* Blocks and warps of a launch that is in range; both 0 if no block can launch. */
static void count_at(const struct arch *arch, struct launch launch, struct range range, int *blocks, int *warps)
{
    struct best_case there = {0};
    find_best(arch, &launch, range, &there);
    *blocks = there.blocks;
    *warps = there.warps;
}

static void register_steps(const struct arch *arch, const struct launch *launch, struct range range, int warps,
                           struct cliff *cliff)
{
    int last = warps ? (int)most_of(LIMIT_REGISTERS, arch, launch, range, warps, 0) : arch->registers_per_thread;
    last = last > launch->registers ? last : launch->registers; /* at 0 registers there is no ceiling */
    cliff->registers_up = (int)most_of(LIMIT_REGISTERS, arch, launch, range, warps + 1, 0);
    cliff->register_slack = last - launch->registers;
    cliff->registers_down = last < arch->registers_per_thread ? last + 1 : -1;
    if (cliff->registers_up >= 0)
        count_at(arch, launch_with_registers(launch, cliff->registers_up), range, &cliff->blocks_up, &cliff->warps_up);
    if (cliff->registers_down >= 0)
        count_at(arch, launch_with_registers(launch, cliff->registers_down), range, &cliff->blocks_down,
                 &cliff->warps_down);
}

static void smem_steps(const struct arch *arch, const struct launch *launch, struct range range, int warps,
                       struct cliff *cliff)
{
    int64_t present = launch_smem(launch);
    cliff->smem_slack_bytes = -1;
    cliff->smem_up_bytes = most_of(LIMIT_SHARED_MEMORY, arch, launch, range, warps + 1, present - 1);
    if (cliff->smem_up_bytes >= 0)
        count_at(arch, launch_with_smem(launch, cliff->smem_up_bytes), range, &cliff->smem_blocks_up,
                 &cliff->smem_warps_up);
    if (warps > 0) {
        int64_t last = last_smem(arch, launch, range, warps);
        cliff->smem_slack_bytes = last - present;
        count_at(arch, launch_with_smem(launch, last + 1), range, &cliff->smem_blocks_down, &cliff->smem_warps_down);
    }
}

bool occupancy_best_step(const struct arch *arch, const struct launch *launch, struct best_step *step)
{
    const struct range range = all_sizes(arch);
    struct best_case best;
    int blocks = 0;
    if (!find_best(arch, launch, range, &best))
        return false;
    *step = (struct best_step){.warps = best.warps, .max_warps = best.max_warps, .registers = -1};
    if (best.warps < best.max_warps)
        step->registers = (int)most_of(LIMIT_REGISTERS, arch, launch, range, best.warps + 1, 0);
    if (step->registers >= 0)
        count_at(arch, launch_with_registers(launch, step->registers), range, &blocks, &step->warps_there);
    return true;
}

bool occupancy_cliff(const struct arch *arch, const struct launch *launch, struct cliff *cliff)
{
    const struct range range = sizes_of(arch, launch);
    struct best_case present;
    if (!find_best(arch, launch, range, &present))
        return false;
    *cliff = (struct cliff){0};
    register_steps(arch, launch, range, present.warps, cliff);
    smem_steps(arch, launch, range, present.warps, cliff);
    return true;
}
