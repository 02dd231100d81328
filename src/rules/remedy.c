#include "rules/remedy.h"

#include "rules/value.h"

static void add_occupancy(const struct context *context, int warps, int max_warps, struct buf *out)
{
    const struct value ratio = value_number((double)warps / max_warps);
    if (context_lacks_dynamic_smem(context) && !str_ends(buf_str(out), STR("at most ")))
        buf_add(out, str_ends(buf_str(out), STR(" at ")) ? STR("no more than ") : STR("at most "));
    value_print(&ratio, UNIT_RATIO, out);
}

/* True for launch bounds without a minimum number of blocks whose cap is not below that of the architecture. */
static bool is_open_bound(const struct context *context)
{
    const struct rare_metrics *rare = context->rare;
    return rare->bound_threads > 0 && rare->bound_from == BOUND_LAUNCH_BOUNDS && rare->min_blocks == 0 &&
           context->register_cap == UNKNOWN && context->register_cap_from == CAP_UNKNOWN;
}

/* Sets *own to the launch bounds that set the cap. A binary does not state the minimum number of blocks: the smallest
 * one that gives this cap is taken. False if none gives it. */
static bool own_bounds(const struct context *context, struct raised_bounds *own)
{
    const int threads = context->rare->bound_threads;
    const int cap = is_open_bound(context) ? context->arch->registers_per_thread : context->register_cap;
    int blocks = context->rare->min_blocks;
    if (blocks == 0 && arch_register_cap(context->arch, threads, 0) > cap)
        for (blocks = 2; blocks < context->arch->max_blocks_per_sm; blocks++)
            if (arch_register_cap(context->arch, threads, blocks) <= cap)
                break;
    *own = (struct raised_bounds){threads, blocks > 0 ? blocks : 1, cap};
    return threads > 0 && arch_register_cap(context->arch, threads, blocks) == cap;
}

/* True if the block size of the launch is known, and not only the largest one that the kernel declares. */
static bool knows_block_size(const struct context *context)
{
    return context->launch_config.threads > 0 && context->launch_config.threads_from != THREADS_BOUND;
}

/* Changes the bounds to the next ones with a higher cap that still allow the kernel's block size. False: there are
 * none. */
static bool raise_bounds(const struct context *context, struct raised_bounds *bounds)
{
    return arch_raise_register_cap(context->arch, bounds->threads, bounds->min_blocks, bounds) &&
           !(knows_block_size(context) && context->launch_config.threads > bounds->threads);
}

/* True if a launch that the present bounds allow may fail with these. */
static bool needs_smaller_blocks(const struct context *context, const struct raised_bounds *bounds)
{
    return !knows_block_size(context) && bounds->threads < context->rare->bound_threads;
}

/* True if the bounds state no minimum number of blocks and ptxas used fewer registers than they allow. */
static bool is_below_open_cap(const struct context *context, const struct raised_bounds *own)
{
    enum { GRANULE = 8 }; /* caps are multiples of 8 registers */
    return context->rare->min_blocks == 0 && own->min_blocks == 1 && context->registers + GRANULE <= own->register_cap;
}

/* The occupancy at the cap of these bounds; 0 blocks: none can be launched. */
static struct occupancy occupancy_at_bounds(const struct context *context, const struct raised_bounds *bounds)
{
    const int32_t threads = context->launch_config.threads;
    struct launch launch =
        context_launch(context, threads > 0 && threads < bounds->threads ? threads : bounds->threads);
    struct occupancy there = {0};
    launch.registers = bounds->register_cap;
    if (!occupancy_compute(context->arch, &launch, &there))
        there = (struct occupancy){0};
    return there;
}

/* The same from the bounds of the source: if the launch is known to have smaller blocks, to bounds of these, which
 * raise the cap in smaller steps. */
static bool raise_own_bounds(const struct context *context, struct raised_bounds *bounds)
{
    const int threads = context->launch_config.threads;
    if (!knows_block_size(context) || threads >= bounds->threads)
        return raise_bounds(context, bounds);
    return arch_bounds_above(context->arch, threads, bounds->register_cap, bounds);
}

/* Sets *raised to the bounds that cost the fewest blocks, and of these to those with the highest cap: shared memory, or
 * blocks smaller than the bounds, may allow no more blocks at a lower one. Bounds that the kernel has and does not use
 * up stay (*below). False: there are none. */
static bool first_raise(const struct context *context, struct raised_bounds *raised, bool *below)
{
    if (!own_bounds(context, raised))
        return false;
    *below = is_below_open_cap(context, raised);
    if (*below)
        return true;
    if (!raise_own_bounds(context, raised))
        return false;
    const struct occupancy first = occupancy_at_bounds(context, raised);
    struct raised_bounds next = *raised;
    while (raise_bounds(context, &next) &&
           needs_smaller_blocks(context, &next) == needs_smaller_blocks(context, raised) &&
           occupancy_at_bounds(context, &next).warps == first.warps)
        *raised = next;
    return true;
}

/* For a cap by launch bounds: appends the next bounds with a higher cap. */
static bool add_raised_bounds(const struct context *context, struct buf *out)
{
    struct raised_bounds raised;
    bool below;
    if (!first_raise(context, &raised, &below))
        return false;
    const struct occupancy there = occupancy_at_bounds(context, &raised);
    if (there.blocks == 0)
        return false;
    buf_fmt(out, "__launch_bounds__(%d, %d)", raised.threads, raised.min_blocks);
    if (needs_smaller_blocks(context, &raised))
        buf_fmt(out, ", for blocks of at most %d threads,", raised.threads);
    buf_add(out, STR(" would "));
    if (below)
        buf_fmt(out, "let ptxas use up to %d registers instead of %d at ", raised.register_cap, context->registers);
    else
        buf_fmt(out, "lift the cap from %d to %d registers at ", context->register_cap, raised.register_cap);
    add_occupancy(context, there.warps, there.max_warps, out);
    buf_add(out, STR(" occupancy"));
    return true;
}

/* Appends the bounds after the next ones, each with its cap: "64 with (256, 4), for smaller blocks 80 with (224, 3)".
 */
static void list_raised_bounds(const struct context *context, struct buf *out)
{
    struct raised_bounds raised;
    bool below;
    if (!first_raise(context, &raised, &below))
        return;
    bool smaller = needs_smaller_blocks(context, &raised); /* then it is stated already */
    for (bool first = true; raise_bounds(context, &raised); first = false) {
        const bool begins = !smaller && needs_smaller_blocks(context, &raised);
        smaller |= begins;
        buf_fmt(out, "%s%s%d with (%d, %d)", first ? "" : ", ", begins ? "for smaller blocks " : "",
                raised.register_cap, raised.threads, raised.min_blocks);
    }
}

/* For any other cap: the higher numbers of registers, each with fewer warps; the smallest is the last. */
static size_t raised_numbers(const struct context *context, int caps[REGISTER_CAPS])
{
    const int32_t threads = context->launch_config.threads;
    const struct launch launch = context_launch(context, threads > 0 ? threads : 0);
    return occupancy_raised_caps(context->arch, &launch, context->register_cap, caps);
}

static bool add_raised_number(const struct context *context, struct buf *out)
{
    const char *from = cap_from_names[context->register_cap_from];
    const int32_t threads = context->launch_config.threads;
    struct launch launch = context_launch(context, threads > 0 ? threads : 1);
    struct occupancy there;
    struct best_case best;
    int caps[REGISTER_CAPS];
    const size_t count = raised_numbers(context, caps);
    launch.registers = count ? caps[count - 1] : 0;
    if (!count || !occupancy_compute(context->arch, &launch, &there) || there.blocks == 0 ||
        !occupancy_best_case(context->arch, &launch, &best))
        return false;
    const int largest = occupancy_largest_block(context->arch, launch.registers);
    if (context->rare->bound_from == BOUND_TRITON)
        buf_fmt(out, "maxnreg=%d instead of %d allows ", launch.registers, context->register_cap);
    else
        buf_fmt(out, "a cap of %d registers instead of %d%s%s allows ", launch.registers, context->register_cap,
                from ? " by " : "", from ? from : "");
    if (threads > 0)
        buf_fmt(out, "%s%d block%s of %d threads per SM, ", context_lacks_dynamic_smem(context) ? "at most " : "",
                there.blocks, PLURAL(there.blocks), threads);
    else if (largest < context->arch->max_threads_per_block)
        buf_fmt(out, "blocks of at most %d threads and at most ", largest);
    else
        buf_add(out, STR("at most "));
    add_occupancy(context, threads > 0 ? there.warps : best.warps, best.max_warps, out);
    buf_add(out, STR(" occupancy"));
    return true;
}

/* Appends "48, 56, 64, 72 (blocks of at most 896)". The largest block size is stated where it changes, and only if the
 * block size is unknown. */
static void list_raised_numbers(const struct context *context, struct buf *out)
{
    const bool known = context->launch_config.threads > 0;
    int caps[REGISTER_CAPS];
    size_t count = raised_numbers(context, caps);
    int most = count ? occupancy_largest_block(context->arch, caps[--count]) : 0;
    for (bool first = true; count-- > 0; first = false) {
        int largest = occupancy_largest_block(context->arch, caps[count]);
        buf_fmt(out, "%s%d", first ? "" : ", ", caps[count]);
        if (!known && largest != most)
            buf_fmt(out, " (blocks of at most %d)", largest);
        most = largest;
    }
}

static bool is_capped(const struct context *context)
{
    if (!context->arch || context->registers == UNKNOWN || context->smem_bytes == UNKNOWN)
        return false;
    return is_open_bound(context) ||
           (context->register_cap != UNKNOWN && context->register_cap < context->arch->registers_per_thread);
}

static bool is_bounded(const struct context *context)
{
    return context->register_cap_from == CAP_LAUNCH_BOUNDS || is_open_bound(context);
}

bool remedy_higher_cap(const struct context *context, struct buf *out)
{
    if (!is_capped(context))
        return false;
    if (context->rare->bound_from == BOUND_TRITON && context->register_cap_from != CAP_MAXNREG)
        return false; /* Triton's num_warps sets the block size */
    if (is_bounded(context))
        return add_raised_bounds(context, out);
    return add_raised_number(context, out);
}

bool remedy_further_caps(const struct context *context, struct buf *out)
{
    const size_t begin = out->len;
    if (!is_capped(context))
        return false;
    if (is_bounded(context))
        list_raised_bounds(context, out);
    else
        list_raised_numbers(context, out);
    return out->len > begin;
}

struct block_choice remedy_block_size(const struct context *context)
{
    static const struct block_choice none;
    const int32_t threads = context->launch_config.threads, bound = context->rare->bound_threads;
    struct occupancy now, there;
    const enum bound_from from = (enum bound_from)context->rare->bound_from;
    if (!context->arch || context->registers == UNKNOWN || threads <= 0 || context_smem_per_block(context) != 0 ||
        context_lacks_dynamic_smem(context) || from == BOUND_REQUIRED || from == BOUND_TRITON)
        return none;
    struct launch launch = context_launch(context, threads);
    if (!occupancy_compute(context->arch, &launch, &now))
        return none;
    const int warp = context->arch->warp_size, multiple = threads / warp * warp;
    const int most = bound > 0 ? bound : context->arch->max_threads_per_block;
    for (int away = 0; away <= most; away += warp)
        for (int side = -1; side <= 1; side += 2) {
            launch.threads = multiple + side * away;
            if (launch.threads < warp || launch.threads > most || launch.threads == threads ||
                !occupancy_compute(context->arch, &launch, &there) || there.warps <= now.warps)
                continue;
            return (struct block_choice){launch.threads, there.warps, there.max_warps};
        }
    return none;
}

bool remedy_asked_blocks(const struct context *context, struct advice_step *step)
{
    static const double rounding = 0.001; /* as in the rule low-occupancy */
    const struct launch_config *asked = &context->launch_config;
    const struct advice_question question = {.arch = context->arch, .launch = context_launch(context, asked->threads)};
    struct advice advice;
    if (!context->arch || context->registers == UNKNOWN || context->smem_bytes == UNKNOWN || asked->threads <= 0 ||
        (asked->min_blocks <= 0 && asked->min_occupancy <= 0) || context->register_cap_from == CAP_SETMAXNREG ||
        !advice_make(&question, &advice))
        return false;
    const struct advice_size *size = &advice.sizes[0];
    for (size_t at = 0; at < size->count; at++) {
        const double occupancy = (double)size->steps[at].warps / context->arch->max_warps_per_sm;
        *step = size->steps[at];
        if (step->blocks >= asked->min_blocks &&
            occupancy * (asked->ilp > 0 ? asked->ilp : 1) >= (double)asked->min_occupancy - rounding)
            return step->blocks > size->blocks;
    }
    return false;
}

int remedy_carveout(const struct context *context)
{
    const int32_t threads = context->launch_config.threads;
    struct occupancy now, there;
    if (!context->arch || context->registers == UNKNOWN || context->smem_bytes == UNKNOWN || threads <= 0)
        return -1;
    struct launch launch = context_launch(context, threads);
    if (launch.carveout < 0 || !occupancy_compute(context->arch, &launch, &now))
        return -1;
    for (launch.carveout++; launch.carveout <= 100; launch.carveout++)
        if (occupancy_compute(context->arch, &launch, &there) && there.blocks > now.blocks)
            return launch.carveout;
    return -1;
}

int remedy_registers_of_baseline(const struct context *context)
{
    if (!context->arch || context->registers == UNKNOWN || context->smem_bytes == UNKNOWN ||
        context->base.warps == UNKNOWN)
        return UNKNOWN;
    const struct launch launch = context_launch(context, context->launch_config.threads);
    const int most = occupancy_most_registers(context->arch, &launch, context->base.warps);
    const int registers = most < context->registers ? most : context->registers - 1;
    return registers > 0 ? registers : UNKNOWN;
}
