/*
 * attribute: whose numbers are these? A Used line carries neither name nor architecture. Inside one ptxas run it
 * belongs to the entry before it; when several runs write to one stream their messages interleave, and then it belongs
 * to one of the open entries. The design comment in attribute.c says how that is decided, and that it is never guessed.
 */
#ifndef LOG_ATTRIBUTE_H
#define LOG_ATTRIBUTE_H

#include "log/model.h"

enum { MAX_OPEN = 64 };

struct open_entry {
    uint32_t kernel;      /* into model.kernels */
    uint64_t opened;      /* number of its Compiling message */
    uint64_t named;       /* number of its properties message; 0: not seen yet, or not known which */
    bool maybe_named;     /* a properties message was seen that may be its own */
    bool doubtful;        /* a Used line came that may be its own or that of an entry which was never announced */
    bool lost_properties; /* its properties were seen but cannot be told from another's */
};

/* A message that belongs to one of several open entries. */
struct candidate {
    uint64_t candidates; /* bit for each slot of `open` */
    uint64_t number;     /* of the message */
    struct metrics metrics;
};

struct candidate_list {
    struct candidate items[MAX_OPEN];
    size_t count;
};

/* A record that was given a Used line while another entry was open. */
struct given_beside {
    uint32_t kernel;
    uint64_t number; /* of the Used line */
    bool adjacent;   /* its Compiling and properties messages stand directly before that */
};

/* What a log has shown of the rule of constant banks: some line kept it; this toolkit does not. */
struct bank_rule {
    bool kept, broken;
};

struct attribution {
    struct model *model;
    uint32_t first_kernel; /* of the log, into model.kernels */
    struct open_entry open[MAX_OPEN];
    uint64_t open_mask;               /* slots in use */
    struct candidate_list used;       /* Used lines whose owner is not decided */
    struct candidate_list properties; /* stack lines whose owner is not decided */
    uint64_t message;                 /* number of the present message of any tool */
    uint64_t last_opened;             /* number of the last Compiling message */
    uint64_t last_named;              /* number of the last properties message of an open entry */
    uint64_t last_device_function;    /* number of the last properties message that named no open entry */
    uint64_t unowned;                 /* number of the last Used line that no entry could own */
    uint64_t lost_entry;              /* number of the last Compiling message that could not be read */
    bool seen_entry, seen_properties, seen_barriers; /* the last by the reader: CUDA 12.4 or later */
    bool interleaved;                                /* proof was seen that several tools wrote at once */
    bool buffered;                                   /* by the reader: what a command prints is written at once */
    bool torn;                                       /* from here on nothing can be trusted */
    size_t awaited;                                  /* Used lines that may still come of entries that were given up */
    bool too_many_open; /* more entries were open at once than can be told apart: all that follow are ambiguous */
    bool *given_up;     /* by name: an entry that was open when the writer changed, or came when it was crowded */
    size_t given_up_cap;
    uint32_t *nameless; /* entries that were given a stack line without properties */
    size_t nameless_count, nameless_cap;
    struct given_beside *beside; /* since an entry is open */
    size_t beside_count, beside_cap;
    uint32_t *bare; /* by name: an entry that was given a Used line and had no properties, +1 */
    size_t bare_cap;
    uint32_t mixed_from;     /* the first record that may be mixed with others */
    uint32_t since_function; /* the first record that was given a Used line since last_device_function; NO_INDEX */
    struct bank_rule
        bank_rules[2]; /* of targets below sm_90, which print cmem[0]; of those from there on, which do not */
};

void attribution_init(struct attribution *at, struct model *model);

/* An entry's Compiling message: its record is `kernel`. */
void attribute_entry(struct attribution *at, uint32_t kernel);

/* A properties message with its stack line in `metrics`. True: no open entry has this name, so it is of a device
 * function. */
bool attribute_properties(struct attribution *at, uint32_t name, const struct metrics *metrics);

/* A stack line whose properties message is missing, as those of others are not. It is the open entry's where that is
 * the only one, nothing was seen to be mixed and the Compiling message is the last one; else false. */
bool attribute_stack(struct attribution *at, const struct metrics *metrics);

/* The log is interleaved after all: what attribute_stack gave may be another's. */
void attribute_take_back(struct attribution *at);

/* Lines are mixed one by one since this record: what it and the records behind it were given may be another's. */
void attribute_take_back_from(struct attribution *at, uint32_t first);

/* A Used line. Returns the entry that it certainly belongs to, or NO_INDEX. */
uint32_t attribute_used(struct attribution *at, const struct metrics *metrics);

/* A Used line came that no entry can own: one was lost, or a line stands there twice. What was given to others while
 * that may have been open is ambiguous. */
void attribute_unowned(struct attribution *at);

/* The first record that is open; none is: the number of records, which the next one gets. */
uint32_t attribution_first_open(const struct attribution *at);

/* Several tools wrote at once, or are at it. */
bool attribution_is_mixed(const struct attribution *at);

/* No entry is open, and what comes can be trusted. */
bool attribution_is_idle(const struct attribution *at);

/* More writers than can be told apart: names are, and the numbers of what is open and of what comes are ambiguous. */
void attribute_crowd(struct attribution *at);

/* Another writer begins, and this one may never go on: what is open is ambiguous. */
void attribute_leave(struct attribution *at);

/* Messages are missing here: what is open is ambiguous. */
void attribute_gap(struct attribution *at);

/* Nothing can be trusted any more: what is open is ambiguous. */
void attribute_torn(struct attribution *at);

/* The end of the log: what is open is decided or ambiguous. Returns the number of the last Compiling message whose
 * entry was open and has no Used line for sure; 0: none. */
uint64_t attribution_finish(struct attribution *at);

/* The same of one of several writers, whose lines are read one after the other. */
uint64_t attribution_end_writer(struct attribution *at);
void attribution_free(struct attribution *at);

/* Gives a record the metrics of a stack line. */
void give_properties(struct kernel *kernel, const struct metrics *metrics);

/* Gives a record the metrics of a Used line that was read whole. */
void give_used(struct model *model, uint32_t kernel, const struct metrics *metrics);

#endif
