/* folder: the records below a folder: which of them are the build's, and where their sources are as seen from here. */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include "base/file.h"
#include "log/model.h"

/* The nearest folder above a file that is there, with a slash at its end. */
struct str folder_above(struct str file);
/* The path from here to a file, which may be gone since the compiler ran: without "..", where that leads to the same
 * folder and not away from here, else by the way between the folders behind all links. */
struct str path_from_here(struct arena *arena, struct str there);
/* A folder below another, or at a path of its own, with a slash at the end of both. */
struct str folder_join(struct arena *arena, struct str folder, struct str name);

/* What CMake and Meson compiled only to try the compiler: an object or its record, by its path below the folder of the
 * build. */
bool folder_is_trial(struct str path);
/* Leaves out such records; how many these were. */
size_t folder_leave_trials(struct str folder, struct path_list *records);

/*
 * `wrap` records paths as the compiler was given them: from the folder where it ran, which is often the build folder.
 * For what was read since the mark from the file `record`: the record says how that folder is seen from its own (one of
 * an older version does where its path ends with the name of the object), and when some path of a source is a file
 * there, all relative ones become paths from here. Else (the record was brought from elsewhere) they stay as they are.
 */
void folder_rebase(struct model *model, struct model_mark mark, struct str record);

#endif
