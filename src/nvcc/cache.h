/* cache: what is remembered from one run to the next, in the user's cache folder ($XDG_CACHE_HOME, ~/.cache). A cache
 * that cannot be read or written is none. */
#ifndef NVCC_CACHE_H
#define NVCC_CACHE_H

#include "base/mem.h"

/* The folder, made when it is not there; NULL: there is none. */
const char *cache_folder(struct arena *arena);

/* "SIZE SECONDS.NANOSECONDS PATH": it is the same program as long as this is the same. */
struct str cache_identity(const char *path, struct arena *arena);

/* The file becomes the text, whole or not at all (see out_replace). */
void cache_write(const char *file, struct str text);

#endif
