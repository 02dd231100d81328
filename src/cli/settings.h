/*
 * settings: the options and arguments of a command line. The settings of a command are a struct that begins with struct
 * settings. The command's own options are in its file; the options that several commands have are in settings.c.
 */
#pragma once

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

enum drift { DRIFT_FAIL, DRIFT_REPORT }; /* DRIFT_REPORT: changes between two CUDA versions do not fail */
enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct settings {
    int argc; /* of the command line as given */
    char **argv;
    struct str_list given;     /* names of the options on the command line */
    struct str_list arguments; /* not options; wrap: the compiler's command, from the first such word on */
    struct str_list launches;  /* files of profiles */
    struct str_list objects;   /* binaries, and folders of binaries */
    struct str_list rule_dirs, selects, ignores, archs;
    struct outputs outputs;
    struct regex *kernel;
    struct launch_config launch_config;
    const struct gpu_model *gpu; /* --gpu; NULL: not given */
    struct report report;        /* the parts that options set: whether to show everything, the title, and so on */
    struct str config;           /* --config; empty: search for it */
    struct str baseline;         /* --baseline; empty: the one of the configuration */
    const char *ptxas;           /* the program of --ptxas; NULL: search for it */
    struct toolkit toolkit;      /* for logs that do not state one; unknown if not given */
    int drift;                   /* enum drift */
    bool allow_missing, allow_conflicts;
    int fail_on; /* number of severities below SEVERITY_ERROR; -1: not given */
    bool no_config;
    bool allow_empty, assemble, strict, quiet, help;
    int color; /* enum color */
};

/* Reads argv[1..] into the settings, which are zero or the command's defaults before. Returns false with diagnostics:
 * status 2. */
struct command;
bool settings_parse(struct settings *settings, const struct command *command, int argc, char **argv,
                    struct diags *diags);
void settings_free(struct settings *settings);
/* Returns the index of the first argument in the command's words, or -1 with an error if it is not one of them or there
 * are more than `most` arguments. */
int settings_word(const struct settings *settings, const struct command *command, size_t most, struct diags *diags);
/* True if the command line has the option with this name. */
bool settings_gives(const struct settings *settings, const char *option);

/* The options of a command, its own and those that several commands have, sorted by name. Returns their number. */
size_t settings_options(const struct command *command, const struct option_row *rows[MOST_OPTIONS]);

/* Setters for the tables of commands, each with the type of the member that it sets. */
bool add_format(const struct option_row *row, struct str value, void *into, struct diags *diags); /* struct outputs */
bool set_launch(const struct option_row *row, struct str value, void *into, struct diags *diags); /* launch_config */

/* Takes the architecture and the number of SMs of --gpu, if it is given. Returns false with an error if --sms or
 * another architecture is given too. */
bool settings_apply_gpu(struct settings *settings, struct diags *diags);

/* The path of the report that would overwrite this file; empty: none. */
struct str outputs_replacing(const struct outputs *outputs, struct str file);

/* True if --format or --output is given. */
bool settings_want_report(const struct settings *settings);

/* Opens each output and calls `write` for it. Returns false with diagnostics if one could not be written. */
bool write_outputs(const struct outputs *outputs,
                   void (*write)(void *context, const struct output *output, struct out *out), void *context,
                   struct diags *diags);

/* Appends the usage and every option of the command. */
void settings_help(const struct command *command, struct buf *out);

/* True if output to this stream is colored: depends on --color, NO_COLOR, CLICOLOR_FORCE, TERM, and whether the stream
 * is a terminal. */
bool settings_color(const struct settings *settings, int fd);

/* The width of the terminal in columns, at least 40: COLUMNS, else the width that the terminal states, else 80. 0 if
 * the stream is not a terminal. */
size_t terminal_width(int fd);
/* The width of prose on standard output in columns: that of the terminal, else 79. */
size_t prose_width(void);

/* The first prints diagnostics to standard error. The second prints text to standard output, complete; it returns false
 * if that fails. Both escape characters that a terminal or a CI system would interpret. (file_write writes Markdown and
 * other formats unchanged.) */
void print_diags(struct diags *diags);
bool print_text(const struct buf *text, struct diags *diags);

struct json;
/* Begins the JSON document of a command with its type, schema and version. */
void document_open(struct json *json, const char *type);
