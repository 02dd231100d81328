/*
 * binary_check: the same kernel in a log and in a binary. Where they agree the record of the log stands for both and
 * learns from the binary what no log says (launch bounds); where they differ one of them is of another build.
 */
#ifndef LOG_BINARY_CHECK_H
#define LOG_BINARY_CHECK_H

#include "log/model.h"

/*
 * After all inputs, and after model_link: each record of ptxas finds the one of the same name and architecture
 * in a binary. That one is marked KERNEL_COVERED, and every difference between the two is an event `binary-mismatch`.
 * What is only in the binary stays a record of its own. Where several compilations logged the name, one that agrees is
 * enough. An object is compared with the record of ptxas, linked code with that of the link. Where no link is logged
 * the linked code becomes the link of the record, if it has at least what the record states, and an object agrees with
 * the record, or it is known otherwise that ptxas's code was linked.
 */
void model_check_binaries(struct model *model);

/* The records from `first` on are a binary's. Those of ptxas that agree with one of them learn from it what the kernel
 * declares; nothing is marked, and nothing is said of what differs. */
void model_copy_launch_bounds(struct model *model, size_t first);

/*
 * The messages of one compile, in which something may quote lines like those of ptxas. The records from `first` on are
 * those of the binaries that it made. An entry of ptxas is ambiguous, its numbers unknown, unless a binary has a kernel
 * of its name and none of its architecture with other registers, and all records of that name and architecture agree.
 */
void model_doubt(struct model *model, size_t first);

#endif
