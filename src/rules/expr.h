/*
 * expr: the expressions of `when:` and of placeholders in messages. They are parsed once, checked against the field
 * table and kept as a tree of small nodes; evaluation cannot fail. The grammar is in expr.c.
 */
#pragma once

#include "base/diag.h"
#include "rules/field.h"

struct regex_list;
struct yml;
struct yml_node;

/* A named value that a rule declares and that a configuration may change. */
struct param {
    struct str name;
    struct value value;
    uint8_t unit;
    struct place place; /* the file and line that set the value */
};

/* What names an expression may use. */
struct scope {
    struct param *params; /* read at every evaluation, so they may change later */
    size_t param_count;
    const struct str *captures; /* names of the groups of a pattern: strings; empty: it has none */
    size_t capture_count;
    bool groups;                /* the captures are written $1, $name: groups of a match, used as numbers */
    bool fields;                /* the field table may be used */
    bool events;                /* and its fields of messages too */
    struct regex_list *regexes; /* gets the regular expressions of `=~`; its owner frees them after the expressions */
};

/* The position of an expression in a file, for errors: its first byte is byte `offset` of a scalar. Without a file
 * (node NULL) errors show the text itself. */
struct origin {
    const struct yml *yaml;
    const struct yml_node *node;
    size_t offset;
};

struct expr;

/* Parses and checks an expression. NULL after errors, all of which are in diags. The arena owns the tree. */
struct expr *expr_parse(struct str text, const struct scope *scope, struct origin origin, struct arena *arena,
                        struct diags *diags);

enum value_type expr_type(const struct expr *expr);
enum unit expr_unit(const struct expr *expr);
/* Bits of enum field_scope: what its value depends on besides metrics; 0 for NULL. */
unsigned expr_asks(const struct expr *expr);

/* captures: the texts of scope.captures, or NULL. */
struct value expr_eval(const struct expr *expr, struct context *context, const struct str *captures);

/* True if it is false for every record with equal metrics: the expression, or an operand of its `and`, is false and
 * depends on metrics only. */
bool expr_is_ruled_out(const struct expr *expr, struct context *context);

/* True if the expression, which is unknown, could be true with some values in place of these unstated ones (bits of
 * enum stated). Everything else that is unknown stays unknown. */
bool expr_may_hold(const struct expr *expr, struct context *context, unsigned unstated);

/* In an `and` that compares numbers: the next operand after `last` (NULL: the first) that selects records by name or
 * source, like `name =~ 'gemm'`. NULL: none is left. */
const struct expr *expr_name_test(const struct expr *expr, const struct expr *last);

/* The first field that makes the expression unknown; NULL: it is known, or the cause is not a field (a division by 0).
 */
const struct field *expr_unknown_field(const struct expr *expr, struct context *context);
