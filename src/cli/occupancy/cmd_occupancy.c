/* occupancy: the calculator. It answers one launch as text or JSON, a batch as CSV, or computes a curve. */
#define _POSIX_C_SOURCE 200809L
#include "base/file.h"
#include "cli/commands.h"
#include "cli/occupancy/calculator.h"
#include "cli/session.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { FORMAT_NOT_GIVEN = -1, FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, LARGEST_BATCH = 1 << 26 };

struct occupancy_settings {
    struct settings common;
    struct str csv; /* empty: not given */
    int sweep;      /* enum axis; -1: not given */
    int format;
    bool best;
    struct launch launch; /* threads 0: not given */
};

/* ---- the command line ------------------------------------------------------------------------------------------- */

static bool set_number(const struct option_row *row, struct str value, void *into, struct diags *diags)
{
    size_t at = 0;
    while (strcmp(number_fields[at].option, row->name) != 0)
        at++;
    struct str name = arena_fmt(&diags->arena, "--%s", row->name);
    return number_read(&number_fields[at], name.ptr, value, into, diags, nowhere);
}

static bool check_waves(const struct occupancy_settings *a, struct diags *diags)
{
    const bool sms = a->common.launch_config.sms > 0, grid = a->common.launch_config.grid > 0;
    bool sms_alone = (a->common.gpu || a->best) && !grid; /* --gpu sets the SMs; --best makes a grid for them */
    if ((!sms && !grid) || sms_alone)
        return true;
    if (!sms || !grid)
        return diag_error(diags, nowhere, "waves need --sms and --grid, found only --%s", sms ? "sms" : "grid");
    return a->launch.threads > 0 ||
           diag_error(diags, nowhere, "waves need --threads, found --sms and --grid without it");
}

/* Reports options that do not fit together; missing values are never guessed. */
static bool check_arguments(const struct occupancy_settings *a, struct diags *diags)
{
    const struct str_list *rest = &a->common.arguments;
    if (rest->count)
        return diag_error(
            diags, nowhere,
            "unexpected argument '%.*s', a launch is given by options (--registers 41 --threads 256); for a "
            "kernel of a log: `warplint advise KERNEL LOG`",
            STR_ARG(rest->items[0]));
    EACH(const struct str, name, a->common.given.items, a->common.given.count)
        if (a->csv.len && !str_eq(*name, STR("csv")))
            return diag_error(diags, nowhere, "--csv takes launches from its file and writes CSV, found --%.*s too",
                              STR_ARG(*name));
    if (a->csv.len)
        return true;
    if (!a->common.archs.count)
        return diag_error(diags, nowhere, "no --arch given, expected one like sm_80");
    if (!settings_gives(&a->common, "registers") && a->sweep != AXIS_REGISTERS)
        return diag_error(diags, nowhere, "--registers N is missing: the number that ptxas prints for the kernel");
    if (a->best && (a->sweep >= 0 || a->common.launch_config.grid > 0))
        return diag_error(diags, nowhere, "--best is about every block size, found --%s",
                          a->sweep >= 0 ? "sweep" : "grid");
    if (a->format == (a->sweep >= 0 ? FORMAT_JSON : FORMAT_CSV))
        return diag_error(diags, nowhere, "a curve has the formats text and csv, a single answer text and json");
    return check_waves(a, diags);
}

static int run_batch(struct str path, struct buf *out, struct diags *diags)
{
    SCOPED(buf) text = {0};
    struct str name = str_eq(path, STR("-")) ? STR("<stdin>") : path;
    if (!file_read(path, INPUT_ANY, LARGEST_BATCH, &text, diags))
        return STATUS_UNTRUSTED;
    if (!calculator_batch(name, buf_str(&text), out, diags))
        return STATUS_USAGE;
    if (out->len == 0) {
        diag_error(diags, (struct place){.path = name}, "nothing to read, expected a header line");
        return STATUS_UNTRUSTED;
    }
    return STATUS_OK;
}

static int run_question(const struct occupancy_settings *arguments, struct buf *out, struct diags *diags)
{
    enum axis axis = (enum axis)arguments->sweep;
    const struct settings *common = &arguments->common;
    struct str arch = common->archs.items[common->archs.count - 1];
    struct question question = {.arch = calculator_arch(arch, diags, nowhere),
                                .arch_name = arch,
                                .launch = arguments->launch,
                                .has_barriers = settings_gives(common, "barriers"),
                                .sms = common->launch_config.sms,
                                .grid = common->launch_config.grid};
    bool chart = arguments->format >= 0 ? arguments->format == FORMAT_TEXT : isatty(STDOUT_FILENO) == 1;
    if (!question.arch)
        return STATUS_USAGE;
    if (arguments->sweep >= 0)
        (chart ? calculator_chart : calculator_sweep)(&question, axis, out);
    else if (arguments->format == FORMAT_JSON)
        calculator_json(&question, out);
    else if (arguments->best)
        calculator_best(&question, out);
    else
        calculator_answer(&question, out);
    return STATUS_OK;
}

static int run(struct session *session, void *given)
{
    struct occupancy_settings *settings = given;
    struct diags *diags = &session->diags;
    SCOPED(buf) out = {0};
    int status = STATUS_USAGE;
    if ((settings->csv.len || settings_apply_gpu(&settings->common, diags)) && check_arguments(settings, diags))
        status = settings->csv.len ? run_batch(settings->csv, &out, diags) : run_question(settings, &out, diags);
    if (status == STATUS_OK || out.len)
        status = file_write(STR("-"), buf_str(&out), diags) ? status : STATUS_UNTRUSTED;
    return status;
}

#define AT(member) offsetof(struct occupancy_settings, member)
static const struct option_row options[] = {
    {"arch", 0, "ARCH", append_text, AT(common.archs), "architecture: sm_90, sm_90a, compute_80, 9.0"},
    {"barriers", 0, "N", set_number, AT(launch), "named barriers, as ptxas prints them; a limit from cc 9.0"},
    {"best", 0, NULL, set_flag, AT(best),
     "print the block sizes with the highest occupancy, the smallest of them, and the choice of "
     "cudaOccupancyMaxPotentialBlockSize"},
    {"carveout", 0, "PERCENT", set_number, AT(launch),
     "preferred shared memory of the SM, 50 or 50%; default: the maximum"},
    {"csv", 0, "FILE", set_path, AT(csv),
     "read launches from a file, or from standard input (-); columns in any order: arch, threads, registers, and "
     "optionally smem_bytes, dynamic_smem_bytes, barriers, carveout; other columns are kept; adds blocks_per_sm, "
     "warps_per_sm, max_warps_per_sm, limiters (joined by '|')"},
    {"dynamic-smem", 0, "SIZE", set_number, AT(launch),
     "dynamic shared memory per block; above 48 KiB in total an opt-in is assumed"},
    {"format", 0, "text|json|csv", set_word, AT(format), "text (default) or json; with --sweep: text or csv"},
    {"registers", 0, "N", set_number, AT(launch), "registers per thread, as ptxas prints them"},
    {"smem", 0, "SIZE", set_number, AT(launch), "static shared memory per block, as ptxas prints it"},
    {"sweep", 0, "threads|registers|smem", set_word, AT(sweep),
     "compute a curve over threads, registers or smem (static + dynamic): a chart on a terminal, otherwise CSV with a "
     "row for each step, in which `present` marks the given value"},
    {"threads", 0, "N", set_number, AT(launch), "threads per block"},
};
static const struct occupancy_settings defaults = {.sweep = -1, .format = FORMAT_NOT_GIVEN, .launch.carveout = -1};

const struct command command_occupancy = {
    .name = "occupancy",
    .what = "compute the occupancy of a launch",
    .usage = "usage: warplint occupancy --arch A --registers R [--threads T] [OPTIONS]\n"
             "       warplint occupancy --csv FILE|-\n"
             "       warplint occupancy --arch A --sweep threads|registers|smem [OPTIONS]\n"
             "       warplint occupancy --arch A --registers R --best [OPTIONS]\n"
             "\n"
             "Compute how many blocks of a launch fit on an SM, what limits them, and where\n"
             "the next step is. Without --threads: the best case over all block sizes.\n",
    .statuses = "A SIZE is bytes or has a unit: 1024, 16K, 48KiB, 1MiB.\n"
                "An impossible launch has 0 blocks. Exit status: 0 printed, 2 wrong command line\n"
                "or input, 3 nothing to read, or the output could not be written.\n",
    OPTIONS(options),
    .settings_bytes = sizeof defaults,
    .defaults = &defaults,
    .run = run,
};
