/*
 * launch_resolver: the launch configuration of each kernel, from options, a profile, the entries of the configuration
 * and the kernel's own declarations. Each name is matched once. There are few different launch configurations, and each
 * has a number, so the linter evaluates each rule once for each of them.
 */
#pragma once

#include "config/kernel_override.h"
#include "config/profile_index.h"
#include "log/checkout.h"

/* The sources of launch configurations. */
struct launch_sources {
    const struct kernel_override *entries; /* the last one that matches and sets a key is used */
    size_t entry_count;
    const struct arch_value *sms;  /* SMs of the GPU by architecture; NULL: unknown */
    struct launch_config given;    /* options; they have precedence over everything else */
    const struct profile *profile; /* it has precedence over the entries; NULL: none */
    struct checkout checkout;      /* see linter_options */
};

struct launch_resolver;
/* Borrows the entries and the model. The model may grow until the first call of another function. */
struct launch_resolver *launch_resolver_new(const struct launch_sources *sources, const struct model *model);
void launch_resolver_free(struct launch_resolver *launches);

/* True if the block size that the options give for all kernels is above the kernel's launch bound: it does not apply.
 */
bool launch_config_is_past_bound(const struct launch_config *given, const struct rare_metrics *rare);

/* The number of the launch configuration of a record; equal ones have equal numbers. If a profiler recorded several
 * launches, it is that of the most frequent one. */
uint32_t launch_resolver_number(struct launch_resolver *launches, const struct kernel *kernel);

/* The launches of the record in the profile, see profile_index_launches; 0 without a profile. */
size_t launch_resolver_seen(struct launch_resolver *launches, const struct kernel *kernel,
                            const struct profile_launch **seen, size_t most);
/* The number of the launch configuration of the record for one of these launches. */
uint32_t launch_resolver_number_of(struct launch_resolver *launches, const struct kernel *kernel,
                                   const struct profile_launch *launch);
/* True if options or configuration give a block size other than the one that the kernel requires; the latter is used.
 */
bool launch_resolver_overrules(struct launch_resolver *launches, const struct kernel *kernel);
/* The launch configuration of a number; valid until the next launch_resolver_number. */
const struct launch_config *launch_resolver_config(const struct launch_resolver *launches, uint32_t number);

/* True if the entry selects the kernel: a name (in model.names), an architecture and a source of a log (in
 * model.strings); NO_INDEX: unknown. */
bool launch_resolver_match(struct launch_resolver *launches, uint32_t entry, uint32_t name, uint32_t arch,
                           uint32_t source, uint16_t log);
/* True if the name and source of some kernel match the entry, even for another architecture. Call it after
 * launch_resolver_report. */
bool launch_resolver_entry_seen(const struct launch_resolver *launches, uint32_t entry);
/* For an entry that matches no kernel: appends "; the pattern is matched with names such as 'void k<4u>(int*)'" if some
 * name has a word of the pattern. */
void launch_resolver_add_near(const struct launch_resolver *launches, uint32_t entry, struct buf *out);
bool launch_resolver_entry_only_allows(const struct launch_resolver *launches,
                                       uint32_t entry); /* see struct kernel_override */

/* Appends the errors of all matches: patterns that exceeded the limits of PCRE2, values out of their ranges. */
bool launch_resolver_check(const struct launch_resolver *launches, struct diags *diags);

/* Appends a warning if the profile has kernels that are not in the model and, if the model is the whole build, a
 * warning for each entry that matches no kernel; returns how many of the latter. exceptions: include entries that were
 * made for an exception, which exceptions_report reports otherwise. */
size_t launch_resolver_report(struct launch_resolver *launches, bool whole, bool exceptions, struct diags *diags);
