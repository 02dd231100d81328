#include "config/kernel_override.h"

#include <stdlib.h>

struct entry_reader {
    struct kernel_override *entry;
    struct scope scope;
};

/* ---- which kernels ---- */

/* The names that values may use: $1 .. $n, then $name for each named group. */
static void name_groups(const struct yaml_decoder *r, struct entry_reader *reader)
{
    const struct str *named = NULL;
    const struct regex *match = reader->entry->match;
    size_t count = regex_group_count(match), names = regex_names(match, &named);
    struct str *captures = arena_alloc(r->arena, (count + names + 1) * sizeof *captures);
    for (size_t at = 0; at < count; at++)
        captures[at] = arena_fmt(r->arena, "$%zu", at + 1);
    for (size_t at = 0; at < names; at++)
        captures[count + at] = arena_fmt(r->arena, "$%.*s", STR_ARG(named[at]));
    reader->scope.captures = captures;
    reader->scope.capture_count = reader->entry->group_count = count + names;
}

static void read_match(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct entry_reader *reader = into;
    reader->entry->match = decode_regex(r, node);
    if (!reader->entry->match)
        return;
    reader->entry->match_text = arena_str(r->arena, node->scalar);
    reader->entry->match_place = yml_place(r->yaml, node);
    name_groups(r, reader);
}

static void read_archs(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct entry_reader *reader = into;
    reader->entry->archs = decode_archs(r, node, &reader->entry->arch_count);
    reader->entry->archs_place = yml_place(r->yaml, node);
}

static void read_source(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct kernel_override *entry = ((struct entry_reader *)into)->entry;
    struct regex_error error = {0};
    if (!decode_is_text(node)) {
        decode_fail(r, node, "a pattern of paths like src/*.cu");
        return;
    }
    entry->source = regex_new_glob(node->scalar, &error);
    entry->source_text = arena_str(r->arena, node->scalar);
    entry->source_place = yml_place(r->yaml, node);
    entry->source_is_whole = node->scalar.ptr[0] == '/';
    if (!entry->source)
        diag_error(r->diags, yml_scalar_place(r->yaml, node, error.offset, 1), "%.*s",
                   STR_ARG(buf_str(&error.message)));
    buf_free(&error.message);
}

/* ---- what is known of them ---- */

static void read_value(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct entry_reader *reader = into;
    struct kernel_override *entry = reader->entry;
    const struct launch_fact *fact = launch_fact_find(node->key);
    struct arch_value *value = arch_value_read(r, node, &fact->key, &reader->scope);
    if (value)
        entry->values[entry->value_count++] = (struct override_value){fact, value};
}

static void read_bounds(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct kernel_override *entry = ((struct entry_reader *)into)->entry;
    entry->exact_bounds = node->kind == YML_SCALAR && str_eq(node->scalar, STR("exact"));
    entry->exact_place = yml_place(r->yaml, node);
    if (!entry->exact_bounds)
        decode_fail(r, node, "exact (the bound is the block size)");
}

#define FACT_KEY(name, type, unknown, key, unit, least, most, expected, sample, what, doc)                             \
    {key, read_value, sample, what},
#define NO_KEY(...)
/* Read in this order: values need the groups of the match. */
const struct decode_key kernel_override_keys[] = {
    {"match", read_match, "'flash_fwd_kernel<(\\d+)'", "PCRE2, on the readable name"},
    {"arch", read_archs, "[sm_90]", "only on these architectures"},
    {"source", read_source, "'src/**/*.cu'", "only of these sources"},
    LAUNCH_FACTS(FACT_KEY, NO_KEY){"launch-bounds", read_bounds, "exact", "the bound is the block size"},
    {"allow", NULL, NULL, "exceptions for these"},
};
const size_t kernel_override_key_count = sizeof kernel_override_keys / sizeof *kernel_override_keys;

void kernel_override_read(const struct yaml_decoder *r, const struct yml_node *node, struct kernel_override *entry,
                          const struct yml_node **exceptions)
{
    struct entry_reader reader = {.entry = entry, .scope = {.groups = true}};
    *entry = (struct kernel_override){.place = yml_place(r->yaml, node)};
    entry->values = arena_alloc(r->arena, LAUNCH_COUNT * sizeof *entry->values);
    decode_map(r, node, "an entry of kernels", kernel_override_keys, kernel_override_key_count, &reader);
    if (node->kind == YML_MAP && !yml_member(node, STR("match")) && !yml_member(node, STR("source")))
        diag_error(
            r->diags, entry->place,
            "the entry names no kernels, expected `match` (a regular expression on the readable name) or `source`");
    *exceptions = yml_member(node, STR("allow"));
}

void kernel_override_of_exception(const struct yaml_decoder *r, const struct yml_node *pattern,
                                  struct kernel_override *entry)
{
    struct entry_reader reader = {.entry = entry};
    *entry = (struct kernel_override){.place = yml_place(r->yaml, pattern), .only_allows = true};
    read_match(r, pattern, &reader);
}

void kernel_override_free(struct kernel_override *entry)
{
    regex_free(entry->match);
    regex_free(entry->source);
    for (size_t at = 0; at < entry->value_count; at++)
        arch_value_free(entry->values[at].value);
}

/* ---- matching ---- */

enum regex_result kernel_override_match(const struct kernel_override *entry, struct str name, struct str *groups)
{
    if (!entry->match)
        return REGEX_YES;
    size_t numbered = regex_group_count(entry->match);
    enum regex_result result = regex_match(entry->match, name, groups + numbered);
    if (result == REGEX_YES)
        regex_groups(entry->match, name, groups);
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
    struct buf slashes = {0};
    buf_add(&slashes, path);
    for (size_t at = 0; at < slashes.len; at++)
        if (slashes.ptr[at] == '\\')
            slashes.ptr[at] = '/';
    enum regex_result result = path.len ? match_end(entry, buf_str(&slashes)) : REGEX_NO;
    buf_free(&slashes);
    return result;
}
