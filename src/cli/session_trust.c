/* Decides whether enough was judged for a pass, and reports why not. */
#include "cli/commands.h"
#include "cli/folder.h"
#include "cli/session.h"
#include "cli/unrecorded.h"

#include "log/name.h"
#include "report/elide.h"
#include "report/messages.h"

/* The readable name that is nearest to --kernel, or the first one. */
static struct str example_of(struct session *session)
{
    const struct model *model = &session->model;
    struct str near = name_near(model->names.strings, model->names.count, regex_pattern(session->settings->kernel));
    uint32_t first = NO_INDEX;
    for (uint32_t at = 0; at < model->kernel_count; at++) {
        const struct kernel *kernel = &model->kernels[at];
        if (kernel->kind != KERNEL_ENTRY)
            continue;
        first = first == NO_INDEX ? at : first;
        if (near.len && str_eq(kernel_name(model, kernel), near))
            return context_name(linter_record(session->linter, at));
    }
    return first == NO_INDEX ? (struct str){0} : context_name(linter_record(session->linter, first));
}

/* Reports that kernels were read and the options select none of them; lists the architectures once for all logs. */
static void explain_selection(struct session *session, struct place place)
{
    enum { NAME_BYTES = 100 };
    const struct model *model = &session->model;
    SCOPED(intern) archs = {0};
    SCOPED(buf) names = {0}, example = {0};
    struct str name = session->settings->kernel ? example_of(session) : (struct str){0};
    if (name.len) {
        buf_add(&example, STR("; --kernel is matched with names such as '"));
        elide(name, NAME_BYTES, &example);
        buf_char(&example, '\'');
    }
    for (size_t at = 0; at < model->kernel_count; at++) {
        struct str arch = kernel_arch(model, &model->kernels[at]);
        size_t before = archs.count;
        if (arch.len == 0)
            continue;
        intern_add(&archs, arch);
        if (archs.count > before)
            buf_fmt(&names, "%s%.*s", before ? ", " : "", STR_ARG(arch));
    }
    diag_error(&session->diags, model->log_count > 1 ? nowhere : place,
               "no kernels: %s none; the %s kernels for %.*s%.*s",
               session->settings->archs.count && session->settings->kernel ? "--arch and --kernel select"
               : session->settings->archs.count                            ? "--arch selects"
               : session->settings->kernel                                 ? "--kernel selects"
                                                                           : "`archs` of the configuration selects",
               model->log_count > 1 ? "logs have" : "log has",
               STR_ARG(names.len ? buf_str(&names) : STR("unknown architectures")), STR_ARG(buf_str(&example)));
}

/* Explains why a JSON file has no records. */
static struct str why_json(struct str path)
{
    enum { ENOUGH = 1 << 16 };
    SCOPED(buf) text = {0};
    if (file_read_head(path, ENOUGH, &text) && str_starts(str_trim(buf_str(&text)), STR("{")) &&
        !baseline_is_text(buf_str(&text)))
        return STR(
            "this is JSON, not a log or records; of the reports of warplint only `--format ndjson` is read back");
    return STR("this is a baseline, not a log or records; give it with --baseline, or in front of the log to `warplint "
               "baseline check` and `warplint diff`");
}

/* Explains why a log has no resource line of ptxas. */
static struct str why_no_resource_lines(struct session *session, const struct log_info *log)
{
    enum { ENOUGH = 1 << 12 };
    const struct str path = model_string(&session->model, log->path);
    const struct event *error = model_first_error(&session->model, (size_t)(log - session->model.logs));
    SCOPED(buf) head = {0}; /* with a NUL it is no log: logs in UTF-16 have lines of ptxas */
    if (log->amd_line)
        return STR("the resource lines are those of AMD's compiler, which warplint does not read");
    if (log->lines == 0 && session->settings->arguments.count <= session->inputs_from)
        return STR("no log was given, and standard input is empty; give a log, or pipe both streams of the build, "
                   "`2>&1`");
    if (log->lines == 0)
        return STR("the log is empty; pipe both streams of the build, `2>&1`");
    if (error)
        return arena_fmt(&session->arena,
                         "the compile ended with an error, line %lu, before ptxas printed the resources of kernels",
                         (unsigned long)error->log_line);
    if (str_ends(path, STR(".cu")))
        return STR(
            "this is a source file, not the log of its compile; `warplint wrap -- nvcc -c FILE` compiles and judges "
            "it");
    if (file_is_regular(path) && baseline_session_is_file(path))
        return why_json(path);
    if (log->asks_verbose)
        return STR(
            "the commands ask for resource lines (-Xptxas=-v), and none is here; keep both streams of the build, "
            "`2>&1` (--dryrun shows commands and runs none); `warplint doctor` finds the cause");
    if (file_is_regular(path) && file_read_head(path, ENOUGH, &head) && memchr(head.ptr, '\0', head.len))
        return STR("this is not text: neither a log nor a binary or a package with GPU code");
    return arena_fmt(
        &session->arena,
        "none of %llu line%s states the resources of a kernel; add -Xptxas=-v to the nvcc command line and "
        "build from scratch (an up-to-date build prints nothing); `warplint doctor` finds the cause",
        (unsigned long long)log->lines, PLURAL(log->lines));
}

/* Returns why the log has no kernels. Returns an empty string if that was reported already, or if the options select
 * none of its kernels; then it sets *selection. */
static struct str why_empty(struct session *session, const struct log_info *log, bool *selection)
{
    const struct str told = {"", 0};
    if (log->unread)
        return told;
    if (log->no_code)
        return STR("the compile made no machine code (PTX only, or -dlto), so ptxas did not run; compile for an "
                   "architecture (-arch=sm_90), or judge the device link");
    if (log->unread_members || log->unread_entries)
        return session->input_failed ? told : STR("none of it could be judged");
    if (!log->verbose)
        return why_no_resource_lines(session, log);
    if (session->linter->counts.deselected) {
        *selection = true;
        return told;
    }
    if (log->wrapped_line || log->unowned_line)
        return STR("no kernel is stated whole, see the warnings; `warplint doctor` finds the cause");
    if (log->lines)
        return STR("ptxas printed no entry function (device functions alone are not judged)");
    return session->input_failed ? told : STR("device functions alone are not judged; give the program");
}

void session_explain_empty(struct session *session)
{
    const struct model *model = &session->model;
    bool selection = false;
    if (model->log_count == 0 && !session->input_failed)
        diag_error(&session->diags, nowhere,
                   "no kernels: PTX says what kernels declare, not what they need; give the log or the binary too");
    EACH(const struct log_info, log, model->logs, model->log_count) {
        struct str why = why_empty(session, log, &selection);
        if (why.len)
            diag_error(&session->diags, (struct place){.path = folder_log_path(model, log, &session->arena)},
                       "no kernels: %.*s", STR_ARG(why));
    }
    if (selection)
        explain_selection(session, (struct place){.path = model_string(model, model->logs[0].path)});
}

bool session_is_ambiguous(const struct session *session)
{
    return session->linter->counts.ambiguous || logs_doubt(&session->model) >= DOUBT_TORN;
}

void session_warn_past_bound(struct session *session)
{
    if (session->linter->counts.past_bound)
        diag_warning(&session->diags, nowhere,
                     "--threads is above the launch bounds of some kernels: these are judged at their own bounds");
    if (session->linter->counts.overruled)
        diag_warning(&session->diags, nowhere,
                     "%s is not used for some kernels: they require another block size (`__block_size__`, or Triton's)",
                     session->linter->options.launch_config.threads > 0 ? "--threads" : "`threads` in .warplint.yaml");
}

bool session_judges_debug(const struct session *session)
{
    const struct ruleset *rules = session->linter->rules;
    EACH(const struct rule, rule, rules->rules, rules->count)
        if (rule->debug_builds && rule->kind == RULE_KERNEL && !rule->builtin && rule_is_on(rule) &&
            rule->severity >= session->fail_on)
            return true;
    return false;
}

bool session_judges_enough(struct session *session)
{
    const enum unjudged most = linter_most_unjudged(session->linter);
    SCOPED(buf) text = {0};
    /* Kernels whose code does not access local memory can be judged from binaries alone; the others may spill. */
    bool enough = most == UNJUDGED_NONE || (most == UNJUDGED_SOME && !session->settings->strict), binaries = true;
    for (size_t k = 0; k < session->model.kernel_count; k++)
        binaries &= session->model.kernels[k].producer == PRODUCER_BINARY;
    if (enough && (most == UNJUDGED_NONE || !binaries))
        return true;
    uint32_t first = unjudged_text(session->linter, most, &text);
    const struct kernel *kernel = &session->model.kernels[first];
    const struct log_info *log = &session->model.logs[kernel->log];
    struct place place = {.path = folder_log_path(&session->model, log, &session->arena), .line = kernel->log_line};
    session->report.says_unjudged = true;
    return diag_error(&session->diags, place, "%.*s", STR_ARG(buf_str(&text)));
}

static bool is_pattern_failing(const struct linter *linter)
{
    const enum severity fail_on = linter->options.fail_on;
    for (size_t at = 0; at < linter->rules->count && fail_on != SEVERITY_OFF; at++) {
        const struct rule *rule = &linter->rules->rules[at];
        if (rule->kind == RULE_PATTERN && rule_is_on(rule) && rule->severity >= fail_on)
            return true;
    }
    return false;
}

/* Finds a rule that can fail the verdict, was asked for, and could judge no kernel; with --strict also a user's rule
 * that could not judge some records. Asked for are the user's rules, and the built-in rules that the configuration
 * turned on. (Users cannot change the `when` of a built-in rule to ask what is known.) Returns its index; NO_INDEX if
 * there is none. */
static size_t find_unjudged_rule(const struct linter *linter, bool strict)
{
    const enum severity fail_on = linter->options.fail_on;
    for (size_t at = 0; at < linter->rules->count && fail_on != SEVERITY_OFF; at++) {
        const struct rule *rule = &linter->rules->rules[at];
        const struct not_judged *counted = &linter->not_judged[at];
        const size_t judged = linter->counts.entries - (rule->debug_builds ? 0 : linter->counts.debug);
        const bool asked = rule->kind == RULE_KERNEL && !rule->asks_baseline && rule->severity >= fail_on &&
                           (!rule->builtin || rule->turned_on);
        const bool none = judged && counted->entries >= judged;
        const bool some = judged && !rule->builtin && (counted->entries || counted->functions);
        if (asked && (none || (strict && some)))
            return at;
    }
    return NO_INDEX;
}

static bool refuse_unjudged_rule(struct session *session, size_t number)
{
    const struct linter *linter = session->linter;
    const struct not_judged *counted = &linter->not_judged[number];
    const struct str field = counted->unknown ? str_of(field_table[counted->unknown - 1].name) : (struct str){0};
    SCOPED(buf) text = {0};
    buf_fmt(&text, "rule %.*s could not judge ", STR_ARG(linter->rules->rules[number].id));
    if (counted->entries)
        buf_fmt(&text, "%zu of %zu kernel x arch: ", counted->entries, linter->counts.entries);
    else
        buf_fmt(&text, "%zu of %zu device functions: ", counted->functions, linter->counts.functions);
    if (field.len)
        buf_fmt(&text, "%.*s is not known; give an input or an option that states it, ask `known(%.*s)` in the rule",
                STR_ARG(field), STR_ARG(field));
    else
        buf_add(&text, STR("a value that it needs is not known; give an input or an option that states it"));
    return diag_error(&session->diags, nowhere, "%.*s, or leave the rule out with --ignore", STR_ARG(buf_str(&text)));
}

bool session_any_rule(struct session *session)
{
    const struct ruleset *rules = session->linter->rules;
    for (size_t at = 0; at < rules->count; at++)
        if (rule_is_on(&rules->rules[at]))
            return true;
    diag_warning(&session->diags, nowhere,
                 "no rule is on: --select, --ignore and the configuration leave none, so nothing was judged");
    return false;
}

/* The part of session_check_completeness that applies only with --strict. */
static bool check_strictly(struct session *session)
{
    struct diags *diags = &session->diags;
    size_t unmet = session->linter->counts.unmet;
    if (session_is_ambiguous(session))
        return diag_error(diags, nowhere, "the log is ambiguous: %s; --strict does not accept such a log",
                          doubt_texts[logs_doubt(&session->model)].reason);
    if (unmet)
        return diag_error(diags, nowhere,
                          "the configuration has %zu %s for kernels that are not in the input, which --strict does not "
                          "accept: remove them, or correct the names of the kernels",
                          unmet, unmet == 1 ? "entry or rule" : "entries or rules");
    if (session->baseline.unknown_variants)
        return diag_error(
            diags, nowhere,
            "it is not known with which target of the baseline %zu kernel x arch are to be compared, which "
            "--strict does not accept",
            session->baseline.unknown_variants);
    if (session->lacks_links_only)
        return diag_error(diags, nowhere,
                          "a device link has no record, so its numbers are not judged, which --strict does not "
                          "accept: " UNRECORDED_LINK_ADVICE);
    if (session->records_mismatch)
        return diag_error(diags, nowhere,
                          "the records are not those of what was built, which --strict does not accept: build again");
    if (session->patterns_not_judged && is_pattern_failing(session->linter))
        return diag_error(diags, nowhere,
                          "rules with a pattern saw no lines of some inputs, which --strict does not accept: give the "
                          "logs, or leave the rules out with --ignore");
    return !session->partial_reason ||
           diag_error(diags, nowhere, "%s: --strict does not accept the log of a part of a build",
                      session->partial_reason);
}

bool session_check_completeness(struct session *session)
{
    const struct settings *settings = session->settings;
    const struct linter_counts *counts = &session->linter->counts;
    const bool any_rule = session_any_rule(session), may_be_empty = settings->allow_empty || session->partial_build;
    if (session->input_failed)
        return false;
    if (counts->entries == 0 && !may_be_empty) {
        session_explain_empty(session);
        return false;
    }
    if (counts->entries && counts->debug == counts->entries && !may_be_empty && !session_judges_debug(session))
        return diag_error(
            &session->diags, nowhere,
            "only debug builds: rules leave out what is compiled with -G, -O0 or -Ofc=max, so no kernel was "
            "judged; compile without them, or --allow-empty lets it pass");
    if (!session_judges_enough(session))
        return false;
    const size_t unjudged = find_unjudged_rule(session->linter, settings->strict);
    if (unjudged != NO_INDEX)
        return refuse_unjudged_rule(session, unjudged);
    if (settings->strict && !any_rule)
        return diag_error(&session->diags, nowhere,
                          "no rule is on, which --strict does not accept: nothing was judged");
    return baseline_session_trusts(session) && (!settings->strict || check_strictly(session));
}
