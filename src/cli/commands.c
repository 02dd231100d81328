#include "cli/commands.h"

#include "cli/session.h"

#include <errno.h>
#include <stdlib.h>

#define COMMAND_ROW(NAME, name) &command_##name,
const struct command *const commands[] = {COMMANDS(COMMAND_ROW)};
const size_t command_count = sizeof commands / sizeof *commands;

int command_print(const struct buf *text, struct diags *diags)
{
    return print_text(text, diags) ? STATUS_OK : STATUS_UNTRUSTED;
}

const struct command *commands_find(struct str name)
{
    for (size_t at = 0; at < command_count; at++)
        if (str_eq(name, str_of(commands[at]->name)))
            return commands[at];
    return NULL;
}

const char *commands_with_option(struct str option)
{
    const struct option_row *rows[MOST_OPTIONS];
    for (size_t at = 0; at < command_count; at++) {
        size_t count = settings_options(commands[at], rows);
        while (count && !str_eq(option, str_of(rows[count - 1]->name)))
            count--;
        if (count)
            return commands[at]->name;
    }
    return NULL;
}

unsigned command_bit(const struct command *command)
{
    unsigned bit = 1;
    for (size_t at = 0; commands[at] != command; at++)
        bit <<= 1;
    return bit;
}

int command_run(const struct command *command, int argc, char **argv)
{
    struct settings *settings = mem_alloc(command->settings_bytes);
    struct session session = {.settings = settings};
    SCOPED(buf) help = {0};
    int status = STATUS_USAGE;
    if (command->defaults)
        memcpy(settings, command->defaults, command->settings_bytes);
    bool parsed = settings_parse(settings, command, argc, argv, &session.diags);
    session.report = settings->report;
    if (parsed && settings->help) {
        settings_help(command, &help);
        status = command_print(&help, &session.diags);
    } else if (parsed) {
        status = command->run(&session, settings);
    }
    session_free(&session);
    settings_free(settings);
    free(settings);
    return status;
}

int command_cannot_start(const char *program, int error, struct diags *diags)
{
    const bool searched = error == ENOENT && !strchr(program, '/'), quoted = searched && strchr(program, ' ');
    diag_error(diags, nowhere, "'%s' cannot be started: %s%s", program, strerror(error),
               quoted     ? "; it has blanks: is the whole command in quotes?"
               : searched ? "; it is in no folder of PATH"
                          : "");
    return error == ENOENT || error == ENOTDIR ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
}
