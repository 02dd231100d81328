#include "cli/commands.h"

#include "cli/settings.h"

#include <stdlib.h>

const struct command *const commands[] = {
    &command_check,  &command_report,  &command_where, &command_advise, &command_baseline, &command_diff,
    &command_merge,  &command_wrap,    &command_tune,  &command_doctor, &command_init,     &command_occupancy,
    &command_config, &command_explain, &command_list,  &command_help,
};
const size_t command_count = sizeof commands / sizeof *commands;

static int print_help(const struct command *command, struct diags *diags)
{
    struct buf help = {0};
    settings_help(command, &help);
    bool ok = print_text(&help, diags);
    buf_free(&help);
    return ok ? STATUS_OK : STATUS_UNTRUSTED;
}

int command_run(const struct command *command, int argc, char **argv)
{
    struct settings *settings = mem_alloc(command->settings_bytes);
    struct diags diags = {0};
    int status = STATUS_USAGE;
    if (command->defaults)
        memcpy(settings, command->defaults, command->settings_bytes);
    if (settings_parse(settings, command, argc, argv, &diags))
        status = settings->help ? print_help(command, &diags) : command->run(settings);
    say_diags(&diags);
    settings_free(settings);
    free(settings);
    return status;
}
