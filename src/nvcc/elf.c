#include "nvcc/elf.h"

#include "base/buf.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <sys/stat.h>

struct elf_file {
    Elf *elf;
    int fd;
    uint64_t size;       /* bytes of this file */
    uint64_t members;    /* of an archive: end of the last member that was read */
    Elf_Cmd next;        /* of an archive: result of elf_next */
    struct buf name;     /* of an archive: name of the last member; a copy, because elf_next overwrites libelf's */
    Elf_Data *symbols;   /* of the first symbol table; NULL until asked for */
    size_t names;        /* index of its string section */
    size_t symbol_count; /* number of its symbols */
    bool symbols_sought;
};

/* Checks a result of libelf. If there is none because memory ran out or the file cannot be read, the file itself is not
 * at fault. libelf's header has no names for its errors, so the message is compared. */
static void *check_result(void *result)
{
    const char *message = result ? NULL : elf_errmsg(-1);
    if (message && strcmp(message, "out of memory") == 0)
        mem_exhausted();
    if (message && (errno == EIO || errno == ESTALE))
        region_note_error(errno);
    return result;
}

static struct elf_file *make_elf_file(Elf *elf, int fd, uint64_t size, Elf_Cmd command)
{
    if (!check_result(elf))
        return NULL;
    struct elf_file *file = mem_alloc(sizeof *file);
    *file = (struct elf_file){.elf = elf, .fd = fd, .size = size, .next = command};
    if (elf_kind(elf) == ELF_K_ELF || elf_is_archive(file))
        return file;
    check_result(NULL);
    elf_close(file);
    return NULL;
}

static bool init_library(void)
{
    return elf_version(EV_CURRENT) != EV_NONE;
}

struct elf_file *elf_of_descriptor(int fd)
{
    struct stat status;
    if (fstat(fd, &status) != 0) {
        region_note_error(errno);
        return NULL;
    }
    errno = 0;
    return init_library() ? make_elf_file(elf_begin(fd, ELF_C_READ, NULL), fd, (uint64_t)status.st_size, ELF_C_READ)
                          : NULL;
}

struct elf_file *elf_of_memory(struct str bytes)
{
    /* libelf's interface has no const; libelf does not write to an image that it only reads. */
    union {
        const char *check_result;
        char *taken;
    } image = {.check_result = bytes.ptr};
    return init_library() && bytes.len ? make_elf_file(elf_memory(image.taken, bytes.len), -1, bytes.len, ELF_C_READ)
                                       : NULL;
}

void elf_close(struct elf_file *file)
{
    elf_end(file->elf);
    buf_free(&file->name);
    free(file);
}

bool elf_is_archive(const struct elf_file *file)
{
    return elf_kind(file->elf) == ELF_K_AR;
}

struct elf_file *elf_next_member(struct elf_file *archive, struct str *name)
{
    while (archive->next != ELF_C_NULL) {
        Elf *member = elf_begin(archive->fd, archive->next, archive->elf);
        if (!check_result(member))
            return NULL;
        Elf_Arhdr *header = elf_getarhdr(member);
        uint64_t size = header && header->ar_size > 0 ? (uint64_t)header->ar_size : 0;
        archive->members = (uint64_t)elf_getbase(member) + size;
        buf_clear(&archive->name);
        buf_add(&archive->name, header ? str_of(header->ar_name) : STR("?"));
        *name = buf_str(&archive->name);
        archive->next = elf_next(member);
        struct elf_file *file = make_elf_file(member, archive->fd, size, ELF_C_NULL);
        if (file)
            return file;
    }
    return NULL;
}

/* Checks only sections that certainly have bytes: the meaning of processor-specific types depends on the processor (a
 * cubin's shared memory has a size and no bytes). */
static bool has_section_beyond(const struct elf_file *file)
{
    for (Elf_Scn *part = elf_nextscn(file->elf, NULL); part; part = elf_nextscn(file->elf, part)) {
        GElf_Shdr head;
        bool stored = gelf_getshdr(part, &head) && head.sh_type < SHT_LOOS && head.sh_type != SHT_NULL &&
                      head.sh_type != SHT_NOBITS;
        if (stored && !region_lies_in(head.sh_offset, head.sh_size, file->size))
            return true;
    }
    return false;
}

/* libelf treats the rest of a truncated last member as the complete member. */
bool elf_is_cut(struct elf_file *file)
{
    GElf_Ehdr head;
    if (elf_is_archive(file))
        return file->members + file->members % 2 < file->size;
    if (!gelf_getehdr(file->elf, &head))
        return true;
    uint64_t segments = (uint64_t)head.e_phnum * head.e_phentsize, sections = (uint64_t)head.e_shnum * head.e_shentsize;
    return !region_lies_in(head.e_phoff, head.e_phnum == PN_XNUM ? 0 : segments, file->size) ||
           !region_lies_in(head.e_shoff, sections, file->size) || has_section_beyond(file);
}

struct region elf_region(const struct elf_file *file)
{
    int64_t base = elf_getbase(file->elf);
    uint64_t at = base > 0 ? (uint64_t)base : 0;
    return (struct region){file->fd, at, at + file->size};
}

bool elf_header(struct elf_file *file, struct elf_header *header)
{
    GElf_Ehdr head;
    if (!check_result(gelf_getehdr(file->elf, &head)))
        return false;
    *header = (struct elf_header){head.e_machine, head.e_type, head.e_ident[EI_ABIVERSION], head.e_flags};
    return true;
}

size_t elf_section_count(struct elf_file *file)
{
    size_t count = 0;
    if (elf_getshdrnum(file->elf, &count) == 0)
        return count;
    check_result(NULL);
    return 0;
}

static bool read_section(struct elf_file *file, size_t index, struct elf_section *section)
{
    GElf_Shdr head;
    size_t names;
    Elf_Scn *part = elf_getscn(file->elf, index);
    if (!check_result(part) || !check_result(gelf_getshdr(part, &head)))
        return false;
    if (elf_getshdrstrndx(file->elf, &names) != 0)
        return check_result(NULL) != NULL;
    *section = (struct elf_section){
        .name = str_of(check_result(elf_strptr(file->elf, names, head.sh_name))),
        .info = head.sh_info,
        .flags = head.sh_flags,
        .size = head.sh_size,
        .offset = head.sh_offset + elf_region(file).at,
        .has_bytes = head.sh_type != SHT_NOBITS,
    };
    return true;
}

bool elf_next_section(struct elf_file *file, size_t *index, struct elf_section *section)
{
    for (size_t count = elf_section_count(file); ++*index < count;)
        if (read_section(file, *index, section))
            return true;
    return false;
}

size_t elf_find_section(struct elf_file *file, struct str name)
{
    struct elf_section section;
    for (size_t at = 0; elf_next_section(file, &at, &section);)
        if (str_eq(section.name, name))
            return at;
    return 0;
}

struct str elf_section_bytes(struct elf_file *file, size_t index)
{
    Elf_Scn *part = elf_getscn(file->elf, index);
    Elf_Data *data = check_result(part) ? check_result(elf_rawdata(part, NULL)) : NULL;
    return data && data->d_buf ? (struct str){data->d_buf, data->d_size} : (struct str){NULL, 0};
}

static void find_symbols(struct elf_file *file)
{
    file->symbols_sought = true;
    for (Elf_Scn *part = elf_nextscn(file->elf, NULL); part; part = elf_nextscn(file->elf, part)) {
        GElf_Shdr head;
        if (!check_result(gelf_getshdr(part, &head)) || head.sh_type != SHT_SYMTAB)
            continue;
        file->symbols = check_result(elf_getdata(part, NULL));
        file->names = head.sh_link;
        file->symbol_count = file->symbols && head.sh_entsize ? file->symbols->d_size / head.sh_entsize : 0;
        return;
    }
}

bool elf_symbol(struct elf_file *file, size_t index, struct elf_symbol *symbol)
{
    GElf_Sym entry;
    if (!file->symbols_sought)
        find_symbols(file);
    if (index >= file->symbol_count || index > INT32_MAX || !gelf_getsym(file->symbols, (int)index, &entry))
        return false;
    *symbol = (struct elf_symbol){
        .name = str_of(check_result(elf_strptr(file->elf, file->names, entry.st_name))),
        .section = entry.st_shndx,
        .type = GELF_ST_TYPE(entry.st_info),
        .other = entry.st_other,
        .value = entry.st_value,
        .size = entry.st_size,
    };
    return true;
}

bool elf_relocation(struct elf_file *file, size_t section, size_t index, struct elf_relocation *relocation)
{
    Elf_Scn *part = elf_getscn(file->elf, section);
    GElf_Shdr head;
    GElf_Rela entry = {0};
    GElf_Rel narrow = {0};
    if (index > INT32_MAX || !check_result(part) || !check_result(gelf_getshdr(part, &head)))
        return false;
    Elf_Data *data = head.sh_type == SHT_REL || head.sh_type == SHT_RELA ? check_result(elf_getdata(part, NULL)) : NULL;
    if (!data)
        return false;
    if (head.sh_type == SHT_RELA ? !gelf_getrela(data, (int)index, &entry) : !gelf_getrel(data, (int)index, &narrow))
        return false;
    if (head.sh_type == SHT_REL)
        entry = (GElf_Rela){.r_offset = narrow.r_offset, .r_info = narrow.r_info};
    *relocation = (struct elf_relocation){
        .offset = entry.r_offset,
        .symbol = (uint32_t)GELF_R_SYM(entry.r_info),
        .addend = entry.r_addend,
    };
    return true;
}
