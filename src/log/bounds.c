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
        uint32_t numbers[3];
        memcpy(numbers, (const char *)bounds + keys[at].offset, keys[at].count * sizeof *numbers);
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

struct declared {
    uint16_t threads, cluster_blocks;
    uint8_t bound_from, min_blocks, dynamic_smem;
    bool setmaxnreg;
    bool differ; /* lines with this key differ, so none is used */
    int32_t maxnreg;
    uint32_t file, line; /* file: in model.strings */
};

/* The multiply_dimensions; 0: not declared. A multiply_dimensions that is too large for any GPU is limited, not
 * dropped. */
static uint16_t multiply_dimensions(const uint32_t numbers[3])
{
    uint64_t total = 1;
    for (int at = 0; at < 3; at++)
        total = total * numbers[at] < UINT16_MAX ? total * numbers[at] : UINT16_MAX;
    return (uint16_t)total;
}

static struct declared make_declared(struct model *model, const struct bounds *bounds)
{
    bool required = bounds->reqntid[0] > 0;
    bool has_place = bounds->line > 0 && bounds->file.len > 0;
    struct declared declared = {
        .threads = multiply_dimensions(required ? bounds->reqntid : bounds->maxntid),
        .cluster_blocks = multiply_dimensions(bounds->reqnctapercluster),
        .min_blocks = bounds->minnctapersm <= UINT8_MAX ? (uint8_t)bounds->minnctapersm : 0,
        .maxnreg = bounds->maxnreg > 0 && bounds->maxnreg <= INT16_MAX ? (int32_t)bounds->maxnreg : UNKNOWN,
        .dynamic_smem = bounds->extern_shared ? DYNAMIC_SMEM_USED : DYNAMIC_SMEM_UNKNOWN,
        .setmaxnreg = bounds->setmaxnreg,
        .file = has_place ? intern_add(&model->strings, bounds->file) : NO_INDEX,
        .line = has_place ? bounds->line : 0,
    };
    if (declared.threads)
        declared.bound_from = required ? BOUND_REQUIRED : BOUND_LAUNCH_BOUNDS;
    return declared;
}

static bool same_declared(const struct declared *a, const struct declared *b)
{
    return a->threads == b->threads && a->cluster_blocks == b->cluster_blocks && a->bound_from == b->bound_from &&
           a->min_blocks == b->min_blocks && a->maxnreg == b->maxnreg && a->dynamic_smem == b->dynamic_smem &&
           a->setmaxnreg == b->setmaxnreg && a->file == b->file && a->line == b->line;
}

static uint32_t key_of(struct intern *table, struct str name, struct str arch, bool add)
{
    SCOPED(buf) key = {0};
    buf_add(&key, arch);
    buf_char(&key, ' ');
    buf_add(&key, name);
    return add ? intern_add(table, buf_str(&key)) : intern_find(table, buf_str(&key));
}

void bounds_note(struct bounds_table *table, struct model *model, const struct bounds *bounds)
{
    size_t before = table->keys.count;
    uint32_t number = key_of(&table->keys, bounds->name, bounds->arch, true);
    struct declared declared = make_declared(model, bounds), *kept = MEM_AT(table->items, table->cap, number);
    if (number == before)
        *kept = declared;
    else
        kept->differ |= !same_declared(kept, &declared);
}

static void set_declared(struct model *model, struct kernel *kernel, const struct declared *declared)
{
    struct rare_metrics *rare = kernel_rare_own(model, kernel);
    rare->bound_threads = declared->threads;
    rare->bound_from = declared->bound_from;
    rare->cluster_blocks = declared->cluster_blocks;
    rare->min_blocks = declared->min_blocks;
    rare->dynamic_smem = declared->dynamic_smem;
    if (declared->maxnreg != UNKNOWN) { /* it overrides -maxrregcount */
        rare->register_cap = declared->maxnreg;
        rare->register_cap_from = CAP_MAXNREG;
    }
    if (declared->setmaxnreg)
        rare->register_cap_from = CAP_SETMAXNREG;
    if (declared->line) {
        kernel->source = declared->file;
        rare->source_line = declared->line;
        rare->line_from = LINE_LOC;
    }
}

void bounds_apply(struct model *model, struct kernel *kernel, const struct bounds *bounds)
{
    struct declared declared = make_declared(model, bounds);
    set_declared(model, kernel, &declared);
}

void bounds_finish(struct bounds_table *table, struct model *model, uint32_t first_kernel)
{
    for (uint32_t at = first_kernel; table->keys.count && at < model->kernel_count; at++) {
        struct kernel *kernel = &model->kernels[at];
        if (kernel->producer != PRODUCER_PTXAS)
            continue;
        uint32_t number = key_of(&table->keys, kernel_name(model, kernel), kernel_arch(model, kernel), false);
        if (number != INTERN_NONE && !table->items[number].differ)
            set_declared(model, kernel, &table->items[number]);
    }
    intern_free(&table->keys);
    free(table->items);
    *table = (struct bounds_table){0};
}
