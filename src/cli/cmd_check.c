#include "cli/commands.h"
#include "cli/session.h"

int session_verdict(struct session *session)
{
    const struct settings *settings = session->settings;
    if (session->judge->counts.failing) {
        baseline_session_trusts(session); /* it is told what was not seen, too */
        return STATUS_FINDINGS;
    }
    if (session->input_failed)
        return STATUS_UNTRUSTED;
    if (session->judge->counts.entries == 0 && !settings->allow_empty) {
        session_explain_empty(session);
        return STATUS_UNTRUSTED;
    }
    if (session_is_all_debug(session)) {
        diag_error(&session->diags, (struct place){0},
                   "only debug builds: rules leave out what is compiled with -G or -O0, so no kernel was judged; "
                   "compile without -G, or --allow-empty lets it pass");
        return STATUS_UNTRUSTED;
    }
    if (settings->strict && session_is_ambiguous(session)) {
        diag_error(&session->diags, (struct place){0}, "the log is ambiguous: %s, and --strict trusts no such log",
                   doubt_reason(logs_doubt(&session->model)));
        return STATUS_UNTRUSTED;
    }
    if (session_is_unjudged(session)) {
        session_tell_unjudged(session);
        return STATUS_UNTRUSTED;
    }
    if (!baseline_session_trusts(session))
        return STATUS_UNTRUSTED;
    if (settings->strict && session->judge->counts.unmet) {
        size_t unmet = session->judge->counts.unmet;
        diag_error(&session->diags, (struct place){0},
                   "the configuration has %zu %s for kernels that are not in the input, and --strict trusts no such "
                   "configuration: take out what is dead, or name the kernels that are meant",
                   unmet, unmet == 1 ? "entry" : "entries");
        return STATUS_UNTRUSTED;
    }
    if (settings->strict && session->incomplete) {
        diag_error(&session->diags, (struct place){0},
                   "the records are not those of what was built, and --strict trusts no such folder");
        return STATUS_UNTRUSTED;
    }
    if (settings->strict && session->partial) {
        diag_error(&session->diags, (struct place){0}, "%s, and --strict trusts no log of a part of a build",
                   session->partial);
        return STATUS_UNTRUSTED;
    }
    return STATUS_OK;
}

int check_inputs(struct session *session)
{
    const struct settings *settings = session->settings;
    if (!session_judge(session))
        return session_failure(session);
    int status = session_verdict(session);
    session->silent = settings->quiet && status == STATUS_OK;
    return session_write(session, REPORT_FINDINGS) ? status : STATUS_UNTRUSTED;
}

static int run(void *given)
{
    struct session session = {0};
    int status = STATUS_USAGE;
    if (session_rules(&session, given)) {
        session.compares = session.bounded = true;
        status = check_inputs(&session);
    }
    session_free(&session);
    return status;
}

const struct command command_check = {
    .name = "check",
    .bit = COMMAND_CHECK,
    .what = "judge logs: findings, a verdict, an exit status",
    .usage = "usage: warplint check [OPTIONS] [LOG|DIR|-]...\n\njudge: findings, a verdict, an exit status\n",
    .statuses = STATUSES_OF_JUDGING,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
