/*
 * elf: what we ask of an ELF file, whether it comes from a host compiler or from ptxas. Only its file uses libelf:
 * nothing here trusts a size or an offset that the file states.
 */
#ifndef NVCC_ELF_H
#define NVCC_ELF_H

#include "base/str.h"
#include "nvcc/region.h"

enum { ELF_MACHINE_CUDA = 190, ELF_TYPE_RELOCATABLE = 1, ELF_SYMBOL_FUNCTION = 2 };
enum { ELF_ABI_CUDA_12 = 7, ELF_ABI_CUDA_13 = 8 }; /* the latter of CUDA 13, the former of all before */

struct elf_file;

struct elf_header {
    uint16_t machine, type;
    uint8_t abi_version;
    uint32_t flags;
};

struct elf_section {
    struct str name; /* lives as long as the file */
    uint32_t info;
    uint64_t flags;
    uint64_t size;
    uint64_t offset; /* in the outermost file; as stated, it may lie outside */
    bool has_bytes;  /* not NOBITS */
};

struct elf_symbol {
    struct str name;
    uint16_t section; /* index; 0: none */
    uint8_t type;
    uint8_t other;
    uint64_t value, size; /* bytes: where it begins in its section, and its length */
};

struct elf_relocation {
    uint64_t offset; /* bytes into the section that it changes */
    uint32_t symbol;
    int64_t addend;
};

/* NULL when libelf does not take it for ELF or an archive. The descriptor or the bytes must outlive it. */
struct elf_file *elf_of_descriptor(int fd);
struct elf_file *elf_of_memory(struct str bytes);
void elf_close(struct elf_file *file);

bool elf_is_archive(const struct elf_file *file);

/* The next member of an archive, and its name, which lives as long; NULL after the last. Close it before the next one
 * is asked for. */
struct elf_file *elf_next_member(struct elf_file *archive, struct str *name);

/* Its headers state bytes beyond its end; of an archive, when all its members were asked for: what follows them is no
 * member. */
bool elf_is_cut(struct elf_file *file);

/* Its bytes in the outermost file. */
struct region elf_region(const struct elf_file *file);

bool elf_header(struct elf_file *file, struct elf_header *header);
size_t elf_section_count(struct elf_file *file);
/* The next section behind that of this index, 0 for the first, that can be read; false: there is none. */
bool elf_next_section(struct elf_file *file, size_t *index, struct elf_section *section);
/* The first section of that name; 0: there is none. */
size_t elf_find_section(struct elf_file *file, struct str name);
struct str elf_section_bytes(struct elf_file *file, size_t index); /* empty when there are none, and for index 0 */

/* The symbols of the first symbol table; false behind the last. */
bool elf_symbol(struct elf_file *file, size_t index, struct elf_symbol *symbol);

/* The relocations that a section of that sort holds, false behind the last; its field `info` is the section that they
 * change. */
bool elf_relocation(struct elf_file *file, size_t section, size_t index, struct elf_relocation *relocation);

#endif
