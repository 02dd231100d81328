/*
 * flow_graph: the number of loops around each instruction. A loop with several entries counts too. Subroutines are
 * additional entries of the code.
 */
#pragma once

#include "log/code_table.h"
#include "nvcc/sass.h"

/* An indirect branch and one of its possible targets, from .nv.info. */
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
    const uint32_t *entries; /* start addresses of the functions in this section, besides 0 */
    size_t entry_count;
    struct flow_edges indirect; /* sorted by `branch` */
};

/* Writes the loop depth of each instruction of code->items into depth (code->count numbers). The depths are valid only
 * if the result is LOCATED. Other results: UNLOCATED_LOOPS, UNLOCATED_UNREACHED. */
enum unlocated flow_loop_depths(const struct flow_input *input, uint16_t *depth);
