/*
 * invocation: what a command line of nvcc (or clang++, nvfortran) means for a wrapper: which word is the compiler, how
 * far it goes, what it reads and what it makes.
 */
#ifndef NVCC_INVOCATION_H
#define NVCC_INVOCATION_H

#include "base/mem.h"
#include "log/option.h"
#include "nvcc/launcher.h"

#include <sys/stat.h>

struct invocation {
    struct arena arena;
    size_t compiler; /* the word of the command that is the compiler: launchers stand before it */
    enum dialect dialect;
    enum nvcc_phase phase;
    struct str_list words;        /* what the compiler is told in all: environment, command, option files opened */
    struct str_list inputs;       /* as given; these and the outputs have a NUL behind their length */
    struct str_list sources;      /* those of them that hold device code */
    struct str_list outputs;      /* what the command makes: what -o says, or the default name for each input */
    struct stat *before;          /* of each output, by invocation_note_outputs; zeroed: it was not there */
    bool names_output;            /* -o says it */
    struct launcher launcher;     /* where it moves, relative names are not those of files here */
    struct str_list includes;     /* folders where #include looks, in their order */
    struct str_list pre_includes; /* files that are included before the source */
    bool writes_dependencies;     /* a file that names the headers is made (-MD, -MMD) */
    struct str dependencies;      /* that file, as given; empty: it has its default name */
    bool makes_code;              /* device code of the sources becomes machine code: ptxas runs */
    bool debug;                   /* device code is not optimised: -G, or -O0 for ptxas */
    bool asks_remarks;            /* for remarks of the optimiser: another request would replace this one */
    bool has_prefix;              /* some other command stands in front of ptxas */
    struct str host_compiler;     /* the value of -ccbin; empty: not said */
    bool asks_ptxas;              /* the command itself asks for what ptxas says of resources */
    bool asks_nvlink;             /* and for what nvlink does */
    bool asks_ptxinfo;            /* NVHPC: the command itself asks for what ptxas says */
    bool takes_ptxinfo;           /* NVHPC: it is known to take -gpu=ptxinfo */
    size_t option_files;          /* that were read; they can name each other without end */
    struct str unread;            /* the first option file that is there and was not read; empty: none */
    struct str unread_why;        /* "is larger than ..." */
    const char *not_understood;   /* device code is compiled whose messages are not read: why; NULL: none is */
    struct str toolkit;           /* the value of clang's --cuda-path; empty: not said */
    bool relocatable;             /* the code is final only when it is linked: -rdc=true, -dc */
    bool links;                   /* device code is linked: nvlink runs */
};

/*
 * Understands a command of `count` words, with what the environment adds for nvcc: `outside`, unless `env` or `cmake -E
 * env` in front of it changes that. Option files are read, nested ones too: regular files within limits. One that is
 * not there is left to the compiler to complain about. Everything in *invocation lives until invocation_free; the words
 * must outlive it.
 */
void invocation_read(struct invocation *invocation, const char *const *words, size_t count,
                     struct launcher_variables outside);
void invocation_free(struct invocation *invocation);

/* Some word before the compiler is one of these programs (with or without their folders), or the compiler's own file
 * is: `list` is names with blanks between them. */
bool invocation_runs_under(const struct invocation *invocation, const char *const *words, const char *list);

/* No file of the command is read or written any more. */
void invocation_forget_files(struct invocation *invocation);

/* Before the command runs: keeps what its outputs are now. Without it all of them count as written by the command. */
void invocation_note_outputs(struct invocation *invocation);

/* After it: takes the outputs that the command has not written off the list. The first of them; empty: none. A default
 * name is a guess, so no file of that name is none. */
struct str invocation_drop_unwritten(struct invocation *invocation);

/*
 * Removes what the command made, as a failing compiler would. Only files that it has written: an input stays, and so
 * does a folder, a device, a dependency file.
 */
struct removal {
    size_t count; /* files removed */
    struct str first;
    struct str stuck; /* the first that should be gone and cannot be removed; empty: none */
    int error;        /* why, errno */
};
struct removal invocation_remove_outputs(const struct invocation *invocation);

#endif
