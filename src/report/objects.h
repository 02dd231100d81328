/*
 * objects: the JSON objects of a report, either one object per line or as parts of one document. A part is an object or
 * a list of objects.
 */
#pragma once

#include "base/json.h"
#include "report/report.h"

struct objects {
    const struct report *report;
    struct out *out;
    struct json json;
    bool lines;     /* one object per line, without the keys of parts */
    uint64_t ended; /* number of objects written */
};

struct objects objects_open(const struct report *report, struct out *out, bool lines);
/* Opens a part that is a list. */
void objects_list_open(struct objects *objects, const char *key);
void objects_list_end(struct objects *objects);
void objects_close(struct objects *objects);

/* Opens an object with its "type". */
void object_open(struct objects *objects, const char *type);
/* Opens an object that is a part; its key is its type. */
void object_open_part(struct objects *objects, const char *type);
void object_close(struct objects *objects);
/* Writes a list of all findings, worst first; with `grouped`, each has the number of members of its group. */
void objects_findings(struct objects *objects, bool grouped);
