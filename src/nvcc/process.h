/*
 * process: runs the compiler as if no other program were in between. The compiler inherits everything: standard input
 * and output, every other descriptor, environment, folder, ignored signals. Only its standard error goes through a
 * private pipe, which is read until it ends, so that nothing of ours can block or break it. If our standard error is a
 * terminal, a private terminal of the same width is used instead of the pipe, so that compilers use colours as they
 * would without us. If standard output is the same file, pipe or terminal as standard error, it goes through the same
 * pipe, so the order of what is written to the two stays the same.
 */
#pragma once

#include "base/str.h"

#include <signal.h>
#include <sys/types.h>
#include <time.h>

struct process_end {
    int error; /* errno: the process could not be started, or its end is unknown; then status and signal are not set */
    bool started;
    int status; /* its exit status */
    int signal; /* the signal that ended it; 0: it exited */
    int unread; /* errno: its standard error could not be read to the end */
};

/* Signals that end a process, and that a build may send to all of its processes. */
enum { ENDING_SIGNALS = 7 };
extern const int ending_signals[ENDING_SIGNALS];

/* Converts a status of waitpid. */
struct process_end process_end_from_status(int wait_status);

/* Waits for a process that was started or forked here. */
struct process_end process_wait_for(pid_t pid);

time_t process_clock(void); /* seconds of a clock that only goes forward */

/* How to start a process. A setting that is not given here is inherited from this process, but without the signals and
 * limits that this process changed for itself. */
struct process_start {
    const char *const *words; /* words[0] is looked up in PATH; NULL ends */
    const sigset_t *mask;     /* blocked signals; NULL: those of this process */
    int error_fd;             /* its standard error; -1: the one of this process */
    bool one_stream;          /* its standard output is the same as its standard error */
    bool pipe_ends;           /* SIGPIPE ends it, although it is ignored in this process */
    bool isolated;            /* no standard input, its own process group, no options for nvcc in the environment */
};

/* Starts a process; process_run, process_run_unfiltered and the pool use it. Returns errno or 0. */
int process_start(const struct process_start *start, pid_t *pid);

/*
 * Starts words[0] (looked up in PATH) with the words, which end with NULL. Hands the process's standard error (and its
 * standard output, if both are the same) to `take`, in pieces as they come. If take returns false, nothing more is
 * read: the pipe is closed, and the process gets the SIGPIPE that it would have got from the reader of our standard
 * error. `started` is called once the process runs.
 *
 * Each of ending_signals that is sent to this process is passed on; signals that a terminal sends to the whole group
 * reach the other process anyway. Returns when the process and its pipe have ended. A grandchild that keeps the pipe
 * open (the server of a compiler cache) is waited for only while it writes.
 */
struct process_end process_run(const char *const *words, void (*started)(void *context),
                               bool (*take)(void *context, struct str bytes), void *context);

/*
 * Work in a separate process, the worker, so that a fault in the work ends only the worker. The worker is created while
 * another process runs, and prepares its work in parallel with it; then it waits for its input. If this process is
 * killed (SIGKILL) before it has sent the input, the worker ends the other process.
 */
struct process_work {
    void (*prepare)(void *context);
    int (*finish)(void *context, struct str bytes); /* its return value is the worker's exit status */
    void (*orphaned)(void *context); /* if this process was killed: before any bytes, or after a status that is not 0 */
    void *context;
    unsigned seconds; /* limit for each of prepare and finish, then SIGALRM ends the worker; a SIGALRM from elsewhere
                         does so only in `finish` */
};

struct worker {
    int pid;   /* 0: there is none */
    int fd;    /* the worker reads its input from the other end */
    int error; /* errno: it could not be created */
};

/* Creates the worker; call it from `started` of process_run. */
void process_start_worker(struct worker *worker, const struct process_work *work);

/* Sends the bytes to the worker and waits for its end. Its status is 125 if the bytes did not arrive completely. A
 * signal that ends this process (see above) is passed on to the worker instead, and *interrupted is that signal; 0 if
 * there was none. */
struct process_end process_finish_worker(struct worker *worker, struct str bytes, int *interrupted);

/* Ends the worker, if there is one; what it prepared is dropped. */
void process_kill_worker(struct worker *worker);

/* From here on a limit of file sizes (ulimit -f) makes a write fail and does not end this process, nor those that it
 * forks. For programs that it starts, the limit acts as this process found it. */
void process_outlive_size_limit(void);

/* Runs a program that inherits everything from this process, and waits for its end. */
struct process_end process_run_unfiltered(const char *const *words);

/* Replaces this process by that program. Returns only if the program cannot be started: errno. */
int process_become(const char *const *words);

/* Ends this process in the same way as the other one ended: with its status, or by the same signal. */
_Noreturn void process_end_like(struct process_end end);
