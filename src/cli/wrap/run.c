/*
 * run: runs the compiler as if `wrap` were not there. The worker that judges is started right after the compiler, as a
 * separate process, so that a fault in judging cannot lose the compiler's status. The worker gets the messages if the
 * compiler succeeded.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/wrap/wrap.h"

#include "base/stream.h"
#include "cli/records.h"
#include "log/optimise.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_KEPT_BYTES = 1 << 28 };

/* ---- out of memory in this process ------------------------------------------------------------------------------ */

static struct wrap *alone;
static int decided; /* the exit status to keep after the compiler succeeded */

/* If memory runs out before the compiler is started, the compiler replaces this process. */
static void run_alone(void)
{
    if (alone->settings->common.strict) {
        stream_print(STR("warplint: error: out of memory; the command was not run\n"));
        _exit(STATUS_UNTRUSTED);
    }
    stream_print(STR("warplint: warning: out of memory; the output of the command is not judged\n"));
    process_become(alone->words);
    _exit(STATUS_NOT_FOUND);
}

/* If memory runs out later, the status is kept. */
static void keep_status(void)
{
    stream_print(STR("warplint: out of memory; messages about kernels may be missing\n"));
    process_kill_worker(&alone->linter);
    if (decided != STATUS_OK && !alone->settings->keep_output)
        invocation_remove_outputs(&alone->invocation);
    _exit(decided);
}

void run_even_without_memory(struct wrap *wrap)
{
    alone = wrap;
    mem_on_exhausted(run_alone);
}

/* ---- results that are not judged -------------------------------------------------------------------------------- */

/* Removes the outputs, as a failing compiler does; otherwise the next make would take them for good ones. */
static void remove_outputs(struct wrap *wrap)
{
    if (wrap->settings->keep_output)
        return;
    struct removal removal = invocation_remove_outputs(&wrap->invocation);
    if (removal.count == 1)
        diag_error(wrap->diags, nowhere,
                   "%.*s was removed, so that the next build makes it again (--keep-output keeps it)",
                   STR_ARG(removal.first));
    if (removal.count > 1)
        diag_error(wrap->diags, nowhere,
                   "%.*s and %zu more were removed, so that the next build makes them again (--keep-output keeps them)",
                   STR_ARG(removal.first), removal.count - 1);
    if (removal.stuck.len)
        diag_error(wrap->diags, nowhere, "%.*s cannot be removed: %s; the next build takes it for a good one",
                   STR_ARG(removal.stuck), strerror(removal.error));
}

/* If nvcc fails, it leaves the object of an earlier compile. The record of that object would pass for one of the
 * present source, so it is removed. Allocates nothing: without memory the compiler would be started again. */
static void remove_records(const struct wrap *wrap)
{
    const struct invocation *invocation = &wrap->invocation;
    char path[PATH_MAX];
    for (size_t at = 0; at < invocation->outputs.count && !invocation->launcher.moves; at++) {
        int length = snprintf(path, sizeof path, "%.*s" RECORD_SUFFIX, STR_ARG(invocation->outputs.items[at]));
        if (length > 0 && (size_t)length < sizeof path)
            unlink(path);
    }
}

/* Reports that nothing was judged. The build continues, unless --strict forbids it. */
static int leave_unjudged(struct wrap *wrap, struct str text)
{
    bool strict = wrap->settings->common.strict;
    diag_add(wrap->diags, strict ? SEVERITY_ERROR : SEVERITY_WARNING, nowhere, "%.*s", STR_ARG(text));
    return strict ? STATUS_UNTRUSTED : STATUS_OK;
}

/* Reports that the worker failed. */
static int not_judged(struct wrap *wrap, const char *why, int number)
{
    struct str name = record_name(wrap);
    return leave_unjudged(wrap, arena_fmt(&wrap->arena, "%.*s was not judged: %s %d", STR_ARG(name), why, number));
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

/* Passes the messages to the worker and returns its status. unread: the errno if the messages could not be read; 0:
 * they are complete. */
static int judge_in_worker(struct wrap *wrap, int unread)
{
    struct output_tee *output_tee = &wrap->output_tee;
    int interrupted = 0;
    if (wrap->unjudged.len)
        return leave_unjudged(wrap, wrap->unjudged);
    if (output_tee->lost || unread)
        process_kill_worker(&wrap->linter);
    if (output_tee->lost)
        return not_judged(wrap, "its output is too long to be kept; bytes kept:", (int)output_tee->text_bytes);
    if (unread)
        return not_judged(wrap, "its output could not be read to the end, error", unread);
    struct process_end end =
        process_finish_worker(&wrap->linter, (struct str){output_tee->text, output_tee->text_bytes}, &interrupted);
    /* If judging is interrupted, the outputs are removed because they are not judged, and this process ends as the
     * compiler would have ended. */
    if (interrupted && !wrap->settings->keep_output && !wrap->settings->record_only)
        invocation_remove_outputs(&wrap->invocation);
    if (interrupted)
        process_end_like((struct process_end){.signal = interrupted});
    if (end.error)
        return not_judged(wrap, "the process that judges could not be started or waited for, error", end.error);
    if (end.signal == SIGALRM)
        return not_judged(wrap, "judging took longer than is waited for; seconds:", MOST_SECONDS);
    if (end.signal)
        return not_judged(wrap, "the process that judges was ended by signal", end.signal);
    if (end.status > STATUS_UNTRUSTED)
        return not_judged(wrap, "the process that judges ended with status", end.status);
    if (end.status == STATUS_UNTRUSTED && !wrap->settings->common.strict)
        return STATUS_OK; /* the worker has reported the reason */
    return end.status;
}

static void begin_judging(void *context)
{
    struct wrap *wrap = context;
    struct process_work work = {judge_prepare, judge_finish, judge_orphaned, wrap, MOST_SECONDS};
    if (!wrap->unjudged.len)
        process_start_worker(&wrap->linter, &work);
}

static bool take_output(void *context, struct str bytes)
{
    return output_tee_take(&((struct wrap *)context)->output_tee, bytes);
}

static void begin_output(struct wrap *wrap)
{
    const struct invocation *invocation = &wrap->invocation;
    struct output_tee *output_tee = &wrap->output_tee;
    output_tee->limit = MOST_KEPT_BYTES;
    output_tee->output_filter.level = wrap->unjudged.len ? PASS_ALL : (enum passthrough)wrap->settings->passthrough;
    output_tee->output_filter.ptxas =
        invocation->asks_ptxas || ptxas_asks_verbose(invocation->launcher.variables.ptxas);
    output_tee->output_filter.nvlink = invocation->asks_nvlink;
    output_tee->output_filter.remarks = wrap->remarks;
}

int run_and_judge(struct wrap *wrap)
{
    begin_output(wrap);
    stream_share();
    struct process_end end = process_run(wrap->words, begin_judging, take_output, wrap);
    if (!end.error)
        output_tee_finish(&wrap->output_tee);
    if (end.error || end.signal || end.status)
        process_kill_worker(&wrap->linter);
    if (end.error && !end.started)
        return command_cannot_start(wrap->words[0], end.error, wrap->diags);
    if (end.error) { /* it is unknown whether the compile succeeded, so its outputs must not stay */
        diag_error(wrap->diags, nowhere, "the status of '%s' is not known: %s", wrap->words[0], strerror(end.error));
        remove_outputs(wrap);
        return STATUS_NOT_EXECUTABLE;
    }
    if (end.signal || end.status) {
        remove_records(wrap);
        process_end_like(end);
    }
    decided = wrap->settings->common.strict ? STATUS_UNTRUSTED : STATUS_OK;
    mem_on_exhausted(keep_status);
    int status = decided = judge_in_worker(wrap, end.unread);
    if (status != STATUS_OK)
        remove_outputs(wrap);
    output_tee_free(&wrap->output_tee);
    return status;
}

/* Uses no pipe: `wrap` would close its end before a compiler in the background has ended, and that would end the
 * compiler. */
int run_detached(struct wrap *wrap)
{
    struct process_end end = process_run_unfiltered(wrap->words);
    if (end.error)
        return command_cannot_start(wrap->words[0], end.error, wrap->diags);
    if (end.signal || end.status)
        process_end_like(end);
    return leave_unjudged(wrap, wrap->unjudged);
}

int run_replacing_self(struct wrap *wrap)
{
    return command_cannot_start(wrap->words[0], process_become(wrap->words), wrap->diags);
}
