/*
 * model: what a log said, as plain data. The reader (log/reader.h) fills it, everything above only reads it.
 *
 * A metric that the log did not state is UNKNOWN, never 0. What ptxas prints only when it is not zero (the fields
 * marked "when not 0") is UNKNOWN here too, and means 0 once `used_line` is set: metric_or_zero says so.
 *
 * The model owns everything it points to; strings are numbers into its two tables and live as long as it does.
 */
#ifndef LOG_MODEL_H
#define LOG_MODEL_H

#include "base/diag.h"
#include "base/intern.h"
#include "log/code_table.h"
#include "log/metric.h"

#define UNKNOWN  INT32_MIN  /* the log did not state it */
#define NO_INDEX UINT32_MAX /* no record, no string, no line */

/* Named barriers that a line may state. A block has 16; the ptxas that Triton brings prints 17 for sm_100a. */
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
    KERNEL_USED_LINE = 1,    /* the Used line was read whole: absent "when not 0" metrics are 0 */
    KERNEL_AMBIGUOUS = 2,    /* its Used line (or its stack line) may be another kernel's: those metrics are UNKNOWN */
    KERNEL_DEBUG = 4,        /* compiled with -G or -O0, as its command, its functions or its binary say */
    KERNEL_NO_ENTRY = 8,     /* properties and a Used line without a Compiling line */
    KERNEL_RELOCATABLE = 16, /* of a binary: code that waits for nvlink */
    KERNEL_COVERED = 32,     /* of a binary: a record of a log stands for it */
    KERNEL_AGREES = 64,      /* of a log: a binary has a kernel of its name, architecture and numbers, */
    KERNEL_DIFFERS = 128,    /* or one with other numbers */
};

/* Where a lower register cap than the architecture's comes from. */
enum cap_from {
    CAP_UNKNOWN,       /* no cap is known */
    CAP_MAXRREGCOUNT,  /* the option -maxrregcount */
    CAP_LAUNCH_BOUNDS, /* __launch_bounds__ */
    CAP_MAXNREG,       /* __maxnreg__ */
    CAP_BLOCK_SIZE,    /* __block_size__: the most registers with which such a block can be launched */
    CAP_SETMAXNREG,    /* none that matters: the warps set their registers themselves, by setmaxnreg */
    CAP_FROM_COUNT
};

/* Where the threads come from that a kernel itself declares. */
enum bound_from {
    BOUND_NONE,
    BOUND_REQUIRED,      /* .reqntid: every block has exactly so many */
    BOUND_LAUNCH_BOUNDS, /* .maxntid: no block has more */
    BOUND_TRITON,        /* Triton's metadata: every block has exactly so many */
    BOUND_COUNT
};

/* Whether the code uses dynamic shared memory (`extern __shared__`), as PTX or machine code says. */
enum dynamic_smem { DYNAMIC_SMEM_UNKNOWN, DYNAMIC_SMEM_NONE, DYNAMIC_SMEM_USED };

/* Where the bytes of spill stores and loads come from. */
enum spills_from {
    SPILLS_UNKNOWN,
    SPILLS_LOG,   /* a compiler's message */
    SPILLS_PTXAS, /* of a record of a binary: its PTX was assembled for them */
    SPILLS_CODE,  /* machine code that does not access local memory: 0 */
};

/* How the line of a kernel in its source was found. */
enum line_from {
    LINE_UNKNOWN,
    LINE_LOC,         /* the line information of the PTX */
    LINE_DECLARATION, /* a search for the declaration */
    LINE_REGION,      /* the name, of a region of a function */
};

/* One bank of constant memory of a record: model.banks[first_bank .. + bank_count). */
struct bank {
    uint32_t bank;
    int32_t bytes;
};
enum { MAX_BANKS = 18 }; /* that a line may state */

/* 88 bytes, as a large log has a million of them: what only few records have is in an extra. */
struct kernel {
    uint32_t name;       /* into model.names: the name byte for byte as the log printed it */
    uint32_t log_line;   /* from 1: the line of its first message */
    uint32_t source;     /* into model.strings: the file it stands in, else the one that was compiled, or NO_INDEX */
    uint32_t arch;       /* into model.strings: "sm_90a" as this record's own lines say, or NO_INDEX */
    uint32_t first_bank; /* into model.banks */
    uint32_t rare;       /* into model.extras, or NO_INDEX: see kernel_rare */
    uint16_t log;        /* into model.logs */
    uint8_t bank_count;
    uint8_t kind;           /* enum kernel_kind */
    uint8_t producer;       /* enum producer */
    uint8_t flags;          /* enum kernel_flag */
    uint32_t arch_inferred; /* `arch` from context; equal to it where that is known; NO_INDEX unknown */
    METRICS(INT32_MEMBER, NO_METRIC, INT64_MEMBER, NO_METRIC)
};

/* Of linked code in a file without the relocatable code that it was made of. */
enum no_object {
    NO_OBJECT = -1,
    NO_OBJECT_NVLINK = -2, /* nvlink noted that it made the code */
};

/* What few records have. */
struct rare_metrics {
    uint32_t source_line; /* from 1; 0 unknown */
    uint32_t link;        /* of a ptxas record: the same kernel's record of nvlink, or of linked code
                             where no link is logged; of that one: this; NO_INDEX none */
    uint32_t copy_of;     /* the record of which this is a copy, for another link of it: see log/rdc_join.c; NO_INDEX */
    uint32_t code;        /* into model.code.kernels: the places of its accesses to local memory; NO_INDEX none */
    METRICS(NO_METRIC, INT32_MEMBER, NO_METRIC, NO_METRIC)
    int32_t dynamic_smem_bytes; /* per block, with BOUND_TRITON; UNKNOWN */
    int32_t object_stack_bytes; /* of linked code: the frame of relocatable code of the same kernel in the same file */
    int16_t object_registers;   /* and its registers, or enum no_object */
    uint16_t bound_threads;     /* threads per block that the kernel declares; 0 unknown */
    uint16_t cluster_blocks;    /* blocks per cluster that the kernel declares; 0 unknown */
    uint8_t register_cap_from;  /* enum cap_from */
    uint8_t min_blocks;         /* __launch_bounds__'s second argument; 0 unknown */
    uint8_t bound_from;         /* enum bound_from */
    uint8_t line_from;          /* enum line_from */
    uint8_t spills_from;        /* enum spills_from: SPILLS_PTXAS, else SPILLS_UNKNOWN; see kernel_spills_from */
    uint8_t dynamic_smem;       /* enum dynamic_smem */
};

/* What a line says of some record; UNKNOWN where it says nothing. */
struct metrics {
    METRICS(INT32_MEMBER, INT32_MEMBER, NO_METRIC, NO_METRIC)
    uint8_t flags; /* enum kernel_flag */
    size_t bank_count;
    struct bank banks[MAX_BANKS];
};

/* An exception that stands in a source, for one rule; or a comment that would be one. */
struct allow {
    uint32_t kernel;       /* into model.strings: its kernels of the log, by name_declared; NO_INDEX with a problem */
    uint32_t rule, reason; /* into model.strings; NO_INDEX with a problem */
    uint32_t until;        /* into model.strings: the last day, like 2027-06-30, or NO_INDEX */
    uint32_t problem;      /* into model.strings: why it allows nothing, or NO_INDEX */
    uint32_t file;         /* into model.strings */
    uint32_t line, column; /* from 1; 0 unknown */
    uint16_t log;
};

/* A message that is not part of a record. Equal ones (all of kind, text, place) are one event with a count. */
struct event {
    uint32_t id;           /* into model.strings: the event's name for rules, as the phrase table gives it */
    uint32_t text;         /* into model.strings: the message without tag, severity and place */
    uint32_t name;         /* into model.names: the function it names, or NO_INDEX */
    uint32_t arch;         /* into model.strings, or NO_INDEX */
    uint32_t file;         /* into model.strings: as printed; NO_INDEX */
    uint32_t line, column; /* from 1; 0 unknown */
    uint32_t log_line;     /* of the first of them */
    uint32_t count;
    uint16_t log;
    uint8_t severity; /* enum severity, as printed */
    bool from_ptxas;
    bool arch_inferred; /* the architecture is that of the records that follow, the message does not say it */
    uint8_t number_count;
    int64_t number[2]; /* what the phrase's number holes held, in order (sizes in bytes, counts, line numbers) */
};

/* A CUDA toolkit: what a compiler's version is known by. 0.0: not known. */
struct toolkit {
    uint16_t major, minor; /* 12, 4 */
};

/* Lines of a log that say something of it as a whole. To add one: a row, which NDJSON and merging follow. */
#define LOG_LINES(ROW)                                                                                                 \
    ROW(clipped_line)     /* the first that says that lines were left out at a limit of length */                      \
    ROW(unoptimised_line) /* the first function that optimised code does not have */                                   \
    ROW(wrapped_line)     /* the first message that goes on in the next line, where several do */                      \
    ROW(stopped_line)     /* a build tool says there that it ended with an error */                                    \
    ROW(unowned_line)     /* the first Used line of no kernel, where one compiler wrote alone */                       \
    ROW(quiet_line)       /* the first compile without -Xptxas=-v, where others have it */                             \
    ROW(lost_stack_line)  /* the first properties in a log in which no stack line stands behind any */                 \
    ROW(rdc_line)         /* the first kernel of relocatable code, whose registers are final after the link */         \
    ROW(amd_line)         /* the first resource line of AMD's compiler, which is not read */                           \
    ROW(unread_members)   /* of a package: how many were not judged */                                                 \
    ROW(unread_entries)   /* of a Triton cache: how many were not judged */
#define LOG_LINE_MEMBER(name) uint64_t name;

/* One input: a file, standard input, a sidecar. */
struct log_info {
    uint32_t path;             /* into model.strings; "<stdin>" for standard input */
    struct toolkit toolkit;    /* that compiled, where the log or its record says so */
    bool interleaved;          /* several compilers wrote at once: records had to be told apart */
    bool torn;                 /* lines were cut and glued: nothing after that can be trusted */
    bool cut;                  /* it ends inside a record, or without a line end */
    LOG_LINES(LOG_LINE_MEMBER) /* 0: none */
    uint64_t foreign_line;     /* the first in which a part begins that is not text of the log; 0: none */
    const char *foreign;       /* what that is, see prefilter_foreign; NULL: none */
    bool unread;               /* it could not be read to its end, and that was told */
    bool no_code;              /* its compiles made no machine code: PTX only, or link-time optimisation */
    bool asks_verbose;         /* a command asks ptxas for resource lines, and no message says why there are none */
    bool verbose;              /* at least one resource line of -Xptxas=-v was seen */
    bool loop_remarks;         /* what became of loops is stated: a remark was seen, or the wrapper asked for them */
    uint64_t lines, unknown_lines; /* lines read; ptxas/nvlink lines that no phrase understood */
    bool compiled;                 /* it is of one compile, whose command is known: */
    uint32_t command;              /* as it was given: its words in model.strings, each ended by a NUL */
    uint32_t nvcc, ptxas;          /* their versions in model.strings; NO_INDEX: not known */
    uint32_t flags;                /* the same with what the environment and option files add, without the compiler */
    uint32_t object_code;       /* what its object was known by when it was made, in model.strings; NO_INDEX: unknown */
    uint32_t linked_code;       /* the same of the objects that it linked; NO_INDEX: it linked no device code */
    uint32_t working_directory; /* of the compile, in model.strings; NO_INDEX: not known */
    uint32_t runs_in;           /* that folder as seen from here, where its command can be run again, in model.strings;
                                   NO_INDEX: not known */
    bool from_here;             /* its sources are as seen from where this process runs, and so is that folder; else
                                   both are as they were recorded */
};

struct unknown_line {
    uint32_t line, text; /* text into model.strings */
    uint16_t log;
};

struct model {
    struct intern names;   /* kernel and function names, as printed */
    struct intern strings; /* everything else: paths, architectures, texts */
    struct kernel *kernels;
    size_t kernel_count, kernel_cap;
    struct rare_metrics *rare_metrics;
    size_t rare_count, rare_cap;
    bool keeps_launches;              /* our own records are read with the launches that they state: of a baseline */
    struct intern launch_of;          /* with it: log, name and architecture of kernels */
    struct recorded_launch *launches; /* by number of these */
    size_t launch_cap;
    bool has_links;    /* some record is a linker's */
    bool has_binaries; /* some record is a binary's */
    struct bank *banks;
    size_t bank_count, bank_cap;
    struct event *events;
    size_t event_count, event_cap;
    struct allow *allows;
    size_t allow_count, allow_cap;
    struct log_info *logs;
    size_t log_count, log_cap;
    struct unknown_line *unknown; /* the first 1000 of them */
    size_t unknown_count, unknown_cap;
    struct code_table code; /* of records of binaries, and of those that agree with one */
};

void model_free(struct model *model);

enum { MOST_LOGS = UINT16_MAX }; /* a record has 16 bits for the number of its log */
/* For one more log. False: it has none, which is a diagnostic. */
bool model_has_room(const struct model *model, struct place place, struct diags *diags);
uint16_t model_add_log(struct model *model, struct log_info log);
/* A new record with everything unknown. The pointer holds until the next one is added. */
struct kernel *model_add_kernel(struct model *model);
extern const struct kernel no_kernel;

/* How much is in a model: what is read later begins there. */
struct model_mark {
    size_t kernels, codes, sites, events, allows, logs, places, unknown, banks;
    bool has_binaries;
};
struct model_mark model_mark(const struct model *model);
/* Takes back what was read since the mark. */
void model_take_back(struct model *model, const struct model_mark *mark);
/* Takes out the kernels of binaries that were read since the mark: what else holds of them stays. */
void model_forget_binaries(struct model *model, const struct model_mark *mark);

/* What few records have; all unknown for the others. Holds until one is set. */
const struct rare_metrics *kernel_rare(const struct model *model, const struct kernel *kernel);
/* Those of this kernel alone, to be changed, until another kernel gets some. */
struct rare_metrics *kernel_rare_own(struct model *model, struct kernel *kernel);
/* Memory is taken only for what says something. */
void kernel_set_rare(struct model *model, struct kernel *kernel, const struct rare_metrics *rare);
void kernel_set_cap(struct model *model, struct kernel *kernel, int32_t registers, enum cap_from from);
extern const struct rare_metrics no_rare_metrics;
/* The bytes of that bank among so many; UNKNOWN: it is not there. */
int32_t bank_bytes(const struct bank *banks, size_t count, uint32_t bank);
/* A record shares its banks of constant memory with the one before where they are the same. */
void kernel_set_banks(struct model *model, struct kernel *kernel, const struct bank *banks, size_t bank_count);

extern const struct metrics no_metrics;

/* What a record of ours says of the launch; threads 0: nothing, or another record of the kernel says otherwise. */
struct recorded_launch {
    int32_t threads, dynamic_smem_bytes, carveout_percent; /* UNKNOWN: not stated */
};
void model_keep_launch(struct model *model, const struct kernel *kernel, struct recorded_launch launch);
struct recorded_launch model_launch(const struct model *model, const struct kernel *kernel);

struct event *model_add_event(struct model *model);
struct allow *model_add_allow(struct model *model);

/* A metric of a record of the model that is no BANKS; INT64_MIN where it is not stated. */
int64_t metric_get(const struct model *model, const struct kernel *kernel, const struct metric *metric);
/* The value of a "when not 0" metric: 0 when absent from a Used line that was read, UNKNOWN without that line. */
int32_t metric_or_zero(const struct kernel *kernel, int32_t value);
/* Where its spills come from; SPILLS_UNKNOWN where they are not known. */
enum spills_from kernel_spills_from(const struct model *model, const struct kernel *kernel);
/* Of the link where that says so. */
enum dynamic_smem kernel_dynamic_smem(const struct model *model, const struct kernel *kernel);
/* A record of nvlink or of the driver's linker. */
bool kernel_is_link(const struct kernel *kernel);
/* It waits for a link; in the log of a build, each kernel from the first one on that does. */
bool kernel_is_relocatable(const struct model *model, const struct kernel *kernel);
/* The two records are one kernel before and after the link. */
void kernel_set_link(struct model *model, uint32_t kernel, uint32_t link);
/* Stack per thread with all functions that are called, of a link's record or of linked code. */
int32_t kernel_link_stack(const struct kernel *link);
/* Static shared memory per block, without the reserve of the system that nvlink adds on sm_90 when it is not 0. */
int32_t kernel_smem(const struct model *model, const struct kernel *kernel);

struct str kernel_name(const struct model *model, const struct kernel *kernel);
struct str kernel_arch(const struct model *model, const struct kernel *kernel); /* arch_inferred; empty when unknown */
int arch_digits(struct str arch);                                               /* 90 of "sm_90a"; 0: no architecture */
int arch_order(struct str a, struct str b);                                     /* sm_90 comes before sm_100 */
struct str *archs_in_order(const struct intern *archs);                         /* released with free */
struct str model_string(const struct model *model, uint32_t number);            /* NO_INDEX gives the empty slice */
/* The first message by which a compiler or linker says in this log that it failed, or NULL. */
const struct event *model_first_error(const struct model *model, size_t log);
/* The folder that its relative paths of sources are seen from; empty: not known. */
struct str log_working_directory(const struct model *model, const struct log_info *log);

/* Negative, 0, positive. */
int toolkit_order(struct toolkit a, struct toolkit b);
bool toolkit_known(struct toolkit toolkit);
/* "12.4": the whole of text; false for everything else. */
bool toolkit_parse(struct str text, struct toolkit *toolkit);

/* The words for the values of an enumeration, by value; NULL: null. */
extern const char *const kernel_kind_names[], *const producer_names[], *const cap_from_names[];
extern const char *const bound_from_names[], *const spills_from_names[], *const line_from_names[];

#endif
