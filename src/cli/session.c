#include "cli/session.h"

#include "base/date.h"
#include "cli/commands.h"
#include "cli/folder.h"
#include "cli/kernel_choice.h"
#include "cli/unrecorded.h"
#include "log/binary_check.h"
#include "log/reader.h"

#include <stdlib.h>

/* Appends the path of the configuration; returns false if there is none. */
static bool find_config(const struct session *session, struct buf *path)
{
    const struct settings *settings = session->settings;
    if (settings->config.len)
        buf_add(path, settings->config);
    if (settings->config.len || settings->no_config || session->ignores_found_config)
        return settings->config.len > 0;
    for (size_t at = 0; session->sources && at < session->sources->count; at++)
        if (config_find(path_folder(session->sources->items[at]), path))
            return true;
    return config_find((struct str){"", 0}, path);
}

bool session_config(struct session *session)
{
    const struct settings *settings = session->settings;
    SCOPED(buf) path = {0};
    bool wanted = find_config(session, &path);
    bool ok = date_today(&session->today, &session->diags);
    if (!settings->config.len && str_eq(path_name(buf_str(&path)), STR(CONFIG_WRONG_NAME)))
        wanted = ok =
            diag_error(&session->diags, (struct place){.path = buf_str(&path)},
                       "a configuration has the name " CONFIG_NAME ": rename this one (--no-config leaves it out)");
    enum input_allowed allowed = settings->config.len ? INPUT_ANY : INPUT_REGULAR;
    ok &= !wanted || config_load(&session->config, buf_str(&path), allowed, &session->diags);
    session->fail_on = settings->fail_on >= 0        ? (enum severity)(SEVERITY_ERROR - settings->fail_on)
                       : session->config.has_fail_on ? session->config.fail_on
                                                     : SEVERITY_WARNING;
    return ok;
}

bool session_add_own_rules(struct session *session, struct ruleset *rules)
{
    const struct str_list *folders = &session->settings->rule_dirs;
    bool ok = config_add_rules(&session->config, rules, &session->diags);
    for (size_t at = 0; at < folders->count; at++)
        ok &= ruleset_load_dir(rules, folders->items[at], &session->diags);
    return ok;
}

bool session_rules(struct session *session)
{
    const struct settings *settings = session->settings;
    struct diags *diags = &session->diags;
    size_t first = diags->count;
    bool ok = session_config(session);
    ok &= ruleset_load_builtin(&session->rules, diags);
    ok &= session_add_own_rules(session, &session->rules);
    ok &= config_apply(&session->config, &session->rules, diags);
    ok = ok && ruleset_check(&session->rules, diags);
    bool whole = ok; /* if rules were wrong, a name that is not found here may be that of a wrong rule */
    for (size_t at = 0; at < settings->selects.count && whole; at++)
        ok &= ruleset_select(&session->rules, settings->selects.items[at], &session->diags);
    for (size_t at = 0; at < settings->selects.count && ok; at++)
        ruleset_check_select(&session->rules, settings->selects.items[at], diags);
    for (size_t at = 0; at < settings->ignores.count && whole; at++)
        ok &= ruleset_ignore(&session->rules, settings->ignores.items[at], &session->diags);
    diags_sort(diags, first);
    return ok;
}

bool session_rules_anyway(struct session *session)
{
    if (session_rules(session))
        return true;
    if (session->settings->config.len || session->settings->no_config)
        return false;
    struct diags earlier = session->diags;
    session->diags = (struct diags){0};
    ruleset_free(&session->rules);
    config_free(&session->config);
    session->ignores_found_config = true;
    bool ok = session_rules(session);
    diags_free(&session->diags);
    session->diags = earlier;
    if (!ok)
        return false;
    for (size_t at = 0; at < session->diags.count; at++)
        session->diags.items[at].severity = SEVERITY_WARNING;
    session->diags.errors = 0;
    diag_warning(&session->diags, nowhere,
                 "the configuration is left out, because it is broken: what follows is of the built-in settings");
    return true;
}

/* Returns false with an error if a report would overwrite this file, which is read. */
static bool spares_input(struct session *session, struct str input)
{
    return !file_exists(input) || !outputs_replacing(&session->settings->outputs, input).len ||
           diag_error(&session->diags, (struct place){.path = input},
                      "a report would take the place of this input, give the report another name");
}

static bool spares_inputs(struct session *session)
{
    const struct settings *settings = session->settings;
    const struct config *config = &session->config;
    const struct str_list *lists[] = {&settings->arguments, &settings->objects, &settings->launches};
    bool ok = spares_input(session, settings->baseline.len ? settings->baseline : config->baseline);
    for (size_t list = 0; list < sizeof lists / sizeof *lists; list++)
        for (size_t at = 0; ok && at < lists[list]->count; at++)
            ok = spares_input(session, lists[list]->items[at]);
    for (size_t at = 0; ok && at < config->file_count; at++)
        ok = spares_input(session, config->files[at].path);
    for (size_t at = 0; ok && at < session->rules.count; at++)
        ok = spares_input(session, session->rules.rules[at].path);
    return ok;
}

/* True, with a warning, if an earlier --launches names the same file: its launches would count twice. */
static bool is_profile_again(struct session *session, size_t number)
{
    const struct str_list *profiles = &session->settings->launches;
    for (size_t at = 0; at < number; at++)
        if (file_is_regular(profiles->items[number]) && file_same(profiles->items[at], profiles->items[number])) {
            diag_warning(&session->diags, (struct place){.path = profiles->items[number]},
                         "this profile is given twice, and read once");
            return true;
        }
    return false;
}

bool session_begin(struct session *session)
{
    const struct settings *settings = session->settings;
    if (!spares_inputs(session))
        return false;
    for (size_t at = 0; at < settings->launches.count; at++) {
        if (is_profile_again(session, at))
            continue;
        session->profile_failed |= !profile_read(&session->profile, settings->launches.items[at], &session->diags);
    }
    if (session->profile_failed)
        return false;
    struct linter_options options = {
        .archs = settings->archs.count ? settings->archs : session->config.archs.names,
        .kernel = settings->kernel,
        .launch_config = settings->launch_config,
        .fail_on = session->fail_on,
        .config = &session->config,
        .profile = session->profile.count ? &session->profile : NULL,
        .today = session->today,
        .partial_build = settings->archs.count || settings->kernel || session->partial_build,
        .checkout = baseline_session_checkout(session),
    };
    options.checkout.outside = NULL; /* the names that baselines use are unknown here */
    session->linter = linter_new(&session->rules, &session->model, &options);
    return !session->compares || baseline_session_load(session);
}

int session_failure(const struct session *session)
{
    return session->profile_failed ? STATUS_UNTRUSTED : STATUS_USAGE;
}

/* True if the model has linked code: records of nvlink or another linker, or linked code of a binary. These numbers
 * count for relocatable code. */
static bool has_link(const struct model *model)
{
    EACH(const struct kernel, kernel, model->kernels, model->kernel_count)
        if (kernel_is_link(kernel) || (kernel->producer == PRODUCER_BINARY && !(kernel->flags & KERNEL_RELOCATABLE)))
            return true;
    return false;
}

/* Sets `partial` if a log shows that a part of the build is missing. Either the log ends inside a record, or it has no
 * resource line of ptxas while other logs have some, or its compile made no machine code and the input has no link. */
static void find_partial_logs(struct session *session)
{
    for (size_t at = 0; at < session->model.log_count && !session->partial_reason; at++) {
        const struct log_info *log = &session->model.logs[at];
        if (log->cut)
            session->partial_reason = "a log ends inside a kernel or a line";
        else if (log_lacks_resource_lines(log))
            session->partial_reason = "a log has no resource line of ptxas";
        else if (log->no_code && !has_link(&session->model))
            session->partial_reason =
                "a compile made no machine code (PTX only, or -dlto), and no link is in the input";
    }
}

/* Warns of relocatable code without its link. A kernel that calls functions of other sources gets registers and stack
 * for them at the link, and the link allocates the shared memory of template instances. */
static void warn_unlinked(struct session *session)
{
    const struct model *model = &session->model;
    if (has_link(model))
        return;
    EACH(const struct kernel, kernel, model->kernels, model->kernel_count) {
        const struct log_info *log = &model->logs[kernel->log];
        if (kernel->kind != KERNEL_ENTRY || !kernel_is_relocatable(model, kernel) || session->report.unlinked++)
            continue;
        session->partial_reason =
            session->partial_reason ? session->partial_reason : "relocatable code is judged without its link";
        diag_warning(&session->diags,
                     (struct place){.path = folder_log_path(model, log, &session->arena),
                                    .line = log->compiled ? 0 : log->rdc_line},
                     "relocatable code is judged with the registers, stack and shared memory of its compile, and its "
                     "link may take more (the shared memory of templates is stated by the link alone): link with "
                     "-Xnvlink=-v, or give the program too (--objects PATH)");
    }
}

bool session_judge(struct session *session)
{
    bounds_finish(&session->declared, &session->model, 0);
    model_link(&session->model);
    model_check_binaries(&session->model);
    unrecorded_leave_linked(&session->unrecorded, &session->model);
    session->lacks_links_only = !session->records_mismatch && unrecorded_are_links(&session->unrecorded);
    session->records_mismatch |= !unrecorded_warn(&session->unrecorded, &session->diags);
    if (session->records_mismatch && !session->report.partial_reason)
        session->report.partial_reason = "some records and objects do not match (see the warnings)";
    labels_init(&session->labels, &session->model.names);
    kernel_select(session);
    baseline_session_compare(session);
    find_partial_logs(session);
    if (!session->partial_build)
        warn_unlinked(session);
    bool *incomplete = &session->linter->options.incomplete; /* the input may lack a part of the build */
    *incomplete = session->input_failed || session->records_mismatch || session->partial_reason;
    EACH(const struct log_info, log, session->model.logs, session->model.log_count)
        *incomplete |= log->no_code;
    if (!linter_run(session->linter, &session->diags))
        return false;
    if (session->baseline.compared && !session->report.partial_reason &&
        compare_unanswered(&session->baseline.comparison).count)
        session->report.partial_reason = "some of the old numbers of its kernels are not known";
    session->report.part_not_judged =
        session->partial_reason || session->records_mismatch || session->report.partial_reason;
    groups_make(&session->groups, session->linter, false);
    return true;
}

bool session_read_and_judge(struct session *session)
{
    if (!session_begin(session))
        return false;
    session_read_inputs(session);
    session_read_objects(session);
    return session_judge(session);
}

void session_free(struct session *session)
{
    labels_free(&session->labels);
    groups_free(&session->groups);
    linter_free(session->linter);
    regex_free(session->kernel);
    profile_free(&session->profile);
    baseline_session_free(&session->baseline);
    model_free(&session->model);
    ruleset_free(&session->rules);
    config_free(&session->config);
    free(session->inputs);
    free(session->unrecorded.items);
    intern_free(&session->files);
    free(session->first_paths.items);
    arena_free(&session->arena);
    print_diags(&session->diags);
}
