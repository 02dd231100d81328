/*
 * usage_text: resources of kernels in the words of other programs than ptxas and the linkers: `cuobjdump -res-usage`,
 * and the benchmark of torch.compile (Inductor). Neither states spills: they stay unknown, except where there is no
 * local memory at all.
 */
#ifndef LOG_USAGE_TEXT_H
#define LOG_USAGE_TEXT_H

#include "log/model.h"

/* What earlier lines said about the kernels that follow. */
struct usage_text {
    struct buf arch;     /* cuobjdump: of the code that is listed; empty: unknown */
    struct buf function; /* cuobjdump: whose REG line comes next; empty: none */
    bool mixed;          /* cuobjdump: two functions without a REG line between, as of two lists in one log */
    struct buf family;   /* Inductor: the kernel whose configurations are listed; empty: unknown */
    struct buf thread;   /* Inductor: that lists them, as the logger has it; empty: the line had no logger's head */
};

struct usage {
    enum producer producer;
    enum kernel_kind kind;
    struct str name, arch; /* arch is empty where it is not known */
    struct metrics metrics;
    int32_t threads;            /* per block; 0 unknown */
    int32_t dynamic_smem_bytes; /* of the launch; UNKNOWN */
};

enum usage_line {
    USAGE_NONE,    /* none of these programs' lines */
    USAGE_CONTEXT, /* a line that says whose numbers follow */
    USAGE_KERNEL,  /* the numbers of a kernel are in *usage, and its texts hold until the next call */
};

enum usage_line usage_text_read(struct usage_text *text, struct str line, struct usage *usage, struct buf *scratch);
void usage_text_free(struct usage_text *text);

#endif
