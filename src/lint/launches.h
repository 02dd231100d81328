/*
 * launches: what is known of every kernel's launch beside the log: the facts of the command line, and under them what
 * the entries of the configuration say. A name is matched once and remembered; the facts that come out are few and have
 * numbers, so that judging asks each rule once for each of them.
 */
#ifndef LINT_LAUNCHES_H
#define LINT_LAUNCHES_H

#include "lint/kernel_entry.h"

/* Where the facts of all kernels come from. */
struct launch_sources {
    const struct kernel_entry *entries; /* the last one that matches and gives a key answers for it */
    size_t entry_count;
    const struct arch_value *sms; /* SMs of the product by architecture; NULL: not known */
    struct facts given;           /* of the command line: they win */
};

struct launches;
/* Borrows the sources' entries and the model, which may still grow until the first question. */
struct launches *launches_new(const struct launch_sources *sources, const struct model *model);
void launches_free(struct launches *launches);

/* The number of the facts of a record; equal facts have equal numbers. */
uint32_t launches_number(struct launches *launches, const struct kernel *kernel);
/* The facts of a number; valid until the next launches_number. */
const struct facts *launches_facts(const struct launches *launches, uint32_t number);

/* The entry speaks of the kernel: a name (model.names), an architecture and a source (model.strings), each of them
 * NO_INDEX where it is not known. */
bool launches_match(struct launches *launches, uint32_t entry, uint32_t name, uint32_t arch, uint32_t source);
/* Some kernel was asked about that the entry speaks of. */
bool launches_entry_seen(const struct launches *launches, uint32_t entry);

/* Appends what went wrong in all of it: a pattern that ran into its limits, a value that is out of its own. */
bool launches_check(const struct launches *launches, struct diags *diags);

#endif
