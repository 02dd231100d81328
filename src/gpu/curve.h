/*
 * curve: occupancy against one number of a launch, all else fixed: Nsight's three charts. A curve is a step function;
 * values with the same answer are one step.
 */
#ifndef GPU_CURVE_H
#define GPU_CURVE_H

#include "gpu/occupancy.h"

enum axis { AXIS_THREADS, AXIS_REGISTERS, AXIS_SMEM, AXIS_COUNT };
const char *axis_name(enum axis axis); /* "threads" "registers" "smem_bytes" */

enum { CURVE_STEPS = 256 };

struct curve {
    size_t count;
    struct curve_step {
        int64_t from, to;  /* values of the axis, both included; the next step begins at to + 1 */
        int blocks, warps; /* per SM; 0: cannot launch */
    } steps[CURVE_STEPS];
};

/*
 * The curve over all values that the architecture allows: multiples of 32 threads, 1 up to the most registers, 0 B up
 * to the most shared memory with opt-in (static and dynamic together, in the unit of allocation). The launch's own
 * value on that axis is not read. threads 0: the best case over every block size.
 */
void occupancy_curve(const struct arch *arch, const struct launch *launch, enum axis axis, struct curve *curve);

/* The step that holds the value; 0 for a value below the first, the last one for a value above it. */
size_t curve_find(const struct curve *curve, int64_t value);

/*
 * The caps of registers per thread that buy a block: counts below the launch's own at which more warps fit than at
 * every larger one, largest first; at most CURVE_STEPS of them. threads 0: more warps at the best block size.
 */
size_t occupancy_register_caps(const struct arch *arch, const struct launch *launch, int caps[CURVE_STEPS]);

/* The larger caps, which a kernel can have for fewer warps: counts above `cap` at which more warps fit than at every
 * larger one, largest first. */
size_t occupancy_raised_caps(const struct arch *arch, const struct launch *launch, int cap, int caps[CURVE_STEPS]);

#endif
