#include "config/kernel_override.h"

#include "log/name.h"

#include <stddef.h>

/* ---- selection of kernels ---- */

/* Sets the names that values may use: $1 .. $n, then $name for each group; one without a name has its number again. */
static void name_groups(const struct yaml_decoder *r, struct kernel_override *entry)
{
    const struct str *names = NULL;
    const size_t count = regex_groups(entry->match, &names);
    struct str *captures = arena_alloc(r->arena, (2 * count + 1) * sizeof *captures);
    for (size_t at = 0; at < count; at++) {
        captures[at] = arena_fmt(r->arena, "$%zu", at + 1);
        captures[count + at] = names[at].len ? arena_fmt(r->arena, "$%.*s", STR_ARG(names[at])) : captures[at];
    }
    entry->scope.captures = captures;
    entry->scope.capture_count = 2 * count;
}

static void read_match(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct kernel_override *entry = into;
    entry->match = decode_regex(r, node, false);
    if (!entry->match)
        return;
    entry->match_text = arena_str(r->arena, node->scalar);
    entry->match_place = yml_place(r->yaml, node);
    name_groups(r, entry);
}

static void read_source(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct kernel_override *entry = into;
    entry->source = decode_regex(r, node, true);
    if (!entry->source)
        return;
    entry->source_text = arena_str(r->arena, node->scalar);
    entry->source_place = yml_place(r->yaml, node);
    entry->source_is_whole = node->scalar.ptr[0] == '/' || str_starts(node->scalar, STR("./"));
}

/* ---- values of their launches ---- */

static void read_value(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct kernel_override *entry = into;
    const struct launch_fact *fact = launch_fact_find(node->key);
    struct arch_value *value = arch_value_read(r, node, &fact->key, &entry->scope);
    if (value)
        entry->values[entry->value_count++] = (struct override_value){fact, value};
}

static void read_bounds(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct kernel_override *entry = into;
    entry->exact_bounds = str_eq(node->scalar, STR("exact"));
    entry->exact_place = yml_place(r->yaml, node);
    if (!entry->exact_bounds)
        decode_fail(r, node, "exact (the bound is the block size)");
}

#define FACT_KEY(name, type, unknown, key, unit, least, most, expected, sample, what, doc)                             \
    {key, read_value, 0, sample, what},
#define NO_KEY(...)
/* The keys are read in this order, because values need the groups of the match. */
const struct decode_key kernel_override_keys[] = {
    {"match", read_match, 0, "'flash_fwd_kernel<(\\d+)'", "PCRE2, on the readable name"},
    {"arch", decode_archs, offsetof(struct kernel_override, archs), "[sm_90]", "only on these architectures"},
    {"source", read_source, 0, "'src/**/*.cu'", "only of these sources"},
    LAUNCH_FACTS(FACT_KEY, NO_KEY){"launch-bounds", read_bounds, 0, "exact", "the bound is the block size"},
    {"allow", NULL, 0, NULL, "exceptions for these"},
};
const size_t kernel_override_key_count = sizeof kernel_override_keys / sizeof *kernel_override_keys;

/* True if the entry has only keys that select kernels. */
static bool says_nothing(const struct yml_node *node)
{
    for (const struct yml_node *member = node->first; member; member = member->next)
        if (!str_is_one_of(member->key, "match arch source"))
            return false;
    return true;
}

void kernel_override_read(const struct yaml_decoder *r, const struct yml_node *node, struct kernel_override *entry,
                          const struct yml_node **exceptions)
{
    *entry =
        (struct kernel_override){.place = yml_place(r->yaml, node), .scope = {.groups = true, .regexes = r->regexes}};
    entry->values = arena_alloc(r->arena, LAUNCH_COUNT * sizeof *entry->values);
    const size_t errors = r->diags->errors;
    decode_map(r, node, "an entry of kernels", kernel_override_keys, kernel_override_key_count, entry);
    if (node->kind == YML_MAP && !yml_member(node, STR("match")) && !yml_member(node, STR("source")))
        diag_error(
            r->diags, entry->place,
            "the entry names no kernels, expected `match` (a regular expression on the readable name) or `source`");
    else if (r->diags->errors == errors && says_nothing(node))
        diag_warning(r->diags, entry->place,
                     "this entry has no effect: it selects kernels and says nothing of them, expected a key such as "
                     "`threads`, `max-registers` or `allow`");
    *exceptions = yml_member(node, STR("allow"));
}

void kernel_override_of_exception(const struct yaml_decoder *r, const struct yml_node *pattern,
                                  struct kernel_override *entry)
{
    *entry = (struct kernel_override){.place = yml_place(r->yaml, pattern), .only_allows = true};
    read_match(r, pattern, entry);
}

/* ---- matching ---- */

enum regex_result kernel_override_match(const struct kernel_override *entry, struct str name, struct str *groups)
{
    if (!entry->match)
        return REGEX_YES;
    enum regex_result result = name_match(entry->match, name, groups);
    const size_t count = entry->scope.capture_count / 2; /* each group has two names */
    if (result == REGEX_YES)
        memcpy(groups + count, groups, count * sizeof *groups);
    return result;
}

static enum regex_result match_end(const struct kernel_override *entry, struct str path)
{
    enum regex_result result = regex_match(entry->source, path, NULL);
    while (result == REGEX_NO && !entry->source_is_whole) {
        size_t slash = str_find_char(path, '/');
        if (slash == STR_NONE)
            break;
        path = str_from(path, slash + 1);
        result = regex_match(entry->source, path, NULL);
    }
    return result;
}

enum regex_result kernel_override_match_source(const struct kernel_override *entry, struct str path)
{
    if (!entry->source)
        return REGEX_YES;
    SCOPED(buf) slashes = {0};
    buf_add(&slashes, path);
    for (size_t at = 0; at < slashes.len; at++)
        if (slashes.ptr[at] == '\\')
            slashes.ptr[at] = '/';
    return path.len ? match_end(entry, buf_str(&slashes)) : REGEX_NO;
}
