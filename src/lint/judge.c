#include "lint/judge_private.h"

#include "config/config.h"
#include "config/launch_resolver.h"

#include <stdlib.h>
#include <string.h>

static void add_config(struct judge *judge, const struct config *config)
{
    struct launch_sources sources = {
        .given = judge->options.launch_config, .profile = judge->options.profile, .here = judge->options.here};
    if (config) {
        sources.entries = config->entries;
        sources.entry_count = config->entry_count;
        sources.sms = config->sms;
    }
    judge->private->launches = launch_resolver_new(&sources, judge->model);
    judge->private->other_launch_config = NO_INDEX;
    if (config && config->exception_count)
        judge->private->exceptions = exceptions_new(config->exceptions, config->exception_count, judge->rules,
                                                    judge->model, judge->options.today);
}

struct judge *judge_new(struct ruleset *rules, const struct model *model, const struct judge_options *options)
{
    struct judge *judge = mem_alloc(sizeof *judge);
    judge->rules = rules;
    judge->model = model;
    judge->options = *options;
    judge->not_judged = mem_alloc((rules->count + 1) * sizeof *judge->not_judged);
    judge->private = mem_alloc(sizeof *judge->private);
    add_config(judge, options->config);
    size_t captures = 0;
    for (size_t at = 0; at < rules->count; at++)
        captures = rules->rules[at].capture_count > captures ? rules->rules[at].capture_count : captures;
    judge->private->captures = mem_alloc((captures + 1) * sizeof *judge->private->captures);
    judge->private->results = mem_alloc((rules->count + 1) * sizeof *judge->private->results);
    return judge;
}

void judge_free(struct judge *judge)
{
    if (!judge)
        return;
    struct judge_private *own = judge->private;
    memo_free(&own->memo);
    free(own->memo_rules);
    free(own->record_rules);
    launch_resolver_free(own->launches);
    exceptions_free(own->exceptions);
    arena_free(&own->arena);
    free(own->arch_choice);
    free(own->arch_known);
    free(own->name_choice);
    free(own->name_seen);
    free(own->name_marks);
    free(own->first_of_name);
    free(own->next_of_name);
    free(own->event_rules);
    subject_free(&own->subject);
    subject_free(&own->shown);
    buf_free(&own->scratch);
    free(own->causes);
    free(own->cause_of_name);
    free(own->captures);
    free(own->results);
    free(own);
    free(judge->findings);
    free(judge->lines);
    free(judge->archs);
    free(judge->not_judged);
    free(judge);
}

struct rule_result judge_evaluate(struct judge *judge, uint16_t rule, struct subject *subject,
                                  const struct str *captures)
{
    struct rule_result result = rule_evaluate(&judge->rules->rules[rule], subject, captures);
    result.rule = rule;
    return result;
}

/* ---- kernels ---- */

/* One lookup an architecture, not one a record. */
static bool arch_is_known(struct judge *judge, uint32_t arch)
{
    uint8_t *known = judge->private->arch_known;
    if (arch == NO_INDEX)
        return false;
    if (known[arch] == NOT_ASKED) {
        *MEM_ADD(judge->archs, judge->arch_count, judge->arch_cap) = arch;
        known[arch] = arch_find(model_string(judge->model, arch)) ? CHOSEN : LEFT_OUT;
    }
    return known[arch] == CHOSEN;
}

/* Those that are on, by what their gates ask for; without a baseline the rules that ask for one are not evaluated. */
static void sort_rules(struct judge *judge)
{
    struct judge_private *own = judge->private;
    own->memo_rules = mem_alloc((judge->rules->count + 1) * sizeof *own->memo_rules);
    own->record_rules = mem_alloc((judge->rules->count + 1) * sizeof *own->record_rules);
    for (size_t at = 0; at < judge->rules->count; at++) {
        const struct rule *rule = &judge->rules->rules[at];
        if (rule->kind != RULE_KERNEL || !rule_is_on(rule) || (rule->asks_baseline && !judge->comparison))
            continue;
        if (rule->when_asks_only_metrics)
            own->memo_rules[own->memo_rule_count++] = (uint16_t)at;
        else
            own->record_rules[own->record_rule_count++] = (uint16_t)at;
    }
}

/* What the rule says of the subject; nothing where it does not judge debug builds. */
static struct rule_result evaluate_kernel(struct judge *judge, uint16_t rule, struct subject *subject)
{
    bool leaves_out = (subject->kernel->flags & KERNEL_DEBUG) && !judge->rules->rules[rule].debug_builds;
    return leaves_out ? (struct rule_result){.state = RESULT_NO} : judge_evaluate(judge, rule, subject, NULL);
}

/* The memo's entry of the kernel with this launch configuration. */
static struct memo_entry remember(struct judge *judge, uint32_t at, uint32_t launch)
{
    struct judge_private *own = judge->private;
    const struct kernel *kernel = &judge->model->kernels[at];
    uint8_t marks = kernel->name == NO_INDEX ? 0 : own->name_marks[kernel->name];
    struct metric_key key = memo_key(&own->memo, judge->model, kernel, launch, marks);
    bool known = false;
    uint32_t entry = memo_find(&own->memo, &key, &known);
    if (known)
        return own->memo.entries[entry];
    judge_set_subject(judge, &own->subject, at, NO_INDEX);
    for (size_t rule = 0; rule < own->memo_rule_count; rule++) {
        struct rule_result result = evaluate_kernel(judge, own->memo_rules[rule], &own->subject);
        if (result.state == RESULT_NO)
            continue;
        if (result.state == RESULT_FIRES && !judge->rules->rules[result.rule].asks_only_metrics)
            result.state = RESULT_OPEN;
        memo_add(&own->memo, entry, &result);
    }
    return own->memo.entries[entry];
}

static void count_not_judged(struct judge *judge, const struct rule_result *result, uint32_t kernel)
{
    struct not_judged *counted = &judge->not_judged[result->rule];
    counted->times++;
    if (!result->unstated)
        return;
    if (!counted->unstated)
        counted->first = kernel;
    counted->unstated |= result->unstated;
    counted->records++;
    counted->ambiguous += (judge->model->kernels[kernel].flags & KERNEL_AMBIGUOUS) != 0;
}

/* What the memo leaves to the kernel itself: the rules that are open, and those whose gates ask for more than metrics.
 * Returns the number of results; all are in the order of the rules. */
static size_t evaluate_rest(struct judge *judge, uint32_t at, struct memo_entry entry)
{
    struct judge_private *own = judge->private;
    const struct rule_result *remembered = entry.count ? &own->memo.results[entry.first] : NULL;
    size_t count = 0, next = 0;
    bool set = false;
    for (uint32_t from = 0; from < entry.count || next < own->record_rule_count;) {
        bool is_remembered =
            from < entry.count && (next == own->record_rule_count || remembered[from].rule < own->record_rules[next]);
        uint16_t rule = is_remembered ? remembered[from].rule : own->record_rules[next];
        bool open = !is_remembered || remembered[from].state == RESULT_OPEN;
        if (open && !set)
            judge_set_subject(judge, &own->subject, at, NO_INDEX);
        set |= open;
        own->results[count] = open ? evaluate_kernel(judge, rule, &own->subject) : remembered[from];
        count += own->results[count].state != RESULT_NO;
        from += is_remembered;
        next += !is_remembered;
    }
    return count;
}

static void judge_kernel(struct judge *judge, uint32_t at, uint32_t launch, bool counts)
{
    size_t count = evaluate_rest(judge, at, remember(judge, at, launch));
    for (size_t number = 0; number < count; number++) {
        const struct rule_result *result = &judge->private->results[number];
        if (result->state == RESULT_FIRES)
            judge_add_finding(judge, result, at, NO_INDEX);
        else if (counts)
            count_not_judged(judge, result, at);
    }
}

/* Of the launches that a profiler saw the one that reaches the fewest warps; the same when it is they. */
static uint32_t worst_launch_config(struct judge *judge, uint32_t at, uint32_t launch_config)
{
    enum { MOST = 256 };
    const struct profile_launch *seen[MOST];
    struct judge_private *own = judge->private;
    const struct kernel *kernel = &judge->model->kernels[at];
    size_t count = launch_resolver_seen(own->launches, kernel, seen, MOST);
    uint32_t worst = launch_config;
    int fewest = INT32_MAX; /* warps per SM */
    for (size_t launch = 0; launch < count && launch < MOST; launch++) {
        uint32_t number = launch ? launch_resolver_number_of(own->launches, kernel, seen[launch]) : launch_config;
        subject_set(&own->subject, judge->model, kernel, launch_resolver_config(own->launches, number));
        const struct occupancy *occupancy = subject_occupancy(&own->subject);
        if (!occupancy || occupancy->warps >= fewest)
            continue;
        fewest = occupancy->warps;
        worst = number;
    }
    return worst;
}

/* Keeps of the findings from `end` on those of rules that have none in [begin, end). */
static void keep_new_rules(struct judge *judge, size_t begin, size_t end)
{
    size_t kept = end;
    for (size_t now = end; now < judge->finding_count; now++) {
        bool reported = false;
        for (size_t before = begin; before < end; before++)
            reported |= judge->findings[before].rule == judge->findings[now].rule;
        if (!reported)
            judge->findings[kept++] = judge->findings[now];
    }
    judge->finding_count = kept;
}

/* What a rule says of the worst launch counts where it says nothing of the most frequent one. */
static void judge_worst_launch(struct judge *judge, uint32_t at, uint32_t launch_config)
{
    uint32_t worst = worst_launch_config(judge, at, launch_config);
    if (worst == launch_config)
        return;
    size_t end = judge->finding_count, begin = end;
    while (begin > 0 && judge->findings[begin - 1].kernel == at)
        begin--;
    judge->private->other_launch_config = worst;
    judge_kernel(judge, at, worst, false);
    judge->private->other_launch_config = NO_INDEX;
    keep_new_rules(judge, begin, end);
}

/* The record is one that is asked for, and no half of another. */
static bool is_judged(struct judge *judge, uint32_t at)
{
    bool all = judge->options.arch_count == 0 && !judge->options.kernel;
    return !subject_is_half(judge->model, &judge->model->kernels[at]) && (all || judge_selects(judge, at));
}

static void count_kernel(struct judge *judge, const struct kernel *kernel, uint32_t launch)
{
    struct judge_counts *counts = &judge->counts;
    bool *seen = judge->private->name_seen;
    if (kernel->kind != KERNEL_ENTRY) {
        counts->functions++;
        return;
    }
    if (kernel->name != NO_INDEX && !seen[kernel->name]) {
        seen[kernel->name] = true;
        counts->kernels++;
    }
    counts->entries++;
    counts->ambiguous += (kernel->flags & KERNEL_AMBIGUOUS) != 0;
    counts->debug += (kernel->flags & KERNEL_DEBUG) != 0;
    counts->unknown_arch += !arch_is_known(judge, kernel->arch_inferred);
    counts->no_threads += launch_resolver_config(judge->private->launches, launch)->threads <= 0;
    counts->barriers_assumed += kernel->registers != UNKNOWN && kernel->barriers == UNKNOWN;
}

static void judge_kernels(struct judge *judge)
{
    const struct model *model = judge->model;
    for (uint32_t at = 0; at < model->kernel_count; at++) {
        if (!is_judged(judge, at)) {
            judge->counts.deselected += !subject_is_half(model, &model->kernels[at]);
            continue;
        }
        uint32_t launch = launch_resolver_number(judge->private->launches, &model->kernels[at]);
        count_kernel(judge, &model->kernels[at], launch);
        judge_kernel(judge, at, launch, true);
        if (judge->options.profile)
            judge_worst_launch(judge, at, launch);
    }
}

enum unjudged judge_unjudged(const struct judge *judge, size_t rule)
{
    const struct not_judged *counted = &judge->not_judged[rule];
    enum severity fail_on = judge->options.fail_on;
    if (fail_on == SEVERITY_OFF || judge->rules->rules[rule].severity < fail_on || !counted->records)
        return UNJUDGED_NONE;
    return counted->records == judge->counts.entries - judge->counts.debug ? UNJUDGED_ALL : UNJUDGED_SOME;
}

enum unjudged judge_most_unjudged(const struct judge *judge)
{
    enum unjudged most = UNJUDGED_NONE;
    for (size_t rule = 0; rule < judge->rules->count; rule++)
        most = judge_unjudged(judge, rule) > most ? judge_unjudged(judge, rule) : most;
    return most;
}

void judge_compare(struct judge *judge, const struct comparison *comparison, struct acceptance *acceptance,
                   bool report_drift)
{
    judge->comparison = comparison;
    judge->private->acceptance = acceptance;
    judge->private->report_drift = report_drift;
}

/* ---- all of it ---- */

static bool check_limits(const struct judge *judge, struct diags *diags)
{
    bool ok = true;
    for (size_t at = 0; at < judge->rules->count; at++) {
        const struct rule *rule = &judge->rules->rules[at];
        const struct regex *regex = rule_is_on(rule) ? rule_exploded(rule) : NULL;
        if (regex)
            ok = diag_error(diags, (struct place){.path = rule->path},
                            "rule %.*s: matching '%.*s' takes too many steps, write it without nested repetition",
                            STR_ARG(rule->id), STR_ARG(regex_pattern(regex)));
    }
    if (judge->options.kernel && regex_exploded(judge->options.kernel))
        ok = diag_error(diags, (struct place){0},
                        "--kernel: matching '%.*s' takes too many steps, write it without nested repetition",
                        STR_ARG(regex_pattern(judge->options.kernel)));
    return ok;
}

/* Those of the configuration were there before the first line. */
static void add_source_exceptions(struct judge *judge)
{
    struct judge_private *own = judge->private;
    if (judge->model->allow_count == 0)
        return;
    if (!own->exceptions)
        own->exceptions = exceptions_new(NULL, 0, judge->rules, judge->model, judge->options.today);
    exceptions_add_sources(own->exceptions);
}

/* Warns of what the configuration says of kernels that are not there, and of exceptions that are not needed. */
static void report_unmet(struct judge *judge, bool ok, struct diags *diags)
{
    struct judge_private *own = judge->private;
    bool part = judge->options.part;
    bool whole = !part && !judge->options.partial && !judge->counts.deselected && judge->counts.entries;
    bool judged = ok && judge->rules->count;
    judge->counts.unmet = launch_resolver_report(own->launches, whole, !judged, diags);
    if (judged && own->exceptions)
        judge->counts.unmet += exceptions_report(own->exceptions, own->launches, part, whole, diags);
}

bool judge_run(struct judge *judge, struct diags *diags)
{
    judge->private->name_seen = mem_alloc(judge->model->names.count);
    judge->private->arch_known = mem_alloc(judge->model->strings.count);
    judge_mark_names(judge);
    add_source_exceptions(judge);
    sort_rules(judge);
    judge_kernels(judge);
    judge_messages(judge);
    judge_settle(judge);
    bool ok = check_limits(judge, diags) && launch_resolver_check(judge->private->launches, diags);
    report_unmet(judge, ok, diags);
    return ok;
}
