/*
 * missing: finds what the base of a comparison has and the head has no record of: an architecture, a source, an object
 * of a source, or an architecture of a source.
 */
#pragma once

#include "base/str.h"

struct comparison;
struct kernel_metrics;

enum missing_kind {
    MISSING_ARCH,
    MISSING_SOURCE, /* a whole file */
    MISSING_OBJECT, /* of a source that is compiled to several objects, see variants.h */
    MISSING_TARGET, /* an architecture of a source that has other architectures; other sources have this one */
};
const char *missing_kind_name(enum missing_kind kind); /* "architecture" "source" "object" "architecture" */
struct missing {
    struct str name, source; /* the source of an object or a target */
    enum missing_kind kind;
    uint32_t entries; /* of the base */
};

struct missing_list {
    struct missing *items;
    size_t count, cap;
};

/* has: returns true if the location of a source is known: it is a file of the checkout, or a file outside of it. */
struct known_places {
    bool (*has)(void *context, struct str source);
    void *context;
};

/* Fills comparison.missing and comparison.moved, and marks the pairs of moved kernels. Call it after rename_join and
 * family_find, for a whole build only. places: NULL if no location is known. */
void missing_find(struct comparison *comparison, const struct known_places *places);

/* True if the build has no kernel of the file of the entry any more, and some of its kernels are in other files now. */
bool missing_is_file_gone(const struct comparison *comparison, const struct kernel_metrics *entry);
