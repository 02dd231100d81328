/*
 * Separates the runs of tools: a run ends at a module line, another architecture, a command, or another writer. Also
 * sets the values that all records of a run have in common.
 */
#include "log/reader_private.h"

/* A cap without a name belongs to the entry of the run if there is one of each. */
static void give_unnamed_cap(struct log_reader *r)
{
    const struct stated_cap *unnamed = NULL;
    size_t count = 0;
    EACH(const struct stated_cap, cap, r->caps, r->cap_count)
        if (cap->name == NO_INDEX) {
            unnamed = cap;
            count++;
        }
    for (uint32_t k = r->run_first_kernel; r->run_entries == 1 && count == 1 && k < r->model->kernel_count; k++) {
        struct kernel *kernel = &r->model->kernels[k];
        if (kernel->kind == KERNEL_ENTRY && kernel_rare(r->model, kernel)->register_cap == UNKNOWN)
            kernel_set_cap(r->model, kernel, unnamed->registers, unnamed->from);
    }
}

/* Sets the architecture of the run for its device functions and advisories. */
static void infer_arch(struct log_reader *r)
{
    struct model *model = r->model;
    for (uint32_t k = r->run_first_kernel; !r->attribution.interleaved && k < model->kernel_count; k++)
        if (model->kernels[k].arch_inferred == NO_INDEX && model->kernels[k].producer == PRODUCER_PTXAS)
            model->kernels[k].arch_inferred = r->run_arch;
    for (uint32_t e = r->run_first_event; e < model->event_count; e++)
        if (model->events[e].arch == NO_INDEX && model->events[e].from_ptxas) {
            model->events[e].arch = r->run_arch;
            model->events[e].arch_inferred = true;
        }
}

/* Marks all records of an unoptimised run, if a module line shows where it began. */
static void mark_unoptimised(struct log_reader *r)
{
    for (uint32_t k = r->run_first_kernel; r->run_gmem_bytes != INT64_MIN && k < r->model->kernel_count; k++)
        if (r->model->kernels[k].producer == PRODUCER_PTXAS)
            r->model->kernels[k].flags |= KERNEL_DEBUG;
}

/* ptxas as a library (nvJitLink) may print kernels without Compiling and Used lines. In a run without these lines
 * kernels and device functions cannot be distinguished: all are judged as kernels. */
static void take_as_kernels(struct log_reader *r)
{
    struct kernel *kernels = r->model->kernels;
    bool only_properties = r->run_entries == 0;
    for (uint32_t k = r->run_first_kernel; k < r->model->kernel_count; k++)
        only_properties &= kernels[k].kind == KERNEL_FUNCTION;
    for (uint32_t k = r->run_first_kernel; only_properties && k < r->model->kernel_count; k++) {
        kernels[k].kind = KERNEL_ENTRY;
        kernels[k].flags |= KERNEL_NO_ENTRY;
    }
}

void reader_end_run(struct log_reader *r)
{
    if (r->run_tagged_stacks && r->run_tagged_stacks == r->run_stacks && !r->attribution.interleaved)
        take_as_kernels(r);
    r->run_stacks = r->run_tagged_stacks = 0;
    if (r->run_unoptimised && !r->attribution.interleaved)
        mark_unoptimised(r);
    r->run_unoptimised = false;
    if (r->run_arch != NO_INDEX)
        infer_arch(r);
    give_unnamed_cap(r);
    r->run_first_kernel = (uint32_t)r->model->kernel_count;
    r->run_first_event = (uint32_t)r->model->event_count;
    r->run_arch = NO_INDEX;
    r->run_gmem_bytes = r->run_constant_bytes = INT64_MIN;
    r->run_number++;
    r->run_entries = 0;
    r->cap_count = 0;
    r->last_timed = NO_INDEX;
}

/* True if a new record shows that the output after the last command is not only of that command: its name is of another
 * file, or another record of the run is not complete. From CUDA 12.4 on ptxas completes a record before it begins the
 * next one, so lines are missing, maybe also a command, or several tools write at once. */
static bool is_foreign(const struct log_reader *r, const struct kernel *kernel)
{
    return !command_may_print(model_string(r->model, kernel->source), kernel_name(r->model, kernel)) ||
           (r->attribution.seen_barriers && attribution_has_open(&r->attribution, r->run_first_kernel));
}

uint32_t reader_new_kernel(struct log_reader *r, uint32_t name, enum kernel_kind kind, enum producer producer)
{
    struct kernel *kernel = model_add_kernel(r->model);
    kernel->name = name;
    kernel->kind = (uint8_t)kind;
    kernel->producer = (uint8_t)producer;
    kernel->log = r->log;
    kernel->log_line = (uint32_t)r->number;
    kernel->flags = r->attribution.torn ? KERNEL_AMBIGUOUS : 0;
    if ((r->command.source.len || r->command.of_ptxas) && !r->parallel) {
        kernel->source = r->command.several ? NO_INDEX : r->command_source;
        r->foreign_run |= kernel->source != NO_INDEX && producer == PRODUCER_PTXAS && is_foreign(r, kernel);
        kernel->flags |= r->command.debug ? KERNEL_DEBUG : 0;
    }
    if (!r->attribution.interleaved) {
        kernel->gmem_bytes = r->run_gmem_bytes;
        kernel->constant_bytes = r->run_constant_bytes;
        r->first_mixed = (uint32_t)r->model->kernel_count;
    }
    if (kind == KERNEL_ENTRY && r->command.source.len && r->command.rdc && !r->rdc_line)
        r->rdc_line = r->number;
    reader_log(r)->verbose = true;
    return (uint32_t)r->model->kernel_count - 1;
}

/* Counts a run. A command with named targets makes one run for each of them and each source. */
static void count_run(struct log_reader *r)
{
    const size_t most = r->command_targets * r->command.sources;
    r->runs.count++;
    r->foreign_run |= r->limits_runs && most && r->runs.count > most;
}

/* Notes the target of a run. A command makes one run for each target. */
static void note_target(struct log_reader *r, uint32_t arch)
{
    enum { MOST = sizeof r->runs.archs / sizeof *r->runs.archs };
    struct command_runs *runs = &r->runs;
    EACH(const uint32_t, earlier, runs->archs, runs->arch_count) {
        if (*earlier != arch)
            continue;
        r->foreign_run |= r->limits_runs && r->command.sources <= 1;
        return;
    }
    if (runs->arch_count < MOST)
        runs->archs[runs->arch_count++] = arch;
}

/* Notes the first entry of a run. If the last command does not target its architecture, the output is of another
 * compile, so the build is parallel. If no module line precedes the entry, another tool prints too: then the run of
 * this entry began earlier. */
static void note_run(struct log_reader *r, uint32_t arch)
{
    r->parallel |= r->command.source.len && !r->command.buffered && r->command_targets && arch != NO_INDEX &&
                   !command_names(r->command.text, model_string(r->model, arch));
    note_target(r, arch);
    if (r->run_gmem_bytes != INT64_MIN)
        return;
    if (r->seen_module && r->attribution.seen_barriers)
        r->attribution.interleaved = true;
    else
        count_run(r);
    r->seen_headless |= r->seen_module;
}

void reader_add_entry(struct log_reader *r, uint32_t name, uint32_t arch)
{
    if (r->run_arch != NO_INDEX && arch != r->run_arch)
        reader_end_run(r);
    if (r->run_arch == NO_INDEX)
        note_run(r, arch);
    uint32_t number = reader_new_kernel(r, name, KERNEL_ENTRY, PRODUCER_PTXAS);
    struct kernel *kernel = &r->model->kernels[number];
    kernel->arch = kernel->arch_inferred = arch;
    EACH(const struct stated_cap, cap, r->caps, r->cap_count)
        if (cap->name == name)
            kernel_set_cap(r->model, kernel, cap->registers, cap->from);
    r->run_arch = arch;
    r->run_entries++;
    r->last_timed = NO_INDEX;
    attribute_entry(&r->attribution, number);
}

void reader_set_module_memory(struct log_reader *r, int64_t gmem_bytes, int64_t constant_bytes)
{
    const bool begins = r->run_first_kernel == r->model->kernel_count;
    const uint32_t first_event = r->run_first_event;
    const size_t caps = r->cap_count;
    reader_end_run(r);
    if (begins) { /* warnings and advisories come before the module line of their run */
        r->run_first_event = first_event;
        r->cap_count = caps;
    }
    loops_end_pass(&r->loops); /* cicc has ended before ptxas begins */
    r->run_gmem_bytes = gmem_bytes;
    r->run_constant_bytes = constant_bytes;
    r->seen_module = true;
    count_run(r);
    r->ptxas_pending -= r->ptxas_pending > 0;
    reader_log(r)->verbose = true;
}

/* Notes that lines of another writer follow, in a log in which a CI system mixes labelled writers, even within a
 * record. True if lines are kept by writer from this line on. */
static bool turn_to(struct log_reader *r, uint32_t stream)
{
    if (stream == r->stream)
        return false;
    if (reader_split_labels(r, stream))
        return true;
    bool within = r->pending_name != NO_INDEX || !attribution_is_idle(&r->attribution);
    r->stream = stream;
    reader_give_up_pending(r);
    if (r->left_within)
        attribution_note_too_many(&r->attribution);
    else if (within)
        attribution_note_next_writer(&r->attribution);
    r->left_within |= within;
    return false;
}

bool reader_see_stream(struct log_reader *r, struct str line, bool is_record)
{
    uint32_t stream = prefix_stream(line);
    bool goes_on = r->stream & STREAM_GOES_ON && line.len && line.ptr[0] == ' ';
    bool is_other = stream ? is_record || r->stream || attribution_is_idle(&r->attribution) : is_record && !goes_on;
    r->of_two = is_record && !stream && goes_on && r->left_within;
    if (!is_other || !turn_to(r, stream))
        return false;
    reader_keep_line(r, line);
    return true;
}

/* True if fewer runs of ptxas were seen than the last command will make. */
static bool is_outstanding(const struct log_reader *r)
{
    return r->command.source.len && r->runs.count < (r->command_targets ? r->command_targets : 1);
}

static bool have_same_targets(const struct command_runs *a, const struct command_runs *b)
{
    size_t common = 0;
    for (size_t at = 0; at < a->arch_count; at++)
        EACH(const uint32_t, other, b->archs, b->arch_count)
            common += a->archs[at] == *other;
    return common == a->arch_count && common == b->arch_count;
}

/*
 * Compares the runs of a command that names no target ("-arch=all-major", or only a progress line) with those of the
 * first such command. All of them make the same number of runs, but it is unknown. In a parallel build, runs that come
 * after the next command leave too few for their own command or too many for another one.
 */
static void compare_runs(struct log_reader *r, bool at_end)
{
    struct command_runs *runs = &r->runs, *usual = &r->usual_runs;
    if (r->command.buffered || r->command_targets || r->command.sources > 1 || runs->count == 0 || !r->limits_runs)
        return;
    if (usual->count == 0)
        *usual = *runs;
    const bool known = usual->arch_count == usual->count && runs->arch_count == runs->count;
    r->foreign_run |= runs->count > usual->count;
    if (!at_end) /* the last compile may have failed, or the log ends within its output */
        r->foreign_run |= runs->count < usual->count || (known && !have_same_targets(runs, usual));
}

/* Takes the level from "[1]: Entering directory '/src/a'", after "make". Before make 4.0 the first quote is a "`". */
static bool take_level(struct str *text, unsigned *level)
{
    uint64_t number = 0;
    size_t end = str_find(*text, STR("]: "));
    if (str_take(text, STR(": ")))
        return true;
    if (!str_starts(*text, STR("[")) || end == STR_NONE || !str_to_uint(str_sub(*text, 1, end), &number) ||
        number > 1000)
        return false;
    *level = (unsigned)number;
    *text = str_from(*text, end + 3);
    return true;
}

/* Notes that a make enters a folder. If makes run one after the other, or print their output at once (make -O), a make
 * leaves its folder before another one of its level enters a folder; otherwise the folders are doubtful. */
static void enter_folder(struct make_folders *folders, unsigned level, uint32_t path)
{
    size_t count = folders->count;
    folders->doubtful |=
        count == sizeof folders->open / sizeof *folders->open || (count && folders->open[count - 1].level >= level);
    if (folders->doubtful)
        return;
    folders->open[count].level = level;
    folders->open[count].path = path;
    folders->count++;
}

static void leave_folder(struct make_folders *folders, unsigned level, uint32_t path)
{
    size_t count = folders->count;
    bool last = count && folders->open[count - 1].level == level && folders->open[count - 1].path == path;
    folders->doubtful |= count && !last;
    folders->count -= last;
}

bool reader_read_folder(struct log_reader *r, struct str text)
{
    unsigned level = 0;
    str_take(&text, STR("g"));
    if (!str_take(&text, STR("make")) || !take_level(&text, &level))
        return false;
    bool enters = str_take(&text, STR("Entering directory "));
    if ((!enters && !str_take(&text, STR("Leaving directory "))) || text.len < 3)
        return false;
    uint32_t path = intern_add(&r->model->strings, str_sub(text, 1, text.len - 1));
    if (enters)
        enter_folder(&r->folders, level, path);
    else
        leave_folder(&r->folders, level, path);
    return true;
}

static void add_folder(struct buf *path, struct str folder)
{
    buf_add(path, folder);
    if (folder.len && !strchr("/\\", folder.ptr[folder.len - 1]))
        buf_char(path, '/');
}

/* The source of the command, in the folder of its make. The source in a progress line is relative to the root of the
 * build. */
static uint32_t add_source(struct log_reader *r, const struct command *command)
{
    const struct make_folders *folders = &r->folders;
    struct str first = command->folder.len ? command->folder : command->source;
    if (command->source.len == 0)
        return NO_INDEX;
    buf_clear(&r->command_text);
    if (folders->count && !folders->doubtful && command->text.len && !command->buffered && path_is_relative(first))
        add_folder(&r->command_text, model_string(r->model, folders->open[folders->count - 1].path));
    add_folder(&r->command_text, command->folder);
    buf_add(&r->command_text, command->source);
    return intern_add(&r->model->strings, buf_str(&r->command_text));
}

/* Handles a command that does not run ptxas: the output after it is not of this command. A later run of ptxas may
 * assemble the PTX that it makes. False: the command is read like any other one. */
static bool skip_silent_command(struct log_reader *r, bool restated, enum command_output output)
{
    if (restated) {
        r->runs.count += output != COMMAND_NO_COMPILE; /* `nvcc -M` precedes the compile */
        return true;
    }
    if (is_outstanding(r)) {
        r->parallel = true;
        return true;
    }
    if (output == COMMAND_PTX)
        return false;
    reader_end_run(r);
    r->command = (struct command){0};
    r->limits_runs = false;
    r->command_source = NO_INDEX;
    return true;
}

/* The source of its PTX is that of the compile before it, if that compile makes the PTX. If outputs of other commands
 * of ptxas have not come yet, it is unknown which one comes first. */
static void read_ptxas(struct log_reader *r, const struct command *command)
{
    const bool known = command_assembles(&r->command, command->source);
    const uint32_t source = known ? intern_add(&r->model->strings, r->command.source) : NO_INDEX;
    reader_end_run(r);
    r->command_source = r->ptxas_pending && r->command_source != source ? NO_INDEX : source;
    r->ptxas_mixed = r->ptxas_pending && (r->ptxas_mixed || r->command.debug != command->debug);
    r->ptxas_pending += command_asks_verbose(command->text);
    r->command.of_ptxas = true;
    r->limits_runs = false;
    r->command.debug = command->debug && !r->ptxas_mixed;
}

void reader_read_command(struct log_reader *r, const struct command *command)
{
    if (command->of_ptxas) {
        read_ptxas(r, command);
        return;
    }
    bool restated = !r->command.text.len && !r->runs.count && command_restates(r->command.source, command);
    enum command_output output = command_output(command);
    r->any_verbose |= output == COMMAND_VERBOSE;
    r->any_codeless |= output == COMMAND_PTX || output == COMMAND_LTO;
    r->any_code |= output >= COMMAND_UNKNOWN;
    const bool silent = command_is_silent(command);
    compare_runs(r, false);
    if (!command->buffered && !r->command.buffered) {
        if (silent && skip_silent_command(r, restated, output))
            return;
        const bool prints = r->command.verbose || r->command.text.len == 0;
        r->parallel |= is_outstanding(r) && !restated && (command->source.len || prints);
    }
    if (output == COMMAND_QUIET && !r->quiet_line)
        r->quiet_line = r->number;
    r->attribution.buffered |= command->buffered;
    if (command->buffered)
        r->own_output = r->attribution.message;
    reader_end_run(r);
    r->command_source = add_source(r, command);
    buf_clear(&r->command_text);
    buf_add(&r->command_text, command->text);
    r->command = *command;
    r->command.text = buf_str(&r->command_text);
    r->command.source = model_string(r->model, r->command_source);
    r->command_targets = command_targets(command->text);
    r->limits_runs = r->command.source.len && !command->several && !silent;
    r->runs = (struct command_runs){.count = silent ? r->command_targets + 1 : 0};
    if (command->buffered)
        r->parallel = false;
}

void reader_end_commands(struct log_reader *r, uint32_t first_kernel)
{
    compare_runs(r, true);
    r->foreign_run |= r->seen_headless && r->attribution.seen_barriers; /* a command came within a run */
    if (!r->attribution.interleaved && !r->foreign_run && !r->parallel)
        return;
    for (uint32_t k = first_kernel; k < r->model->kernel_count; k++) {
        r->model->kernels[k].source = NO_INDEX;
        r->model->kernels[k].flags &= (uint8_t)~KERNEL_DEBUG;
    }
}

void reader_read_toolkit(struct log_reader *r, struct toolkit toolkit)
{
    struct log_info *log = reader_log(r);
    r->toolkits |= toolkit_known(log->toolkit) && toolkit_order(log->toolkit, toolkit) != 0;
    log->toolkit = r->toolkits ? (struct toolkit){0} : toolkit;
}
