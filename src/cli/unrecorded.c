#include "cli/unrecorded.h"

#include "cli/folder.h"
#include "cli/records.h"
#include "nvcc/binary.h"
#include "nvcc/object.h"

#include <stdlib.h>

/* True for an intermediate file of a command with --keep: nvcc leaves STEM.fatbin.c beside STEM.o, STEM.fatbin and
 * STEM.sm_90.cubin. False for a device link of CMake, which has its own warning. */
static bool is_step_of_nvcc(struct str file, struct arena *arena)
{
    struct str name = path_name(file);
    bool is_cubin = str_ends(name, STR(".cubin"));
    size_t end = is_cubin ? str_rfind(name, STR(".compute_")) : STR_NONE;
    if (is_cubin && end == STR_NONE)
        end = str_rfind(name, STR(".sm_"));
    if (end == STR_NONE)
        end = str_rfind(name, STR("."));
    struct str stem = str_sub(file, 0, file.len - name.len + end);
    return !unrecorded_is_link_of_cmake(file) && file_exists(arena_fmt(arena, "%.*s.fatbin.c", STR_ARG(stem)));
}

void unrecorded_find(struct str folder, struct found_code_list *found, struct arena *arena)
{
    SCOPED(path_list) files = {0};
    SCOPED(buf) record = {0}, stamp = {0};
    file_walk(folder, STR(""), &files, NULL); /* errors were reported when the records were searched */
    for (size_t at = 0; at < files.count; at++) {
        struct str file = files.paths[at];
        if (!str_is_one_of(str_from(file, str_rfind(file, STR("."))), ".o .cubin .fatbin"))
            continue;
        buf_clear(&record);
        buf_fmt(&record, "%.*s" RECORD_SUFFIX, STR_ARG(file));
        if (file_is_regular(buf_str(&record)) || folder_is_trial(str_from(file, folder.len)))
            continue;
        bool unread = false;
        const bool has_code = str_ends(file, STR(".o")) ? object_has_device_code(arena_cstr(arena, file))
                                                        : binary_is(file, &unread, NULL) && !unread;
        if (!has_code || is_step_of_nvcc(file, arena))
            continue;
        struct found_code code = {.file = arena_str(arena, file)};
        buf_clear(&stamp);
        if (object_stamp(code.file.ptr, &stamp) == 0)
            code.stamp = arena_str(arena, buf_str(&stamp));
        *MEM_ADD(found->items, found->count, found->cap) = code;
    }
}

struct str unrecorded_with_code(const struct found_code_list *found, struct str stamp)
{
    EACH(const struct found_code, code, found->items, found->count)
        if (stamp.len && str_eq(code->stamp, stamp))
            return code->file;
    return STR("");
}

void unrecorded_add(const struct found_code_list *found, const struct intern *stamps, struct str_list *unrecorded)
{
    EACH(const struct found_code, code, found->items, found->count)
        if (intern_find(stamps, code->stamp) == INTERN_NONE)
            str_list_add(unrecorded, code->file);
}

/* ---- device links ----------------------------------------------------------------------------------------------- */

bool unrecorded_is_link_of_cmake(struct str object)
{
    return str_eq(path_name(object), STR("cmake_device_link.o"));
}

bool unrecorded_are_links(const struct str_list *unrecorded)
{
    size_t links = 0;
    while (links < unrecorded->count && unrecorded_is_link_of_cmake(unrecorded->items[links]))
        links++;
    return links && links == unrecorded->count;
}

static bool is_linked_code(const struct kernel *kernel)
{
    return kernel->producer == PRODUCER_BINARY && !(kernel->flags & KERNEL_RELOCATABLE);
}

/* The data that identify a linked kernel: its name, architecture, registers and shared memory. */
static void link_outcome(const struct model *model, const struct kernel *kernel, struct buf *out)
{
    buf_clear(out);
    buf_add(out, kernel_name(model, kernel));
    buf_fmt(out, "\n%.*s %d %lld", STR_ARG(kernel_arch(model, kernel)), kernel->registers,
            (long long)kernel_smem(model, kernel));
}

/* Adds the outcomes of link records and of linked code in the model. */
static void find_outcomes(const struct model *model, struct intern *outcomes)
{
    SCOPED(buf) outcome = {0};
    EACH(const struct kernel, kernel, model->kernels, model->kernel_count) {
        if (kernel->registers == UNKNOWN || !(kernel_is_link(kernel) || is_linked_code(kernel)))
            continue;
        link_outcome(model, kernel, &outcome);
        intern_add(outcomes, buf_str(&outcome));
    }
}

/* True if all kernels of the object are linked code with an outcome that is in the model. A note of CUDA 13 or the name
 * of the object shows that nvlink made it: without either, it may be the compile of a kernel with the same numbers. */
static bool is_known_link(const struct intern *outcomes, struct str object)
{
    bool is_link = unrecorded_is_link_of_cmake(object);
    SCOPED(model) model = {0};
    SCOPED(buf) outcome = {0};
    size_t kernels = 0;
    if ((outcomes->count == 0 && !is_link) || !binary_read(&model, object, false, NULL, NULL))
        return false;
    EACH(const struct kernel, kernel, model.kernels, model.kernel_count) {
        bool linked = is_link || kernel_rare(&model, kernel)->object_registers == NO_OBJECT_NVLINK;
        if (kernel->kind != KERNEL_ENTRY)
            continue;
        link_outcome(&model, kernel, &outcome);
        if (!linked || !is_linked_code(kernel) || intern_find(outcomes, buf_str(&outcome)) == INTERN_NONE)
            return false;
        kernels++;
    }
    return kernels || (is_link && model.log_count); /* machine code without kernels needs no judging */
}

void unrecorded_leave_linked(struct str_list *unrecorded, const struct model *model)
{
    SCOPED(intern) outcomes = {0};
    size_t kept = 0;
    if (unrecorded->count)
        find_outcomes(model, &outcomes);
    for (size_t at = 0; at < unrecorded->count; at++)
        if (!is_known_link(&outcomes, unrecorded->items[at]))
            unrecorded->items[kept++] = unrecorded->items[at];
    unrecorded->count = kept;
}

/* Warns of the device links of CMake, or of the other objects. Returns true if there are none. */
static bool warn_group(const struct str_list *unrecorded, bool links, const char *what, struct diags *diags)
{
    struct path_count group = {0};
    for (size_t at = 0; at < unrecorded->count; at++)
        if (unrecorded_is_link_of_cmake(unrecorded->items[at]) == links)
            path_count_add(&group, unrecorded->items[at]);
    return path_count_warn(&group, what, diags);
}

bool unrecorded_warn(const struct str_list *unrecorded, struct diags *diags)
{
    bool ok =
        warn_group(unrecorded, false,
                   "device code without a record: it was not compiled under `warplint wrap`, or failed to compile "
                   "since, and is not judged; compile it again under it (`warplint doctor` finds the cause)",
                   diags);
    ok &= warn_group(unrecorded, true,
                     "a device link without a record, which is not judged: CMake does not use the launcher for "
                     "it; " UNRECORDED_LINK_ADVICE,
                     diags);
    return ok;
}
