/* file: reads small files as a whole, walks folders, and writes files atomically: completely or not at all. */
#pragma once

#include "base/input_stream.h"

/* Appends the whole file to *text, decoded as base/input_stream.h describes. A file of more than `limit` bytes is an
 * error. */
bool file_read(struct str path, enum input_allowed allowed, size_t limit, struct buf *text, struct diags *diags);

/* Appends at most the first `bytes` of a regular file; false if the file cannot be read. */
bool file_read_head(struct str path, size_t bytes, struct buf *text);

bool file_is_dir(struct str path);
bool file_is_device(struct str path);
bool file_is_regular(struct str path);
bool file_check_regular(struct str path, int *error); /* *error: errno if the kind of file is unknown, else 0 */
bool file_exists(struct str path);
bool file_name_exists(struct str path); /* the path exists, or is a dangling link */
/* Time of the last change, in ns since 1970; INT64_MIN if the file does not exist. */
int64_t file_changed_ns(struct str path);
/* The final target of a link, relative to the working directory. The path itself if it is not a link, or a dangling
 * one. */
struct str file_target(struct str path, struct arena *arena);
/* Both exist and are the same file or folder, by whatever path. */
bool file_same(struct str a, struct str b);
/* The number of a file or folder in `files`, to which it is added if it is new: by device and inode, which are the same
 * through every path and link. INTERN_NONE if it does not exist. */
struct intern;
uint32_t file_number(struct intern *files, struct str path);
/* Writing to both paths would leave one file: both are the same regular file, or neither exists and both name the same
 * new file. */
bool file_same_place(struct str a, struct str b);

/* Appends to `path` the absolute path, with a final slash, of the checkout that contains a folder (empty: the working
 * directory): the nearest folder, from there upwards, that contains .git or `mark` (NULL: .git only); without one, the
 * working directory. Appends nothing if the working directory has no path. here (may be NULL): the working directory
 * relative to the checkout, or its absolute path if it is outside, with a final slash; nothing is appended if they are
 * the same folder. */
void file_checkout(struct str start, const char *mark, struct buf *path, struct buf *here);

/* Appends the relative path from one folder to another ("." if they are the same; links are resolved), the absolute
 * path of `to` if `from` is not found, nothing if `to` is not found. Returns false with errno unless both are found. */
bool file_relative_path(struct str from, struct str to, struct buf *path);

/* Paths of all files below the folder whose names end with `suffix`, sorted. Links to folders are not followed. A link
 * to a file is listed only if the file itself is not; if several links lead to the same file, the first one is
 * listed. */
struct path_list {
    struct arena arena;
    struct str *paths;
    size_t count, cap;
    size_t left_out;       /* number of entries with such a name that are not files: pipes, devices */
    struct str first_left; /* the first of them, in the arena */
};
bool file_walk(struct str dir, struct str suffix, struct path_list *list, struct diags *diags);
/* Like file_walk, for a folder that should be small: an error, and no files, if it contains more than `most` files and
 * folders. */
bool file_walk_at_most(struct str dir, struct str suffix, size_t most, struct path_list *list, struct diags *diags);
void path_list_free(struct path_list *list);

/*
 * out: a text stream to standard output or to a file. A file appears under its name only in out_close, and only if
 * everything was written. If several writers write the same file, the last one replaces it as a whole.
 */
struct out {
    struct buf text; /* append here, then call out_spill now and then */
    int fd;          /* -1: the text is kept in memory until out_close */
    int error;       /* errno of the first failure; 0: none */
    struct str path; /* empty: standard output */
    bool special;    /* not a regular file: written in place */
};
/* These two functions cannot fail: out_close reports their errors. "-" is standard output. A device, a pipe or a
 * descriptor (/dev/stdout) is written in place and never replaced. */
void out_open(struct out *out, struct str path);
void out_replace(struct out *out, struct str path); /* always makes a file, which replaces anything of this name */
void out_spill(struct out *out);                    /* writes the text if enough has accumulated */
/* Writes the rest and closes the stream. After any failure: false with a diagnostic, and the file keeps its old
 * contents. If the reader of a pipe has gone: false without a diagnostic. */
bool out_close(struct out *out, struct diags *diags);
/* Opens the stream, writes the text and closes the stream. */
bool file_write(struct str path, struct str text, struct diags *diags);
