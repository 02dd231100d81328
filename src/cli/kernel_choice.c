#include "cli/kernel_choice.h"

#include "cli/commands.h"
#include "log/name.h"
#include "log/spelling.h"
#include "report/column.h"
#include "report/location.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void kernel_names_free(struct kernel_names *names)
{
    free(names->items);
}

bool kernel_names_have(const struct kernel_names *names, uint32_t name)
{
    for (size_t at = 0; at < names->count; at++)
        if (names->items[at] == name)
            return true;
    return false;
}

/* True for a selected kernel or device function, but not for a record that is combined with one of ptxas. */
static bool is_judged(struct session *session, uint32_t at, bool function)
{
    const struct kernel *kernel = &session->model.kernels[at];
    return kernel->kind == (function ? KERNEL_FUNCTION : KERNEL_ENTRY) &&
           !context_is_secondary(&session->model, kernel) && linter_selects(session->linter, at);
}

/* The ways in which a word can match a name; a later way is used only if the earlier ones match nothing. */
enum way { BY_MANGLED, BY_SPELLING, BY_LABEL, BY_TEMPLATE, BY_PATTERN, ANY_NAME };

struct wanted {
    enum way way;
    struct str word;       /* BY_TEMPLATE: the name of the template; BY_PATTERN and ANY_NAME: empty */
    struct regex *pattern; /* BY_PATTERN */
};

static bool is_wanted(struct session *session, const struct wanted *wanted, struct context *context)
{
    const struct str word = wanted->word, mangled = context_mangled(context);
    SCOPED(buf) shorter = {0};
    switch (wanted->way) {
    case BY_MANGLED: return str_eq(mangled, word);
    case BY_SPELLING:
        spell_kernel(mangled, &shorter); /* without return type and parameters */
        return str_eq(buf_str(&shorter), word) || str_eq(mangled, word) || str_eq(context_name(context), word) ||
               str_eq(context_kernel_id(context), word);
    case BY_LABEL: return str_eq(label_of(&session->labels, mangled), word);
    case BY_TEMPLATE: name_template(mangled, &shorter); return str_eq(buf_str(&shorter), word);
    case BY_PATTERN: return name_match(wanted->pattern, context_name(context), NULL) == REGEX_YES;
    case ANY_NAME: break;
    }
    return true;
}

static void find_names(struct session *session, const struct wanted *wanted, struct kernel_names *names)
{
    SCOPED(context) context = {0};
    for (uint32_t at = 0; at < session->model.kernel_count; at++) {
        const struct kernel *kernel = &session->model.kernels[at];
        bool may_be = names->any || is_judged(session, at, names->functions);
        if (!may_be || kernel_names_have(names, kernel->name))
            continue;
        context_set(&context, &session->model, kernel, &session->linter->options.launch_config);
        if (is_wanted(session, wanted, &context))
            *MEM_ADD(names->items, names->count, names->cap) = kernel->name;
    }
}

/* Prints the diagnostics so far and then the first of the names to standard error, one name a line, as reports show
 * them. */
static void list_names(struct session *session, const struct kernel_names *names)
{
    SCOPED(buf) list = {0};
    enum { MOST = 20 };
    for (size_t at = 0; at < names->count && at < MOST; at++) {
        const struct str label = label_of(&session->labels, intern_get(&session->model.names, names->items[at]));
        buf_fmt(&list, "  %.*s\n", STR_ARG(label));
    }
    if (names->count > MOST)
        buf_fmt(&list, "  ... and %zu more\n", names->count - MOST);
    print_diags(&session->diags);
    fwrite(list.ptr ? list.ptr : "", 1, list.len, stderr);
}

void kernel_refuse(struct session *session, struct str wanted, const struct kernel_names *names, bool several)
{
    if (names->count) {
        SCOPED(buf) hint = {0};
        if (several) {
            buf_add(&hint, STR(", or '"));
            name_template(intern_get(&session->model.names, names->items[0]), &hint);
            buf_add(&hint, STR("<*>' for all instances"));
        }
        diag_error(&session->diags, nowhere, "'%.*s' fits %zu kernels; give one of these names%.*s", STR_ARG(wanted),
                   names->count, STR_ARG(buf_str(&hint)));
        list_names(session, names);
        return;
    }
    SCOPED(kernel_names) all = {0}, functions = {.functions = true};
    find_names(session, &(struct wanted){.way = BY_SPELLING, .word = wanted}, &functions);
    find_names(session, &(struct wanted){.way = ANY_NAME}, &all);
    if (all.count == 0) { /* `where` reads device functions alone too */
        all.functions = true;
        find_names(session, &(struct wanted){.way = ANY_NAME}, &all);
        diag_error(&session->diags, nowhere, "no device function is called '%.*s', the input has %zu:", STR_ARG(wanted),
                   all.count);
        list_names(session, &all);
        return;
    }
    diag_error(&session->diags, nowhere,
               functions.count ? "'%.*s' is a device function, expected a kernel; the input has %zu:"
                               : "no kernel is called '%.*s', the input has %zu:",
               STR_ARG(wanted), all.count);
    list_names(session, &all);
}

/* Tries the ways from that of `wanted` to `last` until one finds names: first of kernels, then, if the caller wants
 * them too, of device functions. */
static void find_in_turn(struct session *session, struct wanted wanted, enum way last, struct kernel_names *names)
{
    const enum way first = wanted.way;
    for (int function = 0; function <= names->also_functions && names->count == 0; function++) {
        names->functions = function;
        for (wanted.way = first; wanted.way <= last && names->count == 0; wanted.way++)
            find_names(session, &wanted, names);
    }
    names->functions &= names->count > 0;
}

/* Returns false with an error if the word is not a valid pattern or matching takes too many steps. */
static bool find_by_pattern(struct session *session, struct str word, struct kernel_names *names)
{
    struct regex_error error = {0};
    struct regex *pattern = regex_new(word, &error);
    bool ok = pattern != NULL;
    if (ok)
        find_in_turn(session, (struct wanted){.way = BY_PATTERN, .pattern = pattern}, BY_PATTERN, names);
    else
        diag_error(&session->diags,
                   (struct place){.path = STR("KERNEL"), .line = 1, .column = error.offset + 1, .source = word},
                   "no kernel has this name, and as a pattern: %.*s", STR_ARG(buf_str(&error.message)));
    if (ok && regex_limit_reached(pattern))
        ok = diag_error(&session->diags, nowhere, "matching '%.*s' takes too many steps, give the name itself",
                        STR_ARG(word));
    regex_free(pattern);
    buf_free(&error.message);
    return ok;
}

bool kernel_find(struct session *session, struct str word, struct kernel_names *names)
{
    static const struct str all_instances = STR_INIT("<*>");
    bool all = str_ends(word, all_instances);
    struct wanted wanted = {.way = BY_MANGLED, .word = word};
    if (all)
        wanted = (struct wanted){.way = BY_TEMPLATE, .word = str_sub(word, 0, word.len - all_instances.len)};
    find_in_turn(session, wanted, BY_TEMPLATE, names);
    return names->count > 0 || all || find_by_pattern(session, word, names);
}

/* A pattern that matches exactly these names; NULL if they are too long for a pattern or not valid text. */
static struct regex *pattern_of(const struct session *session, const struct kernel_names *names)
{
    SCOPED(buf) pattern = {0}, name = {0};
    struct regex_error error = {0};
    for (size_t at = 0; at < names->count; at++) {
        buf_clear(&name);
        name_demangle(intern_get(&session->model.names, names->items[at]), &name);
        buf_add(&pattern, at ? STR("|^") : STR("^"));
        if (!regex_quote(buf_str(&name), &pattern))
            return NULL;
        buf_char(&pattern, '$');
    }
    struct regex *regex = regex_new(buf_str(&pattern), &error);
    buf_free(&error.message);
    return regex;
}

void kernel_select(struct session *session)
{
    struct linter_options *options = &session->linter->options;
    SCOPED(kernel_names) names = {.any = true};
    if (!options->kernel)
        return;
    find_names(session, &(struct wanted){.way = BY_PATTERN, .pattern = options->kernel}, &names);
    if (names.count || regex_limit_reached(options->kernel))
        return;
    find_in_turn(session, (struct wanted){.way = BY_MANGLED, .word = regex_pattern(options->kernel)}, BY_LABEL, &names);
    session->kernel = names.count ? pattern_of(session, &names) : NULL;
    options->kernel = session->kernel ? session->kernel : options->kernel;
}

/* ---- the answer about one kernel -------------------------------------------------------------------------------- */

struct chosen {
    struct session *session;
    const struct kernel_answer *answer;
    uint32_t name;
    bool function; /* it is a device function */
};

static bool is_chosen(const struct chosen *chosen, uint32_t kernel)
{
    return chosen->session->model.kernels[kernel].name == chosen->name &&
           is_judged(chosen->session, kernel, chosen->function);
}

/* True if two records have the same architecture: kernels of several sources, or of several compiles of one source. */
static bool are_alike(const struct chosen *chosen)
{
    const struct model *model = &chosen->session->model;
    SCOPED(intern) archs = {0};
    uint32_t count = 0;
    for (uint32_t at = 0; at < model->kernel_count; at++)
        if (is_chosen(chosen, at)) {
            intern_add(&archs, kernel_arch(model, &model->kernels[at]));
            count++;
        }
    return archs.count < count;
}

/* "k.cu:12 (build/k.o)" */
static void add_place(const struct report *report, const struct kernel *kernel, struct buf *out)
{
    const struct location source = location_of_kernel(report, kernel);
    if (source.path.len)
        location_path(report, source.path, out);
    else
        buf_add(out, STR("source not known"));
    if (source.line)
        buf_fmt(out, ":%u", source.line);
    buf_add(out, STR(" ("));
    location_path(report, model_string(report->model, report->model->logs[kernel->log].path), out);
    if (kernel->log_line)
        buf_fmt(out, ":%u", kernel->log_line);
    buf_add(out, STR(")\n"));
}

static void write_text(const struct chosen *chosen, struct buf *out)
{
    struct session *session = chosen->session;
    const bool alike = are_alike(chosen);
    buf_fmt(out, "%.*s\n", STR_ARG(label_of(&session->labels, intern_get(&session->model.names, chosen->name))));
    for (uint32_t at = 0; at < session->model.kernel_count; at++) {
        if (!is_chosen(chosen, at))
            continue;
        buf_char(out, '\n');
        if (alike)
            add_place(&session->report, &session->model.kernels[at], out);
        chosen->answer->text(&session->report, at, out);
    }
}

/* Writes the record of the kernel, and what the answer adds to it. */
static void add_record(const struct chosen *chosen, uint32_t kernel, struct json *json)
{
    const struct report *report = &chosen->session->report;
    json_open(json, '{');
    json_pair_str(json, "type", STR("kernel"));
    column_json(report, kernel, json);
    if (chosen->answer->json)
        chosen->answer->json(report, kernel, json);
    json_close(json, '}');
}

static void write_json(const struct chosen *chosen, struct buf *out)
{
    struct json json = {.out = out};
    document_open(&json, chosen->answer->type);
    json_pair_open(&json, "records", '[');
    for (uint32_t at = 0; at < chosen->session->model.kernel_count; at++)
        if (is_chosen(chosen, at))
            add_record(chosen, at, &json);
    json_close_all(&json, "]}");
    buf_char(out, '\n');
}

static void write_answer(void *context, const struct output *output, struct out *out)
{
    const struct chosen *chosen = context;
    bool is_shown = str_eq(output->path, STR("-"));
    chosen->session->report.width = is_shown ? terminal_width(STDOUT_FILENO) : 0;
    (output->format->write == report_json ? write_json : write_text)(chosen, &out->text);
}

int kernels_read(struct session *session, size_t inputs_from, bool functions)
{
    session->inputs_from = inputs_from;
    if (!session_read_and_judge(session))
        return session_failure(session);
    if (session->linter->counts.entries || (functions && session->linter->counts.functions))
        return STATUS_OK;
    session_explain_empty(session);
    return STATUS_UNTRUSTED;
}

int kernel_answer(struct session *session, const struct kernel_answer *answer)
{
    SCOPED(kernel_names) names = {.also_functions = answer->functions};
    struct str wanted = session->settings->arguments.items[0];
    int status = kernels_read(session, 1, answer->functions);
    if (status != STATUS_OK)
        return status;
    if (!kernel_find(session, wanted, &names))
        return STATUS_USAGE;
    if (names.count != 1) {
        kernel_refuse(session, wanted, &names, false);
        return STATUS_USAGE;
    }
    struct chosen chosen = {.session = session, .answer = answer, .name = names.items[0], .function = names.functions};
    session_report(session, REPORT_KERNELS);
    session_warn_past_bound(session);
    bool written = write_outputs(&session->settings->outputs, write_answer, &chosen, &session->diags);
    return written && !session->input_failed ? STATUS_OK : STATUS_UNTRUSTED;
}
