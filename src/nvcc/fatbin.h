/*
 * fatbin: the container in which nvcc puts one cubin or PTX text per architecture. Its layout is not documented; the
 * layout here was determined from files that nvcc 13.0 made in all its compression modes. A region of a file can
 * contain several containers, one after the other.
 */
#pragma once

#include "nvcc/decompress.h"
#include "nvcc/region.h"

#define FATBIN_MAGIC "\x50\xed\x55\xba"

enum fatbin_kind { FATBIN_PTX = 1, FATBIN_CUBIN = 2 };

struct fatbin_entry {
    uint16_t kind;       /* enum fatbin_kind, or another value */
    uint32_t arch;       /* 90 for sm_90 */
    const char *variant; /* "a", "f" or "" */
    enum packing packing;
    uint64_t offset; /* of the payload in the file */
    uint64_t size;   /* bytes of the payload in the file */
    uint64_t length; /* bytes of the decompressed payload */
};

struct fatbin_walk {
    struct region region;
    uint64_t container_end; /* end of the current container; 0: none was opened yet */
    const char *wrong;      /* after REGION_BROKEN: a clause that describes the error */
};

/* The next entry of the region. After REGION_BROKEN, region.at is the position of the error. */
enum region_step fatbin_next(struct fatbin_walk *walk, struct fatbin_entry *entry);

/* Reads the payload of the entry, decompressed, into *out (cleared first). Returns NULL, or a clause that describes the
 * error. */
const char *fatbin_read(const struct fatbin_walk *walk, const struct fatbin_entry *entry, struct buf *out);
