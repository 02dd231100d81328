/*
 * directive_kernel: names of kernels that compilers of directives (OpenACC, OpenMP) make from the enclosing function
 * and the line:
 *
 *     compute_555_gpu                          nvfortran: function, line
 *     nvkernel__Z5scalePf_F1L6_2               nvc, nvc++: function, line, number
 *     __omp_offloading_fe00_ab5711_main_l8     clang, flang: device and inode of the source, function, line
 *     __omp_offloading_fe00_ab5711_main_l8_omp_outlined
 */
#pragma once

#include "base/str.h"

/* The parts of a name, as slices of it. The identity of the kernel consists of lead, the identity of the function, mark
 * and suffix. */
struct directive_kernel {
    struct str lead, function, mark;
    struct str line;   /* digits; empty: the name is an identity */
    struct str suffix; /* the text after the line */
    bool named_so;     /* a name of nvfortran: reports show it as it is */
    bool has_file;
    uint32_t device, inode; /* of the file, the lower 32 bits; only if has_file */
};

/* Splits a name into its parts. False if it is not the name of such a kernel. */
bool directive_kernel_of(struct str name, struct directive_kernel *region);
