/* intern: stores each distinct byte string once and identifies it by a small number. Strings live as long as the
 * table. */
#pragma once

#include "base/buf.h"
#include "base/mem.h"

#define INTERN_NONE UINT32_MAX /* "no string" */

struct intern {
    struct arena arena;  /* owns the bytes */
    struct str *strings; /* by number; each has a NUL after its last byte */
    struct intern_slot {
        uint32_t number, hash; /* number + 1, 0: free slot; low half of the hash */
    } * slots;                 /* open addressing */
    size_t count, cap, slot_count;
};

uint32_t intern_add(struct intern *table, struct str s);            /* the number of s, which is added if new */
uint32_t intern_take(struct intern *table, struct buf *text);       /* the same for a text, which is freed */
uint32_t intern_find(const struct intern *table, struct str s);     /* the number of s, or INTERN_NONE */
struct str intern_get(const struct intern *table, uint32_t number); /* INTERN_NONE gives the empty slice */
void intern_free(struct intern *table);

/* Two numbers as a string: a key of both. Valid until the end of the block. */
#define INTERN_PAIR(a, b) ((struct str){(const char *)(const uint32_t[]){(a), (b)}, 2 * sizeof(uint32_t)})
