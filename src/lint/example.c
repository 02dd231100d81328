#include "lint/example.h"

#include "baseline/family.h"
#include "lint/linter.h"
#include "lint/measure_model.h"
#include "log/input.h"
#include "log/name.h"
#include "log/reader.h"

#include <stdlib.h>
#include <string.h>

/* One excerpt, read and judged by one rule. */
struct trial {
    struct rule rule;
    struct ruleset rules; /* only that rule */
    struct model model;
    struct linter_options options;
    struct linter *linter;
    struct intern strings; /* of both sets */
    struct kernel_metrics_set base, head;
    struct comparison comparison;
    struct diags *diags;
};

static void on_line(void *context, struct str line, uint16_t log, uint64_t number)
{
    linter_line(((struct trial *)context)->linter, line, log, (size_t)number);
}

static bool read_excerpt(struct trial *trial, struct str name, struct str excerpt)
{
    struct input *input = input_new(&trial->model, name, trial->diags);
    if (rule_lines_wanted(&trial->rules))
        input_on_line(input, on_line, trial);
    input_feed(input, excerpt);
    bool ok = input_finish(input, NULL);
    model_link(&trial->model);
    return ok;
}

/* Adds a kernel with the same base name that is gone. */
static void take_other_name(struct kernel_metrics_set *set, struct kernel_metrics *entry, int32_t registers)
{
    SCOPED(buf) name = {0};
    name_template(intern_get(set->strings, entry->id), &name);
    entry->id = intern_add(set->strings, buf_str(&name));
    entry->values[MEASURE_REGISTERS] = registers;
}

#define GIVEN_VALUE(id, member, ...) [MEASURE_##id] = given->member,
#define NOT_GIVEN(id, ...)           [MEASURE_##id] = UNKNOWN,
/* Makes the baseline: every kernel of the excerpt, optimised, with the former values that `with` states. */
static void take_baseline(struct trial *trial)
{
    const struct base_values *given = &trial->rule.with_base;
    const int32_t values[MEASURE_COUNT] = {MEASURES(GIVEN_VALUE, NOT_GIVEN)};
    uint32_t *item_of = mem_alloc((trial->model.kernel_count + 1) * sizeof *item_of);
    trial->base.strings = trial->head.strings = &trial->strings;
    measure_model(&trial->base, trial->linter, (struct checkout){0}, NULL, NULL);
    measure_model(&trial->head, trial->linter, (struct checkout){0}, NULL, item_of);
    EACH(struct kernel_metrics, entry, trial->base.items, trial->base.count) {
        entry->debug = false;
        if (given->replaced_registers != UNKNOWN)
            take_other_name(&trial->base, entry, given->replaced_registers);
        for (size_t value = 0; value < MEASURE_COUNT; value++)
            entry->values[value] = values[value] == UNKNOWN ? entry->values[value] : values[value];
        entry->values[MEASURE_WARPS] = kernel_metrics_warps(&trial->strings, entry, entry);
    }
    compare_make(&trial->comparison, &trial->base, &trial->head, (struct tolerances){0}, false, item_of);
    family_find(&trial->comparison);
    linter_compare(trial->linter, &trial->comparison, NULL, false);
}

static void store_counts(const struct trial *trial, struct example *example)
{
    const struct linter *linter = trial->linter;
    example->findings = linter->finding_count;
    example->entries = linter->counts.entries;
    example->functions = linter->counts.functions;
    example->messages = trial->model.event_count;
    for (size_t log = 0; log < trial->model.log_count; log++)
        example->lines += trial->model.logs[log].lines;
    example->debug = linter->counts.debug;
    example->not_judged = linter->not_judged[0].times;
    if (linter->finding_count)
        finding_message(trial->linter, &linter->findings[0], &example->message);
}

bool example_try(struct rule *rule, struct str name, struct str excerpt, struct example *example, struct diags *diags)
{
    struct trial trial = {.options = {.launch_config = rule->with, .fail_on = SEVERITY_NOTE}, .diags = diags};
    *example = (struct example){0};
    trial.rule = *rule;
    trial.rule.selected = true;
    if (trial.rule.severity == SEVERITY_OFF)
        trial.rule.severity = SEVERITY_NOTE;
    trial.rules = (struct ruleset){.rules = &trial.rule, .count = 1};
    trial.linter = linter_new(&trial.rules, &trial.model, &trial.options);
    bool ok = read_excerpt(&trial, name, excerpt);
    const struct base_values none = base_unknown();
    if (ok && (rule->asks_baseline || memcmp(&rule->with_base, &none, sizeof none) != 0))
        take_baseline(&trial);
    ok = ok && linter_run(trial.linter, diags);
    if (ok)
        store_counts(&trial, example);
    linter_free(trial.linter);
    compare_free(&trial.comparison);
    free(trial.base.items);
    free(trial.head.items);
    intern_free(&trial.strings);
    model_free(&trial.model);
    return ok;
}

void example_free(struct example *example)
{
    buf_free(&example->message);
    *example = (struct example){0};
}
