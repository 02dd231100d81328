/*
 * suppression: exceptions in comments of a source,
 *
 *     // warplint: allow(register-spill, over-budget) reason="measured: 3 % faster" until=2027-06-30
 *
 * at the beginning of a comment or of a line in it. The reason is required. The day (the last one on which the
 * exception holds) is optional. Both come in any order, and in a block comment on as many lines as they need.
 */
#pragma once

#include "base/mem.h"
#include "nvcc/cxx.h"

struct suppression {
    struct str rule, reason;
    struct str until;      /* as written, a day; empty: none */
    struct str problem;    /* the mistake in it, in which case the other texts are empty; empty: none */
    uint32_t line, column; /* of the rule or of the mistake, from 1 */
    uint32_t declaration;  /* index of its kernel's declaration, assigned by the caller; UINT32_MAX: none (yet) */
    uint32_t file;         /* number of the file, assigned by the caller */
};

struct suppressions {
    struct suppression *items; /* from malloc; their texts are in the arena or point into the comment */
    size_t count, cap;
};

/* Appends one suppression for each rule that the comment allows, or one with a problem for each mistake. */
void suppressions_read(const struct cxx_token *comment, struct arena *arena, struct suppressions *list);
