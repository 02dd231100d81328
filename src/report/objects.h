/*
 * objects: the JSON objects of a report, one a line or as members of one document: a part is an object, or a list of
 * objects.
 */
#ifndef REPORT_OBJECTS_H
#define REPORT_OBJECTS_H

#include "base/json.h"
#include "report/report.h"

struct objects {
    const struct report *report;
    struct out *out;
    struct json json;
    bool lines;     /* one a line, without the keys of parts */
    uint64_t ended; /* objects so far */
};

struct objects objects_open(const struct report *report, struct out *out, bool lines);
/* A part that is a list. */
void objects_list_open(struct objects *objects, const char *key);
void objects_list_end(struct objects *objects);
void objects_close(struct objects *objects);

/* An object with its "type". */
void object_open(struct objects *objects, const char *type);
/* The same as a part, with its type as key. */
void object_open_part(struct objects *objects, const char *type);
void object_close(struct objects *objects);
/* A list of all findings, worst first; grouped: each with the number of members of its group. */
void objects_findings(struct objects *objects, bool grouped);

#endif
