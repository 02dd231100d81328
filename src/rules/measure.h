/*
 * measure: the values of a kernel that a baseline stores and a comparison shows, one row each, in the order of files
 * and columns. The keys of baselines, the fields of rules (baseline.registers), `with` of rules, `diff` and the reports
 * are made from these rows. To add a measure, add a row.
 *
 * STATED(id, member, sum, noun, head, unit, doc)   a metric of log/metric.h, and member of struct context; unit and doc
 *                                                  are those of the field
 * DERIVED(id, key, sum, noun, head)                computed from the others
 *
 * sum: whether totals have it, in JSON (SUM_IN_JSON) or shown too (SUM_SHOWN); noun: in sentences; head: the heading of
 * its column in tables, NULL: no column.
 */
#pragma once

#define MEASURES(STATED, DERIVED)                                                                                      \
    STATED(REGISTERS, registers, SUM_IN_JSON, "registers", "regs", REGISTERS,                                          \
           "registers per thread in the baseline; unknown: no such kernel in it")                                      \
    STATED(SPILL_STORES, spill_store_bytes, SUM_SHOWN, "B spill stores", "spill st", BYTES,                            \
           "bytes per thread of spill stores in the baseline")                                                         \
    STATED(SPILL_LOADS, spill_load_bytes, SUM_SHOWN, "B spill loads", "spill ld", BYTES,                               \
           "bytes per thread of spill loads in the baseline")                                                          \
    STATED(STACK, stack_bytes, SUM_SHOWN, "B stack", "stack", BYTES, "stack frame per thread in the baseline")         \
    STATED(SMEM, smem_bytes, SUM_IN_JSON, "B shared memory", "smem", BYTES,                                            \
           "static shared memory per block in the baseline")                                                           \
    STATED(BARRIERS, barriers, SUM_NONE, "barriers", "barriers", NONE, "named barriers of the kernel in the baseline") \
    DERIVED(BLOCKS, blocks_per_sm, SUM_NONE, "blocks per SM", NULL) /* at the known block size */                      \
    DERIVED(WARPS, warps_per_sm, SUM_NONE, "warps per SM",                                                             \
            "warps") /* at the known block size, else at the best one */                                               \
    STATED(                                                                                                            \
        SPILLS_IN_LOOPS, spill_bytes_in_loops, SUM_NONE, "B spilled in loops", "spills in loops", BYTES,               \
        "bytes of spill stores and loads inside of loops in the baseline; known where it was written with binaries")
