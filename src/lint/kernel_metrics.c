#include "lint/kernel_metrics.h"

#include "log/name.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define STATED_ROW(id, member, sum, noun, head, ...)                                                                   \
    {#member, noun, head, sum, offsetof(struct subject, member), METRIC_##member},
#define DERIVED_ROW(id, key, sum, noun, head) {#key, noun, head, sum, 0, METRIC_COUNT},
const struct measure_row measure_table[MEASURE_COUNT] = {MEASURES(STATED_ROW, DERIVED_ROW)};

/* ---- sets ---- */

struct kernel_metrics *kernel_metrics_add(struct kernel_metrics_set *set)
{
    set->items = mem_reserve(set->items, &set->cap, set->count + 1, sizeof *set->items);
    struct kernel_metrics *entry = &set->items[set->count++];
    *entry = (struct kernel_metrics){.id = NO_INDEX,
                                     .arch = NO_INDEX,
                                     .source = NO_INDEX,
                                     .reason = NO_INDEX,
                                     .kernel = NO_INDEX,
                                     .carveout = -1,
                                     .max_warps = UNKNOWN,
                                     .copies = 1};
    for (int at = 0; at < MEASURE_COUNT; at++)
        entry->values[at] = UNKNOWN;
    return entry;
}

void kernel_metrics_set_free(struct kernel_metrics_set *set)
{
    intern_free(&set->strings);
    free(set->items);
    *set = (struct kernel_metrics_set){0};
}

struct str kernel_metrics_string(const struct kernel_metrics_set *set, uint32_t number)
{
    return intern_get(&set->strings, number);
}

int64_t kernel_metrics_spills(const struct kernel_metrics *entry)
{
    if (entry->values[MEASURE_SPILL_STORES] == UNKNOWN || entry->values[MEASURE_SPILL_LOADS] == UNKNOWN)
        return INT64_MIN;
    return (int64_t)entry->values[MEASURE_SPILL_STORES] + entry->values[MEASURE_SPILL_LOADS];
}

/* ---- paths ---- */

static bool is_slash(char c)
{
    return c == '/' || c == '\\';
}

/* The next name of a path; false at its end. */
static bool next_name(struct str *rest, struct str *name)
{
    while (rest->len && is_slash(rest->ptr[0]))
        *rest = str_from(*rest, 1);
    size_t end = 0;
    while (end < rest->len && !is_slash(rest->ptr[end]))
        end++;
    *name = str_sub(*rest, 0, end);
    *rest = str_from(*rest, end);
    return end > 0;
}

static bool is_absolute(struct str path)
{
    return path.len && (is_slash(path.ptr[0]) || (path.len > 2 && path.ptr[1] == ':' && is_slash(path.ptr[2])));
}

/* "a/./b/../c" as "a/c"; ".." that leads out of the path is dropped. */
static void add_names(struct str path, struct buf *out)
{
    size_t start = out->len;
    struct str name;
    while (next_name(&path, &name)) {
        if (str_eq(name, STR(".")))
            continue;
        if (str_eq(name, STR(".."))) {
            size_t slash = str_rfind(str_from(buf_str(out), start), STR("/"));
            out->len = slash == STR_NONE ? start : start + slash;
            continue;
        }
        if (out->len > start)
            buf_char(out, '/');
        buf_add(out, name);
    }
}

/* The last name, and the one before it where at least two stand before that. */
static struct str end_of(struct str names)
{
    size_t last = str_rfind(names, STR("/"));
    if (last == STR_NONE)
        return names;
    size_t folder = str_rfind(str_sub(names, 0, last), STR("/"));
    bool deep = folder != STR_NONE && str_find_char(str_sub(names, 0, folder), '/') != STR_NONE;
    return str_from(names, deep ? folder + 1 : last + 1);
}

void measure_source(struct str path, struct str root, struct buf *out)
{
    struct buf names = {0}, base = {0};
    add_names(path, &names);
    add_names(root, &base);
    struct str all = buf_str(&names), below = buf_str(&base);
    bool inside = below.len && str_starts(all, below) && all.len > below.len && all.ptr[below.len] == '/';
    if (!is_absolute(path))
        buf_add(out, all);
    else if (inside)
        buf_add(out, str_from(all, below.len + 1));
    else
        buf_add(out, end_of(all));
    buf_free(&names);
    buf_free(&base);
}

/* The folder of the relative paths of a log, as seen from the root; empty: not known, or the root. */
static struct str folder_of(const struct model *model, uint16_t log, struct checkout checkout)
{
    if (log >= model->log_count)
        return (struct str){"", 0};
    return model->logs[log].from_here ? checkout.here : log_working_directory(model, &model->logs[log]);
}

void measure_path(const struct model *model, uint16_t log, struct str path, struct checkout checkout, struct buf *out)
{
    struct str folder = folder_of(model, log, checkout);
    struct buf whole = {0};
    if (folder.len && path.len && !is_absolute(path))
        buf_fmt(&whole, "%.*s/", STR_ARG(folder));
    buf_add(&whole, path);
    measure_source(buf_str(&whole), checkout.root, out);
    buf_free(&whole);
}

/* ---- order ---- */

static int by_value(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_arch(struct str a, struct str b)
{
    int order = by_value(arch_number(a), arch_number(b));
    return order ? order : str_cmp(a, b);
}

static int by_values(const struct kernel_metrics *a, const struct kernel_metrics *b)
{
    int order = 0;
    for (int at = 0; !order && at < MEASURE_COUNT; at++)
        order = by_value(a->values[at], b->values[at]);
    if (!order)
        order = by_value(a->threads, b->threads);
    return order ? order : by_value(a->dynamic_smem_bytes, b->dynamic_smem_bytes);
}

int kernel_metrics_order(const struct kernel_metrics_set *set_a, const struct kernel_metrics *a,
                         const struct kernel_metrics_set *set_b, const struct kernel_metrics *b)
{
    int order = str_cmp(kernel_metrics_string(set_a, a->id), kernel_metrics_string(set_b, b->id));
    if (!order)
        order = by_arch(kernel_metrics_string(set_a, a->arch), kernel_metrics_string(set_b, b->arch));
    if (!order)
        order = by_value(a->kind, b->kind);
    if (!order)
        order = str_cmp(kernel_metrics_string(set_a, a->source), kernel_metrics_string(set_b, b->source));
    if (!order)
        order = toolkit_order(a->toolkit, b->toolkit);
    return order ? order : by_values(a, b);
}

/* ---- occupancy ---- */

int32_t kernel_metrics_warps(const struct kernel_metrics_set *set, const struct kernel_metrics *entry,
                             const struct kernel_metrics *like)
{
    const struct arch *arch = arch_find(kernel_metrics_string(set, entry->arch));
    const int32_t *values = entry->values;
    if (!arch || entry->kind != KERNEL_ENTRY || values[MEASURE_REGISTERS] == UNKNOWN || values[MEASURE_SMEM] == UNKNOWN)
        return UNKNOWN;
    struct launch launch = {.threads = like->threads > 0 ? like->threads : 1,
                            .registers = values[MEASURE_REGISTERS],
                            .smem_bytes = values[MEASURE_SMEM],
                            .dynamic_smem_bytes = like->dynamic_smem_bytes,
                            .barriers = values[MEASURE_BARRIERS] > 0 ? values[MEASURE_BARRIERS] : 0,
                            .carveout = like->carveout};
    struct occupancy at;
    struct best_case best;
    if (like->threads > 0)
        return occupancy_compute(arch, &launch, &at) ? at.warps : UNKNOWN;
    return occupancy_best_case(arch, &launch, &best) ? best.warps : UNKNOWN;
}

/* ---- from a model ---- */

/* What occupancy follows from; without padding, so that it compares as bytes. */
struct launch_key {
    uint32_t arch;
    int32_t registers, smem_bytes, barriers, dynamic_smem_bytes, carveout;
};

/* All that copies agree in. */
struct copy_key {
    uint32_t id, arch, source, kind;
    struct toolkit toolkit;
    int32_t threads, dynamic_smem_bytes, carveout;
    int32_t values[MEASURE_COUNT];
};

/* A path, and the folder that it is seen from. */
struct path_key {
    uint32_t path, folder; /* into model.strings; the folder may be NO_INDEX */
    uint32_t from_here;
};

struct measuring {
    struct kernel_metrics_set *set;
    struct judge *judge;
    struct checkout checkout;
    struct intern best_keys; /* of struct launch_key */
    int32_t *best_warps;     /* by number of the key */
    size_t best_cap;
    struct intern copies; /* of struct copy_key */
    uint32_t *copy_item;  /* by number of the key: into set.items */
    size_t copy_cap;
    uint32_t *ids;       /* by name of the model: number in the set + 1, 0: not asked yet */
    uint32_t *strings;   /* the same for architectures, by string of the model */
    struct intern paths; /* of struct path_key */
    uint32_t *sources;   /* by number of the key: number in the set */
    size_t source_cap;
    struct buf scratch;
};

static uint32_t id_of(struct measuring *m, uint32_t name)
{
    if (name == NO_INDEX)
        return intern_add(&m->set->strings, STR(""));
    if (!m->ids[name]) {
        buf_clear(&m->scratch);
        name_identity(intern_get(&m->judge->model->names, name), &m->scratch);
        m->ids[name] = intern_add(&m->set->strings, buf_str(&m->scratch)) + 1;
    }
    return m->ids[name] - 1;
}

static uint32_t arch_of(struct measuring *m, uint32_t arch)
{
    if (arch == NO_INDEX)
        return NO_INDEX;
    if (!m->strings[arch])
        m->strings[arch] = intern_add(&m->set->strings, model_string(m->judge->model, arch)) + 1;
    return m->strings[arch] - 1;
}

static uint32_t source_of(struct measuring *m, uint32_t source, uint16_t log)
{
    const struct model *model = m->judge->model;
    const struct log_info *info = log < model->log_count ? &model->logs[log] : NULL;
    bool has_folder = info && info->compiled && !info->from_here;
    struct path_key key = {source, has_folder ? info->working_directory : NO_INDEX, info && info->from_here};
    if (source == NO_INDEX)
        return NO_INDEX;
    size_t known = m->paths.count;
    uint32_t number = intern_add(&m->paths, (struct str){(const char *)&key, sizeof key});
    if (number == known) {
        m->sources = mem_reserve(m->sources, &m->source_cap, known + 1, sizeof *m->sources);
        buf_clear(&m->scratch);
        measure_path(model, log, model_string(model, source), m->checkout, &m->scratch);
        m->sources[number] = intern_add(&m->set->strings, buf_str(&m->scratch));
    }
    /* "." and the like name no file */
    return intern_get(&m->set->strings, m->sources[number]).len ? m->sources[number] : NO_INDEX;
}

/* The best case is searched once for equal resources. */
static int32_t best_warps(struct measuring *m, const struct kernel_metrics *entry)
{
    struct launch_key key = {entry->arch,
                             entry->values[MEASURE_REGISTERS],
                             entry->values[MEASURE_SMEM],
                             entry->values[MEASURE_BARRIERS],
                             entry->dynamic_smem_bytes,
                             entry->carveout};
    size_t known = m->best_keys.count;
    uint32_t number = intern_add(&m->best_keys, (struct str){(const char *)&key, sizeof key});
    if (number == known) {
        m->best_warps = mem_reserve(m->best_warps, &m->best_cap, known + 1, sizeof *m->best_warps);
        m->best_warps[number] = kernel_metrics_warps(m->set, entry, entry);
    }
    return m->best_warps[number];
}

static void take_occupancy(struct measuring *m, struct subject *subject, struct kernel_metrics *entry)
{
    const struct launch_config *launch_config = &subject->launch_config;
    if (entry->kind != KERNEL_ENTRY)
        return;
    entry->threads = launch_config->threads > 0 ? launch_config->threads : 0;
    entry->dynamic_smem_bytes = launch_config->dynamic_smem_bytes > 0 ? (int32_t)launch_config->dynamic_smem_bytes : 0;
    entry->carveout = launch_carveout(launch_config);
    entry->max_warps = subject->arch ? subject->arch->max_warps_per_sm : UNKNOWN;
    const struct occupancy *occupancy = subject_occupancy(subject);
    if (occupancy) {
        entry->values[MEASURE_BLOCKS] = occupancy->blocks;
        entry->values[MEASURE_WARPS] = occupancy->warps;
    } else if (!entry->threads) {
        entry->values[MEASURE_WARPS] = best_warps(m, entry);
    }
}

/* The entry at the end of the set may be one that is there already: then that one counts it. */
static uint32_t settle(struct measuring *m)
{
    struct kernel_metrics_set *set = m->set;
    const struct kernel_metrics *last = &set->items[set->count - 1];
    struct copy_key key = {.id = last->id,
                           .arch = last->arch,
                           .source = last->source,
                           .kind = last->kind,
                           .toolkit = last->toolkit,
                           .threads = last->threads,
                           .dynamic_smem_bytes = last->dynamic_smem_bytes,
                           .carveout = last->carveout};
    memcpy(key.values, last->values, sizeof key.values);
    size_t known = m->copies.count;
    uint32_t number = intern_add(&m->copies, (struct str){(const char *)&key, sizeof key});
    if (number < known) {
        set->count--;
        set->items[m->copy_item[number]].copies++;
        return m->copy_item[number];
    }
    m->copy_item = mem_reserve(m->copy_item, &m->copy_cap, known + 1, sizeof *m->copy_item);
    m->copy_item[number] = (uint32_t)set->count - 1;
    return m->copy_item[number];
}

static uint32_t take_record(struct measuring *m, uint32_t number)
{
    const struct model *model = m->judge->model;
    const struct kernel *kernel = &model->kernels[number];
    struct subject *subject = judge_record(m->judge, number);
    struct kernel_metrics *entry = kernel_metrics_add(m->set);
    entry->id = id_of(m, kernel->name);
    entry->arch = arch_of(m, kernel->arch_inferred);
    entry->source = source_of(m, kernel->source, kernel->log);
    entry->line = subject->rare->source_line;
    entry->kernel = number;
    entry->kind = kernel->kind;
    entry->debug = kernel->flags & KERNEL_DEBUG;
    entry->ambiguous = kernel->flags & KERNEL_AMBIGUOUS;
    if (kernel->log < model->log_count)
        entry->toolkit = model->logs[kernel->log].toolkit;
    for (int at = 0; at < MEASURE_COUNT; at++)
        if (measure_table[at].offset)
            memcpy(&entry->values[at], (const char *)subject + measure_table[at].offset, sizeof *entry->values);
    take_occupancy(m, subject, entry);
    return settle(m);
}

void measure_model(struct kernel_metrics_set *set, struct judge *judge, struct checkout checkout, uint32_t *item_of)
{
    const struct model *model = judge->model;
    struct measuring m = {.set = set, .judge = judge, .checkout = checkout};
    m.ids = mem_alloc((model->names.count + 1) * sizeof *m.ids);
    m.strings = mem_alloc((model->strings.count + 1) * sizeof *m.strings);
    for (uint32_t at = 0; at < model->kernel_count; at++) {
        bool wanted = !subject_is_half(model, &model->kernels[at]) && judge_selects(judge, at);
        uint32_t item = wanted ? take_record(&m, at) : NO_INDEX;
        if (item_of)
            item_of[at] = item;
    }
    intern_free(&m.best_keys);
    intern_free(&m.copies);
    intern_free(&m.paths);
    free(m.best_warps);
    free(m.copy_item);
    free(m.ids);
    free(m.strings);
    free(m.sources);
    buf_free(&m.scratch);
}
