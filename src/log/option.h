/* option: the options of nvcc, clang++ and NVIDIA's HPC compilers that a command is read by, one table of
 * spellings for each, and one of what two of them have alike. */
#ifndef LOG_OPTION_H
#define LOG_OPTION_H

#include "base/mem.h"

enum dialect {
    DIALECT_NVCC, /* and what takes nvcc's options */
    DIALECT_CLANG,
    DIALECT_NVHPC, /* nvfortran, nvc, nvc++ */
    DIALECTS,
};

enum option_value {
    TAKES_NOTHING,
    TAKES_NEXT,   /* "-o x" and "-o=x" */
    TAKES_JOINED, /* these and "-Ix" */
    TAKES_EQUALS, /* "-acc" and "-acc=x" */
};

/* How far a command goes; of several the last in this order counts: nvcc -c -ptx makes PTX. */
enum nvcc_phase {
    PHASE_LINK, /* what nvcc does when nothing is said */
    PHASE_RUN,
    PHASE_LIBRARY,
    PHASE_DEVICE_LINK,
    PHASE_COMPILE,
    PHASE_CUDA,
    PHASE_FATBIN,
    PHASE_CUBIN,
    PHASE_PTX,
    PHASE_PREPROCESS,
    PHASE_NONE, /* answers a question, deletes, prints what it would do */
    PHASE_COUNT,
    MEANS_OTHER = PHASE_COUNT, /* what else an option can mean */
    MEANS_OUTPUT,
    MEANS_FOLDER, /* of outputs without a name */
    MEANS_LANGUAGE,
    MEANS_OPTIONS_FILE,
    MEANS_DEBUG,         /* device code is not optimised */
    MEANS_OPTIMISED,     /* it is, although it is debugged */
    MEANS_FAST_COMPILE,  /* less is optimised; "max": nothing */
    MEANS_PTXAS_OPTIONS, /* a list of options for ptxas */
    MEANS_NVLINK_OPTIONS,
    MEANS_RESOURCE_USAGE, /* asks ptxas for what the kernels use, or nvlink where code is relocatable */
    MEANS_RELOCATABLE,
    MEANS_INCLUDES,     /* folders where #include looks */
    MEANS_PRE_INCLUDE,  /* files that are included before the source */
    MEANS_DEPENDENCIES, /* a dependency file is written */
    MEANS_DEPENDENCY_FILE,
    MEANS_CICC_OPTIONS, /* the same for cicc */
    MEANS_REMARKS,      /* asks for the optimiser's remarks */
    MEANS_PREFIX,       /* a command in front of ptxas */
    MEANS_HOST_COMPILER,
    MEANS_TOOLKIT,           /* the folder of the CUDA toolkit */
    MEANS_HOST_OPTIONS,      /* a list of options for the host compiler */
    MEANS_REGISTER_CAP,      /* registers per thread at most */
    MEANS_TARGET,            /* nvcc: a virtual architecture, and what code is made of it */
    MEANS_FILES,             /* makes or names files beside the output */
    MEANS_DEPENDENCY_TARGET, /* what a dependency file says that depends */
    MEANS_PARALLEL,          /* parts of the compile run at once */
    MEANS_OPENMP,
    MEANS_GPU_OPTIONS, /* a list of options for device code */
    MEANS_OFFLOADING,  /* a target, or an architecture of one, that code is made for besides the host's */
};

/* Spellings that take a value or mean something; every other word that begins with '-' does neither. */
struct nvcc_option {
    const char *spellings; /* a list with blanks between them: "--gpu-code -code" */
    uint8_t takes;         /* enum option_value */
    uint8_t means;         /* enum nvcc_phase, or one of MEANS_ */
};
struct option_table {
    const struct nvcc_option *rows;
    size_t count;
};
extern const struct option_table option_tables[DIALECTS + 1]; /* the last: what clang and NVHPC have alike */

/* The row of a word of the command line, or NULL. *value is what the word holds of its value ("-o=x", "-Ix"), with a
 * NULL pointer where the value, if the option takes one, is the next word. */
const struct nvcc_option *option_find(enum dialect dialect, struct str word, struct str *value);

/* The same of word *at of a command; a value that is the next word is taken, and *at is its number then. Empty: the
 * option takes none, or the command ends. */
const struct nvcc_option *option_take(enum dialect dialect, const struct str_list *words, size_t *at,
                                      struct str *value);

#endif
