/*
 * input_stream: reads a file from start to end, in blocks of any size. UTF-16 text with a byte order mark, which
 * Windows PowerShell writes, is converted to UTF-8; compressed input is refused.
 */
#pragma once

#include "base/diag.h"

/* Kinds of file that a path may lead to. Only the user may name a pipe or a device; a path that is found in a folder,
 * or named in a file, must lead to a regular file. */
enum input_allowed { INPUT_REGULAR, INPUT_ANY };

enum input_kind { INPUT_NEW, INPUT_BYTES, INPUT_UTF16LE, INPUT_UTF16BE, INPUT_COMPRESSED };

struct input_stream {
    struct str path; /* as given; must outlive the stream */
    int fd;
    int error;           /* errno of a failed read; 0: none */
    uint64_t unread;     /* bytes of a regular file that are not read yet, by its size at the start; else 0 */
    bool became_shorter; /* the file ended before that size */
    enum input_kind kind;
    const char *decompress; /* the command that decompresses the file; NULL: it is not compressed */
    unsigned char held[16]; /* bytes that are read from the file but not returned yet */
    size_t held_len;
};

/* For data that begin with `head` and are compressed (or zip): the command that decompresses them; NULL for other
 * data. */
const char *input_decompress(struct str head);

/* With INPUT_ANY, "-" is standard input. Opening a named pipe waits up to ten seconds for a process that opens the pipe
 * for writing; then the pipe is read to its end, without a time limit. */
bool input_stream_open(struct input_stream *source, struct str path, enum input_allowed allowed, struct diags *diags);
/* The descriptor of a regular file; -1 with errno if that fails (EINVAL: not a regular file, and not opened). */
int input_stream_open_regular(const char *path);
/* Reads at most `room` bytes; `room` must be at least 64. Returns 0 at the end and after an error. */
size_t input_stream_read(struct input_stream *source, char *into, size_t room);
/* False with a diagnostic if reading failed, or the file became shorter while it was read. */
bool input_stream_close(struct input_stream *source, struct diags *diags);
