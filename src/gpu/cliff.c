/*
 * Cliffs: the register counts and shared memory sizes at which the number of warps changes. If the block size is
 * unknown, it is the number of warps at the best block size.
 *
 * The number of blocks falls in steps as registers or shared memory grow: m blocks fit if the other resources allow m
 * blocks and this resource is not above its ceiling for m blocks. So only ceilings are tried, not every count. With W
 * warps per block, w warps need ceil(w / W) blocks.
 */
#include "gpu/occupancy.h"

/* Upper bound of the warps per SM by registers, for blocks of any size. */
static int most_warps(const struct arch *arch, const struct launch *launch)
{
    const struct launch one = launch_with_threads(launch, arch->warp_size);
    struct occupancy at;
    if (arch->registers_per_block_alloc || !occupancy_compute(arch, &one, &at))
        return arch->max_warps_per_sm;
    return at.limit[LIMIT_REGISTERS] < at.max_warps ? at.limit[LIMIT_REGISTERS] : at.max_warps;
}

/* The result for the block size of the launch; if that is 0, for the one with the most warps, the largest if there are
 * several. Returns false in the same cases as occupancy_compute. */
static bool find_best(const struct arch *arch, const struct launch *launch, struct best_case *best)
{
    const int smallest = launch->threads ? launch->threads : arch->warp_size;
    const int largest = launch->threads ? launch->threads : arch->max_threads_per_block;
    const int most = launch->threads ? arch->max_warps_per_sm : most_warps(arch, launch);
    struct launch trial = launch_with_threads(launch, largest);
    struct occupancy at;
    *best = (struct best_case){.max_warps = arch->max_warps_per_sm};
    for (; trial.threads >= smallest && (best->warps == 0 || best->warps < most); trial.threads -= arch->warp_size) {
        const int warps = arch_warps(arch, trial.threads);
        if (trial.threads < largest && most / warps * warps <= best->warps)
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
    const struct launch any = launch_with_threads(launch, 0);
    return find_best(arch, &any, best);
}

int occupancy_warps(const struct arch *arch, const struct launch *launch)
{
    struct best_case best;
    return find_best(arch, launch, &best) ? best.warps : -1;
}

static int warps_at(const struct arch *arch, struct launch launch)
{
    return occupancy_warps(arch, &launch);
}

/* Blocks and warps of a launch that is in range; both 0 if no block can launch. */
static void count_at(const struct arch *arch, struct launch launch, int *blocks, int *warps)
{
    struct best_case there = {0};
    find_best(arch, &launch, &there);
    *blocks = there.blocks;
    *warps = there.warps;
}

/* ---- registers -------------------------------------------------------------------------------------------------- */

int occupancy_most_registers(const struct arch *arch, const struct launch *launch, int warps)
{
    const int smallest = launch->threads ? launch->threads : arch->warp_size;
    const int largest = launch->threads ? launch->threads : arch->max_threads_per_block;
    int most = 0, enough = INT32_MAX;
    struct occupancy at;
    if (!arch->registers_per_block_alloc) /* larger blocks leave more registers unused */
        enough = occupancy_register_ceiling(arch, arch->warp_size, warps);
    for (int threads = smallest; threads <= largest && most < enough; threads += arch->warp_size) {
        const struct launch trial = launch_with_threads(launch, threads);
        const int per_block = arch_warps(arch, threads), blocks = (warps + per_block - 1) / per_block;
        if (!occupancy_compute(arch, &trial, &at) || occupancy_limit_without(&at, 1u << LIMIT_REGISTERS) < blocks)
            continue; /* the other resources do not allow so many blocks */
        const int ceiling = occupancy_register_ceiling(arch, threads, blocks);
        most = ceiling > most ? ceiling : most;
    }
    return most > 0 ? most : -1;
}

/* The register counts above `above` with more than `warps` warps, and with more than every larger count; the largest
 * first. */
static size_t list_caps(const struct arch *arch, const struct launch *launch, int warps, int above,
                        int caps[REGISTER_CAPS])
{
    size_t count = 0;
    int cap = 0;
    while ((cap = occupancy_most_registers(arch, launch, warps + 1)) > above) {
        caps[count++] = cap;
        warps = warps_at(arch, launch_with_registers(launch, cap));
    }
    return count;
}

size_t occupancy_register_caps(const struct arch *arch, const struct launch *launch, int caps[REGISTER_CAPS])
{
    return list_caps(arch, launch, occupancy_warps(arch, launch), 0, caps);
}

size_t occupancy_raised_caps(const struct arch *arch, const struct launch *launch, int cap, int caps[REGISTER_CAPS])
{
    return list_caps(arch, launch, 0, cap, caps);
}

static void register_steps(const struct arch *arch, const struct launch *launch, int warps, struct cliff *cliff)
{
    const int last = occupancy_most_registers(arch, launch, warps);
    cliff->registers_up = occupancy_most_registers(arch, launch, warps + 1);
    cliff->register_slack = last - launch->registers;
    cliff->registers_down = last < arch->registers_per_thread ? last + 1 : -1;
    if (cliff->registers_up >= 0)
        count_at(arch, launch_with_registers(launch, cliff->registers_up), &cliff->blocks_up, &cliff->warps_up);
    if (cliff->registers_down >= 0)
        count_at(arch, launch_with_registers(launch, cliff->registers_down), &cliff->blocks_down, &cliff->warps_down);
}

bool occupancy_best_step(const struct arch *arch, const struct launch *launch, struct best_step *step)
{
    const struct launch any = launch_with_threads(launch, 0);
    struct best_case best;
    int blocks = 0;
    if (!find_best(arch, &any, &best))
        return false;
    *step = (struct best_step){.warps = best.warps, .max_warps = best.max_warps, .registers = -1};
    if (best.warps < best.max_warps)
        step->registers = occupancy_most_registers(arch, &any, best.warps + 1);
    if (step->registers >= 0)
        count_at(arch, launch_with_registers(&any, step->registers), &blocks, &step->warps_there);
    return true;
}

/* ---- shared memory ---------------------------------------------------------------------------------------------- */

/* The largest static + dynamic size below the present one with more than `warps` warps; -1: none. It is the ceiling of
 * the blocks that it allows, because at that ceiling the same blocks fit. */
static int64_t smem_up(const struct arch *arch, const struct launch *launch, int warps)
{
    if (warps_at(arch, launch_with_smem(launch, 0)) <= warps)
        return -1;
    for (int blocks = 1; blocks <= arch->max_blocks_per_sm; blocks++) {
        const int64_t bytes = occupancy_smem_ceiling(arch, launch->carveout, blocks, launch_smem(launch) - 1);
        if (bytes >= 0 && warps_at(arch, launch_with_smem(launch, bytes)) > warps)
            return bytes;
    }
    return -1;
}

/*
 * The end of the sizes from the present one on, without a gap, that have at least `warps` warps. Within one capacity of
 * the SM the number of blocks only falls; at the end of a capacity the SM switches to the next one, and the sizes may
 * continue.
 */
static int64_t last_smem(const struct arch *arch, const struct launch *launch, int warps)
{
    int64_t end = launch_smem(launch) - 1;
    struct launch next = launch_with_smem(launch, end + 1);
    struct best_case best;
    struct occupancy at;
    while (find_best(arch, &next, &best) && best.warps >= warps) {
        next.threads = best.threads_largest;
        occupancy_compute(arch, &next, &at);
        end = at.smem_capacity_bytes / best.blocks / arch->smem_unit_bytes * arch->smem_unit_bytes -
              arch->smem_reserved_bytes; /* the same blocks fit up to here */
        end = end < arch->smem_per_block_optin_bytes ? end : arch->smem_per_block_optin_bytes;
        next = launch_with_smem(launch, end + 1);
    }
    return end;
}

static void smem_steps(const struct arch *arch, const struct launch *launch, int warps, struct cliff *cliff)
{
    cliff->smem_slack_bytes = -1;
    cliff->smem_up_bytes = smem_up(arch, launch, warps);
    if (cliff->smem_up_bytes >= 0)
        count_at(arch, launch_with_smem(launch, cliff->smem_up_bytes), &cliff->smem_blocks_up, &cliff->smem_warps_up);
    if (warps > 0) {
        const int64_t last = last_smem(arch, launch, warps);
        cliff->smem_slack_bytes = last - launch_smem(launch);
        count_at(arch, launch_with_smem(launch, last + 1), &cliff->smem_blocks_down, &cliff->smem_warps_down);
    }
}

bool occupancy_cliff(const struct arch *arch, const struct launch *launch, struct cliff *cliff)
{
    struct best_case present;
    if (!find_best(arch, launch, &present))
        return false;
    *cliff = (struct cliff){0};
    register_steps(arch, launch, present.warps, cliff);
    smem_steps(arch, launch, present.warps, cliff);
    return true;
}
