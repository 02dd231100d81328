/*
 * merge: combines the records of several jobs into one stream. If two records state different values for one kernel,
 * that is an error: one of them does not describe the build of the other.
 */
#include "cli/commands.h"
#include "cli/session.h"
#include "log/merge.h"
#include "report/label.h"
#include "report/markup.h"

#include <stddef.h>

enum { SHOWN_CONFLICTS = 20, SHOWN_NUMBERS = 4 };

static void add_place(const struct session *session, uint32_t number, const struct kernel *was, struct str log,
                      struct buf *out)
{
    size_t at = session->input_count;
    while (at > 1 && session->inputs[at - 1].first_kernel > number)
        at--;
    const struct str input = model_string(&session->model, session->inputs[at - 1].path);
    bool same = str_eq(input, log);
    text_fmt(out, "%.*s", STR_ARG(input));
    if (!same)
        text_fmt(out, " (log %.*s", STR_ARG(log));
    if (was->log_line)
        buf_fmt(out, ":%u", was->log_line);
    if (!same)
        buf_char(out, ')');
}

/* Appends "registers 40 and 48, ...". */
static void add_numbers(const struct model *model, const struct merge_conflict *conflict, struct buf *out)
{
    size_t at = 0, shown = 0;
    struct merge_difference difference;
    while (merge_difference(model, &conflict->first_was, &conflict->second_was, &at, &difference)) {
        if (shown++ >= SHOWN_NUMBERS)
            continue;
        buf_fmt(out, "%s%s ", shown > 1 ? ", " : "", difference.key);
        number_text(difference.a, difference.a != INT64_MIN, "not stated", out);
        buf_add(out, STR(" and "));
        number_text(difference.b, difference.b != INT64_MIN, "not stated", out);
    }
    if (shown > SHOWN_NUMBERS)
        buf_fmt(out, " and %zu more", shown - SHOWN_NUMBERS);
}

static void add_kernel(const struct session *session, struct labels *labels, const struct kernel *kernel,
                       struct buf *out)
{
    buf_add(out, label_of(labels, kernel_name(&session->model, kernel)));
    text_fmt(out, " (%.*s)", STR_ARG(kernel_arch(&session->model, kernel)));
}

/* Appends ": registers 40 and 48, in a.log:3 and c.log:7". */
static void add_difference(const struct session *session, const struct str *logs, const struct merge_conflict *conflict,
                           struct buf *out)
{
    const struct kernel *first = &conflict->first_was, *second = &conflict->second_was;
    buf_add(out, STR(": "));
    add_numbers(&session->model, conflict, out);
    buf_add(out, STR(", in "));
    add_place(session, conflict->first, first, logs[first->log], out);
    buf_add(out, STR(" and "));
    add_place(session, conflict->second, second, logs[second->log], out);
}

/* A warning, not an error: several files may have kernels with one name, and these records do not state the file. */
static void say_unsure(struct session *session, struct labels *labels, const struct str *logs,
                       const struct merge_result *result)
{
    SCOPED(buf) text = {0};
    if (result->unsure_count == 0)
        return;
    buf_count(
        &text, result->unsure_count,
        "different numbers in several logs for # kernel{|s} of unknown sources: several of one name, or builds of "
        "two states; the first is ");
    add_kernel(session, labels, &result->unsure.first_was, &text);
    add_difference(session, logs, &result->unsure, &text);
    diag_warning(&session->diags, nowhere, "%.*s", STR_ARG(buf_str(&text)));
}

static void say_conflicts(struct session *session, const struct str *logs, const struct merge_result *result)
{
    SCOPED(labels) labels = {0};
    labels_init(&labels, &session->model.names);
    for (size_t at = 0; at < result->conflict_count && at < SHOWN_CONFLICTS; at++) {
        const struct merge_conflict *conflict = &result->conflicts[at];
        const struct str source = model_string(&session->model, conflict->first_was.source);
        SCOPED(buf) text = {0};
        add_kernel(session, &labels, &conflict->first_was, &text);
        text_fmt(&text, " of %.*s contradicts itself", STR_ARG(source));
        add_difference(session, logs, conflict, &text);
        diag_add(&session->diags, session->settings->allow_conflicts ? SEVERITY_WARNING : SEVERITY_ERROR, nowhere,
                 "%.*s", STR_ARG(buf_str(&text)));
    }
    if (result->conflict_count > SHOWN_CONFLICTS)
        diag_warning(&session->diags, nowhere, "%zu more kernels contradict themselves",
                     result->conflict_count - SHOWN_CONFLICTS);
    if (result->conflict_count)
        diag_warning(&session->diags, nowhere,
                     "both records are kept; build the parts from one state with one set of options%s",
                     session->settings->allow_conflicts ? "" : ", or give --allow-conflicts");
    say_unsure(session, &labels, logs, result);
}

/* Returns false if records contradict each other. */
static bool merge(struct session *session)
{
    struct model *model = &session->model;
    SCOPED(merge_result) result = {0};
    SCOPED(arena) arena = {0};
    struct str *logs = arena_alloc(&arena, (model->log_count + 1) * sizeof *logs);
    for (size_t at = 0; at < model->log_count; at++)
        logs[at] = model_string(model, model->logs[at].path);
    model_merge(model, &result);
    say_conflicts(session, logs, &result);
    return result.conflict_count == 0 || session->settings->allow_conflicts;
}

static int run(struct session *session, void *given)
{
    struct settings *settings = given;
    settings->no_config = true; /* records have the compiler's values, without launches of a configuration */
    if (!session_config(session))
        return STATUS_USAGE;
    if (!session_begin(session))
        return session_failure(session);
    session_read_inputs(session);
    bool agreed = merge(session);
    if (!session_judge(session))
        return STATUS_USAGE;
    bool empty = session->model.kernel_count == 0 && !session->settings->allow_empty;
    if (empty && !session->input_failed)
        session_explain_empty(session);
    if (empty || session->input_failed) /* an incomplete build must not pass for a complete one */
        return STATUS_UNTRUSTED;
    return session_write(session, REPORT_KERNELS) && agreed ? STATUS_OK : STATUS_UNTRUSTED;
}

static const struct option_row options[] = {
    {"allow-conflicts", 0, NULL, set_flag, offsetof(struct settings, allow_conflicts),
     "contradicting records are a warning (otherwise status 3)"},
};

const struct command command_merge = {
    .name = "merge",
    .what = "combine the records of several builds",
    .usage = "usage: warplint merge [OPTIONS] [NDJSON|LOG|DIR|-]...\n\n"
             "Combine the records of several machines, architectures or jobs. Every command\n"
             "reads the result. The order of the inputs does not matter.\n",
    .statuses = "Exit status: 0 merged, 2 wrong command line, 3 nothing to merge, contradicting\n"
                "records, or a file could not be read or written.\n",
    OPTIONS(options),
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
