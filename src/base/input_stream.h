/*
 * input_stream: a file that is read from front to end, in blocks of any size. Text in UTF-16 with a byte order mark,
 * which Windows PowerShell writes, is given as UTF-8; what is compressed is refused.
 */
#ifndef BASE_INPUT_STREAM_H
#define BASE_INPUT_STREAM_H

#include "base/diag.h"

/* What a path may lead to. Nobody but the user names a pipe or a device: what is found in a folder, or named in a file,
 * is a regular file. */
enum input_allowed { INPUT_REGULAR, INPUT_ANY };

enum input_kind { INPUT_NEW, INPUT_BYTES, INPUT_UTF16LE, INPUT_UTF16BE, INPUT_COMPRESSED };

struct input_stream {
    struct str path; /* as given; must outlive the source */
    int fd;
    int error; /* errno of a failed read; 0: none */
    enum input_kind kind;
    const char *decompress; /* the command that unpacks it; NULL: it is not compressed */
    unsigned char held[16]; /* bytes that were read and not given yet */
    size_t held_len;
};

/* Of data that begin like this, compressed or a zip: the command that unpacks them; NULL: they are neither. */
const char *input_decompress(struct str head);

/* INPUT_ANY: "-" is standard input. A named pipe gets ten seconds until a process opens it for writing; then
 * it is read to its end, however long that takes. */
bool input_stream_open(struct input_stream *source, struct str path, enum input_allowed allowed, struct diags *diags);
/* The descriptor of a regular file; -1 with errno (EINVAL: it is something else, which was not opened). */
int input_stream_open_regular(const char *path);
/* At most `room` bytes, which are 64 at least; 0 at the end and after an error. */
size_t input_stream_read(struct input_stream *source, char *into, size_t room);
bool input_stream_close(struct input_stream *source,
                        struct diags *diags); /* false with a diagnostic when reading failed */

#endif
