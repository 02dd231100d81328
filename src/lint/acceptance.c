#include "lint/acceptance.h"

#include "baseline/family.h"
#include "log/name.h"

#include <stdlib.h>
#include <string.h>

/* What a finding of a rule on messages or lines is known by; texts are empty where there is none. */
struct identity {
    struct str rule, arch;
    struct buf id, source, text;
    struct toolkit toolkit;
};

static bool is_path(char c)
{
    return (unsigned char)c > ' ' && !strchr("'\"()<>,;", c);
}

/* A message without what changes from run to run: of absolute paths the file's name stays, numbers become "#". */
static void add_steady(struct str text, struct buf *out)
{
    for (size_t at = 0; at < text.len;) {
        size_t end = at;
        if (text.ptr[at] == '/' && (at == 0 || !is_path(text.ptr[at - 1]))) {
            while (end < text.len && is_path(text.ptr[end]))
                end++;
            struct str path = str_sub(text, at, end);
            text = str_from(text, at + str_rfind(path, STR("/")) + 1);
            at = 0;
            continue;
        }
        while (end < text.len && is_digit(text.ptr[end]))
            end++;
        buf_char(out, end > at ? '#' : text.ptr[at]);
        at = end > at ? end : at + 1;
    }
}

static void take_identity(const struct linter *linter, const struct finding *finding, struct checkout checkout,
                          struct identity *identity)
{
    const struct model *model = linter->model;
    const struct rule *rule = &linter->rules->rules[finding->rule];
    uint16_t log = finding_log(linter, finding);
    identity->rule = rule->id;
    if (rule->kind == RULE_PATTERN) {
        add_steady(linter->lines[finding->event].message, &identity->text);
    } else {
        const struct event *event = &model->events[finding->event];
        if (event->name != NO_INDEX)
            name_identity(intern_get(&model->names, event->name), &identity->id);
        identity->arch = model_string(model, event->arch);
        checkout_path_of_log(model, log, model_string(model, event->file), checkout, &identity->source);
    }
    if (log < model->log_count)
        identity->toolkit = model->logs[log].toolkit;
}

static void identity_free(struct identity *identity)
{
    buf_free(&identity->id);
    buf_free(&identity->source);
    buf_free(&identity->text);
}

/* All of it as one text. */
static void add_key(struct buf *key, struct str rule, struct str id, struct str arch, struct str source,
                    struct str text, struct toolkit toolkit)
{
    const struct str parts[] = {rule, id, arch, source, text};
    buf_clear(key);
    for (size_t at = 0; at < sizeof parts / sizeof *parts; at++) {
        buf_fmt(key, "%zu:", parts[at].len);
        buf_add(key, parts[at]);
    }
    buf_fmt(key, "%d.%d", toolkit.major, toolkit.minor);
}

static uint32_t keep(struct baseline *baseline, struct str text)
{
    return text.len ? intern_add(&baseline->kernels.strings, text) : NO_INDEX;
}

void baseline_accept(struct baseline *baseline, struct intern *keys, const struct linter *linter,
                     const struct finding *finding, struct checkout checkout)
{
    struct identity identity = {0};
    struct buf key = {0};
    take_identity(linter, finding, checkout, &identity);
    add_key(&key, identity.rule, buf_str(&identity.id), identity.arch, buf_str(&identity.source),
            buf_str(&identity.text), identity.toolkit);
    size_t known = keys->count;
    uint32_t number = intern_add(keys, buf_str(&key));
    if (number < known) {
        baseline->accepted[number].count++;
    } else {
        struct accepted *accepted = baseline_add_accepted(baseline);
        accepted->rule = keep(baseline, identity.rule);
        accepted->id = keep(baseline, buf_str(&identity.id));
        accepted->arch = keep(baseline, identity.arch);
        accepted->source = keep(baseline, buf_str(&identity.source));
        accepted->text = keep(baseline, buf_str(&identity.text));
        accepted->toolkit = identity.toolkit;
    }
    identity_free(&identity);
    buf_free(&key);
}

/* What a kernel of the head may have been called: of a renamed one what its entry is called, of one that took the place
 * of others what these are. */
struct other {
    uint32_t *ids; /* into the strings of the baseline, some more than once */
    size_t count, cap;
    bool of_family;
};

struct acceptance {
    const struct baseline *baseline;
    const struct comparison *comparison;
    struct checkout checkout;
    struct intern keys;
    uint32_t *left;           /* by key: findings that may still come */
    struct intern other_name; /* identities of kernels of the head that the baseline knows by other names */
    struct other *others;     /* by these */
    size_t other_cap;
    struct buf key;
};

static void key_of_accepted(const struct baseline *baseline, const struct accepted *accepted, struct buf *key)
{
    const struct kernel_metrics_set *set = &baseline->kernels;
    add_key(key, kernel_metrics_string(set, accepted->rule), kernel_metrics_string(set, accepted->id),
            kernel_metrics_string(set, accepted->arch), kernel_metrics_string(set, accepted->source),
            kernel_metrics_string(set, accepted->text), accepted->toolkit);
}

static void note_other(struct acceptance *a, uint32_t head_item, uint32_t base_item, bool of_family)
{
    enum { MOST_OTHERS = 256 };
    const struct kernel_metrics_set *head = a->comparison->head;
    uint32_t number = intern_add(&a->other_name, kernel_metrics_string(head, head->items[head_item].id));
    struct other *other = MEM_AT(a->others, a->other_cap, number);
    uint32_t id = a->comparison->base->items[base_item].id;
    other->of_family |= of_family;
    if (other->count == MOST_OTHERS || (other->count && other->ids[other->count - 1] == id))
        return;
    *MEM_ADD(other->ids, other->count, other->cap) = id;
}

static void note_others(struct acceptance *a)
{
    const struct comparison *comparison = a->comparison;
    for (size_t at = 0; at < comparison->count; at++)
        if (comparison->pairs[at].renamed)
            note_other(a, comparison->pairs[at].head, comparison->pairs[at].base, false);
    for (size_t at = 0; at < comparison->family_count; at++) {
        const struct family *family = &comparison->families[at];
        for (size_t new = 0; new < family->new_count; new ++)
            for (size_t gone = 0; gone < family->gone_count; gone++)
                if (family_replaces(family, gone, new))
                    note_other(a, family->new[new], family->gone[gone], true);
    }
}

struct acceptance *acceptance_new(const struct baseline *baseline, const struct comparison *comparison,
                                  struct checkout checkout)
{
    struct acceptance *a = mem_alloc(sizeof *a);
    *a = (struct acceptance){.baseline = baseline, .comparison = comparison, .checkout = checkout};
    a->left = mem_alloc((baseline->accepted_count + 1) * sizeof *a->left);
    for (size_t at = 0; at < baseline->accepted_count; at++) {
        key_of_accepted(baseline, &baseline->accepted[at], &a->key);
        a->left[intern_add(&a->keys, buf_str(&a->key))] += baseline->accepted[at].count;
    }
    if (baseline->accepted_count)
        note_others(a);
    return a;
}

void acceptance_free(struct acceptance *acceptance)
{
    if (!acceptance)
        return;
    intern_free(&acceptance->keys);
    for (size_t at = 0; at < acceptance->other_name.count; at++)
        free(acceptance->others[at].ids);
    free(acceptance->others);
    intern_free(&acceptance->other_name);
    free(acceptance->left);
    buf_free(&acceptance->key);
    free(acceptance);
}

/* What may still come of the source, or of an end of its path: an older baseline knows it as the compiler was given it.
 * INTERN_NONE: nothing. again: what came already may come once more. */
static uint32_t find_accepted(struct acceptance *acceptance, const struct identity *identity, bool again)
{
    struct toolkit toolkit = compare_base_toolkit(acceptance->comparison, identity->toolkit);
    struct str source = buf_str(&identity->source), folder;
    uint32_t number = INTERN_NONE;
    do {
        add_key(&acceptance->key, identity->rule, buf_str(&identity->id), identity->arch, source,
                buf_str(&identity->text), toolkit);
        number = intern_find(&acceptance->keys, buf_str(&acceptance->key));
        if (number != INTERN_NONE && acceptance->left[number] == 0 && !again)
            number = INTERN_NONE;
        str_split(&source, '/', &folder);
    } while (number == INTERN_NONE && source.len);
    return number;
}

static bool take(struct acceptance *acceptance, const struct identity *identity, bool again)
{
    uint32_t number = find_accepted(acceptance, identity, again);
    if (number != INTERN_NONE && acceptance->left[number])
        acceptance->left[number]--;
    return number != INTERN_NONE;
}

/* The baseline knows a kernel by what it was called. Several may have taken the place of one, so that for a family it
 * is enough that the finding was there. */
static bool take_other(struct acceptance *acceptance, struct identity *identity)
{
    uint32_t number = intern_find(&acceptance->other_name, buf_str(&identity->id));
    const struct other *other = number == INTERN_NONE ? NULL : &acceptance->others[number];
    bool taken = false;
    for (size_t at = 0; other && at < other->count && !taken; at++) {
        buf_clear(&identity->id);
        buf_add(&identity->id, kernel_metrics_string(acceptance->comparison->base, other->ids[at]));
        taken = take(acceptance, identity, other->of_family);
    }
    return taken;
}

bool acceptance_take(struct acceptance *acceptance, const struct linter *linter, const struct finding *finding)
{
    struct identity identity = {0};
    take_identity(linter, finding, acceptance->checkout, &identity);
    bool taken = take(acceptance, &identity, false) || take_other(acceptance, &identity);
    identity_free(&identity);
    return taken;
}

/* A file of schema 1 does not say it, but may have findings of the rule. */
static bool has_rule(const struct baseline *baseline, struct str rule, struct toolkit toolkit)
{
    for (size_t at = 0; at < baseline->accepted_count; at++)
        if (toolkit_order(baseline->accepted[at].toolkit, toolkit) == 0 &&
            str_eq(kernel_metrics_string(&baseline->kernels, baseline->accepted[at].rule), rule))
            return true;
    return false;
}

bool acceptance_is_blind(const struct acceptance *acceptance, const struct linter *linter,
                         const struct finding *finding)
{
    const struct rule *rule = &linter->rules->rules[finding->rule];
    const struct model *model = linter->model;
    if (rule->kind != RULE_EVENT || !str_starts(model_string(model, model->events[finding->event].id), STR("unroll")))
        return false;
    uint16_t log = finding_log(linter, finding);
    struct toolkit toolkit = log < model->log_count ? model->logs[log].toolkit : (struct toolkit){0};
    toolkit = compare_base_toolkit(acceptance->comparison, toolkit);
    const struct baseline_input *input = baseline_find_input(acceptance->baseline, toolkit);
    return input ? !input->loop_remarks : !has_rule(acceptance->baseline, rule->id, toolkit);
}

uint32_t acceptance_left(struct acceptance *acceptance, const struct baseline *baseline,
                         const struct accepted *accepted)
{
    key_of_accepted(baseline, accepted, &acceptance->key);
    uint32_t number = intern_find(&acceptance->keys, buf_str(&acceptance->key));
    return number == INTERN_NONE ? 0 : acceptance->left[number];
}

size_t acceptance_stale(struct acceptance *acceptance, const struct ruleset *rules)
{
    const struct baseline *baseline = acceptance->baseline;
    size_t stale = 0;
    for (size_t at = 0; at < baseline->accepted_count; at++) {
        const struct accepted *accepted = &baseline->accepted[at];
        const struct rule *rule = ruleset_find(rules, kernel_metrics_string(&baseline->kernels, accepted->rule));
        if (rule && rule_is_on(rule) && compare_base_column(acceptance->comparison, accepted->toolkit))
            stale += acceptance_left(acceptance, baseline, accepted);
    }
    return stale;
}
