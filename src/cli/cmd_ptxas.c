/* __ptxas: this program between nvcc and ptxas. */
#include "cli/commands.h"
#include "cli/settings.h"
#include "nvcc/ptxas_hook.h"

#include <errno.h>
#include <string.h>

int cmd_ptxas(int argc, char **argv)
{
    struct diags diags = {0};
    if (argc < 2) {
        diag_error(&diags, (struct place){0}, "no command was given; nvcc calls this, people do not");
        say_diags(&diags);
        return STATUS_USAGE;
    }
    int error = ptxas_hook_run((const char *const *)argv + 1);
    diag_error(&diags, (struct place){0}, "'%s' cannot be started: %s", argv[1], strerror(error));
    say_diags(&diags);
    return error == ENOENT || error == ENOTDIR ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
}
