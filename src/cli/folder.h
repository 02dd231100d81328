/* folder: the records below a folder: which of them belong to the build, and the paths of their sources from the
 * working directory. */
#pragma once

#include "base/file.h"
#include "log/model.h"

/* The nearest existing folder above a file, with a slash at its end. */
struct str folder_above(struct str file);
/* The path from the working directory to a file, which may have been deleted since the compiler ran. If the file can be
 * reached below the working directory, the path has no "..". Otherwise the path is the way between the two folders with
 * all links resolved. */
struct str path_from_here(struct arena *arena, struct str there);
/* `name` below the folder, or `name` alone if it is an absolute path. Both `folder` and the result have a slash at the
 * end. */
struct str folder_join(struct arena *arena, struct str folder, struct str name);

/* The path of a log, for messages. An object that a record names is relative to the folder where the compiler ran; if
 * that folder is known, the result is relative to the working directory. */
struct str folder_log_path(const struct model *model, const struct log_info *log, struct arena *arena);

/* True for an object or record of a source that CMake or Meson compiled only to test the compiler. `path`: below the
 * build folder. */
bool folder_is_trial(struct str path);
/* Removes the records of such compiles from the list; returns their number. */
size_t folder_leave_trials(struct str folder, struct path_list *records);

/*
 * Changes the source paths of the records that were read from the file `record` since the mark. `wrap` records paths as
 * the compiler got them: relative to the folder where the compiler ran, often the build folder. The record states the
 * way from its own folder to that folder. A record of an older version does not; then the folder is known only if the
 * record's path ends with the object's name. If at least one source path is a file there, all relative paths become
 * paths from the working directory. Otherwise they do not change: the record was copied from elsewhere.
 */
void folder_rebase(struct model *model, struct model_mark mark, struct str record);
