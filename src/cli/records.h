/* records: what `wrap` leaves beside objects, and whether a folder of it is what was built. */
#ifndef CLI_RECORDS_H
#define CLI_RECORDS_H

#include "base/file.h"

#define RECORD_SUFFIX ".warplint.ndjson" /* behind the object's name */

/* The object that a record is of, by its path: the path without the suffix. */
struct str record_object(struct str record);

/* How many, and which was the first. */
struct path_count {
    size_t count;
    struct str first;
};
void path_count_add(struct path_count *paths, struct str path);
/* Warns at the first path: "what (and 2 more)". True: there are none. */
bool path_count_warn(const struct path_count *paths, const char *what, struct diags *diags);

/* To add one: its warning in records.c, and a sign of doctor. */
enum record_fault {
    RECORD_STALE,      /* of another object than the one beside it */
    RECORD_OLD_LINK,   /* of a link whose objects were compiled again since */
    RECORD_UNREAD,     /* its object cannot be read: whether it is the record's is not known */
    RECORD_ORPHANED,   /* without an object, unless no record of the folder has one */
    RECORD_SOURCELESS, /* its source was deleted or renamed, see cli/record_source.h */
    RECORD_FAULTS
};

struct records_state {
    struct path_count faulty[RECORD_FAULTS]; /* records, as they were given */
    struct str gone_source;                  /* of the first that is sourceless */
    struct str_list unrecorded;              /* objects with device code without a record, see cli/unrecorded.h */
};
/* Compares the records below the folder (sorted paths) with the objects there. The caller frees unrecorded.items. */
void records_compare(struct str folder, const struct path_list *records, struct records_state *state,
                     struct arena *arena);

/*
 * Compares the records below the folder (sorted paths) with the objects there, and appends a warning, with the number
 * and the first path, for: records of another object than the one beside them, links of objects that were compiled
 * again, records of an object that cannot be read, records without an object (unless no record of the folder has one:
 * then only the records were brought here), and records whose source is gone. True: there was nothing to warn of. Adds
 * objects with device code that have no record to `unrecorded`, if there are records at all; their paths live in
 * `lasting`.
 */
bool records_examine(struct str folder, const struct path_list *records, struct str_list *unrecorded,
                     struct arena *lasting, struct diags *diags);

#endif
