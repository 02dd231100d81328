/*
 * package: a distribution file (.whl, .zip, .conda, .deb, .tar, also compressed) as a sequence of members. Only
 * package.c uses libarchive. Nothing is extracted: a member's name is never used as a path, links are not followed, and
 * the bytes of a member go to a temporary file without a name, which disappears when the process ends.
 */
#pragma once

#include "base/str.h"
#include "nvcc/region.h"

struct package;

struct package_member {
    struct str name;    /* as stored, any bytes; valid until the next package_next */
    struct str head;    /* its first bytes, at most PACKAGE_HEAD; empty: not a regular file, or an empty one */
    const char *unread; /* a clause that says why its bytes cannot be read; NULL: they can */
};
enum { PACKAGE_HEAD = 512 };

/* The bytes begin like a package. `head`: the first PACKAGE_HEAD bytes, or all if there are fewer. A file that is
 * merely compressed may be something else: package_open finds out. */
bool package_begins(struct str head);

/* NULL if the file is not a package or cannot be read. The descriptor is read from its start and must outlive the
 * package. *budget: bytes that may still be decompressed, at least 1 MiB; it must outlive the package too. */
struct package *package_open(int fd, uint64_t *budget);
/* Opens the last member of `outer` as a package. Close it before the next package_next of `outer`. */
struct package *package_open_inner(struct package *outer);
void package_close(struct package *package);

/* After REGION_BROKEN, package_wrong describes the error, and the rest of the package cannot be read. */
enum region_step package_next(struct package *package, struct package_member *member);
const char *package_wrong(const struct package *package);

/* Returns the descriptor of a temporary file with the bytes of the last member. The package owns the file and
 * overwrites it. -1 if the bytes cannot be read; package_wrong is then a clause that gives the reason. */
int package_copy(struct package *package);
