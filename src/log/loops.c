#include "log/loops.h"

#include "base/diag.h"

#include <stdlib.h>

/* What one analysis of a loop said; a loop has one for each pass, architecture and instantiation. */
struct analysis {
    bool has_pragma, planned, failed, complete;
    bool at_run_time; /* unrolled by the factor, with a remainder loop for a trip count that is not known before */
    int64_t factor;   /* UNKNOWN: none stated */
};

struct loop {
    struct analysis now; /* the analysis that runs */
    bool has_pragma;     /* in any analysis */
    bool undone;         /* the last analysis chose a strategy and did not carry it out: a later pass may */
    bool short_of;       /* in some analysis the pragma was not honoured */
    bool worst_at_run_time;
    int64_t worst; /* the smallest factor stated where it was not; UNKNOWN: somewhere none was */
    uint32_t file, function, text, log;
    uint32_t line, column, log_line;
};

static const struct analysis nothing = {.factor = UNKNOWN};

/* Adds the analysis that ended to what is known of the loop; `last` is false when others follow. */
static void fold(struct loop *loop, bool last)
{
    struct analysis *now = &loop->now;
    bool undone = now->planned && now->has_pragma && !now->complete && now->factor == UNKNOWN;
    if (undone && !last) {
        loop->undone = loop->has_pragma = true;
        loop->now = nothing;
        return;
    }
    if (now->has_pragma)
        loop->undone = false;
    if (loop->undone && last)
        now->has_pragma = true;
    bool short_of = now->has_pragma && !now->complete && (now->failed || now->factor == UNKNOWN);
    if (short_of && (!loop->short_of || now->factor < loop->worst)) { /* UNKNOWN is the smallest number */
        loop->worst = now->factor;
        loop->worst_at_run_time = now->at_run_time;
    }
    loop->short_of |= short_of;
    loop->has_pragma |= now->has_pragma;
    loop->now = nothing;
}

static uint32_t key_of(struct intern *table, const struct placed *placed, struct str function)
{
    struct buf key = {0};
    buf_add(&key, placed->file);
    buf_fmt(&key, ":%llu:%llu ", (unsigned long long)placed->line, (unsigned long long)placed->column);
    buf_add(&key, function);
    uint32_t number = intern_add(table, buf_str(&key));
    buf_free(&key);
    return number;
}

static struct loop *loop_at(struct loops *loops, struct model *model, const struct placed *placed, struct str function,
                            uint32_t log, uint64_t log_line)
{
    uint32_t number = key_of(&loops->keys, placed, function);
    bool is_new = number + 1 == loops->keys.count && (loops->cap <= number || loops->items[number].log_line == 0);
    size_t old = loops->cap;
    loops->items = mem_reserve(loops->items, &loops->cap, number + 1, sizeof *loops->items);
    for (; old < loops->cap; old++)
        loops->items[old] = (struct loop){0};
    struct loop *loop = &loops->items[number];
    if (is_new)
        *loop = (struct loop){
            .now = nothing,
            .file = intern_add(&model->strings, placed->file),
            .function = function.len ? intern_add(&model->names, function) : NO_INDEX,
            .text = NO_INDEX,
            .log = log,
            .line = (uint32_t)placed->line,
            .column = (uint32_t)placed->column,
            .log_line = (uint32_t)log_line,
        };
    return loop;
}

/* The loop whose analysis runs at this place; remarks without "Starting analysis" open one without a function. */
static struct loop *current(struct loops *loops, struct model *model, const struct placed *placed, uint32_t log,
                            uint64_t log_line)
{
    uint32_t place = key_of(&loops->places, placed, (struct str){"", 0});
    size_t old = loops->current_cap;
    loops->current = mem_reserve(loops->current, &loops->current_cap, place + 1, sizeof *loops->current);
    for (; old < loops->current_cap; old++)
        loops->current[old] = NO_INDEX;
    if (loops->current[place] != NO_INDEX)
        return &loops->items[loops->current[place]];
    struct loop *loop = loop_at(loops, model, placed, (struct str){"", 0}, log, log_line);
    loops->current[place] = (uint32_t)(loop - loops->items);
    return loop;
}

static void start(struct loops *loops, struct model *model, const struct placed *placed, struct str function,
                  uint32_t log, uint64_t log_line)
{
    fold(current(loops, model, placed, log, log_line), false);
    struct loop *loop = loop_at(loops, model, placed, function, log, log_line);
    loops->current[key_of(&loops->places, placed, (struct str){"", 0})] = (uint32_t)(loop - loops->items);
}

/* "Warning : unable to ..." and "Unable to ... ." in one spelling. */
static uint32_t intern_plain(struct intern *strings, struct str text)
{
    struct buf plain = {0};
    if (str_starts(text, STR("Warning : ")))
        text = str_from(text, 10);
    if (str_ends(text, STR(".")))
        text.len--;
    buf_add(&plain, text);
    if (plain.len && plain.ptr[0] == 'U')
        plain.ptr[0] = 'u';
    uint32_t number = intern_add(strings, buf_str(&plain));
    buf_free(&plain);
    return number;
}

/* Where the headers of a CUDA toolkit lie: its loops are nobody's business here. To add a place: a part of the path. */
static bool is_toolkit_header(struct str file)
{
    static const struct str places[] = {
        STR_INIT("/targets/x86_64-linux/include/"), /* as nvcc names them by itself, and conda's */
        STR_INIT("/targets/sbsa-linux/include/"),
        STR_INIT("/targets/aarch64-linux/include/"),
        STR_INIT("/include/cccl/"),
        STR_INIT("/cuda/include/"),
        STR_INIT("/site-packages/nvidia/"), /* pip's */
        STR_INIT("/NVIDIA GPU Computing Toolkit/"),
    };
    for (size_t at = 0; at < sizeof places / sizeof *places; at++)
        if (str_find(file, places[at]) != STR_NONE)
            return true;
    size_t cuda = str_find(file, STR("/cuda-")), include = str_find(file, STR("/include/"));
    return cuda != STR_NONE && include != STR_NONE && cuda < include &&
           str_find_char(str_sub(file, cuda + 1, include), '/') == STR_NONE; /* "/usr/local/cuda-13.0/include/" */
}

void loops_remark(struct loops *loops, struct model *model, enum phrase_kind kind, const struct placed *placed,
                  const struct holes *holes, uint32_t log, uint64_t log_line)
{
    if (is_toolkit_header(placed->file))
        return;
    if (kind == PHRASE_LOOP_START) {
        start(loops, model, placed, holes->name, log, log_line);
        return;
    }
    struct loop *loop = current(loops, model, placed, log, log_line);
    if (kind == PHRASE_LOOP_PRAGMA) {
        loop->now.has_pragma = true;
    } else if (kind == PHRASE_LOOP_PLANNED) {
        loop->now.planned = true;
    } else if (kind == PHRASE_LOOP_COMPLETE) {
        loop->now.complete = true;
    } else if (kind == PHRASE_LOOP_FACTOR) {
        loop->now.factor = holes->number[0];
        loop->now.at_run_time = str_starts(holes->text, STR("run-time"));
    } else if (kind == PHRASE_LOOP_FAILED && str_find(placed->text, STR("pragma")) != STR_NONE) {
        loop->now.failed = loop->now.has_pragma = true;
        loop->text = intern_plain(&model->strings, placed->text);
    }
}

static uint32_t text_of(const struct loop *loop, struct model *model)
{
    struct buf text = {0};
    if (loop->text == NO_INDEX)
        return intern_add(&model->strings, STR("loop with #pragma unroll has no stated outcome"));
    if (loop->worst != UNKNOWN || loop->function == NO_INDEX) /* the concise remarks alone tell no outcome */
        return loop->text;
    buf_fmt(&text, "not unrolled: %.*s", STR_ARG(model_string(model, loop->text)));
    uint32_t number = intern_add(&model->strings, buf_str(&text));
    buf_free(&text);
    return number;
}

void loops_finish(struct loops *loops, struct model *model)
{
    for (size_t number = 0; number < loops->keys.count; number++) {
        struct loop *loop = &loops->items[number];
        fold(loop, true);
        if (!loop->short_of)
            continue;
        struct event *event = model_add_event(model);
        event->id = intern_add(&model->strings, STR("unroll"));
        event->text = text_of(loop, model);
        event->name = loop->function;
        event->file = loop->file;
        event->line = loop->line;
        event->column = loop->column;
        event->log = (uint16_t)loop->log;
        event->log_line = loop->log_line;
        event->severity = SEVERITY_NOTE;
        event->number[0] = loop->worst;
        event->number[1] = loop->worst_at_run_time ? 1 : UNKNOWN;
        event->number_count = 2;
    }
    intern_free(&loops->keys);
    intern_free(&loops->places);
    free(loops->items);
    free(loops->current);
    *loops = (struct loops){0};
}
