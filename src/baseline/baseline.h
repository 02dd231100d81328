/*
 * baseline: the file that says what is known and accepted. It is reviewed like code: JSON, sorted, one kernel a line,
 * without paths of a machine and without times. Kernels are stored by what was measured of them
 * (baseline/kernel_metrics.h), by toolkit; findings of rules on messages and lines by rule, kernel, architecture and
 * source, with a count.
 *
 *   {
 *   "warplint_baseline": 2,
 *   "inputs": [
 *   {"toolkit":"13.0","loop_remarks":true,"loops_by_kernel":true}
 *   ],
 *   "kernels": [
 *   {"kernel_id":"_Z4blurPKfPfi","name":"blur","arch":"sm_80","source":"src/blur.cu","toolkit":"13.0","registers":32,...},
 *   ...
 *   ],
 *   "findings": [
 *   {"rule":"unroll-failed","kernel_id":"_Z4blurPKfPfi","arch":"sm_80","source":"src/blur.cu","count":1}
 *   ]
 *   }
 *
 * What is not known is left out: kind (an entry), source, compiled_in (the file that was compiled, where
 * the source is a header), toolkit, each measure, threads, copies (1), variant (1; tells
 * entries apart that agree in all but their numbers), object (of variants, see variants.h), reason, code (relocatable
 * or linked). `name` is for people and not read. `inputs` says for each toolkit what all of its logs and records could
 * state beyond the kernels; files of schema 1 have none. A file without loops_by_kernel is of schema 4, one without
 * code and compiled_in too of schema 3, one without objects too of schema 2.
 */
#ifndef BASELINE_BASELINE_H
#define BASELINE_BASELINE_H

#include "baseline/compare.h"
#include "rules/rule.h"

enum { BASELINE_SCHEMA = 5, SCHEMA_WITHOUT_LOOPS = 4, SCHEMA_WITHOUT_UNITS = 3, SCHEMA_WITHOUT_OBJECTS = 2 };

/* A finding of a rule on messages or lines that was there. Numbers are into the strings of the set of kernels. */
struct accepted {
    uint32_t rule;
    uint32_t id, arch, source; /* NO_INDEX: the message names none */
    uint32_t text;             /* of a rule on lines: its message without paths and numbers; else NO_INDEX */
    struct toolkit toolkit;
    uint32_t count; /* how many; what is before it is what the finding is known by */
};
struct str accepted_key(const struct accepted *accepted); /* all but the count, as bytes */

/* What the inputs of a toolkit could state. */
struct baseline_input {
    struct toolkit toolkit;
    bool loop_remarks;    /* what became of each loop that was to be unrolled */
    bool loops_by_kernel; /* findings about a loop are of each of its kernels; before schema 5 of its worst one */
};

struct baseline {
    struct kernel_metrics_set kernels; /* its strings are those of all of it */
    struct baseline_input *inputs;     /* by toolkit */
    size_t input_count, input_cap;
    struct accepted *accepted;
    size_t accepted_count, accepted_cap;
};

/* The text of a file, into an empty baseline with a table of strings. False with an error (line and column) for what is
 * no baseline; nothing of it may be used then. */
bool baseline_parse(struct baseline *baseline, struct str path, struct str text, struct diags *diags);
void baseline_print(const struct baseline *baseline, struct buf *out); /* appends the file */
void baseline_free(struct baseline *baseline);                         /* but for the strings */

/* The text is a baseline, as far as its first bytes show, and not a stream of records. */
bool baseline_is_text(struct str text);

/* By how much a measure may grow: the parameters of the regression rules. */
struct tolerances baseline_tolerances(const struct ruleset *rules);

/* Adds an input of that toolkit: the toolkit states what all of its inputs state. */
void baseline_add_input(struct baseline *baseline, struct baseline_input input);
/* The same of each log of a model that has kernels. */
void baseline_add_logs(struct baseline *baseline, const struct model *model);

/* Adds an accepted finding with nothing known and a count of 1. The pointer holds until the next one. */
struct accepted *baseline_add_accepted(struct baseline *baseline);
/* What the inputs of that toolkit could state; NULL: the baseline does not say. */
struct baseline_input *baseline_find_input(const struct baseline *baseline, struct toolkit toolkit);

#endif
