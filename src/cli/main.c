#define _POSIX_C_SOURCE 200809L
#include "base/buf.h"
#include "base/diag.h"
#include "cli/commands.h"
#include "cli/settings.h"
#include "nvcc/hook.h"

#include <signal.h>

/* To add a command: its file cmd_<name>.c, its prototype in commands.h, and a row here. */
static const struct command_row {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *what;
} commands[] = {
    {"check", cmd_check, "judge logs: findings, a verdict, an exit status"},
    {"report", cmd_report, "show every kernel with its numbers and its occupancy"},
    {"advise", cmd_advise, "what a kernel gives up for more blocks; a table of block sizes"},
    {"baseline", cmd_baseline, "what is known and accepted: write, check, update, prune"},
    {"diff", cmd_diff, "compare two builds: what changed, worst first"},
    {"merge", cmd_merge, "many records into one stream"},
    {"wrap", cmd_wrap, "run the compiler, record, judge"},
    {"tune", cmd_tune, "compile at each register cap that buys a block; what each costs"},
    {"occupancy", cmd_occupancy, "the occupancy calculator"},
    {"config", cmd_config, "show the configuration in force, each value with its place"},
    {"explain", cmd_explain, "the text behind a rule, a field, an architecture"},
    {"list", cmd_list, "rules, fields, archs, formats, gpus or phrases"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void add_usage(struct buf *out)
{
    buf_add(out, STR("usage: warplint COMMAND [OPTIONS] [ARGUMENTS]\n\n"
                     "reads what ptxas says of every kernel (nvcc -Xptxas=-v), works out the occupancy, judges\n\n"));
    for (int at = 0; at < COMMANDS; at++)
        buf_fmt(out, "  %-11s %s\n", commands[at].name, commands[at].what);
    buf_add(out, STR("\n  --help      this text; each command has its own\n"
                     "  --version   the version\n\n"
                     "example: make 2>&1 | tee build.log; warplint check build.log\n"));
}

static int print(const char *first, bool usage)
{
    struct buf text = {0};
    struct diags diags = {0};
    buf_add(&text, str_of(first));
    if (usage)
        add_usage(&text);
    bool ok = print_text(&text, &diags);
    say_diags(&diags);
    buf_free(&text);
    return ok ? STATUS_OK : STATUS_UNTRUSTED;
}

static int refuse(const char *word)
{
    struct diags diags = {0};
    const char *names[COMMANDS];
    for (int at = 0; at < COMMANDS; at++)
        names[at] = commands[at].name;
    const char *near = word ? nearest_word(str_of(word), names, COMMANDS) : NULL;
    if (word)
        diag_error(&diags, (struct place){0}, "there is no command '%s'%s%s; `warplint --help` lists them", word,
                   near ? ", did you mean " : "", near ? near : "");
    else
        diag_error(&diags, (struct place){0}, "no command was given; `warplint --help` lists them");
    say_diags(&diags);
    return STATUS_USAGE;
}

/* Installed under the name of the compiler: "nvcc", "nvcc-12.4". */
static bool is_compiler_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return str_starts(str_of(slash ? slash + 1 : path), STR("nvcc"));
}

int main(int argc, char **argv)
{
    struct str word = str_of(argc > 1 ? argv[1] : NULL);
    if (argc > 0 && is_compiler_name(argv[0]))
        return wrap_as_compiler(argc, argv);
    if (str_eq(word, STR(HOOK_COMMAND)))
        return cmd_ptxas(argc - 1, argv + 1);
    if (!str_eq(word, STR("wrap"))) /* whose compiler has to inherit what we did */
        signal(SIGPIPE, SIG_IGN);   /* a closed output is an error of write, with a status of its own */
    if (argc < 2)
        return refuse(NULL);
    if (str_eq(word, STR("--version")))
        return print("warplint " WARPLINT_VERSION "\n", false);
    if (str_eq(word, STR("--help")) || str_eq(word, STR("-h")) || str_eq(word, STR("help")))
        return print("", true);
    for (int at = 0; at < COMMANDS; at++)
        if (str_eq(word, str_of(commands[at].name)))
            return commands[at].run(argc - 1, argv + 1);
    return refuse(argv[1]);
}
