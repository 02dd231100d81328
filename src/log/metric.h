/*
 * metric: the numbers that the tools state about a kernel, one row each, in reading order. The records and the values
 * of a line (log/model.h), NDJSON input, merging, the fields of rules and the columns of JSON, NDJSON and CSV are made
 * from these rows.
 *
 * To add a metric, add a row here and its words in log/phrase.c (metrics of machine code are computed in
 * log/local_memory.c). The values that a baseline compares are in another table (rules/measure.h), and so are the
 * columns of tables for people (report/kernel_column.h).
 *
 * COMMON(name, printed, unit, doc): a number that most records have: a member of struct kernel.
 *
 * RARE(name, printed, unit, doc): a number that few records have: a member of struct rare_metrics.
 *
 * LONG(name, key, scale, unit, doc): a number of 64 bits: a member of struct kernel, stored times `scale`; two builds
 * of one kernel may differ in it.
 *
 * BANKS(name): constant memory, by bank.
 *
 * printed: ALWAYS, or NOT_ZERO if the tool prints it only when it is not 0. unit and doc describe the field of rules;
 * its value is that of the link if the kernel was linked.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define METRICS(COMMON, RARE, LONG, BANKS)                                                                             \
    COMMON(registers, ALWAYS, REGISTERS, "registers per thread, of the link where there was one")                      \
    COMMON(stack_bytes, ALWAYS, BYTES, "stack frame per thread; link_stack_bytes where there was a link")              \
    COMMON(cumulative_stack_bytes, NOT_ZERO, BYTES,                                                                    \
           "stack per thread of the whole call graph, whole-program builds only")                                      \
    COMMON(spill_store_bytes, ALWAYS, BYTES, "bytes per thread stored to local memory because registers were spilled") \
    COMMON(spill_load_bytes, ALWAYS, BYTES,                                                                            \
           "bytes per thread loaded back from local memory where registers were spilled")                              \
    RARE(spill_bytes_in_loops, ALWAYS, BYTES,                                                                          \
         "bytes of spill stores and loads inside of loops; known where the binary of the build is an input")           \
    RARE(spill_depth, ALWAYS, NONE,                                                                                    \
         "loops around the innermost spill, 0: none in a loop; known where the binary is an input")                    \
    RARE(array_bytes, ALWAYS, BYTES,                                                                                   \
         "bytes of the stack frame that hold local arrays and other objects, not spills; known where the binary is "   \
         "an input")                                                                                                   \
    RARE(local_store_bytes, ALWAYS, BYTES,                                                                             \
         "bytes of all stores to local memory in the code of a binary, spills or not")                                 \
    RARE(local_load_bytes, ALWAYS, BYTES, "bytes of all loads of local memory in the code of a binary, spills or not") \
    RARE(code_bytes, ALWAYS, BYTES, "bytes of machine code of the kernel, of a record of a binary")                    \
    COMMON(smem_bytes, NOT_ZERO, BYTES, "static shared memory per block, without the reserve of the system")           \
    RARE(lmem_bytes, NOT_ZERO, BYTES, "local memory per thread, as the Used line says")                                \
    COMMON(barriers, ALWAYS, NONE, "named barriers: the highest barrier number used plus one")                         \
    BANKS(cmem_bytes)                                                                                                  \
    LONG(gmem_bytes, "gmem_bytes", 1, BYTES, "global memory of the module")                                            \
    LONG(constant_bytes, "constant_bytes", 1, BYTES, "__constant__ variables of the module: bank 3, sm_89 and older")  \
    RARE(textures, NOT_ZERO, NONE, "textures")                                                                         \
    RARE(surfaces, NOT_ZERO, NONE, "surfaces")                                                                         \
    RARE(samplers, NOT_ZERO, NONE, "samplers")                                                                         \
    LONG(compile_us, "compile_ms", 1000, MS, "the time ptxas took for the kernel")                                     \
    RARE(register_cap, ALWAYS, REGISTERS, "register cap of -maxrregcount, __launch_bounds__ or __maxnreg__")

/* Arguments for METRICS: the members of a struct, their initial values, names of an enum, and nothing. */
#define INT32_MEMBER(name, ...)  int32_t name;
#define INT64_MEMBER(name, ...)  int64_t name;
#define INT32_UNKNOWN(name, ...) .name = UNKNOWN,
#define INT64_UNKNOWN(name, ...) .name = INT64_MIN,
#define METRIC_NUMBER(name, ...) METRIC_##name,
#define NO_METRIC(...)

enum metric_number { METRICS(METRIC_NUMBER, METRIC_NUMBER, METRIC_NUMBER, METRIC_NUMBER) METRIC_COUNT };
enum metric_printed { ALWAYS, NOT_ZERO };
enum metric_holder { METRIC_COMMON, METRIC_RARE, METRIC_LONG, METRIC_BANKS };

/* The metrics as a table, by enum metric_number. */
struct metric {
    const char *key; /* in JSON, NDJSON and CSV */
    enum metric_holder holder;
    size_t offset; /* in struct kernel or struct rare_metrics, see `holder` */
    int scale;
};
extern const struct metric metric_table[METRIC_COUNT];
