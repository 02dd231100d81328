/*
 * loops: unroll remarks of cicc. cicc prints a dozen remarks for each loop, once for each pass and architecture. They
 * become one event "unroll" for each loop with "#pragma unroll" that was not unrolled as the pragma requests. The event
 * has the place of the loop, its function, the compiler's reason (text), number[0] the factor that was used (UNKNOWN:
 * not stated), and number[1] 1 if the loop was unrolled at run time with a remainder loop, else UNKNOWN. If no remark
 * of known form states the outcome, the event is "unroll-unclear" and quotes the compiler. Loops in headers of a CUDA
 * toolkit are ignored.
 */
#pragma once

#include "log/line.h"
#include "log/model.h"
#include "log/phrase.h"

struct loop;
struct loops {
    struct model *model;
    uint16_t log;       /* in model.logs */
    struct intern keys; /* place and function of a loop, as text */
    struct loop *items; /* by key */
    size_t cap;
    struct intern places; /* place as text */
    uint32_t *current;    /* by place: 1 + the loop that is being analysed; 0: none */
    size_t current_cap;
    uint32_t *open; /* loops with remarks in the present run of cicc, one item for each analysis */
    size_t open_count, open_cap;
};

/* Reads one remark; log_line is stored in the event. */
void loops_remark(struct loops *loops, enum phrase_kind kind, const struct source_message *source_message,
                  const struct captures *captures, uint64_t log_line);

/* Reads a remark that matches no row of the phrase table. False if no loop is being analysed at its place. */
bool loops_unknown_remark(struct loops *loops, const struct source_message *source_message);

/* Ends one run of cicc: a loop that this run did not unroll counts as not unrolled, even if the next run, for another
 * architecture, unrolls it. */
void loops_end_pass(struct loops *loops);

/* Adds the events, in the order in which the loops first occurred, and frees everything. */
void loops_finish(struct loops *loops);
