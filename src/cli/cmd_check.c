#include "cli/commands.h"
#include "cli/session.h"

int session_verdict(struct session *session)
{
    if (session->linter->counts.failing == 0)
        return session_check_completeness(session) ? STATUS_OK : STATUS_UNTRUSTED;
    baseline_session_trusts(session); /* its errors show what the findings do not cover */
    return STATUS_FINDINGS;
}

int check_inputs(struct session *session)
{
    const struct settings *settings = session->settings;
    if (!session_read_and_judge(session))
        return session_failure(session);
    int status = session_verdict(session);
    session->silent = settings->quiet && status == STATUS_OK;
    return session_write(session, REPORT_FINDINGS) ? status : STATUS_UNTRUSTED;
}

static int run(struct session *session, void *settings)
{
    (void)settings;
    session->compares = true;
    return session_rules(session) ? check_inputs(session) : STATUS_USAGE;
}

const struct command command_check = {
    .name = "check",
    .what = "judge logs: findings, a verdict, an exit status",
    .usage = "usage: warplint check [OPTIONS] [LOG|DIR|-]...\n\n"
             "Judge logs, records and binaries: findings, a verdict, an exit status.\n",
    .statuses = STATUSES_OF_JUDGING,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
