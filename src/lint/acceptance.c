#include "lint/acceptance.h"

#include "baseline/family.h"
#include "log/name.h"

#include <stdlib.h>
#include <string.h>

static bool is_path(char c)
{
    return (unsigned char)c > ' ' && !strchr("'\"()<>,;", c);
}

/* Appends a message without what changes from run to run: absolute paths become file names, numbers become "#". */
static void add_steady(struct str text, struct buf *out)
{
    for (size_t at = 0; at < text.len;) {
        const struct str rest = str_from(text, at);
        const size_t digits = str_span(rest, is_digit);
        if (rest.ptr[0] == '/' && (at == 0 || !is_path(text.ptr[at - 1]))) {
            at += str_rfind(str_sub(rest, 0, str_span(rest, is_path)), STR("/")) + 1;
            continue;
        }
        buf_char(out, digits ? '#' : rest.ptr[0]);
        at += digits ? digits : 1;
    }
}

/* Clears the buffer and returns the number of its text; NO_INDEX: it was empty. */
static uint32_t keep(struct intern *strings, struct buf *text)
{
    uint32_t number = text->len ? intern_add(strings, buf_str(text)) : NO_INDEX;
    buf_clear(text);
    return number;
}

/* The key of a finding of a rule on messages or lines, with a count of 1. */
static struct accepted identity_of(struct intern *strings, const struct linter *linter, const struct finding *finding,
                                   struct checkout checkout)
{
    const struct model *model = linter->model;
    const struct rule *rule = &linter->rules->rules[finding->rule];
    uint16_t log = finding_log(linter, finding);
    struct accepted identity = {.rule = intern_add(strings, rule->id),
                                .id = NO_INDEX,
                                .arch = NO_INDEX,
                                .source = NO_INDEX,
                                .text = NO_INDEX,
                                .toolkit = model->logs[log].toolkit,
                                .count = 1};
    SCOPED(buf) text = {0};
    if (rule->kind == RULE_PATTERN) {
        add_steady(linter->lines[finding->event].message, &text);
        identity.text = keep(strings, &text);
    } else {
        const struct event *event = &model->events[finding->event];
        name_identity(intern_get(&model->names, event->name), &text);
        identity.id = keep(strings, &text);
        buf_add(&text, model_string(model, event->arch));
        identity.arch = keep(strings, &text);
        checkout_path_of_log(model, log, model_string(model, event->file), checkout, &text);
        identity.source = keep(strings, &text);
    }
    return identity;
}

void baseline_accept(struct baseline *baseline, const struct linter *linter, struct checkout checkout)
{
    SCOPED(intern) keys = {0};
    EACH(const struct finding, finding, linter->findings, linter->finding_count) {
        if (linter->rules->rules[finding->rule].kind == RULE_KERNEL || finding->exception != NO_INDEX)
            continue;
        struct accepted identity = identity_of(baseline->kernels.strings, linter, finding, checkout);
        uint32_t number = intern_add(&keys, accepted_key(&identity));
        if (number < baseline->accepted_count)
            baseline->accepted[number].count++;
        else
            *baseline_add_accepted(baseline) = identity;
    }
}

/* The names that the base has for a kernel or a source of the head: those of its partners, or of what it replaces. */
struct former {
    uint32_t *ids; /* may repeat */
    size_t count, cap;
    bool of_family;
    bool moved, kept; /* the kernel of the base with this identity has another one in the head; has the same one */
};

struct former_list {
    struct former *items; /* by string of the baseline */
    size_t cap;
};

struct acceptance {
    const struct baseline *baseline;
    const struct comparison *comparison;
    struct checkout checkout;
    struct intern keys;        /* see accepted_key */
    uint32_t *count, *left;    /* by key: how many findings are accepted; how many of them are left */
    struct intern of_families; /* keys of findings of the head whose kernels replace others */
    uint32_t *taken;           /* by such a key: how many of these findings were accepted */
    size_t taken_cap;
    struct former_list kernels; /* by identity of a kernel of the head */
    struct former_list sources; /* by source of a kernel of the head */
};

static void add_former(struct former *former, uint32_t id)
{
    enum { MOST_FORMER = 256 };
    if (former->count == MOST_FORMER || (former->count && former->ids[former->count - 1] == id))
        return;
    *MEM_ADD(former->ids, former->count, former->cap) = id;
}

static void note_kernel(struct acceptance *a, uint32_t head_item, uint32_t base_item, bool of_family)
{
    struct former *former = MEM_AT(a->kernels.items, a->kernels.cap, a->comparison->head->items[head_item].id);
    former->of_family |= of_family;
    add_former(former, a->comparison->base->items[base_item].id);
}

/* The source of a kernel may have been renamed. */
static void note_source(struct acceptance *a, const struct pair *pair)
{
    const uint32_t now = a->comparison->head->items[pair->head].source;
    const uint32_t then = a->comparison->base->items[pair->base].source;
    if (now != NO_INDEX && then != NO_INDEX && now != then)
        add_former(MEM_AT(a->sources.items, a->sources.cap, now), then);
}

static void note_former_names(struct acceptance *a)
{
    const struct comparison *comparison = a->comparison;
    EACH(const struct pair, pair, comparison->pairs, comparison->count) {
        if (pair->base == NO_INDEX || pair->head == NO_INDEX)
            continue;
        struct former *before = MEM_AT(a->kernels.items, a->kernels.cap, comparison->base->items[pair->base].id);
        before->moved |= pair->renamed;
        before->kept |= !pair->renamed;
        note_source(a, pair);
        if (pair->renamed)
            note_kernel(a, pair->head, pair->base, false);
    }
    EACH(const struct family, family, comparison->families, comparison->family_count) {
        if (family->unsure)
            continue;
        for (size_t new = 0; new < family->new_count; new ++)
            for (size_t gone = 0; gone < family->gone_count; gone++)
                if (family_replaces(family, gone, new))
                    note_kernel(a, family->new[new], family->gone[gone], true);
    }
}

struct acceptance *acceptance_new(const struct baseline *baseline, const struct comparison *comparison,
                                  struct checkout checkout)
{
    struct acceptance *a = mem_alloc(sizeof *a);
    *a = (struct acceptance){.baseline = baseline, .comparison = comparison, .checkout = checkout};
    a->left = mem_alloc((baseline->accepted_count + 1) * sizeof *a->left);
    a->count = mem_alloc((baseline->accepted_count + 1) * sizeof *a->count);
    for (size_t at = 0; at < baseline->accepted_count; at++) {
        const uint32_t key = intern_add(&a->keys, accepted_key(&baseline->accepted[at]));
        a->left[key] += baseline->accepted[at].count;
        a->count[key] += baseline->accepted[at].count;
    }
    if (baseline->accepted_count)
        note_former_names(a);
    return a;
}

static void former_list_free(struct former_list *list)
{
    EACH(struct former, former, list->items, list->cap)
        free(former->ids);
    free(list->items);
}

void acceptance_free(struct acceptance *acceptance)
{
    if (!acceptance)
        return;
    intern_free(&acceptance->keys);
    former_list_free(&acceptance->kernels);
    former_list_free(&acceptance->sources);
    intern_free(&acceptance->of_families);
    free(acceptance->count);
    free(acceptance->left);
    free(acceptance->taken);
    free(acceptance);
}

static const struct former *former_of(const struct former_list *list, uint32_t number)
{
    static const struct former none;
    return number < list->cap ? &list->items[number] : &none;
}

/* Reduces the count that is left for the key, with its source or an end of its path: older baselines have the path as
 * the compiler got it. False if none is left. taken: instead of the count that is left, the whole count is compared
 * with this number. */
static bool take_at(struct acceptance *acceptance, struct accepted identity, const uint32_t *taken)
{
    struct intern *strings = acceptance->baseline->kernels.strings;
    struct str source = intern_get(strings, identity.source), folder;
    identity.toolkit = compare_base_toolkit(acceptance->comparison, identity.toolkit);
    do {
        uint32_t number = intern_find(&acceptance->keys, accepted_key(&identity));
        uint32_t *left = number == INTERN_NONE ? NULL : &acceptance->left[number];
        if (left && (taken ? acceptance->count[number] > *taken : *left > 0)) {
            *left -= *left > 0;
            return true;
        }
        str_split(&source, '/', &folder);
        identity.source = intern_add(strings, source);
    } while (source.len);
    return false;
}

/* The same, also with the names that the baseline has for the source. */
static bool take(struct acceptance *acceptance, struct accepted identity, const uint32_t *taken)
{
    const struct former *file = former_of(&acceptance->sources, identity.source);
    bool found = take_at(acceptance, identity, taken);
    for (size_t at = 0; at < file->count && !found; at++) {
        identity.source = file->ids[at];
        found = take_at(acceptance, identity, taken);
    }
    return found;
}

/* The same with the names that the baseline has for the kernel. In a family several kernels may replace one, so each of
 * them may have as many findings as the replaced kernel had. */
static bool take_former(struct acceptance *acceptance, struct accepted identity)
{
    const struct former *former = former_of(&acceptance->kernels, identity.id);
    uint32_t *taken = NULL;
    if (former->of_family)
        taken = MEM_AT(acceptance->taken, acceptance->taken_cap,
                       intern_add(&acceptance->of_families, accepted_key(&identity)));
    for (size_t at = 0; at < former->count; at++) {
        identity.id = former->ids[at];
        if (!take(acceptance, identity, taken))
            continue;
        if (taken)
            ++*taken;
        return true;
    }
    return false;
}

bool acceptance_take(struct acceptance *acceptance, const struct linter *linter, const struct finding *finding)
{
    struct accepted identity =
        identity_of(acceptance->baseline->kernels.strings, linter, finding, acceptance->checkout);
    const struct former *former = former_of(&acceptance->kernels, identity.id);
    bool is_of_another = former->moved && !former->kept; /* in the base another kernel has this name */
    return (!is_of_another && take(acceptance, identity, NULL)) || take_former(acceptance, identity);
}

/* Files of schema 1 have no inputs; if they accept a finding of the rule, their logs stated it. */
static bool has_rule(const struct baseline *baseline, struct str rule, struct toolkit toolkit)
{
    EACH(const struct accepted, accepted, baseline->accepted, baseline->accepted_count)
        if (toolkit_order(accepted->toolkit, toolkit) == 0 &&
            str_eq(intern_get(baseline->kernels.strings, accepted->rule), rule))
            return true;
    return false;
}

/* True if the message is about a loop. *toolkit: the column that its log is compared with; *input: the inputs of that
 * column, or NULL. */
static bool is_of_loop(const struct acceptance *acceptance, const struct linter *linter, const struct finding *finding,
                       struct toolkit *toolkit, const struct baseline_input **input)
{
    const struct model *model = linter->model;
    const struct event *event = finding_event(linter, finding);
    if (!event || !str_starts(model_string(model, event->id), STR("unroll")))
        return false;
    *toolkit = compare_base_toolkit(acceptance->comparison, model->logs[event->log].toolkit);
    *input = baseline_find_input(acceptance->baseline, *toolkit);
    return true;
}

bool acceptance_is_unknown(const struct acceptance *acceptance, const struct linter *linter,
                           const struct finding *finding)
{
    const struct baseline_input *input;
    struct toolkit toolkit;
    if (!is_of_loop(acceptance, linter, finding, &toolkit, &input))
        return false;
    return input ? !input->loop_remarks
                 : !has_rule(acceptance->baseline, linter->rules->rules[finding->rule].id, toolkit);
}

bool acceptance_has_worst_only(const struct acceptance *acceptance, const struct linter *linter,
                               const struct finding *finding)
{
    const struct baseline_input *input;
    struct toolkit toolkit;
    return is_of_loop(acceptance, linter, finding, &toolkit, &input) && (!input || !input->loops_by_kernel);
}

uint32_t acceptance_left(const struct acceptance *acceptance, const struct accepted *accepted)
{
    uint32_t number = intern_find(&acceptance->keys, accepted_key(accepted));
    return number == INTERN_NONE ? 0 : acceptance->left[number];
}

size_t acceptance_stale(const struct acceptance *acceptance, const struct ruleset *rules)
{
    const struct baseline *baseline = acceptance->baseline;
    size_t stale = 0;
    EACH(const struct accepted, accepted, baseline->accepted, baseline->accepted_count) {
        const struct rule *rule = ruleset_find(rules, intern_get(baseline->kernels.strings, accepted->rule));
        if (rule && rule_is_on(rule) && compare_base_column(acceptance->comparison, accepted->toolkit))
            stale += acceptance_left(acceptance, accepted);
    }
    return stale;
}
