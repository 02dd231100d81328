/* unrecorded: objects of a build that `wrap` did not compile. */
#ifndef CLI_UNRECORDED_H
#define CLI_UNRECORDED_H

#include "base/file.h"
#include "log/model.h"

/* A file with device code. */
struct found_code {
    struct str file;
    struct str stamp; /* what it is known by (object_stamp); empty: it cannot be read */
};
struct found_code_list {
    struct found_code *items;
    size_t count, cap;
};

/*
 * Adds the objects, cubins and fat binaries below the folder that hold device code and have no record beside them. Left
 * out: what nvcc keeps of its steps (--keep), and what CMake and Meson compiled to try the compiler. Paths and stamps
 * live in the arena.
 */
void unrecorded_find(struct str folder, struct found_code_list *found, struct arena *arena);

/* The file of that stamp: a recorded object that was moved after its compile. Empty: there is none. */
struct str unrecorded_with_code(const struct found_code_list *found, struct str stamp);

/* Adds the found files that no record is of. `stamps`: what the objects of the records are known by: those that were
 * copied or moved (installed, taken out of a library) are left out. */
void unrecorded_add(const struct found_code_list *found, const struct intern *stamps, struct str_list *unrecorded);

/* Leaves out device links of which the model has the outcome: nvlink's lines, or the linked code of a binary. Call it
 * after model_link. */
void unrecorded_leave_linked(struct str_list *unrecorded, const struct model *model);

/* CMake links device code here, without its launcher. */
bool unrecorded_is_link_of_cmake(struct str object);

/* There are some, and all are such links. */
bool unrecorded_are_links(const struct str_list *unrecorded);
#define UNRECORDED_LINK_ADVICE                                                                                         \
    "give the program too (--objects PATH), or compile with a shim (`warplint doctor` says how)"

/* Warns of the objects. True: there are none. */
bool unrecorded_warn(const struct str_list *unrecorded, struct diags *diags);

#endif
