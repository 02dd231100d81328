#include "log/model.h"

#include <stdlib.h>
#include <string.h>

const struct rare_metrics no_rare_metrics = {
    .link = NO_INDEX,
    .copy_of = NO_INDEX,
    .code = NO_INDEX,
    METRICS(NO_METRIC, INT32_UNKNOWN, NO_METRIC, NO_METRIC).dynamic_smem_bytes = UNKNOWN,
    .object_stack_bytes = UNKNOWN,
    .launch_dynamic_smem_bytes = UNKNOWN,
    .launch_carveout_percent = -1,
    .object_registers = NO_OBJECT};
const struct kernel no_kernel = {.name = NO_INDEX,
                                 .source = NO_INDEX,
                                 .arch = NO_INDEX,
                                 .rare = NO_INDEX,
                                 .arch_inferred = NO_INDEX,
                                 METRICS(INT32_UNKNOWN, NO_METRIC, INT64_UNKNOWN, NO_METRIC)};
const struct metrics no_metrics = {METRICS(INT32_UNKNOWN, INT32_UNKNOWN, NO_METRIC, NO_METRIC)};

#define COMMON_ROW(name, ...)           {#name, METRIC_COMMON, offsetof(struct kernel, name), 1},
#define RARE_ROW(name, ...)             {#name, METRIC_RARE, offsetof(struct rare_metrics, name), 1},
#define LONG_ROW(name, key, scale, ...) {key, METRIC_LONG, offsetof(struct kernel, name), scale},
#define BANKS_ROW(name)                 {#name, METRIC_BANKS, 0, 1},
const struct metric metric_table[METRIC_COUNT] = {METRICS(COMMON_ROW, RARE_ROW, LONG_ROW, BANKS_ROW)};

void model_free(struct model *model)
{
    intern_free(&model->names);
    intern_free(&model->strings);
    free(model->kernels);
    free(model->rare_metrics);
    free(model->banks);
    free(model->events);
    free(model->source_exceptions);
    free(model->logs);
    free(model->unknown);
    code_table_free(&model->code);
    *model = (struct model){0};
}

bool model_has_room(const struct model *model, struct place place, struct diags *diags)
{
    return model->log_count < MOST_LOGS || diag_error(diags, place, "more than %d logs", MOST_LOGS);
}

uint16_t model_add_log(struct model *model, struct log_info log)
{
    *MEM_ADD(model->logs, model->log_count, model->log_cap) = log;
    return (uint16_t)(model->log_count - 1);
}

struct kernel *model_add_kernel(struct model *model)
{
    struct kernel *kernel = MEM_ADD(model->kernels, model->kernel_count, model->kernel_cap);
    *kernel = no_kernel;
    return kernel;
}

struct model_mark model_mark(const struct model *model)
{
    return (struct model_mark){.kernels = model->kernel_count,
                               .codes = model->code.kernel_count,
                               .sites = model->code.site_count,
                               .events = model->event_count,
                               .source_exceptions = model->source_exception_count,
                               .logs = model->log_count,
                               .places = model->code.places.count,
                               .unknown = model->unknown_count,
                               .banks = model->bank_count,
                               .has_binaries = model->has_binaries};
}

void model_truncate(struct model *model, const struct model_mark *mark)
{
    model->kernel_count = mark->kernels;
    model->code.kernel_count = mark->codes;
    model->code.site_count = mark->sites;
    model->event_count = mark->events;
    model->source_exception_count = mark->source_exceptions;
    model->log_count = mark->logs;
    model->unknown_count = mark->unknown;
    model->bank_count = mark->banks;
}

void model_forget_binaries(struct model *model, const struct model_mark *mark)
{
    model->kernel_count = mark->kernels;
    model->log_count = mark->logs;
    model->has_binaries = mark->has_binaries;
}

const struct rare_metrics *kernel_rare(const struct model *model, const struct kernel *kernel)
{
    return kernel->rare == NO_INDEX ? &no_rare_metrics : &model->rare_metrics[kernel->rare];
}

struct rare_metrics *kernel_rare_own(struct model *model, struct kernel *kernel)
{
    if (kernel->rare == NO_INDEX) {
        kernel->rare = (uint32_t)model->rare_count;
        *MEM_ADD(model->rare_metrics, model->rare_count, model->rare_cap) = no_rare_metrics;
    }
    return &model->rare_metrics[kernel->rare];
}

void kernel_set_rare(struct model *model, struct kernel *kernel, const struct rare_metrics *rare)
{
    const struct rare_metrics copy = *rare; /* it may be in the array that moves */
    if (kernel->rare != NO_INDEX || memcmp(&copy, &no_rare_metrics, sizeof copy) != 0)
        *kernel_rare_own(model, kernel) = copy;
}

void kernel_set_cap(struct model *model, struct kernel *kernel, int32_t registers, enum cap_from from)
{
    struct rare_metrics *rare = kernel_rare_own(model, kernel);
    rare->register_cap = registers;
    rare->register_cap_from = (uint8_t)from;
}

void kernel_set_banks(struct model *model, struct kernel *kernel, const struct bank *banks, size_t bank_count)
{
    const size_t bytes = bank_count * sizeof *banks;
    bool shared =
        model->bank_count >= bank_count && memcmp(model->banks + model->bank_count - bank_count, banks, bytes) == 0;
    if (!shared) {
        model->banks =
            mem_reserve(model->banks, &model->bank_cap, model->bank_count + bank_count, sizeof *model->banks);
        memcpy(model->banks + model->bank_count, banks, bytes);
        model->bank_count += bank_count;
    }
    kernel->first_bank = (uint32_t)(model->bank_count - bank_count);
    kernel->bank_count = (uint8_t)bank_count;
}

int32_t bank_bytes(const struct bank *banks, size_t count, uint32_t bank)
{
    EACH(const struct bank, at, banks, count)
        if (at->bank == bank)
            return at->bytes;
    return UNKNOWN;
}

struct event *model_add_event(struct model *model)
{
    struct event *event = MEM_ADD(model->events, model->event_count, model->event_cap);
    *event = (struct event){.name = NO_INDEX, .arch = NO_INDEX, .file = NO_INDEX, .text = NO_INDEX, .count = 1};
    return event;
}

struct source_exception *model_add_source_exception(struct model *model)
{
    struct source_exception *comment =
        MEM_ADD(model->source_exceptions, model->source_exception_count, model->source_exception_cap);
    *comment = (struct source_exception){.kernel = NO_INDEX,
                                         .rule = NO_INDEX,
                                         .reason = NO_INDEX,
                                         .until = NO_INDEX,
                                         .problem = NO_INDEX,
                                         .file = NO_INDEX};
    return comment;
}

int64_t metric_get(const struct model *model, const struct kernel *kernel, const struct metric *metric)
{
    int64_t wide = INT64_MIN;
    int32_t narrow = UNKNOWN;
    switch (metric->holder) {
    case METRIC_COMMON: memcpy(&narrow, (const char *)kernel + metric->offset, sizeof narrow); break;
    case METRIC_RARE: memcpy(&narrow, (const char *)kernel_rare(model, kernel) + metric->offset, sizeof narrow); break;
    case METRIC_LONG: memcpy(&wide, (const char *)kernel + metric->offset, sizeof wide); break;
    case METRIC_BANKS: break;
    }
    return narrow == UNKNOWN ? wide : narrow;
}

int32_t metric_or_zero(const struct kernel *kernel, int32_t value)
{
    return value == UNKNOWN && (kernel->flags & KERNEL_USED_LINE) ? 0 : value;
}

struct str kernel_name(const struct model *model, const struct kernel *kernel)
{
    return intern_get(&model->names, kernel->name);
}

enum spills_from kernel_spills_from(const struct model *model, const struct kernel *kernel)
{
    if (kernel->spill_store_bytes == UNKNOWN || kernel->spill_load_bytes == UNKNOWN)
        return SPILLS_UNKNOWN;
    if (kernel_rare(model, kernel)->spills_from == SPILLS_PTXAS)
        return SPILLS_PTXAS;
    return kernel->producer == PRODUCER_BINARY ? SPILLS_CODE : SPILLS_LOG;
}

enum dynamic_smem kernel_dynamic_smem(const struct model *model, const struct kernel *kernel)
{
    const struct rare_metrics *rare = kernel_rare(model, kernel);
    const struct rare_metrics *link =
        rare->link == NO_INDEX ? &no_rare_metrics : kernel_rare(model, &model->kernels[rare->link]);
    return (enum dynamic_smem)(link->dynamic_smem != DYNAMIC_SMEM_UNKNOWN ? link->dynamic_smem : rare->dynamic_smem);
}

bool kernel_is_link(const struct kernel *kernel)
{
    return kernel->producer == PRODUCER_NVLINK || kernel->producer == PRODUCER_DRIVER_LINKER;
}

bool kernel_is_relocatable(const struct model *model, const struct kernel *kernel)
{
    const struct log_info *log = &model->logs[kernel->log];
    return kernel->flags & KERNEL_RELOCATABLE ||
           (log->rdc_line && (log->compiled || kernel->log_line >= log->rdc_line));
}

void kernel_set_link(struct model *model, uint32_t kernel, uint32_t link)
{
    kernel_rare_own(model, &model->kernels[kernel])->link = link;
    kernel_rare_own(model, &model->kernels[link])->link = kernel;
}

int32_t kernel_link_stack(const struct kernel *link)
{
    return link->producer == PRODUCER_BINARY ? link->cumulative_stack_bytes : link->stack_bytes;
}

int32_t kernel_smem(const struct model *model, const struct kernel *kernel)
{
    enum { RESERVE_BYTES = 1024 };
    int32_t bytes = metric_or_zero(kernel, kernel->smem_bytes);
    if (kernel->producer != PRODUCER_NVLINK || bytes < RESERVE_BYTES)
        return bytes;
    struct str arch = kernel_arch(model, kernel);
    return str_eq(arch, STR("sm_90")) || str_eq(arch, STR("sm_90a")) ? bytes - RESERVE_BYTES : bytes;
}

struct str kernel_arch(const struct model *model, const struct kernel *kernel)
{
    return model_string(model, kernel->arch_inferred);
}

struct str log_working_directory(const struct model *model, const struct log_info *log)
{
    if (log->from_here)
        return STR(".");
    return log->compiled ? model_string(model, log->working_directory) : STR("");
}

const struct event *model_first_error(const struct model *model, size_t log)
{
    for (size_t at = 0; at < model->event_count; at++)
        if (model->events[at].log == log && model->events[at].severity == SEVERITY_ERROR)
            return &model->events[at];
    return NULL;
}

struct str model_string(const struct model *model, uint32_t number)
{
    return intern_get(&model->strings, number);
}

const char *const kernel_kind_names[] = {"entry", "function"};
const char *const producer_names[] = {"ptxas", "nvlink", "driver-linker", "binary", "cuobjdump", "inductor"};
const char *const cap_from_names[] = {NULL,          "-maxrregcount",  "__launch_bounds__",
                                      "__maxnreg__", "__block_size__", "setmaxnreg"};
const char *const bound_from_names[] = {NULL, "required", "launch-bounds", "triton"};
const char *const spills_from_names[] = {NULL, "log", "ptxas", "code"};
const char *const line_from_names[] = {NULL, "loc", "declaration", "region"};

int toolkit_order(struct toolkit a, struct toolkit b)
{
    return a.major != b.major ? number_cmp(a.major, b.major) : number_cmp(a.minor, b.minor);
}

bool toolkit_known(struct toolkit toolkit)
{
    return toolkit.major > 0;
}

bool toolkit_parse(struct str text, struct toolkit *toolkit)
{
    uint64_t major = 0, minor = 0;
    if (!str_uint(&text, &major) || major == 0 || major > UINT16_MAX || !str_take(&text, STR(".")) ||
        !str_to_uint(text, &minor) || minor > UINT16_MAX)
        return false;
    *toolkit = (struct toolkit){(uint16_t)major, (uint16_t)minor};
    return true;
}

int arch_digits(struct str arch)
{
    uint64_t number = 0;
    bool named = str_take(&arch, STR("sm_")) || str_take(&arch, STR("compute_"));
    return named && str_uint(&arch, &number) && number < 10000 ? (int)number : 0;
}

int arch_order(struct str a, struct str b)
{
    int order = number_cmp(arch_digits(a), arch_digits(b));
    return order ? order : str_cmp(a, b);
}

static int by_arch(const void *left, const void *right)
{
    return arch_order(*(const struct str *)left, *(const struct str *)right);
}

struct str *archs_in_order(const struct intern *archs)
{
    struct str *sorted = mem_alloc((archs->count + 1) * sizeof *sorted);
    for (size_t at = 0; at < archs->count; at++)
        sorted[at] = archs->strings[at];
    mem_sort(sorted, archs->count, sizeof *sorted, by_arch);
    return sorted;
}
