#include "log/binary_check.h"

#include "base/buf.h"
#include "base/diag.h"
#include "log/local_memory.h"

#include <stdlib.h>

/* A logged record, with the key that it shares with the record of a binary. */
struct logged {
    uint64_t key; /* name and architecture */
    uint32_t kernel;
    bool in_object; /* relocatable code of a binary has the same values: the record is of that object */
};

struct logged_list {
    struct logged *items;
    size_t count;
};

static uint64_t key_of(const struct kernel *kernel)
{
    return (uint64_t)kernel->name << 32 | kernel->arch_inferred;
}

static int by_key(const void *a, const void *b)
{
    const struct logged *left = a, *right = b;
    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return number_cmp(left->kernel, right->kernel);
}

/* True for records of ptxas, and for records of nvlink without a record of ptxas: these are of another link of the same
 * object. */
static bool is_candidate(const struct model *model, const struct kernel *kernel)
{
    bool alone = kernel_is_link(kernel) && kernel_rare(model, kernel)->link == NO_INDEX;
    return (kernel->producer == PRODUCER_PTXAS || alone) && kernel->name != NO_INDEX &&
           kernel->arch_inferred != NO_INDEX;
}

static struct logged_list logged_records(const struct model *model)
{
    struct logged_list list = {.items = mem_alloc((model->kernel_count + 1) * sizeof *list.items)};
    for (uint32_t k = 0; k < model->kernel_count; k++) {
        const struct kernel *kernel = &model->kernels[k];
        if (is_candidate(model, kernel))
            list.items[list.count++] = (struct logged){.key = key_of(kernel), .kernel = k};
    }
    mem_sort(list.items, list.count, sizeof *list.items, by_key);
    return list;
}

/* The index of the first item of the list with the key; the length of the list if there is none. */
static size_t first_of(const struct logged_list *list, uint64_t key)
{
    size_t at = 0;
    MEM_FIND(at, list->count, list->items[at].key < key);
    return at;
}

/* ---- what differs ----------------------------------------------------------------------------------------------- */

static void add_if_different(struct buf *text, const char *what, const char *unit, int32_t log, int32_t binary)
{
    if (log == UNKNOWN || binary == UNKNOWN || log == binary)
        return;
    buf_fmt(text, "%s%s %d%s in the log, %d%s in the binary", text->len ? ", " : "", what, log, unit, binary, unit);
}

static int32_t bank0(const struct model *model, const struct kernel *kernel)
{
    return kernel->bank_count ? bank_bytes(&model->banks[kernel->first_bank], kernel->bank_count, 0) : UNKNOWN;
}

static bool is_linked(const struct kernel *binary)
{
    return !(binary->flags & KERNEL_RELOCATABLE);
}

/* Appends the differences. The code of an object is compared with the record of ptxas. Linked code is compared with the
 * record of nvlink if there is one, because the link adds the needs of called functions. */
static void list_differences(const struct model *model, const struct kernel *logged, const struct kernel *binary,
                             struct buf *text)
{
    const struct kernel *final = logged;
    uint32_t link = kernel_rare(model, logged)->link;
    if (is_linked(binary) && link != NO_INDEX)
        final = &model->kernels[link];
    buf_clear(text);
    add_if_different(text, "registers", "", final->registers, binary->registers);
    add_if_different(text, "barriers", "", final->barriers, binary->barriers);
    add_if_different(text, "shared memory", " B", kernel_smem(model, final), binary->smem_bytes);
    if (logged->producer == PRODUCER_PTXAS)
        add_if_different(text, "stack frame", " B", logged->stack_bytes, binary->stack_bytes);
    add_if_different(text, "cumulative stack", " B",
                     final->producer == PRODUCER_PTXAS ? final->cumulative_stack_bytes : kernel_link_stack(final),
                     binary->cumulative_stack_bytes);
    add_if_different(text, "constant bank 0", " B", bank0(model, final), bank0(model, binary));
}

static void add_mismatch(struct model *model, const struct kernel *logged, const struct kernel *binary)
{
    struct str path = model_string(model, model->logs[binary->log].path);
    SCOPED(buf) text = {0}, what = {0};
    list_differences(model, logged, binary, &what);
    buf_fmt(&text, "%.*s is of another build: %.*s", STR_ARG(path), STR_ARG(buf_str(&what)));
    struct event *event = model_add_event(model);
    event->text = intern_add(&model->strings, buf_str(&text));
    event->id = intern_add(&model->strings, STR("binary-mismatch"));
    event->name = logged->name;
    event->arch = logged->arch_inferred;
    event->log = logged->log;
    event->log_line = logged->log_line;
    event->severity = SEVERITY_WARNING;
}

/* Copies the declarations of the kernel, and the flag of a debug build, which a log may not state. */
static void copy_declared(struct model *model, struct kernel *logged, const struct kernel *binary)
{
    struct rare_metrics known = *kernel_rare(model, logged), declared = *kernel_rare(model, binary);
    if (declared.dynamic_smem != DYNAMIC_SMEM_UNKNOWN)
        known.dynamic_smem = declared.dynamic_smem;
    if (declared.register_cap_from == CAP_SETMAXNREG)
        known.register_cap_from = CAP_SETMAXNREG;
    if (!known.bound_threads) {
        if (known.register_cap == UNKNOWN) {
            known.register_cap = declared.register_cap;
            known.register_cap_from = declared.register_cap_from;
        }
        known.bound_threads = declared.bound_threads;
        known.bound_from = declared.bound_from;
        known.cluster_blocks = declared.cluster_blocks;
    }
    kernel_set_rare(model, logged, &known);
    logged->flags |= binary->flags & KERNEL_DEBUG;
}

/* ---- the link of what ptxas logged ------------------------------------------------------------------------------ */

/* True if the record of ptxas is of relocatable code that was linked into the binary. Relocatable code in the binary
 * shows that, or a section of nvlink, or the known command of the compile. */
static bool is_of_object(const struct model *model, const struct kernel *logged, const struct kernel *binary)
{
    const struct rare_metrics *rare = kernel_rare(model, binary);
    if (rare->object_registers >= 0)
        return rare->object_registers == logged->registers && rare->object_stack_bytes == logged->stack_bytes;
    const struct log_info *log =
        &model->logs[logged->log]; /* if `compiled`, the log is of one compile; other logs may be of several */
    return rare->object_registers == NO_OBJECT_NVLINK || (log->compiled && log->rdc_line);
}

/* True if the linked code has at least the values of the kernel's own code, and the same stack frame. */
static bool has_all(const struct model *model, const struct kernel *linked, const struct kernel *logged)
{
    return logged->stack_bytes == linked->stack_bytes && logged->registers <= linked->registers &&
           kernel_smem(model, logged) <= linked->smem_bytes &&
           (linked->cumulative_stack_bytes == UNKNOWN || logged->stack_bytes <= linked->cumulative_stack_bytes);
}

static bool has_logged_link(const struct model *model, const struct kernel *logged)
{
    uint32_t link = kernel_rare(model, logged)->link;
    return link != NO_INDEX && kernel_is_link(&model->kernels[link]);
}

/* True if the linked code can be the link of the record of ptxas. That is possible only if no link is logged. */
static bool can_be_link(const struct model *model, const struct kernel *linked, const struct kernel *logged)
{
    return is_linked(linked) && logged->producer == PRODUCER_PTXAS && !has_logged_link(model, logged) &&
           has_all(model, linked, logged) && is_of_object(model, logged, linked);
}

/* The logged records with the name and architecture of a record of a binary; NO_INDEX: none. */
struct match {
    uint32_t agrees, differs; /* the first record of each kind */
};

/* Copies declarations to every record that agrees with that of the binary. Ambiguous records have no values that could
 * differ. */
static struct match copy_to_agreeing(struct model *model, struct logged_list *list, const struct kernel *binary)
{
    struct match match = {NO_INDEX, NO_INDEX};
    SCOPED(buf) text = {0};
    size_t at = first_of(list, key_of(binary));
    for (; at < list->count && list->items[at].key == key_of(binary); at++) {
        uint32_t number = list->items[at].kernel;
        struct kernel *logged = &model->kernels[number];
        if (kernel_is_link(logged) && !is_linked(binary))
            continue;
        list_differences(model, logged, binary, &text);
        bool agrees = text.len == 0 || can_be_link(model, binary, logged);
        uint32_t *first = agrees ? &match.agrees : &match.differs;
        *first = *first == NO_INDEX ? number : *first;
        logged->flags |= agrees ? KERNEL_AGREES : KERNEL_DIFFERS;
        if (text.len == 0 && logged->barriers == UNKNOWN) /* old toolkits print none */
            logged->barriers = binary->barriers;
        if (agrees) {
            copy_declared(model, logged, binary);
            local_memory_locate(model, logged, binary);
        }
        list->items[at].in_object |= text.len == 0 && !is_linked(binary);
    }
    return match;
}

/* Makes the linked code the link of the record of its object, if no link is logged. A second program with the same
 * object may have other values; then its record stays. False if there is no record of the object. */
static bool set_as_link(struct model *model, const struct logged_list *list, struct kernel *binary)
{
    size_t at = first_of(list, key_of(binary));
    for (; at < list->count && list->items[at].key == key_of(binary); at++) {
        const struct kernel *logged = &model->kernels[list->items[at].kernel];
        if (has_logged_link(model, logged) || !(list->items[at].in_object || can_be_link(model, binary, logged)))
            continue;
        if (kernel_rare(model, logged)->link != NO_INDEX)
            return true;
        if (!has_all(model, binary, logged))
            continue;
        binary->flags |= KERNEL_COVERED;
        kernel_set_link(model, list->items[at].kernel, (uint32_t)(binary - model->kernels));
        return true;
    }
    return false;
}

static void pair_with_log(struct model *model, struct logged_list *list, struct kernel *binary)
{
    struct match match = copy_to_agreeing(model, list, binary);
    if (is_linked(binary) && set_as_link(model, list, binary))
        return;
    if (match.agrees != NO_INDEX || match.differs != NO_INDEX)
        binary->flags |= KERNEL_COVERED;
    if (match.agrees == NO_INDEX && match.differs != NO_INDEX)
        add_mismatch(model, &model->kernels[match.differs], binary);
}

/* Sorts the events by log. */
static void sort_events(struct model *model)
{
    size_t *next = mem_alloc((model->log_count + 1) * sizeof *next); /* by log: the index of its next event */
    struct event *sorted = mem_alloc((model->event_count + 1) * sizeof *sorted);
    for (size_t at = 0; at < model->event_count; at++)
        next[model->events[at].log + 1]++;
    for (size_t log = 1; log < model->log_count; log++)
        next[log] += next[log - 1];
    for (size_t at = 0; at < model->event_count; at++)
        sorted[next[model->events[at].log]++] = model->events[at];
    free(next);
    free(model->events);
    model->events = sorted;
    model->event_cap = model->event_count + 1;
}

void model_copy_launch_bounds(struct model *model, size_t first)
{
    struct logged_list list = logged_records(model);
    for (size_t k = first; k < model->kernel_count; k++)
        if (model->kernels[k].name != NO_INDEX)
            copy_to_agreeing(model, &list, &model->kernels[k]);
    local_memory_locate_nested(model);
    free(list.items);
}

/* ---- records that a quoted text may have caused ----------------------------------------------------------------- */

static bool same_numbers(const struct kernel *a, const struct kernel *b)
{
    return a->registers == b->registers && a->barriers == b->barriers && a->stack_bytes == b->stack_bytes &&
           a->spill_store_bytes == b->spill_store_bytes && a->spill_load_bytes == b->spill_load_bytes &&
           a->smem_bytes == b->smem_bytes;
}

#define FORGET_METRIC(name, ...) kernel->name = UNKNOWN;
static void clear_metrics(struct kernel *kernel)
{
    METRICS(FORGET_METRIC, NO_METRIC, NO_METRIC, NO_METRIC)
    kernel->rare = NO_INDEX;
    kernel->bank_count = 0;
    kernel->flags = (uint8_t)((kernel->flags & ~KERNEL_USED_LINE) | KERNEL_AMBIGUOUS);
}

/* True if the binary has the kernel, and has no code of it for this architecture with other registers. */
static bool is_in_binary(const struct model *model, const struct kernel *kernel, size_t first)
{
    bool named = false;
    for (size_t k = first; k < model->kernel_count; k++) {
        const struct kernel *binary = &model->kernels[k];
        if (binary->name != kernel->name)
            continue;
        named = true;
        if (binary->arch_inferred == kernel->arch_inferred && binary->registers != UNKNOWN &&
            kernel->registers != UNKNOWN && binary->registers != kernel->registers)
            return false;
    }
    return named;
}

void model_doubt(struct model *model, size_t first)
{
    struct logged_list list = logged_records(model);
    for (size_t at = 0, end = 0; at < list.count; at = end) {
        struct kernel *kernel = &model->kernels[list.items[at].kernel];
        bool sure = kernel->kind != KERNEL_ENTRY || is_in_binary(model, kernel, first);
        for (end = at + 1; end < list.count && list.items[end].key == list.items[at].key; end++)
            sure = sure && same_numbers(kernel, &model->kernels[list.items[end].kernel]);
        for (size_t of = at; !sure && of < end; of++)
            clear_metrics(&model->kernels[list.items[of].kernel]);
    }
    free(list.items);
}

void model_check_binaries(struct model *model)
{
    if (!model->has_binaries)
        return;
    struct logged_list list = logged_records(model);
    for (int linked = 0; linked < 2; linked++) /* objects first */
        EACH(struct kernel, kernel, model->kernels, model->kernel_count)
            if (kernel->producer == PRODUCER_BINARY && kernel->name != NO_INDEX && is_linked(kernel) == linked)
                pair_with_log(model, &list, kernel);
    local_memory_locate_nested(model);
    sort_events(model);
    free(list.items);
}
