/* toolkit: the version of the CUDA toolkit that a compiler belongs to, found without starting the compiler. */
#pragma once

#include "log/model.h"

/* word: the compiler as in the command line. The version is CUDA_VERSION in ../include/cuda.h, relative to the
 * compiler's folder; unknown if there is no such file. */
struct toolkit toolkit_of_compiler(const char *word);

/* The toolkit that clang uses: the one in the folder (--cuda-path). If the folder is empty, the one of the ptxas in
 * PATH, or the one in /usr/local/cuda. */
struct toolkit toolkit_of_clang(struct str folder);
