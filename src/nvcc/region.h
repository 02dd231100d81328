/* region: a part of a file, numbers in it, and errors in reading it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct region {
    int fd;
    uint64_t at, end; /* offsets in the file */
};

/* Reads exactly `size` bytes at `offset`; false if the file has fewer bytes, or cannot be read. */
bool region_read(int fd, uint64_t offset, void *into, size_t size);

/* The next item of a region was read, there is none, or the region is broken. */
enum region_step { REGION_NEXT, REGION_END, REGION_BROKEN };

/* Moves to the next header and reads it. A header has `size` bytes, 8 or more, and does not begin with 8 zeros:
 * containers begin at multiples of 8, with zeros between them. REGION_BROKEN: the file is shorter than the region. */
enum region_step region_next(struct region *region, void *header, size_t size);

/* The errno of a read that has failed since the last call, 0: none. If there is one, data that look broken may be
 * intact. */
int region_error(void);
void region_note_error(int error); /* for code that reads without region_read */

static inline bool region_lies_in(uint64_t at, uint64_t bytes, uint64_t size)
{
    return at <= size && bytes <= size - at;
}

/* The number in `count` bytes, at most 8, least significant byte first. */
uint64_t little_endian(const void *bytes, size_t count);
