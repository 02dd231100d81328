/*
 * fatbin: the container in which nvcc puts one cubin or PTX text per architecture. Its layout is not documented; what
 * stands here was read off files that nvcc 13.0 made in all its compression modes. A region of a file can hold several
 * containers, one behind the other.
 */
#ifndef NVCC_FATBIN_H
#define NVCC_FATBIN_H

#include "nvcc/decompress.h"
#include "nvcc/region.h"

#define FATBIN_MAGIC "\x50\xed\x55\xba"

enum fatbin_kind { FATBIN_PTX = 1, FATBIN_CUBIN = 2 };

struct fatbin_entry {
    uint16_t kind;       /* enum fatbin_kind, or another one */
    uint32_t arch;       /* 90 for sm_90 */
    const char *variant; /* "a", "f" or "" */
    enum packing packing;
    uint64_t offset; /* of the payload in the file */
    uint64_t size;   /* bytes there */
    uint64_t length; /* bytes when unpacked */
};

struct fatbin_walk {
    struct region region;
    uint64_t container_end; /* 0: between containers */
    const char *wrong;      /* after REGION_BROKEN: what was found, as a clause */
};

/* The next entry of the region. After REGION_BROKEN region.at says where. */
enum region_step fatbin_next(struct fatbin_walk *walk, struct fatbin_entry *entry);

/* Reads the payload of the entry, unpacked, into *out (cleared first). NULL, or what is wrong as a clause. */
const char *fatbin_read(const struct fatbin_walk *walk, const struct fatbin_entry *entry, struct buf *out);

#endif
