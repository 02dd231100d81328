/*
 * exception: allows findings of one rule, with a reason, for the kernels of an entry or for all kernels, up to a bound
 * and until a date. Allowed findings stay in reports, marked, and do not count for the verdict. Exceptions that are
 * expired, that name no rule, or that are no longer needed are reported. Exceptions are in the configuration and in
 * comments of sources (struct source_exception of the model); each of the latter is for one kernel of one log.
 */
#pragma once

#include "rules/rule.h"
#include "rules/yaml_decoder.h"

struct exception {
    struct place place;
    struct str rule, reason;
    struct str max_text;   /* as written; empty: it has no bound */
    struct str until_text; /* as written; empty: it does not expire */
    struct place rule_place, max_place;
    struct arch_list archs;
    double max;                /* the largest allowed `worst` of a finding */
    uint8_t max_unit;          /* enum unit */
    int64_t until;             /* the last day, see base/date.h */
    uint32_t entry;            /* the entry of the configuration with its kernels; NO_INDEX: all kernels */
    uint32_t source_exception; /* in model.source_exceptions; NO_INDEX: it is not from a source */
};

/* The keys that an exception may have. */
extern const struct decode_key exception_keys[];
extern const size_t exception_key_count;

/* Reads one exception; *kernel becomes the node of its own `kernel` pattern, or NULL. inside: it is in an entry of
 * `kernels:`, which selects its kernels. */
void exception_read(const struct yaml_decoder *r, const struct yml_node *node, bool inside, struct exception *exception,
                    const struct yml_node **kernel);

/* Reports an error if the exception has a `max` and its rule has no value that it could bound. */
void exception_check(const struct exception *exception, const struct ruleset *rules, struct diags *diags);

/* Warns if no rule has the id that the exception names, and returns false then. */
bool exception_names_rule(const struct exception *exception, const struct ruleset *rules, struct diags *diags);

/* ---- judging ---- */

struct launch_resolver;

/* A finding for which an exception is searched. */
struct exception_query {
    uint16_t rule;         /* in the ruleset */
    float worst;           /* see struct finding */
    uint32_t name;         /* in model.names, or NO_INDEX */
    uint32_t arch, source; /* in model.strings, or NO_INDEX */
    uint16_t log;          /* in model.logs */
};

struct exceptions;
/* Borrows all arguments. today: see base/date.h. */
struct exceptions *exceptions_new(const struct exception *items, size_t count, const struct ruleset *rules,
                                  const struct model *model, int64_t today);
void exceptions_free(struct exceptions *exceptions);

/* Adds the exceptions of sources. Call it when the model is complete. */
void exceptions_add_sources(struct exceptions *exceptions);

bool exceptions_any(const struct exceptions *exceptions);
/* The number of the exception that covers the finding, or NO_INDEX. */
uint32_t exceptions_find(struct exceptions *exceptions, struct launch_resolver *launches,
                         const struct exception_query *query);
struct str exceptions_reason(const struct exceptions *exceptions, uint32_t number);
bool exceptions_in_source(const struct exceptions *exceptions, uint32_t number); /* it is a comment in a source */

/* Warns about exceptions that are expired, exceeded or not needed, and about comments that are not valid exceptions.
 * part: only a part of the build was judged, so exceptions without a finding are not reported. whole: no part of the
 * build is known to be missing, so exceptions for absent kernels are reported too (those in an entry are reported with
 * the entry, see launch_resolver_report). Returns how many are for absent kernels. Call it after
 * launch_resolver_report. */
size_t exceptions_report(struct exceptions *exceptions, const struct launch_resolver *launches, bool part, bool whole,
                         struct diags *diags);
