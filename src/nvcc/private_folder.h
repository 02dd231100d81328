/* private_folder: a folder for files that nobody else sees, removed on every way out: also when memory runs out. */
#ifndef NVCC_PRIVATE_FOLDER_H
#define NVCC_PRIVATE_FOLDER_H

#include "base/diag.h"

/* Makes it, and has the compilers that are started until it is removed put their temporary files there. One at a time;
 * the arena must outlive it. NULL with a diagnostic: it cannot be made. */
const char *private_folder_make(struct arena *arena, struct diags *diags);

/* With everything in it; nothing where there is none. */
void private_folder_remove(void);

#endif
