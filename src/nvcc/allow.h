/*
 * allow: exceptions in comments of a source,
 *
 *     // warplint: allow(register-spill, over-budget) reason="measured: 3 % faster" until=2027-06-30
 *
 * at the beginning of a comment or of a line of it. The reason must be there, the day (the last one) may be; they stand
 * in any order, in a block comment on as many lines as they need.
 */
#ifndef NVCC_ALLOW_H
#define NVCC_ALLOW_H

#include "base/mem.h"
#include "nvcc/cxx.h"

struct allow_note {
    struct str rule, reason;
    struct str until;      /* as written, a day; empty: none */
    struct str problem;    /* empty, or what is wrong with it: then the others are empty */
    uint32_t line, column; /* of the rule or of what is wrong, from 1 */
};

struct allow_notes {
    struct allow_note *items; /* from malloc; their texts are the arena's */
    size_t count, cap;
};

/* Appends a note for each rule that the comment allows, and one for each mistake. */
void allow_read(const struct cxx_token *comment, struct arena *arena, struct allow_notes *notes);

#endif
