#include "lint/linter_private.h"

#include "config/config.h"
#include "config/launch_resolver.h"

#include <stdlib.h>

static void add_config(struct linter *linter)
{
    static const struct config none;
    const struct linter_options *options = &linter->options;
    const struct config *config = options->config ? options->config : &none;
    const struct launch_sources sources = {.entries = config->entries,
                                           .entry_count = config->entry_count,
                                           .sms = config->sms,
                                           .given = options->launch_config,
                                           .profile = options->profile,
                                           .checkout = options->checkout};
    linter->private->launches = launch_resolver_new(&sources, linter->model);
    linter->private->exceptions =
        exceptions_new(config->exceptions, config->exception_count, linter->rules, linter->model, options->today);
}

struct linter *linter_new(struct ruleset *rules, const struct model *model, const struct linter_options *options)
{
    struct linter *linter = mem_alloc(sizeof *linter);
    linter->rules = rules;
    linter->model = model;
    linter->options = *options;
    linter->private = mem_alloc(sizeof *linter->private);
    struct arena *arena = &linter->private->arena;
    linter->not_judged = arena_alloc(arena, (rules->count + 1) * sizeof *linter->not_judged);
    add_config(linter);
    size_t captures = 0;
    EACH(const struct rule, rule, rules->rules, rules->count)
        captures = rule->scope.capture_count > captures ? rule->scope.capture_count : captures;
    linter->private->captures = arena_alloc(arena, (captures + 1) * sizeof *linter->private->captures);
    return linter;
}

void linter_free(struct linter *linter)
{
    if (!linter)
        return;
    struct linter_private *own = linter->private;
    launch_resolver_free(own->launches);
    exceptions_free(own->exceptions);
    arena_free(&own->arena);
    context_free(&own->context);
    context_free(&own->shown);
    buf_free(&own->scratch);
    intern_free(&own->metric_keys);
    free(own->remembered);
    free(own->results);
    free(own);
    free(linter->findings);
    free(linter->lines);
    free(linter->archs);
    free(linter);
}

struct rule_result linter_evaluate(struct linter *linter, uint16_t rule, struct context *context,
                                   const struct str *captures)
{
    struct rule_result result = rule_evaluate(&linter->rules->rules[rule], context, captures);
    result.rule = rule;
    return result;
}

/* ---- kernels ---- */

/* Chooses the enabled rules; rules with fields of a baseline only if there is one. */
static void choose_rules(struct linter *linter)
{
    struct linter_private *own = linter->private;
    own->kernel_rules = arena_alloc(&own->arena, (linter->rules->count + 1) * sizeof *own->kernel_rules);
    for (size_t at = 0; at < linter->rules->count; at++) {
        const struct rule *rule = &linter->rules->rules[at];
        if (rule->kind == RULE_KERNEL && rule_is_on(rule) && (!rule->asks_baseline || linter->comparison))
            own->kernel_rules[own->kernel_rule_count++] = (uint16_t)at;
    }
}

/* The result of the rule for the context. Rules without `debug-builds` do not fire on debug builds. */
static struct rule_result evaluate_kernel(struct linter *linter, uint16_t rule, struct context *context)
{
    bool leaves_out = (context->kernel->flags & KERNEL_DEBUG) && !linter->rules->rules[rule].debug_builds;
    return leaves_out ? (struct rule_result){.state = RESULT_NO} : linter_evaluate(linter, rule, context, NULL);
}

/* The input of all fields of FIELD_METRICS: rules with only such fields have one result for kernels with equal keys. */
struct metric_key {
    uint32_t launch, arch;
    METRICS(INT32_MEMBER, NO_METRIC, NO_METRIC, NO_METRIC)
    struct rare_metrics rare; /* without places; link: 1 if it has one */
    int32_t link_registers, link_barriers, link_stack_bytes, link_smem_bytes;
    uint8_t kind, producer, flags, name_marks;
    uint32_t dynamic_smem;
};
_Static_assert(offsetof(struct metric_key, dynamic_smem) == offsetof(struct metric_key, kind) + 4,
               "keys are compared as bytes: no padding");

#define OF_KERNEL(name, ...) .name = kernel->name,
static struct metric_key key_of(const struct linter *linter, const struct kernel *kernel, uint32_t launch)
{
    const struct model *model = linter->model;
    struct metric_key key = {
        .launch = launch,
        .arch = kernel->arch_inferred,
        METRICS(OF_KERNEL, NO_METRIC, NO_METRIC, NO_METRIC).rare = *kernel_rare(model, kernel),
        .kind = kernel->kind,
        .producer = kernel->producer,
        .flags = kernel->flags,
        .name_marks = linter->private->name_marks[kernel->name],
        .dynamic_smem = kernel_dynamic_smem(model, kernel),
    };
    const struct kernel *link = key.rare.link == NO_INDEX ? NULL : &model->kernels[key.rare.link];
    key.rare.source_line = key.rare.code = 0;
    key.rare.line_from = 0;
    key.rare.link = link != NULL;
    if (link) {
        key.link_registers = link->registers;
        key.link_barriers = link->barriers;
        key.link_stack_bytes = kernel_link_stack(link);
        key.link_smem_bytes = kernel_smem(model, link);
    }
    return key;
}

/* Evaluates the rules that need only the metrics of the kernel, once for equal kernels, and stores all results but
 * RESULT_NO. */
static struct remembered remember(struct linter *linter, uint32_t kernel, uint32_t launch)
{
    struct linter_private *own = linter->private;
    const struct metric_key key = key_of(linter, &linter->model->kernels[kernel], launch);
    const size_t known = own->metric_keys.count;
    const uint32_t number = intern_add(&own->metric_keys, (struct str){(const char *)&key, sizeof key});
    if (number < known)
        return own->remembered[number];
    linter_set_context(linter, &own->context, kernel, NO_INDEX, launch);
    struct remembered found = {.first = (uint32_t)own->result_count};
    for (size_t at = 0; at < own->kernel_rule_count; at++) {
        const struct rule *rule = &linter->rules->rules[own->kernel_rules[at]];
        struct rule_result result = {.rule = own->kernel_rules[at], .state = RESULT_OPEN};
        if (rule->asks_only_metrics)
            result = evaluate_kernel(linter, result.rule, &own->context);
        else if (expr_is_ruled_out(rule->when, &own->context))
            continue;
        if (result.state != RESULT_NO)
            *MEM_ADD(own->results, own->result_count, own->result_cap) = result;
    }
    found.count = (uint32_t)own->result_count - found.first;
    return *MEM_AT(own->remembered, own->remembered_cap, number) = found;
}

void linter_count_unknown(struct linter *linter, const struct rule_result *result)
{
    struct not_judged *counted = &linter->not_judged[result->rule];
    bool same = counted->times++ == 0 || counted->unknown == result->unknown;
    counted->unknown = same ? result->unknown : 0;
}

static void count_not_judged(struct linter *linter, const struct rule_result *result, uint32_t kernel)
{
    struct not_judged *counted = &linter->not_judged[result->rule];
    linter_count_unknown(linter, result);
    const bool is_entry = linter->model->kernels[kernel].kind == KERNEL_ENTRY;
    counted->entries += is_entry;
    counted->functions += !is_entry && result->unstated;
    if (!is_entry || !result->unstated)
        return;
    if (!counted->unstated)
        counted->first = kernel;
    counted->unstated |= result->unstated;
    counted->records++;
    counted->ambiguous += (linter->model->kernels[kernel].flags & KERNEL_AMBIGUOUS) != 0;
}

static bool has_finding(const struct linter *linter, size_t first, uint16_t rule)
{
    for (size_t at = first; at < linter->finding_count; at++)
        if (linter->findings[at].rule == rule)
            return true;
    return false;
}

/* Adds the findings on a record at a launch. A record has at most one finding of each rule; `first` is the index of its
 * first one. is_own: the launch is the record's own, so rules that could not be judged are counted. */
static void lint_kernel(struct linter *linter, uint32_t at, uint32_t launch, size_t first, bool is_own)
{
    struct linter_private *own = linter->private;
    const struct remembered remembered = remember(linter, at, launch);
    bool set = false;
    for (uint32_t number = 0; number < remembered.count; number++) {
        struct rule_result result = own->results[remembered.first + number];
        const bool open = result.state == RESULT_OPEN;
        if (open && !set)
            linter_set_context(linter, &own->context, at, NO_INDEX, launch);
        set |= open;
        result = open ? evaluate_kernel(linter, result.rule, &own->context) : result;
        if (result.state == RESULT_FIRES && !has_finding(linter, first, result.rule))
            linter_add_finding(linter, &result, at, NO_INDEX, is_own ? NO_INDEX : launch);
        else if (result.state == RESULT_UNKNOWN && is_own)
            count_not_judged(linter, &result, at);
    }
}

/* The launch with the fewest warps per SM among `launch_config` and those that a profiler recorded. */
static uint32_t worst_launch_config(struct linter *linter, uint32_t at, uint32_t launch_config)
{
    enum { MOST = 256 };
    const struct profile_launch *seen[MOST];
    struct linter_private *own = linter->private;
    const struct kernel *kernel = &linter->model->kernels[at];
    size_t count = launch_resolver_seen(own->launches, kernel, seen, MOST);
    uint32_t worst = launch_config;
    int fewest = INT32_MAX; /* warps per SM */
    for (size_t launch = 0; launch < count && launch < MOST; launch++) {
        uint32_t number = launch ? launch_resolver_number_of(own->launches, kernel, seen[launch]) : launch_config;
        context_set(&own->context, linter->model, kernel, launch_resolver_config(own->launches, number));
        const struct occupancy *occupancy = context_occupancy(&own->context);
        if (!occupancy || occupancy->warps >= fewest)
            continue;
        fewest = occupancy->warps;
        worst = number;
    }
    return worst;
}

/* True if the kernel states no barriers, and the blocks of an SM share a pool of barriers on its architecture. */
static bool lacks_barriers(const struct linter *linter, const struct kernel *kernel)
{
    if (kernel->registers == UNKNOWN || kernel->barriers != UNKNOWN)
        return false;
    const struct arch *arch = arch_find(kernel_arch(linter->model, kernel));
    return arch && arch->barriers_per_sm > 0;
}

static void count_kernel(struct linter *linter, const struct kernel *kernel, uint32_t launch)
{
    struct linter_counts *counts = &linter->counts;
    bool *seen = linter->private->name_seen;
    if (kernel->kind != KERNEL_ENTRY) {
        counts->functions++;
        return;
    }
    if (!seen[kernel->name]) {
        seen[kernel->name] = true;
        counts->kernels++;
    }
    counts->entries++;
    counts->ambiguous += (kernel->flags & KERNEL_AMBIGUOUS) != 0;
    counts->debug += (kernel->flags & KERNEL_DEBUG) != 0;
    if (kernel->arch_inferred == NO_INDEX)
        counts->unknown_arch++;
    else if (linter->private->entries_of_arch[kernel->arch_inferred]++ == 0)
        *MEM_ADD(linter->archs, linter->arch_count, linter->arch_cap) = kernel->arch_inferred;
    const struct launch_config *launch_config = launch_resolver_config(linter->private->launches, launch);
    counts->no_threads += launch_config->threads <= 0;
    counts->past_bound +=
        launch_config_is_past_bound(&linter->options.launch_config, kernel_rare(linter->model, kernel));
    counts->overruled += launch_resolver_overrules(linter->private->launches, kernel);
    counts->no_dynamic_smem +=
        kernel_dynamic_smem(linter->model, kernel) == DYNAMIC_SMEM_USED && launch_config->dynamic_smem_bytes < 0;
    counts->no_barriers += lacks_barriers(linter, kernel);
}

static void lint_kernels(struct linter *linter)
{
    const struct model *model = linter->model;
    for (uint32_t at = 0; at < model->kernel_count; at++) {
        if (context_is_secondary(model, &model->kernels[at]))
            continue;
        if (!linter_selects(linter, at)) {
            linter->counts.deselected++;
            continue;
        }
        uint32_t launch = launch_resolver_number(linter->private->launches, &model->kernels[at]);
        count_kernel(linter, &model->kernels[at], launch);
        const size_t first = linter->finding_count;
        lint_kernel(linter, at, launch, first, true);
        /* a finding at the worst launch counts if the rule does not fire at the most frequent one */
        const uint32_t worst = linter->options.profile ? worst_launch_config(linter, at, launch) : launch;
        if (worst != launch)
            lint_kernel(linter, at, worst, first, false);
    }
    for (size_t at = 0; at < linter->arch_count; at++)
        if (!arch_find(model_string(model, linter->archs[at])))
            linter->counts.unknown_arch += linter->private->entries_of_arch[linter->archs[at]];
}

enum unjudged linter_unjudged(const struct linter *linter, size_t rule)
{
    const struct not_judged *counted = &linter->not_judged[rule];
    enum severity fail_on = linter->options.fail_on;
    if (fail_on == SEVERITY_OFF || linter->rules->rules[rule].severity < fail_on || !counted->records)
        return UNJUDGED_NONE;
    return counted->records == linter->counts.entries - linter->counts.debug ? UNJUDGED_ALL : UNJUDGED_SOME;
}

enum unjudged linter_most_unjudged(const struct linter *linter)
{
    enum unjudged most = UNJUDGED_NONE;
    for (size_t rule = 0; rule < linter->rules->count; rule++)
        most = linter_unjudged(linter, rule) > most ? linter_unjudged(linter, rule) : most;
    return most;
}

void linter_compare(struct linter *linter, const struct comparison *comparison, struct acceptance *acceptance,
                    bool report_drift)
{
    linter->comparison = comparison;
    linter->private->acceptance = acceptance;
    linter->private->report_drift = report_drift;
}

/* ---- the whole model ---- */

static bool check_limits(const struct linter *linter, struct diags *diags)
{
    bool ok = true;
    EACH(const struct rule, rule, linter->rules->rules, linter->rules->count) {
        const struct regex *regex = rule_is_on(rule) ? regex_list_limit_reached(rule->regexes) : NULL;
        if (regex)
            ok = diag_error(diags, (struct place){.path = rule->path},
                            "rule %.*s: matching '%.*s' takes too many steps, write it without nested repetition",
                            STR_ARG(rule->id), STR_ARG(regex_pattern(regex)));
    }
    if (linter->options.kernel && regex_limit_reached(linter->options.kernel))
        ok = diag_error(diags, (struct place){0},
                        "--kernel: matching '%.*s' takes too many steps, write it without nested repetition",
                        STR_ARG(regex_pattern(linter->options.kernel)));
    return ok;
}

/* True if the condition on the kernel's name holds, or may hold, for some record. */
static bool is_met(struct linter *linter, const struct expr *test)
{
    for (size_t at = 0; at < linter->model->kernel_count; at++) {
        if (context_is_secondary(linter->model, &linter->model->kernels[at]))
            continue;
        struct value value = expr_eval(test, linter_record(linter, (uint32_t)at), NULL);
        if (!value.known || value.boolean)
            return true;
    }
    return false;
}

/* Warns about each user's rule that can fail the verdict and whose kernels are all absent; returns how many. */
static size_t report_unmet_rules(struct linter *linter, struct diags *diags)
{
    const enum severity fail_on = linter->options.fail_on;
    size_t unmet = 0;
    for (size_t number = 0; number < linter->private->kernel_rule_count; number++) {
        const struct rule *rule = &linter->rules->rules[linter->private->kernel_rules[number]];
        const bool asked = !rule->builtin && fail_on != SEVERITY_OFF && rule->severity >= fail_on;
        const struct expr *test = asked ? expr_name_test(rule->when, NULL) : NULL;
        while (test && is_met(linter, test))
            test = expr_name_test(rule->when, test);
        if (!test)
            continue;
        unmet++;
        diag_warning(
            diags, rule_place(rule, KEY_WHEN),
            "rule %.*s is for kernels that are not in the input: no kernel has the name or the source that its "
            "`when` asks for; was a kernel renamed?",
            STR_ARG(rule->id));
    }
    return unmet;
}

/* Warns about entries of the configuration for kernels that are absent, and about exceptions that are not needed. */
static void report_unmet(struct linter *linter, bool ok, struct diags *diags)
{
    struct linter_private *own = linter->private;
    bool part = linter->options.partial_build;
    bool whole = !part && !linter->options.incomplete && !linter->counts.deselected && linter->counts.entries;
    bool judged = ok && linter->rules->count;
    linter->counts.unmet = launch_resolver_report(own->launches, whole, !judged, diags);
    if (judged && whole)
        linter->counts.unmet += report_unmet_rules(linter, diags);
    if (judged)
        linter->counts.unmet += exceptions_report(own->exceptions, own->launches, part, whole, diags);
}

bool linter_run(struct linter *linter, struct diags *diags)
{
    struct linter_private *own = linter->private;
    own->entries_of_arch = arena_alloc(&own->arena, (linter->model->strings.count + 1) * sizeof *own->entries_of_arch);
    own->name_seen = arena_alloc(&own->arena, linter->model->names.count);
    linter_mark_names(linter);
    exceptions_add_sources(own->exceptions); /* those of the configuration were added before the first line */
    choose_rules(linter);
    lint_kernels(linter);
    linter_messages(linter);
    linter_settle(linter);
    bool ok = check_limits(linter, diags) && launch_resolver_check(own->launches, diags);
    report_unmet(linter, ok, diags);
    return ok;
}
