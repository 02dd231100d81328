/*
 * pool: commands that run at once, each in a process group of its own, without standard input and without the options
 * for nvcc that the environment has, their messages in files. Theirs and other files are in a private folder that
 * nobody else sees, removed on every way out: also when memory runs out.
 * While there is a pool, the signals that would end this process wait: they end the commands, and then this process
 * itself, in pool_end, once its files are gone.
 */
#ifndef NVCC_POOL_H
#define NVCC_POOL_H

#include "base/diag.h"
#include "nvcc/process.h"

#include <signal.h>
#include <sys/types.h>
#include <time.h>

struct job {
    const char *const *words; /* NULL ends */
    const char *said;         /* the file that is made for both of its streams */
    struct process_end end;   /* once it has ended */
    pid_t pid;                /* while it runs, else 0 */
    bool done;                /* it has ended */
};

struct pool {
    const char *folder;      /* the private one; NULL: it could not be made */
    sigset_t before, waited; /* the mask as it was; the signals that are waited for */
    struct sigaction child;  /* as it was */
    int interrupted;         /* the signal that ended the commands; 0: none */
    time_t most_seconds;     /* that all jobs together may take; 0: no limit */
    bool expired;            /* they took longer, and were ended */
};

/* The jobs may take so many seconds together; 0: there is no limit. One pool at a time; the arena must outlive it.
 * False with a diagnostic: there is no folder. To be followed by pool_end in any case. */
bool pool_begin(struct pool *pool, time_t most_seconds, struct arena *arena, struct diags *diags);

/*
 * Runs the jobs that are not done, in their order, at most `most` at once. When one fails, no more are started and
 * those that run are ended: false; so too after a signal, and at the limit of time. progress is called now and then,
 * with how many are done; it may be NULL.
 */
bool pool_run(struct pool *pool, struct job *jobs, size_t count, size_t most,
              void (*progress)(void *context, size_t done), void *context);

/* Runs one command, as pool_run does, with what it says appended to *said, at most 256 MiB: its exit status, or -1
 * where that or what it said is not known. said may be NULL. */
int pool_ask(struct pool *pool, const char *const *words, struct buf *said);

/* Removes the folder. Signals act again; one that interrupted ends this process here. */
void pool_end(struct pool *pool);

#endif
