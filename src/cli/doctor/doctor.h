/*
 * doctor: finds out why there is nothing to judge, or why the result cannot be trusted. It examines an input for signs
 * and stores the first place of each. A cause is a row of a table: the signs that show it, what it means and how to fix
 * it.
 */
#pragma once

#include "base/diag.h"
#include "log/model.h"

enum sign {
    /* of a log */
    SIGN_INPUT, /* the input is not empty */
    SIGN_UP_TO_DATE,
    SIGN_CLIPPED, /* truncated at a limit of length */
    SIGN_STOPPED, /* the build ended with an error */
    SIGN_USAGE_REFUSED,
    SIGN_AMD, /* a resource line of AMD's compiler */
    /* of a log or a folder: the build tool; the fix is written for it */
    SIGN_CMAKE,
    SIGN_MAKE,
    /* of the commands in a log or in records */
    SIGN_COMPILE,       /* of a CUDA source, shown by a command or by a message of a build tool */
    SIGN_STEPS,         /* nvcc prints the commands that it runs or would run: -v, --dryrun */
    SIGN_ASKS,          /* a command asks ptxas for resource lines */
    SIGN_QUIET,         /* a command that is known completely does not ask */
    SIGN_VARIABLE,      /* an environment variable asks */
    SIGN_CACHE,         /* a compiler cache runs nvcc */
    SIGN_CACHE_OUTSIDE, /* a compiler cache runs warplint, which runs nvcc */
    SIGN_SCCACHE,
    SIGN_WRAP,
    SIGN_DEBUG,
    SIGN_RDC,
    SIGN_LTO,
    SIGN_PTX_ONLY,
    /* of the kernels, messages and logs in the model */
    SIGN_RESOURCES, /* resource lines of ptxas */
    SIGN_KERNELS,
    SIGN_FUNCTIONS,
    SIGN_LINKED,
    SIGN_AMBIGUOUS,
    SIGN_MISSING, /* numbers are ambiguous, but the log does not show several compilers */
    SIGN_TORN,
    SIGN_WRAPPED,
    SIGN_CUT,
    SIGN_FILTERED, /* the lines with stack and spills are missing */
    SIGN_UNSTATED, /* another value that ptxas states for every kernel is missing */
    SIGN_UNKNOWN_ARCH,
    SIGN_UNKNOWN_LINES,
    SIGN_UNLOCATED, /* kernels spill at unknown source lines */
    /* of a folder */
    SIGN_FOLDER,
    SIGN_BUILD_FILES, /* a build folder: files of a build tool, or objects */
    SIGN_OBJECTS,     /* with device code */
    SIGN_RECORDS,
    SIGN_TRITON,         /* the folder is a cache of Triton */
    SIGN_OTHER_LAUNCHER, /* warplint is the launcher of another language's compiler, but not of CUDA */
    SIGN_NO_LAUNCHERS,   /* the generator of CMake has no launchers */
    SIGN_STALE,          /* from here to SIGN_SOURCELESS in the order of enum record_fault */
    SIGN_OLD_LINK,       /* a record of a device link whose objects were compiled again */
    SIGN_UNREAD_OBJECT,  /* a record whose object cannot be read */
    SIGN_ORPHANED,
    SIGN_SOURCELESS, /* a record of a source that was deleted or renamed */
    SIGN_UNRECORDED,
    SIGN_UNRECORDED_LINK, /* a device link of CMake */
    /* of a compiler */
    SIGN_NO_COMPILER,
    SIGN_OTHER_PROGRAM, /* it states no CUDA version */
    SIGN_NO_HOOK,
    SIGN_NO_REMARKS,
    SIGN_COUNT,
};

struct sighting {
    size_t count;
    struct str path;   /* of the first place; empty: the path of the input */
    uint64_t line;     /* of the first place, from 1; 0: the whole file */
    struct str detail; /* of the first place; empty: none */
    struct str more;   /* further information, one line each; empty: that of the cause */
};

/* The signs of one input. All texts are in the arena. */
struct evidence {
    struct arena arena;
    struct model_mark from, to;            /* the part of the model that was read from the input */
    struct str path;                       /* as given; "<stdin>" */
    bool is_compiler;                      /* the input is a compiler: only the causes of compilers apply */
    struct str build;                      /* the build folder of CMake, if one was found; else empty */
    struct str_list unrecorded;            /* objects of a folder without a record; their paths live in the arena */
    struct sighting signs[SIGN_COUNT + 1]; /* the last one stays empty, for causes without a sign */
};
void evidence_free(struct evidence *evidence);

/* Counts the sign; its first place stays. path and detail are copied and may be empty. */
void evidence_see(struct evidence *evidence, enum sign sign, struct str path, uint64_t line, struct str detail);

/* True if the line contains a message of a build tool or a CI system for this sign. */
bool evidence_line_has(struct str line, enum sign sign);
/* Adds the signs of a line of a log. */
void evidence_line(void *evidence, struct str line, uint16_t log, uint64_t number);
/* Adds the signs of the words in front of the compiler in a command. */
void evidence_launchers(struct evidence *evidence, struct str line, struct str path, uint64_t number);
/* Adds the signs of this process's environment. */
void evidence_environment(struct evidence *evidence);
/* Adds the signs of the model. Call it after all inputs are read and binaries are compared with logs. */
void evidence_model(struct evidence *evidence, const struct model *model);
/* Adds the signs of a folder: its files and its records. `records`: sorted paths. */
struct path_list;
void evidence_folder(struct evidence *evidence, const struct path_list *records, struct diags *diags);
/* Adds a sign for each option that `wrap` adds and that the compiler at `path` does not accept. */
void evidence_compiler(struct evidence *evidence);

/* To add a cause: a row in causes.c, and an input that shows it in tests/test_doctor.sh. */
struct cause {
    const char *code;
    enum severity severity; /* error: nothing to judge; warning: untrusted result; note: missing information */
    enum sign sign;         /* must be present; its place is shown */
    uint64_t with, without; /* bits of the signs that must be present; bits of those that must be absent */
    const char *sentence;   /* fits on one line */
    const char *more;       /* further information, or NULL */
    const char *fix;        /* lines to type; add_line replaces the names in braces */
};
extern const struct cause cause_table[];
extern const size_t cause_count;

bool cause_applies(const struct cause *cause, const struct evidence *evidence);
/* Appends the fix with the names of the input, without the lines for other build tools than the one in use. */
void cause_fix(const struct cause *cause, const struct evidence *evidence, struct buf *out);
