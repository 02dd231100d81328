/*
 * phrase: what the tools say, in their own words. Every message that the reader understands is one row of the table in
 * phrase.c: a template with typed holes. A text with other blanks than the template's is tried again with single ones,
 * because web pages and people collapse the padding.
 */
#ifndef LOG_PHRASE_H
#define LOG_PHRASE_H

#include "base/buf.h"
#include "log/model.h"

/* What the reader does with a message. */
enum phrase_kind {
    PHRASE_ENTRY,              /* opens the record of a kernel */
    PHRASE_PROPERTIES,         /* names the function that the next stack line is about */
    PHRASE_STACK,              /* the stack line */
    PHRASE_USED,               /* ptxas's registers and the other metrics of an entry */
    PHRASE_MODULE,             /* once per ptxas or nvlink run: global memory */
    PHRASE_TIME,               /* compile time of the function before */
    PHRASE_LINK_PROPERTIES,    /* nvlink's record: its name ... */
    PHRASE_LINK_USED,          /* ... and its metrics */
    PHRASE_EVENT,              /* a diagnostic, kept as an event */
    PHRASE_PRAGMA,             /* an event when the source line that follows speaks of unrolling */
    PHRASE_LOOP_START,         /* cicc's loop remarks: the analysis of a loop begins, */
    PHRASE_LOOP_PRAGMA,        /* it carries the pragma, with a factor or without, */
    PHRASE_LOOP_REFUSED,       /* the pragma cannot be honoured, */
    PHRASE_LOOP_REASON,        /* why something cannot be done, */
    PHRASE_LOOP_PLANNED,       /* a strategy was chosen: */
    PHRASE_LOOP_PLAN,          /* to unroll by a factor, */
    PHRASE_LOOP_PLAN_COMPLETE, /* or completely; */
    PHRASE_LOOP_SIDE_EXITS,    /* it is carried out, without a remainder loop; sm_90 and older state no outcome then, */
    PHRASE_LOOP_FACTOR,        /* the loop was unrolled by a factor, */
    PHRASE_LOOP_COMPLETE,      /* or completely; */
    PHRASE_LOOP_STEP,          /* a step of the analysis, which decides nothing */
};

/* Who speaks: a row is tried only on lines of its group. */
enum phrase_group {
    GROUP_TOOL,         /* behind "ptxas info    : " and its like */
    GROUP_LINKER,       /* the same, and also behind the driver linker's bare "info    : " */
    GROUP_STACK,        /* a line without tag, after Function properties */
    GROUP_PLACE,        /* behind a source place: "file(line): warning #123-D: ", "remark: file:line:column: " */
    GROUP_SOURCE_ERROR, /* behind a place in what may be CUDA source, of an error: a compiler gave it up */
    GROUP_NVCC,         /* behind "nvcc fatal   : ", "fatbinary ..." */
    GROUP_FAILURE,      /* a line without tag: a compile, a link or a build failed */
};

enum phrase_flag {
    PHRASE_ONCE_PER_FUNCTION = 1, /* repeated for many PTX lines: the numbers do not make another event */
};

/* Holes of a template: %n a function's name, %a an architecture, %d an integer, %x a hexadecimal number with 0x, %f
 * milliseconds with a fraction, %s any text, %m the metrics up to the end of the line. */
struct phrase {
    enum phrase_group group;
    enum phrase_kind kind;
    const char *event; /* name of the event for rules; NULL for the others */
    const char *template;
    unsigned flags;
};

/* Events that no line states: what follows from several inputs (log/binary_check.h). */
extern const char *const derived_events[];
extern const size_t derived_event_count;

extern const struct phrase phrase_table[];
extern const size_t phrase_count;

/* The metrics of Used, used and gmem lines: what stands behind the number, and where in struct metrics it goes. */
struct metric_phrase {
    struct str words;
    size_t offset;
};
extern const struct metric_phrase metric_phrases[];
extern const size_t metric_phrase_count;

/* What the holes of a matched template held. */
struct captures {
    struct str name, arch, text, metrics;
    int64_t number[4];
    unsigned number_count;
    int64_t time_us;
};

/* The first row of the group whose template covers the whole text; its number, or -1. The holes are slices of the text,
 * or of scratch until its next use. */
int phrasebook_match(enum phrase_group group, struct str text, struct buf *scratch, struct captures *captures);

/* True when the text could be the beginning of a longer message of this group: half a line at the end of a log. */
bool phrasebook_could_begin(enum phrase_group group, struct str text);

/* Reads ", used 2 barriers, 36 bytes smem, 4+16 bytes smem, 372 bytes cmem[0]" into `metrics`; of more than MAX_BANKS
 * the first. False when a piece is not understood; what stood before it is there. */
bool metrics_read(struct str text, struct metrics *metrics);

/* False: ptxas never printed such numbers, so the line is of another program, or damaged. */
bool metrics_are_possible(const struct metrics *metrics);

/* Takes "43664.770" milliseconds off the text, as microseconds. */
bool milliseconds_read(struct str *text, int64_t *time_us);

#endif
