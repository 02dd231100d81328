#define _POSIX_C_SOURCE 200809L
#include "nvcc/binary.h"

#include "base/input_stream.h"
#include "log/binary_check.h"
#include "log/local_memory.h"
#include "nvcc/cubin.h"
#include "nvcc/elf.h"
#include "nvcc/fatbin.h"
#include "nvcc/object.h"
#include "nvcc/offload.h"
#include "nvcc/package.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct binary {
    struct model *model;
    struct str path;
    struct str part; /* member of an archive; empty: the whole file */
    struct diags *diags;
    int fd;
    uint16_t log;
    struct buf payload;
    size_t first_kernel;    /* number of kernels in the model before this binary */
    size_t cubins, others;  /* entries read; entries without machine code: PTX, or code that only the link compiles */
    struct intern *ptx;     /* architectures of the PTX entries: "compute_90" */
    bool thin;              /* a thin archive: it names other files and contains none */
    uint64_t *budget;       /* bytes that may still be decompressed, for a package with all its members */
    bool is_member;         /* member of a package: an error in it does not affect other members */
    size_t members, unread; /* of a package: number of files, and of files that cannot be read */
    bool ok;
};

enum magic { MAGIC_NONE, MAGIC_ELF, MAGIC_ARCHIVE, MAGIC_THIN, MAGIC_FATBIN, MAGIC_OFFLOAD };

static enum magic magic_of(struct str head)
{
    if (str_starts(head, STR("\x7f"
                             "ELF")))
        return MAGIC_ELF;
    if (str_starts(head, STR("!<arch>\n")))
        return MAGIC_ARCHIVE;
    if (str_starts(head, STR("!<thin>\n")))
        return MAGIC_THIN;
    if (str_starts(head, STR(OFFLOAD_MAGIC)))
        return MAGIC_OFFLOAD;
    return str_starts(head, STR(FATBIN_MAGIC)) ? MAGIC_FATBIN : MAGIC_NONE;
}

static enum magic magic_at(int fd, uint64_t at)
{
    char head[8] = {0};
    if (!region_read(fd, at, head, sizeof head) && !region_read(fd, at, head, 4))
        return MAGIC_NONE;
    return magic_of((struct str){head, sizeof head});
}

static int open_regular(struct str path)
{
    struct arena arena = {0};
    int fd = input_stream_open_regular(arena_cstr(&arena, path)), error = errno;
    arena_free(&arena);
    errno = error;
    return fd;
}

/* The error may be gone when the file is opened again, and then nothing would report it. */
static bool may_pass(int error)
{
    return error == EMFILE || error == ENFILE || error == EIO || error == ESTALE || error == ENOMEM;
}

/* Compression reduces code to a third or a fifth of its size. A file that expands to much more was made to cost
 * time. */
static uint64_t budget_of(int fd)
{
    enum { MOST_EXPANSION = 64 };
    struct stat stat;
    uint64_t size = fstat(fd, &stat) == 0 && stat.st_size > 0 ? (uint64_t)stat.st_size : 0;
    return (size > INT64_MAX / MOST_EXPANSION ? INT64_MAX : size * MOST_EXPANSION) + DECOMPRESS_LIMIT;
}

static bool is_package(int fd)
{
    uint64_t budget = budget_of(fd);
    struct package *package = package_open(fd, &budget);
    if (package)
        package_close(package);
    region_error(); /* discards the error: the function that reads the file reports it */
    return package != NULL;
}

bool binary_is(struct str path, bool *failed, struct diags *diags)
{
    int fd = open_regular(path), error = fd < 0 && may_pass(errno) ? errno : 0;
    bool is = fd >= 0 && magic_at(fd, 0) != MAGIC_NONE;
    if (fd >= 0) {
        error = region_error();
        is = is || is_package(fd);
        close(fd);
    }
    if (error)
        *failed = !diag_error(diags, (struct place){.path = path}, "cannot be read: %s", strerror(error));
    return is;
}

static void report_broken(struct binary *binary, const char *wrong)
{
    struct place place = {.path = binary->path};
    int error = region_error();
    binary->ok = false;
    if (error)
        diag_error(binary->diags, place, "cannot be read: %s", strerror(error));
    else
        diag_add(binary->diags, binary->is_member ? SEVERITY_WARNING : SEVERITY_ERROR, place,
                 "the binary is broken: %.*s%s%s", STR_ARG(binary->part), binary->part.len ? ": " : "", wrong);
}

static void take_cubin(struct binary *binary, struct str image, struct str arch)
{
    const char *wrong = cubin_read(binary->model, image, binary->log, arch);
    if (wrong)
        report_broken(binary, wrong);
    else
        binary->cubins++;
}

static void take_entry(struct binary *binary, const struct fatbin_walk *walk, const struct fatbin_entry *entry)
{
    SCOPED(buf) arch = {0};
    buf_fmt(&arch, "%s_%u%s", entry->kind == FATBIN_PTX ? "compute" : "sm", entry->arch, entry->variant);
    binary->others += entry->kind != FATBIN_CUBIN;
    if (entry->kind == FATBIN_PTX)
        intern_add(binary->ptx, buf_str(&arch));
    if (entry->kind != FATBIN_CUBIN)
        return;
    const bool fits = entry->length <= *binary->budget;
    *binary->budget -= fits ? entry->length : 0;
    const char *wrong =
        fits ? fatbin_read(walk, entry, &binary->payload) : "it unpacks to more than 64 times its size and 512 MiB";
    if (wrong)
        report_broken(binary, wrong);
    else
        take_cubin(binary, buf_str(&binary->payload), buf_str(&arch));
}

static void take_region(struct binary *binary, struct region region)
{
    struct fatbin_walk walk = {.region = region};
    struct fatbin_entry entry;
    enum region_step step;
    while ((step = fatbin_next(&walk, &entry)) == REGION_NEXT)
        take_entry(binary, &walk, &entry);
    if (step == REGION_BROKEN)
        report_broken(binary, walk.wrong);
}

/* Reads a cubin that is stored uncompressed in the file. */
static void take_plain_cubin(struct binary *binary, struct region region)
{
    uint64_t size = region.end - region.at;
    buf_clear(&binary->payload);
    if (size > DECOMPRESS_LIMIT) {
        report_broken(binary, "a cubin of more than 512 MiB");
    } else if (!region_read(binary->fd, region.at, buf_room(&binary->payload, (size_t)size), (size_t)size)) {
        report_broken(binary, "it became shorter while it was read");
    } else {
        binary->payload.len = (size_t)size;
        take_cubin(binary, buf_str(&binary->payload), STR(""));
    }
}

static bool is_cubin(struct binary *binary, struct region image)
{
    unsigned char head[20]; /* up to and including e_machine */
    return image.end - image.at > sizeof head && magic_at(binary->fd, image.at) == MAGIC_ELF &&
           region_read(binary->fd, image.at, head, sizeof head) && little_endian(head + 18, 2) == ELF_MACHINE_CUDA;
}

/* An image is a cubin, a fat binary, LLVM's code, or code for another vendor's GPU. */
static void take_images(struct binary *binary, struct region region)
{
    struct region image;
    const char *wrong = NULL;
    enum region_step step;
    while ((step = offload_next(&region, &image, &wrong)) == REGION_NEXT) {
        if (is_cubin(binary, image))
            take_plain_cubin(binary, image);
        else if (image.end - image.at >= 8 && magic_at(binary->fd, image.at) == MAGIC_FATBIN)
            take_region(binary, image);
        else
            binary->others += image.end - image.at >= 8 && magic_at(binary->fd, image.at) != MAGIC_ELF;
    }
    if (step == REGION_BROKEN)
        report_broken(binary, wrong);
}

static void take_host_object(struct binary *binary, struct elf_file *file)
{
    struct elf_section section;
    for (size_t at = 0; elf_next_section(file, &at, &section);) {
        bool fatbins = object_is_device_code(section.name), images = str_eq(section.name, STR(".llvm.offloading"));
        if (!(fatbins || images) || !section.has_bytes || section.size == 0)
            continue;
        struct region region = {binary->fd, section.offset, section.offset + section.size};
        if (section.size > INT64_MAX || section.offset > (uint64_t)INT64_MAX - section.size)
            report_broken(binary, "a section that lies outside of the file");
        else if (fatbins)
            take_region(binary, region);
        else
            take_images(binary, region);
    }
}

static uint64_t file_size(struct binary *binary)
{
    struct stat stat;
    if (fstat(binary->fd, &stat) == 0)
        return stat.st_size > 0 ? (uint64_t)stat.st_size : 0;
    region_note_error(errno);
    report_broken(binary, "its size cannot be known");
    return 0;
}

static void take_elf(struct binary *binary, struct elf_file *file)
{
    struct elf_header header;
    if (!elf_header(file, &header))
        report_broken(binary, "its ELF header cannot be read");
    else if (elf_is_cut(file))
        report_broken(binary, "it is cut short: its headers state bytes beyond its end");
    else if (header.machine == ELF_MACHINE_CUDA)
        take_plain_cubin(binary, elf_region(file));
    else
        take_host_object(binary, file);
}

static void take_archive(struct binary *binary, struct elf_file *archive)
{
    struct elf_file *member;
    while ((member = elf_next_member(archive, &binary->part))) {
        if (!elf_is_archive(member))
            take_elf(binary, member);
        elf_close(member);
    }
    binary->part = (struct str){NULL, 0};
    if (binary->ok && elf_is_cut(archive))
        report_broken(binary, "it is cut short: what follows its last member is no member");
}

static void take_file(struct binary *binary)
{
    const struct region whole = {binary->fd, 0, file_size(binary)};
    switch (magic_at(binary->fd, 0)) {
    case MAGIC_THIN: binary->thin = true; return;
    case MAGIC_FATBIN: take_region(binary, whole); return;
    case MAGIC_OFFLOAD: take_images(binary, whole); return;
    default: break;
    }
    struct elf_file *file = elf_of_descriptor(binary->fd);
    if (!file) {
        report_broken(binary, "it is cut short, or neither ELF nor an archive, though it begins like one");
        return;
    }
    if (elf_is_archive(file))
        take_archive(binary, file);
    else
        take_elf(binary, file);
    elf_close(file);
}

/* ---- linked code takes precedence over relocatable code --------------------------------------------------------- */

/* A linked program can contain the relocatable code of its objects beside the linked code. If both contain the same
 * function, the record of the relocatable code is dropped. The record of the linked code keeps the registers and the
 * stack frame of the relocatable code, which identify the build. */
static void drop_superseded(struct binary *binary)
{
    struct model *model = binary->model;
    SCOPED(intern) linked = {0}; /* identities of linked code */
    uint32_t *rare = NULL;       /* by number in `linked`: kernel.rare, which every record of a cubin has */
    size_t cap = 0, kept = binary->first_kernel;
    for (size_t k = binary->first_kernel; k < model->kernel_count; k++) {
        const struct kernel *kernel = &model->kernels[k];
        if (!(kernel->flags & KERNEL_RELOCATABLE))
            *MEM_AT(rare, cap, intern_add(&linked, INTERN_PAIR(kernel->name, kernel->arch))) = kernel->rare;
    }
    for (size_t k = binary->first_kernel; k < model->kernel_count; k++) {
        const struct kernel kernel = model->kernels[k];
        const uint32_t number = kernel.flags & KERNEL_RELOCATABLE
                                    ? intern_find(&linked, INTERN_PAIR(kernel.name, kernel.arch))
                                    : INTERN_NONE;
        struct rare_metrics *of_linked = number == INTERN_NONE ? NULL : &model->rare_metrics[rare[number]];
        if (!of_linked) {
            model->kernels[kept++] = kernel;
        } else if (of_linked->object_registers < 0) {
            of_linked->object_registers = (int16_t)kernel.registers;
            of_linked->object_stack_bytes = kernel.stack_bytes;
        }
    }
    model->kernel_count = kept;
    free(rare);
}

/* ---- a binary, or a package of binaries ------------------------------------------------------------------------- */

/* The open descriptor is a binary, not a package. */
static void read_binary(struct binary *binary)
{
    struct model *model = binary->model;
    binary->first_kernel = model->kernel_count;
    binary->ok = true;
    binary->log =
        model_add_log(model, (struct log_info){.path = intern_add(&model->strings, binary->path), .verbose = true});
    take_file(binary);
    drop_superseded(binary);
    buf_free(&binary->payload);
}

enum { MOST_NAMED = 20 }; /* warnings about unread members; further ones are only counted */

static void leave_member(struct binary *binary, struct str path, const char *why)
{
    if (++binary->unread > MOST_NAMED)
        return;
    diag_warning(binary->diags, (struct place){.path = path}, "this member of a package was not judged: %s", why);
}

static void take_member(struct binary *binary, struct package *package, struct str path)
{
    struct model *model = binary->model;
    struct binary member = {.model = model,
                            .path = path,
                            .diags = binary->diags,
                            .budget = binary->budget,
                            .ptx = binary->ptx,
                            .is_member = true};
    member.fd = package_copy(package);
    int error = member.fd < 0 ? region_error() : 0;
    if (error)
        binary->ok =
            diag_error(binary->diags, (struct place){.path = path}, "%s: %s", package_wrong(package), strerror(error));
    else if (member.fd < 0)
        leave_member(binary, path, package_wrong(package));
    else if (!model_has_room(model, (struct place){.path = path}, binary->diags))
        binary->ok = false;
    if (member.fd < 0 || !binary->ok)
        return;
    read_binary(&member);
    if (member.ok && member.cubins == 0)
        model->log_count--;
    else if (!member.ok)
        leave_member(binary, path, "part of it is broken");
    binary->cubins += member.cubins;
    binary->others += member.others;
}

/* Limits packages inside packages; a .deb and a .conda contain an archive of their files. */
enum { MOST_NESTED = 4 };

static void take_package(struct binary *binary, struct package *package, struct str path, int depth)
{
    struct package_member member;
    SCOPED(arena) arena = {0};
    enum region_step step;
    while (binary->ok && (step = package_next(package, &member)) == REGION_NEXT) {
        struct str name = arena_fmt(&arena, "%.*s(%.*s)", STR_ARG(path), STR_ARG(member.name));
        bool nested = package_begins(member.head);
        struct package *inner = nested && depth < MOST_NESTED ? package_open_inner(package) : NULL;
        binary->members++;
        if (member.unread)
            leave_member(binary, name, member.unread);
        else if (inner)
            take_package(binary, inner, name, depth + 1);
        else if (nested && depth == MOST_NESTED)
            leave_member(binary, name, "packages are in packages more than 4 deep");
        else if (!nested && magic_of(member.head) != MAGIC_NONE)
            take_member(binary, package, name);
        if (inner)
            package_close(inner);
    }
    int error = region_error();
    if (binary->ok && step == REGION_BROKEN)
        binary->ok = diag_error(binary->diags, (struct place){.path = path}, "cannot be read to its end: %s",
                                error ? strerror(error) : package_wrong(package));
}

/* Reads the file; the caller reports a file without GPU code. Returns false with a diagnostic if the file cannot be
 * opened or is not a binary. */
static bool read_all(struct binary *binary)
{
    struct place place = {.path = binary->path};
    if (!model_has_room(binary->model, place, binary->diags))
        return false;
    binary->fd = open_regular(binary->path);
    if (binary->fd < 0)
        return diag_error(binary->diags, place, "cannot be read: %s", strerror(errno));
    uint64_t budget = budget_of(binary->fd);
    struct package *package = package_open(binary->fd, &budget);
    bool is = package || magic_at(binary->fd, 0) != MAGIC_NONE;
    int error = region_error();
    binary->budget = &budget;
    binary->ok = true;
    if (package)
        take_package(binary, package, binary->path, 0);
    else if (is)
        read_binary(binary);
    else if (error)
        diag_error(binary->diags, place, "cannot be read: %s", strerror(error));
    else
        diag_error(binary->diags, place,
                   "not a binary: it begins neither as ELF nor as an archive nor as a fat binary");
    if (package)
        package_close(package);
    close(binary->fd);
    return is;
}

static const char *why_empty(const struct binary *binary)
{
    if (binary->thin)
        return "a thin archive holds the names of its members alone: give these, or what is linked of them";
    if (binary->unread)
        return "no member of the package that can be read holds GPU code";
    if (binary->members && !binary->others)
        return "no member of the package holds GPU code; unpack a log first";
    return binary->others
               ? "nothing is known of its registers; give what is linked of it, or compile for an architecture of its "
                 "own (-gencode ...,code=sm_90)"
               : "holds no GPU code: looked for a cubin, .nv_fatbin, __nv_relfatbin and .llvm.offloading";
}

/* "holds PTX for compute_90, compute_120 and no machine code: ...", for a file, or for a package with all its
 * members. */
static bool refuse_empty(const struct binary *binary)
{
    SCOPED(buf) others = {0};
    if (binary->ptx->count == 0 && binary->others && !binary->thin && !binary->unread)
        buf_add(&others, STR("holds PTX or code for link-time optimisation only: "));
    for (uint32_t at = 0; at < binary->ptx->count; at++)
        buf_fmt(&others, "%s%.*s", at ? ", " : "holds PTX for ", STR_ARG(intern_get(binary->ptx, at)));
    buf_add(&others, binary->ptx->count ? STR(" and no machine code: ") : STR(""));
    return diag_error(binary->diags, (struct place){.path = binary->path}, "%.*s%s", STR_ARG(buf_str(&others)),
                      why_empty(binary));
}

bool binary_read(struct model *model, struct str path, bool needs_code, size_t *unread, struct diags *diags)
{
    SCOPED(intern) ptx = {0};
    struct binary binary = {.model = model, .path = path, .diags = diags, .ptx = &ptx};
    const size_t logs = model->log_count;
    bool ok = read_all(&binary);
    if (ok && unread)
        *unread += binary.unread;
    ok = ok && binary.ok;
    if (ok && binary.cubins == 0 && needs_code)
        ok = refuse_empty(&binary);
    else if (ok && binary.cubins == 0)
        model->log_count = logs;
    return ok;
}

/* Reads binaries that are not inputs; errors in them are not reported. */
static void read_silently(struct model *model, const struct str *paths, size_t count)
{
    for (size_t at = 0; at < count; at++)
        binary_read(model, paths[at], false, NULL, NULL);
}

/* ptxas states no architecture for device functions if their file has no kernel. It is that of the objects of their
 * compile, which begin at `first`, if these have only one. */
static void infer_arch(struct model *model, size_t first)
{
    uint32_t arch = NO_INDEX;
    for (size_t k = first; k < model->kernel_count; k++) {
        if (arch != NO_INDEX && model->kernels[k].arch_inferred != arch)
            return;
        arch = model->kernels[k].arch_inferred;
    }
    for (size_t k = 0; k < first; k++)
        if (model->kernels[k].producer == PRODUCER_PTXAS && model->kernels[k].arch_inferred == NO_INDEX)
            model->kernels[k].arch_inferred = arch;
}

void binary_confirm(struct model *model, const struct str *paths, size_t count, bool doubted)
{
    const struct model_mark before = model_mark(model);
    read_silently(model, paths, count);
    infer_arch(model, before.kernels);
    if (doubted)
        model_doubt(model, before.kernels);
    model_copy_launch_bounds(model, before.kernels);
    model_forget_binaries(model, &before);
}

void binary_add_lines(struct model *model, struct str path)
{
    const struct model_mark before = model_mark(model);
    read_silently(model, &path, 1);
    local_memory_add_lines(model, before.kernels, before.codes);
    model_forget_binaries(model, &before);
}

bool binary_holds_kernels(const struct str *paths, size_t count)
{
    SCOPED(model) model = {0};
    read_silently(&model, paths, count);
    return model.kernel_count > 0;
}
