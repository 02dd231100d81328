/*
 * settings: what commands share of their command lines. The settings of a command are a struct of its own that begins
 * with struct settings; its table of options is in its file, the options that several commands have are in settings.c.
 */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include "cli/option.h"
#include "gpu/gpu_model.h"
#include "lint/linter.h"
#include "report/report.h"

struct output {
    const struct format *format;
    struct str path; /* "-" is standard output */
};

struct outputs {
    struct output *items;
    size_t count, cap;
};

enum drift { DRIFT_FAIL, DRIFT_REPORT }; /* DRIFT_REPORT: what another CUDA changed does not fail */
enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct settings {
    int argc; /* the command line as given */
    char **argv;
    struct str_list given;     /* names of the options on it */
    struct str_list arguments; /* what is no option; wrap: the command, from the first word that is none */
    struct str_list launches;  /* profiles */
    struct str_list objects;   /* binaries, and folders with them */
    struct str_list rule_dirs, selects, ignores, archs;
    struct outputs outputs;
    struct regex *kernel;
    struct launch_config launch_config;
    struct report report;   /* what options say of it: that all is shown, its title, and the like */
    struct str config;      /* --config; empty: look for it */
    struct str baseline;    /* --baseline; empty: the configuration's */
    const char *ptxas;      /* the program of --ptxas; NULL: it is looked for */
    struct toolkit toolkit; /* of logs that do not say it; not known: not given */
    int drift;              /* enum drift */
    bool allow_missing, allow_conflicts;
    int fail_on; /* how far below SEVERITY_ERROR; -1: not given */
    bool no_config;
    bool allow_empty, assemble, strict, quiet, help;
    int color; /* enum color */
};

/* Reads argv[1..] into the settings, which are zero or the command's defaults; false with diagnostics (status 2). */
struct command;
bool settings_parse(struct settings *settings, const struct command *command, int argc, char **argv,
                    struct diags *diags);
void settings_free(struct settings *settings);
/* Which of the command's words is the first argument, from 0. -1 with an error: none, or there are more than `most`
 * arguments. */
int settings_word(const struct settings *settings, const struct command *command, size_t most, struct diags *diags);
/* The option of this name is on the command line. */
bool settings_gives(const struct settings *settings, const char *option);

/* The options of a command, its own and those that it shares, sorted by name; how many. */
size_t settings_options(const struct command *command, const struct option_row *rows[MOST_OPTIONS]);

/* Setters for the tables of commands. */
bool add_format(const struct option_row *row, struct str value, void *into, struct diags *diags); /* struct outputs */
bool set_gpu(const struct option_row *row, struct str value, void *into, struct diags *diags); /* struct gpu_model * */
bool set_launch(const struct option_row *row, struct str value, void *into, struct diags *diags); /* launch_config */

/* Whether the product fits these architectures, and no option gives its number of SMs too; NULL fits. */
bool check_gpu(const struct gpu_model *gpu, const struct str *archs, size_t count, bool sms_given, struct diags *diags);

/* The path of the report that would take the place of this file; empty: none does. */
struct str outputs_replacing(const struct outputs *outputs, struct str file);

/* Some option asks for a report. */
bool settings_want_report(const struct settings *settings);

/* Opens each output and lets `write` fill it; false where one could not be written. */
bool write_outputs(const struct outputs *outputs,
                   void (*write)(void *context, const struct output *output, struct out *out), void *context,
                   struct diags *diags);

/* Usage, and every option of the command. */
void settings_help(const struct command *command, struct buf *out);

/* Colours for a stream: --color, NO_COLOR, CLICOLOR_FORCE, and whether it is a terminal. */
bool settings_color(const struct settings *settings, int fd);

/* Columns of the terminal that the stream is: COLUMNS, else what the terminal says, else 80, at least 40; 0: the stream
 * is no terminal. */
size_t terminal_width(int fd);
/* Columns that prose on standard output has: 79, or those of the terminal. */
size_t prose_width(void);

/* Prints to standard error, and to standard output whole; false when standard output fails. What a terminal or a CI
 * system would take for more than text is escaped. (Markdown and the like is written by file_write, as it is.) */
void say_diags(struct diags *diags);
bool print_text(const struct buf *text, struct diags *diags);

struct json;
/* Begins a JSON document of a command with its type, schema and version. */
void document_open(struct json *json, const char *type);

#endif
