/* node: the nodes of struct expr. Only expr.c makes them and only eval.c evaluates them. */
#pragma once

#include "base/regex.h"
#include "rules/expr.h"

enum node_op {
    NODE_CONSTANT,
    NODE_FIELD,
    NODE_PARAM,
    NODE_CAPTURE,
    NODE_NOT,
    NODE_KNOWN,   /* known(x) */
    NODE_NUMBER,  /* number(string) */
    NODE_MATCHES, /* left =~ regex */
    NODE_IN,      /* left in [right, right->next, ...] */
    NODE_ADD,
    NODE_SUBTRACT,
    NODE_MULTIPLY,
    NODE_DIVIDE,
    NODE_MIN,
    NODE_MAX,
    NODE_LESS,
    NODE_LESS_EQUAL,
    NODE_GREATER,
    NODE_GREATER_EQUAL,
    NODE_EQUAL,
    NODE_UNEQUAL,
    NODE_AND, /* left and left->next and ... */
    NODE_OR,
};

struct expr {
    uint8_t op;   /* enum node_op */
    uint8_t type; /* enum value_type, or TYPE_BROKEN while parsing */
    uint8_t unit; /* enum unit */
    uint8_t asks; /* bits of enum field_scope of all fields below */
    struct expr *left, *right, *next;
    union {
        struct value constant;
        const struct field *field;
        const struct param *param;
        size_t capture;
        struct regex *regex;
    };
};

enum { TYPE_BROKEN = 255 }; /* an error below was reported: it causes no further errors */
