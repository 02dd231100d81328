/*
 * cubin_code: the accesses to local memory in the machine code of a cubin, with the loops around each access and, if
 * there is line information, its source line.
 */
#pragma once

#include "log/model.h"
#include "nvcc/elf.h"
#include "nvcc/flow_graph.h"

struct cubin_code;

/* For a cubin of this SM number and ELF ABI version; the cubin must outlive the result. */
struct cubin_code *cubin_code_open(struct elf_file *cubin, uint32_t sm, uint32_t abi_version);
void cubin_code_close(struct cubin_code *code);

/* Adds the accesses in the code of its section to the record (kernel_set_accesses), without those of other functions in
 * the same section. `indirect`: the targets of its indirect branches. If the code cannot be read, the record gets the
 * reason. */
void cubin_code_read(struct cubin_code *code, struct model *model, struct kernel *kernel, uint32_t section,
                     const struct flow_edges *indirect);
