/*
 * source: a file that is read from front to end, in blocks of any size. Text in UTF-16 with a byte order mark, which
 * Windows PowerShell writes, is given as UTF-8; what is compressed is refused.
 */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include "base/diag.h"

enum source_kind { SOURCE_NEW, SOURCE_BYTES, SOURCE_UTF16LE, SOURCE_UTF16BE, SOURCE_COMPRESSED };

struct source {
    struct str path; /* as given; must outlive the source */
    int fd;
    int error; /* errno of a failed read; 0: none */
    enum source_kind kind;
    const char *unpack;     /* the command that unpacks it; NULL: it is not compressed */
    unsigned char held[16]; /* bytes that were read and not given yet */
    size_t held_len;
};

bool source_open(struct source *source, struct str path, struct diags *diags); /* "-" is standard input */
/* At most `room` bytes, which are 64 at least; 0 at the end and after an error. */
size_t source_read(struct source *source, char *into, size_t room);
bool source_close(struct source *source, struct diags *diags); /* false with a diagnostic when reading failed */

#endif
