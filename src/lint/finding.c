#include "lint/linter_private.h"

#include "baseline/baseline.h"
#include "baseline/compare.h"
#include "baseline/family.h"
#include "config/exception.h"
#include "config/launch_resolver.h"
#include "log/local_memory.h"

#include <stdlib.h>

const char *baseline_state_name(enum baseline_state state)
{
    static const char *const names[] = {NULL, "new", "worse", "unchanged"};
    return names[state];
}

/* True if the launch itself costs warps: registers and shared memory, which have their own rules, do not explain the
 * loss. */
static bool is_launched_otherwise(const struct context *context)
{
    const int32_t then = context->base.barriers, now = context->barriers;
    return context->base.other_launch == 1 || (then != UNKNOWN && now != UNKNOWN && now > then);
}

/* True if the exceptions of the rule `other` apply to the result too, for the value in *worst. If `other` measures
 * something else or compares with the baseline, they apply only if it fires at the same or a higher severity; *worst is
 * then its own value. */
static bool asks_exceptions_of(struct linter *linter, const struct rule_result *result, const struct rule *other,
                               uint32_t kernel, uint32_t launch_config, float *worst)
{
    const struct rule *rule = &linter->rules->rules[result->rule];
    const bool same = !rule->worst || !other->worst || expr_unit(rule->worst) == expr_unit(other->worst);
    if (same && !other->asks_baseline)
        return true;
    if (kernel == NO_INDEX || other->kind != RULE_KERNEL || !rule_is_on(other))
        return false;
    struct context *context = &linter->private->context;
    linter_set_context(linter, context, kernel, NO_INDEX, launch_config);
    if (rule->worst && expr_unit(rule->worst) == UNIT_WARPS && is_launched_otherwise(context))
        return false;
    const uint16_t number = (uint16_t)(other - linter->rules->rules);
    const struct rule_result found = linter_evaluate(linter, number, context, NULL);
    *worst = found.worst;
    return found.state == RESULT_FIRES && found.severity >= result->severity;
}

/* The exception that covers a finding, or NO_INDEX. */
static uint32_t exception_for(struct linter *linter, const struct rule_result *result, uint32_t kernel, uint32_t event,
                              uint32_t launch_config)
{
    const struct model *model = linter->model;
    struct linter_private *own = linter->private;
    struct exception_query query = {
        .rule = result->rule, .worst = result->worst, .name = NO_INDEX, .arch = NO_INDEX, .source = NO_INDEX};
    if (!exceptions_any(own->exceptions)) /* the usual case, and there may be very many findings */
        return NO_INDEX;
    if (linter->rules->rules[result->rule].kind == RULE_EVENT) {
        query.name = model->events[event].name;
        query.arch = model->events[event].arch;
        query.log = model->events[event].log;
    }
    if (kernel != NO_INDEX) {
        query.name = model->kernels[kernel].name;
        query.arch = model->kernels[kernel].arch_inferred;
        query.source = model->kernels[kernel].source;
        query.log = model->kernels[kernel].log;
    }
    const struct rule *rule = &linter->rules->rules[result->rule];
    uint32_t found = exceptions_find(own->exceptions, own->launches, &query);
    for (size_t at = 0; at < rule->exceptions_of.count && found == NO_INDEX; at++) {
        const struct rule *other = ruleset_find(linter->rules, rule->exceptions_of.items[at]);
        query.worst = result->worst;
        if (!other || !asks_exceptions_of(linter, result, other, kernel, launch_config, &query.worst))
            continue;
        query.rule = (uint16_t)(other - linter->rules->rules);
        found = exceptions_find(own->exceptions, own->launches, &query);
    }
    return found;
}

bool finding_counts(const struct finding *finding)
{
    return finding->exception == NO_INDEX && finding->baseline_state != BASELINE_UNCHANGED;
}

bool finding_counts_alike(const struct finding *a, const struct finding *b)
{
    return a->exception == b->exception &&
           (a->baseline_state == BASELINE_UNCHANGED) == (b->baseline_state == BASELINE_UNCHANGED);
}

bool finding_fails(const struct linter *linter, const struct finding *finding)
{
    enum severity fail_on = linter->options.fail_on;
    return finding_counts(finding) && fail_on != SEVERITY_OFF && finding->severity >= fail_on;
}

bool finding_is_of_profile(const struct linter *linter, const struct finding *finding)
{
    const struct rule *rule = &linter->rules->rules[finding->rule];
    return rule->builtin && rule->kind == RULE_KERNEL && expr_asks(rule->when) & FIELD_PROFILE;
}

/* A finding is on one entry of its record. The record's other entries, for example of its links, fail too if they are
 * new or worse as well. */
static void mark_entries_of_failing_records(const struct comparison *comparison, bool *failing)
{
    for (size_t item = 0; item < comparison->head->count; item++) {
        const uint32_t kernel = comparison->head->items[item].kernel;
        const uint32_t preferred = kernel == NO_INDEX ? NO_INDEX : comparison->item_of[kernel];
        if (preferred != NO_INDEX && comparison->pairs[item].state == comparison->pairs[preferred].state)
            failing[item] |= failing[preferred];
    }
}

bool *linter_failing_items(const struct linter *linter, bool with_profile)
{
    bool *failing = mem_alloc(linter->comparison->head->count + 1);
    EACH(const struct finding, finding, linter->findings, linter->finding_count) {
        const struct pair *pair = NULL;
        if (finding->kernel != NO_INDEX && finding_fails(linter, finding))
            pair = compare_of_kernel(linter->comparison, finding->kernel);
        if (pair && (with_profile || !finding_is_of_profile(linter, finding)))
            failing[pair->head] = true;
    }
    mark_entries_of_failing_records(linter->comparison, failing);
    return failing;
}

void linter_add_finding(struct linter *linter, const struct rule_result *result, uint32_t kernel, uint32_t event,
                        uint32_t launch_config)
{
    if (result->severity == SEVERITY_OFF)
        return;
    *MEM_ADD(linter->findings, linter->finding_count, linter->finding_cap) =
        (struct finding){.kernel = kernel,
                         .event = event,
                         .worst = result->worst,
                         .rule = result->rule,
                         .severity = result->severity,
                         .which = result->which,
                         .launch_config = launch_config,
                         .exception = exception_for(linter, result, kernel, event, launch_config)};
}

/* ---- texts and places ---- */

static bool is_line(const struct linter *linter, const struct finding *finding)
{
    return linter->rules->rules[finding->rule].kind == RULE_PATTERN;
}

const struct event *finding_event(const struct linter *linter, const struct finding *finding)
{
    bool is_event = linter->rules->rules[finding->rule].kind == RULE_EVENT;
    return is_event ? &linter->model->events[finding->event] : NULL;
}

struct context *linter_context(struct linter *linter, const struct finding *finding)
{
    const struct event *event = finding_event(linter, finding);
    uint32_t kernel = finding->kernel;
    bool sure = false;
    if (kernel == NO_INDEX && event)
        linter_find_kernel(linter, event, &kernel, &sure);
    linter_set_context(linter, &linter->private->shown, kernel, event ? finding->event : NO_INDEX,
                       finding->launch_config);
    return &linter->private->shown;
}

size_t linter_launches(struct linter *linter, uint32_t kernel, const struct profile_launch **seen, size_t most)
{
    return launch_resolver_seen(linter->private->launches, &linter->model->kernels[kernel], seen, most);
}

struct context *linter_record(struct linter *linter, uint32_t kernel)
{
    linter_set_context(linter, &linter->private->shown, kernel, NO_INDEX, NO_INDEX);
    return &linter->private->shown;
}

const struct kernel_metrics *finding_base(const struct linter *linter, const struct finding *finding)
{
    const struct comparison *comparison = linter->comparison;
    bool of_kernel = comparison && linter->rules->rules[finding->rule].kind == RULE_KERNEL;
    const struct pair *pair = of_kernel ? compare_of_kernel(comparison, finding->kernel) : NULL;
    return pair && (pair->base != NO_INDEX || family_is_sure(comparison, pair)) ? family_base(comparison, pair) : NULL;
}

void finding_message(struct linter *linter, const struct finding *finding, struct buf *out)
{
    const struct rule *rule = &linter->rules->rules[finding->rule];
    if (is_line(linter, finding)) {
        buf_add(out, linter->lines[finding->event].message);
        return;
    }
    const struct template *message = rule->cases[finding->which].message;
    const struct kernel_metrics *base = rule->asks_baseline ? NULL : finding_base(linter, finding);
    struct context *context = linter_context(linter, finding);
    template_render(message, context, NULL, out);
    if (!base)
        return;
    template_was(message, context, linter_baseline_context(linter, finding->kernel, finding->launch_config, base), out);
}

static bool add_next(const struct rule *rule, struct context *context, struct buf *out)
{
    const size_t begin = out->len;
    EACH(const struct rule_case, next, rule->next, rule->next_count) {
        const struct value when = next->when ? expr_eval(next->when, context, NULL) : value_bool(true);
        if (!when.known || !when.boolean)
            continue;
        if (template_render(next->message, context, NULL, out))
            return true;
        out->len = begin;
    }
    return false;
}

bool finding_next(struct linter *linter, const struct finding *finding, bool short_command, struct buf *out)
{
    const struct rule *own = &linter->rules->rules[finding->rule];
    const struct rule *rule = own->next_of.len ? ruleset_find(linter->rules, own->next_of) : own;
    if (!rule || rule->kind != own->kind || rule->next_count == 0) /* a user's rule may replace the named one */
        return false;
    struct context *context = linter_context(linter, finding);
    if (finding->kernel == NO_INDEX) /* the message may be for another architecture than the kernel of the context */
        linter_set_context(linter, context, NO_INDEX, finding->event, NO_INDEX);
    context->short_command = short_command;
    return add_next(rule, context, out);
}

struct str finding_reason(const struct linter *linter, const struct finding *finding)
{
    if (finding->exception == NO_INDEX)
        return (struct str){"", 0};
    return exceptions_reason(linter->private->exceptions, finding->exception);
}

bool finding_allowed_in_source(const struct linter *linter, const struct finding *finding)
{
    return finding->exception != NO_INDEX && exceptions_in_source(linter->private->exceptions, finding->exception);
}

uint16_t finding_log(const struct linter *linter, const struct finding *finding)
{
    if (is_line(linter, finding))
        return linter->lines[finding->event].log;
    return finding->event != NO_INDEX ? linter->model->events[finding->event].log
                                      : linter->model->kernels[finding->kernel].log;
}

struct str finding_arch(const struct linter *linter, const struct finding *finding)
{
    const struct model *model = linter->model;
    if (finding->kernel != NO_INDEX)
        return kernel_arch(model, &model->kernels[finding->kernel]);
    const struct event *event = finding_event(linter, finding);
    return event ? model_string(model, event->arch) : (struct str){"", 0};
}

/* The source place of the finding; an empty path: unknown. */
static struct finding_place source_place(const struct linter *linter, const struct finding *finding)
{
    const struct model *model = linter->model;
    const struct event *event = finding_event(linter, finding);
    if (event && event->file != NO_INDEX)
        return (struct finding_place){
            .path = model_string(model, event->file), .line = event->line, .column = event->column};
    if (finding->kernel == NO_INDEX)
        return (struct finding_place){0};
    const struct kernel *kernel = &model->kernels[finding->kernel];
    uint32_t line = kernel_rare(model, kernel)->source_line;
    return (struct finding_place){
        .path = model_string(model, kernel->source),
        .line = line,
        .in_log = line == 0 && kernel->log_line > 0, /* a line of the log is more useful than a file without a line */
    };
}

struct code_site *kernel_sites(const struct model *model, const struct kernel *kernel, enum rule_sites kind,
                               size_t *count)
{
    const struct kernel_code *code = kernel_code(model, kernel);
    const struct code_sites *sites = kind == SITES_SPILL ? &code->spills : &code->arrays;
    *count = 0;
    if (kind == SITES_NONE || sites->count == 0)
        return NULL;
    struct code_site *lines = mem_alloc(sites->count * sizeof *lines);
    *count = code_sites_by_line(model, &model->code.sites[sites->first], sites->count, lines);
    return lines;
}

struct code_site *finding_sites(const struct linter *linter, const struct finding *finding, size_t *count)
{
    const struct kernel *kernel = finding->kernel == NO_INDEX ? &no_kernel : &linter->model->kernels[finding->kernel];
    return kernel_sites(linter->model, kernel, linter->rules->rules[finding->rule].sites, count);
}

/* The worst site with a known line; an empty path: none. */
static struct finding_place site_place(const struct linter *linter, const struct finding *finding)
{
    size_t count = 0;
    struct finding_place found = {0};
    struct code_site *sites = finding_sites(linter, finding, &count);
    for (size_t at = 0; at < count && !found.of_site; at++) {
        if (sites[at].place == NO_INDEX)
            continue;
        struct code_place place = code_place_get(linter->model, code_place_shown(linter->model, sites[at].place));
        found = (struct finding_place){
            .path = model_string(linter->model, place.file), .line = place.line, .of_site = true};
    }
    free(sites);
    return found;
}

struct finding_place finding_place(const struct linter *linter, const struct finding *finding)
{
    const struct model *model = linter->model;
    struct finding_place place = source_place(linter, finding);
    const struct log_info *log = &model->logs[finding_log(linter, finding)];
    if (place.line == 0) {
        const struct finding_place site = site_place(linter, finding);
        place = site.path.len ? site : place;
    }
    place.log_line = is_line(linter, finding)     ? linter->lines[finding->event].line
                     : finding->event != NO_INDEX ? model->events[finding->event].log_line
                                                  : model->kernels[finding->kernel].log_line;
    place.log = model_string(model, log->path);
    place.from_here = log->from_here;
    place.in_log |= place.path.len == 0;
    return place;
}
