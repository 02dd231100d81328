/*
 * process: running the compiler as if nobody stood in between. It inherits everything: standard input and output, every
 * other descriptor, environment, folder, ignored signals. Only its standard error goes through a private pipe, which is
 * read until it ends, so that nothing of ours can block it or break it. Where our standard error is a terminal, that is
 * a private terminal of the same width instead, so that compilers colour as they would have.
 */
#ifndef NVCC_PROCESS_H
#define NVCC_PROCESS_H

#include "base/str.h"

struct process_end {
    int error;  /* errno: it could not be started; then nothing else is set */
    int status; /* its exit status */
    int signal; /* the signal that ended it; 0: it exited */
};

/*
 * Starts words[0] (looked up in PATH) with the words, which end with NULL, and hands its standard error to `take` in
 * pieces as they come. When take returns false nobody reads any more: the pipe is closed, and the process gets the
 * SIGPIPE that it would have got from whoever closed our standard error.
 *
 * HUP, INT, QUIT, TERM, USR1 and USR2 that are sent to this process are passed on; those that a terminal sends to the
 * whole group reach the other process anyway. Returns when it has ended and its pipe too; a grandchild that keeps the
 * pipe open (the server of a compiler cache) is waited for only while it writes.
 */
struct process_end process_run(const char *const *words, bool (*take)(void *context, struct str bytes), void *context);

/*
 * Does `work` in a process of its own, so that a fault there ends only that process. Its status is what work returns,
 * or its end by a signal; SIGALRM after `seconds`. A signal that ends this process (see above) is passed on instead and
 * told in *interrupted, 0 if there was none.
 */
struct process_end process_apart(int (*work)(void *context), void *context, unsigned seconds, int *interrupted);

/* Becomes that program. Returns only when it cannot be started: errno. */
int process_become(const char *const *words);

/* Ends this process as the other one ended: with its status, or by the same signal. */
_Noreturn void process_end_like(struct process_end end);

#endif
