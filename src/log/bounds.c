#include "log/bounds.h"

#include <stddef.h>
#include <stdlib.h>

enum { VERSION = 1 };

static const struct str opening = STR_INIT("warplint info    : PTX ");

/* To add a key, add its row and its field. The version changes only if a key changes its meaning. */
static const struct key {
    struct str name;
    size_t offset;
    size_t count; /* of numbers */
} keys[] = {
    {STR_INIT("maxntid"), offsetof(struct bounds, maxntid), 3},
    {STR_INIT("reqntid"), offsetof(struct bounds, reqntid), 3},
    {STR_INIT("minnctapersm"), offsetof(struct bounds, minnctapersm), 1},
    {STR_INIT("maxnreg"), offsetof(struct bounds, maxnreg), 1},
    {STR_INIT("reqnctapercluster"), offsetof(struct bounds, reqnctapercluster), 3},
    {STR_INIT("extern_shared"), offsetof(struct bounds, extern_shared), 1},
    {STR_INIT("setmaxnreg"), offsetof(struct bounds, setmaxnreg), 1},
    {STR_INIT("line"), offsetof(struct bounds, line), 1},
};
enum { KEYS = sizeof keys / sizeof *keys };

static const uint32_t *numbers_of(const struct bounds *bounds, size_t key)
{
    return (const uint32_t *)(const void *)((const char *)bounds + keys[key].offset);
}

uint32_t *bounds_numbers(struct bounds *bounds, struct str name, size_t *count)
{
    for (size_t at = 0; at < KEYS; at++) {
        *count = keys[at].count;
        if (str_eq(name, keys[at].name))
            return (uint32_t *)(void *)((char *)bounds + keys[at].offset);
    }
    return NULL;
}

/* False for a path with control bytes: it could end the line or be invisible. */
static bool is_sayable(struct str path)
{
    for (size_t at = 0; at < path.len; at++)
        if ((unsigned char)path.ptr[at] < 0x20 || path.ptr[at] == 0x7F)
            return false;
    return true;
}

void bounds_write(const struct bounds *given, struct buf *out)
{
    struct bounds without_place = *given;
    without_place.line = 0;
    const struct bounds *bounds = is_sayable(given->file) ? given : &without_place;
    const size_t before = out->len;
    bool any = false;
    buf_add(out, opening);
    buf_fmt(out, "%d: %s %.*s %.*s", VERSION, bounds->is_function ? "func" : "entry", STR_ARG(bounds->name),
            STR_ARG(bounds->arch));
    for (size_t at = 0; at < KEYS; at++) {
        const uint32_t *numbers = numbers_of(bounds, at);
        if (numbers[0] == 0)
            continue;
        any = true;
        buf_fmt(out, " %.*s=%u", STR_ARG(keys[at].name), numbers[0]);
        for (size_t more = 1; more < keys[at].count; more++)
            buf_fmt(out, ",%u", numbers[more]);
    }
    if (bounds->line && bounds->file.len)
        buf_fmt(out, " file=%.*s", STR_ARG(bounds->file));
    buf_char(out, '\n');
    out->len = any ? out->len : before;
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static struct str take_word(struct str *text)
{
    struct str word = {"", 0};
    str_split(text, ' ', &word);
    return word;
}

static bool take_key(struct str *text, struct bounds *bounds)
{
    if (str_take(text, STR("file="))) {
        bounds->file = *text;
        *text = str_from(*text, text->len);
        return true;
    }
    struct str word = take_word(text);
    size_t equals = str_find_char(word, '='), count = 0;
    uint32_t *numbers = equals == STR_NONE ? NULL : bounds_numbers(bounds, str_sub(word, 0, equals), &count);
    if (!numbers)
        return true;
    word = str_from(word, equals + 1);
    for (size_t at = 0; at < count; at++) {
        uint64_t number = 0;
        if (!str_uint(&word, &number) || number > UINT32_MAX || (word.len && word.ptr[0] != ','))
            return false;
        numbers[at] = (uint32_t)number;
        word = str_from(word, 1);
    }
    return word.len == 0;
}

bool bounds_read(struct str line, struct bounds *bounds, bool *known)
{
    uint64_t version = 0;
    *known = false;
    if (!str_take(&line, opening))
        return false;
    struct bounds found = {0};
    if (!str_uint(&line, &version) || version != VERSION || !str_take(&line, STR(": ")))
        return true;
    const struct str kind = take_word(&line);
    found.is_function = str_eq(kind, STR("func"));
    if (!found.is_function && !str_eq(kind, STR("entry")))
        return true;
    found.name = take_word(&line);
    found.arch = take_word(&line);
    *known = found.name.len > 0 && found.arch.len > 0;
    while (*known && line.len)
        *known = take_key(&line, &found);
    if (*known)
        *bounds = found;
    return true;
}

/* ---- the records ------------------------------------------------------------------------------------------------ */

struct bounds_item {
    struct bounds bounds; /* without name and arch; file is a slice of model.strings */
    bool differ;          /* lines with this key differ, so none is used */
};

/* The product of the dimensions; 0: not declared. A product that is too large for any GPU is limited, not dropped. */
static uint16_t multiply_dimensions(const uint32_t numbers[3])
{
    uint64_t total = 1;
    for (int at = 0; at < 3; at++)
        total = total * numbers[at] < UINT16_MAX ? total * numbers[at] : UINT16_MAX;
    return (uint16_t)total;
}

static bool same_bounds(const struct bounds *a, const struct bounds *b)
{
    for (size_t at = 0; at < KEYS; at++)
        if (memcmp(numbers_of(a, at), numbers_of(b, at), keys[at].count * sizeof(uint32_t)) != 0)
            return false;
    return str_eq(a->file, b->file);
}

void bounds_note(struct bounds_table *table, struct model *model, const struct bounds *bounds)
{
    const size_t before = table->keys.count;
    const uint32_t name = intern_add(&model->names, bounds->name), arch = intern_add(&model->strings, bounds->arch);
    const uint32_t number = intern_add(&table->keys, INTERN_PAIR(name, arch));
    struct bounds_item *item = MEM_AT(table->items, table->cap, number);
    if (number != before) {
        item->differ |= !same_bounds(&item->bounds, bounds);
        return;
    }
    item->bounds = *bounds;
    item->bounds.file = model_string(model, intern_add(&model->strings, bounds->file));
}

void bounds_apply(struct model *model, struct kernel *kernel, const struct bounds *bounds)
{
    struct rare_metrics *rare = kernel_rare_own(model, kernel);
    const bool required = bounds->reqntid[0] > 0;
    rare->bound_threads = multiply_dimensions(required ? bounds->reqntid : bounds->maxntid);
    rare->bound_from = !rare->bound_threads ? BOUND_NONE : required ? BOUND_REQUIRED : BOUND_LAUNCH_BOUNDS;
    rare->cluster_blocks = multiply_dimensions(bounds->reqnctapercluster);
    rare->min_blocks = bounds->minnctapersm <= UINT8_MAX ? (uint8_t)bounds->minnctapersm : 0;
    rare->dynamic_smem = bounds->extern_shared ? DYNAMIC_SMEM_USED : DYNAMIC_SMEM_UNKNOWN;
    if (bounds->maxnreg > 0 && bounds->maxnreg <= INT16_MAX) { /* it overrides -maxrregcount */
        rare->register_cap = (int32_t)bounds->maxnreg;
        rare->register_cap_from = CAP_MAXNREG;
    }
    if (bounds->setmaxnreg)
        rare->register_cap_from = CAP_SETMAXNREG;
    if (bounds->line && bounds->file.len) {
        kernel->source = intern_add(&model->strings, bounds->file);
        rare->source_line = bounds->line;
        rare->line_from = LINE_LOC;
    }
}

void bounds_finish(struct bounds_table *table, struct model *model, uint32_t first_kernel)
{
    for (uint32_t at = first_kernel; table->keys.count && at < model->kernel_count; at++) {
        struct kernel *kernel = &model->kernels[at];
        if (kernel->producer != PRODUCER_PTXAS)
            continue;
        const uint32_t number = intern_find(&table->keys, INTERN_PAIR(kernel->name, kernel->arch_inferred));
        if (number != INTERN_NONE && !table->items[number].differ)
            bounds_apply(model, kernel, &table->items[number].bounds);
    }
    intern_free(&table->keys);
    free(table->items);
    *table = (struct bounds_table){0};
}
