#include "nvcc/offload.h"

#include <string.h>

enum {
    VERSION = 1,
    HEADER_BYTES = 32, /* magic, u32 version, u64 bytes of all, u64 offset of the entry, u64 bytes of the entry */
    ENTRY_BYTES = 40,  /* u16 kind, u16 producer, u32 flags, u64 strings, u64 count of strings, u64 image, u64 bytes */
};

enum region_step offload_next(struct region *region, struct region *image, const char **wrong)
{
    unsigned char head[HEADER_BYTES], entry[ENTRY_BYTES];
    enum region_step step = region_next(region, head, sizeof head);
    *wrong = "the file ends where an offloading image should be";
    if (step != REGION_NEXT)
        return step;
    uint64_t size = little_endian(head + 8, 8), entry_at = little_endian(head + 16, 8);
    *wrong = "no offloading image of version 1 starts here";
    if (memcmp(head, OFFLOAD_MAGIC, 4) != 0 || little_endian(head + 4, 4) != VERSION)
        return REGION_BROKEN;
    *wrong = "an offloading image that is longer than its section";
    if (size < HEADER_BYTES || size > region->end - region->at || !region_lies_in(entry_at, ENTRY_BYTES, size) ||
        !region_read(region->fd, region->at + entry_at, entry, sizeof entry))
        return REGION_BROKEN;
    uint64_t at = little_endian(entry + 24, 8), bytes = little_endian(entry + 32, 8);
    if (!region_lies_in(at, bytes, size))
        return REGION_BROKEN;
    *image = (struct region){region->fd, region->at + at, region->at + at + bytes};
    region->at += size;
    return REGION_NEXT;
}
