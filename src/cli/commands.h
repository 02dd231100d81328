/* commands: one function a command. argv[0] is the command's own name; each returns the exit status. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

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
int cmd_config(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_occupancy(int argc, char **argv);
int cmd_ptxas(int argc, char **argv); /* hidden: nvcc calls it, see nvcc/hook.h */
int cmd_report(int argc, char **argv);
int cmd_tune(int argc, char **argv);
int cmd_wrap(int argc, char **argv);

/* As if `warplint wrap -- argv[0] ...` was called: argv[0] is this program under the compiler's name. */
int wrap_as_compiler(int argc, char **argv);

#endif
