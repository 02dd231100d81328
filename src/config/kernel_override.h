/*
 * kernel_override: one entry of `kernels:`. It says which kernels it speaks of (a pattern on the readable name, as it
 * comes from the demangler; architectures; a pattern on the path of the source) and what is known of their launches.
 * What it does not say it leaves to the entries before it.
 */
#ifndef CONFIG_KERNEL_OVERRIDE_H
#define CONFIG_KERNEL_OVERRIDE_H

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
    struct override_value *values; /* those that it gives, in the order of launch_facts */
    size_t value_count;
    struct scope scope;   /* what values may calculate with: $1 .. $n, then the named groups of the match */
    bool source_is_whole; /* the glob starts with a slash: it is matched with the whole path, else with its end */
    bool exact_bounds;    /* a launch bound is the block size */
    bool only_allows;     /* it was made for an exception */
};

/* The keys that an entry may have. */
extern const struct decode_key kernel_override_keys[];
extern const size_t kernel_override_key_count;

/* Reads one entry; `allow` is left to `exceptions`, which gets its node (NULL where there is none). */
void kernel_override_read(const struct yaml_decoder *r, const struct yml_node *node, struct kernel_override *entry,
                          const struct yml_node **exceptions);
/* The entry that an exception with a `kernel` pattern of its own brings: it says nothing else. */
void kernel_override_of_exception(const struct yaml_decoder *r, const struct yml_node *pattern,
                                  struct kernel_override *entry);
void kernel_override_free(struct kernel_override *entry);

/* The name fits. groups: room for scope.capture_count slices of the name. */
enum regex_result kernel_override_match(const struct kernel_override *entry, struct str name, struct str *groups);
/* The path fits, taken from its end: src/x.cu fits /home/me/src/x.cu. Backslashes are slashes. An empty path fits only
 * where no source is asked for. */
enum regex_result kernel_override_match_source(const struct kernel_override *entry, struct str path);

#endif
