#define _POSIX_C_SOURCE 200809L
#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/settings.h"
#include "nvcc/process.h"
#include "nvcc/ptxas_hook.h"

#include <signal.h>

static void add_usage(struct buf *out)
{
    buf_add(out, STR("usage: warplint COMMAND [OPTIONS] [ARGUMENTS]\n\n"
                     "Analyze and lint what ptxas prints about CUDA kernels (nvcc -Xptxas=-v).\n\n"));
    for (size_t at = 0; at < command_count; at++)
        buf_fmt(out, "  %-11s %s\n", commands[at]->name, commands[at]->what);
    buf_add(out, STR("\n  --help      print this help; each command has its own\n"
                     "  --version   print the version\n\n"
                     "example: make 2>&1 | tee build.log; warplint check build.log\n"));
}

static int print(const struct buf *text)
{
    struct diags diags = {0};
    int status = command_print(text, &diags);
    print_diags(&diags);
    return status;
}

static int refuse(const char *word)
{
    struct diags diags = {0};
    static const char *const names[] = {COMMANDS(COMMAND_NAME) "--help", "--version"};
    const char *near = word ? nearest_word(str_of(word), names, sizeof *names, sizeof names / sizeof *names) : NULL;
    if (word && !near && str_eq(str_of(word), STR("version")))
        near = "--version";
    const bool is_option = word && word[0] == '-' && word[1] == '-';
    const struct str option = str_from(str_of(word), is_option ? 2 : 0);
    if (is_option && commands_with_option(str_sub(option, 0, str_find_char(option, '='))))
        diag_error(&diags, nowhere,
                   "option '%s' is in front of the command, expected it behind, as in "
                   "`warplint check %s`",
                   word, word);
    else if (word && word[0] == '-')
        diag_error(&diags, nowhere,
                   "unknown option '%s' in front of the command%s%s; `warplint --help` lists what there is", word,
                   near ? ", did you mean " : "", near ? near : "");
    else if (word && !near && file_exists(str_of(word)))
        diag_error(&diags, nowhere, "there is no command '%s', which is a %s: `warplint check %s` judges it", word,
                   file_is_dir(str_of(word)) ? "folder" : "file", word);
    else if (word)
        diag_error(&diags, nowhere, "there is no command '%s'%s%s; `warplint --help` lists them", word,
                   near ? ", did you mean " : "", near ? near : "");
    else
        diag_error(&diags, nowhere, "no command was given; `warplint --help` lists them");
    print_diags(&diags);
    return STATUS_USAGE;
}

int main(int argc, char **argv)
{
    struct str word = str_of(argc > 1 ? argv[1] : NULL);
    SCOPED(buf) text = {0};
    process_outlive_size_limit();
    if (argc > 0 && str_starts(path_name(str_of(argv[0])), STR("nvcc"))) /* installed as "nvcc", "nvcc-12.4" */
        return wrap_as_compiler(argc, argv);
    if (str_eq(word, STR(HOOK_COMMAND)))
        return cmd_ptxas(argc - 1, argv + 1);
    if (!str_eq(word, STR("wrap"))) /* the compiler must inherit the handling that `wrap` was started with */
        signal(SIGPIPE, SIG_IGN);   /* a closed output becomes a write error with its own exit status */
    if (argc < 2)
        return refuse(NULL);
    if (str_eq(word, STR(COMPLETE_COMMAND)))
        return cmd_complete(argc - 1, argv + 1);
    if (str_eq(word, STR(MANUAL_COMMAND)))
        return cmd_manual(argc - 1, argv + 1);
    if (str_eq(word, STR("--version")))
        buf_add(&text, STR("warplint " WARPLINT_VERSION "\n"));
    if (str_eq(word, STR("--help")) || str_eq(word, STR("-h")))
        add_usage(&text);
    if (text.len)
        return print(&text);
    const struct command *command = commands_find(word);
    return command ? command_run(command, argc - 1, argv + 1) : refuse(argv[1]);
}
