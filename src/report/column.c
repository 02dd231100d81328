#include "report/column.h"

#include "baseline/family.h"
#include "log/local_memory.h"
#include "report/location.h"
#include "report/steps.h"

static const struct cell null_cell = {.type = CELL_NULL};

static struct cell text(struct str s)
{
    return s.len ? (struct cell){.type = CELL_TEXT, .text = s} : null_cell;
}

static struct cell word(const char *s)
{
    return s ? text(str_of(s)) : null_cell;
}

static struct cell integer(int64_t value)
{
    return (struct cell){.type = CELL_INT, .number = value};
}

static struct cell number(int32_t value)
{
    return value == UNKNOWN ? null_cell : integer(value);
}

static struct cell truth(bool value)
{
    return (struct cell){.type = CELL_BOOL, .number = value};
}

static struct cell string(const struct context *s, uint32_t number)
{
    return number == NO_INDEX ? null_cell : text(model_string(s->model, number));
}

static bool is_entry(const struct context *s)
{
    return s->kernel->kind == KERNEL_ENTRY;
}

static struct cell percent(double share)
{
    return (struct cell){.type = CELL_THOUSANDTHS, .number = (int64_t)(share * 100000 + 0.5)};
}

static struct cell smem_to_next_block(struct context *s)
{
    const struct cliff *c = context_cliff(s);
    if (!c || c->smem_up_bytes < 0)
        return null_cell;
    struct launch launch = context_launch(s, s->launch_config.threads);
    return integer(launch_smem(&launch) - c->smem_up_bytes);
}

/* To add a key: its row here, in reading order. The values that a log states are in log/metric.h. */
#define COLUMNS(CELL, METRIC_ROWS)                                                                                     \
    CELL(mangled, text(kernel_name(s->model, s->kernel)))                                                              \
    CELL(name, text(context_name(s)))                                                                                  \
    CELL(kernel_id, text(context_kernel_id(s)))                                                                        \
    CELL(kind, word(kernel_kind_names[s->kernel->kind]))                                                               \
    CELL(arch_inferred, string(s, s->kernel->arch_inferred))                                                           \
    CELL(producer, word(producer_names[s->kernel->producer]))                                                          \
    CELL(arch, string(s, s->kernel->arch))                                                                             \
    CELL(source, string(s, s->kernel->source))                                                                         \
    CELL(line, s->rare->source_line ? integer(s->rare->source_line) : null_cell)                                       \
    CELL(line_from, word(line_from_names[s->rare->line_from]))                                                         \
    CELL(log, string(s, s->model->logs[s->kernel->log].path))                                                          \
    CELL(log_line, integer(s->kernel->log_line))                                                                       \
    METRIC_ROWS                                                                                                        \
    CELL(register_cap_from, word(cap_from_names[s->register_cap_from]))                                                \
    CELL(spills_from, word(spills_from_names[kernel_spills_from(s->model, s->kernel)]))                                \
    CELL(ambiguous, truth(s->kernel->flags &KERNEL_AMBIGUOUS))                                                         \
    CELL(used_line, truth(s->kernel->flags &KERNEL_USED_LINE))                                                         \
    CELL(debug, truth(s->kernel->flags &KERNEL_DEBUG))                                                                 \
    CELL(headless, truth(s->kernel->flags &KERNEL_NO_ENTRY))                                                           \
    CELL(link_registers, s->link ? number(s->link->registers) : null_cell)                                             \
    CELL(link_stack_bytes, s->link ? number(kernel_link_stack(s->link)) : null_cell)                                   \
    CELL(link_smem_bytes, s->link ? number(s->link->smem_bytes) : null_cell)                                           \
    CELL(threads, s->launch_config.threads ? integer(s->launch_config.threads) : null_cell)                            \
    CELL(threads_from, word(threads_from_names[s->launch_config.threads_from]))                                        \
    CELL(min_blocks, s->launch_config.min_blocks ? integer(s->launch_config.min_blocks) : null_cell)                   \
    CELL(bound_threads, s->rare->bound_threads ? integer(s->rare->bound_threads) : null_cell)                          \
    CELL(bound_from, word(bound_from_names[s->rare->bound_from]))                                                      \
    CELL(cluster_blocks, s->rare->cluster_blocks ? integer(s->rare->cluster_blocks) : null_cell)                       \
    CELL(dynamic_smem_bytes,                                                                                           \
         s->launch_config.dynamic_smem_bytes < 0 ? null_cell : integer(s->launch_config.dynamic_smem_bytes))           \
    CELL(dynamic_smem_used,                                                                                            \
         s->dynamic_smem == DYNAMIC_SMEM_UNKNOWN ? null_cell : truth(s->dynamic_smem == DYNAMIC_SMEM_USED))            \
    CELL(carveout_percent, s->launch_config.carveout < 0 ? null_cell : integer(launch_carveout(&s->launch_config)))    \
    CELL(grid, s->launch_config.grid ? integer(s->launch_config.grid) : null_cell)                                     \
    CELL(sms, s->launch_config.sms ? integer(s->launch_config.sms) : null_cell)                                        \
    CELL(blocks_per_sm, context_occupancy(s) ? integer(context_occupancy(s)->blocks) : null_cell)                      \
    CELL(warps_per_sm, context_occupancy(s) ? integer(context_occupancy(s)->warps) : null_cell)                        \
    CELL(max_warps_per_sm, is_entry(s) && s->arch ? integer(s->arch->max_warps_per_sm) : null_cell)                    \
    CELL(limiters, context_occupancy(s)                                                                                \
                       ? ((struct cell){.type = CELL_LIMITERS, .number = context_occupancy(s)->limiters})              \
                       : null_cell)                                                                                    \
    CELL(max_threads_launchable, is_entry(s) && s->arch && s->registers >= 0                                           \
                                     ? integer(occupancy_largest_block(s->arch, s->registers))                         \
                                     : null_cell)                                                                      \
    CELL(registers_to_next_block, context_cliff(s) && context_cliff(s)->registers_up >= 0                              \
                                      ? integer(s->registers - context_cliff(s)->registers_up)                         \
                                      : null_cell)                                                                     \
    CELL(smem_bytes_to_next_block, smem_to_next_block(s))                                                              \
    CELL(wave_blocks, context_waves(s) ? integer(context_waves(s)->wave_blocks) : null_cell)                           \
    CELL(full_waves, context_waves(s) ? integer(context_waves(s)->full_waves) : null_cell)                             \
    CELL(last_wave_blocks, context_waves(s) ? integer(context_waves(s)->last_blocks) : null_cell)                      \
    CELL(achieved_occupancy_at_most_percent,                                                                           \
         context_waves(s) ? percent(occupancy_at_most(context_occupancy(s), context_waves(s))) : null_cell)            \
    CELL(achieved_occupancy_of_equal_blocks_percent,                                                                   \
         context_waves(s) ? percent(occupancy_of_equal_blocks(context_occupancy(s), context_waves(s))) : null_cell)    \
    CELL(achieved_occupancy_percent,                                                                                   \
         s->launch_config.achieved_occupancy < 0 ? null_cell : percent((double)s->launch_config.achieved_occupancy))

#define CELL_FUNCTION(key, ...)                                                                                        \
    static struct cell cell_of_##key(struct context *s)                                                                \
    {                                                                                                                  \
        return __VA_ARGS__;                                                                                            \
    }
COLUMNS(CELL_FUNCTION, )

#define CELL_ROW(key, ...)          {#key, cell_of_##key, NULL},
#define METRIC_COLUMN(name, ...)    {#name, NULL, &metric_table[METRIC_##name]},
#define LONG_COLUMN(name, key, ...) {key, NULL, &metric_table[METRIC_##name]},
const struct column column_table[] = {
    COLUMNS(CELL_ROW, METRICS(METRIC_COLUMN, METRIC_COLUMN, LONG_COLUMN, METRIC_COLUMN))};
const size_t column_count = sizeof column_table / sizeof *column_table;

static struct cell metric_cell(const struct context *s, const struct metric *metric)
{
    int64_t value = metric_get(s->model, s->kernel, metric);
    if (metric->holder == METRIC_BANKS)
        return s->kernel->bank_count ? (struct cell){.type = CELL_BANKS} : null_cell;
    if (metric == &metric_table[METRIC_register_cap])
        return number(s->register_cap); /* launch bounds may set a cap that the log does not state */
    if (value == INT64_MIN)
        return null_cell;
    return (struct cell){.type = metric->scale == 1 ? CELL_INT : CELL_THOUSANDTHS, .number = value};
}

struct cell column_cell(const struct column *column, struct context *context)
{
    return column->cell ? column->cell(context) : metric_cell(context, column->metric);
}

static void banks_json(const struct model *model, const struct kernel *kernel, struct json *json)
{
    SCOPED(buf) key = {0};
    json_open(json, '{');
    for (uint32_t at = 0; at < kernel->bank_count; at++) {
        const struct bank *bank = &model->banks[kernel->first_bank + at];
        buf_clear(&key);
        buf_int(&key, bank->bank);
        buf_char(&key, '\0');
        json_pair_int(json, key.ptr, bank->bytes);
    }
    json_close(json, '}');
}

static void cell_json(struct cell cell, const struct context *context, struct json *json)
{
    switch (cell.type) {
    case CELL_NULL: json_write_null(json); break;
    case CELL_INT: json_int(json, cell.number); break;
    case CELL_TEXT: json_str(json, cell.text); break;
    case CELL_BOOL: json_bool(json, cell.number != 0); break;
    case CELL_THOUSANDTHS: json_thousandths(json, cell.number); break;
    case CELL_BANKS: banks_json(context->model, context->kernel, json); break;
    case CELL_LIMITERS: limiters_json((unsigned)cell.number, json); break;
    }
}

/* ---- code places ------------------------------------------------------------------------------------------------ */

static void file_and_line(const struct report *report, const struct code_place *place, struct json *json)
{
    SCOPED(buf) path = {0};
    location_path(report, model_string(report->model, place->file), &path);
    json_pair_str(json, "file", buf_str(&path));
    json_pair_int(json, "line", place->line);
}

/* Writes the inlined calls, from the innermost place outwards: each place with the function that was inlined there. */
static void inlined_json(const struct report *report, uint32_t number, struct json *json)
{
    json_pair_open(json, "inlined", '[');
    while (number != NO_INDEX) {
        const struct code_place place = code_place_get(report->model, number);
        json_open(json, '{');
        file_and_line(report, &place, json);
        json_pair_text(json, "function", intern_get(&report->model->names, place.function));
        json_close(json, '}');
        number = place.caller;
    }
    json_close(json, ']');
}

static void site_json(const struct report *report, const struct code_site *site, struct json *json)
{
    json_open(json, '{');
    if (site->place == NO_INDEX) {
        json_pair_known(json, "file", 0, false);
        json_pair_known(json, "line", 0, false);
    } else {
        const struct code_place place = code_place_get(report->model, code_place_shown(report->model, site->place));
        file_and_line(report, &place, json);
    }
    inlined_json(report, site->place, json);
    json_pair_int(json, "depth", site->depth);
    json_pair_int(json, "stores", site->stores);
    json_pair_int(json, "loads", site->loads);
    json_pair_int(json, "store_bytes", site->store_bytes);
    json_pair_int(json, "load_bytes", site->load_bytes);
    json_close(json, '}');
}

/* Writes null if no places are known. */
static void sites_json(const struct report *report, const char *key, const struct code_sites *sites, struct json *json)
{
    json_key(json, key);
    if (!sites->known) {
        json_write_null(json);
        return;
    }
    json_open(json, '[');
    for (uint32_t at = 0; at < sites->count; at++)
        site_json(report, &report->model->code.sites[sites->first + at], json);
    json_close(json, ']');
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

/* Writes every launch that a profiler recorded. Without a profile the key is absent. */
static void launches_json(const struct report *report, uint32_t kernel, struct json *json)
{
    enum { MOST = 256 };
    const struct profile_launch *seen[MOST];
    size_t count = linter_launches(report->linter, kernel, seen, MOST);
    json_pair_open(json, "launches", '[');
    for (size_t at = 0; at < count && at < MOST; at++) {
        json_open(json, '{');
        json_pair_int(json, "count", (int64_t)seen[at]->count);
        json_pair_known(json, "threads", seen[at]->threads, seen[at]->threads != -1);
        json_pair_known(json, "grid", seen[at]->grid, seen[at]->grid != 0);
        json_pair_known(json, "dynamic_smem_bytes", seen[at]->dynamic_smem_bytes, seen[at]->dynamic_smem_bytes != -1);
        json_pair_known(json, "registers", seen[at]->registers, seen[at]->registers != 0);
        json_pair_percent(json, "achieved_occupancy_percent", (double)seen[at]->achieved_occupancy);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void column_json(const struct report *report, uint32_t kernel, struct json *json)
{
    struct context *context = linter_record(report->linter, kernel);
    const struct kernel_code *code = kernel_code(report->model, &report->model->kernels[kernel]);
    for (size_t at = 0; at < column_count; at++) {
        json_key(json, column_table[at].key);
        cell_json(column_cell(&column_table[at], context), context, json);
    }
    if (code->spills.known || code->arrays.known) {
        sites_json(report, "spill_sites", &code->spills, json);
        sites_json(report, "array_sites", &code->arrays, json);
    }
    if (report->linter->options.profile)
        launches_json(report, kernel, json);
}

/* Writes the gone kernels that a new kernel may have replaced. */
static void replaced_json(const struct comparison *comparison, const struct pair *pair, struct json *json)
{
    enum { MOST = 32 };
    const struct family *family = &comparison->families[pair->family];
    size_t index = pair->member, shown = 0;
    json_pair_open(json, "successor_of", '[');
    for (size_t at = 0; at < family->gone_count && shown < MOST; at++) {
        if (!family_replaces(family, at, index))
            continue;
        json_str(json, intern_get(comparison->strings, comparison->base->items[family->gone[at]].id));
        shown++;
    }
    json_close(json, ']');
}

/* Writes "baseline", the old values; for a kernel that replaces others, those of the nearest one. */
static void was_json(const struct linter *linter, const struct finding *finding, struct json *json)
{
    const struct kernel_metrics *base = finding_base(linter, finding);
    const struct pair *pair = base ? compare_of_kernel(linter->comparison, finding->kernel) : NULL;
    if (!base)
        return;
    json_pair_open(json, "baseline", '{');
    for (int at = 0; at < MEASURE_COUNT; at++) {
        if (base->values[at] == UNKNOWN)
            continue;
        json_pair_int(json, measure_table[at].key, base->values[at]);
    }
    json_close(json, '}');
    if (pair->base == NO_INDEX)
        replaced_json(linter->comparison, pair, json);
}

void finding_json(const struct report *report, const struct finding *finding, size_t count, struct json *json)
{
    struct linter *linter = report->linter;
    SCOPED(buf) message = {0};
    json_pair_str(json, "rule", linter->rules->rules[finding->rule].id);
    json_pair_str(json, "severity", str_of(severity_names[finding->severity]));
    json_key(json, "message");
    finding_message(linter, finding, &message);
    json_str(json, buf_str(&message));
    struct context *context = linter_context(linter, finding);
    json_pair_text(json, "kernel_id", context_kernel_id(context));
    json_pair_text(json, "mangled", context_mangled(context));
    json_pair_text(json, "name", context_name(context));
    json_pair_text(json, "arch", finding_arch(report->linter, finding));
    const struct finding_place place = finding_place(linter, finding);
    json_pair_text(json, "source", place.path);
    json_pair_known(json, "line", place.line, place.line != 0);
    json_pair_known(json, "column", place.column, place.column != 0);
    json_pair_text(json, "log", place.log);
    json_pair_known(json, "log_line", place.log_line, place.log_line != 0);
    json_pair_int(json, "count", (int64_t)count);
    json_pair_bool(json, "suppressed", finding->exception != NO_INDEX);
    json_pair_text(json, "suppressed_reason", finding_reason(linter, finding));
    json_pair_text(json, "baseline_state", str_of(baseline_state_name((enum baseline_state)finding->baseline_state)));
    was_json(linter, finding, json);
    buf_clear(&message);
    finding_next(linter, finding, false, &message);
    json_pair_text(json, "next", buf_str(&message));
}
