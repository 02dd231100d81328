/*
 * model: the content of logs and binaries as plain data. The readers (log/reader.h, for example) fill it; all other
 * code only reads it.
 *
 * A metric that the log does not state is UNKNOWN, never 0. A metric that ptxas prints only when it is not 0 (NOT_ZERO
 * in metric.h) is UNKNOWN too, but means 0 if the record has KERNEL_USED_LINE: see metric_or_zero.
 *
 * The model owns everything that it points to. A string is an index into one of its two tables of strings and is valid
 * until the model is freed.
 */
#pragma once

#include "base/diag.h"
#include "base/intern.h"
#include "log/code_table.h"
#include "log/metric.h"

#define UNKNOWN  INT32_MIN  /* not stated */
#define NO_INDEX UINT32_MAX /* no record, no string, no line */

/* The most barriers that a line may state. A block has 16; the ptxas in Triton prints 17 for sm_100a. */
enum { MOST_BARRIERS = 64 };

enum kernel_kind { KERNEL_ENTRY, KERNEL_FUNCTION };
enum producer {
    PRODUCER_PTXAS,
    PRODUCER_NVLINK,
    PRODUCER_DRIVER_LINKER,
    PRODUCER_BINARY,
    PRODUCER_CUOBJDUMP,
    PRODUCER_INDUCTOR,
    PRODUCER_COUNT
};

enum kernel_flag {
    KERNEL_USED_LINE = 1, /* the Used line was read completely: absent NOT_ZERO metrics are 0 */
    KERNEL_AMBIGUOUS = 2, /* its Used line or stack line may belong to another kernel: those metrics are UNKNOWN */
    KERNEL_DEBUG = 4,     /* compiled with -G, -O0 or -Ofc=max, according to its command, its functions or its binary */
    KERNEL_NO_ENTRY = 8,  /* it has properties and a Used line, but no Compiling line */
    KERNEL_RELOCATABLE = 16, /* in a binary: code that nvlink has not linked yet */
    KERNEL_COVERED = 32,     /* in a binary: a record of a log is used instead */
    KERNEL_AGREES = 64,      /* in a log: a binary has a kernel with its name, architecture and numbers */
    KERNEL_DIFFERS = 128,    /* in a log: a binary has this kernel with other numbers */
};

/* The origin of a register cap below that of the architecture. */
enum cap_from {
    CAP_UNKNOWN,       /* no cap is known */
    CAP_MAXRREGCOUNT,  /* the option -maxrregcount */
    CAP_LAUNCH_BOUNDS, /* __launch_bounds__ */
    CAP_MAXNREG,       /* __maxnreg__ */
    CAP_BLOCK_SIZE,    /* __block_size__: the most registers with which such a block can be launched */
    CAP_SETMAXNREG,    /* the cap is without effect: the warps set their registers by setmaxnreg */
    CAP_FROM_COUNT
};

/* The origin of the threads that a kernel declares. */
enum bound_from {
    BOUND_NONE,
    BOUND_REQUIRED,      /* .reqntid: the exact number for every block */
    BOUND_LAUNCH_BOUNDS, /* .maxntid: the most for any block */
    BOUND_TRITON,        /* Triton's metadata: the exact number for every block */
    BOUND_COUNT
};

/* Whether the code uses dynamic shared memory (`extern __shared__`), according to PTX or machine code. */
enum dynamic_smem { DYNAMIC_SMEM_UNKNOWN, DYNAMIC_SMEM_NONE, DYNAMIC_SMEM_USED };

/* The origin of the bytes of spill stores and loads. */
enum spills_from {
    SPILLS_UNKNOWN,
    SPILLS_LOG,   /* a compiler's message */
    SPILLS_PTXAS, /* for a binary: warplint assembled its PTX */
    SPILLS_CODE,  /* machine code without accesses to local memory: 0 */
};

/* How the line of a kernel in its source was found. */
enum line_from {
    LINE_UNKNOWN,
    LINE_LOC,         /* the line information of the PTX */
    LINE_DECLARATION, /* a search for the declaration */
    LINE_REGION,      /* the name of a kernel of OpenACC or OpenMP */
};

/* One bank of constant memory of a record: model.banks[first_bank .. + bank_count). */
struct bank {
    uint32_t bank;
    int32_t bytes;
};
enum { MAX_BANKS = 18 }; /* the most banks that a line may state */

/* A record: a kernel or device function for one architecture. It has only 88 bytes, because a large log has a million
 * of them; values that few records have are in struct rare_metrics. */
struct kernel {
    uint32_t name;       /* in model.names: the name byte for byte as in the log */
    uint32_t log_line;   /* the line of its first message, from 1 */
    uint32_t source;     /* in model.strings: the file that defines it, else the one that was compiled, or NO_INDEX */
    uint32_t arch;       /* in model.strings: "sm_90a" as stated by its own lines, or NO_INDEX */
    uint32_t first_bank; /* in model.banks */
    uint32_t rare;       /* see kernel_rare; NO_INDEX: none */
    uint16_t log;        /* in model.logs */
    uint8_t bank_count;
    uint8_t kind;           /* enum kernel_kind */
    uint8_t producer;       /* enum producer */
    uint8_t flags;          /* enum kernel_flag */
    uint32_t arch_inferred; /* `arch`, else the one of the context; NO_INDEX: unknown */
    METRICS(INT32_MEMBER, NO_METRIC, INT64_MEMBER, NO_METRIC)
};

/* For linked code in a file without the relocatable code from which it was made. */
enum no_object {
    NO_OBJECT = -1,
    NO_OBJECT_NVLINK = -2, /* a section of the file shows that nvlink made the code */
};

/* Values that few records have. */
struct rare_metrics {
    uint32_t source_line; /* from 1; 0: unknown */
    uint32_t link; /* of ptxas: the record of the same kernel from nvlink, or from linked code if no link is logged; of
                      such a record: that of ptxas; NO_INDEX: none */
    uint32_t copy_of; /* this record is a copy of that one for another link, see log/rdc_join.c; NO_INDEX: no copy */
    uint32_t code;    /* in model.code.kernels: the sites of its accesses to local memory; NO_INDEX: none */
    METRICS(NO_METRIC, INT32_MEMBER, NO_METRIC, NO_METRIC)
    int32_t dynamic_smem_bytes; /* per block, if bound_from is BOUND_TRITON; else UNKNOWN */
    int32_t object_stack_bytes; /* linked code: the frame of relocatable code of the same kernel in the same file */
    /* The launch in an NDJSON record, if the model keeps_launches. */
    int32_t launch_dynamic_smem_bytes; /* UNKNOWN: not stated */
    uint16_t launch_threads;           /* 0: unknown */
    int16_t launch_carveout_percent;   /* -1: not stated */
    int16_t object_registers;          /* linked code: the registers of that code, or enum no_object */
    uint16_t bound_threads;            /* threads per block that the kernel declares; 0: unknown */
    uint16_t cluster_blocks;           /* blocks per cluster that the kernel declares; 0: unknown */
    uint8_t register_cap_from;         /* enum cap_from */
    uint8_t min_blocks;                /* the second argument of __launch_bounds__; 0: unknown */
    uint8_t bound_from;                /* enum bound_from */
    uint8_t line_from;                 /* enum line_from */
    uint8_t spills_from;               /* enum spills_from: SPILLS_PTXAS, else SPILLS_UNKNOWN; see kernel_spills_from */
    uint8_t dynamic_smem;              /* enum dynamic_smem */
};

/* The values that a line states; UNKNOWN: not stated. */
struct metrics {
    METRICS(INT32_MEMBER, INT32_MEMBER, NO_METRIC, NO_METRIC)
    uint8_t flags; /* enum kernel_flag */
    size_t bank_count;
    struct bank banks[MAX_BANKS];
};

/* A comment in a source that is an exception for one rule, or an invalid one. */
struct source_exception {
    uint32_t kernel;       /* in model.strings: the name of its kernels, see name_declared; NO_INDEX if invalid */
    uint32_t rule, reason; /* in model.strings; NO_INDEX if invalid */
    uint32_t until;        /* in model.strings: the last day, like 2027-06-30, or NO_INDEX */
    uint32_t problem;      /* in model.strings: why it is invalid, or NO_INDEX */
    uint32_t file;         /* in model.strings */
    uint32_t line, column; /* from 1; 0: unknown */
    uint16_t log;
};

/* A message that is not part of a record. Messages with equal kind, text and place are one event with a count. */
struct event {
    uint32_t id;           /* in model.strings: the name of the event in rules, from the phrase table */
    uint32_t text;         /* in model.strings: the message without tag, severity and place */
    uint32_t name;         /* in model.names: the function that it names, or NO_INDEX */
    uint32_t arch;         /* in model.strings, or NO_INDEX */
    uint32_t file;         /* in model.strings: as printed, or NO_INDEX */
    uint32_t line, column; /* from 1; 0: unknown */
    uint32_t log_line;     /* of the first of equal messages */
    uint32_t count;
    uint16_t log;
    uint8_t severity; /* enum severity, as printed */
    bool from_ptxas;
    bool arch_inferred; /* the message does not state `arch`; `arch` is that of the records after the message */
    uint8_t number_count;
    int64_t number[2]; /* the numbers in the message, in order (sizes in bytes, counts, line numbers) */
};

/* The version of a CUDA toolkit; 0.0: unknown. */
struct toolkit {
    uint16_t major, minor; /* 12, 4 */
};

/* Line numbers that describe a log as a whole. To add one, add a row; NDJSON and merging use the rows. */
#define LOG_LINES(ROW)                                                                                                 \
    ROW(clipped_line)     /* the first message that lines were left out at a length limit */                           \
    ROW(unoptimised_line) /* the first function that optimised code does not have */                                   \
    ROW(wrapped_line)     /* the first message that continues on the next line, if several do */                       \
    ROW(stopped_line)     /* the line where a build tool reports that it ended with an error */                        \
    ROW(unowned_line)     /* the first Used line without a kernel, if only one compiler wrote */                       \
    ROW(quiet_line)       /* the first compile without -Xptxas=-v, if others have it */                                \
    ROW(lost_stack_line)  /* the first properties, if no properties are followed by a stack line */                    \
    ROW(rdc_line)         /* the first kernel of relocatable code: its registers are final after the link */           \
    ROW(amd_line)         /* the first resource line of AMD's compiler, which is not read */                           \
    ROW(unread_members)   /* of a package: number of members that were not judged */                                   \
    ROW(unread_entries)   /* of a Triton cache: number of entries that were not judged */
#define LOG_LINE_MEMBER(name) uint64_t name;

/* One input: a file, standard input, or a record beside an object. */
struct log_info {
    uint32_t path;             /* in model.strings; "<stdin>" for standard input */
    struct toolkit toolkit;    /* the toolkit of the compiler, if the log or the record states it */
    bool interleaved;          /* several compilers wrote at once */
    bool torn;                 /* lines were split or joined: nothing after them is reliable */
    bool cut;                  /* the log ends inside a record, or without a line end */
    LOG_LINES(LOG_LINE_MEMBER) /* 0: none */
    uint64_t foreign_line;     /* the first line of a part that is not text of a log; 0: none */
    const char *foreign;       /* what that part is, see prefilter_foreign; NULL: none */
    bool unread;               /* the log could not be read to its end; this was reported */
    bool no_code;              /* its compiles made no machine code: PTX only, or link-time optimisation */
    bool asks_verbose;         /* a command asks ptxas for resource lines, and no message states why there are none */
    bool verbose;              /* at least one resource line of -Xptxas=-v occurred */
    bool loop_remarks;         /* outcomes of loops are stated: a remark occurred, or `wrap` asked for remarks */
    uint64_t lines, unknown_lines; /* lines read; lines of ptxas or nvlink that match no phrase */
    bool compiled;                 /* the log is of one compile whose command is known: */
    uint32_t command;              /* its words in model.strings, each ended by a NUL */
    uint32_t nvcc, ptxas;          /* their versions in model.strings; NO_INDEX: unknown */
    uint32_t flags;       /* the command without the compiler, with options of the environment and option files */
    uint32_t object_code; /* identifies the content of its object at that time, in model.strings; NO_INDEX: unknown */
    uint32_t linked_code; /* identifies the content of the objects that it linked; NO_INDEX: it linked no device code */
    uint32_t working_directory; /* of the compile, in model.strings; NO_INDEX: unknown */
    uint32_t runs_in;           /* working_directory relative to the present folder, if the command can be run again; in
                                   model.strings; NO_INDEX: unknown */
    bool from_here; /* its sources and working_directory are relative to the present folder; else they are as
                       recorded */
};

struct unknown_line {
    uint32_t line, text; /* text: in model.strings */
    uint16_t log;
};

struct model {
    struct intern names;   /* kernel and function names, as printed */
    struct intern strings; /* everything else: paths, architectures, texts */
    struct kernel *kernels;
    size_t kernel_count, kernel_cap;
    struct rare_metrics *rare_metrics;
    size_t rare_count, rare_cap;
    bool keeps_launches; /* launches in NDJSON records are read too, for the base of a comparison */
    size_t launch_cap;
    bool has_binaries; /* some record is from a binary */
    struct bank *banks;
    size_t bank_count, bank_cap;
    struct event *events;
    size_t event_count, event_cap;
    struct source_exception *source_exceptions;
    size_t source_exception_count, source_exception_cap;
    struct log_info *logs;
    size_t log_count, log_cap;
    struct unknown_line *unknown; /* the first 1000 unknown lines */
    size_t unknown_count, unknown_cap;
    struct code_table code; /* for records of binaries, and for records that agree with one */
};

void model_free(struct model *model);

enum { MOST_LOGS = UINT16_MAX }; /* a record has 16 bits for the index of its log */
/* True if the model has room for one more log; else false with a diagnostic. */
bool model_has_room(const struct model *model, struct place place, struct diags *diags);
uint16_t model_add_log(struct model *model, struct log_info log);
/* Adds a record with all values unknown. The pointer is valid until the next call. */
struct kernel *model_add_kernel(struct model *model);
extern const struct kernel no_kernel;

/* The sizes of the arrays of a model; everything that is read later begins at these indices. */
struct model_mark {
    size_t kernels, codes, sites, events, source_exceptions, logs, places, unknown, banks;
    bool has_binaries;
};
struct model_mark model_mark(const struct model *model);
/* Removes everything that was read since the mark. */
void model_truncate(struct model *model, const struct model_mark *mark);
/* Removes the kernels of binaries that were read since the mark; everything else that was read remains. */
void model_forget_binaries(struct model *model, const struct model_mark *mark);

/* The rare metrics of a record; all unknown if it has none. The pointer is valid until rare metrics of any record are
 * set. */
const struct rare_metrics *kernel_rare(const struct model *model, const struct kernel *kernel);
/* The rare metrics of this record, to change them. The pointer is valid until those of another record are set. */
struct rare_metrics *kernel_rare_own(struct model *model, struct kernel *kernel);
/* Sets the rare metrics of a record. They use memory only if some value is known. */
void kernel_set_rare(struct model *model, struct kernel *kernel, const struct rare_metrics *rare);
void kernel_set_cap(struct model *model, struct kernel *kernel, int32_t registers, enum cap_from from);
extern const struct rare_metrics no_rare_metrics;
/* The bytes of a bank in an array; UNKNOWN if the array has no such bank. */
int32_t bank_bytes(const struct bank *banks, size_t count, uint32_t bank);
/* Sets the banks of constant memory of a record. The record shares them with the record before it if they are equal. */
void kernel_set_banks(struct model *model, struct kernel *kernel, const struct bank *banks, size_t bank_count);

extern const struct metrics no_metrics;

struct event *model_add_event(struct model *model);
struct source_exception *model_add_source_exception(struct model *model);

/* The value of a metric (except BANKS) of a record; INT64_MIN if not stated. */
int64_t metric_get(const struct model *model, const struct kernel *kernel, const struct metric *metric);
/* The value of a NOT_ZERO metric: if it is absent, 0 if the Used line was read, else UNKNOWN. */
int32_t metric_or_zero(const struct kernel *kernel, int32_t value);
/* The origin of the record's spill bytes; SPILLS_UNKNOWN if they are unknown. */
enum spills_from kernel_spills_from(const struct model *model, const struct kernel *kernel);
/* The value of the link's record if that is known, else of the record itself. */
enum dynamic_smem kernel_dynamic_smem(const struct model *model, const struct kernel *kernel);
/* True for a record of nvlink or of the driver's linker. */
bool kernel_is_link(const struct kernel *kernel);
/* True if the kernel is relocatable code that needs a link. In the log of a build, all kernels from the first such one
 * on count as relocatable. */
bool kernel_is_relocatable(const struct model *model, const struct kernel *kernel);
/* Joins two records of one kernel, before and after the link. */
void kernel_set_link(struct model *model, uint32_t kernel, uint32_t link);
/* The stack per thread with all called functions, of a record of a link or of linked code. */
int32_t kernel_link_stack(const struct kernel *link);
/* Static shared memory per block, without the system reserve that nvlink adds on sm_90 if it is not 0. */
int32_t kernel_smem(const struct model *model, const struct kernel *kernel);

struct str kernel_name(const struct model *model, const struct kernel *kernel);
struct str kernel_arch(const struct model *model, const struct kernel *kernel); /* arch_inferred; empty when unknown */
int arch_digits(struct str arch);                                               /* 90 of "sm_90a"; 0: no architecture */
int arch_order(struct str a, struct str b);                                     /* sm_90 comes before sm_100 */
struct str *archs_in_order(const struct intern *archs);                         /* released with free */
struct str model_string(const struct model *model, uint32_t number);            /* NO_INDEX gives the empty slice */
/* The first message in this log about a failed compiler or linker; NULL if there is none. */
const struct event *model_first_error(const struct model *model, size_t log);
/* The folder to which the paths of sources in the log are relative; empty: unknown. */
struct str log_working_directory(const struct model *model, const struct log_info *log);

/* Negative, 0 or positive if a is older than, equal to or newer than b. */
int toolkit_order(struct toolkit a, struct toolkit b);
bool toolkit_known(struct toolkit toolkit);
/* Parses "12.4". False if the text has any other form. */
bool toolkit_parse(struct str text, struct toolkit *toolkit);

/* The words for the values of an enumeration, by value; NULL: written as null. */
extern const char *const kernel_kind_names[], *const producer_names[], *const cap_from_names[];
extern const char *const bound_from_names[], *const spills_from_names[], *const line_from_names[];
