/*
 * local_memory: finds the accesses to local memory in a kernel's machine code that are spills.
 *
 * A cubin does not state which accesses are spills: arrays with a dynamic index, arguments of printf and structs that
 * are passed by address are in the same stack frame. ptxas states how many bytes it spills. Spilled registers are above
 * everything else in the stack frame. So if the widths of all stores and of all loads from one offset up add up to both
 * numbers of ptxas, these accesses are the spills, and all others are arrays. If no offset fits, the places are
 * unknown.
 *
 * All bytes are per thread, and each instruction counts once, even in a loop.
 */
#pragma once

#include "log/model.h"

/* The sites in the code of the record; empty if they are unknown. */
const struct kernel_code *kernel_code(const struct model *model, const struct kernel *kernel);

/* Adds the sites of a record and returns the number for its rare_metrics.code. */
uint32_t kernel_code_add(struct model *model, const struct kernel_code *code);
/* Appends a site to those of the model. The caller counts it in the kernel_code of its record. */
void code_site_add(struct model *model, const struct code_site *site);
/* Compares two sites: the worst first, 0 if they are equal. */
int code_site_order(const struct code_site *left, const struct code_site *right);

uint32_t code_place_add(struct model *model, struct code_place place);
struct code_place code_place_get(const struct model *model, uint32_t place);
/* Changes the file of a place. A place with the old path that is added later is a new one. */
void code_place_set_file(struct model *model, uint32_t place, uint32_t file);

/* The innermost place, of this one and the calls around it, that is not in a header of the system or of the CUDA
 * toolkit; the place itself if all are. */
uint32_t code_place_shown(const struct model *model, uint32_t place);

/* Joins the sites with the same shown line and loop depth, whatever was inlined there, and sorts them, worst first.
 * Stores them in lines[count] and returns how many there are. */
size_t code_sites_by_line(const struct model *model, const struct code_site *sites, size_t count,
                          struct code_site *lines);

/* The accesses in the code of a function, in any order. text: hash of the bytes of its section; lines_broken: the line
 * table of the binary cannot be read. */
struct function_accesses {
    const struct local_access *items;
    size_t count;
    uint64_t text;
    bool lines_broken;
};

/* Iterates over the functions that spill into the stack frame of their kernel (whole-program compile): ptxas prints
 * them after the kernel, with spills and without a stack frame. last: `kernel` itself for the first call. NULL if there
 * are no more, or if the log is interleaved, so that they are unknown. */
const struct kernel *kernel_next_callee(const struct model *model, const struct kernel *kernel,
                                        const struct kernel *last);
/* The spills of all these functions, in bytes per thread. */
struct callee_spills {
    int64_t store_bytes, load_bytes;
};
struct callee_spills kernel_callee_spills(const struct model *model, const struct kernel *kernel);

/* Stores the accesses of a record of a binary. */
void kernel_set_accesses(struct model *model, struct kernel *kernel, struct function_accesses accesses);

/* Stores why the record has no code. */
void kernel_set_unread_code(struct model *model, struct kernel *kernel, enum unlocated why);

/* Adds the accesses of a function without a record, which is in the section of its caller. */
void nested_add_accesses(struct model *model, uint32_t name, uint32_t arch, struct function_accesses accesses);

/* Stores the sites of spills and arrays in `stated`, a record with the numbers of ptxas. They are from `binary`, the
 * same kernel in a binary. Stores no sites if the sums do not agree. */
void local_memory_locate(struct model *model, struct kernel *stated, const struct kernel *binary);

/* Stores the numbers of bytes that ptxas states, and the sites, in a record of a binary whose spills are unknown. If
 * the code does not add up to both numbers, returns false and the spills stay unknown. */
bool local_memory_state(struct model *model, struct kernel *binary, int32_t store_bytes, int32_t load_bytes);

/* Does the same as local_memory_locate for all records of functions that are in the sections of their callers, if only
 * one function fits. */
void local_memory_locate_nested(struct model *model);

/* Why the places of a record's spills and arrays are unknown. */
enum unlocated local_memory_unlocated(const struct model *model, const struct kernel *kernel);

/* True if it is known which accesses are spills, but the code has no line information for them or for its arrays. */
bool local_memory_lacks_lines(const struct model *model, const struct kernel *kernel);

/* Adds the lines from a second compile of the same source with line information: its records begin at `first_kernel`,
 * its code at `first_code`. Each earlier record without lines gets the sites of its function if all bytes of the
 * section are equal. */
void local_memory_add_lines(struct model *model, size_t first_kernel, size_t first_code);
