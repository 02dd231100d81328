/* records: what `wrap` leaves beside objects, and whether a folder of it is what was built. */
#ifndef CLI_RECORDS_H
#define CLI_RECORDS_H

#include "base/file.h"

#define RECORD_SUFFIX ".warplint.ndjson" /* behind the object's name */

/* How many, and which was the first. */
struct path_count {
    size_t count;
    struct str first; /* lives in the arena that was given */
};

struct records_state {
    struct path_count stale;      /* records of another object than the one beside them */
    struct path_count old_links;  /* records of links whose objects were compiled again since */
    struct path_count unread;     /* records whose object cannot be read: whether it is theirs is not known */
    struct path_count orphaned;   /* records without an object, unless no record of the folder has one */
    struct path_count sourceless; /* records whose source was deleted or renamed, see cli/record_source.h */
    struct str gone_source;       /* of the first of them */
    struct str_list unrecorded;   /* objects with device code without a record, see cli/unrecorded.h */
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
