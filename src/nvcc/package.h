/*
 * package: what is shipped (.whl, .zip, .conda, .deb, .tar, also compressed) as a sequence of members. Only its file
 * uses libarchive. Nothing is extracted: a name is only a name, links are not followed, and the bytes of a member go to
 * a temporary file without a name, which is gone when the process ends.
 */
#ifndef NVCC_PACKAGE_H
#define NVCC_PACKAGE_H

#include "base/str.h"
#include "nvcc/region.h"

struct package;

struct package_member {
    struct str name;    /* as stored, any bytes; until the next member is asked for */
    struct str head;    /* its first bytes, at most PACKAGE_HEAD; empty: no regular file, or without bytes */
    const char *unread; /* why its bytes cannot be read, as a clause; NULL: they can */
};
enum { PACKAGE_HEAD = 512 };

/* Bytes that begin like a package do, PACKAGE_HEAD of them or all that there are. What is only compressed may be
 * another file: package_open says so. */
bool package_begins(struct str head);

/* NULL: it is no package, or cannot be read. The descriptor is read from its start and must outlive the package.
 * *budget: bytes that may still be unpacked, at least 1 MiB; it must outlive the package, too. */
struct package *package_open(int fd, uint64_t *budget);
/* The package that the last member of `outer` is. Close it before `outer` is asked for its next member. */
struct package *package_open_inner(struct package *outer);
void package_close(struct package *package);

/* REGION_BROKEN: package_wrong says what is wrong; what follows cannot be read. */
enum region_step package_next(struct package *package, struct package_member *member);
const char *package_wrong(const struct package *package);

/* The descriptor of a temporary file with the bytes of the last member, which the package keeps and overwrites. -1:
 * they cannot be read, package_wrong says why as a clause. */
int package_copy(struct package *package);

#endif
