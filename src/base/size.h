/* size: amounts of memory as people write them. */
#ifndef BASE_SIZE_H
#define BASE_SIZE_H

#include "base/str.h"

/* The whole of text as bytes: "1024", "1024B", "16K", "48KiB", "1M", "1MiB" (in any case, blanks before the
 * unit allowed). K and M are 1024s, as in CUDA's documents. KB and MB are refused: half of their readers mean
 * 1000. False, with *bytes unchanged, for everything else and for what does not fit. */
bool size_parse(struct str text, int64_t *bytes);

#endif
