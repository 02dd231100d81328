/* __ptxas: nvcc runs this program instead of ptxas, and this program runs ptxas. */
#include "cli/commands.h"
#include "cli/settings.h"
#include "nvcc/ptxas_hook.h"

int cmd_ptxas(int argc, char **argv)
{
    struct diags diags = {0};
    if (argc < 2) {
        diag_error(&diags, nowhere, "no command was given; nvcc calls this, people do not");
        print_diags(&diags);
        return STATUS_USAGE;
    }
    int status = command_cannot_start(argv[1], ptxas_hook_run((const char *const *)argv + 1), &diags);
    print_diags(&diags);
    return status;
}
