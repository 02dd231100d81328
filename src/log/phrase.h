/*
 * phrase: the messages of the tools, in their own wording. Every message that the reader understands is one row of the
 * table in phrase.c: a template with typed placeholders. If a text does not match, it is matched again with single
 * blanks, because web pages and people collapse the padding.
 */
#pragma once

#include "base/buf.h"
#include "log/model.h"

/* What the reader does with a message. */
enum phrase_kind {
    PHRASE_ENTRY,              /* opens the record of a kernel */
    PHRASE_PROPERTIES,         /* names the function of the next stack line */
    PHRASE_STACK,              /* the stack line */
    PHRASE_USED,               /* registers and the other metrics of an entry, from ptxas */
    PHRASE_MODULE,             /* global memory of the module, once per run of ptxas or nvlink */
    PHRASE_TIME,               /* compile time of the function before this line */
    PHRASE_LINK_PROPERTIES,    /* record of nvlink: its name ... */
    PHRASE_LINK_USED,          /* ... and its metrics */
    PHRASE_EVENT,              /* a diagnostic, stored as an event */
    PHRASE_PRAGMA,             /* an event if the source line after the message is about unrolling */
    PHRASE_LOOP_START,         /* loop remarks of cicc: the analysis of a loop begins */
    PHRASE_LOOP_PRAGMA,        /* the loop has the pragma, with a factor or without */
    PHRASE_LOOP_REFUSED,       /* the compiler cannot follow the pragma */
    PHRASE_LOOP_REASON,        /* why a step is not possible */
    PHRASE_LOOP_PLANNED,       /* a strategy was chosen; the next remark states it: */
    PHRASE_LOOP_PLAN,          /* to unroll by a factor */
    PHRASE_LOOP_PLAN_COMPLETE, /* or completely */
    PHRASE_LOOP_SIDE_EXITS,    /* it is applied without a remainder loop; for sm_90 and older no outcome follows */
    PHRASE_LOOP_FACTOR,        /* the loop was unrolled by a factor */
    PHRASE_LOOP_COMPLETE,      /* or completely */
    PHRASE_LOOP_STEP,          /* a step of the analysis that does not decide the outcome */
};

/* The kind of line that contains a message. A row is tried only on lines of its group. */
enum phrase_group {
    GROUP_TOOL,         /* after "ptxas info    : " and similar tags */
    GROUP_LINKER,       /* the same, and also after the driver linker's tag "info    : " */
    GROUP_STACK,        /* a line without tag, after Function properties */
    GROUP_PLACE,        /* after a source place: "file(line): warning #123-D: ", "remark: file:line:column: " */
    GROUP_SOURCE_ERROR, /* an error after a source place in a file that may contain CUDA code: the compiler gave up */
    GROUP_NVCC,         /* after "nvcc fatal   : ", "fatbinary ..." */
    GROUP_FAILURE,      /* a line without tag: a compile, a link or a build failed */
};

enum phrase_flag {
    PHRASE_ONCE_PER_FUNCTION = 1, /* repeated for many PTX lines: one event for each function, whatever its numbers */
};

/* Placeholders of a template: %n a function's name, %a an architecture, %d an integer, %x a hexadecimal number with 0x,
 * %f milliseconds with a fraction, %s any text, %m the metrics up to the end of the line. */
struct phrase {
    enum phrase_group group;
    enum phrase_kind kind;
    const char *event; /* name of the event in rules; NULL: the message is not an event */
    const char *template;
    unsigned flags;
};

/* Names of events that no single message states: they follow from several inputs (log/binary_check.h) or from several
 * remarks (log/loops.h). */
extern const char *const derived_events[];
extern const size_t derived_event_count;

extern const struct phrase phrase_table[];
extern const size_t phrase_count;

/* The metrics of Used, used and gmem lines: the words after the number, and the offset of the metric in struct
 * metrics. */
struct metric_phrase {
    struct str words;
    size_t offset;
};
extern const struct metric_phrase metric_phrases[];
extern const size_t metric_phrase_count;

/* The values of the placeholders of a matched template. */
struct captures {
    struct str name, arch, text, metrics;
    int64_t number[4];
    unsigned number_count;
    int64_t time_us;
};

/* Returns the index of the first row of the group whose template matches the whole text, or -1. The captures are slices
 * of the text, or of scratch until its next use. */
int phrasebook_match(enum phrase_group group, struct str text, struct buf *scratch, struct captures *captures);

/* True if the text may be the beginning of a longer message of this group: the last line of a truncated log. */
bool phrasebook_could_begin(enum phrase_group group, struct str text);

/* Reads ", used 2 barriers, 36 bytes smem, 4+16 bytes smem, 372 bytes cmem[0]" into `metrics`; only the first MAX_BANKS
 * banks are stored. False if a part is not recognised; the metrics before that part are stored. */
bool metrics_read(struct str text, struct metrics *metrics);

/* False if ptxas never prints such numbers: the line is from another program, or damaged. */
bool metrics_are_possible(const struct metrics *metrics);

/* Takes a time in milliseconds ("43664.770") from the front of the text and stores it in microseconds. */
bool milliseconds_read(struct str *text, int64_t *time_us);
