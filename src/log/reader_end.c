/*
 * Ends a log: checks its last line, and removes what is not proven if several tools wrote at once.
 */
#include "log/reader_private.h"

#include <stdlib.h>

/* The register caps that messages state for one name. */
struct name_caps {
    int32_t registers;
    uint32_t messages, records;
    bool differ;
};

/* A message about a cap names the kernel but not the run. In a mixed log the cap is valid only if all records of that
 * name have the same one. */
static void clear_doubtful_caps(struct log_reader *r)
{
    struct model *model = r->model;
    struct name_caps *names = mem_alloc((model->names.count + 1) * sizeof *names);
    uint32_t cap_event = intern_find(&model->strings, STR("register-cap-option"));
    for (uint32_t e = r->first_event; e < model->event_count; e++) {
        const struct event *event = &model->events[e];
        if (event->id != cap_event || event->name == NO_INDEX)
            continue;
        struct name_caps *caps = &names[event->name];
        int32_t registers = narrow(event->number[1]);
        caps->differ |= caps->messages && caps->registers != registers;
        caps->registers = registers;
        caps->messages += event->count;
    }
    for (uint32_t k = r->first_kernel; k < model->kernel_count; k++)
        names[model->kernels[k].name].records += model->kernels[k].producer == PRODUCER_PTXAS;
    for (uint32_t k = r->first_kernel; k < model->kernel_count; k++) {
        struct kernel *kernel = &model->kernels[k];
        const struct name_caps *caps = &names[kernel->name];
        bool known = kernel->producer == PRODUCER_PTXAS && caps->messages == caps->records && !caps->differ;
        kernel_set_cap(model, kernel, known ? caps->registers : UNKNOWN, known ? CAP_MAXRREGCOUNT : CAP_UNKNOWN);
    }
    free(names);
}

/* In an interleaved log, values that were inferred only from the order of lines become unknown. */
static void clear_doubtful_values(struct log_reader *r)
{
    bool mixed = r->attribution.interleaved || r->times_mixed;
    reader_end_commands(r, r->first_kernel);
    for (uint32_t k = r->first_kernel; mixed && k < r->first_mixed; k++) {
        struct kernel *kernel = &r->model->kernels[k];
        kernel->gmem_bytes = kernel->constant_bytes = kernel->compile_us = INT64_MIN;
        if (kernel->arch == NO_INDEX)
            kernel->arch_inferred = NO_INDEX;
    }
    if (mixed)
        attribution_clear_stack_only(&r->attribution);
    if (mixed && r->seen_caps)
        clear_doubtful_caps(r);
    for (uint32_t e = r->first_event; mixed && e < r->model->event_count; e++) {
        struct event *event = &r->model->events[e];
        event->arch = event->arch_inferred ? NO_INDEX : event->arch;
        event->arch_inferred = false;
    }
}

/* Removes caps of 255 registers or more: that is the maximum of every architecture since 3.2, so it is not a cap. */
static void drop_wide_caps(struct log_reader *r)
{
    enum { NO_LOWER_CAP = 255 };
    for (uint32_t k = r->first_kernel; r->seen_caps && k < r->model->kernel_count; k++) {
        struct kernel *kernel = &r->model->kernels[k];
        if (kernel_rare(r->model, kernel)->register_cap >= NO_LOWER_CAP)
            kernel_set_cap(r->model, kernel, UNKNOWN, CAP_UNKNOWN);
    }
}

void log_reader_finish(struct log_reader *r)
{
    bool unfinished = r->held.len > 0;
    reader_read_rest(r);
    r->ends_within |= r->pending_name != NO_INDEX;
    reader_give_up_pending(r); /* the log ends here, so no line is missing between messages */
    if (r->lost_line && r->seen_stack && attribution_is_mixed(&r->attribution))
        reader_note_mixed_lines(r);
    bool open = attribution_finish(&r->attribution) > r->own_output;
    reader_end_run(r);
    loops_finish(&r->loops);
    clear_doubtful_values(r);
    bounds_finish(&r->bounds, r->model, r->first_kernel);
    drop_wide_caps(r);
    struct log_info *log = reader_log(r);
    log->interleaved = r->attribution.interleaved;
    log->lost_stack_line = r->seen_stack || log->wrapped_line ? 0 : r->lost_line;
    log->torn |= r->within_marks; /* the end of ptxas's output is unknown */
    log->unowned_line = log->torn || log->wrapped_line ? 0 : r->unowned_line;
    log->rdc_line = r->rdc_line;
    log->quiet_line = r->any_verbose ? r->quiet_line : 0;
    log->no_code = r->any_codeless && !r->any_code && !log->verbose;
    const bool explained =
        r->model->event_count > r->first_event; /* nvcc explains why --resource-usage shows nothing */
    log->asks_verbose = (r->any_verbose || r->ptxas_pending > 0) && !explained;
    open |= (r->link_open > 0 || r->ends_within) && !log->torn;
    log->cut = open || (unfinished && log->verbose);
    log->lines = r->lines + unfinished;
    attribution_free(&r->attribution);
    intern_free(&r->event_keys);
    usage_text_free(&r->usage);
    free(r->caps);
    buf_free(&r->held);
    buf_free(&r->scratch);
    buf_free(&r->command_text);
    buf_free(&r->blanks);
    free(r);
}
