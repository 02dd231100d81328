#define _POSIX_C_SOURCE 200809L
#include "cli/settings.h"

#include "base/escape.h"
#include "base/stream.h"
#include "lint/yaml_decoder.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    JUDGES = COMMAND_CHECK | COMMAND_BASELINE | COMMAND_DIFF,
    SHOWS = COMMAND_REPORT | COMMAND_ADVISE,
    TELLS = SHOWS | COMMAND_TUNE, /* what one kernel needs, without judging it */
    ANY_COMMAND = JUDGES | TELLS | COMMAND_LIST | COMMAND_EXPLAIN | COMMAND_WRAP | COMMAND_CONFIG,
};

struct option_row {
    const char *name;
    char letter;       /* 0: none */
    const char *value; /* what stands behind it; NULL: nothing */
    int commands;      /* COMMAND_* that have it */
    const char *help;
};

/* To add an option: one row here, sorted by name, and its case in take_option. */
static const struct option_row rows[] = {
    {"accept", 0, "KERNEL", COMMAND_BASELINE,
     "update: take this kernel as it is (NAME<*>: all instances); needs --reason"},
    {"all", 0, NULL, JUDGES | COMMAND_REPORT | COMMAND_WRAP, "text: every finding, every row; else the worst"},
    {"allow-conflicts", 0, NULL, COMMAND_MERGE, "records that contradict each other are a warning (else status 3)"},
    {"allow-empty", 0, NULL, JUDGES | COMMAND_MERGE,
     "a log without kernels, or of debug builds alone, passes (else status 3)"},
    {"allow-missing", 0, NULL, JUDGES, "a part of the baseline may have no record (else status 3)"},
    {"arch", 0, "A[,A]", JUDGES | TELLS | COMMAND_WRAP, "only these architectures; sm_90 selects sm_90a too"},
    {"baseline", 0, "FILE", COMMAND_CHECK | COMMAND_WRAP, "judge only what is new or worse than this"},
    {"baseline", 0, "FILE", COMMAND_INIT, "the baseline to write, else warplint-baseline.json"},
    {"candidates", 0, "N[,N]", COMMAND_ADVISE, "--tuning: block sizes to choose from"},
    {"ci", 0, "SYSTEM", COMMAND_INIT, "azure, github, gitlab, jenkins or none; else what is set up here"},
    {"color", 0, "WHEN", JUDGES | COMMAND_REPORT | COMMAND_WRAP,
     "auto, always or never; NO_COLOR and CLICOLOR_FORCE count"},
    {"config", 0, "FILE", ANY_COMMAND, "the configuration; else the nearest .warplint.yaml"},
    {"drift", 0, "report|fail", JUDGES | COMMAND_WRAP, "report: what another CUDA changed does not fail"},
    {"dynamic-smem", 0, "BYTES", JUDGES | TELLS | COMMAND_WRAP, "dynamic shared memory of every selected kernel"},
    {"fail-on", 0, "SEVERITY", JUDGES | COMMAND_WRAP, "error, warning (default), note or never"},
    {"force", 0, NULL, COMMAND_INIT, "write again what is there already"},
    {"format", 0, "FORMAT", JUDGES | COMMAND_REPORT, "of standard output: text, or what `list formats` shows"},
    {"format", 0, "text|json", COMMAND_ADVISE, "of standard output"},
    {"format", 0, "text|json|csv", COMMAND_TUNE, "of standard output"},
    {"format", 0, "text|json", COMMAND_DOCTOR, "of standard output"},
    {"gpu", 0, "NAME", COMMAND_ADVISE, "a product (`list gpus`): its architecture and SMs"},
    {"grid", 0, "N", COMMAND_ADVISE, "blocks of the grid, for the waves"},
    {"help", 'h', NULL, ANY_COMMAND | COMMAND_MERGE | COMMAND_DOCTOR | COMMAND_INIT, "this text"},
    {"ignore", 0, "RULE[,RULE]", JUDGES | COMMAND_WRAP, "not these rules; names or prefixes"},
    {"ilp", 0, "N", COMMAND_ADVISE, "independent operations per thread"},
    {"install-shim", 0, "DIR", COMMAND_WRAP, "make a CUDA toolkit there with this wrapper as its nvcc"},
    {"jobs", 'j', "N", JUDGES | SHOWS | COMMAND_MERGE, "accepted and ignored: one thread reads a log"},
    {"jobs", 'j', "N", COMMAND_TUNE, "compiles at once; else as many as there are cores"},
    {"keep-output", 0, NULL, COMMAND_WRAP, "do not remove the output of a command whose kernels fail"},
    {"kernel", 0, "REGEX", JUDGES | TELLS | COMMAND_WRAP, "only kernels whose readable name matches (PCRE2)"},
    {"launches", 0, "FILE", JUDGES | TELLS, "block sizes from a profile: CSV of ncu, nsys or nvprof; repeatable"},
    {"markdown", 0, NULL, COMMAND_LIST, "rules: as a page with all that they say"},
    {"max-bytes", 0, "N", JUDGES | COMMAND_REPORT,
     "markdown: at most so long (64KiB, 1000000), cut at a row and said so"},
    {"no-cache", 0, NULL, COMMAND_TUNE, "compile again what is remembered"},
    {"no-config", 0, NULL, ANY_COMMAND, "no configuration, even where one is found"},
    {"no-hook", 0, NULL, COMMAND_WRAP | COMMAND_TUNE, "do not read the PTX in front of ptxas (launch bounds, lines)"},
    {"no-remarks", 0, NULL, COMMAND_WRAP, "do not ask what becomes of loops with #pragma unroll"},
    {"no-verbose", 0, NULL, COMMAND_WRAP, "add no -Xptxas=-v and -Xnvlink=-v to the command"},
    {"nvcc", 0, "PROGRAM", COMMAND_DOCTOR, "ask this compiler what it knows of what `wrap` adds"},
    {"objects", 0, "PATH", JUDGES | SHOWS, "binaries of the build, or a folder of them; repeatable"},
    {"output", 'o', "FORMAT=PATH", JUDGES | TELLS | COMMAND_WRAP | COMMAND_MERGE | COMMAND_DOCTOR,
     "a report into a file, whole or not at all; repeatable"},
    {"passthrough", 0, "WHAT", COMMAND_WRAP, "of ptxas's lines: none, warnings (default) or all"},
    {"quiet", 'q', NULL, JUDGES, "text: nothing at all when the verdict is 'passed'"},
    {"reason", 0, "TEXT", COMMAND_BASELINE, "update --accept: why; kept in the baseline"},
    {"record-only", 0, NULL, COMMAND_WRAP, "write the record, judge nothing, never fail"},
    {"rules", 0, "DIR", JUDGES | COMMAND_LIST | COMMAND_EXPLAIN | COMMAND_WRAP | COMMAND_CONFIG,
     "adds rules, replaces those of the same id; repeatable"},
    {"sarif-category", 0, "NAME", JUDGES | COMMAND_WRAP, "sarif: tells runs of one commit apart"},
    {"select", 0, "RULE[,RULE]", JUDGES | COMMAND_WRAP, "only these rules; names or prefixes"},
    {"sms", 0, "N", COMMAND_ADVISE, "SMs of the product, for the waves"},
    {"strict", 0, NULL, JUDGES | COMMAND_WRAP,
     "an ambiguous log, one of a build that failed, or records that do not fit the folder, are status 3"},
    {"summary", 0, NULL, COMMAND_REPORT, "text: statistics instead of the table of kernels"},
    {"threads", 0, "N", JUDGES | TELLS | COMMAND_WRAP, "block size of every selected kernel"},
    {"toolkit", 0, "X.Y", JUDGES | COMMAND_WRAP, "the CUDA version of logs that do not say it"},
    {"tuning", 0, NULL, COMMAND_ADVISE, "block sizes of all kernels, for .warplint.yaml"},
    {"unknown", 0, NULL, JUDGES | COMMAND_REPORT, "show the lines of ptxas and nvlink that were not understood"},
};
enum { ROWS = sizeof rows / sizeof *rows, FIRST_CODE = 256 };

bool settings_option(int command, size_t at, struct option_info *info)
{
    for (int row = 0; row < ROWS; row++) {
        if (!(rows[row].commands & command) || at-- > 0)
            continue;
        *info = (struct option_info){rows[row].name, rows[row].letter, rows[row].value, rows[row].help};
        return true;
    }
    return false;
}

static const struct place nowhere = {0};

static void add(struct str_list *list, struct str item)
{
    list->items = mem_reserve(list->items, &list->cap, list->count + 1, sizeof *list->items);
    list->items[list->count++] = item;
}

static bool take_output(struct settings *s, const struct format *format, struct str name, struct str path,
                        struct diags *diags)
{
    if (!format) {
        const char **names = mem_alloc(format_count * sizeof *names);
        for (size_t at = 0; at < format_count; at++)
            names[at] = format_table[at].name;
        const char *near = nearest_word(name, names, format_count);
        free(names);
        return diag_error(diags, nowhere, "there is no format '%.*s'%s%s; `warplint list formats` shows them",
                          STR_ARG(name), near ? ", did you mean " : "", near ? near : "");
    }
    for (size_t at = 0; at < s->output_count; at++)
        if (str_eq(s->outputs[at].path, path))
            return diag_error(diags, nowhere, "two reports would be written to '%.*s'", STR_ARG(path));
    s->outputs = mem_reserve(s->outputs, &s->output_cap, s->output_count + 1, sizeof *s->outputs);
    s->outputs[s->output_count++] = (struct output){format, path};
    return true;
}

static bool take_file_output(struct settings *s, struct str value, struct diags *diags)
{
    size_t at = str_find_char(value, '=');
    struct str name = str_sub(value, 0, at), path = str_from(value, at == STR_NONE ? value.len : at + 1);
    if (path.len == 0)
        return diag_error(diags, nowhere, "--output takes FORMAT=PATH, found '%.*s'", STR_ARG(value));
    return take_output(s, format_find(name), name, path, diags);
}

static bool take_threads(struct settings *s, struct str value, struct diags *diags)
{
    uint64_t threads = 0;
    if (!str_to_uint(value, &threads) || threads < 1 || threads > 1024)
        return diag_error(diags, nowhere, "--threads takes a block size from 1 to 1024, found '%.*s'", STR_ARG(value));
    s->launch_config.threads = (int32_t)threads;
    s->launch_config.threads_from = THREADS_CLI;
    return true;
}

/* A whole number of a fact, for `expected` see the message. */
static bool take_count(struct str option, struct str value, int64_t most, int64_t *into, struct diags *diags)
{
    uint64_t number = 0;
    if (!str_to_uint(value, &number) || number < 1 || number > (uint64_t)most)
        return diag_error(diags, nowhere, "--%.*s takes a whole number from 1 to %lld, found '%.*s'", STR_ARG(option),
                          (long long)most, STR_ARG(value));
    *into = (int64_t)number;
    return true;
}

static bool add_candidate(struct settings *s, int threads, struct diags *diags)
{
    size_t at = s->candidate_count, most = sizeof s->candidates / sizeof *s->candidates;
    for (size_t other = 0; other < s->candidate_count; other++)
        if (s->candidates[other] == threads)
            return true;
    if (at == most)
        return diag_error(diags, nowhere, "--candidates takes at most %zu block sizes", most);
    for (; at > 0 && s->candidates[at - 1] > threads; at--)
        s->candidates[at] = s->candidates[at - 1];
    s->candidates[at] = threads;
    s->candidate_count++;
    return true;
}

static bool take_candidates(struct settings *s, struct str value, struct diags *diags)
{
    struct str rest = value, piece;
    while (str_split(&rest, ',', &piece)) {
        uint64_t threads = 0;
        if (!str_to_uint(piece, &threads) || threads < 1 || threads > 1024)
            return diag_error(diags, nowhere,
                              "--candidates takes block sizes from 1 to 1024 (64,128,256), found '%.*s'",
                              STR_ARG(piece));
        if (!add_candidate(s, (int)threads, diags))
            return false;
    }
    return true;
}

const struct gpu_model *settings_product(struct str name, struct diags *diags)
{
    const struct gpu_model *meant[PRODUCTS_MEANT], *found = gpu_model_find(name);
    if (found)
        return found;
    struct buf names = {0};
    size_t count = gpu_model_meant(name, meant);
    for (size_t at = 0; at < count; at++)
        buf_fmt(&names, "%s%s", at == 0 ? ", did you mean " : at + 1 < count ? ", " : " or ", meant[at]->name);
    diag_error(diags, nowhere,
               "no product is called '%.*s'%.*s; `warplint list gpus` shows those that are known, "
               "--arch and --sms say it of every other",
               STR_ARG(name), STR_ARG(buf_str(&names)));
    buf_free(&names);
    return NULL;
}

/* A product is an architecture and a number of SMs. */
static bool take_gpu(struct settings *s, struct str value, struct diags *diags)
{
    s->gpu = settings_product(value, diags);
    return s->gpu != NULL;
}

static bool take_fact(struct settings *s, struct str name, struct str value, struct diags *diags)
{
    int64_t number = 0;
    bool grid = str_eq(name, STR("grid"));
    if (!take_count(name, value, grid ? INT64_C(9000000000000000) : 1024, &number, diags))
        return false;
    if (grid)
        s->launch_config.grid = number;
    else if (str_eq(name, STR("sms")))
        s->launch_config.sms = (int32_t)number;
    else
        s->launch_config.ilp = (int32_t)number;
    return true;
}

static bool take_jobs(struct settings *s, struct str value, struct diags *diags)
{
    uint64_t jobs = 0;
    if (!str_to_uint(value, &jobs) || jobs < 1 || jobs > 1024)
        return diag_error(diags, nowhere, "--jobs takes a number from 1 to 1024, found '%.*s'", STR_ARG(value));
    s->jobs = (size_t)jobs;
    return true;
}

static bool take_bytes(struct settings *s, struct str value, struct diags *diags)
{
    int64_t bytes = 0;
    if (!decode_bytes(value, &bytes) || bytes > 1 << 30)
        return diag_error(diags, nowhere, "--dynamic-smem takes bytes (49152, 48KiB) up to 1 GiB, found '%.*s'",
                          STR_ARG(value));
    s->launch_config.dynamic_smem_bytes = bytes;
    return true;
}

static bool take_max_bytes(struct settings *s, struct str value, struct diags *diags)
{
    int64_t bytes = 0;
    if (!decode_bytes(value, &bytes) || bytes < REPORT_LEAST_BYTES)
        return diag_error(diags, nowhere, "--max-bytes takes %d bytes or more (65536, 64KiB), found '%.*s'",
                          REPORT_LEAST_BYTES, STR_ARG(value));
    s->max_bytes = (size_t)bytes;
    return true;
}

static bool take_archs(struct settings *s, struct str value, struct diags *diags)
{
    struct str rest = value, piece;
    while (str_split(&rest, ',', &piece)) {
        if (!arch_number(piece))
            return diag_error(diags, nowhere, "'%.*s' is no architecture; they look like sm_90, sm_100a",
                              STR_ARG(piece));
        add(&s->archs, piece);
    }
    return true;
}

static bool take_kernel(struct settings *s, struct str value, struct diags *diags)
{
    struct regex_error error = {0};
    regex_free(s->kernel);
    s->kernel = regex_new(value, &error);
    if (!s->kernel) {
        struct place place = {.path = STR("--kernel"), .line = 1, .column = error.offset + 1, .source = value};
        diag_error(diags, place, "%.*s", STR_ARG(buf_str(&error.message)));
    }
    buf_free(&error.message);
    return s->kernel != NULL;
}

static bool take_color(struct settings *s, struct str value, struct diags *diags)
{
    static const char *const words[] = {"never", "auto", "always"};
    for (int at = 0; at < 3; at++) {
        if (str_eq(value, str_of(words[at]))) {
            s->color = at - 1;
            return true;
        }
    }
    return diag_error(diags, nowhere, "--color takes auto, always or never, found '%.*s'", STR_ARG(value));
}

static bool take_fail_on(struct settings *s, struct str value, struct diags *diags)
{
    s->fail_on_given = true;
    if (str_eq(value, STR("never"))) {
        s->fail_on = SEVERITY_OFF;
        return true;
    }
    if (severity_parse(value, &s->fail_on) && s->fail_on != SEVERITY_OFF)
        return true;
    return diag_error(diags, nowhere, "--fail-on takes error, warning, note or never, found '%.*s'", STR_ARG(value));
}

static bool take_drift(struct settings *s, struct str value, struct diags *diags)
{
    s->report_drift = str_eq(value, STR("report"));
    return s->report_drift || str_eq(value, STR("fail")) ||
           diag_error(diags, nowhere, "--drift takes report or fail, found '%.*s'", STR_ARG(value));
}

static bool take_toolkit(struct settings *s, struct str value, struct diags *diags)
{
    return toolkit_parse(value, &s->toolkit) ||
           diag_error(diags, nowhere, "--toolkit takes a version like 12.4, found '%.*s'", STR_ARG(value));
}

/* One at a time: a deterioration is accepted with its own reason. */
static bool take_accept(struct settings *s, struct str value, struct diags *diags)
{
    if (s->accept.len || value.len == 0)
        return diag_error(diags, nowhere, "--accept takes one kernel, found %s", value.len ? "another one" : "nothing");
    s->accept = value;
    return true;
}

static bool take_passthrough(struct settings *s, struct str value, struct diags *diags)
{
    static const char *const words[] = {[PASS_NONE] = "none", [PASS_WARNINGS] = "warnings", [PASS_ALL] = "all"};
    for (int at = PASS_NONE; at <= PASS_ALL; at++) {
        if (str_eq(value, str_of(words[at]))) {
            s->passthrough = (enum passthrough)at;
            return true;
        }
    }
    return diag_error(diags, nowhere, "--passthrough takes none, warnings or all, found '%.*s'", STR_ARG(value));
}

static void take_flag(struct settings *s, struct str name)
{
    const struct {
        struct str name;
        bool *flag;
    } flags[] = {
        {STR("all"), &s->all},
        {STR("allow-conflicts"), &s->allow_conflicts},
        {STR("allow-empty"), &s->allow_empty},
        {STR("allow-missing"), &s->allow_missing},
        {STR("force"), &s->force},
        {STR("help"), &s->help},
        {STR("quiet"), &s->quiet},
        {STR("strict"), &s->strict},
        {STR("summary"), &s->summary},
        {STR("tuning"), &s->tuning},
        {STR("unknown"), &s->unknown},
        {STR("keep-output"), &s->keep_output},
        {STR("record-only"), &s->record_only},
        {STR("no-hook"), &s->no_hook},
        {STR("no-remarks"), &s->no_remarks},
        {STR("no-verbose"), &s->no_verbose},
        {STR("no-cache"), &s->no_cache},
        {STR("no-config"), &s->no_config},
        {STR("markdown"), &s->markdown},
    };
    for (size_t at = 0; at < sizeof flags / sizeof *flags; at++)
        if (str_eq(name, flags[at].name))
            *flags[at].flag = true;
}

static bool take_option(struct settings *s, struct str name, struct str value, struct diags *diags)
{
    if (str_eq(name, STR("accept")))
        return take_accept(s, value, diags);
    if (str_eq(name, STR("arch")))
        return take_archs(s, value, diags);
    if (str_eq(name, STR("candidates")))
        return take_candidates(s, value, diags);
    if (str_eq(name, STR("color")))
        return take_color(s, value, diags);
    if (str_eq(name, STR("drift")))
        return take_drift(s, value, diags);
    if (str_eq(name, STR("dynamic-smem")))
        return take_bytes(s, value, diags);
    if (str_eq(name, STR("fail-on")))
        return take_fail_on(s, value, diags);
    if (str_eq(name, STR("format")))
        return take_output(s, format_find(value), value, STR("-"), diags);
    if (str_eq(name, STR("gpu")))
        return take_gpu(s, value, diags);
    if (str_eq(name, STR("grid")) || str_eq(name, STR("ilp")) || str_eq(name, STR("sms")))
        return take_fact(s, name, value, diags);
    if (str_eq(name, STR("jobs")))
        return take_jobs(s, value, diags);
    if (str_eq(name, STR("kernel")))
        return take_kernel(s, value, diags);
    if (str_eq(name, STR("max-bytes")))
        return take_max_bytes(s, value, diags);
    if (str_eq(name, STR("output")))
        return take_file_output(s, value, diags);
    if (str_eq(name, STR("passthrough")))
        return take_passthrough(s, value, diags);
    if (str_eq(name, STR("threads")))
        return take_threads(s, value, diags);
    if (str_eq(name, STR("toolkit")))
        return take_toolkit(s, value, diags);
    if (str_eq(name, STR("baseline")))
        s->baseline = value;
    else if (str_eq(name, STR("install-shim")))
        s->install_shim = value;
    else if (str_eq(name, STR("reason")))
        s->reason = value;
    else if (str_eq(name, STR("config")))
        s->config = value;
    else if (str_eq(name, STR("ci")))
        s->ci = value;
    else if (str_eq(name, STR("nvcc")))
        s->nvcc = value;
    else if (str_eq(name, STR("rules")))
        add(&s->rule_dirs, value);
    else if (str_eq(name, STR("objects")))
        add(&s->objects, value);
    else if (str_eq(name, STR("launches")))
        add(&s->launches, value);
    else if (str_eq(name, STR("sarif-category")))
        s->sarif_category = value;
    else if (str_eq(name, STR("select")))
        add(&s->selects, value);
    else if (str_eq(name, STR("ignore")))
        add(&s->ignores, value);
    else
        take_flag(s, name);
    return true;
}

/* The rows of a command in the form that getopt_long wants. */
static void make_getopt(int command, struct option *options, char *letters)
{
    size_t count = 0;
    *letters++ = '+';
    *letters++ = ':';
    for (int row = 0; row < ROWS; row++) {
        if (!(rows[row].commands & command))
            continue;
        options[count++] =
            (struct option){rows[row].name, rows[row].value ? required_argument : no_argument, NULL, FIRST_CODE + row};
        if (rows[row].letter) {
            *letters++ = rows[row].letter;
            if (rows[row].value)
                *letters++ = ':';
        }
    }
    options[count] = (struct option){0};
    *letters = '\0';
}

static const struct option_row *row_of(int code)
{
    if (code >= FIRST_CODE)
        return &rows[code - FIRST_CODE];
    for (int row = 0; row < ROWS; row++)
        if (rows[row].letter && rows[row].letter == code)
            return &rows[row];
    return NULL;
}

static bool refuse(int command, int code, const char *word, struct diags *diags)
{
    if (code == ':')
        return diag_error(diags, nowhere, "option '%s' needs a value", word);
    const char *names[ROWS];
    size_t count = 0;
    for (int row = 0; row < ROWS; row++)
        if (rows[row].commands & command)
            names[count++] = rows[row].name;
    struct str bare = str_of(word);
    while (bare.len && bare.ptr[0] == '-')
        bare = str_from(bare, 1);
    const char *near = nearest_word(str_sub(bare, 0, str_find_char(bare, '=')), names, count);
    return diag_error(diags, nowhere, "unknown option '%s'%s%s; --help lists what there is", word,
                      near ? ", did you mean --" : "", near ? near : "");
}

/* What --gpu says, once it is known what else was said. */
static void apply_gpu(struct settings *s, struct diags *diags)
{
    if (!s->gpu)
        return;
    if (s->launch_config.sms)
        diag_error(diags, nowhere, "--gpu says how many SMs there are, and so does --sms");
    s->launch_config.sms = s->gpu->sms;
    for (size_t at = 0; at < s->archs.count; at++)
        if (arch_number(s->archs.items[at]) != arch_number(str_of(s->gpu->arch)))
            diag_error(diags, nowhere, "%s is %s, and --arch says %.*s", s->gpu->name, s->gpu->arch,
                       STR_ARG(s->archs.items[at]));
    if (s->archs.count == 0)
        add(&s->archs, str_of(s->gpu->arch));
}

static void check_max_bytes(const struct settings *s, struct diags *diags)
{
    bool markdown = false;
    for (size_t at = 0; at < s->output_count; at++)
        markdown |= s->outputs[at].format->write == report_markdown;
    if (s->max_bytes && !markdown)
        diag_error(diags, nowhere,
                   "--max-bytes limits Markdown, and no report is: give --format markdown or "
                   "--output markdown=PATH");
}

static bool tune_writes(const struct format *format)
{
    struct str name = str_of(format->name);
    return str_eq(name, STR("text")) || str_eq(name, STR("json")) || str_eq(name, STR("csv"));
}

bool settings_parse(struct settings *s, int command, int argc, char **argv, struct diags *diags)
{
    struct option options[ROWS + 1];
    char letters[2 * ROWS + 4];
    *s = (struct settings){
        .fail_on = SEVERITY_WARNING, .passthrough = PASS_WARNINGS, .launch_config = launch_config_none()};
    make_getopt(command, options, letters);
    optind = 0;
    while (optind < argc || optind == 0) {
        int code = getopt_long(argc, argv, letters, options, NULL);
        if (code == -1) { /* what is no option may stand between the options, except behind "--" */
            if (optind >= argc)
                break;
            bool rest = (command & (COMMAND_WRAP | COMMAND_TUNE)) ||
                        (optind > 1 && str_eq(str_of(argv[optind - 1]), STR("--")));
            do
                add(&s->arguments, str_of(argv[optind++]));
            while (rest && optind < argc);
            continue;
        }
        const struct option_row *row = code == '?' || code == ':' ? NULL : row_of(code);
        if (!row)
            refuse(command, code, argv[optind - 1], diags);
        else
            take_option(s, str_of(row->name), str_of(optarg), diags);
    }
    for (size_t at = 0; command == COMMAND_REPORT && at < s->output_count; at++)
        if (s->outputs[at].format->holds == FINDINGS_ONLY)
            diag_error(diags, nowhere, "%s holds findings, and report shows kernels: `warplint check` writes it",
                       s->outputs[at].format->name);
    for (size_t at = 0; command == COMMAND_TUNE && at < s->output_count; at++)
        if (!tune_writes(s->outputs[at].format))
            diag_error(diags, nowhere, "tune writes text, json and csv, found '%s'", s->outputs[at].format->name);
    if (s->config.len && s->no_config)
        diag_error(diags, nowhere, "--config and --no-config exclude each other");
    check_max_bytes(s, diags);
    apply_gpu(s, diags);
    if (diags->errors)
        return false;
    for (size_t at = 0; at < s->output_count; at++)
        if (str_eq(s->outputs[at].path, STR("-")) || s->outputs[at].format->write == report_text)
            return true;
    /* What judges is heard, whatever other reports it writes. */
    bool heard = command == COMMAND_CHECK || command == COMMAND_WRAP || s->output_count == 0;
    struct str format = command == COMMAND_MERGE ? STR("ndjson") : STR("text");
    return !heard || take_output(s, format_find(format), format, STR("-"), diags);
}

void settings_free(struct settings *s)
{
    arena_free(&s->arena);
    regex_free(s->kernel);
    free(s->arguments.items);
    free(s->rule_dirs.items);
    free(s->launches.items);
    free(s->objects.items);
    free(s->selects.items);
    free(s->ignores.items);
    free(s->archs.items);
    free(s->outputs);
}

static const struct {
    int command;
    const char *usage;
} usages[] = {
    {COMMAND_CHECK, "usage: warplint check [OPTIONS] [LOG|DIR|-]...\n\njudge: findings, a verdict, an exit status\n"},
    {COMMAND_REPORT,
     "usage: warplint report [OPTIONS] [LOG|DIR|-]...\n\nshow: every kernel with its numbers and its occupancy\n"},
    {COMMAND_ADVISE, "usage: warplint advise [OPTIONS] KERNEL [LOG|DIR|-]...\n"
                     "       warplint advise [OPTIONS] --tuning [LOG|DIR|-]...\n\n"
                     "what one kernel would have to give up for more blocks per SM, on each\n"
                     "architecture of the log. KERNEL: its name, readable or mangled, its label in\n"
                     "reports, or a regular expression (PCRE2) that the readable name of no other\n"
                     "kernel matches\n"},
    {COMMAND_DIFF, "usage: warplint diff [OPTIONS] BASE HEAD\n\n"
                   "compare two builds: each a log, records (NDJSON), a folder of records or a\n"
                   "baseline; what changed, worst first; fails by the regression rules\n"},
    {COMMAND_MERGE, "usage: warplint merge [OPTIONS] [NDJSON|LOG|DIR|-]...\n\n"
                    "many records (of machines, architectures, jobs) into one stream; the order of\n"
                    "the inputs does not matter, and the result is an input of every command\n"},
    {COMMAND_LIST, "usage: warplint list [OPTIONS] rules|fields|archs|formats|gpus|phrases|causes\n"},
    {COMMAND_CONFIG, "usage: warplint config [OPTIONS] show|check\n\n"
                     "  show   the configuration in force, each value with its place\n"
                     "  check  reads the same, and tries each rule of your own on the excerpts that it\n"
                     "         brings: it has to fire on `bad` and to be silent on `good`\n"},
    {COMMAND_BASELINE, "usage: warplint baseline [OPTIONS] write|check|update|prune FILE [LOG|DIR|-]...\n\n"
                       "what is known and accepted, in a file that is reviewed like code\n\n"
                       "  write    what is measured becomes the baseline; columns of other toolkits\n"
                       "           stay\n"
                       "  check    as `check --baseline FILE`\n"
                       "  update   takes what is better, what is new and passes, and --accept KERNEL\n"
                       "  prune    drops what is gone\n"},
    {COMMAND_EXPLAIN, "usage: warplint explain [OPTIONS] RULE|FIELD|ARCH|expressions\n"},
    {COMMAND_DOCTOR, "usage: warplint doctor [OPTIONS] [LOG|DIR|-]...\n\n"
                     "why there is nothing to judge in a log or in a folder of a build, or why it\n"
                     "cannot be trusted: each cause with the line that mends it\n"},
    {COMMAND_INIT, "usage: warplint init [OPTIONS] [LOG|DIR|-]...\n\n"
                   "write .warplint.yaml with every setting as a comment; with a log also its\n"
                   "kernels, and a baseline: only what is new or worse fails from then on. Prints\n"
                   "what the CI system needs that is set up here\n"},
    {COMMAND_TUNE, "usage: warplint tune [OPTIONS] -- NVCC ARGUMENTS... FILE.cu\n\n"
                   "compile the file once at each register cap that buys a block, into a private\n"
                   "folder, and show what each costs; the status is the compiler's when that is\n"
                   "not 0\n"},
    {COMMAND_WRAP, "usage: warplint wrap [OPTIONS] -- NVCC ARGUMENTS...\n"
                   "       warplint wrap [OPTIONS] --install-shim DIR [-- NVCC]\n\n"
                   "run the compiler, record, judge; the status is the compiler's when that is\n"
                   "not 0\n"},
};

static const char *statuses_of(int command)
{
    if (command == COMMAND_MERGE)
        return "exit status: 0 merged, 2 wrong usage, 3 nothing to merge, records that\n"
               "contradict each other, or reading or writing failed\n";
    if (command == COMMAND_INIT)
        return "exit status: 0 written, 2 wrong usage, or a file is there already, 3 the log is\n"
               "empty, of a debug build or interleaved, or reading or writing failed\n";
    if (command == COMMAND_DOCTOR)
        return "exit status: 0 it can be judged, 2 wrong usage, 3 there is nothing to judge, it\n"
               "cannot be trusted, or reading or writing failed\n";
    if (command == COMMAND_TUNE)
        return "exit status: 0 there are caps to measure, 2 wrong usage, 3 nothing to tune, or\n"
               "reading or writing failed\n";
    if (command == COMMAND_CONFIG || command == COMMAND_EXPLAIN || command == COMMAND_LIST)
        return "exit status: 0 it was said, 2 wrong usage, a wrong configuration or a broken\n"
               "rule, 3 writing failed\n";
    return "exit status: 0 passed, 1 findings at or above --fail-on, 2 wrong usage or a\n"
           "broken rule, 3 nothing to judge, or reading or writing failed\n";
}

enum { HELP_COLUMN = 28, HELP_WIDTH = 80 };

/* Words from HELP_COLUMN on, as many lines as they need. */
static void add_words(struct buf *out, struct str text)
{
    size_t column = HELP_COLUMN;
    for (size_t at = 0; at < text.len;) {
        size_t end = at;
        while (end < text.len && text.ptr[end] != ' ')
            end++;
        if (at > 0 && column + 1 + (end - at) > HELP_WIDTH) {
            buf_char(out, '\n');
            buf_pad(out, ' ', HELP_COLUMN);
            column = HELP_COLUMN;
        } else if (at > 0) {
            buf_char(out, ' ');
            column++;
        }
        buf_add(out, str_sub(text, at, end));
        column += end - at;
        at = end + 1;
    }
    buf_char(out, '\n');
}

static void add_row_help(struct buf *out, int row)
{
    size_t start = out->len;
    if (rows[row].letter)
        buf_fmt(out, "  -%c, ", rows[row].letter);
    else
        buf_add(out, STR("      "));
    buf_fmt(out, "--%s%s%s", rows[row].name, rows[row].value ? " " : "", rows[row].value ? rows[row].value : "");
    size_t used = out->len - start;
    if (used + 2 > HELP_COLUMN)
        buf_char(out, '\n');
    buf_pad(out, ' ', used + 2 > HELP_COLUMN ? HELP_COLUMN : HELP_COLUMN - used);
    add_words(out, str_of(rows[row].help));
}

void settings_help(int command, struct buf *out)
{
    for (size_t at = 0; at < sizeof usages / sizeof *usages; at++)
        if (usages[at].command == command)
            buf_add(out, str_of(usages[at].usage));
    buf_add(out, STR("\noptions:\n"));
    for (int row = 0; row < ROWS; row++)
        if (rows[row].commands & command)
            add_row_help(out, row);
    buf_fmt(out, "\n%s", statuses_of(command));
}

bool settings_color(const struct settings *s, int fd)
{
    const char *no = getenv("NO_COLOR"), *force = getenv("CLICOLOR_FORCE");
    if (s->color)
        return s->color > 0;
    if (no && *no)
        return false;
    if (force && *force && !str_eq(str_of(force), STR("0")))
        return true;
    return isatty(fd) == 1;
}

void say_diags(struct diags *diags)
{
    struct buf text = {0};
    diags_render(diags, &text);
    if (text.len)
        stream_begin_line(STDERR_FILENO);
    fwrite(text.ptr ? text.ptr : "", 1, text.len, stderr);
    buf_free(&text);
    diags_free(diags);
}

bool print_page(const struct buf *page, struct diags *diags)
{
    struct out out;
    if (!out_open(&out, STR("-"), diags))
        return false;
    buf_add(&out.text, buf_str(page));
    return out_close(&out, diags);
}

bool print_text(const struct buf *text, struct diags *diags)
{
    struct buf safe = {0};
    escape_keeping(buf_str(text), "\n\t", &safe);
    bool ok = print_page(&safe, diags);
    buf_free(&safe);
    return ok;
}
