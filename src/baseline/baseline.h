/*
 * baseline: the file of known kernels and accepted findings. It is reviewed like code: sorted JSON, one kernel a line,
 * without times and absolute paths. Kernels are stored with their metrics (baseline/kernel_metrics.h), by toolkit;
 * findings of rules on messages and lines by rule, kernel, architecture and source, with a count.
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
 * Keys that may be absent, with the default if there is one: kind ("entry"), source, compiled_in (the file that was
 * compiled, if the source is a header, or a list of several such files), toolkit, each measure, threads, copies (1),
 * variant (1; numbers entries that differ only in their values), object (of variants, see variants.h), reason, code
 * (relocatable or linked). `name` is for people and is not read. `inputs` lists by toolkit what all logs and records of
 * that toolkit could state besides kernels; files of schema 1 have no inputs. Files without a list of files have schema
 * 5, those without loops_by_kernel too have schema 4, those without code and compiled_in too have schema 3, and those
 * without objects too have schema 2.
 */
#pragma once

#include "baseline/compare.h"
#include "rules/rule.h"

enum {
    BASELINE_SCHEMA = 6,
    SCHEMA_WITHOUT_LISTS = 5,
    SCHEMA_WITHOUT_LOOPS = 4,
    SCHEMA_WITHOUT_UNITS = 3,
    SCHEMA_WITHOUT_OBJECTS = 2
};

/* An accepted finding of a rule on messages or lines. Strings are numbers in the table of the set of kernels. */
struct accepted {
    uint32_t rule;
    uint32_t id, arch, source; /* NO_INDEX: the message names none */
    uint32_t text;             /* rules on lines: the message without paths and numbers; other rules: NO_INDEX */
    struct toolkit toolkit;
    uint32_t count; /* of equal findings; the members above are the key */
};
struct str accepted_key(const struct accepted *accepted); /* the bytes of all members but the count */

/* What all logs and records of a toolkit could state. */
struct baseline_input {
    struct toolkit toolkit;
    bool loop_remarks;    /* the outcome of each loop with `#pragma unroll` */
    bool loops_by_kernel; /* a finding about a loop is stored for each kernel; before schema 5 for the worst one only */
};

struct baseline {
    struct kernel_metrics_set kernels; /* with the table of strings of the whole baseline */
    struct baseline_input *inputs;     /* by toolkit */
    size_t input_count, input_cap;
    struct accepted *accepted;
    size_t accepted_count, accepted_cap;
    bool measured; /* made of a log or of records: there is no file that `baseline update` and `prune` could write */
};

/* Reads the text of a file into an empty baseline that has a table of strings. False with an error (line and column) if
 * it is not a baseline; the baseline must not be used then. */
bool baseline_parse(struct baseline *baseline, struct str path, struct str text, struct diags *diags);
void baseline_print(const struct baseline *baseline, struct buf *out); /* appends the file */
void baseline_free(struct baseline *baseline);                         /* all but the table of strings */

/* True if the first bytes of the text look like a baseline, not like a stream of records. */
bool baseline_is_text(struct str text);

/* By how much each measure may grow: the parameters of the regression rules. */
struct tolerances baseline_tolerances(const struct ruleset *rules);

/* Adds an input of a toolkit. The entry of the toolkit keeps what all of its inputs can state. */
void baseline_add_input(struct baseline *baseline, struct baseline_input input);
/* Adds each log of the model that has kernels as an input. */
void baseline_add_logs(struct baseline *baseline, const struct model *model);

/* Adds an accepted finding with all members unset and a count of 1. The pointer is valid until the next call. */
struct accepted *baseline_add_accepted(struct baseline *baseline);
/* The entry of that toolkit; NULL: the baseline has none. */
struct baseline_input *baseline_find_input(const struct baseline *baseline, struct toolkit toolkit);
