/*
 * tally: what rules found in the records of a large model, counted and not listed: of each name the rules that spoke of
 * it, the worst that was said, and its records. Who shows a hundred groups of half a million findings needs no more,
 * and looks at the records of few names again.
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
    uint32_t next;   /* the next one of the name, of a lower source, + 1 */
    uint32_t last;   /* the newest record + 1; before it stand those of tally.older */
    uint32_t worst;  /* the verdict that has the highest rank of all; NO_INDEX: nothing was found */
};

struct tally {
    uint32_t *older;         /* by kernel: the record before it in its unit + 1 */
    uint32_t *units_of_name; /* into units + 1, by tally_name; 0: the name was not judged */
    struct tally_unit *units;
    size_t unit_count, unit_cap;
    size_t spoken_of; /* units of which a rule spoke */
};

struct tally *tally_new(const struct model *model);
void tally_free(struct tally *tally);

/* The unit, new or not. Valid until the next call. */
struct tally_unit *tally_unit(struct tally *tally, uint32_t name, uint32_t source);
/* Its number in the model; names.count without one. */
uint32_t tally_name(const struct model *model, uint32_t kernel);
/* Of the worst that was found; 0: nothing was. */
uint64_t tally_rank(const struct tally_unit *unit, const struct verdict_table *table);

/* The number of the verdict of a record that was added. It is looked for once more, which costs less than to keep it
 * for every record. Verdicts may have moved. */
uint32_t judge_verdict(struct judge *judge, uint32_t kernel);
/* What the rules found in a record with that outcome, as it is listed. */
struct finding judge_finding(struct judge *judge, const struct outcome *outcome, uint32_t kernel);

#endif
