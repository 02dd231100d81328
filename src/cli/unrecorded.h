/* unrecorded: objects of a build that `wrap` did not compile. */
#ifndef CLI_UNRECORDED_H
#define CLI_UNRECORDED_H

#include "base/file.h"
#include "log/model.h"

/*
 * Adds the objects, cubins and fat binaries below the folder that hold device code and have no record. `records`:
 * sorted paths, of those below the folder; `codes`: what their objects are known by (object_stamp), which are sorted
 * here. Left out: copies of recorded objects, what nvcc keeps of its steps (--keep), and what CMake and Meson compiled
 * to try the compiler. The paths live in the arena.
 */
void unrecorded_find(struct str folder, const struct path_list *records, struct str_list *codes,
                     struct str_list *unrecorded, struct arena *arena);

/* Leaves out device links of which the model has the outcome: nvlink's lines, or the linked code of a binary. Call it
 * after model_link. */
void unrecorded_leave_linked(struct str_list *unrecorded, const struct model *model);

/* CMake links device code here, without its launcher. */
bool unrecorded_is_link_of_cmake(struct str object);

/* Warns of the objects. True: there are none. */
bool unrecorded_warn(const struct str_list *unrecorded, struct diags *diags);

#endif
