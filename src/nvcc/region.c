#define _POSIX_C_SOURCE 200809L /* pread */
#include "nvcc/region.h"

#include <errno.h>
#include <unistd.h>

static int failed; /* errno */

void region_note_error(int error)
{
    failed = error;
}

int region_error(void)
{
    int error = failed;
    failed = 0;
    return error;
}

bool region_read(int fd, uint64_t offset, void *into, size_t size)
{
    char *to = into;
    while (size) {
        if (offset > INT64_MAX)
            return false;
        ssize_t got = pread(fd, to, size, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            failed = errno;
        if (got <= 0)
            return false;
        to += got;
        offset += (uint64_t)got;
        size -= (size_t)got;
    }
    return true;
}

uint64_t little_endian(const void *bytes, size_t count)
{
    const unsigned char *digits = bytes;
    uint64_t value = 0;
    while (count--)
        value = value << 8 | digits[count];
    return value;
}
