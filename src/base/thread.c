#define _POSIX_C_SOURCE 200809L
#include "base/thread.h"

#include <signal.h>
#include <unistd.h>

enum { MOST_THREADS = 64, MOST_BY_ITSELF = 4 };

unsigned threads_to_use(unsigned asked)
{
    long cores = asked ? (long)asked : sysconf(_SC_NPROCESSORS_ONLN);
    long most = asked ? MOST_THREADS : MOST_BY_ITSELF;
    return (unsigned)(cores < 1 ? 1 : cores > most ? most : cores);
}

bool thread_start(pthread_t *thread, void *(*work)(void *context), void *context)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(thread, NULL, work, context) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}
