/* used: a second, simple reader of logs, which checks the records of the real one. */
#pragma once

#include "fuzz.h"

struct used {
    struct buf clean;  /* the log without control sequences, one line per piece between CRs */
    struct buf single; /* the same with single blanks and without warplint's own lines */
    struct used_line *lines;
    size_t count, cap;
    uint64_t line_ends, pieces, tagged, unmatched, named;
    bool barriers; /* seen so far: the log is from CUDA 12.4 or later */
    struct numbers numbers;
};

void used_read(struct used *used, struct str log);
void used_check(struct used *used, const struct model *model);
void used_free(struct used *used);
