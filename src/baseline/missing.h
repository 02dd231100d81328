/*
 * missing: what the base of a comparison expects and the head has no record of at all: an architecture, a source, an
 * object of a source, an architecture of a source.
 */
#ifndef BASELINE_MISSING_H
#define BASELINE_MISSING_H

#include "base/str.h"

struct comparison;

enum missing_kind {
    MISSING_ARCH,
    MISSING_SOURCE, /* a whole file */
    MISSING_OBJECT, /* of a source that several objects are made of, see variants.h */
    MISSING_TARGET, /* an architecture of a source: other sources have it, and this one has others */
};
const char *missing_kind_name(enum missing_kind kind); /* "architecture" "source" "object" "architecture" */
struct missing {
    struct str name, source; /* the source is that of an object or a target */
    enum missing_kind kind;
    uint32_t entries; /* of the base */
};

struct missing_list {
    struct missing *items;
    size_t count, cap;
};

/* Says whether it is known where a source lies: it is a file of the checkout, or lies outside of it. */
struct known_places {
    bool (*has)(void *context, struct str source);
    void *context;
};

/* Finds what is missing and moved, once kernels were joined and families found; the head is a whole build. places:
 * NULL: none is known. */
void missing_find(struct comparison *comparison, const struct known_places *places);

#endif
