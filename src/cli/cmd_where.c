/* warplint where: the source lines at which one kernel spills or accesses local arrays. */
#include "cli/commands.h"
#include "cli/kernel_choice.h"
#include "report/where_text.h"

/* Reports which of the two arguments is missing if there is one word or none. */
static int refuse(const struct str_list *words, struct diags *diags)
{
    if (words->count == 1 && !file_exists(words->items[0]))
        return usage_error(
            diags,
            "no log and no binary was given for kernel '%.*s', expected `warplint where KERNEL build.log "
            "app.o`",
            STR_ARG(words->items[0]));
    return usage_error(
        diags, "no kernel was given, expected `warplint where KERNEL build.log app.o`, KERNEL a name or a regular "
               "expression, and the log or the binaries of its build; `warplint report --sort spill_store_bytes "
               "--top 10 build.log` lists the kernels that spill most");
}

static int run(struct session *session, void *given)
{
    const struct settings *settings = given;
    if (settings->arguments.count < 2)
        return refuse(&settings->arguments, &session->diags);
    return kernel_answer(session, &(struct kernel_answer){"where", true, where_text, NULL});
}

const struct command command_where = {
    .name = "where",
    .what = "show the source lines at which a kernel spills",
    .usage = "usage: warplint where [OPTIONS] KERNEL LOG|BINARY|DIR|-...\n\n"
             "Show the source lines at which one kernel spills or accesses local arrays, with\n"
             "the bytes per thread and the number of loops around each.\n\n" KERNEL_WORD,
    .statuses = "Exit status: 0 listed, 2 wrong command line or no such kernel, 3 nothing to\n"
                "read, or a file could not be read or written.\n",
    .settings_bytes = sizeof(struct settings),
    .formats = "text|json",
    .run = run,
};
