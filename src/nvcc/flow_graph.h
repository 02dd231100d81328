/*
 * flow_graph: how many loops stand around an instruction. Natural loops by dominators: a branch back to a block that
 * every way to it passes is a loop, another branch back is none. Subroutines are further entries.
 */
#ifndef NVCC_FLOW_GRAPH_H
#define NVCC_FLOW_GRAPH_H

#include "nvcc/sass.h"

/* An indirect branch and one of the addresses that it can go to (.nv.info says them); sorted by `branch`. */
struct flow_edge {
    uint32_t branch, target;
};

struct flow_input {
    const struct sass_code *code;
    uint32_t code_bytes, instruction_bytes;
    const uint32_t *entries; /* where functions of this section begin, beside 0 */
    size_t entry_count;
    const struct flow_edge *indirect;
    size_t indirect_count;
};

/* Writes the loop depth of each instruction of code->items into depth (code->count numbers). False: the code has more
 * loops within loops than are followed, nothing is known. */
bool flow_loop_depths(const struct flow_input *input, uint16_t *depth);

#endif
