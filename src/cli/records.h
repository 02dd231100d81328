/* records: the files that `wrap` writes beside objects, and the check whether the records of a folder match its
 * objects. */
#pragma once

#include "base/file.h"

#define RECORD_SUFFIX ".warplint.ndjson" /* appended to the object's name */

/* The path of the record's object: the record's path without the suffix. */
struct str record_object(struct str record);

/* The number of paths, and the first one. */
struct path_count {
    size_t count;
    struct str first;
};
void path_count_add(struct path_count *paths, struct str path);
/* Warns at the first path: "what (and 2 more)". Returns true if there are no paths. */
bool path_count_warn(const struct path_count *paths, const char *what, struct diags *diags);

/* To add one: its warning in records.c, and a sign of `doctor`. */
enum record_fault {
    RECORD_STALE,      /* made for another object than the one beside it */
    RECORD_OLD_LINK,   /* of a link whose objects were compiled again since */
    RECORD_UNREAD,     /* the object cannot be read, so it is unknown whether the record matches it */
    RECORD_ORPHANED,   /* without an object; counted only if some record of the folder has one */
    RECORD_SOURCELESS, /* its source was deleted or renamed, see cli/record_source.h */
    RECORD_FAULTS
};

struct records_state {
    struct path_count faulty[RECORD_FAULTS]; /* the records, with their paths as given */
    struct str gone_source;                  /* the source of the first sourceless record */
    struct str_list unrecorded;              /* objects with device code but without a record, see cli/unrecorded.h */
};
/* Compares the records below the folder (sorted paths) with the objects there. The caller frees unrecorded.items. */
void records_compare(struct str folder, const struct path_list *records, struct records_state *state,
                     struct arena *arena);

/*
 * Compares the records below the folder (sorted paths) with the objects there. Appends a warning, with the number and
 * the first path, for each of: records of another object than the one beside them, links whose objects were compiled
 * again, records whose object cannot be read, records without an object, and records whose source is gone. If no record
 * of the folder has an object, only the records were copied here, and missing objects are not reported. Returns true if
 * there was no warning. If there are any records, adds objects with device code but without a record to `unrecorded`;
 * their paths are in the arena `lasting`.
 */
bool records_examine(struct str folder, const struct path_list *records, struct str_list *unrecorded,
                     struct arena *lasting, struct diags *diags);
