/*
 * stream: standard error where another program's text goes the same way as ours. A message of ours that follows a line
 * without an end begins a new line.
 */
#ifndef BASE_STREAM_H
#define BASE_STREAM_H

#include "base/str.h"

/* Both are open for writing, to the same file, pipe or terminal. */
bool stream_same(int fd, int other);

/* The processes that we fork from here on and this one know of each other's output. Without memory they do not. */
void stream_share(void);

/* Bytes of another program went to standard error. */
void stream_note(struct str bytes);

/* To be called before a text of ours is written to fd: ends the line of the other program there. Cannot fail. */
void stream_begin_line(int fd);

/* Opens a file, also when a signal interrupts it; programs that are started do not have the descriptor, which is never
 * a controlling terminal. -1 with errno. */
int stream_open(const char *path, int flags, int mode);

/* Writes all of the bytes, also when a signal interrupts it, and waits for a reader that is slower (O_NONBLOCK). False
 * with errno. */
bool stream_write(int fd, const void *bytes, size_t length);

/* A text of ours to standard error, at once and without memory. What cannot be written is not said. */
void stream_say(struct str text);

#endif
