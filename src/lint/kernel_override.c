#include "lint/kernel_override.h"

#include <stdlib.h>

/* To add a key: a row here, its number in the header, and what it sets in launches.c. */
const struct value_kind entry_kinds[ENTRY_KEYS] = {
    [ENTRY_CARVEOUT] = {"carveout", "a share from 0 to 100 %, like 50%", 0, 1, false, true, UNIT_RATIO},
    [ENTRY_DYNAMIC_SMEM] = {"dynamic-smem", "bytes per block from 0 to 1 GiB, like 48KiB", 0, 1073741824, true, true,
                            UNIT_BYTES},
    [ENTRY_GRID] = {"grid", "a whole number of blocks from 1", 1, 9e15, true, true, UNIT_BLOCKS},
    [ENTRY_ILP] = {"ilp", "a whole number from 1 to 1024", 1, 1024, true, true, UNIT_NONE},
    [ENTRY_MAX_REGISTERS] = {"max-registers", "a whole number of registers from 1 to 255", 1, 255, true, true,
                             UNIT_REGISTERS},
    [ENTRY_MAX_SMEM] = {"max-smem", "bytes per block from 0 to 1 GiB, like 48KiB", 0, 1073741824, true, true,
                        UNIT_BYTES},
    [ENTRY_MAX_SPILL] = {"max-spill", "bytes per thread from 0 to 1 GiB, like 64B", 0, 1073741824, true, true,
                         UNIT_BYTES},
    [ENTRY_MAX_STACK] = {"max-stack", "bytes per thread from 0 to 1 GiB, like 64B", 0, 1073741824, true, true,
                         UNIT_BYTES},
    [ENTRY_MIN_BLOCKS] = {"min-blocks", "a whole number of blocks per SM from 1 to 32", 1, 32, true, true, UNIT_BLOCKS},
    [ENTRY_MIN_OCCUPANCY] = {"min-occupancy", "a ratio above 0 and up to 100 %, like 50% or 0.5", 1e-6, 1, false, true,
                             UNIT_RATIO},
    [ENTRY_THREADS] = {"threads", "a whole number from 1 to 1024", 1, 1024, true, true, UNIT_THREADS},
};

struct entry_reader {
    struct kernel_override *entry;
    struct scope scope;
    const struct yml_node *exceptions;
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

static void read_match(const struct yaml_decoder *r, const struct yml_node *node, struct entry_reader *reader)
{
    reader->entry->match = decode_regex(r, node);
    if (!reader->entry->match)
        return;
    reader->entry->match_text = arena_str(r->arena, node->scalar);
    reader->entry->match_place = yml_place(r->yaml, node);
    name_groups(r, reader);
}

static void skip(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    (void)r, (void)node, (void)into; /* read before the others, which need it */
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
    for (int key = 0; key < ENTRY_KEYS; key++)
        if (str_eq(node->key, str_of(entry_kinds[key].name)))
            reader->entry->values[key] = arch_value_read(r, node, &entry_kinds[key], &reader->scope);
}

static void read_bounds(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct kernel_override *entry = ((struct entry_reader *)into)->entry;
    entry->exact_bounds = node->kind == YML_SCALAR && str_eq(node->scalar, STR("exact"));
    entry->exact_place = yml_place(r->yaml, node);
    if (!entry->exact_bounds)
        decode_fail(r, node, "exact (the bound is the block size)");
}

static void read_allow(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    (void)r;
    ((struct entry_reader *)into)->exceptions = node;
}

static const struct decode_key keys[] = {
    {"match", skip, "'flash_fwd_kernel<(\\d+)'", "PCRE2, on the readable name"},
    {"arch", read_archs, "[sm_90]", "only on these architectures"},
    {"source", read_source, "'src/**/*.cu'", "only of these sources"},
    {"threads", read_value, "'$1 * 2'", "block size; + - * / min max"},
    {"dynamic-smem", read_value, "{sm_80: 96KiB, sm_90: 128KiB}", "per block"},
    {"carveout", read_value, "50%", "preferred, of shared memory"},
    {"grid", read_value, "1024", "blocks of the grid"},
    {"ilp", read_value, "4", "operations at once in a thread"},
    {"min-blocks", read_value, "{sm_80: 2}", "per SM, wanted"},
    {"min-occupancy", read_value, "25%", "wanted"},
    {"launch-bounds", read_bounds, "exact", "the bound is the block size"},
    {"max-registers", read_value, "{sm_80: 128, sm_90: 168}", "budget, per thread"},
    {"max-smem", read_value, "96KiB", "budget, static plus dynamic"},
    {"max-spill", read_value, "0B", "budget, stores plus loads"},
    {"max-stack", read_value, "64B", "budget, per thread"},
    {"allow", read_allow, NULL, "exceptions for these"},
};

const struct decode_key *kernel_override_keys(size_t *count)
{
    *count = sizeof keys / sizeof *keys;
    return keys;
}

void kernel_override_read(const struct yaml_decoder *r, const struct yml_node *node, struct kernel_override *entry,
                          const struct yml_node **exceptions)
{
    struct entry_reader reader = {.entry = entry, .scope = {.groups = true}};
    const struct yml_node *match = yml_member(node, STR("match"));
    *entry = (struct kernel_override){.place = yml_place(r->yaml, node)};
    if (match)
        read_match(r, match, &reader);
    decode_map(r, node, "an entry of kernels", keys, sizeof keys / sizeof *keys, &reader);
    if (node->kind == YML_MAP && !match && !yml_member(node, STR("source")))
        diag_error(r->diags, entry->place,
                   "the entry says of no kernel: match (the readable name) or source is missing");
    *exceptions = reader.exceptions;
}

void kernel_override_count_groups(struct kernel_override *entry)
{
    const struct str *named = NULL;
    entry->group_count = regex_group_count(entry->match) + regex_names(entry->match, &named);
}

void kernel_override_free(struct kernel_override *entry)
{
    regex_free(entry->match);
    regex_free(entry->source);
    for (int key = 0; key < ENTRY_KEYS; key++)
        arch_value_free(entry->values[key]);
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
