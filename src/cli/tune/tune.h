/*
 * tune: the kernels of a source compiled with other register caps and launch bounds. Nothing here runs a compiler: the
 * session holds one log for each variant, the first of them of the source as it is.
 */
#ifndef CLI_TUNE_H
#define CLI_TUNE_H

#include "cli/session.h"

/* What one compile changes in the source: nothing, each __maxnreg__, or each __launch_bounds__. */
struct tune_variant {
    int cap;     /* of -maxrregcount; 0: without it */
    int number;  /* the argument of __maxnreg__; 0: it stays */
    int threads; /* larger first arguments of __launch_bounds__ become this; 0: they stay */
    int blocks;  /* the second argument of __launch_bounds__; 0: it stays */
};

/* What one compile made of a kernel. UNKNOWN where it is not known. */
struct tune_point {
    int cap;                       /* registers per thread; 0: none, UNKNOWN */
    int bound_threads, min_blocks; /* the launch bounds of a kernel that has them; 0: none */
    bool given;                    /* as the command compiles it */
    int32_t registers, stack_bytes, spill_store_bytes, spill_load_bytes;
    int blocks;           /* per SM; UNKNOWN without a block size too */
    int warps, max_warps; /* per SM; without a block size at the best one */
    unsigned limiters;    /* bits 1 << enum limiter */
    bool frontier;        /* no row has more warps and spills no more, or as many warps and spills less */
};

struct tune_kernel {
    struct str mangled, name, identity, label, arch;
    int32_t threads; /* 0 unknown */
    enum threads_from threads_from;
    int32_t own_cap;            /* that the kernel declares; UNKNOWN: it declares none, or it is not known */
    enum cap_from own_cap_from; /* CAP_UNKNOWN: it declares none, and -maxrregcount caps it */
    enum bound_from bound_from;
    bool debug;                /* not optimised */
    bool lacks_dynamic_smem;   /* its size is not known: occupancy is an upper bound */
    struct tune_point *points; /* first with no other cap than its own, then the largest cap first */
    size_t count;
    bool unreached; /* a compile with other bounds or another __maxnreg__ left those of this kernel as they were */
};

enum { MOST_VARIANTS = 256 };

struct tune_variants {
    struct tune_variant items[MOST_VARIANTS];
    size_t count;
};

struct tune {
    struct arena arena;
    struct str source;
    int command_cap;               /* -maxrregcount of the command; 0: none */
    struct tune_variants variants; /* of the logs */
    struct tune_kernel *kernels;   /* in the order of the first log */
    size_t count;
};

/* The variants that kernels of the first log are to be compiled with: first the source as it is, then those that add a
 * block per SM, and, for a kernel that spills at a cap of its own or uses all of it, those that lift it. */
void tune_plan(struct tune *tune, struct session *session);

/* "-maxrregcount=64", "__maxnreg__(64)" and "__launch_bounds__(threads, 3)", as a diagnostic names it. */
void tune_variant_name(const struct tune_variant *variant, struct buf *out);

/* The kernels of the first log with a point for each of their variants. */
void tune_read(struct tune *tune, struct session *session);

/* Some kernel has more than one point. */
bool tune_any(const struct tune *tune);

void tune_text(const struct tune *tune, struct buf *out); /* 80 columns wide */
void tune_json(const struct tune *tune, struct buf *out); /* one object */
void tune_csv(const struct tune *tune, struct buf *out);  /* a row for each point */

#endif
