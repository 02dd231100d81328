#include "log/loops.h"

#include "base/diag.h"
#include "log/command.h"

#include <stdlib.h>

/* The result of one analysis of a loop. There is one analysis for each pass, architecture and instantiation. */
struct analysis {
    bool has_pragma;
    bool planned;       /* the compiler chose a strategy */
    bool plan_failed;   /* the strategy could not be applied */
    bool plan_complete; /* the strategy unrolls the loop completely */
    bool refused;       /* the compiler states that it cannot follow the pragma */
    bool complete;      /* unrolled completely */
    bool at_run_time;   /* unrolled by the factor, with a remainder loop, because the trip count is unknown */
    int64_t asked;      /* the factor of the pragma; UNKNOWN: all iterations */
    int64_t plan;       /* the factor of the strategy; UNKNOWN: not stated */
    int64_t factor;     /* the factor that was used; UNKNOWN: not stated */
    uint32_t reason;    /* in model.strings: why the pragma could not be followed; NO_INDEX: not stated */
    uint32_t remark;    /* in model.strings: the last remark, of unknown form if there is one */
    bool unknown;       /* a remark had an unknown form */
};

/* The outcome of the pragma, the worst last. */
enum outcome { LOOP_HONOURED, LOOP_UNCLEAR, LOOP_BY_LESS, LOOP_NOT_UNROLLED };

struct loop {
    struct analysis now;    /* the present analysis */
    struct analysis undone; /* one that did not change the loop, so a later one may; has_pragma is false: none */
    struct analysis worst;  /* the worst analysis in which the pragma was not followed */
    uint32_t file, function;
    uint32_t line, column, log_line;
    uint32_t place; /* in loops.places */
};

static const struct analysis nothing = {
    .asked = UNKNOWN, .plan = UNKNOWN, .factor = UNKNOWN, .reason = NO_INDEX, .remark = NO_INDEX};

static enum outcome outcome_of(const struct analysis *analysis)
{
    if (!analysis->has_pragma || analysis->complete)
        return LOOP_HONOURED;
    if (analysis->factor != UNKNOWN)
        return analysis->refused || analysis->factor < analysis->asked ? LOOP_BY_LESS : LOOP_HONOURED;
    bool stated = !analysis->unknown && analysis->reason != NO_INDEX && analysis->planned == analysis->plan_failed;
    return stated ? LOOP_NOT_UNROLLED : LOOP_UNCLEAR;
}

static void keep_worst(struct loop *loop, const struct analysis *analysis)
{
    enum outcome outcome = outcome_of(analysis), worst = outcome_of(&loop->worst);
    if (outcome > worst || (outcome == worst && analysis->factor < loop->worst.factor))
        loop->worst = *analysis;
}

/* Adds the result of the ended analysis to the loop. last: no further analysis follows. */
static void finish_analysis(struct loop *loop, bool last)
{
    struct analysis ended = loop->now;
    loop->now = nothing;
    if (ended.has_pragma) {
        loop->undone = nothing;
        if (!ended.complete && ended.factor == UNKNOWN)
            loop->undone = ended;
        else
            keep_worst(loop, &ended);
    }
    if (last && loop->undone.has_pragma) {
        keep_worst(loop, &loop->undone);
        loop->undone = nothing;
    }
}

static uint32_t key_of(struct intern *table, const struct source_message *source_message, struct str function)
{
    struct buf key = {0};
    buf_add(&key, source_message->file);
    buf_fmt(&key, ":%llu:%llu ", (unsigned long long)source_message->line, (unsigned long long)source_message->column);
    buf_add(&key, function);
    return intern_take(table, &key);
}

static struct loop *loop_at(struct loops *loops, const struct source_message *source_message, struct str function,
                            uint64_t log_line)
{
    size_t known = loops->keys.count;
    uint32_t number = key_of(&loops->keys, source_message, function);
    struct loop *loop = MEM_AT(loops->items, loops->cap, number);
    if (number == known)
        *loop = (struct loop){
            .now = nothing,
            .undone = nothing,
            .worst = nothing,
            .file = intern_add(&loops->model->strings, source_message->file),
            .function = function.len ? intern_add(&loops->model->names, function) : NO_INDEX,
            .line = (uint32_t)source_message->line,
            .column = (uint32_t)source_message->column,
            .log_line = (uint32_t)log_line,
        };
    return loop;
}

/* Begins the analysis of a loop at a place. */
static void open_loop(struct loops *loops, uint32_t place, struct loop *loop)
{
    uint32_t number = (uint32_t)(loop - loops->items);
    loops->current[place] = number + 1;
    loop->place = place;
    *MEM_ADD(loops->open, loops->open_count, loops->open_cap) = number;
}

/* The number of a source place, with its entry in loops->current. */
static uint32_t place_of(struct loops *loops, const struct source_message *source_message)
{
    uint32_t place = key_of(&loops->places, source_message, (struct str){"", 0});
    loops->current = mem_reserve_zeroed(loops->current, &loops->current_cap, place + 1, sizeof *loops->current);
    return place;
}

/* The loop that is being analysed at this place. A remark without "Starting analysis" before it begins the analysis of
 * a loop without a function. */
static struct loop *current(struct loops *loops, const struct source_message *source_message, uint64_t log_line)
{
    uint32_t place = place_of(loops, source_message);
    if (loops->current[place])
        return &loops->items[loops->current[place] - 1];
    struct loop *loop = loop_at(loops, source_message, (struct str){"", 0}, log_line);
    open_loop(loops, place, loop);
    return loop;
}

/* Stores "Warning : unable to ..." and "Unable to ... ." in one spelling. */
static uint32_t intern_plain(struct intern *strings, struct str text)
{
    struct buf plain = {0};
    str_take(&text, STR("Warning : "));
    if (str_ends(text, STR(".")))
        text.len--;
    buf_add(&plain, text);
    if (plain.len && plain.ptr[0] == 'U')
        plain.ptr[0] = 'u';
    return intern_take(strings, &plain);
}

/* Stores the last remark about a loop with the pragma, for the case that no outcome is stated. A remark of unknown form
 * replaces those of known forms. */
static void keep_remark(struct analysis *now, struct intern *strings, struct str text, bool unknown)
{
    if (!now->has_pragma || (now->unknown && !unknown))
        return;
    now->unknown = unknown;
    now->remark = intern_add(strings, text);
}

void loops_remark(struct loops *loops, enum phrase_kind kind, const struct source_message *source_message,
                  const struct captures *captures, uint64_t log_line)
{
    struct intern *strings = &loops->model->strings;
    if (source_is_library(source_message->file))
        return;
    if (kind == PHRASE_LOOP_START) {
        finish_analysis(current(loops, source_message, log_line), false);
        open_loop(loops, place_of(loops, source_message), loop_at(loops, source_message, captures->name, log_line));
        return;
    }
    struct analysis *now = &current(loops, source_message, log_line)->now;
    switch (kind) {
    case PHRASE_LOOP_PRAGMA:
        now->has_pragma = true;
        now->asked = captures->number_count ? captures->number[0] : UNKNOWN;
        break;
    case PHRASE_LOOP_REFUSED:
        if (str_find(source_message->text, STR("pragma")) == STR_NONE)
            break;
        now->has_pragma = now->refused = true;
        now->reason = intern_plain(strings, source_message->text);
        break;
    case PHRASE_LOOP_REASON: /* the first reason after the pragma is about the pragma */
        now->plan_failed = now->planned;
        if (now->has_pragma && now->reason == NO_INDEX)
            now->reason = intern_add(strings, captures->text);
        break;
    case PHRASE_LOOP_PLANNED: now->planned = true; break;
    case PHRASE_LOOP_PLAN: now->plan = captures->number[0]; break;
    case PHRASE_LOOP_PLAN_COMPLETE: now->plan_complete = true; break;
    case PHRASE_LOOP_SIDE_EXITS: now->factor = now->plan; break;
    case PHRASE_LOOP_FACTOR:
        now->factor = captures->number[0];
        now->complete = now->plan_complete;
        now->at_run_time = str_starts(captures->text, STR(" with run-time"));
        break;
    case PHRASE_LOOP_COMPLETE: now->complete = true; break;
    default: break;
    }
    keep_remark(now, strings, source_message->text, false);
}

void loops_end_pass(struct loops *loops)
{
    for (size_t at = 0; at < loops->open_count; at++) {
        struct loop *loop = &loops->items[loops->open[at]];
        finish_analysis(loop, true);
        loops->current[loop->place] = 0;
    }
    loops->open_count = 0;
}

bool loops_unknown_remark(struct loops *loops, const struct source_message *source_message)
{
    const uint32_t place = place_of(loops, source_message), number = loops->current[place];
    if (number)
        keep_remark(&loops->items[number - 1].now, &loops->model->strings, source_message->text, true);
    return number > 0;
}

static uint32_t text_of(const struct loop *loop, enum outcome outcome, struct model *model)
{
    const struct analysis *worst = &loop->worst;
    struct buf text = {0};
    if (outcome == LOOP_UNCLEAR)
        buf_fmt(&text, "outcome of #pragma unroll is not known, the compiler says: %.*s",
                STR_ARG(model_string(model, worst->remark)));
    else if (worst->reason == NO_INDEX)
        buf_fmt(&text, "the pragma asks for %lld", (long long)worst->asked);
    else /* the text of the remark alone does not state an outcome */
        buf_fmt(&text, "%s%.*s", outcome == LOOP_NOT_UNROLLED && loop->function != NO_INDEX ? "not unrolled: " : "",
                STR_ARG(model_string(model, worst->reason)));
    return intern_take(&model->strings, &text);
}

void loops_finish(struct loops *loops)
{
    struct model *model = loops->model;
    loops_end_pass(loops);
    for (size_t number = 0; number < loops->keys.count; number++) {
        const struct loop *loop = &loops->items[number];
        enum outcome outcome = outcome_of(&loop->worst);
        if (outcome == LOOP_HONOURED)
            continue;
        struct str id = outcome == LOOP_UNCLEAR ? STR("unroll-unclear") : STR("unroll");
        struct event *event = model_add_event(model);
        event->id = intern_add(&model->strings, id);
        event->text = text_of(loop, outcome, model);
        event->name = loop->function;
        event->file = loop->file;
        event->line = loop->line;
        event->column = loop->column;
        event->log = loops->log;
        event->log_line = loop->log_line;
        event->severity = SEVERITY_NOTE;
        event->number[0] = loop->worst.factor;
        event->number[1] = loop->worst.at_run_time ? 1 : UNKNOWN;
        event->number_count = 2;
    }
    intern_free(&loops->keys);
    intern_free(&loops->places);
    free(loops->items);
    free(loops->current);
    free(loops->open);
}
