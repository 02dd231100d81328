/*
 * reader_private: what the files of the reader share. reader.c cuts blocks into lines and records, reader_line.c
 * decides what a line is, reader_record.c whose numbers it holds, reader_run.c which run of which tool is at work,
 * reader_labels.c reads lines that name their writer writer by writer, reader_event.c keeps the messages, and
 * reader_end.c takes back what an interleaved log does not show.
 */
#ifndef LOG_READER_PRIVATE_H
#define LOG_READER_PRIVATE_H

#include "log/attribute.h"
#include "log/bounds.h"
#include "log/command.h"
#include "log/line.h"
#include "log/loops.h"
#include "log/phrase.h"
#include "log/reader.h"
#include "log/record_fast.h"
#include "log/usage_text.h"

enum { MAX_UNKNOWN_SHOWN = 1000, MAX_LEFT = 16 };

/* A cap that a message gives to a function by name, for the records that follow in the same run. */
struct named_cap {
    uint32_t name;
    int32_t registers;
};

struct log_reader {
    struct model *model;
    struct buf held; /* what was not read yet: the unfinished line */
    uint64_t number; /* of the line at hand, from 1 */
    uint64_t before; /* of the line that was read before it */
    uint64_t lines;  /* that have ended */
    struct buf scratch;
    struct buf blanks; /* a message with single ones, see phrasebook_match */
    struct attribution attribution;
    struct loops loops;
    struct bounds_table bounds;
    struct intern event_keys; /* one for each distinct event of the run (or of the log, for source places) */
    uint32_t *event_of_key;
    size_t event_of_key_cap;
    uint16_t log; /* into model.logs */
    uint32_t first_kernel, first_event;
    uint32_t first_mixed; /* the first record that was made when the log was known to be interleaved */
    bool finishing;       /* the line at hand had no end: half a message is to be expected */

    /* The properties message whose stack line is still to come; the next stack line is its own. */
    uint32_t pending_name; /* NO_INDEX: none */
    uint64_t pending_line, pending_message;
    bool stack_follows;      /* some stack line stood directly behind its properties */
    bool seen_stack;         /* some stack line stood behind its properties */
    uint64_t ends_line;      /* the last one that ended within a message; 0: none did */
    uint64_t unowned_line;   /* of the first Used line that came when nothing was open; 0: none */
    uint64_t quiet_line;     /* of the first compile whose command does not ask for resource lines; 0: none */
    uint64_t rdc_line;       /* of the first kernel of relocatable code; 0: none */
    uint64_t lost_line;      /* of the first properties that have none; 0: all have one */
    uint32_t lost_kernel;    /* the first record that was open at lost_line, or came after it */
    bool lines_mixed;        /* several tools' lines are mixed one by one, since lost_line */
    uint32_t stream;         /* of the last message (prefix_stream) */
    uint32_t left[MAX_LEFT]; /* streams that ended, so far, within a record */
    size_t left_count;
    bool of_two; /* an indented line may be of the last message's stream, or of what was left without a label */
    struct reader_labels *labels; /* lines are kept by their writer; NULL: they are read as they come */
    bool were_labels;             /* they were kept */
    bool ends_within;             /* a writer ended within a record */
    uint32_t pending_shape;       /* of what stood before the properties that are pending; 0: nothing */
    uint32_t last_function;       /* the function record that the message before made, NO_INDEX */
    uint64_t last_function_message;
    uint32_t last_timed; /* the record that a Compile time right now would belong to */

    /* nvlink: properties, then metrics, directly behind each other. */
    uint32_t link_kernel; /* NO_INDEX: none open */
    unsigned link_open;   /* how many were opened and had no metrics yet */

    /* The present run of a tool. */
    uint32_t run_first_kernel, run_first_event, run_arch;
    int64_t run_gmem_bytes, run_constant_bytes; /* of its module; INT64_MIN: no line said so */
    uint64_t run_number;
    unsigned run_entries;
    bool run_unoptimised;       /* it has functions that optimised code has not */
    uint32_t run_stacks;        /* stack lines of the run */
    uint32_t run_tagged_stacks; /* of these with a tag: ptxas ran as a library, of a JIT or the driver */
    struct named_cap *caps;
    size_t cap_count, cap_cap;
    int32_t unnamed_cap; /* from a message that names no function; good when the run has one entry */
    unsigned unnamed_caps;
    enum cap_from unnamed_cap_from;

    /* The last command that the log shows. */
    struct command command; /* its source is in the model's strings, its text in command_text */
    struct buf command_text;
    uint32_t command_source; /* NO_INDEX: it has none */
    uint32_t ptxas_pending;  /* commands of ptxas that will print what kernels need, and have not */
    bool ptxas_mixed;        /* of these some do and some do not optimise: which output is whose is not known */
    size_t command_runs, command_targets; /* runs of ptxas seen since the command, and to be heard */
    uint32_t command_arch;                /* the last one that was looked for in the command, NO_INDEX */
    struct usage_text usage;
    bool parallel, any_unbuffered;
    bool any_verbose;    /* a command asks for resource lines */
    bool any_codeless;   /* a command makes PTX only, or code that the link optimises */
    bool any_code;       /* a compile may make machine code */
    uint64_t own_output; /* the message before the last command whose output is its own, as ninja prints it */
    bool seen_caps;      /* some message stated a register cap */
    bool seen_module;    /* from CUDA 12.4 on (it prints barriers) every run begins with a module line */

    struct event pragma_event;          /* waits for the source line that shows which pragma */
    uint64_t pragma_number;             /* its line */
    const struct phrase *pragma_phrase; /* NULL: none waits */

    bool toolkits; /* the log names several */
    bool escaped;  /* by a web page, as a line has shown */

    bool of_compile;   /* the command is known: see log_reader_of_compile */
    struct str key;    /* of the marks around what ptxas says; empty: none is believed */
    bool within_marks; /* the line at hand stands between them */
    bool linking;      /* a linker speaks, too */

    line_listener *on_line;
    void *on_line_context;
};

/* The log that is read. */
static inline struct log_info *reader_log(struct log_reader *r)
{
    return &r->model->logs[r->log];
}

/* The line at hand is the next one behind that line; of a writer with a label the next that was read, as lines of
 * others stand between. */
static inline bool reader_is_next(const struct log_reader *r, uint64_t line)
{
    return line + 1 == r->number || (r->were_labels && line == r->before);
}

/* What does not fit is unknown. */
static inline int32_t narrow(int64_t value)
{
    return value > INT32_MIN && value <= INT32_MAX ? (int32_t)value : UNKNOWN;
}

/* ---- reader.c -----------------------------------------------------------------------------------------------------
 */

/* A line without its end, which may hold CRs. `unfinished`: it is the last one and has no end, so that half a message
 * is to be expected. */
void reader_read_pieces(struct log_reader *r, struct str line, bool unfinished);

/* ---- reader_line.c ----------------------------------------------------------------------------------------------- */

/* The line without control sequences and without the project that MSBuild puts behind it, which whoever listens for
 * lines gets. */
struct str reader_give_line(struct log_reader *r, struct str line);

/* Any line, with all that may stand before a message or inside it. */
void reader_read_line(struct log_reader *r, struct str line);

/* A line that reader_give_line gave, now or earlier. */
void reader_read_given_line(struct log_reader *r, struct str line);

/* ---- reader_record.c --------------------------------------------------------------------------------------------- */

/* A stack line that never came: the function is known by name only. Nothing where none is pending. */
void reader_give_up_pending(struct log_reader *r);

/* The same where another message came in its place: more may be missing. */
void reader_drop_pending(struct log_reader *r);

/* Properties have missed their stack line, and one came that nothing names, or several tools write at once: lines are
 * not lost but mixed one by one. Every stack line since then may be another record's, and so may every Used line. */
void reader_note_mixed_lines(struct log_reader *r);

/* A stack line that nothing names: lines are missing, or mixed, or another tool's were torn. */
void reader_stray_stack(struct log_reader *r, const struct metrics *metrics);

/* Two lines were written into one: from here on a number may be made of two, also the metrics of the link that come
 * next. Where properties have missed their stack line before, the torn line may have been it. */
void reader_note_torn(struct log_reader *r);

/* A message goes on in the next line. One may have lost its end; of several nothing is sure: a name, too, may be the
 * beginning of one. */
void reader_note_wrapped(struct log_reader *r);

void reader_read_stack(struct log_reader *r, const int64_t bytes[3]);

/* A Used line that cannot be read: some entry has had its line, and nothing is known of it. */
void reader_lost_used(struct log_reader *r);

/* One message of ptxas or a linker that the table knows; the tag is needed for the link and for events. False: its end
 * was not understood. */
bool reader_take_record(struct log_reader *r, const struct phrase *phrase, const struct captures *captures,
                        const struct tag *tag, struct str target);

/* The numbers of a kernel in the words of another program than ptxas and the linkers. */
void reader_read_usage(struct log_reader *r, const struct usage *usage);

/* A record and the module line before it. */
void reader_read_record(struct log_reader *r, const struct record *record);

/* ---- reader_run.c ------------------------------------------------------------------------------------------------ */

void reader_end_run(struct log_reader *r);

uint32_t reader_new_kernel(struct log_reader *r, uint32_t name, enum kernel_kind kind, enum producer producer);

/* The record of an entry that the log announces, within the run that it is of. */
void reader_add_entry(struct log_reader *r, uint32_t name, uint32_t arch);

void reader_take_module(struct log_reader *r, int64_t gmem_bytes, int64_t constant_bytes);

/* Where some lines name their writer those of records that name none are of one more. True: it is the second one that a
 * line names, and this line and those that follow are kept until the log ends. */
bool reader_see_stream(struct log_reader *r, struct str line, bool is_record);

/* A new command while output of the one before is missing for some of its targets: several run, and it is not known
 * which one the next lines are of. */
void reader_read_command(struct log_reader *r, const struct command *command);

/* A log that names several toolkits does not say which one compiled what. */
void reader_read_toolkit(struct log_reader *r, struct toolkit toolkit);

/* ---- reader_labels.c --------------------------------------------------------------------------------------------- */

/* Another writer begins whose lines are marked, as are those of the one before: from now on lines are kept, each for
 * its writer. False: they are not. */
bool reader_split_labels(struct log_reader *r, uint32_t stream);

/* A line of the writer that it names. */
void reader_keep_line(struct log_reader *r, struct str line);

/* The lines that were kept, writer by writer. */
void reader_read_labels(struct log_reader *r);

/* ---- reader_event.c ---------------------------------------------------------------------------------------------- */

void reader_read_event(struct log_reader *r, const struct phrase *phrase, const struct captures *captures,
                       const struct tag *tag, struct str target);

void reader_count_unknown(struct log_reader *r, struct str line);

void reader_read_source_message(struct log_reader *r, const struct source_message *source_message, struct str line);
/* "2 errors detected in the compilation of ...", "collect2: error: ...". False: the line is another one. */
bool reader_read_failure(struct log_reader *r, struct str text);

/* The source line behind "unrecognized #pragma": was it about unrolling? A line may come in pieces; a message has other
 * words. */
void reader_settle_pragma(struct log_reader *r, struct str line);

#endif
