/*
 * shim: a folder that looks like a CUDA toolkit. Its bin/nvcc is this program, and everything else is a link into the
 * real toolkit, for builds that ask for nvcc by its path. bin/nvcc.warplint says what bin/nvcc stands for, one word a
 * line: the options of `wrap`, "--", and the real compiler.
 */
#ifndef NVCC_SHIM_H
#define NVCC_SHIM_H

#include "base/diag.h"
#include "nvcc/invocation.h"

/* The words of the shim that the word starts, as in PATH or with its folder. They live in the arena. The list is from
 * malloc. False without a diagnostic: the word starts no shim; with one: the shim is broken. */
bool shim_read(const char *word, struct str_list *words, struct arena *arena, struct diags *diags);

/* Makes the folder, or makes it anew where it is a shim already; one with other contents is refused. `compiler` is what
 * `word` in PATH or with its folder starts, and must not be this program. *made: the folder's whole path, in the arena.
 */
bool shim_install(struct str folder, const struct str_list *options, const char *compiler, struct str *made,
                  struct arena *arena, struct diags *diags);

#endif
