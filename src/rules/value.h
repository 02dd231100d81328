/*
 * value: what an expression works with. Three-valued: a value that is not known has a type but no content, and every
 * operation on it is unknown unless the other side decides alone (false and unknown is false).
 * Numbers are doubles: whole numbers are exact below 2^53, which is more than any size a log can state.
 */
#ifndef RULES_VALUE_H
#define RULES_VALUE_H

#include "base/buf.h"

enum value_type { VALUE_NUMBER, VALUE_BOOL, VALUE_STRING, VALUE_ARCH };

/* What a number counts. Numbers without a unit go with every unit; bytes and registers do not go together. */
enum unit {
    UNIT_NONE,
    UNIT_BYTES,
    UNIT_REGISTERS,
    UNIT_THREADS,
    UNIT_WARPS,
    UNIT_BLOCKS,
    UNIT_RATIO, /* 0..1, shown as a percentage */
    UNIT_MS,
};

#define ARCH_FAMILY '*' /* the variant of an architecture that stands for all of its variants */

struct value {
    uint8_t type; /* enum value_type */
    bool known;
    bool at_most; /* of a number: an upper bound, because the size of dynamic shared memory is not known */
    char variant; /* of an architecture: 'a', 'f', 0 or ARCH_FAMILY */
    union {
        double number;
        bool boolean;
        int arch;          /* 90 for sm_90, sm_90a and compute_90 */
        struct str string; /* borrowed from the model, the rule or the context */
    };
};

struct value value_unknown(enum value_type type);
struct value value_number(double number);
struct value value_bool(bool boolean);
struct value value_string(struct str string);
/* "sm_90a"; unknown for what is no architecture's name. */
struct value value_arch(struct str name);

const char *value_type_name(enum value_type type); /* "a number" "a truth value" "a string" "an architecture" */
const char *unit_name(enum unit unit);             /* "bytes" ... "ratio" "ms"; "" for none */

/* Appends a number with the decimals that it needs, of as many as `scale` has noughts. */
void value_decimals(double number, uint64_t scale, struct buf *out);

/* Appends the value as a message shows it: unknown is "?", whole numbers without a point, others with at most two
 * decimals, a ratio as "62.5 %". */
void value_print(const struct value *value, enum unit unit, struct buf *out);

#endif
