/*
 * curve: occupancy as a function of one number of the launch, all else fixed, as in Nsight's three charts.
 * A curve is a step function; consecutive values with the same result are one step.
 */
#pragma once

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
 * The curve over all values that the architecture allows: block sizes in multiples of 32 threads; 1 up to the most
 * registers per thread; 0 bytes up to the most shared memory with opt-in (static + dynamic, in allocation units). The
 * launch's own value on that axis is not read. threads 0: the best case over all block sizes.
 */
void occupancy_curve(const struct arch *arch, const struct launch *launch, enum axis axis, struct curve *curve);

/* The index of the step that contains the value: 0 for a value below the first step, the last one for a value above
 * all. */
size_t curve_find(const struct curve *curve, int64_t value);
