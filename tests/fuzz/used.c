#include "used.h"

#include "log/line.h"
#include "log/phrase.h"
#include "log/quoted_text.h"
#include "log/torn_line.h"

#include <stdlib.h>

enum { MOST_SHOWN = 1000 }; /* unknown lines that a model keeps */

/* A line "Used N registers": N, the line's number, and the names in the last Compiling and properties messages. */
struct used_line {
    uint64_t registers, line;
    struct str entry, properties;
    bool barriers; /* CUDA 12.4 or later: the properties before it are its own */
    bool given;
};

static void add_single(struct buf *out, struct str line)
{
    for (size_t at = 0; at < line.len; at++) {
        char c = line.ptr[at] == '\t' ? ' ' : line.ptr[at];
        if (c != ' ' || !out->len || out->ptr[out->len - 1] != ' ')
            buf_char(out, c);
    }
}

/* A line that warplint itself wrote before ptxas's output. */
static bool is_own(struct str line)
{
    return str_starts(prefix_skip(line), STR("warplint info    : PTX "));
}

/* `counts`: if the line is not understood, the reader has to count it. */
static void note_line(struct used *used, struct str line, bool counts)
{
    struct tag tag;
    struct captures captures;
    struct buf scratch = {0};
    bool own = is_own(line);
    bool tagged = tag_find(line, &tag);
    used->tagged += tagged || own || torn_line_is(line) || str_find(line, STR(" bytes stack frame,")) != STR_NONE ||
                    str_find(line, STR("remark: ")) != STR_NONE;
    if (counts && tagged && !own && tag.tool == TOOL_PTXAS && !tag.glued &&
        phrasebook_match(GROUP_TOOL, tag.text, &scratch, &captures) < 0)
        used->unmatched++;
    buf_free(&scratch);
}

static void clean(struct used *used, struct str log)
{
    struct buf scratch = {0};
    struct str line, piece;
    bool escaped = false;
    while (log.len) {
        bool ended = str_find_char(log, '\n') < log.len;
        str_split(&log, '\n', &line);
        while (line.len && str_split(&line, '\r', &piece)) {
            /* The reader may ignore a half line, or a word with a control character inside. */
            bool counts = ended && str_find(piece, STR("ptxas")) != STR_NONE;
            escaped = escaped || line_is_escaped(piece);
            piece = quoted_text_strip(suffix_cut(clean_line(piece, escaped, &scratch)));
            note_line(used, piece, counts);
            used->pieces++;
            buf_add(&used->clean, piece);
            buf_char(&used->clean, '\r');
            if (!is_own(piece))
                add_single(&used->single, piece);
            buf_char(&used->single, '\r');
        }
        buf_char(&used->clean, '\n');
        buf_char(&used->single, '\n');
    }
    buf_free(&scratch);
}

/* True if the message starts with these words; *rest is the text after them. */
static bool says(struct str message, struct str words, struct str *rest)
{
    bool is = str_starts(message, words);
    if (is)
        *rest = str_from(message, words.len);
    return is;
}

/* True for " registers, used N barriers", complete */
static bool says_barriers(struct str rest)
{
    static const struct str before = STR_INIT(" registers, used "), behind_it = STR_INIT(" barriers");
    uint64_t barriers = 0;
    if (!str_starts(rest, before))
        return false;
    rest = str_from(rest, before.len);
    if (!str_uint(&rest, &barriers) || !str_starts(rest, behind_it))
        return false;
    rest = str_from(rest, behind_it.len);
    return rest.len == 0 || rest.ptr[0] == ',';
}

/* `plain`: the line begins with the tag. After a place or other text before the tag the reader may ignore the
 * message. */
static void note_used(struct used *used, struct str rest, uint64_t number, struct str entry, struct str properties,
                      bool plain)
{
    int64_t registers = 0; /* int64_t because "-0" is 0 */
    if (!str_int(&rest, &registers))
        return;
    used->barriers |= plain && says_barriers(rest);
    used->lines = mem_reserve(used->lines, &used->cap, used->count + 1, sizeof *used->lines);
    used->lines[used->count++] =
        (struct used_line){(uint64_t)registers, number, entry, properties, used->barriers, false};
}

/* nvlink prints the same messages as ptxas; in link output the name in a properties message is in quotes. */
static void note_message(struct used *used, const struct tag *tag, uint64_t number, struct used_line *last, bool plain)
{
    struct str message = tag->text, rest;
    bool compiles = tag->tool == TOOL_PTXAS || tag->tool == TOOL_NVLINK;
    bool linked = str_starts(message, STR("Function properties for '"));
    bool entry = compiles && says(message, STR("Compiling entry function '"), &last->entry);
    if (entry)
        last->properties.len = 0;
    used->named += entry || linked || (compiles && says(message, STR("Function properties for "), &last->properties));
    if (compiles && says(message, STR("Used "), &rest))
        note_used(used, rest, number, last->entry, last->properties, plain);
}

static void find_used(struct used *used)
{
    struct str text = buf_str(&used->single), line, piece;
    struct used_line last = {0};
    struct tag tag;
    for (uint64_t number = 1; text.len && str_split(&text, '\n', &line); number++)
        while (line.len && str_split(&line, '\r', &piece))
            /* A message inside another message counts too. */
            for (struct str rest = piece; tag_find(rest, &tag); rest = tag.text) {
                bool plain = tag.file.len == 0 && str_starts(prefix_skip(piece), STR("ptxas info"));
                note_message(used, &tag, number, &last, plain);
            }
}

void used_read(struct used *used, struct str log)
{
    for (size_t at = 0; at < log.len; at++)
        used->line_ends += log.ptr[at] == '\n';
    used->line_ends += log.len && log.ptr[log.len - 1] != '\n';
    clean(used, log);
    find_used(used);
    numbers_read(&used->numbers, buf_str(&used->clean));
}

void used_free(struct used *used)
{
    buf_free(&used->clean);
    buf_free(&used->single);
    free(used->lines);
}

/* ---- the oracle ------------------------------------------------------------------------------------------------- */

static void check_said(const struct used *used, struct str text, const char *what)
{
    fuzz_check(str_find(buf_str(&used->clean), text) != STR_NONE || str_find(buf_str(&used->single), text) != STR_NONE,
               "nobody said this %s: %.*s", what, STR_ARG(text));
}

/* A name of Inductor's benchmark consists of two: "NAME [CONFIGURATION]". */
static void check_name(const struct used *used, struct str name)
{
    size_t at = str_find(name, STR(" ["));
    bool made = at != STR_NONE && str_ends(name, STR("]")) && str_find(buf_str(&used->clean), name) == STR_NONE &&
                str_find(buf_str(&used->clean), STR(", nreg ")) != STR_NONE;
    if (made)
        check_said(used, str_sub(name, at + 2, name.len - 1), "configuration");
    check_said(used, made ? str_sub(name, 0, at) : name, "name");
}

static void check_number(const struct used *used, int64_t value)
{
    fuzz_check(value == UNKNOWN || value == INT64_MIN || numbers_hold(&used->numbers, value), "nobody said %lld",
               (long long)value);
}

static void check_numbers(const struct used *used, const struct model *model, const struct kernel *kernel)
{
    const struct rare_metrics *rare = kernel_rare(model, kernel);
    const int32_t metrics[] = {
        kernel->registers,        kernel->barriers,
        kernel->stack_bytes,      kernel->cumulative_stack_bytes,
        kernel->smem_bytes,       kernel->spill_store_bytes,
        kernel->spill_load_bytes, rare->lmem_bytes,
        rare->textures,           rare->surfaces,
        rare->samplers,           rare->register_cap,
    };
    for (size_t at = 0; at < sizeof metrics / sizeof *metrics; at++)
        check_number(used, metrics[at]);
    for (size_t at = 0; at < kernel->bank_count; at++) {
        check_number(used, model->banks[kernel->first_bank + at].bank);
        check_number(used, model->banks[kernel->first_bank + at].bytes);
    }
    check_number(used, kernel->gmem_bytes);
    check_number(used, kernel->compile_us == INT64_MIN ? INT64_MIN : kernel->compile_us / 1000);
}

/* Assigns a Used line that may belong to this record, so that no other record gets it. */
static void check_owner(struct used *used, const struct model *model, const struct kernel *kernel)
{
    struct buf single = {0};
    add_single(&single, kernel_name(model, kernel));
    struct str name = buf_str(&single);
    bool mixed = model->logs[0].interleaved || kernel->flags & KERNEL_NO_ENTRY;
    for (size_t at = 0; at < used->count; at++) {
        struct used_line *line = &used->lines[at];
        bool own = str_starts(line->properties, name) ||
                   (str_starts(line->entry, name) && !(line->barriers && line->properties.len));
        if (line->given || line->registers != (uint64_t)kernel->registers || !(own || mixed) ||
            line->line < kernel->log_line)
            continue;
        line->given = true;
        buf_free(&single);
        return;
    }
    fuzz_check(false, "these are not its registers: %.*s, %d", STR_ARG(name), kernel->registers);
}

/* No message of ptxas or nvlink has the name (log/usage_text.h). */
static bool is_of_usage(const struct kernel *kernel)
{
    return kernel->producer == PRODUCER_CUOBJDUMP || kernel->producer == PRODUCER_INDUCTOR;
}

static void check_lines(const struct used *used, const struct model *model)
{
    const struct log_info *log = &model->logs[0];
    uint64_t events = 0;
    size_t named = 0;
    fuzz_check(log->lines == used->line_ends, "%llu lines, %llu were given", (unsigned long long)log->lines,
               (unsigned long long)used->line_ends);
    fuzz_check(log->unknown_lines <= used->tagged, "more unknown lines than lines of tools");
    fuzz_check(log->unknown_lines >= used->unmatched, "%llu lines are not understood, %llu are counted",
               (unsigned long long)used->unmatched, (unsigned long long)log->unknown_lines);
    for (size_t at = 0; at < model->event_count; at++)
        events += model->events[at].count;
    fuzz_check(events <= used->pieces, "%llu events in %llu lines", (unsigned long long)events,
               (unsigned long long)used->pieces);
    fuzz_check(model->unknown_count == (log->unknown_lines < MOST_SHOWN ? log->unknown_lines : MOST_SHOWN),
               "%zu unknown lines are kept, %llu counted", model->unknown_count,
               (unsigned long long)log->unknown_lines);
    for (size_t at = 0; at < model->kernel_count; at++)
        named += !is_of_usage(&model->kernels[at]);
    fuzz_check(named <= used->named, "%zu records, but only %llu messages name a function", model->kernel_count,
               (unsigned long long)used->named);
}

void used_check(struct used *used, const struct model *model)
{
    for (size_t at = 0; at < model->names.count; at++)
        check_name(used, intern_get(&model->names, (uint32_t)at));
    for (size_t at = 0; at < model->unknown_count; at++)
        check_said(used, model_string(model, model->unknown[at].text), "line");
    for (size_t at = 0; at < model->event_count; at++)
        if (!str_eq(model_string(model, model->events[at].id), STR("unroll")) &&
            !str_eq(model_string(model, model->events[at].id), STR("unroll-unclear")))
            check_said(used, model_string(model, model->events[at].text), "text");
    check_lines(used, model);
    for (size_t at = 0; at < model->kernel_count; at++) {
        const struct kernel *kernel = &model->kernels[at];
        check_said(used, kernel_arch(model, kernel), "architecture");
        if (is_of_usage(kernel))
            check_number(used, kernel->registers); /* usage text: other numbers are computed */
        else
            check_numbers(used, model, kernel);
        if (kernel->producer == PRODUCER_PTXAS && kernel->registers != UNKNOWN)
            check_owner(used, model, kernel);
    }
}
