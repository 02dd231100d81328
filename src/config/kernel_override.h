/*
 * kernel_override: one entry of `kernels:`. It selects kernels (by a pattern on the demangled name, by architectures,
 * by a pattern on the path of the source) and sets values of their launches. Values that it does not set come from
 * earlier entries.
 */
#pragma once

#include "base/regex.h"
#include "config/arch_value.h"
#include "rules/launch_config.h"

struct override_value {
    const struct launch_fact *fact;
    struct arch_value *value;
};

struct kernel_override {
    struct place place;
    struct regex *match;                /* NULL: every name */
    struct regex *source;               /* a glob; NULL: every source, known or not */
    struct str match_text, source_text; /* as written */
    struct place match_place, source_place, exact_place;
    struct arch_list archs;
    struct override_value *values; /* that it sets, in the order of launch_facts */
    size_t value_count;
    struct scope scope;   /* names in its values: $1 .. $n, then the names of the groups */
    bool source_is_whole; /* the glob starts with a slash: it must match the whole path, not only its end */
    bool exact_bounds;    /* a launch bound is the block size */
    bool only_allows;     /* it was made for an exception and sets nothing */
};

/* The keys that an entry may have. */
extern const struct decode_key kernel_override_keys[];
extern const size_t kernel_override_key_count;

/* Reads one entry. *exceptions becomes the node of its `allow` (NULL: none), which the caller reads. */
void kernel_override_read(const struct yaml_decoder *r, const struct yml_node *node, struct kernel_override *entry,
                          const struct yml_node **exceptions);
/* Makes the entry of an exception with its own `kernel` pattern. */
void kernel_override_of_exception(const struct yaml_decoder *r, const struct yml_node *pattern,
                                  struct kernel_override *entry);

/* Matches a name. groups: room for scope.capture_count slices of the name. */
enum regex_result kernel_override_match(const struct kernel_override *entry, struct str name, struct str *groups);
/* Matches the end of a path: src/x.cu matches /home/me/src/x.cu. Backslashes are slashes. An empty path matches only if
 * the entry has no `source`. */
enum regex_result kernel_override_match_source(const struct kernel_override *entry, struct str path);
