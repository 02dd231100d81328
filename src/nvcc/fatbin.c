#include "nvcc/fatbin.h"

#include <string.h>

enum {
    CONTAINER_BYTES = 16, /* u32 magic, u16 version, u16 header size, u64 bytes after the header */
    ENTRY_BYTES = 64,     /* of an entry's header; entries for sm_100 and later have longer headers */
    FLAG_LZ4 = 0x2000,
    FLAG_ZSTD = 0x8000,
    FLAG_ARCH_SPECIFIC = 0x100000, /* sm_90a */
    FLAG_FAMILY = 0x200000,        /* sm_100f */
};

static enum region_step broken(struct fatbin_walk *walk, const char *what)
{
    walk->wrong = what;
    return REGION_BROKEN;
}

static enum region_step open_container(struct fatbin_walk *walk)
{
    unsigned char head[CONTAINER_BYTES];
    struct region *region = &walk->region;
    enum region_step step = region_next(region, head, sizeof head);
    walk->wrong = "the file ends where a fat binary should be";
    if (step != REGION_NEXT)
        return step;
    uint64_t header = little_endian(head + 6, 2), size = little_endian(head + 8, 8), left = region->end - region->at;
    if (memcmp(head, FATBIN_MAGIC, 4) != 0)
        return broken(walk, "no fat binary starts here");
    if (header < CONTAINER_BYTES || header > left || size > left - header)
        return broken(walk, "a fat binary that is longer than its section");
    region->at += header;
    walk->container_end = region->at + size;
    return REGION_NEXT;
}

static const char *variant(uint64_t flags)
{
    if (flags & FLAG_ARCH_SPECIFIC)
        return "a";
    return flags & FLAG_FAMILY ? "f" : "";
}

static enum packing packing(uint64_t flags)
{
    if (flags & FLAG_ZSTD)
        return PACKING_ZSTD;
    return flags & FLAG_LZ4 ? PACKING_LZ4 : PACKING_NONE;
}

/* u16 kind, u16 version, u32 header size, u64 size with padding, u32 packed size, .. 28: u32 arch, .. 40: u64 flags,
 * .. 56: u64 unpacked size */
static enum region_step read_entry(struct fatbin_walk *walk, struct fatbin_entry *entry)
{
    unsigned char head[ENTRY_BYTES];
    struct region *region = &walk->region;
    uint64_t left = walk->container_end - region->at;
    if (left < sizeof head || !region_read(region->fd, region->at, head, sizeof head))
        return broken(walk, "an entry of a fat binary that is cut off");
    uint64_t header = little_endian(head + 4, 4), padded = little_endian(head + 8, 8),
             packed = little_endian(head + 16, 4);
    uint64_t flags = little_endian(head + 40, 8);
    if (header < sizeof head || header > left || padded > left - header || packed > padded)
        return broken(walk, "an entry of a fat binary that is longer than the fat binary");
    *entry = (struct fatbin_entry){
        .kind = (uint16_t)little_endian(head, 2),
        .arch = (uint32_t)little_endian(head + 28, 4),
        .variant = variant(flags),
        .packing = packing(flags),
        .offset = region->at + header,
        .size = packed ? packed : padded,
    };
    entry->length = entry->packing == PACKING_NONE ? entry->size : little_endian(head + 56, 8);
    region->at += header + padded;
    return REGION_NEXT;
}

enum region_step fatbin_next(struct fatbin_walk *walk, struct fatbin_entry *entry)
{
    while (walk->container_end == 0 || walk->region.at >= walk->container_end) {
        enum region_step step = open_container(walk);
        if (step != REGION_NEXT)
            return step;
    }
    return read_entry(walk, entry);
}

const char *fatbin_read(const struct fatbin_walk *walk, const struct fatbin_entry *entry, struct buf *out)
{
    buf_clear(out);
    if (entry->size > DECOMPRESS_LIMIT || entry->length > DECOMPRESS_LIMIT)
        return "a payload of more than 512 MiB";
    if (entry->size == 0)
        return "a payload without bytes";
    SCOPED(buf) packed = {0};
    struct buf *raw = entry->packing == PACKING_NONE ? out : &packed;
    if (!region_read(walk->region.fd, entry->offset, buf_room(raw, (size_t)entry->size), (size_t)entry->size))
        return "a payload that is cut off";
    raw->len = (size_t)entry->size;
    bool ok =
        entry->packing == PACKING_NONE || decompress(entry->packing, buf_str(&packed), (size_t)entry->length, out);
    return ok ? NULL : "a compressed payload that does not unpack";
}
