/* record_source: what the commands of records read: sources that were deleted or renamed since, and linked objects that
 * were compiled again. */
#ifndef CLI_RECORD_SOURCE_H
#define CLI_RECORD_SOURCE_H

#include "base/json_read.h"
#include "base/mem.h"

struct record_source {
    struct str record;
    struct str path;  /* of the source, as seen from here */
    struct str base;  /* the folder of the compile, if the source is relative to it; else empty */
    struct str place; /* for record_sources_keep_gone: the base, and whether the source lies below the folder */
    bool gone;
};
struct record_sources {
    struct record_source *items;
    size_t count, cap;
};

/*
 * Appends what the objects and libraries are known by that the command links: a hash of the stamps (nvcc/object.h) of
 * those that its words name. `folder`: of the command, as seen from here, with a slash at its end; empty: here. False:
 * it names none, or one cannot be read.
 */
bool record_linked_code(const struct str_list *words, struct str folder, struct buf *code);

/* Adds the source of a record, if it is the only one of its command and the folder of the compile is there. False: the
 * record is of a device link, and the linked objects are not those of then. `log`: the record's object of that type.
 * Strings live in the arena. */
bool record_inputs_add(struct record_sources *sources, struct str record, const struct json_value *log,
                       struct arena *arena);

/*
 * Leaves those in the list that are gone from the checkout that the working directory is in, where another source of
 * the same place is there. If none is, the records were brought from elsewhere, or the build deletes the sources that
 * it generates. `folder`: that is judged.
 */
void record_sources_keep_gone(struct record_sources *sources, struct str folder, struct arena *arena);

#endif
