/*
 * tune: what a source's kernels come to at each cap of registers. Nothing here runs a compiler: the session holds one
 * log for each cap, the first of them without a cap.
 */
#ifndef CLI_TUNE_H
#define CLI_TUNE_H

#include "cli/session.h"

/* What one compile made of a kernel. UNKNOWN, and -1 for blocks and warps, where it is not known. */
struct tune_point {
    int cap;    /* registers per thread; 0: none */
    bool given; /* the command's own cap (with `cap` 0: it has none) */
    int32_t registers, stack_bytes, spill_store_bytes, spill_load_bytes;
    int blocks;           /* per SM; -1 without a block size too */
    int warps, max_warps; /* per SM; without a block size at the best one */
    struct str limiters;  /* "registers, shared_memory" */
    bool frontier;        /* nothing beats it */
};

struct tune_kernel {
    struct str mangled, name, identity, label, arch;
    int32_t threads; /* 0 unknown */
    enum threads_from threads_from;
    int32_t own_cap;            /* that the kernel declares; UNKNOWN: it declares none, or it is not known */
    enum cap_from own_cap_from; /* CAP_UNKNOWN: it declares none, and -maxrregcount alone caps it */
    bool debug;                 /* not optimised */
    struct tune_point *points;  /* the largest cap first, before it none */
    size_t count;
};

struct tune {
    struct arena arena;
    struct str source;
    int command_cap; /* 0 none */
    bool overrides;  /* ptxas applies the other caps to kernels with launch bounds or __maxnreg__ too */
    const int *caps; /* of the logs; 0: none */
    size_t cap_count;
    struct tune_kernel *kernels; /* in the order of the first log */
    size_t count;
};

/* The caps that buy some kernel of the first log a block, those above the own cap of a kernel that spills at it, and
 * the command's, largest first, with 0 (none) in front of them all. */
void tune_caps(struct tune *tune, struct session *session);

/* The kernels of the first log with their points from all of them: each has the points of its caps of tune_caps, and
 * of the command's. */
void tune_read(struct tune *tune, struct session *session);
void tune_free(struct tune *tune);

/* Some kernel has more than one point. */
bool tune_any(const struct tune *tune);

void tune_text(const struct tune *tune, struct buf *out); /* 80 columns wide */
void tune_json(const struct tune *tune, struct buf *out); /* one object */
void tune_csv(const struct tune *tune, struct buf *out);  /* a row for each point */

#endif
