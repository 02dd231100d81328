/*
 * invocation: what a command line of nvcc (or clang++, nvfortran) means for a wrapper: which word is the compiler, up
 * to which phase it compiles, what it reads and what it makes.
 */
#pragma once

#include "base/mem.h"
#include "log/option.h"
#include "nvcc/launcher.h"

#include <sys/stat.h>

struct invocation {
    struct arena arena;
    size_t compiler; /* index of the compiler in the command; launchers precede it */
    enum dialect dialect;
    enum nvcc_phase phase;
    struct str_list words;        /* all arguments of the compiler: environment, command, contents of option files */
    struct str_list inputs;       /* as given; inputs and outputs have a NUL after their last byte */
    struct str_list sources;      /* the inputs that contain device code */
    struct str_list outputs;      /* files that the command makes: the name of -o, or a default name for each input */
    struct stat *before;          /* each output before the command (invocation_note_outputs); zeroed: missing */
    bool names_output;            /* -o names the output */
    struct launcher launcher;     /* if it changes the folder, relative names do not refer to our working directory */
    struct str_list includes;     /* folders that #include searches, in order */
    struct str_list pre_includes; /* files that are included before the source */
    bool writes_dependencies;     /* the command makes a file that lists the headers (-MD, -MMD) */
    struct str dependencies;      /* that file, as given; empty: the default name */
    bool makes_code;              /* device code of the sources becomes machine code: ptxas runs */
    bool debug;                   /* device code is not optimised: -G, or -O0 for ptxas */
    bool asks_remarks;            /* asks for optimiser remarks; a second request would replace this one */
    bool has_prefix;              /* another command precedes ptxas */
    struct str host_compiler;     /* the value of -ccbin; empty: not given */
    bool asks_ptxas;              /* the command itself asks for ptxas's resource usage */
    bool asks_nvlink;             /* and for nvlink's */
    bool asks_ptxinfo;            /* NVHPC: the command itself asks for ptxas's resource usage */
    bool takes_ptxinfo;           /* NVHPC: the compiler is known to accept -gpu=ptxinfo */
    size_t option_files;          /* number of option files read; they can include each other without end */
    struct str unread;            /* the first option file that exists and was not read; empty: none */
    struct str unread_why;        /* "is larger than ..." */
    const char *unread_reason;    /* why messages about device code cannot be read; NULL: they can, or there is none */
    struct str toolkit;           /* the value of clang's --cuda-path; empty: not given */
    bool relocatable;             /* the code is final only when it is linked: -rdc=true, -dc */
    bool links;                   /* device code is linked: nvlink runs */
};

/*
 * Reads a command of `count` words, with the options that the environment adds for nvcc: `outside`, unless `env` or
 * `cmake -E env` before the compiler changes them. Option files are read too, also nested ones: only regular files,
 * within limits. An option file that does not exist is ignored, because the compiler reports it. Everything in
 * *invocation lives until invocation_free; the words must outlive it.
 */
void invocation_read(struct invocation *invocation, const char *const *words, size_t count,
                     struct launcher_variables outside);
void invocation_free(struct invocation *invocation);

/* A word before the compiler is one of these programs (with or without its folder), or the compiler's own file is.
 * `list`: names separated by blanks. */
bool invocation_runs_under(const struct invocation *invocation, const char *const *words, const char *list);

/* Removes all files of the command from the invocation: none is read or written any more. */
void invocation_forget_files(struct invocation *invocation);

/* Call it before the command runs: stores the current state of its outputs. Without this call, all outputs count as
 * written by the command. */
void invocation_note_outputs(struct invocation *invocation);

/* Call it after the command: removes the outputs that the command has not written from the list. Returns the first one
 * removed; empty: none. A default name is a guess, so a missing file of that name stays in the list. */
struct str invocation_drop_unwritten(struct invocation *invocation);

/*
 * Removes the files that the command made, as a failing compiler would. Only files that the command has written are
 * removed: an input stays, and so does a folder, a device or a dependency file.
 */
struct removal {
    size_t count; /* number of files removed */
    struct str first;
    struct str stuck; /* the first file that should be removed and cannot be; empty: none */
    int error;        /* errno for `stuck` */
};
struct removal invocation_remove_outputs(const struct invocation *invocation);
