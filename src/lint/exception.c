#include "lint/exception.h"

#include "base/date.h"
#include "lint/arch_value.h"
#include "lint/launches.h"

#include <math.h>
#include <stdlib.h>

/* ---- reading ---- */

struct exception_reader {
    struct exception *exception;
    const struct yml_node *kernel;
};

static void read_rule(const struct reading *r, const struct yml_node *node, void *into)
{
    struct exception *exception = ((struct exception_reader *)into)->exception;
    exception->rule = reading_text(r, node, "the id of a rule");
    exception->rule_place = yml_place(r->yaml, node);
}

static void read_kernel(const struct reading *r, const struct yml_node *node, void *into)
{
    (void)r;
    ((struct exception_reader *)into)->kernel = node;
}

static void refuse_kernel(const struct reading *r, const struct yml_node *node, void *into)
{
    (void)into;
    diag_error(r->diags, yml_key_place(r->yaml, node), "the entry around this exception says which kernels it is for");
}

static void read_archs(const struct reading *r, const struct yml_node *node, void *into)
{
    struct exception *exception = ((struct exception_reader *)into)->exception;
    exception->archs = reading_archs(r, node, &exception->arch_count);
}

static void read_max(const struct reading *r, const struct yml_node *node, void *into)
{
    struct exception *exception = ((struct exception_reader *)into)->exception;
    exception->max_place = yml_place(r->yaml, node);
    exception->bounded = reading_is_text(node) && reading_number(node->scalar, &exception->max, &exception->max_unit);
    if (exception->bounded)
        exception->max_text = arena_str(r->arena, node->scalar);
    else
        reading_fail(r, node, "a number like 64 or 64B");
}

static void read_reason(const struct reading *r, const struct yml_node *node, void *into)
{
    struct exception *exception = ((struct exception_reader *)into)->exception;
    exception->reason = reading_text(r, node, "the reason, in words");
}

static void read_until(const struct reading *r, const struct yml_node *node, void *into)
{
    struct exception *exception = ((struct exception_reader *)into)->exception;
    exception->dated = node->kind == YML_SCALAR && date_parse(node->scalar, &exception->until);
    if (exception->dated)
        exception->until_text = arena_str(r->arena, node->scalar);
    else
        reading_fail(r, node, "a day like 2027-06-30");
}

static const struct reading_key outside_keys[] = {
    {"rule", read_rule}, {"kernel", read_kernel}, {"arch", read_archs},
    {"max", read_max},   {"reason", read_reason}, {"until", read_until},
};
static const struct reading_key inside_keys[] = {
    {"rule", read_rule},     {"arch", read_archs},  {"max", read_max},
    {"reason", read_reason}, {"until", read_until}, {"kernel", refuse_kernel},
};
enum { KEY_COUNT = sizeof outside_keys / sizeof *outside_keys };

void exception_read(const struct reading *r, const struct yml_node *node, bool inside, struct exception *exception,
                    const struct yml_node **kernel)
{
    struct exception_reader reader = {.exception = exception};
    *exception = (struct exception){.place = yml_place(r->yaml, node), .entry = NO_INDEX};
    reading_map(r, node, "an exception", inside ? inside_keys : outside_keys, KEY_COUNT, &reader);
    *kernel = reader.kernel;
    if (node->kind != YML_MAP)
        return;
    if (!yml_member(node, STR("rule")))
        diag_error(r->diags, exception->place, "the exception says of no rule: rule is missing");
    if (!yml_member(node, STR("reason")))
        diag_error(r->diags, exception->place, "the exception has no reason, and nobody will remember it");
}

void exception_check(const struct exception *exception, const struct ruleset *rules, struct diags *diags)
{
    const struct rule *rule = ruleset_find(rules, exception->rule);
    if (!rule || !exception->bounded)
        return;
    if (!rule->worst) {
        diag_error(diags, exception->max_place, "%.*s measures nothing that max could bound", STR_ARG(rule->id));
        return;
    }
    enum unit unit = expr_unit(rule->worst), given = (enum unit)exception->max_unit;
    if (unit != UNIT_NONE && given != UNIT_NONE && unit != given)
        diag_error(diags, exception->max_place, "max counts %s, %.*s measures %s", unit_name(given), STR_ARG(rule->id),
                   unit_name(unit));
}

/* ---- judging ---- */

/* What became of one exception. */
struct use {
    uint32_t next;  /* exception of the same rule, or NO_INDEX */
    float exceeded; /* the worst value beyond its bound */
    bool has_exceeded;
    bool met; /* some finding of its rule and its kernels, covered or not */
};

struct exceptions {
    const struct exception *items;
    size_t count;
    const struct ruleset *rules;
    const struct model *model;
    int64_t today;
    struct use *uses;
    uint32_t *first_of_rule; /* by rule: an exception, or NO_INDEX */
};

struct exceptions *exceptions_new(const struct exception *items, size_t count, const struct ruleset *rules,
                                  const struct model *model, int64_t today)
{
    struct exceptions *exceptions = mem_alloc(sizeof *exceptions);
    *exceptions = (struct exceptions){.items = items, .count = count, .rules = rules, .model = model, .today = today};
    exceptions->uses = mem_alloc((count + 1) * sizeof *exceptions->uses);
    exceptions->first_of_rule = mem_alloc((rules->count + 1) * sizeof *exceptions->first_of_rule);
    for (size_t rule = 0; rule < rules->count; rule++)
        exceptions->first_of_rule[rule] = NO_INDEX;
    for (size_t at = count; at-- > 0;) {
        const struct rule *rule = ruleset_find(rules, items[at].rule);
        if (!rule)
            continue;
        uint32_t *first = &exceptions->first_of_rule[rule - rules->rules];
        exceptions->uses[at].next = *first;
        *first = (uint32_t)at;
    }
    return exceptions;
}

void exceptions_free(struct exceptions *exceptions)
{
    if (!exceptions)
        return;
    free(exceptions->uses);
    free(exceptions->first_of_rule);
    free(exceptions);
}

static bool is_expired(const struct exceptions *exceptions, const struct exception *exception)
{
    return exception->dated && exception->until < exceptions->today;
}

/* The finding is of the kernels and architectures that the exception speaks of. */
static bool concerns(const struct exceptions *exceptions, const struct exception *exception, struct launches *launches,
                     const struct exception_query *query)
{
    struct str arch = model_string(exceptions->model, query->arch);
    if (exception->arch_count && !arch_list_has(exception->archs, exception->arch_count, arch))
        return false;
    return exception->entry == NO_INDEX ||
           launches_match(launches, exception->entry, query->name, query->arch, query->source);
}

/* A rule that measured nothing here is not within a bound. */
static bool is_within(const struct exception *exception, float worst)
{
    return !exception->bounded || (isfinite(worst) && worst <= (float)exception->max);
}

static void note_exceeded(struct use *use, float worst)
{
    if (!use->has_exceeded || worst > use->exceeded)
        use->exceeded = worst;
    use->has_exceeded = true;
}

const struct exception *exceptions_find(struct exceptions *exceptions, struct launches *launches,
                                        const struct exception_query *query)
{
    const struct exception *covering = NULL;
    uint32_t exceeded = NO_INDEX;
    for (uint32_t at = exceptions->first_of_rule[query->rule]; at != NO_INDEX; at = exceptions->uses[at].next) {
        const struct exception *exception = &exceptions->items[at];
        if (!concerns(exceptions, exception, launches, query))
            continue;
        exceptions->uses[at].met = true;
        if (is_expired(exceptions, exception))
            continue;
        if (!is_within(exception, query->worst))
            exceeded = at;
        else if (!covering)
            covering = exception;
    }
    if (!covering && exceeded != NO_INDEX)
        note_exceeded(&exceptions->uses[exceeded], query->worst);
    return covering;
}

static void report_bound(const struct exception *exception, const struct use *use, const struct rule *rule,
                         struct diags *diags)
{
    struct buf reached = {0};
    struct value worst = value_number((double)use->exceeded);
    if (isfinite(use->exceeded))
        value_print(&worst, expr_unit(rule->worst), &reached);
    else
        buf_add(&reached, STR("a value that is not known"));
    diag_warning(diags, exception->max_place, "%.*s reaches %.*s, this exception ends at %.*s",
                 STR_ARG(exception->rule), STR_ARG(buf_str(&reached)), STR_ARG(exception->max_text));
    buf_free(&reached);
}

static void report_one(const struct exceptions *exceptions, size_t at, const struct launches *launches, bool part,
                       struct diags *diags)
{
    const struct exception *exception = &exceptions->items[at];
    const struct use *use = &exceptions->uses[at];
    const struct rule *rule = ruleset_find(exceptions->rules, exception->rule);
    if (part && !use->met)
        return;
    if (!rule) {
        const char *near = ruleset_nearest(exceptions->rules, exception->rule);
        diag_warning(diags, exception->rule_place, "no rule is called '%.*s'%s%s: this exception allows nothing",
                     STR_ARG(exception->rule), near ? ", did you mean " : "", near ? near : "");
        return;
    }
    if (is_expired(exceptions, exception)) {
        diag_warning(diags, exception->place, "this exception ended on %.*s and allows nothing any more",
                     STR_ARG(exception->until_text));
        return;
    }
    if (use->has_exceeded)
        report_bound(exception, use, rule, diags);
    if (use->met || !rule_is_on(rule))
        return;
    bool seen = exception->entry == NO_INDEX || launches_entry_seen(launches, exception->entry);
    diag_warning(diags, exception->place,
                 seen ? "this exception is no longer needed: %.*s finds nothing here"
                      : "this exception is for kernels that are not in the input: %.*s finds nothing here",
                 STR_ARG(exception->rule));
}

void exceptions_report(const struct exceptions *exceptions, const struct launches *launches, bool part,
                       struct diags *diags)
{
    for (size_t at = 0; at < exceptions->count; at++)
        report_one(exceptions, at, launches, part, diags);
}
