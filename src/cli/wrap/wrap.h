/* wrap: declarations that the files of `wrap` share. */
#pragma once

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
    MOST_SECONDS = 60,           /* for preparing, and for judging; a large translation unit needs a thousandth */
    MOST_RECOMPILE_SECONDS = 600 /* for the second compile, in addition to ten times the time of the first */
};
#endif

struct wrap_settings {
    struct settings common;
    struct str install_shim; /* the folder to make; empty: not given */
    bool keep_output, record_only, no_verbose, no_remarks, no_hook;
    int passthrough; /* enum passthrough */
    int where;       /* enum where */
};

/* When to compile the source a second time to find the source lines of spills and local arrays. */
enum where { WHERE_AUTO /* if a finding on the kernel fails */, WHERE_ALWAYS, WHERE_NEVER };

struct wrap {
    struct arena arena;
    const struct wrap_settings *settings;
    struct invocation invocation;
    struct compiler_features features; /* as probed; not set if no probe was necessary */
    const char **words;                /* the command to run; NULL after the last word */
    size_t count;
    bool remarks;        /* only `wrap` asked the compiler for remarks, not the user */
    struct str unjudged; /* why the command's results are not judged; empty: they are judged */
    struct str key;      /* of the marks around the messages of ptxas, if the hook runs; else empty */
    struct diags *diags;
    struct output_tee output_tee;
    struct worker linter; /* the worker process that judges */
    /* Members of the worker process that judges: */
    time_t begun; /* when the command began, in seconds of the monotonic clock */
    struct session session;
    bool prepared; /* configuration, rules and baseline are loaded */
};

/* Reads the command: finds the compiler's word and the outputs. Returns status 0, or the status if the command cannot
 * run. */
int compiler_command_read(struct wrap *wrap);
/* Adds the options that make the compiler print the values that are judged. */
void compiler_command_add_options(struct wrap *wrap);

/* From here on, if memory runs out, the compiler runs without being judged. */
void run_even_without_memory(struct wrap *wrap);
/* Runs the command and judges its results; returns the exit status. */
int run_and_judge(struct wrap *wrap);
/* Runs a command that may end before its compiler does, without judging; returns the exit status. */
int run_detached(struct wrap *wrap);
/* Replaces this process with the command, if there is nothing to judge. Returns only if the command cannot be started;
 * then the exit status. */
int run_replacing_self(struct wrap *wrap);

/* The functions of the worker process that judges (struct process_work). `wrap` is the context. */
void judge_prepare(void *wrap);
int judge_finish(void *wrap, struct str messages);
void judge_orphaned(void *wrap);

/* The name of the compile in messages and in the record. */
struct str record_name(const struct wrap *wrap);
/* Adds the information from the command line to the records. Call it before they are judged. */
void record_complete(const struct wrap *wrap, struct model *model);
/* Writes the records beside the objects. Returns false if one is missing or incomplete; a diagnostic reports that. */
bool record_write(struct session *session, const struct wrap *wrap);

/* Sets in the log whether ptxas ran, and whether it was asked to print resources of every kernel. */
void judgeable_note(const struct wrap *wrap, struct log_info *log);
/* True if there are neither messages nor an output file: another command ran, or a script that ignores its
 * arguments. */
bool judgeable_made_nothing(const struct wrap *wrap, const struct log_info *log);
/* True if device code was made but its messages did not arrive, for example because a script redirects them. */
bool judgeable_lost_messages(const struct wrap *wrap, const struct log_info *log);

/* A path of line information in the form of the command line; else relative to the working directory, if the file is
 * below it. */
uint32_t source_path(const struct wrap *wrap, struct model *model, uint32_t path);
/* Changes the paths of all places in machine code in the same way. */
void source_lines_shorten(const struct wrap *wrap, struct model *model);
/* Compiles a second time to find the source lines of spills that the object does not have. Call it after judging. */
void source_lines_find(struct wrap *wrap);

/* Runs `wrap --install-shim DIR`; returns the exit status. */
int install_shim(struct wrap *wrap);
