#include "rules/subject.h"

#include "log/name.h"

#include <stddef.h>
#include <string.h>

enum subject_part {
    PART_OCCUPANCY = 1,
    PART_CLIFF = 2,
    PART_BEST = 4,
    PART_STEP = 8,
    PART_NAME = 16,
    PART_IDENTITY = 32,
    PART_LIMITERS = 64,
    PART_BUDGETS = 128,
    PART_WAVES = 256,
};

#define BASE_UNKNOWN(id, member, ...) .member = UNKNOWN,
struct base_values base_unknown(void)
{
    return (struct base_values){MEASURES(BASE_UNKNOWN, NO_METRIC).warps = UNKNOWN, .max_warps = UNKNOWN,
                                .warps_lost = UNKNOWN, .replaced_registers = UNKNOWN};
}

bool subject_is_half(const struct model *model, const struct kernel *kernel)
{
    if (kernel->flags & KERNEL_COVERED)
        return true;
    if (kernel->producer == PRODUCER_PTXAS)
        return false;
    uint32_t link = kernel_rare(model, kernel)->link;
    return link != NO_INDEX && model->kernels[link].producer == PRODUCER_PTXAS;
}

/* The row of the record's architecture as its lines or its context say, or NULL. */
static const struct arch *find_arch(const struct model *model, const struct kernel *kernel)
{
    struct str name = kernel_arch(model, kernel);
    return name.len ? arch_find(name) : NULL;
}

/* ptxas states the cap that it computes from launch bounds only when it overrides -maxrregcount; it is known anyway. */
static void set_register_cap(struct subject *subject)
{
    const struct rare_metrics *rare = subject->rare;
    subject->register_cap_from = (enum cap_from)rare->register_cap_from;
    if (rare->register_cap != UNKNOWN || !rare->bound_threads || !subject->arch)
        return;
    int cap = arch_register_cap(subject->arch, rare->bound_threads, rare->min_blocks);
    if (cap <= 0 || cap >= subject->arch->registers_per_thread)
        return;
    subject->register_cap = cap;
    subject->register_cap_from = CAP_LAUNCH_BOUNDS;
}

#define TAKE_COMMON(name, printed, ...)                                                                                \
    subject->name = (printed) == NOT_ZERO ? metric_or_zero(kernel, kernel->name) : kernel->name;
#define TAKE_RARE(name, printed, ...)                                                                                  \
    subject->name = (printed) == NOT_ZERO ? metric_or_zero(kernel, rare->name) : rare->name;

static void set_metrics(struct subject *subject)
{
    const struct kernel *kernel = subject->kernel;
    const struct rare_metrics *rare = subject->rare;
    METRICS(TAKE_COMMON, TAKE_RARE, NO_METRIC, NO_METRIC)
    const struct kernel *counts = subject->link ? subject->link : kernel; /* the link sees the whole call graph */
    subject->from_link = subject->link != NULL;
    subject->registers = counts->registers;
    subject->smem_bytes = kernel_smem(subject->model, counts);
    if (counts->barriers != UNKNOWN)
        subject->barriers = counts->barriers;
    int32_t linked_stack = subject->link ? kernel_link_stack(subject->link) : UNKNOWN;
    if (linked_stack != UNKNOWN)
        subject->stack_bytes = linked_stack;
    set_register_cap(subject);
}

#define TAKE_UNKNOWN(name, ...) subject->name = UNKNOWN;
static void set_unknown(struct subject *subject)
{
    METRICS(TAKE_UNKNOWN, TAKE_UNKNOWN, NO_METRIC, NO_METRIC)
    subject->register_cap_from = CAP_UNKNOWN;
    subject->from_link = false;
}

void subject_set(struct subject *subject, const struct model *model, const struct kernel *kernel,
                 const struct launch_config *launch_config)
{
    subject->arch = subject->arch_row = kernel ? find_arch(model, kernel) : NULL;
    subject->model = model;
    subject->kernel = kernel;
    subject->event = NULL;
    subject->rare = kernel ? kernel_rare(model, kernel) : &no_rare_metrics;
    subject->link = subject->rare->link != NO_INDEX ? &model->kernels[subject->rare->link] : NULL;
    subject->launch_config = *launch_config;
    subject->base = base_unknown();
    subject->succession = NULL;
    subject->made = subject->valid = 0;
    if (kernel)
        set_metrics(subject);
    else
        set_unknown(subject);
    if (!subject->launch_config.min_blocks)
        subject->launch_config.min_blocks = subject->rare->min_blocks;
}

void subject_free(struct subject *subject)
{
    buf_free(&subject->name);
    buf_free(&subject->identity);
    buf_free(&subject->limiters);
    buf_free(&subject->over_budget);
    buf_free(&subject->cap_by);
    *subject = (struct subject){0};
}

/* ---- what the log does not state ---- */

/* The architecture is the one of the enum that is no number. */
static const struct {
    unsigned bit;
    size_t offset;
    int32_t assumed;
} stated_metrics[] = {
    {STATED_REGISTERS, offsetof(struct subject, registers), 32},
    {STATED_STACK, offsetof(struct subject, stack_bytes), 0},
    {STATED_SPILL_STORES, offsetof(struct subject, spill_store_bytes), 0},
    {STATED_SPILL_LOADS, offsetof(struct subject, spill_load_bytes), 0},
    {STATED_SMEM, offsetof(struct subject, smem_bytes), 0},
};
enum { STATED_METRICS = sizeof stated_metrics / sizeof *stated_metrics };

unsigned subject_unstated(const struct subject *subject)
{
    const struct kernel *kernel = subject->kernel;
    unsigned unstated = kernel->flags & KERNEL_NO_ENTRY && kernel->arch_inferred == NO_INDEX ? STATED_ARCH : 0;
    for (size_t at = 0; at < STATED_METRICS; at++) {
        int32_t value;
        memcpy(&value, (const char *)subject + stated_metrics[at].offset, sizeof value);
        unstated |= value == UNKNOWN ? stated_metrics[at].bit : 0;
    }
    return unstated;
}

static void put_metrics(struct subject *subject, unsigned bits, bool assume)
{
    for (size_t at = 0; at < STATED_METRICS; at++) {
        int32_t value = assume ? stated_metrics[at].assumed : UNKNOWN;
        if (bits & stated_metrics[at].bit)
            memcpy((char *)subject + stated_metrics[at].offset, &value, sizeof value);
    }
    subject->made = subject->valid = 0;
}

void subject_assume(struct subject *subject, unsigned unstated)
{
    put_metrics(subject, unstated, true);
    if (unstated & STATED_ARCH)
        subject->arch = arch_find(STR("sm_90"));
}

void subject_forget(struct subject *subject, unsigned unstated)
{
    put_metrics(subject, unstated, false);
    subject->arch = subject->arch_row;
}

/* True once for each part of a subject. */
static bool first_time(struct subject *subject, enum subject_part part)
{
    bool first = !(subject->made & part);
    subject->made |= part;
    return first;
}

static void *answer(struct subject *subject, enum subject_part part, void *value)
{
    return subject->valid & part ? value : NULL;
}

struct launch subject_launch(const struct subject *subject, int threads)
{
    int64_t dynamic = subject->launch_config.dynamic_smem_bytes;
    return (struct launch){
        .threads = threads,
        .registers = subject->registers,
        .smem_bytes = subject->smem_bytes,
        .dynamic_smem_bytes = dynamic > 0 ? dynamic : 0,
        .barriers = subject->barriers > 0 ? subject->barriers : 0,
        .carveout = launch_carveout(&subject->launch_config),
    };
}

static bool can_compute(const struct subject *subject)
{
    return subject->arch && subject->kernel->kind == KERNEL_ENTRY && subject->registers != UNKNOWN &&
           subject->smem_bytes != UNKNOWN;
}

const struct occupancy *subject_occupancy(struct subject *subject)
{
    if (first_time(subject, PART_OCCUPANCY) && can_compute(subject) && subject->launch_config.threads > 0) {
        struct launch launch = subject_launch(subject, subject->launch_config.threads);
        if (occupancy_compute(subject->arch, &launch, &subject->occupancy))
            subject->valid |= PART_OCCUPANCY;
    }
    return answer(subject, PART_OCCUPANCY, &subject->occupancy);
}

const struct cliff *subject_cliff(struct subject *subject)
{
    if (first_time(subject, PART_CLIFF) && subject_occupancy(subject)) {
        struct launch launch = subject_launch(subject, subject->launch_config.threads);
        if (occupancy_cliff(subject->arch, &launch, &subject->cliff))
            subject->valid |= PART_CLIFF;
    }
    return answer(subject, PART_CLIFF, &subject->cliff);
}

const struct best_case *subject_best(struct subject *subject)
{
    if (first_time(subject, PART_BEST) && can_compute(subject)) {
        struct launch launch = subject_launch(subject, 1);
        if (occupancy_best_case(subject->arch, &launch, &subject->best))
            subject->valid |= PART_BEST;
    }
    return answer(subject, PART_BEST, &subject->best);
}

const struct best_step *subject_best_step(struct subject *subject)
{
    if (first_time(subject, PART_STEP) && can_compute(subject)) {
        struct launch launch = subject_launch(subject, 1);
        if (occupancy_best_step(subject->arch, &launch, &subject->step))
            subject->valid |= PART_STEP;
    }
    return answer(subject, PART_STEP, &subject->step);
}

const struct waves *subject_waves(struct subject *subject)
{
    const struct occupancy *o = subject_occupancy(subject);
    if (first_time(subject, PART_WAVES) && o &&
        occupancy_waves(o->blocks, subject->launch_config.sms, subject->launch_config.grid, &subject->waves))
        subject->valid |= PART_WAVES;
    return answer(subject, PART_WAVES, &subject->waves);
}

struct str subject_limiters(struct subject *subject)
{
    const struct occupancy *occupancy = subject_occupancy(subject);
    if (first_time(subject, PART_LIMITERS)) {
        buf_clear(&subject->limiters);
        limiter_names(occupancy ? occupancy->limiters : 0, ", ", &subject->limiters);
    }
    return buf_str(&subject->limiters);
}

int64_t subject_smem_per_block(const struct subject *subject)
{
    int64_t dynamic = subject->launch_config.dynamic_smem_bytes;
    return subject->smem_bytes == UNKNOWN ? UNKNOWN : subject->smem_bytes + (dynamic > 0 ? dynamic : 0);
}

struct str subject_over_budget(struct subject *subject)
{
    const struct launch_config *allowed = &subject->launch_config;
    const struct subject *s = subject;
    bool spills = s->spill_store_bytes != UNKNOWN && s->spill_load_bytes != UNKNOWN;
    const struct {
        const char *key, *unit, *what;
        int64_t most, used; /* below 0: not known */
    } budgets[] = {
        {"max-registers", "", " registers", allowed->budget_registers, s->registers},
        {"max-smem", " B", " of shared memory", allowed->budget_smem_bytes, subject_smem_per_block(s)},
        {"max-spill", " B", " of spills", allowed->budget_spill_bytes,
         spills ? (int64_t)s->spill_store_bytes + s->spill_load_bytes : UNKNOWN},
        {"max-stack", " B", " of stack", allowed->budget_stack_bytes, s->stack_bytes},
        {"max-barriers", "", " named barriers", allowed->budget_barriers, s->barriers},
    };
    struct buf *text = &subject->over_budget;
    if (!first_time(subject, PART_BUDGETS))
        return buf_str(text);
    buf_clear(text);
    for (size_t at = 0; at < sizeof budgets / sizeof *budgets; at++)
        if (budgets[at].most >= 0 && budgets[at].used > budgets[at].most)
            buf_fmt(text, "%s%lld%s%s (%s %lld%s)", text->len ? ", " : "", (long long)budgets[at].used,
                    budgets[at].unit, budgets[at].what, budgets[at].key, (long long)budgets[at].most, budgets[at].unit);
    return buf_str(text);
}

struct str subject_mangled(const struct subject *subject)
{
    if (subject->kernel)
        return kernel_name(subject->model, subject->kernel);
    return subject->event ? intern_get(&subject->model->names, subject->event->name) : (struct str){"", 0};
}

struct str subject_name(struct subject *subject)
{
    if (first_time(subject, PART_NAME)) {
        buf_clear(&subject->name);
        name_demangle(subject_mangled(subject), &subject->name);
    }
    return buf_str(&subject->name);
}

struct str subject_kernel_id(struct subject *subject)
{
    if (first_time(subject, PART_IDENTITY)) {
        buf_clear(&subject->identity);
        name_identity(subject_mangled(subject), &subject->identity);
    }
    return buf_str(&subject->identity);
}

bool subject_is_library_path(const struct subject *subject)
{
    static const char *const parts[] = {"__internal_", "trig_reduction", "payne_hanek"};
    struct str name = subject_mangled(subject);
    for (size_t at = 0; at < sizeof parts / sizeof *parts; at++)
        if (str_find(name, str_of(parts[at])) != STR_NONE)
            return true;
    return false;
}

struct str subject_cap_by(struct subject *subject)
{
    const struct rare_metrics *rare = subject->rare;
    const char *from = cap_from_name(subject->register_cap_from);
    struct buf *text = &subject->cap_by;
    buf_clear(text);
    if (!subject->kernel || subject->register_cap == UNKNOWN)
        return (struct str){"", 0};
    buf_add(text, from ? str_of(from) : STR("the build"));
    if (subject->register_cap_from == CAP_LAUNCH_BOUNDS && rare->bound_from == BOUND_LAUNCH_BOUNDS) {
        buf_fmt(text, "(%d", rare->bound_threads);
        if (rare->min_blocks)
            buf_fmt(text, ", %d", rare->min_blocks);
        buf_char(text, ')');
    }
    return buf_str(text);
}
