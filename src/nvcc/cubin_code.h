/*
 * cubin_code: the accesses to local memory in the machine code of a cubin, with the loops around each and its place in
 * the source where there is line information.
 */
#ifndef NVCC_CUBIN_CODE_H
#define NVCC_CUBIN_CODE_H

#include "log/model.h"
#include "nvcc/elf.h"
#include "nvcc/flow_graph.h"

struct cubin_code;

/* Of the cubin for this SM number and ELF ABI version; it must outlive the result. */
struct cubin_code *cubin_code_open(struct elf_file *cubin, uint32_t sm, uint32_t abi_version);
void cubin_code_close(struct cubin_code *code);

/* Gives the record what the code of its section says (kernel_set_accesses), without the functions that lie in the same
 * section. `indirect`: where its indirect branches go. Where the code cannot be read the record has why. */
void cubin_code_read(struct cubin_code *code, struct model *model, struct kernel *kernel, uint32_t section,
                     const struct flow_edges *indirect);

#endif
