/* Finds signs in lines, commands, environment variables and the model; see doctor.h. */
#include "cli/doctor/doctor.h"
#include "cli/unrecorded.h"

#include "gpu/arch.h"
#include "log/command.h"
#include "log/line.h"
#include "report/messages.h"
#include "report/site.h"

#include <stdlib.h>

void evidence_free(struct evidence *evidence)
{
    arena_free(&evidence->arena);
    free(evidence->unrecorded.items);
    *evidence = (struct evidence){0};
}

void evidence_see(struct evidence *evidence, enum sign sign, struct str path, uint64_t line, struct str detail)
{
    struct sighting *seen = &evidence->signs[sign];
    if (seen->count++)
        return;
    seen->path = arena_str(&evidence->arena, path);
    seen->line = line;
    seen->detail = arena_str(&evidence->arena, detail);
}

static bool has_text(struct str text, struct str part)
{
    return str_find(text, part) != STR_NONE;
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/* To add a message of a build tool or a CI system: a row here, and a group in tests/data/doctor.test. */
static const struct known_message {
    struct str text; /* anywhere in the line */
    enum sign sign;
} known_messages[] = {
    {STR_INIT("ninja: no work to do."), SIGN_UP_TO_DATE},
    {STR_INIT(": Nothing to be done for "), SIGN_UP_TO_DATE},
    {STR_INIT(" is up to date."), SIGN_UP_TO_DATE},
    {STR_INIT("All outputs are up-to-date."), SIGN_UP_TO_DATE},
    {STR_INIT("] Built target "), SIGN_UP_TO_DATE},
    {STR_INIT("scons: done building targets."), SIGN_UP_TO_DATE},
    {STR_INIT("INFO: 1 process: 1 internal."), SIGN_UP_TO_DATE}, /* Bazel */
    {STR_INIT(" action cache hit, 1 internal."), SIGN_UP_TO_DATE},
    {STR_INIT("ninja: build stopped: "), SIGN_STOPPED},
    {STR_INIT("make: *** ["), SIGN_STOPPED},
    {STR_INIT("]: *** ["), SIGN_STOPPED},
    {STR_INIT(": *** No rule to make target "), SIGN_STOPPED},
    {STR_INIT("' not remade because of errors."), SIGN_STOPPED},
    {STR_INIT("scons: *** ["), SIGN_STOPPED},
    {STR_INIT("scons: building terminated because of errors."), SIGN_STOPPED},
    {STR_INIT("scons: done building targets (errors occurred during build)."), SIGN_STOPPED},
    {STR_INIT(": Build did NOT complete successfully"), SIGN_STOPPED},
    {STR_INIT("Build FAILED."), SIGN_STOPPED},
    {STR_INIT("nvcc fatal   : "), SIGN_STOPPED},
    {STR_INIT("Resource usage is not shown as the final resource allocation is not done"), SIGN_USAGE_REFUSED},
    {STR_INIT("#$ _NVVM_BRANCH_="), SIGN_STEPS},
    {STR_INIT("-- Configuring done"), SIGN_CMAKE},
    {STR_INIT("Building CUDA object "), SIGN_CMAKE},
    {STR_INIT("] Built target "), SIGN_CMAKE},
    {STR_INIT("make: "), SIGN_MAKE},
    {STR_INIT("make[1]: "), SIGN_MAKE},
};

static const struct str variables[] = {STR_INIT("NVCC_APPEND_FLAGS"), STR_INIT("NVCC_PREPEND_FLAGS"),
                                       STR_INIT("PTXAS_FLAGS")};
enum { VARIABLES = sizeof variables / sizeof *variables };

void evidence_environment(struct evidence *evidence)
{
    for (int at = 0; at < VARIABLES; at++) {
        const char *value = getenv(variables[at].ptr);
        if (value && command_asks_verbose(str_of(value)))
            evidence_see(evidence, SIGN_VARIABLE, STR(""), 0, variables[at]);
    }
}

bool evidence_line_has(struct str line, enum sign sign)
{
    for (size_t at = 0; at < sizeof known_messages / sizeof *known_messages; at++)
        if (known_messages[at].sign == sign && has_text(line, known_messages[at].text))
            return true;
    return false;
}

/* ---- commands --------------------------------------------------------------------------------------------------- */

void evidence_launchers(struct evidence *evidence, struct str line, struct str path, uint64_t number)
{
    static const struct str caches[] = {STR_INIT("ccache"), STR_INIT("sccache"), STR_INIT("cachepot")};
    struct str rest = line, word, cache = STR("");
    bool wrapped = false;
    while (command_word(&rest, &word)) {
        struct str name = path_name(word);
        for (size_t at = 0; at < sizeof caches / sizeof *caches; at++)
            cache = str_eq(name, caches[at]) ? caches[at] : cache;
        bool wraps = str_eq(name, STR("warplint")) && str_starts(str_trim(rest), STR("wrap "));
        if (wraps && cache.len)
            evidence_see(evidence, SIGN_CACHE_OUTSIDE, path, number, cache);
        wrapped |= wraps;
        if ((str_starts(name, STR("nvcc")) || str_starts(name, STR("clang"))) && (wrapped || cache.len)) {
            if (wrapped)
                evidence_see(evidence, SIGN_WRAP, path, number, STR(""));
            if (cache.len)
                evidence_see(evidence, SIGN_CACHE, path, number, cache);
            if (wrapped && str_eq(cache, STR("sccache")))
                evidence_see(evidence, SIGN_SCCACHE, path, number, STR(""));
            return;
        }
    }
}

static void see_compile(struct evidence *evidence, const struct command *command, uint64_t number)
{
    static const enum sign signs[] = {
        [COMMAND_LTO] = SIGN_LTO,
        [COMMAND_PTX] = SIGN_PTX_ONLY,
        [COMMAND_VERBOSE] = SIGN_ASKS,
        [COMMAND_QUIET] = SIGN_QUIET,
    };
    enum command_output output = command_output(command);
    if (output >= COMMAND_UNKNOWN)
        evidence_see(evidence, SIGN_COMPILE, STR(""), number, STR(""));
    if (output != COMMAND_NO_COMPILE && output != COMMAND_UNKNOWN)
        evidence_see(evidence, signs[output], STR(""), number, STR(""));
}

static void see_command(struct evidence *evidence, struct str line, uint64_t number)
{
    struct command command;
    bool may_be = has_text(line, STR("nvcc")) || has_text(line, STR("-x cuda")) || has_text(line, STR("ompiling")) ||
                  has_text(line, STR("Building CUDA")) || has_text(line, STR("Building NVCC"));
    line = prefix_skip(line);
    if (!may_be || !command_find(line, &command))
        return;
    evidence_launchers(evidence, line, STR(""), number);
    see_compile(evidence, &command, number);
    if (command.debug)
        evidence_see(evidence, SIGN_DEBUG, STR(""), number, STR(""));
}

void evidence_line(void *context, struct str line, uint16_t log, uint64_t number)
{
    struct evidence *evidence = context;
    (void)log;
    if (str_trim(line).len)
        evidence_see(evidence, SIGN_INPUT, STR(""), number, STR(""));
    for (size_t at = 0; at < sizeof known_messages / sizeof *known_messages; at++)
        if (has_text(line, known_messages[at].text))
            evidence_see(evidence, known_messages[at].sign, STR(""), number, STR(""));
    for (int at = 0; at < VARIABLES; at++) {
        size_t found = str_find(line, variables[at]);
        if (found != STR_NONE && command_asks_verbose(str_from(line, found + variables[at].len)))
            evidence_see(evidence, SIGN_VARIABLE, STR(""), number, variables[at]);
    }
    see_command(evidence, line, number);
}

/* ---- the model -------------------------------------------------------------------------------------------------- */

/* Adds a sign if the record lacks a value that the rules of `check` need for every kernel. */
static void see_unstated(struct evidence *evidence, const struct model *model, const struct kernel *kernel,
                         struct str path)
{
    bool counts = kernel->kind == KERNEL_ENTRY && !(kernel->flags & (KERNEL_AMBIGUOUS | KERNEL_DEBUG));
    if (!counts || context_is_secondary(model, kernel))
        return;
    struct launch_config launch_config = launch_config_none();
    SCOPED(context) context = {0};
    SCOPED(buf) names = {0};
    context_set(&context, model, kernel, &launch_config);
    unsigned unstated = context_unstated(&context);
    unstated_text(unstated, &names);
    if (unstated & ~(unsigned)STATED_SMEM) /* STATED_SMEM alone: the end of its Used line was not understood */
        evidence_see(evidence, SIGN_UNSTATED, path, kernel->log_line, buf_str(&names));
}

static void see_kernel(struct evidence *evidence, const struct model *model, const struct kernel *kernel)
{
    struct str path = model_string(model, model->logs[kernel->log].path), arch = kernel_arch(model, kernel);
    bool ambiguous = kernel->flags & KERNEL_AMBIGUOUS, linked = kernel->producer == PRODUCER_NVLINK;
    if (kernel->producer == PRODUCER_BINARY || !context_is_secondary(model, kernel))
        evidence_see(evidence, kernel->kind == KERNEL_ENTRY ? SIGN_KERNELS : SIGN_FUNCTIONS, path, kernel->log_line,
                     STR(""));
    if (linked)
        evidence_see(evidence, SIGN_LINKED, path, kernel->log_line, STR(""));
    if (ambiguous)
        evidence_see(evidence, model->logs[kernel->log].interleaved ? SIGN_AMBIGUOUS : SIGN_MISSING, path,
                     kernel->log_line, STR(""));
    if (kernel->flags & KERNEL_DEBUG)
        evidence_see(evidence, SIGN_DEBUG, path, kernel->log_line, STR(""));
    see_unstated(evidence, model, kernel, path);
    if (arch.len && !arch_find(arch))
        evidence_see(evidence, SIGN_UNKNOWN_ARCH, path, kernel->log_line, arch);
}

/* Adds the kernels that spill at unknown source lines: their number for each reason, and what to do about it. */
static void see_spills(struct evidence *evidence, const struct model *model)
{
    const struct kernel *first = NULL;
    size_t counts[UNLOCATED_COUNT] = {0}, all = 0, functions = 0;
    SCOPED(buf) detail = {0}, more = {0};
    for (size_t at = evidence->from.kernels; at < evidence->to.kernels; at++) {
        const struct kernel *kernel = &model->kernels[at];
        bool spills = kernel->spill_store_bytes > 0 || kernel->spill_load_bytes > 0;
        enum unlocated why = spills ? local_memory_unlocated(model, kernel) : LOCATED;
        if (why == LOCATED || kernel->producer != PRODUCER_PTXAS || kernel->flags & KERNEL_DEBUG)
            continue;
        first = first ? first : kernel;
        counts[why]++;
        all++;
        functions += kernel->kind == KERNEL_FUNCTION;
    }
    for (int why = 0; why < UNLOCATED_COUNT; why++) {
        if (counts[why] && counts[why] < all)
            buf_fmt(&more, "%zu of them: ", counts[why]);
        if (counts[why])
            buf_fmt(&more, "%s; %s\n", unlocated_texts[why].why, unlocated_texts[why].fix);
    }
    if (!first)
        return;
    buf_count(&detail, all - functions, "# kernel x arch");
    buf_count(&detail, functions, all > functions ? " and # device function{|s}" : "# device function{|s}");
    evidence_see(evidence, SIGN_UNLOCATED, model_string(model, model->logs[first->log].path), first->log_line,
                 buf_str(&detail));
    evidence->signs[SIGN_UNLOCATED].count = all;
    evidence->signs[SIGN_UNLOCATED].more = arena_str(&evidence->arena, buf_str(&more));
}

/* Turns words that end with NUL into a line of a shell. */
static void as_line(struct str words, struct buf *line)
{
    buf_clear(line);
    buf_add(line, words);
    for (size_t at = 0; at < line->len; at++)
        line->ptr[at] = line->ptr[at] == '\0' ? ' ' : line->ptr[at];
}

static void see_record(struct evidence *evidence, const struct model *model, const struct log_info *log)
{
    struct str path = model_string(model, log->path);
    SCOPED(buf) line = {0};
    evidence_see(evidence, SIGN_RECORDS, path, 0, STR(""));
    as_line(model_string(model, log->command), &line);
    evidence_launchers(evidence, buf_str(&line), path, 0);
    if (has_text(buf_str(&line), STR("sccache ")))
        evidence_see(evidence, SIGN_SCCACHE, path, 0, STR(""));
    as_line(model_string(model, log->flags), &line);
    if (log->no_code)
        evidence_see(evidence, command_is_lto(buf_str(&line)) ? SIGN_LTO : SIGN_PTX_ONLY, path, 0, STR(""));
}

static void see_log(struct evidence *evidence, const struct model *model, const struct log_info *log)
{
    struct str path = model_string(model, log->path);
    const struct event *error = model_first_error(model, (size_t)(log - model->logs));
    if (log->compiled)
        see_record(evidence, model, log);
    const struct {
        bool there;
        enum sign sign;
        uint64_t line; /* 0: the whole log */
    } signs[] = {
        {log->lines || log->compiled || log->verbose, SIGN_INPUT, 0}, /* a binary has no lines */
        {log->verbose, SIGN_RESOURCES, 0},
        {log->torn, SIGN_TORN, 0},
        {error != NULL, SIGN_STOPPED, error ? error->log_line : 0},
        {log->wrapped_line, SIGN_WRAPPED, log->wrapped_line},
        {log->cut, SIGN_CUT, log->lines},
        {log->clipped_line, SIGN_CLIPPED, log->clipped_line},
        {log->unowned_line, SIGN_MISSING, log->unowned_line},
        {log->lost_stack_line, SIGN_FILTERED, log->lost_stack_line},
        {log->amd_line, SIGN_AMD, log->amd_line},
        {log->rdc_line, SIGN_RDC, log->compiled ? 0 : log->rdc_line},
    };
    for (size_t at = 0; at < sizeof signs / sizeof *signs; at++)
        if (signs[at].there)
            evidence_see(evidence, signs[at].sign, path, signs[at].line, STR(""));
}

/* A message of ptxas or about a CUDA source shows that something was compiled. If a compile failed, the missing output
 * of ptxas proves nothing, so SIGN_COMPILE is not set. */
static void see_event(struct evidence *evidence, const struct model *model, const struct event *event, bool errors)
{
    struct str file = model_string(model, event->file), path = model_string(model, model->logs[event->log].path);
    if (!event->from_ptxas && !source_is_cuda(file) && !str_ends(file, STR(".cuh")))
        return;
    if (errors && event->severity == SEVERITY_ERROR)
        evidence_see(evidence, SIGN_STOPPED, path, event->log_line, STR(""));
    else if (!errors && !evidence->signs[SIGN_STOPPED].count)
        evidence_see(evidence, SIGN_COMPILE, path, event->log_line, STR(""));
}

void evidence_model(struct evidence *evidence, const struct model *model)
{
    const struct model_mark from = evidence->from, to = evidence->to;
    for (size_t at = from.logs; at < to.logs; at++)
        see_log(evidence, model, &model->logs[at]);
    for (size_t at = from.kernels; at < to.kernels; at++)
        see_kernel(evidence, model, &model->kernels[at]);
    for (int errors = 1; errors >= 0; errors--)
        for (size_t at = 0; at < model->event_count; at++)
            if (model->events[at].log >= from.logs && model->events[at].log < to.logs)
                see_event(evidence, model, &model->events[at], errors);
    see_spills(evidence, model);
    unrecorded_leave_linked(&evidence->unrecorded, model); /* device links whose result another input states */
    for (size_t at = 0; at < evidence->unrecorded.count; at++) {
        struct str object = evidence->unrecorded.items[at];
        evidence_see(evidence, unrecorded_is_link_of_cmake(object) ? SIGN_UNRECORDED_LINK : SIGN_UNRECORDED, object, 0,
                     STR(""));
    }
    for (size_t at = from.unknown; at < to.unknown; at++)
        evidence_see(evidence, SIGN_UNKNOWN_LINES, model_string(model, model->logs[model->unknown[at].log].path),
                     model->unknown[at].line, STR(""));
}
