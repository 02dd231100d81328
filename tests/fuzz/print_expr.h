/* print_expr: an expression as text again, with as few parentheses as it needs. */
#pragma once

#include "base/buf.h"
#include "rules/expr.h"

void print_expr(const struct expr *expr, const struct scope *scope, struct buf *out);

/* The same tree; numbers may differ beyond the decimals that are printed. */
bool same_expr(const struct expr *a, const struct expr *b);
