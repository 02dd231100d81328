/*
 * local_memory: where a kernel's machine code accesses local memory, and which of these accesses are spills.
 *
 * A cubin does not say what a spill is: arrays with an index that is not constant, arguments of printf and structs that
 * are passed by address are stored to the same stack. ptxas states how many bytes it spills. Spilled registers lie
 * above everything else in the stack frame; where the widths of all loads and stores from one offset up add up to both
 * of ptxas's numbers, these are the spills and all others are arrays. Where no offset fits, nothing is said of places.
 *
 * All bytes are per thread, and of the code once: an access in a loop counts once.
 */
#ifndef LOG_LOCAL_MEMORY_H
#define LOG_LOCAL_MEMORY_H

#include "log/model.h"

/* The places in the record's code; no place where none are known. */
const struct kernel_code *kernel_code(const struct model *model, const struct kernel *kernel);

uint32_t code_place_add(struct model *model, struct code_place place);
struct code_place code_place_get(const struct model *model, uint32_t place);

/* Of this place and the calls around it the innermost that is not in a header of the system or the CUDA toolkit; where
 * all are, the place itself. */
uint32_t code_place_shown(const struct model *model, uint32_t place);

/* Of a record of a binary: all its accesses, in any order. */
void kernel_set_accesses(struct model *model, struct kernel *kernel, const struct local_access *accesses, size_t count);

/* The same of a function without a record, which lies within its caller's section. */
void nested_add_accesses(struct model *model, uint32_t name, uint32_t arch, const struct local_access *accesses,
                         size_t count);

/* `stated` is a record with ptxas's numbers, `binary` the same kernel in a binary. Where the sums agree `stated` gets
 * the places of its spills and arrays, else none. */
void local_memory_locate(struct model *model, struct kernel *stated, const struct kernel *binary);

/* The same of all records of functions that lie within their callers' sections, where only one function fits. */
void local_memory_locate_nested(struct model *model);

#endif
