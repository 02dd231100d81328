/*
 * launch_resolver: what is known of every kernel's launch beside the log: the options of the command line, and under
 * them what the entries of the configuration say. A name is matched once and remembered; the launch configurations that
 * come out are few and have numbers, so that judging asks each rule once for each of them.
 */
#ifndef CONFIG_LAUNCH_RESOLVER_H
#define CONFIG_LAUNCH_RESOLVER_H

#include "config/kernel_override.h"
#include "config/profile_index.h"
#include "log/checkout.h"

/* Where the launch configuration of all kernels comes from. */
struct launch_sources {
    const struct kernel_override *entries; /* the last one that matches and gives a key answers for it */
    size_t entry_count;
    const struct arch_value *sms;  /* SMs of the product by architecture; NULL: not known */
    struct launch_config given;    /* of the command line: they win */
    const struct profile *profile; /* what a profiler saw: it wins over the entries; NULL: nothing */
    struct checkout checkout;      /* see linter_options */
};

struct launch_resolver;
/* Borrows the sources' entries and the model, which may still grow until the first question. */
struct launch_resolver *launch_resolver_new(const struct launch_sources *sources, const struct model *model);
void launch_resolver_free(struct launch_resolver *launches);

/* The block size of all kernels that the command line gives is above the kernel's launch bound: it does not apply. */
bool launch_config_is_past_bound(const struct launch_config *given, const struct rare_metrics *rare);

/* The number of the launch configuration of a record; equal ones have equal numbers. Of several launches that a
 * profiler saw it is the most frequent one. */
uint32_t launch_resolver_number(struct launch_resolver *launches, const struct kernel *kernel);

/* The launches of the record that a profiler saw, see profile_index_launches; 0 without a profile. */
size_t launch_resolver_seen(struct launch_resolver *launches, const struct kernel *kernel,
                            const struct profile_launch **seen, size_t most);
/* The number of the launch configuration of the record when it is launched like this one of them. */
uint32_t launch_resolver_number_of(struct launch_resolver *launches, const struct kernel *kernel,
                                   const struct profile_launch *launch);
/* The command line or the configuration gives another block size than the one that the kernel requires of every launch,
 * which takes its place. */
bool launch_resolver_overrules(struct launch_resolver *launches, const struct kernel *kernel);
/* The launch configuration of a number; valid until the next launch_resolver_number. */
const struct launch_config *launch_resolver_config(const struct launch_resolver *launches, uint32_t number);

/* The entry speaks of the kernel: a name (model.names), an architecture and a source of a log (model.strings), each of
 * them NO_INDEX where it is not known. */
bool launch_resolver_match(struct launch_resolver *launches, uint32_t entry, uint32_t name, uint32_t arch,
                           uint32_t source, uint16_t log);
/* Some kernel's name and source fit the entry, if only for another architecture. After launches_report. */
bool launch_resolver_entry_seen(const struct launch_resolver *launches, uint32_t entry);
/* Of an entry that fits no kernel: appends "; the pattern is matched with names such as 'void k<4u>(int*)'", where a
 * name has a word of it. */
void launch_resolver_add_near(const struct launch_resolver *launches, uint32_t entry, struct buf *out);
bool launch_resolver_entry_only_allows(const struct launch_resolver *launches,
                                       uint32_t entry); /* see struct kernel_override */

/* Appends what went wrong in all of it: a pattern that ran into its limits, a value that is out of its own. */
bool launch_resolver_check(const struct launch_resolver *launches, struct diags *diags);

/* Appends a warning where the profile speaks of kernels that are not in the model and, where the model is `whole`, for
 * each entry that fits no kernel; how many entries. exceptions: those that were made for one, too, which
 * exceptions_report tells else. */
size_t launch_resolver_report(struct launch_resolver *launches, bool whole, bool exceptions, struct diags *diags);

#endif
