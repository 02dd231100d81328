#include "cli/tune/tune.h"

#include "gpu/curve.h"
#include "report/label.h"

#include <stdlib.h>

/* ---- caps ------------------------------------------------------------------------------------------------------- */

/* ptxas ignores -maxrregcount for a kernel with launch bounds or __maxnreg__, unless it has to override directives. */
static enum cap_from own_cap_from(const struct context *context)
{
    if (context->register_cap_from == CAP_MAXNREG)
        return CAP_MAXNREG;
    bool bounds = context->rare->bound_from != BOUND_NONE || context->register_cap_from == CAP_LAUNCH_BOUNDS;
    return bounds ? CAP_LAUNCH_BOUNDS : CAP_UNKNOWN;
}

enum { MOST_CAPS = 256 };

static bool spills_at_own_cap(const struct context *context)
{
    return own_cap_from(context) != CAP_UNKNOWN && (context->spill_store_bytes > 0 || context->spill_load_bytes > 0);
}

/* Marks the caps at which this kernel has one more block, and, where it spills at a cap of its own, those above it. */
static void want_caps(const struct tune *tune, const struct context *context, bool wanted[MOST_CAPS])
{
    int caps[CURVE_STEPS];
    bool is_capped = own_cap_from(context) != CAP_UNKNOWN;
    if (!context->arch || context->registers == UNKNOWN || (is_capped && !tune->overrides) ||
        context->registers > context->arch->registers_per_thread)
        return;
    struct launch launch = context_launch(context, context->launch_config.threads);
    for (size_t count = occupancy_register_caps(context->arch, &launch, caps); count > 0; count--)
        wanted[caps[count - 1]] = true;
    if (!spills_at_own_cap(context))
        return;
    int cap = context->register_cap > context->registers ? context->register_cap : context->registers;
    for (size_t count = occupancy_raised_caps(context->arch, &launch, cap, caps); count > 0; count--)
        wanted[caps[count - 1]] = true;
}

static bool is_shown(struct session *session, uint32_t number, uint16_t log)
{
    const struct kernel *kernel = &session->model.kernels[number];
    return kernel->log == log && kernel->kind == KERNEL_ENTRY && linter_selects(session->linter, number);
}

void tune_caps(struct tune *tune, struct session *session)
{
    bool wanted[MOST_CAPS] = {false};
    wanted[tune->command_cap] = true;
    for (uint32_t at = 0; at < session->model.kernel_count; at++)
        if (is_shown(session, at, 0))
            want_caps(tune, linter_record(session->linter, at), wanted);
    int *list = arena_alloc(&tune->arena, MOST_CAPS * sizeof *list);
    tune->cap_count = 1; /* 0, none */
    for (int cap = MOST_CAPS - 1; cap > 0; cap--)
        if (wanted[cap])
            list[tune->cap_count++] = cap;
    tune->caps = list;
}

/* ---- points ----------------------------------------------------------------------------------------------------- */

/* Where each log has a kernel: by its identity and architecture, which no compile changes. */
struct places {
    struct intern keys;
    uint32_t *kernels; /* by key and log; NO_INDEX: not there */
    size_t cap, logs;
};

static uint32_t place_key(struct places *places, struct session *session, uint32_t kernel)
{
    struct context *context = linter_record(session->linter, kernel);
    struct buf key = {0};
    buf_add(&key, context_kernel_id(context));
    buf_char(&key, '\n');
    buf_add(&key, kernel_arch(&session->model, context->kernel));
    uint32_t number = intern_add(&places->keys, buf_str(&key));
    buf_free(&key);
    return number;
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

static void free_places(struct places *places)
{
    intern_free(&places->keys);
    free(places->kernels);
}

static void take_occupancy(struct tune_point *point, struct context *context, struct arena *arena)
{
    const struct occupancy *occupancy = context_occupancy(context);
    const struct best_case *best = occupancy ? NULL : context_best(context);
    if (occupancy) {
        point->blocks = occupancy->blocks;
        point->warps = occupancy->warps;
        point->max_warps = occupancy->max_warps;
        point->limiters = arena_str(arena, context_limiters(context));
    } else if (best) {
        point->warps = best->warps;
        point->max_warps = best->max_warps;
    }
}

static struct tune_point read_point(struct tune *tune, struct session *session, uint32_t kernel, int cap)
{
    struct tune_point point = {.cap = cap,
                               .given = cap == tune->command_cap,
                               .registers = UNKNOWN,
                               .stack_bytes = UNKNOWN,
                               .spill_store_bytes = UNKNOWN,
                               .spill_load_bytes = UNKNOWN,
                               .blocks = -1,
                               .warps = -1};
    if (kernel == NO_INDEX)
        return point;
    struct context *context = linter_record(session->linter, kernel);
    point.registers = context->registers;
    point.stack_bytes = context->stack_bytes;
    point.spill_store_bytes = context->spill_store_bytes;
    point.spill_load_bytes = context->spill_load_bytes;
    take_occupancy(&point, context, &tune->arena);
    return point;
}

static bool is_known(const struct tune_point *point)
{
    return point->warps >= 0 && point->registers != UNKNOWN && point->spill_store_bytes != UNKNOWN &&
           point->spill_load_bytes != UNKNOWN;
}

/* What ptxas counts below 0 is no gain over none. */
static int64_t spills(const struct tune_point *point)
{
    int64_t bytes = (int64_t)point->spill_store_bytes + point->spill_load_bytes;
    return bytes > 0 ? bytes : 0;
}

/* As many warps with as few spilled bytes; where both are equal, with as many registers; where all is equal, first. */
static bool beats(const struct tune_point *a, const struct tune_point *b)
{
    if (!is_known(a) || a->warps < b->warps || spills(a) > spills(b))
        return false;
    bool equal = a->warps == b->warps && spills(a) == spills(b);
    return !equal || a->registers > b->registers || (a->registers == b->registers && a < b);
}

static void mark_frontier(struct tune_kernel *kernel)
{
    for (size_t at = 0; at < kernel->count; at++) {
        struct tune_point *point = &kernel->points[at];
        point->frontier = is_known(point) && point->warps > 0;
        for (size_t other = 0; other < kernel->count && point->frontier; other++)
            point->frontier = other == at || !beats(&kernel->points[other], point);
    }
}

static void read_points(struct tune *tune, struct tune_kernel *kernel, struct session *session, const bool *wanted,
                        const uint32_t *places)
{
    kernel->points = arena_alloc(&tune->arena, tune->cap_count * sizeof *kernel->points);
    for (size_t log = 0; log < tune->cap_count; log++)
        if (log == 0 || wanted[tune->caps[log]])
            kernel->points[kernel->count++] = read_point(tune, session, places[log], tune->caps[log]);
    mark_frontier(kernel);
}

static void read_kernel(struct tune *tune, struct session *session, uint32_t number, struct places *places)
{
    struct tune_kernel *kernel = &tune->kernels[tune->count++];
    struct context *context = linter_record(session->linter, number);
    struct arena *arena = &tune->arena;
    bool wanted[MOST_CAPS] = {false};
    want_caps(tune, context, wanted);
    kernel->own_cap_from = own_cap_from(context);
    kernel->own_cap = kernel->own_cap_from ? context->register_cap : UNKNOWN;
    wanted[tune->command_cap] = true;
    kernel->mangled = arena_str(arena, context_mangled(context));
    kernel->name = arena_str(arena, context_name(context));
    kernel->identity = arena_str(arena, context_kernel_id(context));
    kernel->arch = arena_str(arena, kernel_arch(&session->model, context->kernel));
    kernel->threads = context->launch_config.threads;
    kernel->threads_from = context->launch_config.threads_from;
    kernel->debug = context->kernel->flags & KERNEL_DEBUG;
    uint32_t key = place_key(places, session, number);
    read_points(tune, kernel, session, wanted, &places->kernels[key * places->logs]);
}

void tune_read(struct tune *tune, struct session *session)
{
    struct places places = {0};
    struct labels labels;
    find_places(&places, session);
    tune->kernels = arena_alloc(&tune->arena, (session->model.kernel_count + 1) * sizeof *tune->kernels);
    for (uint32_t at = 0; at < session->model.kernel_count; at++)
        if (is_shown(session, at, 0))
            read_kernel(tune, session, at, &places);
    labels_init(&labels, &session->model.names);
    for (size_t at = 0; at < tune->count; at++)
        tune->kernels[at].label = arena_str(&tune->arena, label_of(&labels, tune->kernels[at].mangled));
    labels_free(&labels);
    free_places(&places);
}

bool tune_any(const struct tune *tune)
{
    for (size_t at = 0; at < tune->count; at++)
        if (tune->kernels[at].count > 1 && (tune->overrides || tune->kernels[at].own_cap_from == CAP_UNKNOWN))
            return true;
    return false;
}

void tune_free(struct tune *tune)
{
    arena_free(&tune->arena);
}
