/*
 * usage_text: reads resources of kernels that programs other than ptxas and the linkers print: `cuobjdump -res-usage`,
 * and the benchmark of torch.compile (Inductor). Neither states spills: they are unknown, unless Inductor states that
 * the kernel uses no local memory at all.
 */
#pragma once

#include "log/model.h"

/* Context from earlier lines for the kernels that follow. */
struct usage_text {
    struct buf arch;     /* cuobjdump: the architecture of the listed code; empty: unknown */
    struct buf function; /* cuobjdump: the function of the next REG line; empty: none */
    bool mixed;          /* cuobjdump: no REG line between two functions, as from two lists in one log */
    struct buf family;   /* Inductor: the kernel whose configurations are listed; empty: unknown */
    struct buf thread;   /* Inductor: the thread that lists them; empty: the lines have no head of a logger */
};

struct usage {
    enum producer producer;
    enum kernel_kind kind;
    struct str name, arch; /* arch: empty if unknown */
    struct metrics metrics;
    int32_t threads;            /* per block; 0: unknown */
    int32_t dynamic_smem_bytes; /* per block, of the launch; UNKNOWN: not stated */
};

enum usage_line {
    USAGE_NONE,    /* not a line of these programs */
    USAGE_CONTEXT, /* a line that names the kernel or architecture of the lines after it */
    USAGE_KERNEL,  /* the metrics of a kernel are in *usage; its texts are valid until the next call */
};

enum usage_line usage_text_read(struct usage_text *text, struct str line, struct usage *usage, struct buf *scratch);
void usage_text_free(struct usage_text *text);
