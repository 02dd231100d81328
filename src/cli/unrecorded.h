/* unrecorded: objects of a build that `wrap` did not compile. */
#pragma once

#include "base/file.h"
#include "log/model.h"

/* A file with device code. */
struct found_code {
    struct str file;
    struct str stamp; /* identifies the contents of the file (object_stamp); empty: the file cannot be read */
};
struct found_code_list {
    struct found_code *items;
    size_t count, cap;
};

/*
 * Adds the objects, cubins and fat binaries below the folder that contain device code and have no record beside them.
 * Ignores intermediate files of nvcc (--keep), and files that CMake and Meson compiled to test the compiler. Paths and
 * stamps are in the arena.
 */
void unrecorded_find(struct str folder, struct found_code_list *found, struct arena *arena);

/* The file with this stamp: a recorded object that was moved after its compile. Empty if there is none. */
struct str unrecorded_with_code(const struct found_code_list *found, struct str stamp);

/* Adds the found files that no record describes. `stamps`: those of the objects that have records; files with one of
 * these stamps are copies or moved objects (installed, or extracted from a library) and are ignored. */
void unrecorded_add(const struct found_code_list *found, const struct intern *stamps, struct str_list *unrecorded);

/* Removes device links whose result is in the model: nvlink's lines, or the linked code of a binary. Call it after
 * model_link. */
void unrecorded_leave_linked(struct str_list *unrecorded, const struct model *model);

/* True for the file into which CMake links device code, without using its launcher. */
bool unrecorded_is_link_of_cmake(struct str object);

/* True if the list is not empty and has only such links. */
bool unrecorded_are_links(const struct str_list *unrecorded);
#define UNRECORDED_LINK_ADVICE                                                                                         \
    "give the program too (--objects PATH), or compile with a shim (`warplint doctor` says how)"

/* Warns of the objects. Returns true if there are none. */
bool unrecorded_warn(const struct str_list *unrecorded, struct diags *diags);
