/* commands: one function a command. argv[0] is the command's own name; each returns the exit status. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

/* The exit statuses of the contract. Findings win over emptiness, a failed write wins over all. */
enum status {
    STATUS_OK = 0,        /* judged, nothing at or above --fail-on */
    STATUS_FINDINGS = 1,  /* judged, findings at or above --fail-on */
    STATUS_USAGE = 2,     /* the command line, a rule or a file that somebody wrote is wrong */
    STATUS_UNTRUSTED = 3, /* nothing to judge, or it could not be read or written */
    STATUS_NOT_EXECUTABLE = 126,
    STATUS_NOT_FOUND = 127 /* wrap: the compiler, as a shell says it */
};

int cmd_advise(int argc, char **argv);
int cmd_baseline(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_completions(int argc, char **argv); /* hidden: the build calls it */
int cmd_config(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_init(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_occupancy(int argc, char **argv);
int cmd_ptxas(int argc, char **argv); /* hidden: nvcc calls it, see nvcc/ptxas_hook.h */
int cmd_report(int argc, char **argv);
int cmd_tune(int argc, char **argv);
int cmd_wrap(int argc, char **argv);

/* The word under which this program prints the completions of a shell. */
#define COMPLETIONS_COMMAND "__completions"

struct command_row {
    const char *name;
    int (*run)(int argc, char **argv);
    int options; /* COMMAND_* of settings.h; 0: it has a table of its own */
    const char *what;
};
extern const struct command_row commands[];
extern const size_t command_count;

/* Words that stand behind a command; NULL ends. */
extern const char *const baseline_verbs[], *const config_verbs[];
const char *list_word(size_t at); /* NULL: there are not so many */

/* An option of `occupancy`, as settings_option. */
struct option_info;
bool occupancy_option(size_t at, struct option_info *info);

/* As if `warplint wrap -- argv[0] ...` was called: argv[0] is this program under the compiler's name. */
int wrap_as_compiler(int argc, char **argv);

#endif
