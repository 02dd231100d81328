/*
 * diff: BASE is used as the baseline and HEAD as the build, which is judged as `check` judges it. If HEAD is a
 * baseline, a model is made of it, so that both sides are compared in the same way.
 */
#include "cli/commands.h"

#include "base/file.h"
#include "cli/session.h"
#include "report/delta.h"

/* ---- a baseline as the head ------------------------------------------------------------------------------------- */

static uint32_t string_of(struct model *model, const struct kernel_metrics_set *set, uint32_t number)
{
    return number == NO_INDEX ? NO_INDEX : intern_add(&model->strings, intern_get(set->strings, number));
}

/* Returns the log for a toolkit; each toolkit has one. */
static uint16_t log_for(struct model *model, struct str path, struct toolkit toolkit)
{
    for (size_t at = 0; at < model->log_count; at++)
        if (toolkit_order(model->logs[at].toolkit, toolkit) == 0)
            return (uint16_t)at;
    return model_add_log(
        model, (struct log_info){.path = intern_add(&model->strings, path), .toolkit = toolkit, .verbose = true});
}

static void add_record(struct model *model, struct str path, const struct kernel_metrics_set *set,
                       const struct kernel_metrics *entry)
{
    uint16_t log = log_for(model, path, entry->toolkit);
    struct kernel *kernel = model_add_kernel(model);
    struct rare_metrics rare = no_rare_metrics;
    kernel->name = intern_add(&model->names, intern_get(set->strings, entry->id));
    kernel->arch = kernel->arch_inferred = string_of(model, set, entry->arch);
    kernel->source = string_of(model, set, entry->source);
    kernel->kind = entry->kind;
    kernel->log = log;
    for (int at = 0; at < MEASURE_COUNT; at++) {
        if (!measure_table[at].offset)
            continue;
        const struct metric *metric = &metric_table[measure_table[at].metric];
        char *holder = metric->holder == METRIC_COMMON ? (char *)kernel : (char *)&rare;
        memcpy(holder + metric->offset, &entry->values[at], sizeof *entry->values);
    }
    kernel_set_rare(model, kernel, &rare);
}

static int by_toolkit(const void *left, const void *right)
{
    return toolkit_order(((const struct kernel_metrics *)left)->toolkit,
                         ((const struct kernel_metrics *)right)->toolkit);
}

static bool read_baseline(struct session *session, struct str path)
{
    SCOPED(baseline) baseline = {0};
    struct kernel_metrics_set *set = &baseline.kernels;
    session->sorted = true;
    if (!baseline_session_read(session, path, nowhere, &baseline))
        return false;
    mem_sort(set->items, set->count, sizeof *set->items, by_toolkit); /* records are in the order of their logs */
    for (size_t at = 0; at < set->count; at++)
        for (uint32_t copy = 0; copy < set->items[at].copies; copy++)
            add_record(&session->model, path, set, &set->items[at]);
    return true;
}

/* ---- both sides ------------------------------------------------------------------------------------------------- */

/* Returns STATUS_OK, or the status for a side that cannot be read. */
static int read_sides(struct session *session, struct str base, struct str head)
{
    if (!session_begin(session))
        return !session->linter || baseline_session_is_file(base) ? session_failure(session) : STATUS_UNTRUSTED;
    if (baseline_session_is_file(head))
        return read_baseline(session, head) ? STATUS_OK : STATUS_USAGE;
    session_read(session, head);
    return session->input_failed && session->model.kernel_count == 0 ? STATUS_UNTRUSTED : STATUS_OK;
}

static int compare(struct session *session, struct settings *settings)
{
    struct str base = settings->arguments.items[0], head = settings->arguments.items[1];
    if (file_is_regular(base) && file_same(base, head))
        diag_warning(&session->diags, (struct place){.path = head}, "BASE and HEAD are one file");
    settings->baseline = base;
    session->compares = session->baseline.is_base = true;
    int status = read_sides(session, base, head);
    if (status)
        return status;
    if (!session_judge(session))
        return STATUS_USAGE;
    status = baseline_session_is_other(session) ? STATUS_UNTRUSTED : session_verdict(session);
    session->silent = settings->quiet && status == STATUS_OK;
    return session_write(session, REPORT_DIFF) ? status : STATUS_UNTRUSTED;
}

static int run(struct session *session, void *settings)
{
    const struct str_list *arguments = &session->settings->arguments;
    if (arguments->count != 2)
        return usage_error(&session->diags, "diff takes two arguments, BASE and HEAD, found %zu", arguments->count);
    if (str_eq(arguments->items[0], STR("-")))
        return usage_error(&session->diags, "the base cannot be standard input: give a file or a folder");
    return session_rules(session) ? compare(session, settings) : STATUS_USAGE;
}

const struct command command_diff = {
    .name = "diff",
    .what = "compare two builds: what changed, worst first",
    .usage = "usage: warplint diff [OPTIONS] BASE HEAD\n\n"
             "Compare two builds and show what changed, worst first. Each is a log, records\n"
             "(NDJSON), a folder of records or a baseline.\n",
    .statuses = STATUSES_OF_JUDGING,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
