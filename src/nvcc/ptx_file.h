/*
 * ptx_file: a PTX file as an input: not for its code, which has no registers yet, but for what its kernels declare.
 * It holds for the records of the same name on the architecture that the file is for.
 */
#ifndef NVCC_PTX_FILE_H
#define NVCC_PTX_FILE_H

#include "base/diag.h"
#include "log/bounds.h"

/* By its name: "....ptx". */
bool ptx_file_is(struct str path);

/* Notes what the kernels declare; bounds_finish gives it to the records. False with a diagnostic: it cannot be read, or
 * says nowhere for which architecture it is. */
bool ptx_file_read(struct bounds_table *table, struct model *model, struct str path, struct diags *diags);

#endif
