#define _POSIX_C_SOURCE 200809L
#include "nvcc/object.h"

#include "base/input_stream.h"
#include "nvcc/elf.h"
#include "nvcc/region.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* The hash of the same bytes must be the same in every version of this program, because records store it. */
struct hash {
    uint64_t bytes, value;
    int error; /* errno of a failed read; 0: none */
};

static void hash_bytes(struct hash *hash, int fd, uint64_t offset, uint64_t length)
{
    enum { BLOCK_BYTES = 1 << 16 };
    static const uint64_t step = 0xD6E8FEB86659FD93u;
    static char block[BLOCK_BYTES + sizeof(uint64_t)];
    while (length && !hash->error) {
        uint64_t word, now = length < BLOCK_BYTES ? length : BLOCK_BYTES;
        if (!region_read(fd, offset, block, now)) {
            int error = region_error();
            hash->error = error ? error : EIO; /* the file is shorter than its headers state */
        }
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

bool object_is_device_code(struct str section)
{
    return str_is_one_of(section, ".nv_fatbin __nv_relfatbin");
}

/* The number of sections with device code in the file; hash: if not NULL, their contents are added to it. */
static size_t find_device_code(int fd, struct elf_file *file, struct hash *hash)
{
    struct elf_section section;
    size_t found = 0;
    for (size_t at = 0; elf_next_section(file, &at, &section);) {
        if (!object_is_device_code(section.name))
            continue;
        found++;
        if (hash && section.has_bytes)
            hash_bytes(hash, fd, section.offset, section.size);
    }
    return found;
}

bool object_has_device_code(const char *path)
{
    struct elf_header header;
    int fd = input_stream_open_regular(path);
    if (fd < 0)
        return false;
    struct elf_file *file = elf_of_descriptor(fd);
    bool found = file && elf_header(file, &header) && header.type == ELF_TYPE_RELOCATABLE &&
                 find_device_code(fd, file, NULL) > 0;
    if (file)
        elf_close(file);
    region_error(); /* a file that cannot be read is not an object */
    close(fd);
    return found;
}

/* A broken file, in which libelf finds no device code, is identified by all of its bytes. A file that cannot be read
 * gets no stamp: the next time, its stamp would be different. */
static void hash_file(struct hash *hash, int fd, uint64_t size)
{
    struct elf_header header;
    struct elf_file *file = elf_of_descriptor(fd);
    bool device =
        file && elf_header(file, &header) && header.machine != ELF_MACHINE_CUDA && find_device_code(fd, file, hash) > 0;
    if (file)
        elf_close(file);
    hash->error = hash->error ? hash->error : region_error();
    if (!device)
        hash_bytes(hash, fd, 0, size);
}

int object_stamp(const char *path, struct buf *stamp)
{
    struct stat status;
    struct hash hash = {.value = 0x9E3779B97F4A7C15u};
    int fd = input_stream_open_regular(path);
    if (fd < 0)
        return errno;
    region_error(); /* discards an error of another file */
    if (fstat(fd, &status) != 0)
        hash.error = errno;
    else
        hash_file(&hash, fd, (uint64_t)status.st_size);
    close(fd);
    if (!hash.error)
        buf_fmt(stamp, "%llu %016llx", (unsigned long long)hash.bytes, (unsigned long long)hash.value);
    return hash.error;
}
