/*
 * tune: compiles the kernels of a source with other register caps and launch bounds and compares the results. The code
 * here does not run a compiler: the session has one log per variant, and the first log is of the unchanged source.
 */
#pragma once

#include "cli/session.h"

/* The change that one compile makes in the source: none, every __maxnreg__, or every __launch_bounds__. */
struct tune_variant {
    int cap;     /* value of -maxrregcount; 0: not given */
    int number;  /* the argument of __maxnreg__; 0: not changed */
    int threads; /* first arguments of __launch_bounds__ above this value become this value; 0: not changed */
    int blocks;  /* the second argument of __launch_bounds__; 0: not changed */
};

/* The result of one compile for one kernel. UNKNOWN: not stated. */
struct tune_point {
    int cap;                       /* registers per thread; 0: none, UNKNOWN */
    int bound_threads, min_blocks; /* the launch bounds, if the kernel has any; 0: none */
    bool given;                    /* the variant is the command as given */
    bool absent;                   /* its compile has no such kernel */
    int32_t registers, stack_bytes, spill_store_bytes, spill_load_bytes;
    int blocks;           /* per SM; UNKNOWN also if the block size is unknown */
    int warps, max_warps; /* per SM; at the best block size if the block size is unknown */
    unsigned limiters;    /* bits 1 << enum limiter */
    bool frontier;        /* no other row has more warps without more spills, or as many warps with fewer spills */
};

struct tune_kernel {
    struct str mangled, name, identity, label, arch;
    int32_t threads; /* 0: unknown */
    enum threads_from threads_from;
    int32_t own_cap;            /* the cap that the kernel declares; UNKNOWN: none, or not stated */
    enum cap_from own_cap_from; /* CAP_UNKNOWN: the kernel declares none, and -maxrregcount caps it */
    enum bound_from bound_from;
    bool debug;                /* not optimised */
    bool lacks_dynamic_smem;   /* the size is unknown: occupancy is an upper bound */
    struct tune_point *points; /* the first has only the kernel's own cap; the others: largest cap first */
    size_t count;
    bool bounds_not_applied; /* a compile with other bounds or another __maxnreg__ did not change this kernel's */
};

enum { MOST_VARIANTS = 256 };

struct tune_variants {
    struct tune_variant items[MOST_VARIANTS];
    size_t count;
};

struct tune {
    struct arena arena;
    struct str source;
    int command_cap;               /* value of -maxrregcount in the command; 0: none */
    struct tune_variants variants; /* the variant of each log */
    struct tune_kernel *kernels;   /* in the order of the first log */
    size_t count;
};

/* Finds the variants to compile for the kernels of the first log. The first variant is the unchanged source. The others
 * add a block per SM or, for a kernel that spills at its own cap or uses all of it, have a higher cap. */
void tune_plan(struct tune *tune, struct session *session);

/* Appends a name for diagnostics: "-maxrregcount=64", "__maxnreg__(64)" or "__launch_bounds__(threads, 3)". */
void tune_variant_name(const struct tune_variant *variant, struct buf *out);

/* Reads the kernels of the first log, with a point for each of their variants. */
void tune_read(struct tune *tune, struct session *session);

/* True if some kernel has more than one point. */
bool tune_any(const struct tune *tune);

void tune_text(const struct tune *tune, struct buf *out); /* 80 columns wide */
void tune_json(const struct tune *tune, struct buf *out); /* one object */
void tune_csv(const struct tune *tune, struct buf *out);  /* one row per point */
