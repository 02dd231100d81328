/* warplint occupancy: the calculator. One launch in words, a batch as CSV, or a curve. */
#define _POSIX_C_SOURCE 200809L
#include "base/input_stream.h"
#include "cli/calculator.h"
#include "cli/commands.h"
#include "cli/settings.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    OPTION_ARCH = 1,
    OPTION_CSV,
    OPTION_SWEEP,
    OPTION_BEST,
    OPTION_GPU,
    OPTION_FORMAT,
    OPTION_NUMBER,
    OPTION_HELP = 'h'
};

/* To add one: a row here, a line in the help text, a case in take_option. A number's name stands in
 * number_fields. */
static const struct option options[] = {
    {"arch", required_argument, NULL, OPTION_ARCH},
    {"csv", required_argument, NULL, OPTION_CSV},
    {"sweep", required_argument, NULL, OPTION_SWEEP},
    {"best", no_argument, NULL, OPTION_BEST},
    {"gpu", required_argument, NULL, OPTION_GPU},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"help", no_argument, NULL, OPTION_HELP},
    {"threads", required_argument, NULL, OPTION_NUMBER},
    {"registers", required_argument, NULL, OPTION_NUMBER},
    {"smem", required_argument, NULL, OPTION_NUMBER},
    {"dynamic-smem", required_argument, NULL, OPTION_NUMBER},
    {"barriers", required_argument, NULL, OPTION_NUMBER},
    {"carveout", required_argument, NULL, OPTION_NUMBER},
    {"sms", required_argument, NULL, OPTION_NUMBER},
    {"grid", required_argument, NULL, OPTION_NUMBER},
    {0},
};
enum { OPTION_COUNT = sizeof options / sizeof *options - 1 };

static const char help[] = "usage: warplint occupancy --arch A --registers R [--threads T] [OPTIONS]\n"
                           "       warplint occupancy --csv FILE|-\n"
                           "       warplint occupancy --arch A --sweep threads|registers|smem [OPTIONS]\n"
                           "       warplint occupancy --arch A --registers R --best [OPTIONS]\n"
                           "\n"
                           "How many blocks of a launch fit on an SM, what limits that, and where the next\n"
                           "step is. Without --threads: the best case over every block size.\n"
                           "\n"
                           "  --arch A             architecture: sm_90, sm_90a, compute_80, 9.0\n"
                           "  --threads T          threads per block\n"
                           "  --registers R        registers per thread, as ptxas prints them\n"
                           "  --smem SIZE          static shared memory per block, as ptxas prints it\n"
                           "  --dynamic-smem SIZE  shared memory given at launch; more than 48 KiB in all is\n"
                           "                       computed as opted in\n"
                           "  --barriers N         named barriers, as ptxas prints them; a limit from cc 9.0\n"
                           "  --carveout PERCENT   preferred shared memory of the SM; default: the maximum\n"
                           "  --sms N --grid N     SMs of the product and blocks of the grid: the waves\n"
                           "  --gpu NAME           a product (`warplint list gpus`): its architecture and\n"
                           "                       SMs, in place of --arch and --sms\n"
                           "  --best               the block sizes with the highest occupancy, the smallest\n"
                           "                       of them, and the one that\n"
                           "                       cudaOccupancyMaxPotentialBlockSize chooses\n"
                           "  --sweep AXIS         the curve: a row for each step of threads, registers or\n"
                           "                       smem (static + dynamic), all else fixed; as a chart on\n"
                           "                       a terminal, else as CSV, where present is 1 in the row of\n"
                           "                       the value given\n"
                           "  --csv FILE|-         a batch: columns arch, threads, registers and, if any,\n"
                           "                       smem_bytes, dynamic_smem_bytes, barriers, carveout, in\n"
                           "                       any order; others pass through; adds blocks_per_sm,\n"
                           "                       warps_per_sm, max_warps_per_sm, limiters (joined by '|')\n"
                           "  --format FORMAT      of a single answer: text (default) or json; of a curve:\n"
                           "                       text or csv\n"
                           "  --help               this text\n"
                           "\n"
                           "A SIZE is bytes or has a unit: 1024, 16K, 48KiB, 1MiB.\n"
                           "A launch that is impossible has 0 blocks. Exit status: 0 answered, 2 something\n"
                           "given is wrong, 3 nothing to read or the output could not be written.\n";

/* What the help says of an option, in its first line; empty: nothing. */
static struct str help_of(const char *name, struct arena *arena)
{
    struct str text = str_of(help), option = arena_fmt(arena, " --%s ", name);
    size_t at = str_rfind(text, option);
    struct str rest = str_from(text, at == STR_NONE ? text.len : at + option.len);
    rest = str_sub(rest, 0, str_find_char(rest, '\n'));
    size_t gap = str_find(rest, STR("  "));
    return str_trim(str_from(rest, gap == STR_NONE ? 0 : gap));
}

bool occupancy_option(size_t at, struct option_info *info)
{
    static const struct {
        const char *name, *value;
    } values[] = {{"arch", "A[,A]"},
                  {"csv", "FILE"},
                  {"sweep", "threads|registers|smem"},
                  {"gpu", "NAME"},
                  {"format", "text|json|csv"}};
    static struct arena arena; /* texts of the help, as long as the program runs */
    if (at >= OPTION_COUNT)
        return false;
    *info = (struct option_info){options[at].name, 0, options[at].has_arg ? "N" : NULL,
                                 arena_cstr(&arena, help_of(options[at].name, &arena))};
    for (size_t row = 0; row < sizeof values / sizeof *values; row++)
        if (str_eq(str_of(values[row].name), str_of(info->name)))
            info->value = values[row].value;
    return true;
}

static const struct place nowhere = {0};

struct arguments {
    const char *arch, *csv, *sweep, *format; /* as given, or NULL */
    const struct gpu_model *gpu;
    bool best;
    struct numbers numbers;
    bool help;
};

static bool unknown_option(struct str word, struct diags *diags)
{
    const char *names[OPTION_COUNT] = {0};
    struct str name = word;
    while (str_starts(name, STR("-")))
        name = str_from(name, 1);
    name = str_sub(name, 0, str_find_char(name, '='));
    for (size_t at = 0; at < OPTION_COUNT; at++)
        names[at] = options[at].name;
    const char *near = nearest_word(name, names, OPTION_COUNT);
    if (near)
        return diag_error(diags, nowhere, "unknown option '%.*s', did you mean --%s", STR_ARG(word), near);
    return diag_error(diags, nowhere, "unknown option '%.*s', --help lists what there is", STR_ARG(word));
}

/* getopt has left a letter in optopt when the trouble is in a group of them: the word is not used up then. */
static bool refuse_option(int code, const char *word, struct diags *diags)
{
    char letter[] = {'-', (char)optopt};
    if (code == ':')
        return diag_error(diags, nowhere, "option '%s' needs a value", word);
    if (optopt && optopt != OPTION_HELP)
        return unknown_option((struct str){letter, sizeof letter}, diags);
    return unknown_option(str_of(word), diags);
}

static bool take_number(const char *option, struct arguments *arguments, struct diags *diags)
{
    size_t at = 0;
    while (!str_eq(str_of(number_fields[at].option), str_of(option)))
        at++;
    struct str name = arena_fmt(&diags->arena, "--%s", option);
    return number_read(&number_fields[at], name.ptr, str_of(optarg), &arguments->numbers, diags, nowhere);
}

static bool take_option(int code, int index, const char *word, struct arguments *arguments, struct diags *diags)
{
    switch (code) {
    case OPTION_ARCH: arguments->arch = optarg; return true;
    case OPTION_CSV: arguments->csv = optarg; return true;
    case OPTION_SWEEP: arguments->sweep = optarg; return true;
    case OPTION_BEST: arguments->best = true; return true;
    case OPTION_GPU: arguments->gpu = settings_product(str_of(optarg), diags); return arguments->gpu != NULL;
    case OPTION_FORMAT: arguments->format = optarg; return true;
    case OPTION_HELP: arguments->help = true; return true;
    case OPTION_NUMBER: return take_number(options[index].name, arguments, diags);
    default: return refuse_option(code, word, diags);
    }
}

static bool take_arguments(int argc, char **argv, struct arguments *arguments, struct diags *diags)
{
    int code = 0, index = 0;
    optind = 0; /* start over: the program has read its own options with the same scanner */
    opterr = 0;
    while ((code = getopt_long(argc, argv, "+:h", options, &index)) != -1)
        if (!take_option(code, index, argv[optind - 1], arguments, diags))
            return false;
    if (optind < argc)
        return diag_error(diags, nowhere, "unexpected argument '%s', launches are given by options", argv[optind]);
    return true;
}

static bool has_launch(const struct arguments *arguments)
{
    const struct numbers *n = &arguments->numbers;
    return arguments->arch || arguments->gpu || arguments->best || arguments->sweep || arguments->format ||
           n->threads >= 0 || n->registers >= 0 || n->smem_bytes >= 0 || n->dynamic_smem_bytes >= 0 ||
           n->barriers >= 0 || n->carveout >= 0 || n->sms >= 0 || n->grid >= 0;
}

/* A product is an architecture and a number of SMs: neither is said twice. */
static bool apply_gpu(struct arguments *a, struct diags *diags)
{
    if (!a->gpu || a->csv)
        return true;
    if (a->numbers.sms >= 0)
        return diag_error(diags, nowhere, "--gpu says how many SMs there are, and so does --sms");
    if (a->arch && arch_number(str_of(a->arch)) != arch_number(str_of(a->gpu->arch)))
        return diag_error(diags, nowhere, "%s is %s, and --arch says %s", a->gpu->name, a->gpu->arch, a->arch);
    if (!a->arch)
        a->arch = a->gpu->arch;
    a->numbers.sms = a->gpu->sms;
    return true;
}

static bool check_waves(const struct arguments *a, struct diags *diags)
{
    const struct numbers *n = &a->numbers;
    bool sms_alone = (a->gpu || a->best) && n->grid < 0; /* an architecture, or a grid that fills the GPU */
    if ((n->sms < 0 && n->grid < 0) || sms_alone)
        return true;
    if (n->sms < 0 || n->grid < 0)
        return diag_error(diags, nowhere, "waves need --sms and --grid, found only --%s", n->sms < 0 ? "grid" : "sms");
    return n->threads > 0 || diag_error(diags, nowhere, "waves need --threads, found --sms and --grid without it");
}

static bool is_format(const struct arguments *arguments, const char *name)
{
    return arguments->format && str_eq(str_of(arguments->format), str_of(name));
}

static bool wants_chart(const struct arguments *arguments)
{
    return arguments->format ? is_format(arguments, "text") : isatty(STDOUT_FILENO) == 1;
}

static bool check_format(const struct arguments *a, struct diags *diags)
{
    const char *other = a->sweep ? "csv" : "json";
    return !a->format || is_format(a, "text") || is_format(a, other) ||
           diag_error(diags, nowhere, "--format is '%s', expected text or %s", a->format, other);
}

/* What belongs together, in words; nothing is guessed. */
static bool check_arguments(const struct arguments *a, struct diags *diags)
{
    bool varies = a->sweep && str_eq(str_of(a->sweep), STR("registers"));
    if (a->csv)
        return !has_launch(a) || diag_error(diags, nowhere, "--csv takes launches from its file, found others too");
    if (!a->arch)
        return diag_error(diags, nowhere, "no --arch given, expected one like sm_80");
    if (a->numbers.registers < 0 && !varies)
        return diag_error(diags, nowhere, "no --registers given, expected the number that ptxas prints");
    if (a->best && (a->sweep || a->numbers.grid >= 0))
        return diag_error(diags, nowhere, "--best is about every block size, found --%s", a->sweep ? "sweep" : "grid");
    return check_format(a, diags) && check_waves(a, diags);
}

static bool find_axis(const char *word, enum axis *axis, struct diags *diags)
{
    static const char *const axes[] = {"threads", "registers", "smem"};
    for (size_t at = 0; at < sizeof axes / sizeof *axes; at++) {
        if (str_eq(str_of(word), str_of(axes[at]))) {
            *axis = (enum axis)at;
            return true;
        }
    }
    return diag_error(diags, nowhere, "--sweep is '%s', expected threads, registers or smem", word);
}

static bool print(struct buf *out)
{
    bool written = out->len == 0 || fwrite(out->ptr, 1, out->len, stdout) == out->len;
    buf_clear(out);
    return written;
}

static int finish_output(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "warplint: error: the answer could not be written: %s\n", strerror(errno));
    return STATUS_UNTRUSTED;
}

enum { MOST_COMPLAINTS = 100 };

/* At once, since a batch may be endless, and not for each row of a file of another kind. */
static void complain_row(struct batch *batch, struct diags *diags)
{
    if (++batch->bad <= MOST_COMPLAINTS)
        say_diags(diags);
    else
        diags_free(diags);
}

/* One line; false ends the batch. *status is what it comes to so far. */
static bool answer_line(struct batch *batch, struct str line, struct buf *out, struct diags *diags, int *status)
{
    bool header = batch->columns == 0;
    batch->line++;
    if (str_trim(line).len == 0 || str_eq(line, STR("\r")))
        return true;
    if (!(header ? batch_header(batch, line, out, diags) : batch_row(batch, line, out, diags))) {
        complain_row(batch, diags);
        *status = STATUS_USAGE;
        return !header;
    }
    return print(out);
}

/* The lines that are whole; what is left goes to the front of the buffer. False ends the batch. */
static bool answer_lines(struct batch *batch, struct buf *held, struct buf *out, struct diags *diags, int *status)
{
    struct str rest = buf_str(held);
    bool going = true;
    for (size_t end = 0; going && (end = str_find_char(rest, '\n')) != STR_NONE; rest = str_from(rest, end + 1))
        going = answer_line(batch, str_sub(rest, 0, end), out, diags, status);
    if (rest.len && rest.ptr != held->ptr)
        memmove(held->ptr, rest.ptr, rest.len);
    held->len = rest.len;
    return going;
}

static int answer_file(struct input_stream *in, struct batch *batch, struct buf *out, struct diags *diags)
{
    enum { BLOCK_BYTES = 1 << 16, LONGEST_LINE = 1 << 20 };
    struct buf held = {0};
    size_t got = 0;
    int status = STATUS_OK;
    bool going = true;
    while (going && held.len <= LONGEST_LINE &&
           (got = input_stream_read(in, buf_room(&held, BLOCK_BYTES), BLOCK_BYTES)) > 0) {
        held.len += got;
        going = answer_lines(batch, &held, out, diags, &status);
    }
    if (going && held.len > LONGEST_LINE)
        diag_error(diags, (struct place){.path = batch->path, .line = batch->line + 1},
                   "the line is longer than %d bytes", LONGEST_LINE);
    else if (going && held.len && !in->error)
        answer_line(batch, buf_str(&held), out, diags, &status);
    buf_free(&held);
    if (batch->bad > MOST_COMPLAINTS)
        fprintf(stderr, "%.*s: error: %zu more rows like these\n", STR_ARG(batch->path), batch->bad - MOST_COMPLAINTS);
    return status;
}

static int run_batch(const char *path, struct buf *out, struct diags *diags)
{
    bool standard = str_eq(str_of(path), STR("-"));
    struct batch batch = {.path = standard ? STR("<stdin>") : str_of(path)};
    struct input_stream in;
    if (!input_stream_open(&in, str_of(path), INPUT_ANY, diags))
        return STATUS_UNTRUSTED;
    int status = answer_file(&in, &batch, out, diags);
    if (input_stream_close(&in, diags) && diags->errors == 0 && batch.columns == 0 && status == STATUS_OK)
        diag_error(diags, (struct place){.path = batch.path}, "nothing to read, expected a header line");
    batch_free(&batch);
    return diags->errors == 0 ? status : STATUS_UNTRUSTED;
}

static int run_question(const struct arguments *arguments, struct buf *out, struct diags *diags)
{
    enum axis axis = AXIS_THREADS;
    struct question question = {.arch_name = str_of(arguments->arch), .numbers = arguments->numbers};
    question.arch = calculator_arch(question.arch_name, diags, nowhere);
    if (!question.arch || (arguments->sweep && !find_axis(arguments->sweep, &axis, diags)))
        return STATUS_USAGE;
    if (arguments->sweep && wants_chart(arguments))
        calculator_chart(&question, axis, out);
    else if (arguments->sweep)
        calculator_sweep(&question, axis, out);
    else if (is_format(arguments, "json"))
        calculator_json(&question, out);
    else if (arguments->best)
        calculator_best(&question, out);
    else
        calculator_answer(&question, out);
    return STATUS_OK;
}

int cmd_occupancy(int argc, char **argv)
{
    struct arguments arguments = {.numbers = NUMBERS_NONE};
    struct diags diags = {0};
    struct buf out = {0};
    int status = STATUS_USAGE;
    bool taken = take_arguments(argc, argv, &arguments, &diags);
    if (taken && arguments.help) {
        buf_add(&out, str_of(help));
        status = STATUS_OK;
    } else if (taken && apply_gpu(&arguments, &diags) && check_arguments(&arguments, &diags)) {
        status = arguments.csv ? run_batch(arguments.csv, &out, &diags) : run_question(&arguments, &out, &diags);
    }
    print(&out);
    say_diags(&diags);
    buf_free(&out);
    return finish_output(status);
}
