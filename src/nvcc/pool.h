/*
 * pool: commands that run in parallel, each in its own process group, without standard input, without the environment's
 * options for nvcc, and with its messages in a file. These files and others are in a private folder that nobody else
 * uses. The folder is removed on every way out, also when memory runs out.
 *
 * While there is a pool, the signals that would end this process are blocked. They end the commands, and then, in
 * pool_end, this process itself, once its files are removed.
 */
#pragma once

#include "base/diag.h"
#include "nvcc/process.h"

#include <signal.h>
#include <sys/types.h>
#include <time.h>

struct job {
    const char *const *words; /* ends with NULL */
    const char *output_path;  /* the file that is created for both output streams of the command */
    struct process_end end;   /* valid if done */
    pid_t pid;                /* 0: it does not run */
    bool done;                /* it has ended */
};

struct pool {
    const char *folder;      /* the private folder; NULL: it could not be created */
    sigset_t before, waited; /* the previous signal mask; the signals that are waited for */
    struct sigaction child;  /* the previous action for SIGCHLD */
    int interrupted;         /* the signal that ended the commands; 0: none */
    time_t most_seconds;     /* time limit for all jobs together; 0: no limit */
    bool expired;            /* the jobs exceeded the limit and were ended */
};

/* The jobs may take most_seconds together; 0: no limit. Only one pool may exist at a time; the arena must outlive it.
 * False with a diagnostic if there is no folder. Call pool_end afterwards in any case. */
bool pool_begin(struct pool *pool, time_t most_seconds, struct arena *arena, struct diags *diags);

/*
 * Runs the jobs that are not done, in their order, at most `most` at once. If one fails, no more are started, those
 * that run are ended, and the result is false; the same happens after a signal and at the time limit. progress is
 * called repeatedly with the number of jobs done; it may be NULL.
 */
bool pool_run(struct pool *pool, struct job *jobs, size_t count, size_t most,
              void (*progress)(void *context, size_t done), void *context);

/* Runs one command as pool_run does, and appends its output to *output, at most 256 MiB. Returns its exit status, or -1
 * if the status or the output is unknown. output may be NULL. */
int pool_ask(struct pool *pool, const char *const *words, struct buf *output);

/* Removes the folder and restores the signals. If a signal interrupted the pool, this process ends here. */
void pool_end(struct pool *pool);
