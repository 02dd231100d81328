/*
 * expr: the language of `when:` and of the holes in messages. Parsed once, checked against the field table, kept as a
 * tree of small nodes, evaluated without any way to fail. expr.c holds the grammar.
 */
#ifndef RULES_EXPR_H
#define RULES_EXPR_H

#include "base/diag.h"
#include "rules/field.h"

struct regex;
struct yml;
struct yml_node;

/* A named value that a rule declares and that a configuration may change. */
struct param {
    struct str name;
    struct value value;
    uint8_t unit;
    struct place place; /* where the value comes from */
};

/* What a name may mean besides a field. */
struct scope {
    struct param *params; /* looked up at every evaluation, so a later change counts */
    size_t param_count;
    const struct str *captures; /* names of a pattern's groups: strings */
    size_t capture_count;
    bool groups; /* the captures are $1, $name: groups of a match, read as numbers */
    bool fields; /* the field table may be used */
    bool events; /* and its fields of messages too */
};

/* Where the text of an expression stands, so that an error points into the file: its byte 0 is byte `offset` of a
 * scalar. Without a file (node NULL) errors show the text itself. */
struct origin {
    const struct yml *yaml;
    const struct yml_node *node;
    size_t offset;
};

struct expr;

/* Parses and checks. All errors are appended to diags; NULL when there was one. The tree lives in the arena; regular
 * expressions in it are freed by expr_free. */
struct expr *expr_parse(struct str text, const struct scope *scope, struct origin origin, struct arena *arena,
                        struct diags *diags);
void expr_free(struct expr *expr);

enum value_type expr_type(const struct expr *expr);
enum unit expr_unit(const struct expr *expr);
/* Bits of enum field_scope: what its value depends on beside metrics. NULL: nothing. */
unsigned expr_asks(const struct expr *expr);

/* captures: the texts of scope.captures, or NULL. */
struct value expr_eval(const struct expr *expr, struct context *context, const struct str *captures);

/* It is false of every record that is equal in all metrics: it, or an operand of its `and`, asks for metrics alone. */
bool expr_is_ruled_out(const struct expr *expr, struct context *context);

/* The expression, which is unknown, could be true if these of enum stated were known; whatever else is unknown stays
 * so: no value of theirs decides an operand that asks for it. */
bool expr_may_hold(const struct expr *expr, struct context *context, unsigned unstated);

/* Of an `and` that compares numbers, the operands that choose records by their names or sources, as `name =~ 'gemm'`
 * does, one after the other; last NULL: the first. NULL: none is left. */
const struct expr *expr_name_test(const struct expr *expr, const struct expr *last);

/* The first field that makes the expression unknown; NULL: it is known, or no field does (a division by 0). */
const struct field *expr_unknown_field(const struct expr *expr, struct context *context);

/* A regular expression of this tree that ran into its limits, or NULL. */
const struct regex *expr_exploded(const struct expr *expr);

#endif
