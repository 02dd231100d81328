#include "cli/tune/tune.h"

#include "gpu/curve.h"
#include "log/local_memory.h"
#include "report/label.h"

#include <stdlib.h>

/* ---- variants --------------------------------------------------------------------------------------------------- */

/* The origin of the register cap that a kernel declares; -maxrregcount does not replace such a cap. CAP_UNKNOWN if it
 * declares none. */
static enum cap_from own_cap_from(const struct context *context)
{
    if (context->register_cap_from == CAP_MAXNREG || context->register_cap_from == CAP_SETMAXNREG)
        return context->register_cap_from;
    if (context->rare->bound_from == BOUND_REQUIRED)
        return CAP_BLOCK_SIZE;
    bool bounds = context->rare->bound_from != BOUND_NONE || context->register_cap_from == CAP_LAUNCH_BOUNDS;
    return bounds ? CAP_LAUNCH_BOUNDS : CAP_UNKNOWN;
}

/* The spilled bytes of the kernel together with those of functions that spill into its frame. */
static int32_t with_callees(int32_t own, int64_t callees)
{
    return own == UNKNOWN || own > INT32_MAX - callees ? own : (int32_t)(own + callees);
}

/* The number of caps above the kernel's own one to try: all if the kernel spills, one if it uses all registers of its
 * cap, else none. */
static size_t most_raised(const struct context *context)
{
    const struct callee_spills callees = kernel_callee_spills(context->model, context->kernel);
    if (own_cap_from(context) == CAP_UNKNOWN)
        return 0;
    if (with_callees(context->spill_store_bytes, callees.store_bytes) > 0 ||
        with_callees(context->spill_load_bytes, callees.load_bytes) > 0)
        return SIZE_MAX;
    return context->register_cap > 0 && context->registers >= context->register_cap;
}

static size_t find_variant(const struct tune_variants *list, struct tune_variant variant)
{
    size_t at = 0;
    while (at < list->count && (list->items[at].cap != variant.cap || list->items[at].number != variant.number ||
                                list->items[at].threads != variant.threads || list->items[at].blocks != variant.blocks))
        at++;
    return at;
}

static void add_variant(struct tune_variants *list, struct tune_variant variant)
{
    if (find_variant(list, variant) == list->count && list->count < MOST_VARIANTS)
        list->items[list->count++] = variant;
}

/* Adds the caps at which one more block fits, and those above the kernel's own cap. */
static void add_caps(const struct tune *tune, const struct context *context, struct tune_variants *list)
{
    enum { MOST_CAPS = 256 };
    bool wanted[MOST_CAPS] = {false};
    int caps[CURVE_STEPS];
    struct launch launch = context_launch(context, context->launch_config.threads);
    if (context->arch && context->registers != UNKNOWN && context->registers <= context->arch->registers_per_thread) {
        for (size_t count = occupancy_register_caps(context->arch, &launch, caps); count > 0; count--)
            wanted[caps[count - 1]] = true;
        int cap = context->register_cap > context->registers ? context->register_cap : context->registers;
        size_t raised = occupancy_raised_caps(context->arch, &launch, cap, caps); /* the largest first */
        for (size_t most = most_raised(context); raised > 0 && most > 0; raised--, most--)
            wanted[caps[raised - 1]] = true;
    }
    const bool own = own_cap_from(context) != CAP_UNKNOWN;
    if (!own)
        wanted[tune->command_cap] = true;
    for (int cap = MOST_CAPS - 1; cap > 0; cap--)
        if (wanted[cap])
            add_variant(list, own ? (struct tune_variant){.cap = tune->command_cap, .number = cap}
                                  : (struct tune_variant){.cap = cap});
}

/* The declared minimum of blocks. If none is declared, the smallest number of blocks whose cap is not above the
 * registers in use: ptxas may use far fewer registers than the launch bounds allow. */
static int blocks_taken(const struct context *context)
{
    const struct arch *arch = context->arch;
    const int threads = context->rare->bound_threads, warps = arch_warps(arch, threads);
    int blocks = context->rare->min_blocks > 0 ? context->rare->min_blocks : 1;
    while (context->rare->min_blocks == 0 && warps * (blocks + 1) <= arch->max_warps_per_sm &&
           arch_register_cap(arch, threads, blocks) > context->registers)
        blocks++;
    return blocks;
}

/* The block size whose bounds are tried: that of the launch, if it is known and smaller than the launch bounds. */
static int tried_threads(const struct context *context)
{
    const int bound = context->rare->bound_threads, launched = context->launch_config.threads;
    const bool known = launched > 0 && context->launch_config.threads_from != THREADS_BOUND;
    return known && launched < bound ? launched : bound;
}

/* Adds launch bounds with fewer blocks per SM, then with smaller blocks; those with the most registers come first. */
static void add_raised_bounds(const struct tune *tune, const struct context *context, struct tune_variants *list)
{
    enum { MOST_STEPS = 64 };
    struct raised_bounds steps[MOST_STEPS];
    const int own_threads = context->rare->bound_threads, launched = context->launch_config.threads;
    const bool fixed = launched > 0 && context->launch_config.threads_from != THREADS_BOUND;
    int threads = own_threads, blocks = blocks_taken(context), cap = arch_register_cap(context->arch, threads, blocks);
    size_t count = 0;
    for (const int tried = tried_threads(context); tried < own_threads && count < MOST_STEPS; count++) {
        if (count == most_raised(context) || !arch_bounds_above(context->arch, tried, cap, &steps[count]))
            break;
        cap = steps[count].register_cap;
    }
    while (tried_threads(context) == own_threads && count < MOST_STEPS && count < most_raised(context) &&
           arch_raise_register_cap(context->arch, threads, blocks, &steps[count])) {
        threads = steps[count].threads;
        blocks = steps[count].min_blocks;
        if (fixed && launched > threads)
            break;
        count++;
    }
    while (count-- > 0)
        add_variant(list,
                    (struct tune_variant){.cap = tune->command_cap,
                                          .threads = steps[count].threads < own_threads ? steps[count].threads : 0,
                                          .blocks = steps[count].min_blocks});
}

/* Adds launch bounds with more blocks per SM. At each cap more warps fit than at the one before; if several numbers of
 * blocks have the same cap, the largest is added. */
static void add_lowered_bounds(const struct tune *tune, const struct context *context, struct tune_variants *list)
{
    const int bound = tried_threads(context), threads = context->launch_config.threads;
    struct launch launch = context_launch(context, threads > 0 ? threads : bound);
    struct occupancy occupancy;
    if (!occupancy_compute(context->arch, &launch, &occupancy))
        return;
    int warps = occupancy.warps;
    for (int blocks = 1; blocks <= context->arch->max_blocks_per_sm; blocks++) {
        launch.registers = arch_register_cap(context->arch, bound, blocks);
        if (launch.registers == arch_register_cap(context->arch, bound, blocks + 1))
            continue;
        if (launch.registers <= 0 || launch.registers >= context->registers ||
            !occupancy_compute(context->arch, &launch, &occupancy) || occupancy.warps <= warps)
            continue;
        warps = occupancy.warps;
        add_variant(list, (struct tune_variant){.cap = tune->command_cap,
                                                .threads = bound < context->rare->bound_threads ? bound : 0,
                                                .blocks = blocks});
    }
}

/* Lists the variants of one kernel, first the unchanged source. A kernel with its own cap keeps the -maxrregcount of
 * the command, because that option changes the code of such a kernel too. */
static void list_variants(const struct tune *tune, const struct context *context, struct tune_variants *list)
{
    const enum cap_from own = own_cap_from(context);
    list->count = 0;
    add_variant(list, (struct tune_variant){.cap = own == CAP_UNKNOWN ? 0 : tune->command_cap});
    if (own == CAP_UNKNOWN || own == CAP_MAXNREG)
        add_caps(tune, context, list);
    if (!context->arch || context->registers == UNKNOWN || own != CAP_LAUNCH_BOUNDS ||
        context->rare->bound_from != BOUND_LAUNCH_BOUNDS)
        return;
    add_raised_bounds(tune, context, list);
    add_lowered_bounds(tune, context, list);
}

static bool is_shown(struct session *session, uint32_t number, uint16_t log)
{
    const struct kernel *kernel = &session->model.kernels[number];
    return kernel->log == log && kernel->kind == KERNEL_ENTRY && linter_selects(session->linter, number);
}

void tune_plan(struct tune *tune, struct session *session)
{
    struct tune_variants list;
    tune->variants.count = 0;
    add_variant(&tune->variants, (struct tune_variant){0});
    for (uint32_t at = 0; at < session->model.kernel_count; at++) {
        if (!is_shown(session, at, 0))
            continue;
        list_variants(tune, linter_record(session->linter, at), &list);
        for (size_t variant = 0; variant < list.count; variant++)
            add_variant(&tune->variants, list.items[variant]);
    }
}

void tune_variant_name(const struct tune_variant *variant, struct buf *out)
{
    if (variant->number)
        buf_fmt(out, "__maxnreg__(%d)", variant->number);
    else if (variant->threads)
        buf_fmt(out, "__launch_bounds__(%d, %d)", variant->threads, variant->blocks);
    else if (variant->blocks)
        buf_fmt(out, "__launch_bounds__(threads, %d)", variant->blocks);
    else
        buf_fmt(out, "-maxrregcount=%d", variant->cap);
}

/* ---- points ----------------------------------------------------------------------------------------------------- */

/* The record of each kernel in each log. A kernel is identified by its identity and architecture, which are the same in
 * all compiles. */
struct places {
    struct intern keys;
    uint32_t *kernels; /* by key and log; NO_INDEX: no record */
    size_t logs;
};

static uint32_t place_key(struct places *places, struct session *session, uint32_t kernel)
{
    struct context *context = linter_record(session->linter, kernel);
    struct buf key = {0};
    buf_add(&key, context_kernel_id(context));
    buf_char(&key, '\n');
    buf_add(&key, kernel_arch(&session->model, context->kernel));
    return intern_take(&places->keys, &key);
}

static void find_places(struct places *places, struct session *session)
{
    places->logs = session->model.log_count;
    size_t most = session->model.kernel_count * places->logs;
    places->kernels = mem_alloc((most + 1) * sizeof *places->kernels);
    for (size_t at = 0; at < most; at++)
        places->kernels[at] = NO_INDEX;
    for (uint32_t at = 0; at < session->model.kernel_count; at++) {
        uint16_t log = session->model.kernels[at].log;
        if (is_shown(session, at, log))
            places->kernels[place_key(places, session, at) * places->logs + log] = at;
    }
}

static void take_occupancy(struct tune_point *point, struct context *context)
{
    const struct occupancy *occupancy = context_occupancy(context);
    const struct best_step *best = occupancy ? NULL : context_best_step(context);
    if (occupancy) {
        point->blocks = occupancy->blocks;
        point->warps = occupancy->warps;
        point->max_warps = occupancy->max_warps;
        point->limiters = occupancy->limiters;
    } else if (best) {
        point->warps = best->warps;
        point->max_warps = best->max_warps;
    }
}

/* The cap of launch bounds or __maxnreg__; 0 if it is the maximum of the architecture. */
static int cap_in_effect(const struct context *context)
{
    const struct rare_metrics *rare = context->rare;
    if (context->register_cap != UNKNOWN)
        return context->register_cap;
    bool none = context->arch && rare->bound_threads > 0 &&
                arch_register_cap(context->arch, rare->bound_threads, rare->min_blocks) > 0;
    return none ? 0 : UNKNOWN;
}

static const struct tune_point unknown_point = {.registers = UNKNOWN,
                                                .stack_bytes = UNKNOWN,
                                                .spill_store_bytes = UNKNOWN,
                                                .spill_load_bytes = UNKNOWN,
                                                .blocks = UNKNOWN,
                                                .warps = UNKNOWN,
                                                .max_warps = UNKNOWN};

static struct tune_point read_point(struct context *context)
{
    struct tune_point point = unknown_point;
    point.registers = context->registers;
    point.stack_bytes = context->stack_bytes;
    const struct callee_spills callees = kernel_callee_spills(context->model, context->kernel);
    point.spill_store_bytes = with_callees(context->spill_store_bytes, callees.store_bytes);
    point.spill_load_bytes = with_callees(context->spill_load_bytes, callees.load_bytes);
    if (context->rare->bound_from == BOUND_LAUNCH_BOUNDS) {
        point.bound_threads = context->rare->bound_threads;
        point.min_blocks = context->rare->min_blocks;
    }
    if (own_cap_from(context) != CAP_UNKNOWN)
        point.cap = cap_in_effect(context);
    take_occupancy(&point, context);
    return point;
}

static bool is_known(const struct tune_point *point)
{
    return point->warps != UNKNOWN && point->registers != UNKNOWN && point->spill_store_bytes != UNKNOWN &&
           point->spill_load_bytes != UNKNOWN;
}

/* A negative byte count of ptxas counts as 0: it is not better than no spills. */
static int64_t spill_bytes(const struct tune_point *point)
{
    int64_t bytes = (int64_t)point->spill_store_bytes + point->spill_load_bytes;
    return bytes > 0 ? bytes : 0;
}

/* True if `a` has at least as many warps and no more spilled bytes. If both are equal, `a` must have more registers; if
 * these are equal too, `a` must come first. */
static bool is_better(const struct tune_point *a, const struct tune_point *b)
{
    if (!is_known(a) || a->warps < b->warps || spill_bytes(a) > spill_bytes(b))
        return false;
    bool equal = a->warps == b->warps && spill_bytes(a) == spill_bytes(b);
    return !equal || a->registers > b->registers || (a->registers == b->registers && a < b);
}

/* True if the kernel has the launch bounds or the __maxnreg__ of the variant after the compile. */
static bool is_reached(const struct tune_kernel *kernel, const struct tune_variant *variant,
                       const struct tune_point *point)
{
    if (kernel->own_cap_from == CAP_MAXNREG) /* cap 0: a __maxnreg__ that caps nothing */
        return variant->number == 0 || variant->number == point->cap ||
               (variant->number == UINT8_MAX && point->cap == 0);
    int threads = kernel->points[0].bound_threads;
    if (variant->threads && variant->threads < threads)
        threads = variant->threads;
    return variant->blocks == 0 || (point->min_blocks == variant->blocks && point->bound_threads == threads);
}

/* places: by log; the index of the kernel, or NO_INDEX. */
static void read_points(struct tune *tune, struct tune_kernel *kernel, struct session *session,
                        const struct tune_variants *list, const uint32_t *places)
{
    kernel->points = arena_alloc(&tune->arena, list->count * sizeof *kernel->points);
    EACH(const struct tune_variant, variant, list->items, list->count) {
        size_t log = find_variant(&tune->variants, *variant);
        if (log == tune->variants.count)
            continue;
        uint32_t number = places[log];
        struct tune_point point =
            number == NO_INDEX ? unknown_point : read_point(linter_record(session->linter, number));
        if (number != NO_INDEX && !is_reached(kernel, variant, &point)) {
            kernel->bounds_not_applied = true;
            continue;
        }
        if (number == NO_INDEX) { /* the launch bounds are those that were asked for */
            const int own = kernel->count ? kernel->points[0].bound_threads : 0;
            point.absent = true;
            point.cap = UNKNOWN;
            point.bound_threads = variant->threads && variant->threads < own ? variant->threads : own;
            point.min_blocks = variant->blocks;
        }
        if (kernel->own_cap_from == CAP_UNKNOWN)
            point.cap = variant->cap;
        else if (variant->number)
            point.cap = variant->number;
        point.given = variant->cap == tune->command_cap && variant->number == 0 && variant->blocks == 0;
        kernel->points[kernel->count++] = point;
    }
    for (size_t at = 0; at < kernel->count; at++) {
        struct tune_point *point = &kernel->points[at];
        point->frontier = is_known(point) && point->warps > 0;
        for (size_t other = 0; other < kernel->count && point->frontier; other++)
            point->frontier = other == at || !is_better(&kernel->points[other], point);
    }
}

static void read_kernel(struct tune *tune, struct session *session, uint32_t number, struct places *places)
{
    struct tune_kernel *kernel = &tune->kernels[tune->count++];
    struct context *context = linter_record(session->linter, number);
    struct arena *arena = &tune->arena;
    struct tune_variants list;
    list_variants(tune, context, &list);
    kernel->own_cap_from = own_cap_from(context);
    kernel->own_cap = kernel->own_cap_from ? context->register_cap : UNKNOWN;
    kernel->bound_from = context->rare->bound_from;
    kernel->mangled = arena_str(arena, context_mangled(context));
    kernel->label = arena_str(arena, label_of(&session->labels, kernel->mangled));
    kernel->name = arena_str(arena, context_name(context));
    kernel->identity = arena_str(arena, context_kernel_id(context));
    kernel->arch = arena_str(arena, kernel_arch(&session->model, context->kernel));
    kernel->threads = context->launch_config.threads;
    kernel->threads_from = context->launch_config.threads_from;
    kernel->debug = context->kernel->flags & KERNEL_DEBUG;
    kernel->lacks_dynamic_smem = context_lacks_dynamic_smem(context);
    uint32_t key = place_key(places, session, number);
    read_points(tune, kernel, session, &list, &places->kernels[key * places->logs]);
}

void tune_read(struct tune *tune, struct session *session)
{
    struct places places = {0};
    find_places(&places, session);
    tune->kernels = arena_alloc(&tune->arena, (session->model.kernel_count + 1) * sizeof *tune->kernels);
    for (uint32_t at = 0; at < session->model.kernel_count; at++)
        if (is_shown(session, at, 0))
            read_kernel(tune, session, at, &places);
    intern_free(&places.keys);
    free(places.kernels);
}

bool tune_any(const struct tune *tune)
{
    for (size_t at = 0; at < tune->count; at++)
        if (tune->kernels[at].count > 1)
            return true;
    return false;
}
