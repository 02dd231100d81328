/*
 * reader_private: shared by the files of the reader. reader.c splits blocks into lines and records, reader_line.c
 * recognises lines, reader_record.c finds the kernel of each metric, reader_run.c separates the runs of tools,
 * reader_labels.c reads labelled lines of several writers one writer after the other, reader_event.c stores messages,
 * and reader_end.c removes at the end the values that an interleaved log does not prove.
 */
#pragma once

#include "log/attribute.h"
#include "log/bounds.h"
#include "log/command.h"
#include "log/line.h"
#include "log/loops.h"
#include "log/phrase.h"
#include "log/reader.h"
#include "log/record_fast.h"
#include "log/usage_text.h"

enum { MAX_UNKNOWN_SHOWN = 1000 };

/* A register cap that a message states, for the records that follow in the same run. */
struct stated_cap {
    uint32_t name; /* of the function; NO_INDEX: not stated */
    int32_t registers;
    enum cap_from from;
};

/* The runs of ptxas that came after a command. */
struct command_runs {
    size_t count;
    uint32_t archs[32]; /* of the runs that have kernels */
    size_t arch_count;
};

/* The folders of commands, from lines of recursive make: "make[1]: Entering directory '/src/a'". */
struct make_folders {
    struct {
        unsigned level;
        uint32_t path; /* into the model's strings */
    } open[16];
    size_t count;
    bool doubtful; /* several makes run at once, so the folder of a command is unknown */
};

/* A line that may go on in a later line; empty: none. */
struct open_line {
    struct buf text;
    uint64_t number; /* of the line where it begins */
};

struct log_reader {
    struct model *model;
    struct buf held;            /* the unfinished line */
    struct open_line continued; /* a command that continues on the next line */
    struct open_line cut;       /* the beginning of a line that GitLab's runner cut */
    uint64_t number;            /* of the present line, from 1 */
    uint64_t before;            /* of the line that was read before the present line */
    uint64_t lines;             /* complete lines so far */
    struct buf scratch;
    struct buf blanks; /* a message with single blanks, see phrasebook_match */
    struct attribution attribution;
    struct loops loops;
    struct bounds_table bounds;
    struct intern event_keys; /* of the events from first_event on, see add_event */
    uint16_t log;             /* in model.logs */
    uint32_t first_kernel, first_event;
    uint32_t first_mixed; /* the first record that was made when the log was known to be interleaved */
    bool finishing;       /* the present line is the last one and has no line end: its message may be incomplete */

    /* The pending properties message: its stack line has not come yet. The next stack line belongs to it. */
    uint32_t pending_name; /* NO_INDEX: none */
    uint64_t pending_line, pending_message;
    bool stack_follows;    /* some stack line directly followed its properties */
    bool seen_stack;       /* some stack line followed its properties */
    uint64_t ends_line;    /* the last line that ended within a message; 0: none */
    uint64_t unowned_line; /* the first Used line without an open entry; 0: none */
    uint64_t quiet_line;   /* the first compile whose command does not ask for resource lines; 0: none */
    uint64_t rdc_line;     /* the first kernel of relocatable code; 0: none */
    uint64_t lost_line;    /* the first properties without a stack line; 0: none */
    uint32_t lost_kernel;  /* the first record that was open at lost_line or came after it */
    bool lines_mixed;      /* since lost_line, single lines of several tools are mixed */
    uint32_t stream;       /* of the last message (prefix_stream) */
    bool left_within;      /* a line of another stream came within a record */
    bool of_two; /* an indented line is of one of two streams: that of the last message, or an unlabelled one that is
                    within a record */
    struct reader_labels *labels; /* lines that are kept by writer; NULL: lines are read in the order of the log */
    bool were_labels;             /* lines were kept by writer */
    bool ends_within;             /* a writer ended within a record */
    uint32_t pending_shape;       /* prefix_shape of the pending properties; 0: nothing before the message */
    uint32_t last_function;       /* the function record of the previous message, NO_INDEX */
    uint64_t last_function_message;
    uint32_t last_timed; /* the record to which a Compile time line would belong now */
    bool times_mixed;    /* some Compile time line came within the messages of a record */

    /* nvlink prints properties and, directly after them, metrics. */
    uint32_t link_kernel; /* NO_INDEX: none open */
    unsigned link_open;   /* number of open records, whose metrics have not come yet */

    /* The present run of a tool. */
    uint32_t run_first_kernel, run_first_event, run_arch;
    int64_t run_gmem_bytes, run_constant_bytes; /* of its module; INT64_MIN: not stated */
    uint64_t run_number;
    unsigned run_entries;
    bool run_unoptimised;       /* the run has functions that optimised code does not have */
    uint32_t run_stacks;        /* stack lines of the run */
    uint32_t run_tagged_stacks; /* stack lines with a tag: ptxas ran as a library of a JIT or of the driver */
    struct stated_cap *caps;
    size_t cap_count, cap_cap;

    /* The last command in the log. */
    struct command command; /* its source is in the model's strings, its text in command_text */
    struct buf command_text;
    struct make_folders folders;    /* of all running makes */
    uint32_t command_source;        /* NO_INDEX: none */
    uint32_t ptxas_pending;         /* verbose commands of ptxas whose output has not come yet */
    bool ptxas_mixed;               /* only some of them optimise: the output of each is unknown */
    struct command_runs runs;       /* since the command */
    struct command_runs usual_runs; /* of the first command that names no target; count 0: none yet */
    size_t command_targets;         /* that the command names; 0: none */
    bool limits_runs;               /* it compiles one source itself, so that each of its runs is for another target */
    bool foreign_run;               /* some run is not of the command before it */
    struct usage_text usage;
    bool parallel;       /* several commands run at once; never set by one with unmixed output */
    bool any_verbose;    /* a command asks for resource lines */
    bool any_codeless;   /* a command makes only PTX, or code that the link optimises */
    bool any_code;       /* a compile may make machine code */
    uint64_t own_output; /* number of the message before the last command with unmixed output (ninja) */
    bool seen_caps;      /* some message stated a register cap */
    bool seen_module;    /* from CUDA 12.4 on (it prints barriers) every run begins with a module line */
    bool seen_headless;  /* a run without a module line, after a run with one */

    struct event pragma_event;          /* waits for the source line that shows which pragma it is about */
    uint64_t pragma_number;             /* the line of pragma_event */
    const struct phrase *pragma_phrase; /* NULL: no such event */

    bool toolkits; /* the log names several toolkits */
    bool escaped;  /* a line has shown that a web page escaped the log */

    bool of_compile;   /* the command is known: see log_reader_of_compile */
    struct str key;    /* of the marks around the output of ptxas; empty: no marks are accepted */
    bool within_marks; /* the present line is between two marks */
    bool linking;      /* lines may be of nvlink */

    line_listener *on_line;
    void *on_line_context;
};

/* The log that is being read. */
static inline struct log_info *reader_log(struct log_reader *r)
{
    return &r->model->logs[r->log];
}

/* True if the present line directly follows `line`; for a labelled writer, among its own lines. */
static inline bool reader_is_next(const struct log_reader *r, uint64_t line)
{
    return line + 1 == r->number || (r->were_labels && line == r->before);
}

/* The value in 32 bits; UNKNOWN if it does not fit. */
static inline int32_t narrow(int64_t value)
{
    return value > INT32_MIN && value <= INT32_MAX ? (int32_t)value : UNKNOWN;
}

/* ---- reader.c -----------------------------------------------------------------------------------------------------
 */

/* Reads the lines that are not read yet when the log ends: the unfinished line, and lines that were to go on. */
void reader_read_rest(struct log_reader *r);

/* ---- reader_line.c ----------------------------------------------------------------------------------------------- */

/* The line without control sequences and without the project that MSBuild appends; the listener gets it too. */
struct str reader_give_line(struct log_reader *r, struct str line);

/* Reads any line, with any prefix. */
void reader_read_line(struct log_reader *r, struct str line);

/* Reads a line that reader_give_line returned, now or earlier. */
void reader_read_given_line(struct log_reader *r, struct str line);

/* ---- reader_record.c --------------------------------------------------------------------------------------------- */

/* Ends pending properties without a stack line: only the name of the function is known. Nothing if none are pending. */
void reader_give_up_pending(struct log_reader *r);

/* Does the same if another message came instead of the stack line: more lines may be missing. */
void reader_drop_pending(struct log_reader *r);

/* Notes that single lines are mixed, not lost: some properties have no stack line, and a stack line without properties
 * came or several tools write at once. Every stack line and Used line since then may belong to another record. */
void reader_note_mixed_lines(struct log_reader *r);

/* Reads a stack line without properties: lines are missing or mixed, or another tool's lines were torn. */
void reader_stray_stack(struct log_reader *r, const struct metrics *metrics);

/* Notes that two lines were written into one. From here on any number may be wrong, also in the next metrics of nvlink.
 * If properties have no stack line, the torn line may have been that stack line. */
void reader_note_torn(struct log_reader *r);

/* Notes that a message continues on the next line. After one such message, only its end may be lost; after several,
 * nothing is reliable, because even a name may be incomplete. */
void reader_note_wrapped(struct log_reader *r);

void reader_read_stack(struct log_reader *r, const int64_t bytes[3]);

/* Notes a Used line that cannot be read: it belongs to an unknown entry, whose metrics are unknown. */
void reader_lost_used(struct log_reader *r);

/* Reads one message of ptxas or nvlink that matches a phrase; the tag is needed for links and events. False if the end
 * of the message was not recognised. */
bool reader_read_message(struct log_reader *r, const struct phrase *phrase, const struct captures *captures,
                         const struct tag *tag, struct str target);

/* Reads the metrics of a kernel that a program other than ptxas and nvlink printed. */
void reader_read_usage(struct log_reader *r, const struct usage *usage);

/* Reads a record and the module line before it. */
void reader_read_record(struct log_reader *r, const struct record *record);

/* ---- reader_run.c ------------------------------------------------------------------------------------------------ */

void reader_end_run(struct log_reader *r);

uint32_t reader_new_kernel(struct log_reader *r, uint32_t name, enum kernel_kind kind, enum producer producer);

/* Adds the record of an entry (a Compiling message) to the present run. */
void reader_add_entry(struct log_reader *r, uint32_t name, uint32_t arch);

void reader_set_module_memory(struct log_reader *r, int64_t gmem_bytes, int64_t constant_bytes);

/* Notes the writer of a line. Lines of records without a label count as one more writer. True if this line is of a
 * second writer: it and all following lines are kept until the log ends. */
bool reader_see_stream(struct log_reader *r, struct str line, bool is_record);

/* Reads a command. If output of the previous command is missing for some of its targets, several commands run at once,
 * and it is unknown which one the next lines belong to. */
void reader_read_command(struct log_reader *r, const struct command *command);
/* Ends the commands of a log or of a labelled writer, which has the records from first_kernel on. Removes their sources
 * if the output of commands is mixed. */
void reader_end_commands(struct log_reader *r, uint32_t first_kernel);
/* Reads a line of make about its folder; false: it is another line. */
bool reader_read_folder(struct log_reader *r, struct str text);

/* Notes the toolkit that the log names. With several toolkits it is unknown which one compiled a kernel. */
void reader_read_toolkit(struct log_reader *r, struct toolkit toolkit);

/* ---- reader_labels.c --------------------------------------------------------------------------------------------- */

/* Begins to keep lines by writer, if the lines of this writer and of the previous one are labelled. False if they are
 * not labelled. */
bool reader_split_labels(struct log_reader *r, uint32_t stream);

/* Keeps a line for its writer. */
void reader_keep_line(struct log_reader *r, struct str line);

/* Reads the lines that were kept, writer by writer. */
void reader_read_labels(struct log_reader *r);

/* ---- reader_event.c ---------------------------------------------------------------------------------------------- */

void reader_read_event(struct log_reader *r, const struct phrase *phrase, const struct captures *captures,
                       const struct tag *tag, struct str target);

void reader_count_unknown(struct log_reader *r, struct str line);

void reader_read_source_message(struct log_reader *r, const struct source_message *source_message, struct str line);
/* Reads "2 errors detected in the compilation of ...", "collect2: error: ...". False if it is another line. */
bool reader_read_failure(struct log_reader *r, struct str text);

/* Decides from the source line after "unrecognized #pragma" whether the pragma is about unrolling. The line may be in
 * several pieces. */
void reader_settle_pragma(struct log_reader *r, struct str line);
