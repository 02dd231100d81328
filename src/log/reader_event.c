/*
 * Stores messages that rules may match: messages of tools and messages about sources. Each is stored once, with its
 * count.
 */
#include "log/reader_private.h"

#include <string.h>

/* Adds an event, or counts it if it is equal to an earlier one: a message of a tool is compared with those of the same
 * run, a message at a source line with those of the whole log, because every pass and architecture repeats it. */
static void add_event(struct log_reader *r, const struct event *event, const struct phrase *phrase)
{
    bool per_function = phrase->flags & PHRASE_ONCE_PER_FUNCTION;
    bool per_log = !per_function && event->file != NO_INDEX && event->line;
    struct buf key = {0};
    buf_fmt(&key, "%zu %u %u %u %u %llu", (size_t)(phrase - phrase_table), per_function ? 0 : event->text, event->name,
            event->file, per_function ? 0 : event->line, (unsigned long long)(per_log ? 0 : r->run_number + 1));
    size_t before = r->event_keys.count;
    uint32_t slot = intern_take(&r->event_keys, &key);
    if (slot < before) {
        r->model->events[r->first_event + slot].count++;
        return;
    }
    *model_add_event(r->model) = *event;
}

/* Stores a cap that a message states, for the records of the run. */
static void note_cap(struct log_reader *r, const struct phrase *phrase, const struct event *event)
{
    const struct str id = str_of(phrase->event);
    if (!str_starts(id, STR("register-cap-")))
        return;
    const enum cap_from from = str_ends(id, STR("-option"))    ? CAP_MAXRREGCOUNT
                               : str_ends(id, STR("-maxnreg")) ? CAP_MAXNREG
                                                               : CAP_LAUNCH_BOUNDS;
    *MEM_ADD(r->caps, r->cap_count, r->cap_cap) = (struct stated_cap){event->name, narrow(event->number[1]), from};
    r->seen_caps = true;
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

void reader_read_event(struct log_reader *r, const struct phrase *phrase, const struct captures *captures,
                       const struct tag *tag, struct str target)
{
    /* A ptxas that prints module lines prints warnings before them, so a warning after records begins the next run. */
    if (tag->tool == TOOL_PTXAS && r->run_gmem_bytes != INT64_MIN && r->run_first_kernel < r->model->kernel_count)
        reader_end_run(r);
    struct event event = make_event(r, phrase, captures, tag->text, tag->severity);
    event.from_ptxas = tag->tool == TOOL_PTXAS;
    if (event.from_ptxas && tag->severity == SEVERITY_ERROR)
        r->ptxas_pending = 0; /* after an error it prints nothing else */
    if (target.len)
        event.arch = intern_add(&r->model->strings, target);
    if (tag->file.len) {
        event.file = intern_add(&r->model->strings, tag->file);
        event.line = (uint32_t)tag->line;
    }
    note_cap(r, phrase, &event);
    add_event(r, &event, phrase);
}

/* A quick test: each row of GROUP_FAILURE begins with a number, a quote, or a word that ends with a colon. */
static bool may_be_failure(struct str text)
{
    const struct str word = str_sub(text, 0, str_find_char(text, ' '));
    return word.len && (is_digit(word.ptr[0]) || word.ptr[0] == '\'' || word.ptr[word.len - 1] == ':');
}

bool reader_read_failure(struct log_reader *r, struct str text)
{
    struct captures captures;
    if (!may_be_failure(text))
        return false;
    const int row = phrasebook_match(GROUP_FAILURE, text, &r->blanks, &captures);
    if (row < 0 || (captures.number_count && captures.number[captures.number_count - 1] == 0)) /* "0 errors" */
        return false;
    const struct event event = make_event(r, &phrase_table[row], &captures, text, SEVERITY_ERROR);
    add_event(r, &event, &phrase_table[row]);
    return true;
}

void reader_count_unknown(struct log_reader *r, struct str line)
{
    struct model *model = r->model;
    reader_log(r)->unknown_lines++;
    if (model->unknown_count >= MAX_UNKNOWN_SHOWN)
        return;
    *MEM_ADD(model->unknown, model->unknown_count, model->unknown_cap) = (struct unknown_line){
        .log = r->log,
        .line = (uint32_t)r->number,
        .text = intern_add(&model->strings, line),
    };
}

/* Matches an error of the front end or of a host compiler that no other row matches; nvcc prints nothing else then.
 * Returns -1 in the log of a known compile, because its exit status is known. Returns -1 for host sources, because
 * trials of `configure` fail there and no kernels are missing. */
static int match_source_error(struct log_reader *r, const struct source_message *source_message,
                              struct captures *captures)
{
    const bool stops = source_message->severity == SEVERITY_ERROR && !r->of_compile;
    return stops && source_may_hold_cuda(source_message->file)
               ? phrasebook_match(GROUP_SOURCE_ERROR, source_message->text, &r->blanks, captures)
               : -1;
}

static bool is_loop_remark(const struct phrase *phrase)
{
    return phrase->kind >= PHRASE_LOOP_START && phrase->kind <= PHRASE_LOOP_STEP;
}

void reader_read_source_message(struct log_reader *r, const struct source_message *source_message, struct str line)
{
    struct captures captures;
    int row = phrasebook_match(GROUP_PLACE, source_message->text, &r->blanks, &captures);
    if (row < 0 || (is_loop_remark(&phrase_table[row]) && source_message->severity == SEVERITY_ERROR))
        row = match_source_error(r, source_message, &captures);
    if (row < 0) {
        if (str_find(line, STR("remark: ")) != STR_NONE && loops_unknown_remark(&r->loops, source_message))
            reader_count_unknown(r, line);
        return;
    }
    const struct phrase *phrase = &phrase_table[row];
    if (is_loop_remark(phrase)) {
        r->model->logs[r->log].loop_remarks = true;
        loops_remark(&r->loops, phrase->kind, source_message, &captures, r->number);
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
        r->pragma_event = event;
        r->pragma_number = r->number;
        r->pragma_phrase = phrase;
        return;
    }
    add_event(r, &event, phrase);
}

void reader_settle_pragma(struct log_reader *r, struct str line)
{
    if (!r->pragma_phrase || r->number == r->pragma_number)
        return;
    bool is_next = reader_is_next(r, r->pragma_number), unrolls = is_next && str_find(line, STR("unrol")) != STR_NONE;
    if (unrolls)
        add_event(r, &r->pragma_event, r->pragma_phrase);
    if (unrolls || !is_next)
        r->pragma_phrase = NULL;
}
