/*
 * value: the values of expressions, with three-valued logic: an unknown value has a type but no content, and every
 * operation on it is unknown unless the other operand decides (false and unknown is false).
 * Numbers are doubles: whole numbers are exact below 2^53, which is more than any size that a log can state.
 */
#pragma once

#include "base/buf.h"

enum value_type { VALUE_NUMBER, VALUE_BOOL, VALUE_STRING, VALUE_ARCH };

/* The unit of a number. A number without a unit is compatible with every unit; bytes and registers are not compatible.
 */
enum unit {
    UNIT_NONE,
    UNIT_BYTES,
    UNIT_REGISTERS,
    UNIT_THREADS,
    UNIT_WARPS,
    UNIT_BLOCKS,
    UNIT_RATIO, /* 0..1, shown as a percentage */
    UNIT_MS,
    UNIT_WORDS, /* of a string: shown with blanks instead of underscores */
};

#define ARCH_FAMILY '*' /* as variant: matches all variants of the architecture */

/* It has 16 bytes, so functions return it in registers. */
struct value {
    uint8_t type; /* enum value_type */
    bool known;
    bool at_most;         /* numbers: it is an upper bound, because the size of dynamic shared memory is unknown */
    char variant;         /* architectures: 'a', 'f', 0 or ARCH_FAMILY */
    uint32_t text_length; /* strings: in bytes */
    union {
        double number;
        bool boolean;
        int arch;         /* 90 for sm_90, sm_90a and compute_90 */
        const char *text; /* strings: borrowed from the model, the rule or the context */
    };
};

struct value value_unknown(enum value_type type);
struct value value_number(double number);
struct value value_bool(bool boolean);
struct value value_string(struct str string);
struct str value_text(const struct value *string);
/* The value of "sm_90a"; unknown if the name is not an architecture. */
struct value value_arch(struct str name);

const char *value_type_name(enum value_type type); /* "a number" "a truth value" "a string" "an architecture" */
const char *unit_name(enum unit unit);             /* "bytes" ... "ratio" "ms"; "" for none */

/* Appends a number with as many decimals as it needs, at most as many as `scale` has zeros. */
void value_decimals(double number, uint64_t scale, struct buf *out);

/* Appends the value as messages show it: "?" if unknown, whole numbers without a decimal point, others with at most two
 * decimals, a ratio as "62.5 %". */
void value_print(const struct value *value, enum unit unit, struct buf *out);
