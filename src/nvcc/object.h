/* object: what a file of the build holds. */
#ifndef NVCC_OBJECT_H
#define NVCC_OBJECT_H

#include "base/buf.h"

#include <stdbool.h>

/* The section of that name holds device code: `.nv_fatbin` such that can run, `__nv_relfatbin` such that waits for
 * nvlink. */
bool object_is_device_code(struct str section);

/*
 * The file is a relocatable ELF object with a section of device code. Everything else is not, whatever it holds: other
 * files, broken headers. Only headers and names are read.
 */
bool object_has_device_code(const char *path);

/*
 * Appends what the file is known by: "BYTES HASH" of its device code, those sections of an object or a program, which
 * stay as they are when it is copied or stripped; of a file without them, and of a broken one, all of it. Returns 0, or
 * the errno of the call that failed. It reads what it hashes, some GB a second.
 */
int object_stamp(const char *path, struct buf *stamp);

#endif
