/*
 * baseline: writes, updates and prunes the baseline file, which people review. The new file is made in memory from the
 * old one and the measured kernels; it replaces the old file completely or not at all. Nothing is written from a log
 * that cannot be trusted.
 */
#include "baseline/family.h"
#include "baseline/variants.h"
#include "cli/commands.h"
#include "cli/kernel_choice.h"
#include "cli/session.h"
#include "cli/unrecorded.h"
#include "lint/acceptance.h"
#include "log/spelling.h"
#include "report/label.h"
#include "report/markup.h"

#include <stddef.h>
#include <stdlib.h>

enum { MOST_REPORTED = 20 };

/* How many entries were changed in each way. */
struct change {
    size_t kept, better, added, dropped, worse, refused, accepted, renamed, moved;
};

struct baseline_settings {
    struct settings common;
    struct str accept, reason; /* of `update`; empty: not given */
};

struct edit {
    const struct baseline_settings *settings;
    struct session *session;
    const struct comparison *comparison;
    const struct kernel_metrics_set *base, *head; /* the old baseline, and the measured kernels */
    struct str path;
    struct baseline made; /* the new file */
    struct change change;
    uint32_t *replaced; /* by entry of the old baseline: the number of copies that are replaced */
    bool *settled;      /* by entry of the old baseline: it is in the new file already, or was dropped */
    bool *accepted;     /* by item of the head: --accept names it */
    bool *taken;        /* by item of the head: it is new, and in the new file */
    bool *failing;      /* by item of the head: a finding on it fails, and a baseline can accept it */
    int status;         /* if not STATUS_OK, a diagnostic states why, and nothing is written */
};

static void fail(struct edit *edit, int status)
{
    edit->status = edit->status ? edit->status : status;
}

/* ---- entries ---------------------------------------------------------------------------------------------------- */

static struct kernel_metrics *add_copy(struct edit *edit, const struct kernel_metrics *entry)
{
    struct kernel_metrics *copy = kernel_metrics_add(&edit->made.kernels);
    *copy = *entry;
    copy->kernel = NO_INDEX;
    return copy;
}

static void add_accepted(struct edit *edit, const struct baseline *from)
{
    for (size_t at = 0; at < from->accepted_count; at++)
        *baseline_add_accepted(&edit->made) = from->accepted[at];
}

/* True if the finding is about this kernel of the baseline. */
static bool is_finding_of(const struct accepted *finding, const struct kernel_metrics *entry)
{
    return finding->id == entry->id && (finding->arch == NO_INDEX || finding->arch == entry->arch) &&
           (finding->source == NO_INDEX || entry->source == NO_INDEX || finding->source == entry->source) &&
           toolkit_order(finding->toolkit, entry->toolkit) == 0;
}

/* Merges findings with equal keys; the largest count stays. Returns how many findings from index `first` on are new or
 * raised a count. */
static size_t merge_accepted(struct edit *edit, size_t first)
{
    SCOPED(intern) keys = {0};
    struct accepted *items = edit->made.accepted;
    size_t kept = 0, raised = 0;
    for (size_t at = 0; at < edit->made.accepted_count; at++) {
        uint32_t number = intern_add(&keys, accepted_key(&items[at]));
        if (number < kept && items[number].count >= items[at].count)
            continue;
        items[number] = items[at];
        kept += number == kept;
        raised += at >= first;
    }
    edit->made.accepted_count = kept;
    return raised;
}

/* Gives the finding the file to which its kernel moved, or the new name of its kernel. If a kernel of another source
 * still has the old name, the finding is stored under both names. */
static void rename_finding(struct edit *edit, size_t item)
{
    const struct accepted before = edit->made.accepted[item];
    struct accepted renamed = before;
    bool kept = false;
    EACH(const struct pair, pair, edit->comparison->pairs, edit->comparison->count) {
        if (pair->base == NO_INDEX || pair->head == NO_INDEX || !is_finding_of(&before, &edit->base->items[pair->base]))
            continue;
        const struct kernel_metrics *head = &edit->head->items[pair->head];
        if (pair->renamed)
            renamed.id = head->id;
        else if (pair->moved && edit->base->items[pair->base].source == before.source)
            renamed.source = edit->made.accepted[item].source = head->source;
        kept |= !pair->renamed;
    }
    if (renamed.id != before.id && kept)
        *baseline_add_accepted(&edit->made) = renamed;
    else
        edit->made.accepted[item] = renamed;
}

/* Each finding is renamed once, because the new name may be the old name of another kernel. */
static void rename_accepted(struct edit *edit)
{
    const size_t count = edit->made.accepted_count;
    for (size_t item = 0; item < count; item++)
        rename_finding(edit, item);
}

/* True if the column of this toolkit is replaced by the measured one: the log has this toolkit, or the toolkit of the
 * column is unknown. */
static bool is_measured(const struct edit *edit, struct toolkit toolkit)
{
    for (size_t at = 0; at < edit->head->count; at++)
        if (toolkit_order(edit->head->items[at].toolkit, toolkit) == 0 || !toolkit_known(toolkit))
            return true;
    return false;
}

/* Checks that it is known which column belongs to each toolkit of the log and, with `own`, that each toolkit has its
 * own column in the baseline. */
static void check_columns(struct edit *edit, bool own)
{
    if (!baseline_session_has_columns(edit->session))
        fail(edit, STATUS_UNTRUSTED);
    EACH(const struct column_pair, column, edit->comparison->columns, edit->comparison->column_count) {
        if (!column->drift || !own)
            continue;
        diag_error(&edit->session->diags, (struct place){.path = edit->path},
                   "the baseline has no column of toolkit %d.%d; `warplint baseline write` adds it", column->head.major,
                   column->head.minor);
        fail(edit, STATUS_UNTRUSTED);
    }
}

/* Copies the entries of `inputs` for the parts of the old file that stay. */
static void add_inputs(struct edit *edit, const struct baseline *from)
{
    for (size_t at = 0; at < from->input_count; at++)
        baseline_add_input(&edit->made, from->inputs[at]);
}

/* ---- write ------------------------------------------------------------------------------------------------------ */

/* True if the options exclude a part of the build and the rest has none of these findings. */
static bool is_left_out(const struct edit *edit, size_t accepted)
{
    const struct baseline_session *baseline_session = &edit->session->baseline;
    const struct accepted *entry = &baseline_session->stored.accepted[accepted];
    return edit->session->linter->options.partial_build &&
           acceptance_left(baseline_session->acceptance, entry) == entry->count;
}

static bool loses_some(const struct comparison *comparison)
{
    for (size_t at = 0; at < comparison->base->count; at++)
        if (comparison->in_play[at] && !comparison->seen[at])
            return true;
    return false;
}

/* An object without a record may be one whose compile failed. */
static void refuse_unrecorded(struct edit *edit)
{
    const struct str_list *unrecorded = &edit->session->unrecorded;
    for (size_t at = 0; at < unrecorded->count && !edit->status; at++) {
        if (unrecorded_is_link_of_cmake(unrecorded->items[at])) /* its kernels belong to other objects */
            continue;
        diag_error(
            &edit->session->diags, (struct place){.path = unrecorded->items[at]},
            "it has no record, and the baseline would lose kernels; give the records of a whole build, or accept "
            "that with --allow-missing");
        fail(edit, STATUS_UNTRUSTED);
    }
}

/* A kernel is not gone if the build did not compile it or the log does not show it. */
static void check_complete(struct edit *edit)
{
    const struct model *model = &edit->session->model;
    bool loses = loses_some(edit->comparison);
    for (size_t at = 0; at < model->log_count && loses && !edit->status; at++) {
        const struct log_info *log = &model->logs[at];
        const struct event *error = model_first_error(model, at);
        const uint64_t line = log->stopped_line   ? log->stopped_line
                              : error             ? error->log_line
                              : log->clipped_line ? log->clipped_line
                                                  : log->quiet_line;
        if (!line)
            continue;
        diag_error(&edit->session->diags, (struct place){.path = model_string(model, log->path), .line = line},
                   "not all of the build was compiled or is in the log, and the baseline would lose kernels; give the "
                   "log of a whole build");
        fail(edit, STATUS_UNTRUSTED);
    }
    if (loses && !edit->settings->common.allow_missing)
        refuse_unrecorded(edit);
}

static void write_all(struct edit *edit)
{
    struct baseline_session *baseline_session = &edit->session->baseline;
    SCOPED(baseline) measured = {0};
    check_columns(edit, false);
    check_complete(edit);
    baseline_session_measure(edit->session, &measured);
    for (size_t at = 0; at < edit->base->count; at++) {
        const struct kernel_metrics *entry = &edit->base->items[at];
        if (!entry->deselected && is_measured(edit, entry->toolkit)) {
            edit->change.dropped += !edit->comparison->seen[at];
            continue;
        }
        add_copy(edit, entry);
        edit->change.kept++;
    }
    for (size_t at = 0; at < edit->head->count; at++) {
        struct kernel_metrics *copy = add_copy(edit, &edit->head->items[at]);
        const struct pair *pair = &edit->comparison->pairs[at];
        if (pair->base != NO_INDEX && pair->state == COMPARE_SAME) /* equal numbers keep their reason */
            copy->reason = edit->base->items[pair->base].reason;
        edit->change.added++;
    }
    for (size_t at = 0; at < baseline_session->stored.accepted_count; at++)
        if (!is_measured(edit, baseline_session->stored.accepted[at].toolkit) || is_left_out(edit, at))
            *baseline_add_accepted(&edit->made) = baseline_session->stored.accepted[at];
    EACH(const struct baseline_input, input, baseline_session->stored.inputs, baseline_session->stored.input_count)
        if (!is_measured(edit, input->toolkit) || edit->session->linter->options.partial_build)
            baseline_add_input(&edit->made, *input);
    add_inputs(edit, &measured);
    add_accepted(edit, &measured);
}

/* ---- update ----------------------------------------------------------------------------------------------------- */

/* Finds the kernel that --accept names, on all of its architectures, or all instances of the template that it names. */
static void find_accepted(struct edit *edit)
{
    const struct model *model = &edit->session->model;
    struct str word = edit->settings->accept;
    SCOPED(kernel_names) names = {.also_functions = true};
    SCOPED(intern) ids = {0};
    if (!word.len)
        return;
    bool found = kernel_find(edit->session, word, &names);
    for (size_t at = 0; at < model->kernel_count; at++) {
        uint32_t item = edit->comparison->item_of[at];
        if (item == NO_INDEX || !kernel_names_have(&names, model->kernels[at].name))
            continue;
        intern_add(&ids, intern_get(edit->head->strings, edit->head->items[item].id));
        edit->accepted[item] = true;
    }
    bool chosen = ids.count == 1 || (ids.count > 1 && str_ends(word, STR("<*>")));
    if (found && !chosen)
        kernel_refuse(edit->session, word, &names, true);
    if (!chosen)
        fail(edit, STATUS_USAGE);
}

/* A warning about one kernel: "not taken: KERNEL (sm_90) is worse". */
static void warn_of(struct edit *edit, const struct kernel_metrics *entry, const char *done, const char *what)
{
    struct session *session = edit->session;
    struct str arch = intern_get(edit->head->strings, entry->arch);
    struct str label = label_of(&session->labels, kernel_name(&session->model, &session->model.kernels[entry->kernel]));
    diag_warning(&session->diags, nowhere, "%s: %.*s%s%.*s%s %s", done, STR_ARG(label), arch.len ? " (" : "",
                 STR_ARG(arch), arch.len ? ")" : "", what);
}

/* Warns of kernels that --accept names and a built-in rule on the profile reports. */
static void warn_not_accepted(struct edit *edit)
{
    const struct linter *linter = edit->session->linter;
    EACH(const struct finding, finding, linter->findings, linter->finding_count) {
        if (finding->kernel == NO_INDEX || !finding_fails(linter, finding) || !finding_is_of_profile(linter, finding))
            continue;
        const uint32_t item = edit->comparison->item_of[finding->kernel];
        if (item == NO_INDEX || !edit->accepted[item])
            continue;
        SCOPED(buf) what = {0};
        buf_fmt(&what,
                "is reported by %.*s, and no baseline holds what a profile says; give another profile, or use `allow` "
                "in .warplint.yaml",
                STR_ARG(linter->rules->rules[finding->rule].id));
        buf_char(&what, '\0');
        warn_of(edit, &edit->head->items[item], "not accepted", what.ptr);
    }
}

static struct kernel_metrics *add_measured(struct edit *edit, const struct kernel_metrics *head)
{
    struct kernel_metrics *copy = add_copy(edit, head);
    copy->toolkit = compare_base_toolkit(edit->comparison, head->toolkit);
    return copy;
}

/* Keeps the entry of the baseline, once, without the copies that improved. The old values are stored under the new name
 * and file, because the next build is compared with them. */
static void keep_entry(struct edit *edit, const struct pair *pair)
{
    if (pair->base == NO_INDEX || edit->settled[pair->base])
        return;
    const struct comparison *c = edit->comparison;
    const struct kernel_metrics *base = &edit->base->items[pair->base], *head = &edit->head->items[pair->head];
    struct kernel_metrics *copy = add_copy(edit, base);
    const bool known_file = c->by_unit && compare_file(c, base) == compare_file(c, head);
    const bool moved = pair->renamed ? !known_file : pair->moved;
    copy->id = head->id;
    copy->source = moved ? head->source : base->source;
    copy->units = moved ? head->units : base->units;
    edit->change.renamed += pair->renamed;
    edit->change.moved += moved && !pair->renamed;
    uint32_t replaced = edit->replaced[pair->base];
    copy->copies = copy->copies > replaced + 1 ? copy->copies - replaced : 1;
    edit->settled[pair->base] = true;
}

/* The kernel is worse than in the baseline, or a finding of a user's rule fails. */
static bool is_worse(const struct edit *edit, const struct pair *pair)
{
    return pair->state == COMPARE_WORSE || (pair->state != COMPARE_NEW && edit->failing[pair->head]);
}

/* The kernel improved, or the baseline lacks some of its numbers: the measured numbers replace the old ones, as if the
 * kernel were new. Numbers of linked code stay if the measured ones are from a compile without its link. */
static bool is_taken_over(const struct edit *edit, const struct pair *pair)
{
    return (pair->state == COMPARE_IMPROVED || pair->unanswered) &&
           !compare_lost_link(&edit->base->items[pair->base], &edit->head->items[pair->head]);
}

/* Counts for each entry of the baseline how many copies the measured kernels replace. */
static void count_replaced(struct edit *edit)
{
    EACH(const struct pair, pair, edit->comparison->pairs, edit->comparison->count) {
        const struct kernel_metrics *head = pair->head == NO_INDEX ? NULL : &edit->head->items[pair->head];
        if (!head || pair->base == NO_INDEX)
            continue;
        if (is_worse(edit, pair) ? edit->accepted[pair->head] : is_taken_over(edit, pair))
            edit->replaced[pair->base] += head->copies;
    }
}

/* True if a new kernel of the pair's family fails; with `replaces`, one that may replace the gone kernel of the pair.
 */
static bool is_family_failing(const struct edit *edit, const struct pair *pair, bool replaces)
{
    const struct family *family = family_of(edit->comparison, pair);
    for (size_t at = 0; family && at < family->new_count; at++)
        if (edit->failing[family->new[at]] && (!replaces || family_replaces(family, pair->member, at)))
            return true;
    return false;
}

static void update_pair(struct edit *edit, const struct pair *pair)
{
    const struct kernel_metrics *head = &edit->head->items[pair->head];
    struct change *change = &edit->change;
    bool asked = edit->accepted[pair->head], worse = is_worse(edit, pair);
    /* One finding represents a whole family: other members may be as bad. */
    bool fails = pair->state == COMPARE_NEW && (edit->failing[pair->head] || is_family_failing(edit, pair, false));
    if (pair->base != NO_INDEX && is_taken_over(edit, pair) && !worse) {
        add_measured(edit, head);
        change->better += pair->state == COMPARE_IMPROVED;
        change->added += pair->state != COMPARE_IMPROVED;
    } else if (pair->state == COMPARE_NEW && !fails) {
        add_measured(edit, head);
        edit->taken[pair->head] = true;
        change->added++;
    } else if (asked && (pair->state == COMPARE_NEW || worse)) {
        add_measured(edit, head)->reason = intern_add(edit->made.kernels.strings, edit->settings->reason);
        change->accepted++;
    } else if (pair->state == COMPARE_NEW) {
        const char *why =
            edit->failing[pair->head] ? "is new and fails" : "is new, and another one of its template fails";
        if (++change->refused <= MOST_REPORTED)
            warn_of(edit, head, "not taken", why);
    } else {
        keep_entry(edit, pair);
        change->kept += !worse;
        change->worse += worse;
        if (worse && change->worse <= MOST_REPORTED)
            warn_of(edit, head, "not taken", "is worse than the baseline");
    }
}

static bool is_of_file(const struct kernel_metrics *entry, const struct kernel_metrics *other)
{
    return entry->source == other->source && entry->units == other->units;
}

/* A new kernel of the family if all its new kernels have one file; NULL: they have several. */
static const struct kernel_metrics *find_new(const struct edit *edit, const struct family *family)
{
    const struct kernel_metrics *first = &edit->head->items[family->new[0]];
    for (size_t at = 1; at < family->new_count; at++)
        if (!is_of_file(&edit->head->items[family->new[at]], first))
            return NULL;
    return first;
}

/* A kernel that moved from the file of the gone one, or replaced a kernel of it, if that file is gone; NULL: none. */
static const struct kernel_metrics *find_moved(const struct edit *edit, const struct kernel_metrics *gone)
{
    const struct comparison *c = edit->comparison;
    const bool is_gone = missing_is_file_gone(c, gone);
    for (size_t at = 0; is_gone && at < c->count; at++) {
        const struct pair *pair = &c->pairs[at];
        if (pair->base == NO_INDEX || !is_of_file(&c->base->items[pair->base], gone))
            continue;
        const struct family *family = family_of(c, pair);
        const struct kernel_metrics *found = pair->moved                 ? &c->head->items[at]
                                             : family && !family->unsure ? find_new(edit, family)
                                                                         : NULL;
        if (found)
            return found;
    }
    return NULL;
}

/* True if the template arguments show which new kernels replaced the gone one, these show that its file was compiled,
 * or it is gone, and all of them will be in the baseline. */
static bool is_replaced(const struct edit *edit, const struct pair *pair)
{
    const struct family *family = family_of(edit->comparison, pair);
    const bool fails = is_family_failing(edit, pair, false);
    if (!family || family->unsure || !family_says_successors(family, pair->member))
        return false;
    if (edit->comparison->seen[pair->base] != SEEN &&
        !missing_is_file_gone(edit->comparison, &edit->base->items[pair->base]))
        return false;
    for (size_t at = 0; fails && at < family->new_count; at++)
        if (family_replaces(family, pair->member, at) && !edit->accepted[family->new[at]])
            return false;
    return true;
}

/* True if another kernel, which was renamed, now has the name of the gone kernel: for example a renumbered lambda. */
static bool is_name_taken(const struct edit *edit, const struct pair *gone)
{
    const struct kernel_metrics *entry = &edit->base->items[gone->base];
    for (size_t at = 0; at < edit->head->count; at++) {
        const struct kernel_metrics *head = &edit->head->items[at];
        if (edit->comparison->pairs[at].renamed && head->id == entry->id && head->arch == entry->arch &&
            compare_file(edit->comparison, head) == compare_file(edit->comparison, entry))
            return true;
    }
    return false;
}

/* If the gone kernels stayed in the file, kernels that later replace the new ones, or get the old names, would be
 * compared with them too. */
static void drop_replaced(struct edit *edit)
{
    for (size_t at = edit->head->count; at < edit->comparison->count; at++) {
        const struct pair *pair = &edit->comparison->pairs[at];
        if (!is_replaced(edit, pair) && !is_name_taken(edit, pair))
            continue;
        edit->settled[pair->base] = true;
        edit->change.dropped++;
    }
}

/* Keeps the entries that are in no pair: other columns, deselected entries, gone kernels, and copies that the log does
 * not show. A gone kernel whose file is gone too gets the file of those that moved from there: no build has the old
 * one. */
static void keep_others(struct edit *edit)
{
    for (size_t at = 0; at < edit->base->count; at++) {
        if (edit->settled[at])
            continue;
        const struct kernel_metrics *entry = &edit->base->items[at];
        struct kernel_metrics *copy = add_copy(edit, entry);
        const struct kernel_metrics *moved = edit->comparison->in_play[at] ? find_moved(edit, entry) : NULL;
        copy->source = moved ? moved->source : entry->source;
        copy->units = moved ? moved->units : entry->units;
        edit->change.kept++;
    }
}

/* kernels: by item of the head. A message names its kernel and a file, which may be a header. The finding belongs to
 * these kernels, unless another kernel of this name has that file as its source. */
static bool is_of_kernels(const struct edit *edit, const bool *kernels, const struct accepted *finding)
{
    bool any = false;
    for (size_t at = 0; finding->id != NO_INDEX && at < edit->head->count; at++) {
        const struct kernel_metrics *entry = &edit->head->items[at];
        if (entry->id != finding->id)
            continue;
        if (!kernels[at] && finding->source != NO_INDEX && entry->source == finding->source)
            return false;
        any |= kernels[at];
    }
    return any;
}

/* Adds the findings of rules on messages of these kernels, with their present counts. Returns how many are new. */
static size_t add_findings_of(struct edit *edit, const bool *kernels)
{
    const size_t before = edit->made.accepted_count;
    SCOPED(baseline) measured = {0};
    baseline_session_measure(edit->session, &measured);
    for (size_t at = 0; at < measured.accepted_count; at++) {
        struct accepted now = measured.accepted[at];
        now.toolkit = compare_base_toolkit(edit->comparison, now.toolkit);
        if (is_of_kernels(edit, kernels, &now))
            *baseline_add_accepted(&edit->made) = now;
    }
    return merge_accepted(edit, before);
}

static void update_all(struct edit *edit)
{
    const struct baseline_session *baseline_session = &edit->session->baseline;
    const bool asked = edit->settings->accept.len > 0;
    find_accepted(edit);
    check_columns(edit, true);
    if (edit->status)
        return;
    session_any_rule(edit->session); /* warns if no rule is on: then new kernels are taken that no rule has judged */
    count_replaced(edit);
    add_inputs(edit, &baseline_session->stored);
    for (size_t at = 0; at < edit->head->count; at++)
        if (!edit->head->items[at].deselected)
            update_pair(edit, &edit->comparison->pairs[at]);
    for (size_t at = 0; at < edit->head->count; at++)
        if (edit->comparison->pairs[at].base != NO_INDEX)
            edit->settled[edit->comparison->pairs[at].base] = true;
    drop_replaced(edit);
    keep_others(edit);
    add_accepted(edit, &baseline_session->stored);
    rename_accepted(edit);
    add_findings_of(edit, edit->taken);
    if (asked) {
        edit->change.accepted += add_findings_of(edit, edit->accepted);
        warn_not_accepted(edit);
    }
    if (!asked || edit->change.accepted)
        return;
    diag_error(&edit->session->diags, nowhere, "'%.*s' is not worse than the baseline: there is nothing to accept",
               STR_ARG(edit->settings->accept));
    fail(edit, STATUS_USAGE);
}

/* ---- prune ------------------------------------------------------------------------------------------------------ */

/* Reduces the count of each accepted finding to the number that occurred. */
static void prune_accepted(struct edit *edit)
{
    const struct baseline_session *baseline_session = &edit->session->baseline;
    for (size_t at = 0; at < baseline_session->stored.accepted_count; at++) {
        struct accepted accepted = baseline_session->stored.accepted[at];
        if (compare_base_column(edit->comparison, accepted.toolkit)) { /* else of another toolkit, or deselected */
            uint32_t left = acceptance_left(baseline_session->acceptance, &accepted);
            edit->change.dropped += left > 0;
            accepted.count -= left;
        }
        if (accepted.count)
            *baseline_add_accepted(&edit->made) = accepted;
    }
}

/* Keeps a gone kernel if a new one that may replace it fails when compared with it, and would pass without it. */
static void prune_gone(struct edit *edit, const struct pair *pair)
{
    const struct kernel_metrics *entry = &edit->base->items[pair->base];
    edit->settled[pair->base] = true;
    if (!is_family_failing(edit, pair, true)) {
        edit->change.dropped++;
        return;
    }
    add_copy(edit, entry);
    if (edit->change.kept++ < MOST_REPORTED) {
        SCOPED(buf) name = {0};
        spell_kernel(intern_get(edit->base->strings, entry->id), &name);
        diag_warning(&edit->session->diags, nowhere, "kept: %.*s is gone, and a new kernel that may replace it fails",
                     STR_ARG(buf_str(&name)));
    }
}

static void prune_all(struct edit *edit)
{
    bool part = edit->session->linter->options.partial_build;
    check_columns(edit, true);
    check_complete(edit);
    if (!edit->status && !baseline_session_trusts(edit->session))
        fail(edit, STATUS_UNTRUSTED);
    if (edit->status)
        return;
    add_inputs(edit, &edit->session->baseline.stored);
    EACH(const struct pair, pair, edit->comparison->pairs, edit->comparison->count) {
        if (pair->head != NO_INDEX)
            keep_entry(edit, pair);
        else
            prune_gone(edit, pair);
    }
    keep_others(edit);
    if (!part) /* no findings were looked for in kernels that --arch and --kernel exclude */
        prune_accepted(edit);
    else
        add_accepted(edit, &edit->session->baseline.stored);
    rename_accepted(edit);
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

static bool summarise(const struct edit *edit)
{
    const struct change *change = &edit->change;
    const struct {
        size_t count;
        const char *what;
    } parts[] = {
        {change->added, "taken"},
        {change->better, "better"},
        {change->accepted, "accepted"},
        {change->dropped, "dropped"},
        {change->kept, "kept"},
        {change->worse, "worse and not taken"},
        {change->refused, "new and failing, left out"},
        {change->renamed, "under new names"},
        {change->moved, "in another file"},
    };
    SCOPED(buf) text = {0};
    const char *between = ": ";
    if (str_eq(edit->path, STR("-")))
        return true; /* standard output has the baseline itself */
    text_fmt(&text, "%.*s: %zu kernel x arch", STR_ARG(edit->path), edit->made.kernels.count);
    if (edit->made.accepted_count)
        buf_fmt(&text, " and %zu accepted finding%s", edit->made.accepted_count, PLURAL(edit->made.accepted_count));
    for (size_t at = 0; at < sizeof parts / sizeof *parts; at++) {
        if (!parts[at].count)
            continue;
        buf_fmt(&text, "%s%zu %s", between, parts[at].count, parts[at].what);
        between = ", ";
    }
    buf_char(&text, '\n');
    if (change->worse || change->refused)
        buf_add(&text,
                STR("to accept a kernel as it is: warplint baseline update --accept KERNEL --reason TEXT ...\n"));
    return print_text(&text, &edit->session->diags);
}

/* In the order of the words of the command. */
static const struct verb {
    const char *name;
    void (*make)(struct edit *edit); /* NULL: no file is made, check_inputs runs */
} verbs[] = {{"write", write_all}, {"check", NULL}, {"update", update_all}, {"prune", prune_all}};

/* A file that has another name in the build (baseline/files.h) gets this name: the next build has no other one. */
static void rename_files(struct edit *edit)
{
    const struct comparison *comparison = edit->comparison;
    const uint32_t count = comparison->source_count;
    uint32_t *now = arena_alloc(&edit->session->arena, (count + 1) * sizeof *now);
    for (uint32_t at = 0; at < count; at++)
        now[at] = at;
    for (uint32_t at = 0; at < count; at++)
        if (comparison->sources[at] != at)
            now[comparison->sources[at]] = at;
    EACH(struct kernel_metrics, entry, edit->made.kernels.items, edit->made.kernels.count) {
        const struct kernel_metrics before = *entry;
        entry->source = entry->source < count ? now[entry->source] : entry->source;
        kernel_metrics_rename_units(edit->made.kernels.strings, entry, now, count);
        edit->change.moved += entry->source != before.source || entry->units != before.units;
    }
    EACH(struct accepted, finding, edit->made.accepted, edit->made.accepted_count)
        finding->source = finding->source < count ? now[finding->source] : finding->source;
    merge_accepted(edit, 0);
}

static int run_edit(struct session *session, const struct baseline_settings *settings, const struct verb *verb)
{
    const struct baseline_session *baseline_session = &session->baseline;
    struct edit edit = {.made.kernels.strings = &session->baseline.strings,
                        .settings = settings,
                        .session = session,
                        .comparison = &baseline_session->comparison,
                        .base = &baseline_session->stored.kernels,
                        .head = &baseline_session->kernel_metrics,
                        .path = settings->common.baseline};
    if (!session_read_and_judge(session))
        return session_failure(session);
    if (!baseline_session_can_be_stored(session))
        return STATUS_UNTRUSTED;
    edit.replaced = arena_alloc(&session->arena, (edit.base->count + 1) * sizeof *edit.replaced);
    edit.settled = arena_alloc(&session->arena, edit.base->count + 1);
    edit.accepted = arena_alloc(&session->arena, edit.head->count + 1);
    edit.taken = arena_alloc(&session->arena, edit.head->count + 1);
    edit.failing = linter_failing_items(session->linter, false);
    verb->make(&edit);
    rename_files(&edit);
    variants_shorten(&edit.made.kernels);
    if (!edit.status && !(baseline_session_write(session, &edit.made, edit.path) && summarise(&edit)))
        edit.status = STATUS_UNTRUSTED;
    baseline_free(&edit.made);
    free(edit.failing);
    return edit.status;
}

/* ---- the command line ------------------------------------------------------------------------------------------- */

/* Takes one kernel only, so that each accepted deterioration has its own reason. */
static bool set_accept(const struct option_row *row, struct str value, void *into, struct diags *diags)
{
    struct str *accept = into;
    if (accept->len || value.len == 0)
        return diag_error(diags, nowhere, "--%s takes one kernel, found %s", row->name,
                          value.len ? "another one" : "nothing");
    *accept = value;
    return true;
}

/* The verb on the command line; NULL with an error if the words and options do not fit together. */
static const struct verb *read_verb(const struct baseline_settings *settings, struct diags *diags)
{
    int number = settings_word(&settings->common, &command_baseline, SIZE_MAX, diags);
    if (number < 0)
        return NULL;
    const struct verb *verb = &verbs[number];
    if (settings->common.arguments.count < 2)
        diag_error(diags, nowhere, "baseline %s needs the file of the baseline, then the logs", verb->name);
    else if ((settings->accept.len || settings->reason.len) && verb->make != update_all)
        diag_error(diags, nowhere, "--accept and --reason belong to baseline update");
    else if (settings->accept.len && !str_trim(settings->reason).len)
        diag_error(diags, nowhere, "--accept needs --reason TEXT: the baseline keeps why");
    else if (settings->reason.len && !settings->accept.len)
        diag_error(diags, nowhere, "--reason needs --accept KERNEL: what is it the reason for?");
    else if (verb->make && settings_want_report(&settings->common))
        diag_error(diags, nowhere, "baseline %s writes no reports: -o and --format are options of `baseline check`",
                   verb->name);
    return diags->errors ? NULL : verb;
}

static int run(struct session *session, void *given)
{
    struct baseline_settings *settings = given;
    const struct verb *verb = read_verb(settings, &session->diags);
    if (!verb)
        return STATUS_USAGE;
    settings->common.baseline = settings->common.arguments.items[1];
    session->inputs_from = 2;
    session->compares = true;
    session->baseline.may_lack = verb->make == write_all;
    session->baseline.file_only = verb->make != NULL;
    if (!session_rules(session))
        return STATUS_USAGE;
    return verb->make ? run_edit(session, settings, verb) : check_inputs(session);
}

static const struct option_row options[] = {
    {"accept", 0, "KERNEL", set_accept, offsetof(struct baseline_settings, accept),
     "update: accept this kernel although it is worse (NAME<*>: all instances); needs --reason"},
    {"reason", 0, "TEXT", set_text, offsetof(struct baseline_settings, reason),
     "update --accept: the reason, stored in the baseline"},
};

const struct command command_baseline = {
    .name = "baseline",
    .what = "write, check, update or prune the known numbers",
    .usage = "usage: warplint baseline [OPTIONS] write|check|update|prune FILE [LOG|DIR|-]...\n\n"
             "Keep the known numbers of a project in a file, and fail only on what is new or\n"
             "worse.\n\n"
             "  write    write the measured numbers; entries of other CUDA versions stay\n"
             "  check    the same as `check --baseline FILE`\n"
             "  update   take over kernels that are better, new ones that pass, and those\n"
             "           that --accept names\n"
             "  prune    remove kernels that no longer exist\n",
    .statuses = STATUSES_OF_JUDGING,
    .words = "write|check|update|prune",
    OPTIONS(options),
    .settings_bytes = sizeof(struct baseline_settings),
    .run = run,
};
