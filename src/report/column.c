#include "report/column.h"

#include "baseline/family.h"
#include "report/code_json.h"

#include <stdlib.h>

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

#define RAW(function, expression)                                                                                      \
    static struct cell function(struct context *s)                                                                     \
    {                                                                                                                  \
        return expression;                                                                                             \
    }

RAW(c_mangled, text(kernel_name(s->model, s->kernel)))
RAW(c_name, text(context_name(s)))
RAW(c_kernel_id, text(context_kernel_id(s)))
RAW(c_kind, word(kernel_kind_names[s->kernel->kind]))
RAW(c_arch_inferred, string(s, s->kernel->arch_inferred))
RAW(c_producer, word(producer_names[s->kernel->producer]))
RAW(c_arch, string(s, s->kernel->arch))
RAW(c_source, string(s, s->kernel->source))
RAW(c_line, s->rare->source_line ? integer(s->rare->source_line) : null_cell)
RAW(c_log, string(s, s->model->logs[s->kernel->log].path))
RAW(c_log_line, integer(s->kernel->log_line))
RAW(c_cap_from, word(cap_from_names[s->register_cap_from]))
RAW(c_spills_from, word(spills_from_names[kernel_spills_from(s->model, s->kernel)]))
RAW(c_ambiguous, truth(s->kernel->flags &KERNEL_AMBIGUOUS))
RAW(c_used_line, truth(s->kernel->flags &KERNEL_USED_LINE))
RAW(c_debug, truth(s->kernel->flags &KERNEL_DEBUG))
RAW(c_headless, truth(s->kernel->flags &KERNEL_NO_ENTRY))
RAW(c_link_registers, s->link ? number(s->link->registers) : null_cell)
RAW(c_link_stack, s->link ? number(kernel_link_stack(s->link)) : null_cell)
RAW(c_link_smem, s->link ? number(s->link->smem_bytes) : null_cell)
RAW(c_threads, s->launch_config.threads ? integer(s->launch_config.threads) : null_cell)
RAW(c_threads_from, word(threads_from_names[s->launch_config.threads_from]))
RAW(c_min_blocks, s->launch_config.min_blocks ? integer(s->launch_config.min_blocks) : null_cell)
RAW(c_dynamic_smem, s->launch_config.dynamic_smem_bytes < 0 ? null_cell : integer(s->launch_config.dynamic_smem_bytes))
RAW(c_dynamic_smem_used,
    s->dynamic_smem == DYNAMIC_SMEM_UNKNOWN ? null_cell : truth(s->dynamic_smem == DYNAMIC_SMEM_USED))
RAW(c_carveout, s->launch_config.carveout < 0 ? null_cell : integer(launch_carveout(&s->launch_config)))
RAW(c_bound_threads, s->rare->bound_threads ? integer(s->rare->bound_threads) : null_cell)
RAW(c_bound_from, word(bound_from_names[s->rare->bound_from]))
RAW(c_cluster, s->rare->cluster_blocks ? integer(s->rare->cluster_blocks) : null_cell)
RAW(c_line_from, word(line_from_names[s->rare->line_from]))
RAW(c_grid, s->launch_config.grid ? integer(s->launch_config.grid) : null_cell)

static bool is_entry(const struct context *s)
{
    return s->kernel->kind == KERNEL_ENTRY;
}

static const struct occupancy *occupancy(struct context *s)
{
    return is_entry(s) ? context_occupancy(s) : NULL;
}

static const struct cliff *cliff(struct context *s)
{
    return is_entry(s) ? context_cliff(s) : NULL;
}

RAW(c_blocks, occupancy(s) ? integer(occupancy(s)->blocks) : null_cell)
RAW(c_warps, occupancy(s) ? integer(occupancy(s)->warps) : null_cell)
RAW(c_max_warps, is_entry(s) && s->arch ? integer(s->arch->max_warps_per_sm) : null_cell)
RAW(c_limiters, occupancy(s) ? ((struct cell){.type = CELL_LIST, .text = context_limiters(s)}) : null_cell)
RAW(c_launchable,
    is_entry(s) && s->arch && s->registers >= 0 ? integer(occupancy_largest_block(s->arch, s->registers)) : null_cell)
static struct cell percent(double share)
{
    return (struct cell){.type = CELL_THOUSANDTHS, .number = (int64_t)(share * 100000 + 0.5)};
}

static const struct waves *waves(struct context *s)
{
    return is_entry(s) ? context_waves(s) : NULL;
}

RAW(c_sms, s->launch_config.sms ? integer(s->launch_config.sms) : null_cell)
RAW(c_wave_blocks, waves(s) ? integer(waves(s)->wave_blocks) : null_cell)
RAW(c_full_waves, waves(s) ? integer(waves(s)->full_waves) : null_cell)
RAW(c_last_wave, waves(s) ? integer(waves(s)->last_blocks) : null_cell)
RAW(c_at_most, waves(s) ? percent(occupancy_at_most(occupancy(s), waves(s))) : null_cell)
RAW(c_equal_blocks, waves(s) ? percent(occupancy_of_equal_blocks(occupancy(s), waves(s))) : null_cell)
RAW(c_achieved,
    s->launch_config.achieved_occupancy < 0 ? null_cell : percent((double)s->launch_config.achieved_occupancy))
RAW(c_next_registers,
    cliff(s) && cliff(s)->registers_up >= 0 ? integer(s->registers - cliff(s)->registers_up) : null_cell)

static struct cell c_next_smem(struct context *s)
{
    const struct cliff *c = cliff(s);
    if (!c || c->smem_up_bytes < 0)
        return null_cell;
    struct launch launch = context_launch(s, s->launch_config.threads);
    return integer(launch.smem_bytes + launch.dynamic_smem_bytes - c->smem_up_bytes);
}

static struct cell metric_cell(const struct context *s, const struct metric *metric)
{
    int64_t value = metric_get(s->model, s->kernel, metric);
    if (metric->holder == METRIC_BANKS)
        return s->kernel->bank_count ? (struct cell){.type = CELL_BANKS} : null_cell;
    if (metric == &metric_table[METRIC_register_cap])
        return number(s->register_cap); /* the launch bounds may set one that the log does not state */
    if (value == INT64_MIN)
        return null_cell;
    return (struct cell){.type = metric->scale == 1 ? CELL_INT : CELL_THOUSANDTHS, .number = value};
}

struct cell column_cell(const struct column *column, struct context *context)
{
    return column->cell ? column->cell(context) : metric_cell(context, column->metric);
}

#define METRIC_COLUMN(name, ...)    {#name, NULL, &metric_table[METRIC_##name]},
#define LONG_COLUMN(name, key, ...) {key, NULL, &metric_table[METRIC_##name]},
/* To add a key: its row here, in the order in which people read. What a log states is in log/metric.h. */
const struct column column_table[] = {
    {"mangled", c_mangled, NULL},
    {"name", c_name, NULL},
    {"kernel_id", c_kernel_id, NULL},
    {"kind", c_kind, NULL},
    {"arch_inferred", c_arch_inferred, NULL},
    {"producer", c_producer, NULL},
    {"arch", c_arch, NULL},
    {"source", c_source, NULL},
    {"line", c_line, NULL},
    {"line_from", c_line_from, NULL},
    {"log", c_log, NULL},
    {"log_line", c_log_line, NULL},
    METRICS(METRIC_COLUMN, METRIC_COLUMN, LONG_COLUMN, METRIC_COLUMN){"register_cap_from", c_cap_from, NULL},
    {"spills_from", c_spills_from, NULL},
    {"ambiguous", c_ambiguous, NULL},
    {"used_line", c_used_line, NULL},
    {"debug", c_debug, NULL},
    {"headless", c_headless, NULL},
    {"link_registers", c_link_registers, NULL},
    {"link_stack_bytes", c_link_stack, NULL},
    {"link_smem_bytes", c_link_smem, NULL},
    {"threads", c_threads, NULL},
    {"threads_from", c_threads_from, NULL},
    {"min_blocks", c_min_blocks, NULL},
    {"bound_threads", c_bound_threads, NULL},
    {"bound_from", c_bound_from, NULL},
    {"cluster_blocks", c_cluster, NULL},
    {"dynamic_smem_bytes", c_dynamic_smem, NULL},
    {"dynamic_smem_used", c_dynamic_smem_used, NULL},
    {"carveout_percent", c_carveout, NULL},
    {"grid", c_grid, NULL},
    {"sms", c_sms, NULL},
    {"blocks_per_sm", c_blocks, NULL},
    {"warps_per_sm", c_warps, NULL},
    {"max_warps_per_sm", c_max_warps, NULL},
    {"limiters", c_limiters, NULL},
    {"max_threads_launchable", c_launchable, NULL},
    {"registers_to_next_block", c_next_registers, NULL},
    {"smem_bytes_to_next_block", c_next_smem, NULL},
    {"wave_blocks", c_wave_blocks, NULL},
    {"full_waves", c_full_waves, NULL},
    {"last_wave_blocks", c_last_wave, NULL},
    {"achieved_occupancy_at_most_percent", c_at_most, NULL},
    {"achieved_occupancy_of_equal_blocks_percent", c_equal_blocks, NULL},
    {"achieved_occupancy_percent", c_achieved, NULL},
};
const size_t column_count = sizeof column_table / sizeof *column_table;

static void banks_json(const struct model *model, const struct kernel *kernel, struct json *json)
{
    struct buf key = {0};
    json_open(json, '{');
    for (uint32_t at = 0; at < kernel->bank_count; at++) {
        const struct bank *bank = &model->banks[kernel->first_bank + at];
        buf_clear(&key);
        buf_int(&key, bank->bank);
        buf_char(&key, '\0');
        json_pair_int(json, key.ptr, bank->bytes);
    }
    json_close(json, '}');
    buf_free(&key);
}

static void list_json(struct str words, struct json *json)
{
    struct str rest = words, piece;
    json_open(json, '[');
    while (rest.len && str_split(&rest, ',', &piece))
        json_str(json, str_trim(piece));
    json_close(json, ']');
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
    case CELL_LIST: list_json(cell.text, json); break;
    }
}

/* Every launch that a profiler saw; the key is there only with a profile. */
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
    json_open(json, '{');
    json_pair_str(json, "type", STR("kernel"));
    for (size_t at = 0; at < column_count; at++) {
        json_key(json, column_table[at].key);
        cell_json(column_cell(&column_table[at], context), context, json);
    }
    code_json(report, &report->model->kernels[kernel], json);
    if (report->linter->options.profile)
        launches_json(report, kernel, json);
    json_close(json, '}');
}

static void place_json(const struct finding_place *place, struct json *json)
{
    json_pair_text(json, "source", place->in_log ? (struct str){"", 0} : place->path);
    json_pair_known(json, "line", place->in_log ? 0 : place->line, place->in_log ? 0 : place->line != 0);
    json_pair_known(json, "column", place->in_log ? 0 : place->column, place->in_log ? 0 : place->column != 0);
    json_pair_text(json, "log", place->log);
    json_pair_known(json, "log_line", place->log_line, place->log_line != 0);
}

/* Of a kernel that took the place of others, each that it may have replaced. */
static void replaced_json(const struct comparison *comparison, const struct pair *pair, struct json *json)
{
    enum { MOST = 32 };
    const struct family *family = &comparison->families[pair->family];
    size_t index = pair->member, shown = 0;
    json_pair_open(json, "successor_of", '[');
    for (size_t at = 0; at < family->gone_count && shown < MOST; at++) {
        if (!family_replaces(family, at, index))
            continue;
        json_str(json, kernel_metrics_string(comparison->base, comparison->base->items[family->gone[at]].id));
        shown++;
    }
    json_close(json, ']');
}

/* "baseline": the old figures; of a kernel that took the place of others those of the one that comes nearest. */
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
    struct buf message = {0};
    json_open(json, '{');
    json_pair_str(json, "type", STR("finding"));
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
    struct finding_place place = finding_place(linter, finding);
    place_json(&place, json);
    json_pair_int(json, "count", (int64_t)count);
    json_pair_bool(json, "suppressed", finding->exception != NO_INDEX);
    json_pair_text(json, "suppressed_reason", finding_reason(linter, finding));
    json_pair_text(json, "baseline_state", str_of(baseline_state_name((enum baseline_state)finding->baseline_state)));
    was_json(linter, finding, json);
    buf_clear(&message);
    finding_next(linter, finding, &message);
    json_pair_text(json, "next", buf_str(&message));
    json_close(json, '}');
    buf_free(&message);
}
