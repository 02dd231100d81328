/*
 * stream: standard error when another program writes to the same file, pipe or terminal. If that program's last line
 * has no line end, our next message starts on a new line.
 */
#pragma once

#include "base/str.h"

/* Both descriptors are open for writing to the same file, pipe or terminal. */
bool stream_same(int fd, int other);

/* From here on, this process and the processes that it forks share the state of the output line. If memory runs out
 * they do not share it. */
void stream_share(void);

/* Notes bytes that another program wrote to standard error. */
void stream_note(struct str bytes);

/* Call it before a text of ours is written to fd: it ends an unfinished line of the other program there. Cannot
 * fail. */
void stream_begin_line(int fd);

/* Opens a file and retries after a signal. Programs that we start do not inherit the descriptor, and it never becomes a
 * controlling terminal. -1 with errno on failure. */
int stream_open(const char *path, int flags, int mode);

/* Writes all of the bytes: retries after a signal, and waits for a slower reader (O_NONBLOCK). False with errno on
 * failure. */
bool stream_write(int fd, const void *bytes, size_t length);

/* Writes a text of ours to standard error, immediately and without allocating memory. Write errors are ignored. */
void stream_print(struct str text);
