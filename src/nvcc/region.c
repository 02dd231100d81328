#define _POSIX_C_SOURCE 200809L /* pread */
#include "nvcc/region.h"

#include <errno.h>
#include <unistd.h>

static int failed; /* errno of the last failed read; 0: none */

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

enum region_step region_next(struct region *region, void *header, size_t size)
{
    enum { MOST_PADDING = 1 << 16 }; /* linkers align containers to much less */
    for (uint64_t start = region->at;; region->at += 8) {
        if (region->end - region->at < size || region->at - start > MOST_PADDING)
            return REGION_END;
        if (!region_read(region->fd, region->at, header, size))
            return REGION_BROKEN;
        if (little_endian(header, 8) != 0)
            return REGION_NEXT;
    }
}

uint64_t little_endian(const void *bytes, size_t count)
{
    const unsigned char *digits = bytes;
    uint64_t value = 0;
    while (count--)
        value = value << 8 | digits[count];
    return value;
}
