/*
 * source_files: the files that a command compiles, its sources and the headers that they include, and the kernels in
 * them. What the compile itself wrote down (-MD and the like) says which headers they are; where it wrote nothing,
 * #include is followed through the folders of the command line. Headers of the toolkit and of the system are left out.
 * Reading is bounded in files and bytes; what lies beyond is not known.
 */
#ifndef NVCC_SOURCE_FILES_H
#define NVCC_SOURCE_FILES_H

#include "nvcc/declaration.h"
#include "nvcc/invocation.h"

struct unit_file;

struct source_files {
    struct arena arena;
    struct unit_file *files; /* declaration.file and suppression.file number them */
    size_t count, cap;
    size_t bytes;                  /* read so far */
    bool complete;                 /* the compile wrote down all of its files */
    struct str unread, unread_why; /* the first that is there and could not be read; empty: none */
    struct declarations found;
};

/* After the compile. A file that cannot be read is passed over. */
void source_files_read(struct source_files *unit, const struct invocation *invocation);
/* One more file that is known to belong to it; the toolkit's, and one that is there already, are passed over. */
void source_files_add(struct source_files *unit, struct str path);
struct str source_files_path(const struct source_files *unit,
                             uint32_t file); /* as the command or the include path gives it */
/* The file of that device and inode, of which only the lower halves are known; UINT32_MAX: none, or several. */
uint32_t source_files_find(const struct source_files *unit, uint32_t device, uint32_t inode);
void source_files_free(struct source_files *unit);

#endif
