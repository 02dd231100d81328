#include "report/configurations.h"

#include "base/escape.h"
#include "log/triton_name.h"
#include "report/markup.h"
#include "report/table.h"

#include <string.h>

enum {
    COSTS = 4,
    MOST_KEYS = 10, /* maximum number of columns for members; more are not shown */
};

/* Records with equal numbers and configurations are one row. */
struct configuration {
    size_t kernel;  /* into kernels */
    int64_t spills; /* twice the bytes, 1 where they are not known */
    struct occupancy_shown occupancy;
    int64_t costs[COSTS]; /* spills, missing occupancy, registers, shared memory; larger is worse */
    uint32_t record;      /* into model.kernels */
    struct str name;
    size_t records;
};

/* ---- kernels with several configurations ------------------------------------------------------------------------ */

static struct configuration row_of(const struct report *report, uint32_t record)
{
    struct context *context = linter_record(report->linter, record);
    const bool known = context->spill_store_bytes != UNKNOWN && context->spill_load_bytes != UNKNOWN;
    const int64_t spills = known ? 2 * ((int64_t)context->spill_store_bytes + context->spill_load_bytes) : 1;
    const struct occupancy_shown occupancy = occupancy_shown_of(context);
    const int64_t lacks = occupancy.max_warps ? ALL_WARPS - occupancy_share(&occupancy) : UNKNOWN;
    return (struct configuration){
        .spills = spills,
        .occupancy = occupancy,
        .costs = {spills, lacks, context->registers, context_smem_per_block(context)},
        .record = record,
        .name = context_mangled(context),
        .records = 1,
    };
}

static int by_badness(const struct configuration *a, const struct configuration *b)
{
    return numbers_cmp(b->costs, a->costs, COSTS);
}

static int by_kernel(const void *left, const void *right)
{
    const struct configuration *a = left, *b = right;
    int order = number_cmp((int64_t)a->kernel, (int64_t)b->kernel);
    if (!order)
        order = by_badness(a, b);
    if (!order)
        order = str_cmp(a->name, b->name);
    return order ? order : number_cmp(a->record, b->record);
}

/* Collects the records of each kernel (a name and an architecture) that has several configurations. */
static void find_kernels(struct configurations *c)
{
    const struct report *report = c->report;
    SCOPED(intern) keys = {0};
    SCOPED(buf) key = {0};
    size_t count = 0, found = 0;
    const uint32_t *order = report_order(report, &c->arena, &count);
    uint32_t *times = arena_alloc(&c->arena, (count + 1) * sizeof *times);
    c->rows = arena_alloc(&c->arena, (count + 1) * sizeof *c->rows);
    c->has = arena_alloc(&c->arena, report->model->kernel_count + 1);
    for (size_t at = 0; at < count; at++) {
        struct str name, members;
        if (!report_configuration(report->model, order[at], &name, &members))
            continue;
        buf_clear(&key);
        buf_fmt(&key, "%.*s ", STR_ARG(kernel_arch(report->model, &report->model->kernels[order[at]])));
        buf_add(&key, name);
        c->rows[found] = row_of(report, order[at]);
        c->rows[found].kernel = intern_add(&keys, buf_str(&key));
        times[c->rows[found++].kernel]++;
    }
    for (size_t at = 0; at < found; at++) {
        if (times[c->rows[at].kernel] < 2)
            continue;
        c->has[c->rows[at].record] = true;
        c->rows[c->records++] = c->rows[at];
    }
    c->count = keys.count;
}

/* ---- one kernel ------------------------------------------------------------------------------------------------- */

/* The value of a member; empty if the configuration does not state it. */
static struct str value_of(struct str name, struct str key)
{
    struct str kernel, members, found, value;
    for (triton_name_split(name, &kernel, &members); triton_name_next(&members, &found, &value);)
        if (str_eq(found, key))
            return value;
    return (struct str){"", 0};
}

/* Appends the members that are equal in all configurations, " with num_stages=3"; other members become columns. */
static void part_keys(struct configurations *c, struct tuned_kernel *kernel, struct buf *common)
{
    const struct configuration *rows = kernel->rows;
    SCOPED(str_list) seen = {0};
    kernel->keys = arena_alloc(&c->arena, MOST_KEYS * sizeof *kernel->keys);
    for (size_t row = 0; row < kernel->count; row++) {
        struct str name, members, key, value;
        for (triton_name_split(rows[row].name, &name, &members); triton_name_next(&members, &key, &value);) {
            bool same = true;
            if (seen.count == 2 * MOST_KEYS || str_list_has(&seen, key))
                continue;
            str_list_add(&seen, key);
            for (size_t at = 0; same && at < kernel->count; at++)
                same = str_eq(value_of(rows[at].name, key), value);
            if (same)
                buf_fmt(common, "%s%.*s=%.*s", common->len ? ", " : " with ", STR_ARG(key), STR_ARG(value));
            else if (kernel->key_count < MOST_KEYS)
                kernel->keys[kernel->key_count++] = key;
        }
    }
}

/* Appends the range of the known occupancies. */
static void add_occupancy(const struct configuration *rows, size_t count, struct buf *out)
{
    struct occupancy_range range = {0};
    for (size_t at = 0; at < count; at++)
        occupancy_range_add(&range, &rows[at].occupancy);
    if (!range.lowest.max_warps)
        return;
    buf_add(out, STR("; occupancy "));
    occupancy_percent(&range.lowest, out);
    if (occupancy_range_is_wide(&range)) {
        buf_add(out, STR(" to "));
        occupancy_percent(&range.highest, out);
    }
    buf_add(out, STR(" %"));
}

/* Sets the name and the title, before equal rows are merged. */
static void describe(struct configurations *c, struct tuned_kernel *kernel)
{
    const struct model *model = c->report->model;
    const struct configuration *rows = kernel->rows;
    struct str name = {"", 0}, members, arch = kernel_arch(model, &model->kernels[rows->record]);
    SCOPED(buf) common = {0};
    struct buf text = {0};
    size_t spilling = 0, unknown = 0;
    for (size_t at = 0; at < kernel->count; at++) {
        spilling += rows[at].spills > 1;
        unknown += rows[at].spills == 1;
    }
    triton_name_split(rows->name, &name, &members);
    escape_text(name, &text);
    kernel->name = arena_str(&c->arena, buf_str(&text));
    buf_clear(&text);
    part_keys(c, kernel, &common);
    if (arch.len)
        text_fmt(&text, " (%.*s)", STR_ARG(arch));
    text_fmt(&text, ": %zu configurations%.*s, ", kernel->count, STR_ARG(buf_str(&common)));
    buf_count(&text, spilling, "# spill{s|}");
    if (!spilling && !unknown)
        buf_add(&text, STR("none spills"));
    if (unknown)
        buf_fmt(&text, "%sspills of %s%zu unknown", spilling ? ", " : "", unknown == kernel->count ? "all " : "",
                unknown);
    add_occupancy(rows, kernel->count, &text);
    kernel->title = arena_take(&c->arena, &text);
}

/* The number of records that share their configuration with other records; how these differ is unknown. */
static size_t count_ambiguous(const struct configuration *rows, size_t count, struct arena *arena)
{
    SCOPED(intern) names = {0};
    uint32_t *times = arena_alloc(arena, (count + 1) * sizeof *times); /* by name */
    size_t ambiguous = 0;
    for (size_t at = 0; at < count; at++)
        times[intern_add(&names, rows[at].name)]++;
    for (uint32_t name = 0; name < names.count; name++)
        ambiguous += times[name] > 1 ? times[name] : 0;
    return ambiguous;
}

static void join_equal(struct tuned_kernel *kernel)
{
    struct configuration *rows = kernel->rows;
    size_t kept = 0;
    for (size_t at = 0; at < kernel->count; at++) {
        if (kept && by_badness(&rows[kept - 1], &rows[at]) == 0 && str_eq(rows[kept - 1].name, rows[at].name)) {
            rows[kept - 1].records++;
            kernel->counts = true;
        } else {
            rows[kept++] = rows[at];
        }
    }
    kernel->count = kept;
}

/* ---- all kernels ------------------------------------------------------------------------------------------------ */

static int by_worst_row(const void *left, const void *right)
{
    const struct tuned_kernel *a = left, *b = right;
    int order = by_badness(a->rows, b->rows);
    if (!order)
        order = str_cmp(a->name, b->name);
    return order ? order : by_kernel(a->rows, b->rows);
}

struct configurations configurations_make(const struct report *report)
{
    struct configurations c = {.report = report};
    find_kernels(&c);
    c.kernels = arena_alloc(&c.arena, (c.count + 1) * sizeof *c.kernels);
    c.count = 0;
    mem_sort(c.rows, c.records, sizeof *c.rows, by_kernel);
    for (size_t at = 0, end = 0; at < c.records; at = end) {
        struct tuned_kernel *kernel = &c.kernels[c.count++];
        while (end < c.records && c.rows[end].kernel == c.rows[at].kernel)
            end++;
        *kernel = (struct tuned_kernel){.rows = &c.rows[at], .count = end - at};
        describe(&c, kernel);
        c.ambiguous += count_ambiguous(kernel->rows, kernel->count, &c.arena);
        join_equal(kernel);
    }
    mem_sort(c.kernels, c.count, sizeof *c.kernels, by_worst_row);
    return c;
}

void configurations_free(struct configurations *c)
{
    arena_free(&c->arena);
    *c = (struct configurations){0};
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

static void cell_spills(const struct kernel_row *row, struct buf *out)
{
    struct context *context = row->context;
    bool known = context->spill_store_bytes != UNKNOWN && context->spill_load_bytes != UNKNOWN;
    if (known)
        buf_fmt(out, "%d/%d", context->spill_store_bytes, context->spill_load_bytes);
    else
        buf_add(out, context->kernel->flags & KERNEL_AMBIGUOUS ? STR("?") : STR("unknown"));
}

static void cell_blocks(const struct kernel_row *row, struct buf *out)
{
    const struct occupancy *occupancy = context_occupancy(row->context);
    number_text(occupancy ? occupancy->blocks : 0, occupancy, "-", out);
}

/* The columns with numbers of a configuration. Without `cell`, the cell is that of the column of this title in the
 * table of kernels. */
static const struct {
    const char *head, *title;
    bool number;
    void (*cell)(const struct kernel_row *row, struct buf *out);
} numbers[] = {
    {"smem", "smem", true, NULL},
    {"regs", "registers", true, NULL},
    {"spill st/ld", "spill st/ld", true, cell_spills},
    {"blocks", "blocks per SM", true, cell_blocks},
    {"occup.", "occupancy %", true, NULL},
    {"limited by", "limited by", false, NULL},
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static void add_heads(const struct tuned_kernel *kernel, enum table_kind kind, struct table *table)
{
    static const struct str prefix = STR_INIT("num_");
    for (size_t at = 0; at < kernel->key_count; at++) {
        struct str key = kernel->keys[at];
        bool shorter = kind == IN_TEXT && str_starts(key, prefix);
        struct str head = arena_str(&table->arena, str_from(key, shorter ? prefix.len : 0));
        table_column(table, head.ptr, true);
    }
    if (kernel->counts)
        table_column(table, "entries", true);
    for (size_t at = 0; at < NUMBERS; at++)
        table_column(table, kind == IN_TEXT ? numbers[at].head : numbers[at].title, numbers[at].number);
}

static void add_row(const struct tuned_kernel *kernel, const struct report *report, const struct configuration *row,
                    enum table_kind kind, struct table *table)
{
    struct kernel_row numbers_row = kernel_row_of(kind, linter_record(report->linter, row->record));
    for (size_t at = 0; at < kernel->key_count; at++) {
        struct str value = value_of(row->name, kernel->keys[at]);
        escape_text(value.len ? value : STR("-"), &table->cell);
        table_end(table);
    }
    if (kernel->counts)
        table_number(table, (int64_t)row->records);
    for (size_t at = 0; at < NUMBERS; at++) {
        if (numbers[at].cell)
            numbers[at].cell(&numbers_row, &table->cell);
        for (size_t other = 0; !numbers[at].cell && other < kernel_column_count; other++)
            if (strcmp(kernel_columns[other].title, numbers[at].title) == 0)
                kernel_cell(&kernel_columns[other], &numbers_row, &table->cell);
        table_end(table);
    }
}

struct table configurations_table(const struct configurations *c, size_t at, enum table_kind kind, size_t most)
{
    const struct tuned_kernel *kernel = &c->kernels[at];
    const size_t cut = kernel->count > most ? kernel->count - most : 0;
    const size_t worst = cut ? most - most / 2 : kernel->count;
    struct table table = {.left_out = cut};
    add_heads(kernel, kind, &table);
    for (size_t row = 0; row < kernel->count; row++) {
        bool is_shown = row < worst || row >= worst + cut;
        if (is_shown)
            add_row(kernel, c->report, &kernel->rows[row], kind, &table);
        for (size_t column = 0; row == worst && cut && column < table.columns; column++)
            table_cell(&table, column ? STR("") : STR("..."));
    }
    return table;
}

void configurations_note(const struct configurations *c, struct buf *out)
{
    if (c->count)
        buf_add(
            out,
            STR("the worst configuration first, by spilled bytes, occupancy and registers: the last one need not be "
                "the fastest, which the autotuner measures\n"));
    if (c->ambiguous)
        buf_fmt(out,
                "%zu of %zu have the same num_warps, num_stages and maxnreg as another one: Triton's metadata does not "
                "state in what else they differ, such as BLOCK_M\n",
                c->ambiguous, c->records);
}
