#include "report/summary.h"

#include "base/escape.h"
#include "log/name.h"
#include "report/kernel_column.h"
#include "report/label.h"
#include "report/steps.h"
#include "report/table.h"

/* ---- occupancy of one record ------------------------------------------------------------------------------------ */

/* The resources that limit all block sizes alike: without one of them the best case has more warps. */
static unsigned best_limiters(const struct arch *arch, const struct launch *launch, int warps)
{
    static const enum limiter limiters[] = {LIMIT_REGISTERS, LIMIT_SHARED_MEMORY, LIMIT_BARRIERS};
    unsigned found = 0, used = 1u << LIMIT_REGISTERS;
    for (int at = 0; at < 3; at++) {
        struct launch relaxed = *launch;
        struct best_case best = {0};
        if (limiters[at] == LIMIT_REGISTERS)
            relaxed.registers = 0;
        if (limiters[at] == LIMIT_SHARED_MEMORY)
            relaxed.smem_bytes = relaxed.dynamic_smem_bytes = 0;
        if (limiters[at] == LIMIT_BARRIERS)
            relaxed.barriers = 0;
        if (occupancy_best_case(arch, &relaxed, &best) && best.warps > warps)
            found |= 1u << limiters[at];
    }
    if (launch_smem(launch) > 0)
        used |= 1u << LIMIT_SHARED_MEMORY;
    return found ? found : used; /* they limit together: without one of them nothing changes */
}

static struct occupancy_shown best_case_shown(struct context *context, const struct best_case *best)
{
    struct launch launch = context_launch(context, best->threads_largest);
    struct occupancy_shown occupancy = {
        .warps = best->warps,
        .max_warps = best->max_warps,
        .threads = best->threads_largest,
        .best = true,
        .at_most = true,
    };
    if (best->warps > 0 && best->warps < best->max_warps)
        occupancy.limiters = best_limiters(context->arch, &launch, best->warps);
    return occupancy;
}

struct occupancy_shown occupancy_shown_of(struct context *context)
{
    const struct occupancy *occupancy = context_occupancy(context);
    const struct best_case *best = occupancy ? NULL : context_best(context);
    if (best)
        return best_case_shown(context, best);
    if (!occupancy)
        return (struct occupancy_shown){0};
    return (struct occupancy_shown){
        .warps = occupancy->warps,
        .max_warps = occupancy->max_warps,
        .threads = context->launch_config.threads,
        .limiters = occupancy->limiters,
        .bound = context->launch_config.threads_from == THREADS_BOUND,
        .at_most = context_lacks_dynamic_smem(context),
    };
}

void occupancy_percent(const struct occupancy_shown *occupancy, struct buf *out)
{
    size_t start = out->len;
    buf_fmt(out, "%.1f", occupancy->max_warps ? 100.0 * occupancy->warps / occupancy->max_warps : 0.0);
    if (str_ends(str_from(buf_str(out), start), STR(".0")))
        out->len -= 2;
}

int64_t occupancy_share(const struct occupancy_shown *occupancy)
{
    return occupancy->max_warps ? (int64_t)occupancy->warps * ALL_WARPS / occupancy->max_warps : UNKNOWN;
}

bool occupancy_range_add(struct occupancy_range *range, const struct occupancy_shown *occupancy)
{
    const bool first = range->lowest.max_warps == 0;
    if (!occupancy->max_warps)
        return false;
    if (first || occupancy_share(occupancy) > occupancy_share(&range->highest))
        range->highest = *occupancy;
    if (!first && occupancy_share(occupancy) >= occupancy_share(&range->lowest))
        return false;
    range->lowest = *occupancy;
    return true;
}

bool occupancy_range_is_wide(const struct occupancy_range *range)
{
    return occupancy_share(&range->lowest) != occupancy_share(&range->highest);
}

/* ---- templates -------------------------------------------------------------------------------------------------- */

/* Sets the name: that of the template, or for a single kernel its label, which is unique. */
static void set_template_name(struct summary *summary, struct template_summary *template)
{
    const struct report *report = summary->report;
    struct str mangled = kernel_name(report->model, &report->model->kernels[summary->members[template->first]]);
    struct buf name = {0};
    if (template->kernels == 1)
        buf_add(&name, label_of(report->labels, mangled));
    else
        label_template(mangled, &name);
    template->name = arena_take(&summary->arena, &name);
}

/* Finds the template of each record in the order; templates are in the order of their first records. */
static void find_templates(struct summary *summary)
{
    const struct model *model = summary->report->model;
    SCOPED(intern) names = {0};
    SCOPED(buf) name = {0};
    bool *seen = arena_alloc(&summary->arena, model->names.count + 1); /* by name */
    for (size_t at = 0; at < summary->count; at++) {
        const struct kernel *kernel = &model->kernels[summary->order[at]];
        buf_clear(&name);
        name_template(kernel_name(model, kernel), &name);
        uint32_t number = intern_add(&names, buf_str(&name));
        struct template_summary *template = &summary->templates[number];
        if (template->count++ == 0)
            template->registers = UNKNOWN;
        template->kernels += !seen[kernel->name];
        seen[kernel->name] = true;
        summary->template_of[at] = number;
    }
    summary->template_count = names.count;
}

static void gather_members(struct summary *summary)
{
    uint32_t next = 0;
    for (size_t f = 0; f < summary->template_count; f++) {
        summary->templates[f].first = next;
        next += summary->templates[f].count;
        summary->templates[f].count = 0;
    }
    for (size_t at = 0; at < summary->count; at++) {
        struct template_summary *template = &summary->templates[summary->template_of[at]];
        summary->members[template->first + template->count++] = summary->order[at];
    }
}

/* ---- figures ---------------------------------------------------------------------------------------------------- */

static int limited_by(const struct occupancy_shown *occupancy)
{
    if (!occupancy->max_warps)
        return LIMITED_UNKNOWN;
    if (occupancy->warps == 0)
        return LIMITED_ZERO;
    if (occupancy->warps == occupancy->max_warps)
        return LIMITED_NOT;
    for (int limiter = 0; limiter < LIMIT_COUNT; limiter++)
        if (occupancy->limiters == 1u << limiter)
            return limiter;
    return LIMITED_SEVERAL;
}

/* The edges are register counts at which the number of blocks changes on an SM with 64K registers. */
static const struct bucket empty_buckets[REGISTER_BUCKETS] = {
    {1, 24, 0},  {25, 32, 0}, {33, 40, 0},  {41, 48, 0},   {49, 64, 0},
    {65, 80, 0}, {81, 96, 0}, {97, 128, 0}, {129, 168, 0}, {169, 255, 0},
};

/* Inserts a kernel with fewer than all warps. Kernels with equal occupancy stay in the order of the report: by spills,
 * stack, registers. */
static void note_low(struct summary *summary, const struct occupancy_shown *occupancy, uint32_t kernel)
{
    struct low_kernel *lowest = summary->lowest;
    size_t place = summary->lowest_count;
    while (place > 0 && occupancy_share(occupancy) < occupancy_share(&lowest[place - 1].occupancy))
        place--;
    if (place == LOWEST_KERNELS)
        return;
    summary->lowest_count += summary->lowest_count < LOWEST_KERNELS;
    memmove(&lowest[place + 1], &lowest[place], (summary->lowest_count - place - 1) * sizeof *lowest);
    lowest[place] = (struct low_kernel){kernel, *occupancy};
}

static void count_all(struct summary *summary)
{
    memcpy(summary->registers, empty_buckets, sizeof empty_buckets);
    for (size_t at = 0; at < summary->count; at++) {
        struct context *context = linter_record(summary->report->linter, summary->order[at]);
        struct template_summary *template = &summary->templates[summary->template_of[at]];
        struct occupancy_shown occupancy = occupancy_shown_of(context);
        if (context->registers > template->registers)
            template->registers = context->registers;
        if (context->spill_store_bytes != UNKNOWN && context->spill_load_bytes != UNKNOWN) {
            template->spilling += context->spill_store_bytes > 0 || context->spill_load_bytes > 0;
            template->spill_stores += context->spill_store_bytes;
            template->spill_loads += context->spill_load_bytes;
        } else {
            summary->unstated_spills++;
        }
        if (context->kernel->kind != KERNEL_ENTRY)
            continue;
        summary->entries++;
        summary->limited[limited_by(&occupancy)][occupancy.best]++;
        for (size_t bucket = 0; bucket < REGISTER_BUCKETS; bucket++)
            if (context->registers >= summary->registers[bucket].from &&
                context->registers <= summary->registers[bucket].to)
                summary->registers[bucket].entries++;
        summary->known |= kernel_columns_known(context);
        if (occupancy.warps < occupancy.max_warps)
            note_low(summary, &occupancy, summary->order[at]);
    }
}

static int by_bytes(const void *left, const void *right)
{
    const struct template_summary *a = *(const struct template_summary *const *)left,
                                  *b = *(const struct template_summary *const *)right;
    int order = number_cmp(b->spill_stores + b->spill_loads, a->spill_stores + a->spill_loads);
    return order ? order : number_cmp(a->first, b->first);
}

/* The sums over all files precede single files; both are sorted by bytes, largest first. */
static int by_code(const void *left, const void *right)
{
    const struct code_size *a = left, *b = right;
    int order = number_cmp(b->log == NO_INDEX, a->log == NO_INDEX);
    if (!order)
        order = number_cmp(b->bytes, a->bytes);
    if (!order)
        order = number_cmp(a->log, b->log);
    return order ? order : number_cmp(a->arch, b->arch);
}

/* Sums up the code of each file and architecture, and of each architecture in all files (log NO_INDEX). */
static void measure_code(struct summary *summary)
{
    const struct model *model = summary->report->model;
    SCOPED(intern) keys = {0};
    summary->code = arena_alloc(&summary->arena, (2 * summary->count + 1) * sizeof *summary->code);
    for (size_t at = 0; at < 2 * summary->count; at++) {
        const struct kernel *kernel = &model->kernels[summary->order[at / 2]];
        const int32_t bytes = kernel_rare(model, kernel)->code_bytes;
        const uint32_t key[] = {at % 2 ? NO_INDEX : kernel->log, kernel->arch_inferred};
        if (bytes == UNKNOWN)
            continue;
        struct code_size *size = &summary->code[intern_add(&keys, (struct str){(const char *)key, sizeof key})];
        size->log = key[0];
        size->arch = key[1];
        size->entries += kernel->kind == KERNEL_ENTRY;
        size->bytes += bytes;
    }
    summary->code_count = keys.count;
    mem_sort(summary->code, summary->code_count, sizeof *summary->code, by_code);
}

struct summary summary_make(const struct report *report)
{
    struct summary summary = {.report = report};
    summary.order = report_order(report, &summary.arena, &summary.count);
    summary.templates = arena_alloc(&summary.arena, (summary.count + 1) * sizeof *summary.templates);
    summary.members = arena_alloc(&summary.arena, (summary.count + 1) * sizeof *summary.members);
    summary.template_of = arena_alloc(&summary.arena, (summary.count + 1) * sizeof *summary.template_of);
    find_templates(&summary);
    gather_members(&summary);
    for (size_t f = 0; f < summary.template_count; f++)
        set_template_name(&summary, &summary.templates[f]);
    count_all(&summary);
    summary.spilling = arena_alloc(&summary.arena, (summary.template_count + 1) * sizeof *summary.spilling);
    for (size_t f = 0; f < summary.template_count; f++)
        if (summary.templates[f].spilling)
            summary.spilling[summary.spilling_count++] = &summary.templates[f];
    mem_sort(summary.spilling, summary.spilling_count, sizeof *summary.spilling, by_bytes);
    measure_code(&summary);
    return summary;
}

struct heat summary_heat(const struct summary *summary, const struct template_summary *template, uint32_t arch)
{
    const struct report *report = summary->report;
    struct heat heat = {.kernel = NO_INDEX};
    for (uint32_t m = 0; m < template->count; m++) {
        uint32_t kernel = summary->members[template->first + m];
        if (report->model->kernels[kernel].arch_inferred != arch)
            continue;
        struct occupancy_shown occupancy = occupancy_shown_of(linter_record(report->linter, kernel));
        if (occupancy_range_add(&heat.occupancy, &occupancy))
            heat.kernel = kernel;
    }
    return heat;
}

void summary_free(struct summary *summary)
{
    arena_free(&summary->arena);
    *summary = (struct summary){0};
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

const char *const statistic_titles[STATISTICS] = {
    "Machine code", "What limits occupancy",
    "Spilled bytes by template: stores + loads over all kernels and architectures", "Lowest occupancy"};

/* In the page a table has a title above it; elsewhere the head of its first column is the title. */
static void code_table(const struct summary *summary, enum table_kind kind, struct table *table)
{
    const struct model *model = summary->report->model;
    enum { SHOWN_SIZES = 20 };
    size_t shown = summary->code_count < SHOWN_SIZES ? summary->code_count : SHOWN_SIZES;
    table->names = kind == IN_TEXT;
    table->left_out = summary->code_count - shown;
    table_column(table, kind == IN_PAGE ? "file" : "machine code of", false);
    table_column(table, "arch", false);
    table_column(table, "kernels", true);
    table_column(table, "KiB", true);
    EACH(const struct code_size, size, summary->code, shown) {
        const struct str file =
            size->log == NO_INDEX ? STR("all files") : model_string(model, model->logs[size->log].path);
        escape_text(file, &table->cell);
        table_end(table);
        table_cell(table, model_string(model, size->arch));
        table_number(table, (int64_t)size->entries);
        table_number(table, (size->bytes + 1023) / 1024);
    }
}

static void limiters_table(const struct summary *summary, enum table_kind kind, struct table *table)
{
    static const char *const others[LIMITED_COUNT] = {[LIMITED_SEVERAL] = "several together",
                                                      [LIMITED_NOT] = "nothing: all warps are active",
                                                      [LIMITED_ZERO] = "cannot launch",
                                                      [LIMITED_UNKNOWN] = "not known"};
    table_column(table, kind == IN_PAGE ? "limiter" : "occupancy is limited by", false);
    table_column(table, "at the known block size", true);
    table_column(table, "at the best block size", true);
    for (int limited = 0; limited < LIMITED_COUNT; limited++) {
        if (summary->limited[limited][0] + summary->limited[limited][1] == 0)
            continue;
        table_cell(table, str_of(others[limited] ? others[limited] : limiter_words((enum limiter)limited)));
        table_number(table, (int64_t)summary->limited[limited][0]);
        table_number(table, (int64_t)summary->limited[limited][1]);
    }
}

static void spills_table(const struct summary *summary, enum table_kind kind, struct table *table)
{
    enum { SHOWN_TEMPLATES = 10 };
    size_t shown = summary->spilling_count < SHOWN_TEMPLATES ? summary->spilling_count : SHOWN_TEMPLATES;
    table->names = true;
    table->left_out = summary->spilling_count - shown;
    table_column(table, "template", false);
    table_column(table, kind == IN_PAGE ? "bytes" : "sum of spilled B", true);
    table_column(table, "kernel x arch", true);
    table_column(table, "spilling", true);
    for (size_t at = 0; at < shown; at++) {
        const struct template_summary *template = summary->spilling[at];
        table_cell(table, template->name);
        table_number(table, template->spill_stores + template->spill_loads);
        table_number(table, template->count);
        table_number(table, (int64_t) template->spilling);
    }
}

static void lowest_table(const struct summary *summary, enum table_kind kind, struct table *table)
{
    const struct report *report = summary->report;
    table->names = true;
    table_column(table, kind == IN_PAGE ? "kernel" : "lowest occupancy", false);
    table_column(table, "%", true);
    table_column(table, "arch", false);
    EACH(const struct low_kernel, low, summary->lowest, summary->lowest_count) {
        struct context *context = linter_record(report->linter, low->kernel);
        table_cell(table, label_of(report->labels, context_mangled(context)));
        occupancy_text(kind, &low->occupancy, &table->cell);
        table_end(table);
        table_cell(table, kernel_arch(report->model, context->kernel));
    }
}

struct table summary_table(const struct summary *summary, enum statistic statistic, enum table_kind kind)
{
    static void (*const make[STATISTICS])(const struct summary *, enum table_kind,
                                          struct table *) = {code_table, limiters_table, spills_table, lowest_table};
    struct table table = {.columns = 0};
    make[statistic](summary, kind, &table);
    return table;
}

static void histogram_text(const struct summary *summary, struct buf *out)
{
    enum { HISTOGRAM_BAR = 40 };
    size_t most = 1;
    for (size_t at = 0; at < REGISTER_BUCKETS; at++)
        most = summary->registers[at].entries > most ? summary->registers[at].entries : most;
    buf_add(out, STR("registers  kernel x arch\n"));
    EACH(const struct bucket, bucket, summary->registers, REGISTER_BUCKETS) {
        buf_fmt(out, "%3d .. %3d %13zu%s", bucket->from, bucket->to, bucket->entries, bucket->entries ? " " : "");
        buf_pad(out, '#', (bucket->entries * HISTOGRAM_BAR + most - 1) / most);
        buf_char(out, '\n');
    }
    buf_char(out, '\n');
}

void summary_text(const struct summary *summary, struct buf *out)
{
    if (!summary->entries)
        return;
    for (enum statistic statistic = 0; statistic < STATISTICS; statistic++) {
        SCOPED(table) table = summary_table(summary, statistic, IN_TEXT);
        table.width = summary->report->width;
        if (table_rows(&table) > 1) {
            table_render(&table, out);
            buf_count(out, table.left_out, "[# other{|s}]\n");
            buf_char(out, '\n');
        }
    }
    histogram_text(summary, out);
}

/* ---- json ------------------------------------------------------------------------------------------------------- */

static void limited_json(const struct summary *summary, struct json *json)
{
    static const char *const keys[LIMITED_COUNT] = {"warps",   "registers", "shared_memory", "blocks", "barriers",
                                                    "several", "nothing",   "cannot_launch", "unknown"};
    json_pair_open(json, "limiters", '{');
    for (int limited = 0; limited < LIMITED_COUNT; limited++) {
        json_pair_open(json, keys[limited], '{');
        json_pair_int(json, "known_block_size", (int64_t)summary->limited[limited][0]);
        json_pair_int(json, "best_block_size", (int64_t)summary->limited[limited][1]);
        json_close(json, '}');
    }
    json_close(json, '}');
}

static void spilling_json(const struct summary *summary, struct json *json)
{
    json_pair_open(json, "spills_by_template", '[');
    for (size_t at = 0; at < summary->spilling_count; at++) {
        const struct template_summary *template = summary->spilling[at];
        json_open(json, '{');
        json_pair_str(json, "template", template->name);
        json_pair_int(json, "records", template->count);
        json_pair_int(json, "spilling", (int64_t) template->spilling);
        json_pair_int(json, "spill_store_bytes", template->spill_stores);
        json_pair_int(json, "spill_load_bytes", template->spill_loads);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void code_json(const struct summary *summary, struct json *json)
{
    const struct model *model = summary->report->model;
    json_pair_open(json, "code", '[');
    EACH(const struct code_size, size, summary->code, summary->code_count) {
        if (size->log == NO_INDEX)
            continue;
        json_open(json, '{');
        json_pair_str(json, "log", model_string(model, model->logs[size->log].path));
        json_pair_str(json, "arch", model_string(model, size->arch));
        json_pair_int(json, "entries", (int64_t)size->entries);
        json_pair_int(json, "code_bytes", size->bytes);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void histogram_json(const struct summary *summary, struct json *json)
{
    json_pair_open(json, "registers", '[');
    for (size_t at = 0; at < REGISTER_BUCKETS; at++) {
        json_open(json, '{');
        json_pair_int(json, "from", summary->registers[at].from);
        json_pair_int(json, "to", summary->registers[at].to);
        json_pair_int(json, "entries", (int64_t)summary->registers[at].entries);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void worst_json(const struct summary *summary, struct json *json)
{
    const struct report *report = summary->report;
    json_pair_open(json, "lowest_occupancy", '[');
    EACH(const struct low_kernel, low, summary->lowest, summary->lowest_count) {
        struct context *context = linter_record(report->linter, low->kernel);
        json_open(json, '{');
        json_pair_str(json, "mangled", context_mangled(context));
        json_pair_str(json, "label", label_of(report->labels, context_mangled(context)));
        json_pair_str(json, "arch", kernel_arch(report->model, context->kernel));
        json_pair_int(json, "warps_per_sm", low->occupancy.warps);
        json_pair_int(json, "max_warps_per_sm", low->occupancy.max_warps);
        json_pair_bool(json, "best_block_size", low->occupancy.best);
        json_pair_bool(json, "upper_bound", low->occupancy.at_most);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void summary_json(const struct summary *summary, struct json *json)
{
    json_open(json, '{');
    json_pair_int(json, "entries", (int64_t)summary->entries);
    json_pair_int(json, "templates", (int64_t)summary->template_count);
    limited_json(summary, json);
    histogram_json(summary, json);
    spilling_json(summary, json);
    worst_json(summary, json);
    code_json(summary, json);
    json_close(json, '}');
}
