/* option: the options of nvcc, clang++, NVIDIA's HPC compilers and ptxas that are needed to read a command: one table
 * of spellings for each program, and one of spellings that clang++ and the HPC compilers share. */
#pragma once

#include "base/mem.h"

enum dialect {
    DIALECT_NVCC, /* nvcc, and programs that take its options */
    DIALECT_CLANG,
    DIALECT_NVHPC, /* nvfortran, nvc, nvc++ */
    DIALECT_PTXAS,
    DIALECTS,
};

enum option_value {
    TAKES_NOTHING,
    TAKES_NEXT,   /* "-o x" and "-o=x" */
    TAKES_JOINED, /* the same, and "-Ix" */
    TAKES_EQUALS, /* "-acc" and "-acc=x" */
};

/* The last phase of a command. If several options state one, the last in this order counts: nvcc -c -ptx makes PTX. */
enum nvcc_phase {
    PHASE_LINK, /* the default of nvcc */
    PHASE_RUN,
    PHASE_LIBRARY,
    PHASE_DEVICE_LINK,
    PHASE_COMPILE,
    PHASE_CUDA,
    PHASE_FATBIN,
    PHASE_CUBIN,
    PHASE_PTX,
    PHASE_PREPROCESS,
    PHASE_NONE, /* prints information, deletes files, or prints commands without running them */
    PHASE_COUNT,
    MEANS_OTHER = PHASE_COUNT, /* the values from here on are other meanings of options */
    MEANS_OUTPUT,
    MEANS_FOLDER, /* the folder of outputs without a name */
    MEANS_LANGUAGE,
    MEANS_OPTIONS_FILE,
    MEANS_DEBUG,         /* device code is not optimised */
    MEANS_OPTIMISED,     /* device code is optimised although -G is given */
    MEANS_FAST_COMPILE,  /* device code is optimised less, with "max" not at all */
    MEANS_LEVEL,         /* clang: device code is optimised ("-O2"); ptxas: the value is the level */
    MEANS_LEVEL_0,       /* clang: device code is not optimised */
    MEANS_DEVICE_OPTION, /* clang: an option for device code only */
    MEANS_PTXAS_OPTIONS, /* a list of options for ptxas */
    MEANS_NVLINK_OPTIONS,
    MEANS_RESOURCE_USAGE, /* asks ptxas for resource lines, or nvlink if the code is relocatable */
    MEANS_RELOCATABLE,
    MEANS_INCLUDES,     /* folders that #include searches */
    MEANS_PRE_INCLUDE,  /* files that are included before the source */
    MEANS_DEPENDENCIES, /* a dependency file is written */
    MEANS_DEPENDENCY_FILE,
    MEANS_CICC_OPTIONS, /* a list of options for cicc */
    MEANS_REMARKS,      /* asks for remarks of the optimiser */
    MEANS_PREFIX,       /* a command that runs the command of ptxas */
    MEANS_HOST_COMPILER,
    MEANS_TOOLKIT,      /* the folder of the CUDA toolkit */
    MEANS_HOST_OPTIONS, /* a list of options for the host compiler */
    MEANS_REGISTER_CAP, /* the most registers per thread */
    MEANS_TARGET,       /* nvcc: a virtual architecture, and the code that is made from it; ptxas: the architecture */
    MEANS_FILES,        /* makes or names files in addition to the output */
    MEANS_DEPENDENCY_TARGET, /* the target in a dependency file */
    MEANS_PARALLEL,          /* parts of the compile run at once */
    MEANS_OPENMP,
    MEANS_GPU_OPTIONS, /* a list of options for device code */
    MEANS_OFFLOADING,  /* a target for which code is made besides the host's, or an architecture of it */
};

/* Spellings of options that take a value or have a meaning here. No other word that begins with '-' takes a value or
 * has a meaning. */
struct nvcc_option {
    const char *spellings; /* a list with blanks between them: "--gpu-code -code" */
    uint8_t takes;         /* enum option_value */
    uint8_t means;         /* enum nvcc_phase, or one of MEANS_ */
};
struct option_table {
    const struct nvcc_option *rows;
    size_t count;
};
extern const struct option_table option_tables[DIALECTS + 1]; /* the last one is shared by clang and NVHPC */

/* The row of a word of the command line, or NULL. *value is the part of the word that is a value ("-o=x", "-Ix"). Its
 * pointer is NULL if the word contains no value; then the value, if the option takes one, is the next word. */
const struct nvcc_option *option_find(enum dialect dialect, struct str word, struct str *value);

/* The same for word *at of a command. If the value is the next word, that word is taken and *at becomes its index. The
 * value is empty if the option takes none or the command ends. */
const struct nvcc_option *option_take(enum dialect dialect, const struct str_list *words, size_t *at,
                                      struct str *value);
