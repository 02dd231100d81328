#define _GNU_SOURCE /* O_NOFOLLOW */
#include "nvcc/object.h"

#include "base/input_stream.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef EM_CUDA
#define EM_CUDA 190
#endif

enum { MOST_SECTIONS = 1 << 20, MOST_NAME_BYTES = 1 << 26 };

/* False: the file has not that many bytes there, or cannot be read: see errno. */
static bool read_at(int fd, void *into, uint64_t bytes, uint64_t offset)
{
    char *to = into;
    while (bytes) {
        ssize_t got = offset > INT64_MAX ? 0 : pread(fd, to, (size_t)bytes, (off_t)offset);
        if (got == 0)
            errno = EIO;
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        to += got > 0 ? got : 0;
        bytes -= got > 0 ? (uint64_t)got : 0;
        offset += got > 0 ? (uint64_t)got : 0;
    }
    return true;
}

static bool is_host_elf(const Elf64_Ehdr *header)
{
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == ELFCLASS64 &&
           header->e_ident[EI_DATA] == ELFDATA2LSB && header->e_shentsize == sizeof(Elf64_Shdr) && header->e_shoff != 0;
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

/* The same for the same bytes in any version of this program: records hold it. */
struct hash {
    uint64_t bytes, value;
    bool failed;
};

static void hash_bytes(struct hash *hash, int fd, uint64_t offset, uint64_t length)
{
    enum { BLOCK_BYTES = 1 << 16 };
    static const uint64_t step = 0xD6E8FEB86659FD93u;
    static char block[BLOCK_BYTES + sizeof(uint64_t)];
    while (length && !hash->failed) {
        uint64_t word, now = length < BLOCK_BYTES ? length : BLOCK_BYTES;
        hash->failed = !read_at(fd, block, now, offset);
        memset(block + now, 0, sizeof word);
        for (uint64_t at = 0; at < now; at += sizeof word) {
            memcpy(&word, block + at, sizeof word);
            hash->value = hash_fold(hash->value ^ word, step);
        }
        hash->bytes += now;
        offset += now;
        length -= now;
    }
}

/* How many of the sections have one of the wanted names; hash: NULL, or to be given what they hold. */
static size_t search(int fd, const Elf64_Shdr *sections, uint64_t count, uint64_t names_at, struct hash *hash)
{
    if (names_at >= count || sections[names_at].sh_type != SHT_STRTAB || sections[names_at].sh_size > MOST_NAME_BYTES)
        return 0;
    uint64_t bytes = sections[names_at].sh_size;
    char *names = malloc(bytes + 1);
    size_t found = 0;
    bool readable = names && read_at(fd, names, bytes, sections[names_at].sh_offset);
    for (uint64_t at = 0; readable && at < count; at++) {
        if (!is_device_section(names, bytes, sections[at].sh_name))
            continue;
        found++;
        if (hash && sections[at].sh_type != SHT_NOBITS)
            hash_bytes(hash, fd, sections[at].sh_offset, sections[at].sh_size);
    }
    free(names);
    return found;
}

/* Where the header has no room for a number it stands in the first section. */
static size_t search_sections(int fd, const Elf64_Ehdr *header, struct hash *hash)
{
    Elf64_Shdr first;
    if (!read_at(fd, &first, sizeof first, header->e_shoff))
        return 0;
    uint64_t count = header->e_shnum ? header->e_shnum : first.sh_size;
    uint64_t names_at = header->e_shstrndx == SHN_XINDEX ? first.sh_link : header->e_shstrndx;
    if (count > MOST_SECTIONS)
        return 0;
    Elf64_Shdr *sections = malloc((size_t)count * sizeof *sections + 1);
    bool readable = sections && read_at(fd, sections, count * sizeof *sections, header->e_shoff);
    size_t found = readable ? search(fd, sections, count, names_at, hash) : 0;
    free(sections);
    return found;
}

bool object_has_device_code(const char *path)
{
    Elf64_Ehdr header;
    int fd = input_stream_open_regular(path);
    if (fd < 0)
        return false;
    bool found = read_at(fd, &header, sizeof header, 0) && is_host_elf(&header) && header.e_type == ET_REL &&
                 search_sections(fd, &header, NULL) > 0;
    close(fd);
    return found;
}

int object_stamp(const char *path, struct buf *stamp)
{
    Elf64_Ehdr header;
    struct stat status = {0};
    struct hash hash = {.value = 0x9E3779B97F4A7C15u};
    int fd = input_stream_open_regular(path);
    if (fd < 0)
        return errno;
    hash.failed = fstat(fd, &status) != 0;
    bool device = read_at(fd, &header, sizeof header, 0) && is_host_elf(&header) && header.e_machine != EM_CUDA &&
                  search_sections(fd, &header, &hash) > 0;
    if (!device)
        hash_bytes(&hash, fd, 0, (uint64_t)status.st_size);
    int error = hash.failed ? errno : 0;
    close(fd);
    if (!error)
        buf_fmt(stamp, "%llu %016llx", (unsigned long long)hash.bytes, (unsigned long long)hash.value);
    return error;
}
