/*
 * Reads messages about one function and decides to which record a stack line, a Used line, a compile time or the
 * metrics of a link belong.
 */
#include "log/reader_private.h"

#include "log/name.h"

#include <string.h>

static uint32_t new_function(struct log_reader *r, uint32_t name, uint64_t line)
{
    uint32_t number = reader_new_kernel(r, name, KERNEL_FUNCTION, PRODUCER_PTXAS);
    r->model->kernels[number].log_line = (uint32_t)line;
    bool known = r->of_compile || (r->command.source.len && r->command.debug);
    if (!known && name_is_unoptimised(intern_get(&r->model->names, name))) {
        r->run_unoptimised = true;
        reader_log(r)->unoptimised_line = reader_log(r)->unoptimised_line ? reader_log(r)->unoptimised_line : line;
    }
    return number;
}

void reader_give_up_pending(struct log_reader *r)
{
    uint32_t name = r->pending_name;
    uint64_t now = r->attribution.message;
    if (name == NO_INDEX)
        return;
    r->pending_name = NO_INDEX;
    r->attribution.message = r->pending_message;
    bool is_function = attribute_properties(&r->attribution, name, &no_metrics);
    r->attribution.message = now;
    if (!is_function)
        return;
    r->last_function = new_function(r, name, r->pending_line);
    r->last_function_message = r->pending_message;
}

void reader_drop_pending(struct log_reader *r)
{
    if (r->pending_name == NO_INDEX)
        return;
    reader_give_up_pending(r);
    if (!r->lost_line && !r->finishing) {
        r->lost_line = r->pending_line;
        r->lost_kernel = attribution_first_open(&r->attribution);
    }
    if (r->stack_follows && !r->finishing)
        attribution_note_gap(&r->attribution);
}

static void read_properties(struct log_reader *r, uint32_t name)
{
    r->pending_name = name;
    r->pending_line = r->number;
    r->pending_message = r->attribution.message;
    r->pending_shape = 0;
}

/* True if another line is between properties and their stack line. ptxas writes both at once, so that line was mixed
 * in. Empty lines, which some recorders add, and lines of other writers do not count. */
static bool is_far(struct log_reader *r)
{
    if (r->stream || r->were_labels)
        return false;
    uint64_t apart = r->number - r->pending_line;
    bool far = apart > (r->stack_follows ? 1 : 2);
    r->stack_follows |= apart == 1;
    return far;
}

void reader_note_mixed_lines(struct log_reader *r)
{
    attribution_note_too_many(&r->attribution);
    if (!r->lines_mixed)
        attribution_clear_from(&r->attribution, r->lost_kernel);
    r->lines_mixed = true;
}

void reader_stray_stack(struct log_reader *r, const struct metrics *metrics)
{
    if (r->lost_line)
        reader_note_mixed_lines(r);
    else if (metrics && attribute_stack(&r->attribution, metrics))
        r->seen_stack = true;
    else if (r->attribution.seen_properties)
        attribution_note_gap(&r->attribution);
}

void reader_note_torn(struct log_reader *r)
{
    if (r->lost_line)
        reader_note_mixed_lines(r);
    if (r->link_kernel != NO_INDEX)
        r->model->kernels[r->link_kernel].flags |= KERNEL_AMBIGUOUS;
    attribution_note_torn(&r->attribution);
    r->attribution.interleaved = reader_log(r)->torn = true;
}

void reader_note_wrapped(struct log_reader *r)
{
    if (r->ends_line && !reader_log(r)->wrapped_line) {
        reader_log(r)->wrapped_line = r->ends_line;
        attribution_note_torn(&r->attribution);
    }
    r->ends_line = r->number;
}

void reader_read_stack(struct log_reader *r, const int64_t bytes[3])
{
    struct metrics metrics = no_metrics;
    r->run_stacks++;
    metrics.stack_bytes = narrow(bytes[0]);
    metrics.spill_store_bytes = narrow(bytes[1]);
    metrics.spill_load_bytes = narrow(bytes[2]);
    if (r->pending_name == NO_INDEX) {
        reader_stray_stack(r, &metrics);
        return;
    }
    if (r->of_two) {
        r->seen_stack = true;
        reader_give_up_pending(r);
        attribution_note_too_many(&r->attribution);
        return;
    }
    if (is_far(r)) {
        r->pending_name = NO_INDEX;
        reader_note_torn(r);
        return;
    }
    uint32_t name = r->pending_name;
    r->pending_name = NO_INDEX;
    r->seen_stack = true;
    if (!attribute_properties(&r->attribution, name, &metrics))
        return;
    uint32_t number = new_function(r, name, r->pending_line);
    struct kernel *kernel = &r->model->kernels[number];
    if (r->lines_mixed) {
        kernel->flags |= KERNEL_AMBIGUOUS;
        return;
    }
    kernel_set_properties(kernel, &metrics);
    r->last_function = r->last_timed = number;
    r->last_function_message = r->attribution.message;
}

/* True if properties and a Used line came without an open entry: the Compiling line is before the beginning of the log,
 * or was removed. */
static bool is_headless(const struct log_reader *r)
{
    const struct attribution *at = &r->attribution;
    return !at->interleaved && !at->open_mask && r->last_function != NO_INDEX &&
           r->last_function_message + 1 == at->message;
}

static bool read_headless(struct log_reader *r, const struct metrics *metrics)
{
    if (!is_headless(r))
        return false;
    struct kernel *kernel = &r->model->kernels[r->last_function];
    kernel->kind = KERNEL_ENTRY;
    kernel->flags |= KERNEL_NO_ENTRY;
    r->foreign_run |= r->attribution.seen_entry; /* lines are missing, maybe also a command */
    kernel_set_used_line(r->model, r->last_function, metrics);
    r->last_timed = r->last_function;
    r->last_function = NO_INDEX;
    return true;
}

/* Reads the metrics of a Used line. False if the end of the line was not recognised; the registers are known even then.
 */
static bool read_metrics(struct log_reader *r, const struct captures *captures, struct metrics *metrics)
{
    *metrics = no_metrics;
    metrics->registers = narrow(captures->number[0]);
    bool whole = metrics_read(captures->metrics, metrics);
    if (!whole)
        metrics->bank_count = 0; /* there may be more banks */
    if (whole && !r->finishing)
        metrics->flags = KERNEL_USED_LINE;
    return whole || r->finishing;
}

static void handle_used_line(struct log_reader *r, const struct metrics *metrics)
{
    reader_log(r)->verbose = true;
    r->attribution.seen_barriers |= metrics->barriers != UNKNOWN;
    const bool comes_alone = r->attribution.open_mask == 0 && !is_headless(r);
    if (comes_alone && r->attribution.awaited > 0) {
        r->attribution.awaited--;
    } else if (comes_alone) {
        attribute_unowned(&r->attribution);
        r->foreign_run |= r->command_source != NO_INDEX;
        r->unowned_line = r->unowned_line ? r->unowned_line : r->number;
    }
    bool of_function = r->attribution.last_device_function && !r->attribution.interleaved;
    if (!read_headless(r, metrics)) {
        r->last_timed = attribute_used(&r->attribution, metrics);
        r->foreign_run |= r->last_timed < r->run_first_kernel; /* a command or another run came within the record */
    }
    if (of_function && r->attribution.unowned == r->attribution.message && !r->unowned_line)
        r->unowned_line = r->number; /* its Compiling line is missing, so its properties looked like a function's */
}

static bool read_used(struct log_reader *r, const struct captures *captures)
{
    struct metrics metrics;
    bool whole = read_metrics(r, captures, &metrics);
    if (!metrics_are_possible(&metrics)) {
        metrics = no_metrics;
        whole = false;
    }
    handle_used_line(r, &metrics);
    return whole;
}

void reader_lost_used(struct log_reader *r)
{
    attribute_used(&r->attribution, &no_metrics);
    r->last_timed = NO_INDEX;
}

static bool read_module(struct log_reader *r, const struct captures *captures)
{
    enum { CONSTANT_BANK = 3 };
    struct metrics metrics = no_metrics;
    bool whole = metrics_read(captures->metrics, &metrics);
    int32_t constant_bytes = bank_bytes(metrics.banks, metrics.bank_count, CONSTANT_BANK);
    reader_set_module_memory(r, captures->number[0], constant_bytes == UNKNOWN ? INT64_MIN : constant_bytes);
    return whole || r->finishing;
}

/* A compile time follows a Used line, or the properties of a device function. If an entry still waits for its Used
 * line, another tool printed the time, or that line is missing: then what is known from the order of lines is doubtful.
 */
static void read_time(struct log_reader *r, int64_t time_us)
{
    r->times_mixed |= r->last_timed == NO_INDEX && r->attribution.open_mask;
    if (r->last_timed != NO_INDEX && !r->attribution.interleaved)
        r->model->kernels[r->last_timed].compile_us = time_us;
    r->last_timed = NO_INDEX;
}

static void read_link_properties(struct log_reader *r, const struct captures *captures, enum producer producer,
                                 struct str target)
{
    if (r->link_open++ > 0) { /* two linkers at once: the next metrics may belong to either */
        r->model->kernels[r->link_kernel].flags |= KERNEL_AMBIGUOUS;
        r->attribution.interleaved = true;
    }
    uint32_t number = reader_new_kernel(r, intern_add(&r->model->names, captures->name), KERNEL_ENTRY, producer);
    struct kernel *kernel = &r->model->kernels[number];
    if (target.len)
        kernel->arch = kernel->arch_inferred = intern_add(&r->model->strings, target);
    kernel->flags |= r->link_open > 1 ? KERNEL_AMBIGUOUS : 0;
    r->link_kernel = number;
}

static bool read_link_used(struct log_reader *r, const struct captures *captures, struct str target)
{
    struct metrics metrics;
    bool whole = read_metrics(r, captures, &metrics);
    uint32_t number = r->link_kernel;
    r->link_open -= r->link_open > 0;
    if (r->link_open == 0)
        r->link_kernel = NO_INDEX;
    if (number != NO_INDEX && !(r->model->kernels[number].flags & KERNEL_AMBIGUOUS) &&
        str_eq(model_string(r->model, r->model->kernels[number].arch), target))
        kernel_set_used_line(r->model, number, &metrics);
    return whole;
}

void reader_read_usage(struct log_reader *r, const struct usage *usage)
{
    reader_end_run(r);
    uint32_t name = intern_add(&r->model->names, usage->name);
    uint32_t number = reader_new_kernel(r, name, usage->kind, usage->producer);
    struct kernel *kernel = &r->model->kernels[number];
    kernel->source = NO_INDEX; /* it may belong to another command than the last one */
    kernel->flags &= (uint8_t)~KERNEL_DEBUG;
    if (usage->arch.len)
        kernel->arch = kernel->arch_inferred = intern_add(&r->model->strings, usage->arch);
    kernel->spill_store_bytes = usage->metrics.spill_store_bytes;
    kernel->spill_load_bytes = usage->metrics.spill_load_bytes;
    kernel_set_used_line(r->model, number, &usage->metrics);
    struct rare_metrics *rare = kernel_rare_own(r->model, kernel);
    rare->bound_threads = (uint16_t)usage->threads;
    rare->bound_from = usage->threads ? BOUND_TRITON : BOUND_NONE;
    rare->dynamic_smem_bytes = usage->threads ? usage->dynamic_smem_bytes : UNKNOWN;
    reader_end_run(r);
}

bool reader_read_message(struct log_reader *r, const struct phrase *phrase, const struct captures *captures,
                         const struct tag *tag, struct str target)
{
    switch (phrase->kind) {
    case PHRASE_ENTRY:
        reader_add_entry(r, intern_add(&r->model->names, captures->name),
                         captures->arch.len ? intern_add(&r->model->strings, captures->arch) : NO_INDEX);
        return true;
    case PHRASE_PROPERTIES: read_properties(r, intern_add(&r->model->names, captures->name)); return true;
    case PHRASE_STACK:
        r->run_tagged_stacks++;
        reader_read_stack(r, captures->number);
        return true;
    case PHRASE_USED: return read_used(r, captures);
    case PHRASE_MODULE: return read_module(r, captures);
    case PHRASE_TIME: read_time(r, captures->time_us); return true;
    case PHRASE_LINK_PROPERTIES:
        read_link_properties(r, captures, tag->tool == TOOL_DRIVER ? PRODUCER_DRIVER_LINKER : PRODUCER_NVLINK, target);
        return true;
    case PHRASE_LINK_USED: return read_link_used(r, captures, target);
    case PHRASE_EVENT: reader_read_event(r, phrase, captures, tag, target); return true;
    default: return true;
    }
}

static void next_message(struct log_reader *r)
{
    r->attribution.message++;
    reader_drop_pending(r);
}

/* Reads the messages of a record one after the other, as if they were separate lines. */
void reader_read_record(struct log_reader *r, const struct record *record)
{
    if (record->has_module) {
        next_message(r);
        reader_set_module_memory(r, 0, INT64_MIN);
        r->number++;
    }
    uint32_t name = intern_add(&r->model->names, record->name);
    next_message(r);
    reader_add_entry(r, name, intern_add(&r->model->strings, record->arch));
    r->number++;
    next_message(r);
    read_properties(r, name);
    r->number++;
    reader_read_stack(r, record->stack_line);
    r->number++;
    next_message(r);
    handle_used_line(r, &record->used);
    if (record->compile_us == INT64_MIN)
        return;
    r->number++;
    next_message(r);
    read_time(r, record->compile_us);
}
