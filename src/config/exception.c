#include "config/exception.h"

#include "base/date.h"
#include "config/arch_value.h"
#include "config/launch_resolver.h"
#include "log/name.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* ---- reading ---- */

static void read_rule(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct exception *exception = into;
    exception->rule = decode_text(r, node, "the id of a rule");
    exception->rule_place = yml_place(r->yaml, node);
}

static void read_max(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct exception *exception = into;
    exception->max_place = yml_place(r->yaml, node);
    if (decode_number(node->scalar, &exception->max, &exception->max_unit))
        exception->max_text = arena_str(r->arena, node->scalar);
    else
        decode_fail(r, node, "a number like 64 or 64B");
}

static void read_reason(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct exception *exception = into;
    exception->reason = str_trim(decode_text(r, node, "the reason, in words"));
    if (decode_is_text(node) && !exception->reason.len)
        decode_fail(r, node, "the reason, in words");
}

static void read_until(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct exception *exception = into;
    if (date_parse(node->scalar, &exception->until))
        exception->until_text = arena_str(r->arena, node->scalar);
    else
        decode_fail(r, node, "a day like 2027-06-30");
}

const struct decode_key exception_keys[] = {
    {"rule", read_rule, 0, "register-spill", "the id of the rule"},
    {"kernel", NULL, 0, "'^octree::'", "PCRE2, on the readable name"},
    {"arch", decode_archs, offsetof(struct exception, archs), "[sm_90]", "only on these architectures"},
    {"max", read_max, 0, "64B", "beyond it, a warning"},
    {"reason", read_reason, 0, "'measured: 3 % faster'", "why; must be there"},
    {"until", read_until, 0, "2030-06-30", "the last day"},
};
const size_t exception_key_count = sizeof exception_keys / sizeof *exception_keys;

void exception_read(const struct yaml_decoder *r, const struct yml_node *node, bool inside, struct exception *exception,
                    const struct yml_node **kernel)
{
    *exception = (struct exception){.place = yml_place(r->yaml, node), .entry = NO_INDEX, .source_exception = NO_INDEX};
    *kernel = NULL;
    if (node->kind != YML_MAP) {
        diag_error(r->diags, exception->place,
                   "an exception names its rule and its reason, expected `{rule: register-spill, reason: TEXT}`");
        return;
    }
    decode_map(r, node, "an exception", exception_keys, exception_key_count, exception);
    *kernel = yml_member(node, STR("kernel"));
    if (*kernel && inside) {
        diag_error(r->diags, yml_key_place(r->yaml, *kernel),
                   "the entry around this exception says which kernels it is for");
        *kernel = NULL;
    }
    if (!yml_member(node, STR("rule")))
        diag_error(r->diags, exception->place, "the exception has no rule, expected `rule: ID`");
    if (!yml_member(node, STR("reason")))
        diag_error(r->diags, exception->place, "the exception has no reason, expected `reason: TEXT`");
}

void exception_check(const struct exception *exception, const struct ruleset *rules, struct diags *diags)
{
    const struct rule *rule = ruleset_find(rules, exception->rule);
    if (!rule || !exception->max_text.len)
        return;
    if (!rule->worst) {
        diag_error(diags, exception->max_place, "%.*s has no number that `max` could limit, leave `max` out",
                   STR_ARG(rule->id));
        return;
    }
    if (rule->builtin &&
        str_eq(rule->id, STR("over-budget"))) { /* its `worst` is the number of budgets that are exceeded */
        diag_error(diags, exception->max_place,
                   "over-budget has no number that `max` could limit, raise the budget instead (max-registers, "
                   "max-spill ...)");
        return;
    }
    enum unit unit = expr_unit(rule->worst), given = (enum unit)exception->max_unit;
    if (given == UNIT_NONE || given == unit)
        return;
    if (unit != UNIT_NONE)
        diag_error(diags, exception->max_place, "max counts %s, %.*s measures %s", unit_name(given), STR_ARG(rule->id),
                   unit_name(unit));
    else if (rule->kind != RULE_EVENT) /* the numbers of messages have no unit, whatever they count */
        diag_error(diags, exception->max_place, "max counts %s, %.*s measures a number without a unit",
                   unit_name(given), STR_ARG(rule->id));
}

bool exception_names_rule(const struct exception *exception, const struct ruleset *rules, struct diags *diags)
{
    if (ruleset_find(rules, exception->rule))
        return true;
    const char *near = ruleset_nearest(rules, exception->rule);
    diag_warning(diags, exception->rule_place, "no rule is called '%.*s'%s%s: this exception allows nothing",
                 STR_ARG(exception->rule), near ? ", did you mean " : "", near ? near : "");
    return false;
}

/* ---- matching findings ---- */

/* One exception and its use. */
struct item {
    struct exception exception;
    const struct rule *rule; /* NULL: no rule has that id */
    uint32_t first;          /* the item of the same comment in the first log that has it; may be itself */
    uint32_t kernel;         /* exceptions of a source: the kernel, in templates */
    float exceeded;          /* the worst value beyond its bound */
    bool has_exceeded;
    bool met;  /* there is a finding of its rule on its kernels, covered or not */
    bool seen; /* exceptions of a source: its kernel is in the input */
};

struct exceptions {
    struct item *items; /* those of the configuration, then those of sources */
    size_t count, cap;
    const struct ruleset *rules;
    const struct model *model;
    int64_t today;
    struct intern templates; /* names of kernels as in sources */
    uint32_t *template_of;   /* by name: 1 + its number in templates, 0: not computed; NULL: no exceptions of sources */
    struct intern places;    /* of comments */
};

static struct item *add_item(struct exceptions *exceptions, const struct exception *exception)
{
    const uint32_t number = (uint32_t)exceptions->count;
    struct item *item = MEM_ADD(exceptions->items, exceptions->count, exceptions->cap);
    *item = (struct item){
        .exception = *exception, .rule = ruleset_find(exceptions->rules, exception->rule), .first = number};
    return item;
}

struct exceptions *exceptions_new(const struct exception *items, size_t count, const struct ruleset *rules,
                                  const struct model *model, int64_t today)
{
    struct exceptions *exceptions = mem_alloc(sizeof *exceptions);
    *exceptions = (struct exceptions){.rules = rules, .model = model, .today = today};
    for (size_t at = 0; at < count; at++)
        add_item(exceptions, &items[at]);
    return exceptions;
}

void exceptions_free(struct exceptions *exceptions)
{
    free(exceptions->items);
    free(exceptions->template_of);
    intern_free(&exceptions->templates);
    intern_free(&exceptions->places);
    free(exceptions);
}

struct str exceptions_reason(const struct exceptions *exceptions, uint32_t number)
{
    return exceptions->items[number].exception.reason;
}

bool exceptions_in_source(const struct exceptions *exceptions, uint32_t number)
{
    return exceptions->items[number].exception.source_exception != NO_INDEX;
}

/* ---- exceptions of sources ---- */

static struct place source_exception_place(const struct model *model, const struct source_exception *comment)
{
    return (struct place){.path = model_string(model, comment->file), .line = comment->line, .column = comment->column};
}

/* The number of a comment's place and rule. A header is read with each source that includes it. */
static uint32_t place_number(struct exceptions *exceptions, const struct source_exception *comment)
{
    uint32_t key[] = {comment->file, comment->line, comment->column, comment->rule, comment->problem};
    return intern_add(&exceptions->places, (struct str){(const char *)key, sizeof key});
}

static void add_source(struct exceptions *exceptions, uint32_t number, uint32_t *first_of_place)
{
    const struct model *model = exceptions->model;
    const struct source_exception *comment = &model->source_exceptions[number];
    struct exception exception = {.place = source_exception_place(model, comment),
                                  .rule_place = source_exception_place(model, comment),
                                  .rule = model_string(model, comment->rule),
                                  .reason = model_string(model, comment->reason),
                                  .until_text = model_string(model, comment->until),
                                  .entry = NO_INDEX,
                                  .source_exception = number};
    date_parse(exception.until_text, &exception.until);
    struct item *item = add_item(exceptions, &exception);
    item->kernel = intern_add(&exceptions->templates, model_string(model, comment->kernel));
    const size_t known = exceptions->places.count;
    const uint32_t place = place_number(exceptions, comment);
    if (place == known)
        first_of_place[place] = item->first;
    item->first = first_of_place[place];
}

void exceptions_add_sources(struct exceptions *exceptions)
{
    const struct model *model = exceptions->model;
    if (model->source_exception_count == 0)
        return;
    exceptions->template_of = mem_alloc((model->names.count + 1) * sizeof *exceptions->template_of);
    uint32_t *first_of_place = mem_alloc(model->source_exception_count * sizeof *first_of_place);
    for (uint32_t at = 0; at < model->source_exception_count; at++)
        if (model->source_exceptions[at].problem == NO_INDEX)
            add_source(exceptions, at, first_of_place);
    free(first_of_place);
}

/* The number in templates of the name as a source declares it. */
static uint32_t template_of(struct exceptions *exceptions, uint32_t name)
{
    uint32_t *known = &exceptions->template_of[name];
    if (*known == 0) {
        struct buf text = {0};
        name_declared(intern_get(&exceptions->model->names, name), &text);
        *known = intern_take(&exceptions->templates, &text) + 1;
    }
    return *known - 1;
}

static bool is_of_kernel(struct exceptions *exceptions, const struct item *item, uint32_t name, uint16_t log)
{
    return exceptions->model->source_exceptions[item->exception.source_exception].log == log && name != NO_INDEX &&
           template_of(exceptions, name) == item->kernel;
}

/* Marks the exceptions of sources whose kernels are in the input. */
static void mark_seen(struct exceptions *exceptions)
{
    const struct model *model = exceptions->model;
    EACH(const struct item, item, exceptions->items, exceptions->count) {
        bool *seen = &exceptions->items[item->first].seen;
        for (size_t k = 0; item->exception.source_exception != NO_INDEX && !*seen && k < model->kernel_count; k++)
            *seen = is_of_kernel(exceptions, item, model->kernels[k].name, model->kernels[k].log);
    }
}

/* ---- search and report ---- */

static bool is_expired(const struct exceptions *exceptions, const struct exception *exception)
{
    return exception->until_text.len && exception->until < exceptions->today;
}

/* True if the exception is for the kernel and the architecture of the finding. */
static bool applies_to(struct exceptions *exceptions, const struct item *item, struct launch_resolver *launches,
                       const struct exception_query *query)
{
    const struct exception *exception = &item->exception;
    if (exception->source_exception != NO_INDEX)
        return is_of_kernel(exceptions, item, query->name, query->log);
    if (!arch_list_has(&exception->archs.names, model_string(exceptions->model, query->arch)))
        return false;
    return exception->entry == NO_INDEX ||
           launch_resolver_match(launches, exception->entry, query->name, query->arch, query->source, query->log);
}

bool exceptions_any(const struct exceptions *exceptions)
{
    return exceptions->count > 0;
}

uint32_t exceptions_find(struct exceptions *exceptions, struct launch_resolver *launches,
                         const struct exception_query *query)
{
    uint32_t covering = NO_INDEX, exceeded = NO_INDEX;
    for (uint32_t at = 0; at < exceptions->count; at++) {
        const struct item *item = &exceptions->items[at];
        const struct exception *exception = &item->exception;
        if (item->rule != &exceptions->rules->rules[query->rule] || !applies_to(exceptions, item, launches, query))
            continue;
        exceptions->items[item->first].met = true;
        if (is_expired(exceptions, exception))
            continue;
        bool within = isfinite(query->worst) && query->worst <= (float)exception->max; /* false without a value */
        if (exception->max_text.len && !within)
            exceeded = at;
        else if (covering == NO_INDEX)
            covering = at;
    }
    struct item *beyond = covering == NO_INDEX && exceeded != NO_INDEX ? &exceptions->items[exceeded] : NULL;
    if (beyond && (!beyond->has_exceeded || query->worst > beyond->exceeded))
        beyond->exceeded = query->worst;
    if (beyond)
        beyond->has_exceeded = true;
    return covering;
}

static void report_bound(const struct item *item, const struct rule *rule, struct diags *diags)
{
    const struct exception *exception = &item->exception;
    SCOPED(buf) reached = {0};
    struct value worst = value_number((double)item->exceeded);
    if (isfinite(item->exceeded))
        value_print(&worst, expr_unit(rule->worst), &reached);
    else
        buf_add(&reached, STR("a value that is not known"));
    diag_warning(diags, exception->max_place, "%.*s reaches %.*s, this exception ends at %.*s",
                 STR_ARG(exception->rule), STR_ARG(buf_str(&reached)), STR_ARG(exception->max_text));
}

/* True if kernels of the exception are in the input. */
static bool is_seen(const struct item *item, const struct launch_resolver *launches)
{
    const struct exception *exception = &item->exception;
    if (exception->source_exception != NO_INDEX)
        return item->seen;
    return exception->entry == NO_INDEX || launch_resolver_entry_seen(launches, exception->entry);
}

/* Reports an exception without kernels in the input; true if it did. The entry that contains an exception is reported
 * itself, and an unused template in a header is not reported. */
static bool report_unmet(const struct item *item, const struct launch_resolver *launches, bool whole,
                         struct diags *diags)
{
    const struct exception *exception = &item->exception;
    if (is_seen(item, launches)) {
        diag_warning(diags, exception->place, "this exception is no longer needed: %.*s finds nothing here",
                     STR_ARG(exception->rule));
        return false;
    }
    if (!whole || exception->source_exception != NO_INDEX ||
        !launch_resolver_entry_only_allows(launches, exception->entry))
        return false;
    SCOPED(buf) near = {0};
    launch_resolver_add_near(launches, exception->entry, &near);
    diag_warning(diags, exception->place,
                 "this exception is for kernels that are not in the input: %.*s finds nothing here%.*s",
                 STR_ARG(exception->rule), STR_ARG(buf_str(&near)));
    return true;
}

/* Reports one exception; returns the result of report_unmet. */
static bool report_one(struct exceptions *exceptions, size_t at, const struct launch_resolver *launches, bool part,
                       bool whole, struct diags *diags)
{
    const struct item *item = &exceptions->items[at];
    const struct exception *exception = &item->exception;
    const struct rule *rule = item->rule;
    bool from_source = exception->source_exception != NO_INDEX;
    if (item->first != at || (part && !item->met && !(from_source && !rule)))
        return false;
    if (!exception_names_rule(exception, exceptions->rules, diags))
        return false;
    if (is_expired(exceptions, exception)) {
        diag_warning(diags, exception->place, "this exception ended on %.*s and allows nothing any more",
                     STR_ARG(exception->until_text));
        return false;
    }
    const bool names_kernels = from_source || exception->entry != NO_INDEX || exception->archs.names.count;
    if (rule->kind == RULE_PATTERN && names_kernels) {
        diag_warning(
            diags, exception->place,
            "this exception is for kernels, but %.*s finds lines, which belong to no kernel: it allows nothing%s",
            STR_ARG(exception->rule), from_source ? "" : "; write it without `kernel` and `arch`");
        return false;
    }
    if (item->has_exceeded)
        report_bound(item, rule, diags);
    return !item->met && rule_is_on(rule) && report_unmet(item, launches, whole, diags);
}

static void report_problems(struct exceptions *exceptions, struct diags *diags)
{
    const struct model *model = exceptions->model;
    EACH(const struct source_exception, comment, model->source_exceptions, model->source_exception_count) {
        const size_t known = exceptions->places.count;
        if (comment->problem != NO_INDEX && place_number(exceptions, comment) == known)
            diag_warning(diags, source_exception_place(model, comment), "%.*s",
                         STR_ARG(model_string(model, comment->problem)));
    }
}

size_t exceptions_report(struct exceptions *exceptions, const struct launch_resolver *launches, bool part, bool whole,
                         struct diags *diags)
{
    size_t unmet = 0;
    report_problems(exceptions, diags);
    mark_seen(exceptions);
    for (size_t at = 0; at < exceptions->count; at++)
        unmet += report_one(exceptions, at, launches, part, whole, diags);
    return unmet;
}
