/*
 * field: what a rule may ask about. One const table; field.c says how to add a row.
 */
#ifndef LINT_FIELD_H
#define LINT_FIELD_H

#include "lint/subject.h"
#include "lint/value.h"

#include <math.h>
#include <string.h>

enum field_scope {              /* each holds those before it */
                   FIELD_CLASS, /* follows from the kind of the record, its architecture and the facts of its launch */
                   FIELD_KEY,   /* follows from the metrics, the architecture and the launch alone: one answer for equal
                                   records */
                   FIELD_RECORD,   /* names, places, times: its own for every record */
                   FIELD_BASELINE, /* of the baseline; unknown without one */
                   FIELD_EVENT,    /* of a message; unknown in rules on kernels */
};

struct field {
    const char *name;
    const char *doc;           /* one sentence */
    uint8_t type, unit, scope; /* enum value_type, unit, field_scope */
    uint16_t metric;           /* where struct subject holds it as an int32_t; 0: nowhere, ask get */
    int32_t least;             /* a metric below this is unknown; INT32_MIN: only UNKNOWN is */
    struct value (*get)(struct subject *subject);
};

extern const struct field field_table[]; /* sorted by name */
extern const size_t field_count;

const struct field *field_find(struct str name); /* NULL: none */
const char *field_nearest(struct str name);      /* for "did you mean"; NULL: nothing is near */
struct value field_get(const struct field *field, struct subject *subject);
/* The view that the subject has does not show fields of that scope yet. */
static inline bool field_is_later(uint8_t scope, const struct subject *subject)
{
    return subject->view && scope > (subject->view == VIEW_CLASS ? FIELD_CLASS : FIELD_KEY);
}
/* field_get of a field whose `metric` is not 0; NAN: unknown. */
static inline double field_metric(const struct field *field, const struct subject *subject)
{
    int32_t metric;
    memcpy(&metric, (const char *)subject + field->metric, sizeof metric);
    return metric == UNKNOWN || metric < field->least ? (double)NAN : metric;
}

#endif
