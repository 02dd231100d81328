/*
 * settings: the command line of check, report, list and explain, understood. The option table in settings.c is the one
 * place that knows an option: parser and help come from it.
 */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include "gpu/gpu_model.h"
#include "lint/judge.h"
#include "nvcc/output_filter.h"
#include "report/report.h"

enum {
    COMMAND_CHECK = 1,
    COMMAND_REPORT = 2,
    COMMAND_LIST = 4,
    COMMAND_EXPLAIN = 8,
    COMMAND_WRAP = 16,
    COMMAND_CONFIG = 32,
    COMMAND_BASELINE = 64,
    COMMAND_MERGE = 128,
    COMMAND_DIFF = 256,
    COMMAND_ADVISE = 512,
    COMMAND_TUNE = 1024,
    COMMAND_DOCTOR = 2048,
    COMMAND_INIT = 4096,
};

struct output {
    const struct format *format;
    struct str path; /* "-" is standard output */
};

struct str_list {
    struct str *items;
    size_t count, cap;
};

struct settings {
    struct arena arena;
    struct str_list arguments; /* what is no option; wrap: the command, from the first word that is none */
    struct str_list launches;  /* profiles */
    struct str_list objects;   /* binaries, and folders with them */
    struct str_list rule_dirs, selects, ignores, archs;
    struct output *outputs;
    size_t output_count, output_cap;
    struct regex *kernel;
    struct launch_config launch_config;
    struct str config;         /* --config; empty: look for it */
    struct str baseline;       /* --baseline; empty: the configuration's */
    struct str accept, reason; /* baseline update; empty: not given */
    struct str install_shim;   /* wrap: a folder to make; empty: none */
    struct str nvcc;           /* doctor: a compiler to ask; empty: none */
    struct str ci;             /* init: whose block is printed; empty: of what is here */
    bool force;                /* init: writes again what is there */
    struct str sarif_category; /* empty: none */
    struct toolkit toolkit;    /* of logs that do not say it; not known: not given */
    int candidates[32];        /* block sizes, ascending */
    size_t candidate_count;
    const struct gpu_model *gpu; /* NULL: not given */
    bool tuning;                 /* advise: the table for the configuration */
    bool report_drift, allow_missing;
    enum severity fail_on;
    bool fail_on_given, no_config;
    bool summary;         /* text of report: statistics instead of rows */
    size_t max_bytes;     /* of Markdown; 0: no limit */
    bool markdown;        /* list rules: as a page */
    bool allow_conflicts; /* merge */
    bool all, allow_empty, strict, unknown, quiet, help;
    bool keep_output, record_only, no_verbose, no_remarks, no_hook; /* wrap */
    enum passthrough passthrough;                                   /* wrap */
    bool no_cache;                                                  /* tune */
    size_t jobs; /* threads that read; tune: compiles at once; 0: not given */
    int color;   /* -1 never, 0 auto, 1 always */
};

/* Parses argv[1..]; false with diagnostics (status 2). `command` is one of COMMAND_*. */
bool settings_parse(struct settings *settings, int command, int argc, char **argv, struct diags *diags);
void settings_free(struct settings *settings);

/* An option as completions need it. */
struct option_info {
    const char *name;
    char letter;       /* 0: none */
    const char *value; /* what stands behind it, as in the help; NULL: nothing */
    const char *help;
};
/* The at-th option of the command; false: it has not so many. */
bool settings_option(int command, size_t at, struct option_info *info);

/* The product of that name; NULL with an error: none, or several. */
const struct gpu_model *settings_product(struct str name, struct diags *diags);

/* Usage, and every option of the command. */
void settings_help(int command, struct buf *out);

/* Colours for a stream: --color, NO_COLOR, CLICOLOR_FORCE, and whether it is a terminal. */
bool settings_color(const struct settings *settings, int fd);

/* Prints to standard error, and to standard output whole; false when standard output fails. What a terminal or a CI
 * system would take for more than text is escaped. */
void say_diags(struct diags *diags);
bool print_text(const struct buf *text, struct diags *diags);
bool print_page(const struct buf *page, struct diags *diags); /* the same as it is, for Markdown */

#endif
