/*
 * field: what a rule may ask about. One const table; field.c says how to add a row.
 */
#ifndef RULES_FIELD_H
#define RULES_FIELD_H

#include "rules/context.h"
#include "rules/value.h"

/* What the value of a field depends on, as bits. */
enum field_scope {
    FIELD_METRICS = 0,  /* metrics, architecture and launch configuration alone: the same for equal kernels */
    FIELD_RECORD = 1,   /* name, place, time: each kernel has its own */
    FIELD_BASELINE = 2, /* the baseline; unknown without one */
    FIELD_EVENT = 4,    /* a message; unknown in rules on kernels */
    /* What the value does not depend on, but a comparison with a baseline has to know. */
    FIELD_BUDGET = 8,   /* a limit that the configuration sets for the kernel */
    FIELD_PROFILE = 16, /* what the profile of this build states of the compile */
};
enum { FIELD_SCOPES = FIELD_RECORD | FIELD_BASELINE | FIELD_EVENT };

struct field {
    const char *name;
    const char *doc;                              /* one sentence */
    uint8_t type, unit, scope;                    /* enum value_type, unit, field_scope */
    uint16_t metric;                              /* where struct context holds it as an int32_t; 0: nowhere, ask get */
    int32_t least;                                /* a metric below this is unknown; INT32_MIN: only UNKNOWN is */
    struct value (*get)(struct context *context); /* NULL with `metric` */
};

extern const struct field field_table[];
extern const size_t field_count;

const struct field *field_find(struct str name);           /* NULL: none */
const struct field *field_after(const struct field *last); /* by the alphabet; NULL: the first, and after the last */
const char *field_nearest(struct str name);                /* for "did you mean"; NULL: nothing is near */
/* What the field can be, as "entry, function"; false: it can be any text, or this one too. */
bool field_lacks_word(const struct field *field, struct str word, struct buf *words);
unsigned field_asks(const struct field *field); /* its scope and the bits above it */
struct value field_get(const struct field *field, struct context *context);

#endif
