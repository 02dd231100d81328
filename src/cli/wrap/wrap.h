/* wrap: what the files of `wrap` share. */
#ifndef CLI_WRAP_WRAP_H
#define CLI_WRAP_WRAP_H

#include "cli/commands.h"
#include "cli/session.h"
#include "nvcc/invocation.h"
#include "nvcc/output_tee.h"
#include "nvcc/probe.h"
#include "nvcc/process.h"

#include <time.h>

#ifndef FAULT /* tests define it, see tests/faults.h */
#define FAULT(moment) ((void)0)
enum {
    MOST_SECONDS = 60,           /* of preparing and of judging; a thousand times what a large translation unit takes */
    MOST_RECOMPILE_SECONDS = 600 /* of compiling once more, besides ten times what compiling took */
};
#endif

struct wrap_settings {
    struct settings common;
    struct str install_shim; /* a folder to make; empty: none */
    bool keep_output, record_only, no_verbose, no_remarks, no_hook;
    int passthrough; /* enum passthrough */
    int where;       /* enum where */
};

/* When the source is compiled once more to find the lines of spills and local arrays. */
enum where { WHERE_AUTO /* a finding on their kernel fails */, WHERE_ALWAYS, WHERE_NEVER };

struct wrap {
    struct arena arena;
    const struct wrap_settings *settings;
    struct invocation invocation;
    struct compiler_features features; /* of the compiler, where it was asked */
    const char **words;                /* the command that is run, NULL behind its last word */
    size_t count;
    bool remarks;        /* were asked for by us alone */
    struct str unjudged; /* why nothing of what the command makes is judged; empty: it is */
    struct str key;      /* of the marks around what ptxas says, where we stand in front of it; empty: we do not */
    struct diags *diags;
    struct output_tee output_tee;
    struct worker linter; /* the process that judges */
    /* Of the process that judges: */
    time_t begun; /* of the command, in seconds of the monotonic clock */
    struct session session;
    bool prepared; /* configuration, rules and baseline are read */
};

/* Reads the command: which word is the compiler, and what it makes. The status 0, or why it is not run. */
int compiler_command_read(struct wrap *wrap);
/* Adds options that have the compiler state what is judged. */
void compiler_command_add_options(struct wrap *wrap);

/* From here on the compiler runs alone where memory runs out. */
void run_even_without_memory(struct wrap *wrap);
/* Runs the command and has it judged: the status. */
int run_and_judge(struct wrap *wrap);
/* Runs a command that may end before its compiler does, without judging: the status. */
int run_detached(struct wrap *wrap);
/* Becomes the command, of which there is nothing to judge; returns only when it cannot be started: the status. */
int run_instead(struct wrap *wrap);

/* The work of the process that judges (struct process_work), with the wrap as context. */
void judge_prepare(void *wrap);
int judge_finish(void *wrap, struct str messages);
void judge_orphaned(void *wrap);

/* What names the compile in messages and in the record. */
struct str record_name(const struct wrap *wrap);
/* Adds to the records what is known from the command line; before they are judged. */
void record_complete(const struct wrap *wrap, struct model *model);
/* Writes the records beside the objects; false: one is missing or incomplete, which was told. */
bool record_write(struct session *session, const struct wrap *wrap);

/* Notes in the log whether ptxas ran, and whether it was asked to speak of every kernel. */
void judgeable_note(const struct wrap *wrap, struct log_info *log);
/* Neither messages nor a file: what ran was another command, or a script that ignores its arguments. */
bool judgeable_is_absent(const struct wrap *wrap, const struct log_info *log);
/* Device code was made whose messages did not arrive, as when a script in front of the compiler redirects them. */
bool judgeable_is_unheard(const struct wrap *wrap, const struct log_info *log);

/* A path of line information as the command line gives it, else from the working directory where it lies below that. */
uint32_t source_path(const struct wrap *wrap, struct model *model, uint32_t path);
/* The same for all places in machine code. */
void source_lines_shorten(const struct wrap *wrap, struct model *model);
/* Compiles once more for the lines of spills that the object does not have; once it is judged. */
void source_lines_find(struct wrap *wrap);

/* `wrap --install-shim DIR`: the status. */
int install_shim(struct wrap *wrap);

#endif
