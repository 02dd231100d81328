#include "cli/baseline_session.h"

#include "baseline/family.h"
#include "baseline/rename.h"
#include "baseline/variants.h"
#include "cli/session.h"
#include "lint/acceptance.h"
#include "lint/measure_model.h"
#include "log/command.h"
#include "log/name.h"
#include "log/ndjson_reader.h"
#include "log/spelling.h"

#include <stdlib.h>

enum { LARGEST_BASELINE = 1 << 29, MOST_REPORTED = 10 };

struct checkout baseline_session_checkout(struct session *session)
{
    struct baseline_session *baseline_session = &session->baseline;
    const bool has_source = session->sources && session->sources->count;
    const struct str start = has_source ? path_folder(session->sources->items[0]) : STR("");
    if (!baseline_session->root.len)
        file_checkout(start, CONFIG_NAME, &baseline_session->root, &baseline_session->here);
    return (struct checkout){.root = buf_str(&baseline_session->root),
                             .here = buf_str(&baseline_session->here),
                             .outside = &baseline_session->outside};
}

/* ---- kernels that the options exclude --------------------------------------------------------------------------- */

/* Marks the baseline entries that the options exclude; these are not compared and not reported as missing. */
static void deselect(const struct session *session, struct kernel_metrics_set *set)
{
    const struct linter_options *options = &session->linter->options;
    SCOPED(buf) name = {0};
    EACH(struct kernel_metrics, entry, set->items, set->count) {
        bool selected = arch_list_has(&options->archs, intern_get(set->strings, entry->arch));
        if (selected && options->kernel) {
            buf_clear(&name);
            name_demangle(intern_get(set->strings, entry->id), &name);
            selected = name_match(options->kernel, buf_str(&name), NULL) == REGEX_YES;
        }
        entry->deselected = !selected;
    }
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* Measures the kernels of a judged session and adds the findings that the baseline accepts. */
static void measure(struct session *session, struct baseline *baseline)
{
    struct checkout checkout = baseline_session_checkout(session);
    SCOPED(outside) outside = {0};
    outside_find(&outside, &session->model, checkout, baseline->kernels.strings);
    checkout.outside = &outside;
    measure_model(&baseline->kernels, session->linter, checkout, NULL, NULL);
    baseline_add_logs(baseline, &session->model);
    baseline_accept(baseline, session->linter, checkout);
}

/* Reads records or a log into a separate session with the same rules, configuration and options. */
static bool read_build(struct session *session, struct str path, struct baseline *baseline)
{
    struct session build = {.settings = session->settings,
                            .config = session->config,
                            .sources = session->sources,
                            .today = session->today,
                            .partial_build = true,
                            .fail_on = session->fail_on,
                            .rules = session->rules,
                            .model.keeps_launches = !session->baseline.is_base};
    bool ok = session_begin(&build);
    if (ok) {
        build.linter->options.kernel = NULL; /* deselect applies --kernel to the entries */
        session_read(&build, path);
        ok = session_judge(&build) && !build.input_failed;
    }
    const struct linter_counts *counts = ok ? &build.linter->counts : NULL;
    if (ok && counts->entries + counts->functions + counts->deselected == 0 && !session->baseline.is_base)
        ok = diag_error(&build.diags, (struct place){.path = path}, "the baseline has no kernels%s",
                        build.has_lines ? ": this is neither a baseline nor records, and as a log it has no resource "
                                          "lines of ptxas; `warplint baseline write` makes a baseline of a log"
                                        : "");
    if (ok)
        measure(&build, baseline);
    baseline->measured = true;
    diags_append(&session->diags, &build.diags);
    session->partial_reason = session->partial_reason ? session->partial_reason : build.partial_reason;
    session->records_mismatch |= build.records_mismatch;
    diags_free(&build.diags);
    build.config = (struct config){0}; /* `session` owns the configuration and the rules */
    build.rules = (struct ruleset){0};
    session_free(&build);
    return ok;
}

/* Reads the file as text. An error of opening it is reported at the place that names the path. */
static bool read_text(struct session *session, struct str path, struct place asked_at, struct buf *text)
{
    struct diags found = {0};
    enum input_allowed allowed = session->baseline.file_only && !str_eq(path, STR("-")) ? INPUT_REGULAR : INPUT_ANY;
    bool ok = file_is_device(path) ? diag_error(&found, (struct place){.path = path}, "is a device, expected a file")
                                   : file_read(path, allowed, LARGEST_BASELINE, text, &found);
    const char *help = ok || file_exists(path) || session->baseline.is_base
                           ? ""
                           : "; `warplint baseline write` makes a baseline of a log";
    diags_add_unread(&session->diags, &found, path, asked_at, help);
    return ok;
}

/* True if the text, or its first lines, is a baseline, even if it is wrong: a single JSON document. A stream of records
 * begins with a record of type "run". */
static bool is_baseline(struct str text)
{
    struct str rest = text, line = {0};
    while (rest.len && str_split(&rest, '\n', &line) && str_trim(line).len == 0)
        ;
    line = str_trim(line);
    return baseline_is_text(text) || str_trim(text).len == 0 || str_starts(line, STR("<<<<<<<")) ||
           (str_starts(line, STR("{")) && !record_is_run(line));
}

bool baseline_session_is_file(struct str path)
{
    enum { ENOUGH = 1 << 16 };
    SCOPED(buf) text = {0};
    return file_read_head(path, ENOUGH, &text) && text.len > 0 && is_baseline(buf_str(&text));
}

/* True if the text is JSON that --format json writes. */
static bool is_report(struct str text)
{
    return str_starts(text, STR("{\"run\":{\"type\":\"run\"")) || str_starts(text, STR("{\"type\":\"diagnosis\""));
}

bool baseline_session_read(struct session *session, struct str path, struct place asked_at, struct baseline *baseline)
{
    SCOPED(buf) text = {0};
    *baseline = (struct baseline){.kernels.strings = &session->baseline.strings};
    if (file_is_dir(path) && !session->baseline.file_only)
        return read_build(session, path, baseline);
    if (session->baseline.may_lack && !file_exists(path))
        return true;
    if (!read_text(session, path, asked_at, &text))
        return false;
    if (is_report(buf_str(&text)))
        return diag_error(&session->diags, (struct place){.path = path},
                          "this is a report of --format json, expected a baseline, records or a log; `warplint "
                          "baseline write` makes a baseline, and a report of --format ndjson is read as records");
    const bool empty_log = session->baseline.is_base && text.len == 0;
    if (is_baseline(buf_str(&text)) && !empty_log)
        return baseline_parse(baseline, path, buf_str(&text), &session->diags);
    if (session->baseline.file_only)
        return diag_error(
            &session->diags, (struct place){.path = path},
            "not a baseline, and would be replaced by one: give the path of a new file, in front of the logs");
    return read_build(session, path, baseline);
}

/* Warns of options that have no effect without a baseline. Not for `wrap`: its configuration depends on the source, and
 * may name a baseline for other sources. */
static void warn_useless(struct session *session)
{
    static const char *const options[] = {"allow-missing", "drift"};
    for (size_t at = 0; at < sizeof options / sizeof *options && !session->partial_build; at++)
        if (settings_gives(session->settings, options[at]))
            diag_warning(&session->diags, nowhere,
                         "--%s has no effect without a baseline, and neither --baseline nor `baseline` of the "
                         "configuration names one",
                         options[at]);
}

bool baseline_session_load(struct session *session)
{
    const struct settings *settings = session->settings;
    struct baseline_session *baseline_session = &session->baseline;
    bool given = settings->baseline.len > 0;
    baseline_session->path = given ? settings->baseline : session->config.baseline;
    if (!baseline_session->path.len) {
        warn_useless(session);
        return true;
    }
    return baseline_session_read(session, baseline_session->path, given ? nowhere : session->config.baseline_place,
                                 &baseline_session->stored);
}

/* ---- comparing -------------------------------------------------------------------------------------------------- */

static bool has_source(const struct kernel_metrics_set *set, struct str source)
{
    uint32_t number = intern_find(set->strings, source);
    for (size_t at = 0; at < set->count && number != INTERN_NONE; at++)
        if (set->items[at].source == number)
            return true;
    return false;
}

static bool is_in_checkout(struct session *session, struct str source)
{
    struct str root = baseline_session_checkout(session).root;
    SCOPED(buf) path = {0};
    buf_fmt(&path, "%.*s%.*s", STR_ARG(root), STR_ARG(source));
    return root.len && file_exists(buf_str(&path));
}

static bool is_placed(void *session, struct str source)
{
    const struct session *own = session;
    return is_in_checkout(session, source) || outside_has(&own->baseline.outside, source);
}

/* True if the path may be another name of this source of the baseline: the shorter path is the end of the longer one,
 * as from another folder. False if the places of both are known, or if the baseline has a source with that path. */
static bool may_be_source(struct session *session, struct str source, struct str path, struct str whole)
{
    return variants_common(whole, source) > 0 && !has_source(&session->baseline.stored.kernels, path) &&
           !(is_placed(session, path) && is_placed(session, source));
}

/* True if the command of the log compiles this source of the baseline. */
static bool names_source(struct session *session, uint16_t log, struct str source)
{
    const struct model *model = &session->model;
    struct checkout checkout = baseline_session_checkout(session), whole_paths = checkout;
    struct str rest = model_string(model, model->logs[log].command), word;
    struct str name = path_name(source);
    SCOPED(buf) path = {0}, whole = {0};
    whole_paths.keeps_outside = true;
    while (rest.len && str_split(&rest, '\0', &word)) {
        if (!str_ends(word, name))
            continue;
        buf_clear(&path);
        buf_clear(&whole);
        checkout_path_of_word(model, log, word, checkout, &path);
        checkout_path_of_word(model, log, word, whole_paths, &whole);
        if (str_eq(buf_str(&path), source) || may_be_source(session, source, buf_str(&path), buf_str(&whole)))
            return true;
    }
    return false;
}

/* True if the log is the record of this object of the baseline. */
static bool names_object(struct session *session, uint16_t log, struct str object)
{
    const struct model *model = &session->model;
    SCOPED(buf) path = {0};
    checkout_path_of_word(model, log, model_string(model, model->logs[log].path), baseline_session_checkout(session),
                          &path);
    return variants_common(buf_str(&path), object) > 0;
}

/* True if some compile with a known command made code of the source, even code without kernels. If object or arch is
 * not empty, the compile must have made that object, or code for that architecture; a link that made the object counts
 * too. */
static bool was_compiled(struct session *session, struct str source, struct str object, struct str arch)
{
    const struct model *model = &session->model;
    for (uint16_t at = 0; at < model->log_count; at++) {
        const struct log_info *log = &model->logs[at];
        struct str first;
        const bool is_link = object.len && log->compiled && command_sources_of_log(model, at, &first) == 0;
        if (log->compiled && log->verbose && !log->no_code && (is_link || names_source(session, at, source)) &&
            (object.len == 0 || names_object(session, at, object)) &&
            (arch.len == 0 || command_names(model_string(model, log->command), arch)))
            return true;
    }
    return false;
}

/* Decides whether something that the comparison did not find is missing. An object is missing only if a record shows
 * that its source was compiled for another object; logs and binaries do not state the object. A source or an object
 * that lost its last kernel is not missing. */
static bool is_missing(struct session *session, const struct missing *missing)
{
    static const struct str any = {"", 0};
    switch (missing->kind) {
    case MISSING_SOURCE: return !was_compiled(session, missing->name, any, any);
    case MISSING_OBJECT:
        return was_compiled(session, missing->source, any, any) &&
               !was_compiled(session, missing->source, missing->name, any);
    case MISSING_TARGET: /* no command states for which architectures a header was compiled */
        return source_is_cuda(missing->source) && !session->settings->kernel &&
               !was_compiled(session, missing->source, any, missing->name);
    case MISSING_ARCH: break;
    }
    return true;
}

static void keep_missing(struct session *session)
{
    struct missing_list *missing = &session->baseline.comparison.missing;
    size_t kept = 0;
    for (size_t at = 0; at < missing->count; at++)
        if (is_missing(session, &missing->items[at]))
            missing->items[kept++] = missing->items[at];
    missing->count = kept;
}

/* Sets the toolkit of the command line for logs that do not state one. */
static void take_toolkit(struct session *session)
{
    for (size_t at = 0; at < session->model.log_count; at++)
        if (!toolkit_known(session->model.logs[at].toolkit))
            session->model.logs[at].toolkit = session->settings->toolkit;
}

void baseline_session_measure(struct session *session, struct baseline *baseline)
{
    *baseline = (struct baseline){.kernels.strings = &session->baseline.strings};
    measure(session, baseline);
}

bool baseline_session_write(struct session *session, const struct baseline *baseline, struct str path)
{
    SCOPED(buf) text = {0};
    baseline_print(baseline, &text);
    return file_write(path, buf_str(&text), &session->diags);
}

/* A file of the baseline and this part of the build. */
enum file_state {
    FILE_NOT_ASKED,
    FILE_HAS_KERNELS, /* this part has kernels of it, but it may be a header */
    FILE_NOT_COMPILED,
    FILE_COMPILED,
    FILE_IN_ANOTHER_PART /* a source of the checkout that this part does not compile */
};

/* The state of a file; states: by string, those that are known so far. */
static enum file_state state_of_file(struct session *session, uint8_t *states, uint32_t file)
{
    static const struct str any = {"", 0};
    struct str name = intern_get(&session->baseline.strings, file);
    if (states[file] > FILE_HAS_KERNELS)
        return states[file];
    if (was_compiled(session, name, any, any))
        states[file] = FILE_COMPILED;
    else if (states[file] == FILE_NOT_ASKED && source_is_cuda(name) && is_in_checkout(session, name))
        states[file] = FILE_IN_ANOTHER_PART;
    else
        states[file] = FILE_NOT_COMPILED;
    return states[file];
}

/* True if this part of the build compiles one of these files. */
static bool compiles_unit(struct session *session, uint8_t *states, uint32_t units)
{
    const struct intern *strings = &session->baseline.strings;
    struct str rest = intern_get(strings, units), unit;
    while (rest.len && str_split(&rest, '\n', &unit))
        if (state_of_file(session, states, intern_find(strings, unit)) == FILE_COMPILED)
            return true;
    return false;
}

/* For a session with a part of the build: a kernel is not gone if this part compiles neither its source nor, for a
 * kernel of a header, a file in which it was compiled, or not for its architecture. If the source is still in the
 * checkout and has a compile of its own, the entry is deselected: kernels of this part are not compared with it. */
static void mark_elsewhere(struct session *session)
{
    struct kernel_metrics_set *base = &session->baseline.stored.kernels;
    const struct kernel_metrics_set *head = &session->baseline.kernel_metrics;
    uint8_t *states = mem_alloc(base->strings->count + 1); /* by string: enum file_state; archs are FILE_COMPILED */
    for (size_t at = 0; at < head->count; at++) {
        if (head->items[at].source != NO_INDEX)
            states[head->items[at].source] = FILE_HAS_KERNELS;
        if (head->items[at].arch != NO_INDEX)
            states[head->items[at].arch] = FILE_COMPILED;
    }
    EACH(struct kernel_metrics, entry, base->items, base->count) {
        entry->elsewhere = entry->source == NO_INDEX || entry->arch == NO_INDEX || states[entry->arch] != FILE_COMPILED;
        if (entry->elsewhere)
            continue;
        const enum file_state source = state_of_file(session, states, entry->source);
        const bool has_unit = compiles_unit(session, states, entry->units);
        entry->elsewhere = source != FILE_COMPILED && !has_unit;
        entry->deselected |= source == FILE_IN_ANOTHER_PART && !has_unit;
    }
    free(states);
}

/* Warns of kernels that may be worse. A log does not state which target it compiled, so a kernel that is as bad as
 * another variant of its source in the baseline may have become that bad now. */
static void warn_unknown_variants(struct session *session)
{
    const struct comparison *comparison = &session->baseline.comparison;
    const struct kernel_metrics_set *head = comparison->head;
    const struct kernel_metrics *first = NULL;
    size_t count = 0;
    for (size_t at = 0; at < head->count; at++) {
        if (!comparison->pairs[at].other_variant)
            continue;
        count++;
        if (!first || kernel_metrics_order(head->strings, &head->items[at], first) < 0)
            first = &head->items[at];
    }
    session->baseline.unknown_variants = count;
    if (!first)
        return;
    SCOPED(buf) name = {0};
    spell_kernel(intern_get(head->strings, first->id), &name);
    diag_warning(
        &session->diags, nowhere,
        "%zu kernel x arch may be worse than in the baseline, first %.*s (%.*s) of %.*s: several targets compile "
        "the source, and it is not known which of them this is; check all of them together, or records of "
        "`wrap` with a baseline that is written from records",
        count, STR_ARG(buf_str(&name)), STR_ARG(intern_get(head->strings, first->arch)),
        STR_ARG(intern_get(head->strings, first->source)));
}

void baseline_session_compare(struct session *session)
{
    struct baseline_session *baseline_session = &session->baseline;
    if (!session->compares || !baseline_session->path.len)
        return;
    take_toolkit(session);
    uint32_t *item_of = mem_alloc((session->model.kernel_count + 1) * sizeof *item_of);
    baseline_session->kernel_metrics.strings = &baseline_session->strings;
    outside_find(&baseline_session->outside, &session->model, baseline_session_checkout(session),
                 &baseline_session->strings);
    variants_shorten(&baseline_session->stored.kernels);
    measure_model(&baseline_session->kernel_metrics, session->linter, baseline_session_checkout(session),
                  &baseline_session->stored.kernels, item_of);
    deselect(session, &baseline_session->stored.kernels);
    if (session->partial_build)
        mark_elsewhere(session);
    compare_make(&baseline_session->comparison, &baseline_session->stored.kernels, &baseline_session->kernel_metrics,
                 baseline_tolerances(&session->rules), session->partial_build, item_of);
    /* The reports of `diff` are the same for every form of BASE. */
    baseline_session->comparison.base_measured = baseline_session->stored.measured && !baseline_session->is_base;
    rename_join(&baseline_session->comparison, !session->sorted);
    family_find(&baseline_session->comparison);
    const struct known_places places = {is_placed, session};
    /* If no kernel is gone, no file that the log names is looked up. */
    const bool any_gone = baseline_session->comparison.counts.by_state[COMPARE_GONE];
    if (!session->partial_build)
        missing_find(&baseline_session->comparison, any_gone ? &places : NULL);
    keep_missing(session);
    warn_unknown_variants(session);
    baseline_session->acceptance =
        acceptance_new(&baseline_session->stored, &baseline_session->comparison, baseline_session_checkout(session));
    baseline_session->compared = true;
    linter_compare(session->linter, &baseline_session->comparison, baseline_session->acceptance,
                   session->settings->drift == DRIFT_REPORT);
}

/* ---- trust ------------------------------------------------------------------------------------------------------ */

/* True if the checkout does not contain this source but contains other sources of the baseline. */
static bool is_removed(struct session *session, struct str source)
{
    const struct kernel_metrics_set *base = &session->baseline.stored.kernels;
    bool any = false;
    if (is_in_checkout(session, source))
        return false;
    for (size_t at = 0; !any && at < base->count; at++)
        any = base->items[at].source != NO_INDEX &&
              is_in_checkout(session, intern_get(base->strings, base->items[at].source));
    return any;
}

/* The place for errors about missing kernels: the baseline, or HEAD of `diff`. */
static struct place lacking_place(const struct session *session)
{
    const struct baseline_session *baseline_session = &session->baseline;
    struct str path = baseline_session->is_base ? session->settings->arguments.items[1] : baseline_session->path;
    return (struct place){.path = str_eq(path, STR("-")) ? STR("<stdin>") : path};
}

/* Appends the selected architectures of one side of the comparison: "sm_80, sm_90". */
static void list_archs(const struct kernel_metrics_set *set, struct intern *archs, struct buf *out)
{
    EACH(const struct kernel_metrics, entry, set->items, set->count) {
        size_t before = archs->count;
        if (entry->deselected || entry->arch == NO_INDEX)
            continue;
        struct str arch = intern_get(set->strings, entry->arch);
        intern_add(archs, arch);
        if (archs->count > before)
            buf_fmt(out, "%s%.*s", before ? ", " : "", STR_ARG(arch));
    }
}

static void ask_why_missing(struct session *session, const struct missing *missing, struct buf *out)
{
    SCOPED(intern) archs = {0};
    SCOPED(buf) found = {0};
    switch (missing->kind) {
    case MISSING_ARCH:
        list_archs(&session->baseline.kernel_metrics, &archs, &found);
        buf_fmt(out, "was it built?%s%.*s", found.len ? " this build is for " : "", STR_ARG(buf_str(&found)));
        break;
    case MISSING_SOURCE:
        buf_add(out, is_removed(session, missing->name) ? STR("it is not in the checkout, was it removed?")
                                                        : STR("was it built?"));
        break;
    case MISSING_OBJECT:
        buf_fmt(out, "another target compiled %.*s; was this one removed, or not built?", STR_ARG(missing->source));
        break;
    case MISSING_TARGET: buf_add(out, STR("other sources have it, was this one built for it?")); break;
    }
}

static void report_missing(struct session *session, const struct missing *missing)
{
    bool is_diff = session->baseline.is_base;
    SCOPED(buf) question = {0};
    struct str of = {"", 0};
    ask_why_missing(session, missing, &question);
    if (missing->kind == MISSING_TARGET)
        of = arena_fmt(&session->arena, " of %.*s", STR_ARG(missing->source));
    diag_error(&session->diags, lacking_place(session), "no %s of %s %.*s%.*s, of which %s has %u: %.*s",
               is_diff ? "kernel" : "record", missing_kind_name(missing->kind), STR_ARG(missing->name), STR_ARG(of),
               is_diff ? "BASE" : "the baseline", missing->entries, STR_ARG(buf_str(&question)));
}

/* Returns false with errors if some sources, architectures or objects of the baseline have no record, or if most of its
 * kernels have none and their sources are unknown. */
static bool trusts_missing(struct session *session)
{
    const struct comparison *comparison = &session->baseline.comparison;
    const struct missing_list *missing = &comparison->missing;
    const size_t gone = comparison->unsourced.gone, seen = comparison->unsourced.seen;
    const bool lacks_most = comparison->counts.seen > 0 && gone > seen;
    if (missing->count == 0 && !lacks_most)
        return true;
    if (lacks_most)
        diag_error(&session->diags, lacking_place(session),
                   "%zu of %zu kernel x arch have no record, and no source file is stated for them: were they built?",
                   gone, gone + seen);
    for (size_t at = 0; at < missing->count && at < MOST_REPORTED; at++)
        report_missing(session, &missing->items[at]);
    if (missing->count > MOST_REPORTED)
        diag_error(&session->diags, lacking_place(session), "and of %zu more", missing->count - MOST_REPORTED);
    if (session->baseline.is_base)
        return diag_error(&session->diags, nowhere,
                          "incomplete comparison: parts of BASE are not in HEAD; --allow-missing accepts that");
    return diag_error(&session->diags, nowhere,
                      "incomplete comparison: parts of the baseline have no record; --allow-missing accepts that%s",
                      comparison->base_measured
                          ? ""
                          : ", and `warplint baseline prune --allow-missing` removes them from the baseline");
}

/* True if nothing of the baseline was seen: it is of another project. Works also if the log names no sources that could
 * be missing. */
static bool saw_nothing(const struct comparison *comparison)
{
    return comparison->counts.expected && comparison->counts.seen + comparison->counts.replaced == 0;
}

/* Returns true with an error if BASE of `diff` has no kernels or the options select none of them. */
static bool selects_nothing(struct session *session)
{
    const struct kernel_metrics_set *base = &session->baseline.stored.kernels;
    size_t left_out = 0;
    for (size_t at = 0; at < base->count; at++)
        left_out += base->items[at].deselected;
    if (session->settings->allow_empty || left_out < base->count)
        return false;
    return !diag_error(&session->diags, (struct place){.path = session->baseline.path},
                       "the base has no kernels%s, there is nothing to compare",
                       base->count                            ? " that --kernel and --arch select"
                       : session->linter->options.archs.count ? " of these architectures"
                                                              : "");
}

/* Returns true with an error if BASE and HEAD both state architectures and have none in common. */
static bool has_other_archs(struct session *session)
{
    SCOPED(intern) base_archs = {0}, head_archs = {0};
    SCOPED(buf) base = {0}, head = {0};
    list_archs(&session->baseline.stored.kernels, &base_archs, &base);
    list_archs(&session->baseline.kernel_metrics, &head_archs, &head);
    if (base_archs.count == 0 || head_archs.count == 0)
        return false;
    for (uint32_t at = 0; at < head_archs.count; at++)
        if (intern_find(&base_archs, intern_get(&head_archs, at)) != INTERN_NONE)
            return false;
    return !diag_error(&session->diags, nowhere,
                       "BASE is %.*s, HEAD is %.*s: architectures are not compared with each other",
                       STR_ARG(buf_str(&base)), STR_ARG(buf_str(&head)));
}

bool baseline_session_is_other(struct session *session)
{
    if (selects_nothing(session))
        return true;
    bool judged = session->baseline.compared && session->linter->counts.entries > 0;
    if (!judged || session->settings->allow_missing || !saw_nothing(&session->baseline.comparison))
        return false;
    return has_other_archs(session) ||
           !diag_error(&session->diags, (struct place){.path = session->baseline.path},
                       "no kernel of BASE is in HEAD (none of %zu kernel x arch): if all were renamed, --allow-missing "
                       "accepts that and shows them as gone and new; else these are builds of two projects",
                       (size_t)session->baseline.comparison.counts.expected);
}

bool baseline_session_has_columns(struct session *session)
{
    const struct comparison *comparison = &session->baseline.comparison;
    bool ok = true;
    for (size_t at = 0; at < comparison->column_count; at++)
        if (comparison->columns[at].unsure)
            ok = diag_error(&session->diags, (struct place){.path = session->baseline.path},
                            "the baseline has columns of several toolkits and the log does not say which one compiled; "
                            "--toolkit X.Y says it");
    return ok;
}

/* Returns false with an error (in `wrap` with a warning) if it is unknown for every kernel whether it got worse; with
 * --strict, if it is unknown for any kernel. A compile under `wrap` is not compared with linked numbers, because its
 * link runs later. */
static bool check_unanswered(struct session *session)
{
    struct unanswered unanswered = compare_unanswered(&session->baseline.comparison);
    if (session->partial_build) {
        unanswered.count -= unanswered.lost_link;
        unanswered.lost_link = 0;
    }
    const bool is_base = session->baseline.is_base, some = unanswered.count < unanswered.compared;
    const char *why = "does not state what they needed", *fix = "compare with a whole log or records of `wrap`";
    if (unanswered.count == 0 || (some && !session->settings->strict))
        return true;
    if (unanswered.lost_link) {
        why = is_base ? "states what their link took, and HEAD only what their compile needed"
                      : "states what their link took, and the input only what their compile needed";
        fix = "link with -Xnvlink=-v, or give the program too (--objects PATH)";
    } else if (!is_base) {
        fix = "`warplint baseline update` takes the numbers of this build";
    }
    return diag_add(&session->diags, session->partial_build ? SEVERITY_WARNING : SEVERITY_ERROR,
                    (struct place){.path = session->baseline.path},
                    "%zu of %zu kernel x arch may be worse: %s %s%s%s; %s", unanswered.count, unanswered.compared,
                    is_base ? "BASE" : "the baseline", why, some ? ", which --strict does not accept" : "",
                    unanswered.lost_link ? ""
                                         : " (it is of a binary, of a debug build, of relocatable code without its "
                                           "link, or of a log that is ambiguous or lacks lines)",
                    fix);
}

bool baseline_session_trusts(struct session *session)
{
    const struct comparison *comparison = &session->baseline.comparison;
    bool ok = true;
    if (!session->baseline.compared)
        return true;
    if (session->partial_build)
        return check_unanswered(session);
    if (session->baseline.is_base && selects_nothing(session))
        return false;
    if (!session->settings->allow_missing)
        ok = trusts_missing(session);
    if (ok && saw_nothing(comparison) && !session->settings->allow_missing)
        ok = diag_error(&session->diags, (struct place){.path = session->baseline.path},
                        "no entry of the baseline was seen: the input has none of its %zu kernel x arch; if all were "
                        "renamed, write it anew (`warplint baseline write`), or accept that with --allow-missing; if "
                        "it is of another project, give this one's",
                        (size_t)comparison->counts.expected);
    ok = baseline_session_has_columns(session) && ok;
    return check_unanswered(session) && ok;
}

void baseline_session_free(struct baseline_session *baseline_session)
{
    acceptance_free(baseline_session->acceptance);
    if (baseline_session->compared)
        compare_free(&baseline_session->comparison);
    free(baseline_session->kernel_metrics.items);
    baseline_free(&baseline_session->stored);
    intern_free(&baseline_session->strings);
    buf_free(&baseline_session->root);
    buf_free(&baseline_session->here);
    outside_free(&baseline_session->outside);
}

/* ---- builds that cannot become a baseline ----------------------------------------------------------------------- */

static bool refuse_log(struct session *session)
{
    struct place place = {0};
    enum doubt doubt = logs_doubt(&session->model);
    for (size_t at = session->model.log_count; at-- > 0;)
        if (log_doubt(&session->model.logs[at]) >= DOUBT_INTERLEAVED)
            place.path = model_string(&session->model, session->model.logs[at].path);
    return diag_error(&session->diags, place,
                      "no baseline is written of an ambiguous log: %s, and a number may be another kernel's (%s)",
                      doubt_texts[doubt].reason, doubt_texts[doubt].fix);
}

/* The last kernel of such a log may lack numbers, and no later build would be worse than an unknown number. */
static bool refuse_cut_log(struct session *session)
{
    const struct model *model = &session->model;
    EACH(const struct log_info, log, model->logs, model->log_count)
        if (log->cut)
            return diag_error(
                &session->diags, (struct place){.path = model_string(model, log->path), .line = log->lines},
                "no baseline is written of a log that ends inside a kernel or a line: give the whole log");
    return true;
}

bool baseline_session_can_be_stored(struct session *session)
{
    const struct linter_counts *counts = &session->linter->counts;
    if (session->input_failed)
        return false;
    if (counts->entries + counts->functions == 0) {
        session_explain_empty(session);
        return false;
    }
    if (counts->debug)
        return diag_error(
            &session->diags, nowhere,
            "no baseline is written of a debug build: %zu kernel x arch compiled with -G, -O0 or -Ofc=max; their "
            "registers and spills say nothing of the optimised code",
            counts->debug);
    if (!session_judges_enough(session))
        return diag_error(&session->diags, nowhere,
                          "no baseline is written of a log that lacks what rules ask for: later builds would be "
                          "compared with unknown values");
    if (!refuse_cut_log(session))
        return false;
    bool doubtful = counts->ambiguous || logs_doubt(&session->model) >= DOUBT_INTERLEAVED;
    return !doubtful || refuse_log(session);
}
