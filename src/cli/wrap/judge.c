/*
 * judge: the work of the worker process. While the compiler runs, the worker reads configuration, rules and baseline.
 * Then it reads the compiler's messages and outputs, judges them, and writes the record.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/wrap/wrap.h"

#include "log/mark.h"
#include "nvcc/binary.h"
#include "nvcc/kernel_source.h"

#include <signal.h>

void judge_prepare(void *context)
{
    struct wrap *wrap = context;
    struct session *session = &wrap->session;
    mem_on_exhausted(NULL);
    wrap->begun = process_clock();
    FAULT("prepare");
    session->settings = &wrap->settings->common;
    session->report = session->settings->report;
    session->report.brief = true;
    session->partial_build = true;
    session->compares = !wrap->settings->record_only;
    session->sources = &wrap->invocation.sources;
    wrap->prepared = (wrap->settings->record_only || session_rules(session)) && session_begin(session);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* True if a line of another tool follows the first line that looks like one of ptxas: the other message may quote that
 * line. */
static bool other_tools_follow(struct str messages)
{
    static const struct str tools[] = {STR_INIT("ptxas "), STR_INIT("nvlink "), STR_INIT("remark: "), STR_INIT("    ")};
    struct str line;
    bool begun = false;
    while (messages.len && str_split(&messages, '\n', &line)) {
        bool known = str_trim(line).len == 0;
        for (size_t at = 0; at < sizeof tools / sizeof *tools; at++)
            known |= str_starts(line, tools[at]);
        if (begun && !known)
            return true;
        begun |= str_starts(line, tools[0]);
    }
    return false;
}

/* Reads values from the object that no message states: the launch bounds that kernels declare, if the hook did not read
 * the PTX, and the accesses to local memory. */
static void read_object(struct wrap *wrap, struct str messages, bool marked)
{
    const struct invocation *invocation = &wrap->invocation;
    struct model *model = &wrap->session.model;
    bool uses_stack = false;
    for (size_t k = 0; k < model->kernel_count; k++)
        uses_stack |= model->kernels[k].stack_bytes > 0;
    if (invocation->makes_code && invocation->dialect != DIALECT_NVHPC && (!marked || uses_stack))
        binary_confirm(model, invocation->outputs.items, invocation->outputs.count,
                       !marked && other_tools_follow(messages));
}

static void read_compile(struct wrap *wrap, struct str messages, struct str name)
{
    const struct invocation *invocation = &wrap->invocation;
    struct session *session = &wrap->session;
    /* The key identifies the messages of ptxas; empty: they cannot be distinguished from lines that other messages
     * quote. A cache repeats the messages of an earlier run, with the key of that run. */
    bool kept = !invocation->links && invocation_runs_under(invocation, wrap->words, "ccache");
    struct str key = wrap->key.len ? mark_key(messages, wrap->key, kept) : wrap->key;
    session_read_messages(session, name, messages, key, invocation->links);
    record_complete(wrap, &session->model);
    read_object(wrap, messages, key.len > 0);
    source_lines_shorten(wrap, &session->model);
    locate_kernels(invocation, &session->model, &session->diags);
}

/* ---- judging ---------------------------------------------------------------------------------------------------- */

static void say_doubt(struct session *session, struct place place)
{
    size_t ambiguous = session->linter->counts.ambiguous;
    if (ambiguous)
        diag_warning(&session->diags, place,
                     "not judged: %zu kernel%s, as it is not known which of the compiler's lines are ptxas's and which "
                     "a message quotes",
                     ambiguous, PLURAL(ambiguous));
    else
        diag_warning(&session->diags, place, "not judged in full: messages of ptxas are torn, or their end is missing");
}

/* Reports what was not judged, and why. Returns false if --strict does not accept it. */
static bool say_unjudged(struct wrap *wrap, struct str unwritten)
{
    struct session *session = &wrap->session;
    const struct log_info *log = &session->model.logs[0];
    const struct place place = {.path = record_name(wrap)}, missing = {.path = unwritten};
    bool absent = judgeable_made_nothing(wrap, log), unheard = absent || judgeable_lost_messages(wrap, log);
    if (absent)
        diag_warning(&session->diags, unwritten.len ? missing : place,
                     "not judged: '%s' did not make it, and no compile by nvcc was seen; give the build the nvcc of "
                     "`warplint wrap --install-shim DIR`",
                     wrap->words[wrap->invocation.compiler]);
    else if (unheard)
        diag_warning(&session->diags, place,
                     "not judged: the object holds device code, but ptxas printed nothing about it on standard error%s",
                     wrap->settings->no_verbose ? ": the command has no -Xptxas=-v, and --no-verbose adds none" : "");
    else if (log->no_code)
        diag_warning(&session->diags, place, "not judged: the compile made no machine code (PTX only, or -dlto)");
    if (unwritten.len && !absent)
        diag_warning(&session->diags, missing,
                     "was not written by this command: it has no record, and what was made elsewhere or later stays "
                     "there; put `warplint wrap --` directly in front of the compiler");
    if (wrap->invocation.launcher.moves)
        diag_warning(&session->diags, nowhere,
                     "the launcher changes the folder, so sources and output are not known: there is no record, and "
                     "the output stays; put `warplint wrap --` behind the launcher, in front of the compiler");
    bool doubtful = session_is_ambiguous(session);
    if (doubtful)
        say_doubt(session, place);
    return !unheard && !doubtful;
}

static bool has_matter(const struct session *session)
{
    const size_t *counts = session->linter->counts.by_severity;
    return session->linter->counts.failing || counts[SEVERITY_WARNING] || counts[SEVERITY_ERROR];
}

/* Judges, and writes the record and the reports. Returns the exit status of judging. */
static int judge(struct wrap *wrap, struct str messages)
{
    struct session *session = &wrap->session;
    const struct settings *settings = session->settings;
    struct str unwritten = invocation_drop_unwritten(&wrap->invocation);
    read_compile(wrap, messages, unwritten.len ? unwritten : record_name(wrap));
    if (!session_judge(session))
        return STATUS_USAGE;
    source_lines_find(wrap);
    bool written = record_write(session, wrap) && unwritten.len == 0 && !wrap->invocation.launcher.moves;
    bool judged = say_unjudged(wrap, unwritten);
    if (!wrap->settings->record_only && !has_matter(session))
        judged &= session_any_rule(session);
    if (wrap->settings->record_only)
        return written || !settings->strict ? STATUS_OK : STATUS_UNTRUSTED;
    if (settings->strict && session->linter->counts.debug && !session_judges_debug(session))
        diag_warning(
            &session->diags, (struct place){.path = record_name(wrap)},
            "not judged: device code is not optimised (-G, -Ofc=max, or -O0 for ptxas), and rules leave it out");
    if ((has_matter(session) || settings->outputs.count > 1) && !session_write(session, REPORT_FINDINGS))
        written = false;
    if (session->linter->counts.failing)
        return STATUS_FINDINGS;
    judged &= session->baseline.unknown_variants == 0 && baseline_session_trusts(session);
    return settings->strict && !(written && judged) ? STATUS_UNTRUSTED : STATUS_OK;
}

int judge_finish(void *context, struct str messages)
{
    struct wrap *wrap = context;
    signal(SIGPIPE, SIG_IGN);
    FAULT("judge");
    int status = wrap->prepared ? judge(wrap, messages) : STATUS_USAGE;
    print_diags(&wrap->session.diags);
    return status;
}

/* The parent process, which would remove the outputs, was killed. */
void judge_orphaned(void *context)
{
    const struct wrap *wrap = context;
    if (!wrap->settings->keep_output)
        invocation_remove_outputs(&wrap->invocation);
}
