/*
 * command: recognises lines of a log that state which file is being compiled: an echoed command of nvcc, or of clang
 * with `-x cuda` (make, ninja -v, "#$"), or the progress lines of CMake, Bazel and MSBuild.
 */
#pragma once

#include "log/model.h"
#include "log/option.h"

struct command {
    struct str source;     /* the file that is compiled; empty: none (a link), or several commands of ptxas */
    struct str folder;     /* the folder to prepend to `source` (of `cd`, or of the object of FindCUDA); else empty */
    bool several;          /* the command compiles several sources, so the source of a kernel is unknown */
    unsigned sources;      /* the number of sources, of all commands of the line */
    bool buffered;         /* only output of this command follows, even in a parallel build (ninja, Bazel) */
    bool debug;            /* -G, or -O0 of ptxas, and the following output is certainly of this command */
    bool rdc;              /* -rdc=true, -dc */
    bool verbose;          /* the command asks ptxas for resource lines: "-Xptxas -v" in any spelling */
    bool host_only;        /* nvcc compiles this source for the host: "-c main.cpp" without "-x cu" */
    enum nvcc_phase phase; /* the last phase of the command; of the line's commands, the furthest one */
    bool of_ptxas;         /* ptxas itself, run directly or printed by `nvcc -v`: only `debug` and the PTX are known */
    struct str text;       /* the command; empty: only a progress line came */
};

/* Reads a line without its prefix (prefix_skip); the strings are slices of it. False if it is another line. */
bool command_find(struct str line, struct command *command);

/* True for a command of a host compiler with -c: the following output may not belong to the command before it. */
bool command_is_of_host(struct str line);

/* True for a program that runs a command: ccache, time. */
bool command_is_launcher(struct str word);

/* Takes the next word of a shell command from *rest, without quotes around the whole word. */
bool command_word(struct str *rest, struct str *word);

/* Reads the version of the compiler that nvcc or CMake prints: "release 13.0, V13.0.88", "identification is NVIDIA
 * 13.0.88". False if the line has none. */
bool command_toolkit(struct str line, struct toolkit *toolkit);

/* True if the command compiles the source of the progress line before it ("Building CUDA object ...", "Compiling CUDA
 * source file ..."). */
bool command_restates(struct str source, const struct command *command);

/* True if the compile makes this PTX file: it is named so in the command, or is a temporary file of its source. */
bool command_assembles(const struct command *compile, struct str ptx);

/* False if the name of a function contains the name of another file than this source: nvcc writes the name of the file
 * into names with internal linkage. */
bool command_may_print(struct str source, struct str name);

/* The number of different targets ("sm_80") in the command, which is the number of runs of ptxas for each source; 0 if
 * the command names none. */
size_t command_targets(struct str text);

/* True if the command names the target ("sm_80"). */
bool command_names(struct str text, struct str arch);

/* What a compile prints about its kernels, according to its command. */
enum command_output {
    COMMAND_NO_COMPILE, /* nothing: not a CUDA source, or it only preprocesses or is a dry run */
    COMMAND_LTO,        /* nothing: the link allocates the registers */
    COMMAND_PTX,        /* nothing: it makes only PTX */
    COMMAND_UNKNOWN,    /* unknown: only a progress line came */
    COMMAND_VERBOSE,    /* resource lines: -Xptxas=-v or a similar option */
    COMMAND_QUIET,      /* no resource lines, unless an environment variable asks for them */
};
enum command_output command_output(const struct command *command);

/* True if the command compiles a source without running ptxas: the following output is of another command. */
bool command_is_silent(const struct command *command);

/* True if the words, or a comma-separated list in them, contain an option that makes ptxas print resource lines. */
bool command_asks_verbose(struct str text);

/* True if device code is optimised at the link. */
bool command_is_lto(struct str text);

/* True if the path has one of the suffixes (a list separated by blanks). */
bool path_has_suffix(struct str path, const char *suffixes);

bool source_is_cuda(struct str source);

/* True for CUDA sources and for files that they may include. */
bool source_may_hold_cuda(struct str source);

/* The number of CUDA sources in the command of a log; *first becomes the first of them. 0 if there is none (a device
 * link), or the command is unknown. */
size_t command_sources_of_log(const struct model *model, uint16_t log, struct str *first);

/* True for headers of the system or of the CUDA toolkit: reports show the calling line instead. */
bool source_is_library(struct str path);
