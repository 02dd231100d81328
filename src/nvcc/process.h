/*
 * process: running the compiler as if nobody stood in between. It inherits everything: standard input and output, every
 * other descriptor, environment, folder, ignored signals. Only its standard error goes through a private pipe, which is
 * read until it ends, so that nothing of ours can block it or break it. Where our standard error is a terminal, that is
 * a private terminal of the same width instead, so that compilers colour as they would have. Where standard output is
 * the same file, pipe or terminal as standard error, it goes the same way: so the order of what is written to the two
 * stays.
 */
#ifndef NVCC_PROCESS_H
#define NVCC_PROCESS_H

#include "base/str.h"

#include <signal.h>
#include <sys/types.h>
#include <time.h>

struct process_end {
    int error; /* errno: it could not be started, or its end is not known; then status and signal are not set */
    bool started;
    int status; /* its exit status */
    int signal; /* the signal that ended it; 0: it exited */
    int unread; /* errno: its standard error could not be read to the end */
};

/* Signals that end a process, and that a build may send to all of its processes. */
enum { ENDING_SIGNALS = 7 };
extern const int ending_signals[ENDING_SIGNALS];

/* Of what waitpid gives. */
struct process_end process_end_of(int wait_status);

/* Waits for a process that was started or forked here. */
struct process_end process_join(pid_t pid);

time_t process_clock(void); /* seconds of a clock that only goes forward */

/* How a process starts. What is not set here it has from this process, without the signals and limits that this process
 * changed for itself. */
struct process_start {
    const char *const *words; /* words[0] is looked up in PATH; NULL ends */
    const sigset_t *mask;     /* blocked signals; NULL: those of this process */
    int error_fd;             /* its standard error; -1: that of this process */
    bool one_stream;          /* its standard output is its standard error */
    bool pipe_ends;           /* SIGPIPE ends it, though it is ignored here */
    bool apart;               /* no standard input, a process group of its own, no options for nvcc in variables */
};

/* All processes are started here. errno or 0. */
int process_start(const struct process_start *start, pid_t *pid);

/*
 * Starts words[0] (looked up in PATH) with the words, which end with NULL, and hands its standard error (and standard
 * output where both are one) to `take` in pieces as they come. When take returns false nobody reads any more: the pipe
 * is closed, and the process gets the SIGPIPE that it would have got from whoever closed our standard error. `started`
 * is called once it runs.
 *
 * Each of ending_signals that is sent to this process is passed on; those that a terminal sends to the whole group
 * reach the other process anyway. Returns when it has ended and its pipe too; a grandchild that keeps the pipe open
 * (the server of a compiler cache) is waited for only while it writes.
 */
struct process_end process_run(const char *const *words, void (*started)(void *context),
                               bool (*take)(void *context, struct str bytes), void *context);

/*
 * Work in a process of its own, so that a fault there ends only that process. It is made while another one runs, and
 * prepares in the shadow of that one; then it waits for what it works on. If this process is killed (SIGKILL) before it
 * has sent the bytes, the worker ends the other process.
 */
struct process_work {
    void (*prepare)(void *context);
    int (*finish)(void *context, struct str bytes); /* its status is what this returns */
    void (*orphaned)(void *context); /* if this process was killed: before any bytes, or after a status that is not 0 */
    void *context;
    unsigned seconds; /* for each of the two; then SIGALRM ends it; one from elsewhere does so only in `finish` */
};

struct worker {
    int pid;   /* 0: there is none */
    int fd;    /* where it gets its bytes */
    int error; /* errno: it could not be made */
};

/* Makes it; to be called from `started` of process_run. */
void process_prepare(struct worker *worker, const struct process_work *work);

/* Lets it finish with the bytes, and waits for it; its status is 125 when they did not reach it whole. A signal that
 * ends this process (see above) is passed on instead and told in *interrupted, 0 if there was none. */
struct process_end process_conclude(struct worker *worker, struct str bytes, int *interrupted);

/* Ends it, where there is one; whatever it prepared is not wanted. */
void process_abandon(struct worker *worker);

/* From here on a limit of file sizes (ulimit -f) fails a write and does not end this process, nor those that it forks.
 * What it starts has the limit as this process found it. */
void process_outlive_size_limit(void);

/* Runs it with everything that this process has, and waits for its end. */
struct process_end process_wait(const char *const *words);

/* Becomes that program. Returns only when it cannot be started: errno. */
int process_become(const char *const *words);

/* Ends this process as the other one ended: with its status, or by the same signal. */
_Noreturn void process_end_like(struct process_end end);

#endif
