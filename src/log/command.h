/*
 * command: lines of a log that say which file is being compiled: an echoed command of nvcc, or of clang with
 * `-x cuda` (make, ninja -v, "#$"), and what CMake, Bazel and MSBuild print instead.
 */
#ifndef LOG_COMMAND_H
#define LOG_COMMAND_H

#include "log/model.h"

struct command {
    struct str source; /* the file that is compiled; empty: the command compiles none (a link) */
    bool several;      /* it compiles other sources too: of which one a kernel is is not known */
    bool buffered;     /* what follows is this command's output alone, also in a parallel build (ninja, Bazel) */
    bool debug;        /* -G, or ptxas's -O0, and it is certain that this command speaks */
    bool rdc;          /* -rdc=true, -dc */
    bool verbose;      /* asks ptxas for resource lines: "-Xptxas -v" and its many spellings */
    bool of_ptxas;     /* ptxas itself, of its own or as `nvcc -v` prints it: only `debug` is known */
    struct str text;   /* the command itself; empty when only a progress line was seen */
};

/* False when the line is no such line; it is read without what stood before it (prefix_skip). The slices point into it.
 */
bool command_find(struct str line, struct command *command);

/* The line is a command of a compiler for the host, with -c: what follows need not be of the command before it. */
bool command_is_of_host(struct str line);

/* A program that is given a command to run: ccache, time. */
bool command_is_launcher(struct str word);

/* Takes the next word of a shell command off *rest, without its quotes when they stand around all of it. */
bool command_word(struct str *rest, struct str *word);

/* The line holds what nvcc or CMake says of the compiler's version: "release 13.0, V13.0.88", "identification is NVIDIA
 * 13.0.88". */
bool command_toolkit(struct str line, struct toolkit *toolkit);

/* The command compiles the source that a build tool has named before, in a line of its own ("Building CUDA object ...",
 * "Compiling CUDA source file ..."). */
bool command_restates(struct str source, const struct command *command);

/* How many different targets ("sm_80") the command names: so many runs of ptxas it will make; 0: it names none. */
size_t command_targets(struct str text);

/* The command names the target ("sm_80"). */
bool command_names(struct str text, struct str arch);

/* What the compile of a CUDA source prints of its kernels, as far as its words say. */
enum command_output {
    COMMAND_NO_COMPILE, /* another source, or it only preprocesses or shows what it would do */
    COMMAND_LTO,        /* nothing: the link allots the registers */
    COMMAND_PTX,        /* nothing: it makes PTX only */
    COMMAND_UNKNOWN,    /* only a progress line was seen */
    COMMAND_VERBOSE,    /* resource lines: -Xptxas=-v or the like */
    COMMAND_QUIET,      /* no resource lines, unless a variable of the environment asks for them */
};
enum command_output command_output(const struct command *command);

/* One of the options by which ptxas prints resources is among the words, or in a list with commas. */
bool command_asks_verbose(struct str text);

/* Device code is optimised at the link. */
bool command_is_lto(struct str text);

bool source_is_cuda(struct str source);

/* The same, and what CUDA sources include. */
bool source_may_hold_cuda(struct str source);

/* How many CUDA sources the command of a log's compile names, and the first of them; 0: none, as that of a device link,
 * or the command is not known. */
size_t command_sources_of_log(const struct model *model, uint16_t log, struct str *first);

/* A header of the system or of the CUDA toolkit: what a person looks at is what called it. */
bool source_is_library(struct str path);

#endif
