/*
 * source_files: the files that a command compiles (its sources and the headers that they include), and the kernels in
 * them. The headers are those that the compile itself listed in a file (-MD and similar). If it listed none, #include
 * is followed through the folders of the command line. Headers of the toolkit and of the system are left out. The
 * number of files and bytes is limited; files beyond the limits are not read.
 */
#pragma once

#include "nvcc/declaration.h"
#include "nvcc/invocation.h"

struct unit_file;

struct source_files {
    struct arena arena;
    struct unit_file *files; /* indexed by declaration.file and suppression.file */
    size_t count, cap;
    size_t bytes;                  /* read so far */
    bool complete;                 /* the compile listed all of its files */
    struct str unread, unread_why; /* the first file that exists and could not be read, and why; empty: none */
    struct declarations found;
};

/* Call it after the compile. A file that cannot be read is skipped. */
void source_files_read(struct source_files *unit, const struct invocation *invocation);
/* Adds a file that is known to be compiled too; skips files of the toolkit and files that are already known. */
void source_files_add(struct source_files *unit, struct str path);
struct str source_files_path(const struct source_files *unit,
                             uint32_t file); /* as the command or the include path gives it */
/* The file with that device and inode number, of which only the lower 32 bits are given; UINT32_MAX if there is none,
 * or several. */
uint32_t source_files_find(const struct source_files *unit, uint32_t device, uint32_t inode);
void source_files_free(struct source_files *unit);
