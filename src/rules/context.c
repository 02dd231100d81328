#include "rules/context.h"

#include "log/name.h"

#include <stddef.h>
#include <string.h>

enum context_part {
    PART_OCCUPANCY = 1,
    PART_CLIFF = 2,
    PART_BEST = 4,
    PART_STEP = 8,
    PART_WAVES = 16,
};

#define BASE_UNKNOWN(id, member, ...) .member = UNKNOWN,
struct base_values base_unknown(void)
{
    return (struct base_values){MEASURES(BASE_UNKNOWN, NO_METRIC).warps = UNKNOWN, .max_warps = UNKNOWN,
                                .warps_lost = UNKNOWN, .replaced_registers = UNKNOWN};
}

#define FORGET(name, ...)           context->name = UNKNOWN;
#define PUT_STORED(id, member, ...) context->member = stored.member;

void context_forget_unstored(struct context *context)
{
    const struct context stored = *context;
    METRICS(FORGET, FORGET, NO_METRIC, NO_METRIC)
    MEASURES(PUT_STORED, NO_METRIC)
    context->array_bytes = stored.array_bytes;
    context->is_stored = true;
    context->made = context->valid = 0;
}

bool context_is_secondary(const struct model *model, const struct kernel *kernel)
{
    if (kernel->flags & KERNEL_COVERED)
        return true;
    if (kernel->producer == PRODUCER_PTXAS)
        return false;
    uint32_t link = kernel_rare(model, kernel)->link;
    return link != NO_INDEX && model->kernels[link].producer == PRODUCER_PTXAS;
}

/* ptxas prints the cap that it computes from launch bounds only if it overrides -maxrregcount, so the cap is computed
 * here. A binary states the cap of a kernel with __block_size__, but not whether that or __maxnreg__ sets it. */
static void set_register_cap(struct context *context)
{
    const struct rare_metrics *rare = context->rare;
    const bool required = rare->bound_from == BOUND_REQUIRED;
    const enum cap_from from = (enum cap_from)rare->register_cap_from;
    context->register_cap_from = required && from == CAP_LAUNCH_BOUNDS ? CAP_UNKNOWN : from;
    if (from == CAP_SETMAXNREG)
        context->register_cap = UNKNOWN;
    if (from == CAP_SETMAXNREG || !rare->bound_threads || !context->arch)
        return;
    int cap = arch_register_cap(context->arch, rare->bound_threads, rare->min_blocks);
    if (rare->register_cap == UNKNOWN && (cap <= 0 || cap >= context->arch->registers_per_thread))
        return;
    if (rare->register_cap == UNKNOWN) {
        context->register_cap = cap;
        context->register_cap_from = required ? CAP_BLOCK_SIZE : CAP_LAUNCH_BOUNDS;
    } else if (required && !context->register_cap_from) {
        context->register_cap_from = rare->register_cap == cap ? CAP_BLOCK_SIZE : CAP_MAXNREG;
    }
}

#define TAKE_COMMON(name, printed, ...)                                                                                \
    context->name = (printed) == NOT_ZERO ? metric_or_zero(kernel, kernel->name) : kernel->name;
#define TAKE_RARE(name, printed, ...)                                                                                  \
    context->name = (printed) == NOT_ZERO ? metric_or_zero(kernel, rare->name) : rare->name;

static void set_metrics(struct context *context, const struct kernel *kernel)
{
    const struct rare_metrics *rare = context->rare;
    METRICS(TAKE_COMMON, TAKE_RARE, NO_METRIC, NO_METRIC)
    const struct kernel *counts = context->link ? context->link : kernel; /* the link has the whole call graph */
    context->registers = counts->registers;
    context->smem_bytes = kernel_smem(context->model, counts);
    if (counts->barriers != UNKNOWN)
        context->barriers = counts->barriers;
    int32_t linked_stack = context->link ? kernel_link_stack(context->link) : UNKNOWN;
    if (linked_stack != UNKNOWN)
        context->stack_bytes = linked_stack;
    context->dynamic_smem = kernel_dynamic_smem(context->model, kernel);
    set_register_cap(context);
}

void context_set(struct context *context, const struct model *model, const struct kernel *kernel,
                 const struct launch_config *launch_config)
{
    const struct kernel *known = kernel ? kernel : &no_kernel;
    const struct rare_metrics *rare = kernel_rare(model, known);
    arena_free(&context->texts);
    *context = (struct context){
        .model = model,
        .kernel = kernel,
        .rare = rare,
        .link = rare->link != NO_INDEX ? &model->kernels[rare->link] : NULL,
        .arch = arch_find(kernel_arch(model, known)),
        .launch_config = *launch_config,
        .base = base_unknown(),
    };
    set_metrics(context, known);
    if (!context->launch_config.min_blocks)
        context->launch_config.min_blocks = rare->min_blocks;
}

void context_free(struct context *context)
{
    arena_free(&context->texts);
    *context = (struct context){0};
}

/* ---- unstated values ---- */

/* The architecture, the only value of the enum that is not a number, has no row. */
static const struct {
    unsigned bit;
    size_t offset;
    int32_t assumed;
} stated_metrics[] = {
    {STATED_REGISTERS, offsetof(struct context, registers), 32},
    {STATED_STACK, offsetof(struct context, stack_bytes), 0},
    {STATED_SPILL_STORES, offsetof(struct context, spill_store_bytes), 0},
    {STATED_SPILL_LOADS, offsetof(struct context, spill_load_bytes), 0},
    {STATED_SMEM, offsetof(struct context, smem_bytes), 0},
};
enum { STATED_METRICS = sizeof stated_metrics / sizeof *stated_metrics };

unsigned context_unstated(const struct context *context)
{
    const struct kernel *kernel = context->kernel;
    unsigned unstated = kernel->flags & KERNEL_NO_ENTRY && kernel->arch_inferred == NO_INDEX ? STATED_ARCH : 0;
    for (size_t at = 0; at < STATED_METRICS; at++) {
        int32_t value;
        memcpy(&value, (const char *)context + stated_metrics[at].offset, sizeof value);
        unstated |= value == UNKNOWN ? stated_metrics[at].bit : 0;
    }
    return unstated;
}

static void put_metrics(struct context *context, unsigned bits, bool assume)
{
    for (size_t at = 0; at < STATED_METRICS; at++) {
        int32_t value = assume ? stated_metrics[at].assumed : UNKNOWN;
        if (bits & stated_metrics[at].bit)
            memcpy((char *)context + stated_metrics[at].offset, &value, sizeof value);
    }
    context->made = context->valid = 0;
}

void context_assume(struct context *context, unsigned unstated)
{
    put_metrics(context, unstated, true);
    if (unstated & STATED_ARCH)
        context->arch = arch_find(STR("sm_90"));
}

void context_forget(struct context *context, unsigned unstated)
{
    put_metrics(context, unstated, false);
    context->arch = arch_find(kernel_arch(context->model, context->kernel));
}

/* True for the first call for each part of a context. */
static bool first_time(struct context *context, enum context_part part)
{
    bool first = !(context->made & part);
    context->made |= part;
    return first;
}

static void *part_if_valid(struct context *context, enum context_part part, void *value)
{
    return context->valid & part ? value : NULL;
}

struct launch context_launch(const struct context *context, int threads)
{
    int64_t dynamic = context->launch_config.dynamic_smem_bytes;
    return (struct launch){
        .threads = threads,
        .registers = context->registers,
        .smem_bytes = context->smem_bytes,
        .dynamic_smem_bytes = dynamic > 0 ? dynamic : 0,
        .barriers = context->barriers > 0 ? context->barriers : 0,
        .carveout = launch_carveout(&context->launch_config),
    };
}

static bool can_compute(const struct context *context)
{
    return context->arch && context->kernel->kind == KERNEL_ENTRY && context->registers != UNKNOWN &&
           context->smem_bytes != UNKNOWN;
}

bool context_lacks_dynamic_smem(const struct context *context)
{
    return context->dynamic_smem == DYNAMIC_SMEM_USED && context->launch_config.dynamic_smem_bytes < 0;
}

const struct occupancy *context_occupancy(struct context *context)
{
    if (first_time(context, PART_OCCUPANCY) && can_compute(context) && context->launch_config.threads > 0) {
        struct launch launch = context_launch(context, context->launch_config.threads);
        if (occupancy_compute(context->arch, &launch, &context->occupancy))
            context->valid |= PART_OCCUPANCY;
    }
    return part_if_valid(context, PART_OCCUPANCY, &context->occupancy);
}

const struct cliff *context_cliff(struct context *context)
{
    if (first_time(context, PART_CLIFF) && context_occupancy(context) && !context_lacks_dynamic_smem(context)) {
        struct launch launch = context_launch(context, context->launch_config.threads);
        if (occupancy_cliff(context->arch, &launch, &context->cliff))
            context->valid |= PART_CLIFF;
    }
    return part_if_valid(context, PART_CLIFF, &context->cliff);
}

const struct best_case *context_best(struct context *context)
{
    if (first_time(context, PART_BEST) && can_compute(context)) {
        struct launch launch = context_launch(context, 1);
        if (occupancy_best_case(context->arch, &launch, &context->best))
            context->valid |= PART_BEST;
    }
    return part_if_valid(context, PART_BEST, &context->best);
}

const struct best_step *context_best_step(struct context *context)
{
    if (first_time(context, PART_STEP) && can_compute(context)) {
        struct launch launch = context_launch(context, 1);
        if (occupancy_best_step(context->arch, &launch, &context->step))
            context->valid |= PART_STEP;
    }
    return part_if_valid(context, PART_STEP, &context->step);
}

const struct waves *context_waves(struct context *context)
{
    const struct occupancy *o = context_occupancy(context);
    if (first_time(context, PART_WAVES) && o && !context_lacks_dynamic_smem(context) &&
        occupancy_waves(o->blocks, context->launch_config.sms, context->launch_config.grid, &context->waves))
        context->valid |= PART_WAVES;
    return part_if_valid(context, PART_WAVES, &context->waves);
}

struct str context_limiters(struct context *context)
{
    const struct occupancy *occupancy = context_occupancy(context);
    struct buf names = {0};
    limiter_names(occupancy ? occupancy->limiters : 0, ", ", &names);
    return arena_take(&context->texts, &names);
}

int64_t context_smem_per_block(const struct context *context)
{
    int64_t dynamic = context->launch_config.dynamic_smem_bytes;
    return context->smem_bytes == UNKNOWN ? UNKNOWN : context->smem_bytes + (dynamic > 0 ? dynamic : 0);
}

bool context_needs_optin(const struct context *context)
{
    const int64_t bytes = context_smem_per_block(context);
    return context->arch && bytes > context->arch->smem_per_block_bytes &&
           bytes <= context->arch->smem_per_block_optin_bytes;
}

/* Counts the exceeded budgets, and appends them to text unless it is NULL. */
static int list_exceeded(const struct context *s, struct buf *text)
{
    const struct launch_config *allowed = &s->launch_config;
    int exceeded = 0;
    bool spills = s->spill_store_bytes != UNKNOWN && s->spill_load_bytes != UNKNOWN;
    const struct {
        const char *key, *unit, *what;
        int64_t most, used; /* below 0: unknown */
    } budgets[] = {
        {"max-registers", "", " registers", allowed->budget_registers, s->registers},
        {"max-smem", " B", " of shared memory", allowed->budget_smem_bytes, context_smem_per_block(s)},
        {"max-spill", " B", " of spills", allowed->budget_spill_bytes,
         spills ? (int64_t)s->spill_store_bytes + s->spill_load_bytes : UNKNOWN},
        {"max-stack", " B", " of stack", allowed->budget_stack_bytes, s->stack_bytes},
        {"max-barriers", "", " named barriers", allowed->budget_barriers, s->barriers},
    };
    for (size_t at = 0; at < sizeof budgets / sizeof *budgets; at++) {
        if (budgets[at].most < 0 || budgets[at].used <= budgets[at].most)
            continue;
        if (text)
            buf_fmt(text, "%s%lld%s%s (%s %lld%s)", exceeded ? ", " : "", (long long)budgets[at].used, budgets[at].unit,
                    budgets[at].what, budgets[at].key, (long long)budgets[at].most, budgets[at].unit);
        exceeded++;
    }
    return exceeded;
}

struct str context_over_budget(struct context *context)
{
    struct buf text = {0};
    list_exceeded(context, &text);
    return arena_take(&context->texts, &text);
}

int context_budgets_exceeded(const struct context *context)
{
    return list_exceeded(context, NULL);
}

struct str context_mangled(const struct context *context)
{
    if (context->kernel)
        return kernel_name(context->model, context->kernel);
    return context->event ? intern_get(&context->model->names, context->event->name) : (struct str){"", 0};
}

struct str context_name(struct context *context)
{
    struct buf readable = {0};
    if (!context->name.len) {
        name_demangle(context_mangled(context), &readable);
        context->name = arena_take(&context->texts, &readable);
    }
    return context->name;
}

struct str context_kernel_id(struct context *context)
{
    struct buf identity = {0};
    name_identity(context_mangled(context), &identity);
    return arena_take(&context->texts, &identity);
}

bool context_is_library_path(const struct context *context)
{
    static const char *const parts[] = {"__internal_", "trig_reduction", "payne_hanek"};
    struct str name = context_mangled(context);
    for (size_t at = 0; at < sizeof parts / sizeof *parts; at++)
        if (str_find(name, str_of(parts[at])) != STR_NONE)
            return true;
    return false;
}

bool context_refuses_bounds(const struct context *context)
{
    const bool unnamed = context->register_cap != UNKNOWN && context->register_cap_from == CAP_UNKNOWN;
    return unnamed || context->rare->bound_from == BOUND_REQUIRED || context->register_cap_from == CAP_MAXNREG ||
           context->register_cap_from == CAP_SETMAXNREG;
}

bool context_calls_add_registers(const struct context *context)
{
    return context->link && context->kernel->registers != UNKNOWN && context->registers > context->kernel->registers;
}

struct str context_cap_by(struct context *context)
{
    const struct rare_metrics *rare = context->rare;
    const char *from = cap_from_names[context->register_cap_from];
    if (!context->kernel || context->register_cap == UNKNOWN)
        return (struct str){"", 0};
    if (rare->bound_from == BOUND_TRITON && context->register_cap_from != CAP_UNKNOWN) {
        bool chosen = context->register_cap_from == CAP_MAXNREG;
        return arena_fmt(&context->texts, chosen ? "maxnreg=%d" : "num_warps=%d",
                         chosen ? context->register_cap : rare->bound_threads / 32);
    }
    if (!from)
        return STR("-maxrregcount or __maxnreg__");
    /* a binary states the threads of launch bounds; the cap shows whether they have a minimum number of blocks */
    bool whole = rare->min_blocks > 0 ||
                 (context->arch && arch_register_cap(context->arch, rare->bound_threads, 0) == context->register_cap);
    if (context->register_cap_from != CAP_LAUNCH_BOUNDS || rare->bound_from != BOUND_LAUNCH_BOUNDS || !whole)
        return str_of(from);
    if (rare->min_blocks)
        return arena_fmt(&context->texts, "%s(%d, %d)", from, rare->bound_threads, rare->min_blocks);
    return arena_fmt(&context->texts, "%s(%d)", from, rare->bound_threads);
}
