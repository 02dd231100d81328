/*
 * binary_check: compares kernels that are in a log and in a binary. If they agree, the record of the log is used for
 * both and gets what only the binary states (launch bounds); if they differ, one of them is of another build.
 */
#pragma once

#include "log/model.h"

/*
 * Compares each record of ptxas with the record of the same name and architecture in a binary. Call it after all
 * inputs, after model_link. The record of the binary becomes KERNEL_COVERED, and every difference becomes an event
 * `binary-mismatch`. Kernels that are only in the binary remain records of their own. If several compiles logged the
 * name, it is enough that one record agrees. The code of an object is compared with the record of ptxas, linked code
 * with that of the link. If no link is logged, the linked code becomes the link of the record, provided that it has at
 * least the values of the record and that the code of ptxas is known to have been linked (an object agrees with the
 * record, for example).
 */
void model_check_binaries(struct model *model);

/* Copies the declarations of kernels in a binary, whose records begin at `first`, to the records of ptxas that agree
 * with them. Marks nothing and does not report differences. */
void model_copy_launch_bounds(struct model *model, size_t first);

/*
 * Checks the records of one compile whose messages may quote lines that look like those of ptxas. The records from
 * `first` on are those of the binaries that the compile made. An entry of ptxas becomes ambiguous unless three
 * conditions are true: a binary has a kernel with its name, no binary has code of it for its architecture with other
 * registers, and all records of that name and architecture agree.
 */
void model_doubt(struct model *model, size_t first);
