#define _GNU_SOURCE /* O_NOFOLLOW */
#include "nvcc/object.h"

#include "base/mem.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_SECTIONS = 1 << 20, MOST_NAME_BYTES = 1 << 26 };

/* False: the file has not that many bytes there. */
static bool read_at(int fd, void *into, uint64_t bytes, uint64_t offset)
{
    char *to = into;
    while (bytes) {
        if (offset > INT64_MAX)
            return false;
        ssize_t got = pread(fd, to, (size_t)bytes, (off_t)offset);
        if (got <= 0)
            return false;
        to += got;
        bytes -= (uint64_t)got;
        offset += (uint64_t)got;
    }
    return true;
}

static bool is_object(const Elf64_Ehdr *header)
{
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == ELFCLASS64 &&
           header->e_ident[EI_DATA] == ELFDATA2LSB && header->e_type == ET_REL &&
           header->e_shentsize == sizeof(Elf64_Shdr) && header->e_shoff != 0;
}

static bool is_device_section(const char *names, uint64_t bytes, uint32_t at)
{
    static const char *const wanted[] = {".nv_fatbin", "__nv_relfatbin"};
    for (size_t which = 0; which < sizeof wanted / sizeof *wanted; which++) {
        size_t length = strlen(wanted[which]) + 1;
        if (at < bytes && bytes - at >= length && memcmp(names + at, wanted[which], length) == 0)
            return true;
    }
    return false;
}

/* The names of the sections against the wanted ones. */
static bool search(int fd, const Elf64_Shdr *sections, uint64_t count, uint64_t names_at)
{
    if (names_at >= count || sections[names_at].sh_type != SHT_STRTAB || sections[names_at].sh_size > MOST_NAME_BYTES)
        return false;
    uint64_t bytes = sections[names_at].sh_size;
    char *names = malloc(bytes + 1);
    bool found = false;
    if (names && read_at(fd, names, bytes, sections[names_at].sh_offset))
        for (uint64_t at = 0; at < count && !found; at++)
            found = is_device_section(names, bytes, sections[at].sh_name);
    free(names);
    return found;
}

/* Where the header has no room for a number it stands in the first section. */
static bool search_sections(int fd, const Elf64_Ehdr *header)
{
    Elf64_Shdr first;
    if (!read_at(fd, &first, sizeof first, header->e_shoff))
        return false;
    uint64_t count = header->e_shnum ? header->e_shnum : first.sh_size;
    uint64_t names_at = header->e_shstrndx == SHN_XINDEX ? first.sh_link : header->e_shstrndx;
    if (count > MOST_SECTIONS)
        return false;
    Elf64_Shdr *sections = malloc((size_t)count * sizeof *sections + 1);
    bool found = sections && read_at(fd, sections, count * sizeof *sections, header->e_shoff) &&
                 search(fd, sections, count, names_at);
    free(sections);
    return found;
}

bool object_has_device_code(const char *path)
{
    Elf64_Ehdr header;
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return false;
    bool found = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && read_at(fd, &header, sizeof header, 0) &&
                 is_object(&header) && search_sections(fd, &header);
    close(fd);
    return found;
}
