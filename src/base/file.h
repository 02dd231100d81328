/* file: reading whole small files, walking folders, and writing that is whole or not at all. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/input_stream.h"

/* The whole file into *text (appended), at most `limit` bytes, as a source gives them (base/input_stream.h). */
bool file_read(struct str path, enum input_allowed allowed, size_t limit, struct buf *text, struct diags *diags);

/* At most the first `bytes` of a regular file, appended; false: it cannot be read. */
bool file_read_head(struct str path, size_t bytes, struct buf *text);

bool file_is_dir(struct str path);
bool file_is_device(struct str path);
bool file_is_regular(struct str path);
bool file_check_regular(struct str path, int *error); /* *error: errno where it cannot be known, else 0 */
bool file_exists(struct str path);
bool file_is_named(struct str path); /* or is a link that leads nowhere */
/* When it was last changed, in ns since 1970; INT64_MIN: it is not there. */
int64_t file_changed_ns(struct str path);
/* Where the links of a path lead in the end, as seen from here: the path itself where it is no link, or leads nowhere.
 */
struct str file_target(struct str path, struct arena *arena);
/* Both are there and are one file or folder, whatever way leads to it. */
bool file_same(struct str a, struct str b);
/* Writing both would leave one: they are one regular file, or both would be made as one. */
bool file_same_place(struct str a, struct str b);

/* Appends the whole path, with a slash at its end, of the checkout that a folder (empty: the working directory) is in:
 * the nearest folder upwards that holds .git or `mark` (NULL: .git alone), else the working directory. Nothing where
 * that has no path. here: appends the working directory as seen from there, where it is outside of it the whole path,
 * with a slash at its end; nothing where they are one, or here is NULL. */
void file_checkout(struct str start, const char *mark, struct buf *path, struct buf *here);

/* Appends the path that leads from one folder to another ("." where they are one; links are followed), the whole path
 * of `to` where `from` cannot be found, nothing where `to` cannot. False, with errno: not both were found. */
bool file_way(struct str from, struct str to, struct buf *path);

/* Paths of all files below the folder whose names end with `suffix`, sorted. Links to folders are not followed; a link
 * to a file is taken where that file is not in the list itself, of several the first. */
struct path_list {
    struct arena arena;
    struct str *paths;
    size_t count, cap;
    size_t left_out;       /* what is no file and has such a name: pipes, devices */
    struct str first_left; /* one of them, in the arena */
};
bool file_walk(struct str dir, struct str suffix, struct path_list *list, struct diags *diags);
/* The same of a folder that should be small: an error, and no files, where it holds more than `most` files and folders.
 */
bool file_walk_at_most(struct str dir, struct str suffix, size_t most, struct path_list *list, struct diags *diags);
void path_list_free(struct path_list *list);

/*
 * out: a stream of text to standard output or to a file. A file takes its name in out_close, and only when everything
 * was written: of several writers of one file the last one wins, whole.
 */
struct out {
    struct buf text; /* append here, then call out_spill now and then */
    int fd;          /* -1: the text waits for out_close */
    int error;       /* errno of the first failure; 0: none */
    struct str path; /* empty: standard output */
    bool special;    /* no file: written to in its place */
};
/* Both cannot fail: what is wrong is reported by out_close. "-" is standard output; a device, a pipe or a descriptor
 * (/dev/stdout) is written to as it is, and never replaced. */
void out_open(struct out *out, struct str path);
void out_replace(struct out *out, struct str path); /* always a file, in the place of what has this name */
void out_spill(struct out *out);                    /* writes when much has gathered */
/* Writes the rest and ends. False with a diagnostic after any failure; the file then is what it was before. Where the
 * reader of a pipe has gone, false without one. */
bool out_close(struct out *out, struct diags *diags);
/* Opens, writes the text and closes. */
bool file_write(struct str path, struct str text, struct diags *diags);

#endif
