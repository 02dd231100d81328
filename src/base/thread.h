/* thread: help from other threads, where the machine has cores for them and nobody forbids it. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* At most so many threads, the caller's included. asked 0: as many as there are cores, up to 4. */
unsigned threads_to_use(unsigned asked);

/* The thread takes no signals: they are the program's. False: none could be started. */
bool thread_start(pthread_t *thread, void *(*work)(void *context), void *context);

#endif
