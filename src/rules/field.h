/*
 * field: the values that rules may use. One const table; field.c explains how to add a row.
 */
#pragma once

#include "rules/context.h"
#include "rules/value.h"

/* What the value of a field depends on, as bits. */
enum field_scope {
    FIELD_METRICS = 0,  /* only metrics, architecture and launch configuration: equal kernels have equal values */
    FIELD_RECORD = 1,   /* name, place, time: different for each kernel */
    FIELD_BASELINE = 2, /* the baseline; unknown without one */
    FIELD_EVENT = 4,    /* a message; unknown in rules on kernels */
    /* Not about what the value depends on; used by the comparison with a baseline. */
    FIELD_BUDGET = 8,   /* a limit that the configuration sets for the kernel */
    FIELD_PROFILE = 16, /* the profile of this build states it */
};
enum { FIELD_SCOPES = FIELD_RECORD | FIELD_BASELINE | FIELD_EVENT };

struct field {
    const char *name;
    const char *doc;                              /* one sentence */
    uint8_t type, unit, scope;                    /* enum value_type, unit, field_scope */
    uint16_t metric;                              /* offset of an int32_t in struct context; 0: none, call get */
    int32_t least;                                /* a metric below this is unknown; INT32_MIN: only UNKNOWN is */
    struct value (*get)(struct context *context); /* NULL with `metric` */
};

extern const struct field field_table[];
extern const size_t field_count;

const struct field *field_find(struct str name);           /* NULL: none */
const struct field *field_after(const struct field *last); /* the next by name; NULL: the first, and after the last */
const char *field_nearest(struct str name);                /* for "did you mean"; NULL: no name is similar */
/* True if the field can never be that word; appends the words that it can be, like "entry, function". */
bool field_lacks_word(const struct field *field, struct str word, struct buf *words);
unsigned field_asks(const struct field *field); /* all bits of enum field_scope */
struct value field_get(const struct field *field, struct context *context);
