/* records: what `wrap` leaves beside objects, and whether a folder of it is what was built. */
#ifndef CLI_RECORDS_H
#define CLI_RECORDS_H

#include "base/file.h"

#define RECORD_SUFFIX ".warplint.ndjson" /* behind the object's name */

/*
 * Compares the records below the folder (sorted paths) with the objects there, and appends a warning, with the number
 * and the first path, for: records older than their object, records without an object (unless no record of the folder
 * has one: then only the records were brought here), and objects with device code that have no record although others
 * of the same folder have. True: there was nothing to warn of.
 */
bool records_examine(struct str folder, const struct path_list *records, struct diags *diags);

#endif
