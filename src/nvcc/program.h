/* program: which file a word of a command line would start, so that we never start ourselves instead of a compiler. */
#pragma once

#include "base/diag.h"

/* The word starts this very program, under any name: directly by its path, or as the first program of that name in
 * PATH. */
bool program_is_self(const char *word);

/* The path of the program that the word starts, without following its links; NULL if there is none. */
const char *program_unresolved(const char *word, struct arena *arena);

/* The path of the program that the word starts, with all links followed; NULL if there is none. */
const char *program_path(const char *word, struct arena *arena);

/* The absolute path of a file, with the links of its folders followed but not its own link: nvcc looks for its other
 * files from there. NULL if there is no such folder or no path. */
const char *program_whole_path(const char *path, struct arena *arena);

/* The first program of that name in the folders, which are separated by colons; NULL if there is none. */
const char *program_find(const char *name, struct str folders, struct arena *arena);

/* The path of this very program, for others to start; NULL if it cannot be found (any more). */
const char *program_own_path(struct arena *arena);

/* The compiler of a shim of that name (nvcc/shim.h). Else the first program of that name in PATH that is not this one
 * (one that follows this one in PATH, if there is any), then in the toolkit's folders (CUDA_HOME, CUDA_PATH,
 * /usr/local/cuda). NULL if there is none. */
const char *program_find_other(const char *name, struct arena *arena);

/* A word that starts this program would run it again, so the word is replaced by the other program of that name. False
 * with a diagnostic if there is none. */
bool program_replace_self(const char **word, struct arena *arena, struct diags *diags);
