#include "lint/judge_private.h"

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

/* The exception that covers a finding, or NO_INDEX. */
static uint32_t exception_for(struct judge *judge, const struct rule_result *result, uint32_t kernel, uint32_t event)
{
    const struct model *model = judge->model;
    struct judge_private *own = judge->private;
    struct exception_query query = {
        .rule = result->rule, .worst = result->worst, .name = NO_INDEX, .arch = NO_INDEX, .source = NO_INDEX};
    if (!own->exceptions)
        return NO_INDEX;
    if (judge->rules->rules[result->rule].kind == RULE_EVENT) {
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
    const struct rule *rule = &judge->rules->rules[result->rule];
    uint32_t found = exceptions_find(own->exceptions, own->launches, &query);
    for (size_t at = 0; at < rule->exceptions_of_count && found == NO_INDEX; at++) {
        const struct rule *other = ruleset_find(judge->rules, rule->exceptions_of[at]);
        query.rule = other ? (uint16_t)(other - judge->rules->rules) : result->rule;
        found = exceptions_find(own->exceptions, own->launches, &query);
    }
    return found;
}

bool finding_counts(const struct finding *finding)
{
    return finding->exception == NO_INDEX && finding->baseline_state != BASELINE_UNCHANGED;
}

bool finding_fails(const struct judge *judge, const struct finding *finding)
{
    enum severity fail_on = judge->options.fail_on;
    return finding_counts(finding) && fail_on != SEVERITY_OFF && finding->severity >= fail_on;
}

static struct finding make_finding(struct judge *judge, const struct rule_result *result, uint32_t kernel,
                                   uint32_t event)
{
    return (struct finding){.kernel = kernel,
                            .event = event,
                            .worst = result->worst,
                            .rule = result->rule,
                            .severity = result->severity,
                            .which = result->which,
                            .launch_config = judge->private->other_launch_config,
                            .exception = exception_for(judge, result, kernel, event)};
}

void judge_add_finding(struct judge *judge, const struct rule_result *result, uint32_t kernel, uint32_t event)
{
    if (result->severity == SEVERITY_OFF)
        return;
    *MEM_ADD(judge->findings, judge->finding_count, judge->finding_cap) = make_finding(judge, result, kernel, event);
}

/* ---- showing ---- */

static bool is_line(const struct judge *judge, const struct finding *finding)
{
    return judge->rules->rules[finding->rule].kind == RULE_PATTERN;
}

struct subject *judge_subject(struct judge *judge, const struct finding *finding)
{
    judge->private->other_launch_config = finding->launch_config;
    uint32_t event = is_line(judge, finding) ? NO_INDEX : finding->event;
    uint32_t kernel = finding->kernel;
    bool sure = false;
    if (kernel == NO_INDEX && event != NO_INDEX)
        judge_find_kernel(judge, &judge->model->events[event], &kernel, &sure);
    judge_set_subject(judge, &judge->private->shown, kernel, event);
    judge->private->other_launch_config = NO_INDEX;
    return &judge->private->shown;
}

size_t judge_launches(struct judge *judge, uint32_t kernel, const struct profile_launch **seen, size_t most)
{
    return launch_resolver_seen(judge->private->launches, &judge->model->kernels[kernel], seen, most);
}

struct subject *judge_record(struct judge *judge, uint32_t kernel)
{
    judge_set_subject(judge, &judge->private->shown, kernel, NO_INDEX);
    return &judge->private->shown;
}

const struct kernel_metrics *finding_base(const struct judge *judge, const struct finding *finding)
{
    const struct comparison *comparison = judge->comparison;
    bool of_kernel = comparison && judge->rules->rules[finding->rule].kind == RULE_KERNEL;
    const struct pair *pair = of_kernel ? compare_of_kernel(comparison, finding->kernel) : NULL;
    if (pair && pair->base != NO_INDEX)
        return &comparison->base->items[pair->base];
    const struct family *family = pair && pair->family != NO_INDEX ? &comparison->families[pair->family] : NULL;
    uint32_t nearest = family ? family->nearest[pair->member] : NO_INDEX;
    return nearest == NO_INDEX ? NULL : &comparison->base->items[nearest];
}

void finding_message(struct judge *judge, const struct finding *finding, struct buf *out)
{
    const struct rule *rule = &judge->rules->rules[finding->rule];
    if (is_line(judge, finding)) {
        buf_add(out, judge->lines[finding->event].message);
        return;
    }
    const struct template *message = rule->cases[finding->which].message;
    const struct kernel_metrics *base = rule->asks_baseline ? NULL : finding_base(judge, finding);
    struct subject *subject = judge_subject(judge, finding);
    template_render(message, subject, NULL, out);
    if (!base)
        return;
    judge->private->other_launch_config = finding->launch_config;
    template_was(message, subject, judge_subject_then(judge, finding->kernel, base), out);
    judge->private->other_launch_config = NO_INDEX;
}

struct str finding_reason(const struct judge *judge, const struct finding *finding)
{
    if (finding->exception == NO_INDEX)
        return (struct str){"", 0};
    return exceptions_reason(judge->private->exceptions, finding->exception);
}

bool finding_allowed_in_source(const struct judge *judge, const struct finding *finding)
{
    return finding->exception != NO_INDEX && exceptions_in_source(judge->private->exceptions, finding->exception);
}

static struct str log_path(const struct model *model, uint16_t log)
{
    return log < model->log_count ? model_string(model, model->logs[log].path) : (struct str){"", 0};
}

/* The source place that a finding has, or an empty path. */
static struct finding_place source_place(const struct judge *judge, const struct finding *finding)
{
    const struct model *model = judge->model;
    if (finding->event != NO_INDEX && !is_line(judge, finding) && model->events[finding->event].file != NO_INDEX) {
        const struct event *event = &model->events[finding->event];
        return (struct finding_place){
            .path = model_string(model, event->file), .line = event->line, .column = event->column};
    }
    if (finding->kernel == NO_INDEX)
        return (struct finding_place){0};
    const struct kernel *kernel = &model->kernels[finding->kernel];
    bool has_log = kernel->log_line > 0; /* a line of the log says more than a file without a line */
    uint32_t line = kernel_rare(model, kernel)->source_line;
    if (kernel->source == NO_INDEX || (line == 0 && has_log))
        return (struct finding_place){0};
    return (struct finding_place){.path = model_string(model, kernel->source), .line = line};
}

struct code_site *finding_sites(const struct judge *judge, const struct finding *finding, size_t *count)
{
    const struct model *model = judge->model;
    const enum rule_sites sites = judge->rules->rules[finding->rule].sites;
    *count = 0;
    if (sites == SITES_NONE)
        return NULL;
    const struct kernel_code *code = kernel_code(model, &model->kernels[finding->kernel]);
    const size_t all = sites == SITES_SPILL ? code->spill_site_count : code->array_site_count;
    const size_t first = sites == SITES_SPILL ? code->first_spill_site : code->first_array_site;
    if (all == 0)
        return NULL;
    struct code_site *lines = mem_alloc(all * sizeof *lines);
    *count = code_sites_by_line(model, &model->code.sites[first], all, lines);
    return lines;
}

/* The worst site of which the line is known, or an empty path. */
static struct finding_place site_place(const struct judge *judge, const struct finding *finding)
{
    size_t count = 0;
    struct finding_place found = {0};
    struct code_site *sites = finding_sites(judge, finding, &count);
    for (size_t at = 0; at < count && !found.of_site; at++) {
        if (sites[at].place == NO_INDEX)
            continue;
        struct code_place place = code_place_get(judge->model, code_place_shown(judge->model, sites[at].place));
        found =
            (struct finding_place){.path = model_string(judge->model, place.file), .line = place.line, .of_site = true};
    }
    free(sites);
    return found;
}

struct finding_place finding_place(const struct judge *judge, const struct finding *finding)
{
    const struct model *model = judge->model;
    struct finding_place place = source_place(judge, finding);
    uint16_t log = 0;
    if (place.line == 0) {
        const struct finding_place site = site_place(judge, finding);
        place = site.path.len ? site : place;
    }
    if (is_line(judge, finding)) {
        log = judge->lines[finding->event].log;
        place.log_line = judge->lines[finding->event].line;
    } else if (finding->event != NO_INDEX) {
        log = model->events[finding->event].log;
        place.log_line = model->events[finding->event].log_line;
    } else {
        log = model->kernels[finding->kernel].log;
        place.log_line = model->kernels[finding->kernel].log_line;
    }
    place.log = log_path(model, log);
    place.from_here = log < model->log_count && model->logs[log].from_here;
    place.in_log = place.path.len == 0;
    if (place.in_log) {
        place.path = place.log;
        place.line = place.log_line;
    }
    return place;
}
