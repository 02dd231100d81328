#define _POSIX_C_SOURCE 200809L
#include "cli/settings.h"

#include "base/escape.h"
#include "base/json.h"
#include "base/stream.h"
#include "cli/commands.h"
#include "nvcc/program.h"
#include "rules/yaml_decoder.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ---- setters ---------------------------------------------------------------------------------------------------- */

static bool add_output(struct outputs *outputs, struct str name, struct str path, struct diags *diags)
{
    const struct format *format = format_find(name);
    if (!format) {
        const char *near = nearest_word(name, &format_table->name, sizeof *format_table, format_count);
        near = str_eq(name, STR("md")) ? "markdown" : near;
        return diag_error(diags, nowhere, "there is no format '%.*s'%s%s; `warplint list formats` shows them",
                          STR_ARG(name), near ? ", did you mean " : "", near ? near : "");
    }
    bool taken = !str_eq(path, STR("-")) && outputs_replacing(outputs, path).len;
    for (size_t at = 0; at < outputs->count; at++)
        taken |= str_eq(outputs->items[at].path, path);
    if (taken)
        return diag_error(diags, nowhere, "two reports would be written to '%.*s'", STR_ARG(path));
    *MEM_ADD(outputs->items, outputs->count, outputs->cap) = (struct output){format, path};
    return true;
}

bool add_format(const struct option_row *row, struct str value, void *into, struct diags *diags)
{
    (void)row;
    return add_output(into, value, STR("-"), diags);
}

/* The format that the extension of a path suggests: report.html, report.md. */
static const struct format *format_of_path(struct str path)
{
    struct str name = path_name(path);
    size_t dot = str_rfind(name, STR("."));
    struct str ending = dot == STR_NONE ? STR("") : str_from(name, dot + 1);
    if (str_eq(ending, STR("md")))
        return format_find(STR("markdown"));
    return format_find(str_eq(ending, STR("txt")) || str_eq(ending, STR("log")) ? STR("text") : ending);
}

static bool add_file_output(const struct option_row *row, struct str value, void *into, struct diags *diags)
{
    size_t at = str_find_char(value, '=');
    struct str name = str_sub(value, 0, at), path = str_from(value, at == STR_NONE ? value.len : at + 1);
    const struct format *meant = at == STR_NONE ? format_of_path(value) : NULL;
    const struct str second = str_from(path, str_find_char(path, ','));
    const size_t equals = str_find_char(second, '=');
    if (equals != STR_NONE && format_find(str_sub(second, 1, equals)))
        return diag_error(diags, nowhere, "--%s takes one FORMAT=PATH, found '%.*s'; give the option for each report",
                          row->name, STR_ARG(value));
    if (meant)
        return diag_error(diags, nowhere, "--%s takes FORMAT=PATH, found '%.*s', did you mean %s=%.*s", row->name,
                          STR_ARG(value), meant->name, STR_ARG(value));
    if (at == STR_NONE && format_find(value))
        return diag_error(diags, nowhere, "--%s takes FORMAT=PATH, found '%.*s' without a path, expected %.*s=FILE",
                          row->name, STR_ARG(value), STR_ARG(value));
    return path.len ? add_output(into, name, path, diags) : refuse_value(row, value, row->value, diags);
}

/* Takes a number; the configuration has a key with the same name. */
bool set_launch(const struct option_row *row, struct str value, void *into, struct diags *diags)
{
    const struct launch_fact *fact = launch_fact_find(str_of(row->name));
    const struct value_kind *key = &fact->key;
    double number = 0;
    uint8_t unit = UNIT_NONE;
    bool fits = decode_number(value, &number, &unit) && (unit == UNIT_NONE || unit == key->unit) &&
                number >= key->least && number <= key->most && (!key->whole || number <= floor(number));
    if (!fits)
        return refuse_value(row, value, key->expected, diags);
    launch_config_set(into, fact, number, THREADS_CLI);
    return true;
}

static bool set_gpu(const struct option_row *row, struct str name, void *into, struct diags *diags)
{
    const struct gpu_model *meant[MODEL_SUGGESTIONS], *found = gpu_model_find(name);
    (void)row;
    *(const struct gpu_model **)into = found;
    if (found)
        return true;
    SCOPED(buf) names = {0};
    size_t count = gpu_model_suggest(name, meant);
    for (size_t at = 0; at < count; at++)
        buf_fmt(&names, "%s%s", at == 0 ? ", did you mean " : at + 1 < count ? ", " : " or ", meant[at]->name);
    return diag_error(diags, nowhere,
                      "'%.*s' is not a known GPU%.*s; `warplint list gpus` lists them, for others give "
                      "--arch and --sms",
                      STR_ARG(name), STR_ARG(buf_str(&names)));
}

bool settings_apply_gpu(struct settings *s, struct diags *diags)
{
    const struct gpu_model *gpu = s->gpu;
    if (!gpu)
        return true;
    if (s->launch_config.sms > 0)
        return diag_error(diags, nowhere, "--gpu says how many SMs there are, and so does --sms");
    for (size_t at = 0; at < s->archs.count; at++)
        if (arch_number(s->archs.items[at]) != arch_number(str_of(gpu->arch)))
            return diag_error(diags, nowhere, "%s is %s, and --arch says %.*s", gpu->name, gpu->arch,
                              STR_ARG(s->archs.items[at]));
    s->launch_config.sms = gpu->sms;
    if (s->archs.count == 0)
        str_list_add(&s->archs, str_of(gpu->arch));
    return true;
}

static bool set_max_bytes(const struct option_row *row, struct str value, void *into, struct diags *diags)
{
    int64_t bytes = 0;
    if (!decode_bytes(value, &bytes) || bytes < REPORT_LEAST_BYTES)
        return diag_error(diags, nowhere, "--%s takes %d bytes or more (65536, 64KiB), found '%.*s'", row->name,
                          REPORT_LEAST_BYTES, STR_ARG(value));
    *(size_t *)into = (size_t)bytes;
    return true;
}

static bool add_archs(const struct option_row *row, struct str value, void *into, struct diags *diags)
{
    struct str rest = value, piece;
    (void)row;
    while (str_split(&rest, ',', &piece)) {
        const char *arch = arch_number(piece) ? NULL : gpu_model_arch(piece);
        if (arch)
            return diag_error(diags, nowhere, "--arch: '%.*s' is a GPU, its architecture is %s", STR_ARG(piece), arch);
        if (!arch_number(piece))
            return diag_error(diags, nowhere, "--arch: '%.*s' is not an architecture, expected one such as sm_90",
                              STR_ARG(piece));
        str_list_add(into, piece);
    }
    return true;
}

static bool set_regex(const struct option_row *row, struct str value, void *into, struct diags *diags)
{
    struct regex_error error = {0};
    struct regex **regex = into;
    if (value.len == 0)
        return refuse_value(row, value, "a regular expression", diags);
    regex_free(*regex);
    *regex = regex_new(value, &error);
    if (!*regex) {
        struct str name = arena_fmt(&diags->arena, "--%s", row->name);
        struct place place = {.path = name, .line = 1, .column = error.offset + 1, .source = value};
        diag_error(diags, place, "%.*s", STR_ARG(buf_str(&error.message)));
    }
    buf_free(&error.message);
    return *regex != NULL;
}

static bool set_toolkit(const struct option_row *row, struct str value, void *into, struct diags *diags)
{
    return toolkit_parse(value, into) || refuse_value(row, value, "a version like 12.4", diags);
}

static bool set_ptxas(const struct option_row *row, struct str value, void *into, struct diags *diags)
{
    const char *found = value.len ? program_path(arena_cstr(&diags->arena, value), &diags->arena) : NULL;
    *(const char **)into = found;
    return found || refuse_value(row, value, "a program, such as /usr/local/cuda/bin/ptxas", diags);
}

/* ---- options that several commands have ------------------------------------------------------------------------- */

enum {
    JUDGES = COMMAND_CHECK | COMMAND_BASELINE | COMMAND_DIFF,
    SHOWS = COMMAND_REPORT | COMMAND_ADVISE,
    SHOWS_OR_TUNES = SHOWS | COMMAND_TUNE, /* show the needs of kernels without judging them */
    CONFIGURED = JUDGES | SHOWS_OR_TUNES | COMMAND_LIST | COMMAND_EXPLAIN | COMMAND_WRAP | COMMAND_CONFIG,
};

#define AT(member) offsetof(struct settings, member)

/* To add an option that several commands have: one row here, sorted by name. An option of a single command is a row in
 * the command's file. */
static const struct {
    struct option_row row;
    unsigned commands; /* bits of enum command_bit: the commands that have the option */
} shared[] = {
    {{"all", 0, NULL, set_flag, AT(report.all), "text: show all findings and rows, not only the worst"},
     JUDGES | COMMAND_REPORT | COMMAND_WRAP},
    {{"allow-empty", 0, NULL, set_flag, AT(allow_empty),
      "pass if the input has no kernels or only debug builds (otherwise status 3)"},
     COMMAND_CHECK},
    {{"allow-empty", 0, NULL, set_flag, AT(allow_empty),
      "check: pass if the input has no kernels or only debug builds (otherwise status 3)"},
     COMMAND_BASELINE},
    {{"allow-empty", 0, NULL, set_flag, AT(allow_empty),
      "pass if BASE has no kernels or, with --allow-missing, HEAD has none (otherwise status 3)"},
     COMMAND_DIFF},
    {{"allow-empty", 0, NULL, set_flag, AT(allow_empty), "pass if the input has no kernels (otherwise status 3)"},
     COMMAND_MERGE},
    {{"allow-missing", 0, NULL, set_flag, AT(allow_missing),
      "pass if a source or architecture of the baseline is missing (otherwise status 3)"},
     JUDGES},
    {{"arch", 0, "A[,A]", add_archs, AT(archs), "use only these architectures; sm_90 includes sm_90a"},
     JUDGES | SHOWS_OR_TUNES | COMMAND_WRAP | COMMAND_WHERE},
    {{"assemble", 0, NULL, set_flag, AT(assemble), "if NAME.ptx is beside NAME.cubin, run ptxas to get the spills"},
     COMMAND_CHECK | COMMAND_REPORT | COMMAND_WHERE},
    {{"baseline", 0, "FILE", set_path, AT(baseline),
      "fail only on kernels that are new or worse than in this baseline"},
     COMMAND_CHECK | COMMAND_WRAP},
    {{"color", 0, "auto|always|never", set_word, AT(color),
      "colors; auto: on a terminal, unless NO_COLOR, CLICOLOR_FORCE or TERM=dumb decides"},
     JUDGES | COMMAND_REPORT | COMMAND_WRAP},
    {{"config", 0, "FILE", set_path, AT(config), "use this configuration instead of the nearest .warplint.yaml"},
     CONFIGURED},
    {{"drift", 0, "fail|report", set_word, AT(drift), "report: changes between two CUDA versions do not fail"},
     JUDGES | COMMAND_WRAP},
    {{"dynamic-smem", 0, "BYTES", set_launch, AT(launch_config),
      "dynamic shared memory per block of all selected kernels"},
     JUDGES | SHOWS_OR_TUNES | COMMAND_WRAP},
    {{"fail-on", 0, "error|warning|note|never", set_word, AT(fail_on), "lowest severity that fails; default: warning"},
     JUDGES | COMMAND_WRAP},
    {{"format", 0, "FORMAT", add_format, AT(outputs),
      "format of standard output, see `warplint list formats`; default: text"},
     COMMAND_CHECK | COMMAND_DIFF | COMMAND_REPORT},
    {{"format", 0, "FORMAT", add_format, AT(outputs),
      "check: format of standard output, see `warplint list formats`; default: text"},
     COMMAND_BASELINE},
    {{"format", 0, "text|json", add_format, AT(outputs), "format of standard output; default: text"},
     COMMAND_ADVISE | COMMAND_DOCTOR | COMMAND_WHERE},
    {{"gpu", 0, "NAME", set_gpu, AT(gpu),
      "use the architecture and the SMs of this product (`warplint list gpus`) instead of --arch and --sms"},
     COMMAND_ADVISE | COMMAND_OCCUPANCY},
    {{"grid", 0, "N", set_launch, AT(launch_config), "blocks of the grid; with --sms: compute the waves"},
     COMMAND_ADVISE | COMMAND_OCCUPANCY},
    {{"help", 'h', NULL, set_flag, AT(help), "print this help"}, ~0u},
    {{"ignore", 0, "RULE[,RULE]", append_text, AT(ignores), "exclude these rules; ids or prefixes of ids"},
     JUDGES | COMMAND_WRAP},
    {{"kernel", 0, "REGEX", set_regex, AT(kernel),
      "use only kernels whose readable name matches (PCRE2); if none does, the kernel with this label"},
     JUDGES | SHOWS_OR_TUNES | COMMAND_WRAP},
    {{"launches", 0, "FILE", append_text, AT(launches),
      "read block sizes from a profile: CSV of ncu, nsys or nvprof; repeatable"},
     JUDGES | SHOWS_OR_TUNES},
    {{"max-bytes", 0, "N", set_max_bytes, AT(report.max_bytes),
      "markdown: maximum size (64KiB, 1000000); rows beyond it are left out and counted"},
     JUDGES | COMMAND_REPORT},
    {{"no-config", 0, NULL, set_flag, AT(no_config), "ignore .warplint.yaml"}, CONFIGURED},
    {{"notes", 0, NULL, set_flag, AT(report.notes),
      "text: list all notes; without it the notes of a rule with more than two groups are only counted"},
     COMMAND_CHECK | COMMAND_BASELINE},
    {{"objects", 0, "PATH", append_text, AT(objects),
      "also read binaries of the build, or a folder of them; repeatable"},
     COMMAND_CHECK | COMMAND_BASELINE | SHOWS | COMMAND_WHERE},
    {{"output", 'o', "FORMAT=PATH", add_file_output, AT(outputs),
      "also write a report to a file; a text report replaces the printed one; repeatable"},
     COMMAND_CHECK | COMMAND_DIFF | COMMAND_WRAP},
    {{"output", 'o', "FORMAT=PATH", add_file_output, AT(outputs),
      "check: write a report to a file, and none to standard output without --format; repeatable"},
     COMMAND_BASELINE},
    {{"output", 'o', "FORMAT=PATH", add_file_output, AT(outputs),
      "write a report to a file, and none to standard output without --format; repeatable"},
     SHOWS_OR_TUNES | COMMAND_DOCTOR | COMMAND_WHERE},
    {{"output", 'o', "FORMAT=PATH", add_file_output, AT(outputs),
      "write to a file instead of standard output (default: ndjson=-); repeatable"},
     COMMAND_MERGE},
    {{"ptxas", 0, "FILE", set_ptxas, AT(ptxas),
      "the ptxas for --assemble and for caches of Triton; default: the one in PATH or in the CUDA toolkit"},
     JUDGES | COMMAND_REPORT | COMMAND_WHERE},
    {{"quiet", 'q', NULL, set_flag, AT(quiet), "print no text on standard output if the status is 0"},
     COMMAND_CHECK | COMMAND_DIFF},
    {{"quiet", 'q', NULL, set_flag, AT(quiet), "check: print no text on standard output if the status is 0"},
     COMMAND_BASELINE},
    {{"rules", 0, "DIR", append_text, AT(rule_dirs), "add rules, or replace those with the same id; repeatable"},
     JUDGES | COMMAND_LIST | COMMAND_EXPLAIN | COMMAND_WRAP | COMMAND_CONFIG},
    {{"sarif-category", 0, "NAME", set_text, AT(report.category), "sarif: category, if one commit has several runs"},
     JUDGES | COMMAND_WRAP},
    {{"select", 0, "RULE[,RULE]", append_text, AT(selects),
      "use only these rules; ids or prefixes of ids; a rule that is off is used, as a note, if its whole id is given"},
     JUDGES | COMMAND_WRAP},
    {{"sms", 0, "N", set_launch, AT(launch_config), "number of SMs; with --grid: compute the waves"},
     COMMAND_ADVISE | COMMAND_OCCUPANCY},
    {{"strict", 0, NULL, set_flag, AT(strict),
      "status 3 if the log is ambiguous, truncated, from a failed build or without resource lines, or if records do "
      "not fit the folder"},
     JUDGES | COMMAND_WRAP},
    {{"threads", 0, "N", set_launch, AT(launch_config), "block size of all selected kernels"},
     JUDGES | SHOWS_OR_TUNES | COMMAND_WRAP},
    {{"title", 0, "TEXT", set_text, AT(report.title),
      "html: title of the page, for example the project and the commit"},
     JUDGES | COMMAND_REPORT | COMMAND_WRAP},
    {{"toolkit", 0, "X.Y", set_toolkit, AT(toolkit), "CUDA version of logs that do not state it"},
     JUDGES | COMMAND_WRAP},
    {{"unknown", 0, NULL, set_flag, AT(report.show_unknown), "show lines of ptxas and nvlink that were not understood"},
     JUDGES | COMMAND_REPORT},
};
enum { SHARED = sizeof shared / sizeof *shared };

static int by_name(const void *a, const void *b)
{
    const struct option_row *left = *(const struct option_row *const *)a, *right = *(const struct option_row *const *)b;
    return strcmp(left->name, right->name);
}

size_t settings_options(const struct command *command, const struct option_row *rows[MOST_OPTIONS])
{
    const unsigned bit = command_bit(command);
    size_t count = 0;
    for (size_t at = 0; at < SHARED; at++)
        if (shared[at].commands & bit)
            rows[count++] = &shared[at].row;
    for (size_t at = 0; at < command->option_count; at++)
        rows[count++] = &command->options[at];
    mem_sort(rows, count, sizeof *rows, by_name);
    return count;
}

/* ---- the command line ------------------------------------------------------------------------------------------- */

bool settings_gives(const struct settings *s, const char *option)
{
    return str_list_has(&s->given, str_of(option));
}

/* Options that have an effect on the reports of one format only; a warning reports them if there is no such report. To
 * add one: a row. */
static const struct {
    const char *option, *format;
} of_format[] = {
    {"max-bytes", "markdown"}, {"sarif-category", "sarif"}, {"sort", "text"},
    {"summary", "text"},       {"title", "html"},           {"top", "text"},
};

static void check_options_of_formats(const struct settings *s, struct diags *diags)
{
    for (size_t at = 0; at < sizeof of_format / sizeof *of_format; at++) {
        const char *format = of_format[at].format;
        bool written = false;
        EACH(const struct output, output, s->outputs.items, s->outputs.count)
            written |= str_eq(str_of(output->format->name), str_of(format));
        if (settings_gives(s, of_format[at].option) && !written)
            diag_warning(diags, nowhere,
                         "--%s has an effect on %s reports alone, and none is written: add --output %s=PATH",
                         of_format[at].option, format, format);
    }
}

/* Refuses formats that hold only findings if no rule runs, because such a report would show that everything passed.
 * Refuses formats that are not in the command's list, if it has one. */
static void check_formats(const struct settings *s, const struct command *command, struct diags *diags)
{
    EACH(const struct output, output, s->outputs.items, s->outputs.count) {
        const char *name = output->format->name;
        SCOPED(buf) formats = {0};
        if (command_bit(command) & (COMMAND_REPORT | COMMAND_MERGE) && output->format->holds == FINDINGS_ONLY)
            diag_error(diags, nowhere, "%s does not write %s, which holds findings; `warplint check --format %s` does",
                       command->name, name, name);
        if (!command->formats || word_number(command->formats, str_of(name)) >= 0)
            continue;
        add_choices(command->formats, &formats);
        diag_error(diags, nowhere, "%s writes %.*s, found format '%s'", command->name, STR_ARG(buf_str(&formats)),
                   name);
    }
}

/* Adds the output to standard output that a command has without options. */
static bool add_default_output(struct settings *s, const struct command *command, struct diags *diags)
{
    for (size_t at = 0; at < s->outputs.count; at++)
        if (str_eq(s->outputs.items[at].path, STR("-")) || s->outputs.items[at].format->write == report_text)
            return true;
    /* These commands print their result as text even if options ask for other reports. */
    bool heard = command_bit(command) & (COMMAND_CHECK | COMMAND_DIFF | COMMAND_WRAP) || s->outputs.count == 0;
    return !heard || add_output(&s->outputs, command == &command_merge ? STR("ndjson") : STR("text"), STR("-"), diags);
}

bool settings_parse(struct settings *s, const struct command *command, int argc, char **argv, struct diags *diags)
{
    const struct option_row *rows[MOST_OPTIONS];
    size_t count = settings_options(command, rows);
    s->argc = argc;
    s->argv = argv;
    s->fail_on = -1;
    s->launch_config = launch_config_none();
    options_read(rows, count, argc, argv, command->runs_compiler, s, &s->given, &s->arguments, diags);
    if (s->config.len && s->no_config)
        diag_error(diags, nowhere, "--config and --no-config exclude each other");
    check_formats(s, command, diags);
    if (diags->errors || !add_default_output(s, command, diags))
        return false;
    if (!s->help)
        check_options_of_formats(s, diags);
    return diags->errors == 0;
}

int settings_word(const struct settings *s, const struct command *command, size_t most, struct diags *diags)
{
    const struct str_list *found = &s->arguments;
    int number = found->count ? word_number(command->words, found->items[0]) : -1;
    SCOPED(buf) text = {0};
    if (number >= 0 && found->count <= most)
        return number;
    buf_fmt(&text, "%s takes ", command->name);
    add_choices(command->words, &text);
    if (found->count == 0)
        buf_add(&text, STR(", found nothing"));
    else if (found->count > most)
        buf_fmt(&text, ", found %zu words", found->count);
    else
        buf_fmt(&text, ", found '%.*s'", STR_ARG(found->items[0]));
    diag_error(diags, nowhere, "%.*s", STR_ARG(buf_str(&text)));
    return -1;
}

struct str outputs_replacing(const struct outputs *outputs, struct str file)
{
    for (size_t at = 0; at < outputs->count; at++)
        if (!str_eq(outputs->items[at].path, STR("-")) && file_same_place(outputs->items[at].path, file))
            return outputs->items[at].path;
    return STR("");
}

bool settings_want_report(const struct settings *s)
{
    return settings_gives(s, "format") || settings_gives(s, "output");
}

void settings_free(struct settings *s)
{
    regex_free(s->kernel);
    free(s->given.items);
    free(s->arguments.items);
    free(s->rule_dirs.items);
    free(s->launches.items);
    free(s->objects.items);
    free(s->selects.items);
    free(s->ignores.items);
    free(s->archs.items);
    free(s->outputs.items);
}

void settings_help(const struct command *command, struct buf *out)
{
    const struct option_row *rows[MOST_OPTIONS];
    size_t count = settings_options(command, rows);
    buf_fmt(out, "%s\noptions:\n", command->usage);
    for (size_t at = 0; at < count; at++)
        option_help(rows[at], out);
    buf_fmt(out, "\n%s", command->statuses);
}

bool write_outputs(const struct outputs *outputs,
                   void (*write)(void *context, const struct output *output, struct out *out), void *context,
                   struct diags *diags)
{
    bool ok = true;
    for (size_t at = 0; at < outputs->count; at++) {
        struct out out;
        out_open(&out, outputs->items[at].path);
        write(context, &outputs->items[at], &out);
        ok &= out_close(&out, diags);
    }
    return ok;
}

bool settings_color(const struct settings *s, int fd)
{
    const char *no = getenv("NO_COLOR"), *force = getenv("CLICOLOR_FORCE"), *terminal = getenv("TERM");
    if (s->color != COLOR_AUTO)
        return s->color == COLOR_ALWAYS;
    if (no && *no)
        return false;
    if (force && *force && !str_eq(str_of(force), STR("0")))
        return true;
    return isatty(fd) == 1 && !(terminal && str_eq(str_of(terminal), STR("dumb")));
}

size_t terminal_width(int fd)
{
    enum { LEAST = 40, USUAL = 80, MOST = 1000 };
    const char *columns = getenv("COLUMNS");
    struct winsize size = {0};
    uint64_t width = 0;
    if (isatty(fd) != 1)
        return 0;
    if ((!columns || !str_to_uint(str_of(columns), &width) || width == 0) && ioctl(fd, TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    if (width == 0)
        width = USUAL;
    return width < LEAST ? LEAST : width > MOST ? MOST : (size_t)width;
}

size_t prose_width(void)
{
    enum { WIDTH = 79 };
    size_t width = terminal_width(STDOUT_FILENO);
    return width ? width : WIDTH;
}

void print_diags(struct diags *diags)
{
    SCOPED(buf) text = {0};
    diags_render(diags, &text);
    stream_print(buf_str(&text));
    diags_free(diags);
}

bool print_text(const struct buf *text, struct diags *diags)
{
    SCOPED(buf) safe = {0};
    escape_keeping(buf_str(text), "\n\t", &safe);
    return file_write(STR("-"), buf_str(&safe), diags);
}

void document_open(struct json *json, const char *type)
{
    json_open(json, '{');
    json_pair_str(json, "type", str_of(type));
    json_pair_int(json, "schema", 1);
    json_pair_str(json, "version", STR(WARPLINT_VERSION));
}
