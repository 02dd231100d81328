#include "gpu/advice.h"

/* Blocks per SM at this block size; -1 if the launch is out of range. */
static int blocks_at(const struct arch *arch, const struct launch *launch, int threads, int *warps)
{
    struct launch trial = launch_with_threads(launch, threads);
    struct occupancy at = {0};
    if (!occupancy_compute(arch, &trial, &at))
        return -1;
    *warps = at.warps;
    return at.blocks;
}

/* ---- block sizes ------------------------------------------------------------------------------------------------ */

static void add_size(struct block_sizes *sizes, int threads, int blocks, int warps)
{
    if (warps == 0 || warps < sizes->warps)
        return;
    if (warps > sizes->warps)
        sizes->count = 0;
    sizes->warps = warps;
    if (sizes->count < BLOCK_SIZES)
        sizes->sizes[sizes->count++] = (struct block_size){threads, blocks};
}

/* The API starts at the limit and then tries the multiples of a warp in descending order. It keeps a size with more
 * threads per SM than all before: the limit itself, or the largest of the best sizes. */
static void choose_nvidia_size(const struct arch *arch, const struct launch *launch, int limit,
                               struct block_sizes *sizes)
{
    int warps = 0;
    struct block_size chosen = sizes->count ? sizes->sizes[sizes->count - 1] : (struct block_size){0},
                      first = {limit, blocks_at(arch, launch, limit, &warps)};
    if (first.blocks && first.blocks * first.threads >= chosen.blocks * chosen.threads)
        chosen = first;
    sizes->nvidia_threads = chosen.threads;
    sizes->nvidia_blocks = chosen.blocks;
}

bool occupancy_block_sizes(const struct arch *arch, const struct launch *launch, int most_threads,
                           struct block_sizes *sizes)
{
    int limit =
        most_threads > 0 && most_threads < arch->max_threads_per_block ? most_threads : arch->max_threads_per_block;
    int warps = 0;
    if (blocks_at(arch, launch, arch->warp_size, &warps) < 0)
        return false;
    *sizes = (struct block_sizes){.max_warps = arch->max_warps_per_sm};
    for (int threads = arch->warp_size; threads <= limit; threads += arch->warp_size) {
        int blocks = blocks_at(arch, launch, threads, &warps);
        add_size(sizes, threads, blocks, warps);
    }
    choose_nvidia_size(arch, launch, limit, sizes);
    return true;
}

/* ---- steps ------------------------------------------------------------------------------------------------------ */

static int register_cap(const struct arch *arch, int threads, int blocks)
{
    int cap = arch_register_cap(arch, threads, blocks);
    return cap > 0 ? cap : occupancy_register_ceiling(arch, threads, blocks);
}

static struct advice_step step_of(const struct arch *arch, const struct launch *launch, int blocks)
{
    int64_t smem = launch_smem(launch);
    int64_t ceiling = occupancy_smem_ceiling(arch, launch->carveout, blocks, INT64_MAX);
    int cap = register_cap(arch, launch->threads, blocks);
    int warps = arch_warps(arch, launch->threads);
    return (struct advice_step){
        .blocks = blocks,
        .warps = warps * blocks,
        .register_cap = cap,
        .registers_over = launch->registers > cap ? launch->registers - cap : 0,
        .smem_ceiling_bytes = ceiling,
        .smem_over_bytes = smem > ceiling && ceiling >= 0 ? smem - ceiling : 0,
    };
}

static void add_steps(const struct advice_question *q, int threads, struct advice *advice)
{
    struct advice_size *size = &advice->sizes[advice->size_count];
    struct launch launch = launch_with_threads(&q->launch, threads);
    struct occupancy o = {0};
    if (advice->size_count == ADVICE_SIZES || !occupancy_compute(q->arch, &launch, &o))
        return;
    *size = (struct advice_size){.threads = threads, .blocks = o.blocks};
    int reachable = occupancy_limit_without(&o, 1u << LIMIT_REGISTERS | 1u << LIMIT_SHARED_MEMORY);
    for (int blocks = 1; blocks <= reachable && blocks <= ADVICE_STEPS; blocks++) {
        struct advice_step step = step_of(q->arch, &launch, blocks);
        if (step.register_cap <= 0 || step.smem_ceiling_bytes < 0)
            break;
        size->steps[size->count++] = step;
    }
    advice->size_count++;
}

/* ---- carveouts -------------------------------------------------------------------------------------------------- */

static void add_carveout(const struct advice_question *q, int percent, struct advice *advice)
{
    struct launch launch = q->launch;
    struct occupancy o = {0};
    launch.carveout = percent;
    if (!occupancy_compute(q->arch, &launch, &o) || o.blocks == 0)
        return;
    size_t last = advice->carveout_count;
    if (last && advice->carveouts[last - 1].bytes >= o.smem_capacity_bytes)
        return;
    advice->carveouts[advice->carveout_count++] =
        (struct advice_carveout){percent, o.smem_capacity_bytes, o.blocks, o.warps};
}

/* Adds one percentage for each capacity: from 7.0 on those of the carveout sizes, before 7.0 the three cache
 * preferences. */
static void add_carveouts(const struct advice_question *q, struct advice *advice)
{
    static const int preferences[] = {0, 50, 100};
    const struct arch *arch = q->arch;
    for (int at = 0; arch->major < 7 && at < 3; at++)
        add_carveout(q, preferences[at], advice);
    for (int at = 0; arch->major >= 7 && arch->smem_sizes_kib[at] >= 0; at++)
        add_carveout(q, (int)(arch->smem_sizes_kib[at] * INT64_C(102400) / arch->smem_per_sm_bytes), advice);
    if (advice->carveout_count < 2)
        advice->carveout_count = 0;
}

bool advice_make(const struct advice_question *question, struct advice *advice)
{
    const struct arch *arch = question->arch;
    struct advice made = {.cap_of_ptxas = arch_register_cap(arch, arch->warp_size, 1) > 0};
    int threads = question->launch.threads, warps = 0;
    if (threads < 0 || !occupancy_block_sizes(arch, &question->launch, question->most_threads, &made.best))
        return false;
    if (threads > 0) {
        if (blocks_at(arch, &question->launch, threads, &warps) < 0)
            return false;
        add_steps(question, threads, &made);
        add_carveouts(question, &made);
        made.in_flight = warps * question->ilp;
    } else if (made.best.count) {
        int smallest = made.best.sizes[0].threads;
        add_steps(question, made.best.nvidia_threads, &made);
        if (made.best.nvidia_threads != smallest)
            add_steps(question, smallest, &made);
    }
    *advice = made;
    return true;
}

const struct advice_step *advice_next(const struct advice_size *size)
{
    for (size_t at = 0; at < size->count; at++)
        if (size->steps[at].blocks > size->blocks)
            return &size->steps[at];
    return NULL;
}
