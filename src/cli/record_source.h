/* record_source: the inputs of a record's command: finds sources that were deleted or renamed since the compile, and
 * linked objects that were compiled again. */
#pragma once

#include "base/json_read.h"
#include "base/mem.h"

struct record_source {
    struct str record;
    struct str path; /* of the source, from the working directory */
    struct str base; /* the folder of the compile if the path of the source is relative to it; else empty */
    bool gone;
};
struct record_sources {
    struct record_source *items;
    size_t count, cap;
};

/*
 * Appends an identification of the objects and libraries that the command links: a hash of the stamps (nvcc/object.h)
 * of those that the command line names. `folder`: the folder of the command, from the working directory, with a slash
 * at its end; empty: the working directory itself. Returns false if the command names no objects or one cannot be read.
 */
bool record_linked_code(const struct str_list *words, struct str folder, struct buf *code);

/* Adds the source of a record, if the command has only one and the folder of the compile exists. Returns false if the
 * record is of a device link whose objects have changed since. `log`: the record's JSON object of type "log". Strings
 * are in the arena. */
bool record_inputs_add(struct record_sources *sources, struct str record, const struct json_value *log,
                       struct arena *arena);

/*
 * Keeps a source in the list only if the file is missing, its path is in the checkout of the working directory, and
 * another source exists that was compiled in the same folder and is on the same side of `folder`, which is judged. If
 * there is no such other source, the records were copied from elsewhere, or the build deletes the sources that it
 * generates.
 */
void record_sources_keep_gone(struct record_sources *sources, struct str folder, struct arena *arena);
