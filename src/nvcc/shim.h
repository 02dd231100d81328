/*
 * shim: a folder that looks like a CUDA toolkit, for builds that start nvcc by its path. Its bin/nvcc is this program,
 * and everything else is a link into the real toolkit. bin/nvcc.warplint contains the command that bin/nvcc stands for,
 * one word per line: the options of `wrap`, "--", and the real compiler.
 */
#pragma once

#include "base/diag.h"
#include "nvcc/invocation.h"

/* Reads the words of the shim that `word` starts (a name in PATH, or a path). The words live in the arena; the list is
 * from malloc. False without a diagnostic if the word starts no shim; false with a diagnostic if the shim is broken. */
bool shim_read(const char *word, struct str_list *words, struct arena *arena, struct diags *diags);

/* Creates the folder; recreates it if it is a shim already, and refuses a folder with other contents. `compiler`: the
 * real compiler, a name in PATH or a path; it must not be this program. *made: the absolute path of the folder, in the
 * arena. */
bool shim_install(struct str folder, const struct str_list *options, const char *compiler, struct str *made,
                  struct arena *arena, struct diags *diags);
