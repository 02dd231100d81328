/*
 * doctor: why there is nothing to judge, or why it cannot be trusted. An input is examined for signs, each with its
 * first place; a cause is a row of a table that says by which signs it is known, what it means and what mends it.
 */
#ifndef CLI_DOCTOR_H
#define CLI_DOCTOR_H

#include "base/diag.h"
#include "log/model.h"

enum sign {
    /* of a log */
    SIGN_INPUT, /* there is something in it at all */
    SIGN_UP_TO_DATE,
    SIGN_CLIPPED, /* somebody cut it at a limit */
    SIGN_STOPPED, /* the build ended with an error */
    SIGN_USAGE_REFUSED,
    SIGN_AMD, /* a resource line of AMD's compiler */
    /* of either: the build tool, so that a fix is in its words */
    SIGN_CMAKE,
    SIGN_MAKE,
    /* of its commands, or of those in records */
    SIGN_COMPILE,       /* of a CUDA source, as a command or as a message of a build tool */
    SIGN_STEPS,         /* nvcc shows what it runs, or would run: -v, --dryrun */
    SIGN_ASKS,          /* one of them asks ptxas to speak */
    SIGN_QUIET,         /* one of them is known to the last word and does not */
    SIGN_VARIABLE,      /* a variable of the environment asks instead */
    SIGN_CACHE,         /* a compiler cache runs nvcc */
    SIGN_CACHE_OUTSIDE, /* it runs warplint, which runs nvcc */
    SIGN_SCCACHE,
    SIGN_WRAP,
    SIGN_DEBUG,
    SIGN_RDC,
    SIGN_LTO,
    SIGN_PTX_ONLY,
    /* of what was read */
    SIGN_RESOURCES, /* resource lines of ptxas */
    SIGN_KERNELS,
    SIGN_FUNCTIONS,
    SIGN_LINKED,
    SIGN_AMBIGUOUS,
    SIGN_MISSING, /* so, and nothing says that several compilers wrote */
    SIGN_TORN,
    SIGN_WRAPPED,
    SIGN_CUT,
    SIGN_FILTERED, /* the lines with stack and spills are missing */
    SIGN_UNSTATED, /* something else that ptxas states of every kernel is missing */
    SIGN_UNKNOWN_ARCH,
    SIGN_UNKNOWN_LINES,
    SIGN_UNLOCATED, /* kernels spill, and the lines are not known */
    /* of a folder */
    SIGN_FOLDER,
    SIGN_BUILD_FILES, /* somebody builds here: files of a build tool, or objects */
    SIGN_OBJECTS,     /* with device code */
    SIGN_RECORDS,
    SIGN_TRITON,         /* it is a cache of Triton */
    SIGN_OTHER_LAUNCHER, /* warplint stands in front of another language's compiler only */
    SIGN_NO_LAUNCHERS,   /* the generator has none */
    SIGN_STALE,          /* this one and the next four are in the order of enum record_fault */
    SIGN_OLD_LINK,       /* a record of a device link whose objects were compiled again */
    SIGN_UNREAD_OBJECT,  /* a record whose object cannot be read */
    SIGN_ORPHANED,
    SIGN_SOURCELESS, /* a record of a source that was deleted or renamed */
    SIGN_UNRECORDED,
    SIGN_UNRECORDED_LINK, /* a device link of CMake */
    /* of a compiler */
    SIGN_NO_COMPILER,
    SIGN_NO_HOOK,
    SIGN_NO_REMARKS,
    SIGN_COUNT,
};

struct sighting {
    size_t count;
    struct str path;   /* of the first; empty: the input's */
    uint64_t line;     /* of the first, from 1; 0: of all of it */
    struct str detail; /* of the first; empty: there is nothing to add */
    struct str more;   /* what else there is to know, a line each; empty: what the cause says */
};

/* What is known of one input. Everything in it lives in the arena. */
struct evidence {
    struct arena arena;
    struct model_mark from, to;            /* what of the model was read of it */
    struct str path;                       /* as given; "<stdin>" */
    bool is_compiler;                      /* it is asked what it can do: only its own causes apply */
    struct str build;                      /* the folder that CMake builds in, where one is seen; else empty */
    struct str_list unrecorded;            /* objects of a folder without a record; their paths live in the arena */
    struct sighting signs[SIGN_COUNT + 1]; /* the last stays empty: of causes that no sign shows */
};
void evidence_free(struct evidence *evidence);

/* One more of that sign; the first keeps its place. path, detail: copied, may be empty. */
void evidence_see(struct evidence *evidence, enum sign sign, struct str path, uint64_t line, struct str detail);

/* A build tool or a CI system says it in this line. */
bool evidence_says(struct str line, enum sign sign);
/* What a line of a log shows. */
void evidence_line(void *evidence, struct str line, uint16_t log, uint64_t number);
/* What stands in front of the compiler in a command. */
void evidence_launchers(struct evidence *evidence, struct str line, struct str path, uint64_t number);
/* What the environment of this process shows. */
void evidence_environment(struct evidence *evidence);
/* What was read of the input, once all of them were, and binaries were compared with logs. */
void evidence_model(struct evidence *evidence, const struct model *model);
/* What lies in a folder beside the records. `records`: sorted paths. */
struct path_list;
void evidence_folder(struct evidence *evidence, const struct path_list *records, struct diags *diags);
/* Which of the options that `wrap` adds the compiler at `path` takes. */
void evidence_compiler(struct evidence *evidence);

/* To add a cause: a row in causes.c and what shows it in tests/test_doctor.sh. */
struct cause {
    const char *code;
    enum severity severity; /* error: nothing to judge; warning: it cannot be trusted; note: less is known */
    enum sign sign;         /* has to be there, and says where */
    uint64_t with, without; /* signs (bits) that have to be there; of which none may be there */
    const char *sentence;   /* fits on a line */
    const char *more;       /* what else there is to know, or NULL */
    const char *fix;        /* lines to type; add_line has the names in braces */
};
extern const struct cause cause_table[];
extern const size_t cause_count;

bool cause_applies(const struct cause *cause, const struct evidence *evidence);
/* The fix with the names of the input in it, without the lines for other build tools than the one that is used. */
void cause_fix(const struct cause *cause, const struct evidence *evidence, struct buf *out);

#endif
