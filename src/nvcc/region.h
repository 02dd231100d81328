/* region: a part of a file, the numbers that stand in it, and what went wrong with reading it. */
#ifndef NVCC_REGION_H
#define NVCC_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct region {
    int fd;
    uint64_t at, end; /* offsets in the file */
};

/* Reads exactly `size` bytes at `offset`; false when the file has fewer, or cannot be read. */
bool region_read(int fd, uint64_t offset, void *into, size_t size);

/* What the next thing of a region is: read, not there, or broken. */
enum region_step { REGION_NEXT, REGION_END, REGION_BROKEN };

/* Moves to the next header of `size` bytes, 8 or more, that does not begin with 8 zeros, and reads it: containers stand
 * at multiples of 8, with zeros between them. After REGION_BROKEN the file is shorter than the region. */
enum region_step region_next(struct region *region, void *header, size_t size);

/* The errno of a read that has failed since this was last asked, 0: none. What looks broken may be whole then. */
int region_error(void);
void region_note_error(int error); /* by who reads without region_read */

static inline bool region_lies_in(uint64_t at, uint64_t bytes, uint64_t size)
{
    return at <= size && bytes <= size - at;
}

/* The number that stands in `count` bytes, at most 8, the least significant first. */
uint64_t little_endian(const void *bytes, size_t count);

#endif
