/*
 * exception: a finding that somebody has looked at and allows, with the reason. It covers the findings of one rule, of
 * the kernels of an entry or of all, as long as they are within its bound and until its date. What it covers stays in
 * the reports, marked, and does not count for the verdict. An exception that is expired, that names no rule or that is
 * no longer needed is told, so that none outlives its reason. Exceptions come from the configuration, and from comments
 * in sources (struct allow of the model), each of which is for one kernel of one log.
 */
#ifndef CONFIG_EXCEPTION_H
#define CONFIG_EXCEPTION_H

#include "rules/rule.h"
#include "rules/yaml_decoder.h"

struct exception {
    struct place place;
    struct str rule, reason;
    struct str max_text;   /* as written; empty: it has no bound */
    struct str until_text; /* the same; empty: it has no last day */
    struct place rule_place, max_place;
    struct arch_list archs;
    double max;       /* the finding's worst value may reach it */
    uint8_t max_unit; /* enum unit */
    int64_t until;    /* the last day, see base/date.h */
    uint32_t entry;   /* into the entries of the configuration: its kernels; NO_INDEX: all */
    uint32_t allow;   /* into model.allows: that one's kernels; NO_INDEX: it is not from a source */
};

/* The keys that an exception may have. */
extern const struct decode_key exception_keys[];
extern const size_t exception_key_count;

/* Reads one exception; *kernel becomes the node of its own `kernel` pattern, or NULL. `inside`: it stands in an entry
 * of kernels, which says of which kernels it speaks. */
void exception_read(const struct yaml_decoder *r, const struct yml_node *node, bool inside, struct exception *exception,
                    const struct yml_node **kernel);

/* Its rule, where it is known, can measure what `max` bounds; else an error. */
void exception_check(const struct exception *exception, const struct ruleset *rules, struct diags *diags);

/* ---- judging ---- */

struct launch_resolver;

/* What one finding is about, for exceptions. */
struct exception_query {
    uint16_t rule;         /* into the ruleset */
    float worst;           /* see struct finding */
    uint32_t name;         /* into model.names, or NO_INDEX */
    uint32_t arch, source; /* into model.strings, or NO_INDEX */
    uint16_t log;          /* into model.logs */
};

struct exceptions;
/* Borrows all of it. today: see base/date.h. */
struct exceptions *exceptions_new(const struct exception *items, size_t count, const struct ruleset *rules,
                                  const struct model *model, int64_t today);
void exceptions_free(struct exceptions *exceptions);

/* Adds those of the sources, once the model is whole. */
void exceptions_add_sources(struct exceptions *exceptions);

bool exceptions_any(const struct exceptions *exceptions);
/* The number of the exception that covers the finding, or NO_INDEX. */
uint32_t exceptions_find(struct exceptions *exceptions, struct launch_resolver *launches,
                         const struct exception_query *query);
struct str exceptions_reason(const struct exceptions *exceptions, uint32_t number);
bool exceptions_in_source(const struct exceptions *exceptions, uint32_t number); /* it is a comment of a source */

/* Warns of what is expired, exceeded or not needed, and of comments that are no exceptions. part: only a part of the
 * build was judged, so an exception that met no finding is no news. whole: nothing of the build is known to be missing,
 * so exceptions for kernels that are not in the input are told too, unless they stand in an entry, which tells so; how
 * many. After launches_report. */
size_t exceptions_report(struct exceptions *exceptions, const struct launch_resolver *launches, bool part, bool whole,
                         struct diags *diags);

#endif
