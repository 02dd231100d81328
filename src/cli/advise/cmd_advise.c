/* warplint advise: the facts that help to tune one kernel, and the table of block sizes of all kernels. */
#include "base/file.h"
#include "cli/commands.h"
#include "cli/kernel_choice.h"

#include "cli/advise/advice.h"
#include "cli/advise/tuning.h"

#include <stddef.h>

struct advise_settings {
    struct settings common;
    struct candidates candidates;
    bool tuning; /* print the table for the configuration */
};

static int advise_all(struct session *session, const struct advise_settings *settings)
{
    SCOPED(buf) text = {0};
    int status = kernels_read(session, 0, false);
    if (status != STATUS_OK)
        return status;
    size_t entries = tuning_yaml(session->linter, &settings->candidates, &text);
    status = command_print(&text, &session->diags);
    if (entries == 0)
        diag_error(&session->diags, nowhere,
                   "no kernel got a block size: no launch of the profile is of a kernel here, or none can launch; "
                   "--candidates 64,128,256 chooses without a profile");
    return entries && !session->input_failed ? status : STATUS_UNTRUSTED;
}

/* ---- the command line ------------------------------------------------------------------------------------------- */

static bool add_candidates(const struct option_row *row, struct str value, void *into, struct diags *diags)
{
    struct candidates *candidates = into;
    struct str rest = value, piece;
    while (str_split(&rest, ',', &piece)) {
        uint64_t threads = 0;
        if (!str_to_uint(piece, &threads) || threads < 1 || threads > MOST_THREADS)
            return refuse_value(row, piece, "block sizes from 1 to 1024 (64,128,256)", diags);
        if (!candidates->has[threads] && candidates->count++ == MOST_CANDIDATES)
            return diag_error(diags, nowhere, "--candidates takes at most %d block sizes", MOST_CANDIDATES);
        candidates->has[threads] = true;
    }
    return true;
}

#define AT(member) offsetof(struct advise_settings, member)
static const struct option_row options[] = {
    {"candidates", 0, "N[,N]", add_candidates, AT(candidates), "--tuning: block sizes to try"},
    {"ilp", 0, "N", set_launch, AT(common.launch_config), "independent operations per thread"},
    {"tuning", 0, NULL, set_flag, AT(tuning), "print block sizes of all kernels for .warplint.yaml"},
};

/* Reports an input in the place of the kernel: either the kernel is missing, or the two are in the wrong order. */
static bool check_kernel(const struct settings *s, struct diags *diags)
{
    const struct str kernel = s->arguments.items[0];
    if (!file_exists(kernel))
        return true;
    if (s->arguments.count > 1 && !file_exists(s->arguments.items[1]) && !str_eq(s->arguments.items[1], STR("-")))
        return diag_error(diags, nowhere, "'%.*s' is an input, expected the kernel first: `warplint advise %.*s %.*s`",
                          STR_ARG(kernel), STR_ARG(s->arguments.items[1]), STR_ARG(kernel));
    return s->arguments.count > 1 ||
           diag_error(
               diags, nowhere,
               "'%.*s' is an input, expected a kernel: `warplint advise KERNEL %.*s` (`warplint report %.*s` lists "
               "kernels), or --tuning for all kernels",
               STR_ARG(kernel), STR_ARG(kernel), STR_ARG(kernel));
}

static bool check_settings(const struct advise_settings *settings, struct diags *diags)
{
    const struct settings *s = &settings->common;
    for (size_t at = 0; settings->tuning && at < s->outputs.count; at++)
        if (s->outputs.items[at].format->write != report_text)
            return diag_error(diags, nowhere, "advise writes the table as YAML only, found format '%s'",
                              s->outputs.items[at].format->name);
    if (settings->tuning && settings->candidates.count == 0 && s->launches.count == 0)
        return diag_error(diags, nowhere,
                          "--tuning needs block sizes: --launches FILE (a profile) or --candidates 64,128,256");
    if (!settings->tuning && settings->candidates.count)
        return diag_error(diags, nowhere, "--candidates are for --tuning");
    if (!settings->tuning && s->arguments.count == 0)
        return diag_error(
            diags, nowhere,
            "no kernel was given, expected `warplint advise KERNEL [LOG]`, KERNEL a name or a regular expression");
    return settings->tuning || check_kernel(s, diags);
}

static int run(struct session *session, void *given)
{
    struct advise_settings *settings = given;
    if (!settings_apply_gpu(&settings->common, &session->diags) || !check_settings(settings, &session->diags) ||
        !session_config(session))
        return STATUS_USAGE;
    return settings->tuning
               ? advise_all(session, settings)
               : kernel_answer(session, &(struct kernel_answer){"advice", false, advice_text, advice_json});
}

const struct command command_advise = {
    .name = "advise",
    .what = "show what a kernel must give up for more blocks",
    .usage = "usage: warplint advise [OPTIONS] KERNEL [LOG|DIR|-]...\n"
             "       warplint advise [OPTIONS] --tuning [LOG|DIR|-]...\n\n"
             "Show what one kernel must give up for more blocks per SM, on each architecture\n"
             "of the log.\n\n" KERNEL_WORD,
    .statuses = STATUSES_OF_PRINTING,
    OPTIONS(options),
    .settings_bytes = sizeof(struct advise_settings),
    .formats = "text|json",
    .run = run,
};
