#include "lint/acceptance.h"

#include "baseline/family.h"
#include "log/name.h"

#include <stdlib.h>
#include <string.h>

static bool is_path(char c)
{
    return (unsigned char)c > ' ' && !strchr("'\"()<>,;", c);
}

/* A message without what changes from run to run: of absolute paths the file's name stays, numbers become "#". */
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

/* The number of the text in buffer, which is cleared; NO_INDEX: it is empty. */
static uint32_t keep(struct intern *strings, struct buf *text)
{
    uint32_t number = text->len ? intern_add(strings, buf_str(text)) : NO_INDEX;
    buf_clear(text);
    return number;
}

/* What a finding of a rule on messages or lines is known by, with a count of 1. */
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

/* What a kernel of the head may have been called: of a renamed one what its entry is called, of one that took the place
 * of others what these are. */
struct other {
    uint32_t *ids; /* some more than once */
    size_t count, cap;
    bool of_family;
    bool moved, kept; /* the kernel of the base that had this identity has another one; one has it still */
};

/* By string of the baseline; all others are zeroed. */
struct other_list {
    struct other *items;
    size_t cap;
};

struct acceptance {
    const struct baseline *baseline;
    const struct comparison *comparison;
    struct checkout checkout;
    struct intern keys;       /* see accepted_key */
    uint32_t *left;           /* by key: findings that may still come */
    struct other_list others; /* by identity of a kernel of the head */
    struct other_list files;  /* by source of a kernel of the head: what the baseline calls the source of that kernel */
};

static void add_other(struct other *other, uint32_t id)
{
    enum { MOST_OTHERS = 256 };
    if (other->count == MOST_OTHERS || (other->count && other->ids[other->count - 1] == id))
        return;
    *MEM_ADD(other->ids, other->count, other->cap) = id;
}

static void note_other(struct acceptance *a, uint32_t head_item, uint32_t base_item, bool of_family)
{
    struct other *other = MEM_AT(a->others.items, a->others.cap, a->comparison->head->items[head_item].id);
    other->of_family |= of_family;
    add_other(other, a->comparison->base->items[base_item].id);
}

/* The file that a kernel is in may have another name than in the baseline. */
static void note_file(struct acceptance *a, const struct pair *pair)
{
    const uint32_t now = a->comparison->head->items[pair->head].source;
    const uint32_t then = a->comparison->base->items[pair->base].source;
    if (now != NO_INDEX && then != NO_INDEX && now != then)
        add_other(MEM_AT(a->files.items, a->files.cap, now), then);
}

static void note_others(struct acceptance *a)
{
    const struct comparison *comparison = a->comparison;
    EACH(const struct pair, pair, comparison->pairs, comparison->count) {
        if (pair->base == NO_INDEX || pair->head == NO_INDEX)
            continue;
        struct other *before = MEM_AT(a->others.items, a->others.cap, comparison->base->items[pair->base].id);
        before->moved |= pair->renamed;
        before->kept |= !pair->renamed;
        note_file(a, pair);
        if (pair->renamed)
            note_other(a, pair->head, pair->base, false);
    }
    EACH(const struct family, family, comparison->families, comparison->family_count) {
        if (family->unsure)
            continue;
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
    for (size_t at = 0; at < baseline->accepted_count; at++)
        a->left[intern_add(&a->keys, accepted_key(&baseline->accepted[at]))] += baseline->accepted[at].count;
    if (baseline->accepted_count)
        note_others(a);
    return a;
}

static void other_list_free(struct other_list *list)
{
    EACH(struct other, other, list->items, list->cap)
        free(other->ids);
    free(list->items);
}

void acceptance_free(struct acceptance *acceptance)
{
    if (!acceptance)
        return;
    intern_free(&acceptance->keys);
    other_list_free(&acceptance->others);
    other_list_free(&acceptance->files);
    free(acceptance->left);
    free(acceptance);
}

static const struct other *other_at(const struct other_list *list, uint32_t number)
{
    static const struct other none;
    return number < list->cap ? &list->items[number] : &none;
}

/* Takes what may still come of the source, or of an end of its path: an older baseline knows it as the compiler was
 * given it. False: nothing. again: what came already may come once more. */
static bool take_at(struct acceptance *acceptance, struct accepted identity, bool again)
{
    struct intern *strings = acceptance->baseline->kernels.strings;
    struct str source = intern_get(strings, identity.source), folder;
    identity.toolkit = compare_base_toolkit(acceptance->comparison, identity.toolkit);
    do {
        uint32_t number = intern_find(&acceptance->keys, accepted_key(&identity));
        uint32_t *left = number == INTERN_NONE ? NULL : &acceptance->left[number];
        if (left && (*left || again)) {
            *left -= *left > 0;
            return true;
        }
        str_split(&source, '/', &folder);
        identity.source = intern_add(strings, source);
    } while (source.len);
    return false;
}

/* The same where the baseline knows the source by another name. */
static bool take(struct acceptance *acceptance, struct accepted identity, bool again)
{
    const struct other *file = other_at(&acceptance->files, identity.source);
    bool taken = take_at(acceptance, identity, again);
    for (size_t at = 0; at < file->count && !taken; at++) {
        identity.source = file->ids[at];
        taken = take_at(acceptance, identity, again);
    }
    return taken;
}

/* The baseline knows a kernel by what it was called. Several may have taken the place of one, so that for a family it
 * is enough that the finding was there. */
static bool take_other(struct acceptance *acceptance, struct accepted identity)
{
    const struct other *other = other_at(&acceptance->others, identity.id);
    for (size_t at = 0; at < other->count; at++) {
        identity.id = other->ids[at];
        if (take(acceptance, identity, other->of_family))
            return true;
    }
    return false;
}

bool acceptance_take(struct acceptance *acceptance, const struct linter *linter, const struct finding *finding)
{
    struct accepted identity =
        identity_of(acceptance->baseline->kernels.strings, linter, finding, acceptance->checkout);
    const struct other *other = other_at(&acceptance->others, identity.id);
    bool is_others = other->moved && !other->kept; /* its name is what another kernel was called */
    return (!is_others && take(acceptance, identity, false)) || take_other(acceptance, identity);
}

/* A file of schema 1 does not say it, but may have findings of the rule. */
static bool has_rule(const struct baseline *baseline, struct str rule, struct toolkit toolkit)
{
    EACH(const struct accepted, accepted, baseline->accepted, baseline->accepted_count)
        if (toolkit_order(accepted->toolkit, toolkit) == 0 &&
            str_eq(intern_get(baseline->kernels.strings, accepted->rule), rule))
            return true;
    return false;
}

/* The message is about a loop. *toolkit: the column that its log is compared with; *input: what the inputs of that
 * column could state, or NULL. */
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

bool acceptance_is_blind(const struct acceptance *acceptance, const struct linter *linter,
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
