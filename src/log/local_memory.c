#include "log/local_memory.h"

#include <stddef.h>
#include <stdlib.h>

void code_table_free(struct code_table *table)
{
    intern_free(&table->places);
    free(table->functions);
    free(table->nested);
    free(table->accesses);
    free(table->sites);
    free(table->kernels);
}

const struct kernel_code *kernel_code(const struct model *model, const struct kernel *kernel)
{
    static const struct kernel_code none = {0};
    uint32_t code = kernel_rare(model, kernel)->code;
    return code == NO_INDEX ? &none : &model->code.kernels[code];
}

static uint32_t add_code(struct code_table *table, const struct kernel_code *code)
{
    table->kernels = mem_reserve(table->kernels, &table->kernel_cap, table->kernel_count + 1, sizeof *table->kernels);
    table->kernels[table->kernel_count] = *code;
    return (uint32_t)table->kernel_count++;
}

enum { PLACE_KEY_BYTES = offsetof(struct code_place, function) };

uint32_t code_place_add(struct model *model, struct code_place place)
{
    struct code_table *table = &model->code;
    uint32_t number = intern_add(&table->places, (struct str){(const char *)&place, PLACE_KEY_BYTES});
    if (number >= table->function_cap || number + 1 == table->places.count) {
        table->functions =
            mem_reserve(table->functions, &table->function_cap, table->places.count, sizeof *table->functions);
        table->functions[number] = place.function;
    }
    return number;
}

struct code_place code_place_get(const struct model *model, uint32_t place)
{
    struct code_place copy = {.function = model->code.functions[place]};
    memcpy(&copy, intern_get(&model->code.places, place).ptr, PLACE_KEY_BYTES);
    return copy;
}

/* A header of the system or of the CUDA toolkit: what a person looks at is what called it. Toolkits lie in folders like
 * /usr/local/cuda-13.0/include, .../targets/x86_64-linux/include and site-packages/nvidia/cuda_runtime/include. */
static bool is_library_header(struct str path)
{
    if (str_starts(path, STR("/usr/include/")) || str_starts(path, STR("/usr/lib/")))
        return true;
    size_t include = str_find(path, STR("/include/"));
    if (include == STR_NONE)
        return false;
    const struct str folder = str_sub(path, 0, include);
    const size_t slash = str_rfind(folder, STR("/"));
    const struct str last = slash == STR_NONE ? folder : str_from(folder, slash + 1);
    const struct str above = slash == STR_NONE ? (struct str){NULL, 0} : str_sub(folder, 0, slash);
    return str_starts(last, STR("cuda")) || str_ends(above, STR("/targets")) || str_ends(above, STR("/nvidia"));
}

uint32_t code_place_shown(const struct model *model, uint32_t place)
{
    for (uint32_t at = place; at != NO_INDEX;) {
        const struct code_place found = code_place_get(model, at);
        if (!is_library_header(model_string(model, found.file)))
            return at;
        at = found.caller;
    }
    return place;
}

/* ---- accesses ---------------------------------------------------------------------------------------------------- */

/* By base, then from the highest offset down. */
static int by_offset(const void *a, const void *b)
{
    const struct local_access *left = a, *right = b;
    if (left->base != right->base)
        return left->base < right->base ? -1 : 1;
    return (left->offset < right->offset) - (left->offset > right->offset);
}

static uint32_t add_accesses(struct code_table *table, const struct local_access *accesses, size_t count)
{
    struct kernel_code code = {.first_access = (uint32_t)table->access_count, .access_count = (uint32_t)count};
    table->accesses =
        mem_reserve(table->accesses, &table->access_cap, table->access_count + count + 1, sizeof *table->accesses);
    for (size_t at = 0; at < count; at++)
        table->accesses[table->access_count++] = accesses[at];
    qsort(&table->accesses[code.first_access], count, sizeof *table->accesses, by_offset);
    return add_code(table, &code);
}

void kernel_set_accesses(struct model *model, struct kernel *kernel, const struct local_access *accesses, size_t count)
{
    struct rare_metrics rare = *kernel_rare(model, kernel);
    rare.local_store_bytes = rare.local_load_bytes = 0;
    for (size_t at = 0; at < count; at++)
        *(accesses[at].is_store ? &rare.local_store_bytes : &rare.local_load_bytes) += accesses[at].width;
    rare.code = add_accesses(&model->code, accesses, count);
    kernel_set_rare(model, kernel, &rare);
}

void nested_add_accesses(struct model *model, uint32_t name, uint32_t arch, const struct local_access *accesses,
                         size_t count)
{
    struct code_table *table = &model->code;
    const uint32_t code = add_accesses(table, accesses, count);
    table->nested = mem_reserve(table->nested, &table->nested_cap, table->nested_count + 1, sizeof *table->nested);
    table->nested[table->nested_count++] = (struct nested_code){name, arch, code};
}

/* ---- which accesses are spills ---------------------------------------------------------------------------------- */

/* The spills among the accesses of one base: those at `from` up to `end`. */
struct spills {
    size_t from, end;
    int32_t lowest; /* offset */
};

/* The accesses from the highest offset of this base down that add up to both numbers. False: none do. */
static bool find_spills(const struct local_access *accesses, size_t count, enum local_base base,
                        const struct kernel *stated, struct spills *spills)
{
    int64_t stores = 0, loads = 0;
    size_t at = 0;
    while (at < count && accesses[at].base != base)
        at++;
    spills->from = at;
    while (at < count && accesses[at].base == base) {
        const int32_t offset = accesses[at].offset;
        for (; at < count && accesses[at].base == base && accesses[at].offset == offset; at++)
            *(accesses[at].is_store ? &stores : &loads) += accesses[at].width;
        spills->end = at;
        spills->lowest = offset;
        if (stores == stated->spill_store_bytes && loads == stated->spill_load_bytes)
            return true;
    }
    return false;
}

/* ---- sites ------------------------------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct local_access *left = a, *right = b;
    if (left->depth != right->depth)
        return left->depth < right->depth ? -1 : 1;
    return (left->place > right->place) - (left->place < right->place);
}

static int worst_first(const void *a, const void *b)
{
    const struct code_site *left = a, *right = b;
    const int64_t left_bytes = (int64_t)left->store_bytes + left->load_bytes;
    const int64_t right_bytes = (int64_t)right->store_bytes + right->load_bytes;
    if (left->depth != right->depth)
        return left->depth > right->depth ? -1 : 1;
    if (left_bytes != right_bytes)
        return left_bytes > right_bytes ? -1 : 1;
    return (left->place > right->place) - (left->place < right->place);
}

static void count_access(struct code_site *site, const struct local_access *access)
{
    *(access->is_store ? &site->stores : &site->loads) += 1;
    *(access->is_store ? &site->store_bytes : &site->load_bytes) += access->width;
}

/* Adds the sites of these accesses, which are sorted; none where not one of them has a place. Returns how many. */
static uint32_t add_sites(struct model *model, struct local_access *accesses, size_t count)
{
    struct code_table *table = &model->code;
    const size_t first = table->site_count;
    bool placed = false;
    qsort(accesses, count, sizeof *accesses, by_place);
    for (size_t at = 0; at < count; at++) {
        placed |= accesses[at].place != NO_INDEX;
        if (at == 0 || by_place(&accesses[at], &accesses[at - 1]) != 0) {
            table->sites = mem_reserve(table->sites, &table->site_cap, table->site_count + 1, sizeof *table->sites);
            table->sites[table->site_count++] =
                (struct code_site){.place = accesses[at].place, .depth = accesses[at].depth};
        }
        count_access(&table->sites[table->site_count - 1], &accesses[at]);
    }
    if (!placed)
        table->site_count = first;
    else
        qsort(&table->sites[first], table->site_count - first, sizeof *table->sites, worst_first);
    return (uint32_t)(table->site_count - first);
}

/* ---- a record ---------------------------------------------------------------------------------------------------- */

static void take_spills(struct rare_metrics *rare, const struct local_access *spills, size_t count)
{
    rare->spill_bytes_in_loops = rare->spill_depth = 0;
    for (size_t at = 0; at < count; at++) {
        if (spills[at].depth > 0)
            rare->spill_bytes_in_loops += spills[at].width;
        if (spills[at].depth > rare->spill_depth)
            rare->spill_depth = spills[at].depth;
    }
}

static bool spills_known(const struct kernel *kernel)
{
    return kernel->spill_store_bytes >= 0 && kernel->spill_load_bytes >= 0; /* UNKNOWN is below 0 */
}

/* The spills among these accesses, which are sorted by offset. False: no offset fits ptxas's numbers. */
static bool fits(const struct local_access *accesses, size_t count, const struct kernel *stated, struct spills *spills)
{
    *spills = (struct spills){0, 0, stated->stack_bytes};
    return (stated->spill_store_bytes == 0 && stated->spill_load_bytes == 0) ||
           find_spills(accesses, count, LOCAL_FRAME, stated, spills) ||
           find_spills(accesses, count, LOCAL_ALLOCA, stated, spills);
}

/* Gives the record the places of the code where the code fits its numbers. */
static void locate(struct model *model, struct kernel *stated, struct kernel_code code)
{
    const size_t count = code.access_count;
    struct local_access *accesses = mem_alloc((2 * count + 1) * sizeof *accesses), *others = accesses + count;
    struct spills spills;
    memcpy(accesses, &model->code.accesses[code.first_access], count * sizeof *accesses);
    if (fits(accesses, count, stated, &spills)) {
        const size_t spill_count = spills.end - spills.from;
        struct rare_metrics rare = *kernel_rare(model, stated);
        memcpy(others, accesses, spills.from * sizeof *others);
        memcpy(others + spills.from, accesses + spills.end, (count - spills.end) * sizeof *others);
        take_spills(&rare, accesses + spills.from, spill_count);
        rare.array_bytes = spills.lowest > 0 || spills.lowest == UNKNOWN ? spills.lowest : 0;
        code.first_spill_site = (uint32_t)model->code.site_count;
        code.spill_site_count = add_sites(model, accesses + spills.from, spill_count);
        code.first_array_site = (uint32_t)model->code.site_count;
        code.array_site_count = add_sites(model, others, count - spill_count);
        code.spill_sites_known = code.spill_site_count || spill_count == 0;
        code.array_sites_known = code.array_site_count || count == spill_count;
        rare.code = add_code(&model->code, &code);
        kernel_set_rare(model, stated, &rare);
    }
    free(accesses);
}

void local_memory_locate(struct model *model, struct kernel *stated, const struct kernel *binary)
{
    const struct rare_metrics code = *kernel_rare(model, binary);
    struct rare_metrics rare = *kernel_rare(model, stated);
    if (code.local_store_bytes == UNKNOWN || !spills_known(stated) || rare.spill_depth != UNKNOWN)
        return;
    rare.local_store_bytes = code.local_store_bytes;
    rare.local_load_bytes = code.local_load_bytes;
    kernel_set_rare(model, stated, &rare);
    locate(model, stated, model->code.kernels[code.code]);
}

/* ---- functions within a kernel's section ------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const struct nested_code *left = a, *right = b;
    if (left->name != right->name)
        return left->name < right->name ? -1 : 1;
    if (left->arch != right->arch)
        return left->arch < right->arch ? -1 : 1;
    return (left->code > right->code) - (left->code < right->code);
}

/* Of the functions with the record's name the only one that fits its numbers; NULL: none or several do. */
static const struct nested_code *nested_of(const struct model *model, const struct kernel *stated)
{
    const struct code_table *table = &model->code;
    const struct nested_code *found = NULL;
    const struct nested_code key = {stated->name, stated->arch_inferred, 0};
    size_t low = 0, high = table->nested_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_name(&table->nested[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < table->nested_count; low++) {
        const struct nested_code *nested = &table->nested[low];
        const struct kernel_code *code = &table->kernels[nested->code];
        struct spills spills;
        if (nested->name != key.name || nested->arch != key.arch)
            break;
        if (!fits(&table->accesses[code->first_access], code->access_count, stated, &spills))
            continue;
        if (found)
            return NULL;
        found = nested;
    }
    return found;
}

void local_memory_locate_nested(struct model *model)
{
    struct code_table *table = &model->code;
    if (table->nested_count == 0)
        return;
    qsort(table->nested, table->nested_count, sizeof *table->nested, by_name);
    for (size_t k = 0; k < model->kernel_count; k++) {
        struct kernel *stated = &model->kernels[k];
        if (stated->kind != KERNEL_FUNCTION || stated->producer != PRODUCER_PTXAS || !spills_known(stated) ||
            kernel_rare(model, stated)->code != NO_INDEX)
            continue;
        const struct nested_code *nested = nested_of(model, stated);
        if (nested)
            locate(model, stated, table->kernels[nested->code]);
    }
}
