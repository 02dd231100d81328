/*
 * line_table: the source lines of a cubin's code, from its section .debug_line (DWARF 2, written by -lineinfo). Inlined
 * code is described by NVIDIA's extended opcode 0x90: it states the row of the call, counted from 1 within the same
 * sequence, and the function's name in .debug_str.
 */
#pragma once

#include "nvcc/elf.h"

/* A place in a source. The slices live as long as the ELF file. */
struct line_place {
    struct str folder; /* empty: `file` alone is the path */
    struct str file;
    uint32_t line;       /* from 1 */
    struct str function; /* mangled name of the function that was inlined there; empty for the outermost place */
};

struct line_table;

/* Never NULL; empty if the cubin has no lines, or lines that cannot be read. */
struct line_table *line_table_read(struct elf_file *cubin);
void line_table_free(struct line_table *table);

/* The cubin has a section of lines, and part of the section cannot be read. */
bool line_table_is_broken(const struct line_table *table);

/* The places of the instruction at this offset of a section: first its own line, then the call that inlined it, and so
 * on outwards; at most `most`. Returns the number of places; 0 if no line is known. */
size_t line_table_find(const struct line_table *table, uint32_t section, uint64_t offset, struct line_place *places,
                       size_t most);
