#include "nvcc/elf.h"

#include "base/mem.h"
#include "nvcc/fatbin.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>

struct elf_file {
    Elf *elf;
    int fd;
    Elf_Cmd next;        /* of an archive: what elf_next said */
    Elf_Data *symbols;   /* of the first symbol table; NULL until asked for */
    size_t names;        /* its string section */
    size_t symbol_count; /* of it */
    bool symbols_sought;
};

/* libelf gave nothing: memory that is out and a file that cannot be read are no fault of the file. Its errors have no
 * names in its header. */
static void *given(void *result)
{
    const char *message = result ? NULL : elf_errmsg(-1);
    if (message && strcmp(message, "out of memory") == 0)
        mem_exhausted();
    if (message && (errno == EIO || errno == ESTALE))
        region_note_error(errno);
    return result;
}

static struct elf_file *wrap(Elf *elf, int fd, Elf_Cmd command)
{
    if (!given(elf))
        return NULL;
    struct elf_file *file = mem_alloc(sizeof *file);
    *file = (struct elf_file){.elf = elf, .fd = fd, .next = command};
    if (elf_sort(file) != ELF_SORT_NONE)
        return file;
    given(NULL);
    elf_close(file);
    return NULL;
}

static bool ready(void)
{
    return elf_version(EV_CURRENT) != EV_NONE;
}

struct elf_file *elf_of_descriptor(int fd)
{
    errno = 0;
    return ready() ? wrap(elf_begin(fd, ELF_C_READ, NULL), fd, ELF_C_READ) : NULL;
}

struct elf_file *elf_of_memory(struct str bytes)
{
    /* libelf does not write to an image that is read only by intention: there is no const in its interface. */
    union {
        const char *given;
        char *taken;
    } image = {.given = bytes.ptr};
    return ready() && bytes.len ? wrap(elf_memory(image.taken, bytes.len), -1, ELF_C_READ) : NULL;
}

void elf_close(struct elf_file *file)
{
    elf_end(file->elf);
    free(file);
}

enum elf_sort elf_sort(const struct elf_file *file)
{
    switch (elf_kind(file->elf)) {
    case ELF_K_ELF: return ELF_SORT_OBJECT;
    case ELF_K_AR: return ELF_SORT_ARCHIVE;
    default: return ELF_SORT_NONE;
    }
}

struct elf_file *elf_next_member(struct elf_file *archive, struct str *name)
{
    while (archive->next != ELF_C_NULL) {
        Elf *member = elf_begin(archive->fd, archive->next, archive->elf);
        if (!given(member))
            return NULL;
        Elf_Arhdr *header = elf_getarhdr(member);
        archive->next = elf_next(member);
        *name = header ? str_of(header->ar_name) : STR("?");
        struct elf_file *file = wrap(member, archive->fd, ELF_C_NULL);
        if (file)
            return file;
    }
    return NULL;
}

bool elf_header(struct elf_file *file, struct elf_header *header)
{
    GElf_Ehdr head;
    if (!given(gelf_getehdr(file->elf, &head)))
        return false;
    *header = (struct elf_header){head.e_machine, head.e_type, head.e_ident[EI_ABIVERSION], head.e_flags};
    return true;
}

size_t elf_section_count(struct elf_file *file)
{
    size_t count = 0;
    if (elf_getshdrnum(file->elf, &count) == 0)
        return count;
    given(NULL);
    return 0;
}

bool elf_section(struct elf_file *file, size_t index, struct elf_section *section)
{
    GElf_Shdr head;
    size_t names;
    Elf_Scn *part = elf_getscn(file->elf, index);
    if (!given(part) || !given(gelf_getshdr(part, &head)) || elf_getshdrstrndx(file->elf, &names) != 0)
        return false;
    int64_t base = elf_getbase(file->elf);
    *section = (struct elf_section){
        .name = str_of(given(elf_strptr(file->elf, names, head.sh_name))),
        .type = head.sh_type,
        .info = head.sh_info,
        .flags = head.sh_flags,
        .size = head.sh_size,
        .offset = head.sh_offset + (uint64_t)(base > 0 ? base : 0),
        .has_bytes = head.sh_type != SHT_NOBITS,
    };
    return true;
}

struct str elf_section_bytes(struct elf_file *file, size_t index)
{
    Elf_Scn *part = elf_getscn(file->elf, index);
    Elf_Data *data = given(part) ? given(elf_rawdata(part, NULL)) : NULL;
    return data && data->d_buf ? (struct str){data->d_buf, data->d_size} : (struct str){NULL, 0};
}

static void prefilter_symbols(struct elf_file *file)
{
    file->symbols_sought = true;
    for (Elf_Scn *part = elf_nextscn(file->elf, NULL); part; part = elf_nextscn(file->elf, part)) {
        GElf_Shdr head;
        if (!given(gelf_getshdr(part, &head)) || head.sh_type != SHT_SYMTAB)
            continue;
        file->symbols = given(elf_getdata(part, NULL));
        file->names = head.sh_link;
        file->symbol_count = file->symbols && head.sh_entsize ? file->symbols->d_size / head.sh_entsize : 0;
        return;
    }
}

size_t elf_symbol_count(struct elf_file *file)
{
    if (!file->symbols_sought)
        prefilter_symbols(file);
    return file->symbol_count;
}

bool elf_symbol(struct elf_file *file, size_t index, struct elf_symbol *symbol)
{
    GElf_Sym entry;
    if (index >= elf_symbol_count(file) || index > INT32_MAX || !gelf_getsym(file->symbols, (int)index, &entry))
        return false;
    *symbol = (struct elf_symbol){
        .name = str_of(given(elf_strptr(file->elf, file->names, entry.st_name))),
        .section = entry.st_shndx,
        .type = GELF_ST_TYPE(entry.st_info),
        .other = entry.st_other,
    };
    return true;
}
