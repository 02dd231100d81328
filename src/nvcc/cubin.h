/*
 * cubin: the machine code of one architecture, as ptxas or nvlink wrote it, converted to records. A cubin states
 * registers, stack, shared memory, barriers, constant bank 0 and launch bounds; cubin_code.h reads its code. The
 * attributes were determined from cubins of CUDA 13.0 and compared with the log of the same compile, value by value.
 */
#pragma once

#include "base/buf.h"
#include "log/model.h"

/* Adds a record for each entry function, and for each device function of relocatable code (KERNEL_RELOCATABLE), to the
 * log of the binary. arch: "sm_90a", as the fat binary states it; empty: use the architecture that the cubin states.
 * Returns NULL, or a clause that describes the error; in that case nothing is added. */
const char *cubin_read(struct model *model, struct str image, uint16_t log, struct str arch);

/* Appends the note in which ptxas stores its options: "... -maxrregcount 24 -arch sm_90 -m 64"; nothing if the image
 * has no note. */
void cubin_note(struct str image, struct buf *note);
