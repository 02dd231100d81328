/*
 * flow_graph: how many loops are around an instruction. A loop with several entries counts too. Subroutines are further
 * entries of the code.
 */
#ifndef NVCC_FLOW_GRAPH_H
#define NVCC_FLOW_GRAPH_H

#include "log/code_table.h"
#include "nvcc/sass.h"

/* An indirect branch and one of the addresses that it can go to (.nv.info says them). */
struct flow_edge {
    uint32_t branch, target;
};

struct flow_edges {
    struct flow_edge *items; /* from malloc */
    size_t count, cap;
};

struct flow_input {
    const struct sass_code *code;
    uint32_t code_bytes, instruction_bytes;
    const uint32_t *entries; /* where functions of this section begin, beside 0 */
    size_t entry_count;
    struct flow_edges indirect; /* sorted by `branch` */
};

/* Writes the loop depth of each instruction of code->items into depth (code->count numbers); they mean something only
 * where the result is LOCATED. Else it is UNLOCATED_LOOPS or UNLOCATED_UNREACHED. */
enum unlocated flow_loop_depths(const struct flow_input *input, uint16_t *depth);

#endif
