/* commands: the description of a command, and the table of all commands. */
#pragma once

#include "cli/option.h"

struct session;

/* The exit statuses. 1 takes precedence over 3 for "nothing to judge"; an output error (3) takes
 * precedence over everything. */
enum status {
    STATUS_OK = 0,        /* judged, nothing at or above --fail-on */
    STATUS_FINDINGS = 1,  /* judged, findings at or above --fail-on */
    STATUS_USAGE = 2,     /* the command line, a rule or a file that a user wrote is wrong */
    STATUS_UNTRUSTED = 3, /* nothing to judge, or an input or output could not be read or written */
    STATUS_NOT_EXECUTABLE = 126,
    STATUS_NOT_FOUND = 127 /* wrap: the compiler was not found; shells use the same status */
};

/* To add a command: its file cmd_<name>.c with its struct command, and a row here, in the order of the help. */
#define COMMANDS(ROW)                                                                                                  \
    ROW(CHECK, check)                                                                                                  \
    ROW(REPORT, report)                                                                                                \
    ROW(WHERE, where)                                                                                                  \
    ROW(ADVISE, advise)                                                                                                \
    ROW(BASELINE, baseline)                                                                                            \
    ROW(DIFF, diff)                                                                                                    \
    ROW(MERGE, merge)                                                                                                  \
    ROW(WRAP, wrap)                                                                                                    \
    ROW(TUNE, tune)                                                                                                    \
    ROW(DOCTOR, doctor)                                                                                                \
    ROW(INIT, init)                                                                                                    \
    ROW(OCCUPANCY, occupancy)                                                                                          \
    ROW(CONFIG, config)                                                                                                \
    ROW(EXPLAIN, explain)                                                                                              \
    ROW(LIST, list)                                                                                                    \
    ROW(HELP, help)

#define COMMAND_NAME(NAME, name) #name,

/* A bit for each command, for the options that several commands have. */
#define COMMAND_NUMBER(NAME, name) NUMBER_OF_##NAME,
#define COMMAND_BIT(NAME, name)    COMMAND_##NAME = 1 << NUMBER_OF_##NAME,
enum command_number { COMMANDS(COMMAND_NUMBER) };
enum command_bit { COMMANDS(COMMAND_BIT) };

struct command {
    const char *name;
    const char *what;                 /* one line */
    const char *usage, *statuses;     /* before and after the options in the help */
    const struct option_row *options; /* without those that several commands have (settings.c) */
    size_t option_count;
    size_t settings_bytes; /* size of the command's settings struct, which begins with struct settings */
    const void *defaults;  /* the settings before options are read; NULL: all zero */
    const char *words;     /* "show|check": the first argument must be one of these words; NULL: any word */
    const char *formats;   /* "text|json": the formats that the command writes; NULL: every format */
    bool runs_compiler;    /* the first word that is not an option begins the compiler's command */
    /* Runs the command and returns the exit status. The session has the settings; the caller prints its diagnostics. */
    int (*run)(struct session *session, void *settings);
};

#define OPTIONS(table) .options = table, .option_count = sizeof table / sizeof *table /* the two members */

#define COMMAND_DECLARED(NAME, name) extern const struct command command_##name;
COMMANDS(COMMAND_DECLARED)
extern const struct command *const commands[];
extern const size_t command_count;

/* The command of this name; NULL if there is none. */
const struct command *commands_find(struct str name);
/* The first command with an option of this name; NULL: none. */
const char *commands_with_option(struct str option);
/* The command's bit in enum command_bit. */
unsigned command_bit(const struct command *command);

/* Reads the command line, and runs the command or prints its help. argv[0] is the command's own name. Returns the exit
 * status. */
int command_run(const struct command *command, int argc, char **argv);

/* Prints the text; returns the exit status. */
int command_print(const struct buf *text, struct diags *diags);

/* Reports an error in the command line; returns the exit status. */
#define usage_error(diags, ...) (diag_error(diags, nowhere, __VA_ARGS__), STATUS_USAGE)

/* Reports that the program cannot be started. `error` is an errno. Returns the exit status that a shell would give. */
int command_cannot_start(const char *program, int error, struct diags *diags);

#define STATUSES_OF_JUDGING                                                                                            \
    "Exit status: 0 passed, 1 findings at or above --fail-on, 2 wrong command line,\n"                                 \
    "configuration, rule or baseline, 3 not judged, or a file could not be read or\n"                                  \
    "written. `warplint help warplint` lists all cases.\n"
#define STATUSES_OF_PRINTING                                                                                           \
    "Exit status: 0 printed, 2 wrong command line, configuration or rule, 3 nothing\n"                                 \
    "to read, or a file could not be read or written.\n"

int cmd_complete(int argc, char **argv); /* hidden: the completion scripts of shells call it */
int cmd_manual(int argc, char **argv);   /* hidden: the build calls it */
int cmd_ptxas(int argc, char **argv);    /* hidden: nvcc calls it, see nvcc/ptxas_hook.h */

#define COMPLETE_COMMAND "__complete"
#define MANUAL_COMMAND   "__manual"

/* Does the same as `warplint wrap -- argv[0] ...`; argv[0] is this program under the compiler's name. */
int wrap_as_compiler(int argc, char **argv);
