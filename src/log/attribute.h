/*
 * attribute: finds the kernel of each Used line, which has neither a name nor an architecture. In the output of one
 * ptxas it belongs to the entry before it. If several ptxas write to one stream, their messages are interleaved, and
 * the line belongs to one of the open entries (those without a Used line). attribute.c explains how that is decided; it
 * is never guessed.
 */
#pragma once

#include "log/model.h"

enum { MAX_OPEN = 64 };

struct open_entry {
    uint32_t kernel;      /* in model.kernels */
    uint64_t opened;      /* number of its Compiling message */
    uint64_t named;       /* number of its properties message; 0: none yet, or unknown which */
    bool maybe_named;     /* a properties message came that may belong to it */
    bool doubtful;        /* a Used line came that may belong to it, or to an entry without a Compiling message */
    bool lost_properties; /* its properties came, but it is unknown which they are */
};

/* An undecided message: it belongs to one of several open entries. */
struct undecided {
    uint64_t candidates; /* a bit for each slot of `open` */
    uint64_t number;     /* of the message */
    struct metrics metrics;
};

struct undecided_list {
    struct undecided items[MAX_OPEN];
    size_t count;
};

/* A record that got its Used line while another entry was open. */
struct concurrent_used_line {
    uint32_t kernel;
    uint64_t number; /* of the Used line */
    bool adjacent;   /* its Compiling and properties messages directly precede that line */
};

/* The rule of constant banks (see attribute.c) in a log. kept: some line follows it. broken: this toolkit does not
 * follow it. */
struct bank_rule {
    bool kept, broken;
};

struct attribution {
    struct model *model;
    uint32_t first_kernel; /* of the log, in model.kernels */
    struct open_entry open[MAX_OPEN];
    uint64_t open_mask;               /* slots in use */
    struct undecided_list used;       /* undecided Used lines */
    struct undecided_list properties; /* undecided stack lines */
    uint64_t message;                 /* number of the present message of any tool */
    uint64_t last_opened;             /* number of the last Compiling message */
    uint64_t last_named;              /* number of the last properties message of an open entry */
    uint64_t last_device_function;    /* number of the last properties message that named no open entry */
    uint64_t unowned;                 /* number of the last Used line that can belong to no entry */
    uint64_t lost_entry;              /* number of the last Compiling message that could not be read */
    bool seen_entry, seen_properties, seen_barriers; /* seen_barriers, set by the reader: CUDA 12.4 or later */
    bool interleaved;                                /* it is proven that several tools wrote at once */
    bool buffered;      /* set by the reader: the complete output of a command is written at once */
    bool torn;          /* from here on nothing is reliable */
    size_t awaited;     /* Used lines of entries that were given up and may still come */
    bool too_many_open; /* more entries were open than can be tracked: all later ones are ambiguous */
    bool *given_up;     /* by name: an entry with it was open when the writer changed, or came while too_many_open */
    size_t given_up_cap;
    uint32_t *stack_only; /* entries that got a stack line without properties */
    size_t stack_only_count, stack_only_cap;
    struct concurrent_used_line *concurrent; /* those since the last time that no entry was open */
    size_t concurrent_count, concurrent_cap;
    uint32_t *without_properties; /* by name: 1 + an entry that got a Used line and had no properties */
    size_t without_properties_cap;
    uint32_t mixed_from;     /* the first record that may be mixed with others */
    uint32_t since_function; /* the first record that got a Used line since last_device_function; NO_INDEX: none */
    struct bank_rule bank_rules[2]; /* [0]: targets below sm_90 (cmem[0] printed); [1]: newer ones (not printed) */
};

void attribution_init(struct attribution *at, struct model *model);

/* Opens an entry: its Compiling message came. kernel: its record. */
void attribute_entry(struct attribution *at, uint32_t kernel);

/* Takes a properties message with its stack line (metrics). True if no open entry has this name: then the message is
 * about a device function. */
bool attribute_properties(struct attribution *at, uint32_t name, const struct metrics *metrics);

/* Takes a stack line whose properties message is missing although others have theirs. The line belongs to the open
 * entry if that is the only one, nothing is mixed and its Compiling message was the last message; otherwise returns
 * false. */
bool attribute_stack(struct attribution *at, const struct metrics *metrics);

/* Takes back the metrics that attribute_stack gave: the log turned out to be interleaved, so they may be another
 * entry's. */
void attribution_clear_stack_only(struct attribution *at);

/* Takes back the metrics of this record and of all later ones: single lines are mixed from this record on. */
void attribution_clear_from(struct attribution *at, uint32_t first);

/* Takes a Used line. Returns the entry to which it certainly belongs, or NO_INDEX. */
uint32_t attribute_used(struct attribution *at, const struct metrics *metrics);

/* Takes a Used line that can belong to no entry: a Compiling message was lost, or a line is duplicated. Metrics that
 * other entries got while the lost entry may have been open become ambiguous. */
void attribute_unowned(struct attribution *at);

/* The first open record; if none is open, the number of records, which is the index of the next one. */
uint32_t attribution_first_open(const struct attribution *at);

/* True if this record or a later one is open. */
bool attribution_has_open(const struct attribution *at, uint32_t first);

/* True if several tools wrote at once, or are writing now. */
bool attribution_is_mixed(const struct attribution *at);

/* True if no entry is open and later lines are reliable. */
bool attribution_is_idle(const struct attribution *at);

/* Notes that there are more writers than can be tracked: names stay reliable; metrics of open and later entries become
 * ambiguous. */
void attribution_note_too_many(struct attribution *at);

/* Notes that another writer begins, and that this one may not continue: open entries become ambiguous. */
void attribution_note_next_writer(struct attribution *at);

/* Notes that messages are missing here: open entries become ambiguous. */
void attribution_note_gap(struct attribution *at);

/* Notes that from here on nothing is reliable: open entries become ambiguous. */
void attribution_note_torn(struct attribution *at);

/* Ends the log: open entries are decided or become ambiguous. Returns the number of the last Compiling message whose
 * entry is open and has no certain Used line; 0 if there is none. */
uint64_t attribution_finish(struct attribution *at);

/* Does the same as attribution_finish at the end of the lines of one of several writers. */
uint64_t attribution_end_writer(struct attribution *at);
void attribution_free(struct attribution *at);

/* Gives a record the metrics of a stack line. */
void kernel_set_properties(struct kernel *kernel, const struct metrics *metrics);

/* Gives a record the metrics of a completely read Used line. */
void kernel_set_used_line(struct model *model, uint32_t kernel, const struct metrics *metrics);
