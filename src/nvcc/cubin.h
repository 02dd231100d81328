/*
 * cubin: the machine code of one architecture, as ptxas or nvlink wrote it, read into records. It states registers,
 * stack, shared memory, barriers, constant bank 0 and launch bounds; cubin_code.h reads its code. The attributes were
 * read off cubins of CUDA 13.0 and compared with the log of the same compile, figure by figure.
 */
#ifndef NVCC_CUBIN_H
#define NVCC_CUBIN_H

#include "base/buf.h"
#include "log/model.h"

/* Adds a record for each entry function, and for each device function of relocatable code (KERNEL_RELOCATABLE), to the
 * log of the binary. arch: "sm_90a" as a fat binary says; empty: what the cubin says itself. NULL, or what is wrong as
 * a clause; nothing is added then. */
const char *cubin_read(struct model *model, struct str image, uint16_t log, struct str arch);

/* Appends the note in which ptxas writes down its options: "... -maxrregcount 24 -arch sm_90 -m 64"; nothing where the
 * image has none. */
void cubin_note(struct str image, struct buf *note);

#endif
