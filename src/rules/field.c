/*
 * The field table: the metrics of log/metric.h, those of the baseline (rules/measure.h), and values computed from them.
 * To add a field, write a getter (GET, one line; number() and similar functions turn "not stated" into unknown) and a
 * row: name, sentence, type, unit, scope. FIELD_METRICS is allowed only if the value depends on nothing but struct
 * metric_key (lint/linter.c).
 */
#include "rules/field.h"

#include "base/diag.h"
#include "base/escape.h"
#include "log/local_memory.h"
#include "log/name.h"
#include "rules/remedy.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- conversions to values ---- */

static struct value number(int32_t value)
{
    return value == UNKNOWN ? value_unknown(VALUE_NUMBER) : value_number((double)value);
}

static struct value wide(int64_t value, bool known)
{
    return known ? value_number((double)value) : value_unknown(VALUE_NUMBER);
}

static struct value text(struct str value, bool known)
{
    return known ? value_string(value) : value_unknown(VALUE_STRING);
}

static struct value some(struct str value)
{
    return text(value, value.len > 0);
}

static struct value word(const char *value)
{
    return text(str_of(value), value != NULL);
}

static struct value truth(bool value, bool known)
{
    return known ? value_bool(value) : value_unknown(VALUE_BOOL);
}

static struct value flag(const struct context *s, enum kernel_flag bit)
{
    return truth(s->kernel && s->kernel->flags & bit, s->kernel != NULL);
}

static struct value ratio(int part, int whole)
{
    return whole > 0 ? value_number((double)part / whole) : value_unknown(VALUE_NUMBER);
}

static struct value model_text(const struct context *s, uint32_t string)
{
    return text(model_string(s->model, string), string != NO_INDEX);
}

#define GET(name, expression)                                                                                          \
    static struct value get_##name(struct context *s)                                                                  \
    {                                                                                                                  \
        return expression;                                                                                             \
    }

/* ---- the record ---- */

GET(ambiguous, flag(s, KERNEL_AMBIGUOUS))

static struct value get_arch(struct context *s)
{
    const uint32_t arch = s->kernel ? s->kernel->arch_inferred : s->event ? s->event->arch : NO_INDEX;
    return value_arch(model_string(s->model, arch));
}

GET(debug, flag(s, KERNEL_DEBUG))
GET(dynamic_smem_used, truth(s->dynamic_smem == DYNAMIC_SMEM_USED, s->dynamic_smem != DYNAMIC_SMEM_UNKNOWN))
GET(from_link, truth(s->link != NULL, s->kernel != NULL))

GET(kernel_id, text(context_kernel_id(s), context_mangled(s).len > 0))

GET(kind, word(s->kernel ? kernel_kind_names[s->kernel->kind] : NULL))
GET(library_slow_path, truth(context_is_library_path(s), context_mangled(s).len > 0))
GET(link_stack_bytes, number(s->link ? kernel_link_stack(s->link) : UNKNOWN))

/* The log of the message or of the record; NULL: none. */
static const struct log_info *log_of(const struct context *s)
{
    if ((!s->event && !s->kernel) || s->model->log_count == 0)
        return NULL;
    return &s->model->logs[s->event ? s->event->log : s->kernel->log];
}

GET(log, model_text(s, log_of(s) ? log_of(s)->path : NO_INDEX))

static struct value get_log_line(struct context *s)
{
    uint32_t line = s->event ? s->event->log_line : s->kernel ? s->kernel->log_line : 0;
    return wide(line, line > 0);
}

static bool is_in_name(char c) /* of a C++ identifier */
{
    return is_digit(c) || c == '_' || c == ':' || is_ascii_letter(c);
}

static bool is_shown(char c) /* it can be printed on one line */
{
    return (unsigned char)c >= ' ' && c != 0x7f;
}

/* Appends a word of a command, quoted for a shell; false if it has characters that cannot be printed on one line. */
static bool add_shell_word(struct str word, struct buf *out)
{
    if (str_span(word, is_shown) < word.len)
        return false;
    shell_word(word, out);
    return true;
}

/* Appends the words of the compile command, quoted for a shell; false if one of them cannot be printed on one line. */
static bool add_command(struct str words, struct buf *out)
{
    struct str word;
    for (bool first = true; str_split(&words, '\0', &word) && (word.len || words.len); first = false) {
        if (!first)
            buf_char(out, ' ');
        if (!add_shell_word(word, out))
            return false;
    }
    return true;
}

/* "warplint tune --kernel k -- nvcc -c k.cu", in a subshell if the compiler ran in another folder. */
static bool add_whole_tune(const struct context *s, struct str options, struct buf *out)
{
    const struct log_info *log = s->kernel && s->model->log_count ? &s->model->logs[s->kernel->log] : NULL;
    if (!log || !log->compiled || log->runs_in == NO_INDEX) /* it cannot be run again from here */
        return false;
    const struct str folder = model_string(s->model, log->runs_in);
    const bool here = str_eq(folder, STR("."));
    if (!here) {
        buf_add(out, STR("(cd "));
        if (!add_shell_word(folder, out))
            return false;
        buf_add(out, STR(" && "));
    }
    buf_fmt(out, "warplint tune %.*s-- ", STR_ARG(options));
    if (!add_command(model_string(s->model, log->command), out))
        return false;
    buf_add(out, here ? STR("") : STR(")"));
    return true;
}

/* Appends "--kernel PATTERN ", quoted for a shell; nothing if the name is not a C++ name. */
static void add_kernel_option(struct str template, struct buf *out)
{
    static const struct str anonymous = STR_INIT("(anonymous namespace)");
    struct str rest = template;
    SCOPED(buf) pattern = {0};
    while (rest.len) {
        if (!str_take(&rest, anonymous) && !is_in_name(rest.ptr[0]))
            return;
        rest = str_from(rest, str_span(rest, is_in_name));
    }
    if (!template.len || !name_pattern(template, &pattern))
        return;
    buf_add(out, STR("--kernel "));
    shell_word(buf_str(&pattern), out);
    buf_char(out, ' ');
}

/* Without --kernel if the name is not a C++ name; with "nvcc ..." if the command is unknown. */
static struct value get_tune_command(struct context *s)
{
    enum { LONGEST_NAME = 4096 };
    struct str mangled = context_mangled(s);
    SCOPED(buf) name = {0}, options = {0}, command = {0};
    if (mangled.len <= LONGEST_NAME)
        name_template(mangled, &name);
    add_kernel_option(buf_str(&name), &options);
    if (s->short_command || !add_whole_tune(s, buf_str(&options), &command)) {
        buf_clear(&command);
        buf_fmt(&command, "warplint tune %.*s-- nvcc ...", STR_ARG(buf_str(&options)));
    }
    return text(arena_take(&s->texts, &command),
                mangled.len > 0 && s->rare->bound_from != BOUND_TRITON && s->register_cap_from != CAP_SETMAXNREG);
}

static struct value get_for_instance(struct context *s)
{
    SCOPED(buf) name = {0};
    name_declared(context_mangled(s), &name);
    bool instance = str_ends(buf_str(&name), STR("<>")) && !context_calls_add_registers(s);
    return text(instance ? STR(" for this instance") : STR(""), context_mangled(s).len > 0);
}

GET(mangled, some(context_mangled(s)))

GET(name, text(context_name(s), context_mangled(s).len > 0))

GET(producer, word(s->kernel ? producer_names[s->kernel->producer] : NULL))
GET(register_cap_from, word(s->kernel ? cap_from_names[s->register_cap_from] : NULL))
GET(source, model_text(s, s->kernel ? s->kernel->source : NO_INDEX))

GET(compiled_registers, number(s->link ? s->kernel->registers : UNKNOWN))
GET(source_line, wide(s->rare->source_line, s->rare->source_line > 0))

/* The bytes of the stack frame that are not spills. They are known from the machine code, or if nothing is spilled.
 * Else they are at least the frame minus the spill stores and loads: the code stores and loads each spill slot, but
 * ptxas leaves gaps, so the frame of a kernel that only spills may be larger than its stores. */
static struct value get_unspilled_stack_bytes(struct context *s)
{
    const bool spills = s->spill_store_bytes != 0 || s->spill_load_bytes != 0;
    const int32_t linked = s->link ? kernel_link_stack(s->link) : UNKNOWN;
    if (s->array_bytes != UNKNOWN && (spills || linked == UNKNOWN))
        return number(s->array_bytes);
    if (s->stack_bytes == UNKNOWN || s->spill_store_bytes == UNKNOWN || s->spill_load_bytes == UNKNOWN)
        return value_unknown(VALUE_NUMBER);
    const int64_t rest = (int64_t)s->stack_bytes - s->spill_store_bytes - s->spill_load_bytes;
    return wide(rest > 0 && !(spills && linked != UNKNOWN) ? rest : 0, true);
}

GET(callee_spills, truth(s->kernel &&kernel_next_callee(s->model, s->kernel, s->kernel), s->kernel != NULL))

static struct value get_stack_undetermined(struct context *s)
{
    return truth(s->kernel && s->name_marks && s->name_marks[s->kernel->name] & MARK_STACK_UNKNOWN, s->kernel != NULL);
}

#define LONG_GETTER(name, key, scale, ...)                                                                             \
    static struct value get_##name(struct context *s)                                                                  \
    {                                                                                                                  \
        int64_t value = s->kernel && !s->is_stored ? s->kernel->name : INT64_MIN;                                      \
        return value != INT64_MIN ? value_number((double)value / (scale)) : value_unknown(VALUE_NUMBER);               \
    }
METRICS(NO_METRIC, NO_METRIC, LONG_GETTER, NO_METRIC)

GET(register_cap_by, some(context_cap_by(s)))

/* ---- the architecture ---- */

GET(arch_known, truth(s->arch != NULL, s->kernel != NULL))
GET(arch_registers_per_thread, number(s->arch ? s->arch->registers_per_thread : UNKNOWN))
GET(arch_smem_per_block_bytes, number(s->arch ? s->arch->smem_per_block_optin_bytes : UNKNOWN))
GET(arch_threads_per_block, number(s->arch ? s->arch->max_threads_per_block : UNKNOWN))
GET(max_warps_per_sm, number(s->arch ? s->arch->max_warps_per_sm : UNKNOWN))
GET(at_launch_bounds_cap, truth(s->arch &&occupancy_caps_at(s->arch, s->registers), s->arch && s->registers >= 0))

/* ---- the launch ---- */

static struct value launch_value(const struct context *s, enum launch_number fact)
{
    double number = launch_config_get(&s->launch_config, &launch_facts[fact]);
    return isnan(number) ? value_unknown(VALUE_NUMBER) : value_number(number);
}

#define LAUNCH_GETTER(name, ...)                                                                                       \
    static struct value get_##name(struct context *s)                                                                  \
    {                                                                                                                  \
        return launch_value(s, LAUNCH_##name);                                                                         \
    }
LAUNCH_FACTS(LAUNCH_GETTER, LAUNCH_GETTER)

GET(over_budget, some(context_over_budget(s)))

GET(budgets_exceeded, wide(context_budgets_exceeded(s), s->kernel != NULL))

GET(threads_exact, truth(s->launch_config.threads_from != THREADS_BOUND, s->launch_config.threads > 0))

GET(threads_from, word(threads_from_names[s->launch_config.threads_from]))

/* ---- occupancy at the launch ---- */

static struct value at_most(struct value value, const struct context *s)
{
    value.at_most = context_lacks_dynamic_smem(s);
    return value;
}

GET(blocks_per_sm, at_most(number(context_occupancy(s) ? context_occupancy(s)->blocks : UNKNOWN), s))

GET(limiters, text(context_limiters(s), context_occupancy(s) != NULL))

GET(max_threads_launchable,
    number(s->arch && s->registers >= 0 ? occupancy_largest_block(s->arch, s->registers) : UNKNOWN))

static struct value get_occupancy(struct context *s)
{
    const struct occupancy *occupancy = context_occupancy(s);
    return at_most(ratio(occupancy ? occupancy->warps : 0, occupancy ? occupancy->max_warps : 0), s);
}

GET(achieved_at_most,
    context_waves(s) ? value_number(occupancy_at_most(&s->occupancy, context_waves(s))) : value_unknown(VALUE_NUMBER))
GET(achieved_of_equal_blocks, context_waves(s)
                                  ? value_number(occupancy_of_equal_blocks(&s->occupancy, context_waves(s)))
                                  : value_unknown(VALUE_NUMBER))
GET(waves, context_waves(s) ? value_number((double)s->launch_config.grid / (double)context_waves(s)->wave_blocks)
                            : value_unknown(VALUE_NUMBER))

static struct value get_last_wave(struct context *s)
{
    const struct waves *waves = context_waves(s);
    if (!waves)
        return value_unknown(VALUE_NUMBER);
    return value_number(waves->last_blocks ? (double)waves->last_blocks / (double)waves->wave_blocks : 1);
}

static struct value get_smem_needs_optin(struct context *s)
{
    const bool needs = context_needs_optin(s);
    return truth(needs, s->arch && s->smem_bytes != UNKNOWN && (needs || !context_lacks_dynamic_smem(s)));
}

GET(warps_per_sm, at_most(number(context_occupancy(s) ? context_occupancy(s)->warps : UNKNOWN), s))

/* ---- remedies ---- */

GET(bound_threads, number(s->rare->bound_threads ? s->rare->bound_threads : UNKNOWN))
GET(bound_min_blocks, number(s->rare->min_blocks ? s->rare->min_blocks : UNKNOWN))
GET(cluster_blocks, number(s->rare->cluster_blocks ? s->rare->cluster_blocks : UNKNOWN))
GET(arch_threads_per_sm, number(s->arch ? s->arch->max_warps_per_sm * s->arch->warp_size : UNKNOWN))

static struct value get_bound_blocks_at_most(struct context *s)
{
    if (!s->arch || !s->rare->bound_threads)
        return value_unknown(VALUE_NUMBER);
    const int blocks = s->arch->max_warps_per_sm / arch_warps(s->arch, s->rare->bound_threads);
    return value_number(blocks < s->arch->max_blocks_per_sm ? blocks : s->arch->max_blocks_per_sm);
}

static struct value remedy_text(struct context *s, bool (*describe)(const struct context *s, struct buf *out))
{
    struct buf out = {0};
    const bool known = describe(s, &out);
    return text(arena_take(&s->texts, &out), known);
}

GET(further_caps, remedy_text(s, remedy_further_caps))
GET(higher_cap, remedy_text(s, remedy_higher_cap))

static struct value get_better_threads(struct context *s)
{
    const int threads = remedy_block_size(s).threads;
    return wide(threads, threads > 0);
}

static struct value get_occupancy_at_better_threads(struct context *s)
{
    const struct block_choice choice = remedy_block_size(s);
    return ratio(choice.warps, choice.max_warps);
}

static struct value get_carveout_for_more_blocks(struct context *s)
{
    int percent = remedy_carveout(s);
    return percent < 0 ? value_unknown(VALUE_NUMBER) : value_number(percent / 100.0);
}

/* ---- steps of occupancy ---- */

static const struct cliff *cliff_of(struct context *s)
{
    static const struct cliff unknown = {.registers_up = UNKNOWN,
                                         .register_slack = UNKNOWN,
                                         .registers_down = UNKNOWN,
                                         .blocks_down = UNKNOWN,
                                         .smem_up_bytes = UNKNOWN,
                                         .smem_slack_bytes = UNKNOWN,
                                         .smem_blocks_down = UNKNOWN};
    const struct cliff *cliff = context_cliff(s);
    return cliff ? cliff : &unknown;
}

/* value: -1 if there is no such step. */
static struct value step(int64_t value)
{
    return wide(value, value >= 0);
}

/* The distance down to a step; infinite if there is none. */
static struct value distance(int64_t from, int64_t to)
{
    return to == -1 ? value_number(INFINITY) : wide(from - to, to != UNKNOWN);
}

GET(register_slack, number(cliff_of(s)->register_slack))
GET(blocks_past_slack, cliff_of(s)->registers_down == -1 ? get_blocks_per_sm(s) : number(cliff_of(s)->blocks_down))
GET(registers_at_next_block, step(cliff_of(s)->registers_up))
GET(registers_to_next_block, distance(s->registers, cliff_of(s)->registers_up))

static int blocks_with_fewer_registers(struct context *s)
{
    return cliff_of(s)->registers_up >= 0 ? cliff_of(s)->blocks_up : UNKNOWN;
}

GET(blocks_with_fewer_registers, number(blocks_with_fewer_registers(s)))

/* What to declare for at most that many registers: at the kernel, and where functions that it calls add registers at
 * the link, at these. */
static struct value cap_text(struct context *s, int registers, int blocks)
{
    const bool by_number = context_refuses_bounds(s), calls = context_calls_add_registers(s);
    const int32_t threads = s->launch_config.threads;
    struct buf cap = {0};
    if (by_number)
        buf_fmt(&cap, "__maxnreg__(%d)", registers);
    else
        buf_fmt(&cap, "__launch_bounds__(%d, %d)", threads, blocks);
    if (calls && s->kernel->registers <= registers)
        buf_clear(&cap);
    if (calls)
        buf_fmt(&cap, "%s-maxrregcount=%d where the functions are compiled that raise its %d registers at the link",
                cap.len ? " and " : "", registers, s->kernel->registers);
    return text(arena_take(&s->texts, &cap),
                registers > 0 && s->register_cap_from != CAP_SETMAXNREG && (by_number || (threads > 0 && blocks > 0)));
}

GET(cap_for_next_block, cap_text(s, cliff_of(s)->registers_up, blocks_with_fewer_registers(s)))
GET(cap_for_these_blocks, cap_text(s, s->registers, context_occupancy(s) ? context_occupancy(s)->blocks : -1))

static struct value get_asked_blocks_need(struct context *s)
{
    struct advice_step step;
    struct buf out = {0};
    const char *separator = "";
    if (!remedy_asked_blocks(s, &step))
        return value_unknown(VALUE_STRING);
    buf_fmt(&out, "%d block%s of %d threads need%s ", step.blocks, PLURAL(step.blocks), s->launch_config.threads,
            step.blocks == 1 ? "s" : "");
    if (step.registers_over > 0) {
        const struct value cap = cap_text(s, step.register_cap, step.blocks);
        buf_fmt(&out, "at most %d registers per thread", step.register_cap);
        if (cap.known && s->rare->bound_from != BOUND_TRITON)
            buf_fmt(&out, " (%.*s, which may spill)", STR_ARG(value_text(&cap)));
        separator = " and ";
    }
    if (step.smem_over_bytes > 0 || context_lacks_dynamic_smem(s))
        buf_fmt(&out, "%sat most %lld B of shared memory per block", separator, (long long)step.smem_ceiling_bytes);
    return text(arena_take(&s->texts, &out), true);
}

static struct value get_smem_slack_bytes(struct context *s)
{
    const int64_t slack = cliff_of(s)->smem_slack_bytes;
    return slack == -1 ? value_number(INFINITY) : wide(slack, slack != UNKNOWN);
}

GET(blocks_past_smem_slack,
    cliff_of(s)->smem_slack_bytes == -1 ? get_blocks_per_sm(s) : number(cliff_of(s)->smem_blocks_down))
GET(smem_per_block_bytes, wide(context_smem_per_block(s), s->smem_bytes != UNKNOWN))
GET(smem_bytes_at_next_block, step(cliff_of(s)->smem_up_bytes))
GET(smem_bytes_to_next_block, distance(context_smem_per_block(s), cliff_of(s)->smem_up_bytes))

static int blocks_with_less_smem(struct context *s)
{
    return cliff_of(s)->smem_up_bytes >= 0 ? cliff_of(s)->smem_blocks_up : UNKNOWN;
}

GET(blocks_with_less_smem, number(blocks_with_less_smem(s)))

static struct value occupancy_of(struct context *s, int blocks)
{
    const struct occupancy *occupancy = context_occupancy(s);
    if (!occupancy || blocks == UNKNOWN || occupancy->blocks == 0)
        return value_unknown(VALUE_NUMBER);
    return ratio(blocks * (occupancy->warps / occupancy->blocks), occupancy->max_warps);
}

GET(occupancy_with_fewer_registers, occupancy_of(s, blocks_with_fewer_registers(s)))

GET(occupancy_with_less_smem, occupancy_of(s, blocks_with_less_smem(s)))

/* ---- the best case over all block sizes ---- */

static struct value get_best_occupancy(struct context *s)
{
    const struct best_step *now = context_best_step(s);
    return ratio(now ? now->warps : 0, now ? now->max_warps : 0);
}

GET(best_threads, number(context_best(s) && context_best(s)->warps > 0 ? context_best(s)->threads_largest : UNKNOWN))

/* Unknown if the occupancy is an upper bound. */
static int32_t next_best_registers(struct context *s)
{
    const struct best_step *step = context_lacks_dynamic_smem(s) ? NULL : context_best_step(s);
    return step ? step->registers : UNKNOWN;
}

GET(registers_at_next_best, step(next_best_registers(s)))
GET(registers_to_next_best, distance(s->registers, next_best_registers(s)))
GET(next_best_occupancy, next_best_registers(s) >= 0
                             ? ratio(context_best_step(s)->warps_there, context_best_step(s)->max_warps)
                             : value_unknown(VALUE_NUMBER))

/* The occupancy that is compared with the baseline: at the block size if it is known, else at the best one. */
GET(reached_occupancy, s->launch_config.threads > 0 ? get_occupancy(s) : at_most(get_best_occupancy(s), s))

/* ---- the baseline ---- */

GET(base_occupancy, s->base.warps == UNKNOWN ? value_unknown(VALUE_NUMBER) : ratio(s->base.warps, s->base.max_warps))

GET(base_was_optimised, truth(s->base.was_optimised, s->base.registers != UNKNOWN))
GET(base_other_launch, truth(s->base.other_launch, s->base.warps != UNKNOWN))

GET(base_registers_to_restore, number(remedy_registers_of_baseline(s)))

/* At the block size if the occupancy is exact; else at one warp per block, where all other limiters allow the most
 * blocks and shared memory allows as many as at any block size. */
static struct value get_base_smem_may_cost(struct context *s)
{
    struct occupancy before, now;
    if (s->base.smem_bytes == UNKNOWN || !context_best_step(s))
        return value_unknown(VALUE_BOOL);
    bool exact = s->launch_config.threads > 0 && s->launch_config.threads_from != THREADS_BOUND;
    struct launch launch = context_launch(s, exact ? s->launch_config.threads : s->arch->warp_size);
    if (!occupancy_compute(s->arch, &launch, &now))
        return value_unknown(VALUE_BOOL);
    launch.smem_bytes = s->base.smem_bytes;
    if (!occupancy_compute(s->arch, &launch, &before))
        return value_unknown(VALUE_BOOL);
    int allowed = now.limit[LIMIT_SHARED_MEMORY];
    return value_bool(allowed < before.limit[LIMIT_SHARED_MEMORY] &&
                      allowed < occupancy_limit_without(&now, 1u << LIMIT_SHARED_MEMORY));
}

/* ---- replaced kernels and successors ---- */

/* 0 for a record that no family is shown with. */
static struct value family_count(const struct context *s, size_t count)
{
    return wide((int64_t)count, s->kernel != NULL);
}

GET(replaced_count, family_count(s, s->succession ? s->succession->gone : 0))
GET(replaced_figures, text(s->succession ? s->succession->gone_figures : (struct str){0}, s->succession != NULL))
GET(replaced_lost, family_count(s, s->succession ? s->succession->lost : 0))
GET(replaced_name, text(s->succession ? s->succession->gone_name : (struct str){0}, s->succession != NULL))
GET(successor_count, family_count(s, s->succession ? s->succession->successors : 0))
GET(successor_figures, text(s->succession ? s->succession->new_figures : (struct str){0}, s->succession != NULL))
GET(successor_name, text(s->succession ? s->succession->new_name : (struct str){0}, s->succession != NULL))
GET(successor_worse, family_count(s, s->succession ? s->succession->worse : 0))

/* ---- messages ---- */

GET(event, model_text(s, s->event ? s->event->id : NO_INDEX))
GET(text, model_text(s, s->event ? s->event->text : NO_INDEX))
GET(file, model_text(s, s->event ? s->event->file : NO_INDEX))

GET(function, text(context_name(s), s->event && s->event->name != NO_INDEX))

GET(line, wide(s->event ? s->event->line : 0, s->event && s->event->line > 0))
GET(column, wide(s->event ? s->event->column : 0, s->event && s->event->column > 0))
GET(count, wide(s->event ? s->event->count : 0, s->event != NULL))

static struct value event_number(const struct context *s, int at)
{
    bool known = s->event && s->event->number_count > at && s->event->number[at] != UNKNOWN;
    return wide(known ? s->event->number[at] : 0, known);
}

GET(number1, event_number(s, 0))
GET(number2, event_number(s, 1))
GET(printed_severity, word(s->event ? severity_names[s->event->severity] : NULL))
GET(has_record, truth(s->kernel != NULL, s->event != NULL))

#define ROW(name, type, unit, scope, doc)                                                                              \
    {                                                                                                                  \
#name, doc, VALUE_##type, UNIT_##unit, FIELD_##scope, 0, 0, get_##name                                         \
    }
/* A number that is an int32_t of struct context, unknown below `least`; rules use these the most. */
#define NUMBER(name, member, least, unit, doc)                                                                         \
    {                                                                                                                  \
#name, doc, VALUE_NUMBER, UNIT_##unit, FIELD_METRICS, offsetof(struct context, member), least, NULL            \
    }
/* The fields of launch_config.h; only an int32_t can be read without a getter. */
#define LAUNCH_FIELD(name, type, unknown, key, unit, least, most, expected, sample, what, doc)                         \
    {#name,         doc,                                                                                               \
     VALUE_NUMBER,  UNIT_##unit,                                                                                       \
     FIELD_METRICS, _Generic((type)0, int32_t : offsetof(struct context, launch_config.name), default : 0),            \
     (unknown) + 1, get_##name},
#define GIVEN_FIELD(name, type, unknown, key, unit, least, most, expected, doc)                                        \
    LAUNCH_FIELD(name, type, unknown, key, unit, least, most, expected, NULL, NULL, doc)
/* The fields of the metric table. */
#define METRIC_FIELD(name, printed, unit, doc)  NUMBER(name, name, INT32_MIN, unit, doc),
#define LONG_FIELD(name, key, scale, unit, doc) {key, doc, VALUE_NUMBER, UNIT_##unit, FIELD_RECORD, 0, 0, get_##name},

/* A field of the baseline: "baseline." before the name. */
#define BASE(name, type, unit, doc)                                                                                    \
    {                                                                                                                  \
        "baseline." #name, doc, VALUE_##type, UNIT_##unit, FIELD_BASELINE, 0, 0, get_base_##name                       \
    }

#define BASE_NUMBER(name, member, unit, doc)                                                                           \
    {                                                                                                                  \
        "baseline." #name, doc, VALUE_NUMBER, UNIT_##unit, FIELD_BASELINE, offsetof(struct context, base.member),      \
            INT32_MIN, NULL                                                                                            \
    }

#define MEASURE_FIELD(id, member, sum, noun, head, unit, doc) BASE_NUMBER(member, member, unit, doc),

/* A field of a family (baseline/family.h), for the kernel that it is shown with: "replaced." or "successor." before the
 * name. */
#define FAMILY(whose, name, type, doc)                                                                                 \
    {                                                                                                                  \
#whose "." #name, doc, VALUE_##type, UNIT_NONE, FIELD_BASELINE, 0, 0, get_##whose##_##name                     \
    }

const struct field field_table[] = {
    METRICS(METRIC_FIELD, METRIC_FIELD, LONG_FIELD, NO_METRIC) LAUNCH_FACTS(LAUNCH_FIELD, GIVEN_FIELD)
        MEASURES(MEASURE_FIELD, NO_METRIC)
            ROW(achieved_at_most, NUMBER, RATIO, METRICS,
                "the bound that a small grid sets on achieved occupancy, by the most blocks that an SM holds"),
    ROW(achieved_of_equal_blocks, NUMBER, RATIO, METRICS,
        "the occupancy that the waves achieve where all blocks take the same time"),
    ROW(ambiguous, BOOL, NONE, METRICS, "the Used line may belong to another kernel, so its metrics are unknown"),
    ROW(arch, ARCH, NONE, METRICS, "the architecture that the code is for, as the log or its context says"),
    ROW(arch_known, BOOL, NONE, METRICS, "the architecture is in the table, so occupancy can be computed"),
    ROW(arch_registers_per_thread, NUMBER, REGISTERS, METRICS,
        "the most registers that the architecture gives a thread"),
    ROW(arch_smem_per_block_bytes, NUMBER, BYTES, METRICS, "the most shared memory that a block may use, with opt-in"),
    ROW(arch_threads_per_block, NUMBER, THREADS, METRICS, "the largest block of the architecture"),
    ROW(arch_threads_per_sm, NUMBER, THREADS, METRICS, "threads that an SM of the architecture holds"),
    ROW(asked_blocks_need, STRING, NONE, METRICS,
        "what the blocks need that min_blocks and min_occupancy ask for, of a kernel that has fewer: '6 blocks of 256 "
        "threads need at most 40 registers per thread (__launch_bounds__(256, 6), which may spill) and at most 37888 B "
        "of shared memory per block'"),
    ROW(at_launch_bounds_cap, BOOL, NONE, METRICS,
        "some __launch_bounds__ of the architecture caps at just this register count"),
    BASE(occupancy, NUMBER, RATIO, "what reached_occupancy is with the resources that the baseline has"),
    BASE(was_optimised, BOOL, NONE,
         "the kernel is a debug build now and was none in the baseline, and other kernels of the build are none"),
    BASE(other_launch, BOOL, NONE,
         "the occupancy of the baseline is that of another block size, dynamic shared memory or carveout"),
    BASE(registers_to_restore, NUMBER, REGISTERS,
         "the most registers with which the kernel would reach the occupancy of the baseline again, all else as now"),
    BASE(
        smem_may_cost, BOOL, NONE,
        "shared memory allows fewer blocks than in the baseline and than all else, at the block size or, where that is "
        "not exact, at some size"),
    BASE_NUMBER(warps_lost, warps_lost, WARPS,
                "warps per SM that the baseline has and the kernel does not reach any more"),
    BASE_NUMBER(warps_per_sm, warps, WARPS, "warps per SM with the resources that the baseline has"),
    ROW(best_occupancy, NUMBER, RATIO, METRICS, "the theoretical occupancy that the best block size reaches"),
    ROW(best_threads, NUMBER, THREADS, METRICS, "the largest block size that reaches the best occupancy"),
    ROW(better_threads, NUMBER, THREADS, METRICS,
        "the block size nearest to the present one at which more warps are active, of a kernel without shared memory"),
    ROW(blocks_past_slack, NUMBER, BLOCKS, METRICS,
        "blocks per SM with one register more than the slack allows, 0: cannot launch"),
    ROW(blocks_past_smem_slack, NUMBER, BLOCKS, METRICS,
        "blocks per SM with one byte of shared memory more than the slack"),
    ROW(blocks_per_sm, NUMBER, BLOCKS, METRICS, "blocks that fit on an SM at the known block size, 0: cannot launch"),
    ROW(blocks_with_fewer_registers, NUMBER, BLOCKS, METRICS, "blocks per SM at registers_at_next_block"),
    ROW(blocks_with_less_smem, NUMBER, BLOCKS, METRICS, "blocks per SM at smem_bytes_at_next_block"),
    ROW(bound_blocks_at_most, NUMBER, BLOCKS, METRICS,
        "the most blocks of bound_threads that an SM holds, by its warps and its limit of blocks"),
    ROW(bound_min_blocks, NUMBER, BLOCKS, METRICS, "the second argument of __launch_bounds__"),
    ROW(bound_threads, NUMBER, THREADS, METRICS, "the threads per block that the kernel declares"),
    ROW(budgets_exceeded, NUMBER, NONE, METRICS, "how many budgets of the configuration the kernel exceeds"),
    ROW(callee_spills, BOOL, NONE, RECORD,
        "functions that the kernel calls spill into its stack frame: ptxas states spills and no stack for them"),
    ROW(cap_for_next_block, STRING, NONE, METRICS,
        "what to declare for registers_at_next_block: '__launch_bounds__(256, 6)', '__maxnreg__(40)' of a kernel with "
        "__block_size__ or __maxnreg__, -maxrregcount of functions that raise its registers at the link"),
    ROW(cap_for_these_blocks, STRING, NONE, METRICS,
        "what to declare to keep blocks_per_sm: as cap_for_next_block, '__launch_bounds__(256, 5)'"),
    ROW(carveout_for_more_blocks, NUMBER, RATIO, METRICS,
        "the smallest carveout above the configured one at which more blocks fit"),
    ROW(cluster_blocks, NUMBER, BLOCKS, METRICS, "the blocks of a cluster that the kernel declares"),
    ROW(column, NUMBER, NONE, EVENT, "the column that the message names, from 1"),
    ROW(compiled_registers, NUMBER, REGISTERS, RECORD,
        "registers per thread of the compile alone, if those of its link are known too (these are `registers`)"),
    ROW(count, NUMBER, NONE, EVENT, "how often the same message is in the log"),
    ROW(debug, BOOL, NONE, METRICS, "compiled with -G or without optimisation, as far as the log shows the command"),
    ROW(dynamic_smem_used, BOOL, NONE, METRICS,
        "the code uses dynamic shared memory (extern __shared__), as a binary or the PTX says; where its size is not "
        "known, occupancy, warps_per_sm and blocks_per_sm are upper bounds and the steps to more blocks are not known"),
    ROW(event, STRING, NONE, EVENT, "the name of the message, as in `warplint list phrases`"),
    ROW(file, STRING, NONE, EVENT, "the file that the message names"),
    ROW(for_instance, STRING, NONE, RECORD,
        "' for this instance' where the kernel is an instance of a template, else empty: behind what a message "
        "suggests, "
        "because a bound in the source is that of all instances; empty too where functions raise its registers at the "
        "link"),
    ROW(from_link, BOOL, NONE, METRICS, "registers, barriers, stack and shared memory are those that the link decided"),
    ROW(further_caps, STRING, NONE, METRICS,
        "the register caps above that of higher_cap: '48 with (256, 5), 64 with (256, 4)' of launch bounds, else '48, "
        "64'"),
    ROW(function, STRING, NONE, EVENT, "the readable name of the function that the message names"),
    ROW(has_record, BOOL, NONE, EVENT, "the log has a resource record of the function that the message names"),
    ROW(higher_cap, STRING, NONE, METRICS,
        "what would lift the register cap at the least cost in blocks: '__launch_bounds__(256, 6) would lift the cap "
        "from "
        "32 to 40 registers at 75 % occupancy'"),
    ROW(kernel_id, STRING, NONE, RECORD,
        "the identity: the mangled name, as in _Z4axpyiPf, without what changes between builds"),
    ROW(kind, STRING, NONE, METRICS, "'entry' for a kernel, 'function' for a device function"),
    ROW(last_wave, NUMBER, RATIO, METRICS, "how full the last wave of the grid is, 100 % where it is a whole one"),
    ROW(library_slow_path, BOOL, NONE, RECORD, "the name is that of a slow path of the math library"),
    ROW(limiters, STRING, WORDS, METRICS,
        "what holds the block count down: warps, registers, shared_memory, blocks, barriers; several are in this "
        "order, "
        "'registers, blocks', so `limiters =~ 'registers'` asks whether registers are one of them"),
    ROW(line, NUMBER, NONE, EVENT, "the line that the message names, from 1"),
    ROW(link_stack_bytes, NUMBER, BYTES, METRICS, "stack per thread as linked, with all functions that are called"),
    ROW(log, STRING, NONE, RECORD, "the path of the log"),
    ROW(log_line, NUMBER, NONE, RECORD, "the line of the log, from 1"),
    ROW(mangled, STRING, NONE, RECORD, "the name as the log prints it"),
    ROW(max_threads_launchable, NUMBER, THREADS, METRICS, "the largest block that the registers allow to launch"),
    ROW(max_warps_per_sm, NUMBER, WARPS, METRICS, "warps that an SM of the architecture holds"),
    ROW(name, STRING, NONE, RECORD,
        "the readable (demangled) name with its parameters, of a template with its result: 'axpy(int, float*)', 'void "
        "gemm<128>(float*)'; of extern \"C\" the bare name; see kernel_id"),
    ROW(next_best_occupancy, NUMBER, RATIO, METRICS, "the best occupancy at registers_at_next_best"),
    ROW(number1, NUMBER, NONE, EVENT, "the first number of the message"),
    ROW(number2, NUMBER, NONE, EVENT, "the second number of the message"),
    ROW(occupancy, NUMBER, RATIO, METRICS, "theoretical occupancy: active warps of the warps an SM holds"),
    ROW(occupancy_at_better_threads, NUMBER, RATIO, METRICS, "theoretical occupancy at better_threads"),
    ROW(occupancy_with_fewer_registers, NUMBER, RATIO, METRICS, "theoretical occupancy at registers_at_next_block"),
    ROW(occupancy_with_less_smem, NUMBER, RATIO, METRICS, "theoretical occupancy at smem_bytes_at_next_block"),
    ROW(over_budget, STRING, NONE, METRICS,
        "the budgets that are exceeded, each with its figure; unknown where none is"),
    ROW(printed_severity, STRING, NONE, EVENT, "the severity that the tool printed: note, warning or error"),
    ROW(producer, STRING, NONE, METRICS,
        "the source of the numbers: ptxas, nvlink, driver-linker, binary, cuobjdump or inductor"),
    ROW(reached_occupancy, NUMBER, RATIO, METRICS, "occupancy where the block size is known, else best_occupancy"),
    ROW(register_cap_by, STRING, NONE, METRICS, "what sets the cap, with its numbers: __launch_bounds__(256, 4)"),
    ROW(register_cap_from, STRING, NONE, METRICS,
        "where the cap comes from: -maxrregcount, __launch_bounds__, __maxnreg__ or __block_size__"),
    ROW(register_slack, NUMBER, REGISTERS, METRICS, "how many more registers keep the same blocks per SM"),
    ROW(registers_at_next_best, NUMBER, REGISTERS, METRICS,
        "the largest lower count at which the best occupancy is higher"),
    ROW(registers_at_next_block, NUMBER, REGISTERS, METRICS, "the largest lower count at which more blocks fit"),
    ROW(registers_to_next_best, NUMBER, REGISTERS, METRICS,
        "how many fewer registers raise the best occupancy, infinite where none do"),
    ROW(registers_to_next_block, NUMBER, REGISTERS, METRICS,
        "how many fewer registers fit more blocks, infinite where none do"),
    FAMILY(replaced, count, NUMBER,
           "kernels of the base name and architecture that are gone; as all of `replaced` and `successor` for the one "
           "kernel that stands for the new ones, of each other 0 or unknown"),
    FAMILY(replaced, figures, STRING, "registers, warps and spilled bytes of the gone kernel that is named"),
    FAMILY(replaced, lost, NUMBER,
           "of the gone kernels, those of which no successor has as many warps and no more spilled bytes"),
    FAMILY(replaced, name, STRING,
           "the gone kernel that lost the most; where none did, one that the worst new replaces"),
    ROW(smem_bytes_at_next_block, NUMBER, BYTES, METRICS,
        "the largest smaller static plus dynamic size at which more blocks fit"),
    ROW(smem_bytes_to_next_block, NUMBER, BYTES, METRICS,
        "how many bytes less of shared memory fit more blocks, infinite where none do"),
    ROW(smem_needs_optin, BOOL, NONE, METRICS, "shared memory is beyond what a launch gets without opting in"),
    ROW(smem_per_block_bytes, NUMBER, BYTES, METRICS,
        "static plus dynamic shared memory per block, as far as it is known"),
    ROW(smem_slack_bytes, NUMBER, BYTES, METRICS, "how many more bytes of shared memory keep the same blocks per SM"),
    ROW(source, STRING, NONE, RECORD, "the file in which the kernel is defined, else the source that was compiled"),
    ROW(source_line, NUMBER, NONE, RECORD, "the line of the kernel in its source, from 1"),
    ROW(stack_undetermined, BOOL, NONE, METRICS, "the compiler said that the stack size cannot be determined"),
    FAMILY(successor, count, NUMBER, "new kernels that may have taken the place of replaced.name"),
    FAMILY(successor, figures, STRING, "registers, warps and spilled bytes of the kernel itself"),
    FAMILY(successor, name, STRING, "the kernel itself, the best of the successors; where none lost, the worst of all"),
    FAMILY(successor, worse, NUMBER, "new kernels that are worse than each that they may have replaced"),
    ROW(text, STRING, NONE, EVENT, "the message"),
    ROW(threads_exact, BOOL, NONE, METRICS, "threads is the block size of the launch, not an upper bound of it"),
    ROW(threads_from, STRING, NONE, METRICS,
        "where threads comes from: cli, config, profile, required or launch-bounds"),
    ROW(unspilled_stack_bytes, NUMBER, BYTES, METRICS,
        "array_bytes where it is known, else the stack less the bytes of spill stores and loads: at least so many; of "
        "a kernel that spills nothing all of it (see callee_spills), linked with all functions that are called"),
    ROW(tune_command, STRING, NONE, RECORD,
        "the command that compiles the kernel at other register caps: 'warplint tune --kernel gemm -- nvcc ...'; with "
        "the compiler's arguments where `wrap` runs it"),
    ROW(warps_per_sm, NUMBER, WARPS, METRICS, "active warps per SM at the known block size"),
    ROW(waves, NUMBER, NONE, METRICS, "waves of the grid: its blocks by those that all SMs hold at once"),
};
const size_t field_count = sizeof field_table / sizeof *field_table;

const struct field *field_find(struct str name)
{
    for (const struct field *field = field_table; name.len && field < field_table + field_count; field++)
        if (field->name[0] == name.ptr[0] && str_eq(name, str_of(field->name)))
            return field;
    return NULL;
}

unsigned field_asks(const struct field *field)
{
    return field->scope | (strncmp(field->name, "budget_", strlen("budget_")) == 0 ? FIELD_BUDGET : 0u) |
           (strcmp(field->name, "profile_registers") == 0 ? FIELD_PROFILE : 0u);
}

/* Fields whose value is one word of a list, or several in its order. An entry of the list is NULL for "unknown". */
static const struct closed_field {
    const char *field;
    const char *const *names;
    int count;
    bool several;
} closed_fields[] = {
    {"kind", kernel_kind_names, KERNEL_FUNCTION + 1, false},
    {"limiters", limiter_ids, LIMIT_COUNT, true},
    {"producer", producer_names, PRODUCER_COUNT, false},
    {"register_cap_from", cap_from_names, CAP_FROM_COUNT, false},
    {"printed_severity", &severity_names[SEVERITY_NOTE], SEVERITY_ERROR - SEVERITY_NOTE + 1, false},
    {"threads_from", threads_from_names, THREADS_TRITON + 1, false},
};

/* True for a word of the list, and for fields with several words for "registers, blocks": each once, in their order. */
static bool can_be(const struct closed_field *closed, struct str text)
{
    for (int at = 0; at < closed->count; at++) {
        struct str name = str_of(closed->names[at]);
        if (closed->names[at] && str_eq(text, name))
            return true;
        struct str rest = str_from(text, name.len);
        if (closed->several && str_starts(text, name) && str_starts(rest, STR(", ")))
            text = str_from(rest, 2);
    }
    return false;
}

bool field_lacks_word(const struct field *field, struct str word, struct buf *words)
{
    const struct closed_field *closed = NULL;
    EACH(const struct closed_field, row, closed_fields, sizeof closed_fields / sizeof *closed_fields)
        closed = strcmp(row->field, field->name) == 0 ? row : closed;
    if (!closed || can_be(closed, word))
        return false;
    for (int at = 0; at < closed->count; at++)
        if (closed->names[at])
            buf_fmt(words, "%s%s", words->len ? ", " : "", closed->names[at]);
    if (closed->several)
        buf_fmt(words, ", or several in this order: '%s, %s'", closed->names[0], closed->names[1]);
    return true;
}

const struct field *field_after(const struct field *last)
{
    const struct field *next = NULL;
    for (const struct field *field = field_table; field < field_table + field_count; field++)
        if ((!last || strcmp(field->name, last->name) > 0) && (!next || strcmp(field->name, next->name) < 0))
            next = field;
    return next;
}

/* Words that people write for a field and that are not similar to its name. */
static const struct {
    const char *written, *field;
} other_names[] = {
    {"block_size", "threads"}, {"regs", "registers"},           {"shared_memory", "smem_bytes"},
    {"smem", "smem_bytes"},    {"spills", "spill_store_bytes"}, {"stack", "stack_bytes"},
};

const char *field_nearest(struct str name)
{
    for (size_t at = 0; at < sizeof other_names / sizeof *other_names; at++)
        if (str_eq(name, str_of(other_names[at].written)))
            return other_names[at].field;
    return nearest_word(name, &field_table->name, sizeof *field_table, field_count);
}

struct value field_get(const struct field *field, struct context *context)
{
    int32_t metric = UNKNOWN;
    if (!field->metric)
        return field->get(context);
    memcpy(&metric, (const char *)context + field->metric, sizeof metric);
    return number(metric < field->least ? UNKNOWN : metric);
}
