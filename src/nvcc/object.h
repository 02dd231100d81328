/* object: the device code in a file of the build. */
#pragma once

#include "base/buf.h"

#include <stdbool.h>

/* A section of that name contains device code: `.nv_fatbin` contains code that can run, `__nv_relfatbin` code that
 * nvlink still has to link. */
bool object_is_device_code(struct str section);

/*
 * The file is a relocatable ELF object with a section of device code. Returns false for all other files, whatever they
 * contain, and for broken headers. Reads only headers and names.
 */
bool object_has_device_code(const char *path);

/*
 * Appends the identity of the file: "BYTES HASH" of its device code, which is in the sections above of an object or a
 * program and does not change when the file is copied or stripped. If the file has no such sections, or is broken,
 * "BYTES HASH" is of the whole file. Returns 0, or the errno of the call that failed. Reads all the bytes that it
 * hashes, some GB per second.
 */
int object_stamp(const char *path, struct buf *stamp);
