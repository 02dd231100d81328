/*
 * The state machine between lines and records. What a message means is the phrase table's business (phrase.c), whose
 * numbers it holds is attribute.c's; here is the order of things: which record a stack line, a compile time or a link's
 * metrics belong to, where one tool's run ends and the next begins (a module line, another architecture, a command),
 * and what has to be taken back when the log turns out to be interleaved.
 */
#include "log/reader.h"

#include "base/diag.h"
#include "log/attribute.h"
#include "log/bounds.h"
#include "log/command.h"
#include "log/foreign_part.h"
#include "log/line.h"
#include "log/loops.h"
#include "log/mark.h"
#include "log/name.h"
#include "log/phrase.h"
#include "log/prefilter.h"
#include "log/scan.h"
#include "log/torn_line.h"
#include "log/truncation.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_UNKNOWN_SHOWN = 1000, MAX_LEFT = 16 };

/* A cap that a message gives to a function by name, for the records that follow in the same run. */
struct named_cap {
    uint32_t name;
    int32_t registers;
};

struct log_reader {
    struct model *model;
    struct tokens tokens; /* of the block at hand */
    struct buf held;      /* the unfinished line */
    uint64_t number;      /* of the line at hand, from 1 */
    uint64_t lines;       /* that have ended */
    struct buf scratch;
    struct buf blanks; /* a message with single ones, see phrasebook_match */
    struct attribution attribution;
    struct loops loops;
    struct bounds_table bounds;
    struct intern event_keys; /* one for each distinct event of the run (or of the log, for source places) */
    uint32_t *event_of_key;
    size_t event_of_key_cap;
    uint16_t log; /* into model.logs */
    uint32_t first_kernel, first_event;
    uint32_t first_mixed; /* the first record that was made when the log was known to be interleaved */
    bool finishing;       /* the line at hand had no end: half a message is to be expected */

    /* The properties message whose stack line is still to come; the next stack line is its own. */
    uint32_t pending_name; /* NO_INDEX: none */
    uint64_t pending_line, pending_message;
    bool stack_follows;      /* some stack line stood directly behind its properties */
    bool seen_stack;         /* some stack line stood behind its properties */
    uint64_t ends_line;      /* the last one that ended within a message; 0: none did */
    uint64_t unowned_line;   /* of the first Used line that came when nothing was open; 0: none */
    uint64_t lost_line;      /* of the first properties that have none; 0: all have one */
    uint32_t lost_kernel;    /* the first record that was open at lost_line, or came after it */
    bool lines_mixed;        /* several tools' lines are mixed one by one, since lost_line */
    uint32_t stream;         /* of the last message (prefix_stream) */
    uint32_t left[MAX_LEFT]; /* streams that ended, so far, within a record */
    size_t left_count;
    uint32_t pending_shape; /* of what stood before the properties that are pending; 0: nothing */
    uint32_t last_function; /* the function record that the message before made, NO_INDEX */
    uint64_t last_function_message;
    uint32_t last_name; /* looked up last */
    uint64_t arch_word; /* the architecture of the last whole record, as its bytes with zeros behind; 0: none */
    uint32_t arch;
    uint32_t last_timed; /* the record that a Compile time right now would belong to */

    /* nvlink: properties, then metrics, directly behind each other. */
    uint32_t link_kernel; /* NO_INDEX: none open */
    unsigned link_open;   /* how many were opened and had no metrics yet */

    /* The present run of a tool. */
    uint32_t run_first_kernel, run_first_event, run_arch;
    struct times run; /* of its module; gmem_bytes unknown: no line said so */
    uint64_t run_number;
    unsigned run_entries, run_placed; /* the latter say their architecture themselves */
    bool run_unoptimised;             /* it has functions that optimised code has not */
    struct named_cap *caps;
    size_t cap_count, cap_cap;
    int32_t unnamed_cap; /* from a message that names nobody; good when the run has one entry */
    unsigned unnamed_caps;
    enum cap_from unnamed_cap_from;

    /* The last command that the log shows. */
    struct command command;
    struct buf command_text;
    uint32_t command_source;
    size_t command_runs, command_targets; /* runs of ptxas seen since the command, and to be heard */
    uint32_t command_arch;                /* the last one that was looked for in the command, NO_INDEX */
    bool has_command, parallel, any_unbuffered;
    uint64_t own_output; /* the message before the last command whose output is its own, as ninja prints it */
    bool seen_caps;      /* some message stated a register cap */
    bool seen_module;    /* from CUDA 12.4 on (it prints barriers) every run begins with a module line */

    uint64_t pragma_number;     /* its line */
    struct event *pragma_event; /* waits for the source line that shows which pragma */
    const struct phrase *pragma_phrase;
    struct event held_event;

    bool toolkits; /* the log names several */
    bool escaped;  /* by a web page, as a line has shown */

    bool of_compile;   /* the command is known: see log_reader_of_compile */
    struct str key;    /* of the marks around what ptxas says; empty: none is believed */
    bool within_marks; /* the line at hand stands between them */
    bool linking;      /* a linker speaks, too */

    void (*on_line)(void *context, struct str line, uint64_t number);
    void *on_line_context;
};

static struct log_info *info(struct log_reader *r)
{
    return &r->model->logs[r->log];
}

struct log_reader *log_reader_new(struct model *model, struct str path)
{
    struct log_reader *r = mem_alloc(sizeof *r);
    r->model = model;
    r->log = model_add_log(model, (struct log_info){.path = intern_add(&model->strings, path)});
    attribution_init(&r->attribution, model);
    r->first_kernel = r->run_first_kernel = (uint32_t)model->kernel_count;
    r->first_event = r->run_first_event = (uint32_t)model->event_count;
    r->pending_name = r->last_function = r->last_timed = r->link_kernel = NO_INDEX;
    r->run_arch = r->command_source = r->command_arch = r->last_name = NO_INDEX;
    r->run = no_times;
    return r;
}

void log_reader_on_line(struct log_reader *r, void (*handle)(void *, struct str, uint64_t), void *context)
{
    r->on_line = handle;
    r->on_line_context = context;
}

void log_reader_of_compile(struct log_reader *r, struct str key)
{
    r->of_compile = true;
    r->key = key;
}

void log_reader_links(struct log_reader *r)
{
    r->linking = true;
}

/* ---- runs ------------------------------------------------------------------------------------------------------- */

/* One entry and one cap that names nobody: it can only be its own. */
__attribute__((noinline)) static void give_unnamed_cap(struct log_reader *r)
{
    for (uint32_t k = r->run_first_kernel; k < r->model->kernel_count; k++) {
        struct kernel *kernel = &r->model->kernels[k];
        if (kernel->kind == KERNEL_ENTRY && kernel_rare(r->model, kernel)->register_cap == UNKNOWN)
            kernel_set_cap(r->model, kernel, r->unnamed_cap, r->unnamed_cap_from);
    }
}

/* The device functions of a run and its advisories were for its architecture. */
__attribute__((noinline)) static void infer_arch(struct log_reader *r)
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

/* The code of a run that a module line has begun is one compile's. */
__attribute__((noinline)) static void mark_unoptimised(struct log_reader *r)
{
    for (uint32_t k = r->run_first_kernel; r->run.gmem_bytes != INT64_MIN && k < r->model->kernel_count; k++)
        if (r->model->kernels[k].producer == PRODUCER_PTXAS)
            r->model->kernels[k].flags |= KERNEL_DEBUG;
}

static inline void end_run(struct log_reader *r)
{
    if (r->run_unoptimised && !r->attribution.interleaved)
        mark_unoptimised(r);
    r->run_unoptimised = false;
    bool all_placed = r->model->kernel_count - r->run_first_kernel == r->run_placed;
    if (r->run_arch != NO_INDEX && (!all_placed || r->run_first_event < r->model->event_count))
        infer_arch(r);
    if (r->run_entries == 1 && r->unnamed_caps == 1)
        give_unnamed_cap(r);
    r->run_first_kernel = (uint32_t)r->model->kernel_count;
    r->run_first_event = (uint32_t)r->model->event_count;
    r->run_arch = NO_INDEX;
    r->run = no_times;
    r->run_number++;
    r->run_entries = r->run_placed = r->unnamed_caps = 0;
    r->cap_count = 0;
    r->last_timed = NO_INDEX;
}

/* Warnings and advisories stand before the module line of their own run: they stay with what follows. */
static void begin_run(struct log_reader *r)
{
    uint32_t first_event = r->run_first_event;
    bool had_records = r->run_first_kernel < r->model->kernel_count;
    size_t caps = r->cap_count;
    unsigned unnamed = r->unnamed_caps;
    if (had_records)
        return;
    end_run(r);
    r->run_first_event = first_event;
    r->cap_count = caps;
    r->unnamed_caps = unnamed;
}

static inline uint32_t new_kernel(struct log_reader *r, uint32_t name, enum kernel_kind kind, enum producer producer)
{
    struct kernel *kernel = model_add_kernel(r->model);
    kernel->name = name;
    kernel->kind = (uint8_t)kind;
    kernel->producer = (uint8_t)producer;
    r->model->has_links |= producer != PRODUCER_PTXAS;
    kernel->log = r->log;
    kernel->log_line = (uint32_t)r->number;
    kernel->flags = r->attribution.torn ? KERNEL_AMBIGUOUS : 0;
    if (r->has_command && !r->parallel) {
        kernel->source = r->command_source;
        kernel->flags |= r->command.debug ? KERNEL_DEBUG : 0;
    }
    if (!r->attribution.interleaved) {
        kernel_set_times(r->model, kernel, r->run);
        r->first_mixed = (uint32_t)r->model->kernel_count;
    }
    info(r)->verbose = true;
    return (uint32_t)r->model->kernel_count - 1;
}

/* The number of a function's name; 0 as hash: not computed yet. */
static uint32_t name_number(struct log_reader *r, struct str name, uint64_t hash)
{
    r->last_name = intern_add_hashed(&r->model->names, name, hash ? hash : str_hash(name));
    return r->last_name;
}

/* ---- records ---------------------------------------------------------------------------------------------------- */

static uint32_t new_function(struct log_reader *r, uint32_t name, uint64_t line)
{
    uint32_t number = new_kernel(r, name, KERNEL_FUNCTION, PRODUCER_PTXAS);
    r->model->kernels[number].log_line = (uint32_t)line;
    bool told = r->of_compile || (r->has_command && r->command.debug);
    if (!told && name_is_unoptimised(intern_get(&r->model->names, name))) {
        r->run_unoptimised = true;
        info(r)->unoptimised_line = info(r)->unoptimised_line ? info(r)->unoptimised_line : line;
    }
    return number;
}

/* A stack line that never came: the function is known by name only. */
static void give_up_pending(struct log_reader *r)
{
    bool is_function = false;
    uint32_t name = r->pending_name;
    uint64_t now = r->attribution.message;
    r->pending_name = NO_INDEX;
    r->attribution.message = r->pending_message;
    attribute_properties(&r->attribution, name, &no_metrics, &is_function);
    r->attribution.message = now;
    if (!is_function)
        return;
    r->last_function = new_function(r, name, r->pending_line);
    r->last_function_message = r->pending_message;
}

/* And where it never comes alone, who knows what else is missing. */
static void drop_pending(struct log_reader *r)
{
    if (r->pending_name == NO_INDEX)
        return;
    give_up_pending(r);
    if (!r->lost_line && !r->finishing) {
        r->lost_line = r->pending_line;
        r->lost_kernel = attribution_first_open(&r->attribution);
    }
    if (r->stack_follows && !r->finishing)
        attribute_gap(&r->attribution);
}

static void apply_named_cap(struct log_reader *r, struct kernel *kernel)
{
    for (size_t cap = 0; cap < r->cap_count; cap++) {
        if (r->caps[cap].name == kernel->name)
            kernel_set_cap(r->model, kernel, r->caps[cap].registers, CAP_MAXRREGCOUNT);
    }
}

/* The first entry of a run. Without a module line before it, it is another tool's: its own run began earlier. */
static void note_run(struct log_reader *r)
{
    if (r->run.gmem_bytes != INT64_MIN)
        return;
    r->command_runs += !r->attribution.seen_barriers;
    if (r->seen_module && r->attribution.seen_barriers)
        r->attribution.interleaved = true;
}

/* The last command does not target this architecture, so the output is another compile's: assume a parallel build. */
__attribute__((noinline)) static void compare_arch(struct log_reader *r, uint32_t arch)
{
    r->command_arch = arch;
    if (!command_builds(buf_str(&r->command_text), model_string(r->model, arch)))
        r->parallel = true;
}

static inline void note_arch(struct log_reader *r, uint32_t arch)
{
    if (r->has_command && r->command_text.len && arch != NO_INDEX && arch != r->command_arch)
        compare_arch(r, arch);
}

static inline uint32_t open_entry(struct log_reader *r, uint32_t name, uint32_t arch)
{
    if (r->run_arch != NO_INDEX && arch != r->run_arch)
        end_run(r);
    if (r->run_arch == NO_INDEX)
        note_run(r);
    note_arch(r, arch);
    uint32_t number = new_kernel(r, name, KERNEL_ENTRY, PRODUCER_PTXAS);
    struct kernel *kernel = &r->model->kernels[number];
    kernel->arch = kernel->arch_inferred = arch;
    apply_named_cap(r, kernel);
    r->run_arch = arch;
    r->run_entries++;
    r->run_placed += arch != NO_INDEX;
    r->last_timed = NO_INDEX;
    return number;
}

static void read_entry(struct log_reader *r, uint32_t name, uint32_t arch)
{
    uint32_t number = open_entry(r, name, arch);
    attribute_entry(&r->attribution, number);
}

static void read_properties(struct log_reader *r, uint32_t name)
{
    r->pending_name = name;
    r->pending_line = r->number;
    r->pending_message = r->attribution.message;
    r->pending_shape = 0;
}

static int32_t narrow(int64_t value)
{
    return value > INT32_MIN && value <= INT32_MAX ? (int32_t)value : UNKNOWN;
}

/* Properties and their stack line are one write: what comes in between has torn it. An empty line after each, as some
 * recorders leave, has not. */
static bool is_far(struct log_reader *r)
{
    uint64_t apart = r->number - r->pending_line;
    bool far = apart > (r->stack_follows ? 1 : 2);
    r->stack_follows |= apart == 1;
    return far;
}

/* Properties have missed their stack line, and now one comes that nothing names: lines are not lost but mixed one by
 * one. Every stack line since then may be another record's, and so may every Used line. */
static void note_mixed_lines(struct log_reader *r)
{
    attribute_crowd(&r->attribution);
    if (!r->lines_mixed)
        attribute_take_back_from(&r->attribution, r->lost_kernel);
    r->lines_mixed = true;
}

/* A stack line that nothing names: lines are missing, or mixed, or another tool's were torn. */
static void read_stray_stack(struct log_reader *r, const struct metrics *metrics)
{
    if (r->lost_line)
        note_mixed_lines(r);
    else if (metrics && attribute_stack(&r->attribution, metrics))
        r->seen_stack = true;
    else if (r->attribution.seen_properties)
        attribute_gap(&r->attribution);
}

/* Two lines were written into one: from here on a number may be made of two, also the metrics of the link that come
 * next. Where properties have missed their stack line before, the torn line may have been it. */
static void note_torn(struct log_reader *r)
{
    if (r->lost_line)
        note_mixed_lines(r);
    if (r->link_kernel != NO_INDEX)
        r->model->kernels[r->link_kernel].flags |= KERNEL_AMBIGUOUS;
    attribute_torn(&r->attribution);
    r->attribution.interleaved = info(r)->torn = true;
}

/* A message goes on in the next line. One may have lost its end; of several nothing is sure: a name, too, may be the
 * beginning of one. */
static void note_wrapped(struct log_reader *r)
{
    if (r->ends_line && !info(r)->wrapped_line) {
        info(r)->wrapped_line = r->ends_line;
        attribute_torn(&r->attribution);
    }
    r->ends_line = r->number;
}

static void read_stack(struct log_reader *r, const int64_t bytes[3])
{
    struct metrics metrics = no_metrics;
    metrics.stack_bytes = narrow(bytes[0]);
    metrics.spill_store_bytes = narrow(bytes[1]);
    metrics.spill_load_bytes = narrow(bytes[2]);
    if (r->pending_name == NO_INDEX) {
        read_stray_stack(r, &metrics);
        return;
    }
    if (is_far(r)) {
        r->pending_name = NO_INDEX;
        note_torn(r);
        return;
    }
    uint32_t name = r->pending_name;
    r->pending_name = NO_INDEX;
    r->seen_stack = true;
    bool is_function = false;
    attribute_properties(&r->attribution, name, &metrics, &is_function);
    if (!is_function)
        return;
    uint32_t number = new_function(r, name, r->pending_line);
    struct kernel *kernel = &r->model->kernels[number];
    if (r->lines_mixed) {
        kernel->flags |= KERNEL_AMBIGUOUS;
        return;
    }
    kernel->stack_bytes = metrics.stack_bytes;
    kernel->spill_store_bytes = metrics.spill_store_bytes;
    kernel->spill_load_bytes = metrics.spill_load_bytes;
    r->last_function = r->last_timed = number;
    r->last_function_message = r->attribution.message;
}

/* Properties and a Used line with nothing open: the Compiling line stood before the log began, or was left out. */
static bool is_headless(const struct log_reader *r)
{
    const struct attribution *at = &r->attribution;
    return !at->interleaved && !at->open_mask && r->last_function != NO_INDEX &&
           r->last_function_message + 1 == at->message;
}

static bool read_headless(struct log_reader *r, const struct metrics *metrics, const struct bank *banks,
                          size_t bank_count)
{
    if (!is_headless(r))
        return false;
    struct kernel *kernel = &r->model->kernels[r->last_function];
    kernel->kind = KERNEL_ENTRY;
    kernel->flags |= KERNEL_NO_ENTRY;
    give_used(r->model, r->last_function, metrics, banks, bank_count);
    r->last_timed = r->last_function;
    r->last_function = NO_INDEX;
    return true;
}

/* False when the line's end was not understood; the registers are known all the same. */
static bool read_metrics(struct log_reader *r, const struct captures *captures, struct metrics *metrics,
                         struct bank *banks, size_t *bank_count)
{
    *metrics = no_metrics;
    metrics->registers = narrow(captures->number[0]);
    *bank_count = 0;
    bool whole = metrics_read(captures->metrics, metrics, banks, MAX_BANKS, bank_count);
    if (!whole)
        *bank_count = 0; /* there may be more of them */
    if (whole && !r->finishing)
        metrics->flags = KERNEL_USED_LINE;
    return whole || r->finishing;
}

static bool take_awaited(struct attribution *at)
{
    bool awaited = at->awaited > 0;
    at->awaited -= awaited;
    return awaited;
}

static void take_used(struct log_reader *r, const struct metrics *metrics, const struct bank *banks, size_t bank_count)
{
    info(r)->verbose = true;
    r->attribution.seen_barriers |= metrics->barriers != UNKNOWN;
    if (r->attribution.open_mask == 0 && !is_headless(r) && !take_awaited(&r->attribution) && !r->unowned_line)
        r->unowned_line = r->number;
    if (!read_headless(r, metrics, banks, bank_count))
        r->last_timed = attribute_used(&r->attribution, metrics, banks, bank_count);
}

/* Other numbers were never printed by ptxas: the line is somebody else's, or damaged. */
static bool is_possible(const struct metrics *metrics, const struct bank *banks, size_t bank_count)
{
    const int32_t sizes[] = {metrics->cumulative_stack_bytes,
                             metrics->smem_bytes,
                             metrics->lmem_bytes,
                             metrics->textures,
                             metrics->surfaces,
                             metrics->samplers,
                             metrics->barriers};
    bool possible =
        metrics->registers >= 0 && metrics->registers <= UINT8_MAX + 1 && metrics->barriers <= MOST_BARRIERS;
    for (size_t at = 0; at < sizeof sizes / sizeof *sizes; at++)
        possible &= sizes[at] >= 0 || sizes[at] == UNKNOWN;
    for (size_t at = 0; at < bank_count; at++)
        possible &= banks[at].bytes >= 0;
    return possible;
}

static bool read_used(struct log_reader *r, const struct captures *captures)
{
    struct metrics metrics;
    struct bank banks[MAX_BANKS];
    size_t bank_count = 0;
    bool whole = read_metrics(r, captures, &metrics, banks, &bank_count);
    if (!is_possible(&metrics, banks, bank_count)) {
        metrics = no_metrics;
        bank_count = 0;
        whole = false;
    }
    take_used(r, &metrics, banks, bank_count);
    return whole;
}

/* A Used line that cannot be read: some entry has had its line, and nothing is known of it. */
static void read_lost_used(struct log_reader *r)
{
    attribute_used(&r->attribution, &no_metrics, NULL, 0);
    r->last_timed = NO_INDEX;
}

static void take_module(struct log_reader *r, struct times module)
{
    if (r->run_first_kernel < r->model->kernel_count)
        end_run(r);
    else
        begin_run(r);
    if (!info(r)->interleaved) /* cicc ends before its ptxas begins */
        loops_end_pass(&r->loops);
    r->run = module;
    r->seen_module = true;
    r->command_runs++;
    info(r)->verbose = true;
}

static bool read_module(struct log_reader *r, const struct captures *captures)
{
    enum { CONSTANT_BANK = 3 };
    struct metrics metrics = no_metrics;
    struct bank banks[MAX_BANKS];
    size_t bank_count = 0;
    bool whole = metrics_read(captures->metrics, &metrics, banks, MAX_BANKS, &bank_count);
    struct times module = no_times;
    module.gmem_bytes = captures->number[0];
    for (size_t at = 0; at < bank_count; at++)
        if (banks[at].bank == CONSTANT_BANK)
            module.constant_bytes = banks[at].bytes;
    take_module(r, module);
    return whole || r->finishing;
}

static void set_compile_us(struct model *model, const struct kernel *kernel, int64_t compile_us)
{
    struct times times = kernel_times(model, kernel);
    times.compile_us = compile_us;
    kernel_set_times(model, kernel, times);
}

static void read_time(struct log_reader *r, int64_t time_us)
{
    if (r->last_timed != NO_INDEX && !r->attribution.interleaved)
        set_compile_us(r->model, &r->model->kernels[r->last_timed], time_us);
    r->last_timed = NO_INDEX;
}

/* ---- the link --------------------------------------------------------------------------------------------------- */

static void read_link_properties(struct log_reader *r, const struct captures *captures, enum producer producer,
                                 struct str target)
{
    if (r->link_open++ > 0) { /* two linkers at once: the metrics to come belong to either */
        r->model->kernels[r->link_kernel].flags |= KERNEL_AMBIGUOUS;
        r->attribution.interleaved = true;
    }
    uint32_t number = new_kernel(r, intern_add(&r->model->names, captures->name), KERNEL_ENTRY, producer);
    struct kernel *kernel = &r->model->kernels[number];
    if (target.len)
        kernel->arch = kernel->arch_inferred = intern_add(&r->model->strings, target);
    kernel->flags |= r->link_open > 1 ? KERNEL_AMBIGUOUS : 0;
    r->link_kernel = number;
}

static bool read_link_used(struct log_reader *r, const struct captures *captures, struct str target)
{
    struct metrics metrics;
    struct bank banks[MAX_BANKS];
    size_t bank_count = 0;
    bool whole = read_metrics(r, captures, &metrics, banks, &bank_count);
    uint32_t number = r->link_kernel;
    r->link_open -= r->link_open > 0;
    if (r->link_open == 0)
        r->link_kernel = NO_INDEX;
    if (number != NO_INDEX && !(r->model->kernels[number].flags & KERNEL_AMBIGUOUS) &&
        str_eq(model_string(r->model, r->model->kernels[number].arch), target))
        give_used(r->model, number, &metrics, banks, bank_count);
    return whole;
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

/* What makes two events one: the same message at the same place; in one run for what tools say, in the whole log for
 * what stands at a source line (every pass and architecture repeats it). */
static bool event_is_new(struct log_reader *r, const struct event *event, const struct phrase *phrase, uint32_t number)
{
    bool per_function = phrase->flags & PHRASE_ONCE_PER_FUNCTION;
    uint64_t run = event->file != NO_INDEX && event->line ? 0 : r->run_number + 1;
    struct buf key = {0};
    buf_fmt(&key, "%zu %u %u %u %u %llu", (size_t)(phrase - phrase_table), per_function ? 0 : event->text, event->name,
            event->file, per_function ? 0 : event->line, (unsigned long long)(per_function ? r->run_number + 1 : run));
    size_t before = r->event_keys.count;
    uint32_t slot = intern_add(&r->event_keys, buf_str(&key));
    buf_free(&key);
    r->event_of_key = mem_reserve(r->event_of_key, &r->event_of_key_cap, slot + 1, sizeof *r->event_of_key);
    if (slot < before) {
        r->model->events[r->event_of_key[slot]].count++;
        return false;
    }
    r->event_of_key[slot] = number;
    return true;
}

static void add_event(struct log_reader *r, const struct event *event, const struct phrase *phrase)
{
    if (event_is_new(r, event, phrase, (uint32_t)r->model->event_count))
        *model_add_event(r->model) = *event;
}

/* A cap that a message states, kept for the records of the run. */
static void note_cap(struct log_reader *r, const struct phrase *phrase, const struct event *event)
{
    r->seen_caps |= str_starts(str_of(phrase->event), STR("register-cap-"));
    if (strcmp(phrase->event, "register-cap-option") == 0) {
        r->caps = mem_reserve(r->caps, &r->cap_cap, r->cap_count + 1, sizeof *r->caps);
        r->caps[r->cap_count++] = (struct named_cap){event->name, narrow(event->number[1])};
    } else if (strcmp(phrase->event, "register-cap-launch-bounds") == 0) {
        r->unnamed_caps++;
        r->unnamed_cap = narrow(event->number[1]);
        r->unnamed_cap_from = CAP_LAUNCH_BOUNDS;
    } else if (strcmp(phrase->event, "register-cap-maxnreg") == 0) {
        r->unnamed_caps++;
        r->unnamed_cap = narrow(event->number[1]);
        r->unnamed_cap_from = CAP_MAXNREG;
    }
}

static struct event make_event(struct log_reader *r, const struct phrase *phrase, const struct captures *captures,
                               struct str text, int severity)
{
    struct event event = {
        .id = intern_add(&r->model->strings, str_of(phrase->event)),
        .text = intern_add(&r->model->strings, text),
        .name = captures->name.len ? intern_add(&r->model->names, captures->name) : NO_INDEX,
        .arch = captures->arch.len ? intern_add(&r->model->strings, captures->arch) : NO_INDEX,
        .file = NO_INDEX,
        .log = r->log,
        .log_line = (uint32_t)r->number,
        .count = 1,
        .severity = (uint8_t)severity,
        .number_count = (uint8_t)(captures->number_count < 2 ? captures->number_count : 2),
        .number = {captures->number[0], captures->number[1]},
    };
    return event;
}

static void read_event(struct log_reader *r, const struct phrase *phrase, const struct captures *captures,
                       const struct tag *tag, struct str target)
{
    /* A ptxas that prints module lines warns before its own: a warning behind records is the first word of the next
     * run. */
    if (tag->tool == TOOL_PTXAS && r->run.gmem_bytes != INT64_MIN && r->run_first_kernel < r->model->kernel_count)
        end_run(r);
    struct event event = make_event(r, phrase, captures, tag->text, tag->severity);
    event.from_ptxas = tag->tool == TOOL_PTXAS;
    if (target.len)
        event.arch = intern_add(&r->model->strings, target);
    if (tag->file.len) {
        event.file = intern_add(&r->model->strings, tag->file);
        event.line = (uint32_t)tag->line;
    }
    note_cap(r, phrase, &event);
    add_event(r, &event, phrase);
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

static void count_unknown(struct log_reader *r, struct str line)
{
    struct model *model = r->model;
    info(r)->unknown_lines++;
    if (model->unknown_count >= MAX_UNKNOWN_SHOWN)
        return;
    model->unknown = mem_reserve(model->unknown, &model->unknown_cap, model->unknown_count + 1, sizeof *model->unknown);
    model->unknown[model->unknown_count++] = (struct unknown_line){
        .log = r->log,
        .line = (uint32_t)r->number,
        .text = intern_add(&model->strings, line),
    };
}

/* One message of ptxas or a linker that the table knows; the tag is needed for the link and for events. False: its end
 * was not understood. */
static bool take_record(struct log_reader *r, const struct phrase *phrase, const struct captures *captures,
                        const struct tag *tag, struct str target)
{
    switch (phrase->kind) {
    case PHRASE_ENTRY:
        read_entry(r, name_number(r, captures->name, 0),
                   captures->arch.len ? intern_add(&r->model->strings, captures->arch) : NO_INDEX);
        return true;
    case PHRASE_PROPERTIES: read_properties(r, name_number(r, captures->name, 0)); return true;
    case PHRASE_STACK: read_stack(r, captures->number); return true;
    case PHRASE_USED: return read_used(r, captures);
    case PHRASE_MODULE: return read_module(r, captures);
    case PHRASE_TIME: read_time(r, captures->time_us); return true;
    case PHRASE_LINK_PROPERTIES:
        read_link_properties(r, captures, tag->tool == TOOL_DRIVER ? PRODUCER_DRIVER_LINKER : PRODUCER_NVLINK, target);
        return true;
    case PHRASE_LINK_USED: return read_link_used(r, captures, target);
    case PHRASE_EVENT: read_event(r, phrase, captures, tag, target); return true;
    default: return true;
    }
}

/* Takes " (target: sm_80)" off the end of nvlink's messages. */
static struct str take_target(struct str *text)
{
    size_t at = str_rfind(*text, STR(" (target: "));
    if (at == STR_NONE || !str_ends(*text, STR(")")))
        return (struct str){"", 0};
    struct str target = str_sub(*text, at + 10, text->len - 1);
    *text = str_sub(*text, 0, at);
    return target;
}

static enum phrase_group group_of(enum tool tool)
{
    if (tool == TOOL_DRIVER)
        return GROUP_LINKER;
    return tool == TOOL_NVCC || tool == TOOL_FATBINARY ? GROUP_NVCC : GROUP_TOOL;
}

/* The stream that was left within a record, or one of too many, goes on. */
static bool was_left(const struct log_reader *r, uint32_t stream)
{
    size_t at = 0;
    while (at < r->left_count && r->left[at] != stream)
        at++;
    return at < r->left_count || at == MAX_LEFT;
}

/* Lines of several writers that a CI system put one behind the other, or between each other: within a record, too,
 * where a message is a whole line but properties and their stack line are two. */
static void turn_to(struct log_reader *r, uint32_t stream)
{
    uint32_t last = r->stream;
    r->stream = stream;
    if (stream == last)
        return;
    bool within = r->pending_name != NO_INDEX || !attribution_is_idle(&r->attribution);
    if (r->pending_name != NO_INDEX)
        give_up_pending(r);
    if (was_left(r, stream))
        attribute_crowd(&r->attribution);
    else if (within)
        attribute_leave(&r->attribution);
    if (within && r->left_count < MAX_LEFT)
        r->left[r->left_count++] = last;
}

/* Where some lines name their writer those that name none are of one more. */
static void see_stream(struct log_reader *r, struct str line)
{
    uint32_t stream = prefix_stream(line);
    bool goes_on = r->stream & STREAM_GOES_ON && line.len && line.ptr[0] == ' ';
    if (stream || !goes_on)
        turn_to(r, stream);
}

/* What stands before the tool's name. */
static struct str before_tool(struct str line, const struct tag *tag)
{
    struct str before = str_sub(line, 0, (size_t)(tag->text.ptr - line.ptr));
    size_t tool = str_rfind(before, STR("ptxas"));
    return str_sub(before, 0, tool == STR_NONE ? 0 : tool);
}

/* The stack line of the properties that are pending, behind what stood before those and no row of prefix.c knows. */
static bool match_behind_prefix(struct log_reader *r, struct str line, struct captures *captures)
{
    size_t at = str_find(line, STR(" bytes stack frame,"));
    if (!r->pending_shape || at == STR_NONE)
        return false;
    while (at > 0 && is_digit(line.ptr[at - 1]))
        at--;
    return prefix_shape(str_sub(line, 0, at)) == r->pending_shape &&
           phrasebook_match(GROUP_STACK, str_from(line, at), &r->blanks, captures) >= 0;
}

/* A message behind a tag, and the row of the phrase table that it matches. */
struct message {
    struct tag tag;
    struct str target; /* that nvlink names */
    int row;           /* -1: none */
    struct captures captures;
};

static bool message_find(struct log_reader *r, struct str line, struct message *message)
{
    struct tag *tag = &message->tag;
    if (!tag_find(line, tag))
        return false;
    message->target = tag->tool == TOOL_NVLINK ? take_target(&tag->text) : (struct str){"", 0};
    message->row = phrasebook_match(group_of(tag->tool), tag->text, &r->blanks, &message->captures);
    return true;
}

/* A message that no row matches may still say that one was there. */
static void note_unreadable(struct log_reader *r, const struct tag *tag)
{
    if (str_starts(tag->text, STR("Used ")))
        read_lost_used(r);
    if (str_starts(tag->text, STR("Compiling entry function")))
        r->attribution.lost_entry = r->attribution.message;
    if (str_starts(tag->text, STR("Function properties for ")))
        r->attribution.last_device_function = r->attribution.message;
    if (!r->finishing && tag->tool == TOOL_PTXAS && torn_line_entry(tag->text) == TORN_ENDS)
        note_wrapped(r);
}

static void take_message(struct log_reader *r, const struct message *message, struct str line)
{
    const struct tag *tag = &message->tag;
    const struct phrase *phrase = message->row < 0 ? NULL : &phrase_table[message->row];
    if (r->of_compile && !r->linking && tag->tool == TOOL_NVLINK)
        return;
    if (tag->tool == TOOL_PTXAS)
        see_stream(r, line);
    if (!phrase || phrase->kind != PHRASE_STACK) { /* properties and their stack line are one message */
        r->attribution.message++;
        drop_pending(r);
    }
    bool understood = phrase && take_record(r, phrase, &message->captures, tag, message->target);
    if (r->pending_name != NO_INDEX && r->pending_line == r->number)
        r->pending_shape = prefix_shape(before_tool(line, tag));
    if (!phrase)
        note_unreadable(r, tag);
    bool half = r->finishing && phrasebook_could_begin(group_of(tag->tool), tag->text);
    if (!understood && !half && tag->tool != TOOL_DRIVER)
        count_unknown(r, line);
}

static void take_torn(struct log_reader *r, struct str line)
{
    r->pending_name = NO_INDEX;
    note_torn(r);
    count_unknown(r, line);
}

/* The end of a message: of the one that the line before has begun, or of one that was torn. */
static void take_end(struct log_reader *r, struct str line)
{
    if (!r->ends_line || r->ends_line + 1 != r->number) {
        take_torn(r, line);
        return;
    }
    note_wrapped(r);
    count_unknown(r, line);
}

/* What a record message holds besides its own words, and all of another one or of one that is not understood. */
static struct str inner_text(const struct message *message, enum phrase_kind kind)
{
    if (message->tag.tool != TOOL_PTXAS)
        return (struct str){"", 0};
    if (message->row < 0)
        return torn_line_rest(message->tag.text);
    switch (kind) {
    case PHRASE_ENTRY:
    case PHRASE_PROPERTIES: return message->captures.name;
    case PHRASE_USED: return message->captures.metrics;
    case PHRASE_EVENT: return message->tag.text;
    default: return (struct str){"", 0};
    }
}

/* A name that holds a piece of another line; a Compiling line that goes on otherwise than those before it; or ptxas's
 * words behind "info    : ", which is the tag of the driver's linker and the end of ptxas's. */
static bool is_broken_record(const struct log_reader *r, const struct message *message, enum phrase_kind kind)
{
    struct str text = message->tag.text;
    if (message->tag.tool == TOOL_DRIVER)
        return str_starts(text, STR("Used ")) || str_starts(text, STR("Compiling entry function '"));
    if (message->tag.tool != TOOL_PTXAS)
        return false;
    if (message->row < 0)
        return r->attribution.seen_entry && torn_line_entry(text) == TORN_BROKEN;
    return (kind == PHRASE_ENTRY || kind == PHRASE_PROPERTIES) && torn_line_name(message->captures.name);
}

/* A stack line inside a message, a message inside a stack line, or half a message and half another. */
static bool is_torn(const struct log_reader *r, const struct message *message, struct str line)
{
    const struct tag *tag = &message->tag;
    enum phrase_kind kind = phrase_table[message->row < 0 ? 0 : message->row].kind;
    struct str before = prefix_skip(str_sub(line, 0, (size_t)(tag->text.ptr - line.ptr)));
    bool is_event = message->row >= 0 && kind == PHRASE_EVENT;
    if (tag->glued || torn_line_half_tag(before) || str_find(before, STR("bytes stack")) != STR_NONE ||
        torn_line_holds_another(inner_text(message, kind), is_event) || is_broken_record(r, message, kind))
        return true;
    size_t tool = 0;
    while (tool < before.len && before.ptr[tool] != 'p' && before.ptr[tool] != 'n')
        tool++;
    struct str prefix = prefix_skip(str_sub(before, 0, tool));
    return r->pending_name != NO_INDEX && prefix.len > 0 && is_digit(prefix.ptr[0]);
}

static void read_source_message(struct log_reader *r, const struct source_message *source_message, struct str line)
{
    struct captures captures;
    int row = phrasebook_match(GROUP_PLACE, source_message->text, &r->blanks, &captures);
    if (row < 0) {
        if (str_find(line, STR("remark: ")) != STR_NONE && loops_unknown_remark(&r->loops, r->model, source_message))
            count_unknown(r, line);
        return;
    }
    const struct phrase *phrase = &phrase_table[row];
    if (phrase->kind >= PHRASE_LOOP_START && phrase->kind <= PHRASE_LOOP_STEP) {
        r->model->logs[r->log].loop_remarks = true;
        loops_remark(&r->loops, r->model, phrase->kind, source_message, &captures, r->log, r->number);
        return;
    }
    struct event event = make_event(r, phrase, &captures, source_message->text, source_message->severity);
    event.file = intern_add(&r->model->strings, source_message->file);
    event.line = (uint32_t)source_message->line;
    event.column = (uint32_t)source_message->column;
    if (strcmp(phrase->event, "unroll") == 0) {
        event.number[0] = UNKNOWN;
        event.number_count = 1;
    }
    if (phrase->kind == PHRASE_PRAGMA) {
        r->held_event = event;
        r->pragma_event = &r->held_event;
        r->pragma_number = r->number;
        r->pragma_phrase = phrase;
        return;
    }
    add_event(r, &event, phrase);
}

/* The source line behind "unrecognized #pragma": was it about unrolling? A line may come in pieces; a message has other
 * words. */
static void settle_pragma(struct log_reader *r, struct str line)
{
    if (!r->pragma_event || r->number == r->pragma_number)
        return;
    bool is_next = r->number == r->pragma_number + 1, unrolls = is_next && str_find(line, STR("unrol")) != STR_NONE;
    if (unrolls)
        add_event(r, r->pragma_event, r->pragma_phrase);
    if (unrolls || !is_next)
        r->pragma_event = NULL;
}

/* A new command while the one before has not spoken for all its targets: several are outstanding, and nobody can say
 * whose lines follow. */
static void read_command(struct log_reader *r, const struct command *command)
{
    bool restated = r->has_command && !r->command_text.len && !r->command_runs &&
                    command_restates(model_string(r->model, r->command_source), command);
    bool outstanding = r->has_command && !restated && r->command_runs < (r->command_targets ? r->command_targets : 1);
    if (outstanding && !command->buffered && !r->command.buffered && command->source.len)
        r->parallel = true;
    r->any_unbuffered |= !command->buffered;
    if (command->buffered)
        r->own_output = r->attribution.message;
    end_run(r);
    buf_clear(&r->command_text);
    buf_add(&r->command_text, command->text);
    r->command = *command;
    r->command.text = (struct str){"", 0};
    r->has_command = command->source.len > 0;
    r->command_source = r->has_command ? intern_add(&r->model->strings, command->source) : NO_INDEX;
    r->command.source = model_string(r->model, r->command_source);
    r->command_runs = 0;
    r->command_arch = NO_INDEX;
    r->command_targets = command_targets(command->text);
    if (command->buffered)
        r->parallel = false;
}

/* Of a log that names several nobody knows which one compiled what. */
static void read_toolkit(struct log_reader *r, struct toolkit toolkit)
{
    struct log_info *log = info(r);
    r->toolkits |= toolkit_known(log->toolkit) && toolkit_order(log->toolkit, toolkit) != 0;
    log->toolkit = r->toolkits ? (struct toolkit){0} : toolkit;
}

static void take_clip(struct log_reader *r)
{
    struct log_info *log = info(r);
    log->clipped_line = log->clipped_line ? log->clipped_line : r->number;
}

/* `text` is the line without what CI systems put before it. */
static void read_untagged(struct log_reader *r, struct str line, struct str text)
{
    struct captures captures;
    struct source_message source_message;
    struct command command;
    struct toolkit toolkit = {0};
    bool pending = r->pending_name != NO_INDEX;
    bool like_stack = pending || str_find(text, STR(" bytes stack frame,")) != STR_NONE;
    if ((like_stack && phrasebook_match(GROUP_STACK, text, &r->blanks, &captures) >= 0) ||
        (pending && match_behind_prefix(r, line, &captures))) {
        see_stream(r, line);
        read_stack(r, captures.number);
        return;
    }
    if (like_stack && !pending && str_ends(text, STR(" bytes spill loads"))) {
        read_stray_stack(r, NULL); /* behind what no row knows */
        return;
    }
    enum torn_line half = like_stack && !r->finishing ? torn_line_stack_line(text) : TORN_NONE;
    if (half == TORN_BROKEN && r->seen_stack) {
        take_torn(r, line);
        return;
    }
    if (half == TORN_ENDS)
        note_wrapped(r);
    if (pending && str_find(text, STR(" bytes stack frame,")) != STR_NONE) {
        drop_pending(r); /* a stack line that cannot be read: its numbers stay unknown */
        if (!r->finishing)
            count_unknown(r, line);
        return;
    }
    if (command_toolkit(line, &toolkit))
        read_toolkit(r, toolkit);
    else if (place_find(text, &source_message)) /* it may quote a command */
        read_source_message(r, &source_message, line);
    else if (!r->of_compile && command_find(text, &command))
        read_command(r, &command);
    else if (!r->of_compile && command_is_of_host(text))
        r->command.debug = false;
    else if (torn_line_is(line))
        take_end(r, line);
    else if (truncation_is(line))
        take_clip(r);
    else
        settle_pragma(r, line);
}

/* A line that we said ourselves in front of ptxas: with a message inside, it was torn. */
static bool read_own(struct log_reader *r, struct str line, struct str text)
{
    struct bounds bounds;
    struct tag tag;
    bool known = false;
    if (!bounds_read(text, &bounds, &known))
        return false;
    if (r->of_compile && !r->within_marks)
        return true; /* a message made it up: we speak between marks */
    if (tag_find(line, &tag))
        take_torn(r, line);
    else if (known)
        bounds_note(&r->bounds, r->model, &bounds);
    else
        count_unknown(r, line);
    return true;
}

/* The line without control sequences and without the project that MSBuild puts behind it, which whoever listens for
 * lines gets. */
static struct str give_line(struct log_reader *r, struct str line)
{
    r->escaped = r->escaped || line_is_escaped(line);
    line = suffix_cut(clean_line(line, r->escaped, &r->scratch));
    if (r->on_line)
        r->on_line(r->on_line_context, line, r->number);
    return line;
}

/* Only the first is reported: what is behind it may be anything. */
static void note_foreign_part(struct log_reader *r, struct str line)
{
    struct log_info *log = info(r);
    if (r->of_compile || log->foreign_line)
        return;
    log->foreign = foreign_part_find(line);
    log->foreign_line = log->foreign ? r->number : 0;
}

/* A mark of the key. ptxas has ended where the second one stands, and cicc before it. */
static bool read_mark(struct log_reader *r, struct str line)
{
    struct str key;
    bool begins = false;
    if (!r->key.len || mark_find(line, &key, &begins) == STR_NONE || !str_eq(key, r->key))
        return false;
    if (r->pending_name != NO_INDEX)
        give_up_pending(r);
    end_run(r);
    loops_end_pass(&r->loops);
    r->within_marks = begins;
    return true;
}

/* A line that is not of ptxas: what a message of the compiler quotes may look like any line of any tool. */
static void read_aside(struct log_reader *r, struct str line, struct str text)
{
    struct source_message source_message;
    struct message message;
    if (place_find(text, &source_message))
        read_source_message(r, &source_message, line);
    else if (!message_find(r, line, &message))
        settle_pragma(r, line);
    else if (message.tag.tool == TOOL_NVCC || message.tag.tool == TOOL_FATBINARY || message.tag.tool == TOOL_NVLINK)
        take_message(r, &message, line);
}

/* Any line, with all that may stand before a message or inside it. */
static void read_raw(struct log_reader *r, struct str line)
{
    struct message message;
    note_foreign_part(r, line);
    line = give_line(r, line);
    struct str text = prefix_skip(line);
    if (read_mark(r, line))
        return;
    if (r->key.len && !r->within_marks) {
        read_aside(r, line, text);
        return;
    }
    if (read_own(r, line, text))
        return;
    if (!message_find(r, line, &message))
        read_untagged(r, line, text);
    else if (is_torn(r, &message, line))
        take_torn(r, line);
    else
        take_message(r, &message, line);
}

static void read_used_metrics(struct log_reader *r, int32_t registers, int32_t barriers, int32_t cumulative_stack_bytes,
                              int32_t smem_bytes, const struct bank *banks, size_t bank_count)
{
    struct metrics metrics = no_metrics;
    metrics.registers = registers;
    metrics.barriers = barriers;
    metrics.cumulative_stack_bytes = cumulative_stack_bytes;
    metrics.smem_bytes = smem_bytes;
    metrics.flags = KERNEL_USED_LINE;
    take_used(r, &metrics, banks, bank_count);
}

static inline void next_message(struct log_reader *r)
{
    r->attribution.message++;
    if (r->pending_name != NO_INDEX)
        drop_pending(r);
}

/* ---- whole records ---------------------------------------------------------------------------------------------- */

static uint32_t whole_name(struct log_reader *r, const struct whole *whole)
{
    return whole->again ? r->last_name : name_number(r, whole->name, whole->hash);
}

/* Most records are for the architecture of the one before. */
static inline uint32_t whole_arch(struct log_reader *r, const struct whole *whole)
{
    char text[sizeof whole->arch + 1] = "";
    if (whole->arch != r->arch_word) {
        memcpy(text, &whole->arch, sizeof whole->arch);
        r->arch_word = whole->arch;
        r->arch = intern_add(&r->model->strings, str_of(text));
    }
    return r->arch;
}

/* One message after the other, as if they stood apart. */
static void read_parts(struct log_reader *r, const struct token *token)
{
    const struct whole *whole = &token->whole;
    const int64_t stack[3] = {whole->stack_bytes, whole->spill_store_bytes, whole->spill_load_bytes};
    uint32_t name = whole_name(r, whole);
    next_message(r);
    read_entry(r, name, whole_arch(r, whole));
    r->number++;
    next_message(r);
    read_properties(r, name);
    r->number++;
    read_stack(r, stack);
    r->number++;
    next_message(r);
    read_used_metrics(r, whole->registers, whole->barriers, whole->cumulative_stack_bytes, whole->smem_bytes,
                      whole->banks, whole->bank_count);
    if (whole->compile_us == INT64_MIN)
        return;
    r->number++;
    next_message(r);
    read_time(r, whole->compile_us);
}

/* With no other entry open there is nothing to decide, and the record is written at once. */
static void read_whole(struct log_reader *r, const struct token *token)
{
    const struct whole *whole = &token->whole;
    if (r->stream)
        turn_to(r, 0);
    if (whole->has_module) {
        next_message(r);
        struct times module = no_times;
        module.gmem_bytes = 0;
        take_module(r, module);
        r->number++;
    }
    if (!attribution_is_idle(&r->attribution)) {
        read_parts(r, token);
        return;
    }
    r->stack_follows = r->seen_stack = true;
    next_message(r);
    uint32_t arch = whole_arch(r, whole);
    uint32_t number = open_entry(r, whole_name(r, whole), arch);
    struct kernel *kernel = &r->model->kernels[number];
    kernel->stack_bytes = whole->stack_bytes;
    kernel->spill_store_bytes = whole->spill_store_bytes;
    kernel->spill_load_bytes = whole->spill_load_bytes;
    kernel->registers = whole->registers;
    kernel->barriers = whole->barriers;
    kernel->cumulative_stack_bytes = whole->cumulative_stack_bytes;
    kernel->smem_bytes = whole->smem_bytes;
    if (!r->attribution.interleaved)
        set_compile_us(r->model, kernel, whole->compile_us);
    kernel->flags |= KERNEL_USED_LINE;
    give_banks(r->model, number, whole->banks, whole->bank_count);
    bool own = attribute_whole(&r->attribution, number);
    r->last_timed = own && whole->compile_us == INT64_MIN ? number : NO_INDEX;
    r->attribution.message += whole->compile_us != INT64_MIN;
}

/* ---- tokens ----------------------------------------------------------------------------------------------------- */

static void read_token(struct log_reader *r, const struct token *token)
{
    if (!token->is_record && r->on_line && !prefilter_in_line(token->line))
        give_line(r, token->line); /* read only for the listener */
    else if (!token->is_record)
        read_raw(r, token->line);
    else if (!r->key.len || r->within_marks)
        read_whole(r, token);
}

static void read_tokens(struct log_reader *r, const struct tokens *tokens)
{
    for (size_t at = 0; at < tokens->count; at++) {
        r->number = r->lines + tokens->items[at].number + 1;
        read_token(r, &tokens->items[at]);
    }
    r->lines += tokens->lines;
}

/* Reads the whole lines that are held; the first `before` bytes held none. */
static void read_held(struct log_reader *r, size_t before)
{
    enum { LONGEST_LINE = 1 << 28 }; /* of a longer one only the end is kept: input without end fits in memory */
    buf_room(&r->held, SCAN_SLACK);
    size_t whole = scan_whole_lines(buf_str(&r->held), before);
    if (!whole && r->held.len > LONGEST_LINE) {
        buf_clear(&r->held);
        buf_add(&r->held, STR("[the front of a line without end] "));
    }
    if (!whole)
        return;
    scan_block(str_sub(buf_str(&r->held), 0, whole), r->on_line != NULL, &r->tokens);
    read_tokens(r, &r->tokens);
    memmove(r->held.ptr, r->held.ptr + whole, r->held.len - whole);
    r->held.len -= whole;
}

enum { PIECE = 1 << 17 };

void log_reader_feed(struct log_reader *r, struct str bytes)
{
    for (size_t at = 0; at < bytes.len; at += PIECE) {
        size_t before = r->held.len;
        buf_add(&r->held, str_sub(bytes, at, at + PIECE));
        read_held(r, before);
    }
}

void log_reader_pump(struct log_reader *r, size_t (*fill)(void *source, char *into, size_t room), void *source)
{
    for (size_t got = 1; got > 0;) {
        size_t before = r->held.len;
        got = fill(source, buf_room(&r->held, PIECE + SCAN_SLACK), PIECE);
        r->held.len += got;
        read_held(r, before);
    }
}

/* ---- the end ---------------------------------------------------------------------------------------------------- */

/* What the messages about caps say of one name. */
struct name_caps {
    int32_t registers;
    uint32_t messages, records;
    bool differ;
};

/* A cap message names the kernel but not the run: in a mixed log it holds when all records of that name have the same.
 */
static void take_back_caps(struct log_reader *r)
{
    struct model *model = r->model;
    struct name_caps *names = mem_alloc((model->names.count + 1) * sizeof *names);
    uint32_t cap_event = intern_find(&model->strings, STR("register-cap-option"));
    for (uint32_t e = r->first_event; e < model->event_count; e++) {
        const struct event *event = &model->events[e];
        if (event->id != cap_event || event->name == NO_INDEX)
            continue;
        struct name_caps *caps = &names[event->name];
        int32_t registers = narrow(event->number[1]);
        caps->differ |= caps->messages && caps->registers != registers;
        caps->registers = registers;
        caps->messages += event->count;
    }
    for (uint32_t k = r->first_kernel; k < model->kernel_count; k++)
        names[model->kernels[k].name].records += model->kernels[k].producer == PRODUCER_PTXAS;
    for (uint32_t k = r->first_kernel; k < model->kernel_count; k++) {
        struct kernel *kernel = &model->kernels[k];
        const struct name_caps *caps = &names[kernel->name];
        bool known = kernel->producer == PRODUCER_PTXAS && caps->messages == caps->records && !caps->differ;
        kernel_set_cap(model, kernel, known ? caps->registers : UNKNOWN, known ? CAP_MAXRREGCOUNT : CAP_UNKNOWN);
    }
    free(names);
}

/* In an interleaved log, what was taken from the order of lines alone is not known after all. */
static void take_back(struct log_reader *r)
{
    bool mixed = r->attribution.interleaved;
    bool source_doubtful = mixed || (r->parallel && r->any_unbuffered);
    for (uint32_t k = r->first_kernel; source_doubtful && k < r->model->kernel_count; k++) {
        r->model->kernels[k].source = NO_INDEX;
        r->model->kernels[k].flags &= (uint8_t)~KERNEL_DEBUG;
    }
    for (uint32_t k = r->first_kernel; mixed && k < r->first_mixed; k++) {
        struct kernel *kernel = &r->model->kernels[k];
        kernel_set_times(r->model, kernel, no_times);
        if (kernel->arch == NO_INDEX)
            kernel->arch_inferred = NO_INDEX;
    }
    if (mixed)
        attribute_take_back(&r->attribution);
    if (mixed && r->seen_caps)
        take_back_caps(r);
    for (uint32_t e = r->first_event; mixed && e < r->model->event_count; e++) {
        struct event *event = &r->model->events[e];
        event->arch = event->arch_inferred ? NO_INDEX : event->arch;
        event->arch_inferred = false;
    }
}

/* Caps of what every architecture since 3.2 gives a thread anyway are none. */
static void drop_wide_caps(struct log_reader *r)
{
    enum { NO_LOWER_CAP = 255 };
    for (uint32_t k = r->first_kernel; r->seen_caps && k < r->model->kernel_count; k++) {
        struct kernel *kernel = &r->model->kernels[k];
        if (kernel_rare(r->model, kernel)->register_cap >= NO_LOWER_CAP)
            kernel_set_cap(r->model, kernel, UNKNOWN, CAP_UNKNOWN);
    }
}

/* The last line, which has no end: half a message is to be expected at its end. What is passed over in other lines is
 * passed over here. */
static void read_unfinished(struct log_reader *r)
{
    struct str rest = buf_str(&r->held), piece;
    r->number = r->lines + 1;
    while (rest.len && str_split(&rest, '\r', &piece)) {
        r->finishing = rest.len == 0;
        if (prefilter_in_line(piece))
            read_raw(r, piece);
        else if (piece.len)
            give_line(r, piece);
    }
}

void log_reader_finish(struct log_reader *r)
{
    bool unfinished = r->held.len > 0;
    read_unfinished(r);
    if (r->pending_name != NO_INDEX)
        give_up_pending(r); /* the log ends there: nothing is lost that was to follow */
    bool open = attribution_finish(&r->attribution) > r->own_output;
    end_run(r);
    loops_finish(&r->loops, r->model);
    take_back(r);
    bounds_finish(&r->bounds, r->model, r->first_kernel);
    drop_wide_caps(r);
    struct log_info *log = info(r);
    log->interleaved = r->attribution.interleaved;
    log->lost_stack_line = r->seen_stack || log->wrapped_line ? 0 : r->lost_line;
    log->torn |= r->within_marks; /* where ptxas ended is not known */
    log->unowned_line = log->torn || log->wrapped_line ? 0 : r->unowned_line;
    log->cut = open || (unfinished && log->verbose);
    log->lines = r->lines + unfinished;
    attribution_free(&r->attribution);
    intern_free(&r->event_keys);
    free(r->event_of_key);
    free(r->caps);
    free(r->tokens.items);
    buf_free(&r->held);
    buf_free(&r->scratch);
    buf_free(&r->command_text);
    buf_free(&r->blanks);
    free(r);
}
