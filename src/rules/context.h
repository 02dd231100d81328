/*
 * context: what an expression is evaluated for: one kernel on one architecture as rules and reports see it, so that
 * both show the same numbers. The record that ptxas printed and the one of the link are taken together: registers,
 * stack and shared memory of the link are what the GPU will use. Occupancy and what follows from it are computed when
 * first asked for, and once.
 */
#ifndef RULES_CONTEXT_H
#define RULES_CONTEXT_H

#include "base/buf.h"
#include "gpu/occupancy.h"
#include "log/model.h"
#include "rules/launch_config.h"
#include "rules/measure.h"

/* What the baseline has of the kernel; UNKNOWN: not stated, or there is no baseline or no such kernel in it. */
#define BASE_MEMBER(id, member, ...) int32_t member;
struct base_values {
    MEASURES(BASE_MEMBER, NO_METRIC)
    int32_t warps, max_warps;   /* per SM, at the block size that is known now, else at the best one */
    int32_t warps_lost;         /* of them, those that are not reached now; negative: so many are gained */
    int32_t replaced_registers; /* of an example: the kernel took the place of one with so many */
    int32_t was_optimised;      /* 1: a debug build now, which other kernels of the build are not */
    int32_t other_launch; /* 1: warps are those at another block size, dynamic shared memory or carveout than now */
};
struct base_values base_unknown(void);

/* Kernels that are gone since the baseline and the new ones that may have taken their place (baseline/family.h). */
struct succession {
    size_t gone;       /* kernels that are gone */
    size_t lost;       /* of them, those of which no successor is as good: as many warps, no more spilled bytes */
    size_t successors; /* new kernels that may have taken the place of gone_name */
    size_t worse;      /* new kernels that are worse than each that they may have replaced */
    struct str gone_name, new_name;       /* the gone kernel that lost the most and the best of its successors; where
                                             none lost, the worst new one and what it comes nearest to: without return
                                             type and parameters; empty: nothing is worse */
    struct str gone_figures, new_figures; /* theirs: "72 registers and 28 warps"; with spilled bytes if there are any */
};

/* What ptxas states of every kernel, as bits: what of it is missing says which lines of the log are. */
enum stated {
    STATED_REGISTERS = 1,
    STATED_STACK = 2,
    STATED_SPILL_STORES = 4,
    STATED_SPILL_LOADS = 8,
    STATED_SMEM = 16,
    STATED_ARCH = 32, /* by the Compiling line */
};

/* What messages say of a function for the whole log. */
enum name_mark { MARK_STACK_UNKNOWN = 1 };

struct context {
    const struct model *model;
    const struct kernel *kernel;     /* NULL: an event that names no kernel of the model */
    const struct rare_metrics *rare; /* the kernel's, never NULL */
    const struct kernel *link; /* the nvlink record of the same kernel, or NULL; registers, stack_bytes and smem_bytes
                                  are its own */
    const struct event *event; /* NULL: a kernel's own rules */
    const struct arch *arch;   /* NULL: not known, then nothing that follows from occupancy is */
    struct launch_config launch_config;
    struct base_values base;
    const struct succession *succession; /* of which it is new_name; NULL: of none */

    /* What counts, UNKNOWN where nothing states it; zeros that are not printed are 0 here. */
    METRICS(INT32_MEMBER, INT32_MEMBER, NO_METRIC, NO_METRIC)
    bool is_stored; /* the numbers are those of a baseline: what it does not store is unknown */
    enum cap_from register_cap_from;
    enum dynamic_smem dynamic_smem;

    /* Private: made on demand. */
    unsigned made, valid; /* bits of enum context_part: asked for, and with an answer */
    struct occupancy occupancy;
    struct cliff cliff;
    struct best_case best;
    struct best_step step;
    struct waves waves;
    bool short_command;        /* tune_command without the options of the compile */
    struct arena texts;        /* that were asked for */
    struct str name;           /* readable; empty: not asked for yet */
    const uint8_t *name_marks; /* by name: bits of enum name_mark that the messages of the log set; NULL: none */
};

/*
 * Fills a zeroed or used context for a record of the model (the ptxas record of a linked pair, see context_is_half) and
 * what is known about its launch. context_free ends it.
 */
void context_set(struct context *context, const struct model *model, const struct kernel *kernel,
                 const struct launch_config *launch_config);
void context_free(struct context *context);

/* Bits of enum stated: what the log should state of this record and does not. The architecture counts only where the
 * Compiling line is missing, as toolkits before CUDA 4 name none. */
unsigned context_unstated(const struct context *context);
/* Puts some value in place of each of these, which are unstated; the second makes them unknown again. */
void context_assume(struct context *context, unsigned unstated);
void context_forget(struct context *context, unsigned unstated);

/* Makes unknown what no baseline stores. Of array_bytes a comparison knows how many they were at most. */
void context_forget_unstored(struct context *context);

/* The record is the nvlink's or the binary's half of a pair and shown and judged with its ptxas half. */
bool context_is_half(const struct model *model, const struct kernel *kernel);

/* The kernel uses dynamic shared memory and its size is not known: occupancy is an upper bound. */
bool context_lacks_dynamic_smem(const struct context *context);

/* NULL where it cannot be known: no arch, no registers; the first two also without a block size. Unknown barriers
 * count as no barrier limit, unknown dynamic shared memory as 0. Steps of an upper bound are not known. */
const struct occupancy *context_occupancy(struct context *context);
const struct cliff *context_cliff(struct context *context);
const struct best_case *context_best(struct context *context);
const struct best_step *context_best_step(struct context *context);
/* Waves of the grid; NULL unless the grid, the SMs and a number of blocks above 0 are known. */
const struct waves *context_waves(struct context *context);

/* The launch that occupancy is computed for, with threads as given. */
struct launch context_launch(const struct context *context, int threads);

/* Names of the kernel (or of the function that the event names); valid until the context is set again. */
struct str context_mangled(const struct context *context);
struct str context_name(struct context *context);      /* readable, or as printed where it does not demangle */
struct str context_kernel_id(struct context *context); /* the identity of log/name.h */

/* "registers, shared_memory": the names of the limiters that hold the block count down; empty where it is not known. */
struct str context_limiters(struct context *context);

/* Static shared memory, plus the dynamic where that is known; UNKNOWN where smem_bytes is. */
int64_t context_smem_per_block(const struct context *context);

/* Shared memory per block is above what a launch gets without cudaFuncSetAttribute, and not above the most that it can
 * get; false where that is not known. */
bool context_needs_optin(const struct context *context);

/* "72 registers (max-registers 64), 8 B of spills (max-spill 0 B)": the budgets that are exceeded; empty: none is known
 * to be. */
struct str context_over_budget(struct context *context);
int context_budgets_exceeded(const struct context *context);

/* What sets the register cap, with its numbers where they are known: "__launch_bounds__(256, 4)". Empty without a cap;
 * "the build" where only the cap is known. */
struct str context_cap_by(struct context *context);

/* Launch bounds stand neither beside __maxnreg__ nor beside __block_size__; a cap whose origin a binary does not say
 * may be the former. */
bool context_refuses_bounds(const struct context *context);

/* A slow path of the math library (trigonometric range reduction, __internal_...), known by its name alone. */
bool context_is_library_path(const struct context *context);

#endif
