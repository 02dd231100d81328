/*
 * directive_kernel: the names that compilers of directives (OpenACC, OpenMP) make of the function and the line of which
 * a kernel is a part:
 *
 *     compute_555_gpu                          nvfortran: function, line
 *     nvkernel__Z5scalePf_F1L6_2               nvc, nvc++: function, line, number
 *     __omp_offloading_fe00_ab5711_main_l8     clang, flang: device and inode of the source, function, line
 *     __omp_offloading_fe00_ab5711_main_l8_omp_outlined
 */
#ifndef LOG_DIRECTIVE_KERNEL_H
#define LOG_DIRECTIVE_KERNEL_H

#include "base/str.h"

/* The parts of a name. Its identity is lead, the function's identity, mark, suffix. All borrow the name. */
struct directive_kernel {
    struct str lead, function, mark;
    struct str line;   /* digits; empty: the name is an identity */
    struct str suffix; /* what follows the line */
    bool named_so;     /* by nvfortran: people know the kernel by its name */
    bool has_file;
    uint32_t device, inode; /* of the file, the lower halves; where has_file */
};

bool directive_kernel_of(struct str name, struct directive_kernel *region);

#endif
