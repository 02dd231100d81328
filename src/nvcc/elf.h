/*
 * elf: the parts of an ELF file that this program needs, for files of host compilers and of ptxas. Only elf.c uses
 * libelf; it trusts no size and no offset that the file states.
 */
#pragma once

#include "base/str.h"
#include "nvcc/region.h"

enum { ELF_MACHINE_CUDA = 190, ELF_TYPE_RELOCATABLE = 1, ELF_SYMBOL_FUNCTION = 2 };
enum { ELF_ABI_CUDA_12 = 7, ELF_ABI_CUDA_13 = 8 }; /* ABI 8: CUDA 13; ABI 7: all versions before */

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
    uint64_t offset; /* in the outermost file; as stated, so it may be outside the file */
    bool has_bytes;  /* its type is not NOBITS */
};

struct elf_symbol {
    struct str name;
    uint16_t section; /* index; 0: none */
    uint8_t type;
    uint8_t other;
    uint64_t value, size; /* bytes: start in its section, and length */
};

struct elf_relocation {
    uint64_t offset; /* bytes into the section that the relocation changes */
    uint32_t symbol;
    int64_t addend;
};

/* Return NULL if libelf recognises neither ELF nor an archive. The descriptor or the bytes must outlive the
 * elf_file. */
struct elf_file *elf_of_descriptor(int fd);
struct elf_file *elf_of_memory(struct str bytes);
void elf_close(struct elf_file *file);

bool elf_is_archive(const struct elf_file *file);

/* The next member of an archive; NULL after the last. *name is valid until the next call. Close the member before the
 * next call. */
struct elf_file *elf_next_member(struct elf_file *archive, struct str *name);

/* The file is truncated: its headers state bytes after its end. For an archive, call it after the last member: the
 * bytes after that member are not a member. */
bool elf_is_cut(struct elf_file *file);

/* The bytes of this file in the outermost file. */
struct region elf_region(const struct elf_file *file);

bool elf_header(struct elf_file *file, struct elf_header *header);
size_t elf_section_count(struct elf_file *file);
/* The next section that can be read, after the section with this index (0: the first section); false if there is
 * none. */
bool elf_next_section(struct elf_file *file, size_t *index, struct elf_section *section);
/* The index of the first section of that name; 0 if there is none. */
size_t elf_find_section(struct elf_file *file, struct str name);
struct str elf_section_bytes(struct elf_file *file, size_t index); /* empty if it has no bytes, and for index 0 */

/* The symbols of the first symbol table; false after the last. */
bool elf_symbol(struct elf_file *file, size_t index, struct elf_symbol *symbol);

/* The relocations in a relocation section; false after the last. The field `info` of the section is the index of the
 * section that they change. */
bool elf_relocation(struct elf_file *file, size_t section, size_t index, struct elf_relocation *relocation);
