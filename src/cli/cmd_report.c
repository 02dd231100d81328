#include "cli/commands.h"
#include "cli/session.h"

static int show(struct session *session)
{
    if (!session_judge(session))
        return STATUS_USAGE;
    bool written = session_write(session, REPORT_KERNELS);
    if (session->model.kernel_count == 0)
        session_explain_empty(session);
    return written && !session->input_failed && session->model.kernel_count ? STATUS_OK : STATUS_UNTRUSTED;
}

int cmd_report(int argc, char **argv)
{
    struct session session = {0};
    struct settings settings;
    int status = STATUS_USAGE;
    if (settings_parse(&settings, COMMAND_REPORT, argc, argv, &session.diags)) {
        if (settings.help) {
            struct buf help = {0};
            settings_help(COMMAND_REPORT, &help);
            status = print_text(&help, &session.diags) ? STATUS_OK : STATUS_UNTRUSTED;
            buf_free(&help);
        } else if (session_config(&session, &settings)) {
            status = show(&session);
        }
    }
    session_free(&session);
    settings_free(&settings);
    return status;
}
