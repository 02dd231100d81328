/*
 * suppression: exceptions in comments of a source,
 *
 *     // warplint: allow(register-spill, over-budget) reason="measured: 3 % faster" until=2027-06-30
 *
 * at the beginning of a comment or of a line of it. The reason is required, the day (the last one) is not; they come in
 * any order, in a block comment on as many lines as they need.
 */
#ifndef NVCC_SUPPRESSION_H
#define NVCC_SUPPRESSION_H

#include "base/mem.h"
#include "nvcc/cxx.h"

struct suppression {
    struct str rule, reason;
    struct str until;      /* as written, a day; empty: none */
    struct str problem;    /* empty, or what is wrong with it: then the others are empty */
    uint32_t line, column; /* of the rule or of what is wrong, from 1 */
    uint32_t declaration;  /* of its kernel, as the caller numbers them; UINT32_MAX: none (yet) */
    uint32_t file;         /* as the caller numbers files */
};

struct suppressions {
    struct suppression *items; /* from malloc; their texts are the arena's or point into the comment */
    size_t count, cap;
};

/* Appends one for each rule that the comment allows, or one with the problem for each mistake. */
void suppressions_read(const struct cxx_token *comment, struct arena *arena, struct suppressions *list);

#endif
