/* program: which file a word of the command line would start, so that we never start ourselves instead of a compiler.
 */
#ifndef NVCC_PROGRAM_H
#define NVCC_PROGRAM_H

#include "base/diag.h"

/* The word starts this very program, under whatever name: found directly, or as the first of that name in PATH. */
bool program_is_self(const char *word);

/* The path of the program that the word starts, its links not followed; NULL: there is none. */
const char *program_unresolved(const char *word, struct arena *arena);

/* The program that the word starts, with all links followed; NULL: there is none. */
const char *program_path(const char *word, struct arena *arena);

/* The whole path of a file, the links of its folders followed and not its own: from there nvcc looks for what belongs
 * to it. NULL: no such folder, or no path. */
const char *program_whole_path(const char *path, struct arena *arena);

/* The first program of that name in the folders, which stand between colons; NULL: there is none. */
const char *program_find(const char *name, struct str folders, struct arena *arena);

/* This very program, for others to start; NULL: it cannot be found (any more). */
const char *program_own_path(struct arena *arena);

/* What a shim of that name stands for (nvcc/shim.h), else the first program of that name in PATH that is not this one
 * (one that stands behind this one, if there is any), then in the toolkit's folders (CUDA_HOME, CUDA_PATH,
 * /usr/local/cuda); NULL when there is none. */
const char *program_find_other(const char *name, struct arena *arena);

/* A word that starts this program would run us again: the other one takes its place. False with a diagnostic where
 * there is none. */
bool program_replace_self(const char **word, struct arena *arena, struct diags *diags);

#endif
