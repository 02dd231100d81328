#define _POSIX_C_SOURCE 200809L
#include "nvcc/triton_cache.h"

#include "log/json_decoder.h"
#include "nvcc/binary.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { MOST_METADATA_BYTES = 1 << 20, WARP_SIZE = 32, MOST_THREADS = 1024, MOST_CTAS = 16, MOST_REGISTERS = 255 };

/* ---- the files --------------------------------------------------------------------------------------------------- */

/* A regular file of that stem and suffix exists. */
static bool has_file(struct triton_entries *entries, struct str stem, const char *suffix)
{
    struct stat status;
    return lstat(arena_fmt(&entries->arena, "%.*s%s", STR_ARG(stem), suffix).ptr, &status) == 0 &&
           S_ISREG(status.st_mode);
}

/* Any file may be JSON; Triton's metadata has compiled code of the same stem beside it. */
static bool is_of_triton(struct triton_entries *entries, const struct triton_entry *entry)
{
    static const char *const stages[] = {".ttir", ".ttgir", ".llir", ".ptx", ".hsaco", ".amdgcn"};
    bool found = entry->has_cubin;
    for (size_t at = 0; !found && at < sizeof stages / sizeof *stages; at++)
        found = has_file(entries, entry->stem, stages[at]);
    return found && entry->has_metadata;
}

/* Adds the entry of a file, once: for the metadata, or for a cubin without metadata. Returns true if the entry proves
 * that the folder is a cache. */
static bool add_entry(struct triton_entries *entries, struct str path)
{
    const bool is_metadata = str_ends(path, STR(".json"));
    if ((!is_metadata && !str_ends(path, STR(".cubin"))) || str_starts(path_name(path), STR("__grp__")))
        return false;
    struct str stem = str_sub(path, 0, str_rfind(path, STR(".")));
    struct triton_entry entry = {.stem = arena_str(&entries->arena, stem),
                                 .has_metadata = has_file(entries, stem, ".json"),
                                 .has_cubin = has_file(entries, stem, ".cubin"),
                                 .has_ptx = has_file(entries, stem, ".ptx")};
    const bool of_triton = is_of_triton(entries, &entry);
    if (is_metadata ? of_triton : !entry.has_metadata)
        *MEM_ADD(entries->items, entries->count, entries->cap) = entry;
    return is_metadata && of_triton;
}

bool triton_cache_list(struct str folder, struct triton_entries *entries, struct diags *diags)
{
    SCOPED(path_list) list = {0};
    const bool ok = file_walk(folder, (struct str){"", 0}, &list, diags);
    bool any = false;
    for (size_t at = 0; at < list.count; at++)
        any |= add_entry(entries, list.paths[at]);
    mem_sort(entries->items, entries->count, sizeof *entries->items, str_order);
    entries->count = any ? entries->count : 0;
    return ok;
}

void triton_entries_free(struct triton_entries *entries)
{
    arena_free(&entries->arena);
    free(entries->items);
    *entries = (struct triton_entries){0};
}

/* ---- the metadata ------------------------------------------------------------------------------------------------ */

#define METADATA_KEY(member, from, to)                                                                                 \
    JSON_KEY(#member, triton_metadata, member, .type = KEY_NUMBER, .least = from, .most = to)
#define NEEDED_METADATA_KEY(member, from, to)                                                                          \
    JSON_KEY(#member, triton_metadata, member, .type = KEY_NUMBER, .least = from, .most = to, .is_required = true)
static const struct json_key target_keys[] = {METADATA_KEY(warp_size, WARP_SIZE, WARP_SIZE)};
static const struct json_key metadata_keys[] = {
    NEEDED_METADATA_KEY(num_warps, 1, MOST_THREADS / WARP_SIZE),
    NEEDED_METADATA_KEY(shared, 0, INT32_MAX),
    METADATA_KEY(num_ctas, 1, MOST_CTAS),
    METADATA_KEY(num_stages, 0, INT32_MAX),
    METADATA_KEY(maxnreg, 1, MOST_REGISTERS),
};

/* The target: {"backend": "cuda", "arch": 90, "warp_size": 32} or, in older versions, ["cuda", 90]. */
static void read_target(const struct json_value *json, struct triton_metadata *metadata, bool *amd, struct buf *scratch)
{
    const struct json_value *target = json_member(json, "target");
    bool listed = json_kind(target) == JSON_KIND_ARRAY;
    struct str backend = {"", 0};
    json_get_string(listed ? json_item(target, 0) : json_member(target, "backend"), scratch, &backend);
    *amd = str_eq(backend, STR("hip")) || json_member(json, "matrix_instr_nonkdim");
    json_get_int(json_member(json, "cc"), &metadata->arch);
    json_get_int(json_member(json, "capability"), &metadata->arch);
    json_get_int(listed ? json_item(target, 1) : json_member(target, "arch"), &metadata->arch);
}

static const char *read_object(struct arena *arena, const struct json_value *json, struct triton_metadata *metadata)
{
    SCOPED(buf) scratch = {0};
    struct str name = {"", 0};
    bool amd = false;
    *metadata = (struct triton_metadata){.warp_size = WARP_SIZE, .num_ctas = 1};
    read_target(json, metadata, &amd, &scratch);
    bool ok = json_get_string(json_member(json, "name"), &scratch, &name) && name.len > 0;
    metadata->name = arena_str(arena, name);
    if (amd)
        return "it is for an AMD GPU, and warplint reads code for NVIDIA's";
    struct json_decoder file = {.object = json}, target = {.object = json_member(json, "target")};
    ok = ok && json_decode(&target, JSON_KEYS(target_keys), metadata) &&
         json_decode(&file, JSON_KEYS(metadata_keys), metadata);
    return ok ? NULL : "its metadata has no valid name, num_warps and shared: the version of Triton is not known";
}

const char *triton_metadata_read(struct arena *arena, struct str text, struct triton_metadata *metadata)
{
    struct json_value *json = json_read(text, NULL);
    const char *wrong = json_kind(json) == JSON_KIND_OBJECT ? read_object(arena, json, metadata)
                                                            : "its metadata is incomplete: a compile may be running";
    json_value_free(json);
    return wrong;
}

static const char *read_metadata(struct triton_entries *entries, struct str path, struct triton_metadata *metadata)
{
    SCOPED(buf) text = {0};
    if (!file_read(path, INPUT_REGULAR, MOST_METADATA_BYTES, &text, NULL))
        return "its metadata cannot be read";
    return triton_metadata_read(&entries->arena, buf_str(&text), metadata);
}

/* ---- the code ---------------------------------------------------------------------------------------------------- */

static const char *check_kernels(const struct model *model, size_t first, const struct triton_metadata *metadata)
{
    for (size_t at = first; at < model->kernel_count; at++) {
        const struct kernel *kernel = &model->kernels[at];
        int arch = arch_digits(kernel_arch(model, kernel));
        if (kernel->kind != KERNEL_ENTRY || !str_eq(kernel_name(model, kernel), metadata->name))
            continue;
        if (metadata->arch && arch && arch != metadata->arch)
            return "its cubin is for another architecture than its metadata";
        return NULL;
    }
    return "its cubin has no kernel of the name in its metadata";
}

const char *triton_entry_read(struct triton_entries *entries, const struct triton_entry *entry, struct model *model,
                              struct triton_metadata *metadata)
{
    struct arena *arena = &entries->arena;
    struct model_mark before = model_mark(model);
    if (!entry->has_metadata)
        return "it has no metadata (.json): a compile may be running";
    const char *wrong = read_metadata(entries, arena_fmt(arena, "%.*s.json", STR_ARG(entry->stem)), metadata);
    if (wrong)
        return wrong;
    if (!entry->has_cubin)
        return "it has no cubin: a compile may be running";
    if (!binary_read(model, arena_fmt(arena, "%.*s.cubin", STR_ARG(entry->stem)), false, NULL, NULL))
        wrong = "its cubin is incomplete or broken";
    else
        wrong = check_kernels(model, before.kernels, metadata);
    if (wrong)
        model_forget_binaries(model, &before);
    return wrong;
}

/* Leaves out a value that is the default, 0 or null. */
static void add_name(const struct triton_metadata *metadata, struct buf *name)
{
    buf_fmt(name, "%.*s [num_warps=%lld", STR_ARG(metadata->name), (long long)metadata->num_warps);
    if (metadata->num_ctas > 1)
        buf_fmt(name, ", num_ctas=%lld", (long long)metadata->num_ctas);
    if (metadata->num_stages)
        buf_fmt(name, ", num_stages=%lld", (long long)metadata->num_stages);
    if (metadata->maxnreg)
        buf_fmt(name, ", maxnreg=%lld", (long long)metadata->maxnreg);
    buf_char(name, ']');
}

void triton_metadata_give(const struct triton_metadata *metadata, struct model *model, size_t first)
{
    SCOPED(buf) name = {0};
    add_name(metadata, &name);
    for (size_t at = first; at < model->kernel_count; at++) {
        struct kernel *kernel = &model->kernels[at];
        if (kernel->kind != KERNEL_ENTRY || !str_eq(kernel_name(model, kernel), metadata->name))
            continue;
        struct rare_metrics *rare = kernel_rare_own(model, kernel);
        rare->bound_threads = (uint16_t)(metadata->num_warps * metadata->warp_size);
        rare->bound_from = BOUND_TRITON;
        rare->dynamic_smem_bytes = (int32_t)metadata->shared;
        if (metadata->maxnreg) {
            rare->register_cap = (int32_t)metadata->maxnreg;
            rare->register_cap_from = CAP_MAXNREG;
        }
        if (metadata->num_ctas > 1)
            rare->cluster_blocks = (uint16_t)metadata->num_ctas;
        kernel->name = intern_add(&model->names, buf_str(&name));
    }
}
