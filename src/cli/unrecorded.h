/* unrecorded: objects of a build that `wrap` did not compile. */
#ifndef CLI_UNRECORDED_H
#define CLI_UNRECORDED_H

#include "base/file.h"

/*
 * Adds the objects below the folder that hold device code and have no record. `records`: sorted paths, of those below
 * the folder; `codes`: what their objects are known by (object_stamp), which are sorted here. Left out: copies of
 * recorded objects, what nvcc keeps of a command that links (--keep), and what CMake and Meson compiled to try the
 * compiler. The paths live in the arena.
 */
void unrecorded_find(struct str folder, const struct path_list *records, struct str_list *codes,
                     struct str_list *unrecorded, struct arena *arena);

#endif
