/*
 * loops: the remarks of cicc about one loop come in a dozen lines, once for each pass and architecture. Here they
 * become one event for each loop that carries "#pragma unroll" and was not unrolled as asked: event "unroll" with the
 * loop's place, the function it is in, what the compiler says (text), and the factor it used instead (number[0];
 * UNKNOWN when none was stated; number[1] is 1 when it did so at run time, with a remainder loop, else UNKNOWN). Where
 * no remark of known form states the outcome it is event "unroll-unclear", which quotes the compiler. Loops in the
 * headers of a CUDA toolkit are left out.
 */
#ifndef LOG_LOOPS_H
#define LOG_LOOPS_H

#include "log/line.h"
#include "log/model.h"
#include "log/phrase.h"

struct loop;
struct loops {
    struct intern keys; /* place and function, as text */
    struct loop *items; /* by key */
    size_t cap;
    struct intern places; /* place as text */
    uint32_t *current;    /* by place: the loop whose analysis runs, NO_INDEX none */
    size_t current_cap;
    uint32_t *open; /* loops that the running cicc has spoken of */
    size_t open_count, open_cap;
};

/* One remark; `log_line` and `log` go into the event. */
void loops_remark(struct loops *loops, struct model *model, enum phrase_kind kind,
                  const struct source_message *source_message, const struct captures *captures, uint32_t log,
                  uint64_t log_line);

/* A remark that no row of the phrase table covers. False: it is not about a loop, as far as is known. */
bool loops_unknown_remark(struct loops *loops, struct model *model, const struct source_message *source_message);

/* One cicc has ended: what it left undone stays so, whatever the next one does for another architecture. */
void loops_end_pass(struct loops *loops);

/* Adds the events, in the order in which the loops were first seen, and frees everything. */
void loops_finish(struct loops *loops, struct model *model);

#endif
