/* init: writes a first configuration and a baseline of the given logs, and prints a block for the CI system of the
 * checkout. */
#include "base/escape.h"
#include "cli/commands.h"
#include "cli/init/init.h"
#include "report/markup.h"
#include "report/messages.h"

#include <stddef.h>
#include <stdio.h>

#define BASELINE_NAME "warplint-baseline.json"

struct init_settings {
    struct settings common;
    int ci;     /* index in ci_systems of the block to print; its length: none; -1: the systems of the checkout */
    bool force; /* overwrite existing files */
};

/* ---- existing files --------------------------------------------------------------------------------------------- */

static bool is_free(const struct init_settings *settings, struct str path, struct diags *diags)
{
    return settings->force || !file_exists(path) ||
           diag_error(diags, (struct place){.path = path}, "is there already; --force writes it again");
}

/* Warns of a configuration in a folder above, which the new one replaces here. */
static void say_hidden(struct diags *diags)
{
    SCOPED(buf) path = {0};
    if (!file_exists(STR(CONFIG_NAME)) && config_find((struct str){"", 0}, &path))
        diag_warning(diags, (struct place){.path = buf_str(&path)},
                     "is in force here; the new one takes its place in this folder (`extends: %.*s` keeps it)",
                     STR_ARG(buf_str(&path)));
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static bool write_baseline(struct session *session, struct str path, struct buf *notes)
{
    SCOPED(baseline) baseline = {0};
    baseline_session_measure(session, &baseline);
    if (!baseline_session_write(session, &baseline, path))
        return false;
    const struct report judged = {.linter = session->linter, .model = &session->model};
    text_fmt(notes, "wrote %.*s: ", STR_ARG(path));
    judged_kernels(&judged, notes);
    buf_add(notes, STR(", known and accepted\n"));
    return true;
}

/* ---- CI --------------------------------------------------------------------------------------------------------- */

/* True if the checkout has a Makefile and no CMakeLists.txt. */
static bool uses_make(void)
{
    return file_exists(STR("Makefile")) && !file_exists(STR("CMakeLists.txt"));
}

/* Appends how to judge the build without a CI system, or the steps that its block needs first. */
static void add_build(size_t blocks, bool records, struct buf *notes)
{
    const bool make = uses_make();
    if (make && !(blocks && records))
        buf_add(notes, STR("\nto judge every compile as it is made:\n"
                           "warplint wrap --install-shim shim\n"
                           "make -B NVCC=\"$PWD/shim/bin/nvcc\" CUDA_HOME=\"$PWD/shim\"\n"));
    else if (blocks)
        ci_add_before(make, records, notes);
}

/* `records`: the inputs are the records of a build. */
static void add_ci(const struct init_settings *settings, bool records, struct buf *notes)
{
    size_t blocks = 0;
    for (int at = 0; at < (int)ci_system_count; at++) {
        if (settings->ci >= 0 ? settings->ci != at : !file_exists(str_of(ci_systems[at].sign)))
            continue;
        blocks++;
        ci_add_block(&ci_systems[at], uses_make(), records, notes);
    }
    if (blocks == 0 && settings->ci < 0) {
        const struct str_list *inputs = &settings->common.arguments;
        buf_add(notes, STR("no CI system is set up here; `warplint init --ci github"));
        for (size_t at = 0; at < inputs->count; at++) {
            buf_char(notes, ' ');
            shell_word(inputs->items[at], notes);
        }
        buf_add(notes, STR("` prints its block\n"));
    }
    add_build(blocks, records, notes);
}

/* Prints only the block of the CI system. The inputs, if any, decide whether it judges a log or records. */
static int print_block(struct session *session, const struct init_settings *settings)
{
    const bool has_log = settings->common.arguments.count > 0;
    SCOPED(buf) notes = {0};
    if (has_log && !(session_rules(session) && session_read_and_judge(session)))
        return STATUS_USAGE;
    if (session->input_failed)
        return STATUS_UNTRUSTED;
    add_ci(settings, has_log && inputs_are_records(&session->model), &notes);
    return command_print(&notes, &session->diags);
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static bool write_both(struct session *session, const struct init_settings *settings, struct str baseline,
                       struct buf *notes)
{
    SCOPED(buf) config = {0};
    if (baseline.len && !write_baseline(session, baseline, notes))
        return false;
    init_config(session, baseline, &config);
    if (file_write(STR(CONFIG_NAME), buf_str(&config), &session->diags)) {
        buf_add(notes, STR("wrote " CONFIG_NAME ": every setting, as a comment\n"));
        return true;
    }
    buf_clear(notes);
    if (baseline.len && !settings->force) /* no configuration names it, and it would block the next `init` */
        remove(arena_cstr(&session->arena, baseline));
    return false;
}

static int run(struct session *session, void *given)
{
    struct init_settings *settings = given;
    bool has_log = settings->common.arguments.count > 0;
    struct str baseline = !has_log                        ? (struct str){"", 0}
                          : settings->common.baseline.len ? settings->common.baseline
                                                          : STR(BASELINE_NAME);
    SCOPED(buf) notes = {0};
    settings->common.no_config = true; /* `init` writes it */
    const bool names_ci = settings->ci >= 0 && settings->ci < (int)ci_system_count;
    if (names_ci && !settings->force && file_exists(STR(CONFIG_NAME)))
        return print_block(session, settings);
    if (has_log && file_same_place(baseline, STR(CONFIG_NAME)))
        return usage_error(&session->diags, "the baseline would be written to '%.*s', as is the configuration",
                           STR_ARG(baseline));
    if (!is_free(settings, STR(CONFIG_NAME), &session->diags) ||
        (has_log && !is_free(settings, baseline, &session->diags)) || !session_rules(session))
        return STATUS_USAGE;
    if (has_log && !session_read_and_judge(session))
        return STATUS_USAGE;
    if (has_log && !baseline_session_can_be_stored(session)) {
        diag_warning(&session->diags, nowhere,
                     "nothing is written; without a log `init` writes the configuration alone");
        return STATUS_UNTRUSTED;
    }
    say_hidden(&session->diags);
    bool ok = write_both(session, settings, baseline, &notes);
    if (ok)
        add_ci(settings, has_log && inputs_are_records(&session->model), &notes);
    int status = command_print(&notes, &session->diags);
    return ok ? status : STATUS_UNTRUSTED;
}

static const struct option_row options[] = {
    {"baseline", 0, "FILE", set_path, offsetof(struct init_settings, common.baseline),
     "baseline to write; default: warplint-baseline.json"},
    {"ci", 0, "azure|github|gitlab|jenkins|none", set_word, offsetof(struct init_settings, ci),
     "CI system to print the block of; default: what the checkout uses"},
    {"force", 0, NULL, set_flag, offsetof(struct init_settings, force), "overwrite existing files"},
};
static const struct init_settings defaults = {.ci = -1};

const struct command command_init = {
    .name = "init",
    .what = "write a first configuration and a baseline",
    .usage = "usage: warplint init [OPTIONS] [LOG|DIR|-]...\n\n"
             "Write .warplint.yaml with every setting as a comment; with a log also its\n"
             "kernels and a baseline. Print the block for the CI system of the checkout.\n",
    .statuses = "Exit status: 0 written, 2 wrong command line, or the file exists, 3 the log is\n"
                "empty, from a debug build or interleaved, or a file could not be read or\n"
                "written.\n",
    OPTIONS(options),
    .settings_bytes = sizeof defaults,
    .defaults = &defaults,
    .run = run,
};
