/* toolkit: the version of the CUDA toolkit that a compiler belongs to, without starting it. */
#ifndef NVCC_TOOLKIT_H
#define NVCC_TOOLKIT_H

#include "log/model.h"

/* word: the compiler as the command line has it. What ../include/cuda.h beside it says (CUDA_VERSION); not known where
 * there is no such file. */
struct toolkit toolkit_of_compiler(const char *word);

/* The one that clang takes: that of the folder (--cuda-path), or where that is empty the one of the ptxas in PATH, or
 * what is in /usr/local/cuda. */
struct toolkit toolkit_of_clang(struct str folder);

#endif
