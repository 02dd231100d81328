/*
 * context: the values of one kernel on one architecture, for the evaluation of expressions and for reports, so that
 * both show the same numbers. The records of ptxas and of the link are combined: the GPU uses the registers, stack and
 * shared memory that the link states. Occupancy and values that depend on it are computed once, when they are first
 * needed.
 */
#pragma once

#include "base/buf.h"
#include "gpu/occupancy.h"
#include "log/model.h"
#include "rules/launch_config.h"
#include "rules/measure.h"

/* The kernel's values in the baseline; UNKNOWN: not stated, no such kernel, or no baseline. */
#define BASE_MEMBER(id, member, ...) int32_t member;
struct base_values {
    MEASURES(BASE_MEMBER, NO_METRIC)
    int32_t warps, max_warps;   /* per SM, at the present block size, or at the best one if that is unknown */
    int32_t warps_lost;         /* warps that are not reached now; negative: warps gained */
    int32_t replaced_registers; /* in an example: the registers of the kernel that this one replaces */
    int32_t was_optimised;      /* 1: this kernel is a debug build now, and other kernels of the build are not */
    int32_t
        other_launch; /* 1: warps are at a block size, dynamic shared memory or carveout that is not the present one */
};
struct base_values base_unknown(void);

/* Kernels that are gone since the baseline, and new ones that may replace them (baseline/family.h). */
struct succession {
    size_t gone;       /* kernels that are gone */
    size_t lost;       /* gone kernels without a successor that has as many warps and no more spilled bytes */
    size_t successors; /* new kernels that may replace gone_name */
    size_t worse;      /* new kernels that are worse than each kernel that they may replace */
    struct str gone_name, new_name;       /* the gone kernel that lost the most and the best of its successors; if none
                                             lost, the worst new kernel and the nearest one that it may replace. Without
                                             return type and parameters; empty: nothing is worse */
    struct str gone_figures, new_figures; /* "72 registers and 28 warps", and spilled bytes if there are any */
};

/* Values that ptxas states for every kernel, as bits: a missing value shows which line of the log is missing. */
enum stated {
    STATED_REGISTERS = 1,
    STATED_STACK = 2,
    STATED_SPILL_STORES = 4,
    STATED_SPILL_LOADS = 8,
    STATED_SMEM = 16,
    STATED_ARCH = 32, /* by the Compiling line */
};

/* What messages state about a function, for the whole log. */
enum name_mark { MARK_STACK_UNKNOWN = 1 };

struct context {
    const struct model *model;
    const struct kernel *kernel;     /* NULL: an event that names no kernel of the model */
    const struct rare_metrics *rare; /* the kernel's, never NULL */
    const struct kernel *link; /* the record of nvlink for the same kernel, whose registers, stack_bytes and smem_bytes
                                  are used; NULL: none */
    const struct event *event; /* the message that is judged; NULL: the kernel is judged */
    const struct arch *arch;   /* NULL: unknown, so occupancy is unknown too */
    struct launch_config launch_config;
    struct base_values base;
    const struct succession *succession; /* the one with this kernel as new_name; NULL: none */

    /* The values that rules use; UNKNOWN: not stated. Zeros that ptxas does not print are 0 here. */
    METRICS(INT32_MEMBER, INT32_MEMBER, NO_METRIC, NO_METRIC)
    bool is_stored; /* the values are those of a baseline; others than it stores are unknown */
    enum cap_from register_cap_from;
    enum dynamic_smem dynamic_smem;

    /* Private: computed when first needed. */
    unsigned made, valid; /* bits of enum context_part: computed; computed and known */
    struct occupancy occupancy;
    struct cliff cliff;
    struct best_case best;
    struct best_step step;
    struct waves waves;
    bool short_command;        /* tune_command without the options of the compile */
    struct arena texts;        /* of values that are texts */
    struct str name;           /* readable; empty: not made yet */
    const uint8_t *name_marks; /* by name: bits of enum name_mark that the messages of the log set; NULL: none */
};

/*
 * Sets a zeroed or used context to a record of the model (of a linked pair the record of ptxas, see
 * context_is_secondary) and its launch. The caller calls context_free at the end.
 */
void context_set(struct context *context, const struct model *model, const struct kernel *kernel,
                 const struct launch_config *launch_config);
void context_free(struct context *context);

/* Bits of enum stated for values that the log should state for this record and does not. The architecture counts only
 * if the Compiling line is missing, because toolkits before CUDA 4 do not print it. */
unsigned context_unstated(const struct context *context);
/* context_assume sets these unstated values to some value; context_forget makes them unknown again. */
void context_assume(struct context *context, unsigned unstated);
void context_forget(struct context *context, unsigned unstated);

/* Makes all values unknown that baselines do not store, except array_bytes, of which an upper bound is known. */
void context_forget_unstored(struct context *context);

/* True if the record is of nvlink or of a binary and is combined with a record of ptxas, which is shown and judged. */
bool context_is_secondary(const struct model *model, const struct kernel *kernel);

/* True if the kernel uses dynamic shared memory of unknown size: occupancy is an upper bound. */
bool context_lacks_dynamic_smem(const struct context *context);

/* NULL if the architecture or the registers are unknown; the first two also without a block size. Unknown barriers do
 * not limit occupancy, unknown dynamic shared memory counts as 0. An upper bound has no steps. */
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
struct str context_name(struct context *context);      /* demangled, or as printed if it cannot be demangled */
struct str context_kernel_id(struct context *context); /* the identity of log/name.h */

/* "registers, shared_memory": the limiters of the number of blocks per SM; empty: unknown. */
struct str context_limiters(struct context *context);

/* Static shared memory plus dynamic shared memory, if that is known; UNKNOWN if smem_bytes is. */
int64_t context_smem_per_block(const struct context *context);

/* True if a launch needs cudaFuncSetAttribute for its shared memory per block, and can get as much; false if unknown.
 */
bool context_needs_optin(const struct context *context);

/* "72 registers (max-registers 64), 8 B of spills (max-spill 0 B)": the exceeded budgets; empty: none, or unknown. */
struct str context_over_budget(struct context *context);
int context_budgets_exceeded(const struct context *context);

/* The origin of the register cap: "__launch_bounds__(256, 4)". Empty: no cap; "the build": only the cap is known. */
struct str context_cap_by(struct context *context);

/* True if the kernel cannot have __launch_bounds__: it has __maxnreg__ or __block_size__, or a cap of unknown origin in
 * a binary, which may be __maxnreg__. */
bool context_refuses_bounds(const struct context *context);

/* True if the link states more registers than the compile: those of functions that the kernel calls. A cap of the
 * kernel does not lower these: nvlink refuses it. */
bool context_calls_add_registers(const struct context *context);

/* True for a slow path of the math library (trigonometric range reduction, __internal_...), recognised by its name. */
bool context_is_library_path(const struct context *context);
