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

/* Adds the places of a record: the number for its rare_metrics.code. */
uint32_t kernel_code_add(struct model *model, const struct kernel_code *code);
/* Adds a site behind the others of the model; they belong to the record whose kernel_code counts them. */
void code_site_add(struct model *model, const struct code_site *site);
/* The order of sites: worst first, 0 for equal ones. */
int code_site_order(const struct code_site *left, const struct code_site *right);

uint32_t code_place_add(struct model *model, struct code_place place);
struct code_place code_place_get(const struct model *model, uint32_t place);
/* Its file is known under another path; a place with the old path that is added later is another one. */
void code_place_set_file(struct model *model, uint32_t place, uint32_t file);

/* Of this place and the calls around it the innermost that is not in a header of the system or the CUDA toolkit; where
 * all are, the place itself. */
uint32_t code_place_shown(const struct model *model, uint32_t place);

/* Sites as a person reads them, worst first: those of one shown line in as many loops are one, whatever was inlined
 * there. Into lines[count]; returns how many. */
size_t code_sites_by_line(const struct model *model, const struct code_site *sites, size_t count,
                          struct code_site *lines);

/* What the code of a function accesses, in any order. text: hash of the bytes of its section; lines_broken: the line
 * table of the binary cannot be read. */
struct function_accesses {
    const struct local_access *items;
    size_t count;
    uint64_t text;
    bool lines_broken;
};

/* The functions of a whole program that spill into the frame of their kernel: ptxas prints them behind it, with spills
 * and no stack. Returns the one behind `last`, first `kernel` itself; NULL: no more, or the log is interleaved and it
 * is not known. */
const struct kernel *kernel_next_callee(const struct model *model, const struct kernel *kernel,
                                        const struct kernel *last);
/* What all of them spill, bytes per thread. */
struct callee_spills {
    int64_t store_bytes, load_bytes;
};
struct callee_spills kernel_callee_spills(const struct model *model, const struct kernel *kernel);

/* Of a record of a binary: all its accesses. */
void kernel_set_accesses(struct model *model, struct kernel *kernel, struct function_accesses accesses);

/* Why the record has no code. */
void kernel_set_unread_code(struct model *model, struct kernel *kernel, enum unlocated why);

/* The same of a function without a record, which lies within its caller's section. */
void nested_add_accesses(struct model *model, uint32_t name, uint32_t arch, struct function_accesses accesses);

/* `stated` is a record with ptxas's numbers, `binary` the same kernel in a binary. Where the sums agree `stated` gets
 * the places of its spills and arrays, else none. */
void local_memory_locate(struct model *model, struct kernel *stated, const struct kernel *binary);

/* ptxas states so many bytes of spills of a record of a binary, which are unknown so far. Where the code adds up to
 * both the record has them, with the places, else not: false. */
bool local_memory_state(struct model *model, struct kernel *binary, int32_t store_bytes, int32_t load_bytes);

/* The same of all records of functions that lie within their callers' sections, where only one function fits. */
void local_memory_locate_nested(struct model *model);

/* Why the places of a record's spills and arrays are not known. */
enum unlocated local_memory_unlocated(const struct model *model, const struct kernel *kernel);

/* It is known which of its accesses are spills, and the code has no line information for them or for its arrays. */
bool local_memory_lacks_lines(const struct model *model, const struct kernel *kernel);

/* The records from `first_kernel` on, and the code from `first_code` on, are of the same source, compiled again with
 * line information. Each record before them that lacks lines gets the places of its function where all bytes of the
 * section are the same. */
void local_memory_add_lines(struct model *model, size_t first_kernel, size_t first_code);

#endif
