/*
 * tally: what rules found in the records of a large model, counted and not listed: of each record its verdict, of each
 * name the rules that spoke of it. Who shows a hundred groups of half a million findings needs no more.
 */
#ifndef LINT_TALLY_H
#define LINT_TALLY_H

#include "lint/judge.h"
#include "lint/verdict.h"

enum { TALLY_RULES = 64 }; /* a set of more rules is not counted this way */

/* The records of one name in one source. */
struct tally_unit {
    uint64_t rules;  /* bits 1 << number of the rule: it spoke */
    uint32_t source; /* into model.strings */
    uint32_t next;   /* the next one of the name + 1 */
};

struct tally_record {
    uint32_t verdict; /* its number; NO_INDEX: nothing was found, or the record was not judged */
    uint32_t name;    /* into units_of_name: the model's number, or names.count without a name */
};

struct tally {
    struct tally_record *records; /* by kernel */
    uint32_t *units_of_name;      /* into units + 1; 0: nothing was found */
    struct tally_unit *units;
    size_t unit_count, unit_cap;
};

struct tally *tally_new(const struct model *model);
void tally_free(struct tally *tally);

/* The record has the verdict, and findings. */
void tally_add(struct tally *tally, const struct model *model, uint32_t kernel, uint32_t verdict, uint64_t rules);

/* What the rules found in a record with that outcome, as it is listed. */
struct finding judge_finding(struct judge *judge, const struct outcome *outcome, uint32_t kernel);

#endif
